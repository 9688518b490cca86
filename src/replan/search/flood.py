"""Floods: where steps lead from some states, or from where they lead to them, a few states at a time.

Nothing is reset when a flood begins again: its round is a number, by which old entries are told from new ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, prefault, view, zeros
from replan.serialization import not_copyable_error
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import count_bits, gather_bits, octets

MAX_TILE_TURNS = 16  # turns that a tile costs at most, however many cells it brings


class Flood:
    """What floods have in common: a line of what has still to be looked at, and turns that pay for it.

    size: states that it holds. root: the state that it began with, -1 if that was the goals; `fed` of these are taken
    in. exact: all of it hangs together with where the agent stands now, or with the goals.
    """

    size: int
    root: int
    added_goals: int

    def __init__(self, backward: bool) -> None:
        self.is_backward, self.exact, self.has_met_other = backward, True, False
        self.size, self.root, self.added_goals = 0, -1, 0
        self.round = self.unused_turns = self.queue_length = self.queue_head = 0
        self.queue = empty(64, np.int32)

    def attach(self, space: Space) -> bool:
        """Serve this space from now on, with nothing in it. False: it does not fit."""
        raise NotImplementedError

    def prefault(self) -> None:
        """Have all memory at hand."""
        raise NotImplementedError

    def restart(self, root: int) -> int:
        """Hold this state alone; -1: nothing yet, the goals are taken in as it grows."""
        self.round += 1
        self.root, self.added_goals, self.size, self.unused_turns, self.queue_length, self.exact = root, 0, 0, 0, 0, True
        return self.add(root) if root >= 0 else 0

    def is_exhausted(self, goals: Goals) -> bool:
        """Is all in it that can be?"""
        return self.queue_length == 0 and (not self.is_backward or self.added_goals == goals.count)

    def grow(self, goals: Goals, other: Flood, at: int, turns: int) -> bool:
        """So many states more, if there are. True as soon as it meets the other flood, or what that begins with."""
        self.unused_turns += turns
        self.has_met_other = False
        while self.unused_turns > 0 and not self.has_met_other:
            if self.is_backward and self.added_goals < goals.count:
                v = goals.state_array[self.added_goals]
                self.added_goals += 1
                self.add(v)
                self.has_met_other = other.has(v)
                self.unused_turns -= 1
            if self.queue_length == 0:
                if self.is_exhausted(goals):
                    self.unused_turns = 0
            else:
                self.unused_turns -= self.expand_next(goals, other, at)
        return self.has_met_other

    def push(self, x: int) -> int:
        if self.queue_length == len(self.queue):
            with cython.gil:
                self.grow_queue()
        self.queue[(self.queue_head + self.queue_length) & (len(self.queue) - 1)] = x
        self.queue_length += 1
        return 1

    def grow_queue(self) -> None:
        old = np.roll(np.asarray(self.queue), -self.queue_head)
        self.queue, self.queue_head = view(np.concatenate([old, old])), 0

    def pop(self) -> int:
        x = self.queue[self.queue_head]
        self.queue_head = (self.queue_head + 1) & (len(self.queue) - 1)
        self.queue_length -= 1
        return x

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    # What a flood of some kind has to define.

    def has(self, s: int) -> bool:
        raise NotImplementedError

    def add(self, s: int) -> int:
        """Take a state in."""
        raise NotImplementedError

    def requeue(self, s: int) -> int:
        """Steps out of s have become cheaper, or free: look there again. How much is that to look at?"""
        raise NotImplementedError

    def expand_next(self, goals: Goals, other: Flood, at: int) -> int:
        """Look at the first in line, and say in `met` if that was met. How many turns has it cost?"""
        raise NotImplementedError

    def tile_cells(self, tile: int) -> int:
        raise NotImplementedError


class StateFlood(Flood):
    """A flood of any space, state by state.

    A word has the number of the round above, and below 16 states with two bits each: held, and in line.
    """

    def __init__(self, space: Space, backward: bool) -> None:
        Flood.__init__(self, backward)
        self.words, self.n = zeros(space.n // 16 + 1, np.int64), space.n
        self.attach(space)

    def attach(self, space: Space) -> bool:
        if space.connectivity_grid() is not None or space.n != self.n:
            return False
        self.space, self.neighbours, self.has_one_way_steps = space, space.make_neighbours(), not space.is_reversible()
        self.restart(-1)
        return True

    def prefault(self) -> None:
        prefault(self.queue, self.words)

    def has(self, s: int) -> bool:
        w = self.words[s >> 4]
        return w >> 32 == self.round and (w >> ((s & 15) << 1)) & 1 != 0

    def add(self, s: int) -> int:
        return 0 if self.has(s) else self.enqueue(s, 1)

    def requeue(self, s: int) -> int:
        # backwards, a step that has opened may bring in the state where it begins
        return self.enqueue(s, 0) if self.has(s) != (self.is_backward and self.has_one_way_steps) else 0

    def enqueue(self, s: int, held: int) -> int:
        """Put a state in line. held: 1 if the flood holds it from now on, 0 leaves that as it is."""
        i = s >> 4
        w = self.words[i]
        if w >> 32 != self.round:
            w = self.round << 32
        shift = (s & 15) << 1
        self.words[i] = w | ((2 + held) << shift)
        self.size += held
        return self.push(s) if (w >> shift) & 2 == 0 else 0

    def expand_next(self, goals: Goals, other: Flood, at: int) -> int:
        u = self.pop()
        two = 2
        self.words[u >> 4] &= ~(two << ((u & 15) << 1))
        k = self.list_neighbours(self.space, self.neighbours, u)
        for i in range(k):
            v = self.neighbours.state[i]
            if not self.has(v):
                self.enqueue(v, 1)
                if other.has(v) or (v == at if self.is_backward else goals.is_goal(v)):
                    self.has_met_other = True
        return 1

    def list_neighbours(self, space: Space, near: Neighbours, u: int) -> int:
        """List what u brings in."""
        if not self.is_backward:
            return space.expand(near, u)
        if self.has(u):
            return space.expand_reverse(near, u)
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
        self.tiles_per_row, self.end_row = (grid.width + 7) >> 3, grid.rows + 1
        tiles = self.tiles_per_row * ((grid.rows + 9) >> 3)
        self.tile_marks, self.tile_bits = zeros(tiles, np.int64), zeros(tiles, np.uint64)
        self.first_column_mask, self.last_column_mask, self.last_row_mask = 0x0101010101010101, 0x8080808080808080, 0xFF << 56

    def attach(self, space: Space) -> bool:
        grid = space.connectivity_grid()
        if grid is None or grid.shape != self.grid.shape:
            return False
        self.grid = grid
        self.restart(-1)
        return True

    def prefault(self) -> None:
        prefault(self.queue, self.tile_marks, self.tile_bits)

    def tile_of(self, s: int) -> int:
        row = s // self.grid.width
        return (row >> 3) * self.tiles_per_row + ((s - row * self.grid.width) >> 3)

    def bit_of(self, s: int) -> int:
        row, one = s // self.grid.width, 1
        return one << (((row & 7) << 3) + ((s - row * self.grid.width) & 7))

    def tile_cells(self, tile: int) -> int:
        return self.tile_bits[tile] if self.tile_marks[tile] >> 7 == self.round else 0

    def has(self, s: int) -> bool:
        return self.tile_cells(self.tile_of(s)) & self.bit_of(s) != 0

    def add(self, s: int) -> int:
        return self.add_cells(self.tile_of(s), self.bit_of(s))

    def requeue(self, s: int) -> int:
        tile = self.tile_of(s)
        if self.tile_cells(tile) == 0 or self.tile_marks[tile] & 127 != 0:
            return 0
        self.tile_marks[tile] += 1
        return self.push(tile)

    def add_cells(self, tile: int, cells: int) -> int:
        """Take in some cells of a tile."""
        fresh = cells & ~self.tile_cells(tile) if cells != 0 else cells  # none where there is no such tile
        if fresh == 0:
            return 0
        if self.tile_marks[tile] >> 7 != self.round:
            self.tile_marks[tile], self.tile_bits[tile] = self.round << 7, 0
        if self.tile_marks[tile] & 127 == 0:
            self.push(tile)
        self.tile_bits[tile] |= fresh
        new = count_bits(fresh)
        self.tile_marks[tile] += new
        self.size += new
        return 0

    def expand_next(self, goals: Goals, other: Flood, at: int) -> int:
        tile, width, exits = self.pop(), self.grid.width, octets(self.grid.exits)
        row, col = tile // self.tiles_per_row << 3, tile % self.tiles_per_row << 3
        s, room = row * width + col, min(8, width - col)
        up = gather_bits(exits, s, 3, room)
        right = down = left = 0
        for i in range(min(8, self.end_row - row)):
            right |= gather_bits(exits, s, 0, room) << (8 * i)
            down |= gather_bits(exits, s, 1, room) << (8 * i)
            left |= gather_bits(exits, s, 2, 1) << (8 * i)
            s += width
        old = self.tile_bits[tile]
        cells = fill_tile(old, right & ~self.last_column_mask, down & ~self.last_row_mask)
        new = count_bits(cells & ~old)
        cost = min(MAX_TILE_TURNS, (self.tile_marks[tile] & 127) + new)
        self.tile_bits[tile], self.tile_marks[tile] = cells, self.round << 7
        self.size += new
        if cells & other.tile_cells(tile) != 0:
            self.has_met_other = True
        self.add_cells(tile + 1, (cells & right & self.last_column_mask) >> 7)
        self.add_cells(tile - 1, (cells & left) << 7)
        self.add_cells(tile + self.tiles_per_row, (cells & down & self.last_row_mask) >> 56)
        self.add_cells(tile - self.tiles_per_row, (cells & up) << 56)
        return cost


def fill_tile(cells: int, right: int, down: int) -> int:
    """All cells of a tile that can be reached from some, by exits to the right and down and back the same ways."""
    while True:
        old = cells
        cells |= ((cells & right) << 1) | ((cells >> 1) & right)
        cells |= ((cells & down) << 8) | ((cells >> 8) & down)
        if cells == old:
            return cells


def make_flood(space: Space, backward: bool) -> Flood:
    """A flood of the kind that suits the space."""
    grid = space.connectivity_grid()
    return StateFlood(space, backward) if grid is None else TileFlood(grid, backward)
