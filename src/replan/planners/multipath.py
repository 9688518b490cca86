"""MPAA* and MPGAA*: Adaptive A* whose searches end on the paths of earlier searches.

(MPAA*: Hernández, Baier, Asín: Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain, ICAPS
2014. MPGAA*: Hernández, Asín, Baier: Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic
Terrain, AAAI 2015. Comments use the symbol next(s); there are no line numbers.)

An episode is one A* search, with three additions:

1. It ends at the first state s of OPEN that is a goal, or from which next(s) leads to a goal along steps that are all
   tight: h(t) = c(t, next(t)) + h(next(t)) (`search/old_paths.py`).
2. With F = g(s) + h(s), each expanded state u learns h(u) := F - g(u).
3. next(parent(v)) := v on the tree path to s. The agent follows `next`.

Paths are cheapest presumed ones, found with at most the expansions of Adaptive A*. MPGAA* also makes h consistent again
when costs fall, as Generalized Adaptive A* does.

Larger g among equal f is part of the algorithm: then a search on free terrain expands a straight line, and with other
ties a disc. Differs from the papers:

- A broken path is not erased when costs rise, and `next` is not repaired when they fall: the test of tightness decides.
- A state that failed the test is not tested again in the same search. Nor is the rest of the agent's own path, as long
  as no cost has changed there.
- Targets may move, and there may be several goals.
- A search that a budget interrupts is a lookahead of RTAA*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from replan.planners.base import Planner
from replan.planners.factories import SEARCH_OPTIONS, open_list_from_options, set_detect_unreachable
from replan.planners.realtime import RealTime
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList
from replan.search.choosing import BestF
from replan.search.h_repair import HRepair
from replan.search.learning import OnePass
from replan.search.old_paths import OldPaths
from replan.search.path import raise_bound_exceeded
from replan.search.state_table import ONE_TRIP
from replan.serialization import Archive
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class MultipathAStar(RealTime):
    """MPAA*; with `on_cost_decrease="repair"` MPGAA*."""

    def __init__(
        self, open: OpenList, repair: HRepair, heuristic: Any, check_heuristic: bool, on_cost_decrease: str
    ) -> None:
        RealTime.__init__(self, open, OnePass(), BestF(), repair, heuristic, check_heuristic, on_cost_decrease)
        self.old_paths = self.lookahead_search.search.terminator = self.add_table(OldPaths())

    def constructor_args(self) -> tuple[Any, ...]:
        return (
            MultipathAStar,
            self.open.constructor_args(),
            self.h_repair,
            self.user_heuristic,
            self.checks_h,
            self.on_cost_decrease,
        )

    def serialize_tables(self, archive: Archive) -> None:
        """Save or load all tables, and check the path.

        The valid part of the path is on old paths, and no search comes to a state of these without ending there. So a
        path never has more states than the space.
        """
        RealTime.serialize_tables(self, archive)
        valid_from, states = self.old_paths.valid_from, np.asarray(self.planned_path.states)
        on_path = self.old_paths.valid_mask(ONE_TRIP, states[1 : valid_from + 1]).all()
        is_good = valid_from < 0 or (
            valid_from <= self.planned_path.length and on_path and self.goals.is_goal(states[0])
        )
        archive.require(is_good, "its path is not one of its paths")

    def begin_trip(self, space: Space, goals: Goals) -> None:
        RealTime.begin_trip(self, space, goals)
        self.old_paths.attach_path(self.planned_path)

    def change_goals(self, goals: Goals) -> None:
        RealTime.change_goals(self, goals)
        self.old_paths.valid_from = -1

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        if not costs_increased:
            self.old_paths.valid_from = -1
        for i in range(count if costs_increased else 0):
            self.old_paths.on_cost_increase(changed_states[i])
        return RealTime.on_cost_changes(self, changed_states, count, costs_increased)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        self.old_paths.begin()
        return RealTime.run_episode(self, agent_state, limit, deadline)

    def extract_path(self, best: int, agent_state: int) -> int:
        """Set the path: the search tree to `best`, an old path to the valid part of the last path, and that part."""
        best_index = 0
        if self.lookahead_search.search.stop_state >= 0:
            best_index = self.extract_old_path(best)
        self.planned_path.extract(self.space, self.lookahead_search.search, best, agent_state, best_index)
        if best_index > 0 or self.goals.is_goal(best):
            self.old_paths.add_segment(best_index, self.planned_path.length)  # next(parent(v)) := v
        else:
            self.old_paths.valid_from = -1  # a budget has interrupted the search
        return 0

    def extract_old_path(self, v: int) -> int:
        """Set the path from v on, along `next`. Return the index of v on the path."""
        if self.lookahead_search.f_best > self.space.max_path_cost:
            with cython.gil:
                raise_bound_exceeded(self.space, self.lookahead_search.f_best)
        v_index = self.old_paths.join_index + self.old_paths.join_steps
        for i in range(v_index, self.old_paths.join_index, -1):
            u = self.old_paths.next[v]
            self.planned_path.set_state(i, v, self.space.step_cost(v, u))
            v = u
        self.planned_path.states[self.old_paths.join_index] = v
        return v_index


# Declarations for the registry.

MPAA = """
Adaptive A* that remembers the paths it has found. A search may end before the goal: at a state from which an old path
leads to the goal at exactly the cost h. A path is tested when a search comes to it, so a change of the map needs no
work on old paths.

