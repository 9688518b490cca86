"""The choice of the core: the compiled extensions, or the same modules interpreted.

This module is imported before all modules of the core. REPLAN_INTERPRETED=1 selects the .py files, even if there are
extensions beside them.
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
_IS_CHECKOUT = PACKAGE_DIR.parent.name == "src" and (PACKAGE_DIR.parents[1] / "setup.py").exists()
CHECKOUT_DIR = PACKAGE_DIR.parents[1] if _IS_CHECKOUT else None
INTERPRETED_REQUESTED = os.environ.get("REPLAN_INTERPRETED") == "1"

SLOWDOWN_TEXT = "about 150 times slower, with the same results"
REINSTALL_TEXT = f"`pip install -e {CHECKOUT_DIR}`" if CHECKOUT_DIR else "installing replan again"
UNCOMPILED_TEXT = f"there are no extensions for this Python; with a C compiler, {REINSTALL_TEXT} makes them"


class SourceFinder(MetaPathFinder):
    """Finder of the modules of this package that ignores extensions."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module's .py file; None for modules of other packages."""
        if not name.startswith("replan."):
            return None
        specs = (FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name) for folder in path or ())
        return next((spec for spec in specs if spec is not None and spec.loader is not None), None)


def _finds_extensions() -> bool:
    """True if the core is compiled: all its modules are, or none."""
    spec = find_spec("replan.clock")
    return spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))


def description() -> str:
    """Return a text that says which core runs, and why."""
    if compiled:
        return f"compiled core; but {stale_message()}" if stale_message() else "compiled core"
    reason = "REPLAN_INTERPRETED=1 is set" if INTERPRETED_REQUESTED else UNCOMPILED_TEXT
    return f"interpreted core, {SLOWDOWN_TEXT}: {reason}"


@cache
def stale_message() -> str:
    """Return a message if the extensions were built from other sources than the present ones; otherwise ""."""
    names = _build.stale_files(PACKAGE_DIR) if compiled else []
    if not names:
        return ""
    listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"the extensions in {PACKAGE_DIR} were not built from the present {listed}; "
        f"{REINSTALL_TEXT} builds them again (REPLAN_INTERPRETED=1 runs the sources instead)"
    )


def uncompiled_warning_once() -> str:
    """Return the warning about an interpreted core that the user did not request; "" from the second call on."""
    global _warning_shown
    if _warning_shown:
        return ""
    _warning_shown = True
    hint = "REPLAN_INTERPRETED=1 says that none are wanted"
    return f"replan is not compiled and runs {SLOWDOWN_TEXT}: {UNCOMPILED_TEXT} ({hint})"


def _is_shown_elsewhere() -> bool:
    """True in the command `replan`, which prints its own notes, and in a worker process, whose parent has warned."""
    arguments = sys.orig_argv
    is_command = Path(sys.argv[0]).stem == "replan" or arguments[1:3] == ["-m", "replan"]
    return is_command or "--multiprocessing-fork" in arguments


if INTERPRETED_REQUESTED:
    sys.meta_path.insert(0, SourceFinder())
#: True if the core is compiled. Otherwise it runs interpreted, with the same results, about 150 times slower.
compiled: bool = _finds_extensions()
_warning_shown = compiled or INTERPRETED_REQUESTED
if CHECKOUT_DIR and stale_message():  # the sources of an installed package are not edited
    warnings.warn(stale_message(), RuntimeWarning, stacklevel=3)  # shows the line that imports replan
if not _warning_shown and not _is_shown_elsewhere():
    warnings.warn(uncompiled_warning_once(), RuntimeWarning, stacklevel=3)
