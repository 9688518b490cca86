"""TBA* and TBAA*: one A* from the agent's first state, spread over time slices, while the agent walks.

(Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009. Comments use the limits N_E and N_T; there are no
line numbers.) An episode is one slice and one time step:

1. Expand: up to N_E expansions, unless the goal is first in the open list already.
2. Trace: follow up to N_T parents from the most promising open state (the goal, once found) to the agent's state or
   the root. A trace may take several slices. When it is complete it becomes the path to follow.
3. Move: on the path, one step forward. Not on the path, one step back to the parent in the tree, until the agent meets
   the path. At the end of a path that is not the goal, wait.

The ratio `tracing` of the limit goes to tracing: N_T is PARENT_STEPS_PER_EXPANSION for each expansion of that share,
and at least that many a slice.

The authors define nothing for terrain that is unknown or changes. Here:

- If a step ahead on the path, or on the way back to it, is blocked or costs more than when A* generated it, the search
  is discarded and a new A* starts at the agent. In static terrain each restart needs a new observation, so there are
  finitely many. (Steps back over directed edges have no cost in the A*: there only a rise right ahead counts.)
- Costs that fell start a new A* only with `on_cost_decrease="reset"`, or when the open list has run empty.
- Stepping back needs reversible steps. After a step that is not, the agent follows only complete paths.

`weight` multiplies h (Hernández, Asín, Baier: Time-Bounded Best-First Search, SoCS 2014), and no state is expanded
twice. With weight 3 and lookaheads of 8 to 128, trips on known maps are 0.6 to 0.9 times as long
(`benchmarks/weights.py`), on unknown ones 2 to 4 times.

TBAA* (Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, AAMAS 2012) learns from a discarded A*. Let F be the
smallest f in its open list: every state s that it generated costs at least F - g(s) to the goal. These values are
consistent with the present costs, if no cost has fallen since: each step that exists now existed, and cost no more,
when its tail was expanded. Chosen where the paper is not followed: h(s) is raised when it is next read, since a loop
over all expanded states would exceed the limit (the trip is the same); nothing is learned from an A* whose open list
ran empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, prefault, zeros
from replan.clock import now_ns
from replan.errors import InputError
from replan.extensions import check_base_initialized, checked_instance, checked_integer
from replan.limits import COMPLETE, INF, KEEP, PARTIAL, REPAIR, RESET, SHARE_SCALE, UNREACHABLE, WAITING
from replan.planners.base import Planner
from replan.planners.factories import (
    SEARCH_OPTIONS,
    open_list_from_options,
    set_budget,
    to_millionths,
    to_tenths,
    waits_when_unreachable,
)
from replan.planners.options import float_option
from replan.planners.realtime import DECREASE_ACTIONS, check_not_array
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claim_queue
from replan.search.astar import Search
from replan.search.h_repair import HRepair
from replan.serialization import Archive
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import check_consistent, make_heuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

PARENT_STEPS_PER_EXPANSION = 10  # of tracing: as many count as one expansion
DECREASE_NAMES = {code: word for word, code in DECREASE_ACTIONS.items()}


class TBAStar(Planner):
    """Time-Bounded A*.

    Parameters
    ----------
    open
        The open list.
    heuristic
        The user's heuristic, or None.
    check_heuristic
        True: raise InputError for an inconsistent heuristic.
    tracing
        Share of the limit for tracing, in millionths.
    restarts_on_decrease
        True: start a new A* when costs fall.
    waits_for_changes
        True: wait when no path exists, as long as the world has changes to come.
    inflation
        Weight of h, in tenths.
    """

    open: OpenList
    search: Search

    def __init__(
        self,
        open: OpenList,
        heuristic: Any,
        check_heuristic: bool,
        tracing: int,
        restarts_on_decrease: bool,
        waits_for_changes: bool,
        inflation: int = 10,
    ) -> None:
        Planner.__init__(self)
        self.detects_unreachable = True
        self.open = claim_queue(open)
        self.user_heuristic = heuristic
        self.checks_h = check_heuristic
        self.tracing_ratio = tracing
        checked_integer("tracing", tracing, 0, SHARE_SCALE)
        self.restarts_on_decrease = restarts_on_decrease
        self.waits_for_changes = waits_for_changes
        self.inflation = inflation
        self.restarts, self.is_time_sliced = 0, True
        self.search = self.add_table(Search(open, False, inflation))
        self.search.reopens_closed = inflation == 10
        self.path_states = self.path_index = self.trace_states = self.trace_index = empty(1, np.int32)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        if len(self.trace_index) != space.n:
            self.path_states, self.path_index = zeros(space.n, np.int32), zeros(space.n, np.int32)
            self.trace_states, self.trace_index = zeros(space.n, np.int32), zeros(space.n, np.int32)
        self.search.attach(space)
        self.is_reversible = space.is_reversible()
        self.restarts, self.needs_whole_path, self.last_state, self.expected_state = 0, False, -1, -1
        self.root, self.cursor, self.path_length, self.trace_length = -1, -1, 0, 0
        self.costs_changed = self.goal_is_found = False
        self.reset_h(goals)

    def prefault(self) -> None:
        Planner.prefault(self)
        prefault(self.path_states, self.path_index, self.trace_states, self.trace_index)

    def change_goals(self, goals: Goals) -> None:
        """Start a new search for the new goals."""
        self.reset_h(goals)

    def reset_h(self, goals: Goals) -> None:
        """Forget all h-values, and search for these goals."""
        self.must_restart = True
        self.search.set_goals(goals, self.make_heuristic(goals))

    def make_heuristic(self, goals: Goals) -> Heuristic:
        """Make the heuristic for these goals. Raise InputError if it is checked and not consistent."""
        heuristic = make_heuristic(self.user_heuristic, self.space, goals)
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(heuristic, self.space, goals)
        return heuristic

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        self.update_reachability(changed_states, count, costs_increased)
        self.costs_changed = True
        if self.must_restart:
            return 0
        if not costs_increased:
            self.must_restart = self.restarts_on_decrease
        for i in range(count if costs_increased else 0):
            if self.is_cut_at(changed_states[i]):
                self.must_restart = True
        return 0

    def is_cut_at(self, s: int) -> bool:
        """True if the path ahead of the agent is blocked at s, or costs more from there than before."""
        if self.planned_path.step_out_rose(self.space, s):
            return True
        if not self.is_on_path(s) or self.path_index[s] == 0:
            return False
        v = self.path_states[self.path_index[s] - 1]
        if (
            self.last_state >= 0
            and self.is_on_path(self.last_state)
            and self.path_index[s] > self.path_index[self.last_state]
        ):
            return self.space.step_cost(s, v) >= INF
        return self.has_risen(s, v)

    def has_risen(self, u: int, v: int) -> bool:
        """True if a step of the search tree is blocked, or costs more than when the search generated v."""
        node, cost = self.search.node, self.space.step_cost(u, v)
        return cost >= INF or (node[v].parent == u and cost > node[v].g - node[u].g)

    def is_on_path(self, s: int) -> bool:
        """True if s is on the path to follow."""
        i = self.path_index[s]  # never cleared, so it may belong to an earlier path
        return i < self.path_length and self.path_states[i] == s

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        self.planned_path.clear()
        if agent_state != self.last_state and agent_state != self.expected_state:
            self.must_restart = True  # the agent was displaced: the tree does not lead there
        self.last_state = self.expected_state = agent_state
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        expansions_before = self.expansions
        if self.must_restart or self.search.queue_bound != self.space.max_path_cost:
            self.start_search(agent_state)
        if not self.goal_is_found:
            self.expand_slice(limit, deadline)  # 1. Expand
        best = self.open.top()
        if best < 0:
            self.must_restart = self.costs_changed  # OPEN may be empty because of obstacles that have gone
            return WAITING if self.costs_changed else UNREACHABLE
        if not self.goal_is_found and self.proves_unreachable(agent_state, self.expansions - expansions_before):
            return UNREACHABLE
        self.trace(agent_state, best, self.trace_limit(limit), deadline)  # 2. Trace
        return self.make_step(agent_state)  # 3. Move

    def start_search(self, agent_state: int) -> int:
        """Start a new A* at the agent."""
        self.abandon_search()
        self.search.begin(self.space, self.open)
        self.search.add_start(self.open, agent_state)
        self.root, self.path_length, self.trace_length, self.cursor = agent_state, 0, 0, -1
        self.must_restart = self.costs_changed = self.goal_is_found = False
        if self.is_logging:
            self.log.is_incomplete = True
        self.restarts += 1
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        arguments = (
            self.open.constructor_args(),
            self.user_heuristic,
            self.checks_h,
            self.tracing_ratio,
            self.restarts_on_decrease,
            self.waits_for_changes,
        )
        return TBAStar, *arguments, self.inflation

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        n = self.space.n
        self.root = archive.integer("root", self.root, -1, n - 1)
        self.cursor = archive.integer("cursor", self.cursor, -1, n - 1)
        self.last_state = archive.integer("last_state", self.last_state, -1, n - 1)
        self.expected_state = archive.integer("expected_state", self.expected_state, -1, n - 1)
        self.restarts = archive.integer("restarts", self.restarts, 0)
        self.must_restart = archive.boolean("must_restart", self.must_restart)
        self.costs_changed = archive.boolean("costs_changed", self.costs_changed)
        self.goal_is_found = archive.boolean("goal_is_found", self.goal_is_found)
        self.needs_whole_path = archive.boolean("needs_whole_path", self.needs_whole_path)
        path = archive.states("path_states", self.path_states[: self.path_length], n, unique=True)
        traced = archive.states(
            "trace_states", self.trace_states[: self.trace_length if self.cursor >= 0 else 0], n, unique=True
        )
        if archive.is_loading:
            self.path_length, self.trace_length = len(path), len(traced)
            np.asarray(self.path_states)[: self.path_length] = path
            np.asarray(self.path_index)[path] = np.arange(self.path_length)
            np.asarray(self.trace_states)[: self.trace_length] = traced
            np.asarray(self.trace_index)[traced] = np.arange(self.trace_length)
        self.search.is_in_progress = self.needs_search()

    def needs_search(self) -> bool:
        """Hook: True if the search continues, or h-values will be learned from it."""
        return not self.must_restart

    def abandon_search(self) -> int:
        """Hook: prepare for discarding the search."""
        return 0

    def expand_slice(self, limit: int, deadline: int) -> int:
        """Part 1 of a slice: expand up to N_E states."""
        expanded_before = self.search.expanded
        n_e = max(1, limit - self.tracing_share(limit)) if limit < INF else INF
        search_deadline = deadline
        if deadline > 0:
            now = now_ns()
            search_deadline = max(now + 1, deadline - (deadline - now) // 1000 * self.tracing_ratio // 1000)
        search_limit = expanded_before + n_e if n_e < INF else INF
        self.goal_is_found = self.search.advance(self.space, self.open, search_limit, search_deadline) != 0
        if self.is_logging:
            self.log.add_expanded(self.search.closed, expanded_before, self.search.expanded)
        self.expansions += self.search.expanded - expanded_before
        self.percolations = self.open.percolations
        return 0

    def tracing_share(self, limit: int) -> int:
        """Return the share of the limit for tracing, in expansions."""
        return limit // SHARE_SCALE * self.tracing_ratio + limit % SHARE_SCALE * self.tracing_ratio // SHARE_SCALE

    def trace_limit(self, limit: int) -> int:
        """Return N_T: the most parent steps of a slice."""
        if limit >= INF:
            return INF
        return PARENT_STEPS_PER_EXPANSION * max(1, self.tracing_share(limit))

    def trace(self, agent_state: int, best: int, n_t: int, deadline: int) -> int:
        """Part 2 of a slice: continue the trace, or begin one at `best`. n_t: the most parent steps."""
        if self.cursor < 0:
            if self.path_length > 0 and self.path_states[0] == best:
                return 0
            self.cursor, self.trace_length = best, 0
        for i in range(n_t):
            if deadline > 0 and i & 31 == 31 and now_ns() >= deadline:
                return 0
            v = self.cursor
            if self.trace_length == len(self.trace_states):  # a damaged file may have a cycle of parents
                self.must_restart = True
                return 0
            self.trace_states[self.trace_length], self.trace_index[v] = v, self.trace_length
            self.trace_length += 1
            if v == agent_state or v == self.root:
                self.path_states, self.trace_states = self.trace_states, self.path_states
                self.path_index, self.trace_index = self.trace_index, self.path_index
                self.path_length, self.cursor = self.trace_length, -1
                return 0
            self.cursor = self.search.node[v].parent
            if self.costs_changed and self.has_risen(self.cursor, v):
                self.must_restart = True
                return 0
        return 0

    def make_step(self, agent_state: int) -> int:
        """Part 3 of a slice: one step forward on the path, or back towards it, or wait."""
        is_complete = self.path_length > 0 and self.goals.is_goal(self.path_states[0])
        if self.must_restart or self.path_length == 0 or (self.needs_whole_path and not is_complete):
            return WAITING
        if self.is_on_path(agent_state):
            if self.path_index[agent_state] == 0:
                return WAITING
            v = self.path_states[self.path_index[agent_state] - 1]
            cost_rose = self.has_risen(agent_state, v)
        else:
            v = self.search.node[agent_state].parent
            cost_rose = self.is_reversible and self.has_risen(v, agent_state)
        step_cost = self.space.step_cost(agent_state, v)
        if step_cost >= INF or cost_rose:
            self.must_restart = True
            self.needs_whole_path = self.needs_whole_path or not self.costs_changed
            return WAITING
        self.planned_path.set_step(agent_state, v, step_cost)
        self.expected_state = v
        return COMPLETE if is_complete and self.is_on_path(agent_state) else PARTIAL


class TBAAStar(TBAStar):
    """Time-Bounded Adaptive A*: TBA* that learns h-values from each A* that it discards.

    `on_cost_decrease` says what happens when costs fall:

    - "keep": the A* continues and the h-values stay. They may then overestimate, and nothing is learned from this A*.
    - "repair": the h-values become consistent again, in unbounded time, and a new A* starts.
    - "reset": the h-values are forgotten, and a new A* starts.

    When the goal moves, h is corrected as in Moving-Target Adaptive A*.

    Parameters
    ----------
    open
        The open list.
    heuristic
        The user's heuristic, or None.
    check_heuristic
        True: raise InputError for an inconsistent heuristic.
    tracing
        Share of the limit for tracing, in millionths.
    on_cost_decrease
        "keep", "repair" or "reset".
    waits_for_changes
        True: wait when no path exists, as long as the world has changes to come.
    repair
        The procedure that makes h consistent.
    """

    def __init__(
        self,
        open: OpenList,
        heuristic: Any,
        check_heuristic: bool,
        tracing: int,
        on_cost_decrease: str,
        waits_for_changes: bool,
        repair: HRepair,
    ) -> None:
        TBAStar.__init__(self, open, heuristic, check_heuristic, tracing, on_cost_decrease != "keep", waits_for_changes)
        self.decrease_action, self.h_repair = DECREASE_ACTIONS[on_cost_decrease], checked_instance(HRepair, repair)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        TBAStar.begin_trip(self, space, goals)
        self.search.h_increase = 0

    def reset_h(self, goals: Goals) -> None:
        TBAStar.reset_h(self, goals)
        self.h_repair.reset()
        self.has_unlearned_search = self.costs_fell_during_search = self.has_pending_decreases = False

    def check_goals(self, goals: Goals) -> None:
        check_not_array(self.user_heuristic)

    def change_goals(self, goals: Goals) -> None:
        """Start a new search for the new goals, with corrected h-values."""
        self.abandon_search()
        self.search.retarget(goals, self.make_heuristic(goals))
        self.must_restart = True

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        if not costs_increased:
            if self.decrease_action == KEEP:
                self.costs_fell_during_search = self.costs_fell_during_search or not self.must_restart
            else:
                self.has_pending_decreases = True
            for i in range(count if self.decrease_action == REPAIR else 0):
                self.h_repair.add_decrease(changed_states[i])
        return TBAStar.on_cost_changes(self, changed_states, count, costs_increased)

    def start_search(self, agent_state: int) -> int:
        TBAStar.start_search(self, agent_state)
        self.has_unlearned_search, self.costs_fell_during_search = True, False
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        arguments = (
            self.open.constructor_args(),
            self.user_heuristic,
            self.checks_h,
            self.tracing_ratio,
            DECREASE_NAMES[self.decrease_action],
            self.waits_for_changes,
        )
        return TBAAStar, *arguments, self.h_repair

    def serialize_trip(self, archive: Archive) -> None:
        self.has_unlearned_search = archive.boolean("has_unlearned_search", self.has_unlearned_search)
        self.costs_fell_during_search = archive.boolean("costs_fell_during_search", self.costs_fell_during_search)
        self.has_pending_decreases = archive.boolean("has_pending_decreases", self.has_pending_decreases)
        TBAStar.serialize_trip(self, archive)
        self.h_repair.serialize(archive.nested("repair"), self.space.n)

    def needs_search(self) -> bool:
        return self.has_unlearned_search or not self.must_restart

    def abandon_search(self) -> int:
        """F[x] := smallest f in OPEN; then repair or reset h if costs fell.

        In the other order the values that are learned later would undo the repair. F[x] = 0 teaches nothing: OPEN ran
        empty, or costs fell during search x.
        """
        if self.has_unlearned_search:
            can_learn = not self.costs_fell_during_search and self.open.top() >= 0
            self.search.record_f(self.open.top_f() if can_learn else 0)  # F[x]
            self.has_unlearned_search = False
        if self.has_pending_decreases:
            self.has_pending_decreases = False
            if self.decrease_action == RESET:
                with cython.gil:
                    self.reset_h(self.goals)
            else:
                self.h_repair.apply_decreases(self.space, self.goals, self.search)
        return 0

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        status = TBAStar.run_episode(self, agent_state, limit, deadline)
        self.h_increase = self.search.h_increase
        return status


# Declarations for the registry.

OPTIONS = (
    float_option(
        "tracing",
        "The share of the limit for tracing the path back from the best open state, instead of expansions.",
        "from 0 to 1",
        0,
        1,
    ),
)
TBA_OPTIONS = {
    "lookahead": 256,
    "deadline": None,
    "tracing": 0.1,
    "on_cost_decrease": "keep",
    "when_unreachable": "wait",
    "detect_unreachable": True,
    **SEARCH_OPTIONS,
}

TBA = """
One A* from the first state of the agent, a slice each time step. Meanwhile the agent walks towards the most promising
open state. The path to that state is traced back through the parents, also a slice each time step. If the agent is not
on that path, it steps back through the search tree until it meets the path.

