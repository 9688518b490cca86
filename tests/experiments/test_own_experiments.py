"""Experiments from outside the package: the example, what is refused, and what is run again after a change."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from replan.cli import main
from replan.errors import InputError
from replan.experiments.runs import MapSource, Measurement, Problem, Run
from replan.maps.generators import maze

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_experiment.py"


@pytest.fixture(autouse=True)
def path_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file adds to the path is taken away again."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def reproduce(*words: object) -> str:
    done = CliRunner().invoke(main, ["reproduce", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words: object) -> str:
    done = CliRunner().invoke(main, ["reproduce", *map(str, words)])
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    return " ".join(done.output.split())


def test_the_example_runs_in_processes_and_is_resumed(tmp_path: Path) -> None:
    """In processes: they have to find its functions by themselves."""
    named = f"{EXAMPLE}:EXPERIMENT"
    assert "2 maps, 12 runs; --full is 500 maps" in reproduce(named, "--sample", 2, "--workers", 1, "--out", tmp_path)
    reproduce(EXAMPLE, "--sample", 3, "--resume", "--engine", "threads", "--out", tmp_path)
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| planner, lookahead | mean cost | median cost | turns | turns per move |" in report
    assert len(re.findall(r"^\| (da)?RTAA\* \d+ \|", report, re.MULTILINE)) == 6
    assert "(turns.svg)" in report and (tmp_path / "turns.png").exists()
    assert f"`replan reproduce {EXAMPLE}:EXPERIMENT --sample 3`" in report and "18 runs" in report
    assert re.search(r"It took \d+ seconds in 2 sessions with \d+( and \d+)? workers?", report)
    assert re.search(r'<a href="#part-\d+">How it was made</a>', (tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "there are 18 results here" in refused(EXAMPLE, "--out", tmp_path)


def test_the_example_takes_planners_that_the_user_names(tmp_path: Path) -> None:
    reproduce(EXAMPLE, "--sample", 1, "--engine", "threads", "--planners", "LSS-LRTA*", "--out", tmp_path)
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| LSS-LRTA* 9 |" in report and "| RTAA* 9 |" not in report


# What is refused, in one line.


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert f"{tmp_path}/nothing.py: there is no such file" in refused(tmp_path / "nothing.py")
    assert "my_experiment.py:EXPERIMENT" in refused("nothing")


def test_a_name_that_is_not_in_the_file(tmp_path: Path) -> None:
    assert "own_experiment.py: there is no Experiment 'OTHER' in this file; it has EXPERIMENT" in refused(
        f"{EXAMPLE}:OTHER"
    )
    assert "there is no Experiment 'runs'" in refused(f"{EXAMPLE}:runs")
    file = tmp_path / "without_any_experiment.py"
    file.write_text("x = 1\n", encoding="utf-8")
    assert "define one, as examples/own_experiment.py does" in refused(file)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("broken_at_once", "\n\n1 / 0\n", r"broken_at_once\.py, line 3: .* ZeroDivisionError: division by zero"),
        ("broken_syntax", "\ndef f(:\n", r"broken_syntax\.py, line 2: .* SyntaxError: "),
        ("broken_import", "import no_such_thing\n", r"broken_import\.py, line 1: .*No module named 'no_such_thing'"),
    ],
)
def test_a_file_that_does_not_import(tmp_path: Path, name: str, text: str, said: str) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    assert re.search(said, refused(file))


def test_a_file_whose_name_is_taken_or_none(tmp_path: Path) -> None:
    for name, said in (("json", "Python has another module named 'json' already"), ("my-own", "no name for a module")):
        (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
        assert said in refused(tmp_path / f"{name}.py")


def test_what_workers_cannot_find_is_refused() -> None:
    def inside(seed: int) -> None: ...

    for make in (inside, lambda: None):
        with pytest.raises(InputError, match="workers cannot find"):
            MapSource(make, (), name="x")
    problem = Problem(MapSource(maze, (9, 9)), (0, 0), (8, 8))
    with pytest.raises(InputError, match=r"what measures RTAA\*"):
        Run("RTAA*", (), problem, measure=lambda run: ({}, {}))


# Results of a way to measure that has changed are not used again.

MEASURE = """
from functools import cache

FACTOR = {factor}

def measure(run):
    return {{"figure": helped()}}, {{}}

@cache
def helped():
    return {helped} * FACTOR

def report():
    return {other}
"""


def test_a_run_is_told_from_one_of_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its key: by all that the measuring function uses of its own file, and by nothing else of it."""
    monkeypatch.syspath_prepend(tmp_path)
    problem = Problem(MapSource(maze, (9, 9)), (0, 0), (8, 8))

    def key(number: int, **parts: int) -> object:
        text = MEASURE.format(**({"factor": 1, "helped": 1, "other": 1} | parts))
        (tmp_path / f"measure_{number}.py").write_text(text, encoding="utf-8")
        measure: Callable[[Run], Measurement] = __import__(f"measure_{number}").measure
        return Run("RTAA*", (), problem, measure=measure).key("")

    assert key(1) == key(2) == key(3, other=2)
    assert len({key(4), key(5, factor=2), key(6, helped=2)}) == 3


def test_the_experiments_are_listed_without_the_extra() -> None:
    missing = "import sys; sys.modules.update(polars=None, scipy=None, matplotlib=None)"
    program = f"{missing}; from replan.cli import main; main()"
    listed = subprocess.run([sys.executable, "-c", program, "reproduce"], capture_output=True, text=True, check=True)
    for name in ("rtaa", "depression", "buckets", "rtd", "user-planners", "example", "course"):
        assert re.search(rf"^{name} ", listed.stdout, re.MULTILINE)
    for name in ("rtaa", str(EXAMPLE)):
        done = subprocess.run([sys.executable, "-c", program, "reproduce", name], capture_output=True, text=True)
        assert done.returncode == 2 and "pip install 'replan[experiments]'" in done.stderr
