"""Find experiments for `replan reproduce`: those of the package by name, the user's own as `FILE.py:NAME`.

Listing the experiments imports none of them, so it works without the extra `experiments`.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from replan.errors import InputError
from replan.suggest import did_you_mean

if TYPE_CHECKING:
    from replan.experiments.experiment import Experiment

#: Description of each experiment, and its module in this package, which defines `EXPERIMENT`.
EXPERIMENTS = {
    "rtaa": ("RTAA* 2006: Table 1, Figure 9, and which planner to use under a time limit", "rtaa.experiment"),
    "depression": (
        "Depression avoidance 2011: Figures 1 and 2, pairwise comparisons, deadlines",
        "depression.experiment",
    ),
    "buckets": ("Buckets 2006: D* Lite with buckets, Table 1, Figures 1 and 2", "buckets.experiment"),
    "rtd": ("RTD* 2010: Figures 3 and 4, unknown worlds and rooms with doors", "rtd.experiment"),
    "dispute": ("Is MPGAA* faster than D* Lite? All that repair or learn, side by side", "dispute.experiment"),
    "time-budget": ("All real-time planners: the cost of a trip against the time of an episode", "frame.experiment"),
    "user-planners": ("The tables of all papers with the planners that you name: --planners LIST", "user_planners"),
    "example": (
        "The worked examples of RTAA* 2006 and of the course project, drawn cell by cell",
        "examples.experiment",
    ),
    "moving-ai": (
        "Published scenarios, known and unknown terrain: --maps DIR, or `replan benchmark DIR`",
        "moving_ai.experiment",
    ),
    "course": ("The course project: questions 0 to 9 and the extra credits", "course.experiment"),
}


USER_EXPERIMENT_EXAMPLE = "my_experiment.py:EXPERIMENT"


def find_experiment(text: str) -> Experiment:
    """Return an experiment of the package by name, or the user's own by FILE.py:NAME. Raises InputError."""
    file, colon, name = text.rpartition(":")
    if colon and file.endswith(".py"):
        return load_user_experiment(Path(file), name)
    if text.endswith(".py"):
        return load_user_experiment(Path(text), "EXPERIMENT")  # the default name
    if text not in EXPERIMENTS:
        raise InputError(
            f"there is no experiment {text!r}{did_you_mean(text, list(EXPERIMENTS))}; "
            f"there are {', '.join(EXPERIMENTS)}, and files of your own: {USER_EXPERIMENT_EXAMPLE}"
        )
    _, module = EXPERIMENTS[text]
    experiment: Experiment = importlib.import_module(f"replan.papers.{module}").EXPERIMENT
    return experiment


def load_user_experiment(file: Path, name: str) -> Experiment:
    """Return the experiment with a name from a file outside the package. Raises InputError."""
    from replan.experiments.experiment import Experiment
    from replan.experiments.user_code import import_file

    module = import_file(file)
    experiment = getattr(module, name, None)
    if not isinstance(experiment, Experiment):
        names = [known for known, value in vars(module).items() if isinstance(value, Experiment)]
        hint = f"it has {', '.join(names)}" if names else "define one, as examples/own_experiment.py does"
        raise InputError(f"there is no Experiment {name!r} in this file; {hint}", file)
    return replace(experiment, user_reference=f"{file}:{name}", worker_files=(file.resolve(),))
