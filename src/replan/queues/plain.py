"""The open list for passes that order by a single number, such as learning by Dijkstra's algorithm."""

from __future__ import annotations

from replan.queues.base import OpenList
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap

WIDEST = 1 << 13  # ticks: beyond, most buckets would be empty


def plain_queue(span: int, old: OpenList | None = None) -> OpenList:
    """Buckets where costs are small, a heap otherwise; the old one if it is of that kind."""
    kind = Buckets if span <= WIDEST else BinaryHeap
    return old if isinstance(old, kind) else kind()
