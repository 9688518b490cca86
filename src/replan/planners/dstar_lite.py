"""D* Lite, D* Extra Lite and AD*: incremental searches, backward from the goal.

Line numbers {01} to {35} are those of Figure 3 of Likhachev and Koenig, AIIDE 2006 (buckets 2006): `prefer="smaller g"`
is that figure, `prefer="larger g"` has the triple keys of that paper, and `queue="buckets"` its scalar keys plus k_m.
`search/incremental.py` has the search itself (lines {01} to {20}); the planners here are lines {21} to {35}.

- `replan_when="blocked"`: observed changes wait until a step of the path costs more, as RTAA* 2006 counts its
  episodes. Costs that fell never wait.
- `replan_when="changed"`: every change starts an episode, as in line {29}.

Both follow cheapest presumed paths.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, with_capacity
from replan.budget import Budget
from replan.clock import deadline_in, now_ns
from replan.errors import InputError
from replan.extensions import check_base_initialized, checked_integer
from replan.limits import COMPLETE, LARGEST_H_WEIGHT, UNREACHABLE
from replan.log import EventLog
from replan.planners.base import Planner
from replan.planners.factories import (
    ANYTIME_OPTIONS,
    DSTAR_OPTIONS,
    incremental_factory,
    open_list_from_options,
    set_budget,
    to_tenths,
    without_options,
)
from replan.planners.options import tenths_option
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claim_queue
from replan.search.dstar_extra_lite import DStarExtraLiteSearch
from replan.search.incremental import Incremental, raise_cyclic_path
from replan.serialization import Archive
from replan.spaces.goals import Goals
from replan.spaces.heuristics import check_consistent, make_heuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF, ON_PATH, ints, longs, prefetch_node

REPLAN_WHEN = ("blocked", "changed")


class IncrementalPlanner(Planner):
    """Base class of D* Lite, AD* and their relatives: an incremental search and a list of pending cost changes."""

    search: Incremental
    open: OpenList

    def _init_incremental(self, open: OpenList, heuristic: Any, replan_when: str, check_heuristic: bool) -> None:
        """Initialize the fields that all incremental planners have."""
        Planner.__init__(self)
        if replan_when not in REPLAN_WHEN:
            raise InputError(f"replan_when is one of {', '.join(map(repr, REPLAN_WHEN))}, not {replan_when!r}")
        self.open, self.user_heuristic, self.checks_h = claim_queue(open), heuristic, check_heuristic
        self.replans_on_every_change = replan_when == "changed"
        self.pending_states, self.pending_count, self.is_started, self.marked_length = empty(64, np.int32), 0, False, -1
        self.earlier_percolations = 0  # of searches for earlier goals

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        self.search.keys.check_heuristic()
        self.search.expansions = self.search.key_updates = 0
        self.search.begin_trip()
        self.change_goals(goals)

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        n = self.space.n
        self.is_started = archive.boolean("is_started", self.is_started)
        self.earlier_percolations = archive.integer("earlier_percolations", self.earlier_percolations, 0)
        if not self.is_started:
            return
        pending = archive.integers("pending_states", self.pending_states[: self.pending_count], -n, n - 1)
        has_path = archive.boolean("marked_length", self.marked_length >= 0)
        if archive.is_loading:
            self.pending_states, self.pending_count = with_capacity(pending, 64, np.int32), len(pending)
            self.marked_length = self.planned_path.length if has_path else -1
        archive.require(
            self.marked_length in (-1, self.planned_path.length), "its path is not the one that its search has marked"
        )
        if archive.is_loading:
            self.search.attach(self.space, self.search_roots(), 0)

    def serialize_tables(self, archive: Archive) -> None:
        if not self.is_started:
            return
        Planner.serialize_tables(self, archive)
        if archive.is_loading:
            self.search.path_index = self.planned_path.index
            for i in range(self.marked_length + 1):
                s = self.planned_path.states[i]
                archive.require(self.search.is_generated(s), "its path leads through a state that was not generated")
                self.mark_on_path(s, i)

    def search_roots(self) -> Goals:
        """Hook: return the roots of the search."""
        return self.goals

    def log_to(self, log: EventLog, is_logging: bool) -> int:
        self.search.log, self.search.is_watched = log, is_logging
        return Planner.log_to(self, log, is_logging)

    def change_goals(self, goals: Goals) -> None:
        """Start the search again: the goal is its root."""
        self.is_started, self.pending_count = False, 0

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        """List the tails of changed steps: state s as s if costs rose, as -1 - s if they fell.

        A rise of a state that no search has generated is left out: it changes no rhs.
        """
        if not self.is_started:
            return 0
        if self.pending_count + count > len(self.pending_states):
            with cython.gil:
                self.pending_states = grown(self.pending_states, 2 * (self.pending_count + count))
        for i in range(count):
            s = changed_states[i]
            if not costs_increased or self.search.is_generated(s):
                self.pending_states[self.pending_count] = s if costs_increased else -1 - s
                self.pending_count += 1
        return 0

    def update_search(self, agent_state: int) -> int:
        """Apply the agent's move and all pending changes to the search, and measure the time of the changes."""
        if self.pending_count == 0:
            return self.apply_changes(agent_state)
        start_ns = now_ns()
        self.changed_state_count += self.pending_count
        self.apply_changes(agent_state)
        self.apply_changes_ns += now_ns() - start_ns
        return 0

    def apply_changes(self, agent_state: int) -> int:
        """Apply the agent's move and all pending changes to the search."""
        if not self.is_started:
            with cython.gil:
                self.check_start_heuristic(agent_state)
                self.search.begin(self.space, self.goals, agent_state)  # {21} to {22}
                self.search.path_index = self.planned_path.index
            self.on_search_started()
        self.search.move_target(agent_state)  # {30} to {31}
        return self.apply_pending()

    def on_search_started(self) -> int:
        """Mark the search as started."""
        # the queue of a search that starts again counts percolations from 0
        self.is_started, self.marked_length, self.earlier_percolations = True, -1, self.percolations
        if self.is_logging:
            self.log.is_incomplete = True
        return 0

    def apply_pending(self) -> int:
        """Update rhs at the tails of all changed steps (lines {32} to {34}).

        The space has the new costs already (line {33}). A rise changes rhs(u) only if it concerns the step to next(u).
        """
        for i in range(self.pending_count):  # {32}
            s = self.pending_states[i]
            if s >= 0:
                self.search.on_cost_increase(s)  # {34}
            else:
                self.search.on_cost_change(-1 - s)  # {34}
        self.search.flush()
        self.pending_count = 0
        return 0

    def check_start_heuristic(self, agent_state: int) -> int:
        """If `check_heuristic` is set, raise InputError unless h is consistent for the state of the agent."""
        if self.checks_h and self.user_heuristic is not None:
            heuristic = make_heuristic(self.user_heuristic, self.space, self.goals, agent_state)
            check_consistent(heuristic, self.space, Goals([agent_state], self.space.n), backward=True)
        return 0

    def extract_path(self, agent_state: int) -> int:
        """Set the path: from the agent along `next` (lines {26} and {27}) to the goal.

        Where the path meets the last one and that is still valid from there, its states are kept.
        """
        node, index = self.search.node, ints(self.planned_path.index)
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        k, s, v, join = 0, -1, agent_state, -1  # join: the index where the path meets the valid rest of the last one
        row = self.space.row_stride
        while v >= 0 and join < 0:  # a goal has no next
            s = v
            prefetch_node(node, s + row)  # only for speed: next(s) is probably one of these two
            prefetch_node(node, s - row)
            if node[s].stamp & ON_PATH != 0 and index[s] < self.search.lowest_changed_index:
                join = index[s]
            else:
                v = node[s].next
                k += 1
                if k > self.search.n:
                    with cython.gil:
                        raise_cyclic_path()
        for i in range(join + 1, self.marked_length + 1):
            s_old = states[i]
            node[s_old].stamp = node[s_old].stamp - ON_PATH
        if join < 0:  # the path shares nothing with the last one
            k -= 1
            join = 0
            self.mark_on_path(s, 0)
        self.planned_path.length = self.marked_length = join + k
        self.search.lowest_changed_index = self.marked_length + 1
        s = agent_state
        for i in range(join + k, join, -1):
            v = node[s].next
            step_costs[i] = node[s].rhs - node[v].g
            self.mark_on_path(s, i)
            s = v
        return 0

    def mark_on_path(self, s: int, i: int) -> int:
        """Store s at position i of the path, and mark it in the search."""
        node = self.search.node
        node[s].stamp = node[s].stamp + ON_PATH
        self.planned_path.states[i] = s
        self.planned_path.index[s] = i
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Run ComputeShortestPath within the limits, and count. Return 1 if rhs(s_start) is final."""
        expansions, key_updates = self.search.expansions, self.search.key_updates
        is_done = self.search.advance(limit, deadline)
        self.expansions += self.search.expansions - expansions
        self.key_updates += self.search.key_updates - key_updates
        self.percolations = self.earlier_percolations + self.open.percolations
        return is_done

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        """Search without limits until the path is known ({23} and {35})."""
        self.update_search(agent_state)
        self.continue_search(INF, 0)
        if self.search.node[self.search.target].rhs >= INF:
            return UNREACHABLE
        self.extract_path(agent_state)
        return COMPLETE

    def run_slice(self, agent_state: int, limit: int, deadline: int) -> int:
        """Run a step of RTD*. Return 1 if rhs(agent_state) is final; if it is finite, `next` leads to the goal."""
        self.update_search(agent_state)
        return self.continue_search(limit, deadline)

    def advance(self, state: int, budget: Budget) -> bool:
        """Apply pending changes and continue the search within a budget. Return True if it is complete for `state`."""
        self.begin_search()
        is_complete, is_done = False, 0
        try:
            self.update_search(self.space.checked_state(state))
            is_done = self.continue_search(budget.expansions, deadline_in(budget.nanoseconds))
            is_complete = True
        finally:
            self.end_search(is_complete)
        return is_done != 0

    def _snapshot_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return {**self._table_arrays(), "h": self.search.h_values()}


class DStarLite(IncrementalPlanner):
    """D* Lite (Koenig, Likhachev 2002): backward search from the goal, repaired where costs have changed."""

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan_when: str = "blocked", check_heuristic: bool = False
    ) -> None:
        self._init_incremental(open, heuristic, replan_when, check_heuristic)
        self.runs_to_completion = True
        self.search = self.add_table(self.make_engine())

    def make_engine(self) -> Incremental:
        """Hook: make the search."""
        return Incremental(self.open, self.user_heuristic)

    def constructor_args(self) -> tuple[Any, ...]:
        return (
            DStarLite,
            self.open.constructor_args(),
            self.user_heuristic,
            REPLAN_WHEN[self.replans_on_every_change],
            self.checks_h,
        )


class DStarExtraLite(DStarLite):
    """D* Extra Lite (Przybylski, Putz, AMCS 27(2), 2017): D* Lite that cuts off what costs more.

    Where a step of the search tree costs more, the branch beyond it is cut off at once, and the tree grows into the gap
    from the states around it (`search/dstar_extra_lite.py`). Paths are cheapest presumed ones.

    Differs from the paper where that gives wrong plans:

    - A search ends when no key in the queue is below the key of the agent's state, wherever the agent stands. (The
      printed test returns old values for an agent that was displaced.)
    - A cheaper step counts also if its tail was never visited. (In the paper blocked cells are visited; here they are
      no neighbours.)
    - Costs of steps between unvisited states are updated, too.
    - Ties may be broken either way: smaller g is not needed.
    - Branches are cut with a stack, not by recursion.
    """

    def constructor_args(self) -> tuple[Any, ...]:
        return DStarExtraLite, *DStarLite.constructor_args(self)[1:]

    def make_engine(self) -> Incremental:
        return DStarExtraLiteSearch(self.open, self.user_heuristic)


class AnytimeDStar(IncrementalPlanner):
    """AD*: D* Lite with a weight epsilon on h that falls while there is time and rises when costs change.

    (Likhachev, Ferguson, Gordon, Stentz, Thrun: Anytime Dynamic A*, ICAPS 2005, functions Main, ComputeorImprovePath
    and UpdateState. Comments use its symbols epsilon, OPEN, CLOSED and INCONS; there are no line numbers.)

    An episode finishes a search with the current weight, whatever that takes. Then it lowers the weight by
    `weight_decrease` and searches again, down to weight 1, as long as the budget lasts. When changed costs have made
    the path more expensive, or the last search was not finished, the weight first rises by `weight_increase`. The path
    costs at most `bound` times the cheapest. Weights are in tenths.
    """

    def __init__(
        self,
        open: OpenList,
        heuristic: Any = None,
        replan_when: str = "blocked",
        check_heuristic: bool = False,
        first_weight: int = 30,
        weight_decrease: int = 5,
        weight_increase: int = 1,
    ) -> None:
        self._init_incremental(open, heuristic, replan_when, check_heuristic)
        self.search = self.add_table(Incremental(self.open, heuristic, is_anytime=True))
        self.first_weight = checked_integer("weight", first_weight, 10, LARGEST_H_WEIGHT)
        self.weight_decrease = checked_integer("weight_decrease", weight_decrease, 1, LARGEST_H_WEIGHT)
        self.weight_increase = checked_integer("weight_increase", weight_increase, 0, LARGEST_H_WEIGHT)
        self.cost, self.is_complete, self.bound_tenths = INF, True, first_weight  # cost: rhs(s_start)
        self.is_path_known, self.last_state, self.expected_state = False, -1, -1

    def change_goals(self, goals: Goals) -> None:
        IncrementalPlanner.change_goals(self, goals)
        self.cost, self.is_complete, self.is_path_known, self.bound_tenths = INF, True, False, self.first_weight

    def constructor_args(self) -> tuple[Any, ...]:
        weights = [self.first_weight, self.weight_decrease, self.weight_increase]
        return (
            AnytimeDStar,
            self.open.constructor_args(),
            self.user_heuristic,
            REPLAN_WHEN[self.replans_on_every_change],
            self.checks_h,
            *weights,
        )

    def serialize_trip(self, archive: Archive) -> None:
        IncrementalPlanner.serialize_trip(self, archive)
        self.cost = archive.integer("cost", self.cost, 0, INF)
        self.bound_tenths = archive.integer("bound_tenths", self.bound_tenths, 1)
        self.is_complete = archive.boolean("is_complete", self.is_complete)
        self.is_path_known = archive.boolean("is_path_known", self.is_path_known)
        self.last_state = archive.integer("last_state", self.last_state, -1)
        self.expected_state = archive.integer("expected_state", self.expected_state, -1)

    @property
    def bound(self) -> float:
        """Factor of the cheapest cost that the path of the last episode keeps; the first weight before any episode."""
        return self.bound_tenths / 10.0

    def apply_changes(self, agent_state: int) -> int:
        """Apply the agent's move and pending changes; after changes of costs begin a new iteration."""
        has_changes = self.pending_count > 0
        if not self.is_started:
            with cython.gil:
                self.search.keys.set_inflation(self.first_weight)
        elif has_changes:
            self.begin_iteration(self.search.keys.inflation)  # CLOSED := empty: a closed state may be queued again
        self.search.path_cost_rose = False
        IncrementalPlanner.apply_changes(self, agent_state)
        if has_changes:
            must_raise_weight = self.search.path_cost_rose or not self.is_complete
            self.begin_iteration(
                min(self.first_weight, self.search.keys.inflation + self.weight_increase)
                if must_raise_weight
                else self.search.keys.inflation
            )
            self.is_path_known = False
        return 0

    def begin_iteration(self, weight: int) -> int:
        """Begin an iteration: OPEN := OPEN + INCONS, all keys with this weight, CLOSED := empty."""
        if self.is_logging:  # the log does not tell that states of INCONS are queued
            self.log.is_incomplete = True
        with cython.gil:
            return self.search.begin_iteration(weight)

    def advance(self, state: int, budget: Budget) -> bool:
        """Continue the search with the current weight. Return True if a path within `bound` is known for `state`."""
        self.is_complete = IncrementalPlanner.advance(self, state, budget)
        if self.is_complete:
            self.bound_tenths, self.cost = self.search.keys.inflation, self.search.node[self.search.target].rhs
        return self.is_complete

    def run_slice(self, agent_state: int, limit: int, deadline: int) -> int:
        """Run a step of RTD*. A path that was found stays valid until costs change or the agent leaves it.

        An unfinished search with a smaller weight does not invalidate it.
        """
        self.update_search(agent_state)
        if agent_state != self.last_state and agent_state != self.expected_state:
            self.is_path_known = False
        self.improve_path(agent_state, limit, limit, deadline)
        self.last_state, self.expected_state = agent_state, self.search.node[agent_state].next
        return self.is_path_known

    def improve_path(self, agent_state: int, first_limit: int, limit: int, deadline: int) -> int:
        """ComputeorImprovePath within `first_limit` turns; then with smaller weights within `limit`."""
        limit_left = limit
        turns_before = self.expansions + self.key_updates
        self.is_complete = self.continue_search(first_limit, deadline if first_limit < INF else 0) != 0
        while self.is_complete:
            self.is_path_known = True
            self.bound_tenths = self.search.keys.inflation
            if limit < INF:
                limit_left = limit - (self.expansions + self.key_updates - turns_before)
            is_out_of_budget = limit_left <= 0 or (deadline > 0 and now_ns() >= deadline)
            if self.search.keys.inflation <= 10 or self.search.node[agent_state].rhs >= INF or is_out_of_budget:
                break
            self.begin_iteration(max(10, self.search.keys.inflation - self.weight_decrease))  # Main: decrease epsilon
            self.is_complete = self.continue_search(limit_left, deadline) != 0
        self.cost = self.search.node[agent_state].rhs
        return 0

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        self.update_search(agent_state)
        self.improve_path(agent_state, INF, limit, deadline)
        if self.cost >= INF:
            return UNREACHABLE
        self.extract_path(agent_state)
        return COMPLETE


