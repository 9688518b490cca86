"""`replan demo`."""

from __future__ import annotations

import pytest

import replan
from replan.experiments.planner_names import all_planners


def test_demo(replan_command):
    result = replan_command("demo", COLUMNS="120")
    assert result.exit_code == 0
    maze, cave = result.stdout.split("The built-in cave")
    for spec in replan.planners():
        assert spec.name in maze
        assert spec.name in cave
    assert "Repeated BFS is left out: needs steps of equal cost" in cave
    assert "left out" not in maze
    assert "expan" in maze and "episodes" in maze and "optimal" in maze
    for part in (maze, cave):
        assert "What Repeated Forward A* believed" in part
        drawing = "".join(line for line in part.splitlines() if line.startswith("│"))
        assert all(sign in drawing for sign in "SGo#. ")


@pytest.mark.parametrize("width", [80, 60, 50, 41])
def test_demo_in_a_narrow_terminal(replan_command, width):
    lines = replan_command("demo", COLUMNS=str(width)).stdout.splitlines()
    assert max(map(len, lines)) <= width
    for choice in all_planners():  # a row each, none of them wrapped
        assert any(line.startswith(f"{choice.label} ") for line in lines), choice.label
    assert any("cost" in line and "planner" in line for line in lines)
    assert "no room for episodes" in " ".join(lines) or width == 80


def test_demo_in_ascii(replan_command, monkeypatch):
    monkeypatch.setattr("rich.console.Console.encoding", "ascii")
    result = replan_command("demo")
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert "us per" in result.stdout


def test_demo_in_color(replan_command):
    result = replan_command("demo", FORCE_COLOR="1", COLORTERM="truecolor", TERM="xterm-256color")
    assert result.exit_code == 0
    assert "\x1b[38;2;" in result.stdout
