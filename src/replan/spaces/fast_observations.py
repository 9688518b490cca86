"""Cells and values as nearly all programs give them: tuples of two ints, in a list, on a grid; or a window of it.

What is plainly right is taken at once, without a call in Python; everything else is looked at closely elsewhere
(`Grid.state`, `observed`), which also knows what to say about it. So nothing is refused here, and no code of a user's
is called: exact types alone are plain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.limits import MAX_WEIGHT
from replan.spaces.grid import Grid

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import gather_bits, lowest_bit, octets

INT64, BOOL = np.int64, np.bool_


def index_or_minus_one(given: Any) -> int:
    """A whole number from 0 on; -1: it is something else, or too large to count cells."""
    if type(given) is not int and type(given) is not INT64:
        return -1
    try:
        number = int(given)
    except OverflowError:
        return -1
    return max(number, -1)


def flag_or_minus_one(given: Any) -> int:
    """1 for True, 0 for False; -1: it is something else."""
    if given is True or given is False or type(given) is BOOL:
        return 1 if given else 0
    return -1


class FastObservations:
    """The places of some cells of a grid and their values: places[:count], values[:count]."""

    grid: Grid

    locations: memoryview
    values: memoryview
    count: int

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.locations, self.values, self.count = empty(16, np.int64), empty(16, np.int64), 0

    def try_parse(self, cells: list[Any], given: Any, is_weights: bool) -> bool:
        """Take in cells and whether they are blocked, or their weights (0: blocked). Are they plain, all of them?"""
        self.count = 0
        n = len(cells)
        each = type(given) is list
        listed: list[Any] = given if each else [given]
        if each and len(listed) != n:
            return False
        self.reserve(n)
        for i in range(n):
            s = self.try_state(cells[i])
            value = self.try_value(s, listed[i if each else 0], is_weights) if s >= 0 else -1
            if value < 0:
                return False
            self.locations[i], self.values[i] = s, value
        self.count = n
        return True

    def compare_window(self, window: memoryview, cols: int, first_state: int) -> int:
        """Take in where a window differs from the map: it has a byte for each cell, 1 for a blocked one.

        cols: how many columns it has. at: the state of its first cell. Everything has been checked.
        """
        self.count = 0
        solid, shown = octets(self.grid.blocked_flags), octets(window)
        for row in range(len(window) // cols):
            for col in range(0, cols, 8):
                room, s, i = min(8, cols - col), first_state + row * self.grid.width + col, row * cols + col
                blocked = gather_bits(shown, i, 0, room)
                other = gather_bits(solid, s, 0, room) ^ blocked
                if other == 0:
                    continue
                self.reserve(self.count + 8)
                while other != 0:
                    d = lowest_bit(other)
                    self.locations[self.count] = s + d
                    self.values[self.count] = 0 if (blocked >> d) & 1 else self.free_value(s + d)
                    self.count += 1
                    other &= other - 1
        return self.count

    def reserve(self, n: int) -> int:
        if n > len(self.locations):
            self.locations, self.values = grown(self.locations, 2 * n), grown(self.values, 2 * n)
        return 0

    def try_value(self, s: int, given: Any, is_weights: bool) -> int:
        if is_weights:
            weight = index_or_minus_one(given)
            return weight if weight <= (MAX_WEIGHT if self.grid.is_weighted else 1) else -1
        flag = flag_or_minus_one(given)
        return -1 if flag < 0 else 0 if flag == 1 else self.free_value(s)

    def free_value(self, s: int) -> int:
        """`Grid.value_if_free`."""
        value = self.grid.value[s]
        if value == 0 and self.grid.is_weighted:
            value = self.grid.last_weight[s]
        return max(1, value)

    def try_state(self, cell: Any) -> int:
        """The state of a cell; -1: it is not plain, or there is none."""
        if type(cell) is not tuple or len(cell) != 2:
            return -1
        pair = cell
        row, col = index_or_minus_one(pair[0]), index_or_minus_one(pair[1])
        if row < 0 or row >= self.grid.rows or col < 0 or col >= self.grid.cols:
            return -1
        return (row + 1) * self.grid.width + col + 1
