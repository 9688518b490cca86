"""The names of `core.pxd` for modules that run interpreted.

A pointer to an array is the array itself. A pointer to structs is a list of objects with the same attributes.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from replan.faults import count_allocation
from replan.limits import INF, ON_PATH, QUEUED
from replan.queues.base import BATCH, EMPTY, GOAL

# States in a line of a LearnedTable, and 32-bit numbers in a line with values of 32 bits and of 64 bits.
SLOTS_PER_LINE, NARROW_LINE_WORDS, WIDE_LINE_WORDS = 8, 16, 24

__all__ = [
    "BATCH",
    "EMPTY",
    "GOAL",
    "INF",
    "NARROW_LINE_WORDS",
    "ON_PATH",
    "QUEUED",
    "SLOTS_PER_LINE",
    "WIDE_LINE_WORDS",
    "Character",
    "add_occupants",
    "allocate_lines",
    "columns",
    "count_bits",
    "free_lines",
    "gather_bits",
    "home_line",
    "ints",
    "ints_after",
    "ints_from",
    "is_seen",
    "learned_table_of",
    "longs",
    "longs_in",
    "lowest_bit",
    "mark_seen",
    "nodes",
    "nodes_from",
    "octets",
    "prefetch_character",
    "prefetch_first_line",
    "prefetch_i64",
    "prefetch_next",
    "prefetch_node",
    "prefetch_path",
    "prefetch_search",
    "prefetch_step",
    "prefetch_view",
    "read_value",
    "select_branchless",
    "table",
    "vertices",
    "write_fields",
    "write_value",
]


def ints(array: Any) -> Any:
    """Return the array. Compiled: a pointer to it."""
    return array


longs = octets = nodes = vertices = ints


def ints_from(array: Any, first: int) -> Any:
    """Return the array, which begins with state 0. Compiled: a pointer to an array that begins with state `first`."""
    return array


nodes_from = ints_from


class LearnedTable:
    """The struct `LearnedTable` of core.pxd."""

    __slots__ = ("capacity", "count", "lines", "wide")

    def __init__(self) -> None:
        self.lines, self.capacity, self.count, self.wide = allocate_lines(0), 0, 0, False


class Character:
    """The struct `Character` of core.pxd."""

    __slots__ = (
        "connected_version", "detours", "due_since", "expansions_since_check", "failed_from", "goal", "h_offset",
        "id", "known_decreases", "known_increases", "learned", "path", "path_capacity", "planner_flags", "position",
        "random_moves_left", "rng_state", "smallest_estimate", "state", "status", "step_costs",
    )  # fmt: skip

    def __init__(self) -> None:
        self.state, self.learned = -1, LearnedTable()


def learned_table_of(characters: Any, c: int) -> Any:
    """Return the table of learned h-values of character c."""
    return characters[c].learned


def allocate_lines(n: int) -> Any:
    """Return a list of n zeros. Compiled: memory for n numbers of 32 bits."""
    if n > 0:
        count_allocation()
    return [0] * n


def free_lines(lines: Any) -> int:
    """Do nothing. Compiled: free the memory."""
    return 0


def longs_in(lines: Any) -> Any:
    """Return a copy of the list. Compiled: the same memory as numbers of 64 bits."""
    return list(lines)


def ints_after(longs: Any, n: int) -> Any:
    """Return a list of n zeros. Compiled: the memory after the first n numbers of 64 bits, as numbers of 32 bits."""
    return [0] * n


def home_line(s: int, lines: int) -> int:
    """Return the line of a state in a hash table: multiplicative hashing; four consecutive states share a line."""
    return (((s >> 2) * 1640531527) & 0x7FFFFFFF) * lines >> 31


def read_value(lines: Any, i: int, k: int, wide: bool) -> int:
    """Return the value of slot k in the line that begins at lines[i]: see `search/learned_table.py`."""
    return int(lines[i + SLOTS_PER_LINE + k])


def write_value(lines: Any, i: int, k: int, wide: bool, value: int) -> int:
    """Set the value of slot k in the line that begins at lines[i]."""
    lines[i + SLOTS_PER_LINE + k] = value
    return 0


def select_branchless(condition: bool, a: int, b: int) -> int:
    """Return a if the condition holds, otherwise b."""
    return a if condition else b


def prefetch_node(node: Any, i: int) -> None:
    """Do nothing. Compiled: prefetch the memory of a state."""


prefetch_i64 = prefetch_node


def prefetch_character(*unused: Any) -> None:
    """Do nothing. Compiled: prefetch the memory of a character (`crowds/tick.pxd`)."""


prefetch_view = prefetch_next = prefetch_path = prefetch_first_line = prefetch_search = prefetch_step = (
    prefetch_character
)
_OCCUPANCY_LOCK = Lock()


def add_occupants(occupancy: Any, s: int, n: int, is_alone: bool) -> None:
    """Add n to the number of characters on a state; several threads may call it."""
    with _OCCUPANCY_LOCK:
        occupancy[s] += n


def is_seen(seen: Any, s: int, era: int) -> bool:
    """True if a state is marked as seen in this era."""
    return bool(seen[s] == era)


def mark_seen(seen: Any, s: int, era: int) -> None:
    """Mark a state as seen in this era."""
    seen[s] = era


def lowest_bit(x: int) -> int:
    """Return the position of the lowest bit of a number that is not 0."""
    return (x & -x).bit_length() - 1


def gather_bits(array: Any, i: int, bit: int, n: int) -> int:
    """Return one bit of each of n numbers from array[i] on."""
    return sum(((array[i + k] >> bit) & 1) << k for k in range(n))


def count_bits(x: int) -> int:
    """Count the bits of a number that are set."""
    return int(x).bit_count()


@cache
def _record(fields: tuple[str, ...]) -> type:
    """Return a class of objects with these attributes."""
    return type("Record", (), {"__slots__": fields})


def table(n: int, fields: tuple[str, ...], covers_map: bool = False) -> Any:
    """Return an object with these fields for each of n states, 0 at first."""
    count_allocation()
    record_class = _record(fields)
    records = [record_class() for _ in range(n)]
    for record in records:
        for name in fields:
            setattr(record, name, 0)
    return records


def columns(numbers: Any, fields: tuple[str, ...]) -> Any:
    """Return a read-only view of each field of a table, by state."""
    return [FieldColumn(numbers, name) for name in fields]


def write_fields(numbers: Any, fields: tuple[str, ...], states: Any, **values: Any) -> None:
    """Write the values of fields of these states into a table."""
    for name, column in values.items():
        for s, value in zip(states.tolist(), column.tolist(), strict=True):
            setattr(numbers[s], name, value)


class FieldColumn:
    """One field of all records. Compiled searches have a read-only memoryview."""

    def __init__(self, records: list[Any], name: str) -> None:
        self.records, self.name = records, name

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [getattr(record, self.name) for record in self.records[i]]
        return getattr(self.records[i], self.name)

    def __len__(self) -> int:
        return len(self.records)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return np.array(self[:], dtype or np.int64)
