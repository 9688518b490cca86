"""Adaptive A* and the planners derived from it: RTAA* without a bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.planners.base import Planner
from replan.planners.factories import SEARCH_OPTIONS
from replan.planners.rule_table import rule_planner_factory
from replan.planners.spec import COURSE, RTAA_2006, PlannerSpec
from replan.search.named_rules import LEARNING_RULES


def _adaptive(on_cost_decrease: str) -> Callable[[dict[str, Any]], Planner]:
    """Return a function that makes RTAA* without a bound from options."""

    def make(options: dict[str, Any]) -> Planner:
        unbounded = {"lookahead": None, "deadline": None, "moves": None, "on_cost_decrease": on_cost_decrease}
        return rule_planner_factory("one pass", "best")({**unbounded, **options})

    return make


ADAPTIVE = """
After a search whose best open f is F, each state s that it expanded costs at least F - g(s) to the goal. This becomes
its h. The next search, from any state of the agent, expands fewer states and still finds a cheapest path.

Guarantees:

- Cheapest presumed paths, arrival, and a report when no path exists.
- h stays consistent while costs only rise, as they do when the agent explores a map believed free. Then a search
  expands at most the states of A* with the first h, ties aside.
- Learning takes one subtraction for each expanded state.

Limits:

- When costs fall, h may overestimate: `on_cost_decrease` says whether it is kept, repaired or reset. Generalized
  Adaptive A* repairs it.
- The time of a search has no bound; RTAA* is the same with a bound.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.astar.Search.loop
- search.learning.OnePass.update_h
"""

GENERALIZED = """
Adaptive A* for terrain where costs also fall, as when a door opens. Before the next search, h is lowered from the
cheaper steps outwards, smallest h first, until it is consistent again, and no further.

Guarantees:

- Cheapest presumed paths whatever changes; arrival, and a report when no path exists.
- h is the largest one below the old h that is consistent with the new costs.

Limits:

- A door that opens can lower the h of many states: neither this repair nor the search has a bound in time.

Parts:

- planners.realtime.RealTime.run_episode
- search.learning.OnePass.update_h
- search.h_repair.HRepair.apply_decreases
- search.h_repair.HRepair.propagate
"""

MOVING_TARGET = """
Generalized Adaptive A* for a goal that moves. When the goal has moved to a state whose h was d, h - d is consistent
towards the new goal, and so is the maximum of that and the heuristic for the new goal. A state gets its new h lazily,
when it is next read.

Guarantees:

- Cheapest presumed paths to the present state of the goal; a target slower than the agent is caught.
- A move of the goal costs time in proportion to the states that are read again, never to the map.

Limits:

- What was learned near the old goal is worth little far from it; Moving-Target D* Lite keeps its search instead of its
  h.
- No bound in time. The heuristic must be a function: an array is for one goal.

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
        f"A* from the agent, again when the path is blocked; learn: {LEARNING_RULES['one pass'].description}",
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
