"""The planners that combine an A* lookahead, a learning rule and a choosing rule: one row of a table each.

`realtime.RealTime` is the class of all of them. The rules are in `search/learning.py` and `search/choosing.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import LARGEST_UPDATE_WEIGHT
from replan.planners.base import Planner
from replan.planners.factories import REALTIME_OPTIONS, open_list_from_options, set_episode_limits
from replan.planners.options import Option, int_option
from replan.planners.realtime import RealTime
from replan.planners.spec import KORF_1990, RTAA_2006, PlannerSpec
from replan.search.choosing import ChoosingRule
from replan.search.h_repair import HRepair
from replan.search.learning import LearningRule
from replan.search.named_rules import CHOOSING_RULES, LEARNING_RULES, RuleEntry

DEPRESSION_2011 = "Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011"
WEIGHTS_2015 = "Rivera, Baier, Hernández: Incorporating Weights into Real-Time Heuristic Search, AIJ 225, 2015"
RULE_OPTIONS = {**REALTIME_OPTIONS, "learning": None, "choosing": None}


def _rule_option(name: str, meaning: str, kind: str, names: tuple[str, ...]) -> Option:
    """Make an option that is a rule: an object of the user's, or a name."""

    def is_valid(value: Any) -> bool:
        return value in names if isinstance(value, str) else not isinstance(value, (bool, np.bool_))

    allowed = f"a replan.{kind}, {', '.join(map(repr, names))}, or None for the planner's own rule"
    return Option(name, meaning, allowed, is_valid, names)


OPTIONS = (
    int_option(
        "update_weight",
        "The factor of step costs when h is learned: with a larger weight the agent leaves depressions sooner, and h "
        "is at most that many times too large. (It has no effect on another rule given as `learning`.)",
        f"a whole number from 1 to {LARGEST_UPDATE_WEIGHT}",
        maximum=LARGEST_UPDATE_WEIGHT,
        allows_none=False,
    ),
    _rule_option(
        "learning",
        "Another rule that raises h-values after a lookahead.",
        "LearningRule",
        tuple(LEARNING_RULES),
    ),
    _rule_option(
        "choosing",
        "Another rule that chooses the state to move to. ('taken' is 'best', but takes the state out of the open "
        "list, so that percolations are those of a program behind depression avoidance 2011.)",
        "ChoosingRule",
        tuple(CHOOSING_RULES),
    ),
)


def rule_planner_factory(learn: str, choose: str, **arguments: Any) -> Callable[[dict[str, Any]], Planner]:
    """Return a function that makes a planner with these rules from options."""

    def make(options: dict[str, Any]) -> Planner:
        planner = RealTime(
            open_list_from_options(options),
            _make_rule(options.get("learning"), LearningRule, LEARNING_RULES, _make_learning_rule(learn, options)),
            _make_rule(options.get("choosing"), ChoosingRule, CHOOSING_RULES, CHOOSING_RULES[choose].constructor()),
            HRepair(),
            options["heuristic"],
            options["check_heuristic"],
            options["on_cost_decrease"],
            **arguments,
        )
        return set_episode_limits(planner, options)

    return make


def _make_rule(rule: Any, kind: type, named: dict[str, RuleEntry], default: Any) -> Any:
    """Return a user's rule, a rule by its name, or the default. Raise InputError for other values."""
    if rule is None:
        return default
    if isinstance(rule, str) and rule in named:
        return named[rule].constructor()
    if isinstance(rule, type) and issubclass(rule, kind):
        raise InputError(f"{rule.__name__} is a class of {kind.__name__}s: give an object of it, {rule.__name__}()")
    if not isinstance(rule, kind):
        names = ", ".join(map(repr, named))
        kinds = f"derive it from replan.{kind.__name__}, or name ours: {names}"
        raise InputError(f"{rule!r} is no {kind.__name__}: {kinds}")
    return rule


