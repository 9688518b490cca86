"""Checks of the cells and ids that users pass to a crowd. Returns arrays of numbers."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from replan.errors import InputError
from replan.spaces.cell_layout import CellLayout
from replan.spaces.observations import states_in_rows
from replan.spaces.space import Space, key_to_state

Array: TypeAlias = np.ndarray[Any, Any]


def parse_states(space: Space, cells: Any, what: str) -> Array:
    """The states of cells: an array with a row and a column for each, a list of cells, or one cell."""
    if space.cell_layout is not None:
        return _plane_states(space, space.cell_layout, cells, what)
    listed = cells if isinstance(cells, list) else cells.tolist() if isinstance(cells, np.ndarray) else [cells]
    return np.array([key_to_state(space, key) for key in listed], np.int32)


def _plane_states(space: Space, plane: CellLayout, cells: Any, what: str) -> Array:
    try:
        given = np.asarray(cells)
    except (TypeError, ValueError):
        given = np.empty(0, object)
    if given.size == 0 and given.dtype != object:
        return np.empty(0, np.int32)
    if given.shape == (2,):
        given = given[None]
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iuf":
        raise InputError(f"{what} are cells: an array with a row and a column for each, or one pair, not {cells!r:.80}")
    return states_in_rows(space, plane, given)


def parse_start_goal_pairs(space: Space, starts: Any, goals: Any) -> tuple[Array, Array]:
    """As many starts as goals; one of either is for all."""
    one, other = parse_states(space, starts, "starts"), parse_states(space, goals, "goals")
    if len(one) != len(other) and 1 not in (len(one), len(other)):
        raise InputError(f"there are {len(one):,} starts and {len(other):,} goals: give as many, or one for all")
    count = 0 if 0 in (len(one), len(other)) else max(len(one), len(other))
    return np.resize(one, count), np.resize(other, count)


def parse_ids(ids: Any) -> Array:
    """Ids: an array of whole numbers, or one."""
    given = np.atleast_1d(np.asarray(ids))
    if given.size == 0:
        return np.empty(0, np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise InputError(f"ids are whole numbers, as `add` has returned them, not {ids!r:.80}")
    return given.astype(np.int64)


def checked_collisions(collisions: str | None) -> bool:
    """True if characters do not share a cell ("wait"), False if they may (None). Raises InputError."""
    if collisions is None or (isinstance(collisions, str) and collisions == "wait"):
        return collisions is not None
    raise InputError(
        f"collisions is 'wait' (a character waits while another one is on its next cell) or None, not {collisions!r:.80}"
    )
