"""The experiments that come with the package, by the names that `replan reproduce` knows them by.

To list them nothing of theirs is imported: that works without the extra `experiments`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from replan.errors import InputError

if TYPE_CHECKING:
    from replan.experiments.experiment import Experiment

#: Each with what it shows, and its module in this package, which has it as `EXPERIMENT`.
EXPERIMENTS = {
    "rtaa": ("RTAA* 2006: Table 1, Figure 9, and which planner to use under a time limit", "rtaa.experiment"),
    "depression": (
        "Depression avoidance 2011: Figures 1 and 2, pairwise comparisons, deadlines",
        "depression.experiment",
    ),
    "buckets": ("Buckets 2006: D* Lite with buckets, Table 1, Figures 1 and 2", "buckets.experiment"),
    "rtd": ("RTD* 2010: Figures 3 and 4, unknown worlds and rooms with doors", "rtd.experiment"),
    "new": ("The tables of all papers with the planners that you name: --planners LIST", "your_planners"),
    "example": (
        "The worked examples of RTAA* 2006 and of the course project, drawn cell by cell",
        "examples.experiment",
    ),
    "course": ("The course project: questions 0 to 9 and the extra credits", "course.experiment"),
}


def experiment(name: str) -> Experiment:
    """An experiment by its name. Raises InputError."""
    if name not in EXPERIMENTS:
        raise InputError(f"there is no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    _, module = EXPERIMENTS[name]
    found: Experiment = importlib.import_module(f"replan.papers.{module}").EXPERIMENT
    return found
