"""How planners are made from their options: what the entries of the table call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.budget import Deadline, Expansions
from replan.errors import InputError
from replan.limits import INF, WHOLE
from replan.planners.ara import ARAStar
from replan.planners.base import Planner
from replan.planners.bounded import BoundedPlanner
from replan.planners.dstar_lite import AnytimeDStar, DStarExtraLite, DStarLite, IncrementalPlanner
from replan.planners.frit import FRITFlood, FRITStar
from replan.planners.korf import Korf
from replan.planners.moving_target import MTDStarLite
from replan.planners.multipath import MultipathAStar
from replan.planners.neighbour_lrta import NeighbourLRTA
from replan.planners.realtime import RealTime
from replan.planners.repeated import RepeatedAStar
from replan.planners.rtd import RTDStar
from replan.planners.tba import TBAAStar, TBAStar
from replan.planners.truncated import TruncatedDStarLite
from replan.queues.base import OpenList
from replan.queues.make import open_list as make_queue
from replan.queues.order import Order
from replan.search.choosing import ChoosingRule
from replan.search.learning import LearningRule
from replan.search.named_rules import CHOOSING, LEARNING, NamedRule
from replan.search.repair_h import RepairH

# The usual values of options that several planners have.
ORDER_OPTIONS = {"queue": "heap", "prefer": "larger g", "ties": "first-in", "seed": 0}
SEARCH_OPTIONS = {**ORDER_OPTIONS, "heuristic": None, "check": False}
BOUNDED_OPTIONS = {"lookahead": 9, "deadline": None, "moves": None}
REALTIME_OPTIONS = {**SEARCH_OPTIONS, **BOUNDED_OPTIONS, "falling": "keep", "notice": True}
RULE_OPTIONS = {**REALTIME_OPTIONS, "learning": None, "choosing": None}
DSTAR_OPTIONS = {**SEARCH_OPTIONS, "replan": "blocked"}
ANYTIME_OPTIONS = {"weight": 3.0, "down": 0.5, "lookahead": None, "deadline": None}
KORF_OPTIONS = {
    **SEARCH_OPTIONS,
    "depth": None,
    "pathmax": True,
    "lookahead": None,
    "deadline": None,
    "falling": "keep",
    "notice": True,
}
SLICE_OPTIONS = {
    "lookahead": 256,
    "deadline": None,
    "tracing": 0.1,
    "falling": "keep",
    "no_path": "wait",
    "notice": True,
    **SEARCH_OPTIONS,
}
GLOBAL_OPTIONS = {"lookahead": 256, "deadline": None, "global_": "D* Lite", "no_path": "wait", "notice": True}
LOCAL_OPTIONS = {"local": "LSS-LRTA*", "local_ratio": 0.5, "local_moves": 1, "falling": "keep"}


def open_list(options: dict[str, Any]) -> OpenList:
    order = Order(options.get("prefer", "larger g"), options["ties"], options["seed"])
    return make_queue(options["queue"], order)


def repeated_a_star(**parts: Any) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        return RepeatedAStar(open_list(options), options["heuristic"], options["check"], **parts)

    return make


def _tenths(weight: float) -> int:
    """A weight, or a step of one, in tenths."""
    return round(weight * 10)


def weighted_a_star(options: dict[str, Any]) -> Planner:
    tenths = _tenths(options["weight"])
    return RepeatedAStar(open_list(options), options["heuristic"], options["check"], inflation=tenths)


def _set_bounds(made: Planner, options: dict[str, Any]) -> Planner:
    made.lookahead, made.deadline = options.get("lookahead"), options["deadline"]  # type: ignore[attr-defined]
    moves = options.get("moves")
    made.moves = INF if moves is None else moves
    return _noticing(made, options)


def _noticing(made: Planner, options: dict[str, Any]) -> Planner:
    """A search without a bound has nothing to notice beside it: such planners have no option."""
    if isinstance(made, BoundedPlanner):
        made.notice = options.get("notice", False)
    return made


def _rule(given: Any, kind: type, named: dict[str, NamedRule], default: Any) -> Any:
    """A rule of the user's, or one of ours by its name."""
    if given is None:
        return default
    if isinstance(given, str) and given in named:
        return named[given].make()
    if isinstance(given, type) and issubclass(given, kind):
        raise InputError(f"{given.__name__} is a class of {kind.__name__}s: give an object of it, {given.__name__}()")
    if not isinstance(given, kind):
        ours = ", ".join(map(repr, named))
        kinds = f"derive it from replan.{kind.__name__}, or name ours: {ours}"
        raise InputError(f"{given!r} is no {kind.__name__}: {kinds}")
    return given


def _learning(learn: str, options: dict[str, Any]) -> LearningRule:
    weight = {"weight": options["update_weight"]} if "update_weight" in options else {}
    rule = LEARNING[learn].make(**weight)
    assert isinstance(rule, LearningRule)
    return rule


def realtime(learn: str, choose: str, **parts: Any) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        made = RealTime(
            open_list(options),
            _rule(options.get("learning"), LearningRule, LEARNING, _learning(learn, options)),
            _rule(options.get("choosing"), ChoosingRule, CHOOSING, CHOOSING[choose].make()),
            RepairH(),
            options["heuristic"],
            options["check"],
            options["falling"],
            **parts,
        )
        return _set_bounds(made, options)

    return make


def adaptive(falling: str) -> Callable[[dict[str, Any]], Planner]:
    """RTAA* without a bound."""

    def make(options: dict[str, Any]) -> Planner:
        unbounded = {"lookahead": None, "deadline": None, "moves": None, "falling": falling}
        return realtime("one pass", "best")({**unbounded, **options})

    return make


