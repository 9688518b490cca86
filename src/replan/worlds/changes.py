"""Scripted changes of the terrain: what happens where, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from replan.errors import InputError, short_repr
from replan.spaces.space import Space, key_to_location

Change = tuple[int, Any, Any]
ChangeFunction = Callable[[int, Any], Iterable[tuple[Any, Any]]]


def compile_changes(changes: Iterable[Change] | None, space: Space) -> tuple[list[Change], Any, Any, Any]:
    """Changes `(step, cell, to)` in the order of their steps, and as arrays of times, places and values.

    `to` is "blocked" or True, "free" or False, or a weight. On graphs the cell is an edge (u, v) and a number its cost.
    """
    try:
        given = iter(() if changes is None else changes)
    except TypeError:
        words = "changes are a list of (step, cell, 'blocked' | 'free' | weight), or a function"
        raise InputError(f"{words}, not {short_repr(changes)}") from None
    listed = [_checked_change(change) for change in given]
    listed.sort(key=lambda change: change[0])
    when = np.array([change[0] for change in listed], np.int64)
    what = np.array([key_to_location(space, change[1]) for change in listed], np.int32)
    twins, values = space._paired_locations(), []
    last: dict[int, int] = {}  # by place: what it was worth when it was last free
    for change, place in zip(listed, what.tolist(), strict=True):
        one = place if twins is None else min(place, int(twins[place]))
        value = parse_change_value(change[2], place, space, last.get(one, 0))
        values.append(value)
        last[one] = value or last.get(one, 0)
    return listed, when, what, np.array(values, np.int64)


def _checked_change(change: Any) -> Change:
    try:
        step, cell, to = change
    except (TypeError, ValueError):
        raise InputError(f"a change is (step, cell, 'blocked' | 'free' | weight), not {change!r}") from None
    if not isinstance(step, (int, np.integer)) or step < 0:
        raise InputError(f"the step of a change is a whole number from 0, not {step!r}")
    return int(step), cell, to


def parse_change_value(to: Any, location: int, space: Space, last_value: int = 0) -> int:
    """What people say of a place as its value in a space. last: what it was worth when it was free, if not as there."""
    if isinstance(to, str):
        if to not in ("blocked", "free"):
            raise InputError(f"a place becomes 'blocked', 'free' or gets a weight, not {to!r}")
        return 0 if to == "blocked" else last_value or space.value_if_free(location)
    if isinstance(to, (bool, np.bool_)):
        return 0 if to else last_value or space.value_if_free(location)
    value = space.value_of_weight(to)
    if value < space._checked_min_value(location):
        raise InputError(f"an edge cannot become cheaper than it was made, as {to!r} would be: h would overestimate")
    return value
