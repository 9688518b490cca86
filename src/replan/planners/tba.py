"""Time-Bounded A*: one A* from where the agent began, a slice of it a step; the agent walks meanwhile.

(Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009; discussed in RTD* 2010.) An episode is one slice and
one step of time:

1. Expand within the limit, unless the goal is first in the open list already.
2. Trace: follow the parents from the most promising open state (the goal, once found) back to the agent or to the
   root. A trace may take several slices; when it arrives it becomes the path to follow.
3. Move: on the path, a step forward; beside it, a step back to the parent in the tree, until the path is met; at the
   end of a path that is not the goal, wait.

Tracing is paid for: the share `tracing` of the limit goes to it, PER_EXPANSION parent steps for one expansion, and at
least that many a slice.

For terrain that is unknown or changes the authors define nothing. Here: when a step ahead on the path or on the way
back to it is blocked, or costs more than when the A* took it, everything is dropped and a new A* starts where the agent
is: the g-values of the old one are from before. In static terrain each such start needs a new observation, so there are
finitely many. (The way back over steps that are directed has no cost in the A*: there a rise counts only right ahead.)
Costs that fell start a new A* only with on_cost_decrease="reset", or when
the old one has run empty. Stepping back needs steps that can be taken back: where one cannot, the agent from then on
walks only along whole paths.

`weight` multiplies h, as in weighted A* (Hernández, Asín, Baier: Time-Bounded Best-First Search, SoCS 2014), and no
state is expanded twice: on known maps the goal is found sooner and trips are 0.6 to 0.9 times as long with weight 3 and
lookaheads of 8 to 128 (`benchmarks/weights.py`); on unknown ones they are 2 to 4 times as long.

Time-Bounded Adaptive A* (Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, AAMAS 2012) does not drop what the
old A* knew: with F the smallest f in its open list, every state that it met is at least F - g away from the goal. That
is consistent with the present costs, if none has fallen since: each step that is there now was there, and as cheap,
when its tail was expanded. The idea is theirs; the rest (their pseudo-code was not at hand) is ours: the h-values are
raised when they are next read, since a loop over all expanded states would not keep the limit (the trip is the same);
an A* that ran empty teaches nothing; falling costs and moving targets are as the class says.
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

PARENT_STEPS_PER_EXPANSION = 10
DECREASE_NAMES = {code: word for word, code in DECREASE_ACTIONS.items()}


class TBAStar(Planner):
    """Time-Bounded A*."""

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
        """tracing: in millionths. inflation: of h, in tenths."""
        Planner.__init__(self)
        self.detects_unreachable = True
        self.open, self.user_heuristic, self.checks_h, self.tracing_ratio = claim_queue(open), heuristic, check_heuristic, tracing
        checked_integer("tracing", tracing, 0, SHARE_SCALE)
        self.restarts_on_decrease, self.waits_for_changes, self.inflation = restarts_on_decrease, waits_for_changes, inflation
        self.restarts, self.is_time_sliced = 0, True
        self.search = self.add_table(Search(open, False, inflation))
        self.search.reopens_closed = inflation == 10
        self.path_states = self.path_index = self.trace_states = self.trace_index = empty(1, np.int32)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        if len(self.trace_index) != space.n:
            self.path_states, self.path_index = zeros(space.n, np.int32), zeros(space.n, np.int32)
            self.trace_states, self.trace_index = zeros(space.n, np.int32), zeros(space.n, np.int32)  # the last one made
        self.search.attach(space)
        self.is_reversible = space.is_reversible()
        self.restarts, self.needs_whole_path, self.last_state, self.expected_state = 0, False, -1, -1
        self.root, self.cursor, self.path_length, self.trace_length, self.costs_changed, self.goal_is_found = -1, -1, 0, 0, False, False
        self.reset_h(goals)

    def prefault(self) -> None:
        Planner.prefault(self)
        prefault(self.path_states, self.path_index, self.trace_states, self.trace_index)

    def change_goals(self, goals: Goals) -> None:
        """Another goal is another search."""
        self.reset_h(goals)

    def reset_h(self, goals: Goals) -> None:
        """Forget all h-values, and head for these goals."""
        self.must_restart = True
        self.search.set_goals(goals, self.make_heuristic(goals))

    def make_heuristic(self, goals: Goals) -> Heuristic:
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
        """Is the path blocked at s, or does it cost more from there than before, ahead of the agent?"""
        if self.planned_path.step_out_rose(self.space, s):
            return True
        if not self.is_on_path(s) or self.path_index[s] == 0:
            return False
        v = self.path_states[self.path_index[s] - 1]
        if self.last_state >= 0 and self.is_on_path(self.last_state) and self.path_index[s] > self.path_index[self.last_state]:
            return self.space.step_cost(s, v) >= INF
        return self.has_risen(s, v)

    def has_risen(self, u: int, v: int) -> bool:
        """Does a step of the search tree cost more than when the search took it, or is it blocked?"""
        node, cost = self.search.node, self.space.step_cost(u, v)
        return cost >= INF or (node[v].parent == u and cost > node[v].g - node[u].g)

    def is_on_path(self, s: int) -> bool:
        i = self.path_index[s]  # never cleared: the path itself says whether an entry is of this one
        return i < self.path_length and self.path_states[i] == s

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        self.planned_path.clear()
        if agent_state != self.last_state and agent_state != self.expected_state:
            self.must_restart = True  # the agent was put elsewhere: the tree does not lead from there
        self.last_state = self.expected_state = agent_state
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        before = self.expansions
        if self.must_restart or self.search.queue_bound != self.space.max_path_cost:
            self.start_search(agent_state)
        if not self.goal_is_found:
            self.expand_slice(limit, deadline)
        best = self.open.top()
        if best < 0:
            self.must_restart = self.costs_changed  # it may be empty because of obstacles that are gone
            return WAITING if self.costs_changed else UNREACHABLE
        if not self.goal_is_found and self.proves_unreachable(agent_state, self.expansions - before):
            return UNREACHABLE
        self.trace(agent_state, best, self.trace_limit(limit), deadline)
        return self.make_step(agent_state)

    def start_search(self, agent_state: int) -> int:
        """A new A* from where the agent is."""
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
        given = (self.open.constructor_args(), self.user_heuristic, self.checks_h, self.tracing_ratio, self.restarts_on_decrease, self.waits_for_changes)
        return TBAStar, *given, self.inflation

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        n = self.space.n
        self.root, self.cursor = archive.integer("root", self.root, -1, n - 1), archive.integer("cursor", self.cursor, -1, n - 1)
        self.last_state = archive.integer("stood", self.last_state, -1, n - 1)
        self.expected_state = archive.integer("expected", self.expected_state, -1, n - 1)
        self.restarts = archive.integer("restarts", self.restarts, 0)
        self.must_restart, self.costs_changed = archive.boolean("stale", self.must_restart), archive.boolean("news", self.costs_changed)
        self.goal_is_found, self.needs_whole_path = archive.boolean("found", self.goal_is_found), archive.boolean("cautious", self.needs_whole_path)
        path = archive.states("path", self.path_states[: self.path_length], n, unique=True)
        traced = archive.states("traced", self.trace_states[: self.trace_length if self.cursor >= 0 else 0], n, unique=True)
        if archive.is_loading:
            self.path_length, self.trace_length = len(path), len(traced)
            np.asarray(self.path_states)[: self.path_length], np.asarray(self.path_index)[path] = path, np.arange(self.path_length)
            np.asarray(self.trace_states)[: self.trace_length], np.asarray(self.trace_index)[traced] = traced, np.arange(self.trace_length)
        self.search.is_in_progress = self.needs_search()

    def needs_search(self) -> bool:
        """Hook: does the search go on, or will it be learned from?"""
        return not self.must_restart

    def abandon_search(self) -> int:
        """Hook: the search is given up."""
        return 0

    def expand_slice(self, limit: int, deadline: int) -> int:
        """The first part of a slice."""
        before = self.search.expanded
        most = max(1, limit - self.tracing_share(limit)) if limit < INF else INF
        stop = deadline
        if deadline > 0:
            now = now_ns()
            stop = max(now + 1, deadline - (deadline - now) // 1000 * self.tracing_ratio // 1000)
        self.goal_is_found = self.search.advance(self.space, self.open, before + most if most < INF else INF, stop) != 0
        if self.is_logging:
            self.log.add_expanded(self.search.closed, before, self.search.expanded)
        self.expansions += self.search.expanded - before
        self.percolations = self.open.percolations
        return 0

    def tracing_share(self, limit: int) -> int:
        """What a limit leaves for tracing, in expansions."""
        return limit // SHARE_SCALE * self.tracing_ratio + limit % SHARE_SCALE * self.tracing_ratio // SHARE_SCALE

    def trace_limit(self, limit: int) -> int:
        return max(PARENT_STEPS_PER_EXPANSION, self.tracing_share(limit) * PARENT_STEPS_PER_EXPANSION) if limit < INF else INF

    def trace(self, agent_state: int, best: int, most: int, deadline: int) -> int:
        """The second part: go on with the trace, or begin one."""
        if self.cursor < 0:
            if self.path_length > 0 and self.path_states[0] == best:
                return 0
            self.cursor, self.trace_length = best, 0
        for turn in range(most):
            if deadline > 0 and turn & 31 == 31 and now_ns() >= deadline:
                return 0
            v = self.cursor
            if self.trace_length == len(self.trace_states):  # what was loaded may run in circles
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
        """The third part."""
        whole = self.path_length > 0 and self.goals.is_goal(self.path_states[0])
        if self.must_restart or self.path_length == 0 or (self.needs_whole_path and not whole):
            return WAITING
        if self.is_on_path(agent_state):
            if self.path_index[agent_state] == 0:
                return WAITING
            to = self.path_states[self.path_index[agent_state] - 1]
            risen = self.has_risen(agent_state, to)
        else:
            to = self.search.node[agent_state].parent
            risen = self.is_reversible and self.has_risen(to, agent_state)
        toll = self.space.step_cost(agent_state, to)
        if toll >= INF or risen:
            self.must_restart = True
            self.needs_whole_path = self.needs_whole_path or not self.costs_changed
            return WAITING
        self.planned_path.set_step(agent_state, to, toll)
        self.expected_state = to
        return COMPLETE if whole and self.is_on_path(agent_state) else PARTIAL


class TBAAStar(TBAStar):
    """Time-Bounded Adaptive A*: when the A* is given up, what it knew is kept as h.

    falling: "keep" the A* and the h-values, which may then overestimate (what was searched since teaches nothing);
    "repair" the h-values, so that they are consistent again (work that no limit bounds), and start a new A*; "reset"
    them and start a new A*. When the goal moves, h is corrected as in Moving-Target Adaptive A*.
    """

    def __init__(
        self, open: OpenList, heuristic: Any, check_heuristic: bool, tracing: int, on_cost_decrease: str, waits_for_changes: bool, repair: HRepair
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
        """Another goal is another search, with what was learned, corrected so that it stays consistent."""
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
        given = (self.open.constructor_args(), self.user_heuristic, self.checks_h, self.tracing_ratio, DECREASE_NAMES[self.decrease_action], self.waits_for_changes)
        return TBAAStar, *given, self.h_repair

    def serialize_trip(self, archive: Archive) -> None:
        self.has_unlearned_search, self.costs_fell_during_search = archive.boolean("running", self.has_unlearned_search), archive.boolean("tainted", self.costs_fell_during_search)
        self.has_pending_decreases = archive.boolean("fallen", self.has_pending_decreases)
        TBAStar.serialize_trip(self, archive)
        self.h_repair.serialize(archive.nested("repair"), self.space.n)

    def needs_search(self) -> bool:
        return self.has_unlearned_search or not self.must_restart

    def abandon_search(self) -> int:
        """Learn from the search, then take in falls: the other way round its lessons would undo the repair."""
        if self.has_unlearned_search:
            sure = not self.costs_fell_during_search and self.open.top() >= 0
            self.search.record_f(self.open.top_f() if sure else 0)
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


# What the registry collects.

OPTIONS = (
    float_option(
        "tracing",
        "The share of the limit spent on following the best path found back to the agent, not on expansions.",
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
One A* from where the agent began, a slice a step. Meanwhile the agent walks towards the most promising open state:
the path to it is traced back, a part a step as well, and where the agent stands beside that path it steps back
through the tree until it meets it.

Guarantees:

- A step expands at most `lookahead` states, tracing included in the limit, or ends by the `deadline`.
- On a known map that stays as it is it arrives, and once A* has found the goal the agent follows its path.
- The A* that it runs is never repeated on such a map: every state is expanded once, and no h has to be learned.

Limits:

- In unknown terrain each obstacle on the path starts a new A*, which knows nothing of the last: TBAA* does.
  So does a step of the path, or of the way back to it, that costs more than when the A* took it.
- Its trips are not cheapest: the agent may have walked the wrong way meanwhile.
- Steps have to be such that they can be taken back; where one cannot, the agent waits for whole paths.

Parts:

- planners.tba.TBAStar.run_episode
- planners.tba.TBAStar.trace
- planners.tba.TBAStar.make_step
- search.astar.Search.loop
"""

