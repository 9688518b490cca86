"""The record of a trip, as people read it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from replan.spaces.space import Space
from replan.writing import write_text

WHY = {
    "reached": "reached the goal",
    "unreachable": "found the goal unreachable",
    "max_moves": "was stopped by max_moves",
}


@dataclass(frozen=True, eq=False)
class Trip:
    """What happened on one trip.

    why: "reached", "unreachable" or "max_moves". cost: what the walked path cost, in steps. steps: moves and waits.
    informed_steps: moves along a path that was known to lead to the goal; partial_steps: the others, chosen by a
    search that had not come that far. h_increase: by how much h-values rose in all, in steps. refreshes: keys brought
    up to date by an incremental search, which are no expansions but use up the limit of RTD*. intakes: states whose
    changed costs an incremental search took in. search_ns: nanoseconds of the whole loop, or, with timing="episode", of
    the searches alone (episode_ns has each of them) without taking in changed costs (intake_ns). path: the cells walked
    through, start and end included.
    """

    planner: str
    reached: bool
    why: str
    cost: float
    moves: int
    steps: int
    waits: int
    informed_steps: int
    partial_steps: int
    episodes: int
    expansions: int
    refreshes: int
    percolations: int
    h_increase: float
    intakes: int
    search_ns: int
    intake_ns: int | None
    episode_expansions: list[int]
    episode_ns: list[int] | None
    states: np.ndarray[Any, Any] = field(repr=False)
    space: Space = field(repr=False)

    @cached_property
    def path(self) -> list[Any]:
        return self.space.keys(self.states)

    def as_dict(self) -> dict[str, Any]:
        """All figures and the path, ready for JSON."""
        figures = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("states", "space")}
        return {**figures, "path": self.path}

    def save(self, path: str | Path) -> None:
        """Write the trip to a JSON file."""
        write_text(path, json.dumps(self.as_dict()) + "\n")

    def __str__(self) -> str:
        waits = f"{self.waits:,} waits, " if self.waits else ""
        return (
            f"{self.planner} {WHY[self.why]}: cost {self.cost:,.1f}, {self.moves:,} moves, {waits}"
            f"{self.episodes:,} episodes, {self.expansions:,} expansions"
        )
