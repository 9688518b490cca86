"""The goal of a search: one state or a set of states."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from replan.arrays import view, zeros
from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import MAX_STATES
from replan.serialization import Archive, pack, reduce_object, unpack_args
from replan.spaces.space import Space, key_to_state

NO_FLAGS = zeros(1, np.uint8)  # goal_flags of a single goal, which needs no flag for each state


class Goals(Initialized):
    """The goal states of a space with n states. `single_state` is the only goal state, or -1 if there are several."""

    n: int
    single_state: int
    count: int
    state_array: memoryview

    def __init__(self, states: list[int], n: int) -> None:
        self.check_not_initialized()
        if not 0 < n <= MAX_STATES:
            raise InputError(f"a space has from 1 to {MAX_STATES:,} states, not {n!r}")
        distinct = sorted({int(s) for s in states})
        if not distinct:
            raise InputError("there is no goal: give a cell or a set of cells")
        for s in distinct:
            if not 0 <= s < n:
                raise InputError(f"a goal is a state from 0 to {n - 1}, not {s}")
        self.n = n
        self.state_array = view(array("i", distinct))
        self.count = len(distinct)
        self.single_state = distinct[0] if self.count == 1 else -1
        self.goal_flags = NO_FLAGS
        if self.count > 1:
            self.goal_flags = zeros(n, np.uint8)
            np.asarray(self.goal_flags)[distinct] = 1
        self.is_initialized = True

    @property
    def states(self) -> tuple[int, ...]:
        """The goal states in ascending order."""
        return tuple(self.state_array) if self.is_initialized else ()

    def _contains(self, s: Any) -> bool:
        """True if this object is the number of a goal state."""
        return isinstance(s, (int, np.integer)) and bool(0 <= s < self.n) and self.is_goal(int(s))

    def __contains__(self, s: object) -> bool:
        return self._contains(s)

    def is_goal(self, s: int) -> bool:
        """True if this state is a goal state."""
        return s == self.single_state if self.single_state >= 0 else self.goal_flags[s] != 0

    def __reduce__(self) -> Any:
        self.check_initialized()
        return reduce_object(self, (Goals, pack(self.state_array), self.n), Archive(self))

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *unpack_args(args))

    @classmethod
    def from_keys(cls, space: Space, goal: Any) -> Goals:
        """Make goals from a user's argument: a cell or node, or a set, list or array of cells or nodes."""
        if isinstance(goal, np.ndarray) and goal.ndim == 2:
            goal = [tuple(row) for row in goal.tolist()]
        if isinstance(goal, (set, frozenset)) or (isinstance(goal, list) and not _is_cell(space, goal)):
            return cls([key_to_state(space, key) for key in goal], space.n)
        return cls([key_to_state(space, goal)], space.n)


def _is_cell(space: Space, goal: list[Any]) -> bool:
    """True if a list is one cell of a grid: [3, 4] is one cell, [(3, 4), (5, 6)] are two."""
    return (
        len(goal) == 2
        and all(isinstance(x, (int, np.integer)) for x in goal)
        and getattr(space, "locations_are_states", False)
    )
