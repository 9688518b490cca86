"""Copies of the package that tests may spoil, and programs that run in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from replan import _build, _core

WHAT_RUNS = "import replan, replan.clock; print(replan.compiled, replan.clock.__file__)"


def checkout(folder: Path, compiled: bool) -> Path:
    """A copy of the package as in a checkout: the home of its modules."""
    home = folder / "src" / "replan"
    shutil.copytree(_core.PACKAGE_DIR, home)
    (folder / "setup.py").write_text("# makes this a checkout\n", encoding="utf-8")
    if not compiled:
        _build.remove_extensions(home)
    return home


def run(home: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package in `home` and these variables, but none of replan's that happen to be set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REPLAN_")}
    environment = {**kept, "PYTHONPATH": str(home.parent), **environment}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)


def what_runs(home: Path, **environment: str) -> tuple[bool, str]:
    """Does the core run compiled there, and what is said at the import?"""
    done = run(home, "-c", WHAT_RUNS, **environment)
    assert done.returncode == 0, done.stderr
    compiled, file = done.stdout.split(maxsplit=1)
    assert Path(file.strip()).is_relative_to(home)
    assert (compiled == "True") == file.strip().endswith(_build.EXTENSION_SUFFIX)
    return compiled == "True", done.stderr
