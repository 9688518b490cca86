"""The table of rules: by what name people ask for one of ours, and what recipes say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from replan.search.choosing import AvoidRaised, BestF, ChoosingRule, LeastRaised, TakenF
from replan.search.learning import CurrentOnly, FromFrontier, LearningRule, OnePass


@dataclass(frozen=True)
class NamedRule:
    """A row of the table. make: the class. words: what it does, for a recipe."""

    make: Callable[..., LearningRule | ChoosingRule]
    words: str


LEARNING = {
    "one pass": NamedRule(OnePass, "h := f(best) - g in one pass"),
    "frontier": NamedRule(FromFrontier, "h from the frontier by Dijkstra"),
    "current": NamedRule(CurrentOnly, "h := f(best) of the agent's state alone"),
}
CHOOSING = {
    "best": NamedRule(BestF, "best f"),
    "taken": NamedRule(TakenF, "best f, taken out of the open list"),
    "avoid": NamedRule(AvoidRaised, "best f, avoiding raised states"),
    "least": NamedRule(LeastRaised, "least raised, then best f"),
}
