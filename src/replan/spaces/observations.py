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

from replan.arrays import as_array
from replan.errors import InputError, short_repr
from replan.extensions import returned_integer
from replan.formatting import format_count
from replan.limits import INF
from replan.spaces.cell_layout import CellLayout
from replan.spaces.space import Space, key_to_location, key_to_state, values_if_free

Array: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = "Array | array[int]"


def parse_observation(
    space: Space, cells: Iterable[Any], blocked: ArrayLike | None, weights: ArrayLike | None
) -> tuple[Numbers, Numbers]:
    """The place and the value of each cell: blocked or not, or its weight (0: blocked)."""
    given: Any = _require_one(blocked, weights)
    plane = _plane_of(space, cells)
    if plane is not None:
        return _parse_cell_array(space, plane, np.asarray(cells), blocked, weights)
    places = locations_of(space, cells)
    if isinstance(given, (np.ndarray, np.generic)):
        given = given.tolist()
    given = [given] * len(places) if isinstance(given, (bool, int, float)) else list(given)
    if len(given) != len(places):
        raise InputError(f"{format_count(len(places), 'cell')} seen, but {format_count(len(given), 'value')} given")
    if blocked is not None:
        values = [0 if _checked_flag(b) else v for b, v in zip(given, values_if_free(space, places), strict=True)]
    else:
        values = [0 if w == 0 else space.value_of_weight(w) for w in given]
    if not space.is_built_in:
        values = [returned_integer(space, "value_of_weight", v, 0, INF - 1, "the value of a location") for v in values]
    if weights is not None and any(0 < v < space._checked_min_value(p) for p, v in zip(places, values, strict=True)):
        raise InputError("an edge cannot become cheaper than it was made: the heuristic would overestimate")
    return array("q", places), array("q", values)


def parse_map_observation(
    space: Space, blocked: ArrayLike | None, weights: ArrayLike | None, top_left: Any, seen_mask: ArrayLike | None
) -> tuple[Numbers, Numbers]:
    """The places and the new values of the cells that differ from what a window shows whose first cell is `at`."""
    window, plane = _array(_require_one(blocked, weights)), space.cell_layout
    if plane is None:
        raise InputError("only a grid is seen as a map: say what you saw of a graph edge by edge, by observe")
    if window.ndim != 2:
        raise InputError(f"a map, or a part of one, has rows and columns, not the shape {window.shape}")
    (top, left), (rows, cols) = _checked_window(plane, top_left, window.shape), window.shape
    there = slice(top, top + rows), slice(left, left + cols)
    if blocked is not None:
        news = _checked_flags(window) != plane.blocked[there]
    else:
        news = window != plane.values[there]
    if seen_mask is not None:
        news &= _checked_mask(seen_mask, window.shape)
    flat = news.reshape(-1).nonzero()[0]
    values = window.reshape(-1)[flat]
    if blocked is None:
        values = _checked_weights(plane, values)
    else:
        values = np.where(values == 1, 0, plane.values_if_free(there).reshape(-1)[flat])
    return _on_map(space, plane.states_in_window(flat, top, left, cols)), values.astype(np.int64)


def parse_bool_window(
    space: Space, blocked: Any, weights: Any, top_left: Any, seen_mask: Any
) -> tuple[Array, int, int] | None:
    """A window of bools, all of it seen, as bytes in a line, its columns and its first state; None if it is another."""
    if type(blocked) is not np.ndarray or blocked.dtype != bool or blocked.ndim != 2 or blocked.size == 0:
        return None
    if weights is not None or seen_mask is not None or space.cell_layout is None:
        return None
    first = space.cell_layout.state(_checked_window(space.cell_layout, top_left, blocked.shape))
    line = np.require(blocked, requirements=["C", "W"]).view(np.uint8).reshape(-1)
    return line, blocked.shape[1], first


def _require_one(blocked: Any, weights: Any) -> Any:
    if (blocked is None) == (weights is None):
        raise InputError("give either blocked (True or False a cell) or weights (a number a cell)")
    return weights if blocked is None else blocked


def _array(window: ArrayLike) -> Array:
    try:
        return as_array(window)
    except InputError:
        raise
    except ValueError:
        raise InputError("a map, or a part of one, has rows of the same length") from None


def _parse_cell_array(space: Space, plane: CellLayout, cells: Array, blocked: Any, weights: Any) -> tuple[Array, Array]:
    row, col = _rows_and_columns(plane, cells)
    given = as_array(_require_one(blocked, weights))
    if given.ndim == 0:
        given = np.full(len(cells), given)
    if given.shape != cells.shape[:1]:
        raise InputError(f"{format_count(len(cells), 'cell')} seen, but values of the shape {given.shape} given")
    if weights is not None:
        values = _checked_weights(plane, given)
    else:
        values = np.where(_checked_flags(given), 0, plane.values_if_free((row, col)))
    return _on_map(space, plane.states_at(row, col)), values.astype(np.int64)


