"""Making h consistent again after costs fell: the consistency procedure of Generalized Adaptive A*.

(Sun, Koenig, Yeoh 2008.) The result is the largest h below the old one that is consistent with the new costs. The
work is not bounded by any lookahead: an opened door can touch many states.
"""

from __future__ import annotations

import numpy as np

from replan.arrays import empty, grown, zeros
from replan.queues.base import OpenList
from replan.search.astar import Search
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Repair:
    """Collects the states with cheaper steps, and lowers h from there. `lowered` counts the changes made."""

    lowered: int

    def __init__(self, queue: OpenList) -> None:
        self.queue = queue
        self.fallen = empty(64, np.int32)
        self.queued = zeros(1, np.int64)  # the round in which a state was last put into the queue
        self.count = self.round = self.lowered = 0
        self.fitted = -1

    def note(self, s: int) -> int:
        """A step out of s has become cheaper."""
        if self.count == len(self.fallen):
            with cython.gil:
                self.grow()
        self.fallen[self.count] = s
        self.count += 1
        return 0

    def note_all(self, search: Search) -> int:
        """Look at every state that was met: where h was not consistent before, a fall far away may concern it."""
        for s in range(search.n):
            if search.stamp[s] >= search.base:
                self.note(s)
        return 0

    def grow(self) -> int:
        self.fallen = grown(self.fallen, 2 * self.count)
        return 0

    def forget(self) -> None:
        self.count = 0
        self.fitted = -1

    def fit(self, space: Space, search: Search) -> int:
        if len(self.queued) < space.n:
            self.queued = zeros(space.n, np.int64)
        self.fitted = space.bound
        return self.queue.fit(space.n, 2 * space.bound + 2, 1, space.span)

    def settle(self, space: Space, goals: Goals, search: Search) -> int:
        """Take in all the falls that were noted."""
        if self.count > 0:
            if self.fitted != space.bound:
                with cython.gil:
                    self.fit(space, search)
            self.queue.clear()
            self.round += 1
            self.run(space, goals, search, self.queue)
            self.count = 0
            self.spread(space, goals, search, self.queue)
        return 0

    def run(self, space: Space, goals: Goals, search: Search, queue: OpenList) -> int:
        """Lower the states whose own steps became cheaper. (A state never met has its first h, which is consistent.)"""
        for j in range(self.count):
            u = self.fallen[j]
            if goals.contains(u) or not search.known_h(u):
                continue
            hu = best = search.h[u]
            k = space.expand(u)
            for i in range(k):
                v = space.succ[i]
                best = min(best, space.cost[i] + search.value_h(v))
            if best < hu:
                self.lower(search, queue, u, best)
        return 0

    def spread(self, space: Space, goals: Goals, search: Search, queue: OpenList) -> int:
        while True:
            v = queue.pop(-1)
            if v < 0:
                return 0
            self.queued[v] = 0
            hv = search.h[v]
            k = space.reverse(v)
            for i in range(k):
                u = space.succ[i]
                hu = space.cost[i] + hv
                if search.known_h(u) and hu < search.h[u] and not goals.contains(u):
                    self.lower(search, queue, u, hu)

    def lower(self, search: Search, queue: OpenList, s: int, h: int) -> int:
        search.h[s] = h
        self.lowered += 1
        if self.queued[s] == self.round:
            return queue.decrease(s, h, 0)
        self.queued[s] = self.round
        return queue.insert(s, h, 0)
