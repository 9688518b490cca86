"""What several planner modules need to make their planners: options with defaults, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.budget import Deadline, Expansions
from replan.limits import INF, SHARE_SCALE
from replan.planners.base import Planner
from replan.queues.base import OpenList
from replan.queues.factory import make_open_list as make_queue
from replan.queues.order import Order

# Options that several planners have, with their defaults.
ORDER_OPTIONS = {"queue": "heap", "prefer": "larger g", "ties": "first-in", "seed": 0}
SEARCH_OPTIONS = {**ORDER_OPTIONS, "heuristic": None, "check_heuristic": False}
BOUNDED_OPTIONS = {"lookahead": 9, "deadline": None, "moves": None}
REALTIME_OPTIONS = {**SEARCH_OPTIONS, **BOUNDED_OPTIONS, "on_cost_decrease": "keep", "detect_unreachable": True}
DSTAR_OPTIONS = {**SEARCH_OPTIONS, "replan_when": "blocked"}
ANYTIME_OPTIONS = {"weight": 3.0, "weight_decrease": 0.5, "lookahead": None, "deadline": None}


def without_options(options: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


def open_list_from_options(options: dict[str, Any]) -> OpenList:
    order = Order(options.get("prefer", "larger g"), options["ties"], options["seed"])
    return make_queue(options["queue"], order)


def to_tenths(weight: float) -> int:
    """A weight, or a step of one, in tenths."""
    return round(weight * 10)


def to_millionths(given: float) -> int:
    """A share of a limit, as the planners take it."""
    return round(given * SHARE_SCALE)


def waits_when_unreachable(options: dict[str, Any]) -> bool:
    """True if the planner waits when no way is known."""
    return bool(options["when_unreachable"] == "wait")


def set_episode_limits(made: Planner, options: dict[str, Any]) -> Planner:
    """Set the bounds of the episodes of a real-time planner."""
    made.lookahead, made.deadline = options.get("lookahead"), options["deadline"]  # type: ignore[attr-defined]
    moves = options.get("moves")
    made.move_limit = INF if moves is None else moves
    return set_detect_unreachable(made, options)


def set_budget(made: Planner, options: dict[str, Any]) -> Planner:
    """Set the most expansions or microseconds of an episode, beyond which no better path is looked for."""
    if options["lookahead"] is not None:
        made.expansion_limit = Expansions(options["lookahead"]).expansions
    if options["deadline"] is not None:
        made.time_limit_ns = Deadline(options["deadline"]).nanoseconds
    return set_detect_unreachable(made, options)


def set_detect_unreachable(made: Planner, options: dict[str, Any]) -> Planner:
    """Set whether it notices that no goal can be reached; a search without a bound has no such option."""
    made.detects_unreachable = options.get("detect_unreachable", False)
    return made


def incremental_factory(kind: Callable[..., Planner]) -> Callable[[dict[str, Any]], Planner]:
    """How a planner of the D* Lite kind is made."""

    def make(options: dict[str, Any]) -> Planner:
        given = (options[name] for name in ("heuristic", "replan_when", "check_heuristic"))
        return kind(open_list_from_options(options), *given)

    return make
