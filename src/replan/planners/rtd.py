"""Real-Time D*: a global search that repairs itself, and a local one that moves the agent meanwhile.

(RTD* 2010: Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010, Figure 1.) An episode is one step
of time. Its limit of expansions is shared (lines 21-22): the local search gets `local_ratio` of it, rounded down, but
at least one; the global search the rest, and there refreshing a stale key costs as much as an expansion.

- The global search (D* Lite or AD*, backward from the goal) takes in where the agent is and what has changed, and goes
  on where it was interrupted (lines 28-35; k_m is brought up to date after every move, as the paper's footnote
  corrects).
- It has arrived: one step along its path, a *fully informed* one (line 18).
- It has not: one step of the local search, a *partially informed* one (line 17). Without a local search the agent
  waits: RTD* NoOp; or, without a limit, never needs to: Non-RTD*.
- There is no way now: the agent waits as long as the world has changes to come (line 19), or the trip ends.

What the paper leaves open: `local_moves` is how many steps of a local search are walked before the next one, as long
as the global search has not arrived and nothing on the way has become dearer. 1 is Figure 1 read literally; None walks
to the end of the local search's path, as LSS-LRTA* by itself does. The local h-values are kept when the global search
arrives. What they do when costs fall is an option of the local search.

Taking in m changed costs takes time in proportion to m that no limit bounds; a Trip tells it apart (`intake_ns`). So
does laying out the queue of AD* anew, in proportion to its length, when its weight changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.budget import Budget
from replan.clock import now_ns
from replan.errors import InputError
from replan.extensions import check_base_initialized, checked_instance, checked_integer
from replan.limits import COMPLETE, INF, PARTIAL, SHARE_SCALE, UNREACHABLE, WAITING
from replan.planners.base import Planner
from replan.planners.dstar_lite import AnytimeDStar, DStarLite, IncrementalPlanner
from replan.planners.factories import (
    DSTAR_OPTIONS,
    SEARCH_OPTIONS,
    set_budget,
    set_detect_unreachable,
    to_millionths,
    waits_when_unreachable,
    without_options,
)
from replan.planners.options import any_option, float_option, int_option
from replan.planners.spec import RTD_2010, PlannerSpec
from replan.planners.trip_start import start_trip
from replan.search.state_table import ALL
from replan.serialization import Archive
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class RTDStar(Planner):
    """A global incremental search and a local real-time search that share a limit."""

    local_planner: Planner | None
    global_planner: IncrementalPlanner
    local_ratio: int

    def __init__(
        self,
        local: Planner | None,
        global_: IncrementalPlanner,
        local_ratio: int,
        local_moves: int,
        waits_for_changes: bool,
        runs_to_completion: bool = False,
    ) -> None:
        """local: None waits for the global search. local_ratio: in millionths. local_moves: INF for no limit."""
        Planner.__init__(self)
        self.detects_unreachable = True
        self.local_planner, self.global_planner = local, checked_instance(IncrementalPlanner, global_)
        self.local_ratio = checked_integer("local_ratio", local_ratio, 0, SHARE_SCALE)
        self.local_move_limit = checked_integer("local_moves", local_moves, 1, INF)
        self.waits_for_changes, self.runs_to_completion = waits_for_changes, runs_to_completion
        self.is_time_sliced = True
        self.replans_on_every_change = True  # an episode is a step: what was seen since may call for another one
        self.parts = [global_] if local is None else [global_, checked_instance(Planner, local)]
        self.global_trip_number, self.local_trip_number = 0, 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.global_planner)
        for part in self.parts:
            start_trip(part, space, goals)
        self.global_trip_number = self.global_planner.trip_number
        self.local_trip_number = self.local_planner.trip_number if self.local_planner is not None else 0

    def _raise_part_reused(self) -> None:
        raise RuntimeError("a part of this RTD* planner is used by somebody else: make one planner for each")

    def restore_trip(self, space: Space, goals: Goals) -> None:
        """The parts are on their way already."""
        for part in self.parts:
            if part.space is None or part.space.n != space.n:
                raise InputError(f"{type(part).__name__}, a part of it, walks in another space")

    def budget_limits(self, budget: Budget | None) -> tuple[int, int]:
        """As every planner; but one that waits for its global search may also be left with nothing for now."""
        limit, time_ns = Planner.budget_limits(self, budget)
        nothing = self.local_planner is None and budget is not None and budget.expansions == 0
        return 0 if nothing else limit, time_ns

    def constructor_args(self) -> tuple[Any, ...]:
        ratio, moves = self.local_ratio, self.local_move_limit
        return RTDStar, self.local_planner, self.global_planner, ratio, moves, self.waits_for_changes, self.runs_to_completion

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        self.global_trip_number = archive.integer("global_trips", self.global_trip_number, 0)
        self.local_trip_number = archive.integer("local_trips", self.local_trip_number, 0)

    def change_goals(self, goals: Goals) -> None:
        """The global search starts again; the local one corrects its h."""
        for part in self.parts:
            part.planned_path.is_valid = False
            part.retarget(goals)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        self.update_reachability(changed_states, count, costs_increased)
        self.global_planner.on_cost_changes(changed_states, count, costs_increased)
        if self.local_planner is not None:
            self.local_planner.on_cost_changes(changed_states, count, costs_increased)
            for i in range(count if costs_increased else 0):
                self.local_planner.planned_path.check_step(self.space, changed_states[i])
            if not costs_increased:
                self.local_planner.planned_path.is_valid = False
        return 0

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if self.global_planner.trip_number != self.global_trip_number or (self.local_planner is not None and self.local_planner.trip_number != self.local_trip_number):
            with cython.gil:
                self._raise_part_reused()
        self.planned_path.clear()
        if self.goals.is_goal(agent_state):
            return COMPLETE
        share = self.local_share(limit)
        known = self.global_planner.run_slice(agent_state, limit - share if limit < INF else INF, self.global_deadline(deadline))
        if known:
            status = self.step_global(agent_state)
        elif self._reachability.is_unreachable(self.goals, agent_state):
            status = UNREACHABLE
        elif self.local_planner is None:
            status = WAITING
        else:
            status = self.step_local(self.local_planner, agent_state, share, deadline)
        before = self.expansions
        self.sum_counts()
        if not known and status != UNREACHABLE and self.proves_unreachable(agent_state, self.expansions - before):
            return UNREACHABLE
        return status

    def local_share(self, limit: int) -> int:
        if self.local_planner is None:
            return 0
        if limit >= INF:
            return INF
        return max(1, limit // SHARE_SCALE * self.local_ratio + limit % SHARE_SCALE * self.local_ratio // SHARE_SCALE)

    def global_deadline(self, deadline: int) -> int:
        if deadline == 0 or self.local_planner is None:
            return deadline
        now = now_ns()
        return now + max(1, (deadline - now) // 1000 * (SHARE_SCALE - self.local_ratio) // 1000)

    def step_global(self, agent_state: int) -> int:
        """One step along the global path (line 18). `next` is the successor that rhs, the least c + g, comes from."""
        node = self.global_planner.search.node
        if node[agent_state].rhs >= INF:
            return UNREACHABLE
        v = node[agent_state].next
        self.planned_path.set_step(agent_state, v, node[agent_state].rhs - node[v].g)
        return COMPLETE

    def step_local(self, local: Planner, agent_state: int, limit: int, deadline: int) -> int:
        """One step along the local path (line 17), after a local search where that is used up."""
        if local.planned_path.next_state() < 0 or not local.planned_path.can_follow_from(agent_state):
            local.planned_path.is_valid = False
            local.was_displaced = True  # by the global search, for all it knows
            status = local.run_episode(agent_state, limit, deadline)
            if status not in (COMPLETE, PARTIAL):
                return status
            local.planned_path.follow(min(self.local_move_limit, local.move_limit))
        v, cost = local.planned_path.next_state(), local.planned_path.next_cost()
        if not local.planned_path.advance(v):
            return WAITING
        self.planned_path.set_step(agent_state, v, cost)
        return PARTIAL

    def sum_counts(self) -> int:
        """The counts of both searches are this planner's."""
        self.add_counts(self, -1)
        self.add_counts(self.global_planner, 1)
        if self.local_planner is not None:
            self.add_counts(self.local_planner, 1)
        return 0

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays of the global search, and those of the local one: `h`, and the others as `local_...`."""
        return self._prefixed(self.global_planner._table_arrays(states), {} if self.local_planner is None else self.local_planner._table_arrays(states))

    def _snapshot_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return self._prefixed(self.global_planner._snapshot_arrays(), {} if self.local_planner is None else self.local_planner._snapshot_arrays())

    def _prefixed(self, whole: dict[str, Any], local: dict[str, Any]) -> dict[str, Any]:
        return {**whole, **{name if name == "h" else f"local_{name}": array for name, array in local.items()}}


# What the registry collects.

OPTIONS = (
    any_option(
        "global_",
        "The search from the goal that repairs itself when costs change.",
        "'D* Lite', 'D* Extra Lite', 'AD*' or such a planner",
    ),
    any_option(
        "local",
        "The search that moves the agent until the global one has arrived.",
        "a real-time planner or the name of one",
    ),
    float_option("local_ratio", "The share of the limit that the local search gets.", "from 0 to 1", 0, 1),
    int_option(
        "local_moves",
        "How many moves the agent makes along the path of a local search before the next one.",
        "a whole number from 1, or None for the whole local path",
    ),
)
GLOBAL_OPTIONS = {"lookahead": 256, "deadline": None, "global_": "D* Lite", "when_unreachable": "wait", "detect_unreachable": True}
LOCAL_OPTIONS = {"local": "LSS-LRTA*", "local_ratio": 0.5, "local_moves": 1, "on_cost_decrease": "keep"}

RTD = """
Two searches share the limit of each step. The global one is D* Lite (or AD*), from the goal, which takes in every
change and goes on where it was interrupted. Until it has reached the agent a local real-time search moves it,
roughly the right way: a partially informed step. After that the agent walks along the global path: fully informed
ones.

