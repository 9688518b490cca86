"""Breadth-first search: states in the order of the number of steps to them, without a heap."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, prefault
from replan.search.state_table import ALL, ONE_SEARCH, Column, StateTable
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints

LARGEST_SEARCH_NUMBER = (1 << 31) - 2


COLUMNS = (
    Column("parent", lifetime=ONE_SEARCH, dtype=np.int32),
    Column("stamp", lifetime=ONE_SEARCH, dtype=np.int32, is_shown=False),
)


class BreadthFirst(StateTable):
    """Breadth-first search that can be stopped after each expansion.

    queue[:generated_count] are the generated states, in this order; the first `expanded_count` of them are expanded.
    parent[s] is the state before s on the path from the start.
    """

    queue: memoryview
    stamp: memoryview
    parent: memoryview
    expanded_count: int
    generated_count: int

    def __init__(self) -> None:
        StateTable.__init__(self, "flood", COLUMNS, "stamp")
        self.expanded_count = self.generated_count = 0
        self.x = 1  # the number of the search

    def bind_arrays(self, n: int) -> None:
        self.queue, self.parent, self.stamp = empty(n, np.int32), self.array("parent"), self.array("stamp")

    def reset(self) -> None:
        """Begin a trip: no state is generated."""
        self.x += 1
        self.expanded_count = self.generated_count = 0

    def prefault(self) -> None:
        StateTable.prefault(self)
        prefault(self.queue)

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.x

    def last_stamp(self) -> int:
        return self.x

    def begin(self, start: int) -> None:
        """Begin a search from `start`."""
        if self.x >= LARGEST_SEARCH_NUMBER:  # a stamp has 32 bits: start counting again
            for s in range(self.n):
                self.stamp[s] = 0
            self.x = 0
        self.x += 1
        self.expanded_count, self.generated_count = 0, 1
        self.queue[0] = self.parent[start] = start
        self.stamp[start] = self.x

    def serialize(self, archive: Archive) -> None:
        """Save or load the last search: its tree, and the order of the generated states."""
        StateTable.serialize(self, archive)
        queue = archive.states("queue", self.queue[: self.generated_count], self.n, unique=True)
        self.expanded_count = archive.integer("expanded_count", self.expanded_count, 0, len(queue))
        archive.require(
            np.array_equal(np.sort(queue), self.used_states()),
            "its queue does not hold the states that it has generated",
        )
        if archive.is_loading:
            self.generated_count = len(queue)
            np.asarray(self.queue)[: self.generated_count] = queue
        index, parent = np.zeros(self.n, np.int64), self.values("parent")[queue]
        index[queue] = np.arange(len(queue))
        is_ordered = self.valid_mask(ONE_SEARCH, parent) & (index[parent] < np.maximum(1, index[queue]))
        archive.require(is_ordered.all(), "its search tree does not lead to the start")

    def is_generated(self, s: int) -> bool:
        """Return True if the current search has generated s."""
        return self.stamp[s] == self.x

    def expand_next(self, space: Space, neighbours: Neighbours) -> int:
        """Expand the next state of the queue, if there is one."""
        self.advance(space, neighbours, None, 1)
        return 0

    def advance(self, space: Space, neighbours: Neighbours, goals: Goals | None, limit: int) -> int:
        """Expand at most `limit` states, until a goal is generated. Return that goal, or -1."""
        queue, stamp, parent, state, x = ints(self.queue), ints(self.stamp), ints(self.parent), neighbours.state, self.x
        expanded_count, generated_count = self.expanded_count, self.generated_count
        last = expanded_count + limit
        goal = -1
        target = goals.single_state if goals is not None else -1
        while expanded_count < generated_count and expanded_count < last and goal < 0:
            u = queue[expanded_count]
            expanded_count += 1
            if expanded_count & 8191 == 0:
                check_signals()
            k = space.expand_onward(neighbours, u, parent[u])
            for i in range(k):
                v = state[i]
                if stamp[v] != x:
                    stamp[v] = x
                    parent[v] = u
                    queue[generated_count] = v
                    generated_count += 1
                    if goal < 0 and (v == target or (target < 0 and goals is not None and goals.is_goal(v))):
                        goal = v
        self.expanded_count, self.generated_count = expanded_count, generated_count
        return goal

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the parents, and which states are open and closed."""
        self.check_initialized()
        expanded = np.zeros(self.n, bool)
        expanded[np.asarray(self.queue)[: self.expanded_count]] = True
        generated, closed = self.valid_mask(ONE_SEARCH, states), expanded[states]
        return {"open": generated & ~closed, "closed": closed, **StateTable.as_arrays(self, states)}


PSEUDO_CODE = """
## BreadthFirst.advance

    while the queue is not empty and no goal is generated:
        u := first of the queue
        for each neighbour v of u:
            if v is new in this search:
                parent(v) := u
                append v to the queue
                if v is a goal: found
"""
