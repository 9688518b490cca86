"""The ideal tree of FRIT: a pointer p(s) from each state to the next state on its path to a goal.

(Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014.) The first pointers are those that
the heuristic H promises on free terrain. p(s) is set when it is first read: to the first neighbour v, in the order of
the space, with H(s) = c(s, v) + H(v), or to none. A pointer whose step is blocked is removed for good. The paths that
reconnection searches find replace pointers.

| paper       | here                                                                    |
|-------------|-------------------------------------------------------------------------|
| p(s)        | `pointer`                                                               |
| InTree(s)   | `follow_pointers`                                                       |
| color of s  | the upper half of mark[s]; c is `current_color`                         |
| remove (s, p(s)) | `cut_if_blocked`                                                   |
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

UNDECIDED = -1  # result of `follow_pointers`: the step limit was reached first
COLOR_UNIT = 1 << 32  # a mark is color * COLOR_UNIT + pointer + 1
LAST_COLOR = (1 << 31) - 2
PREFETCH_STEPS = 8  # how many steps ahead marks are prefetched, on a straight path


class IdealTree(Terminator):
    """The pointers p, and the colors of the states.

    mark[s] holds both in one number, because a walk reads both and waits for memory: color * 2**32 + p(s) + 1. A p(s)
    of -1 means "none"; goals have no pointer.

    | color of s             | meaning                                                                              |
    |------------------------|--------------------------------------------------------------------------------------|
    | below `first_color`    | p(s) has not been set since the goals were set                                       |
    | `current_color`        | in this search, s is known not to be in the tree, or it is on the walk in progress   |

    `cuts` counts removed pointers, and `pointers` counts pointers that were followed.
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
        """Save or load the pointers and the colors."""
        search_count = archive.integer("searches", self.current_color - self.first_color, 0, LAST_COLOR - 2)
        self.current_color = self.first_color + search_count
        self.cursor = archive.integer("cursor", self.cursor, -1, self.n - 1)
        self.cuts = archive.integer("cuts", self.cuts, 0)
        StateTable.serialize(self, archive)
        archive.require((self.next_states() < self.n).all(), "a pointer of its tree is not a state")

    def set_goals(self, goals: Goals, heuristic: Heuristic) -> None:
        """Set other goals, and forget all pointers."""
        self.goals, self.heuristic, self.cursor = goals, heuristic, -1
        self.next_color()
        self.first_color = self.current_color

    def begin(self) -> None:
        """Begin a search: no state has its color yet."""
        self.cursor = -1
        self.next_color()

    def next_color(self) -> None:
        """Use the next color. After the last one, colors begin again, and the pointers are kept."""
        marks = longs(self.mark)
        if self.current_color == LAST_COLOR:
            for s in range(self.n):
                marks[s] = COLOR_UNIT + decode_pointer(marks[s]) + 1 if marks[s] >= self.first_color * COLOR_UNIT else 0
            self.first_color = self.current_color = 1
        self.current_color += 1

    def next_states(self, states: Any = ALL) -> np.ndarray[Any, Any]:
        """Return the pointers of these states, -1 for none."""
        next_state: np.ndarray[Any, Any] = (self.values("mark")[states] & (COLOR_UNIT - 1)) - 1
        return next_state

    def pointer(self, space: Space, s: int) -> int:
        """Return p(s), -1 for none. Set it first if it has not been read since the goals were set."""
        if self.mark[s] < self.first_color * COLOR_UNIT:
            self.mark[s] = self.first_color * COLOR_UNIT + self.initial_pointer(space, self.neighbours, s) + 1
        return decode_pointer(self.mark[s])

    def count_steps(self, space: Space, s: int, max_steps: int) -> int:
        """Return how many steps, at most `max_steps`, the pointers lead on from s."""
        marks, first_mark, t, next_t, k = longs(self.mark), self.first_color * COLOR_UNIT, s, s, 0
        while next_t >= 0 and k < max_steps:
            next_t = (
                decode_pointer(marks[t]) if marks[t] >= first_mark else self.pointer(space, t)
            )  # a goal has no pointer
            if next_t >= 0:
                prefetch_i64(marks, next_t + PREFETCH_STEPS * (next_t - t))
                t = next_t
                k += 1
        self.pointers += k
        return k

    def initial_pointer(self, space: Space, neighbours: Neighbours, s: int) -> int:
        """Return the first neighbour v of s with H(s) = c(s, v) + H(v), -1 for none."""
        if self.goals.is_goal(s):
            return -1
        h = self.heuristic.estimate(s)
        k = space.expand(neighbours, s)
        for i in range(k):
            if neighbours.cost[i] + self.heuristic.estimate(neighbours.state[i]) == h:
                return neighbours.state[i]
        return -1

    def set_pointer(self, s: int, next_state: int) -> int:
        """Set p(s)."""
        self.mark[s] = max(self.mark[s] >> 32, self.first_color) * COLOR_UNIT + next_state + 1
        return 0

    def cut_if_blocked(self, space: Space, s: int) -> int:
        """Costs of steps out of s have changed: remove p(s) if its step is blocked."""
        mark = self.mark[s]
        next_state = decode_pointer(mark) if mark >= self.first_color * COLOR_UNIT else -1
        if next_state >= 0 and space.step_cost(s, next_state) >= INF:
            self.mark[s] = mark - next_state - 1
            self.cuts += 1
        return 0

    def follow_pointers(self, space: Space, s: int, max_steps: int) -> int:
        """InTree(s): return 1 if the pointers lead from s to a goal, 0 if not, UNDECIDED after `max_steps` steps.

        Then the next call goes on from `cursor`. `walked` is the number of steps. A search follows each pointer only
        once: a state with the current color is not in the tree.
        """
        marks, first_mark, color_mark = longs(self.mark), self.first_color * COLOR_UNIT, self.current_color * COLOR_UNIT
        k, in_tree = 0, UNDECIDED
        t = s if self.cursor < 0 else self.cursor
        while in_tree == UNDECIDED and k < max_steps:
            mark = marks[t]
            next_t = (
                -1 if mark >= color_mark else decode_pointer(mark) if mark >= first_mark else self.pointer(space, t)
            )
            if next_t >= 0:
                prefetch_i64(marks, next_t + PREFETCH_STEPS * (next_t - t))  # paths are mostly straight
                marks[t] = color_mark + next_t + 1  # color(t) := c
                t = next_t  # t := p(t)
                k += 1
            elif self.goals.is_goal(t):  # return yes
                in_tree = 1
            else:  # p(t) is none, or color(t) = c: return no
                marks[t] = color_mark + decode_pointer(marks[t]) + 1
                k += 1
                in_tree = 0
        self.walked = k
        self.pointers += k
        self.cursor = t if in_tree == UNDECIDED else -1
        return in_tree

    def can_end_at(self, search: Search, space: Space, s: int) -> bool:
        """Return True if s is in the tree."""
        return self.follow_pointers(space, s, INF) == 1

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the pointers that were set, -1 for none."""
        return {"next": np.where(self.valid_mask(ONE_TRIP, states), self.next_states(states), -1)}


if not cython.compiled:  # compiled, it is an inline function (see ideal_tree.pxd)

    def decode_pointer(mark: int) -> int:
        """Return the pointer of a mark, -1 for none."""
        return mark % COLOR_UNIT - 1


PSEUDO_CODE = """
## IdealTree.initial_pointer

    for each neighbour v of s, in the order of the space:
        if H(s) = c(s, v) + H(v): p(s) := v

## IdealTree.follow_pointers

    t := s
    repeat:
        t is a goal: s is in the tree
        p(t) is none, or color(t) = c: s is not in the tree
        color(t) := c; t := p(t)
"""
