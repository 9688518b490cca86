"""The version of the code that makes the results: they are only put together with results of the same."""

from __future__ import annotations

from functools import cache

from replan import _build, _core
from replan._version import __version__
from replan.errors import InputError


@cache
def code_version() -> str:
    """The version of the package, and a digest of the sources that trips depend on.

    Raises InputError when extensions run that were built from other sources: nobody could tell what results are of.
    """
    if _core.stale_message():
        raise InputError(_core.stale_message())
    how = "" if _core.compiled else "-interpreted"  # counts are the same, but times are not
    return f"{__version__}-{_build.code_digest(_core.PACKAGE_DIR)[:10]}{how}"
