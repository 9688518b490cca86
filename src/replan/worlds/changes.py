"""Scripted changes of the terrain: parsing and checking."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from replan.errors import InputError, short_repr
from replan.spaces.space import Space, key_to_location

Change = tuple[int, Any, Any]
ChangeFunction = Callable[[int, Any], Iterable[tuple[Any, Any]]]


def compile_changes(changes: Iterable[Change] | None, space: Space) -> tuple[list[Change], Any, Any, Any]:
    """Return changes `(step, cell, to)` in the order of their steps, and as arrays of times, locations and values.

    `to` is "blocked" or True, "free" or False, or a weight. On graphs the cell is an edge (u, v) and a number its cost.
    """
    try:
        items = iter(() if changes is None else changes)
    except TypeError:
        form = "changes are a list of (step, cell, 'blocked' | 'free' | weight), or a function"
        raise InputError(f"{form}, not {short_repr(changes)}") from None
    checked = [_checked_change(change) for change in items]
    checked.sort(key=lambda change: change[0])
    times = np.array([change[0] for change in checked], np.int64)
    locations = np.array([key_to_location(space, change[1]) for change in checked], np.int32)
    paired_locations, values = space._paired_locations(), []
    free_values: dict[int, int] = {}  # by location: its value when it was last free
    for change, location in zip(checked, locations.tolist(), strict=True):
        pair = location if paired_locations is None else min(location, int(paired_locations[location]))
        value = parse_change_value(change[2], location, space, free_values.get(pair, 0))
        values.append(value)
        free_values[pair] = value or free_values.get(pair, 0)
    return checked, times, locations, np.array(values, np.int64)


def _checked_change(change: Any) -> Change:
    """Return a change as a tuple. Raises InputError."""
    try:
        step, cell, to = change
    except (TypeError, ValueError):
        raise InputError(f"a change is (step, cell, 'blocked' | 'free' | weight), not {change!r}") from None
    if not isinstance(step, (int, np.integer)) or step < 0:
        raise InputError(f"the step of a change is a whole number from 0, not {step!r}")
    return int(step), cell, to


def parse_change_value(to: Any, location: int, space: Space, last_value: int = 0) -> int:
    """Return the value of a location for "blocked", "free", a boolean or a weight. Raises InputError.

    last_value: its value when it was last free, 0 if that is its value in `space`.
    """
    if isinstance(to, str):
        if to not in ("blocked", "free"):
            raise InputError(f"a cell becomes 'blocked', 'free' or gets a weight, not {to!r}")
        return 0 if to == "blocked" else last_value or space.value_if_free(location)
    if isinstance(to, (bool, np.bool_)):
        return 0 if to else last_value or space.value_if_free(location)
    value = space.value_of_weight(to)
    if value < space._checked_min_value(location):
        raise InputError(
            f"an edge cannot become cheaper than it was at first, as {to!r} would be: h would overestimate"
        )
    return value
