"""The repair of h: making it consistent again after costs fell, as Generalized Adaptive A* does.

(Sun, Koenig, Yeoh 2008.) The result is the largest h below the old one that is consistent with the new costs. The
work is not bounded by any lookahead: an opened door can touch many states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, holding, zeros
from replan.queues.base import OpenList
from replan.queues.make import queue_for
from replan.saving import Bag
from replan.search.astar import Search
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class RepairH:
    """Collects the states with cheaper steps, and lowers h from there. `lowered` counts the changes made.

    weight: of a learning rule under which h is not consistent, but so many times: h(s) <= weight c(s, t) + h(t).
    """

    lowered: int
    weight: int

    def __init__(self) -> None:
        self.weight = 1
        self.queue = queue_for(0)
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
            if search.node[s].stamp >= search.base:
                self.note(s)
        return 0

    def __reduce__(self) -> Any:
        return RepairH, ()  # an empty one: what this one has noted is saved with its planner

    def carry(self, bag: Bag, n: int) -> None:
        """What was noted and not taken in yet."""
        fallen = bag.states("fallen", self.fallen[: self.count], n)
        self.lowered = bag.whole("lowered", self.lowered, 0)
        if bag.loading:
            self.fallen, self.count = holding(fallen, 64, np.int32), len(fallen)

    def grow(self) -> int:
        self.fallen = grown(self.fallen, 2 * self.count)
        return 0

    def forget(self) -> None:
        self.count = 0
        self.fitted = -1

    def fit(self, space: Space) -> int:
        if len(self.queued) < space.n:
            self.queued = zeros(space.n, np.int64)
        span = self.weight * space.span
        self.fitted = -1
        self.queue = queue_for(span, self.queue)
        self.queue.fit(space.n, self.weight * (2 * space.bound + 2), 1, span)
        self.fitted = space.bound
        return 0

    def take_in(self, space: Space, goals: Goals, search: Search) -> int:
        """Take in all the falls that were noted."""
        if self.count > 0:
            if self.fitted != space.bound:
                with cython.gil:
                    self.fit(space)
            self.queue.clear()
            self.round += 1
            self.lower_fallen(space, search.near, goals, search, self.queue)
            self.count = 0
            self.spread(space, search.near, goals, search, self.queue)
        return 0

    def lower_fallen(self, space: Space, near: Neighbours, goals: Goals, search: Search, queue: OpenList) -> int:
        """Lower the states whose own steps became cheaper. (A state never met has its first h, which is consistent.)"""
        node = search.node
        for j in range(self.count):
            u = self.fallen[j]
            if goals.has(u) or not search.known_h(u):
                continue
            best = node[u].h
            k = space.expand(near, u)
            for i in range(k):
                v = near.state[i]
                best = min(best, self.weight * near.cost[i] + search.value_h(v))
            if best < node[u].h:
                self.lower(search, queue, u, best)
        return 0

    def spread(self, space: Space, near: Neighbours, goals: Goals, search: Search, queue: OpenList) -> int:
        """h(u) is at most c(u, v) + h(v): from every state that was lowered to its predecessors, smallest h first."""
        node, turns = search.node, 0
        while True:
            v = queue.pop()
            if v < 0:
                return 0
            turns += 1
            if turns & 8191 == 0:
                check_signals()
            self.queued[v] = 0
            hv = node[v].h
            k = space.reverse(near, v)
            for i in range(k):
                u = near.state[i]
                hu = self.weight * near.cost[i] + hv
                if search.known_h(u) and hu < node[u].h and not goals.has(u):
                    self.lower(search, queue, u, hu)

    def lower(self, search: Search, queue: OpenList, s: int, h: int) -> int:
        node = search.node
        node[s].h = h
        self.lowered += 1
        if self.queued[s] == self.round:
            return queue.decrease(s, h, 0)
        self.queued[s] = self.round
        return queue.insert(s, h, 0)


PSEUDO_CODE = """
## RepairH.take_in

    for each state whose steps have become cheaper:
        h := least c + h over its neighbours, if less;
        queue it
    spread from these

## RepairH.spread

    while the queue is not empty:
        v := state with the smallest h
        for each predecessor u of v that is no goal:
            if c(u, v) + h(v) < h(u):
                h(u) := that; put u into the queue
"""
