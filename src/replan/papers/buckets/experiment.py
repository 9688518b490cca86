"""Buckets 2006 (Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006): Table 1, and Figures 1 and 2.

The conventions that give its figures: 201 x 201 cells with the walls and without a border, 750 of the blocked cells
freed, start and goal where corridors cross, four neighbours; when the path is seen blocked, everything seen since the
last search is taken in. Larger g first and remaining ties at random, or buckets, last in first out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from replan.experiments import tables
from replan.experiments.claims import Claims, show_versus
from replan.experiments.experiment import Experiment, Scope, paper_table
from replan.experiments.mazes import maze_problems
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import Report
from replan.experiments.runs import Run
from replan.experiments.statistics import ratio
from replan.experiments.tables import US, Column, PaperRow, Trips, by_name, mean_of, total_ratio
from replan.papers.buckets.figures import SIZE, figure_1, figure_2

PAPER_FIGURES = Path(__file__).parent / "data" / "table1.csv"
MAZES = 5000
PLANNERS = (NamedPlanner("D* Lite", {"prefer": "larger g"}), NamedPlanner("D* Lite", {"queue": "buckets"}))
HEAP, BUCKETS = "D* Lite (prefer=larger g)", "D* Lite (queue=buckets)"  # the rows of our table
PAPER_NAMES = {HEAP: "D* Lite (larger g-values)", BUCKETS: "D* Lite (buckets)"}  # and what the paper calls them
LOOKAHEADS = (9, 89, None)  # for real-time planners that a user names
COLUMNS = by_name(
    Column("expansions", "expansions", mean_of("expansions")),
    Column("runtime_us", "search µs", mean_of("search_ns", US), time=True),
    Column("episodes", "episodes", mean_of("episodes")),
    Column("cost", "cost", mean_of("cost")),
    Column("ns_per_expansion", "ns per expansion", total_ratio("search_ns", "expansions"), time=True),
)


def runs(scope: Scope) -> Iterator[Run]:
    wanted = tables.table_rows(scope.planners or PLANNERS, LOOKAHEADS)
    problems = maze_problems(scope.sample, size=201, openings=750, even=True)
    return tables.row_runs(wanted, problems, ties="random")


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    trips = tables.by_row(frame)
    by_paper = {row["planner"]: row for row in paper_table(PAPER_FIGURES)}
    given = {ours: by_paper[theirs] for ours, theirs in PAPER_NAMES.items()}
    into.text(
        f"Means over {frame['problem'].n_unique():,} mazes of 201 x 201 cells with 750 walls removed; the paper has "
        f"{MAZES:,}. Expansions of over- and underconsistent cells count, re-insertions with a fresh key do not."
    )
    into.heading("Table 1")
    tables.show_table(into, "planner", trips, COLUMNS)
    known = [name for name in trips if name in given]
    if known:
        into.compare([c for n in known for c in tables.compare_counts(n, trips[n], given[n], COLUMNS, MAZES)])
    if given.keys() <= trips.keys():
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


def _times(trips: Trips, given: Mapping[str, PaperRow], into: Report) -> None:
    heap, buckets = trips[HEAP], trips[BUCKETS]
    fast, slow = tables.paired(buckets, heap, "search_ns")
    ours = ratio(fast, slow)
    papers = float(given[BUCKETS]["runtime_us"]) / float(given[HEAP]["runtime_us"])
    into.text(
        f"Search time, buckets to heap: {ours.value:.2f} ± {ours.error:.2f} here, {papers:.2f} in the paper "
        "(on a 2 GHz Pentium IV)."
    )
    claims = Claims()
    claims.less("search µs: buckets < heap", fast, slow)
    claims.less("expansions: heap < buckets", *tables.paired(heap, buckets, "expansions"))
    claims.show(into)


EXPERIMENT = Experiment(
    "buckets", "Buckets 2006: D* Lite with buckets", usual=100, full=MAZES, runs=runs, report=report, counted="mazes"
)
