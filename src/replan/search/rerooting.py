"""Another root for a search tree: what does not hang on it is cut off, and found again where the rest borders on it.

(Sun, Yeoh, Koenig: Moving Target D* Lite, AAMAS 2010.) The new root keeps its g, so that the g of all that hang on it
stay right among themselves: they are larger than they could be, all by the same amount.
"""

from __future__ import annotations

import numpy as np

from replan.arrays import empty, grown
from replan.search.incremental import Incremental
from replan.signals import check_signals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF, QUEUED


class Rerooting:
    """Moves the root of a forward search. `states[:count]` were cut off when it last did."""

    states: memoryview
    count: int

    def __init__(self) -> None:
        self.states, self.count = empty(64, np.int32), 0

    def move(self, search: Incremental, old: int, at: int) -> bool:
        """Let `at` be the root instead of `old`. False if its own way from there is not known: start again.

        Costs that have changed since the last search may not be taken in before. A branch beyond a step that is
        blocked by now is not found here; its first state is one of those whose costs have changed.
        """
        node = search.node
        if not search.met(at) or node[at].g != node[at].rhs or node[at].g > search.space.bound:
            return False
        w = node[at].next
        node[at].next = -1
        self.count = 0
        while w >= 0 and w != at:  # the way from the old root, which is not always whole after an unfinished search
            above = node[w].next
            self.cut(search, w)
            w = above
        if node[old].rhs < INF:
            self.cut(search, old)
        search.roots.single = search.roots.state[0] = at
        i = 0
        while i < self.count:
            self.cut_children(search, search.space, search.around, self.states[i])
            i += 1
        for i in range(self.count):
            search.recompute(search.space, search.near, self.states[i])
        return True

    def cut_children(self, search: Incremental, space: Space, around: Neighbours, w: int) -> int:
        node = search.node
        k = space.expand(around, w)
        for i in range(k):
            v = around.state[i]
            if node[v].next == w and search.met(v):
                self.cut(search, v)
        return 0

    def cut(self, search: Incremental, s: int) -> int:
        """As if no search had come to s."""
        node = search.node
        if node[s].stamp & QUEUED != 0:
            node[s].stamp = node[s].stamp - QUEUED
            search.note(-1 - s, -1, 0)
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
