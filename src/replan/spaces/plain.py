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
    from replan.interpreted import gather, lowest_bit, octets

INT64, BOOL = np.int64, np.bool_


def plain_number(given: Any) -> int:
    """A whole number from 0 on; -1: it is something else, or too large to count cells."""
    if type(given) is not int and type(given) is not INT64:
        return -1
    try:
        number = int(given)
    except OverflowError:
        return -1
    return max(number, -1)


def plain_flag(given: Any) -> int:
    """1 for True, 0 for False; -1: it is something else."""
    if given is True or given is False or type(given) is BOOL:
        return 1 if given else 0
    return -1


class PlainSights:
    """The places of some cells of a grid and their values: places[:count], values[:count]."""

    grid: Grid

    places: memoryview
    values: memoryview
    count: int

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.places, self.values, self.count = empty(16, np.int64), empty(16, np.int64), 0

    def read(self, cells: list[Any], given: Any, weighing: bool) -> bool:
        """Take in cells and whether they are blocked, or their weights (0: blocked). Are they plain, all of them?"""
        self.count = 0
        n = len(cells)
        each = type(given) is list
        listed: list[Any] = given if each else [given]
        if each and len(listed) != n:
            return False
        self.make_room(n)
        for i in range(n):
            s = self.state(cells[i])
            value = self.value_of(s, listed[i if each else 0], weighing) if s >= 0 else -1
            if value < 0:
                return False
            self.places[i], self.values[i] = s, value
        self.count = n
        return True

    def compare(self, window: memoryview, cols: int, at: int) -> int:
        """Take in where a window differs from the map: it has a byte for each cell, 1 for a blocked one.

        cols: how many columns it has. at: the state of its first cell. Everything has been checked.
        """
        self.count = 0
        solid, shown = octets(self.grid.solid), octets(window)
        for row in range(len(window) // cols):
            for col in range(0, cols, 8):
                room, s, i = min(8, cols - col), at + row * self.grid.width + col, row * cols + col
                blocked = gather(shown, i, 0, room)
                other = gather(solid, s, 0, room) ^ blocked
                if other == 0:
                    continue
                self.make_room(self.count + 8)
                while other != 0:
                    d = lowest_bit(other)
                    self.places[self.count] = s + d
                    self.values[self.count] = 0 if (blocked >> d) & 1 else self.free(s + d)
                    self.count += 1
                    other &= other - 1
        return self.count

    def make_room(self, n: int) -> int:
        if n > len(self.places):
            self.places, self.values = grown(self.places, 2 * n), grown(self.values, 2 * n)
        return 0

    def value_of(self, s: int, given: Any, weighing: bool) -> int:
        if weighing:
            weight = plain_number(given)
            return weight if weight <= (MAX_WEIGHT if self.grid.weighted else 1) else -1
        flag = plain_flag(given)
        return -1 if flag < 0 else 0 if flag == 1 else self.free(s)

    def free(self, s: int) -> int:
        """`Grid.value_if_free`."""
        value = self.grid.value[s]
        if value == 0 and self.grid.weighted:
            value = self.grid.last[s]
        return max(1, value)

    def state(self, cell: Any) -> int:
        """The state of a cell; -1: it is not plain, or there is none."""
        if type(cell) is not tuple or len(cell) != 2:
            return -1
        pair = cell
        row, col = plain_number(pair[0]), plain_number(pair[1])
        if row < 0 or row >= self.grid.rows or col < 0 or col >= self.grid.cols:
            return -1
        return (row + 1) * self.grid.width + col + 1
