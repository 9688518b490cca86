"""Everything that an object lets one call, set or write, with nonsense: no crash, no hang, and no silent damage.

The objects are those of `objects.py`. For every attribute of each there is a case: an object is made anew, and the
attribute (with what is reached through it) is called, set, deleted or written to with nonsense that depends on the name
alone; then the object is used.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any
from zlib import crc32

import numpy as np

import replan
from border.case import Battery
from border.honest import GOAL, START, Board, grid
from border.objects import OBJECTS, graph, is_ours, now, parts, reach

BATTERY = Battery()
CALLS = 18 if os.environ.get("REPLAN_THOROUGH") == "1" else 6  # of each attribute
NEVER = (SystemError, AssertionError, UnboundLocalError, RecursionError, NameError)  # errors that tell of a defect

#: Special methods that are ours to answer for. (The others are those of every object.)
SPECIAL = {"__init__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__reduce_cython__", "__repr__"}
SPECIAL |= {"__setstate_cython__", "__copy__", "__deepcopy__", "__del__", "__iter__", "__len__", "__getitem__"}
SPECIAL |= {"__setitem__", "__array__", "__hash__", "__eq__"}

NONSENSE: list[Callable[[], Any]] = [
    *(lambda x=x: x for x in (None, True, -1, 0, 1, 5, 8, 41, 42, 10**6, 10**12, 2**31, 2**62, 2**63, -(2**63))),
    *(lambda x=x: x for x in (10**30, 2.5, float("nan"), float("inf"), "x", b"x", "", "everything", (), (0, 0))),
    *(lambda x=x: x for x in ((9, 9), GOAL, (0, 10**12), ("a", None), [], [0, 1], [10**9], [-1], {}, {GOAL})),
    *(object, list, dict, lambda: int, lambda: lambda *given: None, lambda: np.arange(3), lambda: np.zeros((4, 5))),
    *(lambda: np.zeros(42, np.int32), lambda: np.zeros(0, np.int64), lambda: memoryview(b"abc"), lambda: range(9)),
    *(grid, graph, Board, lambda: replan.Grid(np.zeros((30, 30))), lambda: replan.Grid(np.zeros((1, 1)))),
    *(lambda: replan.World(grid()), lambda: replan.planner("RTAA*"), lambda: replan.planner("D* Lite")),
    *(lambda: replan.Expansions(3), lambda: replan.Radius(2), lambda: replan.Flee(GOAL), replan.LearningRule),
    *(lambda: replan.Agent("RTAA*", replan.Grid(np.zeros((30, 30))), (29, 29), (0, 0)).goals,),
    *(lambda: replan.Agent("RTAA*", grid(), START, GOAL).goals, lambda: iter([GOAL]), lambda: slice(0, 10**9)),
]


def guard(do: Callable[[], Any]) -> None:
    """Any error is an answer, but for those that only a defect raises."""
    try:
        do()
    except NEVER:
        raise
    except (Exception, SystemExit):
        pass


def nonsense(random: Random) -> tuple[Any, ...]:
    return tuple(random.choice(NONSENSE)() for _ in range(random.choice([0, 1, 1, 1, 2, 2, 3, 4, 5])))


def fuzz(which: str, name: str) -> None:
    """One attribute of an object, and all that can be reached through it."""
    thing, _ = OBJECTS[which]()
    try:
        value = getattr(thing, name)
    except Exception:
        return
    try_attribute(which, "", name)
    if is_ours(value) and not callable(value):
        for way in parts(value, 2, f".{name}"):
            part = reach(thing, way)
            if type(part).__module__.partition(".")[0] != "replan":
                write_array(which, way)
                continue
            for inner in attributes(part):
                try_attribute(which, way, inner)


def try_attribute(which: str, way: str, name: str) -> None:
    """Call it, or set it and delete it, again and again; then use the object."""
    random = Random(crc32(f"{which}{way}.{name}".encode()))
    thing, use = OBJECTS[which]()
    for i in range(CALLS):
        if i % 6 == 0:
            thing, use = OBJECTS[which]()
        given = nonsense(random)
        now(f"{which}{way}.{name} {repr(given)[:100]}")
        try:
            part = reach(thing, way)
            value = getattr(part, name)
        except Exception:
            continue
        if callable(value):
            guard(lambda value=value, given=given: value(*given))
        else:
            guard(lambda part=part, given=given: setattr(part, name, given[0] if given else None))
            if i % 3 == 2:
                guard(lambda part=part: delattr(part, name))
        if i % 3 == 2:
            guard(use)


def write_array(which: str, way: str) -> None:
    """Write nonsense into memory that can be reached, then use the object."""
    random = Random(crc32(f"{which}{way}".encode()))
    for _ in range(CALLS // 2):
        thing, use = OBJECTS[which]()
        for _ in range(6):
            place = random.choice([0, 1, 8, 41, 42, -1, -42, 10**6, 10**12, 2.5, slice(None), None])
            value = random.choice([-1, 0, 1, 41, 42, 10**6, 2**31 - 1, -(2**31), 2**62, 2**63 - 1, -(2**63), None, "x"])
            now(f"{which}{way}[{place}] = {value}")
            guard(lambda thing=thing, p=place, v=value: reach(thing, way).__setitem__(p, v))
        guard(use)


def copied(which: str, how: Callable[[Any], Any]) -> None:
    """A copy of an object in use: refused with a sentence, or as good as the object."""
    thing, use = OBJECTS[which]()
    try:
        twin = how(thing)
        for name in dir(twin):
            if not name.startswith("_"):
                guard(lambda name=name: getattr(twin, name))
        try_copy(thing, twin)
    finally:
        guard(use)


def try_copy(thing: Any, twin: Any) -> None:
    if isinstance(twin, replan.Planner) and twin.spec is not None:
        replan.simulate(grid(), twin, START, GOAL, max_moves=50)
    elif isinstance(twin, replan.Space):
        paths = [replan.Agent("Repeated Forward A*", space, START, GOAL).plan() for space in (twin, thing)]
        assert paths[0] == paths[1], paths
    elif isinstance(twin, replan.World):
        replan.simulate(twin, "RTAA*", START, None if twin.target is not None else GOAL, max_moves=50)
    elif isinstance(twin, replan.Agent):
        twin.plan()


def attributes(part: Any) -> list[str]:
    """What is there for everybody: what begins with an underscore is private, by its name."""
    return [name for name in sorted(set(dir(part))) if name in SPECIAL or not name.startswith("_")]


def note_all() -> None:
    for which, make in OBJECTS.items():
        for name in attributes(make()[0]):
            BATTERY.add(f"fuzz {which}/{name}/nonsense", partial(fuzz, which, name))
        for how in (copy.copy, copy.deepcopy, pickled):
            words = [base.__name__ for base in type(make()[0]).__mro__[:-1]]
            BATTERY.add(f"fuzz {which}/copies/{how.__name__}", partial(copied, which, how), *words, "copy", "pickle")


def pickled(thing: Any) -> Any:
    import pickle

    return pickle.loads(pickle.dumps(thing))


note_all()