def _make_learning_rule(learn: str, options: dict[str, Any]) -> LearningRule:
    """Make a learning rule by its name, with the weight of the options."""
    weight = {"update_weight": options["update_weight"]} if "update_weight" in options else {}
    rule = LEARNING_RULES[learn].constructor(**weight)
    assert isinstance(rule, LearningRule)
    return rule


def _planner_row(
    order: int, name: str, slug: str, paper: str, learn: str, choose: str, explanation: str, weight: int = 1
) -> PlannerSpec:
    """Make the spec of a row of the table. weight: the factor of step costs when h is learned from the frontier."""
    weighted = ", steps times update_weight" if weight > 1 else ""
    return PlannerSpec(
        name,
        slug,
        paper,
        f"A* lookahead; learn: {LEARNING_RULES[learn].description}{weighted}; "
        f"choose: {CHOOSING_RULES[choose].description}",
        {**RULE_OPTIONS, "update_weight": weight} if learn == "frontier" else RULE_OPTIONS,
        rule_planner_factory(learn, choose),
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=order,
        explanation=explanation,
    )


RTAA = """
Adaptive A* with a bound: A* from the agent stops after `lookahead` expansions, the agent moves to the best open state,
and every expanded state s learns h(s) := f(best) - g(s). Each time the estimates rise a little, until the path out of a
dead end looks cheaper than the path into it.

Guarantees:

- An episode expands at most `lookahead` states, or ends by the `deadline`.
- h stays consistent and never falls while costs do not. So the agent reaches the goal if steps are reversible and a
  path exists.
- Trips repeated on the same map get cheaper until they are cheapest.
- Learning takes one subtraction for each expanded state: less time than that of LSS-LRTA*.

Limits:

- Paths are good only as far as the lookahead shows: in a large dead end the agent moves back and forth until h has
  risen.
- If the only way out costs 10^9 times a usual step, the agent needs about as many moves to learn that.
- A plan may lead through a cell that has become expensive although A* goes around it. h has risen on this side of
  the cell, where the agent has been, and not behind it. An agent that follows the plan arrives. An agent that
  stands still learns nothing: `plan` searches again after a move, an observation, or `Agent.restart` at its own
  cell. Block a cell that the agent must not enter.
- It learns smaller h-values than LSS-LRTA* with the same lookahead, so it takes more moves; with the same time, usually
  fewer.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.astar.Search.loop
- search.choosing.BestF.choose_state
- search.learning.OnePass.update_h
"""

ARTAA = """
RTAA* that avoids depressions, the regions where h is too small. A state whose h was ever raised lies in one. The agent
moves to the best open state whose h still has its first value, if there is one.

Guarantees:

- Those of RTAA*: bounded episodes, consistent h, arrival.

Limits:

- If all open states have been raised it is RTAA*; daRTAA* still distinguishes them.
- The search for an unraised state takes states out of the open list: this costs time, but no expansions.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.choosing.AvoidRaised.choose_state
- search.learning.OnePass.update_h
"""

DARTAA = """
RTAA* that moves to the open state whose h was raised least, and among those to the best. The agent leaves heuristic
depressions sooner. Trips are cheaper at every lookahead, most of all at small ones.

Guarantees:

- Those of RTAA*: bounded episodes, consistent h, arrival.

Limits:

- Choosing may read every open state. This takes time in proportion to the open list, which the deadline includes.
- On terrain without dead ends it gains nothing.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.choosing.LeastRaised.choose_state
- search.learning.OnePass.update_h
"""

LSS_LRTA = """
Like RTAA*, but it learns as much as a lookahead allows. The new h of each expanded state is the cheapest cost to leave
the expanded region plus h there, computed by Dijkstra's algorithm from the frontier inwards.

Guarantees:

- An episode expands at most `lookahead` states, or ends by the `deadline`, learning included.
- h is the largest that the lookahead can prove; it stays consistent and never falls while costs do not.
- The agent reaches the goal if steps are reversible and a path exists. Repeated trips get cheaper until they are
  cheapest.

Limits:

- Learning takes about as long as the search.
- Large dead ends and expensive ways out: as RTAA*.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.choosing.BestF.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

ALSS_LRTA = """
LSS-LRTA* that moves to the best open state whose h was never raised, if there is one.

