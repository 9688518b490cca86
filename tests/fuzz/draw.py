"""Cases from a seed and a number: the same ones always."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fuzz.claims import PATIENCE, Claims
from fuzz.drive import Call, Drive, Unit
from fuzz.ground import Cell, GraphGround, GridGround, Ground, Place
from fuzz.leading import Leading
from fuzz.planning import draw_crowd_plan, draw_plan
from fuzz.query import Question
from fuzz.throng import Throng
from fuzz.watch import Watch
from fuzz.worlds import Walk
from trip_parts import Draw, blocked_map

WEIGHTS = [[1, 2], [1, 1, 2, 3, 5], [1, 1, 1, 50], [1, 300, 65_535]]
COSTS = [1, 3, 20, 1 << 20, 1 << 40]  # the largest of an edge


def draw_case(seed: int, number: int) -> Any:
    draw = Draw(seed, number, "fuzz")
    kind = draw.pick([draw_drive] * 5 + [draw_walk] * 3 + [draw_watch, draw_queries])
    return kind(draw) if draw.chance(0.88) else draw.pick([draw_throng] * 3 + [draw_leading])(draw)


# The ground.


def draw_ground(draw: Draw, plain: bool = False) -> Ground:
    return draw_graph(draw, plain) if draw.chance(0.3) else draw_grid(draw, plain)


def draw_grid(draw: Draw, plain: bool) -> GridGround:
    largest = draw.pick([3, 4, 5, 5, 6, 7, 7, 12])
    rows, cols = 1 + draw.below(largest), 2 + draw.below(largest)
    neighbors = 4 if plain else draw.pick([4, 8, 8])
    weighted = not plain and draw.chance(0.35)
    table = draw.pick(WEIGHTS) if weighted else [1]
    blocked = blocked_map(draw, (rows, cols)).tolist()
    blocked[0][0] = False
    truth = tuple(tuple(0 if solid else draw.pick(table) for solid in row) for row in blocked)
    walls = None
    if draw.chance(0.15) and not plain:
        walls = tuple(tuple(draw.pick([0, 0, 0, 0, 1, 2, 3]) for _ in range(cols)) for _ in range(rows))
    return GridGround(truth, neighbors, draw.pick(["strict", "either", "free"]), weighted, walls)


def draw_graph(draw: Draw, plain: bool) -> GraphGround:
    n = 2 + draw.below(draw.pick([3, 6, 12, 20]))
    nodes = tuple(f"n{i}" for i in range(n))
    directed, largest = draw.chance(0.5), 1 if plain else draw.pick(COSTS)
    edges: dict[Any, Any] = {}
    for _ in range(draw.pick([1, 2, 3]) * n):
        u, v = draw.pick(nodes), draw.pick(nodes)
        if u != v:
            edges.setdefault((u, v) if directed else frozenset((u, v)), (u, v, 1 + draw.below(largest)))
    listed = tuple(edges.values())
    blocked = tuple((u, v) for u, v, _ in listed if draw.chance(0.15))
    resolution = draw.pick([1.0, 1.0, 1.0, 0.5]) if largest < 1 << 40 else 1.0
    positions = tuple((draw.below(9), draw.below(9)) for _ in nodes) if draw.chance(0.5) else None
    own = resolution == 1 and draw.chance(0.15)
    more = tuple((u, draw.pick([u, v]), cost + draw.below(3)) for u, v, cost in listed if draw.chance(0.1))
    return GraphGround(nodes, listed, blocked, directed, resolution, positions, more, own)


def draw_known(draw: Draw, ground: Ground) -> tuple[tuple[Place, int], ...]:
    """What is believed at first, where that is not free: nothing, the truth, or something else."""
    kind = draw.pick(["free", "free", "truth", "other"])
    if kind == "free":
        return ()
    values = ground.true_values()
    if kind == "other":
        for place in ground.places:
            if draw.chance(0.3):
                values.put(place, draw_value(draw, ground, place))
    return tuple((place, values.get(place)) for place in ground.places if values.get(place) != ground.least(place))


def draw_value(draw: Draw, ground: Ground, place: Place, heavy: bool = False) -> int:
    if draw.chance(0.4):
        return 0
    if heavy and ground.weighted and not ground.plain and draw.chance(0.4):
        return draw.pick([5000, 65_535]) if isinstance(ground, GridGround) else draw.pick([1 << 27, 1 << 40])
    if isinstance(ground, GridGround):
        return draw.pick([1, 1, 2, 7, 60]) if ground.weighted else 1
    least = ground.least(place)
    return least if ground.plain or draw.chance(0.5) else min(1 << 40, least + draw.pick([1, 5, least]))


def draw_goal(draw: Draw, ground: Ground) -> tuple[Cell, ...]:
    several = draw.chance(0.12)
    return tuple({draw.pick(ground.cells): 0 for _ in range(3 if several else 1)})


# Agents driven by hand.


def draw_drive(draw: Draw) -> Drive:
    ground = draw_ground(draw, draw.chance(0.2))
    return_to = draw.chance(0.5)
    units, count = [], draw.pick([1, 1, 1, 2, 4])
    for _ in range(count):
        goal = draw_goal(draw, ground)
        plan = draw_plan(draw, ground, len(goal) > 1, not return_to)
        units.append(Unit(plan, draw.pick(ground.cells), goal, draw.pick([0, 0, 0, 0, 2, 9])))
    calls: list[Call] = []
    queries = tuple(draw_question(draw, ground) for _ in range(draw.pick([0, 0, 0, 1])))
    for _ in range(draw.pick([4, 8, 15, 30])):
        calls += draw_turn(draw, ground, units, return_to)
        if draw.chance(0.2):
            calls += draw_asking(draw, ground, queries)
    if draw.chance(0.5):
        calls.append(("finish", draw.below(count)))
    return Drive(ground, draw_known(draw, ground), tuple(units), queries, tuple(calls))


def draw_turn(draw: Draw, ground: Ground, units: list[Unit], return_to: bool) -> list[Call]:
    """What happens in a moment of a game."""
    i = draw.below(len(units))
    spec = units[i].plan.spec
    calls: list[Call] = []
    if ground.places and draw.chance(0.15):
        place = draw.pick(ground.places)
        calls.append(("change", place, draw_value(draw, ground, place)))
    if draw.chance(0.6):
        calls.append(("sense", i))
    if ground.places and draw.chance(0.25):
        places = {draw.pick(ground.places): 0 for _ in range(draw.pick([1, 1, 2, 5]))}
        seen = [(place, draw_value(draw, ground, place)) for place in places]
        calls.append(("observe", i, seen, draw.chance(0.7)))
    if ground.places and draw.chance(0.15):
        calls.append(("ahead", i, draw.below(4), 0 if ground.plain or draw.chance(0.5) else draw.pick([1, 3, 50])))
    if ground.places and draw.chance(0.06):
        place = draw.pick(ground.places)
        calls.append(("put", place, draw_value(draw, ground, place)))
    if draw.chance(0.05):
        calls.append((draw.pick(["move", "restart"]), i, draw.pick(ground.cells)))
    if return_to and draw.chance(0.08):
        goal = draw_goal(draw, ground)
        calls.append(("retarget", i, goal[:1] if spec.needs_plain_grid else goal))
    if draw.chance(0.02):
        calls.append(("again", i))
    if draw.chance(0.05):
        calls.append(("ready", i))
    if draw.chance(0.06):
        calls.append(("body", i, draw.below(len(units))))
    if draw.chance(0.8):
        calls.append(("plan", i, draw_budget(draw), draw.chance(0.15)))
    if isinstance(ground, GridGround) and ground.weighted and draw.chance(0.15):
        calls.append(("wait", i, draw.pick([9, 100, 3000]), draw.pick([None, None, draw_budget(draw)])))
    if draw.chance(0.8):
        calls.append(("step", i))
    if draw.chance(0.03):
        calls.append(("copy", i, "copy"))
    return calls


def draw_budget(draw: Draw) -> Any:
    kind = draw.pick([None] * 8 + ["expansions", "deadline"])
    if kind is None:
        return None
    return kind, draw.pick([1, 2, 5, 30]) if kind == "expansions" else draw.pick([1, 20, 500])


# Crowds.


def draw_throng(draw: Draw) -> Throng:
    ground = draw_ground(draw, draw.chance(0.2))
    plan = draw_crowd_plan(draw) if draw.chance(0.85) else None
    given = plan.options if plan is not None else {}
    alone = plan is None or "own" in given.values() or "learning" in given or "choosing" in given
    alone = alone or "deadline" in given or given.get("heuristic") == ("raising", 1.0)
    calls: list[Call] = []
    heavy = draw.chance(0.2)  # with such weights learning h takes more frames than a case has
    for _ in range(draw.pick([4, 10, 20])):
        calls += draw_frame(draw, ground, not isinstance(given.get("heuristic"), tuple), heavy)
    if draw.chance(0.5) and (plan is None or not heavy):
        calls.append(("finish",))
    known = draw_known(draw, ground)
    solid, world = draw.chance(0.3), draw.chance(0.25) and not getattr(ground, "own", False)
    return Throng(ground, known, plan, world, solid, 1 if alone else draw.pick([1, 1, 3]), tuple(calls))


def draw_frame(draw: Draw, ground: Ground, may_turn: bool, heavy: bool) -> list[Call]:
    calls: list[Call] = []
    numbers = [draw.below(100) for _ in range(draw.pick([1, 1, 3]))]
    if draw.chance(0.4):
        many = draw.pick([1, 1, 2, 4, 80])
        calls.append(("add", [(draw.pick(ground.cells), draw.pick(ground.cells)) for _ in range(many)]))
    if draw.chance(0.1):
        calls.append(("remove", numbers))
    if draw.chance(0.15) and may_turn:
        calls.append(("retarget", numbers, draw.pick(ground.cells)))
    if draw.chance(0.1):
        calls.append(("place", [(number, draw.pick(ground.cells)) for number in numbers]))
    if ground.places and draw.chance(0.3):
        places = {draw.pick(ground.places): 0 for _ in range(draw.pick([1, 1, 2, 5]))}
        calls.append(("observe", [(place, draw_value(draw, ground, place, heavy)) for place in places]))
    if ground.places and draw.chance(0.1):
        place = draw.pick(ground.places)
        calls.append(("put", place, draw_value(draw, ground, place, heavy)))
    ready = None if draw.chance(0.8) else [draw.below(100) for _ in range(3)]
    return [*calls, ("tick", draw_slice(draw, 0.8), ready)]


def draw_slice(draw: Draw, whole: float) -> Any:
    """A budget that may be empty, None with this chance."""
    if draw.chance(whole):
        return None
    kind = draw.pick(["expansions", "expansions", "deadline"])
    return kind, draw.pick([0, 1, 2, 5, 30]) if kind == "expansions" else draw.pick([0, 1, 20, 500])


# Fields.


def draw_leading(draw: Draw) -> Leading:
    ground = draw_ground(draw, draw.chance(0.1))
    calls: list[Call] = []
    heavy = draw.chance(0.5)
    for _ in range(draw.pick([4, 10, 20])):
        cells = [draw.pick(ground.cells) for _ in range(draw.pick([1, 2, 5]))]
        if ground.places and draw.chance(0.5):
            places = {draw.pick(ground.places): 0 for _ in range(draw.pick([1, 1, 2, 5]))}
            calls.append(("observe", [(place, draw_value(draw, ground, place, heavy)) for place in places]))
        if ground.places and draw.chance(0.2):
            place = draw.pick(ground.places)
            calls.append(("put", place, draw_value(draw, ground, place, heavy)))
        if draw.chance(0.1):
            calls.append(("retarget", draw_goal(draw, ground)))
        if draw.chance(0.1):
            calls.append(("copy", draw.pick(["copy", "pickle"])))
        calls.append((draw.pick(["advance", "advance", "all"]), cells, draw_slice(draw, 0.3)))
        if draw.chance(0.3):
            calls.append(("ask", draw.pick(ground.cells)))
    return Leading(ground, draw_known(draw, ground), draw_goal(draw, ground), tuple(calls))


# Trips.


def draw_walk(draw: Draw) -> Walk:
    ground = draw_ground(draw, draw.chance(0.2))
    values = ground.true_values()
    free = [cell for cell in ground.cells if isinstance(ground, GraphGround) or values.get(cell) > 0]
    target = draw_target(draw, free) if draw.chance(0.2) else None
    goal = tuple({draw.pick(free): 0 for _ in range(1 if target or draw.chance(0.88) else 3)})
    plan, start = draw_plan(draw, ground, len(goal) > 1, target is None), draw.pick(free)
    changes: tuple[Any, ...] = ()
    if ground.places and draw.chance(0.35):
        near = [place for cell in (start, *goal) for place in ground.visible(values, cell, "adjacent")]  # type: ignore[arg-type]
        among = [*ground.places, *near * draw.below(4)]
        places, late = [draw.pick(among) for _ in range(draw.pick([1, 4, 12]))], draw.pick([3, 12, 40])
        changes = tuple((draw.below(late), place, draw_value(draw, ground, place)) for place in places)
    claims = Claims(plan, ground)
    ends = (claims.small or claims.notices) and not changes and target is None
    known = draw.pick(["nothing", "nothing", "everything", "other"])
    sensor = draw.pick(["adjacent", "adjacent", "everything"])
    if isinstance(ground, GridGround) and draw.chance(0.3):
        sensor = draw.pick([1, 1.5, 2.5, 4]), draw.chance(0.5)
    return Walk(
        ground=ground,
        known=draw_known(draw, ground) if known == "other" else known,
        sensor=sensor,
        own_sensor=sensor == "adjacent" and draw.chance(0.3 if not changes else 0.7),
        changes=changes,
        reacts=bool(changes) and draw.chance(0.3),
        target=target,
        plan=plan,
        start=start,
        goal=goal,
        trials=draw.pick([1, 1, 1, 1, 3]),
        max_moves=PATIENCE if ends else draw.pick([5, 60, 300]),
        timing=draw.pick(["trip", "episode"]),
        also=tuple(name for name in ("again", "unseen", "by hand") if draw.chance(0.4)),
        redraw=draw.below(1000),
    )


def draw_target(draw: Draw, free: list[Cell], roams: bool = False) -> Any:
    speed = draw.pick([0, 0.3, 0.5, 1, 2])
    if roams:
        return draw.pick(["flee", "wander"]), draw.pick(free), speed
    if draw.chance(0.5):
        return "pacer", draw.pick(free), speed
    return "route", tuple(draw.pick(free) for _ in range(1 + draw.below(12))), speed


def draw_watch(draw: Draw) -> Watch:
    walk = draw_walk(draw)
    if walk.target is not None and draw.chance(0.5):
        walk = replace(walk, target=draw_target(draw, [walk.goal[0]], roams=True))
    meddling: list[Any] = []
    for _ in range(draw.pick([0, 1, 3, 8])):
        if draw.chance(0.3):
            meddling.append((draw.below(30), "retarget", draw_goal(draw, walk.ground)))
        elif walk.ground.places:
            places = {draw.pick(walk.ground.places): 0 for _ in range(draw.pick([1, 3]))}
            seen = [(place, draw_value(draw, walk.ground, place)) for place in places]
            meddling.append((draw.below(30), "change", seen))
    return Watch(replace(walk, max_moves=draw.pick([5, 60, 300])), tuple(meddling))


# Queries.


def draw_queries(draw: Draw) -> Drive:
    ground = draw_ground(draw)
    queries = tuple(draw_question(draw, ground) for _ in range(draw.pick([1, 1, 2])))
    calls: list[Call] = []
    for _ in range(draw.pick([3, 10, 30])):
        calls += draw_asking(draw, ground, queries)
    return Drive(ground, draw_known(draw, ground), (), queries, tuple(calls))


def draw_question(draw: Draw, ground: Ground) -> Question:
    small = ground.dearest <= 1000
    order: dict[str, Any] = {"queue": draw.pick(["heap", "plain heap", "buckets" if small else "heap"])}
    if order["queue"] != "buckets":
        order |= {"prefer": draw.pick(["larger g", "smaller g"]), "ties": draw.pick(["first-in", "last-in", "random"])}
    heuristic = draw.pick([None, None, "zero", ("function", 0.5), ("function", 1.0), ("raising", 1.0)])
    if heuristic is not None:
        order["heuristic"] = heuristic
    return Question(draw.pick(ground.cells), draw.pick(ground.cells), tuple(order.items()))


def draw_asking(draw: Draw, ground: Ground, queries: tuple[Question, ...]) -> list[Call]:
    """Something is changed, perhaps, and something asked."""
    calls: list[Call] = []
    if ground.places and draw.chance(0.8):
        places = {draw.pick(ground.places): 0 for _ in range(draw.pick([1, 1, 3]))}
        seen = [(place, draw_value(draw, ground, place)) for place in places]
        calls += [("notify", draw.below(2), seen)] if draw.chance(0.7) else [("put", *edit) for edit in seen]
    calls += [("ask", i) for i in range(len(queries)) if draw.chance(0.7)]
    if draw.chance(0.3):
        goal = draw_goal(draw, ground)
        calls.append(("find", draw.pick(ground.cells), goal, draw_plan(draw, ground, len(goal) > 1, True)))
    return calls
