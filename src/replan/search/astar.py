"""A* that can be stopped: the lookahead of every planner here.

One `Search` serves all episodes of an agent. Nothing is reset between them: a stamp says which search last met a
state, so that g-values of earlier searches are not seen, and h-values of earlier goals neither.

    stamp[s] <  base    h[s] is not known for this goal
    stamp[s] <  x       s is not generated in this search
    stamp[s] == x       s is generated: its g, h and parent hold, and it is in the open list
    stamp[s] == x + 1   s is expanded

The search stops when a goal is first in the open list (paper 000, Figure 1, line 03), where it stays: the open list
is then what learning rules read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import columns, empty, grown
from replan.clock import now_ns
from replan.queues.base import OpenList
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.heuristics import Heuristic, Zero
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Search:
    """The values of an A* search over all states of a space."""

    g: memoryview
    h: memoryview
    stamp: memoryview
    parent: memoryview
    closed: memoryview

    def __init__(self, n: int, backward: bool = False, inflation: int = 10) -> None:
        self.n = n
        self.g, self.h, self.stamp, self.parent = columns(n, 4)
        self.closed = empty(n, np.int32)
        self.x = self.base = 2
        self.expanded = self.work = 0
        self.fitted = self.cap = -1
        self.backward = backward
        self.pathmax = False  # f never below the parent's: for h-values that are not consistent
        self.tail_ns = 0  # time to set aside for what follows the search, in 1/16 ns an expansion
        self.inflation = inflation  # tenths: 10 is A*, 15 is weighted A* with weight 1.5
        self.heuristic: Heuristic = Zero()
        self.goals = Goals([0], n)
        self.target = -1

    def aim(self, goals: Goals, heuristic: Heuristic, target: int = -1) -> None:
        """Forget all h-values, and head for other goals (or, backwards, for the state `target`)."""
        self.goals, self.heuristic = goals, heuristic
        self.target = target if self.backward else goals.single
        self.base = self.x + 2

    def begin(self, space: Space, open: OpenList) -> int:
        """Start a search of its own number, with nothing in it."""
        if self.fitted != space.bound:
            with cython.gil:
                self._fit(space, open)
        self.x += 2
        self.expanded = 0
        open.clear()
        return 0

    def _fit(self, space: Space, open: OpenList) -> None:
        self.fitted = space.bound
        self.cap = (space.bound + 1) * self.inflation // 10  # no true h is larger, so INF need not be either
        open.fit(space.n, space.bound + self.cap, space.bound, space.span)

    def first_h(self, s: int) -> int:
        """The h-value of a state that this goal has not met yet."""
        h = self.heuristic.estimate(s)
        if h >= self.cap:
            return self.cap
        if self.inflation != 10:  # rounded down: the bound on the path's cost holds all the same
            h = h * self.inflation // 10
        return h

    def value_h(self, s: int) -> int:
        """The h-value of any state, known or not."""
        return self.h[s] if self.stamp[s] >= self.base else self.first_h(s)

    def source(self, open: OpenList, s: int) -> int:
        """Put a state that the search starts from into the open list."""
        if self.stamp[s] < self.base:
            self.h[s] = self.first_h(s)
        self.stamp[s] = self.x
        self.g[s] = 0
        self.parent[s] = s
        return open.insert(s, self.h[s], 0)

    def advance(self, space: Space, open: OpenList, limit: int, deadline: int) -> int:
        """Expand until `limit` states are closed or the clock shows `deadline` (0: none).

        1 when a goal is first in the open list or nothing is left in it, else 0.
        """
        step = 8 if deadline > 0 else 4096
        done = 0
        while done == 0 and self.expanded < limit:
            stop = min(limit, self.expanded + step)
            if stop > len(self.closed):  # an inconsistent h can expand a state more than once
                with cython.gil:
                    self.closed = grown(self.closed, 2 * stop)
            done = self.run(space, open, stop)
            self.work += step
            if self.work > 16384:
                self.work = 0
                check_signals()
            if deadline > 0 and now_ns() + (self.expanded * self.tail_ns >> 4) >= deadline:
                break
        return done

    def run(self, space: Space, open: OpenList, limit: int) -> int:
        """The loop of A*."""
        n, x, target, backward = self.expanded, self.x, self.target, self.backward
        least = 0
        while n < limit:
            if target < 0:  # several goals: look before taking
                s = open.top()
                if s < 0 or self.goals.contains(s):
                    break
            s = open.pop(target)
            if s < 0:
                break
            if self.pathmax:
                least = open.taken_f
            self.closed[n] = s
            n += 1
            self.stamp[s] = x + 1
            gs = self.g[s]
            k = space.reverse(s) if backward else space.expand(s)
            for i in range(k):
                v = space.succ[i]
                gv = gs + space.cost[i]
                old = self.stamp[v]
                if old < x:
                    if old < self.base:
                        self.h[v] = self.first_h(v)
                    self.stamp[v] = x
                    self.g[v] = gv
                    self.parent[v] = s
                    open.insert(v, max(gv + self.h[v], least), gv)
                elif gv < self.g[v]:
                    self.g[v] = gv
                    self.parent[v] = s
                    if old == x:
                        open.decrease(v, max(gv + self.h[v], least), gv)
                    else:  # only where h is not consistent
                        self.stamp[v] = x
                        open.insert(v, max(gv + self.h[v], least), gv)
        else:
            self.expanded = n
            return 0
        self.expanded = n
        return 1

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """What the last search knows: g, h (-1 where it does not), parent, and who is open and closed."""
        stamp = np.asarray(self.stamp)[: self.n]
        generated, met = stamp >= self.x, stamp >= self.base
        return {
            "g": np.where(generated, np.asarray(self.g)[: self.n], -1),
            "h": np.where(met, np.asarray(self.h)[: self.n], -1),
            "parent": np.where(generated, np.asarray(self.parent)[: self.n], -1),
            "open": stamp == self.x,
            "closed": stamp == self.x + 1,
        }
