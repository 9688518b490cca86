"""A binary heap with decrease-key.

An entry is two words, in two arrays, that compare as one number:

    f | g, reversed for "larger g" | the first bits of the tie        the whole tie | the state

The bits are dealt out by the bounds of the space: f always has its own, g has what it needs as far as 63 bits
reach (on 8-connected maps beyond some 3.7 million cells it loses its lowest bits, which only blurs ties between
states of equal f), and what is left goes to the tie, so that on small maps one comparison nearly always decides.
"""

from __future__ import annotations

import numpy as np

from replan.arrays import empty, touch
from replan.errors import InputError
from replan.queues.base import OpenList
from replan.queues.order import Order

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.arrays import ints, longs

TIE_BITS = 31


class BinaryHeap(OpenList):
    """An open list for any order; `percolations` counts the levels that entries moved."""

    order: Order
    tie: int
    f_unit: int
    g_unit: int
    key_base: int

    def __init__(self, order: Order | None = None) -> None:
        self.order = order or Order()
        # One formula makes all ties: 0, 1, 2... or ...2, 1, 0 or a linear congruential sequence.
        self.chance = self.order.ties == "random"
        self.tie_times, self.tie_plus, self.tie_start = {
            "first-in": (1, 1, 0),
            "last-in": (1, -1, 0x7FFFFFFF),
            "random": (1103515245, 12345, self.order.seed),
        }[self.order.ties]
        self.keys, self.rests, self.place = empty(1, np.int64), empty(1, np.int64), empty(1, np.int32)
        self.start_empty()
        self.reseed()

    def fit(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        if len(self.place) < n:
            self.keys, self.rests, self.place = empty(n, np.int64), empty(n, np.int64), empty(n, np.int32)
        f_bits, g_bits = f_bound.bit_length(), g_bound.bit_length()
        if f_bits > 62:
            raise InputError("costs of this size do not fit 62 bits: scale the weights or costs down")
        g_kept = min(g_bits, 63 - f_bits)
        ties_kept = min(TIE_BITS, 63 - f_bits - g_kept)
        self.f_shift, self.tie_drop, self.g_drop = g_kept + ties_kept, TIE_BITS - ties_kept, g_bits - g_kept
        self.f_unit, self.g_unit, self.key_base = 2 ** (g_kept + ties_kept), 2**ties_kept, 0
        if self.order.prefer == "larger g":
            self.g_unit, self.key_base = -(2**ties_kept), 2**ties_kept * (2**g_kept - 1)
        return 0

    def touch(self) -> None:
        touch(self.keys, self.rests, self.place)

    def insert(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        self.size += 1
        self.rise(self.size - 1, self.key_of(f, g) + (tie >> self.tie_drop), (tie << 32) | s)
        return 0

    def decrease(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        self.rise(self.place[s], self.key_of(f, g) + (tie >> self.tie_drop), (tie << 32) | s)
        return 0

    def take_in(self, k: int) -> int:
        return self.take_all(k)

    def take_all(self, k: int) -> int:
        """`take_in`, to be compiled into its callers."""
        new, new_f, new_g = ints(self.new), longs(self.new_f), longs(self.new_g)
        for i in range(k):
            tie = self.next_tie()
            s, place = new[i], self.size
            if s < 0:
                s = -1 - s
                place = self.place[s]
            else:
                self.size = place + 1
            self.rise(place, self.key_of(new_f[i], new_g[i]) + (tie >> self.tie_drop), (tie << 32) | s)
        return 0

    def exchange(self, k: int, unless: int) -> int:
        if k > 0:
            self.take_all(k)
        return self.pop(unless)

    def key_of(self, f: int, g: int) -> int:
        """The first word of an entry, without its tie."""
        return self.key_base + f * self.f_unit + (g >> self.g_drop) * self.g_unit

    def next_tie(self) -> int:
        self.tie = (self.tie * self.tie_times + self.tie_plus) & 0x7FFFFFFF
        return self.tie

    def rise(self, i: int, key: int, rest: int) -> int:
        """Let an entry rise from position i to where it belongs; by how many levels?"""
        keys, rests, place = longs(self.keys), longs(self.rests), ints(self.place)
        levels = 0
        while i > 0:
            p = (i - 1) >> 1
            other = keys[p]
            if other < key or (other == key and rests[p] < rest):
                break
            keys[i] = other
            other = rests[p]
            rests[i] = other
            place[other & 0x7FFFFFFF] = i
            i = p
            levels += 1
        keys[i] = key
        rests[i] = rest
        place[rest & 0x7FFFFFFF] = i  # the low bits of the second word are the state
        self.percolations += levels
        return levels

    def sink(self, i: int, key: int, rest: int) -> int:
        """Let an entry sink from position i to where it belongs."""
        keys, rests, place = longs(self.keys), longs(self.rests), ints(self.place)
        n = self.size
        levels = 0
        while True:
            j = 2 * i + 1
            if j >= n:
                break
            if j + 1 < n:
                a, b = keys[j], keys[j + 1]
                right = b < a  # anyone's guess: added, where a branch would often be foretold wrongly
                if b == a:
                    right = rests[j + 1] < rests[j]
                j += right
            a = keys[j]
            if key < a or (key == a and rest < rests[j]):
                break
            keys[i] = a
            a = rests[j]
            rests[i] = a
            place[a & 0x7FFFFFFF] = i
            i = j
            levels += 1
        keys[i] = key
        rests[i] = rest
        place[rest & 0x7FFFFFFF] = i
        self.percolations += levels
        return 0

    def update(self, s: int, f: int, g: int) -> int:
        tie = self.next_tie()
        return self.put_at(self.place[s], self.key_of(f, g) + (tie >> self.tie_drop), (tie << 32) | s)

    def remove(self, s: int) -> int:
        n = self.size - 1
        self.size = n
        if self.place[s] < n:
            self.put_at(self.place[s], self.keys[n], self.rests[n])
        return 0

    def put_at(self, i: int, key: int, rest: int) -> int:
        """Write an entry to position i and let it move from there, up or down."""
        if self.rise(i, key, rest) == 0:
            self.sink(i, key, rest)
        return 0

    def top_f(self) -> int:
        return self.keys[0] >> self.f_shift

    def before(self, f: int, g: int) -> bool:
        return self.size > 0 and self.keys[0] < self.key_of(f, g)

    def exact(self) -> bool:
        return self.g_drop == 0

    def top(self) -> int:
        return self.rests[0] & 0x7FFFFFFF if self.size > 0 else -1

    def pop(self, unless: int) -> int:
        if self.size == 0:
            return -1
        s = self.rests[0] & 0x7FFFFFFF
        if s == unless:
            return -1
        self.taken_f = self.keys[0] >> self.f_shift
        n = self.size - 1
        self.size = n
        if n > 0:
            self.sink(0, self.keys[n], self.rests[n])
        return s

    def list_to(self, out: memoryview) -> int:
        for i in range(self.size):
            out[i] = self.rests[i] & 0x7FFFFFFF
        return self.size

    def clear(self) -> int:
        self.size = 0
        if not self.chance:
            self.tie = self.tie_start
        return 0

    def reseed(self) -> int:
        self.tie = self.tie_start
        self.percolations = 0
        return 0

    def turn(self, k: int, drop: bool) -> int:
        new, new_f, new_g = ints(self.new), longs(self.new_f), longs(self.new_g)
        i = 0
        if drop and (k == 0 or new[0] < 0):
            self.pop(-1)
        elif drop:  # the first new state takes the place of the one that goes
            tie = self.next_tie()
            self.sink(0, self.key_of(new_f[0], new_g[0]) + (tie >> self.tie_drop), (tie << 32) | new[0])
            i = 1
        while i < k:
            if new[i] >= 0:
                self.insert(new[i], new_f[i], new_g[i])
            elif new_f[i] >= 0:
                self.update(-1 - new[i], new_f[i], new_g[i])
            else:
                self.remove(-1 - new[i])
            i += 1
        if self.size == 0:
            return -1
        self.taken_f = self.keys[0] >> self.f_shift
        return self.rests[0] & 0x7FFFFFFF
