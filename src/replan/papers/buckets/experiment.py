"""Paper 003 (Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006): Table 1, and Figures 1 and 2 drawn.

The conventions that give its figures: 201 x 201 cells with the walls and without a border, 750 of the blocked cells
freed, start and goal where corridors cross, four neighbours; when the path is seen blocked, everything seen since the
last search is taken in. Larger g first and remaining ties at random, or buckets, last in first out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from replan.experiments.claims import Claims, show_versus
from replan.experiments.experiment import Experiment, Scope, paper_table
from replan.experiments.mazes import maze_problems
from replan.experiments.planner_names import Entry
from replan.experiments.report import Cell, Report
from replan.experiments.runs import Run
from replan.experiments.statistics import ratio
from replan.experiments.tables import US, Column, by_row, paired, row_runs, rows, show
from replan.papers.buckets.figures import SIZE, figure_1, figure_2

PAPER_FIGURES = Path(__file__).parent / "data" / "table1.csv"
MAZES = 5000
HEAP = Entry("D* Lite", {"prefer": "larger g"})
BUCKETS = Entry("D* Lite", {"queue": "buckets"})
ROWS = {  # our names for the paper's rows
    "D* Lite (prefer=larger g)": "D* Lite (larger g-values)",
    "D* Lite (queue=buckets)": "D* Lite (buckets)",
}
LOOKAHEADS = (9, 89, None)  # for real-time planners that a user names
COLUMNS = (
    Column("expansions", "expansions", "expansions"),
    Column("search µs", "runtime_us", "search_ns", scale=US, time=True),
    Column("episodes", "", "episodes"),
    Column("cost", "", "cost"),
    Column("ns per expansion", "", "search_ns", "expansions", time=True),
)
Z95 = 1.96  # the paper's "±" is a 95 % interval


def runs(scope: Scope) -> Iterator[Run]:
    wanted = rows(scope.planners or (HEAP, BUCKETS), LOOKAHEADS)
    problems = maze_problems(scope.sample, size=201, openings=750, even=True)
    return row_runs(wanted, problems, ties="random")


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    trips = by_row(frame)
    given = {row["planner"]: row for row in paper_table(PAPER_FIGURES)}
    into.text(
        f"Means over {frame['problem'].n_unique():,} mazes of 201 x 201 cells with 750 walls removed; the paper has "
        f"{MAZES:,}. Expansions of over- and underconsistent cells count, re-insertions with a fresh key do not."
    )
    into.heading("Table 1")
    show(into, "planner", trips, COLUMNS)
    compared = []
    for name in trips:
        if name in ROWS:
            row = given[ROWS[name]]
            error = float(row["expansions_ci95"]) / Z95
            compared.append(Cell(name, "expansions", float(row["expansions"]), error, COLUMNS[0].of(trips[name])))
    if compared:
        into.compare(compared)
    if ROWS.keys() <= trips.keys():
        _times(trips, given, into)
    if scope.planners:
        show_versus(trips, into)
    else:
        _figures(into)


def _figures(into: Report) -> None:
    into.heading("Figure 1: planning with the freespace assumption")
    into.text(
        f"On a small world of our own ({SIZE} x {SIZE} cells; the paper gives no data). First the terrain, then what "
        "the agent knows at each of its first searches: the thin line is the presumed path, its thick beginning what "
        "is walked before it is seen blocked."
    )
    into.plot("figure-1", figure_1(), "Planning with the freespace assumption; the goal is the upper right corner")
    into.heading("Figure 2: what D* Lite expands")
    figure, counts = figure_2()
    into.text(
        "Two searches in a row. An uninformed incremental search would expand the cells whose goal distance has "
        "changed, Backward A* those that its heuristic does not rule out, and D* Lite about those in both."
    )
    into.plot("figure-2", figure, "Goal distances before and after, cells expanded by Backward A* and by D* Lite")
    into.table(["cells", "how many"], list(counts.items()))


def _times(trips: dict[str, pl.DataFrame], given: dict[str, dict[str, str]], into: Report) -> None:
    heap, buckets = (trips[name] for name in ROWS)
    times = [float(given[ROWS[name]]["runtime_us"]) for name in ROWS]
    fast, slow = paired(buckets, heap, "search_ns")
    ours = ratio(fast, slow)
    into.text(
        f"Search time, buckets to heap: {ours.value:.2f} ± {ours.error:.2f} here, {times[1] / times[0]:.2f} in the "
        "paper (on a 2 GHz Pentium IV)."
    )
    claims = Claims()
    claims.less("search µs: buckets < heap", fast, slow)
    claims.less("expansions: heap < buckets", *paired(heap, buckets, "expansions"))
    claims.show(into)


EXPERIMENT = Experiment(
    "buckets", "D* Lite with buckets (paper 003)", 100, MAZES, runs, report, counted="mazes"
)
