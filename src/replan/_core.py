"""Which core runs: the extensions, or the same modules interpreted. Importing this decides it, before any is imported.

REPLAN_INTERPRETED=1 takes the .py files in any program, even where extensions stand beside them.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from replan import _build

HOME = Path(__file__).parent
CHECKOUT = HOME.parents[1] if HOME.parent.name == "src" and (HOME.parents[1] / "setup.py").exists() else None
ASKED = os.environ.get("REPLAN_INTERPRETED") == "1"

SLOWER = "about 150 times slower, with the same results"
AGAIN = f"`pip install -e {CHECKOUT}`" if CHECKOUT else "installing replan again"
UNCOMPILED = f"there are no extensions for this Python; with a C compiler, {AGAIN} makes them"


class Sources(MetaPathFinder):
    """Finds the modules of this package as .py files alone."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("replan."):
            return None
        found = (FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name) for folder in path or ())
        return next((spec for spec in found if spec is not None and spec.loader is not None), None)


def _finds_extensions() -> bool:
    spec = find_spec("replan.clock")  # all modules of the core are compiled, or none
    return spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))


def description() -> str:
    """Which core runs, and why."""
    if compiled:
        return f"compiled core; but {stale()}" if stale() else "compiled core"
    return f"interpreted core, {SLOWER}: {'REPLAN_INTERPRETED=1 is set' if ASKED else UNCOMPILED}"


@cache
def stale() -> str:
    """Which sources the extensions were not built from, and the way out; empty if they are of the present ones."""
    names = _build.stale(HOME) if compiled else []
    if not names:
        return ""
    some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"the extensions in {HOME} were not built from the present {some}; "
        f"{AGAIN} makes them anew (REPLAN_INTERPRETED=1 runs the sources instead)"
    )


def untold() -> str:
    """What to tell whoever runs uncompiled without having asked for it: once, so empty from then on."""
    global _told
    if _told:
        return ""
    _told = True
    return f"replan is not compiled and runs {SLOWER}: {UNCOMPILED} (REPLAN_INTERPRETED=1 says that none are wanted)"


def _told_otherwise() -> bool:
    """Does the command `replan` run, which has notes of its own, or a worker process, whose parent has been told?"""
    words = sys.orig_argv
    command = Path(sys.argv[0]).stem == "replan" or words[1:3] == ["-m", "replan"]
    return command or "--multiprocessing-fork" in words


if ASKED:
    sys.meta_path.insert(0, Sources())
#: Does the core run as C? Otherwise the same files run interpreted, with the same results, about 150 times slower.
compiled: bool = _finds_extensions()
_told = compiled or ASKED
if CHECKOUT and stale():  # of an installed package the sources are not edited
    warnings.warn(stale(), RuntimeWarning, stacklevel=3)  # shows the line that imports replan
if not _told and not _told_otherwise():
    warnings.warn(untold(), RuntimeWarning, stacklevel=3)
