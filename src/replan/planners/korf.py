"""Korf's LRTA* and RTA*: look ahead to a depth, learn the agent's own state, make one move.

(Korf: Real-Time Heuristic Search, 1990.) For every successor n of the agent's state s: value(n) = c(s,n) + L(n),
where L(n) is the least cost plus h over all walks of depth - 1 further steps, or fewer that end in a goal, found
depth-first with alpha pruning. The agent moves to the n with the smallest value. LRTA*: h(s) := the smallest value.
RTA*: h(s) := the second smallest.

Chosen where the paper is open: `pathmax` (f along a walk never falls; without it the agent can loop for ever from
depth 2 on); h(s) is never lowered (`one_step`). A lookahead in expansions or a deadline deepens 1, 2, 3... as far as it
reaches; the deepest search that was finished decides, and all of them count. RTA*'s values are not admissible and need
not converge: in a second trial, or where steps cannot be taken back, they can shut an agent in that has a way. When all
neighbours of the agent seem dearer than any path can be, and yet there is one, RTA* therefore forgets what it learned
and goes on as LRTA*, which arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import EXPANDED, INF, PARTIAL
from replan.planners.base import Planner
from replan.planners.factories import SEARCH_OPTIONS, open_list_from_options, set_episode_limits
from replan.planners.one_step import OneStep
from replan.planners.options import int_option
from replan.planners.spec import KORF_1990, PlannerSpec
from replan.queues.base import OpenList
from replan.search.astar import Search
from replan.search.h_repair import HRepair
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

MAX_DEPTH = 24
RUNS_AS_LRTA = 2  # part of its planner flags: RTA* goes on as LRTA*


class Korf(OneStep):
    """LRTA*, or with `second` RTA*."""

    uses_second_best: bool

    def __init__(
        self,
        open: OpenList,
        repair: HRepair,
        uses_second_best: bool,
        depth: int | None = None,
        pathmax: bool = True,
        heuristic: Any = None,
        check_heuristic: bool = False,
        on_cost_decrease: str = "keep",
    ) -> None:
        self._init_realtime(open, pathmax, heuristic, check_heuristic, on_cost_decrease, repair)
        if depth is not None and (not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH):
            raise InputError(f"depth is a whole number from 1 to {MAX_DEPTH}, not {depth!r}")
        self.uses_second_best, self.depth, self.may_be_inconsistent = uses_second_best, depth or 0, True
        self.learns_best = not uses_second_best

    def begin_trip(self, space: Space, goals: Goals) -> None:
        OneStep.begin_trip(self, space, goals)
        self.learns_best = not self.uses_second_best
        self.may_overestimate = self.uses_second_best  # the second-best value says what another way costs, not what is left from here
        # of the state at each level of a walk: its g and f, and which of its successors are still to come
        self.g, self.f = empty(MAX_DEPTH, np.int64), empty(MAX_DEPTH, np.int64)
        self.next_successor, self.end_successor = empty(MAX_DEPTH, np.int64), empty(MAX_DEPTH, np.int64)
        self.succ = empty((MAX_DEPTH + 1) * self.degree, np.int32)
        self.cost = empty((MAX_DEPTH + 1) * self.degree, np.int64)

    def evaluate_neighbours(self, agent_state: int, limit: int, deadline: int) -> int:
        self.generate_agent_state(agent_state)
        self.episode_expansions = 0
        self.chosen_state = -1
        budget = limit < INF or deadline > 0
        d = 1 if budget or self.depth == 0 else self.depth
        self.search_limit, self.deadline_ns, self.is_out_of_budget = INF, 0, False
        self.evaluate_to_depth(self.space, self.open, agent_state, d)
        if budget:
            self.search_limit, self.deadline_ns = limit, deadline
            while d < (self.depth or MAX_DEPTH) and not self.is_out_of_budget and self.chosen_state >= 0:
                d += 1
                self.evaluate_to_depth(self.space, self.open, agent_state, d)
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        parts = (self.open.constructor_args(), self.h_repair, self.uses_second_best, self.depth or None, self.pathmax)
        return Korf, *parts, self.user_heuristic, self.checks_h, self.on_cost_decrease

    def serialize_trip(self, archive: Archive) -> None:
        OneStep.serialize_trip(self, archive)
        self.learns_best = archive.boolean("learns_best", self.learns_best)
        self.may_overestimate = archive.boolean("doubtful", self.may_overestimate)

    def give_up(self, agent_state: int) -> int:
        again = self.may_overestimate and not self.kept_h_after_decrease
        status = OneStep.give_up(self, agent_state)
        if again and status == PARTIAL:
            self.learns_best, self.may_overestimate = True, False
        return status

    def planner_flags(self) -> int:
        return OneStep.planner_flags(self) | (RUNS_AS_LRTA if self.learns_best else 0)

    def set_planner_flags(self, flags: int) -> int:
        self.learns_best = not self.uses_second_best or flags & RUNS_AS_LRTA != 0
        self.may_overestimate = not self.learns_best
        return OneStep.set_planner_flags(self, flags)

    def max_episode_expansions(self) -> int:
        if self.expansion_limit < INF or self.depth == 0:
            return self.expansion_limit if self.expansion_limit < INF else 1
        longest = level = 1
        for _ in range(1, self.depth):
            level *= self.space.degree
            longest = min(longest + level, INF - 1)
        return longest

    def evaluate_to_depth(self, space: Space, open: OpenList, agent_state: int, depth: int) -> int:
        """The values of all successors with this depth; chooses only when the budget lasts."""
        k = self.expand_level(space, self.neighbours, MAX_DEPTH, agent_state, 0, 0)
        if self.is_out_of_budget:
            return 0
        best = next_best = INF
        first = MAX_DEPTH * self.degree
        for i in range(k):
            v, cost = self.succ[first + i], self.cost[first + i]
            alpha = next_best if self.uses_second_best else best
            value = self.minimin(space, self.lookahead_search.search, self.goals, v, depth - 1, alpha - cost)
            if self.is_out_of_budget:
                return 0
            value = min(INF, value + cost)
            self.values[i] = value
            if value < best:
                best, next_best = value, best
            elif value < next_best:
                next_best = value
        self.choose_neighbour(open, first, k)
        return 0

    def minimin(self, space: Space, search: Search, goals: Goals, n: int, depth: int, alpha: int) -> int:
        """L(n) by depth-first search, or something above alpha as soon as it is known to be that large."""
        fv = search.current_h(n)
        if depth == 0 or goals.is_goal(n):
            return fv
        best = INF
        if depth == 1:
            return self.search_last_level(space, self.neighbours, search, n, 0, fv, alpha, best)
        succ, cost, turn, end = ints(self.succ), longs(self.cost), longs(self.next_successor), longs(self.end_successor)
        g, f = longs(self.g), longs(self.f)
        level = 0
        self.expand_level(space, self.neighbours, 0, n, 0, fv)
        while level >= 0 and not self.is_out_of_budget:
            i = turn[level]
            if i == end[level]:
                level -= 1
                continue
            turn[level] = i + 1
            v = succ[i]
            gv = g[level] + cost[i]
            fv = self.f_of(search, v, gv, f[level])
            if self.prunes(gv, fv, alpha, best):
                continue
            if goals.is_goal(v):
                best = min(best, fv)
            elif level + 2 == depth:
                best = self.search_last_level(space, self.neighbours, search, v, gv, fv, alpha, best)
            else:
                level += 1
                self.expand_level(space, self.neighbours, level, v, gv, fv)
        return best

    def search_last_level(
        self, space: Space, near: Neighbours, search: Search, v: int, g: int, f: int, alpha: int, best: int
    ) -> int:
        """The walks that end with one more step from v: the least of `best` and what they cost with h at their end."""
        k = self.expand(space, near, v, False)
        for i in range(k):
            gv = g + near.cost[i]
            fv = self.f_of(search, near.state[i], gv, f)
            if not self.prunes(gv, fv, alpha, best):
                best = min(best, fv)
        return best

    def f_of(self, search: Search, v: int, g: int, f: int) -> int:
        """f at the end v of a walk, whose f was this before the last step."""
        node = search.node
        fv: int = g + (node[v].h if node[v].stamp >= search.current_h_stamp else search.current_h(v))  # mostly h is up to date
        return max(fv, f) if self.pathmax else fv

    def prunes(self, g: int, f: int, alpha: int, best: int) -> bool:
        """Can no walk that goes on from here be better? With pathmax f says so, without it only g."""
        least = f if self.pathmax else g
        return least > alpha or least >= best

    def expand_level(self, space: Space, near: Neighbours, level: int, v: int, g: int, f: int) -> int:
        """Expand v, which stands at this level of the walk. (The level below all others is the agent's.)"""
        k = self.expand(space, near, v, level == MAX_DEPTH)
        first = level * self.degree
        for i in range(k):
            self.succ[first + i], self.cost[first + i] = near.state[i], near.cost[i]
        if level < MAX_DEPTH:
            self.g[level], self.f[level], self.next_successor[level], self.end_successor[level] = g, f, first, first + k
        return k

    def expand(self, space: Space, near: Neighbours, v: int, first: bool) -> int:
        """List the successors of v, unless the budget is used up. first: it is the agent's state."""
        self.episode_expansions += 1
        if self.episode_expansions > self.search_limit or (self.deadline_ns > 0 and self.episode_expansions & 7 == 0 and now_ns() >= self.deadline_ns):
            self.is_out_of_budget = True
            self.episode_expansions -= 1
            return 0
        if self.episode_expansions & 8191 == 0:
            check_signals()
        if self.is_logging:
            self.log.add(v, EXPANDED, self.lookahead_search.search.node[v].h if first else -1)
        return space.expand(near, v)


# What the registry collects.

OPTIONS = (
    int_option(
        "depth",
        "How many steps to look ahead.",
        "a whole number from 1 to 24, or None for 1, or as many as lookahead or deadline allow",
        maximum=24,
    ),
)

LRTA = """
The oldest of them. Look a few steps ahead from each neighbour, move to the one with the smallest cost plus h, and
let the h of the state that is left be that value: it takes at least so much from there.

Guarantees:

- The agent reaches the goal if steps can be taken back and there is a way.
- h never overestimates while costs do not fall, and repeated trips get cheaper until they are cheapest.
- Nothing to set up: one state is learned, one move is made.

Limits:

- A move for each search, and one state learned: dead ends take many visits.
- Looking ahead to a depth visits states that can be reached in several ways several times; its cost grows
  exponentially with `depth`.

Parts:

- planners.korf.Korf.evaluate_neighbours
- planners.korf.Korf.evaluate_to_depth
- planners.korf.Korf.minimin
- planners.one_step.OneStep.learn_and_move
"""

RTA = """
LRTA* that remembers the second smallest value instead: what it would cost to come back and go another way. The
agent turns around less often on its first trip.

Guarantees:

- The agent reaches the goal on its first trip if steps can be taken back and there is a way.

Limits:

- Its h may overestimate: values are not for a second trip, and need not converge. Where they shut the agent in, it
  forgets them and goes on as LRTA*.
- Those of LRTA* on dead ends and `depth`.

Parts:

- planners.korf.Korf.evaluate_neighbours
- planners.korf.Korf.evaluate_to_depth
- planners.korf.Korf.minimin
- planners.one_step.OneStep.learn_and_move
"""

PSEUDO_CODE = """
## Korf.evaluate_neighbours

    depth := 1, or as given
    value each neighbour of the agent
    with a budget: again with depth + 1, while it lasts
    choose the smallest; `learn_and_move` ends it

## Korf.evaluate_to_depth

    for each neighbour v of the agent's state s:
        value(v) := c(s, v) + minimin(v, depth - 1)
    choose the smallest; the order of OPEN decides
    between equal ones

## Korf.minimin

    depth is 0, or n is a goal: h(n)
    otherwise, depth first:
        least cost + h at that depth, or at a goal
        (pathmax: f never falls along a walk)
        leave a branch as soon as it is above alpha
"""


def _korf(second: bool) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        parts = {name: options[name] for name in ("depth", "pathmax", "heuristic", "check_heuristic", "on_cost_decrease")}
        return set_episode_limits(Korf(open_list_from_options(options), HRepair(), second, **parts), options)

    return make


KORF_OPTIONS = {
    **SEARCH_OPTIONS,
    "depth": None,
    "pathmax": True,
    "lookahead": None,
    "deadline": None,
    "on_cost_decrease": "keep",
    "detect_unreachable": True,
}
PLANNERS = (
    PlannerSpec(
        "LRTA*",
        "lrta",
        KORF_1990,
        "lookahead to a depth with pathmax; learn: h := smallest value, the agent's state alone; one move",
        KORF_OPTIONS,
        _korf(second=False),
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=480,
        explanation=LRTA,
    ),
    PlannerSpec(
        "RTA*",
        "rta",
        KORF_1990,
        "lookahead to a depth with pathmax; learn: h := second smallest value, the agent's state alone; one move",
        KORF_OPTIONS,
        _korf(second=True),
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=490,
        explanation=RTA,
    ),
)
