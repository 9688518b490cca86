"""Buckets: one doubly linked list of states for each f-value, last in first out.

The f-values in the open list of A* lie close together (within the cost of going along an edge and back, if h is
consistent), so the lists stand in a ring that f runs around. Where f-values spread further the ring grows, so the order
by f is always exact. One bit a list, and one bit for 64 of those, skip the empty ones: in a ring of millions of lists
(AD*, whose keys are weighted) hardly any is in use. Last in first out only approximates "larger g".
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
INITIAL_RING_SIZE = 512  # lists that every search begins with: on most maps enough
PREFAULTED_RING_SIZE = 1 << 16  # lists: enough for what an episode of a real-time planner spreads over


class Buckets(OpenList):
    """An open list that orders by f alone; equal f: last in first out. (The order that is asked for cannot be kept.)"""

    ring_size: int  # how many lists there are, a power of 2: f has list f % ring
    min_f: int  # no state has a smaller f (and among equals the last to come is the first)
    max_f: int  # none has a larger one
    head: memoryview  # the first state of each list, -1 if it is empty

    def __init__(self, order: Order | None = None) -> None:
        self.init_empty(None)
        # for each state, the next one and the one before; those of "state" -1, where lists end, are written, never read
        self.link = empty(2, np.int32)
        self.allocate_ring(64)
        self.is_initialized = True

    def allocate_ring(self, ring: int) -> None:
        if ring > LARGEST_RING:
            raise InputError("the costs spread too far for buckets: use queue='heap'")
        head, used = view(np.full(ring, -1, np.int32)), zeros(ring // 64, np.uint64)
        some = zeros(ring // 4096, np.uint64)
        # `used`: the lists that are not empty, or were not when `first` last came by; `some`: its words that are not 0
        self.head, self.used_lists, self.used_words = head, used, some
        self.ring_size, self.min_f, self.max_f, self.size = ring, INF, -1, 0

    def reserve(self, n: int) -> None:
        if len(self.link) < 2 * n + 2:
            self.link = empty(2 * n + 2, np.int32)

    def set_bounds(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        if span >= LARGEST_RING:
            raise InputError("the weights or costs spread too far for buckets: use queue='heap'")
        self.reserve(n)
        ring = INITIAL_RING_SIZE
        while ring <= min(span, 4096):
            ring *= 2
        if ring > self.ring_size:
            self.allocate_ring(ring)
        return 0

    def prefault(self) -> None:
        self.check_initialized()
        if self.ring_size < PREFAULTED_RING_SIZE and self.size == 0:  # growing takes as long as a whole episode
            self.allocate_ring(PREFAULTED_RING_SIZE)
        prefault(self.link, self.head)

    def insert(self, s: int, f: int, g: int) -> int:
        return self.push(s, f)

    def decrease(self, s: int, f: int, g: int) -> int:
        self.remove(s)
        return self.push(s, f)

    def insert_batch(self, k: int) -> int:
        new, new_f = ints(self.batch_states), longs(self.batch_f)
        for i in range(k):
            s, f = new[i], new_f[i]
            if s < 0:
                s = -1 - s
                self.unlink(s)
                self.size -= 1
            self.push(s, f)
        return 0

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        """As for every open list.

        The last of the new states of the smallest f is held back: mostly it is the next, and need not go in.
        """
        new, new_f, held, held_f = ints(self.batch_states), longs(self.batch_f), -1, INF
        if k == 1 and new[0] >= 0:
            held, held_f, k = new[0], new_f[0], 0
        for i in range(k):
            s, e = new[i], new_f[i]
            if s < 0:
                s = -1 - s
                if s == held:  # noted twice, and not in yet
                    held_f = e
                    if e < 0:
                        held, held_f = -1, INF
                    continue
                self.unlink(s)
                self.size -= 1
                if e < 0:
                    continue
            if e <= held_f:
                held, s = s, held
                held_f, e = e, held_f
            if s >= 0:
                self.push(s, e)
        if held_f <= self.min_f and held != goal and held_f < f:  # `low` may lag behind, but mostly does not
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
        """Let a state begin the list of its f."""
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
        self.link[2 * s + 3] = -1 - slot  # no state is before: which list this one begins
        self.link[2 * first + 3] = s
        self.head[slot] = s
        self.size += 1
        return 0

    def unlink(self, s: int) -> int:
        after, before = self.link[2 * s + 2], self.link[2 * s + 3]
        self.link[2 * after + 3] = before
        if before >= 0:
            self.link[2 * before + 2] = after
        else:
            self.head[-1 - before] = after  # an emptied list keeps its bit until `first` comes by
        return 0

    def top(self) -> int:
        return self.find_first()

    def find_first(self) -> int:
        """The first state, EMPTY when there is none; `low` is then its f."""
        if self.size == 0:
            return EMPTY
        one = 1
        while True:  # low never passes a state, so it stops at the first
            slot = self.min_f & (self.ring_size - 1)
            if self.head[slot] >= 0:
                return self.head[slot]
            word = self.used_lists[slot >> 6] & ~(one << (slot & 63))
            self.used_lists[slot >> 6] = word
            if word >> (slot & 63) != 0:
                self.min_f += lowest_bit(word >> (slot & 63))
            else:
                self.skip_empty_words(slot, word)

    def skip_empty_words(self, slot: int, word: int) -> int:
        """From `slot` to the beginning of the next word of `used` that is not 0: there is one."""
        one = 1
        if word == 0:
            self.used_words[slot >> 12] &= ~(one << ((slot >> 6) & 63))
        self.min_f += 64 - (slot & 63)
        group = min(64, self.ring_size >> 6)
        while True:
            w = (self.min_f & (self.ring_size - 1)) >> 6
            bits = self.used_words[w >> 6] >> (w & 63)
            if bits != 0:
                self.min_f += 64 * lowest_bit(bits)
                return 0
            self.min_f += 64 * (group - (w & (group - 1)))

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
        self.popped_f = self.min_f
        slot = self.min_f & (self.ring_size - 1)
        after = self.link[2 * s + 2]
        self.head[slot] = after
        self.link[2 * after + 3] = -1 - slot
        self.size -= 1
        if self.size == 0:
            self.min_f, self.max_f = INF, -1
        return s

    def next_used_list(self, slot: int) -> int:
        """The first list from this one on that is marked as used; -1: none is."""
        word = self.used_lists[slot >> 6] >> (slot & 63)
        if word != 0:
            return slot + lowest_bit(word)
        w = (slot >> 6) + 1
        while w < len(self.used_lists):
            words = self.used_words[w >> 6] >> (w & 63)
            if words != 0:
                w += lowest_bit(words)
                return 64 * w + lowest_bit(self.used_lists[w])
            w = (w | 63) + 1
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
            self.used_lists[slot >> 6] &= self.used_lists[slot >> 6] - 1  # its bit: those below are gone
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
        """The states list by list, smaller f first, in the order in which they will be taken."""
        f, states = self.entries()
        values = archive.integers("f", f, 0, LARGEST_BOUND << 8)
        found = archive.states("states", states, n, unique=True)
        archive.require(len(values) == len(found), "its states have no f each")
        if archive.is_loading:
            self.reserve(n)
            for i in range(len(found) - 1, -1, -1):
                self.push(int(found[i]), int(values[i]))

    def entries(self) -> tuple[list[int], list[int]]:
        """f and state of all that is inside, as the text of `carry_inside` says."""
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
        """Make the lists from `low` to `high` reach to f; the ring grows where it must."""
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
        """Lay the lists out in a ring that is wide enough for f as well; each of them stays as it is."""
        found = empty(2 * self.ring_size, np.int64)  # f and first state of each list
        k, low, high, slot = 0, f, f, self.next_used_list(0)
        while slot >= 0:
            if self.head[slot] >= 0:
                value = self.min_f + ((slot - self.min_f) & (self.ring_size - 1))
                found[2 * k], found[2 * k + 1] = value, self.head[slot]
                low, high = min(low, value), max(high, value)
                k += 1
            slot = self.next_used_list(slot + 1) if slot + 1 < self.ring_size else -1
        ring, size = self.ring_size, self.size
        while ring <= high - low:
            ring *= 2
        self.allocate_ring(ring)
        self.min_f, self.max_f, self.size = low, high, size
        one = 1
        for i in range(k):
            slot, first = found[2 * i] & (ring - 1), found[2 * i + 1]
            self.head[slot] = first
            self.link[2 * first + 3] = -1 - slot
            self.used_lists[slot >> 6] |= one << (slot & 63)
            self.used_words[slot >> 12] |= one << ((slot >> 6) & 63)
        return 0
