"""Eager Moving-Target Adaptive A* (Koenig, Likhachev, Sun 2007) with the consistency procedure of its generalised form.

Every step goes over all states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from oracle.grids import Edges
from oracle.searches import dijkstra


class EagerAdaptive:
    """h of all states. Costs that fell are taken in before the target moves and before a search."""

    def __init__(self, edges: Edges, first_h: Callable[[Any], int], goals: Iterable[Any]) -> None:
        self.edges, self.goals = edges, set(goals)
        self.h = {s: first_h(s) for s in edges}

    def costs(self, edges: Edges) -> None:
        self.edges = edges

    def repair(self) -> None:
        """The largest values below h that are consistent, by going over all edges until nothing changes."""
        changed = True
        while changed:
            changed = False
            for u in self.edges:
                for v, cost in self.edges[u].items():
                    if u not in self.goals and self.h[u] > cost + self.h[v]:
                        self.h[u], changed = cost + self.h[v], True

    def target(self, goals: Iterable[Any], first_h: Callable[[Any], int]) -> None:
        """The goal has moved: all values sink by what the new goal was worth."""
        self.repair()
        self.goals = set(goals)
        d = max(self.h[g] for g in self.goals)
        self.h = {s: max(first_h(s), value - d) for s, value in self.h.items()}

    def learn(self, at: Any, expanded: Iterable[Any], cost: int | None) -> None:
        """After a search from `at` that found a way of this cost; nothing is learned from one that found none."""
        if cost is not None:
            g = dijkstra(self.edges, at)
            for s in expanded:
                self.h[s] = max(self.h[s], cost - g[s])
