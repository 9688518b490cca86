"""A binary heap with decrease-key.

An entry is two words, in two arrays, that compare as one number:

    key:      f | g, reversed for "larger g" | the first bits of the tie
    tie word: the whole tie | the state

The bounds of the space determine the bits: f always has all its bits, and g has what it needs within 63 bits. (On
8-connected maps above about 3.7 million cells it loses its lowest bits, which only affects ties between states of equal
f.) The rest goes to the tie, so that on small maps one comparison nearly always decides.
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
    """An open list for any order. `percolations` counts the levels that entries moved.

    Parameters
    ----------
    order
        How states of equal f are ordered.
    inserts_all_first
        True: a "plain heap". Every state is inserted before one is popped, as in textbooks, so that percolations are
        those that papers count. This is slower. Searches are the same, except AD*, which rebuilds its queue in the
        order of the entries.
    """

    keys: memoryview  # the first words of the entries, in heap order
    tie_words: memoryview  # their second words
    heap_index: Any  # the heap index of each state: a pointer into `heap_indexes`
    heap_indexes: memoryview
    tie: int  # the tie that was used last
    f_unit: int  # a key without its tie is key_base + f * f_unit + g * g_unit (g without dropped bits)
    g_unit: int
    key_base: int

    def __init__(self, order: Order | None = None, inserts_all_first: bool = False) -> None:
        order = order or Order()
        self.init_empty(order)
        self.inserts_all_first, self.prefers_larger_g = inserts_all_first, order.prefer == "larger g"
        # One formula produces all ties: 0, 1, 2... or ...2, 1, 0 or a linear congruential sequence. With "none" all are
        # equal, and entries do not move past each other. That is why comparisons leave out the state. (But of the new
        # states of a batch, `insert_all_but_first` puts the one with the smaller number first.)
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
            raise InputError("costs of this size do not fit 62 bits: use smaller weights or costs")
        g_used_bits = min(g_bits, 63 - f_bits)
        tie_used_bits = min(TIE_BITS, 63 - f_bits - g_used_bits)
        self.f_shift = g_used_bits + tie_used_bits
        self.tie_dropped_bits, self.g_dropped_bits = TIE_BITS - tie_used_bits, g_bits - g_used_bits
        self.f_unit, self.g_unit, self.key_base = 2 ** (g_used_bits + tie_used_bits), 2**tie_used_bits, 0
        if self.prefers_larger_g:
            self.g_unit, self.key_base = -(2**tie_used_bits), 2**tie_used_bits * (2**g_used_bits - 1)
        return 0

    def prefault(self) -> None:
        self.check_initialized()
        prefault(self.keys, self.tie_words, self.heap_indexes)

    def insert(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        return self.add(self.key_of(f, g) + (tie >> self.tie_dropped_bits), (tie << 32) | s)

    def add(self, key: int, tie_word: int) -> int:
        """Add an entry."""
        self.size += 1
        self.climb(self.size - 1, key, tie_word)
        return 0

    def decrease(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        self.climb(self.heap_index[s], self.key_of(f, g) + (tie >> self.tie_dropped_bits), (tie << 32) | s)
        return 0

    def insert_batch(self, k: int) -> int:
        batch_states, batch_f, batch_g = ints(self.batch_states), longs(self.batch_f), longs(self.batch_g)
        for i in range(k):
            tie = self.next_tie()
            s, index = batch_states[i], self.size
            if s < 0:
                s = -1 - s
                index = self.heap_index[s]
            else:
                self.size = index + 1
            self.climb(index, self.key_of(batch_f[i], batch_g[i]) + (tie >> self.tie_dropped_bits), (tie << 32) | s)
        return 0

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        """Like in every open list. The first of the new states is held back: often it is popped at once."""
        if self.inserts_all_first:
            return self.insert_all_and_pop(k, goal, self.end_key(f, g))
        key, tie_word = 0, -1
        if k == 1 and self.batch_states[0] >= 0:
            tie = self.next_tie()
            key, tie_word = (
                self.key_of(self.batch_f[0], self.batch_g[0]) + (tie >> self.tie_dropped_bits),
                (tie << 32) | self.batch_states[0],
            )
        elif k > 0:
            self.insert_all_but_first(k)
            key, tie_word = self.held_key, self.held_tie_word
        end_key = self.end_key(f, g)
        if tie_word >= 0 and key < end_key and (self.size == 0 or key < self.keys[0]) and tie_word & STATE_MASK != goal:
            self.popped_f = key >> self.f_shift
            return tie_word & STATE_MASK
        return self.pop_before_held(end_key, goal, key, tie_word)

    def insert_all_and_pop(self, k: int, goal: int, end_key: int) -> int:
        """Insert a batch of `k` states, then pop the first state, in this order."""
        for i in range(k):
            if self.batch_states[i] >= 0:
                self.insert(self.batch_states[i], self.batch_f[i], self.batch_g[i])
            else:
                self.move(-1 - self.batch_states[i], self.batch_f[i], self.batch_g[i])
        return self.pop_before(end_key, goal)

    def insert_all_but_first(self, k: int) -> int:
        """Insert a batch without its first new state: that is `held_key` and `held_tie_word` (-1: there is none)."""
        batch_states, batch_f, batch_g = ints(self.batch_states), longs(self.batch_f), longs(self.batch_g)
        held_key, held_tie_word = 0, -1
        for i in range(k):
            s = batch_states[i]
            if s < 0:
                s = -1 - s
                if s != held_tie_word & STATE_MASK:
                    self.move(s, batch_f[i], batch_g[i])
                    continue
                held_tie_word = -1  # it is in the batch twice, and not in the heap yet
                if batch_f[i] < 0:
                    continue
            tie = self.next_tie()
            key, tie_word = self.key_of(batch_f[i], batch_g[i]) + (tie >> self.tie_dropped_bits), (tie << 32) | s
            if held_tie_word >= 0:
                if key < held_key or (key == held_key and tie_word < held_tie_word):
                    key, held_key = held_key, key
                    tie_word, held_tie_word = held_tie_word, tie_word
                self.add(key, tie_word)
            else:
                held_key, held_tie_word = key, tie_word
        self.held_key, self.held_tie_word = held_key, held_tie_word
        return 0

    def move(self, s: int, f: int, g: int) -> int:
        """Set the key of a state in the queue, or remove the state if f is negative."""
        if f >= 0:
            tie = self.next_tie()
            return self.put_at(self.heap_index[s], self.key_of(f, g) + (tie >> self.tie_dropped_bits), (tie << 32) | s)
        n = self.size - 1
        self.size = n
        if self.heap_index[s] < n:
            self.put_at(self.heap_index[s], self.keys[n], self.tie_words[n])
        return 0

    def pop_before_held(self, end_key: int, goal: int, key: int, tie_word: int) -> int:
        """Like `pop_before`, with an entry that is held back (tie_word -1: none). It is inserted if it is not first."""
        if tie_word < 0:
            return self.pop_before(end_key, goal)
        first_tie_word, first_key = tie_word, key
        if self.size > 0 and (
            self.keys[0] < key or (self.keys[0] == key and self.tie_words[0] >> 32 <= tie_word >> 32)
        ):
            first_tie_word, first_key = self.tie_words[0], self.keys[0]
        s = first_tie_word & STATE_MASK
        if s == goal or first_key >= end_key:
            self.add(key, tie_word)
            return GOAL
        self.popped_f = first_key >> self.f_shift
        if first_tie_word != tie_word:
            self.sink(0, key, tie_word)
        return s

    def key_of(self, f: int, g: int) -> int:
        """Return the first word of an entry, without its tie."""
        return self.key_base + f * self.f_unit + (g >> self.g_dropped_bits) * self.g_unit

    def end_key(self, f: int, g: int) -> int:
        """Return the key below which states come before f and g."""
        return self.key_of(f, g) if f < INF else MAX_KEY

    def next_tie(self) -> int:
        """Return the tie of the next entry."""
        self.tie = (self.tie * self.tie_multiplier + self.tie_increment) & 0x7FFFFFFF
        return self.tie

    def climb(self, i: int, key: int, tie_word: int) -> int:
        """Move an entry from index i up to its place. Return the number of levels."""
        keys, tie_words, heap_index = longs(self.keys), longs(self.tie_words), self.heap_index
        levels = 0
        while i > 0:
            parent = (i - 1) >> 1
            parent_word = keys[parent]
            if parent_word < key or (parent_word == key and tie_words[parent] >> 32 <= tie_word >> 32):
                break
            keys[i] = parent_word
            parent_word = tie_words[parent]
            tie_words[i] = parent_word
            heap_index[parent_word & STATE_MASK] = i
            i = parent
            levels += 1
        keys[i] = key
        tie_words[i] = tie_word
        heap_index[tie_word & STATE_MASK] = i
        self.percolations += levels
        return levels

    def sink(self, i: int, key: int, tie_word: int) -> int:
        """Move an entry from index i down to its place."""
        keys, tie_words, heap_index = longs(self.keys), longs(self.tie_words), self.heap_index
        n = self.size
        levels = 0
        while True:
            child = 2 * i + 1
            if child >= n:
                break
            if child + 1 < n:
                child_word, right_word = keys[child], keys[child + 1]
                is_right = right_word < child_word  # added instead of a branch, which would be mispredicted
                if right_word == child_word:
                    is_right = tie_words[child + 1] >> 32 < tie_words[child] >> 32
                child += is_right
            child_word = keys[child]
            if key < child_word or (key == child_word and tie_word >> 32 <= tie_words[child] >> 32):
                break
            keys[i] = child_word
            child_word = tie_words[child]
            tie_words[i] = child_word
            heap_index[child_word & STATE_MASK] = i
            i = child
            levels += 1
        keys[i] = key
        tie_words[i] = tie_word
        heap_index[tie_word & STATE_MASK] = i
        self.percolations += levels
        return 0

    def update(self, s: int, f: int, g: int) -> int:
        return self.move(s, f, g)

    def remove(self, s: int) -> int:
        return self.move(s, -1, 0)

    def put_at(self, i: int, key: int, tie_word: int) -> int:
        """Write an entry to index i, and move it up or down to its place."""
        if self.climb(i, key, tie_word) == 0:
            self.sink(i, key, tie_word)
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

    def pop_before(self, end_key: int, goal: int) -> int:
        """Pop the first state if its key is below `end_key` and it is not the goal. Otherwise return EMPTY or GOAL."""
        if self.size == 0:
            return EMPTY
        if self.keys[0] >= end_key or self.tie_words[0] & STATE_MASK == goal:
            return GOAL
        return self.pop_first()

    def pop_first(self) -> int:
        """Pop the first state. The queue must not be empty."""
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
        """Save or load both words of each entry, in heap order, which inserting them restores."""
        self.tie = archive.integer("tie", self.tie, 0, LAST_TIE)
        keys = archive.integers("keys", self.keys[: self.size], 0, LARGEST_NUMBER)
        tie_words = archive.integers("tie_words", self.tie_words[: self.size], 0, LARGEST_NUMBER, len(keys))
        states = tie_words & STATE_BITS
        archive.require(
            len(np.unique(states)) == len(states) and (states < n).all(),
            "its queue holds a state twice, or one that does not exist",
        )
        parents = (np.arange(1, len(keys)) - 1) // 2  # with an altered key a search might never end
        is_ordered = (keys[parents] < keys[1:]) | (
            (keys[parents] == keys[1:]) & (tie_words[parents] >> 32 <= tie_words[1:] >> 32)
        )
        archive.require(is_ordered.all(), "its queue is not in order")
        if archive.is_loading:
            self.reserve(n)
            for key, tie_word in zip(keys.tolist(), tie_words.tolist(), strict=True):
                self.add(key, tie_word)