Guarantees:

- A time step expands at most `lookahead` states, tracing included in the limit, or ends by the `deadline`.
- On a known static map the agent arrives, and once A* has found the goal the agent follows its path.
- On such a map A* runs once: every state is expanded at most once, and no h-values have to be learned.

Limits:

- In unknown terrain each obstacle on the path starts a new A*, which knows nothing of the last one (TBAA* does). So
  does a step of the path, or of the way back to it, that costs more than when A* generated it.
- Its trips are not cheapest: the agent may have walked in a wrong direction meanwhile.
- Steps must be reversible; after one that is not, the agent waits for complete paths.

Parts:

- planners.tba.TBAStar.run_episode
- planners.tba.TBAStar.trace
- planners.tba.TBAStar.make_step
- search.astar.Search.loop
"""

TBAA = """
TBA* that learns from every A* that it discards. With F the smallest f in OPEN, each state s that the search generated
costs at least F - g(s) to the goal. The next A* uses these larger h-values, so it finds the goal sooner.

Guarantees:

- A time step expands at most `lookahead` states, tracing included, or ends by the `deadline`.
- h stays consistent while costs do not fall.
- In static terrain the agent arrives if steps are reversible and the goal can be reached.
- Learning takes no time when a search ends: a state gets its new h when it is next read.

