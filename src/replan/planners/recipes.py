"""The table of all planners: each a recipe of parts. A new planner is a new entry.

How an entry's `make` builds its planner from options is in `making.py`; what the options mean, in `options.py`.
"""

from __future__ import annotations

from typing import Any

from replan.planners.compact import CompactAStar
from replan.planners.making import (
    ANYTIME_OPTIONS,
    DSTAR_OPTIONS,
    GLOBAL_OPTIONS,
    KORF_OPTIONS,
    LOCAL_OPTIONS,
    ORDER_OPTIONS,
    REALTIME_OPTIONS,
    RULE_OPTIONS,
    SEARCH_OPTIONS,
    SLICE_OPTIONS,
    adaptive,
    anytime_d_star,
    ara,
    d_star_extra_lite,
    d_star_lite,
    frit,
    korf,
    mt_d_star_lite,
    multipath,
    neighbour_lrta,
    non_rtd,
    realtime,
    repeated_a_star,
    rtd,
    rtd_noop,
    tba,
    tbaa,
    truncated,
    weighted_a_star,
)
from replan.planners.repeated import RepeatedBFS
from replan.planners.spec import PlannerSpec
from replan.search.rules import CHOOSING, LEARNING

RTAA_2006 = "Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006"
DEPRESSION_2011 = "Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011"
WEIGHTS_2015 = "Rivera, Baier, Hernández: Incorporating Weights into Real-Time Heuristic Search, AIJ 225, 2015"
RTD_2010 = "Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010"
COURSE = "Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games"


def look_learn_move(name: str, slug: str, paper: str, learn: str, choose: str, weight: int = 1) -> PlannerSpec:
    """A planner of an A* lookahead, a learning rule and a choosing rule."""
    weighted = ", steps times update_weight" if weight > 1 else ""
    recipe = f"A* lookahead; learn: {LEARNING[learn].words}{weighted}; choose: {CHOOSING[choose].words}"
    options = {**RULE_OPTIONS, "update_weight": weight} if learn == "frontier" else RULE_OPTIONS
    return PlannerSpec(name, slug, paper, recipe, options, realtime(learn, choose), optimal=False, realtime=True)


