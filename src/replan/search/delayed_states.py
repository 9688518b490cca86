"""What is anytime in AD* and ARA*: a state is lowered at most once an iteration, and may have to wait for the next."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, with_capacity
from replan.search.state_table import ALL, ONE_TRIP, Column, StateTable
from replan.serialization import Archive

try:
    import cython
except ImportError:
    from replan import _cython as cython


class DelayedStates(StateTable):
    """The states that were lowered in this iteration ("closed"), and those that became inconsistent again since.

    (Likhachev, Ferguson, Gordon, Stentz, Thrun 2005: the sets CLOSED and INCONS.) states[:count] wait.
    """

    lowered_in: memoryview
    iteration: int
    count: int
    states: memoryview

    def __init__(self) -> None:
        StateTable.__init__(self, "delayed", (Column("lowered_in"),), "lowered_in")
        self.states = empty(64, np.int32)
        self.iteration, self.count = 1, 0

    def bind_arrays(self, n: int) -> None:
        self.lowered_in = self.array("lowered_in")

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.iteration

    def last_stamp(self) -> int:
        return self.iteration

    def begin_iteration(self) -> int:
        """Nothing waits any more, and a new iteration begins."""
        self.iteration += 1
        self.count = 0
        return 0

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Who was lowered in this iteration."""
        return {"closed": self.valid_mask(ONE_TRIP, states)}

    def add(self, s: int) -> int:
        """s waits for the next iteration."""
        if self.count == len(self.states):
            with cython.gil:
                self.states = grown(self.states, 2 * self.count)
        self.states[self.count] = s
        self.count += 1
        return 0

    def serialize(self, archive: Archive) -> None:
        waiting = archive.states("waiting", self.states[: self.count], self.n)
        if archive.is_loading:
            self.begin_iteration()
            self.states, self.count = with_capacity(waiting, 64, np.int32), len(waiting)
        StateTable.serialize(self, archive)


if not cython.compiled:  # compiled, they are part of their callers (see delayed.pxd)

    def is_closed(delayed: DelayedStates, s: int) -> bool:
        """Was s lowered in this iteration?"""
        return delayed.lowered_in[s] == delayed.iteration

    def mark_closed(delayed: DelayedStates, s: int) -> int:
        """s is lowered now."""
        delayed.lowered_in[s] = delayed.iteration
        return 0
