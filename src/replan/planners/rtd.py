"""Real-Time D*: a global search that repairs itself, and a local search that moves the agent until it is complete.

(Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010 = RTD* 2010. Line numbers are those of Figure
1.) An episode is one time step: one iteration of the loop of Main (line 26). Its limit of expansions is shared (lines
21 and 22): LocalLimit is `local_ratio` of it, rounded down, but at least one; GlobalLimit is the rest. In the global
search updating a stale key costs as much as an expansion (line 4).

- The global search (D* Lite or AD*, backward from the goal) applies the agent's move and the changed costs (lines 28
  to 34) and continues where it was interrupted (line 35). k_m is updated after every move, as the paper's footnote
  corrects.
- COMPLETE_PATH_FOUND: one step along its path, a *fully informed* one (line 18).
- EXPANSION_LIMIT_REACHED: one step of the local search, a *partially informed* one (line 17). Without a local search
  the agent waits (RTD* NoOp). Without a limit this never happens (Non-RTD*).
- NO_PATH_EXISTS: the agent waits as long as the world has changes to come (line 19), or the trip ends.

What the paper leaves open: `local_moves` is the number of steps along a local path before the next local search, as
long as the global search is incomplete and no step of the local path costs more. 1 is Figure 1 read literally; None
follows the whole local path, as LSS-LRTA* alone does. The local h-values are kept when the global search completes.
`on_cost_decrease` of the local search says what happens to them when costs fall.

Two kinds of work have no bound: applying m changed costs takes time in proportion to m (a Trip reports it as
`apply_changes_ns`), and new keys for the queue of AD*, when its weight changes, take time in proportion to its length.
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
    """A global incremental search and a local real-time search that share a limit.

    Parameters
    ----------
    local
        The local search; None waits for the global search instead.
    global_
        The global search.
    local_ratio
        Share of the limit for the local search, in millionths.
    local_moves
        Most steps along a local path before the next local search; INF for no limit.
    waits_for_changes
        True: wait when no path exists, as long as the world has changes to come.
    runs_to_completion
        True: the global search is finished at every step.
    """

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
        Planner.__init__(self)
        self.detects_unreachable = True
        self.local_planner, self.global_planner = local, checked_instance(IncrementalPlanner, global_)
        self.local_ratio = checked_integer("local_ratio", local_ratio, 0, SHARE_SCALE)
        self.local_move_limit = checked_integer("local_moves", local_moves, 1, INF)
        self.waits_for_changes, self.runs_to_completion = waits_for_changes, runs_to_completion
        self.is_time_sliced = True
        self.replans_on_every_change = True  # an episode is one step, and every step has one
        self.parts = [global_] if local is None else [global_, checked_instance(Planner, local)]
        self.global_trip_number, self.local_trip_number = 0, 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.global_planner)
        for part in self.parts:
            start_trip(part, space, goals)
        self.global_trip_number = self.global_planner.trip_number
        self.local_trip_number = self.local_planner.trip_number if self.local_planner is not None else 0

    def _raise_part_reused(self) -> None:
        """Raise RuntimeError: a part has begun another trip."""
        raise RuntimeError("a part of this RTD* planner is used elsewhere: make one planner for each")

    def restore_trip(self, space: Space, goals: Goals) -> None:
        """Check the parts, whose trips have been restored already."""
        for part in self.parts:
            if part.space is None or part.space.n != space.n:
                raise InputError(f"{type(part).__name__}, a part of it, walks in another space")

    def budget_limits(self, budget: Budget | None) -> tuple[int, int]:
        """Return the limits of a budget as `Planner.budget_limits`; without a local search 0 expansions are allowed."""
        limit, time_ns = Planner.budget_limits(self, budget)
        can_skip = self.local_planner is None and budget is not None and budget.expansions == 0
        return 0 if can_skip else limit, time_ns

    def constructor_args(self) -> tuple[Any, ...]:
        ratio, moves = self.local_ratio, self.local_move_limit
        return (
            RTDStar,
            self.local_planner,
            self.global_planner,
            ratio,
            moves,
            self.waits_for_changes,
            self.runs_to_completion,
        )

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        self.global_trip_number = archive.integer("global_trip_number", self.global_trip_number, 0)
        self.local_trip_number = archive.integer("local_trip_number", self.local_trip_number, 0)

    def change_goals(self, goals: Goals) -> None:
        """Start the global search again; the local search corrects its h-values."""
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
        if self.global_planner.trip_number != self.global_trip_number or (
            self.local_planner is not None and self.local_planner.trip_number != self.local_trip_number
        ):
            with cython.gil:
                self._raise_part_reused()
        self.planned_path.clear()
        if self.goals.is_goal(agent_state):
            return COMPLETE
        local_limit = self.local_share(limit)  # 21 to 22
        is_global_done = self.global_planner.run_slice(
            agent_state, limit - local_limit if limit < INF else INF, self.global_deadline(deadline)
        )
        if is_global_done:
            status = self.step_global(agent_state)  # 18
        elif self._reachability.is_unreachable(self.goals, agent_state):
            status = UNREACHABLE  # 19
        elif self.local_planner is None:
            status = WAITING
        else:
            status = self.step_local(self.local_planner, agent_state, local_limit, deadline)  # 17
        expansions_before = self.expansions
        self.sum_counts()
        if (
            not is_global_done
            and status != UNREACHABLE
            and self.proves_unreachable(agent_state, self.expansions - expansions_before)
        ):
            return UNREACHABLE
        return status

    def local_share(self, limit: int) -> int:
        """Return LocalLimit: the share of the limit for the local search (line 21)."""
        if self.local_planner is None:
            return 0
        if limit >= INF:
            return INF
        return max(1, limit // SHARE_SCALE * self.local_ratio + limit % SHARE_SCALE * self.local_ratio // SHARE_SCALE)

    def global_deadline(self, deadline: int) -> int:
        """Return the clock value at which the global search stops."""
        if deadline == 0 or self.local_planner is None:
            return deadline
        now = now_ns()
        return now + max(1, (deadline - now) // 1000 * (SHARE_SCALE - self.local_ratio) // 1000)

    def step_global(self, agent_state: int) -> int:
        """Line 18: step to the v that minimises c(s_start, v) + g(v), which is next(s_start)."""
        node = self.global_planner.search.node
        if node[agent_state].rhs >= INF:
            return UNREACHABLE  # 14
        v = node[agent_state].next
        self.planned_path.set_step(agent_state, v, node[agent_state].rhs - node[v].g)
        return COMPLETE

    def step_local(self, local: Planner, agent_state: int, limit: int, deadline: int) -> int:
        """Line 17: step along the local path, after a local search if the path is used up or blocked."""
        if local.planned_path.next_state() < 0 or not local.planned_path.can_follow_from(agent_state):
            local.planned_path.is_valid = False
            local.was_displaced = True  # the global search may have moved the agent off the local path
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
        """Set the counts to the sums of those of both searches."""
        self.add_counts(self, -1)
        self.add_counts(self.global_planner, 1)
        if self.local_planner is not None:
            self.add_counts(self.local_planner, 1)
        return 0

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the arrays of both searches: those of the local one are `h` and `local_...`."""
        return self._prefixed(
            self.global_planner._table_arrays(states),
            {} if self.local_planner is None else self.local_planner._table_arrays(states),
        )

    def _snapshot_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return self._prefixed(
            self.global_planner._snapshot_arrays(),
            {} if self.local_planner is None else self.local_planner._snapshot_arrays(),
        )

    def _prefixed(self, global_arrays: dict[str, Any], local_arrays: dict[str, Any]) -> dict[str, Any]:
        """Return both sets of arrays, those of the local search with a prefix."""
        return {
            **global_arrays,
            **{name if name == "h" else f"local_{name}": array for name, array in local_arrays.items()},
        }


