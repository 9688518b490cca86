"""FRIT, slowly: pointers in a dictionary, and whether a state hangs on the tree by walking along them.

(Rivera, Illanes, Baier, Hernández 2014; which pointers, and which search, as in `planners/frit.py`.)
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

from oracle.realtime import FirstH, Learned, Open, State, Steps, look_ahead


class Frit:
    """kind: "bfs", "uniform" or "a-star". one_way: pointers are followed only if they lead all the way."""

    def __init__(self, kind: str, on_cost_decrease: str, one_way: bool, **order: Any) -> None:
        self.kind, self.on_cost_decrease, self.one_way = kind, on_cost_decrease, one_way
        self.open = Open(**order)

    def begin(self, steps: Steps, goals: set[State], first_h: FirstH, bound: int) -> None:
        self.steps, self.bound = steps, bound
        self.target(goals, first_h)

    def target(self, goals: set[State], first_h: FirstH) -> None:
        self.goals, self.first_h = goals, first_h
        self.plant()

    def plant(self) -> None:
        self.p: dict[State, State | None] = {}
        self.fallen = False

    def costs(self, steps: Steps, rise: bool) -> None:
        """One place has changed."""
        touched = [u for u in steps if steps[u] != self.steps[u]]
        self.steps = steps
        self.fallen = self.fallen or (bool(touched) and not rise and self.on_cost_decrease == "reset")
        for u in self.p:
            if all(v != self.p[u] for v, _ in steps[u]):
                self.p[u] = None

    def pointer(self, s: State) -> State | None:
        if s not in self.p:
            tight = [v for v, cost in self.steps[s] if self.first_h(s) == cost + self.first_h(v)]
            self.p[s] = tight[0] if tight else None
        return self.p[s]

    def __contains__(self, s: State) -> bool:
        """Does s hang on the tree? Whom this search has walked through does not."""
        while s not in self.goals:
            if s in self.colored:
                return False
            self.colored.add(s)
            s = self.pointer(s)
            if s is None:
                return False
        return True

    def episode(self, at: State) -> tuple[int, list[State] | None]:
        """The number of expansions, and the path to walk; None: no way to a goal."""
        if self.fallen:
            self.plant()
        expansions = 0
        if at not in self.goals and (self.one_way or self.pointer(at) is None):
            self.colored: set[State] = set()
            expansions, way = self.flood(at) if self.kind == "bfs" else self.best_first(at)
            if way is None:
                return expansions, None
            self.p.update(pairwise(way))
        path = []
        while at not in self.goals and self.pointer(at) is not None:
            at = self.pointer(at)
            path.append(at)
        return expansions, path

    def flood(self, at: State) -> tuple[int, list[State] | None]:
        """Each state is tested when it is generated."""
        parent, queue, expansions = {at: at}, [at], 0
        tested = 0
        while True:
            for v in queue[tested:]:
                tested += 1
                if v in self:
                    way = [v]
                    while way[0] != at:
                        way.insert(0, parent[way[0]])
                    return expansions, way
            if expansions == len(queue):
                return expansions, None
            u = queue[expansions]
            expansions += 1
            for v, _ in self.steps[u]:
                if v not in parent:
                    parent[v] = u
                    queue.append(v)

    def best_first(self, at: State) -> tuple[int, list[State] | None]:
        """Each state is tested when it is taken."""
        h = Learned(lambda s: min(self.first_h(s), self.bound + 1) if self.kind == "a-star" else 0)
        look = look_ahead(self.steps, at, self, h, inf, self.open)  # type: ignore[arg-type]
        return look.expansions, [at, *look.path_to(look.open[0])] if look.open else None
