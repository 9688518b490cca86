"""Buckets: one doubly linked list of states for each f-value, last in first out.

In A* with a consistent h, the f-values of open states differ by at most the cost of a step and its reverse. So the
lists form a ring: f has list f % ring_size. The ring grows if f-values spread further, so that the order by f is always
exact. A bit per list, and a bit per 64 of those bits, skip empty lists: in a ring of millions of lists (AD*, whose keys
are weighted) few are in use. Last in first out only approximates "larger g".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, prefault, view, zeros
from replan.errors import InputError
from replan.limits import LARGEST_BOUND
from replan.queues.base import OpenList
from replan.queues.order import Order
from replan.serialization import Archive

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import EMPTY, GOAL, INF, ints, longs, lowest_bit

LARGEST_RING = 1 << 26
INITIAL_RING_SIZE = 512  # lists at the beginning of every search: enough on most maps
PREFAULTED_RING_SIZE = 1 << 16  # lists: enough for an episode of a real-time planner


class Buckets(OpenList):
    """An open list that orders by f alone; equal f: last in first out. It ignores the rest of `order`."""

    ring_size: int  # number of lists, a power of 2: f has list f % ring_size
    min_f: int  # no state has a smaller f
    max_f: int  # no state has a larger f
    head: memoryview  # the first state of each list, -1 if it is empty

    def __init__(self, order: Order | None = None) -> None:
        self.init_empty(None)
        # the next and the previous state of each state in its list; the entries of the end, "state" -1, are never read
        self.link = empty(2, np.int32)
        self.allocate_ring(64)
        self.is_initialized = True

    def allocate_ring(self, ring_size: int) -> None:
        """Allocate an empty ring of `ring_size` lists."""
        if ring_size > LARGEST_RING:
            raise InputError("the f-values spread too far for buckets: use queue='heap'")
        head, used_lists = view(np.full(ring_size, -1, np.int32)), zeros(ring_size // 64, np.uint64)
        used_words = zeros(ring_size // 4096, np.uint64)
        # used_lists: a bit for each list that is not empty, or was not when `find_first` last passed it;
        # used_words: a bit for each word of used_lists that is not 0
        self.head, self.used_lists, self.used_words = head, used_lists, used_words
        self.ring_size, self.min_f, self.max_f, self.size = ring_size, INF, -1, 0

    def reserve(self, n: int) -> None:
        if len(self.link) < 2 * n + 2:
            self.link = empty(2 * n + 2, np.int32)

    def set_bounds(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        if span >= LARGEST_RING:
            raise InputError("the weights or costs spread too far for buckets: use queue='heap'")
        self.reserve(n)
        ring_size = INITIAL_RING_SIZE
        while ring_size <= min(span, 4096):
            ring_size *= 2
        if ring_size > self.ring_size:
            self.allocate_ring(ring_size)
        return 0

    def prefault(self) -> None:
        self.check_initialized()
        if (
            self.ring_size < PREFAULTED_RING_SIZE and self.size == 0
        ):  # growing during an episode would take as long as the episode
            self.allocate_ring(PREFAULTED_RING_SIZE)
        prefault(self.link, self.head)

    def insert(self, s: int, f: int, g: int) -> int:
        return self.push(s, f)

    def decrease(self, s: int, f: int, g: int) -> int:
        self.remove(s)
        return self.push(s, f)

    def insert_batch(self, k: int) -> int:
        batch_states, batch_f = ints(self.batch_states), longs(self.batch_f)
        for i in range(k):
            s, f = batch_states[i], batch_f[i]
            if s < 0:
                s = -1 - s
                self.unlink(s)
                self.size -= 1
            self.push(s, f)
        return 0

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        """Like in every open list. The last new state of the smallest f is held back: mostly it is popped at once."""
        batch_states, batch_f, held, held_f = ints(self.batch_states), longs(self.batch_f), -1, INF
        if k == 1 and batch_states[0] >= 0:
            held, held_f, k = batch_states[0], batch_f[0], 0
        for i in range(k):
            s, f_s = batch_states[i], batch_f[i]
            if s < 0:
                s = -1 - s
                if s == held:  # it is in the batch twice, and not in a list yet
                    held_f = f_s
                    if f_s < 0:
                        held, held_f = -1, INF
                    continue
                self.unlink(s)
                self.size -= 1
                if f_s < 0:
                    continue
            if f_s <= held_f:
                held, s = s, held
                held_f, f_s = f_s, held_f
            if s >= 0:
                self.push(s, f_s)
        if held_f <= self.min_f and held != goal and held_f < f:  # min_f may be too small, but rarely is
            self.popped_f = held_f
            return held
        s = self.find_first()
        if held >= 0:
            if s >= 0 and held_f > self.min_f:
                self.push(held, held_f)
            elif held != goal and held_f < f:
                self.popped_f = held_f
                return held
            else:
                self.push(held, held_f)
                return GOAL
        if s < 0:
            return EMPTY
        return GOAL if s == goal or self.min_f >= f else self.pop_top(s)

    def push(self, s: int, f: int) -> int:
        """Insert a state at the beginning of the list of its f."""
        if f > self.max_f or f < self.min_f:
            self.extend_range(f)
        bit = 1
        slot = f & (self.ring_size - 1)
        first = self.head[slot]
        if first < 0:
            if self.used_lists[slot >> 6] == 0:
                self.used_words[slot >> 12] |= bit << ((slot >> 6) & 63)
            self.used_lists[slot >> 6] |= bit << (slot & 63)
        self.link[2 * s + 2] = first
        self.link[2 * s + 3] = -1 - slot  # there is no previous state: the list that this one begins
        self.link[2 * first + 3] = s
        self.head[slot] = s
        self.size += 1
        return 0

    def unlink(self, s: int) -> int:
        """Take a state out of its list."""
        next_state, previous = self.link[2 * s + 2], self.link[2 * s + 3]
        self.link[2 * next_state + 3] = previous
        if previous >= 0:
            self.link[2 * previous + 2] = next_state
        else:
            self.head[-1 - previous] = next_state  # an empty list keeps its bit until `find_first` passes it
        return 0

    def top(self) -> int:
        return self.find_first()

    def find_first(self) -> int:
        """Return the first state, EMPTY if there is none. `min_f` is then its f."""
        if self.size == 0:
            return EMPTY
        bit = 1
        while True:  # min_f never passes a state, so this ends at the first one
            slot = self.min_f & (self.ring_size - 1)
            if self.head[slot] >= 0:
                return self.head[slot]
            word = self.used_lists[slot >> 6] & ~(bit << (slot & 63))
            self.used_lists[slot >> 6] = word
            if word >> (slot & 63) != 0:
                self.min_f += lowest_bit(word >> (slot & 63))
            else:
                self.skip_empty_words(slot, word)

    def skip_empty_words(self, slot: int, word: int) -> int:
        """Move `min_f` from `slot` to the next word of `used_lists` that is not 0, which must exist."""
        bit = 1
        if word == 0:
            self.used_words[slot >> 12] &= ~(bit << ((slot >> 6) & 63))
        self.min_f += 64 - (slot & 63)
        group = min(64, self.ring_size >> 6)
        while True:
            word_index = (self.min_f & (self.ring_size - 1)) >> 6
            bits = self.used_words[word_index >> 6] >> (word_index & 63)
            if bits != 0:
                self.min_f += 64 * lowest_bit(bits)
                return 0
            self.min_f += 64 * (group - (word_index & (group - 1)))

    def top_f(self) -> int:
        self.find_first()
        return self.min_f

    def top_precedes(self, f: int, g: int) -> bool:
        return self.find_first() >= 0 and self.min_f < f

    def update(self, s: int, f: int, g: int) -> int:
        return self.decrease(s, f, g)

    def remove(self, s: int) -> int:
        self.size -= 1
        return self.unlink(s)

    def orders_by_exact_g(self) -> bool:
        return True

    def pop(self) -> int:
        s = self.find_first()
        return EMPTY if s < 0 else self.pop_top(s)

    def pop_top(self, s: int) -> int:
        """Pop the first state, which is s."""
        self.popped_f = self.min_f
        slot = self.min_f & (self.ring_size - 1)
        next_state = self.link[2 * s + 2]
        self.head[slot] = next_state
        self.link[2 * next_state + 3] = -1 - slot
        self.size -= 1
        if self.size == 0:
            self.min_f, self.max_f = INF, -1
        return s

    def next_used_list(self, slot: int) -> int:
        """Return the first list from `slot` on whose bit is set, -1 if there is none."""
        word = self.used_lists[slot >> 6] >> (slot & 63)
        if word != 0:
            return slot + lowest_bit(word)
        word_index = (slot >> 6) + 1
        while word_index < len(self.used_lists):
            words = self.used_words[word_index >> 6] >> (word_index & 63)
            if words != 0:
                word_index += lowest_bit(words)
                return 64 * word_index + lowest_bit(self.used_lists[word_index])
            word_index = (word_index | 63) + 1
        return -1

    def copy_states_to(self, out: memoryview) -> int:
        k, slot = 0, self.next_used_list(0)
        while slot >= 0:
            s = self.head[slot]
            while s >= 0:
                out[k] = s
                k += 1
                s = self.link[2 * s + 2]
            slot = self.next_used_list(slot + 1) if slot + 1 < self.ring_size else -1
        return k

    def clear(self) -> int:
        slot = self.next_used_list(0)
        while slot >= 0:
            self.head[slot] = -1
            self.used_lists[slot >> 6] &= (
                self.used_lists[slot >> 6] - 1
            )  # clears the bit of this list: it is the lowest one that is set
            if self.used_lists[slot >> 6] == 0:
                self.used_words[slot >> 12] &= self.used_words[slot >> 12] - 1
            slot = self.next_used_list(slot)
        self.size = 0
        self.min_f, self.max_f = INF, -1
        return 0

    def reseed(self) -> int:
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        return (Buckets,)

    def serialize_entries(self, archive: Archive, n: int) -> None:
        """Save or load the states list by list, smaller f first, in the order in which they would be popped."""
        f, states = self.entries()
        f_values = archive.integers("f", f, 0, LARGEST_BOUND << 8)
        loaded_states = archive.states("states", states, n, unique=True)
        archive.require(len(f_values) == len(loaded_states), "the numbers of its states and f-values differ")
        if archive.is_loading:
            self.reserve(n)
            for i in range(len(loaded_states) - 1, -1, -1):
                self.push(int(loaded_states[i]), int(f_values[i]))

    def entries(self) -> tuple[list[int], list[int]]:
        """Return f and state of all entries, smaller f first, in the order in which they would be popped."""
        head = np.asarray(self.head)
        slots = np.flatnonzero(head >= 0)
        f, states = [], []
        for value in np.sort(self.min_f + ((slots - self.min_f) & (self.ring_size - 1))).tolist():
            s = self.head[value & (self.ring_size - 1)]
            while s >= 0:
                f.append(value)
                states.append(s)
                s = self.link[2 * s + 2]
        return f, states

    def extend_range(self, f: int) -> int:
        """Extend the range from `min_f` to `max_f` to f. Grow the ring if necessary."""
        if max(f, self.max_f) - min(f, self.min_f) < self.ring_size:
            self.max_f, self.min_f = max(f, self.max_f), min(f, self.min_f)
        elif self.size == 0:
            self.clear()
            self.min_f = self.max_f = f
        else:
            with cython.gil:
                self.grow_ring(f)
        return 0

    def grow_ring(self, f: int) -> int:
        """Move the lists to a ring that is large enough for f, too."""
        heads = empty(2 * self.ring_size, np.int64)  # f and first state of each list
        k, min_f, max_f, slot = 0, f, f, self.next_used_list(0)
        while slot >= 0:
            if self.head[slot] >= 0:
                value = self.min_f + ((slot - self.min_f) & (self.ring_size - 1))
                heads[2 * k], heads[2 * k + 1] = value, self.head[slot]
                min_f, max_f = min(min_f, value), max(max_f, value)
                k += 1
            slot = self.next_used_list(slot + 1) if slot + 1 < self.ring_size else -1
        ring_size, size = self.ring_size, self.size
        while ring_size <= max_f - min_f:
            ring_size *= 2
        self.allocate_ring(ring_size)
        self.min_f, self.max_f, self.size = min_f, max_f, size
        bit = 1
        for i in range(k):
            slot, first = heads[2 * i] & (ring_size - 1), heads[2 * i + 1]
            self.head[slot] = first
            self.link[2 * first + 3] = -1 - slot
            self.used_lists[slot >> 6] |= bit << (slot & 63)
            self.used_words[slot >> 12] |= bit << ((slot >> 6) & 63)
        return 0
