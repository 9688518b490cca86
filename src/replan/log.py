"""The log of events for recorders: entries in order, each with an id, a kind and a value.

A watched search logs the states that it expands, with their h-values before learning if it may learn. A watched world
logs the locations that it changes. Without a recorder the cost is one test of a flag.
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
    """Entries in order: ids (states or locations), their kinds, and values (-1: none).

    is_incomplete: set by a search that changed other states than the logged states and their neighbours.
    """

    count: int
    is_incomplete: bool

    def __init__(self) -> None:
        self.ids, self.kinds, self.values = NO_ENTRIES  # most logs stay empty: the first entry reserves memory
        self.count, self.is_incomplete = 0, False

    def add(self, number: int, kind: int, value: int) -> int:
        """Add an entry."""
        if self.count == len(self.ids):
            with cython.gil:
                self.reserve(self.count + 1)
        self.ids[self.count] = number
        self.kinds[self.count] = kind
        self.values[self.count] = value
        self.count += 1
        return 0

    def add_expanded(self, states: memoryview, start: int, end: int) -> int:
        """Add an entry of kind EXPANDED for each of states[start:end]."""
        for i in range(start, end):
            self.add(states[i], EXPANDED, -1)
        return 0

    def reserve(self, n: int) -> int:
        """Reserve memory for n entries in total."""
        if n > len(self.ids):
            ids, kinds, values = grown(self.ids, 2 * n), grown(self.kinds, 2 * n), grown(self.values, 2 * n)
            self.ids, self.kinds, self.values = ids, kinds, values
        return 0

    def truncate(self, count: int) -> None:
        """Remove all entries but the first `count`."""
        self.count = min(max(count, 0), self.count)

    def clear(self) -> int:
        """Remove all entries."""
        self.count, self.is_incomplete = 0, False
        return 0

    def entries(self, first: int = 0) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return copies of the ids, kinds and values, from entry `first` (counted from 0) on."""
        i, k = min(max(first, 0), self.count), self.count
        return np.array(self.ids[i:k]), np.array(self.kinds[i:k]), np.array(self.values[i:k])

    def pop_is_incomplete(self) -> bool:
        """Return `is_incomplete` and set it to False."""
        was_incomplete, self.is_incomplete = self.is_incomplete, False
        return was_incomplete
