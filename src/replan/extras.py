"""Libraries that the usual installation leaves out, imported only when something needs them."""

from __future__ import annotations

import importlib
from types import ModuleType

from replan.errors import MissingExtra


def import_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import `module` and return it, or say which extra brings it.

    `what` begins the message, as in "reading an image needs an extra: ...". Raises MissingExtra.

    >>> import_extra("json", extra="images", what="reading an image").__name__
    'json'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(purpose, extra) from error
