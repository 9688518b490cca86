"""The ideal tree: a pointer from each state to the next one on its way to a goal, as the estimates promise it.

(Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014.) A state is asked for its pointer
when it is first needed: the first of its neighbours, in the order in which the space lists them, with H(s) = c(s, v) +
H(v), or none. A pointer whose step is blocked is cut, for good. Pointers that a search has found are written over the
old ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch, zeros
from replan.errors import InputError
from replan.limits import INF
from replan.saving import Bag, refused
from replan.search.astar import Ending, Search
from replan.spaces.goals import Goals
from replan.spaces.heuristics import Heuristic, Zero
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs

NOT_YET = -1


class IdealTree(Ending):
    """Pointers to the goals, which have none, and who is known not to hang on them.

    color[s] <  first    s was not asked since the goals were set
    color[s] == color    s is known, in this search, not to hang on the tree; or is on the walk that is going on
    """

    next: memoryview
    color: memoryview
    near: Neighbours
    heuristic: Heuristic
    goals: Goals
    cuts: int

    def __init__(self) -> None:
        self.room = self.cuts = self.walked = 0
        self.first = self.now = 1
        self.cursor = -1
        self.heuristic = Zero()

    def fit(self, space: Space) -> None:
        """Have room for the states of a space."""
        if self.room < space.n:
            self.next, self.color = empty(space.n, np.int32), zeros(space.n, np.int64)
            self.room = space.n
        self.near = space.neighbours()

    def __reduce__(self) -> Any:
        raise refused(self, "a planner")

    def carry(self, bag: Bag, n: int) -> None:
        """The pointers of states that were asked, and who is known in the last search not to hang on them."""
        color = np.asarray(self.color)
        asked = bag.states("asked", np.flatnonzero(color >= self.first), n, once=True)
        next = bag.numbers("next", np.asarray(self.next)[asked], -1, n - 1, len(asked))
        off = bag.numbers("off", (color[asked] == self.now) & (self.now > self.first), 0, 1, len(asked))
        self.cursor = bag.whole("cursor", self.cursor, -1, n - 1)
        self.cuts = bag.whole("cuts", self.cuts, 0)
        ends = np.isin(asked, np.asarray(self.goals.state)[: self.goals.count])
        bag.require((next[ends] < 0).all(), "its tree leads on from a goal")
        if bag.loading:
            self.now = self.first + 1
            np.asarray(self.next)[asked], color[asked] = next, self.first + off

    def touch(self) -> None:
        touch(self.next, self.color)

    def aim(self, goals: Goals, heuristic: Heuristic) -> None:
        """Forget all pointers; another tree, to these goals."""
        self.goals, self.heuristic, self.cursor = goals, heuristic, -1
        self.now += 1
        self.first = self.now

    def begin(self) -> None:
        """A search begins: nobody is known not to hang on the tree."""
        self.now += 1
        self.cursor = -1

    def pointer(self, space: Space, s: int) -> int:
        """Where the tree leads from s, -1: nowhere."""
        if self.color[s] < self.first:
            self.color[s] = self.first
            self.next[s] = self.promised(space, self.near, s)
        return self.next[s]

    def promised(self, space: Space, near: Neighbours, s: int) -> int:
        if self.goals.has(s):
            return -1
        h = self.heuristic.estimate(s)
        k = space.expand(near, s)
        for i in range(k):
            if near.cost[i] + self.heuristic.estimate(near.state[i]) == h:
                return near.state[i]
        return -1

    def point(self, s: int, to: int) -> None:
        """From now on the tree leads from s to this neighbour."""
        self.next[s] = to
        self.color[s] = max(self.color[s], self.first)

    def look_at(self, space: Space, s: int) -> int:
        """The steps out of s have changed: is its pointer cut?"""
        if self.color[s] >= self.first and self.next[s] >= 0 and space.step_cost(s, self.next[s]) >= INF:
            self.next[s] = -1
            self.cuts += 1
        return 0

    def walk(self, space: Space, s: int, most: int) -> int:
        """Does s hang on the tree? At most so many steps along the pointers are made (`walked`): 1, 0 or NOT_YET.

        In a search every state is walked through once: what has its color does not hang on the tree.
        """
        next, color, now, k, hangs = ints(self.next), longs(self.color), self.now, 0, NOT_YET
        t = s if self.cursor < 0 else self.cursor
        while hangs == NOT_YET and k < most:
            known = color[t] == now
            w = -1 if known else next[t] if color[t] >= self.first else self.pointer(space, t)
            if w >= 0:
                color[t] = now
                t = w
                k += 1
            elif self.goals.has(t):
                hangs = 1
            else:
                color[t] = now
                k += 1
                hangs = 0
        self.walked = k
        self.cursor = t if hangs == NOT_YET else -1
        return hangs

    def ends_at(self, search: Search, space: Space, s: int) -> bool:
        return self.walk(space, s, INF) == 1

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Where the tree leads from the states that were asked, -1 for nowhere."""
        if self.room == 0:
            raise InputError("this tree is of no space yet")
        return {"next": np.where(np.asarray(self.color) < self.first, -1, np.asarray(self.next))}
