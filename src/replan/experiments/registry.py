"""The experiments by name."""

from __future__ import annotations

import importlib

from replan.errors import InputError
from replan.experiments.experiment import Experiment

#: Each is a module of this package with an `EXPERIMENT`, and what it shows.
NAMES = {
    "rtaa": "Real-Time Adaptive A*: Table 1, Figure 9, and which planner to use under a time limit",
    "depression": "Depression avoidance: Figures 1 and 2, pairwise comparisons, deadlines",
    "buckets": "D* Lite with buckets: Table 1, Figures 1 and 2",
    "rtd": "Real-Time D*: Figures 3 and 4, unknown worlds and rooms with doors",
    "new": "The tables of all papers with the planners that you name: --planners LIST",
    "example": "The worked examples of papers 000 and 004, drawn cell by cell",
    "course": "The course project: questions 0 to 9 and the extra credits of paper 004",
}


def experiment(name: str) -> Experiment:
    """An experiment by its name. Raises InputError."""
    if name not in NAMES:
        raise InputError(f"there is no experiment {name!r}; there are {', '.join(NAMES)}")
    found = importlib.import_module(f"replan.experiments.{name}").EXPERIMENT
    assert isinstance(found, Experiment)
    return found
