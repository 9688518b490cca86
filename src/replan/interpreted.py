"""What `core.pxd` gives to compiled modules, for the same modules when they run interpreted.

A pointer to an array is the array itself; a pointer to structs is a list of small objects with the same names.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from replan.limits import INF, ON_TRAIL, QUEUED
from replan.queues.base import BATCH

__all__ = [
    "BATCH",
    "INF",
    "ON_TRAIL",
    "QUEUED",
    "choose",
    "columns",
    "count_bits",
    "fetch",
    "fill",
    "gather",
    "ints",
    "longs",
    "lowest_bit",
    "nodes",
    "octets",
    "table",
    "vertices",
]


def ints(array: Any) -> Any:
    return array


longs = octets = nodes = vertices = ints


def choose(yes: bool, a: int, b: int) -> int:
    return a if yes else b


def fetch(node: Any, i: int) -> None:
    """Compiled: ask for the memory of a state that will soon be needed."""


def lowest_bit(x: int) -> int:
    """The position of the lowest bit of a number that is not 0."""
    return (x & -x).bit_length() - 1


def gather(array: Any, i: int, bit: int, room: int) -> int:
    """One bit of each of `room` numbers from array[i] on."""
    return sum(((array[i + k] >> bit) & 1) << k for k in range(room))


def count_bits(x: int) -> int:
    return int(x).bit_count()


@cache
def _record(fields: tuple[str, ...]) -> type:
    return type("Record", (), {"__slots__": fields})


def table(n: int, fields: tuple[str, ...], all_over: bool = False) -> Any:
    """An object with these numbers for each of n states, 0 at first."""
    kind = _record(fields)
    made = [kind() for _ in range(n)]
    for record in made:
        for name in fields:
            setattr(record, name, 0)
    return made


def columns(numbers: Any, fields: tuple[str, ...]) -> Any:
    """Each field of a table, by state, to be read."""
    return [Column(numbers, name) for name in fields]


def fill(numbers: Any, fields: tuple[str, ...], states: Any, **values: Any) -> None:
    """Write numbers of these states into a table, by field."""
    for name, column in values.items():
        for s, value in zip(states.tolist(), column.tolist(), strict=True):
            setattr(numbers[s], name, value)


class Column:
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
