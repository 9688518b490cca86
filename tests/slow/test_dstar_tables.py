"""Table 1 of paper 003 (D* Lite with a heap and with buckets), and the last rows of Table 1 of paper 000.

The conventions are those of ../shared/reference/README.md. Paper 003: 201 x 201 cells, 750 of the blocked ones freed,
start and goal where corridors cross (even coordinates). Paper 000: 151 x 151 cells, any free cell as start and goal. In
both: four neighbours, the agent sees the cells around it, and searches again when its path is seen blocked; larger g
first, remaining ties at random (buckets: last in first out).

    pytest -m slow -s tests/slow/test_dstar_tables.py        REPLAN_MAZES=2500 for as many as paper 000 has

Fewer mazes for the two forms of A*, which take up to a hundred times as long: 300, or REPLAN_A_STAR_MAZES.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
import pytest

import replan
from slow.reproduce import PAPERS, Compared, mean, on_all_cores, refuse_far, table

NEEDED = [PAPERS / name for name in ("buckets_table1.csv", "rtaa_table1.csv")]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(f.exists() for f in NEEDED), reason=f"the tables of the papers are not in {PAPERS}"),
]

MAZES = int(os.environ.get("REPLAN_MAZES", "500"))
A_STAR_MAZES = int(os.environ.get("REPLAN_A_STAR_MAZES", "300"))
PAPER_MAZES = 2500  # of paper 000


@cache
def problems(size: int, openings: int, even: bool) -> list[tuple[int, Any, Any, Any]]:
    made = []
    for i in range(MAZES):
        grid = replan.Grid(replan.maze(size, size, openings=openings, seed=i), neighbors=4)
        free = np.argwhere(~grid.blocked)
        if even:
            free = free[(free % 2 == 0).all(axis=1)]
        start, goal = np.random.default_rng(i).choice(len(free), 2, replace=False)
        made.append((i, grid, tuple(free[start].tolist()), tuple(free[goal].tolist())))
    return made


def trips(name: str, cases: list[tuple[int, Any, Any, Any]], **options: Any) -> list[replan.Trip]:
    def trip(problem: tuple[int, Any, Any, Any]) -> replan.Trip:
        i, grid, start, goal = problem
        ties = {} if options.get("queue") == "buckets" else {"ties": "random", "seed": i}
        return replan.simulate(replan.World(grid), replan.planner(name, **options, **ties), start, goal)

    found = on_all_cores(trip, cases)
    assert all(t.reached for t in found)
    return found


@pytest.mark.parametrize(
    ("row", "options"),
    [("D* Lite (larger g-values)", {"prefer": "larger g"}), ("D* Lite (buckets)", {"queue": "buckets"})],
)
def test_table_1_of_paper_003(row: str, options: dict[str, str]) -> None:
    """Its "+-" is a 95 % interval."""
    (given,) = [r for r in table("buckets_table1.csv") if r["planner"] == row]
    made = trips("D* Lite", problems(201, 750, True), **options)
    ours, error, _ = mean([t.expansions for t in made])
    paper, half = float(given["expansions"]), float(given["expansions_ci95"])
    refuse_far([Compared(f"{row}, {len(made)} mazes: expansions", ours, error, paper, half / 1.96)])


@pytest.mark.parametrize("name", ["D* Lite", "Repeated Forward A*", "Repeated Backward A*"])
def test_last_rows_of_table_1_of_paper_000(name: str) -> None:
    (given,) = [r for r in table("rtaa_table1.csv") if r["planner"] == name]
    cases = problems(151, 0, False)
    made = trips(name, cases if name == "D* Lite" else cases[:A_STAR_MAZES])
    found = []
    for column in ("expansions", "episodes", "cost"):
        ours, error, spread = mean([getattr(t, column) for t in made])
        paper_error = float(given.get(f"{column}_sem") or spread / PAPER_MAZES**0.5)
        what = f"{name}, {len(made)} mazes: {column}"
        found.append(Compared(what, ours, error, float(given[column]), paper_error))
    refuse_far(found)
