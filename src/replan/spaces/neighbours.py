"""Lists into which a space writes neighbours and changed states. Each search has its own: searches may be parallel."""

from __future__ import annotations

from array import array
from operator import index
from typing import Any

import numpy as np

from replan.arrays import empty, view
from replan.extensions import bad_return_error, returned_integer

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs


class Neighbours:
    """The neighbours of one state, state[:k], and the costs of the steps, cost[:k]. The next listing overwrites them.

    capacity: largest number of neighbours. cost: first value of all costs, for spaces that do not write them.
    """

    capacity: int
    uniform_cost: int  # first value of all costs
    state_array: memoryview
    cost_array: memoryview
    state: memoryview
    cost: memoryview

    def __init__(self, capacity: int, cost: int = 0) -> None:
        self.capacity, self.uniform_cost = capacity, cost
        # One more than there can be: a space may write a neighbour and then not count it. Python's arrays are made in
        # a fifth of the time of NumPy's.
        self.state_array, self.cost_array = (
            view(array("i", [0]) * (capacity + 1)),
            view(array("q", [cost]) * (capacity + 1)),
        )
        self.state, self.cost = ints(self.state_array), longs(self.cost_array)

    def pairs(self, k: int) -> list[tuple[int, int]]:
        """Return the first k neighbours as (state, cost)."""
        return [(self.state_array[i], self.cost_array[i]) for i in range(k)]

    def is_reusable_for(self, capacity: int, cost: int) -> bool:
        """True if these lists have this capacity and this cost."""
        return self.capacity == capacity and self.uniform_cost == cost

    def remove_marked(self, marked: memoryview, k: int) -> int:
        """Remove the marked states from the first k neighbours; return the number of the rest."""
        count = 0
        for i in range(k):
            if marked[self.state[i]] == 0:
                self.state[count], self.cost[count] = self.state[i], self.cost[i]
                count += 1
        return count

    def fill_checked(self, space: Any, method: str, listed: Any) -> int:
        """Check and copy the neighbours that a method of a user's space returned; return their number."""
        k = 0
        for pair in _checked_items(space, method, listed):
            if k == self.capacity:
                raise bad_return_error(
                    space, method, f"{len(listed)} neighbours, but announced at most {self.capacity}"
                )
            try:
                state, cost = pair
                v, c = index(state), index(cost)
            except (TypeError, ValueError):
                reason = f"{pair!r}; a neighbour is (state, cost), two whole numbers"
                raise bad_return_error(space, method, reason) from None
            if not 0 <= v < space.n:
                raise bad_return_error(space, method, f"the state {v}; states go from 0 to {space.n - 1}")
            if not 1 <= c <= space.max_path_cost:
                raise bad_return_error(
                    space, method, f"the cost {c}; costs go from 1 to `max_path_cost`, {space.max_path_cost}"
                )
            self.state_array[k], self.cost_array[k] = v, c
            k += 1
        return k


def reuse_or_make(old: Neighbours | None, capacity: int, cost: int = 0) -> Neighbours:
    """Return lists with this capacity and this cost: `old` if it fits."""
    return old if old is not None and old.is_reusable_for(capacity, cost) else Neighbours(capacity, cost)


class ChangedStates:
    """The states that the changed steps leave, state[:k], and the states that they enter, entered[:k].

    is_symmetric: every step can be taken back at the same cost, so both lists are the same.
    """

    capacity: int
    state: memoryview
    entered: memoryview

    def __init__(self, capacity: int, is_symmetric: bool) -> None:
        self.capacity = capacity
        self.state = empty(capacity, np.int32)
        self.entered = self.state if is_symmetric else empty(capacity, np.int32)

    def as_list(self, k: int) -> list[int]:
        """Return the first k states."""
        return [self.state[i] for i in range(k)]

    def fill_checked(self, space: Any, answer: Any) -> int:
        """Check and copy what `set_value` of a user's space returned: a list of states, or two such lists."""
        pair = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, answer)
        lists = [_checked_states(space, listed) for listed in pair]
        k = len(lists[0])
        if len(lists[1]) != k:
            raise bad_return_error(
                space, "set_value", f"{k} states and {len(lists[1])} that their steps enter; give as many"
            )
        self.state, self.entered = (view(np.array([*states, 0], np.int32)) for states in lists)
        self.capacity = k
        return k


def _checked_states(space: Any, listed: Any) -> list[int]:
    """Return the states that `set_value` of a user's space returned; raise ValueError if one is invalid."""
    states = []
    for s in _checked_items(space, "set_value", listed):
        states.append(returned_integer(space, "set_value", s, 0, space.n - 1, "a state"))
    return states


def _checked_items(space: Any, method: str, listed: Any) -> Any:
    """Return a list that a user's method returned; raise ValueError if it is not a list or tuple."""
    if not isinstance(listed, (list, tuple)):
        raise bad_return_error(space, method, f"{listed!r}, which is no list")
    return listed