# Declarations for the registry.

OPTIONS = (
    tenths_option("weight_increase", "The increase of the weight when changed costs make the path more expensive.", 0),
)

LITE = """
Search backward, from the goal to the agent, and keep all g-values. Each state also has rhs: the value that g should
have, by the g-values of its successors. Where the two differ the state is inconsistent. The queue holds exactly the
inconsistent states, and those that matter for the agent's path come first. The root is the goal, so the tree stays
valid while the agent moves: the number k_m corrects old priorities.

Guarantees:

- Cheapest presumed paths, those of Repeated Forward A*, ties aside; arrival, and a report when no path exists.
- A state is expanded at most twice a search: once when its g rises, once when it falls.
- Only states that have changed, or whose cost to the goal has changed, are expanded.

Limits:

- A search has no bound in time: a change near the goal can affect most of the tree. RTD* bounds it.
- When the goal moves the search starts again: Moving-Target D* Lite keeps it.
- g, rhs and the queue are as large as the map. On open terrain, where little has to be repaired, A* is often as
  fast.
- h must be defined between any two states: an array for one goal is refused.

Parts:

- planners.dstar_lite.IncrementalPlanner.run_episode
- planners.dstar_lite.IncrementalPlanner.apply_pending
- search.incremental.Incremental.recompute_rhs
- search.incremental.Incremental.update_queue
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower_g
- search.incremental.Incremental.raise_g
"""

