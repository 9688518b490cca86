"""Which planner for a frame: the cost of a trip against the time of an episode, for all real-time planners.

Unknown terrain, eight neighbours, corners not cut, the eight cells around the agent seen, larger g first. A game has a
frame in which an agent may think, and a step of time is what its trip takes. Planners that look ahead search when
their path is used up; those that search in slices (TBA*, TBAA*, FRIT, RTD*) do so in every step, and may wait: their
steps are more than their moves. So there are two figures for the length of a trip, and two for the time of an episode:
the mean, and what 99 of 100 keep.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl

from replan.experiments import tables
from replan.experiments.experiment import Experiment, Scope
from replan.experiments.lookahead_choice import ParetoFront, least_cost_within, pareto_front
from replan.experiments.map_problems import file_source, generated_source, map_files, random_map_problems
from replan.experiments.planner_names import NamedPlanner, make_experiment_planner
from replan.experiments.plots import line_plot
from replan.experiments.report import Report
from replan.experiments.runs import MapSource, Measurement, Run, trip_measurement
from replan.experiments.tables import NS_TO_US, Column, TripsByRow, columns_by_name, mean_of, total_ratio
from replan.maps.generators import cave, maze, rooms
from replan.papers.common.claims import FindingTable, show_row_comparisons
from replan.planners.registry import planners
from replan.simulation.simulate import simulate

GAME_MAPS = [("dao", "den312d"), ("dao", "lak303d"), ("dao", "hrt201d"), ("dao", "brc202d")]
GAME_MAPS += [("wc3", "gnollwood"), ("wc3", "darkforest"), ("bg", "AR0012SR"), ("bg", "AR0700SR")]
LOOKAHEADS = (4, 8, 16, 32, 64, 128, 256)
LIMITS = (0.5, 1, 2, 4, 8, 16, 32)  # microseconds
MAX_MOVES_PER_CELL = 20  # that many moves for each free cell, and a trip is given up
COLUMNS = columns_by_name(
    Column("cost", "cost", mean_of("cost")),
    Column("steps", "steps of time", mean_of("steps")),
    Column("expansions", "expansions", mean_of("expansions")),
    Column("us", "µs an episode", total_ratio("search_ns", "episodes", NS_TO_US), is_time=True),
    Column("late_us", "99 of 100 within", mean_of("late_ns", NS_TO_US), is_time=True),
)
CLAIMED_CHEAPER = [  # at each lookahead: what is claimed for the planners that came after the papers
    ("TBAA*", "TBA*"),
    ("TBAA*", "daRTAA*"),
    ("wLSS-LRTA*", "LSS-LRTA*"),
    ("wdaLSS-LRTA*", "daLSS-LRTA*"),
]


def game_maps(directory: Path) -> list[MapSource]:
    return [file_source(file) for file in map_files(directory, GAME_MAPS)]


def substitute_maps() -> list[MapSource]:
    """Return generated maps, used if no directory of the games' maps is given."""
    return [
        generated_source("cave", cave, rows=200, cols=240, seed=1),
        generated_source("rooms", rooms, rows=197, cols=197, room_size=16, seed=2),
        generated_source("maze", maze, rows=101, cols=101, openings=400, seed=1),
    ]


def measure_with_p99(run: Run) -> Measurement:
    """One trip: the usual figures, and what 99 of 100 of its searches keep."""
    problem = run.problem
    planner = make_experiment_planner(run.planner, dict(run.options), problem.seed)
    max_moves = MAX_MOVES_PER_CELL * int((~problem.map.grid().blocked).sum())
    trip = simulate(problem.world(), planner, problem.start, problem.goal, max_moves, timing="episode")
    counts, times = trip_measurement(trip)
    return counts, times | {"late_ns": int(np.quantile(trip.episode_ns or [0], 0.99))}


