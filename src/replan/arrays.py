"""The one door between NumPy and the core."""

from __future__ import annotations

from typing import Any

import numpy as np


def view(array: np.ndarray[Any, Any]) -> memoryview:
    """A memoryview of an array: its items are Python ints when interpreted, C ints when compiled."""
    return memoryview(array)  # type: ignore[arg-type, unused-ignore]


def empty(n: int, dtype: Any) -> memoryview:
    """Uninitialised: the memory is taken when it is first touched."""
    return view(np.empty(max(int(n), 1), dtype))


def zeros(n: int, dtype: Any) -> memoryview:
    """Zeros; this memory, too, is taken when it is first touched."""
    return view(np.zeros(max(int(n), 1), dtype))


def table(n: int, fields: tuple[str, ...]) -> Any:
    """Numbers with these names for each of n states, 0 at first. They stand side by side: one cache line brings all."""
    size = n * len(fields) * 8
    whole = np.zeros(size + 64, np.uint8)
    skip = -whole.ctypes.data % 64
    return view(whole[skip : skip + size].view(np.int64))


def columns(numbers: Any, fields: tuple[str, ...]) -> Any:
    """Each field of a table, by state, to be read."""
    rows = np.asarray(numbers).reshape(-1, len(fields))
    return [view(rows[:, i]).toreadonly() for i in range(len(fields))]


def touch(*arrays: Any) -> None:
    """Touch every page of these arrays, so that the memory is taken now and not in the middle of a search."""
    for array in arrays:
        if isinstance(array, list):  # a table of an interpreted search
            continue
        items = np.asarray(array)
        items[:: max(1, 4096 // items.itemsize)] += 0


def grown(old: memoryview, capacity: int) -> memoryview:
    """A longer array that begins with the items of the old one."""
    before = np.asarray(old)
    after = np.empty(max(int(capacity), 1), before.dtype)
    after[: before.size] = before
    return view(after)
