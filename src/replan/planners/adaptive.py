"""Adaptive A* and the planners derived from it: RTAA* without a bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.planners.base import Planner
from replan.planners.factories import SEARCH_OPTIONS
from replan.planners.rule_table import rule_planner_factory
from replan.planners.spec import COURSE, RTAA_2006, PlannerSpec
from replan.search.named_rules import LEARNING_RULES


def _adaptive(falling: str) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        unbounded = {"lookahead": None, "deadline": None, "moves": None, "on_cost_decrease": falling}
        return rule_planner_factory("one pass", "best")({**unbounded, **options})

    return make


ADAPTIVE = """
After a search whose best open f is F, no state that it expanded can be nearer to the goal than F - g. So let that
be its h. The next search, from wherever the agent is then, expands fewer states, and still finds a cheapest path.

Guarantees:

- Cheapest presumed paths, arrival, and a report when there is no way.
- h stays consistent while costs only rise, as they do when a map believed free is explored; then a search expands
  no more states than A* with the first h, ties aside.
- What is learned takes one subtraction for each expanded state.

Limits:

- When costs fall, h may overestimate: `on_cost_decrease` says whether it is kept, repaired or reset. Generalized Adaptive A*
  repairs it.
- The time of a search has no bound; RTAA* is the same with one.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.astar.Search.loop
- search.learning.OnePass.update_h
"""

GENERALIZED = """
Adaptive A* for terrain where costs fall as well: a door that opens. Before the next search, h is lowered from the
cheaper steps outwards, smallest h first, until it is consistent again, and no further.

Guarantees:

- Cheapest presumed paths whatever changes; arrival, and a report when there is no way.
- h is the largest one below the old h that is consistent with the new costs.

Limits:

- An opened door can lower the h of many states: neither that repair nor the search has a bound in time.

Parts:

- planners.realtime.RealTime.run_episode
- search.learning.OnePass.update_h
- search.h_repair.HRepair.apply_decreases
- search.h_repair.HRepair.propagate
"""

MOVING_TARGET = """
Generalized Adaptive A* for a goal that moves. When the goal has moved to a state whose h was d, h - d is consistent
towards the new goal, and so is the larger of that and a fresh estimate. Nothing is rewritten: a state gets its new
value when it is next looked at.

Guarantees:

- Cheapest presumed paths to where the goal is now; a target slower than the agent is caught.
- A goal that has moved costs time in proportion to the states that are looked at again, never to the map.

Limits:

- What was learned near the old goal is worth little far from it; Moving-Target D* Lite keeps its search instead of
  its h.
- No bound in time. A heuristic has to be a function: an array is for one goal.

Parts:

- planners.realtime.RealTime.run_episode
- search.astar.Search.retarget
- search.astar.Search.computed_h
- search.learning.OnePass.update_h
"""

PLANNERS = (
    PlannerSpec(
        "Adaptive A*",
        "adaptive-a-star",
        f"{COURSE}; {RTAA_2006}",
        f"A* from the agent, anew when the path is blocked; learn: {LEARNING_RULES['one pass'].description}",
        {**SEARCH_OPTIONS, "on_cost_decrease": "keep"},
        _adaptive("keep"),
        family="adaptive",
        sort_order=200,
        explanation=ADAPTIVE,
    ),
    PlannerSpec(
        "Generalized Adaptive A*",
        "generalized-adaptive-a-star",
        "Sun, Koenig, Yeoh: Generalized Adaptive A*, AAMAS 2008",
        "Adaptive A*; h is made consistent again when costs have fallen",
        SEARCH_OPTIONS,
        _adaptive("repair"),
        family="adaptive",
        sort_order=210,
        explanation=GENERALIZED,
    ),
    PlannerSpec(
        "Moving-Target Adaptive A*",
        "moving-target-adaptive-a-star",
        "Koenig, Likhachev, Sun: Speeding up Moving-Target Search, AAMAS 2007",
        "Generalized Adaptive A*; h is corrected lazily when the goal has moved",
        SEARCH_OPTIONS,
        _adaptive("repair"),
        family="adaptive",
        sort_order=220,
        explanation=MOVING_TARGET,
    ),
)
