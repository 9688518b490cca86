"""The queues by name: the one place where open lists are made. A new queue is a row of `QUEUES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from replan.errors import InputError
from replan.queues import checked as _checked  # noqa: F401  (tests and people find it compiled)
from replan.queues.base import OpenList
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order
from replan.queues.user_queue import Queue, UserQueueAdapter


@dataclass(frozen=True)
class QueueKind:
    """A row of the table. about: what it is, for people. by_f_alone: it keeps no order among equal f."""

    constructor: Callable[[Order], OpenList]
    description: str
    orders_by_f_alone: bool = False


QUEUES = {
    "heap": QueueKind(BinaryHeap, "a binary 'heap'"),
    "plain heap": QueueKind(
        lambda order: BinaryHeap(order, inserts_all_first=True), "a 'plain heap', whose percolations are those that papers count"
    ),
    "buckets": QueueKind(Buckets, "'buckets', which order by f alone and are quick where costs are small", orders_by_f_alone=True),
}
MAX_BUCKET_SPAN = 1 << 13  # ticks: beyond, most buckets would be empty


def make_open_list(queue: Any, order: Order) -> OpenList:
    """The open list that the option `queue=` names: one of QUEUES, or a class derived from `replan.Queue`."""
    if isinstance(queue, type) and issubclass(queue, Queue):
        return UserQueueAdapter(queue, order)
    if not isinstance(queue, str) or queue not in QUEUES:
        names = ", ".join(map(repr, QUEUES))
        raise InputError(f"queue is one of {names}, or a class derived from replan.Queue, not {queue!r}")
    return QUEUES[queue].constructor(order)


def orders_by_f_alone(queue: Any) -> bool:
    """Does the queue of this name order by f alone, so that `prefer`, `ties` and `seed` mean nothing to it?"""
    return isinstance(queue, str) and queue in QUEUES and QUEUES[queue].orders_by_f_alone


def make_single_key_queue(span: int, old: OpenList | None = None) -> OpenList:
    """A queue for passes that order by one number, such as learning by Dijkstra's algorithm; the old one if it will do.

    Buckets where costs are small, a heap otherwise.
    """
    small = span <= MAX_BUCKET_SPAN
    if old is not None and isinstance(old, Buckets) == small:
        return old
    return Buckets(Order()) if small else BinaryHeap(Order())
