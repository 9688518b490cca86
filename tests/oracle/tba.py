"""Time-Bounded A*, slowly: an A* over dictionaries that can be stopped, and the walk of its agent (known terrain)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle.grids import Edges


class SlicedAStar:
    """Takes the smallest f, then the largest g, then the oldest entry; stops when a goal is the smallest."""

    def __init__(self, edges: Edges, root: Any, goals: set[Any], h: Callable[[Any], int]) -> None:
        self.edges, self.goals, self.h = edges, goals, h
        self.g, self.parent, self.age = {root: 0}, {root: root}, {root: 0}
        self.open, self.births = {root}, 0

    def best(self) -> Any:
        return min(self.open, key=lambda s: (self.g[s] + self.h(s), -self.g[s], self.age[s]), default=None)

    def expand(self, most: int) -> int:
        """How many states were expanded."""
        for done in range(most):
            u = self.best()
            if u is None or u in self.goals:
                return done
            self.open.remove(u)
            for v, cost in self.edges[u].items():
                if self.g[u] + cost < self.g.get(v, self.g[u] + cost + 1):
                    self.births += 1
                    self.g[v], self.parent[v], self.age[v] = self.g[u] + cost, u, self.births
                    self.open.add(v)
        return most


def walk(
    edges: Edges, start: Any, goals: set[Any], h: Callable[[Any], int], expand: int, trace: int
) -> tuple[str, list[Any], int]:
    """Why the trip ended, the path, and how many steps of time it took."""
    search, at, trip, steps = SlicedAStar(edges, start, goals, h), start, [start], 0
    path: list[Any] = []  # from its end to where it was met
    tracing: list[Any] = []
    while at not in goals:
        search.expand(expand)
        best = search.best()
        if best is None:
            return "unreachable", trip, steps
        if not tracing and path[:1] != [best]:
            tracing = [best]
            left = trace - 1
        else:
            left = trace
        while tracing and tracing[-1] not in (at, start) and left > 0:
            tracing.append(search.parent[tracing[-1]])
            left -= 1
        if tracing and tracing[-1] in (at, start):
            path, tracing = tracing, []
        steps += 1
        if path and at != path[0]:
            at = path[path.index(at) - 1] if at in path else search.parent[at]
            trip.append(at)
    return "reached", trip, steps
