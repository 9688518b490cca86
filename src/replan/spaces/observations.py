"""Conversion of observations to locations and values: cell by cell, or a whole window of a map at once.

The whole observation is checked before a belief changes. Locations and values are two arrays of 64-bit numbers.
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
    """Return the location and the value of each cell, from flags (True: blocked) or weights (0: blocked)."""
    observed: Any = _require_one(blocked, weights)
    layout = _layout_for(space, cells)
    if layout is not None:
        return _parse_cell_array(space, layout, np.asarray(cells), blocked, weights)
    locations = locations_of(space, cells)
    if isinstance(observed, (np.ndarray, np.generic)):
        observed = observed.tolist()
    observed = [observed] * len(locations) if isinstance(observed, (bool, int, float)) else list(observed)
    if len(observed) != len(locations):
        counts = format_count(len(locations), "cell"), format_count(len(observed), "value")
        raise InputError(f"{counts[0]}, but {counts[1]}: give one value for each cell, or one for all")
    if blocked is not None:
        free_values = values_if_free(space, locations)
        values = [0 if _checked_flag(b) else v for b, v in zip(observed, free_values, strict=True)]
    else:
        values = [0 if w == 0 else space.value_of_weight(w) for w in observed]
    if not space.is_built_in:
        values = [returned_integer(space, "value_of_weight", v, 0, INF - 1, "the value of a location") for v in values]
    pairs = zip(locations, values, strict=True)
    if weights is not None and any(0 < v < space._checked_min_value(p) for p, v in pairs):
        raise InputError("an edge cannot become cheaper than it was made: the heuristic would overestimate")
    return array("q", locations), array("q", values)


def parse_map_observation(
    space: Space, blocked: ArrayLike | None, weights: ArrayLike | None, top_left: Any, seen_mask: ArrayLike | None
) -> tuple[Numbers, Numbers]:
    """Return the locations and new values of the cells in which the window at `top_left` differs from the map."""
    window, layout = _array(_require_one(blocked, weights)), space.cell_layout
    if layout is None:
        raise InputError("only a grid is observed as a map: report the edges of a graph one by one, by observe")
    if window.ndim != 2:
        raise InputError(f"a map, or a part of one, has rows and columns, not the shape {window.shape}")
    (top, left), (rows, cols) = _checked_window(layout, top_left, window.shape), window.shape
    area = slice(top, top + rows), slice(left, left + cols)
    if blocked is not None:
        is_different = _checked_flags(window) != layout.blocked[area]
    else:
        is_different = window != layout.values[area]
    if seen_mask is not None:
        is_different &= _checked_mask(seen_mask, window.shape)
    indices = is_different.reshape(-1).nonzero()[0]
    values = window.reshape(-1)[indices]
    if blocked is None:
        values = _checked_weights(layout, values)
    else:
        values = np.where(values == 1, 0, layout.values_if_free(area).reshape(-1)[indices])
    return _on_map(space, layout.states_in_window(indices, top, left, cols)), values.astype(np.int64)


def parse_bool_window(
    space: Space, blocked: Any, weights: Any, top_left: Any, seen_mask: Any
) -> tuple[Array, int, int] | None:
    """Return a fully seen 2-D bool window as (1-D bytes, columns, first state); None for any other observation."""
    if type(blocked) is not np.ndarray or blocked.dtype != bool or blocked.ndim != 2 or blocked.size == 0:
        return None
    if weights is not None or seen_mask is not None or space.cell_layout is None:
        return None
    first_state = space.cell_layout.state(_checked_window(space.cell_layout, top_left, blocked.shape))
    flat = np.require(blocked, requirements=["C", "W"]).view(np.uint8).reshape(-1)
    return flat, blocked.shape[1], first_state


def _require_one(blocked: Any, weights: Any) -> Any:
    """Return the argument that is not None; raise InputError unless exactly one is."""
    if (blocked is None) == (weights is None):
        raise InputError("give either blocked (True or False a cell) or weights (a number a cell)")
    return weights if blocked is None else blocked


def _array(window: ArrayLike) -> Array:
    """Return a window as an array; raise InputError if its rows have different lengths."""
    try:
        return as_array(window)
    except InputError:
        raise
    except ValueError:
        raise InputError("a map, or a part of one, has rows of the same length") from None


def _parse_cell_array(
    space: Space, layout: CellLayout, cells: Array, blocked: Any, weights: Any
) -> tuple[Array, Array]:
    """Return `parse_observation` of an array of cells."""
    row, col = _rows_and_columns(layout, cells)
    observed = as_array(_require_one(blocked, weights))
    if observed.ndim == 0:
        observed = np.full(len(cells), observed)
    if observed.shape != cells.shape[:1]:
        raise InputError(f"{format_count(len(cells), 'cell')}, but values of the shape {observed.shape}")
    if weights is not None:
        values = _checked_weights(layout, observed)
    else:
        values = np.where(_checked_flags(observed), 0, layout.values_if_free((row, col)))
    return _on_map(space, layout.states_at(row, col)), values.astype(np.int64)


def states_of(space: Space, cells: Any) -> Array:
    """Return the 32-bit states of a list of cells, or of an array with a row and a column for each cell."""
    layout = _layout_for(space, cells)
    if layout is not None:
        return states_in_rows(space, layout, cells)
    return np.array([key_to_state(space, key) for key in _as_keys(cells)], np.int32)


def states_in_rows(space: Space, layout: CellLayout, cells: Array) -> Array:
    """Return the 32-bit states of an array with a row and a column for each cell, which are checked."""
    return _on_map(space, layout.states_at(*_rows_and_columns(layout, cells))).astype(np.int32)


def locations_of(space: Space, cells: Any) -> list[int]:
    """Return the locations of a list of cells (of a graph: edges), or of an array with one cell in each row."""
    layout = _layout_for(space, cells)
    if layout is not None:
        return cast("list[int]", states_in_rows(space, layout, cells).tolist())
    to_location = space.location if space.is_built_in else partial(key_to_location, space)
    return [to_location(key) for key in _as_keys(cells)]


def _layout_for(space: Space, cells: Any) -> CellLayout | None:
    """Return the layout of the space if the cells are an array of numbers, which is converted at once; else None."""
    is_array = isinstance(cells, np.ndarray) and space.is_built_in and cells.dtype.kind in "iuf"
    return space.cell_layout if is_array else None


def _as_keys(cells: Any) -> Any:
    """Return cells as an iterable of keys: a row of an array becomes a tuple."""
    if not isinstance(cells, np.ndarray):
        if not isinstance(cells, Iterable):
            raise InputError(f"cells are a list, or an array with a row and a column for each, not {short_repr(cells)}")
        return cells
    return [tuple(key) if isinstance(key, list) else key for key in np.atleast_1d(cells).tolist()]


def _rows_and_columns(layout: CellLayout, cells: Array) -> tuple[Array, Array]:
    """Return the rows and columns of an array of cells (np.array([]): none); raise InputError if one is invalid."""
    if cells.shape == (0,):
        cells = cells.reshape(0, 2)
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise InputError(f"an array of cells has two columns, row and col, not the shape {cells.shape}")
    with np.errstate(invalid="ignore"):  # NaN differs from the integer to which it is converted
        row, col = cells.astype(np.int64).T
    is_cell = (row >= 0) & (row < layout.rows) & (col >= 0) & (col < layout.cols)
    is_cell &= (row == cells[:, 0]) & (col == cells[:, 1])
    if not is_cell.all():
        layout.state(tuple(cells[~is_cell][0].tolist()))  # raises the InputError that says what is wrong
    return row, col


def _on_map(space: Space, states: Array) -> Array:
    """Return the states; raise InputError if the layout of a user's class returned numbers that are no states."""
    if states.size and not 0 <= states.min() <= states.max() < space.n:
        low, high = states.min(), states.max()
        raise InputError(f"the cell_layout of {space!r} gives states from {low} to {high}, of {space.n:,}")
    return states


