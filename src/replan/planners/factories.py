"""Options that several planner modules share, with their defaults, and functions that make planners from options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.budget import Deadline, Expansions
from replan.limits import INF, SHARE_SCALE
from replan.planners.base import Planner
from replan.queues.base import OpenList
from replan.queues.factory import make_open_list as make_queue
from replan.queues.order import Order

ORDER_OPTIONS = {"queue": "heap", "prefer": "larger g", "ties": "first-in", "seed": 0}
SEARCH_OPTIONS = {**ORDER_OPTIONS, "heuristic": None, "check_heuristic": False}
BOUNDED_OPTIONS = {"lookahead": 9, "deadline": None, "moves": None}
REALTIME_OPTIONS = {**SEARCH_OPTIONS, **BOUNDED_OPTIONS, "on_cost_decrease": "keep", "detect_unreachable": True}
DSTAR_OPTIONS = {**SEARCH_OPTIONS, "replan_when": "blocked"}
ANYTIME_OPTIONS = {"weight": 3.0, "weight_decrease": 0.5, "lookahead": None, "deadline": None}


def without_options(options: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the options without those named."""
    return {name: value for name, value in options.items() if name not in names}


def open_list_from_options(options: dict[str, Any]) -> OpenList:
    """Make the open list that the options describe."""
    order = Order(options.get("prefer", "larger g"), options["ties"], options["seed"])
    return make_queue(options["queue"], order)


def to_tenths(weight: float) -> int:
    """Return a weight, or a change of a weight, in tenths."""
    return round(weight * 10)


def to_millionths(ratio: float) -> int:
    """Return a ratio in millionths."""
    return round(ratio * SHARE_SCALE)


def waits_when_unreachable(options: dict[str, Any]) -> bool:
    """True if the planner waits when no path is known."""
    return bool(options["when_unreachable"] == "wait")


def set_episode_limits(planner: Planner, options: dict[str, Any]) -> Planner:
    """Set the limits of the episodes of a real-time planner."""
    planner.lookahead, planner.deadline = options.get("lookahead"), options["deadline"]  # type: ignore[attr-defined]
    moves = options.get("moves")
    planner.move_limit = INF if moves is None else moves
    return set_detect_unreachable(planner, options)


def set_budget(planner: Planner, options: dict[str, Any]) -> Planner:
    """Set the most expansions or microseconds of an episode; the planner improves its path no longer than that."""
    if options["lookahead"] is not None:
        planner.expansion_limit = Expansions(options["lookahead"]).expansions
    if options["deadline"] is not None:
        planner.time_limit_ns = Deadline(options["deadline"]).nanoseconds
    return set_detect_unreachable(planner, options)


def set_detect_unreachable(planner: Planner, options: dict[str, Any]) -> Planner:
    """Set whether the planner detects that no goal can be reached. (A search without a limit has no such option.)"""
    planner.detects_unreachable = options.get("detect_unreachable", False)
    return planner


def incremental_factory(kind: Callable[..., Planner]) -> Callable[[dict[str, Any]], Planner]:
    """Return a function that makes a planner of the D* Lite family from options."""

    def make(options: dict[str, Any]) -> Planner:
        arguments = (options[name] for name in ("heuristic", "replan_when", "check_heuristic"))
        return kind(open_list_from_options(options), *arguments)

    return make
