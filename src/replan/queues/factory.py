"""The queues by name. Open lists are made here only. A new queue is a row of `QUEUES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from replan.errors import InputError
from replan.queues import checked as _checked  # noqa: F401  (so that it is compiled for tests and users)
from replan.queues.base import OpenList
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order
from replan.queues.user_queue import Queue, UserQueueAdapter


@dataclass(frozen=True)
class QueueKind:
    """A row of the table: the constructor, a description, and True if it orders by f alone."""

    constructor: Callable[[Order], OpenList]
    description: str
    orders_by_f_alone: bool = False


QUEUES = {
    "heap": QueueKind(BinaryHeap, "a binary 'heap'"),
    "plain heap": QueueKind(
        lambda order: BinaryHeap(order, inserts_all_first=True),
        "a 'plain heap', whose percolations are those that papers count",
    ),
    "buckets": QueueKind(
        Buckets, "'buckets', which order by f alone and are fast if costs are small", orders_by_f_alone=True
    ),
}
MAX_BUCKET_SPAN = 1 << 13  # cost units: with a larger span most buckets would be empty


def make_open_list(queue: Any, order: Order) -> OpenList:
    """Return the open list for the option `queue=`: a name in QUEUES, or a class derived from `replan.Queue`."""
    if isinstance(queue, type) and issubclass(queue, Queue):
        return UserQueueAdapter(queue, order)
    if not isinstance(queue, str) or queue not in QUEUES:
        names = ", ".join(map(repr, QUEUES))
        raise InputError(f"queue is one of {names}, or a class derived from replan.Queue, not {queue!r}")
    return QUEUES[queue].constructor(order)


def orders_by_f_alone(queue: Any) -> bool:
    """Return True if the queue of this name orders by f alone, and so ignores `prefer`, `ties` and `seed`."""
    return isinstance(queue, str) and queue in QUEUES and QUEUES[queue].orders_by_f_alone


def make_single_key_queue(span: int, old: OpenList | None = None) -> OpenList:
    """Return a queue for passes that order by one number, like Dijkstra's algorithm. `old` is reused if its kind fits.

    It has buckets if costs are small (`span` in cost units), otherwise a heap.
    """
    use_buckets = span <= MAX_BUCKET_SPAN
    if old is not None and isinstance(old, Buckets) == use_buckets:
        return old
    return Buckets(Order()) if use_buckets else BinaryHeap(Order())
