"""RTAA* 2006 (Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006): Table 1, Figure 9 and the decision at its end.

The conventions that give its figures: 151 x 151 cells with the walls and without a border, any free cell as start and
goal, the four cells around the agent seen before the first search, a new search when the frontier state is reached
or the next step is seen blocked, larger g first and remaining ties at random.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl
from matplotlib.figure import Figure

from replan.experiments import tables
from replan.experiments.claims import Claims, show_versus
from replan.experiments.experiment import Experiment, Scope, paper_table
from replan.experiments.lookaheads import odd_lookahead
from replan.experiments.mazes import maze_problems
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.plots import new_figure
from replan.experiments.report import AGREES, DIFFERS, Comparison, Report
from replan.experiments.runs import Run
from replan.experiments.tables import US, Column, PaperRow, Trips, by_name, mean_of, total_ratio
from replan.papers.rtaa.time_limits import WORKED, decide, paper_points, scaled_limit

PAPER_FIGURES = Path(__file__).parent / "data" / "table1.csv"
MAZES = 2500
LOOKAHEADS = (1, 9, 17, 25, 33, 41, 49, 57, 65, 73, 81, 89, None)
OUR_NAMES = {"LRTA*": "LSS-LRTA*"}  # for planners that the paper calls otherwise
REAL_TIME, OTHERS = ("RTAA*", "LSS-LRTA*"), ("D* Lite", "Repeated Forward A*", "Repeated Backward A*")
UNLIMITED = (*(tables.row_name(name, None) for name in REAL_TIME), *OTHERS)
SIMILAR = 1.1  # times the least cost: "about the same"
COLUMNS = by_name(
    Column("expansions", "(b) expansions", mean_of("expansions")),
    Column("episodes", "(c) episodes", mean_of("episodes")),
    Column("cost", "(d) cost", mean_of("cost")),
    Column("moves_per_episode", "(e) moves per episode", total_ratio("moves", "episodes"), rounded=0.01),
    Column("search_us", "(f) search µs", mean_of("search_ns", US), time=True),
    Column("us_per_episode", "(g) µs per episode", total_ratio("search_ns", "episodes", US), time=True),
    Column("us_per_move", "(h) µs per move", total_ratio("search_ns", "moves", US), time=True),
    Column("h_increase_per_update", "(i) h-increase per update", total_ratio("h_increase", "expansions"), rounded=0.01),
)


def runs(scope: Scope) -> Iterator[Run]:
    wanted = tables.table_rows(scope.planners or [NamedPlanner(name, {}) for name in (*REAL_TIME, *OTHERS)], LOOKAHEADS)
    if not scope.planners:
        wanted += [(NamedPlanner(our_name(worked.planner), {}), worked.lookahead) for worked in WORKED]
    return tables.row_runs(wanted, maze_problems(scope.sample), ties="random")


def our_name(planner: str) -> str:
    return OUR_NAMES.get(planner, planner)


def paper_rows() -> dict[str, dict[str, str]]:
    """The paper's rows by our names for them."""
    found = {}
    for given in paper_table(PAPER_FIGURES):
        text = given["lookahead"]
        lookahead = None if text in ("inf", "") else int(text)
        found[tables.row_name(our_name(given["planner"]), lookahead, text != "")] = given
    return found


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    trips, given = tables.by_row(frame), paper_rows()
    into.text(
        f"Means over {frame['problem'].n_unique():,} mazes of 151 x 151 cells; the paper has {MAZES:,}. The agent "
        "knows nothing of the maze at first and sees the four cells around it. LSS-LRTA* is what the paper calls "
        "LRTA*. Larger g first, remaining ties at random. Search times are sums over the searches, without moving and "
        "looking."
    )
    into.heading("Table 1")
    in_table = {name: of_row for name, of_row in trips.items() if name in given or scope.planners}
    tables.show_table(into, "planner, lookahead (a)", in_table, COLUMNS)
    into.heading("Table 1 beside the paper's: counts")
    known = [name for name in trips if name in given]
    into.compare([c for n in known for c in tables.compare_counts(n, trips[n], given[n], COLUMNS, MAZES)])
    if known:
        into.heading("Table 1 beside the paper's: times")
        into.text(
            "The paper's machine was a 2.4 GHz Opteron of 2005, so only the order and the ratios carry over. What the "
            "paper says of RTAA* beside LRTA* is about the time of learning. The LSS-LRTA* that was timed here learns "
            "from the expanded states: each begins with its cheapest step to an open state, and Dijkstra's algorithm "
            "orders the expanded states alone. That gives the same h-values as a queue that begins with all open "
            "states, in less time, so RTAA* is ahead of it by less."
        )
        tables.show_times(into, trips, given, COLUMNS)
    _figure_9(trips, given, into)
    if scope.planners:
        show_versus(trips, into)
        return
    into.heading("What the paper says about the table")
    _claims(trips, into)
    _decision(trips, given, into)


