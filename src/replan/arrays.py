"""The one door between NumPy and the core."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np


def view(array: np.ndarray[Any, Any]) -> memoryview:
    """A memoryview of an array: its items are Python ints when interpreted, C ints when compiled."""
    return memoryview(array)  # type: ignore[arg-type, unused-ignore]


_shift = count(1)


def _staggered(n: int, dtype: Any, make: Callable[..., np.ndarray[Any, Any]]) -> memoryview:
    """An array that begins somewhere else in its page than the one before.

    Large arrays all begin at the start of a page. Entries of the same state in two of them would then have the same
    last twelve bits in their addresses, and the processor would take writing one for writing the other, and wait.
    """
    size = max(int(n), 1)
    skip = next(_shift) * 5 % 16 * 256 // np.dtype(dtype).itemsize if size > 1024 else 0
    return view(make(size + skip, dtype)[skip:])


def empty(n: int, dtype: Any) -> memoryview:
    """Uninitialised: the memory is taken when it is first touched."""
    return _staggered(n, dtype, np.empty)


def zeros(n: int, dtype: Any) -> memoryview:
    """Zeros; this memory, too, is taken when it is first touched."""
    return _staggered(n, dtype, np.zeros)


def grown(old: memoryview, capacity: int) -> memoryview:
    """A longer array that begins with the items of the old one."""
    before = np.asarray(old)
    after = np.empty(max(int(capacity), 1), before.dtype)
    after[: before.size] = before
    return view(after)
