"""An open list as Python may use it: every call is checked against the states that are inside.

>>> from replan.queues.make import open_list
>>> from replan.queues.order import Order
>>> queue = CheckedQueue(open_list("buckets", Order()))
>>> queue.fit(10)
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
from replan.queues.base import OpenList

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import BATCH, INF


class CheckedQueue:
    """The methods of an `OpenList`, for Python. What is noted for `take_in` and `exchange` is a list of (s, f, g)."""

    open: OpenList
    inside: dict[int, int]

    def __init__(self, open: OpenList) -> None:
        self.open, self.inside, self.n, self.most_f, self.most_g = open, {}, 0, 0, 0

    def __getattr__(self, name: str) -> Any:
        if name in ("size", "percolations", "taken_f", "order"):
            return getattr(self.open, name)
        raise AttributeError(name)

    def fit(self, n: int, f_bound: int = 1 << 20, g_bound: int = 1 << 20, span: int = 64) -> None:
        if not 0 < n < 1 << 24 or not 0 < f_bound < INF or not 0 < g_bound < INF or not 0 <= span < INF or self.inside:
            raise InputError(f"an empty queue can be fitted to fewer than 2**24 states, not {n}")
        self.open.fit(n, f_bound, g_bound, span)
        self.n, self.most_f, self.most_g = n, f_bound, g_bound

    def _know(self, s: int, f: int, g: int, inside: bool) -> None:
        if not 0 <= s < self.n or not 0 <= f <= self.most_f or not 0 <= g <= self.most_g:
            raise InputError(f"state {s} with f {f} and g {g} is not what the queue was fitted to")
        if (s in self.inside) != inside:
            raise InputError(f"state {s} is {'inside already' if s in self.inside else 'not inside'}")
        self.inside[s] = f

    def insert(self, s: int, f: int, g: int) -> None:
        self._know(s, f, g, False)
        self.open.insert(s, f, g)

    def decrease(self, s: int, f: int, g: int) -> None:
        if f > self.inside.get(s, f):
            raise InputError(f"f of state {s} is {self.inside[s]}: {f} is no decrease")
        self._know(s, f, g, True)
        self.open.decrease(s, f, g)

    def update(self, s: int, f: int, g: int) -> None:
        self._know(s, f, g, True)
        self.open.update(s, f, g)

    def remove(self, s: int) -> None:
        self._know(s, 0, 0, True)
        del self.inside[s]
        self.open.remove(s)

    def note(self, states: list[tuple[int, int, int]], moves: bool) -> int:
        """Write down what is to be taken in. With `moves` states may also go back, or out (f < 0)."""
        if len(states) > BATCH:
            raise InputError(f"at most {BATCH} states are handed over at a time, not {len(states)}")
        i = 0
        for s, f, g in states:
            known = s in self.inside
            if moves and f < 0 and known:
                del self.inside[s]
            else:
                if known and not moves and f > self.inside[s]:
                    raise InputError(f"f of state {s} is {self.inside[s]}: {f} is no decrease")
                self._know(s, f, g, known)
            self.open.new[i] = -1 - s if known else s
            self.open.new_f[i] = f
            self.open.new_g[i] = g
            i += 1
        return i

    def take_in(self, states: Sequence[tuple[int, int, int]]) -> None:
        self.open.take_in(self.note(list(states), False))

    def exchange(self, states: Sequence[tuple[int, int, int]], unless: int = -1, f: int = INF, g: int = 0) -> int:
        return self._taken(self.open.exchange(self.note(list(states), True), unless, f, g))

    def pop(self, unless: int = -1) -> int:
        return self._taken(self.open.pop(unless))

    def _taken(self, s: int) -> int:
        if s >= 0:
            del self.inside[s]
        return s

    def top(self) -> int:
        return self.open.top()

    def top_f(self) -> int:
        if not self.inside:
            raise InputError("nothing is in the queue")
        return self.open.top_f()

    def before(self, f: int, g: int) -> bool:
        return bool(self.open.before(f, g))

    def exact(self) -> bool:
        return self.open.exact()

    def states(self) -> list[int]:
        """All that are inside, in no particular order."""
        out = empty(len(self.inside), np.int32)
        return [out[i] for i in range(self.open.list_to(out))]

    def clear(self) -> None:
        self.open.clear()
        self.inside.clear()

    def reseed(self) -> None:
        self.open.reseed()
