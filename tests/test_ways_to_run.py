"""Compiled or interpreted, asked for or not, with extensions of other sources: what runs, and who is told what."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import replan
from checkouts import checkout, run, what_runs
from replan import _build, _core
from replan.search import astar

MAIN = "from replan.cli import main; main()"
WORKERS = """
import multiprocessing, replan
def work(n):
    return n, replan.compiled
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, range(2)))
"""


def edit(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")


@pytest.fixture(scope="module")
def uncompiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkout(tmp_path_factory.mktemp("uncompiled"), compiled=False)


@pytest.fixture
def built(tmp_path: Path, compiled: bool) -> Path:
    return checkout(tmp_path, compiled=True)


def test_compiled_as_built_there_is_nothing_to_say(built: Path) -> None:
    (built / "search" / "astar.py").touch()
    assert what_runs(built) == (True, "")


def test_the_sources_run_when_asked_for(built: Path, uncompiled: Path) -> None:
    assert what_runs(built, REPLAN_INTERPRETED="1") == (False, "")
    assert what_runs(uncompiled, REPLAN_INTERPRETED="1") == (False, "")
    edit(built / "search" / "astar.py")
    assert what_runs(built, REPLAN_INTERPRETED="1") == (False, "")
    assert what_runs(built, REPLAN_INTERPRETED="0")[0]


def test_every_module_is_taken_from_its_source_then(built: Path) -> None:
    program = "import sys, replan.cli.run; print(*{m.__file__ for n, m in sys.modules.items() if n[:7] == 'replan.'})"
    files = run(built, "-c", program, REPLAN_INTERPRETED="1").stdout.split()
    assert len(files) > 40
    assert {Path(file).suffix for file in files} == {".py"}


def test_the_command_line_too(built: Path) -> None:
    done = run(built, "-m", "replan", "--version", REPLAN_INTERPRETED="1")
    assert "interpreted core" in done.stdout and "REPLAN_INTERPRETED=1 is set" in done.stdout
    assert "compiled core" in run(built, "-m", "replan", "--version").stdout
    done = run(built, "-m", "replan", "run", "figure-3", REPLAN_INTERPRETED="1")
    assert (done.returncode, done.stderr) == (0, "")


def test_running_uncompiled_is_told_once_and_the_way_out(uncompiled: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import replan\nimport replan.cli\nprint(replan.compiled)\n", encoding="utf-8")
    done = run(uncompiled, str(script))
    assert done.stdout == "False\n"
    assert done.stderr.count("RuntimeWarning") == done.stderr.count("slower") == 1
    assert done.stderr.startswith(f"{script}:1: RuntimeWarning: replan is not compiled")  # where it is imported
    assert f"pip install -e {uncompiled.parents[1]}" in done.stderr
    assert "REPLAN_INTERPRETED=1" in done.stderr


@pytest.mark.parametrize("words", [["-m", "replan"], ["-c", MAIN]])
def test_running_uncompiled_is_told_once_on_the_command_line(uncompiled: Path, words: list[str]) -> None:
    done = run(uncompiled, *words, "run", "figure-3")
    assert done.returncode == 0
    assert done.stderr.count("slower") == 1
    assert ("Note: " in done.stderr) == (words == ["-m", "replan"])


def test_the_console_script_says_it_in_a_note(uncompiled: Path, tmp_path: Path) -> None:
    script = tmp_path / "replan"  # as pip writes it
    script.write_text(f"import sys\n{MAIN}\n", encoding="utf-8")
    assert run(uncompiled, str(script), "run", "figure-3").stderr.startswith("Note: replan is not compiled")
    assert run(uncompiled, str(script), "planners").stderr == ""


def test_worker_processes_do_not_say_it_again(uncompiled: Path, tmp_path: Path) -> None:
    script = tmp_path / "workers.py"
    script.write_text(WORKERS, encoding="utf-8")
    done = run(uncompiled, str(script))
    assert done.stdout == "[(0, False), (1, False)]\n"
    assert done.stderr.count("slower") == 1


@pytest.mark.parametrize("compiled_before", [False, True])
def test_a_breakpoint_in_the_loop_of_astar(tmp_path: Path, compiled_before: bool) -> None:
    """As README says."""
    home = checkout(tmp_path, compiled_before)
    file = home / "search" / "astar.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"^( +)while .*:.*$", r"\g<0>\n\1    breakpoint()", text, flags=re.M), encoding="utf-8")
    words = ("run", "figure-3", "--planner", "Repeated Forward A*")
    done = run(home, "-m", "replan", *words, REPLAN_INTERPRETED="1", PYTHONBREAKPOINT="sys.exit")
    assert done.returncode == 0 and "expansions" not in done.stdout
    done = run(home, "-m", "replan", *words, REPLAN_INTERPRETED="1", PYTHONBREAKPOINT="0")
    assert done.returncode == 0 and "expansions" in done.stdout


@pytest.mark.parametrize("name", ["search/astar.py", "spaces/grid.pxd", "core.pxd"])
def test_extensions_of_other_sources_are_told_of(built: Path, name: str) -> None:
    edit(built / name)
    compiled, said = what_runs(built)
    assert compiled
    assert said.count("RuntimeWarning") == 1
    assert f"the extensions in {built} were not built from the present {name};" in said
    assert f"pip install -e {built.parents[1]}" in said
    assert f"compiled core; but the extensions in {built}" in run(built, "-m", "replan", "--version").stdout


def test_what_is_not_compiled_may_be_edited(built: Path) -> None:
    for name in ("limits.py", "simulation/simulate.py", "cli/run.py"):
        edit(built / name)
    assert what_runs(built) == (True, "")


def test_extensions_that_lack_a_module_or_have_one_too_many(built: Path) -> None:
    shutil.copy(built / "search" / "astar.py", built / "search" / "newer.py")
    shutil.copy(built / "search" / "astar.pxd", built / "search" / "newer.pxd")
    assert _build.stale_files(built) == ["search/newer.pxd", "search/newer.py"]
    (built / "search" / f"newer{_build.EXTENSION_SUFFIX}").touch()
    assert _build.stale_files(built) == ["search/newer.pxd", "search/newer.py"]
    _build.write_record(built, _build.core_digests(built))
    assert _build.stale_files(built) == []
    (built / "search" / f"newer{_build.EXTENSION_SUFFIX}").unlink()
    assert _build.stale_files(built) == ["search/newer.py"]
    (built / "search" / "newer.py").unlink()
    (built / "search" / "newer.pxd").unlink()
    assert _build.stale_files(built) == ["search/newer.pxd", "search/newer.py"]


def test_extensions_of_unknown_sources_are_told_of(built: Path) -> None:
    (built / _build.RECORD_NAME).unlink()
    assert "were not built from the present " in what_runs(built)[1]


@pytest.mark.parametrize("installed", [False, True])
def test_reproduce_refuses_extensions_of_other_sources(built: Path, installed: bool) -> None:
    pytest.importorskip("polars")
    if installed:  # where nobody edits sources, so that imports do not look
        (built.parents[1] / "setup.py").unlink()
    edit(built / "search" / "astar.py")
    assert ("RuntimeWarning" in what_runs(built)[1]) != installed
    out = built.parents[1] / "out"
    done = run(built, "-m", "replan", "reproduce", "rtaa", "--sample", "1", "--out", str(out))
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Error: the extensions in") and "search/astar.py" in last
    assert not out.exists()


def test_the_tests_refuse_them_too(built: Path) -> None:
    edit(built / "search" / "astar.py")
    done = run(built, "-m", "pytest", "--collect-only", "-q", __file__)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stderr.startswith(f"ERROR: the extensions in {built} were not built from the present search/astar.py;")


def test_this_process_runs_what_it_says() -> None:
    assert replan.compiled == _core.compiled == str(astar.__file__).endswith(_build.EXTENSION_SUFFIX)
    assert _core.uncompiled_warning_once() == ""  # compiled, asked for, or told when the tests began
