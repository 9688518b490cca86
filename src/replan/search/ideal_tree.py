"""The ideal tree: a pointer from each state to the next one on its way to a goal, as the estimates promise it.

(Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014.) A state is asked for its pointer
when it is first needed: the first of its neighbours, in the order in which the space lists them, with H(s) = c(s, v) +
H(v), or none. A pointer whose step is blocked is cut, for good. Pointers that a search has found are written over the
old ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.limits import INF
from replan.search.astar import Search, Terminator
from replan.search.state_table import ALL, ONE_TRIP, Column, StateTable
from replan.serialization import Archive
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import ZeroHeuristic
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import longs, prefetch_i64

UNDECIDED = -1
COLOR_UNIT = 1 << 32  # color
LAST_COLOR = (1 << 31) - 2
PREFETCH_STEPS = 8  # steps


class IdealTree(Terminator):
    """Pointers to the goals, which have none, and who is known not to hang on them.

    Both of a state stand in one number, for a walk asks for both, and memory is what it waits for: mark[s] is its color
    times 2**32, and one more than the state that it points to (0: none).

    color <  first    s was not asked since the goals were set
    color == now      s is known, in this search, not to hang on the tree; or is on the walk that is going on

    `cuts` of them were cut so far, and `pointers` followed.
    """

    mark: memoryview
    neighbours: Neighbours
    heuristic: Heuristic
    goals: Goals
    cuts: int
    pointers: int

    def __init__(self) -> None:
        StateTable.__init__(self, "tree", (Column("mark"),), "mark")
        self.cuts = self.walked = self.pointers = 0
        self.first_color = self.current_color = 1
        self.cursor = -1
        self.heuristic = ZeroHeuristic()

    def bind_arrays(self, n: int) -> None:
        self.mark = self.array("mark")

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.first_color * COLOR_UNIT

    def last_stamp(self) -> int:
        return self.current_color * COLOR_UNIT + self.n

    def serialize(self, archive: Archive) -> None:
        """The pointers of states that were asked, and who is known in the last search not to hang on them."""
        self.current_color = self.first_color + archive.integer("searches", self.current_color - self.first_color, 0, LAST_COLOR - 2)
        self.cursor = archive.integer("cursor", self.cursor, -1, self.n - 1)
        self.cuts = archive.integer("cuts", self.cuts, 0)
        StateTable.serialize(self, archive)
        archive.require((self.next_states() < self.n).all(), "its tree leads to what is no state")

    def set_goals(self, goals: Goals, heuristic: Heuristic) -> None:
        """Forget all pointers; another tree, to these goals."""
        self.goals, self.heuristic, self.cursor = goals, heuristic, -1
        self.next_color()
        self.first_color = self.current_color

    def begin(self) -> None:
        """A search begins: nobody is known not to hang on the tree."""
        self.cursor = -1
        self.next_color()

    def next_color(self) -> None:
        """A color that nobody has. After the last one they begin again; who was asked stays so."""
        marks = longs(self.mark)
        if self.current_color == LAST_COLOR:
            for s in range(self.n):
                marks[s] = COLOR_UNIT + decode_pointer(marks[s]) + 1 if marks[s] >= self.first_color * COLOR_UNIT else 0
            self.first_color = self.current_color = 1
        self.current_color += 1

    def next_states(self, states: Any = ALL) -> np.ndarray[Any, Any]:
        """Where these states point to."""
        next: np.ndarray[Any, Any] = (self.values("mark")[states] & (COLOR_UNIT - 1)) - 1
        return next

    def pointer(self, space: Space, s: int) -> int:
        """Where the tree leads from s, -1: nowhere."""
        if self.mark[s] < self.first_color * COLOR_UNIT:
            self.mark[s] = self.first_color * COLOR_UNIT + self.initial_pointer(space, self.neighbours, s) + 1
        return decode_pointer(self.mark[s])

    def count_steps(self, space: Space, s: int, most: int) -> int:
        """How many steps, at most so many, the tree leads on from s."""
        marks, asked, t, w, k = longs(self.mark), self.first_color * COLOR_UNIT, s, s, 0
        while w >= 0 and k < most:
            w = decode_pointer(marks[t]) if marks[t] >= asked else self.pointer(space, t)  # a goal has none
            if w >= 0:
                prefetch_i64(marks, w + PREFETCH_STEPS * (w - t))
                t = w
                k += 1
        self.pointers += k
        return k

    def initial_pointer(self, space: Space, near: Neighbours, s: int) -> int:
        if self.goals.is_goal(s):
            return -1
        h = self.heuristic.estimate(s)
        k = space.expand(near, s)
        for i in range(k):
            if near.cost[i] + self.heuristic.estimate(near.state[i]) == h:
                return near.state[i]
        return -1

    def set_pointer(self, s: int, to: int) -> int:
        """From now on the tree leads from s to this neighbour."""
        self.mark[s] = max(self.mark[s] >> 32, self.first_color) * COLOR_UNIT + to + 1
        return 0

    def cut_if_blocked(self, space: Space, s: int) -> int:
        """The steps out of s have changed: is its pointer cut?"""
        mark = self.mark[s]
        to = decode_pointer(mark) if mark >= self.first_color * COLOR_UNIT else -1
        if to >= 0 and space.step_cost(s, to) >= INF:
            self.mark[s] = mark - to - 1
            self.cuts += 1
        return 0

    def follow_pointers(self, space: Space, s: int, most: int) -> int:
        """Does s hang on the tree? At most so many steps along the pointers are made (`walked`): 1, 0 or NOT_YET.

        In a search every state is walked through once: what has its color does not hang on the tree.
        """
        marks, asked, now, k, hangs = longs(self.mark), self.first_color * COLOR_UNIT, self.current_color * COLOR_UNIT, 0, UNDECIDED
        t = s if self.cursor < 0 else self.cursor
        while hangs == UNDECIDED and k < most:
            mark = marks[t]
            w = -1 if mark >= now else decode_pointer(mark) if mark >= asked else self.pointer(space, t)
            if w >= 0:
                prefetch_i64(marks, w + PREFETCH_STEPS * (w - t))  # ways are straight more often than not
                marks[t] = now + w + 1
                t = w
                k += 1
            elif self.goals.is_goal(t):
                hangs = 1
            else:
                marks[t] = now + decode_pointer(marks[t]) + 1
                k += 1
                hangs = 0
        self.walked = k
        self.pointers += k
        self.cursor = t if hangs == UNDECIDED else -1
        return hangs

    def can_end_at(self, search: Search, space: Space, s: int) -> bool:
        return self.follow_pointers(space, s, INF) == 1

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Where the tree leads from the states that were asked, -1 for nowhere."""
        return {"next": np.where(self.valid_mask(ONE_TRIP, states), self.next_states(states), -1)}


if not cython.compiled:  # compiled, it is part of its callers (see ideal_tree.pxd)

    def decode_pointer(mark: int) -> int:
        return mark % COLOR_UNIT - 1


PSEUDO_CODE = """
## IdealTree.initial_pointer

    for each neighbour v of s, in the space's order:
        if c(s, v) + H(v) = H(s): point to v

## IdealTree.follow_pointers

    t := s
    repeat:
        t is a goal: s hangs on the tree
        t was walked in this search: s does not
        mark t; t := its pointer; none? s does not
"""