def _series(trips: Trips, planner: str) -> list[int]:
    """The lookaheads of the table that this planner has."""
    return [k for k in LOOKAHEADS if k is not None and tables.row_name(planner, k) in trips]


def _figure_9(trips: Trips, given: Mapping[str, PaperRow], into: Report) -> None:
    lookaheads = _series(trips, "RTAA*")
    if len(lookaheads) < 2:
        return
    into.heading("Figure 9")
    figure: Figure = new_figure(8, 3.4)
    for i, name in enumerate(("expansions", "search_us")):
        column = COLUMNS[name]
        axes = figure.add_subplot(1, 2, i + 1)
        means = [column.of(trips[tables.row_name("RTAA*", k)]) for k in lookaheads]
        axes.errorbar(lookaheads, [m.value for m in means], [m.error for m in means], label="ours", marker="o", ms=3)
        printed = {k: column.paper(given[tables.row_name("RTAA*", k)]) for k in lookaheads}
        papers = {k: value for k, value in printed.items() if value is not None}
        axes.plot(list(papers), list(papers.values()), "x--", ms=4, label="paper")
        axes.set(xlabel="lookahead", ylabel=column.title, ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend()
    into.plot("figure-9", figure, "RTAA*: expansions (left) and search time (right) against the lookahead")


def _claims(trips: Trips, into: Report) -> None:
    claims = Claims()

    def less(measured: str, first: str, second: str, text: str) -> None:
        if first in trips and second in trips:
            claims.less(f"{text}: {first} < {second}", *tables.paired(trips[first], trips[second], measured))

    for measured, text in (("expansions", "expansions"), ("search_ns", "search µs")):
        less(measured, "RTAA* ∞", "Repeated Forward A*", text)
        less(measured, "LSS-LRTA* ∞", "RTAA* ∞", text)
        less(measured, "Repeated Forward A*", "Repeated Backward A*", text)
    for k in _series(trips, "RTAA*"):
        if k > 1:
            rtaa, lss = tables.row_name("RTAA*", k), tables.row_name("LSS-LRTA*", k)
            less("cost", lss, rtaa, "trajectory cost")
            less("search_ns", rtaa, lss, "search µs")
            if lss in trips:
                raised = [COLUMNS["h_increase_per_update"].of(trips[name]) for name in (rtaa, lss)]
                claims.less_mean(f"h-increase per update: {rtaa} < {lss}", *raised)
    _shape_of_table(trips, claims)
    claims.show(into)


def _shape_of_table(trips: Trips, claims: Claims) -> None:
    """What is said of the table as a whole."""
    if {"RTAA* 1", "LSS-LRTA* 1"} <= trips.keys():
        first, second = tables.paired(trips["RTAA* 1"], trips["LSS-LRTA* 1"], "cost")
        same = sum(float(a) == float(b) for a, b in zip(first, second, strict=True))
        text = "with lookahead 1, RTAA* and LSS-LRTA* walk the same trajectories"
        claims.fact(text, same == len(first), f"{same:,} of {len(first):,}")
    if set(UNLIMITED) <= trips.keys():
        costs = [COLUMNS["cost"].of(trips[name]).value for name in UNLIMITED]
        near = max(costs) <= SIMILAR * min(costs)
        text = f"without a limit all planners' trajectories cost about the same (within {SIMILAR - 1:.0%})"
        enough = len(trips["RTAA* ∞"]) >= 100
        claims.fact(text, near if near or enough else None, f"from {min(costs):,.0f} to {max(costs):,.0f}")
    lookaheads = _series(trips, "RTAA*")
    if len(lookaheads) > 2:
        for less, more in itertools.pairwise(lookaheads):
            nearer, farther = (trips[tables.row_name("RTAA*", k)] for k in (less, more))
            claims.less(f"trajectory cost: RTAA* {more} < RTAA* {less}", *tables.paired(farther, nearer, "cost"))
        for column in (COLUMNS["expansions"], COLUMNS["search_us"]):
            means = {k: column.of(trips[tables.row_name("RTAA*", k)]).value for k in lookaheads}
            best = min(means, key=lambda k: means[k])
            text = f"{column.title} of RTAA* fall at first and then rise as the lookahead shrinks (paper: least at 17)"
            claims.fact(text, lookaheads[0] < best < lookaheads[-1], f"least at {best}")
        totals = {name: COLUMNS["search_us"].of(of_row).value for name, of_row in trips.items()}
        least = min(totals, key=lambda name: totals[name])
        claims.fact("some RTAA* has the least total search time of all", least.startswith("RTAA*"), f"it is {least}")


def _decision(trips: Trips, given: Mapping[str, PaperRow], into: Report) -> None:
    into.heading("Which planner to use under a time limit")
    into.text(
        "With a limit of time for each search (or for each move), the paper takes D* Lite if it is quick enough, and "
        "otherwise the real-time planner with the largest lookahead that is, times between the measured lookaheads "
        "interpolated and lookaheads odd. Times are means, as in the table."
    )
    on_paper, on_ours, costs = [], [], []  # lines of three tables
    for worked in WORKED:
        name, column = our_name(worked.planner), COLUMNS[f"us_per_{worked.per}"]
        printed = {k: given[tables.row_name(name, k)] for k in LOOKAHEADS if k is not None}
        chosen = odd_lookahead(paper_points(printed, column, COLUMNS["cost"]), worked.limit)
        limit = f"{worked.limit:g} µs per {worked.per}"
        on_paper.append([limit, name, worked.lookahead, chosen, AGREES if chosen == worked.lookahead else DIFFERS])
        if (row := tables.row_name(name, worked.lookahead)) in trips:
            ours = COLUMNS["cost"].of(trips[row])
            costs.append(Comparison(row, f"cost at {limit}", worked.cost, ours.spread / MAZES**0.5, ours))
        if "D* Lite" in trips and len(lookaheads := _series(trips, name)) > 1:
            here = scaled_limit(worked, column, trips["D* Lite"], given["D* Lite"])
            lookahead, cost = decide({k: trips[tables.row_name(name, k)] for k in lookaheads}, column, here)
            needs = f"{column.of(trips['D* Lite']).value:.2f} µs"
            on_ours.append([f"{here:.2f} µs per {worked.per}", name, lookahead, cost, needs])
    into.text("The paper's worked example, decided from the paper's own table:")
    into.table(["limit", "planner", "the paper's lookahead", "by the rule", "verdict"], on_paper)
    if costs:
        into.text("What those lookaheads cost:")
        into.compare(costs)
    if on_ours:
        into.text(
            "The same decision on this machine. The limits are scaled by what D* Lite needs here and in the paper, so "
            "that the question is the same."
        )
        into.table(["limit", "planner", "lookahead", "cost there", "D* Lite needs"], on_ours)
    into.text("`replan advise --episode 20us MAP` answers this for your own map and machine.")


EXPERIMENT = Experiment(
    "rtaa",
    "RTAA* 2006: Real-Time Adaptive A*",
    usual=40,
    full=MAZES,
    runs=runs,
    report=report,
    counted="mazes",
    timed=250,
)