# Declarations for the registry.

OPTIONS = (
    any_option(
        "global_",
        "The search backward from the goal, which repairs itself when costs change.",
        "'D* Lite', 'D* Extra Lite', 'AD*' or such a planner",
    ),
    any_option(
        "local",
        "The search that moves the agent until the global one has reached it.",
        "a real-time planner or the name of one",
    ),
    float_option("local_ratio", "The share of the limit that the local search gets.", "from 0 to 1", 0, 1),
    int_option(
        "local_moves",
        "The most moves along the path of a local search before the next one.",
        "a whole number from 1, or None for the whole local path",
    ),
)
GLOBAL_OPTIONS = {
    "lookahead": 256,
    "deadline": None,
    "global_": "D* Lite",
    "when_unreachable": "wait",
    "detect_unreachable": True,
}
LOCAL_OPTIONS = {"local": "LSS-LRTA*", "local_ratio": 0.5, "local_moves": 1, "on_cost_decrease": "keep"}

RTD = """
Two searches share the limit of each time step. The global search is D* Lite (or AD*), backward from the goal. It
applies every change and continues where it was interrupted. Until it has reached the agent, a local real-time search
moves the agent by partially informed steps. After that the agent follows the global path by fully informed steps.

Guarantees:

- A time step expands at most `lookahead` states, in both searches together, or ends by the `deadline`.
- Once the global search has reached the agent, the agent follows cheapest presumed paths (with AD*: within its bound).
- In static terrain the global search completes, and the agent arrives, if steps are reversible and the goal can be
  reached.

Limits:

- Applying changed costs takes time in proportion to their number, without a bound; a Trip reports it
  (`apply_changes_ns`).
- In terrain that changes faster than the global search can follow, only the local search moves the agent.
- It needs the memory of two searches. When the goal moves the global search starts again.

Parts:

- planners.rtd.RTDStar.run_episode
- planners.rtd.RTDStar.step_global
- planners.rtd.RTDStar.step_local
- search.incremental.Incremental.advance
"""

