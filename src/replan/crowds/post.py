"""Where the workers of a crowd find what is to be done, without Python's lock: turns, each of which one of them takes.

Whoever leads opens a number of turns, takes turns itself, and goes on when all are done. Others help as long as there
are turns to take. One that was never given time by the system is not waited for.
"""

from __future__ import annotations

from threading import Lock
from time import sleep
from typing import Any

import numpy as np

from replan.arrays import zeros

try:
    import cython
except ImportError:
    from replan import _cython as cython

TICKET, LIMIT, DONE, FAILED, LINE = 0, 1, 2, 3, 8  # numbers of 64 bits, each in a line of memory of its own


class Post:
    """Turns have numbers that go on from one opening to the next: so nobody takes one of an opening that is over."""

    def __init__(self) -> None:
        self.numbers: Any = zeros(LINE * 5, np.int64)
        self.first = 0
        self.lock = None if cython.compiled else Lock()

    def open(self, turns: int) -> int:
        """From now on so many turns can be taken; all those before are done."""
        self.first = self.numbers[LIMIT * LINE]
        if cython.compiled:
            replan_add(self.numbers, LIMIT, turns)  # type: ignore[name-defined]  # noqa: F821
        else:
            self.numbers[LIMIT * LINE] += turns
        return 0

    def take(self) -> int:
        """The next turn, from 0 on, which nobody else gets; -1 if there is none."""
        if cython.compiled:
            turn = replan_take(self.numbers, TICKET, LIMIT)  # type: ignore[name-defined]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                turn = self.numbers[TICKET * LINE]
                turn = -1 if turn >= self.numbers[LIMIT * LINE] else turn
                self.numbers[TICKET * LINE] += turn >= 0
        return -1 if turn < 0 else turn - self.first

    def finish(self, well: bool) -> int:
        """Whoever has taken a turn has done it, well or not."""
        if cython.compiled:
            if not well:
                replan_add(self.numbers, FAILED, 1)  # type: ignore[name-defined]  # noqa: F821
            replan_add(self.numbers, DONE, 1)  # type: ignore[name-defined]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                self.numbers[FAILED * LINE] += not well
                self.numbers[DONE * LINE] += 1
        return 0

    def wait(self) -> int:
        """Until all turns are done; those that nobody has taken yet are not done any more. How many have failed?"""
        while self.take() >= 0:
            self.finish(True)
        tries = 0
        while self.read(DONE) < self.numbers[LIMIT * LINE]:
            self.rest(tries)
            tries += 1
        return self.read(FAILED)

    def read(self, which: int) -> int:
        if cython.compiled:
            return replan_read(self.numbers, which)  # type: ignore[name-defined, no-any-return]  # noqa: F821
        else:
            return int(self.numbers[which * LINE])

    def forgive(self) -> int:
        """What has failed was told."""
        self.numbers[FAILED * LINE] = 0
        return 0

    def rest(self, tries: int) -> int:
        """For a moment, a longer one after many tries."""
        if cython.compiled:
            replan_rest(tries)  # type: ignore[name-defined]  # noqa: F821
        else:
            sleep(0)
        return 0
