"""Multipath (Generalized) Adaptive A*, slowly: whether an old path is still cheapest, by its definition.

(Hernández, Asín, Baier 2014, 2015.)
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

from oracle.realtime import FirstH, RealTime, State, Steps, look_ahead, one_pass


class MultiPath(RealTime):
    """Adaptive A* that remembers every path it found."""

    def __init__(self, on_cost_decrease: str, **order: Any) -> None:
        RealTime.__init__(self, "RTAA*", inf, inf, on_cost_decrease, **order)

    def begin(self, goals: set[State], first_h: FirstH, bound: int) -> None:
        RealTime.begin(self, goals, first_h, bound)
        self.next: dict[State, State] = {}

    def whole(self, steps: Steps, s: State) -> bool:
        """Do the pointers lead from s to a goal, h falling by the cost of each step?"""
        while s not in self.goals:
            costs = [cost for v, cost in steps[s] if v == self.next.get(s)]
            if not costs or self.h[s] != min(costs) + self.h[self.next[s]]:
                return False
            s = self.next[s]
        return True

    def episode(self, steps: Steps, at: State) -> tuple[int, list[State] | None]:
        self.take_in_falls(steps)
        ends = {s for s in steps if self.whole(steps, s)}  # the goals among them
        look = look_ahead(steps, at, ends, self.h, inf, self.open)
        if not look.open:
            return look.expansions, None
        end = look.open[0]
        one_pass(look, self.bound + 1)
        found = [at, *look.path_to(end)]
        self.next.update(pairwise(found))
        path = []
        while at not in self.goals:
            at = self.next[at]
            path.append(at)
        return look.expansions, path
