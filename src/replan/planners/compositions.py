"""Recipes for agents with a limit a step that search globally: RTD*, which is made of other planners, and TBA*."""

from __future__ import annotations

from typing import Any

from replan.errors import InputError
from replan.limits import INF, WHOLE
from replan.planners.base import Planner
from replan.planners.dstar_lite import IncrementalPlanner
from replan.planners.recipes import DSTAR_OPTIONS, SEARCH_OPTIONS, PlannerSpec, budgeted, open_list
from replan.planners.rtd import RTDStar
from replan.planners.tba import TBAStar

PAPER_002 = "Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010"

GLOBAL_OPTIONS = {"lookahead": 256, "deadline": None, "global_": "D* Lite", "no_path": "wait"}
LOCAL_OPTIONS = {"local": "LSS-LRTA*", "local_ratio": 0.5, "local_moves": 1, "falling": "keep"}


def _patient(options: dict[str, Any]) -> bool:
    return bool(options["no_path"] == "wait")


def _part(role: str, given: Any, options: dict[str, Any]) -> Planner:
    """A part by its name, with those of the options that it takes, or a planner as it was made."""
    from replan.planners.registry import find, planner

    if isinstance(given, Planner):
        return given
    if not isinstance(given, str):
        raise InputError(f"{role} is a planner or the name of one, not {given!r}")
    spec, usual = find(given), {**SEARCH_OPTIONS, **LOCAL_OPTIONS}
    taken = (name for name in ("queue", "prefer", "ties", "seed", "heuristic", "check", "falling"))
    chosen = {n: options[n] for n in taken if n in options and n in spec.options and options[n] is not usual[n]}
    return planner(given, **chosen)


def _local(options: dict[str, Any]) -> Planner:
    made = _part("local", options["local"], options)
    spec = made.spec
    if isinstance(made, RTDStar) or (spec is not None and (spec.waits or not spec.realtime)):
        raise InputError(f"local is a real-time planner such as 'LSS-LRTA*' or 'daRTAA*', not {spec.name!r}")
    return made


def _global(options: dict[str, Any]) -> IncrementalPlanner:
    made = _part("global_", options["global_"], options)
    if not isinstance(made, IncrementalPlanner):
        raise InputError(f"global_ is 'D* Lite' or 'AD*', not {options['global_']!r}")
    return made


def _share(given: float) -> int:
    return round(given * WHOLE)


def _rtd(options: dict[str, Any]) -> Planner:
    ratio = _share(options["local_ratio"])
    moves = INF if options["local_moves"] is None else options["local_moves"]
    made = RTDStar(_local(options), _global(options), ratio, moves, _patient(options))
    return budgeted(made, _bounds(options))


def _rtd_noop(options: dict[str, Any]) -> Planner:
    return budgeted(RTDStar(None, _global(options), 0, 1, _patient(options)), _bounds(options))


def _bounds(options: dict[str, Any]) -> dict[str, Any]:
    """A deadline alone bounds the step."""
    alone = options["deadline"] is not None and options["lookahead"] == GLOBAL_OPTIONS["lookahead"]
    return {**options, "lookahead": None} if alone else options


def _non_rtd(options: dict[str, Any]) -> Planner:
    return RTDStar(None, _global({**options, "global_": "D* Lite"}), 0, 1, _patient(options))


def _tba(options: dict[str, Any]) -> Planner:
    if options["falling"] == "repair":
        raise InputError("falling is 'keep' or 'reset' for TBA*: it has no learned h-values to repair")
    tracing, again = _share(options["tracing"]), options["falling"] == "reset"
    made = TBAStar(
        open_list(options), options["heuristic"], options["check"], tracing, again, _patient(options)
    )
    return budgeted(made, _bounds(options))


def _without(options: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


COMPOSITIONS = [
    PlannerSpec(
        "RTD*",
        "rtd",
        PAPER_002,
        "D* Lite or AD* a part a step; until it arrives, a step of a real-time search with its share of the limit",
        {**GLOBAL_OPTIONS, **LOCAL_OPTIONS, **SEARCH_OPTIONS},
        _rtd,
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "RTD* NoOp",
        "rtd-noop",
        PAPER_002,
        "D* Lite or AD* a part a step; until it arrives the agent waits",
        {**GLOBAL_OPTIONS, **_without(SEARCH_OPTIONS, "check")},
        _rtd_noop,
        optimal=False,
        realtime=True,
        waits=True,
    ),
    PlannerSpec(
        "Non-RTD*",
        "non-rtd",
        PAPER_002,
        "D* Lite all the way at every step, however long that takes",
        {**_without(DSTAR_OPTIONS, "replan"), "no_path": "wait"},
        _non_rtd,
    ),
    PlannerSpec(
        "TBA*",
        "tba",
        "Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009",
        "one A* from the start, a slice a step; the agent walks towards its best open state; anew when that is blocked",
        {"lookahead": 256, "deadline": None, "tracing": 0.1, "falling": "keep", "no_path": "wait", **SEARCH_OPTIONS},
        _tba,
        optimal=False,
        realtime=True,
        waits=True,
    ),
]
