"""Neighbor LRTA*: the LRTA* of the program behind RTD* 2010, with an A* search from each neighbour.

RTD* 2010 says "LRTA* with TLA* lookahead", which reads as one A* from the agent: our TLA*. The program of its first
author searches from each neighbour n of the agent instead: value(n) = c(s, n) + L(n), where L(n) is the smallest f of a
bounded A* from n. The neighbours share the limit evenly; what one of them does not use goes to the next. A neighbour
whose h was raised before is not searched from: L(n) = h(n). This saves expansions and looks less far. With 8 neighbours
and a limit below 10 the planner is LRTA* with depth 1.

Chosen where the program is unknown: the expansion of the agent's state counts. "Raised before" means that h(n) is above
its first value. With `pathmax` f never falls along a path, so values are never below h; the agent then arrives, and a
larger limit helps. Without it the agent may run in circles, and the limit hardly matters, as in the paper.
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
    """LRTA* with a bounded A* from each neighbour."""

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
        count = self.list_neighbours(self.space, self.neighbours, self.lookahead_search.search, agent_state)
        reachable_count = 0
        for i in range(count):
            cost_to_go = self.values[i]
            if cost_to_go < 0:
                cost_to_go = self.search_from(self.lookahead_search.search, self.succ[i], limit, deadline)
            if cost_to_go < INF:
                self.succ[reachable_count], self.cost[reachable_count] = self.succ[i], self.cost[i]
                self.values[reachable_count] = self.cost[reachable_count] + cost_to_go
                reachable_count += 1
        self.generate_agent_state(agent_state)
        self.choose_neighbour(self.open, 0, reachable_count)
        return 0

    def list_neighbours(self, space: Space, near: Neighbours, search: Search, agent_state: int) -> int:
        """List the neighbours. The value of each is its h if that was raised before, else -1: it needs a search."""
        near_count = space.expand(near, agent_state)
        count = self.unsearched_count = 0
        for i in range(near_count):
            v = near.state[i]
            if v == agent_state:
                continue  # a loop leads nowhere
            self.succ[count], self.cost[count], self.values[count] = v, near.cost[i], search.current_h(v)
            if self.values[count] <= search.first_h(v):
                self.values[count] = -1
                self.unsearched_count += 1
            count += 1
        return count

    def search_from(self, search: Search, n: int, limit: int, deadline: int) -> int:
        """Return L(n), computed with its share of the budget that is left; INF if no goal can be reached from n."""
        share, search_deadline = INF, deadline
        if limit < INF:
            share = (limit - self.episode_expansions) // self.unsearched_count
        if deadline > 0:
            search_deadline = now_ns()
            search_deadline += (deadline - search_deadline) // self.unsearched_count
        self.unsearched_count -= 1
        if share <= 0 or (deadline > 0 and search_deadline >= deadline):
            return search.current_h(n)
        has_open_states = self.lookahead_search.run_search(n, share, search_deadline)
        self.episode_expansions += search.expanded
        if self.is_logging:
            for i in range(search.expanded):
                self.log.add(search.closed[i], EXPANDED, -1)
        return self.lookahead_search.f_best if has_open_states != 0 else INF

    def constructor_args(self) -> tuple[Any, ...]:
        arguments = (self.open.constructor_args(), self.h_repair, self.pathmax)
        return NeighbourLRTA, *arguments, self.user_heuristic, self.checks_h, self.on_cost_decrease


# Declarations for the registry.

NEIGHBOR_LRTA = """
LRTA* with a bounded A* from each neighbour: the smallest f of that search estimates the cost from the neighbour. A
neighbour whose h was raised before is not searched from: its h is used. Then the agent makes one move, and the h of the
state that it leaves is learned. It is the LRTA* of the program behind the paper on RTD*.

Guarantees:

- An episode expands at most `lookahead` states, shared evenly among the neighbours, or ends by the `deadline`.
- With `pathmax` the agent reaches the goal if steps are reversible and a path exists.

Limits:

- One state learns in an episode, and the searches from the neighbours expand the same states several times: TLA* and
  RTAA* achieve more with less.
- With eight neighbours and a limit below 10 it is LRTA* with depth 1. Without `pathmax` the agent may run in circles.

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
             the neighbours that still need a search
    nothing is left? h(n)
    A* from n, within its share
    L(n) := smallest f that is open; none: infinite
"""


def _neighbour_lrta(options: dict[str, Any]) -> Planner:
    arguments = {name: options[name] for name in ("pathmax", "heuristic", "check_heuristic", "on_cost_decrease")}
    return set_episode_limits(NeighbourLRTA(open_list_from_options(options), HRepair(), **arguments), options)


PLANNERS = (
    PlannerSpec(
        "Neighbor LRTA*",
        "neighbor-lrta",
        f"{RTD_2010}: LRTA* as in the program behind it",
        "an A* lookahead with pathmax from each neighbour, none where h was raised; learn: h := smallest value, the "
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