RTD_NOOP = """
RTD* without a local search: the agent waits until the global search has reached it. This baseline shows the gain of
moving meanwhile.

Guarantees:

- A time step expands at most `lookahead` states; every step of the agent is along a cheapest presumed path.

Limits:

- The agent stands still while it searches: the shortest paths, but the longest times.
- Those of RTD* on changes, moving goals and memory of the global search.

Parts:

- planners.rtd.RTDStar.run_episode
- planners.rtd.RTDStar.step_global
- search.incremental.Incremental.advance
"""

NON_RTD = """
RTD* without a limit: D* Lite is completed at every time step, however long that takes. The other baseline.

Guarantees:

- Cheapest presumed paths at every step; the agent waits, or reports, when no path exists (`when_unreachable`).

Limits:

- Not real-time: a step has no bound in time. As a planner, take D* Lite.

Parts:

- planners.rtd.RTDStar.run_episode
- planners.rtd.RTDStar.step_global
- search.incremental.Incremental.advance
"""

PSEUDO_CODE = """
## RTDStar.run_episode

    21    LocalLimit := LocalRatio * ExpandLimit
    22    GlobalLimit := ExpandLimit - LocalLimit
    28-34 apply the agent's move and the changed costs
    35    status := ComputeShortestPath(GlobalLimit)
    16    ChooseStep by the status:
    18        complete path: a step along it
    17        limit reached: a step of the local search;
              without a local search wait
    19        no path: wait

## RTDStar.step_global

    14 rhs(s_start) is infinite? no path exists
    18 step to the v with the least c(s_start, v) + g(v),
       which is next(s_start)

## RTDStar.step_local

    17 the local path is used up or blocked:
           LocalSearch(LocalLimit): look ahead, learn, choose
       a step along the local path
"""


def _rtd(options: dict[str, Any]) -> Planner:
    move_limit = INF if options["local_moves"] is None else options["local_moves"]
    planner = RTDStar(
        _make_local(options),
        _make_global(options),
        to_millionths(options["local_ratio"]),
        move_limit,
        waits_when_unreachable(options),
    )
    return set_budget(planner, options)


def _rtd_noop(options: dict[str, Any]) -> Planner:
    return set_budget(RTDStar(None, _make_global(options), 0, 1, waits_when_unreachable(options)), options)


def _non_rtd(options: dict[str, Any]) -> Planner:
    runs_to_completion = True
    planner = RTDStar(
        None, _make_global({**options, "global_": "D* Lite"}), 0, 1, waits_when_unreachable(options), runs_to_completion
    )
    return set_detect_unreachable(planner, options)


def _make_part(role: str, planner_or_name: Any, options: dict[str, Any]) -> Planner:
    """Return a given planner, or make a part by its name, with those of the options that it has."""
    from replan.planners.registry import find_spec, planner

    if isinstance(planner_or_name, Planner):
        return planner_or_name
    if not isinstance(planner_or_name, str):
        raise InputError(f"{role} is a planner or the name of one, not {planner_or_name!r}")
    spec, defaults = find_spec(planner_or_name), {**SEARCH_OPTIONS, **LOCAL_OPTIONS}
    shared_names = (
        name for name in ("queue", "prefer", "ties", "seed", "heuristic", "check_heuristic", "on_cost_decrease")
    )
    part_options = {
        n: options[n] for n in shared_names if n in options and n in spec.options and options[n] is not defaults[n]
    }
    return set_detect_unreachable(planner(planner_or_name, **part_options), {})  # RTD* itself detects that


def _make_local(options: dict[str, Any]) -> Planner:
    """Make the local planner. Raise InputError unless it is a real-time planner."""
    planner = _make_part("local", options["local"], options)
    spec = getattr(planner, "spec", None)  # not set yet by a class that has left out Planner.__init__
    if isinstance(planner, RTDStar) or (spec is not None and (spec.may_wait or not spec.is_realtime)):
        raise InputError(f"local is a real-time planner such as 'LSS-LRTA*' or 'daRTAA*', not {planner!r}")
    return planner


def _make_global(options: dict[str, Any]) -> IncrementalPlanner:
    """Make the global planner. Raise InputError unless it is D* Lite, D* Extra Lite or AD*."""
    planner = _make_part("global_", options["global_"], options)
    if not isinstance(planner, (DStarLite, AnytimeDStar)):
        raise InputError(f"global_ is 'D* Lite', 'D* Extra Lite' or 'AD*', not {options['global_']!r}")
    return planner


PLANNERS = (
    PlannerSpec(
        "RTD*",
        "rtd",
        RTD_2010,
        "D* Lite or AD* in time slices; until it reaches the agent, a real-time search with its share of the limit",
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
        "D* Lite or AD* in time slices; until it reaches the agent, the agent waits",
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
        "D* Lite completed at every time step, however long that takes",
        {**without_options(DSTAR_OPTIONS, "replan_when"), "when_unreachable": "wait"},
        _non_rtd,
        family="time-sliced",
        sort_order=620,
        explanation=NON_RTD,
    ),
)
