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

PACKAGE_DIR = Path(__file__).parent
CHECKOUT_DIR = PACKAGE_DIR.parents[1] if PACKAGE_DIR.parent.name == "src" and (PACKAGE_DIR.parents[1] / "setup.py").exists() else None
INTERPRETED_REQUESTED = os.environ.get("REPLAN_INTERPRETED") == "1"

SLOWDOWN_TEXT = "about 150 times slower, with the same results"
REINSTALL_TEXT = f"`pip install -e {CHECKOUT_DIR}`" if CHECKOUT_DIR else "installing replan again"
UNCOMPILED_TEXT = f"there are no extensions for this Python; with a C compiler, {REINSTALL_TEXT} makes them"


class SourceFinder(MetaPathFinder):
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
        return f"compiled core; but {stale_message()}" if stale_message() else "compiled core"
    return f"interpreted core, {SLOWDOWN_TEXT}: {'REPLAN_INTERPRETED=1 is set' if INTERPRETED_REQUESTED else UNCOMPILED_TEXT}"


@cache
def stale_message() -> str:
    """Which sources the extensions were not built from, and the way out; empty if they are of the present ones."""
    names = _build.stale_files(PACKAGE_DIR) if compiled else []
    if not names:
        return ""
    some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"the extensions in {PACKAGE_DIR} were not built from the present {some}; "
        f"{REINSTALL_TEXT} makes them anew (REPLAN_INTERPRETED=1 runs the sources instead)"
    )


def uncompiled_warning_once() -> str:
    """What to tell whoever runs uncompiled without having asked for it: once, so empty from then on."""
    global _warning_shown
    if _warning_shown:
        return ""
    _warning_shown = True
    return f"replan is not compiled and runs {SLOWDOWN_TEXT}: {UNCOMPILED_TEXT} (REPLAN_INTERPRETED=1 says that none are wanted)"


def _is_shown_elsewhere() -> bool:
    """Does the command `replan` run, which has notes of its own, or a worker process, whose parent has been told?"""
    words = sys.orig_argv
    command = Path(sys.argv[0]).stem == "replan" or words[1:3] == ["-m", "replan"]
    return command or "--multiprocessing-fork" in words


if INTERPRETED_REQUESTED:
    sys.meta_path.insert(0, SourceFinder())
#: Does the core run as C? Otherwise the same files run interpreted, with the same results, about 150 times slower.
compiled: bool = _finds_extensions()
_warning_shown = compiled or INTERPRETED_REQUESTED
if CHECKOUT_DIR and stale_message():  # of an installed package the sources are not edited
    warnings.warn(stale_message(), RuntimeWarning, stacklevel=3)  # shows the line that imports replan
if not _warning_shown and not _is_shown_elsewhere():
    warnings.warn(uncompiled_warning_once(), RuntimeWarning, stacklevel=3)
