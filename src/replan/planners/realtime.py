"""Real-time search with learning: look ahead a little, learn, move, again.

One episode (RTAA* 2006, Figure 1; depression avoidance 2011, Algorithms 2, 4 and 6) is: A* from the agent, bounded by
expansions or time (the lookahead); choose an open state; learn; move towards the chosen state. Line numbers {03} to
{12} are those of RTAA* 2006. A learning rule and a choosing rule make every planner of the family:

| learn \\ choose                | best f    | avoid raised states | least raised, then best f |
|-------------------------------|-----------|---------------------|---------------------------|
| by Dijkstra from the frontier | LSS-LRTA* | aLSS-LRTA*          | daLSS-LRTA*               |
| f(best) - g, in one pass      | RTAA*     | aRTAA*              | daRTAA*                   |

- Adaptive A* is RTAA* without a bound.
- wLSS-LRTA* and wdaLSS-LRTA* multiply step costs by `update_weight` when they learn (Rivera, Baier, Hernández, AIJ
  2015). h is then inconsistent, and A* expands a closed state again if it finds a cheaper path to it. Here the weight
  is a whole number, and an h larger than the weight times the cost of any path means: unreachable.
- TLA* (Korf's LRTA* with an A* lookahead) learns only the h of the agent's state and makes one move an episode. Its h
  does not stay consistent, so its A* uses pathmax.

If the open list runs empty no goal can be reached. With a small lookahead only h(agent) proves this, once it is larger
than the cost of any path; that may take millions of moves. `search/reachability.py` detects it earlier. An expensive
path is learned as slowly: each visit of a state raises its h by about the cost of the steps around it. An agent among
steps of cost 1 needs about 10^9 moves before it takes a step of cost 10^9. Planners whose search lasts (D* Lite, RTD*,
TBA*) do not, nor does a lookahead that contains all cheap states.
"""

from __future__ import annotations

import copy
from typing import Any

from replan.arrays import prefault
from replan.budget import Deadline
from replan.clock import now_ns
from replan.errors import InputError
from replan.extensions import check_base_initialized, checked_instance
from replan.limits import COMPLETE, EXPANDED, H_WAS_KEPT, INF, KEEP, PARTIAL, REPAIR, RESET, UNREACHABLE
from replan.log import EventLog
from replan.planners.base import Planner
from replan.planners.options import SHARED_OPTIONS
from replan.queues.base import OpenList, claim_queue
from replan.queues.user_queue import UserQueueAdapter
from replan.search.astar import Search
from replan.search.choosing import ChoosingRule
from replan.search.h_repair import HRepair
from replan.search.learning import FromFrontier, LearningRule
from replan.search.lookahead import Lookahead
from replan.search.named_rules import CHOOSING_RULES, LEARNING_RULES
from replan.search.path import raise_bound_exceeded
from replan.serialization import Archive
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import check_consistent, make_heuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.search.reachability import can_reach

UNMEASURED_FOLLOWUP_TIME = 16 * 600  # 1/16 ns an expansion: reserve for choosing and learning until it is measured
BUILT_IN_RULES = {rule.constructor for rule in (*LEARNING_RULES.values(), *CHOOSING_RULES.values())}
DECREASE_ACTIONS = {"keep": KEEP, "repair": REPAIR, "reset": RESET}


def check_not_array(heuristic: Any) -> None:
    """Raise InputError if the heuristic is an array, which is for one goal. Learned h-values need estimates for any."""
    if heuristic is not None and not callable(heuristic) and not isinstance(heuristic, str):
        raise InputError("a heuristic given as an array is for one goal: give a function to follow a moving one")


