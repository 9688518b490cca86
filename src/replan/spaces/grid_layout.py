"""What a grid is made of, worked out for the whole map at once."""

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
# In which order the neighbours of a cell are listed, by their directions (see `cells`).
NEIGHBOUR_ORDERS = {"straight first": (0, 1, 2, 3, 4, 5, 6, 7), "circular": (0, 4, 1, 5, 2, 6, 3, 7)}


def exits_at(blocked: Any, walls: Any, has_walls: bool, s: Any, width: int, neighbors: int, corner_rule: int) -> Any:
    """The directions in which a step leads from state s, one bit each: the one place that knows.

    solid: 1 where a state is blocked. walls, if there are any: the straight directions in which a state has one. There
    is no branch on what a map looks like, so that s may be an array of states, too.
    """
    shut = blocked[s + 1] | blocked[s + width] << 1 | blocked[s - 1] << 2 | blocked[s - width] << 3
    if has_walls:
        shut = shut | walls[s]
    if neighbors == 4:
        return (shut ^ 15) & (blocked[s] - 1)
    # A diagonal step leads round a corner, past the neighbours in two straight directions: bit i stands for directions
    # i and i + 1. Which steps are shut that go by the one neighbour, and which that go by the other?
    one = shut
    if corner_rule == 2:
        one = walls[s] if has_walls else shut & 0
    other = one >> 1 | (one << 3 & 8)
    if has_walls:
        right, down, left, up = walls[s + 1], walls[s + width], walls[s - 1], walls[s - width]
        one = one | (right >> 1 & 1) | (down >> 1 & 2) | (left >> 1 & 4) | (up << 3 & 8)
        other = other | (down & 1) | (left & 2) | (up & 4) | (right & 8)
    past = one | other if corner_rule == 0 else one & other
    below, above = s + width, s - width
    past = past | blocked[below + 1] | blocked[below - 1] << 1 | blocked[above - 1] << 2 | blocked[above + 1] << 3
    return ((shut | past << 4) ^ 255) & (blocked[s] - 1)


def all_exits(blocked: memoryview, walls: memoryview, has_walls: bool, width: int, neighbors: int, corner_rule: int) -> Any:
    """`exits_at` of every state. All arrays have the ring, which has no exits."""
    exits = view(np.zeros(len(blocked), np.uint8))  # all of it is touched: huge pages, if NumPy gets them, are quicker
    if cython.compiled:
        write_exits(exits, blocked, walls, has_walls, width, neighbors, corner_rule)
    else:
        s = np.arange(width + 1, len(blocked) - width - 1)
        found = exits_at(np.asarray(blocked), np.asarray(walls), has_walls, s, width, neighbors, corner_rule)
        np.asarray(exits)[s] = found
    return exits


def write_exits(exits: Any, blocked: Any, walls: Any, has_walls: bool, width: int, neighbors: int, corner_rule: int) -> int:
    out, shut, wall = octets(exits), octets(blocked), octets(walls)
    first, end = width + 1, len(blocked) - width - 1
    # the same loop, and the same answers, five times: where C knows the kind of the map it does 16 cells at a time
    if has_walls:
        for s in range(first, end):
            out[s] = exits_at(shut, wall, True, s, width, neighbors, corner_rule)
    elif neighbors == 4:
        for s in range(first, end):
            out[s] = exits_at(shut, wall, False, s, width, 4, 0)
    elif corner_rule == 0:
        for s in range(first, end):
            out[s] = exits_at(shut, wall, False, s, width, 8, 0)
    elif corner_rule == 1:
        for s in range(first, end):
            out[s] = exits_at(shut, wall, False, s, width, 8, 1)
    else:
        for s in range(first, end):
            out[s] = exits_at(shut, wall, False, s, width, 8, 2)
    return 0


