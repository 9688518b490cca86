"""A queue of the user's, in plain Python, as an open list."""

from __future__ import annotations

from operator import index
from typing import Any

from replan.errors import InputError
from replan.extensions import bad_return_error, missing_method_error
from replan.queues.base import OpenList
from replan.queues.order import Order
from replan.serialization import Archive

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import EMPTY, GOAL, INF


class Queue:
    """A queue of your own derives from this class and defines the four methods below.

    It is made with the Order that was asked for (prefer, ties, seed), which it may keep or not; smaller f comes first
    in any case. `push` is only called for states that are not inside, `remove` for those that are. Whatever comes first
    may be removed, and states that come before it may be pushed afterwards.

    >>> import replan
    >>> class Sorted(replan.Queue):
    ...     '''A sorted list: smaller f first, then larger g.'''
    ...     def __init__(self, order):
    ...         self.entries = []
    ...     def push(self, state, f, g):
    ...         self.entries.append((f, -g, state))
    ...         self.entries.sort()
    ...     def remove(self, state):
    ...         self.entries = [entry for entry in self.entries if entry[2] != state]
    ...     def first(self):
    ...         return self.entries[0][2] if self.entries else None
    ...     def clear(self):
    ...         self.entries = []
    >>> replan.simulate(replan.Grid([[0, 0, 0]]), replan.planner("RTAA*", queue=Sorted), (0, 0), (0, 2)).moves
    2
    """

    def __init__(self, order: Order) -> None:
        """order: how states of equal f are to be ordered."""

    def push(self, state: int, f: int, g: int) -> None:
        """Take in a state that is not inside, with its f and g in ticks."""
        raise missing_method_error(self, "queue", "push")

    def remove(self, state: int) -> None:
        """Let go of a state that is inside."""
        raise missing_method_error(self, "queue", "remove")

    def first(self) -> int | None:
        """The state of the smallest f, left where it is; None when there is none."""
        raise missing_method_error(self, "queue", "first")

    def clear(self) -> None:
        """Let go of all states: a new search begins."""
        raise missing_method_error(self, "queue", "clear")


class UserQueueAdapter(OpenList):
    """Lets searches use a `Queue`. It knows which states are inside, and checks what the queue says."""

    queue_class: type[Queue]
    user_queue: Queue
    entries: dict[int, tuple[int, int]]

    def __init__(self, kind: type[Queue], order: Order) -> None:
        self.init_empty(order)
        if not isinstance(kind, type) or not issubclass(kind, Queue) or not isinstance(order, Order):
            raise InputError(f"a queue of your own is a class derived from replan.Queue, not {kind!r}")
        self.queue_class, self.user_queue, self.entries, self.n = kind, kind(order), {}, 0
        self.is_initialized = True

    def describe(self) -> str:
        self.check_initialized()
        return f"{self.queue_class.__name__}: {self.order}"

    def set_bounds(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        self.n = n
        return 0

    def reserve(self, n: int) -> None:
        self.n = n

    def prefault(self) -> None:
        """Nothing here waits to be touched."""

    def put_in(self, s: int, f: int, g: int) -> None:
        if s in self.entries:
            self.take_out(s)
        self.entries[s] = (f, g)
        self.user_queue.push(s, f, g)
        self.size = len(self.entries)

    def take_out(self, s: int) -> None:
        self.user_queue.remove(s)
        del self.entries[s]
        self.size = len(self.entries)

    def checked_first(self) -> int:
        """What the queue says comes first, EMPTY for none."""
        said = self.user_queue.first()
        if said is None and not self.entries:
            return EMPTY
        try:
            s = -1 if said is None else index(said)
        except TypeError:
            s = -1
        if s not in self.entries:
            raise bad_return_error(self.user_queue, "first", f"{said!r}, which is not inside")
        return s

    def insert(self, s: int, f: int, g: int) -> int:
        with cython.gil:
            self.put_in(s, f, g)
        return 0

    def decrease(self, s: int, f: int, g: int) -> int:
        return self.insert(s, f, g)

    def update(self, s: int, f: int, g: int) -> int:
        return self.insert(s, f, g)

    def remove(self, s: int) -> int:
        with cython.gil:
            self.take_out(s)
        return 0

    def insert_batch(self, k: int) -> int:
        for i in range(k):
            self.insert(self.batch_states[i] if self.batch_states[i] >= 0 else -1 - self.batch_states[i], self.batch_f[i], self.batch_g[i])
        return 0

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        for i in range(k):
            s = self.batch_states[i] if self.batch_states[i] >= 0 else -1 - self.batch_states[i]
            if self.batch_f[i] < 0:
                self.remove(s)
            else:
                self.insert(s, self.batch_f[i], self.batch_g[i])
        with cython.gil:
            s = self.checked_first()
            if s < 0:
                return EMPTY
            return GOAL if s == goal or not self.precedes(s, f, g) else self.take(s)

    def top(self) -> int:
        with cython.gil:
            return self.checked_first()

    def top_f(self) -> int:
        with cython.gil:
            return self.entries[self.checked_first()][0]

    def top_precedes(self, f: int, g: int) -> bool:
        with cython.gil:
            s = self.checked_first()
            return s >= 0 and self.precedes(s, f, g)

    def precedes(self, s: int, f: int, g: int) -> bool:
        if f >= INF:
            return True
        first_f, first_g = self.entries[s]
        larger = self.order is not None and self.order.prefer == "larger g"
        return first_f < f or (first_f == f and (first_g > g if larger else first_g < g))

    def orders_by_exact_g(self) -> bool:
        return True

    def pop(self) -> int:
        with cython.gil:
            s = self.checked_first()
            return EMPTY if s < 0 else self.take(s)

    def take(self, s: int) -> int:
        """Take out the first state, which is s."""
        self.popped_f = self.entries[s][0]
        self.take_out(s)
        return s

    def copy_states_to(self, out: memoryview) -> int:
        with cython.gil:
            for i, s in enumerate(self.entries):
                out[i] = s
        return self.size

    def clear(self) -> int:
        with cython.gil:
            self.user_queue.clear()
            self.entries.clear()
        self.size = 0
        return 0

    def reseed(self) -> int:
        """Begin as if newly made."""
        with cython.gil:
            assert self.order is not None
            self.user_queue, self.entries = self.queue_class(self.order), {}
        self.size = self.percolations = 0
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        return UserQueueAdapter, self.queue_class, self.order

    def serialize_entries(self, archive: Archive, n: int) -> None:
        """The queue itself is the user's, and saved as Python saves any object."""
        self.user_queue = archive.instance("queue", self.user_queue, Queue)
        states = archive.states("states", list(self.entries), n, unique=True)
        f = archive.integers("f", [f for f, _ in self.entries.values()], 0, INF, len(states))
        g = archive.integers("g", [g for _, g in self.entries.values()], 0, INF, len(states))
        if archive.is_loading:
            self.entries = dict(zip(states.tolist(), zip(f.tolist(), g.tolist(), strict=True), strict=True))
            self.n, self.size = n, len(self.entries)
