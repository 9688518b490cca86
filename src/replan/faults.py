"""Fault injection: tests let the k-th allocation fail. Off, it costs one comparison for each allocation."""

from __future__ import annotations

remaining: int = 0  # allocations until one fails; 0: none does


def fail_at(k: int) -> None:
    """Let the k-th allocation from now on raise MemoryError, and none after it; 0: none does."""
    global remaining
    remaining = k


def allocations_left() -> int:
    """How many allocations until one fails; 0: it has failed, or none was to fail."""
    return remaining


def must_fail() -> bool:
    """Count an allocation. True if it has to fail."""
    global remaining
    if remaining == 0:
        return False
    remaining -= 1
    return remaining == 0


def count_allocation() -> None:
    """Count an allocation. Raises MemoryError if it has to fail."""
    if must_fail():
        raise MemoryError("this allocation was to fail, in a test")
