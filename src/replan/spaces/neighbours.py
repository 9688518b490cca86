"""Where a space writes its answers: lists that belong to whoever asks, so that searches do not disturb each other."""

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
    """The neighbours of one state: state[:k], and what the steps cost: cost[:k]. The next listing overwrites them.

    room: how many neighbours a state has at most. cost: what every step costs, for spaces that need not write it.
    """

    capacity: int
    uniform_cost: int  # the cost that was given
    state_array: memoryview
    cost_array: memoryview
    state: memoryview
    cost: memoryview

    def __init__(self, capacity: int, cost: int = 0) -> None:
        self.capacity, self.uniform_cost = capacity, cost
        # one more than there can be: a space may write a neighbour first and then not count it. (Not NumPy's arrays:
        # Python's take a fifth of the time.)
        self.state_array, self.cost_array = view(array("i", [0]) * (capacity + 1)), view(array("q", [cost]) * (capacity + 1))
        self.state, self.cost = ints(self.state_array), longs(self.cost_array)

    def pairs(self, k: int) -> list[tuple[int, int]]:
        """The first k as (state, cost)."""
        return [(self.state_array[i], self.cost_array[i]) for i in range(k)]

    def is_reusable_for(self, room: int, cost: int) -> bool:
        """Would another one with these be the same?"""
        return self.capacity == room and self.uniform_cost == cost

    def remove_marked(self, marked: memoryview, k: int) -> int:
        """Keep those of the first k that are not taken; how many are they?"""
        kept = 0
        for i in range(k):
            if marked[self.state[i]] == 0:
                self.state[kept], self.cost[kept] = self.state[i], self.cost[i]
                kept += 1
        return kept

    def fill_checked(self, space: Any, method: str, listed: Any) -> int:
        """Check and copy what the method of a space written in Python has returned; how many are they?"""
        k = 0
        for pair in _checked_items(space, method, listed):
            if k == self.capacity:
                raise bad_return_error(space, method, f"{len(listed)} neighbours, but announced at most {self.capacity}")
            try:
                state, cost = pair
                v, c = index(state), index(cost)
            except (TypeError, ValueError):
                answer = f"{pair!r}; a neighbour is (state, cost), two whole numbers"
                raise bad_return_error(space, method, answer) from None
            if not 0 <= v < space.n:
                raise bad_return_error(space, method, f"the state {v}; states go from 0 to {space.n - 1}")
            if not 1 <= c <= space.max_path_cost:
                raise bad_return_error(space, method, f"the cost {c}; costs go from 1 to `max_path_cost`, {space.max_path_cost}")
            self.state_array[k], self.cost_array[k] = v, c
            k += 1
        return k


def reuse_or_make(old: Neighbours | None, capacity: int, cost: int = 0) -> Neighbours:
    """A list of neighbours for this many, and these costs: the one that was used before, if it will do."""
    return old if old is not None and old.is_reusable_for(capacity, cost) else Neighbours(capacity, cost)


class ChangedStates:
    """The states whose steps have changed with the terrain, state[:k], and those that the steps enter, entered[:k]."""

    capacity: int
    state: memoryview
    entered: memoryview

    def __init__(self, capacity: int, is_symmetric: bool) -> None:
        """both_ways: every step can be taken back, so that the two are the same."""
        self.capacity = capacity
        self.state = empty(capacity, np.int32)
        self.entered = self.state if is_symmetric else empty(capacity, np.int32)

    def as_list(self, k: int) -> list[int]:
        """The first k that were touched."""
        return [self.state[i] for i in range(k)]

    def fill_checked(self, space: Any, answer: Any) -> int:
        """Check and copy what `put` of a space written in Python has returned: a list of states, or two such lists."""
        given = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, answer)
        lists = [_checked_states(space, listed) for listed in given]
        k = len(lists[0])
        if len(lists[1]) != k:
            raise bad_return_error(space, "set_value", f"{k} states and {len(lists[1])} that their steps enter; give as many")
        self.state, self.entered = (view(np.array([*states, 0], np.int32)) for states in lists)
        self.capacity = k
        return k


def _checked_states(space: Any, listed: Any) -> list[int]:
    states = []
    for s in _checked_items(space, "set_value", listed):
        states.append(returned_integer(space, "set_value", s, 0, space.n - 1, "a state"))
    return states


def _checked_items(space: Any, method: str, listed: Any) -> Any:
    if not isinstance(listed, (list, tuple)):
        raise bad_return_error(space, method, f"{listed!r}, which is no list")
    return listed
