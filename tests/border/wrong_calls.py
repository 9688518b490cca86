"""Calls in the wrong order, with the wrong things, on objects that were never made."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import replan
from border.case import SENTENCES, Battery, Unnoticed
from border.fuzz import attributes
from border.honest import ENGINES, GOAL, LENGTH, QUERIES, START, Board, check, grid, make, tour
from border.objects import graph, now, walk
from border.values import DRESSED, HUGE, NEGATIVE, NO_WHOLE_NUMBERS

BATTERY = Battery()
NUMBERS = (*SENTENCES, IndexError, OverflowError)  # a number that is out of range, said by Python itself


def large() -> replan.Grid:
    return replan.Grid(np.zeros((30, 30), bool), 4)


# Objects that were made by __new__ alone.


def kinds() -> list[type]:
    """Every class of the core."""
    found: dict[str, type] = {}
    core = Path(replan.__file__).parent
    for room in ("spaces", "queues", "search", "planners", "worlds", "simulation", "crowds"):
        for file in sorted((core / room).glob("[a-z]*.py")):
            name = f"replan.{room}.{file.stem}"
            own = vars(importlib.import_module(name)).items()
            found |= {key: kind for key, kind in own if isinstance(kind, type) and kind.__module__ == name}
    found = {key: kind for key, kind in found.items() if not issubclass(kind, (Enum, tuple))}
    return [found[name] for name in sorted(found)]


PLAIN = ((), (0,), (0, 0), (0, 0, 0), (None,), (None, None), ((0, 0),), ([0],), ([0], True), (Board, None))


def use_bare(kind: type, name: str) -> None:
    """Ask something of it that was never made."""
    thing = kind.__new__(kind)
    for given in PLAIN:
        now(f"a bare {kind.__name__}.{name} {given}")
        try:
            value = getattr(thing, name)
            if callable(value):
                value(*(one() if isinstance(one, type) else one for one in given))
        except (replan.InputError, TypeError, IndexError):
            continue  # a sentence, or Python's own about what was handed in
        except (*SENTENCES, AttributeError) as error:
            said = str(error)
            nothing_inside = None not in given and "'NoneType'" in said
            if nothing_inside or not said:
                raise


def parents(kind: type) -> list[str]:
    return [base.__name__ for base in kind.__mro__ if base is not object]


for _kind in kinds():
    for _name in attributes(_kind):
        if _name != "__init__":
            BATTERY.add(f"bare {_kind.__name__}/{_name}/bare", partial(use_bare, _kind, _name), errors=())


def use_in(use: Callable[[Any], Any], kind: type) -> None:
    use(kind.__new__(kind))


BARE_USES: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "a grid in a world": (replan.Grid, lambda bare: replan.simulate(replan.World(bare), "RTAA*", START, GOAL)),
    "a grid to simulate": (replan.Grid, lambda bare: replan.simulate(bare, "RTAA*", START, GOAL)),
    "a grid to believe in": (replan.Grid, lambda bare: replan.Agent("RTAA*", bare, START, GOAL).plan()),
    "a grid for LPA*": (replan.Grid, lambda bare: replan.LPAStar(bare, START, GOAL).path()),
    "a grid that is known": (replan.Grid, lambda bare: replan.World(grid(), known=bare).begin()),
    "a grid to assign": (replan.Grid, lambda bare: grid().assign(bare)),
    "a graph in a world": (replan.Graph, lambda bare: replan.simulate(replan.World(bare), "RTAA*", 0, 1)),
    "a graph to assign": (replan.Graph, lambda bare: graph().assign(bare)),
    "a space to believe in": (Board, lambda bare: replan.Agent("RTAA*", bare, START, GOAL).plan()),
    "a world": (replan.World, lambda bare: replan.simulate(bare, "RTAA*", START, GOAL)),
    "a planner": (replan.Planner, lambda bare: replan.simulate(grid(), bare, START, GOAL)),
    "a target": (replan.Flee, lambda bare: replan.simulate(replan.World(grid(), target=bare), "RTAA*", START)),
    "a route": (replan.Route, lambda bare: replan.simulate(replan.World(grid(), target=bare), "RTAA*", START)),
    "a rule": (replan.LearningRule, lambda bare: walk_with(learning=bare)),
    "a choosing rule": (replan.ChoosingRule, lambda bare: walk_with(choosing=bare)),
    "a budget": (replan.Budget, lambda bare: replan.Agent("RTAA*", grid(), START, GOAL).plan(bare)),
    "a radius": (replan.Radius, lambda bare: replan.World(grid(), sensor=bare)),
}
for _name, (_kind, _use) in BARE_USES.items():
    BATTERY.add(
        f"bare objects/{_name}/used",
        partial(use_in, _use, _kind),
        *parents(_kind),
        *("__init__", "learn", "choose", "plan", "the map that is known", "the other gr", "made"),
        errors=(*SENTENCES, AttributeError),
        must=_name != "a radius",
    )


def walk_with(**rules: Any) -> None:
    replan.simulate(grid(), replan.planner("RTAA*", lookahead=3, **rules), START, GOAL, max_moves=50)


for _spec in replan.planners():
    _kind = type(replan.planner(_spec.name))
    _use = lambda bare: replan.simulate(grid(), bare, START, GOAL)  # noqa: E731
    _words = (*parents(_kind), "__init__", "made")
    _how: dict[str, Any] = {"errors": (*SENTENCES, AttributeError), "must": True}
    BATTERY.add(f"bare objects/planner/{_spec.name}", partial(use_in, _use, _kind), *_words, **_how)


# Made twice.

TWICE: dict[str, Callable[[Any], Any]] = {
    "a large grid": lambda agent: agent.belief.__init__(np.zeros((30, 30)), 4),
    "a small grid": lambda agent: agent.belief.__init__(np.zeros((1, 1)), 4),
    "a bad grid": lambda agent: agent.belief.__init__("x"),
    "the agent": lambda agent: agent.__init__("RTAA*", large(), (0, 0), (29, 29)),
    "a bad agent": lambda agent: agent.__init__(None, None, None, None),
    "the goals": lambda agent: agent.goals.__init__([5, 10**6], 10**7),
    "the planner": lambda agent: agent.planner.__init__(),
    "the base of the planner": lambda agent: replan.Planner.__init__(agent.planner),
    "the open list": lambda agent: agent.planner.open.__init__(),
    "the search": lambda agent: agent.planner.search.__init__(1),
}


def twice(engine: str, act: Callable[[Any], Any]) -> None:
    agent = replan.Agent(make(engine), grid(), START, GOAL)
    agent.move(agent.plan()[0] if agent.plan() else START)
    act(agent)
    walk(agent)
    replan.simulate(replan.World(grid()), agent.planner, START, GOAL, max_moves=50)


for _name, _act in TWICE.items():
    for _engine in ENGINES:
        if _engine not in QUERIES:
            _do = partial(twice, _engine, _act)
            BATTERY.add(f"made twice/{_name}/{_engine}", _do, errors=(*SENTENCES, AttributeError))


# Planners in the wrong order.

EARLY: dict[str, Callable[[Any], Any]] = {
    "plan": lambda planner: planner.plan(8, None),
    "notify": lambda planner: planner.notify([8], True),
    "notify a fall": lambda planner: planner.notify([8], False),
    "retarget": lambda planner: planner.retarget(replan.Agent("RTAA*", grid(), START, GOAL).goals),
    "snapshot": lambda planner: planner.snapshot(),
    "prefault": lambda planner: planner.prefault(),
    "warm_up": lambda planner: planner.warm_up(),
    "repr": repr,
}
goals_of_a_large_map = lambda: replan.Agent("RTAA*", large(), (0, 0), (29, 29)).goals  # noqa: E731
BEGUN: dict[str, Callable[[Any], Any]] = {
    "without anything": lambda planner: planner.begin(None, None),
    "without goals": lambda planner: planner.begin(grid(), None),
    "with goals of a large map": lambda planner: planner.begin(grid(), goals_of_a_large_map()),
    "with a number": lambda planner: planner.begin(5, 5),
    "with a world": lambda planner: planner.begin(replan.World(grid()), None),
}


def begun(name: str, act: Callable[[Any], Any], word: str = "") -> None:
    planner = replan.planner(name)
    act(planner)
    if word:
        planner.plan(8, None)
        raise Unnoticed(word)


def late(name: str, act: Callable[[Any], Any]) -> None:
    """After a trip on one map, with the states of another."""
    planner = replan.planner(name)
    agent = replan.Agent(planner, grid(), START, GOAL)
    act(planner)
    walk(agent)


OUT = {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "n": 42, "n + 1": 43}
for _spec in replan.planners():
    for _name, _act in EARLY.items():
        _must = _name == "plan"
        _do = partial(begun, _spec.name, _act)
        _words = ("begin", "begun", _spec.name, type(replan.planner(_spec.name)).__name__)
        _errors = (*SENTENCES, AttributeError)  # which is not there need not be refused
        BATTERY.add(f"planner too early/{_name}/{_spec.name}", _do, *_words, errors=_errors, must=_must)
    for _name, _act in BEGUN.items():
        _do = partial(begun, _spec.name, _act, _name)
        BATTERY.add(f"planner begun/{_name}/{_spec.name}", _do, "space", "goal", "grid", "begin")
    for _name, _value in OUT.items():
        _how = {"errors": NUMBERS}
        _plan = lambda planner, value=_value: planner.plan(value, None)  # noqa: E731
        BATTERY.add(f"planner asked/plan({_name})/{_spec.name}", partial(late, _spec.name, _plan), must=True, **_how)
        for _rise in (True, False):
            _notify = lambda planner, value=_value, rise=_rise: planner.notify([value], rise)  # noqa: E731
            _do = partial(late, _spec.name, _notify)
            BATTERY.add(f"planner told/notify({_name})/{_rise} {_spec.name}", _do, **_how)
    _retarget = lambda planner: planner.retarget(goals_of_a_large_map())  # noqa: E731
    BATTERY.add(f"planner told/retarget far away/{_spec.name}", partial(late, _spec.name, _retarget))
    for _budget in ("x", 5, object, grid):
        _do = lambda name=_spec.name, b=_budget: replan.Agent(name, grid(), START, GOAL).plan(b)  # noqa: E731
        BATTERY.add(f"planner told/budget {_budget!r:.12}/{_spec.name}", _do, "udget", must=True)


# Numbers that are no state and no place.

SPACES: dict[str, Callable[[], Any]] = {
    "grid": grid,
    "grid of 8": lambda: grid(8),
    "weighted grid": lambda: grid(8, weights=np.full((4, 5), 3)),
    "directed graph": graph,
    "graph": lambda: graph(False),
    "own space": Board,
}
ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "successors": lambda space, x: space.successors(x),
    "predecessors": lambda space, x: space.predecessors(x),
    "get": lambda space, x: space.get_value(x),
    "put": lambda space, x: space.set_value(x, 0),
    "edge from": lambda space, x: space.edge_cost(x, 8),
    "edge to": lambda space, x: space.edge_cost(8, x),
    "distance from": lambda space, x: space.distance(x, 8),
    "distance to": lambda space, x: space.distance(8, x),
    "key": lambda space, x: space.key(x),
    "keys": lambda space, x: space.keys([x]),
    "least": lambda space, x: space.min_value(x),
}
for _what, _make in SPACES.items():
    for _name, _value in {**OUT, "10**12": 10**12, "n": 300}.items():
        for _method, _ask in ASKED.items():
            _do = lambda make=_make, ask=_ask, value=_value: ask(make(), value)  # noqa: E731
            _must = _what != "own space" and _method in ("successors", "predecessors", "get", "put")
            BATTERY.add(
                f"{_what} asked/{_method}/{_name}",
                _do,
                errors=(*NUMBERS, AttributeError, KeyError),
                must=_must,
            )


def put_value(make_one: Callable[[], Any], value: Any) -> None:
    """A value that no cell or edge can have; then search."""
    space = make_one()
    space.set_value(24 if isinstance(space, replan.Grid) else 3, value)
    walk(replan.Agent("LSS-LRTA*", space, START, GOAL))
    raise Unnoticed("")


def free_the_ring(name: str) -> None:
    space = grid(8)
    for s in (0, 3, 6, 7, 13, 14, 38, 41):
        space.set_value(s, 1)
    agent = replan.Agent(name, space, START, GOAL)
    walk(agent)
    raise Unnoticed("")


for _what, _make in SPACES.items():
    if _what == "own space":
        continue
    _most = 2**40 if "graph" in _what else 2**16  # what an edge may cost, and a cell weigh
    for _name, _value in {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "2**16 + 1": 2**16 + 1}.items():
        if not isinstance(_value, int) or not 0 < _value <= _most:
            _do = partial(put_value, _make, _value)
            BATTERY.add(f"{_what} changed/to {_name}/put", _do, errors=NUMBERS)
for _name in ("RTAA*", "D* Lite", "Repeated BFS"):
    BATTERY.add(f"grid changed/the ring is freed/{_name}", partial(free_the_ring, _name))


# Right things in other clothes.


def dressed_state(engine: str, dress: Callable[[int], Any]) -> None:
    planner = make(engine)
    replan.Agent(planner, grid(), START, GOAL)
    path = planner.plan(dress(8), None)
    assert path is None or all(type(s) is int and 0 <= s < 42 for s in path)


for _engine in ENGINES:
    for _name, _dress in DRESSED.items():
        if _engine not in QUERIES and _name != "true":
            BATTERY.add(f"clothes/state as {_name}/{_engine}", partial(dressed_state, _engine, _dress), errors=NUMBERS)


def with_arrays(start: Any, goal: Any) -> None:
    agent = replan.Agent("Repeated Forward A*", grid(), start, goal)
    agent.observe(np.array([[2, 2], [2, 3]]), np.array([True, False]))
    moves = 0
    while path := agent.plan():
        agent.move(np.array(path[0]))
        moves += 1
    assert moves == LENGTH


BATTERY.add("clothes/cells as arrays/Agent", lambda: with_arrays(np.array(START), np.array([GOAL])))
BATTERY.add("clothes/cells as lists/Agent", lambda: with_arrays(list(START), list(GOAL)))
BATTERY.add("clothes/cells as numpy ints/Agent", lambda: with_arrays((np.int8(0), np.int8(0)), tuple(np.array(GOAL))))
for _engine in ENGINES:
    if _engine not in QUERIES:
        _do = lambda engine=_engine: check(engine, tour(Board(), make(engine)))  # noqa: E731
        BATTERY.add(f"clothes/an honest board/{_engine}", _do, errors=())