EXTRA_LITE = """
D* Lite raises the g-values of an invalid branch state by state, through the queue. D* Extra Lite cuts the branch off
at once, as if it had never been visited, and queues the states around the gap, so that the tree grows into it again.

Guarantees:

- Cheapest presumed paths; arrival, and a report when no path exists.
- No state is expanded only to raise its g.

Limits:

- A cut takes time in proportion to the branch, before the search begins. No bound in time holds.
- When the goal moves the search starts again.

Parts:

- planners.dstar_lite.IncrementalPlanner.run_episode
- search.dstar_extra_lite.DStarExtraLiteSearch.on_cost_change
- search.dstar_extra_lite.DStarExtraLiteSearch.cut_branch
- search.dstar_extra_lite.DStarExtraLiteSearch.seed_neighbours
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower_g
"""

ANYTIME = """
D* Lite and ARA* in one. An inflated h finds a path soon, and the weight falls while there is time. When costs change
the search is repaired, with a larger weight if the path has become more expensive.

Guarantees:

- The path costs at most `planner.bound` times the cheapest presumed one. With enough time the bound falls to 1.
- Arrival, and a report when no path exists.

Limits:

- A search with the current weight is finished whatever it takes: the budget decides how much better the path
  becomes. Inside RTD* each step is bounded.
- When the weight changes all keys of the queue are computed again, in time proportional to its length.

Parts:

- planners.dstar_lite.AnytimeDStar.run_episode
- planners.dstar_lite.AnytimeDStar.apply_changes
- planners.dstar_lite.AnytimeDStar.improve_path
- search.incremental.Incremental.begin_iteration
- search.incremental.Incremental.advance
"""

