"""Breadth-first search: states in the order of the number of steps that lead to them, without a heap."""

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
    """Breadth-first search, one expansion at a time.

    queue[:added] are the states that it has met, in this order; the first `taken` of them are expanded. `parent` says
    where it came from.
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
        """A trip begins: it has met no state."""
        self.x += 1
        self.expanded_count = self.generated_count = 0

    def prefault(self) -> None:
        StateTable.prefault(self)
        prefault(self.queue)

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.x

    def last_stamp(self) -> int:
        return self.x

    def begin(self, at: int) -> None:
        if self.x >= LARGEST_SEARCH_NUMBER:  # a stamp has 32 bits: count from the beginning
            for s in range(self.n):
                self.stamp[s] = 0
            self.x = 0
        self.x += 1
        self.expanded_count, self.generated_count = 0, 1
        self.queue[0] = self.parent[at] = at
        self.stamp[at] = self.x

    def serialize(self, archive: Archive) -> None:
        """The last search: its tree, and the order in which it has met the states."""
        StateTable.serialize(self, archive)
        queue = archive.states("queue", self.queue[: self.generated_count], self.n, unique=True)
        self.expanded_count = archive.integer("expanded_count", self.expanded_count, 0, len(queue))
        archive.require(np.array_equal(np.sort(queue), self.used_states()), "others are queued than it has met")
        if archive.is_loading:
            self.generated_count = len(queue)
            np.asarray(self.queue)[: self.generated_count] = queue
        place, parent = np.zeros(self.n, np.int64), self.values("parent")[queue]
        place[queue] = np.arange(len(queue))
        earlier = self.valid_mask(ONE_SEARCH, parent) & (place[parent] < np.maximum(1, place[queue]))
        archive.require(earlier.all(), "its tree does not lead to where the search began")

    def is_generated(self, s: int) -> bool:
        return self.stamp[s] == self.x

    def expand_next(self, space: Space, near: Neighbours) -> int:
        """Expand the next state of the queue, if there is one."""
        self.advance(space, near, None, 1)
        return 0

    def advance(self, space: Space, near: Neighbours, goals: Goals | None, most: int) -> int:
        """Expand so many states at most, until a goal is met: that goal, or -1."""
        queue, stamp, parent, state, x = ints(self.queue), ints(self.stamp), ints(self.parent), near.state, self.x
        taken, added = self.expanded_count, self.generated_count
        last = taken + most
        found = -1
        target = goals.single_state if goals is not None else -1
        while taken < added and taken < last and found < 0:
            u = queue[taken]
            taken += 1
            if taken & 8191 == 0:
                check_signals()
            k = space.expand_onward(near, u, parent[u])
            for i in range(k):
                v = state[i]
                if stamp[v] != x:
                    stamp[v] = x
                    parent[v] = u
                    queue[added] = v
                    added += 1
                    if found < 0 and (v == target or (target < 0 and goals is not None and goals.is_goal(v))):
                        found = v
        self.expanded_count, self.generated_count = taken, added
        return found

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        self.check_initialized()
        expanded = np.zeros(self.n, bool)
        expanded[np.asarray(self.queue)[: self.expanded_count]] = True
        generated, closed = self.valid_mask(ONE_SEARCH, states), expanded[states]
        return {"open": generated & ~closed, "closed": closed, **StateTable.as_arrays(self, states)}


PSEUDO_CODE = """
## BreadthFirst.advance

    while the queue has states and no goal is met:
        u := first of the queue
        for each neighbour v of u:
            if v was not met in this search:
                parent(v) := u
                append v to the queue
                if v is a goal: found
"""
