"""Checks of the cells and ids that users pass to a crowd. The functions return arrays of numbers."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from replan.errors import InputError
from replan.spaces.cell_layout import CellLayout
from replan.spaces.observations import states_in_rows
from replan.spaces.space import Space, key_to_state

Array: TypeAlias = np.ndarray[Any, Any]


def parse_states(space: Space, cells: Any, argument_name: str) -> Array:
    """Return the states of cells. cells: an array of (row, column), a list of cells, or one cell."""
    if space.cell_layout is not None:
        return _plane_states(space, space.cell_layout, cells, argument_name)
    listed = cells if isinstance(cells, list) else cells.tolist() if isinstance(cells, np.ndarray) else [cells]
    return np.array([key_to_state(space, key) for key in listed], np.int32)


def _plane_states(space: Space, plane: CellLayout, cells: Any, argument_name: str) -> Array:
    try:
        array = np.asarray(cells)
    except (TypeError, ValueError):
        array = np.empty(0, object)
    if array.size == 0 and array.dtype != object:
        return np.empty(0, np.int32)
    if array.shape == (2,):
        array = array[None]
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iuf":
        raise InputError(f"{argument_name} are cells: an array of (row, column), or one pair, not {cells!r:.80}")
    return states_in_rows(space, plane, array)


def parse_start_goal_pairs(space: Space, starts: Any, goals: Any) -> tuple[Array, Array]:
    """Return as many starts as goals; a single start or goal is repeated."""
    start_states, goal_states = parse_states(space, starts, "starts"), parse_states(space, goals, "goals")
    if len(start_states) != len(goal_states) and 1 not in (len(start_states), len(goal_states)):
        raise InputError(
            f"there are {len(start_states):,} starts and {len(goal_states):,} goals: give as many, or one for all"
        )
    count = 0 if 0 in (len(start_states), len(goal_states)) else max(len(start_states), len(goal_states))
    return np.resize(start_states, count), np.resize(goal_states, count)


def parse_ids(ids: Any) -> Array:
    """Return ids as an array. ids: an array of whole numbers, or one number."""
    array = np.atleast_1d(np.asarray(ids))
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(f"ids are whole numbers, as `add` has returned them, not {ids!r:.80}")
    return array.astype(np.int64)


def checked_collisions(collisions: str | None) -> bool:
    """True if characters do not share a cell ("wait"), False if they may (None). Raises InputError."""
    if collisions is None or (isinstance(collisions, str) and collisions == "wait"):
        return collisions is not None
    raise InputError(
        f"collisions is 'wait' (a character waits while its next cell is occupied) or None, not {collisions!r:.80}"
    )
