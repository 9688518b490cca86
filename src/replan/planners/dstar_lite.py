"""D* Lite, three ways (buckets 2006; Koenig and Likhachev 2002).

prefer="smaller g" is Figure 3 of buckets 2006, prefer="larger g" its triple keys, queue="buckets" its scalar keys, with
k_m. The engine, its keys and its optimisations are in `search/incremental.py`.

replan_when="blocked": what was seen waits until a step of the path has become dearer, as RTAA* 2006 counts its episodes;
costs that fell never wait. replan_when="changed": every change starts a new episode (Figure 3). Both follow cheapest
presumed paths.
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
    """What D* Lite and AD* have in common: an engine, and changes that wait to be taken in."""

    search: Incremental
    open: OpenList

    def _init_incremental(self, open: OpenList, heuristic: Any, replan_when: str, check_heuristic: bool) -> None:
        Planner.__init__(self)
        if replan_when not in REPLAN_WHEN:
            raise InputError(f"replan_when is one of {', '.join(map(repr, REPLAN_WHEN))}, not {replan_when!r}")
        self.open, self.user_heuristic, self.checks_h = claim_queue(open), heuristic, check_heuristic
        self.replans_on_every_change = replan_when == "changed"
        self.pending_states, self.pending_count, self.is_started, self.marked_length = empty(64, np.int32), 0, False, -1
        self.earlier_percolations = 0  # percolations of searches for other goals

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        self.search.keys.check_heuristic()
        self.search.expansions = self.search.key_updates = 0
        self.search.begin_trip()
        self.change_goals(goals)

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        n = self.space.n
        self.is_started = archive.boolean("started", self.is_started)
        self.earlier_percolations = archive.integer("earlier", self.earlier_percolations, 0)
        if not self.is_started:
            return
        pending = archive.integers("pending", self.pending_states[: self.pending_count], -n, n - 1)
        laid = archive.boolean("laid", self.marked_length >= 0)
        if archive.is_loading:
            self.pending_states, self.pending_count = with_capacity(pending, 64, np.int32), len(pending)
            self.marked_length = self.planned_path.length if laid else -1
        archive.require(self.marked_length in (-1, self.planned_path.length), "its path is not the one that it laid")
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
                archive.require(self.search.is_generated(s), "its path leads through a state that was not met")
                self.mark_on_path(s, i)

    def search_roots(self) -> Goals:
        """Hook: where the search begins."""
        return self.goals

    def log_to(self, log: EventLog, is_logging: bool) -> int:
        self.search.log, self.search.is_watched = log, is_logging
        return Planner.log_to(self, log, is_logging)

    def change_goals(self, goals: Goals) -> None:
        """The goal is the root of the search: start again."""
        self.is_started, self.pending_count = False, 0

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        """Remember that steps out of these cost something else now: of s as s if they rose, as -1 - s if they fell.

        A rise does not concern a state that no search has met.
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
        """Bring the search up to date: where the agent is, and all changes so far. What these cost is told apart."""
        if self.pending_count == 0:
            return self.apply_changes(agent_state)
        start = now_ns()
        self.changed_state_count += self.pending_count
        self.apply_changes(agent_state)
        self.apply_changes_ns += now_ns() - start
        return 0

    def apply_changes(self, agent_state: int) -> int:
        if not self.is_started:
            with cython.gil:
                self.check_start_heuristic(agent_state)
                self.search.begin(self.space, self.goals, agent_state)
                self.search.path_index = self.planned_path.index
            self.on_search_started()
        self.search.move_target(agent_state)
        return self.apply_pending()

    def on_search_started(self) -> int:
        # a search that starts again, for another goal, begins to count again: its queue does
        self.is_started, self.marked_length, self.earlier_percolations = True, -1, self.percolations
        if self.is_logging:
            self.log.is_incomplete = True
        return 0

    def apply_pending(self) -> int:
        for i in range(self.pending_count):
            s = self.pending_states[i]
            if s >= 0:
                self.search.on_cost_increase(s)
            else:
                self.search.on_cost_change(-1 - s)
        self.search.flush()
        self.pending_count = 0
        return 0

    def check_start_heuristic(self, agent_state: int) -> int:
        """check=True: h estimates the way from the agent, so it is checked from where the agent first stands."""
        if self.checks_h and self.user_heuristic is not None:
            heuristic = make_heuristic(self.user_heuristic, self.space, self.goals, agent_state)
            check_consistent(heuristic, self.space, Goals([agent_state], self.space.n), backward=True)
        return 0

    def extract_path(self, agent_state: int) -> int:
        """Set the path: from the agent along `next` to the goal, or to where the last path still leads there."""
        node, index = self.search.node, ints(self.planned_path.index)
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        k, s, v, join = 0, -1, agent_state, -1
        row = self.space.row_stride
        while v >= 0 and join < 0:  # a goal has no next
            s = v
            prefetch_node(node, s + row)  # one of its neighbours is the next
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
        if join < 0:  # the goal is the end of a path of its own
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
        node = self.search.node
        node[s].stamp = node[s].stamp + ON_PATH
        self.planned_path.states[i] = s
        self.planned_path.index[s] = i
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Search within the limits, and count. 1: the way from the agent is known, or known not to exist."""
        expansions, refreshes = self.search.expansions, self.search.key_updates
        done = self.search.advance(limit, deadline)
        self.expansions += self.search.expansions - expansions
        self.key_updates += self.search.key_updates - refreshes
        self.percolations = self.earlier_percolations + self.open.percolations
        return done

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        """Search until the way is known, whatever that takes."""
        self.update_search(agent_state)
        self.continue_search(INF, 0)
        if self.search.node[self.search.target].rhs >= INF:
            return UNREACHABLE
        self.extract_path(agent_state)
        return COMPLETE

    def run_slice(self, agent_state: int, limit: int, deadline: int) -> int:
        """A step of RTD*: 1 when `search.next` leads from `at` to the goal, or no way is known to exist (rhs = INF)."""
        self.update_search(agent_state)
        return self.continue_search(limit, deadline)

    def advance(self, state: int, budget: Budget) -> bool:
        """Take in what has changed and search on within a budget: is the way from `state` known now?"""
        self.begin_search()
        whole, done = False, 0
        try:
            self.update_search(self.space.checked_state(state))
            done = self.continue_search(budget.expansions, deadline_in(budget.nanoseconds))
            whole = True
        finally:
            self.end_search(whole)
        return done != 0

    def _snapshot_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return {**self._table_arrays(), "h": self.search.h_values()}


class DStarLite(IncrementalPlanner):
    """Searches backward from the goal and repairs its last search when costs have changed."""

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan_when: str = "blocked", check_heuristic: bool = False
    ) -> None:
        self._init_incremental(open, heuristic, replan_when, check_heuristic)
        self.runs_to_completion = True
        self.search = self.add_table(self.make_engine())

    def make_engine(self) -> Incremental:
        """Hook: the search."""
        return Incremental(self.open, self.user_heuristic)

    def constructor_args(self) -> tuple[Any, ...]:
        return DStarLite, self.open.constructor_args(), self.user_heuristic, REPLAN_WHEN[self.replans_on_every_change], self.checks_h


class DStarExtraLite(DStarLite):
    """D* Extra Lite (Przybylski, Putz, AMCS 27(2), 2017): D* Lite that cuts off what has become dearer, at once.

    Where a step of the search tree has risen, the whole branch beyond it is cut off, and grown anew from the states
    around the gap (`search/dstar_extra_lite.py`). Paths are cheapest presumed ones.

    Differs from the paper where that gives wrong plans: a search ends when nothing in the queue comes before the key of
    the agent's state, wherever the agent was put (as printed, one that was carried away gets old values); a state that
    becomes cheaper without having been visited counts as well (printed for cells that are visited while blocked; here
    they are no neighbours); costs between states that were not visited are taken in, too. Ties may go either way:
    smaller g is not needed. Branches are cut with a list, not by recursion.
    """

    def constructor_args(self) -> tuple[Any, ...]:
        return DStarExtraLite, *DStarLite.constructor_args(self)[1:]

    def make_engine(self) -> Incremental:
        return DStarExtraLiteSearch(self.open, self.user_heuristic)


class AnytimeDStar(IncrementalPlanner):
    """AD*: D* Lite whose h is inflated by a weight that falls while there is time and rises when the terrain changes.

    An episode finishes a search with the current weight, whatever that takes, and then lowers the weight by `weight_decrease`
    and searches on, again and again, as long as the budget lasts, down to 1. When changed costs have left the path
    dearer, or the last search was not finished within its budget, the weight first rises by `weight_increase`. `bound`: the path
    costs at most so many times the cheapest. Weights are held in tenths.
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
        self.first_weight, self.weight_decrease = checked_integer("weight", first_weight, 10, LARGEST_H_WEIGHT), checked_integer("weight_decrease", weight_decrease, 1, LARGEST_H_WEIGHT)
        self.weight_increase = checked_integer("weight_increase", weight_increase, 0, LARGEST_H_WEIGHT)
        self.cost, self.is_complete, self.bound_tenths = INF, True, first_weight
        self.is_path_known, self.last_state, self.expected_state = False, -1, -1

    def change_goals(self, goals: Goals) -> None:
        IncrementalPlanner.change_goals(self, goals)
        self.cost, self.is_complete, self.is_path_known, self.bound_tenths = INF, True, False, self.first_weight

    def constructor_args(self) -> tuple[Any, ...]:
        weights = [self.first_weight, self.weight_decrease, self.weight_increase]
        return AnytimeDStar, self.open.constructor_args(), self.user_heuristic, REPLAN_WHEN[self.replans_on_every_change], self.checks_h, *weights

    def serialize_trip(self, archive: Archive) -> None:
        IncrementalPlanner.serialize_trip(self, archive)
        self.cost, self.bound_tenths = archive.integer("cost", self.cost, 0, INF), archive.integer("reported", self.bound_tenths, 1)
        self.is_complete, self.is_path_known = archive.boolean("complete", self.is_complete), archive.boolean("known", self.is_path_known)
        self.last_state, self.expected_state = archive.integer("stood", self.last_state, -1), archive.integer("expected", self.expected_state, -1)

    @property
    def bound(self) -> float:
        """The path of the last episode costs at most so many times the cheapest. Before the first: the first weight."""
        return self.bound_tenths / 10.0

    def apply_changes(self, agent_state: int) -> int:
        """Take in what has changed; a new iteration where costs did."""
        changes = self.pending_count > 0
        if not self.is_started:
            with cython.gil:
                self.search.keys.set_inflation(self.first_weight)
        elif changes:
            self.begin_iteration(self.search.keys.inflation)  # what was lowered before may be queued again
        self.search.path_cost_rose = False
        IncrementalPlanner.apply_changes(self, agent_state)
        if changes:
            dearer = self.search.path_cost_rose or not self.is_complete
            self.begin_iteration(min(self.first_weight, self.search.keys.inflation + self.weight_increase) if dearer else self.search.keys.inflation)
            self.is_path_known = False
        return 0

    def begin_iteration(self, weight: int) -> int:
        if self.is_logging:  # states that have waited elsewhere are queued
            self.log.is_incomplete = True
        with cython.gil:
            return self.search.begin_iteration(weight)

    def advance(self, state: int, budget: Budget) -> bool:
        """As for D* Lite, with the present weight: is a way known that costs at most `bound` times the cheapest?"""
        self.is_complete = IncrementalPlanner.advance(self, state, budget)
        if self.is_complete:
            self.bound_tenths, self.cost = self.search.keys.inflation, self.search.node[self.search.target].rhs
        return self.is_complete

    def run_slice(self, agent_state: int, limit: int, deadline: int) -> int:
        """As for D* Lite. A path that was found is good until costs change or the agent leaves it.

        A search with a smaller weight that is not finished yet does not spoil it: it only makes it cheaper.
        """
        self.update_search(agent_state)
        if agent_state != self.last_state and agent_state != self.expected_state:
            self.is_path_known = False
        self.improve_path(agent_state, limit, limit, deadline)
        self.last_state, self.expected_state = agent_state, self.search.node[agent_state].next
        return self.is_path_known

    def improve_path(self, agent_state: int, first: int, limit: int, deadline: int) -> int:
        """Search with the present weight, within `first` turns; then with smaller ones, as long as `limit` lasts."""
        left = limit
        before = self.expansions + self.key_updates
        self.is_complete = self.continue_search(first, deadline if first < INF else 0) != 0
        while self.is_complete:
            self.is_path_known = True
            self.bound_tenths = self.search.keys.inflation
            if limit < INF:
                left = limit - (self.expansions + self.key_updates - before)
            late = left <= 0 or (deadline > 0 and now_ns() >= deadline)
            if self.search.keys.inflation <= 10 or self.search.node[agent_state].rhs >= INF or late:
                break
            self.begin_iteration(max(10, self.search.keys.inflation - self.weight_decrease))
            self.is_complete = self.continue_search(left, deadline) != 0
        self.cost = self.search.node[agent_state].rhs
        return 0

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        self.update_search(agent_state)
        self.improve_path(agent_state, INF, limit, deadline)
        if self.cost >= INF:
            return UNREACHABLE
        self.extract_path(agent_state)
        return COMPLETE