def _checked_flags(blocked: Array) -> Array:
    """Return an array of flags as bools; raise InputError if one is not 0 or 1."""
    if blocked.dtype == bool:
        return blocked
    flags: Array = blocked == 1
    if not (flags | (blocked == 0)).all():
        raise _flag_error()
    return flags


def _checked_flag(blocked: Any) -> bool:
    """Return a flag as a bool; raise InputError if it is not 0 or 1."""
    if blocked is not True and blocked is not False and blocked not in (0, 1):
        raise _flag_error()
    return bool(blocked)


def _flag_error() -> InputError:
    """Return the error for a flag that is not 0 or 1."""
    return InputError("blocked takes True and False (1 and 0); terrain weights go into weights=")


def _checked_weights(layout: CellLayout, observed: Array) -> Array:
    """Return observed weights as int64 (0: blocked); raise InputError if a cell cannot have one."""
    if observed.dtype.kind not in "biuf":
        raise InputError(f"weights are numbers, not {observed.dtype.name} such as {observed.reshape(-1)[:1].tolist()}")
    with np.errstate(invalid="ignore"):
        weights = observed.astype(np.int64)
    fits = (weights == observed) & (weights >= 0) & (weights <= layout.weight_limit)
    if not fits.all():
        layout.value_of_weight(observed[~fits][0].item())  # raises the InputError that says what is wrong
    return weights


def _checked_window(layout: CellLayout, top_left: Any, shape: tuple[int, ...]) -> tuple[int, int]:
    """Return row and column of a window's first cell; raise InputError if the window is not inside the map.

    top_left: None for the whole map.
    """
    if top_left is None and shape != layout.shape:
        raise InputError(
            f"a whole map here has {layout.rows} x {layout.cols} cells, not {shape[0]} x {shape[1]}: "
            f"say where a window of it begins, top_left=(row, col)"
        )
    top, left = layout.key(layout.state((0, 0) if top_left is None else top_left))
    if top + shape[0] > layout.rows or left + shape[1] > layout.cols:
        raise InputError(
            f"a window of {shape[0]} x {shape[1]} cells at {(top, left)} reaches beyond the map of "
            f"{layout.rows} x {layout.cols}: cut off what lies outside"
        )
    return int(top), int(left)


def _checked_mask(seen_mask: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return the mask of seen cells; raise InputError unless it is a bool array of this shape."""
    mask = as_array(seen_mask)
    if mask.dtype != bool or mask.shape != shape:
        raise InputError(f"seen_mask is True or False for each cell of the window of {shape[0]} x {shape[1]}")
    return mask
