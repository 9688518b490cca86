"""What the build leaves behind, what a source distribution holds, and which files make the version of the code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from checkouts import run, what_runs
from replan import _build, _core

ROOT = Path(__file__).parents[1]
ASIDE = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
INNER = ["limits.py", "arrays.py", "core.pxd", "search/astar.py", "search/astar.pxd", "maps/generators.py", "newer.py"]
OUTER = ["cli/run.py", "experiments/report.py", "README.md", _build.RECORD_NAME]


def build(tree: Path, hook: str, **environment: str) -> Path:
    """Call a hook of the build, as pip does; the file that it makes."""
    program = f"from setuptools import build_meta; build_meta.{hook}({str(tree / 'made')!r})"
    environment = {**os.environ, "REPLAN_PURE": "1", **environment}
    done = subprocess.run([sys.executable, "-c", program], cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = (tree / "made").iterdir()
    return made


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the whole checkout, with the extensions that are in it."""
    shutil.copytree(ROOT, tmp_path / "tree", ignore=ASIDE)
    return tmp_path / "tree"


@pytest.mark.parametrize("name", [*INNER, *OUTER])
def test_the_version_of_the_code_covers_all_that_trips_depend_on(tmp_path: Path, name: str) -> None:
    for other in [*INNER, *OUTER]:
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("STRAIGHT = 408\n", encoding="utf-8")
    before = _build.code_digest(tmp_path)
    assert _build.code_digest(tmp_path) == before
    (tmp_path / name).write_text("STRAIGHT = 407\n", encoding="utf-8")
    assert (_build.code_digest(tmp_path) != before) == (name in INNER)
    (tmp_path / name).unlink()
    assert (_build.code_digest(tmp_path) != before) == (name in INNER)


#: Without what the package itself takes from outer rooms, only because people find it there.
TRIP = """
import sys, types
for room, name in (("advise", "advise"), ("compare", "compare")):
    aside = sys.modules["replan.experiments." + room] = types.ModuleType(room)
    setattr(aside, name, None)
import replan
for spec in replan.planners():
    replan.simulate(replan.World(replan.Grid([[0, 0, 0]], neighbors=4)), spec.slug, (0, 0), (0, 2))
print(*(name for name, module in sys.modules.items() if name.startswith("replan.") and hasattr(module, "__file__")))
"""


def test_every_module_that_a_trip_imports_is_covered() -> None:
    loaded = run(_core.PACKAGE_DIR, "-c", TRIP, REPLAN_INTERPRETED="1").stdout.split()
    covered = {
        name.removesuffix(".py").removesuffix("/__init__")
        for name in _build.source_files(_build.package_files(_core.PACKAGE_DIR))
    }
    assert len(loaded) > 40
    assert {name.removeprefix("replan.").replace(".", "/") for name in loaded} <= covered


def test_an_uncompiled_install_over_a_compiled_one_is_uncompiled(tree: Path) -> None:
    home = tree / "src" / "replan"
    (home / "search" / f"astar{_build.EXTENSION_SUFFIX}").touch()
    (home / "search" / f"gone{_build.EXTENSION_SUFFIX}").touch()
    (home / "search" / "gone.cpython-27-other.so").touch()
    (home / _build.RECORD_NAME).touch()
    build(tree, "build_editable")
    assert [file.name for file in home.rglob("*.so")] == ["gone.cpython-27-other.so"]  # of another Python
    assert not (home / _build.RECORD_NAME).exists()
    compiled, said = what_runs(home)
    assert not compiled and "replan is not compiled" in said


def test_the_source_distribution_is_complete_and_makes_a_wheel_that_works(tree: Path, tmp_path: Path) -> None:
    made = build(tree, "build_sdist")
    with tarfile.open(made) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "unpacked", filter="data")
    rooms = ("benchmarks", "docs", "examples", "src/replan", "tests")
    files = [file for room in rooms for file in (tree / room).rglob("*") if file.is_file()] + [*tree.glob("*.md")]
    names = {file.relative_to(tree).as_posix() for file in files}
    unwanted = {name for name in names if name.endswith((_build.EXTENSION_SUFFIX, _build.RECORD_NAME, ".sqlite"))}
    assert names - unwanted - held == set()
    assert unwanted & held == set()

    (unpacked,) = (tmp_path / "unpacked").iterdir()
    with zipfile.ZipFile(build(unpacked, "build_wheel")) as wheel:
        wheel.extractall(tmp_path / "installed")
    home = tmp_path / "installed" / "replan"
    sources = [name.removeprefix("src/replan/") for name in names - unwanted if name.startswith("src/replan/")]
    assert [name for name in sources if not (home / name).is_file()] == []
    done = run(home, "-m", "replan", "run", "figure-3", REPLAN_INTERPRETED="1")
    assert done.returncode == 0 and "G goal" in done.stdout, done.stderr
