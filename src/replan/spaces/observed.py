"""What people say they saw, as values of places in a space: cell by cell, or a whole window of a map at once.

Everything is checked before anything is believed. Places and values come in two arrays of 64-bit numbers, which have
`tolist` as well.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from replan.errors import InputError, short
from replan.limits import INF, MAX_WEIGHT
from replan.own import whole
from replan.spaces.grid import Grid
from replan.spaces.space import Space, key_to_place, key_to_state, values_if_free
from replan.wording import counted

Array: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = "Array | array[int]"


def values_seen(
    space: Space, cells: Iterable[Any], blocked: ArrayLike | None, weights: ArrayLike | None
) -> tuple[Numbers, Numbers]:
    """The place and the value of each cell: blocked or not, or its weight (0: blocked)."""
    given: Any = _one_of(blocked, weights)
    if isinstance(cells, np.ndarray) and isinstance(space, Grid) and _in_rows(space, cells):
        return _cells_seen(space, cells, blocked, weights)
    places = places_of(space, cells)
    if isinstance(given, (np.ndarray, np.generic)):
        given = given.tolist()
    given = [given] * len(places) if isinstance(given, (bool, int, float)) else list(given)
    if len(given) != len(places):
        raise InputError(f"{counted(len(places), 'cell')} seen, but {counted(len(given), 'value')} given")
    if blocked is not None:
        values = [0 if _flag(b) else v for b, v in zip(given, values_if_free(space, places), strict=True)]
    else:
        values = [0 if w == 0 else space.value_of(w) for w in given]
    if not space.built_in:
        values = [whole(space, "value_of", v, 0, INF - 1, "the value of a place") for v in values]
    if weights is not None and any(0 < v < space.least_at(p) for p, v in zip(places, values, strict=True)):
        raise InputError("an edge cannot become cheaper than it was made: the heuristic would overestimate")
    return array("q", places), array("q", values)


def map_seen(
    space: Space, blocked: ArrayLike | None, weights: ArrayLike | None, at: Any, seen: ArrayLike | None
) -> tuple[Numbers, Numbers]:
    """The places and the new values of the cells that differ from what a window shows whose first cell is `at`."""
    window = _array(_one_of(blocked, weights))
    if not isinstance(space, Grid):
        raise InputError("only a grid is seen as a map: say what you saw of a graph edge by edge, by observe")
    if window.ndim != 2:
        raise InputError(f"a map, or a part of one, has rows and columns, not the shape {window.shape}")
    (top, left), (rows, cols) = _corner(space, at, window.shape), window.shape
    there = slice(top, top + rows), slice(left, left + cols)
    if blocked is not None:
        news = _flags(window) != space.blocked[there]
    else:
        news = window != _values(space, there)
    if seen is not None:
        news &= _mask(seen, window.shape)
    flat = news.reshape(-1).nonzero()[0]
    values = window.reshape(-1)[flat]
    if blocked is None:
        values = _checked_weights(space, values)
    else:
        values = np.where(values == 1, 0, space._values_if_free(there).reshape(-1)[flat])
    places = flat // max(1, cols)  # rows of the window; what follows is `_places`, without an array for each step of it
    places *= space.width - cols
    places += flat
    places += (top + 1) * space.width + left + 1
    return places, values.astype(np.int64)


def plain_window(space: Space, blocked: Any, weights: Any, at: Any, seen: Any) -> tuple[Array, int, int] | None:
    """A window of bools, all of it seen, as bytes in a line, its columns and its first state; None if it is another."""
    if type(blocked) is not np.ndarray or blocked.dtype != bool or blocked.ndim != 2 or blocked.size == 0:
        return None
    if weights is not None or seen is not None or not isinstance(space, Grid):
        return None
    top, left = _corner(space, at, blocked.shape)
    line = np.require(blocked, requirements=["C", "W"]).view(np.uint8).reshape(-1)
    return line, blocked.shape[1], (top + 1) * space.width + left + 1


def _one_of(blocked: Any, weights: Any) -> Any:
    if (blocked is None) == (weights is None):
        raise InputError("give either blocked (True or False a cell) or weights (a number a cell)")
    return weights if blocked is None else blocked


def _array(window: ArrayLike) -> Array:
    try:
        return np.asarray(window)
    except ValueError:
        raise InputError("a map, or a part of one, has rows of the same length") from None


def _cells_seen(grid: Grid, cells: Array, blocked: Any, weights: Any) -> tuple[Array, Array]:
    row, col = _rows_and_columns(grid, cells)
    given = np.asarray(_one_of(blocked, weights))
    if given.ndim == 0:
        given = np.full(len(cells), given)
    if given.shape != cells.shape[:1]:
        raise InputError(f"{counted(len(cells), 'cell')} seen, but values of the shape {given.shape} given")
    if weights is not None:
        values = _checked_weights(grid, given)
    else:
        values = np.where(_flags(given), 0, grid._values_if_free((row, col)))
    return _places(grid, row, col), values.astype(np.int64)


def states_of(space: Space, cells: Any) -> Array:
    """The states of a list of cells, or of an array with a row and a column for each, as 32-bit numbers."""
    if isinstance(cells, np.ndarray) and isinstance(space, Grid) and _in_rows(space, cells):
        return _places(space, *_rows_and_columns(space, cells)).astype(np.int32)
    return np.array([key_to_state(space, key) for key in _keys(cells)], np.int32)


def places_of(space: Space, cells: Any) -> list[int]:
    """The places of a list of cells (edges of a graph), or of an array with one in each row."""
    if isinstance(cells, np.ndarray) and isinstance(space, Grid) and _in_rows(space, cells):
        return cast("list[int]", _places(space, *_rows_and_columns(space, cells)).tolist())
    number = space.place if space.built_in else partial(key_to_place, space)
    return [number(key) for key in _keys(cells)]


def _in_rows(grid: Grid, cells: Array) -> bool:
    """Is it an array that is read all at once?"""
    return grid.built_in and cells.dtype.kind in "iuf"


def _keys(cells: Any) -> Any:
    """As people call them: a row of an array is a tuple."""
    if not isinstance(cells, np.ndarray):
        if not isinstance(cells, Iterable):
            raise InputError(f"cells are a list, or an array with a row and a column for each, not {short(cells)}")
        return cells
    return [tuple(key) if isinstance(key, list) else key for key in np.atleast_1d(cells).tolist()]


def _rows_and_columns(grid: Grid, cells: Array) -> tuple[Array, Array]:
    """Raises InputError if one of them is not on the map. Nothing, np.array([]), is no cells."""
    if cells.shape == (0,):
        cells = cells.reshape(0, 2)
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise InputError(f"an array of cells has two columns, row and col, not the shape {cells.shape}")
    with np.errstate(invalid="ignore"):  # NaN is not equal to what it becomes
        row, col = cells.astype(np.int64).T
    inside = (row >= 0) & (row < grid.rows) & (col >= 0) & (col < grid.cols)
    inside &= (row == cells[:, 0]) & (col == cells[:, 1])
    if not inside.all():
        grid.state(tuple(cells[~inside][0].tolist()))  # raises, and says what is wrong with it
    return row, col


def _places(grid: Grid, row: Array, col: Array) -> Array:
    places: Array = (row + 1) * grid.width + col + 1
    return places


def _values(grid: Grid, where: Any) -> Array:
    """0 where a cell is believed to be blocked, else its weight."""
    values: Array = ~grid.blocked[where] if grid.weights is None else grid.weights[where]
    return values


def _flags(blocked: Array) -> Array:
    if blocked.dtype == bool:
        return blocked
    flags: Array = blocked == 1
    if not (flags | (blocked == 0)).all():
        raise _no_flags()
    return flags


def _flag(blocked: Any) -> bool:
    if blocked is not True and blocked is not False and blocked not in (0, 1):
        raise _no_flags()
    return bool(blocked)


def _no_flags() -> InputError:
    return InputError("blocked takes True and False (1 and 0); terrain weights go into weights=")


def _checked_weights(grid: Grid, given: Array) -> Array:
    if given.dtype.kind not in "biuf":
        raise InputError(f"weights are numbers, not {given.dtype.name} such as {given.reshape(-1)[:1].tolist()}")
    with np.errstate(invalid="ignore"):
        weights = given.astype(np.int64)
    fits = (weights == given) & (weights >= 0) & (weights <= (MAX_WEIGHT if grid.weighted else 1))
    if not fits.all():
        grid.value_of(given[~fits][0].item())  # raises, and says what is wrong with it
    return weights


def _corner(grid: Grid, at: Any, shape: tuple[int, ...]) -> tuple[int, int]:
    """Row and column of a window's first cell. Raises InputError if the window is not all on the map.

    at: None for the whole map.
    """
    if at is None and shape != grid.shape:
        raise InputError(
            f"a whole map here has {grid.rows} x {grid.cols} cells, not {shape[0]} x {shape[1]}: "
            f"say where a window of it begins, at=(row, col)"
        )
    first = grid.state((0, 0) if at is None else at)
    top, left = first // grid.width - 1, first % grid.width - 1
    if top + shape[0] > grid.rows or left + shape[1] > grid.cols:
        raise InputError(
            f"a window of {shape[0]} x {shape[1]} cells at {(top, left)} reaches beyond the map of "
            f"{grid.rows} x {grid.cols}: cut off what lies outside"
        )
    return top, left


def _mask(seen: ArrayLike, shape: tuple[int, ...]) -> Array:
    mask = np.asarray(seen)
    if mask.dtype != bool or mask.shape != shape:
        raise InputError(f"seen is True or False for each cell of the window of {shape[0]} x {shape[1]}")
    return mask
