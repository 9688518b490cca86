"""Planners that value each neighbour of the agent, learn the agent's own state, and make one move.

For every successor n of the agent's state s they find value(n): what the way over n seems to cost. The agent moves to
the n with the smallest value, and h(s) becomes that value, unless it was larger. How values are found is theirs.

Equal values are ordered as an open list orders them, larger cost first, so that with the least lookahead all of them
take the steps of RTAA* with lookahead 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE
from replan.planners.realtime import RealTimePlanner
from replan.queues.base import OpenList
from replan.search.state_table import ALL
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs


class OneStep(RealTimePlanner):
    """A class that derives from it defines `value_neighbours`."""

    near: Neighbours
    succ: memoryview
    cost: memoryview
    values: memoryview
    learns_best: bool  # or the second best
    used: int  # expansions of this episode

    def begin_trip(self, space: Space, goals: Goals) -> None:
        RealTimePlanner.begin_trip(self, space, goals)
        self.near = space.neighbours()
        self.degree = self.near.room + 1
        self.succ, self.cost = empty(self.degree, np.int32), empty(self.degree, np.int64)
        self.values = empty(self.degree, np.int64)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        if self.fallen:
            self.take_in_falls()
        if self.reachability.is_cut_off(self.goals, at):
            return UNREACHABLE
        self.value_neighbours(at, limit, deadline)
        return self.take_step(at)

    def value_neighbours(self, at: int, limit: int, deadline: int) -> int:
        """Hook: list the neighbours in `succ`, `cost` and `values`, call `start`, and let `decide` choose."""
        raise NotImplementedError

    def start(self, at: int) -> int:
        """Before the neighbours are ordered: the agent's state is met, as it is by a search that expands it."""
        self.look.search.begin(self.space, self.open)
        self.look.search.source(self.open, at)
        return self.look.search.enter(self.open)

    def decide(self, open: OpenList, first: int, k: int) -> int:
        """Choose among succ[first : first + k], whose values are values[:k]; -1 if there is none.

        The open list breaks the ties, as in a lookahead of one expansion.
        """
        succ, cost, values, cap = ints(self.succ), longs(self.cost), longs(self.values), self.look.search.cap
        best = next_best = INF
        open.clear()
        for i in range(k):
            v, value = succ[first + i], values[i]
            if value < best:
                best, next_best = value, best
            elif value < next_best:
                next_best = value
            j = 0
            while succ[first + j] != v:
                j += 1
            if j == i:
                open.insert(v, min(value, cap), cost[first + i])
            elif value < values[j]:  # a graph may have several edges from one node to another
                values[j] = value
                open.decrease(v, min(value, cap), cost[first + i])
        self.choice, self.best, self.next_best = open.top(), best, next_best
        return self.choice

    def take_step(self, at: int) -> int:
        """The end of an episode that has expanded `used` states: learn, and step to what was chosen."""
        self.expansions += self.used
        self.percolations = self.open.percolations
        sure = not self.kept and not self.doubtful and self.space.built_in
        if self.choice < 0 or (self.best >= self.look.search.cap and sure):
            return UNREACHABLE
        learned = min(self.best if self.learns_best else self.next_best, self.look.search.cap)
        node = self.look.search.node
        if learned > node[at].h:
            self.h_increase += learned - node[at].h
            node[at].h = learned
            if self.look.search.memory is not None:
                self.look.search.memory.keep_one(at, learned)
        self.planned_path.set_step(at, self.choice, self.space.step_cost(at, self.choice))
        if self.goals.has(self.choice):
            return COMPLETE
        if self.finds_no_way(at, self.used):
            return UNREACHABLE
        if self.best >= self.look.search.cap or (self.learns_best and node[at].h > self.space.bound):
            return self.give_up(at)
        return PARTIAL

    def _arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Its searches are one expansion long: of what they keep, h says something."""
        return {"h": RealTimePlanner._arrays(self, states)["h"]}


PSEUDO_CODE = """
## OneStep.take_step

    no neighbour has a way: no way
    learned := smallest value (RTA*: second smallest)
    h(agent) := max(h(agent), learned)
    move to the neighbour with the smallest value
"""
