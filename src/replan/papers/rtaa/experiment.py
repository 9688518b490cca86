"""RTAA* 2006 (Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006): Table 1, Figure 9 and the decision at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan

import polars as pl

from replan.experiments import tables
from replan.experiments.experiment import Experiment, Scope
from replan.experiments.lookahead_choice import largest_odd_lookahead
from replan.experiments.mazes import maze_problems
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.plots import Line, line_plots
from replan.experiments.report import AGREES, DIFFERS, PaperComparison, Report
from replan.experiments.runs import Run
from replan.experiments.tables import PaperRow, TripsByRow
from replan.papers.common.claims import evaluate_claims, show_claims, show_evidence, show_row_comparisons
from replan.papers.common.time_fits import SearchWork, mean_work, show_time_fits
from replan.papers.common.whole_columns import show_whole_columns
from replan.papers.rtaa.claims import CLAIMS, Table1Data
from replan.papers.rtaa.columns import COLUMNS, LOOKAHEADS, LSS, MAZES, OTHERS, RTAA, paper_rows, registry_name
from replan.papers.rtaa.time_limits import (
    FINITE_LOOKAHEADS,
    WORKED_EXAMPLES,
    paper_measurements,
    scaled_limit,
    scaled_lookahead,
)

STATED_CONVENTIONS = (
    "mazes of 151 x 151 cells, cut by depth-first search, four neighbours, start and goal at random, Manhattan "
    "distances as h",
    "the agent knows nothing of the maze at first",
    "binary heaps, larger g first, remaining ties at random",
)
FITTED_CONVENTIONS = (
    "151 x 151 counts the walls, there is none around the maze, and any free cell is a start or a goal",
    "the four cells around the agent are seen before the first search",
    "a new search begins when the frontier state is reached or the next step is seen blocked",
    "D* Lite takes in what was seen when its path is blocked, not with every step",
)


def runs(scope: Scope) -> Iterator[Run]:
    default_planners = [NamedPlanner(name, {}) for name in (RTAA, LSS, *OTHERS)]
    rows = tables.table_rows(scope.planners or default_planners, LOOKAHEADS)
    if not scope.planners:
        rows += [(NamedPlanner(registry_name(worked.planner), {}), worked.lookahead) for worked in WORKED_EXAMPLES]
    return tables.row_runs(rows, maze_problems(scope.sample), ties="random")


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    trips, paper = tables.trips_by_row(frame), paper_rows()
    report.heading("What was run")
    report.text(
        f"{frame['problem'].n_unique():,} mazes; the paper has {MAZES:,}. LSS-LRTA* is what the paper calls LRTA*. "
        f"Search times are sums over the searches, without moving and looking. {tables.timing_note(frame)}"
    )
    report.conventions(STATED_CONVENTIONS, FITTED_CONVENTIONS)
    results = [] if scope.planners else evaluate_claims(CLAIMS, Table1Data(trips, paper))
    if results:
        report.heading("What the paper says")
        show_claims(results, report)
    report.heading("Table 1")
    shown = {name: of_row for name, of_row in trips.items() if name in paper or scope.planners}
    tables.show_table(report, "planner, lookahead (a)", shown, COLUMNS)
    in_paper = {name: of_row for name, of_row in trips.items() if name in paper}
    if in_paper:
        report.heading("Table 1 beside the paper's: counts")
        report.compare_with_paper(
            [c for n in in_paper for c in tables.compare_counts(n, trips[n], paper[n], COLUMNS, MAZES)]
        )
        show_whole_columns(report, in_paper, paper, COLUMNS, MAZES)
        report.heading("Table 1 beside the paper's: times")
        _times(in_paper, paper, report)
    _figure_9(trips, paper, report)
    if scope.planners:
        show_row_comparisons(trips, report)
        return
    _decision(trips, paper, report)
    report.heading("Evidence")
    show_evidence(results, report)


def _times(trips: TripsByRow, paper: Mapping[str, PaperRow], report: Report) -> None:
    report.text(
        "The paper's machine was a 2.4 GHz Opteron of 2005. What the paper says of RTAA* beside LRTA* is about the "
        "time of learning. The LSS-LRTA* that was timed here learns from the expanded states: each begins with its "
        "cheapest step to an open state, and Dijkstra's algorithm orders the expanded states alone. That gives the "
        "same h-values as a queue that begins with all open states, in less time, so RTAA* is ahead of it by less."
    )
    tables.show_times(report, trips, paper, COLUMNS)
    work = {}
    for planner in (RTAA, LSS):
        rows = [tables.row_name(planner, k) for k in LOOKAHEADS if k is not None]
        work[planner] = {
            "ours": [mean_work(trips[n]) for n in rows if n in trips],
            "paper": [_printed_work(paper[n]) for n in rows if n in trips],
        }
    totals = [{n: COLUMNS["search_us"].estimate(trips[n]).value for n in trips}]
    totals.append({n: float(paper[n]["search_us"]) for n in trips})
    show_time_fits(report, work, *totals)


def _printed_work(row: PaperRow) -> SearchWork:
    return SearchWork(1000 * float(row["search_us"]), float(row["expansions"]), float(row["episodes"]))


def _figure_9(trips: TripsByRow, paper: Mapping[str, PaperRow], report: Report) -> None:
    rows = {k: tables.row_name(RTAA, k) for k in LOOKAHEADS if k is not None}
    lookaheads = [k for k, name in rows.items() if name in trips]
    if len(lookaheads) < 2:
        return
    report.heading("Figure 9")
    panels: dict[str, dict[str, Line]] = {}
    for name in ("expansions", "search_us"):
        column = COLUMNS[name]
        means = [column.estimate(trips[rows[k]]) for k in lookaheads]
        if any(isnan(m.value) for m in means):
            continue  # not timed
        ours = Line(lookaheads, [m.value for m in means], [m.standard_error for m in means], planner=RTAA)
        printed = [float(paper[rows[k]][name]) for k in lookaheads]
        errors = [column.paper_standard_error(paper[rows[k]]) or 0.0 for k in lookaheads]
        panels[column.title] = {"ours": ours, "paper": Line(lookaheads, printed, errors, planner=RTAA, is_dashed=True)}
    plot = line_plots(panels, "lookahead", ticks=lookaheads)
    report.plot("figure-9", plot, "RTAA*: expansions (left) and search time (right) against the lookahead")


def _decision(trips: TripsByRow, paper: Mapping[str, PaperRow], report: Report) -> None:
    report.heading("Which planner to use under a time limit")
    report.text(
        "With a limit of time for each search (or for each move), the paper takes D* Lite if it is quick enough, and "
        "otherwise the real-time planner with the largest lookahead that is, times between the measured lookaheads "
        "interpolated and lookaheads odd. Times are means, as in the table."
    )
    on_paper, on_ours, costs = [], [], []  # lines of three tables
    for worked in WORKED_EXAMPLES:
        name = registry_name(worked.planner)
        printed = {k: paper[tables.row_name(name, k)] for k in LOOKAHEADS if k is not None}
        chosen = largest_odd_lookahead(paper_measurements(printed, worked.time_column), worked.limit)
        limit = f"{worked.limit:g} µs per {worked.limit_unit}"
        on_paper.append([limit, name, worked.lookahead, chosen, AGREES if chosen == worked.lookahead else DIFFERS])
        if (row := tables.row_name(name, worked.lookahead)) in trips:
            ours = COLUMNS["cost"].estimate(trips[row])
            costs.append(
                PaperComparison(row, f"cost at {limit}", worked.cost, ours.standard_deviation / MAZES**0.5, ours)
            )
        our_lookahead = scaled_lookahead(worked, name, trips, paper)
        if our_lookahead is not None:
            within = f"{scaled_limit(worked, trips, paper):.2f} µs per {worked.limit_unit}"
            needs = f"{worked.time_column.estimate(trips['D* Lite']).value:.2f} µs"
            rows = tables.rows_by_lookahead(name, trips, FINITE_LOOKAHEADS)
            cost = COLUMNS["cost"].estimate(tables.costs_at_lookahead(our_lookahead, rows)).value
            on_ours.append([within, name, our_lookahead, cost, needs])
    report.text("The paper's worked example, decided from the paper's own table:")
    report.table(["limit", "planner", "the paper's lookahead", "by the rule", "verdict"], on_paper)
    if costs:
        report.text("What those lookaheads cost:")
        report.compare_with_paper(costs)
    if on_ours:
        report.text(
            "The same decision on this machine. The limits are scaled by what D* Lite needs here and in the paper, so "
            "that the question is the same."
        )
        report.table(["limit", "planner", "lookahead", "cost there", "D* Lite needs"], on_ours)
    report.text("`replan advise --episode 20us MAP` answers this for your own map and machine.")


EXPERIMENT = Experiment(
    "rtaa",
    "RTAA* 2006: Real-Time Adaptive A*",
    default_sample=40,
    full_sample=MAZES,
    runs=runs,
    report=report,
    problem_noun="mazes",
    timed_problems=250,
)
