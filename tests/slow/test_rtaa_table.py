"""Table 1 of paper 000 on mazes of our own: RTAA* and LSS-LRTA* (LRTA* there), seven lookaheads.

The conventions are those of ../shared/reference/README.md: 151 x 151 cells with the walls, four neighbours, any free
cell as start and goal, larger g first and remaining ties at random, the four cells around the agent seen before the
first search, a new search when the frontier is reached or the path is seen blocked.

    pytest -m slow -s tests/slow/test_rtaa_table.py          REPLAN_MAZES=2500 for as many as the paper has
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
import pytest

import replan
from slow.reproduce import PAPERS, Compared, mean, on_all_cores, ratio, refuse_far, table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PAPERS / "rtaa_table1.csv").exists(), reason=f"no rtaa_table1.csv in {PAPERS}"),
]

MAZES = int(os.environ.get("REPLAN_MAZES", "500"))
PAPER_MAZES = 2500
LOOKAHEADS = [1, 9, 17, 33, 65, 89, None]
CALLED = {"RTAA*": "RTAA*", "LSS-LRTA*": "LRTA*"}


@cache
def problems() -> list[tuple[int, Any, Any, Any]]:
    made = []
    for i in range(MAZES):
        grid = replan.Grid(replan.maze(151, 151, seed=i), neighbors=4)
        free = np.argwhere(~grid.blocked)
        start, goal = np.random.default_rng(i).choice(len(free), 2, replace=False)
        made.append((i, grid, tuple(free[start].tolist()), tuple(free[goal].tolist())))
    return made


@pytest.mark.parametrize("lookahead", LOOKAHEADS)
@pytest.mark.parametrize("planner", list(CALLED))
def test_table_1_of_paper_000(planner: str, lookahead: int | None) -> None:
    def trip(problem: tuple[int, Any, Any, Any]) -> replan.Trip:
        i, grid, start, goal = problem
        made = replan.planner(planner, lookahead=lookahead, ties="random", seed=i)
        return replan.simulate(replan.World(grid), made, start, goal)

    trips = on_all_cores(trip, problems())
    assert all(t.reached for t in trips)
    wanted = (CALLED[planner], "inf" if lookahead is None else str(lookahead))
    (row,) = [r for r in table("rtaa_table1.csv") if (r["planner"], r["lookahead"]) == wanted]

    found = []
    for column in ("expansions", "episodes", "cost"):
        ours, error, spread = mean([getattr(t, column) for t in trips])
        given = float(row.get(f"{column}_sem") or spread / PAPER_MAZES**0.5)
        found.append(Compared(f"{planner} {lookahead} {column}", ours, error, float(row[column]), given))
    ours, error, spread = ratio([t.h_increase for t in trips], [t.expansions for t in trips])
    given = np.hypot(spread / PAPER_MAZES**0.5, 0.01 / 12**0.5)  # printed with two digits
    column = "h_increase_per_update"
    found.append(Compared(f"{planner} {lookahead} {column}", ours, error, float(row[column]), float(given)))
    refuse_far(found)
