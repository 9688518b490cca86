"""Counts of searches and planners: expansions, percolations and others.

To add a count, add it to `COUNT_NAMES`, to the attributes of `HasCounts`, to `add_counts` and to the .pxd (a test names
what is missing). Searches increase it; planners add the counts of their parts. A `Trip` has the total if it has a field
of that name (`simulation/trip.py`), and the counts of each episode if `EpisodeCounts` has a column for it.
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
    """Base class of planners and searches, with their counts."""

    expansions: int
    percolations: int  # levels that entries moved in a binary heap
    h_increase: int  # sum of all increases of h-values, in cost units
    key_updates: int  # keys in a queue that were recomputed
    changed_state_count: int  # states whose changed costs were applied
    apply_changes_ns: int  # time for applying changed costs, in nanoseconds

    def __init__(self) -> None:
        self.start_counting()

    def start_counting(self) -> None:
        """Set all counts to 0."""
        for name in COUNT_NAMES:
            setattr(self, name, 0)

    def add_counts(self, other: HasCounts, factor: int) -> int:
        """Add the counts of another object times `factor`: 1 adds them, -1 subtracts them."""
        self.expansions += factor * other.expansions
        self.percolations += factor * other.percolations
        self.h_increase += factor * other.h_increase
        self.key_updates += factor * other.key_updates
        self.changed_state_count += factor * other.changed_state_count
        self.apply_changes_ns += factor * other.apply_changes_ns
        return 0

    def serialize_counts(self, archive: Archive) -> None:
        """Save or load all counts (see `serialization.py`)."""
        for name in COUNT_NAMES:
            setattr(self, name, archive.integer(name, getattr(self, name)))


class EpisodeCounts:
    """The counts of each episode of a trip: one column for each count."""

    expansions: memoryview

    def __init__(self, capacity: int) -> None:
        self.expansions, self.expansions_before = empty(capacity, np.int64), 0

    def begin(self, planner: HasCounts) -> int:
        """Begin an episode."""
        self.expansions_before = planner.expansions
        return 0

    def end(self, planner: HasCounts, i: int) -> int:
        """End episode i, counted from 0."""
        if i == len(self.expansions):
            with cython.gil:
                self.grow(4 * i)
        self.expansions[i] = planner.expansions - self.expansions_before
        return 0

    def grow(self, capacity: int) -> int:
        """Reserve memory for so many episodes."""
        self.expansions = grown(self.expansions, capacity)
        return 0

    def as_arrays(self, episodes: int) -> dict[str, np.ndarray[Any, Any]]:
        """Return views of the columns by name, valid until the next episode."""
        return {"expansions": np.asarray(self.expansions)[:episodes]}
