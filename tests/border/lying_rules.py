"""Learning rules and choosing rules that lie, or meddle with the search that they are shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import SENTENCES, Battery, Mine, Unnoticed
from border.honest import GOAL, START, grid
from border.lying_parts import always, large, raising
from border.values import DRESSED, HUGE, NEGATIVE, NO_WHOLE_NUMBERS

BATTERY = Battery()
NOT_THERE = (*SENTENCES, AttributeError, IndexError, OverflowError)


class Rule(replan.LearningRule):
    """Learns nothing, but for what a liar does and says."""

    def __init__(self, lie: Callable[..., Any]) -> None:
        super().__init__()
        self.lie, self.asked = lie, 0

    def learn(self, lookahead: Any) -> Any:
        self.asked += 1
        return self.lie(0, lookahead) if self.asked > 1 else 0


class Chooser(replan.ChoosingRule):
    """Takes the best state, but for what a liar does and says."""

    def __init__(self, lie: Callable[..., Any]) -> None:
        super().__init__()
        self.lie, self.asked = lie, 0

    def choose(self, lookahead: Any) -> Any:
        self.asked += 1
        return self.lie(lookahead.best, lookahead) if self.asked > 1 else lookahead.best


HOSTS = {
    "RTAA*": {"lookahead": 3},
    "LSS-LRTA*": {"lookahead": 3, "queue": "buckets"},
    "daRTAA*": {"lookahead": 3, "on_cost_decrease": "repair"},
}


def hosted(host: str, kind: str, lie: Callable[..., Any]) -> Any:
    """A planner with this rule."""
    rule = Rule(lie) if kind == "learning" else Chooser(lie)
    return replan.planner(host, **HOSTS[host], **{kind: rule})


def follow_rule(host: str, kind: str, lie: Callable[..., Any], expect: str) -> None:
    world = replan.World(grid(), changes=[(4, (2, 2), "blocked"), (6, (2, 2), "free")])
    trip = replan.simulate(world, hosted(host, kind, lie), START, GOAL, max_moves=200)
    if expect == "must":
        raise Unnoticed(f"the trip: {trip}")
    if expect == "right" and kind == "choosing":
        assert trip.reached, "the goal was not reached"


def note(kind: str, what: str, lie: Callable[..., Any], expect: str = "must", **how: Any) -> None:
    words = how.pop("words", ("Rule", "learn(") if kind == "learning" else ("Chooser", "choose("))
    for host in HOSTS:
        BATTERY.add(f"{kind} rule/{what}/{host}", partial(follow_rule, host, kind, lie, expect), *words, **how)


for _name, _value in NO_WHOLE_NUMBERS.items():
    note("learning", _name, always(_value), "lives" if _name == "half" else "must")
    note("choosing", _name, always(_value))
for _name, _value in HUGE.items():
    note("learning", _name, always(_value), "must" if _value >= 2**63 else "lives")
    note("choosing", _name, always(_value))
for _name, _value in {**NEGATIVE, "n": 42, "n + 1": 43, "the ring": 0, "a wall": 16}.items():
    note("choosing", _name, always(_value))
    if _value < 0:
        note("learning", _name, always(_value), "lives")
note("choosing", "a closed state", lambda best, look: look.closed[0])
note("choosing", "a state never met", lambda best, look: 33 if 33 not in (look.best, *look.frontier) else 0)
for _name, _dress in DRESSED.items():
    note("choosing", f"as {_name}", lambda best, look, x=_dress: x(best), "lives" if _name == "true" else "right")
    note("learning", f"as {_name}", lambda rise, look, x=_dress: x(1), "lives")
for _error in (Mine("mine"), StopIteration("mine"), KeyboardInterrupt("mine"), SystemExit("mine")):
    for _kind in ("learning", "choosing"):
        _name = f"raises {type(_error).__name__}"
        note(_kind, _name, raising(_error), "must", errors=(type(_error),), words=("mine",))


def put(column: Callable[[Any], Any], where: Any, value: Any) -> Callable[[Any], Any]:
    def act(look: Any) -> None:
        at = where(look) if callable(where) else where
        column(look)[at] = value

    return act


COLUMNS: dict[str, Callable[[Any], Any]] = {
    "h": lambda look: look.h,
    "g": lambda look: look.g,
    "parent": lambda look: look.search.parent,
    "stamp": lambda look: look.search.stamp,
    "closed": lambda look: look.search.closed,
    "frontier states": lambda look: look.frontier_states,
    "goals": lambda look: look.goals.states,
    "goal flags": lambda look: look.goals.goal_flags,
    "new": lambda look: look.open.batch_states,
    "moves of the grid": lambda look: look.space.moves,
    "values of the grid": lambda look: look.space.value,
}
PLACES: dict[str, Any] = {
    "n": 42,
    "-1": -1,
    "10**9": 10**9,
    "2**63": 2**63,
    "half": 2.5,
    "the best": lambda look: look.best,
    "the agent's": lambda look: look.agent_state,
    "the first": 0,
}
WRITTEN: dict[str, Any] = {
    **{name: HUGE[name] for name in ("2**31 - 1", "2**40", "2**62", "2**63 - 1", "2**63")},
    **{name: NEGATIVE[name] for name in ("-1", "-2**31", "-2**63")},
    "None": None,
    "a text": "x",
    "nan": float("nan"),
    "41": 41,
    "8": 8,
}
ACTS: dict[str, Callable[[Any], Any]] = {
    f"writes {column} at {place}: {value}": put(COLUMNS[column], PLACES[place], WRITTEN[value])
    for column in COLUMNS
    for place in PLACES
    for value in (WRITTEN if place in ("the best", "the agent's", "the first") else ("41",))
}
for _name, _value in {"n": 42, "10**6": 10**6, "10**12": 10**12, "-1": -1, "None": None, "2**63": 2**63}.items():
    for _method in ("successors", "predecessors", "first_h", "is_open"):
        ACTS[f"asks {_method} of {_name}"] = lambda look, m=_method, x=_value: getattr(look, m)(x)
    for _method in (
        "pop",
        "remove",
        "insert",
        "decrease",
        "update",
        "insert_batch",
        "insert_batch_and_pop",
        "set_bounds",
        "top_precedes",
    ):
        ACTS[f"lets the open list {_method} {_name}"] = lambda look, m=_method, x=_value: call(look.open, m, x)
    for _method in (
        *("begin", "first_h", "add_start", "advance", "run", "insert_starts"),
        *("current_h", "refresh_h", "computed_h", "set_goals"),
    ):
        ACTS[f"lets the search {_method} {_name}"] = lambda look, m=_method, x=_value: call(look.search, m, x)
ACTS |= {
    "empties the open list": lambda look: look.open.clear(),
    "takes all from the open list": lambda look: [look.open.pop() for _ in range(50)],
    "reseeds the open list": lambda look: look.open.reseed(),
    "makes the open list anew": lambda look: look.open.__init__(),
    "lists the frontier": lambda look: look.copy_frontier(),
    "settles on a large grid": lambda look: look.attach(large()),
    "settles on a small grid": lambda look: look.attach(replan.Grid(np.zeros((1, 1)))),
    "settles on nothing": lambda look: look.attach(None),
    "aims at nothing": lambda look: look.set_goals(None, None),
    "follows nothing": lambda look: look.follow(None, None),
    "looks again": lambda look: look.run_search(8, 5, 0),
    "touches": lambda look: look.prefault(),
    "makes the look anew": lambda look: look.__init__(large(), look.open),
    "makes a small look": lambda look: look.__init__(replan.Grid(np.zeros((1, 1))), look.open),
    "makes the search anew": lambda look: look.search.__init__(10**6),
    "makes a small search": lambda look: look.search.__init__(1),
    "makes the goals anew": lambda look: look.goals.__init__([41], 10**6),
    "makes large goals": lambda look: look.goals.__init__([1, 10**5], 10**6),
    "makes the space anew": lambda look: look.space.__init__(np.zeros((30, 30))),
    "makes a small space": lambda look: look.space.__init__(np.zeros((1, 1))),
    "changes the space": lambda look: [look.space.set_value(s, 0) for s in range(8, 34)],
    "frees the ring": lambda look: [look.space.set_value(s, 1) for s in range(42)],
    "sets the bound of the queue": lambda look: setattr(look.search, "queue_bound", 0),
    "sets pathmax": lambda look: setattr(look.search, "pathmax", True),
}


def call(thing: Any, method: str, value: Any) -> None:
    """With one argument, or as many as it takes."""
    for count in range(1, 5):
        try:
            getattr(thing, method)(*[value] * count)
        except TypeError:
            continue


def poke(kind: str, host: str, act: Callable[[Any], Any]) -> None:
    def lie(honest: Any, look: Any) -> Any:
        act(look)
        return honest

    follow_rule(host, kind, lie, "lives")


for _i, (_name, _act) in enumerate(ACTS.items()):
    for _j, _kind in enumerate(("learning", "choosing")):
        _host = list(HOSTS)[(_i + _j) % 3]
        BATTERY.add(f"{_kind} rule meanwhile/{_name}/{_host}", partial(poke, _kind, _host, _act), errors=NOT_THERE)


AGAIN: dict[str, Callable[[Any, Any], Any]] = {
    "asks the planner": lambda planner, look: planner.plan(look.agent_state, None),
    "begins anew": lambda planner, look: planner.begin(look.space, look.goals),
    "begins on a large map": lambda planner, look: planner.begin(large(), look.goals),
    "begins on a small map": lambda planner, look: planner.begin(replan.Grid(np.zeros((1, 1))), look.goals),
    "simulates": lambda planner, look: replan.simulate(large(), planner, (0, 0), (29, 29)),
    "makes an agent": lambda planner, look: replan.Agent(planner, large(), (0, 0), (29, 29)).plan(),
    "forgets": lambda planner, look: planner.reset_h(look.goals),
    "retargets": lambda planner, look: planner.retarget(look.goals),
    "notifies": lambda planner, look: planner.notify([8, 9, 10], False),
    "notifies of nowhere": lambda planner, look: planner.notify([10**6, -5], False),
    "touches": lambda planner, look: planner.prefault(),
    "makes a short trail": lambda planner, look: planner.reserve_path(1),
    "takes a snapshot": lambda planner, look: planner.snapshot(),
    "makes it anew": lambda planner, look: planner.__init__(look.open, planner.learning, planner.choosing, None),
}


def again(kind: str, host: str, act: Callable[[Any, Any], Any]) -> None:
    held: list[Any] = []

    def lie(honest: Any, look: Any) -> Any:
        if held:
            act(held.pop(), look)
        return honest

    planner = hosted(host, kind, lie)
    held.append(planner)
    replan.simulate(replan.World(grid()), planner, START, GOAL, max_moves=200)


for _name, _act in AGAIN.items():
    for _kind in ("learning", "choosing"):
        for _host in HOSTS:
            BATTERY.add(f"{_kind} rule again/{_name}/{_host}", partial(again, _kind, _host, _act), errors=NOT_THERE)


def keep_look(act: Callable[[Any], Any]) -> None:
    """What a rule was shown is looked at long after: when the planner is elsewhere, and when it is gone."""
    kept: list[Any] = []
    planner = hosted("RTAA*", "choosing", lambda best, look: kept.append(look) or best)
    replan.simulate(replan.World(grid()), planner, START, GOAL, max_moves=200)
    for left in (replan.Grid(np.zeros((1, 2))), large()):
        replan.simulate(left, planner, (0, 0), (0, 1))
        for look in kept:
            act(look)
    del planner
    for look in kept:
        act(look)


for _name, _act in ACTS.items():
    if "writes" not in _name or "n:" in _name:
        BATTERY.add(f"kept look/{_name}/RTAA*", partial(keep_look, _act), errors=NOT_THERE)


class NoInit(replan.LearningRule):
    def __init__(self) -> None:
        pass

    def learn(self, lookahead: Any) -> int:
        return len(lookahead.frontier) * 0


class NoLearn(replan.LearningRule):
    pass


class NoChoose(replan.ChoosingRule):
    pass


def with_rule(**rules: Any) -> None:
    trip = replan.simulate(replan.World(grid()), replan.planner("RTAA*", **rules), START, GOAL, max_moves=500)
    assert trip.reached


BATTERY.add("rules made/no __init__/RTAA*", lambda: with_rule(learning=NoInit()), "__init__", "NoInit")
for _what, _kind in {"no learn": NoLearn, "the base": replan.LearningRule}.items():
    BATTERY.add(f"rules made/{_what}/RTAA*", lambda kind=_kind: with_rule(learning=kind()), "learn", must=True)
for _what, _kind in {"no choose": NoChoose, "the other base": replan.ChoosingRule}.items():
    BATTERY.add(f"rules made/{_what}/RTAA*", lambda kind=_kind: with_rule(choosing=kind()), "choose", must=True)
for _name, _value in {**NO_WHOLE_NUMBERS, "a class of rules": NoLearn, "another rule": replan.ChoosingRule()}.items():
    if _value is not None:
        _do = lambda value=_value: with_rule(learning=value)  # noqa: E731
        BATTERY.add(f"rules made/learning={_name}/RTAA*", _do, "LearningRule", must=True)
