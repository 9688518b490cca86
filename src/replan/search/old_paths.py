"""The paths of earlier searches: a search may end on one that is still as good as can be.

(Multipath Adaptive A*: Hernández, Asín, Baier, ICAPS 2014; AAAI 2015.) Each state of a path points to the next one.
With h consistent, a path on which h falls by exactly the cost of every step, down to a goal, is a cheapest one: no
path costs less than h. So nobody has to be told when costs change: a path that is not as good as it was fails that
test. Such a path cannot go round in a circle, as every step costs something.
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
    """next[s] is where paths lead from s, as the mark of s says:

    mark[s] <  first          nowhere: what stands in next[s] is of an earlier trip, or nothing
    mark[s] == 2 * round + 1  nowhere: found out in this search
    other marks               to next[s], when that was last written

    From path.states[solid] on, the planner's path is known to be as good as it was: that part need not be walked again.
    """

    next: memoryview
    mark: memoryview
    path: PlannedPath  # of the planner

    def __init__(self) -> None:
        StateTable.__init__(self, "paths", COLUMNS, "mark")
        self.round, self.first_mark = 0, 2
        self.valid_from = self.join_index = -1
        self.join_steps = 0

    def bind_arrays(self, n: int) -> None:
        self.next, self.mark = self.array("next"), self.array("mark")

    def attach_path(self, path: PlannedPath) -> None:
        """Forget all paths. From now on they are those of this planner."""
        self.first_mark, self.valid_from = 2 * self.round + 2, -1
        self.path = path

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.first_mark

    def last_stamp(self) -> int:
        return 2 * self.round + 1

    def begin(self) -> None:
        """A search begins."""
        self.round += 1

    def valid_position(self, s: int) -> int:
        """The position of a state on the solid part of the path, -1 if it is not there."""
        i = self.path.position_of(s)
        return i if i <= self.valid_from else -1

    def on_cost_increase(self, u: int) -> None:
        """A step out of u costs more: the path is solid beyond it."""
        i = self.valid_position(u)
        if i >= 0:
            self.valid_from = i - 1

    def can_end_at(self, search: Search, space: Space, s: int) -> bool:
        """Does a path lead from s to a goal that costs no more than h(s)?

        If so, it comes to path.states[kept], or to a goal, after `steps`. What is found to lead nowhere is marked, so
        that all of these walks together visit each state once a search.
        """
        next, mark, nowhere = ints(self.next), longs(self.mark), 2 * self.round + 1
        if mark[s] < self.first_mark or mark[s] == nowhere:
            return False
        node, era, t, steps = search.node, search.current_h_stamp, s, 0
        h = search.current_h(t)
        while mark[t] >= self.first_mark and mark[t] != nowhere:
            if self.valid_position(t) >= 0:
                self.join_index, self.join_steps = self.valid_position(t), steps
                return True
            v = next[t]
            left = node[v].h if node[v].stamp >= era else search.current_h(v)
            if h - left != space.step_cost(t, v):
                break
            t, h = v, left
            steps += 1
            if search.goals.is_goal(t):
                self.join_index, self.join_steps = 0, steps
                return True
        while s != t:
            mark[s] = nowhere
            s = next[s]
        if mark[t] >= self.first_mark:
            mark[t] = nowhere
        return False

    def add_segment(self, low: int, high: int) -> None:
        """The path from states[high] to states[low] is a path that was found just now, and goes on to a goal."""
        next, mark, states = ints(self.next), longs(self.mark), ints(self.path.states)
        for i in range(low + 1, high + 1):
            next[states[i]] = states[i - 1]
            mark[states[i]] = 2 * self.round
        self.valid_from = high

    def serialize(self, archive: Archive) -> None:
        """Where paths lead, by marks of which none is of a search to come."""
        self.round = archive.integer("round", self.round - self.first_mark // 2 + 1, 0, LARGEST_STAMP) + self.first_mark // 2 - 1
        Terminator.serialize(self, archive)
        self.valid_from = archive.integer("valid_from", self.valid_from, -1, self.n - 1)


PSEUDO_CODE = """
## OldPaths.can_end_at

    t := s
    while an old path leads on from t:
        v := the next state on it
        if h(t) - h(v) is not c(t, v): it is broken
        t := v
        t is a goal, or on the path that is still good:
            the search may end at s
    mark what was walked: it leads nowhere

## OldPaths.add_segment

    for each step u, v of the path just found:
        next(u) := v
"""
