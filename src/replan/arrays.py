"""The one door between NumPy and the core."""

from __future__ import annotations

from typing import Any

import numpy as np


def view(array: np.ndarray[Any, Any]) -> memoryview:
    """A memoryview of an array: its items are Python ints when interpreted, C ints when compiled."""
    return memoryview(array)  # type: ignore[arg-type, unused-ignore]


def ints(array: Any) -> Any:
    """The array itself; compiled, a pointer to its items (see core.pxd)."""
    return array


longs = ints


def lowest_bit(x: int) -> int:
    """The position of the lowest bit of a number that is not 0."""
    return (x & -x).bit_length() - 1


def empty(n: int, dtype: Any) -> memoryview:
    """Uninitialised: the memory is taken when it is first touched."""
    return view(np.empty(max(int(n), 1), dtype))


def zeros(n: int, dtype: Any) -> memoryview:
    """Zeros; this memory, too, is taken when it is first touched."""
    return view(np.zeros(max(int(n), 1), dtype))


def columns(n: int, k: int) -> tuple[memoryview, list[memoryview]]:
    """k numbers a state, 0 at first, side by side in memory: what is read together comes with one cache line.

    All of them as one array, and each as a view of every k-th number of it.
    """
    whole = np.zeros(n * k * 8 + 64, np.uint8)
    skip = -whole.ctypes.data % 64
    table = whole[skip : skip + n * k * 8].view(np.int64).reshape(n, k)
    return view(table.reshape(-1)), [view(table[:, i]) for i in range(k)]


def touch(*arrays: memoryview) -> None:
    """Touch every page of these arrays, so that the memory is taken now and not in the middle of a search."""
    for array in arrays:
        items = np.asarray(array)
        items[:: max(1, 4096 // items.itemsize)] += 0


def grown(old: memoryview, capacity: int) -> memoryview:
    """A longer array that begins with the items of the old one."""
    before = np.asarray(old)
    after = np.empty(max(int(capacity), 1), before.dtype)
    after[: before.size] = before
    return view(after)
