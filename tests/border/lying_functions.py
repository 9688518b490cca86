"""Heuristics, reactions and sensors that lie."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import Battery, Mine, Unnoticed
from border.honest import ENGINES, GOAL, START, check, grid, make, run
from border.lying_parts import ROOM, always, large, raising
from border.lying_spaces import some_engines
from border.meddling_spaces import ACTS
from border.values import HUGE, NEGATIVE, NO_WHOLE_NUMBERS, for_ever

BATTERY = Battery()


def apart(a: Any, b: Any) -> int:
    return int(abs(a[0] - b[0]) + abs(a[1] - b[1]))


# Heuristics.


def estimate(engine: str, lie: Callable[..., Any], expect: str) -> None:
    calls = [0]

    def h(a: Any, b: Any) -> Any:
        calls[0] += 1
        return lie(apart(a, b), calls[0])

    if ENGINES[engine][0] == "Repeated BFS":
        return  # has none
    answer = run(engine, grid(), heuristic=h)
    if expect == "must" and calls[0]:
        raise Unnoticed(f"{lie(1, 5)!r}")
    if expect == "right":
        check(engine, answer)


def note_h(what: str, lie: Callable[..., Any], expect: str = "must", **how: Any) -> None:
    words = how.pop("words", ("heuristic",))
    for engine in ENGINES if expect != "must" else some_engines(what):
        BATTERY.add(f"heuristic/{what}/{engine}", partial(estimate, engine, lie, expect), *words, **how)


NO_NUMBERS = {k: v for k, v in NO_WHOLE_NUMBERS.items() if k not in ("half", "infinity", "text", "bytes")}
for _name, _value in {**NO_NUMBERS, "a word": "x", "minus infinity": float("-inf"), "-1": -1, "-0.5": -0.5}.items():
    note_h(_name, always(_value))
for _name, _value in {"10**400": 10**400, "a number as text": "3"}.items():
    note_h(_name, always(_value), "lives")
for _name, _value in {"infinity": float("inf"), "1e300": 1e300, "2**62": 2**62, "2**63": 2**63, "1e18": 1e18}.items():
    note_h(_name, always(_value), "lives")
for _name, _dress in {"a float": float, "numpy": np.float32, "numpy int": np.int8, "an array": np.array}.items():
    note_h(f"as {_name}", lambda true, call, x=_dress: x(true), "right")
note_h("a fifth too much", lambda true, call: 1.2 * true, "lives")
note_h("ten times too much", lambda true, call: 10 * true, "lives")
note_h("backwards", lambda true, call: 7 - true, "lives")
note_h("another each time", lambda true, call: call * 7 % 11, "lives")
note_h("falling", lambda true, call: max(0, 100 - call), "lives")
note_h("rising", lambda true, call: call, "lives")
note_h("infinite now and then", lambda true, call: float("inf") if call % 3 == 0 else true, "lives")
for _error in (Mine("mine"), StopIteration("mine"), KeyboardInterrupt("mine"), SystemExit("mine")):
    _name = f"raises {type(_error).__name__}"
    note_h(_name, raising(_error), errors=(type(_error),), words=("mine",))


def interfere(engine: str, act: Callable[[Any, Any], Any]) -> None:
    """A heuristic that does something to the agent or its planner."""
    held: list[Any] = []

    def h(a: Any, b: Any) -> float:
        if held and held.append(None) is None and len(held) == 6:
            act(held[0], planner)
        return apart(a, b)

    if ENGINES[engine][0] in (None, "Repeated BFS"):
        return
    planner = make(engine, heuristic=h)
    agent = replan.Agent(planner, grid(), START, GOAL)
    held.append(agent)
    for _ in range(40):
        path = agent.plan()
        if path:
            agent.move(path[0])


for _name, _act in ACTS.items():
    for _engine in some_engines(_name):
        BATTERY.add(f"heuristic meanwhile/{_name}/{_engine}", partial(interfere, _engine, _act), errors=ROOM)


def wrong_array(engine: str, array: Any) -> None:
    if ENGINES[engine][0] == "Repeated BFS":
        raise ValueError("heuristic: it has none")
    run(engine, grid(), heuristic=array)


ARRAYS: dict[str, Any] = {
    "of another shape": np.zeros((5, 4)),
    "flat": np.zeros(20),
    "with the ring": np.zeros((6, 7)),
    "of three dimensions": np.zeros((4, 5, 1)),
    "without a dimension": np.array(3),
    "with nan": np.full((4, 5), np.nan),
    "negative": np.full((4, 5), -1),
    "of texts": np.full((4, 5), "x"),
    "of None": np.full((4, 5), None),
    "of lists": [[1, 2], [3]],
    "a number": 5,
    "a word": "manhattan",
    "a dict": {},
}
for _name, _array in ARRAYS.items():
    for _engine in ENGINES:
        _do = partial(wrong_array, _engine, _array)
        BATTERY.add(f"heuristic arrays/{_name}/{_engine}", _do, "heuristic", "estimates", must=True)


# Reactions: what happens in the world, as a function.


def react(lie: Callable[..., Any], expect: str) -> None:
    calls = [0]

    def reaction(step: int, cell: Any) -> Any:
        calls[0] += 1
        return lie(step, cell) if calls[0] > 1 else []

    trip = replan.simulate(replan.World(grid(), changes=reaction), "RTAA*", START, GOAL, max_moves=60)
    if expect == "must":
        raise Unnoticed(f"{repr(lie(1, (0, 0)))[:60]}, and the trip {trip.why}")
    assert trip.reached or expect == "lives"


def note_reaction(what: str, lie: Callable[..., Any], expect: str = "must", **how: Any) -> None:
    words = how.pop("words", ("reaction", "change", "cell", "becomes", "weight"))
    BATTERY.add(f"reaction/{what}/RTAA*", partial(react, lie, expect), *words, **how)


for _name, _value in {**NO_WHOLE_NUMBERS, "a number": 5, "an endless generator": for_ever(((2, 2), "free"))}.items():
    if _name not in ("None", "dict"):
        note_reaction(_name, always(_value))
note_reaction("None", always(None), "lives")
note_reaction("a generator", lambda step, cell: (c for c in [((2, 2), "free")]), "right")
note_reaction("an empty dict", always({}), "lives")
OUTSIDE = {"outside": (9, 9), "negative": (-1, 0), "huge": (2**40, 0), "text": "ab"}
for _name, _cell in {**NO_WHOLE_NUMBERS, **OUTSIDE}.items():
    if _name != "pair":
        note_reaction(f"cell {_name}", always([(_cell, "free")]))
for _name, _to in {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "a word": "open", "0": 0, "2": 2}.items():
    note_reaction(f"becomes {_name}", always([((2, 2), _to)]))
note_reaction("triples", always([(1, (2, 2), "free")]))
note_reaction("single items", always([((2, 2),)]))
note_reaction("everything", lambda step, cell: [((r, c), "blocked") for r in range(4) for c in range(5)], "lives")
note_reaction("many times", always([((2, 2), "free")] * 10_000), "right")
note_reaction("raises", raising(Mine("mine")), errors=(Mine,), words=("mine",))

IN_THE_WORLD: dict[str, Callable[[Any, Any], Any]] = {
    "begins the world": lambda world, planner: world.begin(),
    "rewinds the world": lambda world, planner: world.rewind(),
    "simulates in it": lambda world, planner: replan.simulate(world, "RTAA*", START, GOAL, max_moves=5),
    "simulates with the planner": lambda world, planner: replan.simulate(large(), planner, (0, 0), (29, 29)),
    "simulates both": lambda world, planner: replan.simulate(world, planner, START, GOAL, max_moves=5),
    "makes the world anew": lambda world, planner: world.__init__(large()),
    "makes the truth anew": lambda world, planner: world.truth.__init__(np.zeros((30, 30))),
    "makes a small truth": lambda world, planner: world.truth.__init__(np.zeros((1, 1))),
    "makes the belief anew": lambda world, planner: world.belief.__init__(np.zeros((30, 30))),
    "makes a small belief": lambda world, planner: world.belief.__init__(np.zeros((1, 1))),
    "frees the ring": lambda world, planner: [world.truth.set_value(s, 1) for s in range(42)],
    "forgets what happened": lambda world, planner: world.applied_changes.append(5),
    "begins the planner": lambda world, planner: planner.begin(large(), planner.goals),
}


def change_the_world(act: Callable[[Any, Any], Any], sensor: Any) -> None:
    def reaction(step: int, cell: Any) -> Any:
        if step == 3:
            act(world, planner)
        return [((2, 2), "blocked" if step % 2 else "free")]

    planner = replan.planner("D* Lite")
    world = replan.World(grid(), sensor=sensor, changes=reaction)
    replan.simulate(world, planner, START, GOAL, max_moves=60, trials=2)


SENSORS: dict[str, Any] = {"adjacent": "adjacent", "everything": "everything", "radius": replan.Radius(2, True)}
for _name, _act in IN_THE_WORLD.items():
    for _sensor, _given in SENSORS.items():
        _do = partial(change_the_world, _act, _given)
        BATTERY.add(f"reaction meanwhile/{_name}/{_sensor}", _do, errors=ROOM)


# Sensors.

for _name, _value in {**NO_WHOLE_NUMBERS, "a word": "eyes", "a class of sensors": replan.Radius}.items():
    _do = lambda value=_value: replan.World(grid(), sensor=value)  # noqa: E731
    BATTERY.add(f"sensor/{_name}/World", _do, "sensor", must=True)
for _name, _value in {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "0": 0}.items():
    if _name not in ("half",):
        _do = lambda value=_value: replan.World(grid(), sensor=replan.Radius(value))  # noqa: E731
        BATTERY.add(f"sensor/radius {_name}/World", _do, "sensor", "radius", must=True)


class Blind(replan.Radius):
    """A frozen dataclass that somebody thaws."""


def thawed(radius: Any) -> None:
    sensor = Blind(2)
    object.__setattr__(sensor, "radius", radius)
    replan.simulate(replan.World(grid(), sensor=sensor), "RTAA*", START, GOAL, max_moves=60)


for _name, _value in {"-1": -1, "0": 0, "10**6": 10**6, "10**12": 10**12, "nan": float("nan"), "None": None}.items():
    BATTERY.add(f"sensor/thawed {_name}/RTAA*", partial(thawed, _value), "sensor", "radius", "Radius", "Blind")
