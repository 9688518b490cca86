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
    """Size of an experiment, and what it uses.

    Parameters
    ----------
    sample
        Number of problems (mazes, cases of a map: what the experiment counts).
    maps_directory
        Directory of the user's map collection.
    planners
        Planners that the user named. Empty: those of the experiment.
    timed_problems
        Number of problems, the first ones, on which times are taken. None: as the experiment says.
    conventions
        Those of the paper's TEXT, or those of its AUTHORS' program too.

    Examples
    --------
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
    """An experiment: its runs, and a report of their results.

    Parameters
    ----------
    name
        Name on the command line, and of the directory that it writes.
    title
        Title of the report.
    default_sample
        Number of problems without --sample.
    full_sample
        Number of problems with --full.
    runs
        Function from a Scope to the runs.
    report
        Function that adds text, tables and plots to a Report. It gets a frame with a row for each run: tags, planner,
        problem (a number), map, seed, and what was measured.
    problem_noun
        Noun for the problems in messages.
    timed_problems
        Number of problems, the first ones, on which times are taken. Each time is the least of three trips; on other
        problems it is null.
    has_authors_conventions
        True if the experiment knows how the authors' program differs from the paper.
    user_reference
        How the user named an experiment from outside the package.
    worker_files
        Files that workers elsewhere need for it.

    Examples
    --------
    >>> from replan.experiments.mazes import maze_problems
    >>> from replan.experiments.runs import make_options
    >>> def runs(scope):
    ...     return (Run("RTAA*", make_options(lookahead=9), problem) for problem in maze_problems(scope.sample, 21))
    >>> def report(frame, scope, into):
    ...     into.text(f"The mean cost is {frame['cost'].mean():.1f}.")
    >>> small = Experiment("small", "A small one", 20, 500, runs, report, timed_problems=1)
    >>> [run.timing_repeats for run in small.planned_runs(Scope(sample=3))], small.command
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
        """All runs of the experiment.

        Parameters
        ----------
        scope
            Size of the experiment.

        Returns
        -------
        list of Run
            The runs. Those on problems that are not timed have no timing repeats.
        """
        limit = self.timed_problems if scope.timed_problems is None else scope.timed_problems
        seen: dict[Problem, int] = {}
        return [
            run if seen.setdefault(run.problem, len(seen)) < limit else replace(run, timing_repeats=0)
            for run in self.runs(scope)
        ]

    @property
    def command(self) -> str:
        """Command that runs the experiment."""
        return f"replan reproduce {self.user_reference or self.name}"


def read_paper_table(file: Path) -> list[dict[str, str]]:
    r"""Read a table of a paper from a CSV file with names of columns in the first line.

    Parameters
    ----------
    file
        The file.

    Returns
    -------
    list of dict
        A dict for each row.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "table.csv")
    ...     _ = file.write_text("row,cost\nRTAA* 9,123.4\n")
    ...     print(read_paper_table(file))
    [{'row': 'RTAA* 9', 'cost': '123.4'}]
    """
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))
