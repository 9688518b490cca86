"""The ids of the characters of a crowd, and the row of each id."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import view
from replan.crowds.arguments import parse_ids
from replan.errors import InputError
from replan.limits import MAX_STATES
from replan.serialization import Archive

BYTES_PER_ID = 16  # for each character: its id, and its row in `rows` and in `row_of`


class IdRegistry:
    """`ids` are the ids of all characters, in the order in which they came; `rows` are their rows.

    `row_of[id]` is the row of an id; -1: its character has been removed. An id is given only once.
    """

    def __init__(self) -> None:
        self.rows, self.row_of = np.empty(0, np.int32), np.empty(0, np.int32)
        self.ids = np.empty(0, np.int64)

    def serialize(self, bag: Archive) -> None:
        """The row of each id. See `replan/serialization.py`."""
        row_of = bag.integers("row_of", self.row_of, -1, MAX_STATES)
        if bag.is_loading:
            self.row_of, self.ids = row_of.astype(np.int32), np.flatnonzero(row_of >= 0).astype(np.int64)
            self.rows = self.row_of[self.ids]

    def add(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Give ids to new characters in these rows."""
        first = len(self.row_of)
        ids = np.arange(first, first + len(rows), dtype=np.int64)
        row_of, all_rows = np.concatenate([self.row_of, rows]), np.concatenate([self.rows, rows])
        # all or nothing, if an error comes between
        self.row_of, self.rows, self.ids = row_of, all_rows, np.concatenate([self.ids, ids])
        return ids.copy()

    def remove(self, ids: np.ndarray[Any, Any]) -> None:
        self.row_of[ids] = -1
        stays = self.row_of[self.ids] >= 0
        self.rows, self.ids = self.rows[stays], self.ids[stays]

    def rows_of(self, ids: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The rows of these ids."""
        rows = np.empty(len(ids), np.int32)
        if len(ids):
            unknown = self.fill_rows(view(ids), view(self.row_of), view(rows))
            if unknown >= 0:
                raise InputError(f"nobody in this crowd has the id {ids[unknown]}")
        return rows

    def fill_rows(self, ids: memoryview, row_of: memoryview, rows: memoryview) -> int:
        """Write the row of each id to `rows`. Returns the index of the first unknown id; -1: all are known."""
        for i in range(len(ids)):
            if ids[i] < 0 or ids[i] >= len(row_of) or row_of[ids[i]] < 0:
                return i
            rows[i] = row_of[ids[i]]
        return -1

    def is_ascending(self, ids: memoryview) -> bool:
        for i in range(1, len(ids)):  # noqa: SIM110, a generator would make a Python object of each
            if ids[i] <= ids[i - 1]:
                return False
        return True

    def select(self, who: Any) -> np.ndarray[Any, Any]:
        """The rows of the characters that `tick` was given, in the order of their ids. None: all characters."""
        if who is None:
            return self.rows
        given = np.atleast_1d(np.asarray(who))
        if given.dtype == bool:
            if given.shape != self.rows.shape:
                raise InputError(f"who has {given.size:,} values, and there are {len(self.rows):,} characters")
            return np.ascontiguousarray(self.rows[given])
        ids = np.ascontiguousarray(parse_ids(who))
        if not self.is_ascending(view(ids)):
            ids = np.unique(ids)
        return self.rows_of(ids)
