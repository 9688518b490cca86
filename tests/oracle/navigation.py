"""An agent in terrain that it does not know, slowly: the conventions of `simulate`, in lists and dictionaries.

Sense first. Search anew when a step ahead on the path costs more than it did when the path was found, or when the
cost of any step fell, or when the target leaves the path (or moves at all, where paths are not cheapest). A step of
time is a move or a wait; then the changes that are due happen (a cell is not blocked while the agent stands on it),
the target moves unless the agent has caught it, and the agent senses again. Changes of step 0 happen at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from oracle.grids import Cell, Edges, edges_of_grid, estimate
from oracle.searches import Found, astar, breadth_first

Values = list[list[int]]  # 0 blocked, else the weight
Searcher = Callable[[Edges, Cell, set[Cell]], Found]
Sensor = Callable[[Any, Cell], list[Cell]]  # the blocked cells of the truth, and where the agent is


@dataclass
class Rules:
    """What makes steps of values."""

    neighbors: int
    corners: str
    weighted: bool
    walls: Any = None

    def edges(self, values: Values) -> Edges:
        blocked = [[v == 0 for v in row] for row in values]
        return edges_of_grid(blocked, self.neighbors, self.corners, values if self.weighted else None, self.walls)

    def h(self, a: Cell, b: Cell) -> int:
        return estimate(self.neighbors, self.weighted, a, b)


@dataclass
class Journey:
    path: list[Cell]
    why: str = ""
    steps: int = 0
    expansions: list[int] = field(default_factory=list)


def forward(rules: Rules, prefer: str = "larger g", ties: str = "first-in", tenths: int = 10) -> Searcher:
    """Repeated Forward A*, or weighted A* with h times tenths / 10, rounded down."""

    def search(edges: Edges, at: Cell, goals: set[Cell]) -> Found:
        return astar(edges, at, goals, lambda s: min(rules.h(s, g) for g in goals) * tenths // 10, prefer, ties)

    return search


def backward(rules: Rules, prefer: str = "larger g", ties: str = "first-in") -> Searcher:
    """Repeated Backward A* (one goal): from the goal to the agent; every step of a grid can be taken back."""

    def search(edges: Edges, at: Cell, goals: set[Cell]) -> Found:
        (goal,) = goals
        found = astar(edges, goal, {at}, lambda s: rules.h(at, s), prefer, ties)
        if found.path is not None:
            found.path = found.path[::-1]
        return found

    return search


def flood(rules: Rules) -> Searcher:
    return breadth_first


class Navigator:
    """One trip."""

    def __init__(
        self,
        rules: Rules,
        truth: Values,
        belief: Values,
        sensor: Sensor,
        search: Searcher,
        changes: list[tuple[int, Cell, int]] | None = None,
        target: list[Cell] | None = None,
        cheapest: bool = True,
    ) -> None:
        self.rules, self.sensor, self.search = rules, sensor, search
        self.truth, self.belief = [list(row) for row in truth], [list(row) for row in belief]
        self.pending = sorted(changes or [], key=lambda change: change[0])
        self.target, self.cheapest = target, cheapest
        self.plan: list[Cell] = []  # the steps that are left
        self.tolls: dict[tuple[Cell, Cell], int] = {}
        self.fresh = False

    def go(self, start: Cell, goals: set[Cell], max_steps: int = 10_000) -> Journey:
        self.at, self.goals, self.time, self.moved = start, goals, 0, 0
        self.happen()
        trip = Journey([start])
        self.sense()
        while self.at not in self.goals:
            if trip.steps >= max_steps:
                trip.why = "max_moves"
                return trip
            if not self.fresh or not self.plan:
                trip.expansions.append(self.think())
                if not self.fresh and not self.may_change():
                    trip.why = "unreachable"
                    return trip
            if self.fresh:
                self.at = self.plan.pop(0)
                assert self.at in self.rules.edges(self.truth)[trip.path[-1]], "walked through something"
                trip.path.append(self.at)
            trip.steps += 1
            self.pass_time()
            self.sense()
        trip.why = "reached"
        return trip

    def think(self) -> int:
        edges = self.rules.edges(self.belief)
        found = self.search(edges, self.at, self.goals)
        self.fresh = found.path is not None
        self.plan = found.path[1:] if found.path else []
        steps = [self.at, *self.plan]
        self.tolls = {(a, b): edges[a][b] for a, b in zip(steps, self.plan, strict=False)}
        return len(found.expanded)

    def sense(self) -> None:
        blocked = [[v == 0 for v in row] for row in self.truth]
        for r, c in self.sensor(blocked, self.at):
            if self.belief[r][c] != self.truth[r][c]:
                before = self.rules.edges(self.belief)
                self.belief[r][c] = self.truth[r][c]
                self.compare(before, self.rules.edges(self.belief))

    def compare(self, before: Edges, after: Edges) -> None:
        """Is the path still good after the costs changed?"""
        for u in after:
            if any(cost < before[u].get(v, cost + 1) for v, cost in after[u].items()):
                self.fresh = False
        steps = [self.at, *self.plan]
        for a, b in zip(steps, self.plan, strict=False):
            if b not in after[a] or after[a][b] > self.tolls[a, b]:
                self.fresh = False

    def pass_time(self) -> None:
        self.time += 1
        self.happen()
        if self.target and self.at not in self.goals:
            self.moved = min(self.moved + 1, len(self.target) - 1)
            self.aim(self.target[self.moved])

    def happen(self) -> None:
        waiting = []
        for change in self.pending:
            when, (r, c), value = change
            if when > self.time or ((r, c) == self.at and value == 0):
                waiting.append(change)
            else:  # what was put off and is overtaken by a later change of the same cell never happens
                waiting = [other for other in waiting if other[1] != (r, c)]
                self.truth[r][c] = value
        self.pending = waiting

    def aim(self, place: Cell) -> None:
        if place not in self.goals:
            self.goals = {place}
            if self.cheapest and place in self.plan[:-1]:  # the path leads there too: walk no further
                self.plan = self.plan[: self.plan.index(place) + 1]
            else:
                self.fresh = False

    def may_change(self) -> bool:
        """May waiting help? A cell that only waits for the agent to leave it does not."""
        coming = any(when > self.time for when, _, _ in self.pending)
        return coming or (self.target is not None and self.moved < len(self.target) - 1)
