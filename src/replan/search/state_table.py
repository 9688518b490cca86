"""Columns of values per state: their memory, and a description of what they may hold.

A `Column` declares the range of a value and how long it is valid. A `StateTable` owns the memory of its columns. It
reserves and prefaults the memory, saves and loads the states in use, and returns the columns as arrays. The core casts
the memory to a struct (`core.pxd`), or takes the address of each column (`bind_arrays`).

A planner declares its own columns as `columns` of its class (`states` is their table), and adds the tables of its
searches with `Planner.add_table`. Copies, pickles, snapshots, stories and crowds then work without more code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from replan.arrays import prefault, view, zeros
from replan.errors import InputError
from replan.initialized import Initialized
from replan.serialization import Archive, not_copyable_error

try:
    import cython
except ImportError:
    from replan import _cython as cython

if cython.compiled:
    from replan.arrays import columns, table, write_fields
else:
    from replan.interpreted import columns, table, write_fields

ONE_SEARCH, ONE_TRIP, ONE_CHARACTER = "one search", "one trip", "one character"  # how long a value is valid
ALL = slice(None)


class Column(NamedTuple):
    """A number for each state.

    Parameters
    ----------
    name
        Name of the column, also in `as_arrays` and in saved files.
    high
        Largest value; values begin at 0. None: the values are states.
    none_value
        The value that stands for "none". It is saved and shown as -1.
    lifetime
        How long a value is valid. ONE_SEARCH: the next search does not read it. ONE_TRIP: until the trip ends.
        ONE_CHARACTER: it is learned, and a crowd keeps it for each character.
    dtype
        Type of the array, in a table that is not packed.
    is_shown
        True if `as_arrays` returns the column.
    """

    name: str
    high: int | None = None
    none_value: int | None = None
    lifetime: str = ONE_TRIP
    dtype: Any = np.int64
    is_shown: bool = True


class StateTable(Initialized):
    """Columns for the states 0 .. n - 1.

    Parameters
    ----------
    name
        Name of the table in saved files.
    columns
        The columns.
    stamped_by
        Name of the column of stamps. A state is in use if its stamp is at least `first_valid_stamp(lifetime)`. Without
        stamps, a state is in use if one of its values is known.
    packed
        True: the columns are the fields of one struct, 64 bits each (`rows`). False: each column is an array.
    covers_map
        True if a search is expected to generate most states of the map.
    """

    n: int
    columns: tuple[Column, ...]
    rows: Any
    name: str

    def __init__(
        self,
        name: str,
        columns: tuple[Column, ...],
        stamped_by: str = "",
        packed: bool = False,
        covers_map: bool = False,
    ) -> None:
        self.check_not_initialized()
        self.name, self.columns, self.stamped_by, self.packed, self.covers_map = (
            name, columns, stamped_by, packed, covers_map
        )
        self.n = 0
        self.arrays: dict[str, Any] = {}
        self.is_initialized = True

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def reserve(self, n: int) -> None:
        """Reserve memory for n states. The values are lost if there was memory for another number of states."""
        if self.n != n:
            self.n = 0  # if memory runs out, the next call tries again
            self.allocate(n)
            self.bind_arrays(n)
            self.n = n

    def allocate(self, n: int) -> None:
        """Allocate the columns, with all values unknown."""
        names = self.names()
        if self.packed:
            self.rows = table(n, names, self.covers_map)
            self.arrays = dict(zip(names, columns(self.rows, names), strict=True))
        else:
            self.arrays = {column.name: _blank(n, column) for column in self.columns}

    def bind_arrays(self, n: int) -> None:
        """Hook: take the addresses of the columns, and reserve other memory for n states."""

    def clear(self) -> None:
        """Forget all values. (A table with stamps forgets when its owner increases the valid stamp.)"""
        if not self.stamped_by and self.n > 0:
            self.allocate(self.n)
            self.bind_arrays(self.n)

    def prefault(self) -> None:
        """Prefault all memory, so that no search waits for it."""
        if self.packed:
            prefault(self.rows)
        else:
            prefault(*self.arrays.values())

    def array(self, name: str) -> Any:
        """Return a column by state, for reading and writing. Raise InputError if there is none.

        The array may be replaced when a trip begins: ask for it again then.
        """
        if name not in self.arrays:
            raise InputError(f"there is no column {name!r}, or no trip has begun; columns: {', '.join(self.arrays)}")
        return self.arrays[name]

    def first_valid_stamp(self, lifetime: str) -> int:
        """Hook: return the smallest stamp of states whose columns of this lifetime are valid."""
        return 0

    def last_stamp(self) -> int:
        """Hook: return the largest stamp that is in use."""
        return 0

    def values(self, name: str) -> np.ndarray[Any, Any]:
        """Hook: return a column as it is in memory, by state."""
        column: np.ndarray[Any, Any] = np.asarray(self.array(name))
        return column

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple([column.name for column in self.columns])

    def write_column(self, name: str, states: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> None:
        """Hook: write values of these states into a column."""
        if self.packed:
            write_fields(self.rows, self.names(), states, **{name: values})
        else:
            np.asarray(self.arrays[name])[states] = values

    def valid_mask(self, lifetime: str, states: Any = ALL) -> np.ndarray[Any, Any]:
        """Return which of these states have valid values in the columns of this lifetime."""
        is_valid: np.ndarray[Any, Any] = np.ones(self.n, bool)[states]
        if self.stamped_by:
            is_valid = self.values(self.stamped_by)[states] >= self.first_valid_stamp(lifetime)
        return is_valid

    def first_used_stamp(self) -> int:
        """Return the smallest stamp of states with any known value."""
        return min([self.first_valid_stamp(column.lifetime) for column in self.columns])

    def used_states(self) -> np.ndarray[Any, Any]:
        """Return the states with any known value."""
        if self.stamped_by:
            return np.flatnonzero(self.values(self.stamped_by) >= self.first_used_stamp())
        used = np.zeros(self.n, bool)
        for column in self.columns:
            used |= self.values(column.name) != _blank_value(column)
        return np.flatnonzero(used)

    def serialize(self, archive: Archive) -> None:
        """Save or load the states in use and their columns. Values outside of the declared range are refused."""
        states = archive.states("states", self.used_states(), self.n, unique=True)
        lowest = self.first_used_stamp()
        for column in self.columns:
            values = self.values(column.name)[states]
            low, high = 0, self.n - 1 if column.high is None else column.high
            if column.name == self.stamped_by:
                values, high = values - lowest, self.last_stamp() - lowest
            if column.none_value is not None:
                values, low = np.where(values == column.none_value, -1, values), -1
            values = archive.integers(column.name, values, low, high, len(states))
            if archive.is_loading:
                if column.none_value is not None:
                    values = np.where(values < 0, column.none_value, values)
                self.write_column(column.name, states, values + lowest if column.name == self.stamped_by else values)

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the shown columns as arrays by name, for these states; -1 where a value is not known."""
        self.check_initialized()
        arrays = {}
        for column in self.columns:
            if column.is_shown:
                values = self.values(column.name)[states]
                known = self.valid_mask(column.lifetime, states)
                if column.none_value is not None:
                    known = known & (values != column.none_value)
                arrays[column.name] = np.where(known, values, -1)
        return arrays

    def is_shareable(self) -> bool:
        """Return True if characters of a crowd can share the table: no search reads values of an earlier one."""
        self.check_initialized()
        return {column.lifetime for column in self.columns} <= {ONE_SEARCH}


def _blank_value(column: Column) -> int:
    """Return the value of a state of which nothing is known."""
    return 0 if column.none_value is None else column.none_value


def _blank(n: int, column: Column) -> memoryview:
    """Return a column of n states of which nothing is known."""
    if _blank_value(column) == 0:
        return zeros(n, column.dtype)
    return view(np.full(n, _blank_value(column), column.dtype))