# What the registry collects.

OPTIONS = (tenths_option("weight_increase", "By how much the weight rises when changed costs have made the path dearer.", 0),)

LITE = """
Search backwards, from the goal to the agent, and keep all g-values. Beside its g each state has rhs, what g ought
to be as its neighbours see it. Where the two differ something has to be mended, and only such states are in the
queue, those that matter for the agent's way first. Since the root is the goal, the tree stays useful while the
agent moves: a number, k_m, makes up for old priorities.

Guarantees:

- Cheapest presumed paths, those of Repeated A*, ties aside; arrival, and a report when there is no way.
- A state is expanded at most twice a search: once when its g rises, once when it falls.
- Only states that have changed, or whose cost to the goal has, are expanded.

Limits:

- A search has no bound in time: a change near the goal can touch most of the tree. RTD* bounds it.
- When the goal moves everything is thrown away: Moving-Target D* Lite keeps it.
- g, rhs and the queue are as large as the map. On open terrain, where little has to be repaired, plain A* is often
  as quick.
- h is needed between any two states: an array for one goal is refused.

Parts:

- planners.dstar_lite.IncrementalPlanner.episode
- planners.dstar_lite.IncrementalPlanner.take_changes
- search.incremental.Incremental.recompute_rhs
- search.incremental.Incremental.update_queue
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower_g
- search.incremental.Incremental.raise_g
"""

