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

    neighbours: Neighbours
    succ: memoryview
    cost: memoryview
    values: memoryview
    learns_best: bool  # or the second best
    episode_expansions: int  # expansions of this episode

    def begin_trip(self, space: Space, goals: Goals) -> None:
        RealTimePlanner.begin_trip(self, space, goals)
        self.neighbours = space.make_neighbours()
        self.degree = self.neighbours.capacity + 1
        self.succ, self.cost = empty(self.degree, np.int32), empty(self.degree, np.int64)
        self.values = empty(self.degree, np.int64)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if self.has_pending_decreases:
            self.apply_cost_decreases()
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        self.evaluate_neighbours(agent_state, limit, deadline)
        return self.learn_and_move(agent_state)

    def evaluate_neighbours(self, agent_state: int, limit: int, deadline: int) -> int:
        """Hook: list the neighbours in `succ`, `cost` and `values`, call `start`, and let `decide` choose."""
        raise NotImplementedError

    def generate_agent_state(self, agent_state: int) -> int:
        """Before the neighbours are ordered: the agent's state is met, as it is by a search that expands it."""
        self.lookahead_search.search.begin(self.space, self.open)
        self.lookahead_search.search.add_start(self.open, agent_state)
        return self.lookahead_search.search.insert_starts(self.open)

    def choose_neighbour(self, open: OpenList, first: int, k: int) -> int:
        """Choose among succ[first : first + k], whose values are values[:k]; -1 if there is none.

        The open list breaks the ties, as in a lookahead of one expansion.
        """
        succ, cost, values, cap = ints(self.succ), longs(self.cost), longs(self.values), self.lookahead_search.search.h_cap
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
        self.chosen_state, self.best_value, self.second_best_value = open.top(), best, next_best
        return self.chosen_state

    def learn_and_move(self, agent_state: int) -> int:
        """The end of an episode that has expanded `used` states: learn, and step to what was chosen."""
        self.expansions += self.episode_expansions
        self.percolations = self.open.percolations
        sure = not self.kept_h_after_decrease and not self.may_overestimate and self.space.is_built_in
        if self.chosen_state < 0 or (self.best_value >= self.lookahead_search.search.h_cap and sure):
            return UNREACHABLE
        learned = min(self.best_value if self.learns_best else self.second_best_value, self.lookahead_search.search.h_cap)
        node = self.lookahead_search.search.node
        if learned > node[agent_state].h:
            self.h_increase += learned - node[agent_state].h
            node[agent_state].h = learned
            if self.lookahead_search.search.learned_h is not None:
                self.lookahead_search.search.learned_h.store_h(agent_state, learned)
        self.planned_path.set_step(agent_state, self.chosen_state, self.space.step_cost(agent_state, self.chosen_state))
        if self.goals.is_goal(self.chosen_state):
            return COMPLETE
        if self.proves_unreachable(agent_state, self.episode_expansions):
            return UNREACHABLE
        if self.best_value >= self.lookahead_search.search.h_cap or (self.learns_best and node[agent_state].h > self.space.max_path_cost):
            return self.give_up(agent_state)
        return PARTIAL

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Its searches are one expansion long: of what they keep, h says something."""
        return {"h": RealTimePlanner._table_arrays(self, states)["h"]}


PSEUDO_CODE = """
## OneStep.learn_and_move

    no neighbour has a way: no way
    learned := smallest value (RTA*: second smallest)
    h(agent) := max(h(agent), learned)
    move to the neighbour with the smallest value
"""