Guarantees:

- A step expands at most `lookahead` states, in both searches together, or ends by the `deadline`.
- Once the global search has arrived the agent follows cheapest presumed paths (with AD*: within its bound).
- In terrain that stays as it is the global search arrives, and so does the agent, if steps can be taken back and
  there is a way.

Limits:

- Taking in changed costs takes time in proportion to their number, which no limit bounds; a Trip tells it apart
  (`intake_ns`).
- Terrain that changes faster than the global search can follow leaves the agent to the local one.
- Memory of two searches. When the goal moves the global search starts again.

Parts:

- planners.rtd.RTDStar.run_episode
- planners.rtd.RTDStar.step_global
- planners.rtd.RTDStar.step_local
- search.incremental.Incremental.advance
"""

RTD_NOOP = """
RTD* without a local search: the agent waits until the global one has arrived. A baseline that shows what moving
meanwhile is worth.

Guarantees:

- A step expands at most `lookahead` states; every step of the agent is along a cheapest presumed path.

Limits:

- It stands still while it searches: shortest trips, longest times.
- Those of RTD* on changes, moving goals and memory of the global search.

Parts:

- planners.rtd.RTDStar.run_episode
- planners.rtd.RTDStar.step_global
- search.incremental.Incremental.advance
"""

NON_RTD = """
D* Lite finished at every step, however long that takes: what RTD* would do with no limit. The other baseline.

