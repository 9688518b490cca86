"""Depression avoidance 2011 (Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011).

Figures 1 and 2, and the comparisons of its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from replan.experiments import tables
from replan.experiments.experiment import AUTHORS_PROGRAM, Experiment, Scope
from replan.experiments.lookahead_choice import least_cost_within, pareto_front
from replan.experiments.map_problems import random_map_problems
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.plots import Line, line_plot
from replan.experiments.report import DIFFERS, PaperComparison, Report, format_number
from replan.experiments.runs import Run
from replan.experiments.statistics import Estimate
from replan.experiments.tables import PaperRow, TripsByRow
from replan.papers.common.claims import evaluate_claims, show_claims, show_evidence, show_row_comparisons
from replan.papers.common.time_fits import SearchWork, mean_work, show_time_fits
from replan.papers.common.whole_columns import show_whole_columns
from replan.papers.depression.authors_program import authors_runs, show_percolations, split_by_conventions
from replan.papers.depression.case_by_case import show_case_by_case
from replan.papers.depression.claims import CLAIMS
from replan.papers.depression.columns import (
    ALSS,
    ARTAA,
    COLUMNS,
    DARTAA,
    LOOKAHEADS,
    LSS,
    RTAA,
    SELECTED_LOOKAHEADS,
    UNBOUNDED,
    paper_rows,
)
from replan.papers.depression.families import FAMILIES, Family, describe, growth, ratio_errors, ratios, world_text
from replan.papers.depression.findings import Figure2Data
from replan.papers.depression.maps import CASES_PER_MAP, PAPER_CASES, PAPER_MAPS, paper_maps, substitute_maps

TABLE_PLANNERS, FIGURE_1_PLANNERS = (RTAA, ARTAA, DARTAA), (RTAA, DARTAA, LSS)
DEADLINES = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032)  # milliseconds a search
STATED_CONVENTIONS = (
    "eight neighbours, a diagonal step costs the square root of 2, octile distances as h",
    "the eight cells around the agent are seen",
    "binary heaps, larger g first",
)
FITTED_CONVENTIONS = (
    "start and goal are uniform over all free cells, and drawn again if no way leads from one to the other",
    "corners are cut freely",
    "remaining ties go first in, first out",
    "the best state of the heap is looked at before anything is taken out",
    "a percolation is one level that an entry moves, up or down, and percolations an episode are divided case by case",
)


def runs(scope: Scope) -> Iterator[Run]:
    maps = paper_maps(scope.maps_directory) if scope.maps_directory is not None else substitute_maps()
    default_planners = [NamedPlanner(name, {}) for name in (*TABLE_PLANNERS, UNBOUNDED, LSS)]
    rows = tables.table_rows(scope.planners or default_planners, LOOKAHEADS)
    if not scope.planners:
        rows += tables.table_rows([NamedPlanner(ALSS, {})], SELECTED_LOOKAHEADS)
    yield from tables.row_runs(rows, random_map_problems(maps, scope.sample), queue="plain heap")
    if scope.conventions == AUTHORS_PROGRAM and not scope.planners:
        yield from authors_runs(maps, scope.sample)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    frame, theirs = split_by_conventions(frame)
    trips, paper = tables.trips_by_row(frame), paper_rows() if scope.maps_directory is not None else {}
    report.heading("What was run")
    _what_was_run(frame, scope, report)
    growth_rows = {} if scope.planners else {family.name: (family, growth(family)) for family in FAMILIES}
    results = [] if scope.planners else evaluate_claims(CLAIMS, Figure2Data(trips, paper, growth_rows))
    if results:
        report.heading("What the paper says")
        show_claims(results, report)
    report.heading("Figure 2")
    tables.show_table(report, "planner, lookahead", trips, COLUMNS)
    in_paper = {name: of_row for name, of_row in trips.items() if name in paper}
    if in_paper:
        report.heading("Figure 2 beside the paper's: counts")
        compared = [c for n in in_paper for c in tables.compare_counts(n, trips[n], paper[n], COLUMNS, PAPER_CASES)]
        report.compare_with_paper([with_reason(comparison, theirs) for comparison in compared])
        show_whole_columns(report, in_paper, paper, COLUMNS, PAPER_CASES)
        report.heading("Figure 2 beside the paper's: times")
        report.text("The paper's machine was a 2.33 GHz Pentium of 2011.")
        _times(in_paper, paper, report)
    show_percolations(theirs, paper, report)
    named = tuple(dict.fromkeys(tables.row_label(planner) for planner in scope.planners))
    _deadlines(trips, paper, named or FIGURE_1_PLANNERS, report)
    show_case_by_case(trips, LOOKAHEADS, report, with_paper=bool(paper))
    if scope.planners:
        show_row_comparisons(trips, report)
        return
    _families(growth_rows, report)
    report.heading("Evidence")
    show_evidence(results, report)


def _what_was_run(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    names = frame["map"].unique(maintain_order=True).to_list()
    report.text(
        f"{frame['problem'].n_unique():,} cases on {len(names)} maps ({', '.join(names)}), unknown at first; the paper "
        f"has {PAPER_CASES:,} cases on {len(PAPER_MAPS)} maps. {tables.timing_note(frame)}"
    )
    if scope.maps_directory is None:
        report.text(
            "**These are built-in maps, not the paper's**, so its figures are not set beside ours. For that, give the "
            "directory of the Moving AI maps (with `dao` and `sc1_2011` in it): `--maps DIR`."
        )
    report.conventions(STATED_CONVENTIONS, FITTED_CONVENTIONS)


def _times(trips: TripsByRow, paper: Mapping[str, PaperRow], report: Report) -> None:
    tables.show_times(report, trips, paper, COLUMNS)
    work = {}
    for planner in TABLE_PLANNERS:
        rows = tables.rows_by_lookahead(planner, trips, LOOKAHEADS)
        printed = [paper[tables.row_name(planner, k)] for k in rows]
        work[planner] = {
            "ours": [mean_work(of_row) for of_row in rows.values()],
            "paper": [_printed_work(row) for row in printed],
        }
    ours = {name: COLUMNS["total_ms"].estimate(of_row).value for name, of_row in trips.items()}
    show_time_fits(report, work, ours, {name: float(paper[name]["total_ms"]) for name in trips})
    report.text("The paper prints no expansions; here each of its episodes has as many as its lookahead.")


def _printed_work(row: PaperRow) -> SearchWork:
    episodes = float(row["episodes"])
    return SearchWork(1e6 * episodes * float(row["ms_per_episode"]), episodes * float(row["lookahead"]), episodes)


def with_reason(comparison: PaperComparison, theirs: TripsByRow) -> PaperComparison:
    """With the reason, where percolations differ: what they are in the authors' program, if that was run."""
    column = COLUMNS["percolations_per_episode"]
    if comparison.verdict != DIFFERS or comparison.column != column.title:
        return comparison
    if comparison.row not in theirs:
        return replace(comparison, reason="counted by the text; the authors' program counts otherwise")
    as_authors = format_number(column.estimate(theirs[comparison.row]).value)
    return replace(comparison, reason=f"{as_authors} as the authors' program counts: see below")


