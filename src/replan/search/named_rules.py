"""The names of the rules: the values of the options `learning=` and `choosing=`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from replan.search.choosing import AvoidRaised, BestF, ChoosingRule, LeastRaised, PopBestF
from replan.search.learning import CurrentOnly, FromFrontier, LearningRule, OnePass


@dataclass(frozen=True)
class RuleEntry:
    """A row of the table: the class of a rule, and what it does, in words for a recipe."""

    constructor: Callable[..., LearningRule | ChoosingRule]
    description: str


LEARNING_RULES = {
    "one pass": RuleEntry(OnePass, "h := f(best) - g in one pass"),
    "frontier": RuleEntry(FromFrontier, "h from the frontier by Dijkstra"),
    "current": RuleEntry(CurrentOnly, "h := f(best) of the agent's state alone"),
}
CHOOSING_RULES = {
    "best": RuleEntry(BestF, "best f"),
    "taken": RuleEntry(PopBestF, "best f, popped from the open list"),
    "avoid": RuleEntry(AvoidRaised, "best f, avoiding raised states"),
    "least": RuleEntry(LeastRaised, "least raised, then best f"),
}