class RealTimePlanner(Planner):
    """Base class of real-time planners: h-values that last, and what happens to them when costs fall.

    `on_cost_decrease` is one of:

    - "keep": keep the h-values, as the papers do. They may then overestimate. If they exceed the cost of any path, they
      are reset.
    - "repair": make the h-values consistent again, in time that no lookahead bounds.
    - "reset": forget them.
    """

    on_cost_decrease: str
    open: OpenList
    lookahead_search: Lookahead
    is_shareable = True

    def _init_realtime(
        self,
        open: OpenList,
        pathmax: bool,
        heuristic: Any,
        check_heuristic: bool,
        on_cost_decrease: str,
        repair: HRepair,
    ) -> None:
        """Initialize the fields that all real-time planners have."""
        Planner.__init__(self)
        self.detects_unreachable = True
        if on_cost_decrease not in DECREASE_ACTIONS:
            raise InputError(
                f"on_cost_decrease is one of {', '.join(map(repr, DECREASE_ACTIONS))}, not {on_cost_decrease!r}"
            )
        self.open, self.pathmax, self.lookahead_search = claim_queue(open), pathmax, Lookahead(open)
        self.add_table(self.lookahead_search.search)
        self.user_heuristic = heuristic
        self.checks_h = check_heuristic
        self.on_cost_decrease = on_cost_decrease
        self.decrease_action = DECREASE_ACTIONS[on_cost_decrease]
        self.h_repair = checked_instance(HRepair, repair)
        self.has_pending_decreases = False
        self.kept_h_after_decrease = False
        self.may_be_inconsistent = pathmax  # True: h may be inconsistent although no cost has fallen
        self.may_overestimate = False  # True: h may overestimate although no cost has fallen; a large h proves nothing
        self.h_error_factor = 1  # h is at most this factor too large

    def can_be_shared(self) -> bool:
        """Tell whether a crowd can use this planner for all its characters. See `Planner.can_be_shared`.

        Returns
        -------
        bool
            False with `on_cost_decrease="repair"`: a repair needs the h-values of the whole map, and a character keeps
            few.
        """
        return self.decrease_action != REPAIR and Planner.can_be_shared(self)

    @property
    def lookahead(self) -> int | None:
        """Most expansions of an episode, None for no limit. It may be changed at any time."""
        return None if self.expansion_limit == INF else self.expansion_limit

    @lookahead.setter
    def lookahead(self, expansions: int | None) -> None:
        SHARED_OPTIONS["lookahead"].parse(expansions)
        self.expansion_limit = INF if expansions is None else expansions

    @property
    def deadline(self) -> float | None:
        """Most microseconds of an episode, None for no limit. It may be changed at any time."""
        return self.time_limit_ns / 1000.0 if self.time_limit_ns else None

    @deadline.setter
    def deadline(self, microseconds: float | None) -> None:
        SHARED_OPTIONS["deadline"].parse(microseconds)
        self.time_limit_ns = 0 if microseconds is None else Deadline(microseconds).nanoseconds

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        self.lookahead_search.attach(space)
        self.lookahead_search.search.pathmax = self.pathmax
        self.lookahead_search.search.max_h_factor = self.h_error_factor
        self.reset_h(goals)

    def make_heuristic(self, goals: Goals) -> Heuristic:
        """Make the heuristic for these goals. Raise InputError if it is checked and not consistent."""
        heuristic = make_heuristic(self.user_heuristic, self.space, goals)
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(heuristic, self.space, goals)
        return heuristic

    def check_goals(self, goals: Goals) -> None:
        check_not_array(self.user_heuristic)

    def change_goals(self, goals: Goals) -> None:
        """Search for other goals with the learned h-values, corrected so that they stay consistent."""
        if self.has_pending_decreases:
            self.apply_cost_decreases()
        self.mark_log_incomplete()
        self.lookahead_search.retarget(goals, self.make_heuristic(goals))

    def reset_h(self, goals: Goals) -> None:
        """Forget what was learned, and search for these goals."""
        self.mark_log_incomplete()
        self.lookahead_search.set_goals(goals, self.make_heuristic(goals))
        self.h_repair.reset()
        self.has_pending_decreases = self.kept_h_after_decrease = False
        self._reachability.failed_from = -1

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        self.update_reachability(changed_states, count, costs_increased)
        if not costs_increased:
            if self.decrease_action == KEEP:
                self.kept_h_after_decrease = True
            else:
                self.has_pending_decreases = True
            for i in range(count if self.decrease_action == REPAIR else 0):
                self.h_repair.add_decrease(changed_states[i])
        return 0

    def is_generated(self, s: int) -> bool:
        return self.lookahead_search.search.is_generated(s)

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        self.h_repair.serialize(archive.nested("repair"), self.space.n)
        self.has_pending_decreases = archive.boolean("has_pending_decreases", self.has_pending_decreases)
        self.kept_h_after_decrease = archive.boolean("kept_h_after_decrease", self.kept_h_after_decrease)

    def apply_cost_decreases(self) -> int:
        """Repair or forget the h-values, since costs have fallen."""
        self.has_pending_decreases = False
        self.mark_log_incomplete()
        if self.decrease_action == REPAIR:
            if self.may_be_inconsistent:
                self.h_repair.add_all_known(self.lookahead_search.search)
            self.h_repair.apply_decreases(self.space, self.goals, self.lookahead_search.search)
        else:
            with cython.gil:
                self.reset_h(self.goals)
        return 0

    # A crowd uses one planner for one character after the other. Each character keeps its own flags and h-values.

    def planner_flags(self) -> int:
        """Return what an episode may change beside h, for `set_planner_flags`."""
        return H_WAS_KEPT if self.kept_h_after_decrease else 0

    def set_planner_flags(self, flags: int) -> int:
        """Restore the flags of a character."""
        self.kept_h_after_decrease = flags & H_WAS_KEPT != 0
        self.has_pending_decreases = False
        self._reachability.failed_from = -1
        return 0

    def max_episode_expansions(self) -> int:
        """Return the most expansions of an episode, INF if unknown."""
        return self.expansion_limit

    def max_episode_distance(self) -> int:
        """Return the most steps between the first state of an episode and any state that it uses, INF if unknown."""
        return self.max_episode_expansions()

    def begin_character(self, first: int) -> int:
        """Prepare for an episode of another character, which uses no state below `first`."""
        self.planned_path.first_indexed = first
        self.open.set_first_state(first)
        return self.lookahead_search.search.begin_character(first)

    def log_to(self, log: EventLog, is_logging: bool) -> int:
        self.lookahead_search.search.log, self.lookahead_search.search.is_watched = log, is_logging
        return Planner.log_to(self, log, is_logging)

    def mark_log_incomplete(self) -> int:
        """Mark the log as incomplete: h-values have changed that it does not tell."""
        if self.is_logging:
            self.log.is_incomplete = True
        return 0

    def give_up(self, agent_state: int) -> int:
        """Handle an h above the cost of any path: no goal can be reached, or h overestimates and is reset."""
        if not self.kept_h_after_decrease:
            if not can_reach(self.space, self.goals, agent_state):
                return UNREACHABLE
            if not self.may_overestimate:
                self._raise_overestimate(agent_state)
        self.reset_h(self.goals)
        return PARTIAL

    def _raise_overestimate(self, agent_state: int) -> None:
        """Raise InputError: a goal can be reached, but h exceeds the cost of any path. Name the cause."""
        h = self.lookahead_search.search.node[agent_state].h // self.h_error_factor
        if self.user_heuristic is None:
            raise_bound_exceeded(self.space, h)
        raise InputError(
            f"the heuristic overestimates: h grew to {h} cost units at {self.space.key(agent_state)}, and no path "
            f"costs more than {self.space.max_path_cost}; check_heuristic=True says where it is not consistent"
        )


