"""What people are told of each planner: `replan planners NAME` prints it, and the site makes a page of it.

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

#: Title and idea of each family, by the name that a PlannerSpec has for it; the one most people look for first.
FAMILIES = {
    "real-time": (
        "Look ahead, learn, move",
        "An episode looks at a few states around the agent, learns from them how far the goal is at least, and moves. "
        "Its time does not depend on the size of the map.",
    ),
    "sliced": (
        "A whole search, a slice a step",
        "One search of the whole way is shared out over the steps of the agent, which does something sensible until it "
        "has arrived.",
    ),
    "incremental": ("Repair the last search", "Keep the search tree, and mend it where costs have changed."),
    "adaptive": (
        "Learn from each search",
        "A* searches that follow each other have the same goal. What one of them has found out makes the h of the next "
        "one larger, and the search smaller.",
    ),
    "repeated": (
        "Search anew",
        "Whenever the path is blocked, forget the last search and make another one, all the way to the goal.",
    ),
}


@dataclass(frozen=True)
class Explanation:
    """A planner in words. parts: the methods to read, beginning with what it does in an episode."""

    family: str
    idea: str
    guarantees: tuple[str, ...]
    limits: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """Planners that share an idea, in the order in which they are told."""

    title: str
    idea: str
    planners: tuple[str, ...]


@cache
def families() -> tuple[Family, ...]:
    """All families, the one most people look for first."""
    return tuple(
        Family(title, idea, tuple(spec.name for spec in planners() if spec.family == family))
        for family, (title, idea) in FAMILIES.items()
    )


@cache
def explanations() -> dict[str, Explanation]:
    """What is said of each planner, by its name."""
    return {spec.name: _explanation(spec) for spec in planners()}


@cache
def pseudo_code() -> dict[str, str]:
    """The pseudo-code of each part, by the name of the method."""
    modules = {".".join(part.split(".")[:2]) for told in explanations().values() for part in told.parts}
    return {f"{module}.{inner}": text for module in sorted(modules) for inner, text in _blocks(module).items()}


def _blocks(module: str) -> dict[str, str]:
    """What stands below each heading of the pseudo-code of a module."""
    told = re.split(r"(?m)^## ", import_module(f"replan.{module}").PSEUDO_CODE)[1:]
    headed = (block.partition("\n") for block in told)
    return {heading: dedent(text).strip("\n") for heading, _, text in headed}


def _explanation(spec: PlannerSpec) -> Explanation:
    idea, *lists = re.split(r"(?m)^(?:Guarantees|Limits|Parts):$", spec.explanation)
    guarantees, limits, parts = (tuple(_one_line(item) for item in re.split(r"(?m)^- ", text)[1:]) for text in lists)
    return Explanation(FAMILIES[spec.family][0], _one_line(idea), guarantees, limits, parts)


def _one_line(text: str) -> str:
    return " ".join(text.split())