def _pareto_line(trips: TripsByRow, planner: str) -> Line:
    """The settings of a planner that no quicker one beats: milliseconds a search, mean costs and their errors."""
    of_planner = [t for name, t in trips.items() if planner in (name, name.rpartition(" ")[0])]
    points = {
        (COLUMNS["ms_per_episode"].estimate(t).value, cost.value): cost for t in of_planner for cost in (_cost(t),)
    }
    times, costs = pareto_front(points)
    return Line(times, costs, [points[point].standard_error for point in zip(times, costs, strict=True)], planner)


def _cost(trips: pl.DataFrame) -> Estimate:
    return COLUMNS["cost"].estimate(trips)


def _deadlines(trips: TripsByRow, paper: Mapping[str, PaperRow], planners: Sequence[str], report: Report) -> None:
    report.heading("Figure 1: cost for a given deadline")
    report.text(
        "For each mean time of a search, the cheapest setting that keeps it. The paper draws daRTAA* and RTAA*; it "
        "also says that RTAA* beats LSS-LRTA* under deadlines, without showing it."
    )
    fronts = {planner: _pareto_line(trips, planner) for planner in planners}
    lines = {f"{name}, ours": front for name, front in fronts.items() if len(front.xs)}
    for planner in (RTAA, DARTAA):
        printed = [row for name, row in paper.items() if name.rpartition(" ")[0] == planner]
        if printed:
            times, costs = ([float(row[name]) for row in printed] for name in ("ms_per_episode", "cost"))
            lines[f"{planner}, paper"] = Line(times, costs, planner=planner, is_dashed=True)
    if lines:
        plot = line_plot(lines, "milliseconds per search", "mean cost", log_axes="xy")
        report.plot("figure-1", plot, "Cost against time per search")
    table = []
    for limit in DEADLINES:
        table.append(
            [f"{limit * 1000:g} µs", *(least_cost_within((front.xs, front.ys), limit) for front in fronts.values())]
        )
    report.table(["at most, per search", *planners], table)


def _families(growth_rows: Mapping[str, tuple[Family, list[dict[str, Any]]]], report: Report) -> None:
    report.heading("Arbitrarily better, arbitrarily worse")
    report.text(
        "The paper's discussion says that there are families of problems on which depression avoidance is arbitrarily "
        "better, and others on which it is arbitrarily worse. Here is one of each, corridors in unknown terrain, at "
        "lookahead 1: moves, mean over random ties."
    )
    lines = {}
    for family, rows in growth_rows.values():
        report.text(f"**{family.name}: {family.claim}.** {describe(family, rows)}. At size 6 (S start, G goal):")
        report.text(f"```\n{world_text(family.make(6, 1))}\n```")
        columns = ("size", "planner", "moves", "error", "ratio")
        report.table(
            ["size", "planner", "moves", "standard error", "to RTAA*"], [[r[w] for w in columns] for r in rows]
        )
        by_size, errors = ratios(family, rows), ratio_errors(family, rows)
        lines[f"{family.name}: {family.loser} to {family.winner}"] = Line(
            list(by_size), list(by_size.values()), errors, family.loser
        )
    plot = line_plot(lines, "size", "ratio of moves", log_axes="xy", ticks=list(by_size))
    report.plot("families", plot, "How many times the moves, against the size of the world")


EXPERIMENT = Experiment(
    "depression",
    "Depression avoidance 2011: Real-Time Adaptive A* with depression avoidance",
    default_sample=4,
    full_sample=CASES_PER_MAP,
    runs=runs,
    report=report,
    problem_noun="cases a map",
    timed_problems=120,  # ten a map
    has_authors_conventions=True,
)
