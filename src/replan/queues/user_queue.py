"""An adapter that lets searches use a queue written in plain Python."""

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
    """Base class of open lists written in Python.

    A queue of your own derives from this class and defines `push`, `remove`, `first` and `clear`. Pass the class, not
    an instance, to a planner: `queue=Sorted`.

    Parameters
    ----------
    order
        How states of equal f shall be ordered: the options `prefer`, `ties` and `seed`. A queue may ignore it.

    Notes
    -----
    A smaller f comes first in any case. The search may remove the first state at any time, and may push states that
    come before states that were removed earlier.

    Examples
    --------
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
        """Begin without states."""

    def push(self, state: int, f: int, g: int) -> None:
        """Insert a state that is not in the queue.

        Parameters
        ----------
        state
            The state, a number from 0.
        f
            The f-value that the queue orders by, in cost units, 0 or more.
        g
            The g-value, in cost units, 0 or more; it may decide between states of equal f.
        """
        raise missing_method_error(self, "queue", "push")

    def remove(self, state: int) -> None:
        """Remove a state that is in the queue.

        Parameters
        ----------
        state
            The state. It need not be the first one.
        """
        raise missing_method_error(self, "queue", "remove")

    def first(self) -> int | None:
        """Return the first state without removing it.

        Returns
        -------
        int or None
            A state with the smallest f; None if the queue is empty.
        """
        raise missing_method_error(self, "queue", "first")

    def clear(self) -> None:
        """Remove all states: a new search begins."""
        raise missing_method_error(self, "queue", "clear")


class UserQueueAdapter(OpenList):
    """An open list that uses a `Queue`, knows which states are in it, and checks what `first` returns."""

    queue_class: type[Queue]
    user_queue: Queue
    entries: dict[int, tuple[int, int]]

    def __init__(self, queue_class: type[Queue], order: Order) -> None:
        self.init_empty(order)
        if not isinstance(queue_class, type) or not issubclass(queue_class, Queue) or not isinstance(order, Order):
            raise InputError(f"a queue of your own is a class derived from replan.Queue, not {queue_class!r}")
        self.queue_class, self.user_queue, self.entries, self.n = queue_class, queue_class(order), {}, 0
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
        """Do nothing: the memory belongs to the queue."""

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
        """Return the first state of the queue, EMPTY if there is none. Raise ValueError if it is not in the queue."""
        returned = self.user_queue.first()
        if returned is None and not self.entries:
            return EMPTY
        try:
            s = -1 if returned is None else index(returned)
        except TypeError:
            s = -1
        if s not in self.entries:
            raise bad_return_error(self.user_queue, "first", f"{returned!r}, which is not inside")
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
            self.insert(
                self.batch_states[i] if self.batch_states[i] >= 0 else -1 - self.batch_states[i],
                self.batch_f[i],
                self.batch_g[i],
            )
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
        """Remove the first state, which is s, and return it."""
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
        """Replace the queue by a new one."""
        with cython.gil:
            assert self.order is not None
            self.user_queue, self.entries = self.queue_class(self.order), {}
        self.size = self.percolations = 0
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        return UserQueueAdapter, self.queue_class, self.order

    def serialize_entries(self, archive: Archive, n: int) -> None:
        """Save or load the queue, as Python pickles any object, and the states in it."""
        self.user_queue = archive.instance("user_queue", self.user_queue, Queue)
        states = archive.states("states", list(self.entries), n, unique=True)
        f = archive.integers("f", [f for f, _ in self.entries.values()], 0, INF, len(states))
        g = archive.integers("g", [g for _, g in self.entries.values()], 0, INF, len(states))
        if archive.is_loading:
            self.entries = dict(zip(states.tolist(), zip(f.tolist(), g.tolist(), strict=True), strict=True))
            self.n, self.size = n, len(self.entries)
