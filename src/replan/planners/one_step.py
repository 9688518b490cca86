"""Base of the planners that evaluate each neighbour of the agent, learn the h of the agent's state, and make one move.

For every successor n of the agent's state s they compute value(n), an estimate of the cost to the goal through n. The
agent moves to the n with the smallest value, and h(s) rises to that value. A derived class defines how values are
computed.

An open list orders equal values, larger step cost first. So with the smallest lookahead all of these planners move as
RTAA* with lookahead 1 does.
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
    """Base class; a derived class defines `evaluate_neighbours`."""

    neighbours: Neighbours
    succ: memoryview
    cost: memoryview
    values: memoryview
    learns_best: bool  # False: h becomes the second smallest value
    episode_expansions: int

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
        """Hook: list the neighbours in `succ`, `cost` and `values`.

        It must call `generate_agent_state` first and `choose_neighbour` last.
        """
        raise NotImplementedError

    def generate_agent_state(self, agent_state: int) -> int:
        """Begin a search that has generated the agent's state, before the neighbours are ordered."""
        self.lookahead_search.search.begin(self.space, self.open)
        self.lookahead_search.search.add_start(self.open, agent_state)
        return self.lookahead_search.search.insert_starts(self.open)

    def choose_neighbour(self, open: OpenList, first: int, count: int) -> int:
        """Choose among succ[first : first + count], whose values are values[:count]; -1 if there is none.

        The open list breaks the ties, as in a lookahead of one expansion.
        """
        succ = ints(self.succ)
        cost = longs(self.cost)
        values = longs(self.values)
        cap = self.lookahead_search.search.h_cap
        best = next_best = INF
        open.clear()
        for i in range(count):
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
        """End an episode: learn, and step to the chosen neighbour."""
        self.expansions += self.episode_expansions
        self.percolations = self.open.percolations
        h_is_admissible = not self.kept_h_after_decrease and not self.may_overestimate and self.space.is_built_in
        if self.chosen_state < 0 or (self.best_value >= self.lookahead_search.search.h_cap and h_is_admissible):
            return UNREACHABLE
        learned = min(
            self.best_value if self.learns_best else self.second_best_value, self.lookahead_search.search.h_cap
        )
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
        if self.best_value >= self.lookahead_search.search.h_cap or (
            self.learns_best and node[agent_state].h > self.space.max_path_cost
        ):
            return self.give_up(agent_state)
        return PARTIAL

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return only h: the searches are one expansion long, so their other values mean nothing."""
        return {"h": RealTimePlanner._table_arrays(self, states)["h"]}


PSEUDO_CODE = """
## OneStep.learn_and_move

    no neighbour has a path to a goal: no path
    learned := smallest value (RTA*: second smallest)
    h(agent) := max(h(agent), learned)
    move to the neighbour with the smallest value
"""
