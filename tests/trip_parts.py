"""What random trips are made of: choices, terrain, and parts in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np

import public_names
import replan


class Draw:
    """Random choices that depend on the seed and on the number of the trip alone (and on what they are for)."""

    def __init__(self, seed: int, i: int, what: str = "") -> None:
        self.rng = np.random.default_rng([seed, i, crc32(what.encode())])

    def below(self, n: int) -> int:
        return int(self.rng.integers(n))

    def pick(self, among: Any) -> Any:
        return among[self.below(len(among))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def mask(self, shape: tuple[int, int], share: float) -> Any:
        return self.rng.random(shape) < share


# Terrain.


def blocked_map(draw: Draw, shape: tuple[int, int]) -> Any:
    """Scattered obstacles, rooms with doors, or a comb of dead ends."""
    kind = draw.pick(["scattered", "scattered", "rooms", "comb"])
    if kind == "scattered":
        return draw.mask(shape, draw.pick([0.0, 0.1, 0.25, 0.35, 0.45]))
    blocked = np.zeros(shape, bool)
    every = draw.pick([2, 3, 5])
    blocked[every - 1 :: every, :] = True
    if kind == "rooms":
        blocked[:, every - 1 :: every] = True
        return blocked & ~draw.mask(shape, 0.25)
    for i, row in enumerate(range(every - 1, shape[0], every)):
        blocked[row, 0 if i % 2 else -1] = False
    return blocked


def a_grid(draw: Draw, plain: bool) -> dict[str, Any]:
    """The arguments of a Grid."""
    largest = draw.pick([5, 12, 12, 20, 40])
    shape = 1 + draw.below(largest), 2 + draw.below(largest)
    made: dict[str, Any] = {"blocked": blocked_map(draw, shape), "neighbors": 4 if plain else draw.pick([4, 8, 8])}
    if plain:
        return made
    made["corners"] = draw.pick(["strict", "either", "free"])
    if draw.chance(0.35):
        table = draw.pick([[1, 2], [1, 1, 2, 3, 5], [1, 300, 65_535]])
        made["weights"] = np.array(table)[draw.rng.integers(len(table), size=shape)]
    if draw.chance(0.2):
        made["walls"] = draw.mask(shape, 0.15) + 2 * draw.mask(shape, 0.15)
    return made


class OnGrid:
    """A grid as the truth, and what can be said about its cells."""

    def __init__(self, draw: Draw, plain: bool) -> None:
        self.arguments = a_grid(draw, plain)
        blocked = self.arguments["blocked"]
        blocked[0, 0] = False
        self.space = replan.Grid(**self.arguments)
        self.cells = [tuple(c) for c in np.argwhere(~blocked).tolist()]
        self.all = [tuple(c) for c in np.argwhere(blocked | True).tolist()]
        self.weighted = "weights" in self.arguments

    def free(self) -> Any:
        """What one believes who knows nothing."""
        ones = np.ones(self.space.shape, int) if self.weighted else None
        return replan.Grid(**{**self.arguments, "blocked": np.zeros(self.space.shape, bool), "weights": ones})

    def other(self, draw: Draw) -> Any:
        """Another map of the same kind, as a belief that is wrong."""
        return replan.Grid(**{**self.arguments, "blocked": draw.mask(self.space.shape, 0.2)})

    def change(self, draw: Draw) -> tuple[Any, Any]:
        to = draw.pick(["blocked", "free", *([1, 2, 7] if self.weighted else [])])
        return draw.pick(self.all), to

    def edit(self, draw: Draw) -> tuple[Any, int]:
        return draw.pick(self.all), draw.pick([0, 0, 1, 1, *([2, 7] if self.weighted else [])])

    def around(self, cell: Any) -> list[Any]:
        """The places that one sees from a cell."""
        row, col = cell
        near = [(row + r, col + c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
        return [(r, c) for r, c in near if 0 <= r < self.space.rows and 0 <= c < self.space.cols]

    def value(self, cell: Any) -> int:
        return public_names.get_value(self.space, cell)

    def estimate(self, share: float) -> Callable[[Any, Any], float]:
        """A consistent heuristic, less informed than the grid's own."""
        if self.space.neighbors == 4:
            return lambda a, b: share * (abs(a[0] - b[0]) + abs(a[1] - b[1]))
        return lambda a, b: share * max(abs(a[0] - b[0]), abs(a[1] - b[1]))

    def estimates(self, share: float, goal: Any) -> Any:
        h = self.estimate(share)
        return np.array([h(c, goal) for c in self.all]).reshape(self.space.shape)


