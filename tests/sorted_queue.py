"""Queues of a user's: dictionaries that are searched for their first state."""

from __future__ import annotations

from typing import Any

import replan


class SortedQueue(replan.Queue):
    """Keeps the order that was asked for: f, then g as preferred, then age. (For "random" ties: first in.)"""

    def __init__(self, order: Any) -> None:
        self.sign = -1 if order.prefer == "larger g" else 1
        self.young = -1 if order.ties == "last-in" else 1
        self.age = 0
        self.entries: dict[int, tuple[int, int, int]] = {}

    def push(self, state: int, f: int, g: int) -> None:
        assert state not in self.entries
        self.age += 1
        self.entries[state] = self.rank(f, g)

    def rank(self, f: int, g: int) -> tuple[int, int, int]:
        return (f, self.sign * g, self.young * self.age)

    def remove(self, state: int) -> None:
        del self.entries[state]

    def first(self) -> int | None:
        return min(self.entries, key=lambda s: self.entries[s], default=None)

    def clear(self) -> None:
        self.entries.clear()


class Stacks(SortedQueue):
    """The order of buckets, whatever was asked for: f, and equal f last in first out."""

    def rank(self, f: int, g: int) -> tuple[int, int, int]:
        return (f, 0, -self.age)
