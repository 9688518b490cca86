"""What people extend from outside the package: the examples run as they stand."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ["own_sensor", "own_space", "own_queue", "own_target"])
def test_examples_run(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert lines and all("reached the goal" in line for line in lines)


def test_a_planner_for_nav2(capsys):
    runpy.run_path(str(EXAMPLES / "nav2_planner.py"), run_name="__main__")
    assert capsys.readouterr().out.startswith("arrived after")


def test_the_own_queue_gives_the_trips_of_the_heap(capsys):
    runpy.run_path(str(EXAMPLES / "own_queue.py"), run_name="__main__")
    heap, own = capsys.readouterr().out.splitlines()
    assert own.endswith(heap)