def checked_weights(weights: ArrayLike, blocked: Array) -> Array:
    given = as_array(weights)
    if given.shape != blocked.shape:
        raise InputError(f"weights has the shape {given.shape}, the map {blocked.shape}")
    with np.errstate(invalid="ignore"):  # NaN is not equal to what it becomes
        whole = given.astype(np.int64)
    if not np.array_equal(whole, given):
        raise InputError("terrain weights are whole numbers; scale them if yours are not")
    bad = (whole < 1) | (whole > MAX_WEIGHT)
    bad &= ~blocked
    if bad.any():
        row, col = np.argwhere(bad)[0]
        raise InputError(
            f"the weight of cell ({row}, {col}) is {whole[row, col]}; weights go from 1 to {MAX_WEIGHT:,} "
            "(below 1 the heuristic would no longer be consistent)"
        )
    return whole


def wall_masks(walls: ArrayLike, rows: int, cols: int) -> Array:
    """Walls between cells as one bit a direction, both ways."""
    given = as_array(walls)
    if given.shape != (rows, cols):
        raise InputError(f"walls has the shape {given.shape}, the map {(rows, cols)}")
    padded = np.zeros((rows + 2, cols + 2), np.uint8)
    padded[1:-1, 1:-1] = given & 3
    right, below = padded & 1, (padded >> 1) & 1
    return padded | np.roll(right, 1, 1) << 2 | np.roll(below, 1, 0) << 3


# The directions of each mask of four: of the straight ones, then of the diagonals.
DIRECTIONS_OF_MASK = [[first + d for d in range(4) if mask >> d & 1] for first in (0, 4) for mask in range(16)]
NO_DIRECTION = 8  # stands in a row where the mask has no more
PADDED_DIRECTIONS = np.array([[*found, *[NO_DIRECTION] * (4 - len(found))] for found in DIRECTIONS_OF_MASK])
DIRECTION_COUNTS = np.array([[len(found)] for found in DIRECTIONS_OF_MASK])


@lru_cache(64)
def direction_tables(cols: int) -> tuple[memoryview, memoryview, memoryview]:
    """What depends on the columns of a map alone, so that maps with as many share it. Nobody writes into it.

    The offsets of the eight directions, and of none. Where the exits of each mask of four lead: four offsets, 0 behind
    the last of them, and how many they are. And the exits that do not lead back, by where that lies (s + i - w - 1):
    all but one, or all if it is nowhere near.
    """
    w = cols + 2
    offsets = np.array([1, w, -1, -w, w + 1, w - 1, -w - 1, 1 - w, 0], np.int64)
    hops = np.hstack([offsets[PADDED_DIRECTIONS], DIRECTION_COUNTS]).astype(np.int32).reshape(-1)
    not_back = np.full(2 * w + 3, 255, np.uint8)
    for d in range(8):
        not_back[offsets[d] + w + 1] &= ~(1 << d) & 255
    return view(offsets), view(hops), view(not_back)


def block_exits(corner_rule: int) -> Array:
    """The exits that lead from one cell of a block of nine to another, by which of the nine are free.

    Nine numbers for each of 512 patterns: of the eight cells around the middle, by their direction, and of the middle.
    Bit d of a pattern: the cell in direction d is free; bit 8: the middle is.
    """
    around = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1), (0, 0)]
    free = np.zeros((5, 4 * 512 + 1), bool)  # side by side, with blocked cells between and around
    middle = 2 + 4 * np.arange(512)
    for d, (down, right) in enumerate(around):
        free[2 + down, middle + right] = np.arange(512) >> d & 1
    solid = view((~free).view(np.uint8).reshape(-1))
    exits = np.asarray(all_exits(solid, solid, False, free.shape[1], 8, corner_rule)).reshape(free.shape)
    return np.stack([exits[2 + down, middle + right] for down, right in around], axis=1).reshape(-1)


@cache
def block_exit_toggles(corner_rule: int) -> Array:
    """Which exits of a block of nine cells open or shut when its middle does, by which of the eight others are blocked.

    Nine numbers for each of 256 patterns: of the eight cells around the middle, by their direction, and of the middle.
    """
    shut, open_ = block_exits(corner_rule).reshape(2, 256, 9)
    turned: Array = (shut ^ open_)[::-1].astype(np.uint8)
    return turned.reshape(-1)
