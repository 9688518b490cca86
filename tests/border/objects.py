"""Objects of every kind that can be reached from Python, each with something that uses it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import replan
from border.honest import GOAL, START, Board, grid


def graph(directed: bool = True) -> replan.Graph:
    """The board again, as a graph."""
    board = grid()
    edges = []
    for s in range(board.n):
        edges += [(board.key(s), board.key(v), 1) for v in range(board.n) if board.edge_cost(s, v) < 1 << 61]
    return replan.Graph(edges, directed=directed)


def used_planner(name: str, **options: Any) -> Any:
    """A planner in the middle of a trip, whose agent it keeps alive."""
    planner = replan.planner(name, **options)
    agent = replan.Agent(planner, grid(), START, GOAL)
    path = agent.plan()
    if path:
        agent.move(path[0])
    return planner, agent


def shown() -> Any:
    """What a choosing rule is shown."""
    kept: list[Any] = []

    class Keep(replan.ChoosingRule):
        def choose(self, lookahead: Any) -> Any:
            kept.append(lookahead)
            return lookahead.best

    planner = replan.planner("RTAA*", choosing=Keep(), lookahead=3)
    agent = replan.Agent(planner, grid(), START, GOAL)
    agent.plan()
    return kept[0], agent


def walk(agent: Any) -> None:
    """Some steps of an agent, errors and all."""
    for _ in range(20):
        try:
            path = agent.plan()
            if not path:
                return
            agent.observe([path[0]], [False])
            agent.move(path[0])
        except Exception:
            return


def trip(world: Any) -> None:
    replan.simulate(world, "RTAA*", START, None if world.target is not None else GOAL, max_moves=50)


def on_space(space: Any) -> None:
    """Search a space both ways."""
    for name in ("Repeated BFS", "RTAA*", "D* Lite"):
        walk(replan.Agent(name, space, START, GOAL))


#: How to make an object, and how to use it (and what hangs on it) afterwards.
Made = tuple[Any, Callable[[], None]]


def _space(make: Callable[[], Any]) -> Callable[[], Made]:
    def made() -> Made:
        space = make()
        return space, lambda: on_space(space)

    return made


def _shared(make: Callable[[], tuple[Any, Any]]) -> Callable[[], Made]:
    def made() -> Made:
        thing, agent = make()
        return thing, lambda: walk(agent)

    return made


def _agent(name: str, **options: Any) -> Callable[[], Made]:
    def made() -> Made:
        _, agent = used_planner(name, **options)
        return agent, lambda: walk(agent)

    return made


def _world(kinds: Callable[[], dict[str, Any]] = dict) -> Callable[[], Made]:
    def made() -> Made:
        world = replan.World(grid(), **kinds())
        return world, lambda: trip(world)

    return made


def _alone(make: Callable[[], Any]) -> Callable[[], Made]:
    return lambda: (make(), lambda: None)


def _query() -> Made:
    query = replan.LPAStar(grid(), START, GOAL)
    return query, lambda: query.path() and None


def _field() -> Made:
    field = replan.FlowField(grid(), GOAL)
    return field, lambda: field.path(START) and None


def _crowd(make: Callable[[], Any]) -> Callable[[], Made]:
    def made() -> Made:
        crowd = make()
        crowd.add([START, (0, 4)], [GOAL, (3, 0)])

        def use() -> None:
            for _ in range(10):
                crowd.tick()

        return crowd, use

    return made


def _target(make: Callable[[], Any]) -> Callable[[], Made]:
    def made() -> Made:
        target = make()
        return target, lambda: trip(replan.World(grid(), target=target))

    return made


def _rule(kind: str, make: Callable[[], Any]) -> Callable[[], Made]:
    def made() -> Made:
        rule = make()
        planner = replan.planner("RTAA*", **{kind: rule})
        return rule, lambda: walk(replan.Agent(planner, grid(), START, GOAL))

    return made


def _recording() -> replan.DynamicScenario:
    return replan.DynamicScenario(grid(), [(3, (2, 2), "blocked")], START, GOAL)


OBJECTS: dict[str, Callable[[], Made]] = {
    "grid": _space(grid),
    "grid of 8": _space(lambda: grid(8)),
    "weighted grid": _space(lambda: grid(8, weights=np.full((4, 5), 3))),
    "walled grid": _space(lambda: grid(8, walls=np.ones((4, 5), int))),
    "directed graph": _space(graph),
    "graph": _space(lambda: graph(False)),
    "own space": _space(Board),
    "world": _world(),
    "world of changes": _world(lambda: {"changes": [(1, (2, 2), "blocked")], "sensor": "everything"}),
    "world with a target": _world(lambda: {"target": [GOAL, (3, 3)], "sensor": replan.Radius(2, True)}),
    "agent": _agent("RTAA*"),
    "agent of D* Lite": _agent("D* Lite", queue="buckets"),
    "agent of RTD*": _agent("RTD*"),
    "LPA*": _query,
    "FlowField": _field,
    "crowd": _crowd(lambda: replan.Crowd(grid(), "RTAA*", lookahead=4)),
    "solid crowd": _crowd(lambda: replan.Crowd(grid(8), "LSS-LRTA*", collisions="wait")),
    "crowd of fields": _crowd(lambda: replan.Crowd(grid(), "FlowField")),
    "crowd in a world": _crowd(lambda: replan.Crowd(replan.World(grid()), "daRTAA*", workers=2)),
    "look": _shared(shown),
    "Flee": _target(lambda: replan.Flee(GOAL)),
    "Wander": _target(lambda: replan.Wander(GOAL)),
    "Route": _target(lambda: replan.Route([GOAL, (3, 3)])),
    "learning rule": _rule("learning", replan.LearningRule),
    "choosing rule": _rule("choosing", replan.ChoosingRule),
    "Planner": _alone(replan.Planner),
    "Budget": _alone(replan.Budget),
    "Expansions": _alone(lambda: replan.Expansions(5)),
    "Deadline": _alone(lambda: replan.Deadline(50)),
    "Radius": _alone(lambda: replan.Radius(2)),
    "DynamicScenario": _alone(_recording),
    "Trip": _alone(lambda: replan.simulate(replan.World(grid()), "RTAA*", START, GOAL)),
}
for _spec in replan.planners():
    OBJECTS[f"planner {_spec.name}"] = _shared(lambda name=_spec.name: used_planner(name))
    OBJECTS[f"new planner {_spec.name}"] = _alone(lambda name=_spec.name: replan.planner(name))


def is_ours(thing: Any) -> bool:
    """Is it an object of this package, or something that lets one write into its memory?"""
    if isinstance(thing, (memoryview, np.ndarray)) or type(thing).__name__ in ("_memoryviewslice", "FieldColumn"):
        return True
    return type(thing).__module__.partition(".")[0] == "replan" and not isinstance(thing, type)


def parts(thing: Any, deep: int, before: str = "") -> Iterator[str]:
    """The ways that lead from an object to its parts, "" to itself. (Each is looked at before what lies beyond it.)"""
    yield before
    if deep == 0 or type(thing).__module__.partition(".")[0] != "replan":
        return
    for name in sorted(dir(thing)):
        if name.startswith("_"):
            continue
        now(f"reads {before}.{name}")
        try:
            value = getattr(thing, name)
        except Exception:
            continue
        if is_ours(value) and not callable(value):
            yield from parts(value, deep - 1, f"{before}.{name}")


def now(what: str) -> None:
    """Say what is being tried, for the case that the process ends there."""
    print(f"now: {what}", file=sys.stderr)


def reach(thing: Any, way: str) -> Any:
    for name in filter(None, way.split(".")):
        thing = getattr(thing, name)
    return thing
