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
from replan.saving import Bag

try:
    import cython
except ImportError:
    from replan import _cython as cython

NAMES = ("expansions", "percolations", "h_increase", "refreshes", "intakes", "intake_ns")


class Counting(Initialized):
    """Something that counts: a planner, or a search that it is made of."""

    expansions: int
    percolations: int  # levels that entries moved in a binary heap
    h_increase: int  # ticks
    refreshes: int  # queued keys brought up to date
    intakes: int  # states whose changed costs were taken in
    intake_ns: int  # the time that took

    def __init__(self) -> None:
        self.start_counting()

    def start_counting(self) -> None:
        for name in NAMES:
            setattr(self, name, 0)

    def add_counts(self, other: Counting, times: int) -> int:
        """Add all that another one has counted so many times: 1; or -1, to take it away."""
        self.expansions += times * other.expansions
        self.percolations += times * other.percolations
        self.h_increase += times * other.h_increase
        self.refreshes += times * other.refreshes
        self.intakes += times * other.intakes
        self.intake_ns += times * other.intake_ns
        return 0

    def carry_counts(self, bag: Bag) -> None:
        """For copies and pickles (`saving.py`)."""
        for name in NAMES:
            setattr(self, name, bag.whole(name, getattr(self, name)))


class EpisodeCounts:
    """What each episode of a trip has counted: a column for each count that is told so."""

    expansions: memoryview

    def __init__(self, room: int) -> None:
        self.expansions, self.expansions_before = empty(room, np.int64), 0

    def begin(self, planner: Counting) -> int:
        """An episode begins."""
        self.expansions_before = planner.expansions
        return 0

    def end(self, planner: Counting, i: int) -> int:
        """Episode i, counted from 0, has ended."""
        if i == len(self.expansions):
            with cython.gil:
                self.grow(4 * i)
        self.expansions[i] = planner.expansions - self.expansions_before
        return 0

    def grow(self, room: int) -> int:
        self.expansions = grown(self.expansions, room)
        return 0

    def listed(self, episodes: int) -> dict[str, np.ndarray[Any, Any]]:
        """The columns by name: views, good until the next episode."""
        return {"expansions": np.asarray(self.expansions)[:episodes]}
