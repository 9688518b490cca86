"""ARA*: a path soon, a better one while there is time (Likhachev, Gordon, Thrun 2004; question 9 of paper 004).

Each episode is a new query from where the agent stands: weighted A* with a large weight, whatever that takes; then,
as long as the budget lasts, with weights smaller by `down`, each search reusing the last, to weight 1. A state is
expanded at most once a weight: one that is reached more cheaply after that waits for the next (`later`). Keys are 10
g + weight h with the weight in tenths, so all is exact.

`bound`: the path costs at most so many times the cheapest: the smaller of the weight and g(goal) over the least
g + h that is still open. Before the first episode it is the first weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import columns, empty, grown, zeros
from replan.clock import now_ns
from replan.limits import COMPLETE, INF, UNREACHABLE
from replan.planners.base import Planner
from replan.queues.base import OpenList
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class ARAStar(Planner):
    """Anytime Repairing A*."""

    g: memoryview
    h: memoryview
    stamp: memoryview
    parent: memoryview
    closed_in: memoryview
    open: OpenList
    bound: float

    def __init__(
        self, open: OpenList, heuristic: Any = None, check: bool = False, first: int = 30, down: int = 5
    ) -> None:
        Planner.__init__(self)
        self.open, self.given, self.check, self.first, self.down = open, heuristic, check, first, down
        self.x, self.iteration, self.delayed, self.bound = 0, 0, 0, first / 10.0
        self.later = empty(64, np.int32)

    def begin(self, space: Space, goals: Goals) -> None:
        if getattr(self, "space", None) is None or len(self.closed_in) < space.n:
            _, (self.g, self.h, self.stamp, self.parent) = columns(space.n, 4)
            self.closed_in, self.listed = zeros(space.n, np.int64), empty(space.n, np.int32)
        Planner.begin(self, space, goals)
        self.fitted = -1
        self.open.reseed()
        self.retarget(goals)

    def retarget(self, goals: Goals) -> None:
        self.goals, self.bound = goals, self.first / 10.0
        self.heuristic = heuristic_for(self.given, self.space, goals)
        if self.check and self.given is not None:
            refuse_inconsistent(self.heuristic, self.space, goals)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        if self.fitted != self.space.bound:
            with cython.gil:
                self.fit()
        self.start(at)
        done = self.improve(self.space, self.open, INF, 0)
        while done == 1 and self.best >= 0 and self.weight > 10:
            self.measure()
            if limit <= self.used or (deadline > 0 and now_ns() >= deadline):
                break
            self.reorder(max(10, self.weight - self.down))
            left = limit - self.used if limit < INF else INF
            done = self.improve(self.space, self.open, left, deadline)
        if done == 1 and self.best >= 0:
            self.measure()
        self.expansions += self.used
        self.percolations = self.open.percolations
        if self.best < 0:
            return UNREACHABLE
        self.lay(at)
        return COMPLETE

    def fit(self) -> int:
        self.fitted = self.space.bound
        return self.open.fit(self.space.n, (10 + self.first) * (self.fitted + 1), self.fitted, self.space.span * 10)

    def start(self, at: int) -> int:
        """A new query. (stamp: x + 1 while a state is queued, x when it is met and is not.)"""
        self.x += 2
        self.iteration += 1
        self.weight, self.best, self.delayed, self.used = self.first, -1, 0, 0
        self.open.clear()
        self.meet(at)
        self.g[at] = 0
        self.parent[at] = at
        self.stamp[at] = self.x + 1
        return self.open.insert(at, self.weight * self.h[at], 0)

    def meet(self, s: int) -> int:
        if self.stamp[s] < self.x:
            self.stamp[s] = self.x
            self.g[s] = INF
            self.h[s] = min(self.heuristic.estimate(s), self.fitted)
        return 0

    def improve(self, space: Space, open: OpenList, limit: int, deadline: int) -> int:
        """Until no open state can be on a path that the weight calls better: 1. Out of budget: 0."""
        limit = self.used + limit if limit < INF else INF
        while open.size > 0 and (self.best < 0 or open.top_f() < 10 * self.g[self.best]):
            if self.used >= limit or (deadline > 0 and self.used & 7 == 7 and now_ns() >= deadline):
                return 0
            self.used += 1
            if self.used & 8191 == 0:
                check_signals()
            u = open.pop(-1)
            self.stamp[u] = self.x
            self.closed_in[u] = self.iteration
            k = space.expand(u)
            for i in range(k):
                v = space.succ[i]
                gv = self.g[u] + space.cost[i]
                self.meet(v)
                if gv < self.g[v]:
                    self.reach(open, v, gv, u)
        return 1

    def reach(self, open: OpenList, v: int, gv: int, u: int) -> int:
        """A cheaper way to v, through u."""
        self.g[v] = gv
        self.parent[v] = u
        if self.goals.contains(v) and (self.best < 0 or gv < self.g[self.best]):
            self.best = v
        if self.closed_in[v] == self.iteration:
            return self.wait(v)
        f = 10 * gv + self.weight * self.h[v]
        if self.stamp[v] == self.x:
            self.stamp[v] = self.x + 1
            return open.insert(v, f, gv)
        return open.decrease(v, f, gv)

    def wait(self, v: int) -> int:
        if self.delayed == len(self.later):
            with cython.gil:
                self.later = grown(self.later, 2 * self.delayed)
        self.later[self.delayed] = v
        self.delayed += 1
        return 0

    def reorder(self, weight: int) -> int:
        """Begin the next search: all that is open, and what has waited, by the new keys."""
        self.weight = weight
        self.iteration += 1
        k = self.open.list_to(self.listed)
        for i in range(self.delayed):
            s = self.later[i]
            if self.stamp[s] == self.x:
                self.stamp[s] = self.x + 1
                self.listed[k] = s
                k += 1
        self.delayed = 0
        self.open.clear()
        for i in range(k):
            s = self.listed[i]
            self.open.insert(s, 10 * self.g[s] + weight * self.h[s], self.g[s])
        return 0

    def measure(self) -> int:
        """What the path is worth, by what is still open."""
        least = self.g[self.best]
        k = self.open.list_to(self.listed)
        for i in range(k):
            s = self.listed[i]
            least = min(least, self.g[s] + self.h[s])
        for i in range(self.delayed):
            s = self.later[i]
            least = min(least, self.g[s] + self.h[s])
        self.bound = self.weight / 10.0
        if least > 0:
            self.bound = min(self.bound, self.g[self.best] / (1.0 * least))
        return 0

    def lay(self, at: int) -> int:
        """By the parents from the goal back. (Their g may have fallen since, so the path can cost less than g says.)"""
        i = 0
        v = self.best
        self.trail[0] = v
        while v != at:
            u = self.parent[v]
            i += 1
            self.trail[i] = u
            self.toll[i] = self.space.edge(u, v)
            self.where[u] = i
            v = u
        self.ahead = i
        return 0

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        stamp = np.asarray(self.stamp)
        met = stamp >= self.x
        g = np.asarray(self.g)
        return {
            "g": np.where(met & (g < INF), g, -1),
            "h": np.where(met, np.asarray(self.h), -1),
            "parent": np.where(met & (g < INF), np.asarray(self.parent), -1),
            "open": stamp == self.x + 1,
            "closed": np.asarray(self.closed_in) == self.iteration,
        }
