"""The repair of h after costs have fallen: the consistency procedure of Generalized Adaptive A*.

(Sun, Koenig, Yeoh 2008.) The result is the largest h below the old one that is consistent with the new costs. No
lookahead bounds this work: an opened door can change the h of many states.
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
    """Collects states whose step costs have fallen, and lowers h from there. `lowered_count` counts the changes of h.

    `update_weight` is that of the learning rule, under which h is w-consistent: h(s) <= w c(s, t) + h(t).
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
        """Note that the cost of a step out of s has fallen."""
        if self.count == len(self.decreased_states):
            with cython.gil:
                self.grow_buffer()
        self.decreased_states[self.count] = s
        self.count += 1
        return 0

    def add_all_known(self, search: Search) -> int:
        """Note all states with a known h: if h was not consistent, a fall may concern any of them."""
        for s in range(search.n):
            if search.node[s].stamp >= search.known_h_stamp:
                self.add_decrease(s)
        return 0

    def __reduce__(self) -> Any:
        return HRepair, ()  # an empty one: the planner saves the noted states

    def serialize(self, archive: Archive, n: int) -> None:
        """Save or load the noted states."""
        decreased = archive.states("decreased_states", self.decreased_states[: self.count], n)
        self.lowered_count = archive.integer("lowered_count", self.lowered_count, 0)
        if archive.is_loading:
            self.decreased_states, self.count = with_capacity(decreased, 64, np.int32), len(decreased)

    def grow_buffer(self) -> int:
        """Make room for more noted states."""
        self.decreased_states = grown(self.decreased_states, 2 * self.count)
        return 0

    def reset(self) -> None:
        """Forget the noted states."""
        self.count = 0
        self.queue_bound = -1

    def set_bounds(self, space: Space) -> int:
        """Prepare the queue for the largest h of this space."""
        if len(self.queued_in_round) < space.n:
            self.queued_in_round = zeros(space.n, np.int64)
        span = self.update_weight * space.max_edge_round_trip
        self.queue_bound = -1
        self.queue = make_single_key_queue(span, self.queue)
        self.queue.set_bounds(space.n, self.update_weight * (2 * space.max_path_cost + 2), 1, span)
        self.queue_bound = space.max_path_cost
        return 0

    def apply_decreases(self, space: Space, goals: Goals, search: Search) -> int:
        """Make h consistent with the costs that have fallen."""
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

    def lower_decreased(
        self, space: Space, neighbours: Neighbours, goals: Goals, search: Search, queue: OpenList
    ) -> int:
        """Lower h of the noted states u: h(u) := min c(u, v) + h(v). (An h that is not known is consistent.)"""
        node = search.node
        for j in range(self.count):
            u = self.decreased_states[j]
            if goals.is_goal(u) or not search.refresh_h(u):
                continue
            new_h = node[u].h
            k = space.expand(neighbours, u)
            for i in range(k):
                v = neighbours.state[i]
                new_h = min(new_h, self.update_weight * neighbours.cost[i] + search.current_h(v))
            if new_h < node[u].h:
                self.lower_h(search, queue, u, new_h)
        return 0

    def propagate(self, space: Space, neighbours: Neighbours, goals: Goals, search: Search, queue: OpenList) -> int:
        """Lower h of predecessors u of lowered states v, smallest h(v) first: h(u) <= c(u, v) + h(v)."""
        node, turns = search.node, 0
        while True:
            v = queue.pop()
            if v < 0:
                return 0
            turns += 1
            if turns & 8191 == 0:
                check_signals()
            self.queued_in_round[v] = 0
            h_v = node[v].h
            k = space.expand_reverse(neighbours, v)
            for i in range(k):
                u = neighbours.state[i]
                h_u = self.update_weight * neighbours.cost[i] + h_v
                if search.refresh_h(u) and h_u < node[u].h and not goals.is_goal(u):
                    self.lower_h(search, queue, u, h_u)

    def lower_h(self, search: Search, queue: OpenList, s: int, h: int) -> int:
        """InsertState: lower h(s), and insert s into the queue or decrease its key."""
        node = search.node
        node[s].h = h
        self.lowered_count += 1
        if self.queued_in_round[s] == self.round:
            return queue.decrease(s, h, 0)
        self.queued_in_round[s] = self.round
        return queue.insert(s, h, 0)


PSEUDO_CODE = """
## HRepair.apply_decreases

    for each state u with steps whose costs have fallen:
        h(u) := min(h(u), least c(u, v) + h(v))
        h(u) has fallen: queue u
    propagate

## HRepair.propagate

    while the queue is not empty:
        v := state with the smallest h
        for each predecessor u of v that is no goal:
            if c(u, v) + h(v) < h(u):
                h(u) := c(u, v) + h(v); queue u
"""
