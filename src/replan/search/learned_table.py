"""What a character of a crowd has learned: a hash table with an h for each state that it has raised.

A planner of one agent stores its h-values in arrays as large as the map. In a crowd one search serves many characters,
and each has a table of its own, only as large as needed. A table consists of cache lines: each has SLOTS_PER_LINE
states (-1: none), and behind them the value of each state. The home line of a state is `home_line` (the same for four
states that are side by side). The state is in that line, or in the first one after it that had a free slot. So a
lookup, found or not, nearly always reads one line. At most five of eight slots are used.

The value of a state is its h plus the `h_offset` of its character at that time: the sum by which all h-values have
decreased because the goal has moved. The present h is max(first h, value - h_offset), so the time of storing need not
be stored. A value has 32 bits, or 64 bits in a `wide` table, if a value did not fit.
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

MIN_LINES = 2
MAX_NARROW_VALUE = 0x7FFFFFFF


def slot_of(lines: Any, i: int, s: int) -> int:
    """Return the slot of a state in the line that begins at lines[i], or SLOTS_PER_LINE. Branch-free."""
    matches = (
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
    return lowest_bit(matches)


def lookup(learned: Any, s: int) -> int:
    """Return the value of a state, -1 if it is not in the table."""
    if learned.count == 0:
        return -1
    lines, width = learned.lines, WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS
    end = learned.capacity // SLOTS_PER_LINE * width
    i = home_line(s, learned.capacity // SLOTS_PER_LINE) * width
    while True:
        k = slot_of(lines, i, s)
        if k < SLOTS_PER_LINE:
            value: int = read_value(lines, i, k, learned.wide)
            return value
        if lines[i + SLOTS_PER_LINE - 1] < 0:  # the line has a free slot: the state is in no other line
            return -1
        i += width
        if i == end:
            i = 0


def store(learned: Any, s: int, value: int) -> int:
    """Set the value of a state. The value must fit, and the table must not be full."""
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
            return write_value(lines, i, k, learned.wide, value)
        i += width
        if i == end:
            i = 0


def is_full(learned: Any) -> bool:
    """Return True if there is no slot for another state."""
    return bool(8 * (learned.count + 1) > 5 * learned.capacity)


def allocate_table(learned: Any, lines: int, wide: bool) -> int:
    """Begin an empty table with so many lines. The old memory is not freed."""
    width = WIDE_LINE_WORDS if wide else NARROW_LINE_WORDS
    learned.lines = allocate_lines(lines * width)
    learned.capacity, learned.count, learned.wide = lines * SLOTS_PER_LINE, 0, wide
    for i in range(lines):
        for k in range(SLOTS_PER_LINE):
            learned.lines[i * width + k] = -1
    return 0


def free_table(learned: Any) -> int:
    """Forget all values, and free the memory."""
    free_lines(learned.lines)
    return allocate_table(learned, 0, False)


def list_entries(learned: Any, states: memoryview, values: memoryview) -> int:
    """Write all states of a table and their values to arrays of `count` items. Return their number."""
    width, k = WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS, 0
    for i in range(learned.capacity):
        s: int = learned.lines[i // SLOTS_PER_LINE * width + i % SLOTS_PER_LINE]
        if s >= 0:
            states[k] = s
            values[k] = read_value(learned.lines, i // SLOTS_PER_LINE * width, i % SLOTS_PER_LINE, learned.wide)
            k += 1
    return k


def load_entries(learned: Any, lines: int, wide: bool, states: memoryview, values: memoryview) -> int:
    """Begin a table with so many lines, and store these states. At most five of eight slots may be used."""
    allocate_table(learned, lines, wide)
    for i in range(len(states)):
        store(learned, states[i], values[i])
    return 0


def table_bytes(learned: Any) -> int:
    """Return the memory of a table, in bytes."""
    size: int = 4 * (learned.capacity // SLOTS_PER_LINE) * (WIDE_LINE_WORDS if learned.wide else NARROW_LINE_WORDS)
    return size


class LearnedHStore:
    """The h-values that the current character of a crowd has learned, for the search that serves the crowd.

    The search asks for the h of new states (`h_of`), records the expanded states before a rule learns (`record_h`), and
    then stores the h-values that have changed (`store_changed_h`).
    """

    table: Any
    h_offset: int
    heuristic: Heuristic

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic
        self.h_offset = self.recorded_count = 0
        self.recorded_states, self.recorded_h = empty(64, np.int32), empty(64, np.int64)

    def select_table(self, learned: Any, h_offset: int) -> int:
        """Use the table of another character."""
        self.table, self.h_offset, self.recorded_count = learned, h_offset, 0
        return 0

    def h_of(self, s: int, first_h: int) -> int:
        """Return the h of a state with this first h."""
        value = lookup(self.table, s)
        if value < 0:
            return first_h
        return max(first_h, value - self.h_offset) if self.h_offset > 0 else value

    def record_h(self, node: Any, closed: memoryview, count: int) -> int:
        """Record these states, whose h a rule may change."""
        if count > len(self.recorded_states):
            with cython.gil:
                states, h_values = grown(self.recorded_states, 2 * count), grown(self.recorded_h, 2 * count)
                self.recorded_states, self.recorded_h = states, h_values
        state, h, listed = ints(self.recorded_states), longs(self.recorded_h), ints(closed)
        for i in range(count):
            state[i] = listed[i]
            h[i] = node[state[i]].h
        self.recorded_count = count
        return 0

    def store_changed_h(self, node: Any) -> int:
        """Store the h of recorded states that has changed."""
        state, h = ints(self.recorded_states), longs(self.recorded_h)
        for i in range(self.recorded_count):
            s = state[i]
            if node[s].h != h[i]:
                self.store_h(s, node[s].h)
        self.recorded_count = 0
        return 0

    def store_h(self, s: int, h: int) -> int:
        """Store the h of a state."""
        if is_full(self.table):
            self.rehash(False)
        if h + self.h_offset > MAX_NARROW_VALUE and not self.table.wide:
            self.rehash(True)
        return store(self.table, s, h + self.h_offset)

    def rehash(self, wide: bool) -> int:
        """Move the entries to a table with half as many slots again, and drop useless ones.

        An entry whose h is at most the first h, because the goal has moved, stays useless: the first h obeys the
        triangle inequality. `wide`: 64 bits for each value.
        """
        learned = self.table
        lines, capacity, was_wide, count = learned.lines, learned.capacity, learned.wide, learned.count
        width = WIDE_LINE_WORDS if was_wide else NARROW_LINE_WORDS
        if self.h_offset > 0:
            count = 0
            for i in range(capacity):
                s = lines[i // SLOTS_PER_LINE * width + i % SLOTS_PER_LINE]
                if s >= 0:
                    value = read_value(lines, i // SLOTS_PER_LINE * width, i % SLOTS_PER_LINE, was_wide)
                    count += self.exceeds_first_h(s, value)
        allocate_table(learned, max(MIN_LINES, 5 * count // 16 + 1), wide or was_wide)
        for i in range(capacity):
            s = lines[i // SLOTS_PER_LINE * width + i % SLOTS_PER_LINE]
            value = read_value(lines, i // SLOTS_PER_LINE * width, i % SLOTS_PER_LINE, was_wide)
            if s >= 0 and (self.h_offset == 0 or self.exceeds_first_h(s, value)):
                store(learned, s, value)
        return free_lines(lines)

    def exceeds_first_h(self, s: int, value: int) -> bool:
        """Return True if the value gives an h above the first h."""
        return value - self.h_offset > self.heuristic.estimate(s)
