"""The one door between NumPy and the core, and to the memory of the system.

An array with a number for each state of a large map is mostly never touched: a real-time search reads what lies around
its agent. So a large array is a private mapping of its own, which the system fills with zeros a page at a time when the
page is first touched, and takes back when the array is gone. NumPy's own arrays are cleared in full wherever the C
library uses memory again that was freed, and on Linux NumPy asks for huge pages, of which one touched number takes
2 MB; a mapping here asks for ordinary ones. (Huge ones make a search that has covered all of a map of 2048 x 2048
before up to a sixth quicker, and the first such search half as long again. Tables of less than 64 MB have them, if the
search is expected to come by everywhere; and whatever is touched beforehand for the sake of a deadline.) macOS has no
huge pages for such memory: the mapping is the same. Python on Windows has no private mappings without a file: arrays
are NumPy's there, of ordinary pages, and Windows, too, hands out large ones page by page as they are touched.
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
MIN_MAPPED_BYTES = 1 * MB  # bytes from which zeros are mapped: to clear less takes no longer than to map it
PAGE = mmap.PAGESIZE
POPULATE_WRITE = 23  # Linux 5.14: MADV_POPULATE_WRITE, which Python has no name for
MAX_HUGE_PAGE_BYTES = 64 * MB  # up to here a search that comes by everywhere is quicker with huge pages the first time, too
MIN_HUGE_PAGE_BYTES = 4 * MB  # bytes from which NumPy asks for huge pages; below, memory that malloc has at hand is quickest


def as_array(given: Any) -> np.ndarray[Any, Any]:
    """Like np.asarray, but refuses masked values: np.asarray would return what lies under the mask."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise InputError("some values of this array are masked: give them values first, as in array.filled(True)")
    return np.asarray(given)


def view(array: Any) -> memoryview:
    """A memoryview of an array: its items are Python ints when interpreted, C ints when compiled."""
    count_allocation()
    return memoryview(array)  # type: ignore[arg-type, unused-ignore]


def zeros(n: int, dtype: Any, covers_map: bool = False) -> memoryview:
    """Zeros; the memory is taken when it is first touched. all_over: it is expected to be read and written everywhere,
    again and again: a large array has huge pages."""
    items = _zeros(max(int(n), 1), np.dtype(dtype))
    if covers_map and items.nbytes >= MIN_HUGE_PAGE_BYTES:
        _advise(items, getattr(mmap, "MADV_HUGEPAGE", None))
    return view(items)


def empty(n: int, dtype: Any) -> memoryview:
    """Uninitialised: as `zeros`, but there may be anything in it."""
    size, kind = max(int(n), 1), np.dtype(dtype)
    return view(np.empty(size, kind) if size * kind.itemsize < MIN_HUGE_PAGE_BYTES else _zeros(size, kind))


def _zeros(n: int, kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    # tracemalloc does not see mappings: who traces memory gets NumPy's arrays, of the same size
    if n * kind.itemsize >= MIN_MAPPED_BYTES and hasattr(mmap, "MAP_PRIVATE") and not tracemalloc.is_tracing():
        with suppress(OSError):  # there is no memory, or a process has only so many mappings: NumPy knows what to say
            return np.frombuffer(_mapped(n * kind.itemsize), kind)
    return np.zeros(n, kind)


def _mapped(size: int) -> mmap.mmap:
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # it is advice, and a kernel without huge pages refuses it
            pages.madvise(mmap.MADV_NOHUGEPAGE)
    return pages


def table(n: int, fields: tuple[str, ...], covers_map: bool = False) -> Any:
    """Numbers with these names for each of n states, 0 at first. They stand side by side: one cache line brings all.

    all_over: a search is expected to come by everywhere. Then a table of medium size is not mapped: to clear memory
    that was used before takes less than to touch new one page by page.
    """
    size = n * len(fields)
    numpys = covers_map and 8 * size < MIN_HUGE_PAGE_BYTES
    whole = np.zeros(size + 8, np.int64) if numpys else _zeros(size + 8, np.dtype(np.int64))
    if covers_map and MIN_HUGE_PAGE_BYTES <= 8 * size < MAX_HUGE_PAGE_BYTES:
        _advise(whole, getattr(mmap, "MADV_HUGEPAGE", None))
    skip = -whole.ctypes.data % 64 // 8
    return view(whole[skip : skip + size])


def columns(numbers: Any, fields: tuple[str, ...]) -> Any:
    """Each field of a table, by state, to be read."""
    rows = np.asarray(numbers).reshape(-1, len(fields))
    return [view(rows[:, i]).toreadonly() for i in range(len(fields))]


def with_capacity(numbers: Any, least: int, dtype: Any) -> memoryview:
    """An array of one's own that begins with these numbers and has room for at least so many."""
    room = empty(max(len(numbers), least), dtype)
    np.asarray(room)[: len(numbers)] = numbers
    return room


def write_fields(numbers: Any, fields: tuple[str, ...], states: Any, **values: Any) -> None:
    """Write numbers of these states into a table, by field."""
    rows = np.asarray(numbers).reshape(-1, len(fields))
    for name, column in values.items():
        rows[states, fields.index(name)] = column


def prefault(*arrays: Any) -> None:
    """Touch every page of these arrays, so that the memory is taken now and not in the middle of a search.

    All of it is wanted, so large arrays are taken in huge pages, and the others in one call, where the system can.
    """
    for array in arrays:
        if isinstance(array, list):  # a table of an interpreted search
            continue
        items = np.asarray(array)
        if items.nbytes >= MIN_HUGE_PAGE_BYTES:
            _advise(items, getattr(mmap, "MADV_HUGEPAGE", None))
        if not _advise(items, POPULATE_WRITE):
            items[:: max(1, PAGE // items.itemsize)] += 0


def _advise(items: np.ndarray[Any, Any], advice: int | None) -> bool:
    """Tell Linux what is to become of the whole pages of an array. False: nothing was done."""
    if advice is None or _madvise is None:
        return False
    first = -(-items.ctypes.data // PAGE) * PAGE
    size = (items.ctypes.data + items.nbytes - first) // PAGE * PAGE
    return size > 0 and _madvise(first, size, advice) == 0


def _libc_madvise() -> Any:
    if not hasattr(mmap, "MADV_NOHUGEPAGE"):  # not Linux
        return None
    with suppress(OSError, AttributeError):
        found = ctypes.CDLL(None).madvise
        found.argtypes, found.restype = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int), ctypes.c_int
        return found
    return None


_madvise = _libc_madvise()


def grown(old: memoryview, capacity: int) -> memoryview:
    """A longer array that begins with the items of the old one."""
    before = np.asarray(old)
    longer = empty(capacity, before.dtype)
    np.asarray(longer)[: before.size] = before
    return longer
