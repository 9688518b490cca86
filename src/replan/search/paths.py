"""The paths of earlier searches: a search may end on one that is still as good as can be.

(Multipath Adaptive A*: Hernández, Asín, Baier, ICAPS 2014; AAAI 2015.) Each state of a path points to the next one.
With h consistent, a path on which h falls by exactly the cost of every step, down to a goal, is a cheapest one: no
path costs less than h. So nobody has to be told when costs change: a path that is not as good as it was fails that
test. Such a path cannot go round in a circle, as every step costs something.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch, zeros
from replan.search.astar import Ending, Search
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs


class OldPaths(Ending):
    """next[s] is where paths lead from s, as the mark of s says:

    mark[s] <  first          nowhere: what stands in next[s] is of an earlier trip, or nothing
    mark[s] == 2 * round + 1  nowhere: found out in this search
    other marks               to next[s], when that was last written
    """

    next: memoryview
    mark: memoryview

    def __init__(self) -> None:
        self.size, self.round, self.first = 0, 0, 2

    def fit(self, n: int) -> None:
        """Have room for n states, and forget all paths."""
        if self.size != n:
            self.next, self.mark = empty(n, np.int32), zeros(n, np.int64)
            self.size = n
        self.first = 2 * self.round + 2

    def touch(self) -> None:
        touch(self.next, self.mark)

    def begin(self) -> None:
        """A search begins."""
        self.round += 1

    def ends_at(self, search: Search, space: Space, s: int) -> bool:
        """Does a path lead from s to a goal that costs no more than h(s)?

        What is found to lead nowhere is marked, so that all of these walks together visit each state once a search.
        """
        next, mark, nowhere = ints(self.next), longs(self.mark), 2 * self.round + 1
        t = s
        h = search.value_h(t)
        while not search.goals.has(t):
            if mark[t] < self.first or mark[t] == nowhere:
                break
            v = next[t]
            left = search.value_h(v)
            if h - left != space.step_cost(t, v):
                break
            t, h = v, left
        else:
            return True
        while s != t:
            mark[s] = nowhere
            s = next[s]
        if mark[t] >= self.first:
            mark[t] = nowhere
        return False

    def add(self, search: Search, end: int, at: int) -> int:
        """The way that a search has found from `at` to `end`."""
        node, next, mark = search.node, ints(self.next), longs(self.mark)
        while end != at:
            u = node[end].parent
            next[u] = end
            mark[u] = 2 * self.round
            end = u
        return 0

    def snapshot(self) -> np.ndarray[Any, Any]:
        """Where paths led when they were found, -1 where there was none."""
        return np.where(np.asarray(self.mark) < self.first, -1, np.asarray(self.next))
