"""The tables of the papers with planners that the user names: `--planners "RTAA*,mine:MyPlanner"`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from replan.errors import InputError
from replan.experiments.experiment import TIME_ALL_PROBLEMS, Experiment, Scope
from replan.experiments.planner_names import SYNTAX_HINT
from replan.experiments.report import Report
from replan.experiments.runs import Run

PAPER_EXPERIMENTS = ("rtaa", "depression", "buckets", "rtd")


def _paper_experiment(name: str) -> Experiment:
    from replan.papers.registry import find_experiment  # here, for the registry knows this module, too

    return find_experiment(name)


def runs(scope: Scope) -> Iterator[Run]:
    if not scope.planners:
        raise InputError(f"say which planners with --planners LIST; {SYNTAX_HINT}")
    for name in PAPER_EXPERIMENTS:
        for run in _paper_experiment(name).runs(scope):
            yield replace(run, tags={**run.tags, "table": name})


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    for name in PAPER_EXPERIMENTS:
        part = frame.filter(pl.col("table") == name)
        if not part.is_empty():
            report.heading(_paper_experiment(name).title)
            report.plot_prefix = f"{name}-"
            _paper_experiment(name).report(part, scope, report)


EXPERIMENT = Experiment(
    "user-planners",
    "Planners of your choice in the tables of the papers",
    default_sample=4,
    full_sample=100,
    runs=runs,
    report=report,
    timed_problems=TIME_ALL_PROBLEMS,
)
