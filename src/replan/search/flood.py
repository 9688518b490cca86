"""Floods: where steps lead from some states, or from where they lead to them, a few states at a time.

Nothing is reset when a flood begins again: its round is a number, by which old entries are told from new ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch, view, zeros
from replan.saving import refused
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import count_bits, gather, octets

DEAREST = 16  # turns that a tile costs at most, however many cells it brings


class Flood:
    """What floods have in common: a line of what has still to be looked at, and turns that pay for it.

    size: states that it holds. root: the state that it began with, -1 if that was the goals; `fed` of these are taken
    in. exact: all of it hangs together with where the agent stands now, or with the goals.
    """

    size: int
    root: int
    fed: int

    def __init__(self, backward: bool) -> None:
        self.backward, self.exact, self.met = backward, True, False
        self.size, self.root, self.fed = 0, -1, 0
        self.round = self.balance = self.waiting = self.head = 0
        self.ring = empty(64, np.int32)

    def settle(self, space: Space) -> bool:
        """Serve this space from now on, with nothing in it. False: it does not fit."""
        raise NotImplementedError

    def touch(self) -> None:
        """Have all memory at hand."""
        raise NotImplementedError

    def restart(self, root: int) -> int:
        """Hold this state alone; -1: nothing yet, the goals are taken in as it grows."""
        self.round += 1
        self.root, self.fed, self.size, self.balance, self.waiting, self.exact = root, 0, 0, 0, 0, True
        return self.hold(root) if root >= 0 else 0

    def dry(self, goals: Goals) -> bool:
        """Is all in it that can be?"""
        return self.waiting == 0 and (not self.backward or self.fed == goals.count)

    def grow(self, goals: Goals, other: Flood, at: int, turns: int) -> bool:
        """So many states more, if there are. True as soon as it meets the other flood, or what that begins with."""
        self.balance += turns
        self.met = False
        while self.balance > 0 and not self.met:
            if self.backward and self.fed < goals.count:
                v = goals.state[self.fed]
                self.fed += 1
                self.hold(v)
                self.met = other.has(v)
                self.balance -= 1
            if self.waiting == 0:
                if self.dry(goals):
                    self.balance = 0
            else:
                self.balance -= self.step(goals, other, at)
        return self.met

    def push(self, x: int) -> int:
        if self.waiting == len(self.ring):
            with cython.gil:
                self.widen()
        self.ring[(self.head + self.waiting) & (len(self.ring) - 1)] = x
        self.waiting += 1
        return 1

    def widen(self) -> None:
        old = np.roll(np.asarray(self.ring), -self.head)
        self.ring, self.head = view(np.concatenate([old, old])), 0

    def pull(self) -> int:
        x = self.ring[self.head]
        self.head = (self.head + 1) & (len(self.ring) - 1)
        self.waiting -= 1
        return x

    def __reduce__(self) -> Any:
        raise refused(self, "a planner")

    # What a flood of some kind has to define.

    def has(self, s: int) -> bool:
        raise NotImplementedError

    def hold(self, s: int) -> int:
        """Take a state in."""
        raise NotImplementedError

    def again(self, s: int) -> int:
        """Steps out of s have become cheaper, or free: look there again. How much is that to look at?"""
        raise NotImplementedError

    def step(self, goals: Goals, other: Flood, at: int) -> int:
        """Look at the first in line, and say in `met` if that was met. How many turns has it cost?"""
        raise NotImplementedError

    def held_in(self, tile: int) -> int:
        raise NotImplementedError


class StateFlood(Flood):
    """A flood of any space, state by state.

    A word has the number of the round above, and below 16 states with two bits each: held, and in line.
    """

    def __init__(self, space: Space, backward: bool) -> None:
        Flood.__init__(self, backward)
        self.words, self.n = zeros(space.n // 16 + 1, np.int64), space.n
        self.settle(space)

    def settle(self, space: Space) -> bool:
        if space.straight_grid() is not None or space.n != self.n:
            return False
        self.space, self.near, self.one_way = space, space.neighbours(), not space.is_reversible()
        self.restart(-1)
        return True

    def touch(self) -> None:
        touch(self.ring, self.words)

    def has(self, s: int) -> bool:
        w = self.words[s >> 4]
        return w >> 32 == self.round and (w >> ((s & 15) << 1)) & 1 != 0

    def hold(self, s: int) -> int:
        return 0 if self.has(s) else self.line_up(s, 1)

    def again(self, s: int) -> int:
        # backwards, a step that has opened may bring in the state where it begins
        return self.line_up(s, 0) if self.has(s) != (self.backward and self.one_way) else 0

    def line_up(self, s: int, held: int) -> int:
        """Put a state in line. held: 1 if the flood holds it from now on, 0 leaves that as it is."""
        i = s >> 4
        w = self.words[i]
        if w >> 32 != self.round:
            w = self.round << 32
        shift = (s & 15) << 1
        self.words[i] = w | ((2 + held) << shift)
        self.size += held
        return self.push(s) if (w >> shift) & 2 == 0 else 0

    def step(self, goals: Goals, other: Flood, at: int) -> int:
        u = self.pull()
        two = 2
        self.words[u >> 4] &= ~(two << ((u & 15) << 1))
        k = self.neighbours_of(self.space, self.near, u)
        for i in range(k):
            v = self.near.state[i]
            if not self.has(v):
                self.line_up(v, 1)
                if other.has(v) or (v == at if self.backward else goals.has(v)):
                    self.met = True
        return 1

    def neighbours_of(self, space: Space, near: Neighbours, u: int) -> int:
        """List what u brings in."""
        if not self.backward:
            return space.expand(near, u)
        if self.has(u):
            return space.reverse(near, u)
        # not held, but in line: does one of its steps lead in here?
        k = space.expand(near, u)
        for i in range(k):
            if self.has(near.state[i]):
                near.state[0] = u
                return 1
        return 0


class TileFlood(Flood):
    """A flood of a grid, in tiles of 8 x 8 cells: a tile is a word of bits, which a few operations fill.

    Of the grid it reads the straight exits of cells alone: where diagonal steps are bound to corners, they lead nowhere
    that straight ones do not. The mark of a tile has the number of the round above, and below how many cells it has got
    since it was last looked at; if there are any, it is in line.
    """

    grid: Grid

    def __init__(self, grid: Grid, backward: bool) -> None:
        Flood.__init__(self, backward)
        self.grid = grid
        # tiles in a row of them; the last row has no exits
        self.across, self.end = (grid.width + 7) >> 3, grid.rows + 1
        tiles = self.across * ((grid.rows + 9) >> 3)
        self.mark, self.held = zeros(tiles, np.int64), zeros(tiles, np.uint64)
        self.first_column, self.last_column, self.last_row = 0x0101010101010101, 0x8080808080808080, 0xFF << 56

    def settle(self, space: Space) -> bool:
        grid = space.straight_grid()
        if grid is None or grid.shape != self.grid.shape:
            return False
        self.grid = grid
        self.restart(-1)
        return True

    def touch(self) -> None:
        touch(self.ring, self.mark, self.held)

    def tile_of(self, s: int) -> int:
        row = s // self.grid.width
        return (row >> 3) * self.across + ((s - row * self.grid.width) >> 3)

    def bit_of(self, s: int) -> int:
        row, one = s // self.grid.width, 1
        return one << (((row & 7) << 3) + ((s - row * self.grid.width) & 7))

    def held_in(self, tile: int) -> int:
        return self.held[tile] if self.mark[tile] >> 7 == self.round else 0

    def has(self, s: int) -> bool:
        return self.held_in(self.tile_of(s)) & self.bit_of(s) != 0

    def hold(self, s: int) -> int:
        return self.seed(self.tile_of(s), self.bit_of(s))

    def again(self, s: int) -> int:
        tile = self.tile_of(s)
        if self.held_in(tile) == 0 or self.mark[tile] & 127 != 0:
            return 0
        self.mark[tile] += 1
        return self.push(tile)

    def seed(self, tile: int, cells: int) -> int:
        """Take in some cells of a tile."""
        fresh = cells & ~self.held_in(tile) if cells != 0 else cells  # none where there is no such tile
        if fresh == 0:
            return 0
        if self.mark[tile] >> 7 != self.round:
            self.mark[tile], self.held[tile] = self.round << 7, 0
        if self.mark[tile] & 127 == 0:
            self.push(tile)
        self.held[tile] |= fresh
        new = count_bits(fresh)
        self.mark[tile] += new
        self.size += new
        return 0

    def step(self, goals: Goals, other: Flood, at: int) -> int:
        tile, width, exits = self.pull(), self.grid.width, octets(self.grid.exits)
        row, col = tile // self.across << 3, tile % self.across << 3
        s, room = row * width + col, min(8, width - col)
        up = gather(exits, s, 3, room)
        right = down = left = 0
        for i in range(min(8, self.end - row)):
            right |= gather(exits, s, 0, room) << (8 * i)
            down |= gather(exits, s, 1, room) << (8 * i)
            left |= gather(exits, s, 2, 1) << (8 * i)
            s += width
        old = self.held[tile]
        cells = filled(old, right & ~self.last_column, down & ~self.last_row)
        new = count_bits(cells & ~old)
        cost = min(DEAREST, (self.mark[tile] & 127) + new)
        self.held[tile], self.mark[tile] = cells, self.round << 7
        self.size += new
        if cells & other.held_in(tile) != 0:
            self.met = True
        self.seed(tile + 1, (cells & right & self.last_column) >> 7)
        self.seed(tile - 1, (cells & left) << 7)
        self.seed(tile + self.across, (cells & down & self.last_row) >> 56)
        self.seed(tile - self.across, (cells & up) << 56)
        return cost


def filled(cells: int, right: int, down: int) -> int:
    """All cells of a tile that can be reached from some, by exits to the right and down and back the same ways."""
    while True:
        old = cells
        cells |= ((cells & right) << 1) | ((cells >> 1) & right)
        cells |= ((cells & down) << 8) | ((cells >> 8) & down)
        if cells == old:
            return cells


def flood_of(space: Space, backward: bool) -> Flood:
    """A flood of the kind that suits the space."""
    grid = space.straight_grid()
    return StateFlood(space, backward) if grid is None else TileFlood(grid, backward)
