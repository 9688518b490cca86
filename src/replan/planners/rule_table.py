"""The planners that are an A* lookahead, a learning rule and a choosing rule: one row of a table each.

`realtime.RealTime` is the class of all of them; what the rules do is in `search/learning.py` and `search/choosing.py`.
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


def _rule_option(name: str, meaning: str, kind: str, words: tuple[str, ...]) -> Option:
    """A rule of the user's, or one of ours by its name."""

    def fits(value: Any) -> bool:
        return value in words if isinstance(value, str) else not isinstance(value, (bool, np.bool_))

    allowed = f"a replan.{kind}, {', '.join(map(repr, words))}, or None for the planner's own rule"
    return Option(name, meaning, allowed, fits, words)


OPTIONS = (
    int_option(
        "update_weight",
        "How many times steps count when h is learned: with a larger weight the agent leaves depressions sooner, "
        "and h is at most that many times too large. (Of the planner's own rule: it does nothing to `learning`.)",
        f"a whole number from 1 to {LARGEST_UPDATE_WEIGHT}",
        maximum=LARGEST_UPDATE_WEIGHT,
        allows_none=False,
    ),
    _rule_option(
        "learning",
        "Another rule by which h-values rise after a lookahead.",
        "LearningRule",
        tuple(LEARNING_RULES),
    ),
    _rule_option(
        "choosing",
        "Another rule by which the state to walk to is chosen. ('taken' is 'best', but takes the state out of the "
        "open list, so that percolations are those of a program behind depression avoidance 2011.)",
        "ChoosingRule",
        tuple(CHOOSING_RULES),
    ),
)


def rule_planner_factory(learn: str, choose: str, **parts: Any) -> Callable[[dict[str, Any]], Planner]:
    """How a planner of these rules is made."""

    def make(options: dict[str, Any]) -> Planner:
        made = RealTime(
            open_list_from_options(options),
            _make_rule(options.get("learning"), LearningRule, LEARNING_RULES, _make_learning_rule(learn, options)),
            _make_rule(options.get("choosing"), ChoosingRule, CHOOSING_RULES, CHOOSING_RULES[choose].constructor()),
            HRepair(),
            options["heuristic"],
            options["check_heuristic"],
            options["on_cost_decrease"],
            **parts,
        )
        return set_episode_limits(made, options)

    return make


def _make_rule(given: Any, kind: type, named: dict[str, RuleEntry], default: Any) -> Any:
    """A rule of the user's, or one of ours by its name."""
    if given is None:
        return default
    if isinstance(given, str) and given in named:
        return named[given].constructor()
    if isinstance(given, type) and issubclass(given, kind):
        raise InputError(f"{given.__name__} is a class of {kind.__name__}s: give an object of it, {given.__name__}()")
    if not isinstance(given, kind):
        ours = ", ".join(map(repr, named))
        kinds = f"derive it from replan.{kind.__name__}, or name ours: {ours}"
        raise InputError(f"{given!r} is no {kind.__name__}: {kinds}")
    return given


def _make_learning_rule(learn: str, options: dict[str, Any]) -> LearningRule:
    weight = {"update_weight": options["update_weight"]} if "update_weight" in options else {}
    rule = LEARNING_RULES[learn].constructor(**weight)
    assert isinstance(rule, LearningRule)
    return rule


def _planner_row(
    order: int, name: str, slug: str, paper: str, learn: str, choose: str, explanation: str, weight: int = 1
) -> PlannerSpec:
    """A row of the table. weight: how many times steps count when h is learned from the frontier."""
    weighted = ", steps times update_weight" if weight > 1 else ""
    return PlannerSpec(
        name,
        slug,
        paper,
        f"A* lookahead; learn: {LEARNING_RULES[learn].description}{weighted}; choose: {CHOOSING_RULES[choose].description}",
        {**RULE_OPTIONS, "update_weight": weight} if learn == "frontier" else RULE_OPTIONS,
        rule_planner_factory(learn, choose),
        is_optimal=False,
        is_realtime=True,
        family="real-time",
        sort_order=order,
        explanation=explanation,
    )


