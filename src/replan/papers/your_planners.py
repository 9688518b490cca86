"""The tables of the papers with planners that the user names: `--planners "RTAA*,mine:MyPlanner"`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from replan.errors import InputError
from replan.experiments.experiment import TIMED_ALL, Experiment, Scope
from replan.experiments.planner_names import HOW
from replan.experiments.report import Report
from replan.experiments.runs import Run

TABLES = ("rtaa", "depression", "buckets", "rtd")


def _experiment(name: str) -> Experiment:
    from replan.papers.registry import find_experiment  # here, for the registry knows this module, too

    return find_experiment(name)


def runs(scope: Scope) -> Iterator[Run]:
    if not scope.planners:
        raise InputError(f"say which planners with --planners LIST; {HOW}")
    for name in TABLES:
        for run in _experiment(name).runs(scope):
            yield replace(run, tags={**run.tags, "table": name})


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    for name in TABLES:
        part = frame.filter(pl.col("table") == name)
        if not part.is_empty():
            into.heading(_experiment(name).title)
            into.prefix = f"{name}-"
            _experiment(name).report(part, scope, into)


EXPERIMENT = Experiment(
    "new",
    "Planners of your choice in the tables of the papers",
    usual=4,
    full=100,
    runs=runs,
    report=report,
    timed=TIMED_ALL,
)
