"""Spaces that say wrong things of themselves, or are no spaces at all."""

from __future__ import annotations

from functools import partial
from typing import Any

import replan
from border.case import Battery, Mine
from border.honest import ENGINES, Board, check, make, run, tour
from border.lying_spaces import Liar, Lie, always
from border.values import HUGE, NEGATIVE, NO_WHOLE_NUMBERS

BATTERY = Battery()


def build(**given: Any) -> None:
    tour(Board(**given), make("LSS-LRTA*"))
    tour(Board(**given), make("RTAA* buckets"))


NOT_NONE = {name: value for name, value in NO_WHOLE_NUMBERS.items() if name != "None"}
NUMBERS: dict[str, dict[str, Any]] = {
    "n": {**NO_WHOLE_NUMBERS, **NEGATIVE, **HUGE, "0": 0},
    "max_path_cost": {**NO_WHOLE_NUMBERS, **NEGATIVE, "2**62": 2**62, "2**63": 2**63, "10**30": 10**30},
    "degree": {**NO_WHOLE_NUMBERS, **NEGATIVE, **HUGE},
    "units_per_step": {**NO_WHOLE_NUMBERS, **NEGATIVE, "0": 0, "2**63": 2**63},
    "n_locations": {**NOT_NONE, **NEGATIVE, "2**63": 2**63, "10**30": 10**30},
    "max_edge_round_trip": {**NOT_NONE, **NEGATIVE, "2**63": 2**63, "10**30": 10**30},
}
for _field, _values in NUMBERS.items():
    for _name, _value in _values.items():
        BATTERY.add(f"space made/{_field}/{_name}", partial(build, **{_field: _value}), _field, "Board", must=True)
for _field, _few in {"n": (1, 2, 19), "n_locations": (0, 1)}.items():
    for _value in _few:
        BATTERY.add(f"space made/too small {_field}/{_value}", partial(build, **{_field: _value}), "Board", must=True)


def too_small(engine: str, field: str, value: int) -> None:
    answer = run(engine, Board(**{field: value}))
    if field != "max_path_cost":  # who says that no path costs more than this has to be believed
        check(engine, answer)


for _field, _few in {"degree": (0, 1), "max_edge_round_trip": (0, 1), "max_path_cost": (0, 1, 6)}.items():
    for _value in _few:
        for _engine in ENGINES:
            _do = partial(too_small, _engine, _field, _value)
            BATTERY.add(f"space made/too small {_field}/{_value} {_engine}", _do, "Board", _field)


class Forgetful(Board):
    """Leaves __init__ of its base out."""

    def __init__(self) -> None:
        self.rows, self.cols, self.free = 4, 5, [True] * 20


class Empty(replan.Space):
    """Has no method at all."""

    def __init__(self) -> None:
        super().__init__(20, 20, 4, max_edge_round_trip=2)


class Static(Board):
    successors = 5  # type: ignore[assignment]


class Strange(Board):
    def successors(self) -> Any:  # type: ignore[override]
        return []


class Late(Board):
    async def successors(self, s: int) -> Any:
        return []


class Locked(Board):
    def __getattribute__(self, name: str) -> Any:
        if name == "successors":
            raise Mine("mine")
        return super().__getattribute__(name)


for _kind, _words in {Forgetful: ("__init__", "Forgetful"), Empty: ("Empty",), Static: ("Static",)}.items():
    for _engine in ENGINES:
        _do = lambda engine=_engine, kind=_kind: run(engine, kind())  # noqa: E731
        _must = _kind is not Static or _engine != "backward A*"  # which does not ask for successors
        BATTERY.add(f"space made/{_kind.__name__}/{_engine}", _do, *_words, must=_must)
for _engine in ENGINES:
    _strange = lambda engine=_engine: run(engine, Strange())  # noqa: E731
    BATTERY.add(f"space made/another signature/{_engine}", _strange, "successors")
    _locked = lambda engine=_engine: run(engine, Locked())  # noqa: E731
    BATTERY.add(f"space made/locked attributes/{_engine}", _locked, "mine", errors=(Mine,))


# In a world: allowed or not, but no crash.


def in_a_world(method: str, lie: Lie) -> None:
    changes = [(2, (2, 2), "blocked")]
    world = replan.World(Liar(method, lie, 0), sensor="everything", known="everything", changes=changes)
    replan.simulate(world, "RTAA*", (0, 0), (3, 4), max_moves=200)


for _method in ("copy", "assign", "believed_free", "display_cost"):
    for _name, _value in {"None": None, "a number": 5, "a class": Board, "nan": float("nan")}.items():
        _do = partial(in_a_world, _method, always(_value))
        BATTERY.add(f"space in a world/{_method}/{_name}", _do, "Liar", "Board", "world")
