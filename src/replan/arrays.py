"""Arrays of the core: allocation of memory, and conversion between NumPy arrays and memoryviews.

A real-time search uses only a small part of an array with a number for each state of a large map. So a large array is a
private memory mapping: the system fills a page with zeros when it is first used, and frees the pages with the array.
NumPy's arrays cost more. They are cleared in full if the C library reuses memory. On Linux they use huge pages, of
which the first number used takes 2 MB; a mapping here uses ordinary pages.

Huge pages make a search that covers a map of 2048 x 2048 cells repeatedly up to a sixth faster, but the first such
search takes half as long again. So two kinds of arrays use huge pages: tables below 64 MB for searches that are
expected to cover the map, and all arrays that are prefaulted for a deadline.

macOS has no huge pages for mappings. Python on Windows has no private mappings without a file: arrays are NumPy's
there, and Windows also provides their pages on first use.
"""

from __future__ import annotations

import ctypes
import mmap
import tracemalloc
from contextlib import suppress
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.faults import count_allocation

MB = 1 << 20
MIN_MAPPED_BYTES = (
    1 * MB
)  # zeros of this size or more are mapped; smaller arrays are cleared as fast as they are mapped
PAGE = mmap.PAGESIZE
POPULATE_WRITE = 23  # Linux 5.14: MADV_POPULATE_WRITE, for which Python has no name
MAX_HUGE_PAGE_BYTES = 64 * MB  # below this size huge pages make also the first search faster that covers the map
MIN_HUGE_PAGE_BYTES = 4 * MB  # NumPy uses huge pages from this size on; below, memory of malloc is fastest


def as_array(values: Any) -> np.ndarray[Any, Any]:
    """Return np.asarray(values); raise InputError for masked values, whose hidden values np.asarray would return."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError("some values of this array are masked: give them values first, as in array.filled(True)")
    return np.asarray(values)


def view(array: Any) -> memoryview:
    """Return a memoryview of an array: its items are Python ints when interpreted, C ints when compiled."""
    count_allocation()
    return memoryview(array)  # type: ignore[arg-type, unused-ignore]


def zeros(n: int, dtype: Any, covers_map: bool = False) -> memoryview:
    """Return n zeros, whose memory is allocated on first use.

    covers_map: the whole array is expected to be used repeatedly; a large array gets huge pages.
    """
    items = _zeros(max(int(n), 1), np.dtype(dtype))
    if covers_map and items.nbytes >= MIN_HUGE_PAGE_BYTES:
        _advise(items, getattr(mmap, "MADV_HUGEPAGE", None))
    return view(items)


def empty(n: int, dtype: Any) -> memoryview:
    """Return n uninitialized numbers, whose memory is allocated on first use."""
    size, item_type = max(int(n), 1), np.dtype(dtype)
    is_small = size * item_type.itemsize < MIN_HUGE_PAGE_BYTES
    return view(np.empty(size, item_type) if is_small else _zeros(size, item_type))


def _zeros(n: int, item_type: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return n zeros: mapped if there are many, otherwise NumPy's."""
    # tracemalloc does not see mappings: while it traces, all arrays are NumPy's, of the same size.
    size = n * item_type.itemsize
    if size >= MIN_MAPPED_BYTES and hasattr(mmap, "MAP_PRIVATE") and not tracemalloc.is_tracing():
        with suppress(OSError):  # out of memory or of mappings: np.zeros succeeds or raises the right error
            return np.frombuffer(_mapped(size), item_type)
    return np.zeros(n, item_type)


def _mapped(size: int) -> mmap.mmap:
    """Return a private mapping of `size` bytes without huge pages."""
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # it is advice, and a kernel without huge pages refuses it
            pages.madvise(mmap.MADV_NOHUGEPAGE)
    return pages


def table(n: int, fields: tuple[str, ...], covers_map: bool = False) -> Any:
    """Return a table with these fields for each of n states, 0 at first. One cache line holds the row of a state.

    covers_map: a search is expected to use the whole table. Then a table of medium size is not mapped: clearing reused
    memory is faster than allocating new pages one by one.
    """
    size = n * len(fields)
    from_numpy = covers_map and 8 * size < MIN_HUGE_PAGE_BYTES
    padded = np.zeros(size + 8, np.int64) if from_numpy else _zeros(size + 8, np.dtype(np.int64))
    if covers_map and MIN_HUGE_PAGE_BYTES <= 8 * size < MAX_HUGE_PAGE_BYTES:
        _advise(padded, getattr(mmap, "MADV_HUGEPAGE", None))
    first = -padded.ctypes.data % 64 // 8  # the first number on a boundary of 64 bytes
    return view(padded[first : first + size])


def columns(numbers: Any, fields: tuple[str, ...]) -> Any:
    """Return a read-only view of each field of a table, by state."""
    rows = np.asarray(numbers).reshape(-1, len(fields))
    return [view(rows[:, i]).toreadonly() for i in range(len(fields))]


def with_capacity(numbers: Any, min_capacity: int, dtype: Any) -> memoryview:
    """Return a copy of these numbers with memory for at least `min_capacity` numbers."""
    copy = empty(max(len(numbers), min_capacity), dtype)
    np.asarray(copy)[: len(numbers)] = numbers
    return copy


def write_fields(numbers: Any, fields: tuple[str, ...], states: Any, **values: Any) -> None:
    """Write the values of fields of these states into a table."""
    rows = np.asarray(numbers).reshape(-1, len(fields))
    for name, column in values.items():
        rows[states, fields.index(name)] = column


def prefault(*arrays: Any) -> None:
    """Allocate all pages of these arrays now, not during a search.

    Large arrays get huge pages, the others are allocated in one call, if the system supports it.
    """
    for array in arrays:
        if isinstance(array, list):  # the table of an interpreted search
            continue
        items = np.asarray(array)
        if items.nbytes >= MIN_HUGE_PAGE_BYTES:
            _advise(items, getattr(mmap, "MADV_HUGEPAGE", None))
        if not _advise(items, POPULATE_WRITE):
            items[:: max(1, PAGE // items.itemsize)] += 0


def _advise(items: np.ndarray[Any, Any], advice: int | None) -> bool:
    """Call madvise for the pages that lie inside an array; True if it succeeded."""
    if advice is None or _madvise is None:
        return False
    first = -(-items.ctypes.data // PAGE) * PAGE
    size = (items.ctypes.data + items.nbytes - first) // PAGE * PAGE
    return size > 0 and _madvise(first, size, advice) == 0


def _libc_madvise() -> Any:
    """Return the C function madvise on Linux; None if there is none."""
    if not hasattr(mmap, "MADV_NOHUGEPAGE"):  # not Linux
        return None
    with suppress(OSError, AttributeError):
        madvise = ctypes.CDLL(None).madvise
        madvise.argtypes, madvise.restype = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int), ctypes.c_int
        return madvise
    return None


_madvise = _libc_madvise()


def grown(old: memoryview, capacity: int) -> memoryview:
    """Return a longer array that begins with the items of the old one."""
    items = np.asarray(old)
    longer = empty(capacity, items.dtype)
    np.asarray(longer)[: items.size] = items
    return longer
