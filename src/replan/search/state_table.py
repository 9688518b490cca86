"""What is kept of each state: memory, and a description of it.

A `Column` says what a number of a state may be, and how long it holds. A `StateTable` owns the memory of its columns.
It reserves and prefaults that memory, saves and loads the states in use, and shows itself as arrays. The core casts the
memory to a struct of its own (`core.pxd`), or takes the address of each column (`attach`).

A planner names the columns of its own as `columns` of its class (`states` is their table), and keeps the tables of its
searches by `Planner.keep`. All else follows: copies, pickles, snapshots, stories, and whether a crowd can share it.
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

ONE_SEARCH, ONE_TRIP, ONE_CHARACTER = "one search", "one trip", "one character"  # how long a value holds
ALL = slice(None)


class Column(NamedTuple):
    """A number for each state.

    high: values are from 0 to `high`; None: they are states. none: the value that says that there is none; it is saved
    and shown as -1. lifetime: ONE_SEARCH (the next search does not read it), ONE_TRIP, or ONE_CHARACTER (learned: a
    crowd keeps it for each character). dtype: of a table that is not packed.
    """

    name: str
    high: int | None = None
    none_value: int | None = None
    lifetime: str = ONE_TRIP
    dtype: Any = np.int64
    is_shown: bool = True


class StateTable(Initialized):
    """Columns for the states 0 .. n - 1.

    packed: the columns are the fields of one struct, 64 bits each (`rows`); otherwise each has an array of its own. A
    column named by `stamped_by` says which states are in use: those whose stamp is at least `since(lifetime)`. Without
    one all states are, and those are saved of which something is known.
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
        """name: of what is saved. all_over: a search is expected to come by everywhere."""
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
        """Have memory for n states. What was kept of another number of states is lost."""
        if self.n != n:
            self.n = 0  # should there be no memory, the next call tries again
            self.allocate(n)
            self.bind_arrays(n)
            self.n = n

    def allocate(self, n: int) -> None:
        names = self.names()
        if self.packed:
            self.rows = table(n, names, self.covers_map)
            self.arrays = dict(zip(names, columns(self.rows, names), strict=True))
        else:
            self.arrays = {column.name: _blank(n, column) for column in self.columns}

    def bind_arrays(self, n: int) -> None:
        """Hook: take the addresses of the memory, and reserve what else n states need."""

    def clear(self) -> None:
        """Nothing is known of any state. (A table with stamps forgets by counting on: its owner does.)"""
        if not self.stamped_by and self.n > 0:
            self.allocate(self.n)
            self.bind_arrays(self.n)

    def prefault(self) -> None:
        """Have all memory at hand, so that no search waits for it."""
        if self.packed:
            prefault(self.rows)
        else:
            prefault(*self.arrays.values())

    def array(self, name: str) -> Any:
        """A column by state, to be read and written. After a trip has begun it may be another: ask again."""
        if name not in self.arrays:
            raise InputError(f"there is no column {name!r} before a trip begins, only {', '.join(self.arrays)}")
        return self.arrays[name]

    def first_valid_stamp(self, lifetime: str) -> int:
        """Hook: the least stamp of states whose columns of this lifetime hold."""
        return 0

    def last_stamp(self) -> int:
        """Hook: the largest stamp that there can be."""
        return 0

    def values(self, name: str) -> np.ndarray[Any, Any]:
        """Hook: a column as it stands in memory, by state."""
        column: np.ndarray[Any, Any] = np.asarray(self.array(name))
        return column

    def names(self) -> tuple[str, ...]:
        return tuple([column.name for column in self.columns])

    def write_column(self, name: str, states: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> None:
        """Hook: write into a column."""
        if self.packed:
            write_fields(self.rows, self.names(), states, **{name: values})
        else:
            np.asarray(self.arrays[name])[states] = values

    def valid_mask(self, lifetime: str, states: Any = ALL) -> np.ndarray[Any, Any]:
        """True for the states whose columns of this lifetime hold."""
        held: np.ndarray[Any, Any] = np.ones(self.n, bool)[states]
        if self.stamped_by:
            held = self.values(self.stamped_by)[states] >= self.first_valid_stamp(lifetime)
        return held

    def first_used_stamp(self) -> int:
        """The least stamp of states of which something is known."""
        return min([self.first_valid_stamp(column.lifetime) for column in self.columns])

    def used_states(self) -> np.ndarray[Any, Any]:
        """The states of which something is known."""
        if self.stamped_by:
            return np.flatnonzero(self.values(self.stamped_by) >= self.first_used_stamp())
        used = np.zeros(self.n, bool)
        for column in self.columns:
            used |= self.values(column.name) != _blank_value(column)
        return np.flatnonzero(used)

    def serialize(self, archive: Archive) -> None:
        """The states in use, and their columns. What a column may hold was declared, and is all that is checked."""
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
        """The columns as arrays, by name, of these states: -1 where nothing is known."""
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
        """True if a crowd can share it: no search reads what an earlier one has left here."""
        self.check_initialized()
        return {column.lifetime for column in self.columns} <= {ONE_SEARCH}


def _blank_value(column: Column) -> int:
    return 0 if column.none_value is None else column.none_value


def _blank(n: int, column: Column) -> memoryview:
    """A column of n states of which nothing is known."""
    if _blank_value(column) == 0:
        return zeros(n, column.dtype)
    return view(np.full(n, _blank_value(column), column.dtype))
