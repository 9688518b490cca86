"""A queue of the user's, in plain Python, as an open list."""

from __future__ import annotations

from operator import index
from typing import Any

from replan.errors import InputError
from replan.own import missing, wrong_answer
from replan.queues.base import OpenList
from replan.queues.order import Order
from replan.saving import Bag

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
        raise missing(self, "queue", "push")

    def remove(self, state: int) -> None:
        """Let go of a state that is inside."""
        raise missing(self, "queue", "remove")

    def first(self) -> int | None:
        """The state of the smallest f, left where it is; None when there is none."""
        raise missing(self, "queue", "first")

    def clear(self) -> None:
        """Let go of all states: a new search begins."""
        raise missing(self, "queue", "clear")


class OwnQueue(OpenList):
    """Lets searches use a `Queue`. It knows which states are inside, and checks what the queue says."""

    kind: type[Queue]
    queue: Queue
    inside: dict[int, tuple[int, int]]

    def __init__(self, kind: type[Queue], order: Order) -> None:
        self.start_empty(order)
        if not isinstance(kind, type) or not issubclass(kind, Queue) or not isinstance(order, Order):
            raise InputError(f"a queue of your own is a class derived from replan.Queue, not {kind!r}")
        self.kind, self.queue, self.inside, self.n = kind, kind(order), {}, 0
        self.is_initialized = True

    def describe(self) -> str:
        self.check_initialized()
        return f"{self.kind.__name__}: {self.order}"

    def fit(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        self.n = n
        return 0

    def reserve(self, n: int) -> None:
        self.n = n

    def touch(self) -> None:
        """Nothing here waits to be touched."""

    def put_in(self, s: int, f: int, g: int) -> None:
        if s in self.inside:
            self.take_out(s)
        self.inside[s] = (f, g)
        self.queue.push(s, f, g)
        self.size = len(self.inside)

    def take_out(self, s: int) -> None:
        self.queue.remove(s)
        del self.inside[s]
        self.size = len(self.inside)

    def first(self) -> int:
        """What the queue says comes first, EMPTY for none."""
        said = self.queue.first()
        if said is None and not self.inside:
            return EMPTY
        try:
            s = -1 if said is None else index(said)
        except TypeError:
            s = -1
        if s not in self.inside:
            raise wrong_answer(self.queue, "first", f"{said!r}, which is not inside")
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

    def take_in(self, k: int) -> int:
        for i in range(k):
            self.insert(self.new[i] if self.new[i] >= 0 else -1 - self.new[i], self.new_f[i], self.new_g[i])
        return 0

    def exchange(self, k: int, goal: int, f: int, g: int) -> int:
        for i in range(k):
            s = self.new[i] if self.new[i] >= 0 else -1 - self.new[i]
            if self.new_f[i] < 0:
                self.remove(s)
            else:
                self.insert(s, self.new_f[i], self.new_g[i])
        with cython.gil:
            s = self.first()
            if s < 0:
                return EMPTY
            return GOAL if s == goal or not self.comes_before(s, f, g) else self.take(s)

    def top(self) -> int:
        with cython.gil:
            return self.first()

    def top_f(self) -> int:
        with cython.gil:
            return self.inside[self.first()][0]

    def before(self, f: int, g: int) -> bool:
        with cython.gil:
            s = self.first()
            return s >= 0 and self.comes_before(s, f, g)

    def comes_before(self, s: int, f: int, g: int) -> bool:
        if f >= INF:
            return True
        first_f, first_g = self.inside[s]
        larger = self.order is not None and self.order.prefer == "larger g"
        return first_f < f or (first_f == f and (first_g > g if larger else first_g < g))

    def exact(self) -> bool:
        return True

    def pop(self) -> int:
        with cython.gil:
            s = self.first()
            return EMPTY if s < 0 else self.take(s)

    def take(self, s: int) -> int:
        """Take out the first state, which is s."""
        self.taken_f = self.inside[s][0]
        self.take_out(s)
        return s

    def list_to(self, out: memoryview) -> int:
        with cython.gil:
            for i, s in enumerate(self.inside):
                out[i] = s
        return self.size

    def clear(self) -> int:
        with cython.gil:
            self.queue.clear()
            self.inside.clear()
        self.size = 0
        return 0

    def reseed(self) -> int:
        """Begin as if newly made."""
        with cython.gil:
            assert self.order is not None
            self.queue, self.inside = self.kind(self.order), {}
        self.size = self.percolations = 0
        return 0

    def made_from(self) -> tuple[Any, ...]:
        return OwnQueue, self.kind, self.order

    def carry_inside(self, bag: Bag, n: int) -> None:
        """The queue itself is the user's, and saved as Python saves any object."""
        self.queue = bag.part("queue", self.queue, Queue)
        states = bag.states("states", list(self.inside), n, once=True)
        f = bag.numbers("f", [f for f, _ in self.inside.values()], 0, INF, len(states))
        g = bag.numbers("g", [g for _, g in self.inside.values()], 0, INF, len(states))
        if bag.loading:
            self.inside = dict(zip(states.tolist(), zip(f.tolist(), g.tolist(), strict=True), strict=True))
            self.n, self.size = n, len(self.inside)
