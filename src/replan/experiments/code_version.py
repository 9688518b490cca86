"""The version of the code that makes the results: they are only put together with results of the same."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import replan
from replan._version import __version__

#: What a trip depends on. The command line, the reports and the viewer may change without a new version.
ROOMS = ("maps", "planners", "queues", "search", "simulation", "spaces", "worlds")


@cache
def code_version() -> str:
    """The version of the package, and a digest of the sources that trips depend on."""
    home = Path(replan.__file__).parent
    digest = hashlib.sha256()
    for room in ROOMS:
        for file in sorted((home / room).rglob("*.py")):
            digest.update(file.relative_to(home).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{__version__}-{digest.hexdigest()[:10]}"
