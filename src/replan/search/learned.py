"""What one character of a crowd has learned: an h for each state that it has raised, in a table of its own.

A planner that serves one agent keeps its h-values in arrays as large as the map. In a crowd one search serves many
characters, and each keeps what it learned in a table that is as large as that: `key[i]` is a state (-1: none) and
`value[i]` what is kept of it. A state stands in the first free place from the one that its number falls on (linear
probing), so that to miss one costs a line of memory or two. At most three of four places are taken.

What is kept of a state is its h plus the `drop` of its character at that time: the sum of what all h-values have lost
because the goal has moved. It is worth max(first h, kept - drop) now, so that nobody has to remember when it was kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.spaces.heuristics import Heuristic

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import free_ints, free_longs, ints, longs, new_ints, new_longs

SMALLEST = 16  # places


def place_of(s: int, room: int) -> int:
    """The place that a state falls on; two that lie side by side stand side by side. (By the golden ratio.)"""
    return ((((s >> 1) * 1640531527) & 0x7FFFFFFF) * (room >> 1) >> 31 << 1) | (s & 1)


def recall(learned: Any, s: int) -> int:
    """What is kept of a state, -1 if nothing is."""
    if learned.count == 0:
        return -1
    key, room = learned.key, learned.room
    i = place_of(s, room)
    while key[i] != s:
        if key[i] < 0:
            return -1
        i += 1
        if i == room:
            i = 0
    kept: int = learned.value[i]
    return kept


def retain(learned: Any, s: int, kept: int) -> int:
    """Keep this of a state, instead of what was kept before. There must be room: see `full`."""
    key, room = learned.key, learned.room
    i = place_of(s, room)
    while key[i] != s and key[i] >= 0:
        i += 1
        if i == room:
            i = 0
    if key[i] < 0:
        key[i] = s
        learned.count = learned.count + 1
    learned.value[i] = kept
    return 0


def full(learned: Any) -> bool:
    """Is there no room for another state?"""
    return bool(4 * learned.count + 4 > 3 * learned.room)


def resize(learned: Any, room: int) -> int:
    """Begin an empty table with so many places, an even number. Whoever wants the old one has taken it before."""
    learned.key, learned.value = new_ints(room), new_longs(room)
    learned.room, learned.count = room, 0
    key = learned.key
    for i in range(room):
        key[i] = -1
    return 0


def forget(learned: Any) -> int:
    """Nothing is learned any more, and no memory taken."""
    free_ints(learned.key)
    free_longs(learned.value)
    return resize(learned, 0)


class Memory:
    """The second source of h-values of a search that serves a crowd: the table of whose turn it is.

    The search asks it for states that it meets for the first time (`worth`), lists the states that it has expanded
    before a rule learns (`note`), and has it keep those whose h has changed (`keep`).
    """

    learned: Any
    drop: int
    heuristic: Heuristic

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic
        self.drop = self.noted = 0
        self.state, self.h = empty(64, np.int32), empty(64, np.int64)

    def serve(self, learned: Any, drop: int) -> int:
        """It is this character's turn."""
        self.learned, self.drop, self.noted = learned, drop, 0
        return 0

    def worth(self, s: int, first: int) -> int:
        """The h of a state whose first h is this."""
        kept = recall(self.learned, s)
        if kept < 0:
            return first
        return max(first, kept - self.drop) if self.drop > 0 else kept

    def note(self, node: Any, closed: memoryview, count: int) -> int:
        """These states may learn."""
        if count > len(self.state):
            with cython.gil:
                self.state, self.h = grown(self.state, 2 * count), grown(self.h, 2 * count)
        state, h, listed = ints(self.state), longs(self.h), ints(closed)
        for i in range(count):
            state[i] = listed[i]
            h[i] = node[state[i]].h
        self.noted = count
        return 0

    def keep(self, node: Any) -> int:
        """Keep the h-values of those that have learned."""
        state, h = ints(self.state), longs(self.h)
        for i in range(self.noted):
            s = state[i]
            if node[s].h != h[i]:
                self.keep_one(s, node[s].h)
        self.noted = 0
        return 0

    def keep_one(self, s: int, h: int) -> int:
        if full(self.learned):
            self.widen()
        return retain(self.learned, s, h + self.drop)

    def widen(self) -> int:
        """Half as much room again, unless it is enough to leave out what the moving goal has made worthless.

        (An entry that is worth no more than the first h never will be again, for the first h obeys the triangle
        inequality.)
        """
        learned = self.learned
        key, value, room = learned.key, learned.value, learned.room
        alive = learned.count
        if self.drop > 0:
            alive = 0
            for i in range(room):
                alive += key[i] >= 0 and self.lives(key[i], value[i])
        resize(learned, max(SMALLEST, 2 * alive + 2))
        for i in range(room):
            if key[i] >= 0 and (self.drop == 0 or self.lives(key[i], value[i])):
                retain(learned, key[i], value[i])
        free_ints(key)
        free_longs(value)
        return 0

    def lives(self, s: int, kept: int) -> bool:
        return kept - self.drop > self.heuristic.estimate(s)
