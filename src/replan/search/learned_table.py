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
        NARROW_LINE_WORDS,
        SLOTS_PER_LINE,
        WIDE_LINE_WORDS,
        allocate_lines,
        free_lines,
        home_line,
        ints,
        longs,
        lowest_bit,
        read_value,
        write_value,
    )

MIN_LINES = 2  # lines
MAX_NARROW_VALUE = 0x7FFFFFFF


def slot_of(lines: Any, i: int, s: int) -> int:
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
        | 1 << SLOTS_PER_LINE
    )
    return lowest_bit(found)


def lookup(learned: Any, s: int) -> int:
    """What is kept of a state, -1 if nothing is."""
    if learned.count == 0:
        return -1
    lines, width = learned.lines, WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS
    end = learned.capacity // SLOTS_PER_LINE * width
    i = home_line(s, learned.capacity // SLOTS_PER_LINE) * width
    while True:
        k = slot_of(lines, i, s)
        if k < SLOTS_PER_LINE:
            kept: int = read_value(lines, i, k, learned.wide)
            return kept
        if lines[i + SLOTS_PER_LINE - 1] < 0:  # there was room: it is in no other line
            return -1
        i += width
        if i == end:
            i = 0


def store(learned: Any, s: int, kept: int) -> int:
    """Keep this of a state, instead of what was kept before. It must fit, and there must be room: see `full`."""
    lines, width = learned.lines, WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS
    end = learned.capacity // SLOTS_PER_LINE * width
    i = home_line(s, learned.capacity // SLOTS_PER_LINE) * width
    while True:
        k = slot_of(lines, i, s)
        if k == SLOTS_PER_LINE and lines[i + SLOTS_PER_LINE - 1] < 0:
            k = slot_of(lines, i, -1)
            lines[i + k] = s
            learned.count = learned.count + 1
        if k < SLOTS_PER_LINE:
            return write_value(lines, i, k, learned.wide, kept)
        i += width
        if i == end:
            i = 0


def is_full(learned: Any) -> bool:
    """Is there no room for another state?"""
    return bool(8 * (learned.count + 1) > 5 * learned.capacity)


def allocate_table(learned: Any, lines: int, wide: bool) -> int:
    """Begin an empty table with so many lines. Whoever wants the old one has taken it before."""
    width = WIDE_LINE_WORDS if wide else NARROW_LINE_WORDS
    learned.lines = allocate_lines(lines * width)
    learned.capacity, learned.count, learned.wide = lines * SLOTS_PER_LINE, 0, wide
    for i in range(lines):
        for k in range(SLOTS_PER_LINE):
            learned.lines[i * width + k] = -1
    return 0


def free_table(learned: Any) -> int:
    """Nothing is learned any more, and no memory taken."""
    free_lines(learned.lines)
    return allocate_table(learned, 0, False)


def list_entries(learned: Any, states: memoryview, kept: memoryview) -> int:
    """Write all states of a table, and what is kept of each, to arrays of `count` items."""
    width, k = WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS, 0
    for i in range(learned.capacity):
        s: int = learned.lines[i // SLOTS_PER_LINE * width + i % SLOTS_PER_LINE]
        if s >= 0:
            states[k], kept[k] = s, read_value(learned.lines, i // SLOTS_PER_LINE * width, i % SLOTS_PER_LINE, learned.wide)
            k += 1
    return k


def load_entries(learned: Any, lines: int, wide: bool, states: memoryview, kept: memoryview) -> int:
    """Make an empty table of so many lines, and keep these states in it. At most five of eight places may be taken."""
    allocate_table(learned, lines, wide)
    for i in range(len(states)):
        store(learned, states[i], kept[i])
    return 0


def table_bytes(learned: Any) -> int:
    """What a table takes."""
    size: int = 4 * (learned.capacity // SLOTS_PER_LINE) * (WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS)
    return size


class LearnedHStore:
    """The second source of h-values of a search that serves a crowd: the table of whose turn it is.

    The search asks it for states that it meets for the first time (`worth`), lists the states that it has expanded
    before a rule learns (`note`), and has it keep those whose h has changed (`keep`).
    """

    table: Any
    h_offset: int
    heuristic: Heuristic

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic
        self.h_offset = self.recorded_count = 0
        self.recorded_states, self.recorded_h = empty(64, np.int32), empty(64, np.int64)

    def select_table(self, learned: Any, drop: int) -> int:
        """It is this character's turn."""
        self.table, self.h_offset, self.recorded_count = learned, drop, 0
        return 0

    def h_of(self, s: int, first: int) -> int:
        """The h of a state whose first h is this."""
        kept = lookup(self.table, s)
        if kept < 0:
            return first
        return max(first, kept - self.h_offset) if self.h_offset > 0 else kept

    def record_h(self, node: Any, closed: memoryview, count: int) -> int:
        """These states may learn."""
        if count > len(self.recorded_states):
            with cython.gil:
                self.recorded_states, self.recorded_h = grown(self.recorded_states, 2 * count), grown(self.recorded_h, 2 * count)
        state, h, listed = ints(self.recorded_states), longs(self.recorded_h), ints(closed)
        for i in range(count):
            state[i] = listed[i]
            h[i] = node[state[i]].h
        self.recorded_count = count
        return 0

    def store_changed_h(self, node: Any) -> int:
        """Keep the h-values of those that have learned."""
        state, h = ints(self.recorded_states), longs(self.recorded_h)
        for i in range(self.recorded_count):
            s = state[i]
            if node[s].h != h[i]:
                self.store_h(s, node[s].h)
        self.recorded_count = 0
        return 0

    def store_h(self, s: int, h: int) -> int:
        if is_full(self.table):
            self.rehash(False)
        if h + self.h_offset > MAX_NARROW_VALUE and not self.table.wide:
            self.rehash(True)
        return store(self.table, s, h + self.h_offset)

    def rehash(self, wide: bool) -> int:
        """Half as much room again, unless it is enough to leave out what the moving goal has made worthless.

        (An entry that is worth no more than the first h never will be again, for the first h obeys the triangle
        inequality.) wide: for larger numbers.
        """
        learned = self.table
        lines, room, was_wide, alive = learned.lines, learned.capacity, learned.wide, learned.count
        width = WIDE_LINE_WORDS if was_wide else NARROW_LINE_WORDS
        if self.h_offset > 0:
            alive = 0
            for i in range(room):
                s = lines[i // SLOTS_PER_LINE * width + i % SLOTS_PER_LINE]
                alive += s >= 0 and self.exceeds_first_h(s, read_value(lines, i // SLOTS_PER_LINE * width, i % SLOTS_PER_LINE, was_wide))
        allocate_table(learned, max(MIN_LINES, 5 * alive // 16 + 1), wide or was_wide)
        for i in range(room):
            s = lines[i // SLOTS_PER_LINE * width + i % SLOTS_PER_LINE]
            kept = read_value(lines, i // SLOTS_PER_LINE * width, i % SLOTS_PER_LINE, was_wide)
            if s >= 0 and (self.h_offset == 0 or self.exceeds_first_h(s, kept)):
                store(learned, s, kept)
        return free_lines(lines)

    def exceeds_first_h(self, s: int, kept: int) -> bool:
        return kept - self.h_offset > self.heuristic.estimate(s)