TBAA = """
TBA* that learns from every A* that it gives up: with F the smallest f that was open, each state that the search met
is at least F - g away from the goal. The next A* runs with these larger h-values, so that it comes to the goal
sooner.

Guarantees:

- A step expands at most `lookahead` states, tracing included, or ends by the `deadline`.
- h stays consistent while costs do not fall.
- In static terrain the agent arrives if steps can be taken back and there is a way.
- Learning costs nothing when a search ends: a state gets its new h when it is next looked at.

Limits:

- When costs fall h may overestimate, or is repaired in time that no limit bounds (`on_cost_decrease`).
- Trips are not cheapest, and steps back need terrain where they can be taken back.

Parts:

- planners.tba.TBAStar.run_episode
- planners.tba.TBAAStar.abandon_search
- search.astar.Search.record_f
- search.astar.Search.computed_h
- planners.tba.TBAStar.make_step
"""

PSEUDO_CODE = """
## TBAStar.run_episode

    the path was blocked? start a new A* at the agent
    expand a slice, unless the goal was found
    trace back from the best open state
    make a step

## TBAStar.trace

    no trace is under way: begin one at the best state
    follow parents, as many as the limit allows
    it has come to the agent, or to the root:
        the trace is the path from now on

## TBAStar.make_step

    the agent is on the path: one step forward
    it is beside it: one step back, to its parent
    the path has ended, or there is none: wait
    the step is blocked: a new A* next time

## TBAAStar.abandon_search

    F := smallest f that was open
    remember: all that was met is at least F - g away
    costs have fallen? then repair or forget h
"""


def _tba(options: dict[str, Any]) -> Planner:
    if options["on_cost_decrease"] == "repair":
        raise InputError("on_cost_decrease is 'keep' or 'reset' for TBA*: it has no learned h-values to repair")
    again, inflation = options["on_cost_decrease"] == "reset", to_tenths(options["weight"])
    return set_budget(TBAStar(*_parts(options), again, waits_when_unreachable(options), inflation), options)


def _tbaa(options: dict[str, Any]) -> Planner:
    return set_budget(TBAAStar(*_parts(options), options["on_cost_decrease"], waits_when_unreachable(options), HRepair()), options)


def _parts(options: dict[str, Any]) -> tuple[OpenList, Any, bool, int]:
    return open_list_from_options(options), options["heuristic"], options["check_heuristic"], to_millionths(options["tracing"])


PLANNERS = (
    PlannerSpec(
        "TBA*",
        "tba",
        "Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009",
        "one A* from the start, a slice a step; the agent walks towards its best open state; anew when that is blocked",
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
        "TBA*; learn when an A* is given up: h := its smallest open f - g, when h is next read",
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
