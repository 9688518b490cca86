"""Import of optional libraries, which the default installation leaves out, when they are first needed."""

from __future__ import annotations

import importlib
from types import ModuleType

from replan.errors import MissingExtra


def import_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a module; raise MissingExtra if it is not installed.

    The error names `extra`. `purpose` begins the message, as in "reading an image needs an extra: ...".

    >>> import_extra("json", extra="images", purpose="reading an image").__name__
    'json'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(purpose, extra) from error