Guarantees:

- Cheapest presumed paths with at most the expansions of Adaptive A*; arrival, and a report when no path exists.
- All tests of old paths in a search together visit each state at most once.

Limits:

- Larger g among equal f is part of the algorithm: other ties lose most of the gain, and so do weak heuristics
  (straight-line distances on an eight-way grid).
- When costs fall h is kept, and may overestimate (`on_cost_decrease`): MPGAA* repairs it.
- In mazes D* Lite is faster. No bound in time.

Parts:

- planners.realtime.RealTime.run_episode
- search.old_paths.OldPaths.can_end_at
- search.old_paths.OldPaths.add_segment
- search.learning.OnePass.update_h
"""

MPGAA = """
MPAA* whose h is repaired when costs fall, as in Generalized Adaptive A*: for terrain where obstacles appear and
disappear.

Guarantees:

- Cheapest presumed paths whatever changes; arrival, and a report when no path exists.
- At most the expansions of Generalized Adaptive A*.

Limits:

- Those of MPAA* on ties, heuristics and mazes. Neither the repair nor the search has a bound in time.

Parts:

- planners.realtime.RealTime.run_episode
- search.old_paths.OldPaths.can_end_at
- search.h_repair.HRepair.propagate
- search.learning.OnePass.update_h
"""


def _multipath(on_cost_decrease: str) -> Callable[[dict[str, Any]], Planner]:
    """Return a function that makes the planner from options."""

    def make(options: dict[str, Any]) -> Planner:
        arguments = options["heuristic"], options["check_heuristic"], options.get("on_cost_decrease", on_cost_decrease)
        return set_detect_unreachable(MultipathAStar(open_list_from_options(options), HRepair(), *arguments), options)

    return make


PLANNERS = (
    PlannerSpec(
        "MPAA*",
        "mpaa",
        "Hernández, Baier, Asín: Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain, "
        "ICAPS 2014",
        "Adaptive A*; a search ends on a path of an earlier one that is still as cheap as h says",
        {**SEARCH_OPTIONS, "on_cost_decrease": "keep"},
        _multipath("keep"),
        family="adaptive",
        sort_order=230,
        explanation=MPAA,
    ),
    PlannerSpec(
        "MPGAA*",
        "mpgaa",
        "Hernández, Asín, Baier: Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic "
        "Terrain, AAAI 2015",
        "Generalized Adaptive A*; a search ends on a path of an earlier one that is still as cheap as h says",
        SEARCH_OPTIONS,
        _multipath("repair"),
        family="adaptive",
        sort_order=240,
        explanation=MPGAA,
    ),
)
