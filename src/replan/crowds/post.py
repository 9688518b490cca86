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

DONE, FAILED, SHARES = 0, 1, 2  # lines of memory: two numbers, then one line for the share of each worker
TICKET, LIMIT, SHIFT, LINE = 0, 1, 2, 8  # what stands in a share; numbers of 64 bits in a line


class Post:
    """Every worker has a share of the turns, the same part of the list each time: whom it serves it has mostly served
    before, and what they need is its own memory. Who is done with its share takes turns of others.

    Turns have numbers that go on from one opening to the next: so nobody takes one of an opening that is over.
    """

    def __init__(self, workers: int) -> None:
        self.numbers: Any = zeros(LINE * (SHARES + workers + 1), np.int64)
        self.workers, self.opened = workers, 0
        self.lock = None if cython.compiled else Lock()

    def open(self, turns: int) -> int:
        """From now on so many turns can be taken; all those before are done."""
        begin = 0
        self.opened += turns
        for worker in range(self.workers):
            share, end = LINE * (SHARES + worker), turns * (worker + 1) // self.workers
            self.numbers[share + SHIFT] = begin - self.numbers[share + LIMIT]
            self.add(share + LIMIT, end - begin)
            begin = end
        return 0

    def take(self, worker: int) -> int:
        """The next turn, from 0 on, which nobody else gets; -1 if there is none."""
        for i in range(self.workers):
            share = LINE * (SHARES + (worker + i) % self.workers)
            turn = self.take_of(share)
            if turn >= 0:
                return turn + self.numbers[share + SHIFT]  # type: ignore[no-any-return]
        return -1

    def take_of(self, share: int) -> int:
        """The number of a turn of this share; -1 if all are taken."""
        if cython.compiled:
            return replan_take(self.numbers, share + TICKET, share + LIMIT)  # type: ignore[name-defined, no-any-return]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                turn: int = self.numbers[share + TICKET]
                if turn >= self.numbers[share + LIMIT]:
                    return -1
                self.numbers[share + TICKET] += 1
                return turn

    def finish(self, well: bool) -> int:
        """Whoever has taken a turn has done it, well or not."""
        if not well:
            self.add(LINE * FAILED, 1)
        return self.add(LINE * DONE, 1)

    def wait(self) -> int:
        """Until all turns are done; those that nobody has taken yet are not done any more. How many have failed?"""
        while self.take(0) >= 0:
            self.finish(True)
        tries = 0
        while self.read(LINE * DONE) < self.opened:
            self.rest(tries)
            tries += 1
        return self.read(LINE * FAILED)

    def openings(self, worker: int) -> int:
        """Another number whenever this worker's share has been filled again."""
        return self.read(LINE * (SHARES + worker) + LIMIT)

    def add(self, i: int, n: int) -> int:
        if cython.compiled:
            replan_add(self.numbers, i, n)  # type: ignore[name-defined]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                self.numbers[i] += n
        return 0

    def read(self, i: int) -> int:
        if cython.compiled:
            return replan_read(self.numbers, i)  # type: ignore[name-defined, no-any-return]  # noqa: F821
        else:
            return int(self.numbers[i])

    def forgive(self) -> int:
        """What has failed was told."""
        self.numbers[LINE * FAILED] = 0
        return 0

    def rest(self, tries: int) -> int:
        """For a moment, a longer one after many tries."""
        if cython.compiled:
            replan_rest(tries)  # type: ignore[name-defined]  # noqa: F821
        else:
            sleep(0)
        return 0
