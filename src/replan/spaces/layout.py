"""What a grid is made of, worked out for the whole map at once."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from replan.errors import InputError
from replan.limits import MAX_WEIGHT

Array: TypeAlias = np.ndarray[Any, Any]


def all_exits(free: Array, walls: Array | None, neighbors: int, corners: str) -> Array:
    """In which directions a step leads from each cell, as `Cells.exits_at` says it of one. All arrays have the ring."""

    def to(array: Array, d: int) -> Array:  # what lies one step away in direction d
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[d]
        return np.roll(array, (-down, -right), (0, 1))

    masks = np.zeros(free.shape, np.uint8)
    ways = []  # may one step in each straight direction, from anywhere?
    for d in range(4):
        way = free & to(free, d)
        if walls is not None:
            way &= (walls >> d) & 1 == 0
        ways.append(way)
        masks |= way.view(np.uint8) << d
    if neighbors == 8:
        for i in range(4):
            j = (i + 1) % 4
            end = to(to(free, i), j)
            one, other = ways[i] & to(ways[j], i), ways[j] & to(ways[i], j)
            if corners == "strict":
                diagonal = one & other
            elif corners == "either":
                diagonal = one | other
            elif walls is None:
                diagonal = free & end
            else:
                fence = [(walls >> d) & 1 == 0 for d in range(4)]
                diagonal = free & end & ((fence[i] & to(fence[j], i)) | (fence[j] & to(fence[i], j)))
            masks |= diagonal.view(np.uint8) << (4 + i)
    return masks


def checked_weights(weights: ArrayLike, solid: Array) -> Array:
    given = np.asarray(weights)
    if given.shape != solid.shape:
        raise InputError(f"weights has the shape {given.shape}, the map {solid.shape}")
    with np.errstate(invalid="ignore"):  # NaN is not equal to what it becomes
        whole = given.astype(np.int64)
    if not np.array_equal(whole, given):
        raise InputError("terrain weights are whole numbers; scale them if yours are not")
    bad = (whole < 1) | (whole > MAX_WEIGHT)
    bad &= ~solid
    if bad.any():
        row, col = np.argwhere(bad)[0]
        raise InputError(
            f"the weight of cell ({row}, {col}) is {whole[row, col]}; weights go from 1 to {MAX_WEIGHT:,} "
            "(below 1 the heuristic would no longer be consistent)"
        )
    return whole


def wall_directions(walls: ArrayLike, rows: int, cols: int) -> Array:
    """Walls between cells as one bit a direction, both ways."""
    given = np.asarray(walls)
    if given.shape != (rows, cols):
        raise InputError(f"walls has the shape {given.shape}, the map {(rows, cols)}")
    padded = np.zeros((rows + 2, cols + 2), np.uint8)
    padded[1:-1, 1:-1] = given & 3
    right, below = padded & 1, (padded >> 1) & 1
    return padded | np.roll(right, 1, 1) << 2 | np.roll(below, 1, 0) << 3


# The directions of each mask of four: of the straight ones, then of the diagonals.
MASKS = [[first + d for d in range(4) if mask >> d & 1] for first in (0, 4) for mask in range(16)]
NOWHERE = 8  # stands in a row where the mask has no more
LISTED = np.array([[*found, *[NOWHERE] * (4 - len(found))] for found in MASKS])
COUNTS = np.array([[len(found)] for found in MASKS])


def hops(offsets: Array) -> Array:
    """Where the exits of each mask of four lead: four offsets, 0 behind the last of them, and how many they are."""
    table: Array = np.hstack([offsets[LISTED], COUNTS])
    return table.astype(np.int32).reshape(-1)


@cache
def block_exits(corners: str) -> Array:
    """The exits that lead from one cell of a block of nine to another, by which of the nine are free.

    Nine numbers for each of 512 patterns: of the eight cells around the middle, by their direction, and of the middle.
    Bit d of a pattern: the cell in direction d is free; bit 8: the middle is.
    """
    around = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1), (0, 0)]
    free = np.zeros((5, 4 * 512 + 1), bool)  # side by side, with blocked cells between and around
    middle = 2 + 4 * np.arange(512)
    for d, (down, right) in enumerate(around):
        free[2 + down, middle + right] = np.arange(512) >> d & 1
    exits = all_exits(free, None, 8, corners)
    return np.stack([exits[2 + down, middle + right] for down, right in around], axis=1).reshape(-1)