def without(options: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


FOLLOW_OPTIONS = without(SLICE_OPTIONS, "tracing", "notice")

RECIPES = [
    PlannerSpec(
        "Repeated Forward A*",
        "repeated-forward-a-star",
        f"{COURSE}, parts 1 to 3",
        "A* from the agent, anew when the path is blocked",
        SEARCH_OPTIONS,
        repeated_a_star(),
        also=("A*", "a-star"),
    ),
    PlannerSpec(
        "Compact A*",
        "compact-a-star",
        f"{COURSE}, extra credit 1",
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
        f"{COURSE}, part 3",
        "A* from the goal to the agent, anew when the path is blocked",
        SEARCH_OPTIONS,
        repeated_a_star(backward=True),
        also=("Backward A*",),
    ),
    PlannerSpec(
        "Repeated BFS",
        "repeated-bfs",
        "the textbook's; unit costs only",
        "breadth-first search from the agent, anew when the path is blocked; stops when the goal is generated",
        {},
        lambda options: RepeatedBFS(),
        also=("BFS",),
        unit_costs=True,
    ),
    PlannerSpec(
        "Repeated Weighted A*",
        "repeated-weighted-a-star",
        "Pohl: Heuristic search viewed as path finding in a graph, 1970",
        "A* with h times weight from the agent, anew when the path is blocked",
        {**SEARCH_OPTIONS, "weight": 1.5},
        weighted_a_star,
        also=("Weighted A*",),
        optimal=False,
    ),
    PlannerSpec(
        "Adaptive A*",
        "adaptive-a-star",
        f"{COURSE}; {RTAA_2006}",
        f"A* from the agent, anew when the path is blocked; learn: {LEARNING['one pass'].words}",
        {**SEARCH_OPTIONS, "falling": "keep"},
        adaptive("keep"),
    ),
    PlannerSpec(
        "Generalized Adaptive A*",
        "generalized-adaptive-a-star",
        "Sun, Koenig, Yeoh: Generalized Adaptive A*, AAMAS 2008",
        "Adaptive A*; h is made consistent again when costs have fallen",
        SEARCH_OPTIONS,
        adaptive("repair"),
    ),
    PlannerSpec(
        "Moving-Target Adaptive A*",
        "moving-target-adaptive-a-star",
        "Koenig, Likhachev, Sun: Speeding up Moving-Target Search, AAMAS 2007",
        "Generalized Adaptive A*; h is corrected lazily when the goal has moved",
        SEARCH_OPTIONS,
        adaptive("repair"),
    ),
    PlannerSpec(
        "MPAA*",
        "mpaa",
        "Hernández, Baier, Asín: Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain, "
        "ICAPS 2014",
        "Adaptive A*; a search ends on a path of an earlier one that is still as cheap as h says",
        {**SEARCH_OPTIONS, "falling": "keep"},
        multipath("keep"),
    ),
    PlannerSpec(
        "MPGAA*",
        "mpgaa",
        "Hernández, Asín, Baier: Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic "
        "Terrain, AAAI 2015",
        "Generalized Adaptive A*; a search ends on a path of an earlier one that is still as cheap as h says",
        SEARCH_OPTIONS,
        multipath("repair"),
    ),
    PlannerSpec(
        "D* Lite",
        "d-star-lite",
        "Koenig, Likhachev 2002; Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006",
        "backward search from the goal, repaired where costs have changed",
        DSTAR_OPTIONS,
        d_star_lite,
    ),
    PlannerSpec(
        "D* Extra Lite",
        "d-star-extra-lite",
        "Przybylski, Putz: D* Extra Lite: A Dynamic A* with Search-Tree Cutting and Frontier-Gap Repairing, AMCS 2017",
        "D* Lite; what costs more than before is cut off with all that came through it, and grown anew around the gap",
        DSTAR_OPTIONS,
        d_star_extra_lite,
    ),
    PlannerSpec(
        "Truncated D* Lite",
        "truncated-d-star-lite",
        "Aine, Likhachev: Truncated incremental search, AIJ 234, 2016",
        "D* Lite that repairs no more than a path needs which costs at most `bound` times the cheapest",
        {**DSTAR_OPTIONS, "bound": 1.1},
        truncated,
        optimal=False,
    ),
    PlannerSpec(
        "Moving-Target D* Lite",
        "moving-target-d-star-lite",
        "Sun, Yeoh, Koenig: Moving Target D* Lite, AAMAS 2010",
        "forward search from the agent, repaired where costs have changed, kept when the agent or the goal has moved",
        DSTAR_OPTIONS,
        mt_d_star_lite,
        also=("MT-D* Lite",),
    ),
    PlannerSpec(
        "ARA*",
        "ara",
        "Likhachev, Gordon, Thrun: ARA*, NIPS 2003",
        "weighted A* from the agent, then with smaller weights while the budget lasts; anew when the path is blocked",
        {**SEARCH_OPTIONS, **ANYTIME_OPTIONS},
        ara,
        optimal=False,
    ),
    PlannerSpec(
        "AD*",
        "ad",
        "Likhachev, Ferguson, Gordon, Stentz, Thrun: Anytime Dynamic A*, ICAPS 2005",
        "D* Lite with an inflated h whose weight falls while the budget lasts and rises when costs have changed",
        {**{name: value for name, value in DSTAR_OPTIONS.items() if name != "prefer"}, **ANYTIME_OPTIONS, "up": 0.1},
        anytime_d_star,
        optimal=False,
    ),
    look_learn_move("RTAA*", "rtaa", RTAA_2006, "one pass", "best"),
    look_learn_move("aRTAA*", "artaa", DEPRESSION_2011, "one pass", "avoid"),
    look_learn_move("daRTAA*", "dartaa", DEPRESSION_2011, "one pass", "least"),
    look_learn_move("LSS-LRTA*", "lss-lrta", f"{RTAA_2006}, where it is called LRTA*", "frontier", "best"),
    look_learn_move("aLSS-LRTA*", "alss-lrta", DEPRESSION_2011, "frontier", "avoid"),
    look_learn_move("daLSS-LRTA*", "dalss-lrta", DEPRESSION_2011, "frontier", "least"),
    look_learn_move("wLSS-LRTA*", "wlss-lrta", WEIGHTS_2015, "frontier", "best", 4),
    look_learn_move("wdaLSS-LRTA*", "wdalss-lrta", WEIGHTS_2015, "frontier", "least", 4),
    PlannerSpec(
        "LRTA*",
        "lrta",
        "Korf: Real-Time Heuristic Search, 1990",
        "lookahead to a depth with pathmax; learn: h := smallest value, the agent's state alone; one move",
        KORF_OPTIONS,
        korf(second=False),
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "RTA*",
        "rta",
        "Korf: Real-Time Heuristic Search, 1990",
        "lookahead to a depth with pathmax; learn: h := second smallest value, the agent's state alone; one move",
        KORF_OPTIONS,
        korf(second=True),
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "TLA*",
        "tla",
        "Korf: Real-Time Heuristic Search, 1990; Bond et al.: Real-Time Search in Dynamic Worlds, SoCS 2010",
        "A* lookahead with pathmax; learn: h := f(best) for the agent's state; choose: best f; one move",
        {**REALTIME_OPTIONS, "moves": 1},
        realtime("current", "best", pathmax=True),
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "Neighbor LRTA*",
        "neighbor-lrta",
        f"{RTD_2010}: LRTA* as the program behind it has it",
        "an A* lookahead with pathmax from each neighbor, none where h was raised; learn: h := smallest value, the "
        "agent's state alone; one move",
        {**without(REALTIME_OPTIONS, "moves"), "pathmax": True},
        neighbour_lrta,
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "RTD*",
        "rtd",
        RTD_2010,
        "D* Lite or AD* a part a step; until it arrives, a step of a real-time search with its share of the limit",
        {**GLOBAL_OPTIONS, **LOCAL_OPTIONS, **SEARCH_OPTIONS},
        rtd,
        optimal=False,
        realtime=True,
    ),
    PlannerSpec(
        "RTD* NoOp",
        "rtd-noop",
        RTD_2010,
        "D* Lite or AD* a part a step; until it arrives the agent waits",
        {**GLOBAL_OPTIONS, **SEARCH_OPTIONS},
        rtd_noop,
        optimal=False,
        realtime=True,
        waits=True,
    ),
    PlannerSpec(
        "Non-RTD*",
        "non-rtd",
        RTD_2010,
        "D* Lite all the way at every step, however long that takes",
        {**without(DSTAR_OPTIONS, "replan"), "no_path": "wait"},
        non_rtd,
    ),
    PlannerSpec(
        "TBA*",
        "tba",
        "Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009",
        "one A* from the start, a slice a step; the agent walks towards its best open state; anew when that is blocked",
        {**SLICE_OPTIONS, "weight": 1.0},
        tba,
        optimal=False,
        realtime=True,
        waits=True,
    ),
    PlannerSpec(
        "TBAA*",
        "tbaa",
        "Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, AAMAS 2012",
        "TBA*; learn when an A* is given up: h := its smallest open f - g, when h is next read",
        SLICE_OPTIONS,
        tbaa,
        optimal=False,
        realtime=True,
        waits=True,
    ),
    *(
        PlannerSpec(
            f"FRIT({search})",
            f"frit-{slug}",
            "Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014",
            f"follow the tree that the estimates promise; reconnect where it is cut: {how}, a slice a step",
            options,
            frit(slug),
            also,
            optimal=False,
            realtime=True,
            waits=True,
        )
        for search, slug, how, options, also in (
            ("BFS", "bfs", "breadth-first search", without(FOLLOW_OPTIONS, *ORDER_OPTIONS), ("FRIT",)),
            ("UCS", "uniform", "uniform-cost search", FOLLOW_OPTIONS, ("FRIT(uniform cost)",)),
            ("A*", "a-star", "A*", FOLLOW_OPTIONS, ()),
        )
    ),
]
