"""LRTA*(k): LRTA* that propagates a raised h-value to up to k states before each move.

(Hernández, Meseguer: LRTA*(k), IJCAI 2005.) The agent looks one step ahead, as in LRTA* with depth 1. The support of a
state is the successor from which its h-value was last computed. When the h-value of a state v rises, those of the
states with support v may rise, too. Such states wait in a queue, first in first out. At most k states enter it before
each move; a state enters it again when its support rises again. So only states that the agent has visited are updated.
With k = 1 this is LRTA* with depth 1, step by step.

Line numbers are those of `PSEUDO_CODE`. Chosen where the paper is open:

- The support of a state is the first of several equally good successors. `one_step` decides to which of them the agent
  moves.
- Supports are kept in repeated trials and when the goal moves, as h-values are. They are forgotten with the h-values.
- A goal never enters the queue.

Not in the paper: a `lookahead` or `deadline` ends the updates of an episode earlier. A state without a successor from
which a goal can be reached keeps its h-value (`one_step` detects it when the agent stands there).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import EXPANDED, INF
from replan.planners.base import Planner
from replan.planners.factories import REALTIME_OPTIONS, open_list_from_options, set_episode_limits, without_options
from replan.planners.one_step import OneStep
from replan.planners.options import int_option
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList
from replan.search.astar import Search
from replan.search.h_repair import HRepair
from replan.search.state_table import Column
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs

MAX_UPDATES = 1_000_000
EPOCH_STRIDE = 1 << 32  # factor of the epoch in `support`
MAX_EPOCH = 1 << 29


class LRTAStarK(OneStep):
    """LRTA* with bounded propagation.

    support[v] is EPOCH_STRIDE * support_epoch + the state that supports v; any other number means that v has no
    support. When h-values are forgotten the epoch is increased, so that the supports are forgotten, too.
    """

    columns = (Column("support", EPOCH_STRIDE * (MAX_EPOCH + 1), is_shown=False),)
    queue: memoryview
    support: memoryview
    k: int
    support_epoch: int

    def __init__(
        self,
        open: OpenList,
        repair: HRepair,
        k: int = 6,
        heuristic: Any = None,
        check_heuristic: bool = False,
        on_cost_decrease: str = "keep",
    ) -> None:
        self._init_realtime(open, False, heuristic, check_heuristic, on_cost_decrease, repair)
        if not isinstance(k, int) or not 1 <= k <= MAX_UPDATES:
            raise InputError(f"k is a whole number from 1 to {MAX_UPDATES:,}, not {k!r}")
        self.k, self.learns_best = k, True
        self.support_epoch = 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        self.support = self.state_table.array("support")
        OneStep.begin_trip(self, space, goals)
        self.queue = empty(self.k, np.int32)

    def reset_h(self, goals: Goals) -> None:
        OneStep.reset_h(self, goals)
        self.support_epoch += 1

    def evaluate_neighbours(self, agent_state: int, limit: int, deadline: int) -> int:
        self.generate_agent_state(agent_state)
        successors = self.propagate_h(
            self.space, self.lookahead_search.search, self.neighbours, agent_state, min(self.k, limit), deadline
        )
        for i in range(successors):  # their h may have risen meanwhile
            self.values[i] = min(INF, self.cost[i] + self.lookahead_search.search.current_h(self.succ[i]))
        self.choose_neighbour(self.open, 0, successors)
        if self.best_value < self.lookahead_search.search.h_cap:  # the update has learned h, so the step must not
            self.best_value = min(self.best_value, self.lookahead_search.search.node[agent_state].h)
        return 0

    def propagate_h(
        self, space: Space, search: Search, near: Neighbours, agent_state: int, k: int, deadline: int
    ) -> int:
        """Update the h-values of up to k states. Return the number of successors of the agent's state, in `succ`."""
        node = search.node
        queue = ints(self.queue)
        support = longs(self.support)
        epoch_offset = EPOCH_STRIDE * self.support_epoch
        queue[0], added, self.episode_expansions, successors = agent_state, 1, 0, 0  # lines 1 and 2
        while self.episode_expansions < added:  # line 3
            v = queue[self.episode_expansions]  # line 4
            self.episode_expansions += 1
            count = space.expand(near, v)
            y, min_value = -1, INF
            for i in range(count):  # line 5
                value = near.cost[i] + search.current_h(near.state[i])
                if value < min_value:
                    y, min_value = near.state[i], value
            if self.episode_expansions == 1:
                successors = count
                for i in range(count):
                    self.succ[i], self.cost[i] = near.state[i], near.cost[i]
            old_h = search.current_h(v)
            if self.is_logging:
                self.log.add(v, EXPANDED, -1 if self.was_updated(v) else old_h)
            support[v] = epoch_offset + y if y >= 0 else 0  # line 6
            if old_h < min_value < search.h_cap:  # line 7
                node[v].h = min_value  # line 8
                self.h_increase += min_value - old_h
                for i in range(count):  # line 9
                    w = near.state[i]
                    if added < k and support[w] == epoch_offset + v and not self.goals.is_goal(w):  # line 10
                        queue[added] = w  # line 11
                        added += 1
            if deadline > 0 and now_ns() >= deadline:
                break
            if self.episode_expansions & 8191 == 0:
                check_signals()
        return successors

    def was_updated(self, v: int) -> bool:
        """True if v was taken from the queue earlier in this episode. (A log has h before the first update.)"""
        i, last = 0, self.episode_expansions - 1
        while i < last and self.queue[i] != v:
            i += 1
        return i < last

    def max_episode_expansions(self) -> int:
        return min(self.expansion_limit, self.k)

    def constructor_args(self) -> tuple[Any, ...]:
        arguments = (self.open.constructor_args(), self.h_repair, self.k)
        return LRTAStarK, *arguments, self.user_heuristic, self.checks_h, self.on_cost_decrease

    def serialize_trip(self, archive: Archive) -> None:
        OneStep.serialize_trip(self, archive)
        self.support_epoch = archive.integer("support_epoch", self.support_epoch, 0, MAX_EPOCH)


