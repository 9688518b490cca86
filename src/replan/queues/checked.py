"""An open list for Python: every call is checked against the states in the queue.

>>> from replan.queues.factory import make_open_list
>>> from replan.queues.order import Order
>>> queue = CheckedQueue(make_open_list("buckets", Order()))
>>> queue.set_bounds(10)
>>> queue.insert(3, 70, 0); queue.insert(4, 65, 0)
>>> queue.pop(), queue.pop(), queue.pop()
(4, 3, -1)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from replan.arrays import empty
from replan.errors import InputError
from replan.initialized import Initialized
from replan.queues.base import OpenList, claim_queue

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import BATCH, INF


class CheckedQueue(Initialized):
    """The methods of an `OpenList` for Python: every call is checked.

    Parameters
    ----------
    open
        An open list that no other search uses.
    """

    open: OpenList
    f_by_state: dict[int, int]

    def __init__(self, open: OpenList) -> None:
        self.check_not_initialized()
        self.open, self.f_by_state, self.n, self.max_f, self.max_g = claim_queue(open), {}, 0, 0, 0
        self.is_initialized = True

    def __getattr__(self, name: str) -> Any:
        if name in ("size", "percolations", "popped_f", "min_f", "order"):
            return getattr(self.open, name)
        raise AttributeError(name)

    def set_bounds(self, n: int, f_bound: int = 1 << 20, g_bound: int = 1 << 20, span: int = 64) -> None:
        """Prepare an empty queue for n states, and f, g and spans of f up to these bounds."""
        self.check_initialized()
        if self.f_by_state or not 0 < n < 1 << 24:
            raise InputError(
                f"an empty queue can be fitted to fewer than 2**24 states; this one holds {self.size}, and n is {n}"
            )
        if not 0 < f_bound < INF or not 0 < g_bound < INF or not 0 <= span < INF:
            raise InputError(f"f_bound and g_bound are 1 or more, span is 0 or more, not {f_bound}, {g_bound}, {span}")
        self.open.set_bounds(n, f_bound, g_bound, span)
        self.n, self.max_f, self.max_g = n, f_bound, g_bound

    def _check(self, s: int, f: int, g: int, is_inside: bool, must_be_inside: bool) -> None:
        """Raise InputError if a value is out of bounds, or `is_inside` is not `must_be_inside`."""
        if not 0 <= s < self.n or not 0 <= f <= self.max_f or not 0 <= g <= self.max_g:
            raise InputError(f"state {s} with f {f} and g {g} is out of the bounds that set_bounds has set")
        if is_inside != must_be_inside:
            raise InputError(f"state {s} is {'in the queue already' if is_inside else 'not in the queue'}")

    def _run(self, operation: Any, f_by_state: dict[int, int]) -> Any:
        """Call `operation`, after which the queue holds these states. If it fails, the queue is emptied."""
        try:
            result = operation()
        except Exception:
            self.clear()
            raise
        self.f_by_state = f_by_state
        return result

    def insert(self, s: int, f: int, g: int) -> None:
        self._check(s, f, g, s in self.f_by_state, False)
        self.open.insert(s, f, g)
        self.f_by_state[s] = f

    def decrease(self, s: int, f: int, g: int) -> None:
        self._check(s, f, g, s in self.f_by_state, True)
        if f > self.f_by_state[s]:
            raise InputError(f"f of state {s} is {self.f_by_state[s]}: {f} is no decrease")
        self._run(lambda: self.open.decrease(s, f, g), {**self.f_by_state, s: f})

    def update(self, s: int, f: int, g: int) -> None:
        self._check(s, f, g, s in self.f_by_state, True)
        self._run(lambda: self.open.update(s, f, g), {**self.f_by_state, s: f})

    def remove(self, s: int) -> None:
        self._check(s, 0, 0, s in self.f_by_state, True)
        self._run(lambda: self.open.remove(s), {t: f for t, f in self.f_by_state.items() if t != s})

    def _fill_batch(self, states: list[tuple[int, int, int]], f_by_state: dict[int, int], can_increase: bool) -> int:
        """Write a batch, and update `f_by_state`. `can_increase`: f may also rise, or be negative (remove)."""
        if len(states) > BATCH:
            raise InputError(f"a batch has at most {BATCH} states, not {len(states)}")
        i = 0
        for s, f, g in states:
            is_inside = s in f_by_state
            if is_inside and not can_increase and f > f_by_state[s]:
                raise InputError(f"f of state {s} is {f_by_state[s]}: {f} is no decrease")
            if is_inside and can_increase and f < 0:
                del f_by_state[s]
            else:
                self._check(s, f, g, is_inside, is_inside)
                f_by_state[s] = f
            self.open.batch_states[i] = -1 - s if is_inside else s
            self.open.batch_f[i] = f
            self.open.batch_g[i] = g
            i += 1
        return i

    def insert_batch(self, states: Sequence[tuple[int, int, int]]) -> None:
        self.check_initialized()
        f_by_state = {**self.f_by_state}
        k = self._fill_batch(list(states), f_by_state, False)
        self._run(lambda: self.open.insert_batch(k), f_by_state)

    def insert_batch_and_pop(
        self, states: Sequence[tuple[int, int, int]], goal: int = -1, f: int = INF, g: int = 0
    ) -> int:
        self.check_initialized()
        f_by_state = {**self.f_by_state}
        k = self._fill_batch(list(states), f_by_state, True)
        return self._forget_popped(self._run(lambda: self.open.insert_batch_and_pop(k, goal, f, g), f_by_state))

    def pop(self) -> int:
        self.check_initialized()
        return self._forget_popped(self.open.pop())

    def _forget_popped(self, s: int) -> int:
        if s >= 0:
            del self.f_by_state[s]
        return s

    def top(self) -> int:
        self.check_initialized()
        return self.open.top()

    def top_f(self) -> int:
        if not self.f_by_state:
            raise InputError("the queue is empty")
        return self.open.top_f()

    def top_precedes(self, f: int, g: int) -> bool:
        self.check_initialized()
        return bool(self.open.top_precedes(f, g))

    def orders_by_exact_g(self) -> bool:
        self.check_initialized()
        return self.open.orders_by_exact_g()

    def states(self) -> list[int]:
        """Return all states in the queue, in no particular order."""
        self.check_initialized()
        out = empty(len(self.f_by_state), np.int32)
        return [out[i] for i in range(self.open.copy_states_to(out))]

    def clear(self) -> None:
        self.check_initialized()
        self.open.clear()
        self.f_by_state.clear()

    def reseed(self) -> None:
        self.check_initialized()
        self.open.reseed()