class RealTime(RealTimePlanner):
    """An A* lookahead, a learning rule and a choosing rule."""

    learning: LearningRule
    choosing: ChoosingRule

    def __init__(
        self,
        open: OpenList,
        learning: LearningRule,
        choosing: ChoosingRule,
        repair: HRepair,
        heuristic: Any = None,
        check_heuristic: bool = False,
        on_cost_decrease: str = "keep",
        pathmax: bool = False,
    ) -> None:
        self._init_realtime(open, pathmax, heuristic, check_heuristic, on_cost_decrease, repair)
        self.learning = checked_instance(LearningRule, learning)
        if isinstance(learning, FromFrontier):
            self.learning = copy.copy(learning)  # it has a queue, which another planner may be using
        self.choosing = checked_instance(ChoosingRule, choosing)
        self.may_be_inconsistent = not learning.consistent
        self.may_overestimate = not learning.admissible or isinstance(open, UserQueueAdapter)
        self.h_error_factor = self.h_repair.update_weight = (
            learning.update_weight if isinstance(learning, FromFrontier) else 1
        )
        self.lists_frontier = not (learning.skips_frontier and choosing.skips_frontier)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if self.has_pending_decreases:
            self.apply_cost_decreases()
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        if deadline > 0 and self.lookahead_search.search.followup_time == 0:
            self.lookahead_search.search.followup_time = UNMEASURED_FOLLOWUP_TIME
        has_open_states = self.lookahead_search.run_search(agent_state, limit, deadline)  # {03}
        if self.is_logging:
            self.log_expanded(self.lookahead_search.search)
        if has_open_states == 0:  # {04}
            self.expansions += self.lookahead_search.search.expanded
            self._reachability.failed_from = agent_state
            return UNREACHABLE  # {05}
        search_end_ns = now_ns() if deadline > 0 else 0
        if self.lists_frontier:
            self.lookahead_search.copy_frontier()
        best = self.choosing.choose_state(self.lookahead_search)  # s-bar of RTAA*; depression avoidance chooses another
        if not self.lookahead_search.is_open(best):
            with cython.gil:
                self._raise_not_open(best)
        self.h_increase += self.learn(self.lookahead_search.search)  # {06} to {07}
        self.extract_path(best, agent_state)  # for {09} to {12}
        self.expansions += self.lookahead_search.search.expanded
        self.percolations = self.open.percolations
        reaches_goal = self.goals.is_goal(self.planned_path.states[0])
        is_unreachable = not reaches_goal and self.proves_unreachable(
            agent_state, self.lookahead_search.search.expanded
        )
        if deadline > 0:
            self.measure_followup_time(search_end_ns)
        if reaches_goal or is_unreachable:
            return COMPLETE if reaches_goal else UNREACHABLE
        return (
            self.give_up(agent_state)
            if self.lookahead_search.search.node[agent_state].h > self.h_error_factor * self.space.max_path_cost
            else PARTIAL
        )

    def learn(self, search: Search) -> int:
        """Apply the learning rule. In a crowd, store the changed h-values of the present character."""
        if search.learned_h is None:
            return self.learning.update_h(self.lookahead_search)
        search.learned_h.record_h(search.node, search.closed, search.expanded)
        increase = self.learning.update_h(self.lookahead_search)
        search.learned_h.store_changed_h(search.node)
        return increase

    def max_episode_distance(self) -> int:
        has_built_in_rules = type(self.learning) in BUILT_IN_RULES and type(self.choosing) in BUILT_IN_RULES
        return self.max_episode_expansions() if has_built_in_rules else INF  # a user's rule may read any state

    def log_expanded(self, search: Search) -> int:
        """Log the expanded states, each with its h before learning."""
        for i in range(search.expanded):
            s = search.closed[i]
            self.log.add(s, EXPANDED, search.node[s].h)
        return 0

    def extract_path(self, best: int, agent_state: int) -> int:
        """Hook: set the path to the chosen state, or beyond."""
        return self.planned_path.extract(self.space, self.lookahead_search.search, best, agent_state, 0)

    def constructor_args(self) -> tuple[Any, ...]:
        rules = (self.open.constructor_args(), self.learning, self.choosing, self.h_repair)
        return RealTime, *rules, self.user_heuristic, self.checks_h, self.on_cost_decrease, self.pathmax

    def prefault(self) -> None:
        RealTimePlanner.prefault(self)
        prefault(self.lookahead_search.frontier_states)
        self.learning.prefault(self.lookahead_search)

    def _raise_not_open(self, state: int) -> None:
        """Raise ValueError: the choosing rule returned a state that is not open."""
        # a method of its own: with a Python object in it, `run_episode` would take Python's lock (GIL) every time
        rule = type(self.choosing).__name__
        raise ValueError(f"{rule}.choose() returned {state}, which is not in the open list")

    def measure_followup_time(self, search_end_ns: int) -> int:
        """Measure the time of choosing and learning since search_end_ns. The next search ends so much earlier."""
        last = (
            self.lookahead_search.search.followup_time
            if self.lookahead_search.search.followup_time != UNMEASURED_FOLLOWUP_TIME
            else 0
        )
        measured = ((now_ns() - search_end_ns) * 18) // max(
            1, self.lookahead_search.search.expanded
        )  # and an eighth more, to be safe
        if last > 0:
            measured = min(measured, 2 * last)  # ignore most of an interruption by other processes
        # follow increases at once and decreases slowly
        self.lookahead_search.search.followup_time = max(measured, (15 * last + measured) >> 4)
        return 0


PSEUDO_CODE = """
## RealTime.run_episode

    costs have fallen? repair or forget h
    lookahead: A* from the agent, within the budget
    OPEN is empty? no path
    best := an open state, by the choosing rule
    raise h, by the learning rule
    path := parents from `best` to the agent
    best is a goal: the path is complete
    h(agent) exceeds the cost of any path: no path
"""
