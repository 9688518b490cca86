"""Classes written in Python that derive from finished ones of the core: half made, or with a method of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import SENTENCES, Battery
from border.fuzz import attributes, guard
from border.honest import GOAL, START, grid
from border.objects import graph, now, on_space, trip, walk
from border.wrong_calls import kinds
from replan.spaces.cell_distance import Heuristic
from replan.spaces.heuristics import checked_estimate_at

BATTERY = Battery()


# Only the `__init__` of the base has run, which knows nothing of what the class itself needs.


def half_made(kind: type, base: type, *given: Any) -> Any:
    return type(kind.__name__, (kind,), {"__init__": lambda self: base.__init__(self, *given)})()  # type: ignore[misc]


def use_space(kind: type) -> None:
    on_space(half_made(kind, replan.Space, 42, 100, 4))


def use_planner(kind: type) -> None:
    made = half_made(kind, replan.Planner)
    guard(made.snapshot)
    guard(lambda: walk(replan.Agent(made, grid(), START, GOAL)))
    replan.simulate(grid(), half_made(kind, replan.Planner), START, GOAL)


def use_target(kind: type) -> None:
    trip(replan.World(grid(), target=half_made(kind, replan.Target, GOAL)))


def use_rule(kind: type) -> None:
    word = "learning" if issubclass(kind, replan.LearningRule) else "choosing"
    base = replan.LearningRule if word == "learning" else replan.ChoosingRule
    replan.simulate(grid(), replan.planner("RTAA*", **{word: half_made(kind, base)}), START, GOAL)


def use_heuristic(kind: type) -> None:
    checked_estimate_at(half_made(kind, object), grid(), 9)


USES: dict[type, Callable[[type], None]] = {
    replan.Space: use_space,
    replan.Planner: use_planner,
    replan.Target: use_target,
    replan.LearningRule: use_rule,
    replan.ChoosingRule: use_rule,
    Heuristic: use_heuristic,
}
for _base, _use in USES.items():
    for _kind in kinds():
        if issubclass(_kind, _base) and _kind is not _base:
            _name = f"half made/{_base.__name__}/{_kind.__name__}"
            BATTERY.add(_name, partial(_use, _kind), errors=(*SENTENCES, AttributeError))


# One method answers something else.

ANSWERS: list[Any] = [None, 0, -1, 10**9, 2**62, [], "x", (10**9, 10**9)]


def on_grid(kind: Any) -> None:
    on_space(kind(np.zeros((4, 5), bool), 8))


def on_graph(kind: Any) -> None:
    board = graph()
    on_space(kind([(u, v, 1) for u in board.nodes for v, _ in map_of(board, u)]))


def map_of(board: replan.Graph, node: Any) -> list[tuple[Any, int]]:
    return [(board.key(v), cost) for v, cost in board.successors(board.state(node))]


def in_world(kind: Any) -> None:
    trip(kind(grid(), changes=[(1, (2, 2), "blocked")], target=[GOAL, (3, 3)]))


def as_agent(kind: Any) -> None:
    for name in ("RTAA*", "D* Lite", "RTD*"):
        walk(kind(name, grid(), START, GOAL))


def as_target(kind: Any) -> None:
    trip(replan.World(grid(), target=kind(GOAL)))


def as_route(kind: Any) -> None:
    trip(replan.World(grid(), target=kind([GOAL, (3, 3)])))


def as_query(kind: Any) -> None:
    query = kind(grid(), START, GOAL)
    guard(query.path)
    guard(lambda: query.notify([(2, 2)], blocked=[True]))
    guard(query.path)


def as_field(kind: Any) -> None:
    field = kind(grid(), GOAL)
    guard(lambda: field.path(START))
    guard(lambda: field.observe([(2, 2)], blocked=[True]))
    guard(lambda: field.advance([START]))


FINISHED: dict[type, Callable[[Any], None]] = {
    replan.Grid: on_grid,
    replan.Graph: on_graph,
    replan.World: in_world,
    replan.Agent: as_agent,
    replan.Flee: as_target,
    replan.Wander: as_target,
    replan.Route: as_route,
    replan.LPAStar: as_query,
    replan.FlowField: as_field,
}


def answer(kind: type, name: str, use: Callable[[Any], None]) -> None:
    for said in ANSWERS:
        now(f"{kind.__name__}.{name} is {said!r}")
        guard(lambda said=said: use(type(kind.__name__, (kind,), {name: lambda self, *given, **named: said})))
        guard(lambda said=said: use(type(kind.__name__, (kind,), {name: property(lambda self: said)})))


for _kind, _as in FINISHED.items():
    for _name in attributes(_kind):
        if not _name.startswith("__"):
            BATTERY.add(f"overridden {_kind.__name__}/{_name}/answers", partial(answer, _kind, _name, _as))
