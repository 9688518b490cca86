"""What people say they saw, as values of places in a space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from replan.errors import InputError
from replan.limits import INF
from replan.own import whole
from replan.spaces.space import Space, key_to_place


def values_seen(
    space: Space, cells: Iterable[Any], blocked: Sequence[bool] | None, weights: Sequence[float] | None
) -> list[tuple[int, int]]:
    """A (place, value) for each cell: blocked or not, or its weight (0: blocked). All are checked first."""
    if (blocked is None) == (weights is None):
        raise InputError("give either blocked (True or False a cell) or weights (a number a cell)")
    number = space.place if space.built_in else partial(key_to_place, space)
    places = [number(cell) for cell in cells]
    given = list(blocked if blocked is not None else weights or ())
    if len(given) != len(places):
        raise InputError(f"{len(places)} cells were seen, but {len(given)} values given")
    if blocked is not None:
        # What is only known to be free is worth as much as before, or the least if it was blocked.
        values = [0 if b else space.value_at(p) or space.least_at(p) for p, b in zip(places, given, strict=True)]
    else:
        values = [space.value_of(w) if w else 0 for w in given]
    if not space.built_in:
        values = [whole(space, "value_of", v, 0, INF - 1, "the value of a place") for v in values]
    for place, value in zip(places, values, strict=True):
        if 0 < value < space.least_at(place):
            raise InputError("an edge cannot become cheaper than it was made: the heuristic would overestimate")
    return list(zip(places, values, strict=True))