RTAA = """
Adaptive A* with a bound: A* from the agent stops after `lookahead` expansions, the best open state is where the
agent walks to, and every expanded state learns h := f(best) - g. What was underestimated rises a little each time,
until the way out of a dead end looks shorter than the way in.

Guarantees:

- An episode expands at most `lookahead` states, or ends by the `deadline`.
- h stays consistent and never falls while costs do not; so the agent reaches the goal if steps can be taken back
  and there is a way.
- Trips repeated on the same map get cheaper until they are cheapest.
- Learning takes one subtraction for each expanded state: less time than that of LSS-LRTA*.

Limits:

- Paths are good only as far as the lookahead shows: in a large dead end the agent goes to and fro until h has
  risen.
- Where the only way out costs a billion times a usual step, it takes about as many moves to learn that.
- A plan may lead through a cell that has become expensive although A* goes around it. h has risen on this side of
  the cell, where the agent has been, and not behind it. An agent that follows the plan arrives. An agent that
  stands still learns nothing: `plan` searches again after a move, an observation, or `Agent.restart` at its own
  cell. Block a cell that it must not enter.
- The h that it learns is smaller than that of LSS-LRTA* for the same lookahead, so it takes more moves; for the
  same time, usually fewer.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.astar.Search.loop
- search.choosing.BestF.choose_state
- search.learning.OnePass.update_h
"""

ARTAA = """
RTAA* that avoids depressions: a state whose h was ever raised lies in a region where h is too small. Walk to the
best open state whose h is still as it was at first, if there is one.

Guarantees:

- Those of RTAA*: bounded episodes, consistent h, arrival.

Limits:

- Where all open states have been raised it is RTAA*; daRTAA* still tells them apart.
- Looking for an unraised state takes states out of the open list: the price is in time, not in expansions.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.choosing.AvoidRaised.choose_state
- search.learning.OnePass.update_h
"""

DARTAA = """
RTAA* that walks to the open state whose h was raised least, and among those to the best. Heuristic depressions are
left sooner, trips are cheaper at every lookahead, most of all at small ones.

Guarantees:

- Those of RTAA*: bounded episodes, consistent h, arrival.

Limits:

- Choosing may look at every open state: in an episode that takes time in proportion to the open list, which the
  deadline allows for.
- On terrain without dead ends it gains nothing.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.choosing.LeastRaised.choose_state
- search.learning.OnePass.update_h
"""

LSS_LRTA = """
Like RTAA*, but learning as much as a lookahead allows: the new h of each expanded state is the cheapest way out of
the expanded region plus h there, worked out by Dijkstra's algorithm from its border inwards.

Guarantees:

- An episode expands at most `lookahead` states, or ends by the `deadline`, learning included.
- h is the largest that the lookahead can prove; it stays consistent and never falls while costs do not.
- The agent reaches the goal if steps can be taken back and there is a way; repeated trips get cheaper until they
  are cheapest.

Limits:

- Learning takes about as long as the search.
- Large dead ends and dear ways out: as RTAA*.

Parts:

- planners.realtime.RealTime.run_episode
- search.lookahead.Lookahead.run_search
- search.choosing.BestF.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

ALSS_LRTA = """
LSS-LRTA* that walks to the best open state whose h was never raised, if there is one.

Guarantees:

- Those of LSS-LRTA*: bounded episodes, consistent h, arrival.

Limits:

- Where all open states have been raised it is LSS-LRTA*; daLSS-LRTA* still tells them apart.

Parts:

- planners.realtime.RealTime.run_episode
- search.choosing.AvoidRaised.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

DALSS_LRTA = """
LSS-LRTA* that walks to the open state whose h was raised least, and among those to the best.

Guarantees:

- Those of LSS-LRTA*: bounded episodes, consistent h, arrival.

Limits:

- Choosing may look at every open state.
- On terrain without dead ends it gains nothing.

Parts:

- planners.realtime.RealTime.run_episode
- search.choosing.LeastRaised.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

WLSS_LRTA = """
LSS-LRTA* that counts steps `update_weight` times when it learns. h rises faster, so a dead end is left after fewer
visits.

Guarantees:

- Bounded episodes, and arrival if steps can be taken back and there is a way.
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
wLSS-LRTA* and daLSS-LRTA* in one: weighted learning, and a walk to the least raised open state.

Guarantees:

- Those of wLSS-LRTA*.

Limits:

- Those of wLSS-LRTA*; and choosing may look at every open state.

Parts:

- planners.realtime.RealTime.run_episode
- search.choosing.LeastRaised.choose_state
- search.learning.FromFrontier.queue_border
- search.learning.FromFrontier.propagate
"""

TLA = """
LRTA* whose lookahead is A*: a bounded A* from the agent, h of the agent's state := f(best), one move.

Guarantees:

- An episode expands at most `lookahead` states.
- The agent reaches the goal if steps can be taken back and there is a way.

Limits:

- Of all that was expanded one state learns: RTAA* learns from all for hardly more.
- h does not stay consistent; f is kept from falling along a path (pathmax).

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