# Declarations for the registry.

OPTIONS = (
    int_option(
        "k",
        "The most states whose h-values are updated before a move; a state counts each time. 1 is LRTA* with depth 1.",
        f"a whole number from 1 to {MAX_UPDATES:,}",
        maximum=MAX_UPDATES,
        allows_none=False,
    ),
)

LRTA_K = """
LRTA* in which a raised h-value raises others. When the h of a state rises, the h-values that were computed from it may
rise as well, and then those computed from these, up to k in all. LRTA* fills a dead end one visit at a time; this
planner needs fewer moves.

Guarantees:

- The agent reaches the goal if steps are reversible and a path exists.
- h stays consistent and never overestimates while costs do not fall. Repeated trips get cheaper until they are
  cheapest.
- An episode updates at most `k` states. With `k=1` it is LRTA*.

Limits:

- Only states that the agent has visited are updated: it learns nothing of states ahead, as RTAA* does.
- The updates are first in, first out, and may update a state several times: LSS-LRTA* learns as much as a lookahead
  allows with one update for each state.
- It stores the support of each state beside its h: a crowd cannot share it.

Parts:

- planners.lrta_k.LRTAStarK.evaluate_neighbours
- planners.lrta_k.LRTAStarK.propagate_h
- planners.one_step.OneStep.learn_and_move
"""

PSEUDO_CODE = """
## LRTAStarK.evaluate_neighbours

    update from the agent's state x, up to k states
    y := successor of x with the least c(x, y) + h(y)

## LRTAStarK.propagate_h

    01 Q := the agent's state
    02 added := 1
    03 while Q is not empty:
    04     v := first of Q, taken out
    05     y := successor of v
                with the least c(v, y) + h(y)
    06     support(v) := y
    07     if h(v) < c(v, y) + h(y):
    08         h(v) := c(v, y) + h(y)
    09         for each successor w of v:
    10             if added < k and support(w) = v:
    11                 add w to the end of Q;
                       added := added + 1
"""


def _lrta_k(options: dict[str, Any]) -> Planner:
    arguments = {name: options[name] for name in ("k", "heuristic", "check_heuristic", "on_cost_decrease")}
    return set_episode_limits(LRTAStarK(open_list_from_options(options), HRepair(), **arguments), options)


PLANNERS = (
    PlannerSpec(
        "LRTA*(k)",
        "lrta-k",
        "Hernández, Meseguer: LRTA*(k), IJCAI 2005",
        "lookahead of one step; learn: h := smallest value, the agent's state first, then states that it supports, up "
        "to k; one move",
        {**without_options(REALTIME_OPTIONS, "moves"), "lookahead": None, "k": 6},
        _lrta_k,
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=495,
        explanation=LRTA_K,
    ),
)
