"""A fast reader of observations in their most frequent form: a list of tuples of two ints, or a window of a grid.

It reads valid input of exactly these types, without calls of Python code. Everything else is left to
`replan.spaces.observations`, which also raises the errors. So this module raises no errors and calls no user's code.
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


def index_or_minus_one(item: Any) -> int:
    """Return a whole number from 0 on; -1 for any other object, or if it does not fit 64 bits."""
    if type(item) is not int and type(item) is not INT64:
        return -1
    try:
        number = int(item)
    except OverflowError:
        return -1
    return max(number, -1)


def flag_or_minus_one(item: Any) -> int:
    """Return 1 for True and 0 for False; -1 for any other object."""
    if item is True or item is False or type(item) is BOOL:
        return 1 if item else 0
    return -1


class FastObservations:
    """The locations of observed cells of a grid, locations[:count], and their values, values[:count]."""

    grid: Grid

    locations: memoryview
    values: memoryview
    count: int

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.locations, self.values, self.count = empty(16, np.int64), empty(16, np.int64), 0

    def try_parse(self, cells: list[Any], observed: Any, is_weights: bool) -> bool:
        """Read cells and whether they are blocked, or their weights (0: blocked). False if one needs closer checks."""
        self.count = 0
        n = len(cells)
        has_list = type(observed) is list
        items: list[Any] = observed if has_list else [observed]
        if has_list and len(items) != n:
            return False
        self.reserve(n)
        for i in range(n):
            s = self.try_state(cells[i])
            value = self.try_value(s, items[i if has_list else 0], is_weights) if s >= 0 else -1
            if value < 0:
                return False
            self.locations[i], self.values[i] = s, value
        self.count = n
        return True

    def compare_window(self, window: memoryview, cols: int, first_state: int) -> int:
        """Read the cells in which a window differs from the map; return their number.

        The arguments have been checked. window: one byte for each cell, 1 if it is blocked. cols: columns of the
        window. first_state: state of its first cell.
        """
        self.count = 0
        known, seen = octets(self.grid.blocked_flags), octets(window)
        for row in range(len(window) // cols):
            for col in range(0, cols, 8):  # eight cells at a time
                length, s, i = min(8, cols - col), first_state + row * self.grid.width + col, row * cols + col
                blocked = gather_bits(seen, i, 0, length)
                different = gather_bits(known, s, 0, length) ^ blocked
                if different == 0:
                    continue
                self.reserve(self.count + 8)
                while different != 0:
                    d = lowest_bit(different)
                    self.locations[self.count] = s + d
                    self.values[self.count] = 0 if (blocked >> d) & 1 else self.free_value(s + d)
                    self.count += 1
                    different &= different - 1
        return self.count

    def reserve(self, n: int) -> int:
        """Reserve memory for n cells."""
        if n > len(self.locations):
            self.locations, self.values = grown(self.locations, 2 * n), grown(self.values, 2 * n)
        return 0

    def try_value(self, s: int, item: Any, is_weights: bool) -> int:
        """Return the value of an observed cell; -1 if the observation needs closer checks."""
        if is_weights:
            weight = index_or_minus_one(item)
            return weight if weight <= (MAX_WEIGHT if self.grid.is_weighted else 1) else -1
        flag = flag_or_minus_one(item)
        return -1 if flag < 0 else 0 if flag == 1 else self.free_value(s)

    def free_value(self, s: int) -> int:
        """Return `Grid.value_if_free` of a state."""
        value = self.grid.value[s]
        if value == 0 and self.grid.is_weighted:
            value = self.grid.last_weight[s]
        return max(1, value)

    def try_state(self, cell: Any) -> int:
        """Return the state of a cell; -1 if the cell needs closer checks."""
        if type(cell) is not tuple or len(cell) != 2:
            return -1
        pair = cell
        row, col = index_or_minus_one(pair[0]), index_or_minus_one(pair[1])
        if row < 0 or row >= self.grid.rows or col < 0 or col >= self.grid.cols:
            return -1
        return (row + 1) * self.grid.width + col + 1
