"""What `core.pxd` gives to compiled modules, for the same modules when they run interpreted.

A pointer to an array is the array itself; a pointer to structs is a list of small objects with the same names.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from replan.faults import count_allocation
from replan.limits import INF, ON_PATH, QUEUED
from replan.queues.base import BATCH, EMPTY, GOAL

SLOTS_PER_LINE, NARROW_LINE_WORDS, WIDE_LINE_WORDS = 8, 16, 24  # states in a line of what a character has learned, and the numbers that it takes

__all__ = [
    "BATCH",
    "EMPTY",
    "GOAL",
    "INF",
    "NARROW_LINE_WORDS",
    "ON_PATH",
    "SLOTS_PER_LINE",
    "QUEUED",
    "WIDE_LINE_WORDS",
    "Character",
    "add_occupants",
    "select_branchless",
    "columns",
    "count_bits",
    "prefetch_i64",
    "prefetch_node",
    "write_fields",
    "free_lines",
    "gather_bits",
    "ints",
    "ints_after",
    "ints_from",
    "is_seen",
    "learned_table_of",
    "home_line",
    "longs",
    "longs_in",
    "lowest_bit",
    "mark_seen",
    "allocate_lines",
    "nodes",
    "nodes_from",
    "octets",
    "prefetch_character",
    "prefetch_next",
    "prefetch_path",
    "prefetch_first_line",
    "prefetch_step",
    "prefetch_search",
    "prefetch_view",
    "read_value",
    "table",
    "vertices",
    "write_value",
]


def ints(array: Any) -> Any:
    return array


longs = octets = nodes = vertices = ints


def ints_from(array: Any, first: int) -> Any:
    """Compiled: the number of the state `first` stands at the beginning. Interpreted, that is state 0."""
    return array


nodes_from = ints_from


class LearnedTable:
    """The struct of that name."""

    __slots__ = ("capacity", "count", "lines", "wide")

    def __init__(self) -> None:
        self.lines, self.capacity, self.count, self.wide = allocate_lines(0), 0, 0, False


class Character:
    """The struct of that name."""

    __slots__ = (
        "connected_version", "detours", "due_since", "expansions_since_check", "failed_from", "goal", "h_offset",
        "id", "known_decreases", "known_increases", "learned", "path", "path_capacity", "planner_flags", "position",
        "random_moves_left", "rng_state", "smallest_estimate", "state", "status", "step_costs",
    )  # fmt: skip

    def __init__(self) -> None:
        self.state, self.learned = -1, LearnedTable()


def learned_table_of(all: Any, c: int) -> Any:
    return all[c].learned


def allocate_lines(n: int) -> Any:
    """Room for n numbers."""
    if n > 0:
        count_allocation()
    return [0] * n


def free_lines(old: Any) -> int:
    """Compiled: the memory goes back."""
    return 0


def longs_in(lines: Any) -> Any:
    """Compiled: the same memory as numbers of 64 bits."""
    return list(lines)


def ints_after(longs: Any, n: int) -> Any:
    """Compiled: numbers of 32 bits, behind the first n of 64."""
    return [0] * n


def home_line(s: int, lines: int) -> int:
    """The line that a state falls on, by the golden ratio; the same for four that lie side by side."""
    return (((s >> 2) * 1640531527) & 0x7FFFFFFF) * lines >> 31


def read_value(lines: Any, i: int, k: int, wide: bool) -> int:
    """What is kept of the state at place k of the line that begins at lines[i]: see `search/learned_table.py`."""
    return int(lines[i + SLOTS_PER_LINE + k])


def write_value(lines: Any, i: int, k: int, wide: bool, kept: int) -> int:
    lines[i + SLOTS_PER_LINE + k] = kept
    return 0


def select_branchless(yes: bool, a: int, b: int) -> int:
    return a if yes else b


def prefetch_node(node: Any, i: int) -> None:
    """Compiled: ask for the memory of a state that will soon be needed."""


prefetch_i64 = prefetch_node


def prefetch_character(*unused: Any) -> None:
    """Compiled: prefetch the memory that a character will soon need (`crowds/tick.pxd`)."""


prefetch_view = prefetch_next = prefetch_path = prefetch_first_line = prefetch_search = prefetch_step = prefetch_character
_OCCUPANCY_LOCK = Lock()


def add_occupants(occupancy: Any, s: int, n: int, is_alone: bool) -> None:
    """Add n to the number of characters on a state, safe from several threads."""
    with _OCCUPANCY_LOCK:
        occupancy[s] += n


def is_seen(seen: Any, s: int, era: int) -> bool:
    return bool(seen[s] == era)


def mark_seen(seen: Any, s: int, era: int) -> None:
    seen[s] = era


def lowest_bit(x: int) -> int:
    """The position of the lowest bit of a number that is not 0."""
    return (x & -x).bit_length() - 1


def gather_bits(array: Any, i: int, bit: int, room: int) -> int:
    """One bit of each of `room` numbers from array[i] on."""
    return sum(((array[i + k] >> bit) & 1) << k for k in range(room))


def count_bits(x: int) -> int:
    return int(x).bit_count()


@cache
def _record(fields: tuple[str, ...]) -> type:
    return type("Record", (), {"__slots__": fields})


def table(n: int, fields: tuple[str, ...], covers_map: bool = False) -> Any:
    """An object with these numbers for each of n states, 0 at first."""
    count_allocation()
    kind = _record(fields)
    made = [kind() for _ in range(n)]
    for record in made:
        for name in fields:
            setattr(record, name, 0)
    return made


def columns(numbers: Any, fields: tuple[str, ...]) -> Any:
    """Each field of a table, by state, to be read."""
    return [FieldColumn(numbers, name) for name in fields]


def write_fields(numbers: Any, fields: tuple[str, ...], states: Any, **values: Any) -> None:
    """Write numbers of these states into a table, by field."""
    for name, column in values.items():
        for s, value in zip(states.tolist(), column.tolist(), strict=True):
            setattr(numbers[s], name, value)


class FieldColumn:
    """One field of all records, where compiled searches have a read-only memoryview."""

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
