"""Targets and planners in plain Python that lie, or meddle with what asks them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import SENTENCES, Battery, Mine, Unnoticed
from border.honest import GOAL, QUERIES, START, grid, make
from border.lying_spaces import some_engines
from border.values import DRESSED, HUGE, NEGATIVE, NO_WHOLE_NUMBERS, for_ever
from replan.limits import INF

BATTERY = Battery()
ROOM = (*SENTENCES, AttributeError)  # what is not there to be set, or is no longer there


def raising(error: BaseException) -> Callable[..., Any]:
    def lie(*given: Any) -> Any:
        raise error

    return lie


def always(value: Any) -> Callable[..., Any]:
    return lambda *given: value


# Targets.


class Runner(replan.Target):
    """Stands still, but for one method that lies."""

    def __init__(self, method: str = "", lie: Callable[..., Any] | None = None) -> None:
        super().__init__(GOAL, 1)
        self.method, self.lie, self.steps = method, lie, 0

    def step(self, space: Any, state: int, agent_state: int) -> Any:
        self.steps += 1
        return self.lie(state, space) if self.method == "step" and self.lie and self.steps > 1 else state

    def begin(self, space: Any) -> Any:
        return self.lie(space.state(GOAL), space) if self.method == "begin" and self.lie else space.state(GOAL)

    def is_at_rest(self) -> Any:
        return self.lie(False, None) if self.method == "is_at_rest" and self.lie else False


def chase(engine: str, method: str, lie: Callable[..., Any], must: bool) -> None:
    trip = replan.simulate(replan.World(grid(), target=Runner(method, lie)), make(engine), START, max_moves=100)
    if must:
        raise Unnoticed(f"{method}() returned {lie(5, grid())!r}, and the trip {trip.why}")


def followers(what: str) -> list[str]:
    return [engine for engine in some_engines(what) if engine not in QUERIES]


def note_target(method: str, what: str, lie: Callable[..., Any], must: bool = True, **how: Any) -> None:
    words = how.pop("words", ("Runner", f"{method}("))
    for engine in followers(what):
        BATTERY.add(f"target {method}/{what}/{engine}", partial(chase, engine, method, lie, must), *words, **how)


for _method in ("step", "begin"):
    for _name, _value in {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "n": 42, "n + 1": 43}.items():
        note_target(_method, _name, always(_value))
    for _name, _dress in DRESSED.items():
        _words = ("Runner", f"{_method}(", "cell")
        note_target(_method, f"as {_name}", lambda at, space, x=_dress: x(at), must=False, words=_words)
    for _name, _value in {"the ring": 0, "the end of the ring": 41, "a wall": 16}.items():
        note_target(_method, _name, always(_value), must=False, words=("Runner", "cell", "goal"))
for _method in ("step", "begin", "is_at_rest"):
    note_target(_method, "raises", raising(Mine("mine")), errors=(Mine,), words=("mine",))
for _name, _value in {"None": None, "a text": "x", "true": True, "an array": np.arange(3)}.items():
    note_target("is_at_rest", _name, always(_value), must=False)

MEDDLING: dict[str, Callable[[Any, Any, Any], Any]] = {
    "begins the world": lambda world, planner, target: world.begin(),
    "rewinds the world": lambda world, planner, target: world.rewind(),
    "simulates in this world": lambda world, planner, target: replan.simulate(world, "RTAA*", START, max_moves=9),
    "simulates with this planner": lambda world, planner, target: replan.simulate(large(), planner, (0, 0), (29, 29)),
    "simulates both": lambda world, planner, target: replan.simulate(world, planner, START, max_moves=9),
    "makes the world anew": lambda world, planner, target: world.__init__(large()),
    "makes the target anew": lambda world, planner, target: target.__init__(),
    "makes the truth anew": lambda world, planner, target: world.truth.__init__(np.zeros((30, 30))),
    "makes the belief anew": lambda world, planner, target: world.belief.__init__(np.zeros((30, 30))),
    "makes a small truth": lambda world, planner, target: world.truth.__init__(np.zeros((1, 1))),
    "makes a small belief": lambda world, planner, target: world.belief.__init__(np.zeros((1, 1))),
    "blocks everything": lambda world, planner, target: [world.truth.set_value(s, 0) for s in range(8, 34)],
    "frees the ring": lambda world, planner, target: [world.truth.set_value(s, 1) for s in range(42)],
    "changes the belief": lambda world, planner, target: [world.belief.set_value(s, 0) for s in range(8, 34)],
    "runs": lambda world, planner, target: target.set_speed(100),
    "moves at once": lambda world, planner, target: setattr(target, "_speed_numerator", 2**62),
    "moves backwards": lambda world, planner, target: setattr(target, "_speed_numerator", -(2**62)),
    "divides by nothing": lambda world, planner, target: setattr(target, "_speed_denominator", 0),
    "divides by less": lambda world, planner, target: setattr(target, "_speed_denominator", -1),
    "begins the planner": lambda world, planner, target: planner.begin(large(), planner.goals),
    "asks the planner": lambda world, planner, target: planner.plan(8, None),
    "collects": lambda world, planner, target: gc.collect(),
}


def large() -> replan.Grid:
    return replan.Grid(np.zeros((30, 30), bool), 4)


def meddle(engine: str, act: Callable[[Any, Any, Any], Any]) -> None:
    held: dict[str, Any] = {}

    def lie(at: int, space: Any) -> int:
        target.method = ""
        act(held["world"], held["planner"], target)
        return at

    target = Runner("step", lie)
    held["planner"], held["world"] = make(engine), replan.World(grid(), target=target)
    replan.simulate(held["world"], held["planner"], START, max_moves=100)


for _name, _act in MEDDLING.items():
    for _engine in followers(_name):
        BATTERY.add(f"target meanwhile/{_name}/{_engine}", partial(meddle, _engine, _act), errors=ROOM)


class Unmade(replan.Target):
    def __init__(self) -> None:
        pass

    def begin(self, space: Any) -> int:
        return 33

    def step(self, space: Any, state: int, agent_state: int) -> int:
        return state


class Stepless(replan.Target):
    pass


def follow_one(kind: Callable[[], Any]) -> None:
    replan.simulate(replan.World(grid(), target=kind()), "RTAA*", START, max_moves=9)


BATTERY.add("target made/without __init__/RTAA*", partial(follow_one, Unmade), "Unmade", must=True)
BATTERY.add("target made/without step/RTAA*", partial(follow_one, partial(Stepless, GOAL)), "Stepless", must=True)
BATTERY.add("target made/the base/RTAA*", partial(follow_one, partial(replan.Target, GOAL)), "Target", must=True)
for _name, _value in {**NO_WHOLE_NUMBERS, "101": 101, "-1": -1, "true": True}.items():
    if _name not in ("half",):
        _do = lambda value=_value: replan.Flee(GOAL, value)  # noqa: E731
        BATTERY.add(f"target made/speed {_name}/Flee", _do, "speed", must=True)


# Planners.


class Guide(replan.Planner):
    """Breadth-first search, but what it finds is told by a liar."""

    def __init__(self, lie: Callable[..., Any] | None = None) -> None:
        super().__init__()
        self.lie, self.asked = lie, 0

    def honest(self, state: int) -> list[int]:
        parent, listed = {state: state}, [state]
        for u in listed:
            if self.goals._contains(u):
                path = [u]
                while parent[path[-1]] != path[-1]:
                    path.append(parent[path[-1]])
                return path[-2::-1]
            for v in range(self.space.n):
                if v not in parent and self.space.edge_cost(u, v) < INF:
                    parent[v] = u
                    listed.append(v)
        return []

    def plan(self, state: int, budget: Any) -> Any:
        path = self.honest(state)
        self.asked += 1
        return self.lie(path, self) if self.lie else path

    def retarget(self, goals: Any) -> None:
        self.goals_now = goals


def guided(planner: Any, way: str) -> Any:
    """A trip that such a planner leads: alone, as a part of RTD*, or by hand."""
    world = replan.World(grid(), known="everything", changes=[(3, (2, 2), "blocked")])
    if way == "in RTD*":
        planner = replan.planner("RTD*", local=planner, local_ratio=1.0, lookahead=2)
    if way != "by hand":
        return replan.simulate(world, planner, START, GOAL, max_moves=60)
    agent = replan.Agent(planner, grid(), START, GOAL)
    for _ in range(60):
        path = agent.plan()
        if path is None or agent.cell == GOAL:
            break
        if path:
            agent.move(path[0])
    return agent


def lead(way: str, lie: Callable[..., Any], kind: str) -> None:
    planner = Guide(lie)
    came = guided(planner, way)
    if kind == "must":
        raise Unnoticed(f"plan() returned {repr(lie([9], planner))[:60]}")
    if kind == "right":
        assert (came.cell == GOAL) if way == "by hand" else came.reached, "the goal was not reached"


def note_plan(what: str, lie: Callable[..., Any], kind: str = "must", **how: Any) -> None:
    words = how.pop("words", ("Guide", "plan("))
    for way in ("alone", "in RTD*", "by hand"):
        BATTERY.add(f"planner path/{what}/{way}", partial(lead, way, lie, kind), *words, **how)


PATHS: dict[str, Any] = {
    **{name: value for name, value in NO_WHOLE_NUMBERS.items() if name not in ("None", "list", "pair")},
    "a number": 5,
    "an endless generator": for_ever(9),
    "a list with None": [None],
    "a list with a text": ["9"],
    "a list with half": [8.5],
    "a list with nan": [float("nan")],
    "a list in a list": [[9]],
    "a flat array in an array": np.array([[9, 10]]),
}
for _name, _value in PATHS.items():
    note_plan(_name, always(_value))
for _name, _value in {**HUGE, **NEGATIVE, "n": 42, "n + 1": 43}.items():
    note_plan(f"state {_name}", lambda path, planner, x=_value: [x])
    note_plan(f"then state {_name}", lambda path, planner, x=_value: [*path[:2], x])
note_plan("a jump", lambda path, planner: path[-1:] if len(path) > 1 else [9, 33])
note_plan("through a wall", lambda path, planner: [9, 16, 23])
note_plan("the ring", always([7]))
HALF_PATHS: dict[str, Callable[..., Any]] = {
    "a tuple": lambda path, planner: tuple(path),
    "a generator": lambda path, planner: (s for s in path),
    "an array": lambda path, planner: np.array(path, np.int64),
    "an array of bytes": lambda path, planner: np.array(path, np.uint8),
    "numpy ints": lambda path, planner: [np.int32(s) for s in path],
    "there and back": lambda path, planner: [*path, *path[-2::-1]],
    "a million states": lambda path, planner: [*path, *[path[-1]] * 10**6] if path else path,
    "one step": lambda path, planner: path[:1],
}
for _name, _lie in HALF_PATHS.items():
    note_plan(_name, _lie, "right")
note_plan("waits for ever", always([]), "lives")
note_plan("itself", lambda path, planner: [8, *path], "lives")
note_plan("a dict of states", lambda path, planner: dict.fromkeys(path), "lives")
note_plan("gives up", always(None), "lives")
for _error in (Mine("mine"), StopIteration("mine"), KeyboardInterrupt("mine"), SystemExit("mine")):
    note_plan(f"raises {type(_error).__name__}", raising(_error), errors=(type(_error),), words=("mine",))

AT_WORK: dict[str, Callable[[Any], Any]] = {
    "begins on a large map": lambda planner: planner.begin(large(), planner.goals),
    "begins on a small map": lambda planner: planner.begin(replan.Grid(np.zeros((1, 1))), planner.goals),
    "asks itself": lambda planner: replan.Planner.plan(planner, 8, None),
    "simulates": lambda planner: replan.simulate(large(), planner, (0, 0), (29, 29)),
    "makes an agent": lambda planner: replan.Agent(planner, large(), (0, 0), (29, 29)),
    "makes itself anew": lambda planner: replan.Planner.__init__(planner),
    "makes its space anew": lambda planner: planner.space.__init__(np.zeros((30, 30))),
    "makes a small space": lambda planner: planner.space.__init__(np.zeros((1, 1))),
    "makes its goals anew": lambda planner: planner.goals.__init__([5, 10**6], 10**7),
    "blocks everything": lambda planner: [planner.space.set_value(s, 0) for s in range(8, 34)],
    "makes its trail anew": lambda planner: planner.reserve_path(1),
    "touches": lambda planner: planner.prefault(),
}


def at_work(act: Callable[[Any], Any], way: str) -> None:
    def lie(path: list[int], planner: Any) -> list[int]:
        planner.lie = None
        act(planner)
        return path

    guided(Guide(lie), way)


for _name, _act in AT_WORK.items():
    for _way in ("alone", "in RTD*", "by hand"):
        BATTERY.add(f"planner meanwhile/{_name}/{_way}", partial(at_work, _act, _way), errors=ROOM)


class NoBase(Guide):
    """Leaves begin of its base out."""

    def begin(self, space: Any, goals: Any) -> None:
        self.mine = space, goals

    def plan(self, state: int, budget: Any) -> Any:
        return [state + 1]


class NoInit(Guide):
    def __init__(self) -> None:
        self.lie, self.asked = None, 0


class NoPlan(replan.Planner):
    pass


class Deaf(Guide):
    def notify(self, states: Any, costs_increased: Any) -> Any:
        raise Mine("mine")


class Meddler(Guide):
    def notify(self, states: Any, costs_increased: Any) -> Any:
        self.begin(large(), self.goals)


for _way in ("alone", "in RTD*", "by hand"):
    for _kind, _must, _word in ((NoBase, True, "begin"), (NoInit, False, "__init__"), (NoPlan, True, "NoPlan")):
        _do = lambda kind=_kind, way=_way: guided(kind(), way)  # noqa: E731
        BATTERY.add(f"planner made/{_kind.__name__}/{_way}", _do, _word, must=_must)
for _kind in (Deaf, Meddler):
    _do = lambda kind=_kind: guided(kind(), "alone")  # noqa: E731
    BATTERY.add(f"planner made/{_kind.__name__}/alone", _do, errors=(Mine, *ROOM))

SETTINGS = {
    "expansion_limit": (0, -1, -(2**63), 2**63, None, "x", 2.5),
    "time_limit_ns": (-1, -(2**63), 2**63 - 1, None, "x"),
    "move_limit": (0, -1, -(2**63), 2**63, None, "x"),
    "spec": (None, 5, "x", object()),
    "replans_on_every_change": (None, "x", 5),
    "waits_for_changes": (None, "x", 5),
    "is_optimal": (None, "x", 5),
    "space": (None, 5, large()),
    "goals": (None, 5),
    "planned_path": (None, 5),
    "expansions": (-1, 2**63 - 1),
}


def set_up(engine: str, name: str, value: Any) -> None:
    """A setting made from outside, before the trip and in the middle of it."""
    for when in (0, 2):
        planner = Guide() if engine == "own" else make(engine)
        agent = replan.Agent(planner, grid(), START, GOAL)
        for i in range(30):
            if i == when:
                try:
                    setattr(planner, name, value)
                except (*ROOM, OverflowError):
                    return
            path = agent.plan()
            if path:
                agent.move(path[0])


for _field, _values in SETTINGS.items():
    for _i, _value in enumerate(_values):
        for _engine in ("own", "RTAA*", "D* Lite", "TBA*", "RTD*"):
            _name = f"planner settings/{_field}/{_i} {_engine}"
            BATTERY.add(_name, partial(set_up, _engine, _field, _value), errors=ROOM)