Limits:

- When costs fall h may overestimate, or its repair takes unbounded time (`on_cost_decrease`).
- Trips are not cheapest, and stepping back needs reversible steps.

Parts:

- planners.tba.TBAStar.run_episode
- planners.tba.TBAAStar.abandon_search
- search.astar.Search.record_f
- search.astar.Search.computed_h
- planners.tba.TBAStar.make_step
"""

PSEUDO_CODE = """
## TBAStar.run_episode

    the path is cut? start a new A* at the agent
    expand N_E states, unless the goal was found
    trace back from the best open state, N_T parents
    make a step

## TBAStar.trace

    no trace is under way: begin one at the best state
    follow up to N_T parents
    the agent's state, or the root, is met:
        the trace becomes the path to follow

## TBAStar.make_step

    the agent is on the path: one step forward
    it is not: one step back, to its parent
    the path has ended, or there is none: wait
    the step is blocked: a new A* next time

## TBAAStar.abandon_search

    F[x] := smallest f in OPEN
        (0, to learn nothing: OPEN is empty, or
        costs fell during search x)
    costs have fallen? then repair or reset h
"""


def _tba(options: dict[str, Any]) -> Planner:
    if options["on_cost_decrease"] == "repair":
        raise InputError("on_cost_decrease is 'keep' or 'reset' for TBA*: it has no learned h-values to repair")
    restarts_on_decrease, inflation = options["on_cost_decrease"] == "reset", to_tenths(options["weight"])
    return set_budget(
        TBAStar(*_parts(options), restarts_on_decrease, waits_when_unreachable(options), inflation), options
    )


def _tbaa(options: dict[str, Any]) -> Planner:
    return set_budget(
        TBAAStar(*_parts(options), options["on_cost_decrease"], waits_when_unreachable(options), HRepair()), options
    )


def _parts(options: dict[str, Any]) -> tuple[OpenList, Any, bool, int]:
    """Return the first arguments of both constructors."""
    return (
        open_list_from_options(options),
        options["heuristic"],
        options["check_heuristic"],
        to_millionths(options["tracing"]),
    )


PLANNERS = (
    PlannerSpec(
        "TBA*",
        "tba",
        "Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009",
        "one A* from the start in time slices; the agent walks towards its best open state; again when that is blocked",
        {**TBA_OPTIONS, "weight": 1.0},
        _tba,
        is_optimal=False,
        is_realtime=True,
        may_wait=True,
        family="time-sliced",
        sort_order=630,
        explanation=TBA,
    ),
    PlannerSpec(
        "TBAA*",
        "tbaa",
        "Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, AAMAS 2012",
        "TBA*; learn when an A* is discarded: h := its smallest open f - g, when h is next read",
        TBA_OPTIONS,
        _tbaa,
        is_optimal=False,
        is_realtime=True,
        may_wait=True,
        family="time-sliced",
        sort_order=640,
        explanation=TBAA,
    ),
)