PSEUDO_CODE = """
## IncrementalPlanner.run_episode

    {21, 30-31} agent moved: k_m := k_m + h(s_last, s_start);
            s_last := s_start
    {29-34} apply the changed costs
    {35}    ComputeShortestPath()
    {25}    rhs(s_start) is infinite? no path
    {26-27} path := follow `next` from s_start to s_goal

## IncrementalPlanner.apply_pending

    {32} for each state u with a changed step:
    {34}     costs rose, and not the step to next(u):
                 rhs(u) stays
             otherwise: UpdateVertex(u)

## AnytimeDStar.run_episode

    apply the agent's move and the changed costs
    ComputeorImprovePath with epsilon, whatever it takes,
    then with smaller weights while the budget lasts
    rhs(s_start) is infinite? no path
    path := follow `next` from s_start to s_goal

## AnytimeDStar.apply_changes

    costs have changed: CLOSED := empty, OPEN += INCONS
    apply the agent's move; UpdateState(u) for changed u
    path costs more, or the last search was interrupted:
        epsilon := epsilon + `weight_increase`
    costs have changed: compute all keys of OPEN again

## AnytimeDStar.improve_path

    ComputeorImprovePath with epsilon
    while it was finished, epsilon > 1
    and the budget lasts:
        bound := epsilon
        epsilon := epsilon - `weight_decrease`
        CLOSED := empty, OPEN += INCONS, keys again
        ComputeorImprovePath
"""


