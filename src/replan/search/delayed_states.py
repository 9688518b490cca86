"""The sets CLOSED and INCONS of AD* and ARA*.

A state is lowered at most once in an iteration. If it becomes inconsistent again, it waits for the next iteration.
(Likhachev, Ferguson, Gordon, Stentz, Thrun 2005.)
"""

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
    """CLOSED (states with lowered_in[s] == iteration) and INCONS (states[:count]).

    INCONS holds the states that have become inconsistent again since they were lowered in this iteration.
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
        """Empty CLOSED and INCONS."""
        self.iteration += 1
        self.count = 0
        return 0

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return which states were lowered in this iteration."""
        return {"closed": self.valid_mask(ONE_TRIP, states)}

    def add(self, s: int) -> int:
        """Put s into INCONS."""
        if self.count == len(self.states):
            with cython.gil:
                self.states = grown(self.states, 2 * self.count)
        self.states[self.count] = s
        self.count += 1
        return 0

    def serialize(self, archive: Archive) -> None:
        """Save or load CLOSED and INCONS."""
        waiting = archive.states("waiting", self.states[: self.count], self.n)
        if archive.is_loading:
            self.begin_iteration()
            self.states, self.count = with_capacity(waiting, 64, np.int32), len(waiting)
        StateTable.serialize(self, archive)


if not cython.compiled:  # compiled, they are inline functions (see delayed_states.pxd)

    def is_closed(delayed: DelayedStates, s: int) -> bool:
        """Return True if s was lowered in this iteration."""
        return delayed.lowered_in[s] == delayed.iteration

    def mark_closed(delayed: DelayedStates, s: int) -> int:
        """Put s into CLOSED."""
        delayed.lowered_in[s] = delayed.iteration
        return 0
