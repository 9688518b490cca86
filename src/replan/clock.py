"""A steady clock that can be read without Python's lock."""

from __future__ import annotations

from time import perf_counter_ns

try:
    import cython
except ImportError:
    from replan import _cython as cython


def now_ns() -> int:
    """Return the nanoseconds since a fixed moment. The clock never goes back."""
    if cython.compiled:
        return replan_steady_ns()  # type: ignore[name-defined, no-any-return]  # noqa: F821
    else:
        return perf_counter_ns()


def deadline_in(ns: int) -> int:
    """Return the clock value in `ns` nanoseconds; 0 (no deadline) for 0."""
    return now_ns() + ns if ns > 0 else 0
