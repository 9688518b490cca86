"""What happens while somebody watches: numbers in the order in which they come, each with its kind.

A search that is watched logs the states that it expands, a world the places that it changes. Nobody else pays for it
but by asking `if self.watched`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.limits import EXPANDED

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Log:
    """Numbers and their kinds, in order."""

    count: int

    def __init__(self) -> None:
        self.numbers, self.kinds, self.count = empty(1024, np.int32), empty(1024, np.uint8), 0

    def add(self, number: int, kind: int) -> int:
        if self.count == len(self.numbers):
            with cython.gil:
                self.grow(self.count + 1)
        self.numbers[self.count] = number
        self.kinds[self.count] = kind
        self.count += 1
        return 0

    def add_all(self, numbers: memoryview, start: int, stop: int) -> int:
        """Add numbers[start:stop], all of them expanded."""
        for i in range(start, stop):
            self.add(numbers[i], EXPANDED)
        return 0

    def grow(self, least: int) -> int:
        self.numbers, self.kinds = grown(self.numbers, 2 * least), grown(self.kinds, 2 * least)
        return 0

    def clear(self) -> int:
        self.count = 0
        return 0

    def listed(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The numbers and the kinds so far, as arrays of one's own."""
        return np.array(self.numbers[: self.count]), np.array(self.kinds[: self.count])
