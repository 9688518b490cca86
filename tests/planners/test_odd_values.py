"""Estimates that are not consistent, and costs that do not fit: a path or a sentence, never a search without end."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from edits import limited


def too_much(a: tuple[int, int], b: tuple[int, int]) -> float:
    down, right = abs(a[0] - b[0]), abs(a[1] - b[1])
    return 1.2 * (max(down, right) + (2**0.5 - 1) * min(down, right))


def ask(name: str, grid: replan.Grid, start: tuple[int, int], goal: tuple[int, int], **options: object) -> None:
    if name == "LPA*":
        replan.LPAStar(grid, start, goal, heuristic=too_much, **options).path()
    else:
        replan.Agent(replan.planner(name, heuristic=too_much, **options), grid, start, goal).plan()


@pytest.mark.parametrize("name", ["D* Lite", "AD*", "LPA*", "Truncated D* Lite", "D* Extra Lite"])
def test_an_estimate_that_is_not_consistent_comes_to_an_end(name):
    rng = np.random.default_rng(1)
    maps = [np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1]], bool), *(rng.random((6, 6)) < 0.3 for _ in range(30))]
    for blocked in maps:
        goal = (2, 1) if len(blocked) == 3 else (5, 5)
        blocked[1, 0] = blocked[goal] = False
        with limited():
            try:
                ask(name, replan.Grid(blocked), (1, 0), goal)
            except ValueError as said:
                assert "not consistent" in str(said)
        with pytest.raises(replan.InputError, match="not consistent"):
            ask(name, replan.Grid(blocked), (1, 0), goal, check_heuristic=True)


@pytest.mark.parametrize("name", ["AD*", "ARA*"])
def test_costs_times_a_weight_that_do_not_fit_are_refused_or_kept_apart(name):
    line = replan.Graph([(i, i + 1, 2**40) for i in range(1850)])
    try:
        path = replan.Agent(replan.planner(name, weight=100), line, 0, 1850).plan()
    except replan.InputError as said:
        assert "smaller costs" in str(said)
    else:
        assert path == list(range(1, 1851))