EXTRA_LITE = """
D* Lite raises the g of a spoilt branch state by state, through the queue. This one cuts the branch off at once, as
if it had never been met, and queues the states around the gap, so that the tree grows into it again.

Guarantees:

- Cheapest presumed paths; arrival, and a report when there is no way.
- No state is expanded only to be raised.

Limits:

- A cut takes time in proportion to the branch, before the search begins, and no bound in time holds.
- When the goal moves everything is thrown away.

Parts:

- planners.dstar_lite.IncrementalPlanner.episode
- search.dstar_extra_lite.DStarExtraLiteSearch.on_cost_change
- search.dstar_extra_lite.DStarExtraLiteSearch.cut_branch
- search.dstar_extra_lite.DStarExtraLiteSearch.seed_neighbours
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower_g
"""

ANYTIME = """
D* Lite and ARA* in one: an inflated h finds a path soon, the weight falls while there is time, and when costs
change the search is repaired, with a larger weight if the path has become dearer.

Guarantees:

- The path costs at most `planner.bound` times the cheapest presumed one; with time to spare the bound falls to 1.
- Arrival, and a report when there is no way.

Limits:

- A search with the present weight is finished whatever it takes: the budget decides how much better the path
  becomes. Inside RTD* each step is bounded.
- When the weight changes the queue is laid out anew, in time proportional to its length.

Parts:

- planners.dstar_lite.AnytimeDStar.episode
- planners.dstar_lite.AnytimeDStar.take_in
- planners.dstar_lite.AnytimeDStar.improve
- search.incremental.Incremental.begin_iteration
- search.incremental.Incremental.advance
"""