Guarantees:

- Those of LSS-LRTA*: bounded episodes, consistent h, arrival.

Limits:

- If all open states have been raised it is LSS-LRTA*; daLSS-LRTA* still distinguishes them.

Parts:

- planners.realtime.RealTime.run_episode
- search.choosing.AvoidRaised.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

DALSS_LRTA = """
LSS-LRTA* that moves to the open state whose h was raised least, and among those to the best.

Guarantees:

- Those of LSS-LRTA*: bounded episodes, consistent h, arrival.

Limits:

- Choosing may read every open state.
- On terrain without dead ends it gains nothing.

Parts:

- planners.realtime.RealTime.run_episode
- search.choosing.LeastRaised.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

WLSS_LRTA = """
LSS-LRTA* that multiplies step costs by `update_weight` when it learns. h rises faster, so the agent leaves a dead end
after fewer visits.

Guarantees:

- Bounded episodes, and arrival if steps are reversible and a path exists.
- h is at most `update_weight` times too large, and never falls while costs do not.

Limits:

- h is not consistent: A* may expand a state twice, and repeated trips need not become cheapest.
- The weight is a whole number here. It pays at small lookaheads.

Parts:

- planners.realtime.RealTime.run_episode
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

WDALSS_LRTA = """
wLSS-LRTA* and daLSS-LRTA* in one: weighted learning, and a move to the least raised open state.

Guarantees:

- Those of wLSS-LRTA*.

Limits:

- Those of wLSS-LRTA*; and choosing may read every open state.

Parts:

- planners.realtime.RealTime.run_episode
- search.choosing.LeastRaised.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

TLA = """
LRTA* whose lookahead is A*: a bounded A* from the agent, h(agent) := f(best), one move.

Guarantees:

- An episode expands at most `lookahead` states.
- The agent reaches the goal if steps are reversible and a path exists.

Limits:

- Of all expanded states only one learns: in RTAA* all of them do, in hardly more time.
- h does not stay consistent; pathmax keeps f from falling along a path.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.learning.CurrentOnly.update_h
"""

PLANNERS = (
    _planner_row(400, "RTAA*", "rtaa", RTAA_2006, "one pass", "best", RTAA),
    _planner_row(410, "aRTAA*", "artaa", DEPRESSION_2011, "one pass", "avoid", ARTAA),
    _planner_row(420, "daRTAA*", "dartaa", DEPRESSION_2011, "one pass", "least", DARTAA),
    _planner_row(430, "LSS-LRTA*", "lss-lrta", f"{RTAA_2006}, where it is called LRTA*", "frontier", "best", LSS_LRTA),
    _planner_row(440, "aLSS-LRTA*", "alss-lrta", DEPRESSION_2011, "frontier", "avoid", ALSS_LRTA),
    _planner_row(450, "daLSS-LRTA*", "dalss-lrta", DEPRESSION_2011, "frontier", "least", DALSS_LRTA),
    _planner_row(460, "wLSS-LRTA*", "wlss-lrta", WEIGHTS_2015, "frontier", "best", WLSS_LRTA, 4),
    _planner_row(470, "wdaLSS-LRTA*", "wdalss-lrta", WEIGHTS_2015, "frontier", "least", WDALSS_LRTA, 4),
    PlannerSpec(
        "TLA*",
        "tla",
        f"{KORF_1990}; Bond et al.: Real-Time Search in Dynamic Worlds, SoCS 2010",
        "A* lookahead with pathmax; learn: h := f(best) for the agent's state; choose: best f; one move",
        {**REALTIME_OPTIONS, "moves": 1},
        rule_planner_factory("current", "best", pathmax=True),
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=500,
        explanation=TLA,
    ),
)
