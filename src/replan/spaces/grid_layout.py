"""The arrays of a grid, computed for the whole map at once: exits, weights, walls, and tables by direction.

Directions: 0 right, 1 down, 2 left, 3 up, 4 down-right, 5 down-left, 6 up-left, 7 up-right.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import as_array, view
from replan.errors import InputError
from replan.limits import MAX_WEIGHT

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import octets

Array: TypeAlias = np.ndarray[Any, Any]
CORNER_RULES = {"strict": 0, "either": 1, "free": 2}
# Directions in the order in which the neighbours of a cell are listed.
NEIGHBOUR_ORDERS = {"straight first": (0, 1, 2, 3, 4, 5, 6, 7), "circular": (0, 4, 1, 5, 2, 6, 3, 7)}


def exits_at(blocked: Any, walls: Any, has_walls: bool, s: Any, width: int, neighbors: int, corner_rule: int) -> Any:
    """Return the exits of state s, one bit for each direction. No other code decides which steps there are.

    blocked: 1 where a state is blocked. walls: bits of the straight directions in which a wall stands. No branch
    depends on values of the map, so that s may also be an array of states.
    """
    closed = blocked[s + 1] | blocked[s + width] << 1 | blocked[s - 1] << 2 | blocked[s - width] << 3
    if has_walls:
        closed = closed | walls[s]
    if neighbors == 4:
        return (closed ^ 15) & (blocked[s] - 1)
    # A diagonal step passes the neighbours in two straight directions: bit i is the step between directions i and
    # i + 1. `first` has the diagonal steps that the neighbour in direction i closes, `second` those of direction i + 1.
    first = closed
    if corner_rule == 2:
        first = walls[s] if has_walls else closed & 0
    second = first >> 1 | (first << 3 & 8)
    if has_walls:
        right, down, left, up = walls[s + 1], walls[s + width], walls[s - 1], walls[s - width]
        first = first | (right >> 1 & 1) | (down >> 1 & 2) | (left >> 1 & 4) | (up << 3 & 8)
        second = second | (down & 1) | (left & 2) | (up & 4) | (right & 8)
    diagonal = first | second if corner_rule == 0 else first & second
    below, above = s + width, s - width
    diagonal = (
        diagonal | blocked[below + 1] | blocked[below - 1] << 1 | blocked[above - 1] << 2 | blocked[above + 1] << 3
    )
    return ((closed | diagonal << 4) ^ 255) & (blocked[s] - 1)


def all_exits(
    blocked: memoryview, walls: memoryview, has_walls: bool, width: int, neighbors: int, corner_rule: int
) -> Any:
    """Return `exits_at` of every state. All arrays include the ring, which has no exits."""
    exits = view(np.zeros(len(blocked), np.uint8))  # NumPy's huge pages are faster for an array that is written in full
    if cython.compiled:
        write_exits(exits, blocked, walls, has_walls, width, neighbors, corner_rule)
    else:
        s = np.arange(width + 1, len(blocked) - width - 1)
        values = exits_at(np.asarray(blocked), np.asarray(walls), has_walls, s, width, neighbors, corner_rule)
        np.asarray(exits)[s] = values
    return exits


def write_exits(
    exits: Any, blocked: Any, walls: Any, has_walls: bool, width: int, neighbors: int, corner_rule: int
) -> int:
    """Write `exits_at` of every state inside the ring."""
    out, flags, masks = octets(exits), octets(blocked), octets(walls)
    first, end = width + 1, len(blocked) - width - 1
    # The same loop five times: with constant arguments the C compiler processes 16 cells at a time.
    if has_walls:
        for s in range(first, end):
            out[s] = exits_at(flags, masks, True, s, width, neighbors, corner_rule)
    elif neighbors == 4:
        for s in range(first, end):
            out[s] = exits_at(flags, masks, False, s, width, 4, 0)
    elif corner_rule == 0:
        for s in range(first, end):
            out[s] = exits_at(flags, masks, False, s, width, 8, 0)
    elif corner_rule == 1:
        for s in range(first, end):
            out[s] = exits_at(flags, masks, False, s, width, 8, 1)
    else:
        for s in range(first, end):
            out[s] = exits_at(flags, masks, False, s, width, 8, 2)
    return 0


def checked_weights(weights: ArrayLike, blocked: Array) -> Array:
    """Return weights as int64; raise InputError if the weight of a free cell is invalid."""
    array = as_array(weights)
    if array.shape != blocked.shape:
        raise InputError(f"weights has the shape {array.shape}, the map {blocked.shape}")
    with np.errstate(invalid="ignore"):  # NaN differs from the integer to which it is converted
        integers = array.astype(np.int64)
    if not np.array_equal(integers, array):
        raise InputError("terrain weights are whole numbers; scale them if yours are not")
    is_bad = (integers < 1) | (integers > MAX_WEIGHT)
    is_bad &= ~blocked
    if is_bad.any():
        row, col = np.argwhere(is_bad)[0]
        raise InputError(
            f"the weight of cell ({row}, {col}) is {integers[row, col]}; weights go from 1 to {MAX_WEIGHT:,} "
            "(below 1 the heuristic would no longer be consistent)"
        )
    return integers


def wall_masks(walls: ArrayLike, rows: int, cols: int) -> Array:
    """Return the walls of each state, ring included, as bits of the four straight directions."""
    array = as_array(walls)
    if array.shape != (rows, cols):
        raise InputError(f"walls has the shape {array.shape}, the map {(rows, cols)}")
    padded = np.zeros((rows + 2, cols + 2), np.uint8)
    padded[1:-1, 1:-1] = array & 3
    right, below = padded & 1, (padded >> 1) & 1
    return padded | np.roll(right, 1, 1) << 2 | np.roll(below, 1, 0) << 3


# The directions in each mask of four bits: first of the straight directions, then of the diagonals.
DIRECTIONS_OF_MASK = [[first + d for d in range(4) if mask >> d & 1] for first in (0, 4) for mask in range(16)]
NO_DIRECTION = 8  # fills the rest of a row
PADDED_DIRECTIONS = np.array([[*listed, *[NO_DIRECTION] * (4 - len(listed))] for listed in DIRECTIONS_OF_MASK])
DIRECTION_COUNTS = np.array([[len(listed)] for listed in DIRECTIONS_OF_MASK])


@lru_cache(64)
def direction_tables(cols: int) -> tuple[memoryview, memoryview, memoryview]:
    """Return the tables that depend only on the number of columns; grids share them and do not write into them.

    - Offsets of the eight directions, and 0 for NO_DIRECTION.
    - For each mask of four exits: four offsets, filled up with 0, and the number of exits.
    - By the position of the previous state p (p - s + width + 1): the exits of s that do not lead back to p.
    """
    w = cols + 2
    offsets = np.array([1, w, -1, -w, w + 1, w - 1, -w - 1, 1 - w, 0], np.int64)
    offsets_of_mask = np.hstack([offsets[PADDED_DIRECTIONS], DIRECTION_COUNTS]).astype(np.int32).reshape(-1)
    onward_masks = np.full(2 * w + 3, 255, np.uint8)
    for d in range(8):
        onward_masks[offsets[d] + w + 1] &= ~(1 << d) & 255
    return view(offsets), view(offsets_of_mask), view(onward_masks)


def block_exits(corner_rule: int) -> Array:
    """Return the exits inside a block of nine cells, for each of the 512 patterns of free cells.

    Each pattern has nine numbers: the exits of the eight outer cells, by direction, and of the middle. Bit d of a
    pattern: the cell in direction d is free; bit 8: the middle is free.
    """
    block = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1), (0, 0)]
    free = np.zeros((5, 4 * 512 + 1), bool)  # the blocks side by side, with blocked cells between and around them
    middle = 2 + 4 * np.arange(512)
    for d, (down, right) in enumerate(block):
        free[2 + down, middle + right] = np.arange(512) >> d & 1
    blocked = view((~free).view(np.uint8).reshape(-1))
    exits = np.asarray(all_exits(blocked, blocked, False, free.shape[1], 8, corner_rule)).reshape(free.shape)
    return np.stack([exits[2 + down, middle + right] for down, right in block], axis=1).reshape(-1)


@cache
def block_exit_toggles(corner_rule: int) -> Array:
    """Return the exits in a block of nine cells that change when the middle is blocked or freed.

    Each of the 256 patterns of blocked outer cells has nine numbers: the exits of the eight outer cells, by direction,
    and of the middle.
    """
    exits_if_blocked, exits_if_free = block_exits(corner_rule).reshape(2, 256, 9)
    toggles: Array = (exits_if_blocked ^ exits_if_free)[::-1].astype(np.uint8)
    return toggles.reshape(-1)
