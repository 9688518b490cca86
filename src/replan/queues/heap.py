"""A binary heap with decrease-key.

An entry is two words, in two arrays, that compare as one number:

    f | g, reversed for "larger g" | the first bits of the tie        the whole tie | the state

The bits are dealt out by the bounds of the space: f always has its own, g has what it needs as far as 63 bits
reach (on 8-connected maps beyond some 3.7 million cells it loses its lowest bits, which only blurs ties between
states of equal f), and what is left goes to the tie, so that on small maps one comparison nearly always decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, prefault
from replan.errors import InputError
from replan.queues.base import OpenList
from replan.queues.order import Order
from replan.serialization import Archive

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import EMPTY, GOAL, INF, ints, ints_from, longs

    STATE_MASK = (1 << 31) - 1  # the bits of the second word that hold the state
    MAX_KEY = (1 << 63) - 1  # above every key

TIE_BITS = 31
LAST_TIE = STATE_BITS = (1 << TIE_BITS) - 1
LARGEST_NUMBER = (1 << 63) - 1


class BinaryHeap(OpenList):
    """An open list for any order; `percolations` counts the levels that entries moved.

    plain: every state goes in before one is taken out, as textbooks have it. That takes longer, and percolations are
    those that papers count; the order is the same, and so are all searches (but for AD*, which from time to time lays
    its queue out anew, in the order in which it finds the states there).
    """

    keys: memoryview  # the first words of the entries, in heap order
    tie_words: memoryview  # their second words
    heap_index: Any  # where in the heap a state stands, a pointer into `places`
    heap_indexes: memoryview
    tie: int  # the last one given
    f_unit: int  # the key of f and g, without a tie, is key_base + f * f_unit + g * g_unit (g without lost bits)
    g_unit: int
    key_base: int

    def __init__(self, order: Order | None = None, inserts_all_first: bool = False) -> None:
        order = order or Order()
        self.init_empty(order)
        self.inserts_all_first, self.prefers_larger_g = inserts_all_first, order.prefer == "larger g"
        # One formula makes all ties: 0, 1, 2... or ...2, 1, 0 or a linear congruential sequence; or all are equal, and
        # entries do not move past each other. (That is why comparisons leave out the state, which
        # is no tie; but of new ones that come together `hold_one` takes the smaller number first.)
        self.has_random_ties = order.ties == "random"
        self.tie_multiplier, self.tie_increment, self.tie_start = {
            "first-in": (1, 1, 0),
            "last-in": (1, -1, LAST_TIE),
            "random": (1103515245, 12345, order.seed),
            "none": (0, 0, 0),
        }[order.ties]
        self.keys, self.tie_words, self.heap_indexes = empty(1, np.int64), empty(1, np.int64), empty(1, np.int32)
        self.set_first_state(0)
        self.reseed()
        self.is_initialized = True

    def reserve(self, n: int) -> None:
        if len(self.heap_indexes) < n:
            self.keys, self.tie_words, self.heap_indexes = empty(n, np.int64), empty(n, np.int64), empty(n, np.int32)
            self.set_first_state(0)

    def set_bounds(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        self.reserve(n)
        f_bits, g_bits = f_bound.bit_length(), g_bound.bit_length()
        if f_bits > 62:
            raise InputError("costs of this size do not fit 62 bits: scale the weights or costs down")
        g_kept = min(g_bits, 63 - f_bits)
        ties_kept = min(TIE_BITS, 63 - f_bits - g_kept)
        self.f_shift, self.tie_dropped_bits, self.g_dropped_bits = g_kept + ties_kept, TIE_BITS - ties_kept, g_bits - g_kept
        self.f_unit, self.g_unit, self.key_base = 2 ** (g_kept + ties_kept), 2**ties_kept, 0
        if self.prefers_larger_g:
            self.g_unit, self.key_base = -(2**ties_kept), 2**ties_kept * (2**g_kept - 1)
        return 0

    def prefault(self) -> None:
        self.check_initialized()
        prefault(self.keys, self.tie_words, self.heap_indexes)

    def insert(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        return self.add(self.key_of(f, g) + (tie >> self.tie_dropped_bits), (tie << 32) | s)

    def add(self, key: int, rest: int) -> int:
        self.size += 1
        self.climb(self.size - 1, key, rest)
        return 0

    def decrease(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        self.climb(self.heap_index[s], self.key_of(f, g) + (tie >> self.tie_dropped_bits), (tie << 32) | s)
        return 0

    def insert_batch(self, k: int) -> int:
        new, new_f, new_g = ints(self.batch_states), longs(self.batch_f), longs(self.batch_g)
        for i in range(k):
            tie = self.next_tie()
            s, place = new[i], self.size
            if s < 0:
                s = -1 - s
                place = self.heap_index[s]
            else:
                self.size = place + 1
            self.climb(place, self.key_of(new_f[i], new_g[i]) + (tie >> self.tie_dropped_bits), (tie << 32) | s)
        return 0

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        """As for every open list. The least of the new states is held back: often it is the next, and never goes in."""
        if self.inserts_all_first:
            return self.insert_all_and_pop(k, goal, self.end_key(f, g))
        key, rest = 0, -1
        if k == 1 and self.batch_states[0] >= 0:
            tie = self.next_tie()
            key, rest = self.key_of(self.batch_f[0], self.batch_g[0]) + (tie >> self.tie_dropped_bits), (tie << 32) | self.batch_states[0]
        elif k > 0:
            self.insert_all_but_first(k)
            key, rest = self.held_key, self.held_tie_word
        end = self.end_key(f, g)
        if rest >= 0 and key < end and (self.size == 0 or key < self.keys[0]) and rest & STATE_MASK != goal:
            self.popped_f = key >> self.f_shift
            return rest & STATE_MASK
        return self.pop_before_held(end, goal, key, rest)

    def insert_all_and_pop(self, k: int, goal: int, end: int) -> int:
        for i in range(k):
            if self.batch_states[i] >= 0:
                self.insert(self.batch_states[i], self.batch_f[i], self.batch_g[i])
            else:
                self.move(-1 - self.batch_states[i], self.batch_f[i], self.batch_g[i])
        return self.pop_before(end, goal)

    def insert_all_but_first(self, k: int) -> int:
        """Take in `k` states, the first of all new ones left out; that is `held_key` and `held` (-1: there is none)."""
        new, new_f, new_g = ints(self.batch_states), longs(self.batch_f), longs(self.batch_g)
        held_key, held = 0, -1
        for i in range(k):
            s = new[i]
            if s < 0:
                s = -1 - s
                if s != held & STATE_MASK:
                    self.move(s, new_f[i], new_g[i])
                    continue
                held = -1  # noted twice, and not in yet
                if new_f[i] < 0:
                    continue
            tie = self.next_tie()
            key, rest = self.key_of(new_f[i], new_g[i]) + (tie >> self.tie_dropped_bits), (tie << 32) | s
            if held >= 0:
                if key < held_key or (key == held_key and rest < held):
                    key, held_key = held_key, key
                    rest, held = held, rest
                self.add(key, rest)
            else:
                held_key, held = key, rest
        self.held_key, self.held_tie_word = held_key, held
        return 0

    def move(self, s: int, f: int, g: int) -> int:
        """Let a state that is inside move up or down, or take it out where f is below 0."""
        if f >= 0:
            tie = self.next_tie()
            return self.put_at(self.heap_index[s], self.key_of(f, g) + (tie >> self.tie_dropped_bits), (tie << 32) | s)
        n = self.size - 1
        self.size = n
        if self.heap_index[s] < n:
            self.put_at(self.heap_index[s], self.keys[n], self.tie_words[n])
        return 0

    def pop_before_held(self, end: int, goal: int, key: int, rest: int) -> int:
        """Like `pop_before`, but a state was held back (key, rest; rest -1: none). If it is not first, it goes in."""
        if rest < 0:
            return self.pop_before(end, goal)
        first, first_key = rest, key
        if self.size > 0 and (self.keys[0] < key or (self.keys[0] == key and self.tie_words[0] >> 32 <= rest >> 32)):
            first, first_key = self.tie_words[0], self.keys[0]
        s = first & STATE_MASK
        if s == goal or first_key >= end:
            self.add(key, rest)
            return GOAL
        self.popped_f = first_key >> self.f_shift
        if first != rest:
            self.sink(0, key, rest)
        return s

    def key_of(self, f: int, g: int) -> int:
        """The first word of an entry, without its tie."""
        return self.key_base + f * self.f_unit + (g >> self.g_dropped_bits) * self.g_unit

    def end_key(self, f: int, g: int) -> int:
        return self.key_of(f, g) if f < INF else MAX_KEY

    def next_tie(self) -> int:
        self.tie = (self.tie * self.tie_multiplier + self.tie_increment) & 0x7FFFFFFF
        return self.tie

    def climb(self, i: int, key: int, rest: int) -> int:
        """Let an entry climb from position i to where it belongs; by how many levels?"""
        keys, rests, place = longs(self.keys), longs(self.tie_words), self.heap_index
        levels = 0
        while i > 0:
            p = (i - 1) >> 1
            other = keys[p]
            if other < key or (other == key and rests[p] >> 32 <= rest >> 32):
                break
            keys[i] = other
            other = rests[p]
            rests[i] = other
            place[other & STATE_MASK] = i
            i = p
            levels += 1
        keys[i] = key
        rests[i] = rest
        place[rest & STATE_MASK] = i
        self.percolations += levels
        return levels

    def sink(self, i: int, key: int, rest: int) -> int:
        """Let an entry sink from position i to where it belongs."""
        keys, rests, place = longs(self.keys), longs(self.tie_words), self.heap_index
        n = self.size
        levels = 0
        while True:
            j = 2 * i + 1
            if j >= n:
                break
            if j + 1 < n:
                a, b = keys[j], keys[j + 1]
                right = b < a  # added, not branched on: which child is smaller cannot be foretold
                if b == a:
                    right = rests[j + 1] >> 32 < rests[j] >> 32
                j += right
            a = keys[j]
            if key < a or (key == a and rest >> 32 <= rests[j] >> 32):
                break
            keys[i] = a
            a = rests[j]
            rests[i] = a
            place[a & STATE_MASK] = i
            i = j
            levels += 1
        keys[i] = key
        rests[i] = rest
        place[rest & STATE_MASK] = i
        self.percolations += levels
        return 0

    def update(self, s: int, f: int, g: int) -> int:
        return self.move(s, f, g)

    def remove(self, s: int) -> int:
        return self.move(s, -1, 0)

    def put_at(self, i: int, key: int, rest: int) -> int:
        """Write an entry to position i and let it move from there, up or down."""
        if self.climb(i, key, rest) == 0:
            self.sink(i, key, rest)
        return 0

    def top_f(self) -> int:
        return self.keys[0] >> self.f_shift

    def top_precedes(self, f: int, g: int) -> bool:
        return self.size > 0 and self.keys[0] < self.end_key(f, g)

    def orders_by_exact_g(self) -> bool:
        return self.g_dropped_bits == 0

    def top(self) -> int:
        return self.tie_words[0] & STATE_MASK if self.size > 0 else EMPTY

    def pop(self) -> int:
        return self.pop_first() if self.size > 0 else EMPTY

    def pop_before(self, end: int, goal: int) -> int:
        """Take the first state out if its key is below `end` and it is not the goal."""
        if self.size == 0:
            return EMPTY
        if self.keys[0] >= end or self.tie_words[0] & STATE_MASK == goal:
            return GOAL
        return self.pop_first()

    def pop_first(self) -> int:
        """Take the first state out. Only where there is one."""
        s = self.tie_words[0] & STATE_MASK
        self.popped_f = self.keys[0] >> self.f_shift
        n = self.size - 1
        self.size = n
        if n > 0:
            self.sink(0, self.keys[n], self.tie_words[n])
        return s

    def copy_states_to(self, out: memoryview) -> int:
        for i in range(self.size):
            out[i] = self.tie_words[i] & STATE_MASK
        return self.size

    def clear(self) -> int:
        self.size = 0
        if not self.has_random_ties:
            self.tie = self.tie_start
        return 0

    def reseed(self) -> int:
        self.tie = self.tie_start
        self.percolations = 0
        return 0

    def rng_state(self) -> int:
        return self.tie if self.has_random_ties else 0

    def set_rng_state(self, state: int) -> int:
        if self.has_random_ties:
            self.tie = state
        return 0

    def set_first_state(self, first: int) -> int:
        self.heap_index = ints_from(self.heap_indexes, first)
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        return BinaryHeap, self.order, self.inserts_all_first

    def serialize_entries(self, archive: Archive, n: int) -> None:
        """The two words of each entry, in the order of the heap: if inserted so, they stand where they stood."""
        self.tie = archive.integer("tie", self.tie, 0, LAST_TIE)
        keys = archive.integers("keys", self.keys[: self.size], 0, LARGEST_NUMBER)
        rests = archive.integers("tie_words", self.tie_words[: self.size], 0, LARGEST_NUMBER, len(keys))
        states = rests & STATE_BITS
        archive.require(len(np.unique(states)) == len(states) and (states < n).all(), "a state is queued that cannot be")
        above = (np.arange(1, len(keys)) - 1) // 2  # a key that was altered may make a search go on without end
        is_ordered = (keys[above] < keys[1:]) | ((keys[above] == keys[1:]) & (rests[above] >> 32 <= rests[1:] >> 32))
        archive.require(is_ordered.all(), "its queue is not in order")
        if archive.is_loading:
            self.reserve(n)
            for key, rest in zip(keys.tolist(), rests.tolist(), strict=True):
                self.add(key, rest)
