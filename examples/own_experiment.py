"""An experiment of your own, in a file outside the package: do agents that look farther ahead turn less often?

    replan reproduce examples/own_experiment.py --sample 20
    replan reproduce examples/own_experiment.py --sample 100 --resume --planners "RTAA*,LSS-LRTA*"

Engines, storing, resuming, progress and the report's pages come from the framework. What an experiment has to say is
which runs it wants, and what a report makes of them. Workers import this file: what they call (here `lakes` and
`measure_turns`) is defined by `def` at the top of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

import replan
from replan.experiments.experiment import Experiment, Scope
from replan.experiments.map_problems import generated_source, random_map_problems
from replan.experiments.planner_names import NamedPlanner, make_experiment_planner
from replan.experiments.plots import line_plot
from replan.experiments.report import Report
from replan.experiments.runs import Measurement, Run, trip_measurement
from replan.experiments.tables import (
    Column,
    columns_by_name,
    mean_of,
    median_of,
    paired_values,
    row_name,
    row_runs,
    show_table,
    table_rows,
    total_ratio,
    trips_by_row,
)
from replan.papers.common.claims import FindingTable

PLANNERS = (NamedPlanner("RTAA*", {}), NamedPlanner("daRTAA*", {}))
LOOKAHEADS = (1, 9, 33)
COLUMNS = columns_by_name(
    Column("cost", "mean cost", mean_of("cost")),
    Column("median_cost", "median cost", median_of("cost")),
    Column("turns", "turns", mean_of("turns")),
    Column("turns_per_move", "turns per move", total_ratio("turns", "moves")),
)


def lakes(size: int, seed: int) -> np.ndarray[Any, Any]:
    """Round lakes in open terrain, as an array of blocked cells."""
    rng, blocked = np.random.default_rng(seed), np.zeros((size, size), bool)
    rows, cols = np.indices(blocked.shape)
    for row, col, radius in zip(*rng.integers(0, size, (2, 80)), rng.integers(1, 7, 80), strict=True):
        blocked |= (rows - row) ** 2 + (cols - col) ** 2 <= radius**2
    return blocked


def measure_turns(run: Run) -> Measurement:
    """One trip: the usual figures, and how often the agent turns."""
    planner = make_experiment_planner(run.planner, dict(run.options), run.problem.seed)
    trip = replan.simulate(run.problem.world(), planner, run.problem.start, run.problem.goal, timing="episode")
    counts, times = trip_measurement(trip)
    directions = np.diff(np.array(trip.path), axis=0)
    turns = int((directions[1:] != directions[:-1]).any(axis=1).sum())
    return counts | {"turns": turns}, times


def runs(scope: Scope) -> Iterator[Run]:
    """One case on each of `scope.sample` maps, for every planner and lookahead."""
    maps = [generated_source(f"lakes {seed}", lakes, size=100, seed=seed) for seed in range(scope.sample)]
    return row_runs(table_rows(scope.planners or PLANNERS, LOOKAHEADS), random_map_problems(maps, 1), measure_turns)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    trips = trips_by_row(frame)
    report.text(f"{frame['problem'].n_unique():,} maps with round lakes, unknown at first.")
    report.heading("Table")
    show_table(report, "planner, lookahead", trips, COLUMNS)
    names = frame["planner"].unique(maintain_order=True).to_list()
    lines = {}
    for name in names:
        of_planner = {k: trips[row_name(name, k)] for k in LOOKAHEADS if row_name(name, k) in trips}
        turns = [COLUMNS["turns_per_move"].estimate(rows).value for rows in of_planner.values()]
        lines[name] = ([float(k) for k in of_planner], turns)
    report.plot("turns", line_plot(lines, "lookahead", "turns per move"), "How often agents turn")
    claims = FindingTable()
    for name in names:
        near, far = row_name(name, min(LOOKAHEADS)), row_name(name, max(LOOKAHEADS))
        if near in trips and far in trips:
            claims.less_than(f"turns: {far} < {near}", *paired_values(trips[far], trips[near], "turns"))
    claims.show(report)


EXPERIMENT = Experiment(
    "turns", "Turns", default_sample=20, full_sample=500, runs=runs, report=report, problem_noun="maps"
)
