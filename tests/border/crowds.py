"""Crowds that are told nonsense, by liars, in the wrong order and by several at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import SENTENCES, Battery, Mine, Unnoticed
from border.honest import GOAL, START, Board, grid
from border.lying_rules import Chooser, Rule
from border.sharing import in_threads
from border.values import HUGE, NEGATIVE, NO_WHOLE_NUMBERS, Grumpy

BATTERY = Battery()
STARTS, GOALS = [START, (0, 4), (3, 0)], [GOAL, (3, 0), (0, 4)]
CROWDS: dict[str, Callable[[], Any]] = {
    "RTAA*": lambda: replan.Crowd(grid(), "RTAA*", lookahead=4),
    "solid": lambda: replan.Crowd(grid(8), "LSS-LRTA*", collisions="wait", lookahead=4),
    "of fields": lambda: replan.Crowd(grid(), "FlowField"),
    "in a world": lambda: replan.Crowd(replan.World(grid(), changes=[(3, (2, 2), "blocked")]), "LRTA*"),
    "of three workers": lambda: replan.Crowd(grid(), "daRTAA*", workers=3, lookahead=4),
    "on a board": lambda: replan.Crowd(Board(), "RTAA*", lookahead=4),
}


def crowd_of(which: str) -> Any:
    crowd = CROWDS[which]()
    ids = crowd.add(STARTS, GOALS)
    crowd.tick()
    return crowd, ids


def use(crowd: Any) -> None:
    """All arrive, whatever was tried before: each, if it is solid, or nobody is in its way."""
    for _ in range(60):
        crowd.tick()
    at, goals = list(map(tuple, crowd.cells)), list(map(tuple, crowd.goals))
    assert len(crowd) == len(at) == 3, f"{len(crowd)} are there, not 3"
    assert at == goals, f"they stand on {at}, and not on their goals {goals}"


def wrong(which: str, act: Callable[[Any, Any], Any]) -> None:
    """Nonsense is refused in words, and all goes on."""
    crowd, ids = crowd_of(which)
    try:
        act(crowd, ids)
    finally:
        use(crowd)
    raise Unnoticed("")


ASKED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add starts": lambda crowd, ids, x: crowd.add(x, [GOAL]),
    "add goals": lambda crowd, ids, x: crowd.add([(2, 0)], x),
    "add a row": lambda crowd, ids, x: crowd.add([(x, 0)], [GOAL]),
    "remove": lambda crowd, ids, x: crowd.remove([x]),
    "retarget who": lambda crowd, ids, x: crowd.retarget([x], GOAL),
    "retarget where": lambda crowd, ids, x: crowd.retarget(ids, [(x, x)]),
    "place who": lambda crowd, ids, x: crowd.set_positions([x], [START]),
    "place where": lambda crowd, ids, x: crowd.set_positions(ids[:1], [(x, 0)]),
    "observe": lambda crowd, ids, x: crowd.observe([(x, 0)], [False]),
    "observe flags": lambda crowd, ids, x: crowd.observe([(2, 2)], blocked=[x]),
    "observe weights": lambda crowd, ids, x: crowd.observe([(2, 2)], weights=[x]),
    "tick for whom": lambda crowd, ids, x: crowd.tick(ids=[x]),
    "tick with": lambda crowd, ids, x: crowd.tick(x),
}
#: What is no nonsense there: a list that is empty, nothing at all.
FINE = {("tick with", "None"), ("add starts", "pair"), ("add goals", "pair")}
VALUES = {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "99": 99, "grumpy": Grumpy(), "empty dict": {}}
for _which in CROWDS:
    for _method, _ask in ASKED.items():
        for _name, _value in VALUES.items():
            if (_method, _name) not in FINE and (_method, _which) != ("observe weights", "on a board"):
                _do = lambda crowd, ids, ask=_ask, x=_value: ask(crowd, ids, x)  # noqa: E731
                _errors = (*SENTENCES, IndexError, OverflowError, KeyError, ZeroDivisionError)
                BATTERY.add(f"crowd asked/{_method} {_name}/{_which}", partial(wrong, _which, _do), errors=_errors)

ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "more goals than starts": lambda crowd, ids: crowd.add([START, START], [GOAL, GOAL, GOAL]),
    "goals for others": lambda crowd, ids: crowd.retarget(ids, [GOAL, GOAL]),
    "somebody who has gone": lambda crowd, ids: (crowd.add([(2, 0)], [GOAL]), crowd.remove([3]), crowd.tick(ids=[3])),
    "gone twice": lambda crowd, ids: (crowd.add([(2, 0)], [GOAL]), crowd.remove([3]), crowd.remove([3])),
    "sent after it has gone": lambda crowd, ids: (crowd.add((2, 0), GOAL), crowd.remove(3), crowd.retarget(3, START)),
    "two places for one": lambda crowd, ids: crowd.set_positions([ids[0], ids[0]], [START, GOAL]),
    "made again": lambda crowd, ids: crowd.__init__(grid()),
    "a mask of other length": lambda crowd, ids: crowd.tick(ids=[True, False]),
    "a whole map of other size": lambda crowd, ids: crowd.observe_map(np.zeros((40, 50), bool)),
}
MADE: dict[str, Callable[[], Any]] = {
    "no space": lambda: replan.Crowd(None),
    "a bare grid": lambda: replan.Crowd(replan.Grid.__new__(replan.Grid)).add(START, GOAL),
    "a bare world": lambda: replan.Crowd(replan.World.__new__(replan.World)).add(START, GOAL),
    "an array": lambda: replan.Crowd(np.zeros((4, 5))),
    "a planner that is made": lambda: replan.Crowd(grid(), replan.planner("RTAA*")),
    "a planner that keeps all": lambda: replan.Crowd(grid(), "D* Lite"),
    "no workers": lambda: replan.Crowd(grid(), workers=0),
    "half a worker": lambda: replan.Crowd(grid(), workers=1.5),
    "endless workers": lambda: replan.Crowd(grid(), workers=10**9),
    "repairs": lambda: replan.Crowd(grid(), on_cost_decrease="repair"),
    "an array of h": lambda: replan.Crowd(grid(), heuristic=np.zeros((4, 5))),
    "an own rule for many": lambda: replan.Crowd(grid(), workers=2, learning=Rule(lambda *given: 0)),
    "other options": lambda: replan.Crowd(grid(), lookout=3),
    "a world with a target": lambda: replan.Crowd(replan.World(grid(), target=replan.Flee(GOAL))),
    "memory for nothing": lambda: replan.Crowd(grid(), "FlowField", memory_limit=0).add(START, GOAL),
    "memory in words": lambda: replan.Crowd(grid(), "FlowField", memory_limit="x").add(START, GOAL),
}
for _name, _make in MADE.items():
    BATTERY.add(f"crowd made/{_name}/refused", _make, must=True)
for _which in CROWDS:
    for _name, _act in ORDERS.items():
        BATTERY.add(f"crowd in disorder/{_name}/{_which}", partial(wrong, _which, _act))


# Parts of the user's that lie, raise, or call back.


def with_liar(make: Callable[[], Any], honest: Callable[[], Any]) -> None:
    """An answer of a liar is refused; the crowd goes on once it stops."""
    crowd = make()
    crowd.add(STARTS, GOALS)
    try:
        for _ in range(30):
            crowd.tick()
    finally:
        honest()
        use(crowd)
    raise Unnoticed("")


class Once:
    """An honest part that does something odd the second time, and never again."""

    def __init__(self, odd: Callable[[], Any], honest: Any) -> None:
        self.odd, self.honest, self.asked = odd, honest, 0

    def __call__(self, *given: Any) -> Any:
        self.asked += 1
        return self.odd() if self.asked == 2 else self.honest(*given)


def raising() -> Any:
    raise Mine("mine")


for _name, _lie in {
    "raises": raising,
    **{name: (lambda x=x: x) for name, x in NO_WHOLE_NUMBERS.items() if name not in ("half", "infinity")},
    "-1": lambda: -1,
}.items():
    _errors = (Mine, *SENTENCES)
    _h = lambda lie=_lie: replan.Crowd(grid(), heuristic=Once(lie, lambda a, b: 0.0))  # noqa: E731
    if _name not in ("text", "bytes"):  # which are numbers to float()
        BATTERY.add(f"crowd's heuristic/{_name}/RTAA*", partial(with_liar, _h, lambda: None), errors=_errors)
    _learn = lambda lie=_lie: replan.Crowd(grid(), learning=Rule(Once(lie, lambda *given: 0)))  # noqa: E731
    if _name not in ("-1",):
        BATTERY.add(f"crowd's rule/{_name}/RTAA*", partial(with_liar, _learn, lambda: None), errors=_errors)
    _choose = lambda lie=_lie: replan.Crowd(grid(), choosing=Chooser(Once(lie, lambda best, look: best)))  # noqa: E731
    BATTERY.add(f"crowd's choice/{_name}/RTAA*", partial(with_liar, _choose, lambda: None), errors=_errors)

CALLS: dict[str, Callable[[Any], Any]] = {
    "ticks": lambda crowd: crowd.tick(),
    "adds": lambda crowd: crowd.add([(2, 0)], [GOAL]),
    "removes": lambda crowd: crowd.remove([0]),
    "retargets": lambda crowd: crowd.retarget([0], START),
    "places": lambda crowd: crowd.set_positions([0], [START]),
    "observes": lambda crowd: crowd.observe([(2, 2)], [True]),
    "changes the belief": lambda crowd: crowd.belief.set_value(24, 0),
    "makes it again": lambda crowd: crowd.__init__(grid()),
    "copies it": lambda crowd: __import__("copy").copy(crowd),
}


def calls_back(kind: str, call: Callable[[Any], Any]) -> None:
    """From inside a frame: refused, and the frame goes on as it likes."""
    said: list[str] = []

    def odd() -> Any:
        try:
            call(crowd)
        except SENTENCES as error:
            said.append(str(error))
        return 0

    part: Any = Once(odd, lambda *given: 0)
    if kind == "learning":
        part = Rule(part)
    crowd = replan.Crowd(grid(), **{kind: part})
    crowd.add(STARTS, GOALS)
    use(crowd)
    assert said and said[0], "a call from inside a frame was not refused"


for _kind in ("heuristic", "learning"):
    for _name, _call in CALLS.items():
        BATTERY.add(f"crowd from inside/{_name}/{_kind}", partial(calls_back, _kind, _call), errors=())


# Threads.


def share_a_crowd(which: str) -> None:
    crowd, _ = crowd_of(which)

    def come_and_go() -> None:
        crowd.remove(crowd.add([(2, 0)], [GOAL]))

    jobs = [crowd.tick, lambda: crowd.retarget([0, 1, 2], [*GOALS[1:], GOAL]), come_and_go]
    in_threads([*jobs, lambda: (crowd.observe([(2, 2)], [False]), crowd.report(), crowd.status, crowd.cells)])


def share_its_belief(which: str) -> None:
    crowd, _ = crowd_of(which)
    agent = replan.Agent("D* Lite", crowd.belief, START, GOAL)

    def walk() -> None:
        path = agent.plan()
        agent.observe([(2, 2)], [bool(agent.episodes % 2)])
        if path:
            agent.move(path[0], even_if_blocked=True)
        else:
            agent.restart(START)

    in_threads([crowd.tick, walk, lambda: crowd.observe([(2, 3)], [False])])


for _which in CROWDS:
    BATTERY.add(f"threads/share a crowd/{_which}", partial(share_a_crowd, _which), errors=())
    BATTERY.add(f"threads/share its belief/{_which}", partial(share_its_belief, _which), errors=())
