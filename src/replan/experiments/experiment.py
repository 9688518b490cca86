"""What an experiment is: which runs, and what is made of their results."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import Report
from replan.experiments.runs import Problem, Run

TIME_ALL_PROBLEMS = 1_000_000  # problems: as many as there are
PAPER_TEXT, AUTHORS_PROGRAM = CONVENTIONS = ("text", "authors")


@dataclass(frozen=True)
class Scope:
    """How much of an experiment, and with what.

    sample: how many problems (mazes, cases a map: whatever the experiment counts). maps: the directory of the user's
    map collection. planners: those that the user named; empty for those of the experiment. timed: on how many of the
    problems, the first ones, times are taken; None for as many as the experiment says. conventions: those of the
    paper's TEXT, or those of its AUTHORS' program beside them.

    >>> Scope(sample=20).conventions, Scope(sample=20, planners=(NamedPlanner("RTAA*"),)).planners[0].name
    ('text', 'RTAA*')
    """

    sample: int
    maps_directory: Path | None = None
    planners: tuple[NamedPlanner, ...] = ()
    timed_problems: int | None = None
    conventions: str = PAPER_TEXT


@dataclass(frozen=True)
class Experiment:
    """An experiment: which runs, and a report of their results.

    name: also of the directory that it writes. usual, full: how many problems without --sample, and with --full. runs:
    what is to be done. report: adds text, tables and plots to a Report, from a frame with one row for each run that was
    done, in the order of `runs`: its tags, planner, problem (a number), map, seed, and what was measured. counted: what
    the problems are called. timed: on how many problems, the first ones, times are taken, each the least of three
    trips, the planners in turn (`runs.perform`); on the others they are null. authors: does it know how the authors'
    program differs from what the paper says? source, files: for an experiment from
    outside the package, how a user named it, and what workers elsewhere have to get.

    >>> from replan.experiments.mazes import maze_problems
    >>> from replan.experiments.runs import make_options
    >>> def runs(scope):
    ...     return (Run("RTAA*", make_options(lookahead=9), problem) for problem in maze_problems(scope.sample, 21))
    >>> def report(frame, scope, into):
    ...     into.text(f"The mean cost is {frame['cost'].mean():.1f}.")
    >>> small = Experiment("small", "A small one", usual=20, full=500, runs=runs, report=report, timed=1)
    >>> [run.timing_repeats for run in small.planned(Scope(sample=3))], small.command
    ([3, 0, 0], 'replan reproduce small')
    """

    name: str
    title: str
    default_sample: int
    full_sample: int
    runs: Callable[[Scope], Iterable[Run]]
    report: Callable[[pl.DataFrame, Scope, Report], None]
    problem_noun: str = "problems"
    timed_problems: int = 100
    has_authors_conventions: bool = False
    user_reference: str = ""
    worker_files: tuple[Path, ...] = ()

    def planned_runs(self, scope: Scope) -> list[Run]:
        """All runs. Those on problems that are not to be timed have no rounds."""
        limit = self.timed_problems if scope.timed_problems is None else scope.timed_problems
        seen: dict[Problem, int] = {}
        return [
            run if seen.setdefault(run.problem, len(seen)) < limit else replace(run, timing_repeats=0)
            for run in self.runs(scope)
        ]

    @property
    def command(self) -> str:
        """What runs it."""
        return f"replan reproduce {self.user_reference or self.name}"


def read_paper_table(file: Path) -> list[dict[str, str]]:
    r"""The rows of a paper's table, from a CSV file with the names of its columns in the first line.

    Raises OSError for a file that cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "table.csv")
    ...     _ = file.write_text("row,cost\nRTAA* 9,123.4\n")
    ...     print(read_paper_table(file))
    [{'row': 'RTAA* 9', 'cost': '123.4'}]
    """
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))
