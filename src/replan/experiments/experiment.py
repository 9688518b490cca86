"""What an experiment is: which runs, and what is made of their results."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from replan.experiments.planner_names import Entry
from replan.experiments.report import Report
from replan.experiments.runs import Run


@dataclass(frozen=True)
class Scope:
    """How much of an experiment, and with what.

    sample: problems (mazes, cases a map: what the experiment counts). maps: where the user's map collection is.
    planners: those that the user named; empty for the paper's.
    """

    sample: int
    maps: Path | None = None
    planners: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """An experiment.

    usual, full: how many problems without --sample, and with --full. runs: what is to be done. report: adds text,
    tables and plots, from a frame with one row for each run that was done, in the order of `runs`: its tags, planner,
    problem (a number), map, seed, and what was measured.
    """

    name: str
    title: str
    usual: int
    full: int
    runs: Callable[[Scope], Iterable[Run]]
    report: Callable[[pl.DataFrame, Scope, Report], None]
    counted: str = "problems"


def paper_table(file: Path) -> list[dict[str, str]]:
    """A table of a paper: one row each, by the names in the first line of a CSV file."""
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))
