"""Spaces that lie: about states, costs, estimates, places, and what has changed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from border.case import Battery, Unnoticed
from border.honest import ENGINES, Board, check, run
from border.values import DRESSED, HUGE, NEGATIVE, NO_WHOLE_NUMBERS, Grumpy, for_ever
from replan.limits import INF

BATTERY = Battery()
MUST, RIGHT, LIVES = "must be refused", "is refused or gives the right answer", "does no harm"

Lie = Callable[[Any, Any], Any]  # of the honest answer and the space


class Liar(Board):
    """An honest board but for one method, which lies from its third call on."""

    def __init__(self, method: str = "", lie: Lie | None = None, honest: int = 2, **given: Any) -> None:
        super().__init__(**given)
        self.method, self.lie, self.honest, self.lied = method, lie, honest, ""

    def _answer(self, method: str, *given: Any) -> Any:
        answer = getattr(Board, method)(self, *given)
        if method != self.method or self.lie is None:
            return answer
        self.honest -= 1
        if self.honest >= 0:
            return answer
        said = self.lie(answer, self)
        self.lied = repr(said)[:60]
        return said


def _asked(method: str) -> Callable[..., Any]:
    def answer(self: Any, *given: Any) -> Any:
        return self._answer(method, *given)

    return answer


ASKED = ["successors", "predecessors", "edge_cost", "distance", "get_value", "set_value", "state", "key", "location"]
ASKED += ["min_value", "value_of_weight"]
METHODS = [*ASKED, "copy", "assign", "believed_free", "display_cost"]
for _method in METHODS:
    setattr(Liar, _method, _asked(_method))


def told(engine: str, method: str, lie: Lie, kind: str, honest: int = 2) -> None:
    """Let an engine search a space that lies."""
    space = Liar(method, lie, honest)
    answer = run(engine, space)
    if not space.lied:
        check(engine, answer)
    elif kind == MUST:
        raise Unnoticed(f"{method}() returned {space.lied}, and {engine} said {answer}")
    elif kind == RIGHT:
        check(engine, answer)


TELLING = ["state n", "state -1", "state 2**31", "state None", "cost -1", "cost no edge", "too many by one", "None"]


def some_engines(what: str) -> list[str]:
    """All engines for what tells most, otherwise every fifth, other ones from lie to lie."""
    return list(ENGINES) if what in TELLING else list(ENGINES)[crc32(what.encode()) % 5 :: 5]


def add(into: Battery, method: str, what: str, lie: Lie, kind: str = MUST, honest: int = 2, **how: Any) -> None:
    """A case for each of some engines."""
    for engine in some_engines(what):
        words = how.get("words", ("Liar", f"{method}()", f"{method}("))
        errors = {"errors": how["errors"]} if "errors" in how else {}
        into.add(f"space {method}/{what}/{engine}", partial(told, engine, method, lie, kind, honest), *words, **errors)


note = partial(add, BATTERY)


def first(change: Callable[[Any, Any, Any], Any]) -> Lie:
    """Change the first (state, cost) of a list."""

    def lie(answer: Any, space: Any) -> Any:
        return [change(*answer[0], space), *answer[1:]] if answer else answer

    return lie


def always(value: Any) -> Lie:
    return lambda answer, space: value


# Lists of neighbours.


def grown_while_read(answer: Any, space: Any) -> Any:
    """A list that grows as its first item is read."""

    class Item(int):
        def __index__(self) -> int:
            listed.extend([(0, 1)] * 1000)
            return 0

    listed: list[Any] = []
    listed.append((Item(0), 1))
    return listed


def emptied_while_read(answer: Any, space: Any) -> Any:
    class Item:
        def __index__(self) -> int:
            listed.clear()
            gc.collect()
            return 0

    listed: list[Any] = [(Item(), Item()) for _ in range(4)]
    return listed


class LongerThanItSays(list):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Any:
        return iter([(0, 1)] * 1000)


class ShorterThanItSays(list):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 4


async def later(answer: Any) -> Any:
    return answer


def unawaited(answer: Any, space: Any) -> Any:
    coroutine = later(answer)
    coroutine.close()
    return coroutine


NO_LISTS: dict[str, Lie] = {
    "None": always(None),
    "a number": always(5),
    "a text": always("abcd"),
    "a dict": lambda answer, space: dict(answer),
    "an endless generator": lambda answer, space: for_ever((0, 1)),
    "a function": lambda answer, space: lambda: answer,
    "a coroutine": unawaited,
    "states without costs": lambda answer, space: [v for v, _ in answer] or [3],
    "single items": lambda answer, space: [(3,)],
    "triples": lambda answer, space: [(3, 1, 1)],
    "nothing in it": lambda answer, space: [None],
    "texts": lambda answer, space: ["ab"],
    "an item that raises": lambda answer, space: [(Grumpy(), 1)],
    "too many by one": lambda answer, space: [(0, 1)] * 5,
    "too many by far": lambda answer, space: [(0, 1)] * 100_000,
    "longer than it says": lambda answer, space: LongerThanItSays([(0, 1)]),
}

HALF_LISTS: dict[str, Lie] = {
    "a tuple": lambda answer, space: tuple(answer),
    "a set": lambda answer, space: set(answer),
    "a generator": lambda answer, space: (pair for pair in answer),
    "lists for pairs": lambda answer, space: [[v, c] for v, c in answer],
    "a numpy array": lambda answer, space: np.array(answer, np.int64).reshape(-1, 2),
    "each twice": lambda answer, space: answer * (2 if len(answer) < 3 else 1),
    "backwards": lambda answer, space: answer[::-1],
    "grown while read": grown_while_read,
    "emptied while read": emptied_while_read,
    "shorter than it says": lambda answer, space: ShorterThanItSays(answer),
}

COSTS = {**NO_WHOLE_NUMBERS, **NEGATIVE, "0": 0, "no edge": INF, **dict(list(HUGE.items())[6:])}
ODD = (ValueError, TypeError, RuntimeError, ZeroDivisionError)

for _side in ("successors", "predecessors"):
    for _name, _value in {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE}.items():
        note(_side, f"state {_name}", first(lambda v, c, space, x=_value: (x, c)))
    for _name, _shift in {"n": 0, "n + 1": 1, "n + 1000": 1000, "-n": -40}.items():
        note(_side, f"state {_name}", first(lambda v, c, space, x=_shift: (20 + x, c)))
    for _name, _value in COSTS.items():
        note(_side, f"cost {_name}", first(lambda v, c, space, x=_value: (v, x)))
    for _name, _value in {"2": 2, "bound": 20, "more than bound": 21, "2**31": 2**31, "2**40": 2**40}.items():
        note(_side, f"cost {_name}", first(lambda v, c, space, x=_value: (v, x)), LIVES)
    for _name, _dress in DRESSED.items():
        _kind = LIVES if _name == "true" else RIGHT
        note(_side, f"state as {_name}", first(lambda v, c, space, x=_dress: (x(v), c)), _kind)
        note(_side, f"cost as {_name}", first(lambda v, c, space, x=_dress: (v, x(c))), RIGHT)
    for _name, _lie in NO_LISTS.items():
        note(_side, _name, _lie, errors=ODD, words=("Liar", _side, "mine"))
    for _name, _lie in HALF_LISTS.items():
        note(_side, _name, _lie, LIVES if "while" in _name or "says" in _name else RIGHT)
    note(_side, "empty", always([]), LIVES)
    note(_side, "itself", first(lambda v, c, space: (0, 1)), LIVES)
    note(_side, "itself alone", lambda answer, space: [(0, 1)], LIVES)
    note(_side, "all but one", lambda answer, space: answer[1:], LIVES)
    note(_side, "anywhere", lambda answer, space: [((7 * space.honest) % 20, 1 - space.honest)], LIVES)
    note(_side, "other costs each time", lambda answer, space: [(v, 1 - space.honest % 7) for v, _ in answer], LIVES)


# Numbers.

for _method in ("edge_cost", "distance", "get_value", "min_value", "value_of_weight"):
    for _name, _value in {**NO_WHOLE_NUMBERS, **NEGATIVE, **dict(list(HUGE.items())[7:])}.items():
        note(_method, _name, always(_value), honest=0)
    for _name, _dress in DRESSED.items():
        note(_method, f"as {_name}", lambda answer, space, x=_dress: x(answer) if answer < INF else answer, LIVES, 0)
    for _name, _value in {"0": 0, "1": 1, "7": 7, "bound + 1": 21, "2**40": 2**40, "no edge": INF}.items():
        _words = (
            "Liar",
            f"{_method}(",
            "is believed to be blocked",
        )  # so is every location of which get_value() says 0
        note(_method, _name, always(_value), LIVES, 0, words=_words)
note("distance", "ten times too much", lambda answer, space: 10 * answer, LIVES, 0)
note("distance", "a fifth too much", lambda answer, space: answer * 6 // 5, LIVES, 0)
note("distance", "another each time", lambda answer, space: (space.honest * 7) % 11, LIVES, 0)
note("edge_cost", "another each time", lambda answer, space: 1 + (space.honest * 7) % 11, LIVES, 0)

for _method in ("state", "location"):
    for _name, _value in {**NO_WHOLE_NUMBERS, **HUGE, **NEGATIVE, "n": 20, "n + 1": 21}.items():
        note(_method, _name, always(_value), honest=0)
    for _name, _dress in DRESSED.items():
        note(_method, f"as {_name}", lambda answer, space, x=_dress: x(answer), LIVES, 0)
    note(_method, "always the same", always(7), LIVES, 0)
for _name, _value in {"None": None, "a list": [1], "a text": "x", "the same": (0, 0), "outside": (99, 99)}.items():
    note("key", _name, always(_value), LIVES, 0, words=())


# What has changed.

PUTS: dict[str, Any] = {
    **{name: value for name, value in NO_WHOLE_NUMBERS.items() if name not in ("list", "array")},
    "a number": 3,
    "pairs": [(3, 1)],
    "texts": ["a"],
    "an item that is None": [None],
    "halves": [2.5],
    "three lists": ([1], [2], [3]),
    "a list and None": ([1], None),
    "an endless generator": for_ever(3),
}
for _name, _value in PUTS.items():
    note("set_value", _name, always(_value), honest=0)
for _name, _value in {**HUGE, **NEGATIVE, "n": 20, "n + 1": 21}.items():
    note("set_value", f"state {_name}", lambda answer, space, x=_value: [*answer, x], honest=0)
    note("set_value", f"entered {_name}", lambda answer, space, x=_value: (answer, [*answer, x]), honest=0)
PUTS_RIGHT: dict[str, Lie] = {
    "both lists": lambda answer, space: (answer, answer),
    "numpy ints": lambda answer, space: [np.int64(s) for s in answer],
    "each many times": lambda answer, space: answer * 1000,
    "all states": lambda answer, space: list(range(20)),
}
for _name, _lie in PUTS_RIGHT.items():
    note("set_value", _name, _lie, RIGHT, 0)
note("set_value", "a numpy array", lambda answer, space: np.array(answer), RIGHT, 0)
note("set_value", "nothing", always([]), LIVES, 0)
note("set_value", "others", always([19, 0]), LIVES, 0)
