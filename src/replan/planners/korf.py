"""Korf's LRTA* and RTA*: look ahead to a depth, learn the h of the agent's state, make one move.

(Korf: Real-Time Heuristic Search, 1990.) For every successor n of the agent's state s: value(n) = c(s, n) + L(n). L(n)
is the least cost plus h over all walks of depth - 1 further steps, or fewer that end in a goal, computed depth-first
with alpha pruning. The agent moves to the n with the smallest value. LRTA* sets h(s) to the smallest value, RTA* to the
second smallest.

Chosen where the paper is open:

- `pathmax`: f along a walk never falls. Without it the agent can loop forever from depth 2 on.
- h(s) is never lowered (`one_step`).
- A lookahead in expansions, or a deadline, deepens the depth 1, 2, 3, ... as far as it reaches. The deepest completed
  search decides, and the expansions of all of them count.
- The values of RTA* are not admissible and need not converge. In a second trip, or where steps are not reversible, they
  can trap an agent that has a path to the goal. When all values exceed the cost of any path, and yet a path exists,
  RTA* forgets what it learned and continues as LRTA*, which arrives.
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
RUNS_AS_LRTA = 2  # a bit of the planner flags: RTA* continues as LRTA*


class Korf(OneStep):
    """LRTA*; with `uses_second_best` RTA*."""

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
        self.may_overestimate = self.uses_second_best  # the second smallest value is no lower bound
        # for the state at each level of a walk: its g and f, and the range of its successors that are not searched yet
        self.g, self.f = empty(MAX_DEPTH, np.int64), empty(MAX_DEPTH, np.int64)
        self.next_successor, self.end_successor = empty(MAX_DEPTH, np.int64), empty(MAX_DEPTH, np.int64)
        self.succ = empty((MAX_DEPTH + 1) * self.degree, np.int32)
        self.cost = empty((MAX_DEPTH + 1) * self.degree, np.int64)

    def evaluate_neighbours(self, agent_state: int, limit: int, deadline: int) -> int:
        self.generate_agent_state(agent_state)
        self.episode_expansions = 0
        self.chosen_state = -1
        has_budget = limit < INF or deadline > 0
        d = 1 if has_budget or self.depth == 0 else self.depth
        self.search_limit, self.deadline_ns, self.is_out_of_budget = INF, 0, False
        self.evaluate_to_depth(self.space, self.open, agent_state, d)
        if has_budget:
            self.search_limit, self.deadline_ns = limit, deadline
            while d < (self.depth or MAX_DEPTH) and not self.is_out_of_budget and self.chosen_state >= 0:
                d += 1
                self.evaluate_to_depth(self.space, self.open, agent_state, d)
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        arguments = (
            self.open.constructor_args(),
            self.h_repair,
            self.uses_second_best,
            self.depth or None,
            self.pathmax,
        )
        return Korf, *arguments, self.user_heuristic, self.checks_h, self.on_cost_decrease

    def serialize_trip(self, archive: Archive) -> None:
        OneStep.serialize_trip(self, archive)
        self.learns_best = archive.boolean("learns_best", self.learns_best)
        self.may_overestimate = archive.boolean("may_overestimate", self.may_overestimate)

    def give_up(self, agent_state: int) -> int:
        can_run_as_lrta = self.may_overestimate and not self.kept_h_after_decrease
        status = OneStep.give_up(self, agent_state)
        if can_run_as_lrta and status == PARTIAL:
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
        total = level = 1
        for _ in range(1, self.depth):
            level *= self.space.degree
            total = min(total + level, INF - 1)
        return total

    def evaluate_to_depth(self, space: Space, open: OpenList, agent_state: int, depth: int) -> int:
        """Compute the values of all successors with this depth. Choose one of them unless the budget is used up."""
        count = self.expand_level(space, self.neighbours, MAX_DEPTH, agent_state, 0, 0)
        if self.is_out_of_budget:
            return 0
        best = next_best = INF
        first = MAX_DEPTH * self.degree
        for i in range(count):
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
        self.choose_neighbour(open, first, count)
        return 0

    def minimin(self, space: Space, search: Search, goals: Goals, n: int, depth: int, alpha: int) -> int:
        """Return L(n) by depth-first search; a value above alpha as soon as L(n) is known to be above alpha."""
        f_v = search.current_h(n)
        if depth == 0 or goals.is_goal(n):
            return f_v
        best = INF
        if depth == 1:
            return self.search_last_level(space, self.neighbours, search, n, 0, f_v, alpha, best)
        succ = ints(self.succ)
        cost = longs(self.cost)
        next_successor = longs(self.next_successor)
        end_successor = longs(self.end_successor)
        g, f = longs(self.g), longs(self.f)
        level = 0
        self.expand_level(space, self.neighbours, 0, n, 0, f_v)
        while level >= 0 and not self.is_out_of_budget:
            i = next_successor[level]
            if i == end_successor[level]:
                level -= 1
                continue
            next_successor[level] = i + 1
            v = succ[i]
            g_v = g[level] + cost[i]
            f_v = self.f_of(search, v, g_v, f[level])
            if self.prunes(g_v, f_v, alpha, best):
                continue
            if goals.is_goal(v):
                best = min(best, f_v)
            elif level + 2 == depth:
                best = self.search_last_level(space, self.neighbours, search, v, g_v, f_v, alpha, best)
            else:
                level += 1
                self.expand_level(space, self.neighbours, level, v, g_v, f_v)
        return best

    def search_last_level(
        self, space: Space, near: Neighbours, search: Search, v: int, g: int, f: int, alpha: int, best: int
    ) -> int:
        """Return the minimum of `best` and f of all walks that end with one more step from v."""
        count = self.expand(space, near, v, False)
        for i in range(count):
            g_w = g + near.cost[i]
            f_w = self.f_of(search, near.state[i], g_w, f)
            if not self.prunes(g_w, f_w, alpha, best):
                best = min(best, f_w)
        return best

    def f_of(self, search: Search, v: int, g: int, f: int) -> int:
        """Return f at the end v of a walk; f: its value before the last step."""
        node = search.node
        f_v: int = g + (
            node[v].h if node[v].stamp >= search.current_h_stamp else search.current_h(v)
        )  # mostly h is up to date
        return max(f_v, f) if self.pathmax else f_v

    def prunes(self, g: int, f: int, alpha: int, best: int) -> bool:
        """True if every continuation of a walk costs more than alpha, or at least `best`."""
        lower_bound = f if self.pathmax else g
        return lower_bound > alpha or lower_bound >= best

    def expand_level(self, space: Space, near: Neighbours, level: int, v: int, g: int, f: int) -> int:
        """Expand v, the state at this level of the walk. (MAX_DEPTH is the level of the agent's state.)"""
        count = self.expand(space, near, v, level == MAX_DEPTH)
        first = level * self.degree
        for i in range(count):
            self.succ[first + i], self.cost[first + i] = near.state[i], near.cost[i]
        if level < MAX_DEPTH:
            self.g[level] = g
            self.f[level] = f
            self.next_successor[level] = first
            self.end_successor[level] = first + count
        return count

    def expand(self, space: Space, near: Neighbours, v: int, is_agent_state: bool) -> int:
        """List the successors of v, unless the budget is used up. is_agent_state: log its h."""
        self.episode_expansions += 1
        if self.episode_expansions > self.search_limit or (
            self.deadline_ns > 0 and self.episode_expansions & 7 == 0 and now_ns() >= self.deadline_ns
        ):
            self.is_out_of_budget = True
            self.episode_expansions -= 1
            return 0
        if self.episode_expansions & 8191 == 0:
            check_signals()
        if self.is_logging:
            self.log.add(v, EXPANDED, self.lookahead_search.search.node[v].h if is_agent_state else -1)
        return space.expand(near, v)


# Declarations for the registry.

OPTIONS = (
    int_option(
        "depth",
        "The depth of the lookahead in steps.",
        "a whole number from 1 to 24, or None for 1, or as many as lookahead or deadline allow",
        maximum=24,
    ),
)

LRTA = """
The oldest real-time search. Look a few steps ahead from each neighbour, and move to the neighbour n with the smallest
value c(s, n) + h. The h of the state s that the agent leaves becomes that value.

Guarantees:

- The agent reaches the goal if steps are reversible and a path exists.
- h never overestimates while costs do not fall. Repeated trips get cheaper until they are cheapest.
- Nothing to prepare: one state is learned, one move is made.

Limits:

- A search for each move, and one learned state for each search: dead ends take many visits.
- A lookahead to a depth visits a state once for each walk that reaches it; its cost grows exponentially with `depth`.

Parts:

- planners.korf.Korf.evaluate_neighbours
- planners.korf.Korf.evaluate_to_depth
- planners.korf.Korf.minimin
- planners.one_step.OneStep.learn_and_move
"""

RTA = """
LRTA* that learns the second smallest value instead: the cost to come back and go another way. The agent turns around
less often on its first trip.

Guarantees:

- The agent reaches the goal on its first trip if steps are reversible and a path exists.

Limits:

- Its h may overestimate: the values are not for a second trip, and need not converge. If they trap the agent, it
  forgets them and continues as LRTA*.
- Those of LRTA* on dead ends and `depth`.

Parts:

- planners.korf.Korf.evaluate_neighbours
- planners.korf.Korf.evaluate_to_depth
- planners.korf.Korf.minimin
- planners.one_step.OneStep.learn_and_move
"""

PSEUDO_CODE = """
## Korf.evaluate_neighbours

    depth := 1, or the option
    evaluate each neighbour of the agent
    with a budget: again with depth + 1, while it lasts
    `learn_and_move` learns and steps

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
    """Return a function that makes LRTA* or RTA* from options."""

    def make(options: dict[str, Any]) -> Planner:
        arguments = {
            name: options[name] for name in ("depth", "pathmax", "heuristic", "check_heuristic", "on_cost_decrease")
        }
        return set_episode_limits(Korf(open_list_from_options(options), HRepair(), second, **arguments), options)

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
