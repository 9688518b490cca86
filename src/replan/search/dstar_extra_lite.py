"""The search of D* Extra Lite: when a cost rises, the complete branch of the search tree behind it is cut off at once.

(Przybylski, Putz: D* Extra Lite: A Dynamic A* with Search-Tree Cutting and Frontier-Gap Repairing, AMCS 27(2), 2017.)
It is the search of D* Lite without under-consistent states. States that are cut off become unvisited. The visited
states around the gap are queued again ("seeds"), and the search grows from them into the gap.

| paper                     | here                                |
|---------------------------|-------------------------------------|
| visited(s)                | rhs(s) < INF                        |
| open(s)                   | s is queued                         |
| closed (visited, not open)| g(s) = rhs(s)                       |
| g(s) of an open state     | rhs(s)                              |
| parent(s)                 | next(s)                             |
| CutBranch(s)              | `cut_branch` (a list, no recursion) |
| seeds                     | queued by `seed` at once            |

The end of the search is that of D* Lite {10}. The printed test is only right while the agent follows its own path.
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
    """`Incremental` with branches that are cut off. `cuts` counts the states that were cut off."""

    cut_branches: CutBranches
    cuts: int

    def __init__(self, open: OpenList, heuristic: Any = None) -> None:
        Incremental.__init__(self, open, heuristic)
        self.cut_branches, self.cuts = CutBranches(), 0

    def on_cost_change(self, s: int) -> int:
        """Costs of steps out of s have changed: cut off s if the step to its parent rose, and seed if steps fell."""
        self.initialize_state(s)
        if self.roots.is_goal(s):
            return 0
        if self.is_watched:
            self.log.is_incomplete = True  # states that are cut off or seeded may be anywhere
        node = self.node
        v = node[s].next
        if v >= 0 and self.space.step_cost(s, v) > node[s].rhs - node[v].g:  # True also if v was cut off: g(v) = INF
            self.cut_branch(self.space, self.pred_neighbours, s)
        return self.seed_neighbours(self.space, self.succ_neighbours, s)

    def cut_branch(self, space: Space, neighbours: Neighbours, s: int) -> int:
        """CutBranch(s): cut off s and its branch, and seed the neighbours of the gap."""
        self.cut_branches.count = 0
        self.cut_branches.cut_state(self, s)
        i = 0
        while i < self.cut_branches.count:
            seed_count = self.cut_branches.cut_children(self, space, neighbours, self.cut_branches.states[i])
            for j in range(seed_count):
                self.seed(neighbours.state[j])
            i += 1
        if not space.is_symmetric:  # those were predecessors; a path out of the gap leads to successors
            for i in range(self.cut_branches.count):
                self.seed_neighbours(space, self.succ_neighbours, self.cut_branches.states[i])
        self.cuts += self.cut_branches.count
        return 0

    def seed_neighbours(self, space: Space, neighbours: Neighbours, s: int) -> int:
        """Seed the successors that would decrease rhs(s)."""
        node = self.node
        k = space.expand(neighbours, s)
        for i in range(k):
            v = neighbours.state[i]
            if self.is_generated(v) and node[v].rhs < INF and node[v].rhs + neighbours.cost[i] < node[s].rhs:
                self.seed(v)
        return 0

    def seed(self, s: int) -> int:
        """Queue a visited state again, unless it is queued."""
        node = self.node
        if self.is_generated(s) and node[s].rhs < INF and node[s].stamp & QUEUED == 0:
            f = self.key_of(node[s].g, node[s].rhs, self.h_of(s))
            self.enqueue(s, node[s].stamp, f, node[s].rhs)
        return 0

    def raise_g(self, space: Space, pred_neighbours: Neighbours, succ_neighbours: Neighbours, u: int) -> int:
        """Expand a seed, whose g is its rhs already, like any other state."""
        return self.lower_g(space, pred_neighbours, u)


PSEUDO_CODE = """
## DStarExtraLiteSearch.on_cost_change

    the cost of the step from s to parent(s) has risen:
        cut off the branch of s
    queue each visited successor v that would decrease g(s)

## DStarExtraLiteSearch.cut_branch

    make s unvisited
    for each state u that was cut off:
        for each visited neighbour v of u:
            if parent(v) = u: make v unvisited
            otherwise: queue v (a seed at the gap)

## DStarExtraLiteSearch.seed_neighbours

    for each visited successor v of s:
        if g(v) + c(s, v) < g(s): queue v again
"""