def states_of(space: Space, cells: Any) -> Array:
    """The states of a list of cells, or of an array with a row and a column for each, as 32-bit numbers."""
    plane = _plane_of(space, cells)
    if plane is not None:
        return states_in_rows(space, plane, cells)
    return np.array([key_to_state(space, key) for key in _as_keys(cells)], np.int32)


def states_in_rows(space: Space, plane: CellLayout, cells: Array) -> Array:
    """The states of an array with a row and a column for each cell, as 32-bit numbers. Raises InputError."""
    return _on_map(space, plane.states_at(*_rows_and_columns(plane, cells))).astype(np.int32)


def locations_of(space: Space, cells: Any) -> list[int]:
    """The places of a list of cells (edges of a graph), or of an array with one in each row."""
    plane = _plane_of(space, cells)
    if plane is not None:
        return cast("list[int]", states_in_rows(space, plane, cells).tolist())
    number = space.location if space.is_built_in else partial(key_to_location, space)
    return [number(key) for key in _as_keys(cells)]


def _plane_of(space: Space, cells: Any) -> CellLayout | None:
    """The rows and columns of a space, if these cells are an array that is read all at once."""
    return (
        space.cell_layout if isinstance(cells, np.ndarray) and space.is_built_in and cells.dtype.kind in "iuf" else None
    )


def _as_keys(cells: Any) -> Any:
    """As people call them: a row of an array is a tuple."""
    if not isinstance(cells, np.ndarray):
        if not isinstance(cells, Iterable):
            raise InputError(f"cells are a list, or an array with a row and a column for each, not {short_repr(cells)}")
        return cells
    return [tuple(key) if isinstance(key, list) else key for key in np.atleast_1d(cells).tolist()]


def _rows_and_columns(plane: CellLayout, cells: Array) -> tuple[Array, Array]:
    """Raises InputError if one of them is not on the map. Nothing, np.array([]), is no cells."""
    if cells.shape == (0,):
        cells = cells.reshape(0, 2)
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise InputError(f"an array of cells has two columns, row and col, not the shape {cells.shape}")
    with np.errstate(invalid="ignore"):  # NaN is not equal to what it becomes
        row, col = cells.astype(np.int64).T
    inside = (row >= 0) & (row < plane.rows) & (col >= 0) & (col < plane.cols)
    inside &= (row == cells[:, 0]) & (col == cells[:, 1])
    if not inside.all():
        plane.state(tuple(cells[~inside][0].tolist()))  # raises, and says what is wrong with it
    return row, col


def _on_map(space: Space, states: Array) -> Array:
    """The same states. Raises InputError if a user's class gives numbers that are no states."""
    if states.size and not 0 <= states.min() <= states.max() < space.n:
        raise InputError(f"the plane of {space!r} gives states from {states.min()} to {states.max()}, of {space.n:,}")
    return states


def _checked_flags(blocked: Array) -> Array:
    if blocked.dtype == bool:
        return blocked
    flags: Array = blocked == 1
    if not (flags | (blocked == 0)).all():
        raise _flag_error()
    return flags


def _checked_flag(blocked: Any) -> bool:
    if blocked is not True and blocked is not False and blocked not in (0, 1):
        raise _flag_error()
    return bool(blocked)


def _flag_error() -> InputError:
    return InputError("blocked takes True and False (1 and 0); terrain weights go into weights=")


def _checked_weights(plane: CellLayout, given: Array) -> Array:
    if given.dtype.kind not in "biuf":
        raise InputError(f"weights are numbers, not {given.dtype.name} such as {given.reshape(-1)[:1].tolist()}")
    with np.errstate(invalid="ignore"):
        weights = given.astype(np.int64)
    fits = (weights == given) & (weights >= 0) & (weights <= plane.most_weight)
    if not fits.all():
        plane.value_of_weight(given[~fits][0].item())  # raises, and says what is wrong with it
    return weights


def _checked_window(plane: CellLayout, at: Any, shape: tuple[int, ...]) -> tuple[int, int]:
    """Row and column of a window's first cell. Raises InputError if the window is not all on the map.

    at: None for the whole map.
    """
    if at is None and shape != plane.shape:
        raise InputError(
            f"a whole map here has {plane.rows} x {plane.cols} cells, not {shape[0]} x {shape[1]}: "
            f"say where a window of it begins, at=(row, col)"
        )
    top, left = plane.key(plane.state((0, 0) if at is None else at))
    if top + shape[0] > plane.rows or left + shape[1] > plane.cols:
        raise InputError(
            f"a window of {shape[0]} x {shape[1]} cells at {(top, left)} reaches beyond the map of "
            f"{plane.rows} x {plane.cols}: cut off what lies outside"
        )
    return int(top), int(left)


def _checked_mask(seen: ArrayLike, shape: tuple[int, ...]) -> Array:
    mask = as_array(seen)
    if mask.dtype != bool or mask.shape != shape:
        raise InputError(f"seen is True or False for each cell of the window of {shape[0]} x {shape[1]}")
    return mask
