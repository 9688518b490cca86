"""Multipath Adaptive A* and its generalised form: Adaptive A* whose searches end on the paths of earlier ones.

(Hernández, Baier, Asín: Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain, ICAPS 2014;
Hernández, Asín, Baier: Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic Terrain, AAAI
2015.) A search ends at the first state, in the order of A*, that is a goal or from which an old path is still cheapest
(`search/old_paths.py`). What it expanded learns as in Adaptive A*, with f of the state where it ended; then the way
there is remembered, and the agent follows the pointers. Paths are cheapest presumed ones, found with at most the
expansions of Adaptive A*.

Larger g among equal f is part of the algorithm: on free terrain the search then runs straight ahead, and with another
rule it looks at whole discs. Deviations: a broken path is not erased when costs rise, and pointers are not repaired
when they fall (the test decides, and nothing was gained by either); a state that was found to lead nowhere is not
walked through again in the same search, nor is the rest of the agent's own path while no cost has changed there;
targets may move, and there may be several goals. With a budget, a search that it ends is a lookahead of RTAA*.
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
    """MPAA*, or with on_cost_decrease="repair" MPGAA*."""

    def __init__(self, open: OpenList, repair: HRepair, heuristic: Any, check_heuristic: bool, on_cost_decrease: str) -> None:
        RealTime.__init__(self, open, OnePass(), BestF(), repair, heuristic, check_heuristic, on_cost_decrease)
        self.old_paths = self.lookahead_search.search.terminator = self.add_table(OldPaths())

    def constructor_args(self) -> tuple[Any, ...]:
        return MultipathAStar, self.open.constructor_args(), self.h_repair, self.user_heuristic, self.checks_h, self.on_cost_decrease

    def serialize_tables(self, archive: Archive) -> None:
        """A path never has more states than there are, because those of its solid part are on old paths, and no search
        comes to one of these without ending there."""
        RealTime.serialize_tables(self, archive)
        solid, states = self.old_paths.valid_from, np.asarray(self.planned_path.states)
        on_path = self.old_paths.valid_mask(ONE_TRIP, states[1 : solid + 1]).all()
        good = solid < 0 or (solid <= self.planned_path.length and on_path and self.goals.is_goal(states[0]))
        archive.require(good, "its path is not one of its paths")

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
        """Set the path: by the search tree to `best`, an old path to where the last path is solid, and along that."""
        spot = 0
        if self.lookahead_search.search.stop_state >= 0:
            spot = self.extract_old_path(best)
        self.planned_path.extract(self.space, self.lookahead_search.search, best, agent_state, spot)
        if spot > 0 or self.goals.is_goal(best):
            self.old_paths.add_segment(spot, self.planned_path.length)
        else:
            self.old_paths.valid_from = -1  # a budget has ended the search
        return 0

    def extract_old_path(self, v: int) -> int:
        """The steps that are known from v on; the position of v."""
        if self.lookahead_search.f_best > self.space.max_path_cost:
            with cython.gil:
                raise_bound_exceeded(self.space, self.lookahead_search.f_best)
        spot = self.old_paths.join_index + self.old_paths.join_steps
        for i in range(spot, self.old_paths.join_index, -1):
            u = self.old_paths.next[v]
            self.planned_path.set_state(i, v, self.space.step_cost(v, u))
            v = u
        self.planned_path.states[self.old_paths.join_index] = v
        return spot


# What the registry collects.

MPAA = """
Adaptive A* that remembers the paths it has found. A search need not come to the goal: it may end at a state from
which an old path still leads there at exactly the cost that h promises. Whether a path is still good is tested when
a search comes to it, so a change of the map needs no work on old paths.

Guarantees:

- Cheapest presumed paths with at most the expansions of Adaptive A*; arrival, and a report when there is no way.
- All tests of old paths in a search together visit each state once.

Limits:

- Larger g among equal f is part of it: other ties lose most of the gain, and so do weak heuristics (straight-line
  distances on an eight-way grid).
- When costs fall h is kept, and may overestimate (`on_cost_decrease`): MPGAA* repairs it.
- In mazes D* Lite is quicker. No bound in time.

Parts:

- planners.realtime.RealTime.run_episode
- search.old_paths.OldPaths.can_end_at
- search.old_paths.OldPaths.add_segment
- search.learning.OnePass.update_h
"""

MPGAA = """
MPAA* whose h is repaired when costs fall, as in Generalized Adaptive A*: for terrain where obstacles come and go.

Guarantees:

- Cheapest presumed paths whatever changes; arrival, and a report when there is no way.
- At most the expansions of Generalized Adaptive A*.

Limits:

- Those of MPAA* on ties, heuristics and mazes; and the repair, like the search, has no bound in time.

Parts:

- planners.realtime.RealTime.run_episode
- search.old_paths.OldPaths.can_end_at
- search.h_repair.HRepair.propagate
- search.learning.OnePass.update_h
"""



def _multipath(falling: str) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        given = options["heuristic"], options["check_heuristic"], options.get("on_cost_decrease", falling)
        return set_detect_unreachable(MultipathAStar(open_list_from_options(options), HRepair(), *given), options)

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
