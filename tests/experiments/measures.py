"""Ways to measure that worker processes import: so nothing here may take long to import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from replan.experiments.mazes import maze_problems
from replan.experiments.runs import Measurement, Run, make_options, measure_trip


def small_runs(problems: int, measure: Callable[[Run], Measurement] = measure_trip) -> list[Run]:
    return [
        Run("RTAA*", make_options(lookahead=k, ties="random"), problem, {"lookahead": k}, measure)
        for problem in maze_problems(problems, size=31)
        for k in (1, 9, 33)
    ]


def slow_walk(run: Run) -> Measurement:
    """Long enough for a worker to be killed meanwhile."""
    time.sleep(0.1)
    return measure_trip(run)


def deadly_walk(run: Run) -> Measurement:
    """Kills its worker the first time, twice."""
    mark = Path(os.environ["REPLAN_TEST_MARK"]) / f"{run.problem.seed % 2}"
    if run.problem.seed in (3, 4) and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return measure_trip(run)


def always_deadly(run: Run) -> Measurement:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
