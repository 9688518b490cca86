"""Breadth-first search: states in the order of the number of steps that lead to them, without a heap."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch
from replan.saving import Bag
from replan.search.state_table import ALL, ONE_SEARCH, Column, StateTable
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

LAST_SEARCH = (1 << 31) - 2


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
    taken: int
    added: int

    def __init__(self) -> None:
        StateTable.__init__(self, "flood", COLUMNS, "stamp")
        self.taken = self.added = 0
        self.x = 1  # the number of the search

    def attach(self, n: int) -> None:
        self.queue, self.parent, self.stamp = empty(n, np.int32), self.array("parent"), self.array("stamp")

    def aim(self) -> None:
        """A trip begins: it has met no state."""
        self.x += 1
        self.taken = self.added = 0

    def prefault(self) -> None:
        StateTable.prefault(self)
        touch(self.queue)

    def since(self, lifetime: str) -> int:
        return self.x

    def latest(self) -> int:
        return self.x

    def begin(self, at: int) -> None:
        if self.x >= LAST_SEARCH:  # a stamp has 32 bits: count from the beginning
            for s in range(self.n):
                self.stamp[s] = 0
            self.x = 0
        self.x += 1
        self.taken, self.added = 0, 1
        self.queue[0] = self.parent[at] = at
        self.stamp[at] = self.x

    def carry(self, bag: Bag) -> None:
        """The last search: its tree, and the order in which it has met the states."""
        StateTable.carry(self, bag)
        queue = bag.states("queue", self.queue[: self.added], self.n, once=True)
        self.taken = bag.whole("taken", self.taken, 0, len(queue))
        bag.require(np.array_equal(np.sort(queue), self.in_use()), "others are queued than it has met")
        if bag.loading:
            self.added = len(queue)
            np.asarray(self.queue)[: self.added] = queue
        place, parent = np.zeros(self.n, np.int64), self.values("parent")[queue]
        place[queue] = np.arange(len(queue))
        earlier = self.holds(ONE_SEARCH, parent) & (place[parent] < np.maximum(1, place[queue]))
        bag.require(earlier.all(), "its tree does not lead to where the search began")

    def has_met(self, s: int) -> bool:
        return self.stamp[s] == self.x

    def expand(self, space: Space, near: Neighbours) -> int:
        """Expand the next state of the queue, if there is one."""
        self.advance(space, near, None, 1)
        return 0

    def advance(self, space: Space, near: Neighbours, goals: Goals | None, most: int) -> int:
        """Expand so many states at most, until a goal is met: that goal, or -1."""
        queue, stamp, parent, state, x = ints(self.queue), ints(self.stamp), ints(self.parent), near.state, self.x
        taken, added = self.taken, self.added
        last = taken + most
        found = -1
        target = goals.single if goals is not None else -1
        while taken < added and taken < last and found < 0:
            u = queue[taken]
            taken += 1
            if taken & 8191 == 0:
                check_signals()
            k = space.onward(near, u, parent[u])
            for i in range(k):
                v = state[i]
                if stamp[v] != x:
                    stamp[v] = x
                    parent[v] = u
                    queue[added] = v
                    added += 1
                    if found < 0 and (v == target or (target < 0 and goals is not None and goals.has(v))):
                        found = v
        self.taken, self.added = taken, added
        return found

    def shown(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        self.check_initialized()
        expanded = np.zeros(self.n, bool)
        expanded[np.asarray(self.queue)[: self.taken]] = True
        generated, closed = self.holds(ONE_SEARCH, states), expanded[states]
        return {"open": generated & ~closed, "closed": closed, **StateTable.shown(self, states)}


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
