"""Buckets: one doubly linked list of states for each f-value, last in first out.

The f-values in the open list of A* lie close together (within the cost of going along an edge and back, if h is
consistent), so the lists stand in a ring that f runs around. Where f-values spread further the ring grows, so the order
by f is always exact. One bit a list, and one bit for 64 of those, skip the empty ones: in a ring of millions of lists
(AD*, whose keys are weighted) hardly any is in use. Last in first out only approximates "larger g".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch, view, zeros
from replan.errors import InputError
from replan.limits import LARGEST_BOUND
from replan.queues.base import OpenList
from replan.queues.order import Order
from replan.saving import Bag

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import EMPTY, GOAL, INF, ints, longs, lowest_bit

LARGEST_RING = 1 << 26
NARROW = 512  # lists that every search begins with: on most maps enough
ROOMY = 1 << 16  # lists: enough for what an episode of a real-time planner spreads over


class Buckets(OpenList):
    """An open list that orders by f alone; equal f: last in first out. (The order that is asked for cannot be kept.)"""

    ring: int  # how many lists there are, a power of 2: f has list f % ring
    low: int  # no state has a smaller f (and among equals the last to come is the first)
    high: int  # none has a larger one
    head: memoryview  # the first state of each list, -1 if it is empty

    def __init__(self, order: Order | None = None) -> None:
        self.start_empty(None)
        # for each state, the next one and the one before; those of "state" -1, where lists end, are written, never read
        self.link = empty(2, np.int32)
        self.lay_out(64)
        self.is_initialized = True

    def lay_out(self, ring: int) -> None:
        if ring > LARGEST_RING:
            raise InputError("the costs spread too far for buckets: use queue='heap'")
        head, used = view(np.full(ring, -1, np.int32)), zeros(ring // 64, np.uint64)
        some = zeros(ring // 4096, np.uint64)
        # `used`: the lists that are not empty, or were not when `first` last came by; `some`: its words that are not 0
        self.head, self.used, self.some = head, used, some
        self.ring, self.low, self.high, self.size = ring, INF, -1, 0

    def reserve(self, n: int) -> None:
        if len(self.link) < 2 * n + 2:
            self.link = empty(2 * n + 2, np.int32)

    def fit(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        if span >= LARGEST_RING:
            raise InputError("the weights or costs spread too far for buckets: use queue='heap'")
        self.reserve(n)
        ring = NARROW
        while ring <= min(span, 4096):
            ring *= 2
        if ring > self.ring:
            self.lay_out(ring)
        return 0

    def touch(self) -> None:
        self.check_initialized()
        if self.ring < ROOMY and self.size == 0:  # growing takes as long as a whole episode
            self.lay_out(ROOMY)
        touch(self.link, self.head)

    def insert(self, s: int, f: int, g: int) -> int:
        return self.put(s, f)

    def decrease(self, s: int, f: int, g: int) -> int:
        self.remove(s)
        return self.put(s, f)

    def take_in(self, k: int) -> int:
        new, new_f = ints(self.new), longs(self.new_f)
        for i in range(k):
            s, f = new[i], new_f[i]
            if s < 0:
                s = -1 - s
                self.unlink(s)
                self.size -= 1
            self.put(s, f)
        return 0

    def exchange(self, k: int, goal: int, f: int, g: int) -> int:
        """As for every open list.

        The last of the new states of the smallest f is held back: mostly it is the next, and need not go in.
        """
        new, new_f, held, held_f = ints(self.new), longs(self.new_f), -1, INF
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
                self.put(s, e)
        if held_f <= self.low and held != goal and held_f < f:  # `low` may lag behind, but mostly does not
            self.taken_f = held_f
            return held
        s = self.first()
        if held >= 0:
            if s >= 0 and held_f > self.low:
                self.put(held, held_f)
            elif held != goal and held_f < f:
                self.taken_f = held_f
                return held
            else:
                self.put(held, held_f)
                return GOAL
        if s < 0:
            return EMPTY
        return GOAL if s == goal or self.low >= f else self.pop_top(s)

    def put(self, s: int, f: int) -> int:
        """Let a state begin the list of its f."""
        if f > self.high or f < self.low:
            self.widen(f)
        bit = 1
        slot = f & (self.ring - 1)
        first = self.head[slot]
        if first < 0:
            if self.used[slot >> 6] == 0:
                self.some[slot >> 12] |= bit << ((slot >> 6) & 63)
            self.used[slot >> 6] |= bit << (slot & 63)
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
        return self.first()

    def first(self) -> int:
        """The first state, EMPTY when there is none; `low` is then its f."""
        if self.size == 0:
            return EMPTY
        one = 1
        while True:  # low never passes a state, so it stops at the first
            slot = self.low & (self.ring - 1)
            if self.head[slot] >= 0:
                return self.head[slot]
            word = self.used[slot >> 6] & ~(one << (slot & 63))
            self.used[slot >> 6] = word
            if word >> (slot & 63) != 0:
                self.low += lowest_bit(word >> (slot & 63))
            else:
                self.leave_word(slot, word)

    def leave_word(self, slot: int, word: int) -> int:
        """From `slot` to the beginning of the next word of `used` that is not 0: there is one."""
        one = 1
        if word == 0:
            self.some[slot >> 12] &= ~(one << ((slot >> 6) & 63))
        self.low += 64 - (slot & 63)
        group = min(64, self.ring >> 6)
        while True:
            w = (self.low & (self.ring - 1)) >> 6
            bits = self.some[w >> 6] >> (w & 63)
            if bits != 0:
                self.low += 64 * lowest_bit(bits)
                return 0
            self.low += 64 * (group - (w & (group - 1)))

    def top_f(self) -> int:
        self.first()
        return self.low

    def before(self, f: int, g: int) -> bool:
        return self.first() >= 0 and self.low < f

    def update(self, s: int, f: int, g: int) -> int:
        return self.decrease(s, f, g)

    def remove(self, s: int) -> int:
        self.size -= 1
        return self.unlink(s)

    def exact(self) -> bool:
        return True

    def pop(self) -> int:
        s = self.first()
        return EMPTY if s < 0 else self.pop_top(s)

    def pop_top(self, s: int) -> int:
        self.taken_f = self.low
        slot = self.low & (self.ring - 1)
        after = self.link[2 * s + 2]
        self.head[slot] = after
        self.link[2 * after + 3] = -1 - slot
        self.size -= 1
        if self.size == 0:
            self.low, self.high = INF, -1
        return s

    def next_used(self, slot: int) -> int:
        """The first list from this one on that is marked as used; -1: none is."""
        word = self.used[slot >> 6] >> (slot & 63)
        if word != 0:
            return slot + lowest_bit(word)
        w = (slot >> 6) + 1
        while w < len(self.used):
            words = self.some[w >> 6] >> (w & 63)
            if words != 0:
                w += lowest_bit(words)
                return 64 * w + lowest_bit(self.used[w])
            w = (w | 63) + 1
        return -1

    def list_to(self, out: memoryview) -> int:
        k, slot = 0, self.next_used(0)
        while slot >= 0:
            s = self.head[slot]
            while s >= 0:
                out[k] = s
                k += 1
                s = self.link[2 * s + 2]
            slot = self.next_used(slot + 1) if slot + 1 < self.ring else -1
        return k

    def clear(self) -> int:
        slot = self.next_used(0)
        while slot >= 0:
            self.head[slot] = -1
            self.used[slot >> 6] &= self.used[slot >> 6] - 1  # its bit: those below are gone
            if self.used[slot >> 6] == 0:
                self.some[slot >> 12] &= self.some[slot >> 12] - 1
            slot = self.next_used(slot)
        self.size = 0
        self.low, self.high = INF, -1
        return 0

    def reseed(self) -> int:
        return 0

    def made_from(self) -> tuple[Any, ...]:
        return (Buckets,)

    def carry_inside(self, bag: Bag, n: int) -> None:
        """The states list by list, smaller f first, in the order in which they will be taken."""
        f, states = self.listed()
        values = bag.numbers("f", f, 0, LARGEST_BOUND << 8)
        found = bag.states("states", states, n, once=True)
        bag.require(len(values) == len(found), "its states have no f each")
        if bag.loading:
            self.reserve(n)
            for i in range(len(found) - 1, -1, -1):
                self.put(int(found[i]), int(values[i]))

    def listed(self) -> tuple[list[int], list[int]]:
        """f and state of all that is inside, as the text of `carry_inside` says."""
        head = np.asarray(self.head)
        slots = np.flatnonzero(head >= 0)
        f, states = [], []
        for value in np.sort(self.low + ((slots - self.low) & (self.ring - 1))).tolist():
            s = self.head[value & (self.ring - 1)]
            while s >= 0:
                f.append(value)
                states.append(s)
                s = self.link[2 * s + 2]
        return f, states

    def widen(self, f: int) -> int:
        """Make the lists from `low` to `high` reach to f; the ring grows where it must."""
        if max(f, self.high) - min(f, self.low) < self.ring:
            self.high, self.low = max(f, self.high), min(f, self.low)
        elif self.size == 0:
            self.clear()
            self.low = self.high = f
        else:
            with cython.gil:
                self.spread(f)
        return 0

    def spread(self, f: int) -> int:
        """Lay the lists out in a ring that is wide enough for f as well; each of them stays as it is."""
        found = empty(2 * self.ring, np.int64)  # f and first state of each list
        k, low, high, slot = 0, f, f, self.next_used(0)
        while slot >= 0:
            if self.head[slot] >= 0:
                value = self.low + ((slot - self.low) & (self.ring - 1))
                found[2 * k], found[2 * k + 1] = value, self.head[slot]
                low, high = min(low, value), max(high, value)
                k += 1
            slot = self.next_used(slot + 1) if slot + 1 < self.ring else -1
        ring, size = self.ring, self.size
        while ring <= high - low:
            ring *= 2
        self.lay_out(ring)
        self.low, self.high, self.size = low, high, size
        one = 1
        for i in range(k):
            slot, first = found[2 * i] & (ring - 1), found[2 * i + 1]
            self.head[slot] = first
            self.link[2 * first + 3] = -1 - slot
            self.used[slot >> 6] |= one << (slot & 63)
            self.some[slot >> 12] |= one << ((slot >> 6) & 63)
        return 0
