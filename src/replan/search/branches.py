"""Branches of a search tree that are cut off: their states become unvisited."""

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
    """The states that were cut off: `states[:count]`. It is a list because recursion may be too deep."""

    states: memoryview
    count: int

    def __init__(self) -> None:
        self.states, self.count = empty(64, np.int32), 0

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def cut_state(self, search: Incremental, s: int) -> int:
        """Cut off one state. `cut_children` cuts off the states whose `next` it was."""
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

    def cut_children(self, search: Incremental, space: Space, neighbours: Neighbours, s: int) -> int:
        """Cut off all states whose `next` is s, which appends them to `states`.

        Return how many other neighbours of s there are; `neighbours` lists these. A child behind a step that is now
        blocked is no neighbour of s: it is one of the states whose costs have changed.
        """
        node = search.node
        k, other_count = (
            space.expand(neighbours, s) if search.preds_by_expand else space.expand_reverse(neighbours, s),
            0,
        )
        for i in range(k):
            v = neighbours.state[i]
            if search.is_generated(v) and node[v].next == s:
                self.cut_state(search, v)
            else:
                neighbours.state[other_count] = v
                other_count += 1
        return other_count


PSEUDO_CODE = """
## CutBranches.cut_children

    for each neighbour v of s:
        if parent(v) = s: cut off v
        otherwise: v borders on the gap
"""
