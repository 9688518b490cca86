"""The oracle: cheapest ways over terrain that changes, by Dijkstra's algorithm and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from fuzz.ground import Cell, Ground, Place, Steps, Values

NEVER = 1 << 62


class Belief:
    """What somebody believes of the ground, or what is true; changes one place at a time."""

    def __init__(self, ground: Ground, values: Values) -> None:
        self.ground, self.values = ground, values
        self.out: dict[Cell, Steps] = {}
        self.back: dict[Cell, Steps] = {}
        self.far: dict[frozenset[Cell], dict[Cell, int]] = {}
        self.last: dict[Place, int] = {}  # what blocked places were worth before

    def if_free(self, place: Place) -> int:
        """What a place is worth if it is free, and no more is said of it. Spaces of a user's remember nothing."""
        own = getattr(self.ground, "own", False)
        return self.get(place) or (0 if own else self.last.get(place, 0)) or self.ground.least(place)

    def get(self, place: Place) -> int:
        return self.values.get(place)

    def put(self, place: Place, value: int) -> bool:
        """Give a place another value. Has a step become cheaper?"""
        old = self.values.get(place)
        if old == value:
            return False
        self.values.put(place, value)  # type: ignore[arg-type]
        self.last[place] = old
        for cell in self.ground.touching(place):
            self.out.pop(cell, None)
            self.back.pop(cell, None)
        self.far.clear()
        return value != 0 and (old == 0 or value < old)

    def steps(self, cell: Cell) -> Steps:
        """Where a step leads from a cell, and what it costs in ticks."""
        if cell not in self.out:
            self.out[cell] = self.ground.steps(self.values, cell)  # type: ignore[arg-type]
        return self.out[cell]

    def steps_to(self, cell: Cell) -> Steps:
        if self.ground.both_ways:
            return self.steps(cell)
        if cell not in self.back:
            self.back[cell] = self.ground.steps_to(self.values, cell)  # type: ignore[arg-type]
        return self.back[cell]

    def cost(self, path: list[Cell]) -> int:
        """What a path costs in ticks; NEVER if a step of it is none."""
        total = 0
        for a, b in pairwise(path):
            if b not in self.steps(a):
                return NEVER
            total += self.steps(a)[b]
        return total

    def distances(self, goals: Iterable[Cell]) -> dict[Cell, int]:
        """The cost of a cheapest way to the nearest goal from each cell that has one."""
        wanted = frozenset(goals)
        if wanted not in self.far:
            self.far[wanted] = self._dijkstra(wanted)
        return self.far[wanted]

    def _dijkstra(self, goals: frozenset[Cell]) -> dict[Cell, int]:
        final: dict[Cell, int] = {}
        queue: list[Any] = [(0, goal) for goal in sorted(goals)]
        while queue:
            d, u = heappop(queue)
            if u not in final:
                final[u] = d
                for v, cost in self.steps_to(u).items():
                    if v not in final:
                        heappush(queue, (d + cost, v))
        return final
