"""Buckets 2006 (Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006): Table 1, and Figures 1 and 2.

`claims` has what the paper says, `figures` draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
from matplotlib.figure import Figure

from replan.experiments import tables
from replan.experiments.experiment import Experiment, Scope, read_paper_table
from replan.experiments.mazes import maze_problems
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import Report, format_with_error
from replan.experiments.runs import Run
from replan.experiments.tables import NS_TO_US, Column, columns_by_name, mean_of, total_ratio
from replan.papers.buckets.claims import BUCKETS, CLAIMS, HEAP, PLAIN, Table1Data
from replan.papers.buckets.figures import SIZE, ExpansionCounts, figure_1, figure_2
from replan.papers.common.claims import ClaimResult, evaluate_claims, show_claims, show_evidence, show_row_comparisons

PAPER_TABLE_FILE = Path(__file__).parent / "data" / "table1.csv"
MAZES = 5000
QUEUE_OPTIONS = ({"prefer": "larger g"}, {"queue": "buckets"}, {"prefer": "smaller g"}, {"queue": "plain heap"})
PAPER_NAMES = {HEAP: "D* Lite (larger g-values)", BUCKETS: "D* Lite (buckets)"}  # and what the paper calls them
LOOKAHEADS = (9, 89, None)  # for real-time planners that a user names
COLUMNS = columns_by_name(
    Column("expansions", "expansions", mean_of("expansions")),
    Column("runtime_us", "search µs", mean_of("search_ns", NS_TO_US), is_time=True),
    Column("episodes", "episodes", mean_of("episodes")),
    Column("cost", "cost", mean_of("cost")),
    Column("ns_per_expansion", "ns per expansion", total_ratio("search_ns", "expansions"), is_time=True),
)


def runs(scope: Scope) -> Iterator[Run]:
    default_planners = [NamedPlanner("D* Lite", order) for order in QUEUE_OPTIONS]
    rows = tables.table_rows(scope.planners or default_planners, LOOKAHEADS)
    problems = maze_problems(scope.sample, size=201, openings=750, even=True)
    return tables.row_runs(rows, problems, ties="random")


STATED_CONVENTIONS = (
    "mazes of 201 x 201 cells, cut by depth-first search, of whose walls 750 are removed",
    "start and goal drawn at random, four neighbours, the goal can be reached",
    "the agent follows a presumed path until that is seen to be blocked, and then searches again",
)
FITTED_CONVENTIONS = (
    "201 x 201 counts the walls, and there is none around the maze",
    "the 750 are drawn from all blocked cells, start and goal from the cells where corridors cross",
    "the cells beside the start are known before the first search; when the path is blocked, all that was seen since "
    "the last search is taken in",
    "remaining ties at random with a heap, last in first out with buckets",
    "expansions of over- and underconsistent cells count, re-insertions with a fresh key do not",
)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    trips = tables.trips_by_row(frame)
    by_paper = {row["planner"]: row for row in read_paper_table(PAPER_TABLE_FILE)}
    paper = {ours: by_paper[theirs] for ours, theirs in PAPER_NAMES.items()}
    report.heading("What was run")
    report.text(
        f"{frame['problem'].n_unique():,} mazes; the paper has {MAZES:,}. Its times come from a 2 GHz Pentium IV. "
        f"{tables.timing_note(frame)}"
    )
    report.conventions(STATED_CONVENTIONS, FITTED_CONVENTIONS)
    results: list[ClaimResult] = []
    drawn = None if scope.planners else figure_2()
    table = None if drawn is None else Table1Data(trips, paper, drawn[1])
    if table is not None:
        results = evaluate_claims(CLAIMS, table)
        report.heading("What the paper says")
        show_claims(results, report)
    report.heading("Table 1")
    tables.show_table(report, "planner", trips, COLUMNS)
    in_paper = {name: of_row for name, of_row in trips.items() if name in paper}
    if in_paper:
        report.heading("Table 1 beside the paper's: counts")
        report.compare_with_paper(
            [c for n in in_paper for c in tables.compare_counts(n, trips[n], paper[n], COLUMNS, MAZES)]
        )
        report.heading("Table 1 beside the paper's: times")
        tables.show_times(report, in_paper, paper, COLUMNS)
    if drawn is None or table is None:
        show_row_comparisons(trips, report)
        return
    _ratios(table, report)
    _figures(*drawn, report)
    report.heading("Evidence")
    show_evidence(results, report)


def _ratios(table: Table1Data, report: Report) -> None:
    """Compare buckets with both heaps, which shows how much our heap reduces the gain of buckets."""
    ratios = {name: table.time_ratio(BUCKETS, name) for name in (HEAP, PLAIN)}
    shown = [format_with_error(ratio) for ratio in ratios.values() if ratio is not None]
    if len(shown) == len(ratios):
        report.text(
            f"Buckets to heap, in time: {shown[0]} here, {table.paper_time_ratio:.2f} in the paper. Our heap often "
            "returns the next state without inserting it. Buckets to a plain heap, which inserts every state before "
            f"one is removed: {shown[1]}. Both heaps compare keys that are packed into one word."
        )


def _figures(second: Figure, counts: ExpansionCounts, report: Report) -> None:
    report.heading("Figure 1: planning with the freespace assumption")
    report.text(
        f"On a small world of our own ({SIZE} x {SIZE} cells; the paper gives no data). First the terrain, then what "
        "the agent knows at each of its first searches: the thin line is the presumed path, its thick beginning what "
        "is walked before it is seen blocked."
    )
    report.plot("figure-1", figure_1(), "Planning with the freespace assumption; the goal is the upper right corner")
    report.heading("Figure 2: what D* Lite expands")
    report.text(
        "Two searches in a row. An uninformed incremental search would expand the cells whose goal distance has "
        "changed, Backward A* those that its heuristic does not rule out, and D* Lite about those in both. Blocked "
        f"cells are left out, in the pictures and in the counts: D* Lite also expands {counts.blocked} of them, whose "
        "goal distance has become infinite."
    )
    report.plot("figure-2", second, "Goal distances before and after, cells expanded by Backward A* and by D* Lite")
    rows = [
        ["goal distance changed", counts.changed],
        ["expanded by Backward A*", counts.backward],
        ["in both", counts.in_both],
        ["expanded by D* Lite", counts.d_star_lite],
        ["of these not in both", counts.outside_both],
    ]
    report.table(["free cells", "how many"], rows)
    if counts.outside_both:
        report.text(
            f'So "about" is to be taken seriously: the {counts.outside_both} that are not in both have changed, but '
            "Backward A* does not come by there. D* Lite takes back what it knew of them because that rested on cells "
            "that are blocked now, and such cells have small keys, whatever the heuristic says of their new distances."
        )


EXPERIMENT = Experiment(
    "buckets",
    "Buckets 2006: D* Lite with buckets",
    default_sample=100,
    full_sample=MAZES,
    runs=runs,
    report=report,
    problem_noun="mazes",
    timed_problems=300,
)
