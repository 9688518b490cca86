"""Neighbor LRTA*: LRTA* as the program behind RTD* 2010 has it, with a search of its own from each neighbour.

RTD* 2010 says "LRTA* with TLA* lookahead", which reads as one A* from the agent: our TLA*. The program by its first
author searches from each neighbour n of the agent by itself: value(n) = c(s, n) + L(n), where L(n) is the smallest f of
an A* from n that was stopped. The neighbours share the limit evenly, what one leaves over goes to the next; below a
neighbour whose h was raised before there is no search, L(n) = h(n), which saves expansions and looks less far. With 8
neighbours and a limit below 10 that is LRTA* with depth 1.

Chosen where nothing is known of the program: to expand the agent's own state counts; "raised before" is h(n) above its
first value; `pathmax` (f never falls along a path, so that values are never below h): with it the agent arrives, and a
larger limit helps; without it the agent may run in circles, and the limit hardly matters, as in the paper.
"""

from __future__ import annotations

from typing import Any

from replan.clock import now_ns
from replan.limits import EXPANDED, INF
from replan.planners.base import Planner
from replan.planners.factories import REALTIME_OPTIONS, open_list_from_options, set_episode_limits, without_options
from replan.planners.one_step import OneStep
from replan.planners.spec import RTD_2010, PlannerSpec
from replan.queues.base import OpenList
from replan.search.astar import Search
from replan.search.h_repair import HRepair
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space


class NeighbourLRTA(OneStep):
    def __init__(
        self,
        open: OpenList,
        repair: HRepair,
        pathmax: bool = True,
        heuristic: Any = None,
        check_heuristic: bool = False,
        on_cost_decrease: str = "keep",
    ) -> None:
        self._init_realtime(open, pathmax, heuristic, check_heuristic, on_cost_decrease, repair)
        self.learns_best = self.may_be_inconsistent = True

    def evaluate_neighbours(self, agent_state: int, limit: int, deadline: int) -> int:
        self.episode_expansions = 1
        if self.is_logging:
            self.log.add(agent_state, EXPANDED, self.lookahead_search.search.current_h(agent_state))
        k = self.list_neighbours(self.space, self.neighbours, self.lookahead_search.search, agent_state)
        alive = 0
        for i in range(k):
            rest = self.values[i]
            if rest < 0:
                rest = self.search_from(self.lookahead_search.search, self.succ[i], limit, deadline)
            if rest < INF:
                self.succ[alive], self.cost[alive] = self.succ[i], self.cost[i]
                self.values[alive] = self.cost[alive] + rest
                alive += 1
        self.generate_agent_state(agent_state)
        self.choose_neighbour(self.open, 0, alive)
        return 0

    def list_neighbours(self, space: Space, near: Neighbours, search: Search, agent_state: int) -> int:
        """List the neighbours, each with its h as a value if that was raised before, else -1: it waits for a search."""
        n = space.expand(near, agent_state)
        k = self.unsearched_count = 0
        for i in range(n):
            v = near.state[i]
            if v == agent_state:
                continue  # a loop leads nowhere
            self.succ[k], self.cost[k], self.values[k] = v, near.cost[i], search.current_h(v)
            if self.values[k] <= search.first_h(v):
                self.values[k] = -1
                self.unsearched_count += 1
            k += 1
        return k

    def search_from(self, search: Search, n: int, limit: int, deadline: int) -> int:
        """L(n), by its share of what is left of the budget; INF if no goal can be reached from there."""
        share, until = INF, deadline
        if limit < INF:
            share = (limit - self.episode_expansions) // self.unsearched_count
        if deadline > 0:
            until = now_ns()
            until += (deadline - until) // self.unsearched_count
        self.unsearched_count -= 1
        if share <= 0 or (deadline > 0 and until >= deadline):
            return search.current_h(n)
        found = self.lookahead_search.run_search(n, share, until)
        self.episode_expansions += search.expanded
        if self.is_logging:
            for i in range(search.expanded):
                self.log.add(search.closed[i], EXPANDED, -1)
        return self.lookahead_search.f_best if found != 0 else INF

    def constructor_args(self) -> tuple[Any, ...]:
        parts = (self.open.constructor_args(), self.h_repair, self.pathmax)
        return NeighbourLRTA, *parts, self.user_heuristic, self.checks_h, self.on_cost_decrease


# What the registry collects.

NEIGHBOR_LRTA = """
LRTA* with a search of its own from each neighbour: a bounded A* from there, and its smallest f is what the
neighbour is worth. Below a neighbour whose h was raised before there is no search: its h is taken as it is. Then
one move, and the agent's state learns. It is LRTA* as the program behind the paper on RTD* has it.

Guarantees:

- An episode expands at most `lookahead` states, shared evenly among the neighbours, or ends by the `deadline`.
- With `pathmax` the agent reaches the goal if steps can be taken back and there is a way.

Limits:

- One state learns in an episode, and the searches of the neighbours look at the same states several times: TLA* and
  RTAA* do more for less.
- With eight neighbours and a limit below 10 it is LRTA* with depth 1. Without `pathmax` the agent may run in
  circles.

Parts:

- planners.neighbour_lrta.NeighbourLRTA.evaluate_neighbours
- planners.neighbour_lrta.NeighbourLRTA.search_from
- planners.one_step.OneStep.learn_and_move
"""

PSEUDO_CODE = """
## NeighbourLRTA.evaluate_neighbours

    for each neighbour n of the agent's state s:
        h(n) was raised before: L(n) := h(n)
        otherwise: L(n) := by a search from n
        value(n) := c(s, n) + L(n)
    choose the smallest; `learn_and_move` ends it

## NeighbourLRTA.search_from

    share := what is left of the limit, divided by
             the neighbours that still wait for a search
    nothing is left? h(n)
    A* from n, within its share
    L(n) := smallest f that is open; none: infinite
"""


def _neighbour_lrta(options: dict[str, Any]) -> Planner:
    parts = {name: options[name] for name in ("pathmax", "heuristic", "check_heuristic", "on_cost_decrease")}
    return set_episode_limits(NeighbourLRTA(open_list_from_options(options), HRepair(), **parts), options)


PLANNERS = (
    PlannerSpec(
        "Neighbor LRTA*",
        "neighbor-lrta",
        f"{RTD_2010}: LRTA* as the program behind it has it",
        "an A* lookahead with pathmax from each neighbor, none where h was raised; learn: h := smallest value, the "
        "agent's state alone; one move",
        {**without_options(REALTIME_OPTIONS, "moves"), "pathmax": True},
        _neighbour_lrta,
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=510,
        explanation=NEIGHBOR_LRTA,
    ),
)
