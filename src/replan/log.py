"""What happens while somebody watches: numbers in the order in which they come, each with its kind and a value.

A search that is watched logs the states that it expands, each with its h before learning if it may learn; a world logs
the places that it changes. What is not watched pays for it only by asking `if self.watched`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import grown, view
from replan.limits import EXPANDED

try:
    import cython
except ImportError:
    from replan import _cython as cython


NO_ENTRIES = view(np.empty(0, np.int32)), view(np.empty(0, np.uint8)), view(np.empty(0, np.int64))


class EventLog:
    """Numbers with their kinds and values (-1: none), in order.

    wide: set by a search that has changed more than the states logged and those a step away from them.
    """

    count: int
    is_incomplete: bool

    def __init__(self) -> None:
        self.ids, self.kinds, self.values = NO_ENTRIES  # most logs stay empty: room is made for the first entry
        self.count, self.is_incomplete = 0, False

    def add(self, number: int, kind: int, value: int) -> int:
        if self.count == len(self.ids):
            with cython.gil:
                self.reserve(self.count + 1)
        self.ids[self.count] = number
        self.kinds[self.count] = kind
        self.values[self.count] = value
        self.count += 1
        return 0

    def add_expanded(self, numbers: memoryview, start: int, stop: int) -> int:
        """Add numbers[start:stop], all of them expanded."""
        for i in range(start, stop):
            self.add(numbers[i], EXPANDED, -1)
        return 0

    def reserve(self, n: int) -> int:
        """Have memory for n entries in all."""
        if n > len(self.ids):
            self.ids, self.kinds, self.values = (
                grown(self.ids, 2 * n), grown(self.kinds, 2 * n), grown(self.values, 2 * n)
            )
        return 0

    def truncate(self, count: int) -> None:
        """Keep the first so many entries."""
        self.count = min(max(count, 0), self.count)

    def clear(self) -> int:
        self.count, self.is_incomplete = 0, False
        return 0

    def entries(self, first: int = 0) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The numbers, kinds and values from the first one (counted from 0) on, as arrays of one's own."""
        i, k = min(max(first, 0), self.count), self.count
        return np.array(self.ids[i:k]), np.array(self.kinds[i:k]), np.array(self.values[i:k])

    def pop_is_incomplete(self) -> bool:
        """Has a search been wide since this was asked last?"""
        wide, self.is_incomplete = self.is_incomplete, False
        return wide
