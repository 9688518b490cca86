"""Version of the code that makes results. Only results of the same version are put together."""

from __future__ import annotations

from functools import cache

from replan import _build, _core
from replan._version import __version__
from replan.errors import InputError


@cache
def code_version() -> str:
    """Return the version of the package with a digest of the sources that trips depend on.

    Raises InputError if the loaded extensions were built from other sources: the version of their results is unknown.
    """
    if _core.stale_message():
        raise InputError(_core.stale_message())
    suffix = "" if _core.compiled else "-interpreted"  # the counts are the same, the times are not
    return f"{__version__}-{_build.code_digest(_core.PACKAGE_DIR)[:10]}{suffix}"
