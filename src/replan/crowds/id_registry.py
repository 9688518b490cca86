"""The ids of the characters of a crowd, and the row of each id."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import view
from replan.crowds.arguments import parse_ids
from replan.errors import InputError
from replan.limits import MAX_STATES
from replan.serialization import Archive

BYTES_PER_ID = 16  # memory per character: its id, and its row in `rows` and in `row_of`


class IdRegistry:
    """Registry of ids. `ids` has the ids of all characters, in the order of their creation; `rows` has their rows.

    `row_of[id]` is the row of an id; -1: the character was removed. An id is never used again.
    """

    def __init__(self) -> None:
        self.rows, self.row_of = np.empty(0, np.int32), np.empty(0, np.int32)
        self.ids = np.empty(0, np.int64)

    def serialize(self, archive: Archive) -> None:
        """Save or load the row of each id: see `replan/serialization.py`."""
        row_of = archive.integers("row_of", self.row_of, -1, MAX_STATES)
        if archive.is_loading:
            self.row_of, self.ids = row_of.astype(np.int32), np.flatnonzero(row_of >= 0).astype(np.int64)
            self.rows = self.row_of[self.ids]

    def add(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Create ids for new characters in these rows. Returns the ids."""
        first = len(self.row_of)
        ids = np.arange(first, first + len(rows), dtype=np.int64)
        row_of, all_rows = np.concatenate([self.row_of, rows]), np.concatenate([self.rows, rows])
        # assigned together, so that an error leaves all three as they were
        self.row_of, self.rows, self.ids = row_of, all_rows, np.concatenate([self.ids, ids])
        return ids.copy()

    def remove(self, ids: np.ndarray[Any, Any]) -> None:
        """Remove ids."""
        self.row_of[ids] = -1
        is_kept = self.row_of[self.ids] >= 0
        self.rows, self.ids = self.rows[is_kept], self.ids[is_kept]

    def rows_of(self, ids: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the rows of these ids. Raises InputError for an unknown id."""
        rows = np.empty(len(ids), np.int32)
        if len(ids):
            unknown_index = self.fill_rows(view(ids), view(self.row_of), view(rows))
            if unknown_index >= 0:
                raise InputError(f"no character of this crowd has the id {ids[unknown_index]}")
        return rows

    def fill_rows(self, ids: memoryview, row_of: memoryview, rows: memoryview) -> int:
        """Write the row of each id to `rows`. Returns the index of the first unknown id; -1: all are known."""
        for i in range(len(ids)):
            if ids[i] < 0 or ids[i] >= len(row_of) or row_of[ids[i]] < 0:
                return i
            rows[i] = row_of[ids[i]]
        return -1

    def is_ascending(self, ids: memoryview) -> bool:
        """True if each id is larger than the one before."""
        for i in range(1, len(ids)):  # noqa: SIM110, a generator would create Python objects
            if ids[i] <= ids[i - 1]:
                return False
        return True

    def select(self, who: Any) -> np.ndarray[Any, Any]:
        """Return the rows of the characters that `tick` steps, in the order of their ids. None: all characters."""
        if who is None:
            return self.rows
        mask = np.atleast_1d(np.asarray(who))
        if mask.dtype == bool:
            if mask.shape != self.rows.shape:
                raise InputError(f"ids has {mask.size:,} values, and there are {len(self.rows):,} characters")
            return np.ascontiguousarray(self.rows[mask])
        ids = np.ascontiguousarray(parse_ids(who))
        if not self.is_ascending(view(ids)):
            ids = np.unique(ids)
        return self.rows_of(ids)