Guarantees:

- Cheapest presumed paths at every step; waits, or reports, when there is no way (`when_unreachable`).

Limits:

- Not real-time: no bound in time at all. As a planner, take D* Lite.

Parts:

- planners.rtd.RTDStar.run_episode
- planners.rtd.RTDStar.step_global
- search.incremental.Incremental.advance
"""

PSEUDO_CODE = """
## RTDStar.run_episode

    share := the local search's part of the limit
    global search: take in changes, go on within the rest
    has it arrived?  a step along its path
    no local search? wait
    otherwise:       a step of the local search

## RTDStar.step_global

    rhs(agent) is infinite? there is no way now
    step to next(agent)

## RTDStar.step_local

    the last local path is used up, or no longer good:
        search locally: look ahead, learn, choose
    a step along the local path
"""


def _rtd(options: dict[str, Any]) -> Planner:
    moves = INF if options["local_moves"] is None else options["local_moves"]
    made = RTDStar(_make_local(options), _make_global(options), to_millionths(options["local_ratio"]), moves, waits_when_unreachable(options))
    return set_budget(made, options)


def _rtd_noop(options: dict[str, Any]) -> Planner:
    return set_budget(RTDStar(None, _make_global(options), 0, 1, waits_when_unreachable(options)), options)


def _non_rtd(options: dict[str, Any]) -> Planner:
    whole_way = True  # it searches all the way at every step, and cannot keep a budget
    made = RTDStar(None, _make_global({**options, "global_": "D* Lite"}), 0, 1, waits_when_unreachable(options), whole_way)
    return set_detect_unreachable(made, options)


def _make_part(role: str, given: Any, options: dict[str, Any]) -> Planner:
    """A part by its name, with those of the options that it takes, or a planner as it was made."""
    from replan.planners.registry import find_spec, planner

    if isinstance(given, Planner):
        return given
    if not isinstance(given, str):
        raise InputError(f"{role} is a planner or the name of one, not {given!r}")
    spec, usual = find_spec(given), {**SEARCH_OPTIONS, **LOCAL_OPTIONS}
    taken = (name for name in ("queue", "prefer", "ties", "seed", "heuristic", "check_heuristic", "on_cost_decrease"))
    chosen = {n: options[n] for n in taken if n in options and n in spec.options and options[n] is not usual[n]}
    return set_detect_unreachable(planner(given, **chosen), {})  # the whole planner does that


def _make_local(options: dict[str, Any]) -> Planner:
    made = _make_part("local", options["local"], options)
    spec = getattr(made, "spec", None)  # of a planner whose class has left its __init__ out there is none yet
    if isinstance(made, RTDStar) or (spec is not None and (spec.may_wait or not spec.is_realtime)):
        raise InputError(f"local is a real-time planner such as 'LSS-LRTA*' or 'daRTAA*', not {made!r}")
    return made


def _make_global(options: dict[str, Any]) -> IncrementalPlanner:
    made = _make_part("global_", options["global_"], options)
    if not isinstance(made, (DStarLite, AnytimeDStar)):
        raise InputError(f"global_ is 'D* Lite', 'D* Extra Lite' or 'AD*', not {options['global_']!r}")
    return made


PLANNERS = (
    PlannerSpec(
        "RTD*",
        "rtd",
        RTD_2010,
        "D* Lite or AD* a part a step; until it arrives, a step of a real-time search with its share of the limit",
        {**GLOBAL_OPTIONS, **LOCAL_OPTIONS, **SEARCH_OPTIONS},
        _rtd,
        is_optimal=False,
        is_realtime=True,
        family="time-sliced",
        sort_order=600,
        explanation=RTD,
    ),
    PlannerSpec(
        "RTD* NoOp",
        "rtd-noop",
        RTD_2010,
        "D* Lite or AD* a part a step; until it arrives the agent waits",
        {**GLOBAL_OPTIONS, **SEARCH_OPTIONS},
        _rtd_noop,
        is_optimal=False,
        is_realtime=True,
        may_wait=True,
        family="time-sliced",
        sort_order=610,
        explanation=RTD_NOOP,
    ),
    PlannerSpec(
        "Non-RTD*",
        "non-rtd",
        RTD_2010,
        "D* Lite all the way at every step, however long that takes",
        {**without_options(DSTAR_OPTIONS, "replan_when"), "when_unreachable": "wait"},
        _non_rtd,
        family="time-sliced",
        sort_order=620,
        explanation=NON_RTD,
    ),
)
