"""Breadth-first search: states in the order of the number of steps that lead to them, without a heap."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch, zeros
from replan.errors import InputError
from replan.saving import Bag, refused
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


class BreadthFirst:
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
        self.room = self.taken = self.added = 0
        self.x = 1  # the number of the search

    def fit(self, n: int) -> None:
        """Have room for n states, none of which it has met."""
        if self.room != n:
            self.queue, self.parent, self.stamp = empty(n, np.int32), empty(n, np.int32), zeros(n, np.int32)
            self.room = n
        self.x += 1
        self.taken = self.added = 0

    def touch(self) -> None:
        touch(self.queue, self.parent, self.stamp)

    def begin(self, at: int) -> None:
        if self.x >= LAST_SEARCH:  # a stamp has 32 bits: count from the beginning
            for s in range(self.room):
                self.stamp[s] = 0
            self.x = 0
        self.x += 1
        self.taken, self.added = 0, 1
        self.queue[0] = self.parent[at] = at
        self.stamp[at] = self.x

    def __reduce__(self) -> Any:
        raise refused(self, "a planner")

    def carry(self, bag: Bag, n: int) -> None:
        """The last search, of states below n."""
        queue = bag.states("queue", self.queue[: self.added], n, once=True)
        self.taken = bag.whole("taken", self.taken, 0, len(queue))
        parent = bag.states("parent", np.asarray(self.parent)[queue[1:]], n)
        bag.require(len(parent) == max(0, len(queue) - 1), "its tree has other states than its search")
        if bag.loading:
            self.added = len(queue)
            np.asarray(self.queue)[: self.added], np.asarray(self.stamp)[queue] = queue, self.x
            np.asarray(self.parent)[queue[1:]], np.asarray(self.parent)[queue[:1]] = parent, queue[:1]
        order = np.argsort(queue)
        place = order[np.searchsorted(queue[order], parent) % len(queue)] if len(parent) else parent
        earlier = (queue[place] == parent) & (place <= np.arange(len(parent)))
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

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        if self.room == 0:
            raise InputError("this search has no space yet")
        stamp, parent = np.asarray(self.stamp), np.asarray(self.parent)
        generated, expanded = stamp == self.x, np.zeros(len(stamp), bool)
        expanded[np.asarray(self.queue)[: self.taken]] = True
        return {"open": generated & ~expanded, "closed": expanded, "parent": np.where(generated, parent, -1)}


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
