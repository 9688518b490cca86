"""Branches of a search tree, cut off: as if the search had never come to their states."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.search.incremental import Incremental
from replan.serialization import not_copyable_error
from replan.signals import check_signals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF, ON_PATH, QUEUED


class CutBranches:
    """`states[:count]` are cut off. With a list, not by recursion: a branch may be as large as the map."""

    states: memoryview
    count: int

    def __init__(self) -> None:
        self.states, self.count = empty(64, np.int32), 0

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def cut_state(self, search: Incremental, s: int) -> int:
        """Cut off one state; those that came through it are cut by `cut_children`."""
        node = search.node
        stamp = node[s].stamp
        if stamp & QUEUED != 0:
            node[s].stamp = stamp - QUEUED
            search.add_to_batch(-1 - s, -1, 0)
        if stamp & ON_PATH != 0:
            search.lowest_changed_index = min(search.lowest_changed_index, search.path_index[s])
        node[s].g = node[s].rhs = INF
        node[s].next = -1
        if self.count == len(self.states):
            with cython.gil:
                self.states = grown(self.states, 2 * self.count)
        self.states[self.count] = s
        self.count += 1
        if self.count & 8191 == 0:
            check_signals()
        return 0

    def cut_children(self, search: Incremental, space: Space, around: Neighbours, s: int) -> int:
        """Cut off all states that came through s, which are then `states[...]` further on.

        How many neighbours are listed in `around`; those that are left were not cut. A child beyond a step that is
        blocked by now is no neighbour: it is one of the states whose costs have changed.
        """
        node = search.node
        k, left = space.expand(around, s) if search.preds_by_expand else space.expand_reverse(around, s), 0
        for i in range(k):
            v = around.state[i]
            if search.is_generated(v) and node[v].next == s:
                self.cut_state(search, v)
            else:
                around.state[left] = v
                left += 1
        return left


PSEUDO_CODE = """
## CutBranches.cut_children

    for each neighbour v of s:
        parent(v) is s: cut off v
        otherwise: v is left, and borders on the gap
"""
