"""Memory: large arrays are taken page by page, whatever was freed before, and are zeros; what other systems do."""

from __future__ import annotations

import gc
import mmap
from typing import Any

import numpy as np
import psutil
import pytest

import replan
from replan import arrays
from replan.experiments.memory import array_bytes

LARGE = 5 * arrays.MB


def resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def spoil() -> None:
    """Leave freed memory behind that is not zero."""
    kept = [np.full(size, 255, np.uint8) for size in (arrays.MB, LARGE, 3 * LARGE) for _ in range(3)]
    del kept


@pytest.mark.parametrize("size", [1, 1000, arrays.MB // 8 - 1, arrays.MB // 8, LARGE // 8])
def test_zeros_are_zeros_also_in_memory_that_was_used_before(size):
    spoil()
    assert not np.any(arrays.zeros(size, np.int64))
    assert len(arrays.empty(size, np.int64)) == size
    assert not np.any(arrays.table(size, ("a", "b")))
    assert len(arrays.table(size, ("a", "b"))) == 2 * size


@pytest.mark.parametrize("n", [3, 1000, 100_000])
def test_a_table_begins_with_a_cache_line(n):
    for _ in range(3):
        assert np.asarray(arrays.table(n, ("g", "h", "stamp", "parent"))).ctypes.data % 64 == 0


def test_a_longer_array_begins_with_the_old_one():
    old = arrays.view(np.arange(1000, dtype=np.int32))
    longer = arrays.grown(old, LARGE)
    assert len(longer) == LARGE and longer[:1000].tolist() == old.tolist()
    longer[LARGE - 1] = 7  # it may be written


@pytest.mark.skipif(not hasattr(mmap, "MAP_PRIVATE"), reason="this system has no private mappings")
def test_memory_is_taken_when_it_is_touched_and_given_back():
    spoil()
    before = resident()
    kept = [arrays.zeros(4 * LARGE, np.uint8) for _ in range(10)] + [arrays.empty(LARGE, np.int64) for _ in range(2)]
    for array in kept:
        array[len(array) // 2] = 1
    assert resident() - before < 2 * arrays.MB
    for array in kept:
        arrays.prefault(array)
    assert resident() - before > 200 * arrays.MB
    del kept, array
    assert resident() - before < 50 * arrays.MB


@pytest.mark.parametrize("advice", [True, False])
def test_touching_takes_all_and_changes_nothing(monkeypatch, advice):
    """Also where the system takes no advice."""
    if not advice:
        monkeypatch.setattr(arrays, "_madvise", None)
    for size in (1, 3, 5000, LARGE // 8):
        numbers = arrays.view(np.arange(size, dtype=np.int64))
        arrays.prefault(numbers, arrays.view(np.asarray(numbers)[1:]))
        assert np.array_equal(numbers, np.arange(size))
    before = resident()
    kept = arrays.zeros(4 * LARGE, np.uint8)
    arrays.prefault(kept)
    assert resident() - before > 4 * LARGE - arrays.MB


def test_without_mappings_arrays_are_numpys(monkeypatch):
    """As on Windows."""
    monkeypatch.delattr(mmap, "MAP_PRIVATE", raising=False)
    assert not np.any(arrays.zeros(LARGE, np.uint8)) and not np.any(arrays.table(arrays.MB, ("a",)))


def test_without_advice_on_huge_pages_there_are_mappings_all_the_same(monkeypatch):
    """As on macOS."""
    monkeypatch.delattr(mmap, "MADV_NOHUGEPAGE", raising=False)
    assert not np.any(arrays.zeros(LARGE, np.uint8))


def test_a_process_that_can_have_no_more_mappings_uses_numpys(monkeypatch):
    def refused(*_: Any, **__: Any) -> Any:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refused)
    assert not np.any(arrays.zeros(LARGE, np.uint8))


def test_tracemalloc_sees_large_arrays():
    assert LARGE <= array_bytes(lambda: arrays.zeros(LARGE, np.uint8)) < LARGE + 1000


@pytest.mark.skipif(not hasattr(mmap, "MADV_NOHUGEPAGE"), reason="this system has its own way with pages")
@pytest.mark.skipif(not replan.compiled, reason="interpreted, a search keeps Python objects")
@pytest.mark.parametrize(("name", "least"), [("RTAA*", 1.0), ("LSS-LRTA*", 1.5), ("TBA*", 1.0)])
def test_many_agents_on_one_belief_are_cheap(name, least):
    """An agent's share of the memory that the process takes, in MB; measured: a third of it."""
    belief, count = replan.Grid(np.zeros((512, 512), bool)), 40
    agents = [replan.Agent(replan.planner(name, lookahead=33), belief, (0, 0), (400, 300)) for _ in range(2)]
    before = resident()
    for i in range(count):
        agents.append(replan.Agent(replan.planner(name, lookahead=33), belief, (10 * i, 500 - i), (400 - i, 10 * i)))
        agents[-1].plan()
    assert (resident() - before) / count < least * 1e6
