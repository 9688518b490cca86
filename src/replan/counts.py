"""What searches count, from the search that counts it to the Trip that tells it.

A new count stands in `NAMES`, among the attributes of `Counting`, in `add_counts` and in the .pxd (the tests name what
is missing). Whoever searches adds to it; planners made of parts add up those of their parts by themselves. A `Trip`
tells it when it has a field of that name (`simulation/trip.py`), and tells what each episode had of it when
`EpisodeCounts` has a column, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.initialized import Initialized
from replan.serialization import Archive

try:
    import cython
except ImportError:
    from replan import _cython as cython

COUNT_NAMES = ("expansions", "percolations", "h_increase", "key_updates", "changed_state_count", "apply_changes_ns")


class HasCounts(Initialized):
    """Something that counts: a planner, or a search that it is made of."""

    expansions: int
    percolations: int  # levels that entries moved in a binary heap
    h_increase: int  # ticks
    key_updates: int  # queued keys brought up to date
    changed_state_count: int  # states whose changed costs were taken in
    apply_changes_ns: int  # the time that took

    def __init__(self) -> None:
        self.start_counting()

    def start_counting(self) -> None:
        for name in COUNT_NAMES:
            setattr(self, name, 0)

    def add_counts(self, other: HasCounts, factor: int) -> int:
        """Add all that another one has counted so many times: 1; or -1, to take it away."""
        self.expansions += factor * other.expansions
        self.percolations += factor * other.percolations
        self.h_increase += factor * other.h_increase
        self.key_updates += factor * other.key_updates
        self.changed_state_count += factor * other.changed_state_count
        self.apply_changes_ns += factor * other.apply_changes_ns
        return 0

    def serialize_counts(self, archive: Archive) -> None:
        """For copies and pickles (`serialization.py`)."""
        for name in COUNT_NAMES:
            setattr(self, name, archive.integer(name, getattr(self, name)))


class EpisodeCounts:
    """What each episode of a trip has counted: a column for each count that is told so."""

    expansions: memoryview

    def __init__(self, room: int) -> None:
        self.expansions, self.expansions_before = empty(room, np.int64), 0

    def begin(self, planner: HasCounts) -> int:
        """An episode begins."""
        self.expansions_before = planner.expansions
        return 0

    def end(self, planner: HasCounts, i: int) -> int:
        """Episode i, counted from 0, has ended."""
        if i == len(self.expansions):
            with cython.gil:
                self.grow(4 * i)
        self.expansions[i] = planner.expansions - self.expansions_before
        return 0

    def grow(self, room: int) -> int:
        self.expansions = grown(self.expansions, room)
        return 0

    def as_arrays(self, episodes: int) -> dict[str, np.ndarray[Any, Any]]:
        """The columns by name: views, good until the next episode."""
        return {"expansions": np.asarray(self.expansions)[:episodes]}