def runs(scope: Scope) -> Iterator[Run]:
    maps = game_maps(scope.maps_directory) if scope.maps_directory is not None else substitute_maps()
    default_planners = [NamedPlanner(spec.name, {}) for spec in planners() if spec.is_realtime]
    rows = tables.table_rows(scope.planners or default_planners, LOOKAHEADS)
    return tables.row_runs(rows, random_map_problems(maps, scope.sample), measure_with_p99)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    trips = tables.trips_by_row(frame)
    names = frame["map"].unique(maintain_order=True).to_list()
    report.heading("What was run")
    report.text(
        f"Means over {frame['problem'].n_unique():,} cases on {len(names)} maps ({', '.join(names)}). Eight "
        "neighbours, corners not cut, unknown terrain, the eight cells around the agent seen. Larger g first, then "
        "first in first out. A trip of RTD*, TBA*, TBAA* and FRIT may take more steps of time than moves: they wait. "
        f"A trip is given up after {MAX_MOVES_PER_CELL} moves for each free cell; what it has cost by then is counted. "
        f"{tables.timing_note(frame)}"
    )
    if scope.maps_directory is None:
        report.text("These are built-in maps. For those of games: `--maps DIR`, a directory of Moving AI maps.")
    lines = {
        metric: {name: pareto_front(_points(of_planner, metric)) for name, of_planner in _by_planner(trips).items()}
        for metric in ("cost", "steps")
    }
    report.heading("Cost against time")
    drawn = {name: line for name, line in lines["cost"].items() if line[0]}
    if drawn:  # else nothing was timed
        plot = line_plot(drawn, "µs an episode, on average", "cost of a trip", log_axes="xy")
        report.plot("frame", plot, "What a trip costs, against the time of an episode")
    for metric, title in (("cost", "Cost of a trip"), ("steps", "Steps of time of a trip")):
        report.heading(f"{title} within a limit")
        report.text("The best lookahead that keeps the limit on average, the cheapest planner of each limit in bold.")
        _show_limits(lines[metric], report)
    report.heading("All planners and lookaheads")
    tables.show_table(report, "planner, lookahead", trips, COLUMNS)
    if scope.planners:
        show_row_comparisons(trips, report)
        return
    report.heading("What is claimed")
    claims = FindingTable()
    for better, worse in CLAIMED_CHEAPER:
        for k in LOOKAHEADS:
            first, second = tables.row_name(better, k), tables.row_name(worse, k)
            if first in trips and second in trips:
                claims.less_than(
                    f"cost: {first} < {second}", *tables.paired_values(trips[first], trips[second], "cost")
                )
    claims.show(report)


def _by_planner(trips: TripsByRow) -> dict[str, dict[str, pl.DataFrame]]:
    """The rows of each planner."""
    by_planner: dict[str, dict[str, pl.DataFrame]] = {}
    for name, runs in trips.items():
        label = name.rpartition(" ")[0] if runs["lookahead"][0] is not None else name
        by_planner.setdefault(label, {})[name] = runs
    return by_planner


def _points(rows: TripsByRow, metric: str) -> list[tuple[float, float]]:
    return [(COLUMNS["us"].estimate(runs).value, COLUMNS[metric].estimate(runs).value) for runs in rows.values()]


def _show_limits(lines: Mapping[str, ParetoFront], report: Report) -> None:
    costs_by_planner = {name: [_least_cost(line, limit) for limit in LIMITS] for name, line in lines.items()}
    best = [min(column) for column in zip(*costs_by_planner.values(), strict=True)]
    rows = [
        [name, *(_shown(cost, least) for cost, least in zip(costs, best, strict=True))]
        for name, costs in sorted(costs_by_planner.items(), key=lambda item: min(item[1]))
    ]
    report.table(["planner", *(f"{limit:g} µs" for limit in LIMITS)], rows)


def _least_cost(line: ParetoFront, limit: float) -> float:
    cost = least_cost_within(line, limit)
    return math.inf if cost is None else cost


def _shown(cost: float, least: float) -> str:
    if cost == math.inf:
        return ""
    return f"**{cost:,.0f}**" if cost == least else f"{cost:,.0f}"


EXPERIMENT = Experiment(
    "time-budget",
    "A frame to think in: all real-time planners, cost against time",
    default_sample=2,
    full_sample=100,
    runs=runs,
    report=report,
    problem_noun="cases a map",
)
