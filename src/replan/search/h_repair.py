"""The repair of h: making it consistent again after costs fell, as Generalized Adaptive A* does.

(Sun, Koenig, Yeoh 2008.) The result is the largest h below the old one that is consistent with the new costs. The
work is not bounded by any lookahead: an opened door can touch many states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, with_capacity, zeros
from replan.queues.base import OpenList
from replan.queues.factory import make_single_key_queue
from replan.search.astar import Search
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class HRepair:
    """Collects the states with cheaper steps, and lowers h from there. `lowered` counts the changes made.

    weight: of a learning rule under which h is not consistent, but so many times: h(s) <= weight c(s, t) + h(t).
    """

    lowered_count: int
    update_weight: int

    def __init__(self) -> None:
        self.update_weight = 1
        self.queue = make_single_key_queue(0)
        self.decreased_states = empty(64, np.int32)
        self.queued_in_round = zeros(1, np.int64)  # the round in which a state was last put into the queue
        self.count = self.round = self.lowered_count = 0
        self.queue_bound = -1

    def add_decrease(self, s: int) -> int:
        """A step out of s has become cheaper."""
        if self.count == len(self.decreased_states):
            with cython.gil:
                self.grow_buffer()
        self.decreased_states[self.count] = s
        self.count += 1
        return 0

    def add_all_known(self, search: Search) -> int:
        """Look at every state that was met: where h was not consistent before, a fall far away may concern it."""
        for s in range(search.n):
            if search.node[s].stamp >= search.known_h_stamp:
                self.add_decrease(s)
        return 0

    def __reduce__(self) -> Any:
        return HRepair, ()  # an empty one: what this one has noted is saved with its planner

    def serialize(self, archive: Archive, n: int) -> None:
        """What was noted and not taken in yet."""
        fallen = archive.states("decreased_states", self.decreased_states[: self.count], n)
        self.lowered_count = archive.integer("lowered_count", self.lowered_count, 0)
        if archive.is_loading:
            self.decreased_states, self.count = with_capacity(fallen, 64, np.int32), len(fallen)

    def grow_buffer(self) -> int:
        self.decreased_states = grown(self.decreased_states, 2 * self.count)
        return 0

    def reset(self) -> None:
        self.count = 0
        self.queue_bound = -1

    def set_bounds(self, space: Space) -> int:
        if len(self.queued_in_round) < space.n:
            self.queued_in_round = zeros(space.n, np.int64)
        span = self.update_weight * space.max_edge_round_trip
        self.queue_bound = -1
        self.queue = make_single_key_queue(span, self.queue)
        self.queue.set_bounds(space.n, self.update_weight * (2 * space.max_path_cost + 2), 1, span)
        self.queue_bound = space.max_path_cost
        return 0

    def apply_decreases(self, space: Space, goals: Goals, search: Search) -> int:
        """Take in all the falls that were noted."""
        if self.count > 0:
            if self.queue_bound != space.max_path_cost:
                with cython.gil:
                    self.set_bounds(space)
            self.queue.clear()
            self.round += 1
            self.lower_decreased(space, search.neighbours, goals, search, self.queue)
            self.count = 0
            self.propagate(space, search.neighbours, goals, search, self.queue)
        return 0

    def lower_decreased(self, space: Space, near: Neighbours, goals: Goals, search: Search, queue: OpenList) -> int:
        """Lower the states whose own steps became cheaper. (A state never met has its first h, which is consistent.)"""
        node = search.node
        for j in range(self.count):
            u = self.decreased_states[j]
            if goals.is_goal(u) or not search.refresh_h(u):
                continue
            best = node[u].h
            k = space.expand(near, u)
            for i in range(k):
                v = near.state[i]
                best = min(best, self.update_weight * near.cost[i] + search.current_h(v))
            if best < node[u].h:
                self.lower_h(search, queue, u, best)
        return 0

    def propagate(self, space: Space, near: Neighbours, goals: Goals, search: Search, queue: OpenList) -> int:
        """h(u) is at most c(u, v) + h(v): from every state that was lowered to its predecessors, smallest h first."""
        node, turns = search.node, 0
        while True:
            v = queue.pop()
            if v < 0:
                return 0
            turns += 1
            if turns & 8191 == 0:
                check_signals()
            self.queued_in_round[v] = 0
            hv = node[v].h
            k = space.expand_reverse(near, v)
            for i in range(k):
                u = near.state[i]
                hu = self.update_weight * near.cost[i] + hv
                if search.refresh_h(u) and hu < node[u].h and not goals.is_goal(u):
                    self.lower_h(search, queue, u, hu)

    def lower_h(self, search: Search, queue: OpenList, s: int, h: int) -> int:
        node = search.node
        node[s].h = h
        self.lowered_count += 1
        if self.queued_in_round[s] == self.round:
            return queue.decrease(s, h, 0)
        self.queued_in_round[s] = self.round
        return queue.insert(s, h, 0)


PSEUDO_CODE = """
## HRepair.apply_decreases

    for each state whose steps have become cheaper:
        h := least c + h over its neighbours, if less;
        queue it
    spread from these

## HRepair.propagate

    while the queue is not empty:
        v := state with the smallest h
        for each predecessor u of v that is no goal:
            if c(u, v) + h(v) < h(u):
                h(u) := that; put u into the queue
"""