def multipath(falling: str) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        given = options["heuristic"], options["check"], options.get("falling", falling)
        return _noticing(MultipathAStar(open_list(options), RepairH(), *given), options)

    return make


def incremental(kind: Callable[..., Planner]) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        given = (options[name] for name in ("heuristic", "replan", "check"))
        return kind(open_list(options), *given)

    return make


def truncated(options: dict[str, Any]) -> Planner:
    bound = round(options["bound"] * 100)
    return TruncatedDStarLite(open_list(options), options["heuristic"], options["replan"], options["check"], bound)


d_star_lite, d_star_extra_lite, mt_d_star_lite = map(incremental, (DStarLite, DStarExtraLite, MTDStarLite))


def frit(search: str) -> Callable[[dict[str, Any]], Planner]:
    """FRIT with the search that reconnects: "bfs", "uniform" or "a-star"."""

    def make(options: dict[str, Any]) -> Planner:
        if options["falling"] == "repair":
            raise InputError("falling is 'keep' or 'reset' for FRIT: it has no learned h-values to repair")
        given = options["heuristic"], options["check"], options["falling"] == "reset", _patient(options)
        made = FRITFlood(*given) if search == "bfs" else FRITStar(open_list(options), search == "a-star", *given)
        return budgeted(made, _bounds(options))

    return make


def ara(options: dict[str, Any]) -> Planner:
    first, down = _tenths(options["weight"]), _tenths(options["down"])
    return budgeted(ARAStar(open_list(options), options["heuristic"], options["check"], first, down), options)


def anytime_d_star(options: dict[str, Any]) -> Planner:
    weights = [_tenths(options[name]) for name in ("weight", "down", "up")]
    given = [options[name] for name in ("heuristic", "replan", "check")]
    return budgeted(AnytimeDStar(open_list(options), *given, *weights), options)


def budgeted(made: Planner, options: dict[str, Any]) -> Planner:
    """The most expansions or microseconds of an episode, beyond which no better path is looked for."""
    if options["lookahead"] is not None:
        made.limit = Expansions(options["lookahead"]).expansions
    if options["deadline"] is not None:
        made.time_ns = Deadline(options["deadline"]).nanoseconds
    return _noticing(made, options)


def korf(second: bool) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        parts = {name: options[name] for name in ("depth", "pathmax", "heuristic", "check", "falling")}
        return _set_bounds(Korf(open_list(options), RepairH(), second, **parts), options)

    return make


def neighbour_lrta(options: dict[str, Any]) -> Planner:
    parts = {name: options[name] for name in ("pathmax", "heuristic", "check", "falling")}
    return _set_bounds(NeighbourLRTA(open_list(options), RepairH(), **parts), options)


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
    return _noticing(planner(given, **chosen), {})  # the whole planner does that


def _local(options: dict[str, Any]) -> Planner:
    made = _part("local", options["local"], options)
    spec = getattr(made, "spec", None)  # of a planner whose class has left its __init__ out there is none yet
    if isinstance(made, RTDStar) or (spec is not None and (spec.waits or not spec.realtime)):
        raise InputError(f"local is a real-time planner such as 'LSS-LRTA*' or 'daRTAA*', not {made!r}")
    return made


def _global(options: dict[str, Any]) -> IncrementalPlanner:
    made = _part("global_", options["global_"], options)
    if not isinstance(made, (DStarLite, AnytimeDStar)):
        raise InputError(f"global_ is 'D* Lite', 'D* Extra Lite' or 'AD*', not {options['global_']!r}")
    return made


def _share(given: float) -> int:
    return round(given * WHOLE)


def rtd(options: dict[str, Any]) -> Planner:
    ratio = _share(options["local_ratio"])
    moves = INF if options["local_moves"] is None else options["local_moves"]
    made = RTDStar(_local(options), _global(options), ratio, moves, _patient(options))
    return budgeted(made, _bounds(options))


def rtd_noop(options: dict[str, Any]) -> Planner:
    return budgeted(RTDStar(None, _global(options), 0, 1, _patient(options)), _bounds(options))


def _bounds(options: dict[str, Any]) -> dict[str, Any]:
    """A deadline alone bounds the step."""
    alone = options["deadline"] is not None and options["lookahead"] == GLOBAL_OPTIONS["lookahead"]
    return {**options, "lookahead": None} if alone else options


def non_rtd(options: dict[str, Any]) -> Planner:
    whole_way = True  # it searches all the way at every step, and cannot keep a budget
    made = RTDStar(None, _global({**options, "global_": "D* Lite"}), 0, 1, _patient(options), whole_way)
    return _noticing(made, options)


def tba(options: dict[str, Any]) -> Planner:
    if options["falling"] == "repair":
        raise InputError("falling is 'keep' or 'reset' for TBA*: it has no learned h-values to repair")
    again, inflation = options["falling"] == "reset", _tenths(options["weight"])
    made = TBAStar(*_sliced(options), again, _patient(options), inflation)
    return budgeted(made, _bounds(options))


def tbaa(options: dict[str, Any]) -> Planner:
    made = TBAAStar(*_sliced(options), options["falling"], _patient(options), RepairH())
    return budgeted(made, _bounds(options))


def _sliced(options: dict[str, Any]) -> tuple[OpenList, Any, bool, int]:
    return open_list(options), options["heuristic"], options["check"], _share(options["tracing"])