class OnGraph:
    """A graph as the truth."""

    def __init__(self, draw: Draw) -> None:
        n = 2 + draw.below(24)
        self.directed = draw.chance(0.5)
        largest = draw.pick([1, 3, 20, 1 << 20])
        ends = draw.rng.integers(n, size=(draw.pick([1, 2, 4]) * n, 2)).tolist()
        edges = [(f"n{u}", f"n{v}", 1 + draw.below(largest)) for u, v in ends]
        self.cells = [f"n{i}" for i in range(n)]
        spots = {node: (draw.below(50), draw.below(50)) for node in self.cells}
        positions = spots if draw.chance(0.5) else None
        self.space = replan.Graph(edges, self.directed, positions=positions, nodes=self.cells)
        self.costs = {(u, v): self.cost(u, v) for u, v, _ in edges if u != v}
        self.all = list(self.costs)
        self.open = self.space.copy()
        for edge in self.all:
            if draw.chance(0.15):
                self.space.block(*edge)

    def cost(self, u: Any, v: Any) -> int:
        return edge_cost(self.space, self.space.state(u), self.space.state(v))

    def free(self) -> Any:
        return self.open.copy()

    def other(self, draw: Draw) -> Any:
        made = self.open.copy()
        for edge in self.all:
            if draw.chance(0.2):
                made.block(*edge)
        return made

    def change(self, draw: Draw) -> tuple[Any, Any]:
        edge = draw.pick(self.all)
        return edge, draw.pick(["blocked", "free", self.costs[edge] + draw.below(5)])

    def edit(self, draw: Draw) -> tuple[Any, int]:
        edge = draw.pick(self.all)
        return edge, draw.pick([0, self.costs[edge], self.costs[edge] + 3])

    def around(self, node: Any) -> list[Any]:
        return [edge for edge in self.all if edge[0] == node]

    def value(self, edge: Any) -> int:
        return public_names.get_value(self.space, edge)

    def estimate(self, share: float) -> Callable[[Any, Any], float]:
        return lambda a, b: 0.0 if a == b else share

    def estimates(self, share: float, goal: Any) -> Any:
        return np.array([0.0 if self.space.key(s) == goal else share for s in range(self.space.n)])


def edge_cost(space: Any, u: int, v: int) -> int:
    """Cost of the edge between two states."""
    return int(public_names.attribute(space, "edge")(u, v))


# Parts in plain Python.


class OneSweep(replan.LearningRule):
    """One LRTA* update of every expanded state, the last expanded first."""

    def learn(self, lookahead: Any) -> int:
        h, increase = lookahead.h, 0
        for s in reversed(lookahead.closed):
            best = min((cost + h[v] for v, cost in lookahead.successors(s)), default=h[s])
            if best > h[s]:
                increase += best - h[s]
                h[s] = best
        return increase


class Wary(replan.ChoosingRule):
    """Best f, plus twice what h has risen by."""

    def choose(self, lookahead: Any) -> int:
        g, h = lookahead.g, lookahead.h
        return min(lookahead.frontier, key=lambda s: (g[s] + h[s] + 2 * (h[s] - lookahead.first_h(s)), -g[s], s))


class Greedy(replan.Planner):
    """A planner in Python: a step to the neighbour that it has planned from least often."""

    def begin(self, space: Any, goals: Any) -> None:
        super().begin(space, goals)
        self.visits: dict[int, int] = {}

    def plan(self, state: int, budget: Any) -> list[int] | None:
        self.visits[state] = self.visits.get(state, 0) + 1
        there = [s for s in range(self.space.n) if edge_cost(self.space, state, s) < 1 << 61]
        return [min(there, key=lambda s: (self.visits.get(s, 0), s))] if there else None


class Pacer(replan.Target):
    """A target in Python: to a state beside it, by turns."""

    def step(self, space: Any, state: int, agent_state: int) -> int:
        self.turn = getattr(self, "turn", 0) + 1
        there = [s for s in range(space.n) if edge_cost(space, state, s) < 1 << 61]
        return there[self.turn % len(there)] if there else state
