"""What one character of a crowd has learned: an h for each state that it has raised, in a table of its own.

A planner that serves one agent keeps its h-values in arrays as large as the map. In a crowd one search serves many
characters, and each keeps what it learned in a table, as large as that needs. A table consists of lines of memory, as
processors fetch it: PLACES states (-1: none) and behind them what is kept of each. A state stands in the line that its
number falls on (`line_of`: the same for four that lie side by side), or in the first one after it that had room. So to
find it, or that nothing is kept of it, takes one line nearly always. At most five of eight places are taken.

What is kept of a state is its h plus the `drop` of its character at that time: the sum of what all h-values have lost
because the goal has moved. It is worth max(first h, kept - drop) now, so that nobody has to remember when it was kept.
It has 32 bits; in a table that is `wide`, because there was a number that did not fit them, 64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.spaces.cell_distance import Heuristic

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import (
        NARROW,
        PLACES,
        WIDE,
        free_lines,
        ints,
        line_of,
        longs,
        lowest_bit,
        new_lines,
        read_kept,
        write_kept,
    )

SMALLEST = 2  # lines
MOST_NARROW = 0x7FFFFFFF


def place_of(lines: Any, i: int, s: int) -> int:
    """The place of a state in the line that begins at lines[i], or PLACES. Without a branch until it is known."""
    found = (
        (lines[i] == s)
        | (lines[i + 1] == s) << 1
        | (lines[i + 2] == s) << 2
        | (lines[i + 3] == s) << 3
        | (lines[i + 4] == s) << 4
        | (lines[i + 5] == s) << 5
        | (lines[i + 6] == s) << 6
        | (lines[i + 7] == s) << 7
        | 1 << PLACES
    )
    return lowest_bit(found)


def recall(learned: Any, s: int) -> int:
    """What is kept of a state, -1 if nothing is."""
    if learned.count == 0:
        return -1
    lines, width = learned.lines, WIDE if learned.wide else NARROW
    end = learned.room // PLACES * width
    i = line_of(s, learned.room // PLACES) * width
    while True:
        k = place_of(lines, i, s)
        if k < PLACES:
            kept: int = read_kept(lines, i, k, learned.wide)
            return kept
        if lines[i + PLACES - 1] < 0:  # there was room: it is in no other line
            return -1
        i += width
        if i == end:
            i = 0


def retain(learned: Any, s: int, kept: int) -> int:
    """Keep this of a state, instead of what was kept before. It must fit, and there must be room: see `full`."""
    lines, width = learned.lines, WIDE if learned.wide else NARROW
    end = learned.room // PLACES * width
    i = line_of(s, learned.room // PLACES) * width
    while True:
        k = place_of(lines, i, s)
        if k == PLACES and lines[i + PLACES - 1] < 0:
            k = place_of(lines, i, -1)
            lines[i + k] = s
            learned.count = learned.count + 1
        if k < PLACES:
            return write_kept(lines, i, k, learned.wide, kept)
        i += width
        if i == end:
            i = 0


def full(learned: Any) -> bool:
    """Is there no room for another state?"""
    return bool(8 * (learned.count + 1) > 5 * learned.room)


def resize(learned: Any, lines: int, wide: bool) -> int:
    """Begin an empty table with so many lines. Whoever wants the old one has taken it before."""
    width = WIDE if wide else NARROW
    learned.lines = new_lines(lines * width)
    learned.room, learned.count, learned.wide = lines * PLACES, 0, wide
    for i in range(lines):
        for k in range(PLACES):
            learned.lines[i * width + k] = -1
    return 0


def forget(learned: Any) -> int:
    """Nothing is learned any more, and no memory taken."""
    free_lines(learned.lines)
    return resize(learned, 0, False)


def list_learned(learned: Any, states: memoryview, kept: memoryview) -> int:
    """Write all states of a table, and what is kept of each, to arrays of `count` items."""
    width, k = WIDE if learned.wide else NARROW, 0
    for i in range(learned.room):
        s: int = learned.lines[i // PLACES * width + i % PLACES]
        if s >= 0:
            states[k], kept[k] = s, read_kept(learned.lines, i // PLACES * width, i % PLACES, learned.wide)
            k += 1
    return k


def load_learned(learned: Any, lines: int, wide: bool, states: memoryview, kept: memoryview) -> int:
    """Make an empty table of so many lines, and keep these states in it. At most five of eight places may be taken."""
    resize(learned, lines, wide)
    for i in range(len(states)):
        retain(learned, states[i], kept[i])
    return 0


def bytes_of(learned: Any) -> int:
    """What a table takes."""
    size: int = 4 * (learned.room // PLACES) * (WIDE if learned.wide else NARROW)
    return size


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
            self.renew(False)
        if h + self.drop > MOST_NARROW and not self.learned.wide:
            self.renew(True)
        return retain(self.learned, s, h + self.drop)

    def renew(self, wide: bool) -> int:
        """Half as much room again, unless it is enough to leave out what the moving goal has made worthless.

        (An entry that is worth no more than the first h never will be again, for the first h obeys the triangle
        inequality.) wide: for larger numbers.
        """
        learned = self.learned
        lines, room, was_wide, alive = learned.lines, learned.room, learned.wide, learned.count
        width = WIDE if was_wide else NARROW
        if self.drop > 0:
            alive = 0
            for i in range(room):
                s = lines[i // PLACES * width + i % PLACES]
                alive += s >= 0 and self.lives(s, read_kept(lines, i // PLACES * width, i % PLACES, was_wide))
        resize(learned, max(SMALLEST, 5 * alive // 16 + 1), wide or was_wide)
        for i in range(room):
            s = lines[i // PLACES * width + i % PLACES]
            kept = read_kept(lines, i // PLACES * width, i % PLACES, was_wide)
            if s >= 0 and (self.drop == 0 or self.lives(s, kept)):
                retain(learned, s, kept)
        return free_lines(lines)

    def lives(self, s: int, kept: int) -> bool:
        return kept - self.drop > self.heuristic.estimate(s)
