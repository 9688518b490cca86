"""Multipath Adaptive A* (MPAA*, MPGAA*): a search may end on a path of an earlier search that is still cheapest.

(Hernández, Asín, Baier, ICAPS 2014; AAAI 2015.) `next` points from each state of a path to the following one. Let h
be consistent. If h falls by exactly the cost of each step, down to a goal, then the path is cheapest, because no path
costs less than h. A path whose costs have changed fails this test, so changes need not be reported. The path cannot run
in a circle, because every step has a positive cost.

| procedure of the paper | here                                                    |
|------------------------|---------------------------------------------------------|
| GoalCondition(s)       | `can_end_at`                                            |
| BuildPath(s)           | `add_segment`                                           |
| InsertState(s, s', Q)  | `h_repair.HRepair.lower_h`                              |
| ReestablishConsistency | `h_repair.HRepair.apply_decreases`                      |
| next(s) := null        | not needed: the test in GoalCondition fails by itself   |
| support(s)             | not needed: it saves no expansions                      |
"""

from __future__ import annotations

import numpy as np

from replan.limits import LARGEST_STAMP
from replan.search.astar import Search, Terminator
from replan.search.path import PlannedPath
from replan.search.state_table import Column, StateTable
from replan.serialization import Archive
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs


COLUMNS = Column("next", dtype=np.int32), Column("mark", is_shown=False)


class OldPaths(Terminator):
    """The pointers `next` of old paths.

    | mark of s         | meaning                                                                 |
    |-------------------|-------------------------------------------------------------------------|
    | below first_mark  | no pointer: next[s] is of an earlier trip, or was never written         |
    | 2 * round + 1     | no path leads on from s: found in this search, whose number is `round`  |
    | any other         | next[s] is the next state                                               |

    From path.states[valid_from] on, the planner's path is known to be cheapest: that part need not be tested again.
    """

    next: memoryview
    mark: memoryview
    path: PlannedPath  # the path of the planner

    def __init__(self) -> None:
        StateTable.__init__(self, "paths", COLUMNS, "mark")
        self.round, self.first_mark = 0, 2
        self.valid_from = self.join_index = -1
        self.join_steps = 0

    def bind_arrays(self, n: int) -> None:
        self.next, self.mark = self.array("next"), self.array("mark")

    def attach_path(self, path: PlannedPath) -> None:
        """Forget all paths. From now on this is the path of the planner."""
        self.first_mark, self.valid_from = 2 * self.round + 2, -1
        self.path = path

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.first_mark

    def last_stamp(self) -> int:
        return 2 * self.round + 1

    def begin(self) -> None:
        """Begin a search."""
        self.round += 1

    def valid_position(self, s: int) -> int:
        """Return the position of a state on the valid part of the path, -1 if it is not there."""
        i = self.path.position_of(s)
        return i if i <= self.valid_from else -1

    def on_cost_increase(self, u: int) -> None:
        """The cost of a step out of u has risen: the path is valid after this step only."""
        i = self.valid_position(u)
        if i >= 0:
            self.valid_from = i - 1

    def can_end_at(self, search: Search, space: Space, s: int) -> bool:
        """GoalCondition(s): return True if a path leads from s to a goal that costs no more than h(s).

        Then the path reaches path.states[join_index], or a goal (join_index 0), after `join_steps` steps. States that
        lead to no goal are marked, so that all calls in one search visit each state only once.
        """
        next_state, mark, dead_end_mark = ints(self.next), longs(self.mark), 2 * self.round + 1
        if mark[s] < self.first_mark or mark[s] == dead_end_mark:
            return False
        node, h_stamp, t, steps = search.node, search.current_h_stamp, s, 0
        h_t = search.current_h(t)
        while mark[t] >= self.first_mark and mark[t] != dead_end_mark:
            if self.valid_position(t) >= 0:
                self.join_index, self.join_steps = self.valid_position(t), steps
                return True
            v = next_state[t]  # v is next(t)
            h_v = node[v].h if node[v].stamp >= h_stamp else search.current_h(v)
            if h_t - h_v != space.step_cost(t, v):  # not h(t) = c(t, next(t)) + h(next(t))
                break
            t, h_t = v, h_v
            steps += 1
            if search.goals.is_goal(t):
                self.join_index, self.join_steps = 0, steps
                return True
        while s != t:
            mark[s] = dead_end_mark
            s = next_state[s]
        if mark[t] >= self.first_mark:
            mark[t] = dead_end_mark
        return False

    def add_segment(self, low: int, high: int) -> None:
        """BuildPath: the path from states[high] to states[low] was just found, and leads on to a goal."""
        next_state, mark, states = ints(self.next), longs(self.mark), ints(self.path.states)
        for i in range(low + 1, high + 1):
            next_state[states[i]] = states[i - 1]
            mark[states[i]] = 2 * self.round
        self.valid_from = high

    def serialize(self, archive: Archive) -> None:
        """Save or load the pointers, with marks that are smaller than in later searches."""
        self.round = (
            archive.integer("round", self.round - self.first_mark // 2 + 1, 0, LARGEST_STAMP) + self.first_mark // 2 - 1
        )
        Terminator.serialize(self, archive)
        self.valid_from = archive.integer("valid_from", self.valid_from, -1, self.n - 1)


PSEUDO_CODE = """
## OldPaths.can_end_at

    t := s
    while next(t) exists:
        v := next(t)
        if h(t) differs from c(t, v) + h(v): stop walking
        t := v
        t is a goal, or on the valid part of the path:
            the search may end at s
    mark the states from s to t: no path leads on

## OldPaths.add_segment

    for each step u, v of the path just found:
        next(u) := v
"""
