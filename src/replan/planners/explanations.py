"""The explanation of each planner: `replan planners NAME` prints it, and the site makes a page of it.

The `explanation` of a PlannerSpec begins with the idea; lists follow under `Guarantees:`, `Limits:` and `Parts:`. The
parts are methods, named as in `search.astar.Search.loop`. The module of a method has its pseudo-code in `PSEUDO_CODE`,
below the heading `## Search.loop`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from textwrap import dedent

from replan.planners.registry import planners
from replan.planners.spec import PlannerSpec

#: Title and idea of each family, by its key in a PlannerSpec. The family that most readers look for comes first.
FAMILIES = {
    "real-time": (
        "Real-time search with learning",
        "An episode searches a few states around the agent, learns from them how far the goal is at least, and moves. "
        "Its time does not depend on the size of the map.",
    ),
    "time-sliced": (
        "Time-sliced search",
        "One search of the complete path is spread over the time steps of the agent. Until it is complete, the agent "
        "moves by a rule of the planner, or waits.",
    ),
    "incremental": ("Incremental search", "Keep the search tree, and repair it where costs have changed."),
    "adaptive": (
        "Adaptive search",
        "Successive A* searches have the same goal. Each search raises the h-values for the next one, which then "
        "expands fewer states.",
    ),
    "repeated": (
        "A* and repeated search",
        "Whenever the path is blocked, discard the last search and search again, all the way to the goal.",
    ),
}


@dataclass(frozen=True)
class Explanation:
    """A planner in words.

    Parameters
    ----------
    family
        Title of its family.
    idea
        How it works, in a few sentences.
    guarantees
        What holds for every trip.
    limits
        What it cannot do.
    parts
        The methods to read, beginning with what it does in an episode.
    """

    family: str
    idea: str
    guarantees: tuple[str, ...]
    limits: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """Planners that share an idea.

    Parameters
    ----------
    title
        Name of the family.
    idea
        What the planners have in common.
    planners
        Names of the planners, in the order of lists.
    """

    title: str
    idea: str
    planners: tuple[str, ...]


@cache
def families() -> tuple[Family, ...]:
    """Return all families, the one that most readers look for first."""
    return tuple(
        Family(title, idea, tuple(spec.name for spec in planners() if spec.family == family))
        for family, (title, idea) in FAMILIES.items()
    )


@cache
def explanations() -> dict[str, Explanation]:
    """Return the explanation of each planner, by its name."""
    return {spec.name: _explanation(spec) for spec in planners()}


@cache
def pseudo_code() -> dict[str, str]:
    """Return the pseudo-code of each part, by the name of the method."""
    modules = {".".join(part.split(".")[:2]) for explanation in explanations().values() for part in explanation.parts}
    return {f"{module}.{inner}": text for module in sorted(modules) for inner, text in _blocks(module).items()}


def _blocks(module: str) -> dict[str, str]:
    """Return the text below each heading of the pseudo-code of a module."""
    blocks = re.split(r"(?m)^## ", import_module(f"replan.{module}").PSEUDO_CODE)[1:]
    parts = (block.partition("\n") for block in blocks)
    return {heading: dedent(text).strip("\n") for heading, _, text in parts}


def _explanation(spec: PlannerSpec) -> Explanation:
    """Parse the explanation of a planner."""
    idea, *lists = re.split(r"(?m)^(?:Guarantees|Limits|Parts):$", spec.explanation)
    guarantees, limits, parts = (tuple(_one_line(item) for item in re.split(r"(?m)^- ", text)[1:]) for text in lists)
    return Explanation(FAMILIES[spec.family][0], _one_line(idea), guarantees, limits, parts)


def _one_line(text: str) -> str:
    """Join the lines of a text."""
    return " ".join(text.split())
