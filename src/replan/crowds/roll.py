"""Who is in a crowd: the ids of all, and the rows in which their numbers stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import view
from replan.crowds.given import numbers_of
from replan.errors import InputError

INDEX = 16  # bytes: of each, its id and where its row is


class Roll:
    """`numbers` are the ids of all, in the order in which they came, `living` their rows; `row_of` tells them by id.

    Nobody gets an id that somebody else had before.
    """

    def __init__(self) -> None:
        self.living, self.row_of = np.empty(0, np.int32), np.empty(0, np.int32)  # -1: that one is gone
        self.numbers = np.empty(0, np.int64)

    def add(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Those of these rows have come: their ids."""
        first = len(self.row_of)
        numbers = np.arange(first, first + len(rows), dtype=np.int64)
        self.row_of = np.concatenate([self.row_of, rows])
        self.living, self.numbers = np.concatenate([self.living, rows]), np.concatenate([self.numbers, numbers])
        return numbers.copy()

    def remove(self, numbers: np.ndarray[Any, Any]) -> None:
        self.row_of[numbers] = -1
        stays = self.row_of[self.numbers] >= 0
        self.living, self.numbers = self.living[stays], self.numbers[stays]

    def rows(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The rows of these ids."""
        rows = np.empty(len(numbers), np.int32)
        if len(numbers):
            wrong = self.find(view(numbers), view(self.row_of), view(rows))
            if wrong >= 0:
                raise InputError(f"nobody in this crowd has the id {numbers[wrong]}")
        return rows

    def find(self, numbers: memoryview, row_of: memoryview, rows: memoryview) -> int:
        """Write the row of each id; where is the first that nobody has? -1: nowhere."""
        for i in range(len(numbers)):
            if numbers[i] < 0 or numbers[i] >= len(row_of) or row_of[numbers[i]] < 0:
                return i
            rows[i] = row_of[numbers[i]]
        return -1

    def ascend(self, numbers: memoryview) -> bool:
        """Is each larger than the one before?"""
        for i in range(1, len(numbers)):  # noqa: SIM110, a generator would make a Python object of each
            if numbers[i] <= numbers[i - 1]:
                return False
        return True

    def ready(self, who: Any) -> np.ndarray[Any, Any]:
        """The rows of those whom `tick` was given, in the order of their ids. None: all."""
        if who is None:
            return self.living
        given = np.atleast_1d(np.asarray(who))
        if given.dtype == bool:
            if given.shape != self.living.shape:
                raise InputError(f"who has {given.size:,} values, and there are {len(self.living):,} characters")
            return np.ascontiguousarray(self.living[given])
        numbers = np.ascontiguousarray(numbers_of(who))
        if not self.ascend(view(numbers)):
            numbers = np.unique(numbers)
        return self.rows(numbers)
