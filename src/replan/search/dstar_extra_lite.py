"""The engine of D* Extra Lite: where a cost has risen the whole branch beyond it is cut off at once.

(Przybylski, Putz: D* Extra Lite: A Dynamic A* with Search-Tree Cutting and Frontier-Gap Repairing, AMCS 27(2), 2017.)
It is the engine of D* Lite without under-consistent states. What is cut is as if it had never been met, and the states
around the gap are queued once more ("seeds"), to grow into it.

visited: rhs < INF    open: queued    the paper's g of an open state: rhs    its parent: next    closed: g = rhs
"""

from __future__ import annotations

from typing import Any

from replan.queues.base import OpenList
from replan.search.branches import CutBranches
from replan.search.incremental import Incremental
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF, QUEUED


class DStarExtraLiteSearch(Incremental):
    """`cuts` counts the states that were cut off."""

    cut_branches: CutBranches
    cuts: int

    def __init__(self, open: OpenList, heuristic: Any = None) -> None:
        Incremental.__init__(self, open, heuristic)
        self.cut_branches, self.cuts = CutBranches(), 0

    def on_cost_change(self, s: int) -> int:
        """Steps out of s cost something else now: cut it off if its own has risen, and look for those that fell."""
        self.initialize_state(s)
        if self.roots.is_goal(s):
            return 0
        if self.is_watched:
            self.log.is_incomplete = True  # what is cut off, and what borders on it, may be anywhere
        node = self.node
        v = node[s].next
        if v >= 0 and self.space.step_cost(s, v) > node[s].rhs - node[v].g:  # also if v has been cut off: g = INF
            self.cut_branch(self.space, self.pred_neighbours, s)
        return self.seed_neighbours(self.space, self.succ_neighbours, s)

    def cut_branch(self, space: Space, around: Neighbours, s: int) -> int:
        """Cut off s and all that came through it; what borders on that is queued."""
        self.cut_branches.count = 0
        self.cut_branches.cut_state(self, s)
        i = 0
        while i < self.cut_branches.count:
            left = self.cut_branches.cut_children(self, space, around, self.cut_branches.states[i])
            for j in range(left):
                self.seed(around.state[j])
            i += 1
        if not space.is_symmetric:  # those were predecessors; what is cut grows again from where its own steps lead
            for i in range(self.cut_branches.count):
                self.seed_neighbours(space, self.succ_neighbours, self.cut_branches.states[i])
        self.cuts += self.cut_branches.count
        return 0

    def seed_neighbours(self, space: Space, near: Neighbours, s: int) -> int:
        """Queue the successors by which s would come nearer to the goal, or come to it at all."""
        node = self.node
        k = space.expand(near, s)
        for i in range(k):
            v = near.state[i]
            if self.is_generated(v) and node[v].rhs < INF and node[v].rhs + near.cost[i] < node[s].rhs:
                self.seed(v)
        return 0

    def seed(self, s: int) -> int:
        node = self.node
        if self.is_generated(s) and node[s].rhs < INF and node[s].stamp & QUEUED == 0:
            f = self.key_of(node[s].g, node[s].rhs, self.h_of(s))
            self.enqueue(s, node[s].stamp, f, node[s].rhs)
        return 0

    def raise_g(self, space: Space, around: Neighbours, near: Neighbours, u: int) -> int:
        """A seed, whose g is its rhs already, is expanded as any other state."""
        return self.lower_g(space, around, u)


PSEUDO_CODE = """
## DStarExtraLiteSearch.on_cost_change

    the step from s to its parent has risen:
        cut off s with its branch
    queue each neighbour through which s would come
    nearer to the goal than it is

## DStarExtraLiteSearch.cut_branch

    forget s
    for each state that was forgotten:
        forget those whose parent it was
        queue its other neighbours: seeds around the gap

## DStarExtraLiteSearch.seed_neighbours

    for each neighbour v of s that the search has met:
        if rhs(v) + c(s, v) < rhs(s): queue v again
"""
