"""The table of all planners: each a recipe of parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from replan.budget import Deadline, Expansions
from replan.errors import InputError
from replan.limits import INF
from replan.planners.ara import ARAStar
from replan.planners.base import Planner
from replan.planners.compact import CompactAStar
from replan.planners.dstar_lite import AnytimeDStar, DStarLite
from replan.planners.korf import Korf
from replan.planners.realtime import RealTime
from replan.planners.repeated import RepeatedAStar, RepeatedBFS
from replan.queues.base import OpenList
from replan.queues.make import open_list as make_queue
from replan.queues.order import Order
from replan.search.choosing import AvoidRaised, BestF, ChoosingRule, LeastRaised
from replan.search.learning import CurrentOnly, FromBorder, LearningRule, OnePass
from replan.search.repair_h import RepairH

PAPER_000 = "Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006"
PAPER_001 = "Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011"
PAPER_004 = "Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games"

ORDER_OPTIONS = {"queue": "heap", "prefer": "larger g", "ties": "first-in", "seed": 0}
SEARCH_OPTIONS = {**ORDER_OPTIONS, "heuristic": None, "check": False}


@dataclass(frozen=True)
class PlannerSpec:
    """A planner as a recipe of parts."""

    name: str
    slug: str
    paper: str
    recipe: str
    options: dict[str, Any]
    make: Callable[[dict[str, Any]], Planner]
    unit_costs: bool = False  # needs steps of equal cost
    optimal: bool = True  # follows cheapest presumed paths
    realtime: bool = False  # keeps a lookahead or deadline
    waits: bool = False  # may stand still while it searches
    plain_grid: bool = False  # needs a grid with 4 neighbors, without weights and walls, and one goal
    own_map: bool = False  # keeps what is believed in a form of its own


def open_list(options: dict[str, Any]) -> OpenList:
    order = Order(options.get("prefer", "larger g"), options["ties"], options["seed"])
    return make_queue(options["queue"], order)


def _astar(**parts: Any) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        return RepeatedAStar(open_list(options), options["heuristic"], options["check"], **parts)

    return make


def _tenths(weight: float) -> int:
    """A weight, or a step of one, in tenths."""
    return round(weight * 10)


def _weighted(options: dict[str, Any]) -> Planner:
    tenths = _tenths(options["weight"])
    return RepeatedAStar(open_list(options), options["heuristic"], options["check"], inflation=tenths)


REALTIME_OPTIONS = {**SEARCH_OPTIONS, "lookahead": 9, "deadline": None, "moves": None, "falling": "keep"}
RULE_OPTIONS = {**REALTIME_OPTIONS, "learning": None, "choosing": None}

LEARN = {"one pass": "h := f(best) - g in one pass", "border": "h from the border by Dijkstra"}
LEARNING = {"one pass": OnePass, "border": FromBorder, "current": CurrentOnly}
CHOOSING = {"best": BestF, "avoid": AvoidRaised, "least": LeastRaised}
CHOOSE = {"best": "best f", "avoid": "best f, avoiding raised states", "least": "least raised, then best f"}


def _set_bounds(made: Planner, options: dict[str, Any]) -> Planner:
    if options["deadline"] is not None and options["lookahead"] == REALTIME_OPTIONS["lookahead"]:
        options["lookahead"] = None  # a deadline alone bounds the episode
    made.lookahead, made.deadline = options.get("lookahead"), options["deadline"]  # type: ignore[attr-defined]
    moves = options.get("moves")
    made.moves = INF if moves is None else moves
    return made


def _rule(given: Any, kind: type, default: Any) -> Any:
    if given is None:
        return default
    if not isinstance(given, kind):
        raise InputError(f"{given!r} is no {kind.__name__}: derive it from replan.{kind.__name__}")
    return given


def _realtime(learn: str, choose: str, **parts: Any) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        learning = LEARNING[learn]()
        choosing = CHOOSING[choose]()
        made = RealTime(
            open_list(options),
            _rule(options.get("learning"), LearningRule, learning),
            _rule(options.get("choosing"), ChoosingRule, choosing),
            RepairH(),
            options["heuristic"],
            options["check"],
            options["falling"],
            **parts,
        )
        return _set_bounds(made, options)

    return make


ADAPTIVE_OPTIONS = SEARCH_OPTIONS


def _adaptive(falling: str) -> Callable[[dict[str, Any]], Planner]:
    """RTAA* without a bound."""

    def make(options: dict[str, Any]) -> Planner:
        unbounded = {"lookahead": None, "deadline": None, "moves": None, "falling": falling}
        return _realtime("one pass", "best")({**unbounded, **options})

    return make


def _dstar_lite(options: dict[str, Any]) -> Planner:
    return DStarLite(open_list(options), options["heuristic"], options["replan"])


DSTAR_OPTIONS = {**ORDER_OPTIONS, "heuristic": None, "replan": "blocked"}
ANYTIME_OPTIONS = {"weight": 3.0, "down": 0.5, "lookahead": None, "deadline": None}


def _ara(options: dict[str, Any]) -> Planner:
    first, down = _tenths(options["weight"]), _tenths(options["down"])
    return budgeted(ARAStar(open_list(options), options["heuristic"], options["check"], first, down), options)


def _anytime_dstar(options: dict[str, Any]) -> Planner:
    weights = [_tenths(options[name]) for name in ("weight", "down", "up")]
    return budgeted(AnytimeDStar(open_list(options), options["heuristic"], options["replan"], *weights), options)


def budgeted(made: Planner, options: dict[str, Any]) -> Planner:
    """The most expansions or microseconds of an episode, beyond which no better path is looked for."""
    if options["lookahead"] is not None:
        made.limit = Expansions(options["lookahead"]).expansions
    if options["deadline"] is not None:
        made.time_ns = Deadline(options["deadline"]).nanoseconds
    return made


KORF_OPTIONS = {
    **SEARCH_OPTIONS,
    "depth": None,
    "pathmax": True,
    "lookahead": None,
    "deadline": None,
    "falling": "keep",
}


def _korf(second: bool) -> Callable[[dict[str, Any]], Planner]:
    def make(options: dict[str, Any]) -> Planner:
        parts = {name: options[name] for name in ("depth", "pathmax", "heuristic", "check", "falling")}
        return _set_bounds(Korf(open_list(options), RepairH(), second, **parts), options)

    return make


def _table_entry(name: str, slug: str, paper: str, learn: str, choose: str) -> PlannerSpec:
    recipe = f"A* lookahead; learn: {LEARN[learn]}; choose: {CHOOSE[choose]}"
    return PlannerSpec(
        name, slug, paper, recipe, RULE_OPTIONS, _realtime(learn, choose), optimal=False, realtime=True
    )


RECIPES = [
    PlannerSpec(
        "Repeated Forward A*",
        "repeated-forward-a-star",
        "Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games, parts 1 to 3",
        "A* from the agent, anew when the path is blocked",
        SEARCH_OPTIONS,
        _astar(),
    ),
    PlannerSpec(
        "Compact A*",
        "compact-a-star",
        f"{PAPER_004}, extra credit 1",
        "Repeated Forward A* with buckets in half a byte a cell; 4 neighbors, unit costs and one goal only",
        {"room": None},
        lambda options: CompactAStar(**options),
        unit_costs=True,
        plain_grid=True,
        own_map=True,
    ),
    PlannerSpec(
        "Repeated Backward A*",
        "repeated-backward-a-star",
        "Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games, part 3",
        "A* from the goal to the agent, anew when the path is blocked",
        SEARCH_OPTIONS,
        _astar(backward=True),
    ),
    PlannerSpec(
        "Repeated BFS",
        "repeated-bfs",
        "the textbook's; unit costs only",
        "breadth-first search from the agent, anew when the path is blocked; stops when the goal is generated",
        {},
        lambda options: RepeatedBFS(),
        unit_costs=True,
    ),
    PlannerSpec(
        "Repeated Weighted A*",
        "repeated-weighted-a-star",
        "Pohl: Heuristic search viewed as path finding in a graph, 1970",
        "A* with h times weight from the agent, anew when the path is blocked",
        {**SEARCH_OPTIONS, "weight": 1.5},
        _weighted,
        optimal=False,
    ),
    PlannerSpec(
        "Adaptive A*",
        "adaptive-a-star",
        f"{PAPER_004}; {PAPER_000}",
        f"A* from the agent, anew when the path is blocked; learn: {LEARN['one pass']}",
        {**ADAPTIVE_OPTIONS, "falling": "keep"},
        _adaptive("keep"),
    ),
    PlannerSpec(
        "Generalized Adaptive A*",
        "generalized-adaptive-a-star",
        "Sun, Koenig, Yeoh: Generalized Adaptive A*, AAMAS 2008",
        "Adaptive A*; h is made consistent again when costs have fallen",
        ADAPTIVE_OPTIONS,
        _adaptive("repair"),
    ),
    PlannerSpec(
        "Moving-Target Adaptive A*",
        "moving-target-adaptive-a-star",
        "Koenig, Likhachev, Sun: Speeding up Moving-Target Search, AAMAS 2007",
        "Generalized Adaptive A*; h is corrected lazily when the goal has moved",
        ADAPTIVE_OPTIONS,
        _adaptive("repair"),
    ),
    PlannerSpec(
        "D* Lite",
        "d-star-lite",
        "Koenig, Likhachev 2002; Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006",
        "backward search from the goal, repaired where costs have changed",
        DSTAR_OPTIONS,
        _dstar_lite,
    ),
    PlannerSpec(
        "ARA*",
        "ara",
        "Likhachev, Gordon, Thrun: ARA*, NIPS 2003",
        "weighted A* from the agent, then with smaller weights while the budget lasts; anew when the path is blocked",
        {**SEARCH_OPTIONS, **ANYTIME_OPTIONS},
        _ara,
        optimal=False,
    ),
    PlannerSpec(
        "AD*",
        "ad",
        "Likhachev, Ferguson, Gordon, Stentz, Thrun: Anytime Dynamic A*, ICAPS 2005",
        "D* Lite with an inflated h whose weight falls while the budget lasts and rises when costs have changed",
        {**{name: value for name, value in DSTAR_OPTIONS.items() if name != "prefer"}, **ANYTIME_OPTIONS, "up": 0.1},
        _anytime_dstar,
        optimal=False,
    ),
    _table_entry("RTAA*", "rtaa", PAPER_000, "one pass", "best"),
    _table_entry("aRTAA*", "artaa", PAPER_001, "one pass", "avoid"),
    _table_entry("daRTAA*", "dartaa", PAPER_001, "one pass", "least"),
    _table_entry("LSS-LRTA*", "lss-lrta", f"{PAPER_000}, where it is called LRTA*", "border", "best"),
    _table_entry("aLSS-LRTA*", "alss-lrta", PAPER_001, "border", "avoid"),
    _table_entry("daLSS-LRTA*", "dalss-lrta", PAPER_001, "border", "least"),
    PlannerSpec(
        "LRTA*",
        "lrta",
        "Korf: Real-Time Heuristic Search, 1990",
        "lookahead to a depth with pathmax; learn: h := smallest value, the agent's state alone; one move",
        KORF_OPTIONS,
        _korf(second=False),
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "RTA*",
        "rta",
        "Korf: Real-Time Heuristic Search, 1990",
        "lookahead to a depth with pathmax; learn: h := second smallest value, the agent's state alone; one move",
        KORF_OPTIONS,
        _korf(second=True),
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "TLA*",
        "tla",
        "Korf: Real-Time Heuristic Search, 1990; Bond et al.: Real-Time Search in Dynamic Worlds, SoCS 2010",
        "A* lookahead with pathmax; learn: h := f(best) for the agent's state; choose: best f; one move",
        {**REALTIME_OPTIONS, "moves": 1},
        _realtime("current", "best", pathmax=True),
        optimal=False,
        realtime=True,
    ),
]
