"""LRTA*(k) from its pseudo-code (Hernández, Meseguer: LRTA*(k), IJCAI 2005), in dictionaries and lists."""

from __future__ import annotations

from math import inf
from typing import Any

from oracle.realtime import FirstH, Korf, State, Steps


class LRTAStarK(Korf):
    """LRTA* with depth 1 that updates up to k states before each move."""

    def __init__(self, k: int, lookahead: float = inf, on_cost_decrease: str = "keep", **order: Any) -> None:
        super().__init__("LRTA*", 1, True, on_cost_decrease, **order)
        self.k = min(k, lookahead)
        self.support: dict[State, State] = {}

    def begin(self, goals: set[State], first_h: FirstH, bound: int) -> None:
        super().begin(goals, first_h, bound)
        self.support = {}

    def forget(self) -> None:
        super().forget()
        self.support = {}

    def episode(self, steps: Steps, at: State) -> tuple[int, list[State] | None]:
        """The number of updates, and the step."""
        self.take_in_falls(steps)
        updates = self.update(steps, at)
        least: dict[State, int] = {}  # parallel edges: the cheapest counts
        for n, cost in steps[at]:
            least[n] = min(cost, least.get(n, cost))
        values = {n: min(cost + self.h[n], self.bound + 1) for n, cost in least.items()}
        learned = self.h[at]
        step = self.step(steps, at, least, values)
        if min(values.values(), default=inf) <= self.bound and at in self.h.changed:
            self.h[at] = learned  # a step teaches nothing more
        return updates, step

    def update(self, steps: Steps, at: State) -> int:
        queue, left, updates = [at], self.k - 1, 0
        while queue:
            v = queue.pop(0)
            updates += 1
            self.support.pop(v, None)
            if not steps[v]:
                continue
            values = [cost + self.h[w] for w, cost in steps[v]]
            self.support[v] = steps[v][values.index(min(values))][0]
            if self.h[v] < min(values) <= self.bound:
                self.h[v] = min(values)
                for w, _ in steps[v]:
                    if self.support.get(w) == v and left > 0 and w not in self.goals:
                        queue.append(w)
                        left -= 1
        return updates
