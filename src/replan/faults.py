"""Fault injection: tests let the k-th allocation fail. If it is off, it costs one comparison for each allocation."""

from __future__ import annotations

remaining: int = 0  # allocations until one fails; 0: none fails


def fail_at(k: int) -> None:
    """Let the k-th allocation from now on raise MemoryError, and no other; 0: no allocation."""
    global remaining
    remaining = k


def allocations_left() -> int:
    """Return the number of allocations until one fails; 0 if it has failed, or if none is to fail."""
    return remaining


def must_fail() -> bool:
    """Count an allocation; True if it must fail."""
    global remaining
    if remaining == 0:
        return False
    remaining -= 1
    return remaining == 0


def count_allocation() -> None:
    """Count an allocation; raise MemoryError if it must fail."""
    if must_fail():
        raise MemoryError("this allocation was to fail, in a test")