PSEUDO_CODE = """
## IncrementalPlanner.episode

    take in where the agent is: k_m grows by h(last, now)
    take in what has changed
    search until the agent's state is known
    rhs(agent) is infinite? no way
    path := follow `next` from the agent to the goal

## IncrementalPlanner.take_changes

    for each state with a step that costs something else:
        it rose, and `next` is another step: rhs stays
        otherwise: work out rhs again

## AnytimeDStar.episode

    take in where the agent is and what has changed
    search with the present weight, whatever it takes,
    then with smaller ones while the budget lasts
    rhs(agent) is infinite? no way
    path := follow `next` from the agent to the goal

## AnytimeDStar.take_in

    costs have changed: begin a new iteration
    take in where the agent is, and the changes
    the path has become dearer, or the last search was
    not finished: weight := weight + `weight_increase`

## AnytimeDStar.improve

    search with the present weight
    while that was finished, the weight is above 1
    and the budget lasts:
        bound := weight
        weight := weight - `weight_decrease`; new iteration
        search on
"""


def _anytime(options: dict[str, Any]) -> Planner:
    weights = [to_tenths(options[name]) for name in ("weight", "weight_decrease", "weight_increase")]
    given = [options[name] for name in ("heuristic", "replan_when", "check_heuristic")]
    return set_budget(AnytimeDStar(open_list_from_options(options), *given, *weights), options)


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
        "D* Lite; what costs more than before is cut off with all that came through it, and grown anew around the gap",
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