def _anytime(options: dict[str, Any]) -> Planner:
    weights = [to_tenths(options[name]) for name in ("weight", "weight_decrease", "weight_increase")]
    arguments = [options[name] for name in ("heuristic", "replan_when", "check_heuristic")]
    return set_budget(AnytimeDStar(open_list_from_options(options), *arguments, *weights), options)


PLANNERS = (
    PlannerSpec(
        "D* Lite",
        "d-star-lite",
        "Koenig, Likhachev 2002; Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006",
        "backward search from the goal, repaired where costs have changed",
        DSTAR_OPTIONS,
        incremental_factory(DStarLite),
        family="incremental",
        sort_order=300,
        explanation=LITE,
    ),
    PlannerSpec(
        "D* Extra Lite",
        "d-star-extra-lite",
        "Przybylski, Putz: D* Extra Lite: A Dynamic A* with Search-Tree Cutting and Frontier-Gap Repairing, AMCS 2017",
        "D* Lite; a branch whose step costs more is cut off, and the tree grows into the gap again",
        DSTAR_OPTIONS,
        incremental_factory(DStarExtraLite),
        family="incremental",
        sort_order=310,
        explanation=EXTRA_LITE,
    ),
    PlannerSpec(
        "AD*",
        "ad",
        "Likhachev, Ferguson, Gordon, Stentz, Thrun: Anytime Dynamic A*, ICAPS 2005",
        "D* Lite with an inflated h whose weight falls while the budget lasts and rises when costs have changed",
        {**without_options(DSTAR_OPTIONS, "prefer"), **ANYTIME_OPTIONS, "weight_increase": 0.1},
        _anytime,
        is_optimal=False,
        bound_option="weight",
        family="incremental",
        sort_order=350,
        explanation=ANYTIME,
    ),
)
