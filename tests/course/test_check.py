"""The checker on right programs and on every kind of wrong one."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from course.programs import RIGHT, RIGHT_ONES, WRONG_ONES
from replan.cli import main
from replan.course.assignment import course_worlds, example_world
from replan.course.checker import check_program
from replan.course.report import describe_verdict
from replan.course.rules import Mistake, shortest_length


@pytest.fixture
def write(tmp_path):
    def write(text: str, name: str = "student.py"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.mark.parametrize("name", RIGHT_ONES)
def test_right_programs_are_told_so(write, name):
    for verdict in check_program(write(RIGHT_ONES[name])):
        assert verdict.is_correct, describe_verdict(verdict)
        assert verdict.search_count > 100 and "right" in describe_verdict(verdict)


@pytest.mark.parametrize("name", WRONG_ONES)
def test_wrong_ones_are_told_what_is_wrong(write, name):
    text, task, kind, words = WRONG_ONES[name]
    verdict = next(v for v in check_program(write(text), timeout=1.0) if v.task == task)
    assert verdict.failure is not None
    assert verdict.failure.mistake.kind == kind, verdict.failure.mistake.text
    assert words in describe_verdict(verdict)
    assert "Traceback" not in describe_verdict(verdict)


def test_the_world_that_is_shown_is_small_and_drawn_step_by_step(write):
    text, *_ = WRONG_ONES["ties the other way"]
    verdict = check_program(write(text))[0]
    rows, cols = verdict.failure.world.shape
    assert rows * cols <= 8
    said = describe_verdict(verdict)
    assert "in truth" in said and "A" in said and "G" in said and "  1. (" in said and "<- here" in said


def test_worlds_have_ways_and_no_ways_and_are_the_same_each_time():
    listed = list(course_worlds())
    assert listed == list(course_worlds()) and listed[0] == example_world()
    reachable = [shortest_length(course.truth, course.start, course.goal) is not None for course in listed]
    assert 20 < reachable.count(False) < 100


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "none of forward"),
        ("def forward(:\n", "SyntaxError (line 1)"),
        ("import nowhere\n", "ModuleNotFoundError"),
        (RIGHT + "TIES = 'none'\n", "TIES is"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("import os; os._exit(7)\n", "exit code 7"),
    ],
)
def test_programs_that_cannot_even_begin_get_a_sentence(write, text, words):
    with pytest.raises(Mistake) as caught:
        check_program(write(text))
    assert words in caught.value.text


def test_on_the_command_line(write, tmp_path):
    good, bad = write(RIGHT, "anna.py"), write(WRONG_ONES["ties the other way"][0], "ben.py")
    write("broken(", "carl.py")
    runner = CliRunner()
    done = runner.invoke(main, ["course", "check", str(good), "--worlds", "20"])
    assert done.exit_code == 0 and done.output.count("right, in") == 3
    done = runner.invoke(main, ["course", "check", str(bad), "--worlds", "20"])
    assert done.exit_code == 1 and "larger g goes first" in done.output
    marks = tmp_path / "marks.csv"
    done = runner.invoke(main, ["course", "mark", str(tmp_path), "--worlds", "10", "--csv", str(marks)])
    assert done.exit_code == 0, done.output
    lines = marks.read_text().splitlines()
    assert len(lines) == 4 and lines[1].startswith("anna.py,right,right,right,3,") and "SyntaxError" in lines[3]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["check", "nobody.py"], "nobody.py: there is no such file or folder"),
        (["check", "notes.txt"], "notes.txt: this is no Python file"),
        (["check", "."], "this is a folder: use `replan course mark`"),
        (["mark", "nowhere"], "nowhere: there is no such file or folder"),
        (["mark", "notes.txt"], "notes.txt: this is a file: use `replan course check`"),
        (["mark", "."], "there is no .py file in this folder"),
    ],
)
def test_what_is_not_there_is_named(tmp_path, monkeypatch, given, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").touch()
    done = CliRunner().invoke(main, ["course", *given])
    assert done.exit_code == 2 and words in done.output


def test_the_starter_code_is_told_to_begin(write):
    from pathlib import Path

    starter = Path(__file__).parents[2] / "docs" / "course" / "starter.py"
    verdict = check_program(write(starter.read_text(encoding="utf-8")))[0]
    assert "write A* here" in describe_verdict(verdict)
