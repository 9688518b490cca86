"""Floods: the states that can be reached from some states, or that can reach them, found a few states at a time.

Nothing is reset when a flood begins again: entries carry the number of their round.
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

MAX_TILE_TURNS = 16  # the largest number of turns that a tile costs


class Flood:
    """Base class of floods: a queue of states or tiles to expand, and turns that pay for them.

    `size` is the number of states that it holds. `root` is the state that it began with, -1 for the goals; the first
    `added_goals` of the goals are in it. `exact`: each of its states is connected with the present state of the agent,
    or with the present goals.
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
        """Use this space from now on, and hold no state. Return False if the arrays do not fit the space."""
        raise NotImplementedError

    def prefault(self) -> None:
        """Prefault all memory."""
        raise NotImplementedError

    def restart(self, root: int) -> int:
        """Hold `root` alone. -1: hold no state; `grow` adds the goals."""
        self.round += 1
        self.root, self.exact = root, True
        self.added_goals = self.size = self.unused_turns = self.queue_length = 0
        return self.add(root) if root >= 0 else 0

    def is_exhausted(self, goals: Goals) -> bool:
        """Return True if the flood holds all states that it can reach."""
        return self.queue_length == 0 and (not self.is_backward or self.added_goals == goals.count)

    def grow(self, goals: Goals, other: Flood, agent_state: int, turns: int) -> bool:
        """Grow by up to `turns` states. Return True as soon as it meets the other flood, or its first state."""
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
                self.unused_turns -= self.expand_next(goals, other, agent_state)
        return self.has_met_other

    def push(self, x: int) -> int:
        """Append a state or tile to the queue."""
        if self.queue_length == len(self.queue):
            with cython.gil:
                self.grow_queue()
        self.queue[(self.queue_head + self.queue_length) & (len(self.queue) - 1)] = x
        self.queue_length += 1
        return 1

    def grow_queue(self) -> None:
        """Double the queue."""
        entries = np.roll(np.asarray(self.queue), -self.queue_head)
        self.queue, self.queue_head = view(np.concatenate([entries, entries])), 0

    def pop(self) -> int:
        """Take the first state or tile from the queue."""
        x = self.queue[self.queue_head]
        self.queue_head = (self.queue_head + 1) & (len(self.queue) - 1)
        self.queue_length -= 1
        return x

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    # Subclasses define these methods.

    def has(self, s: int) -> bool:
        """Return True if the flood holds s."""
        raise NotImplementedError

    def add(self, s: int) -> int:
        """Add a state."""
        raise NotImplementedError

    def requeue(self, s: int) -> int:
        """Costs of steps out of s have fallen: queue it again. Return the number of entries that this adds."""
        raise NotImplementedError

    def expand_next(self, goals: Goals, other: Flood, agent_state: int) -> int:
        """Expand the first entry of the queue, and set `has_met_other`. Return the number of turns that this costs."""
        raise NotImplementedError

    def tile_cells(self, tile: int) -> int:
        """Return the cells of a tile that the flood holds, as bits."""
        raise NotImplementedError


class StateFlood(Flood):
    """A flood of any space, state by state.

    A word has the number of the round in its upper half, and two bits each for 16 states: held, and queued.
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
        word = self.words[s >> 4]
        return word >> 32 == self.round and (word >> ((s & 15) << 1)) & 1 != 0

    def add(self, s: int) -> int:
        return 0 if self.has(s) else self.enqueue(s, 1)

    def requeue(self, s: int) -> int:
        # in a backward flood, a step that was freed may add the state where it begins
        return self.enqueue(s, 0) if self.has(s) != (self.is_backward and self.has_one_way_steps) else 0

    def enqueue(self, s: int, is_new: int) -> int:
        """Queue a state. is_new: 1 adds it to the flood, 0 leaves that as it is."""
        word_index = s >> 4
        word = self.words[word_index]
        if word >> 32 != self.round:
            word = self.round << 32
        shift = (s & 15) << 1
        self.words[word_index] = word | ((2 + is_new) << shift)
        self.size += is_new
        return self.push(s) if (word >> shift) & 2 == 0 else 0

    def expand_next(self, goals: Goals, other: Flood, agent_state: int) -> int:
        u = self.pop()
        queued_bit = 2
        self.words[u >> 4] &= ~(queued_bit << ((u & 15) << 1))
        k = self.list_neighbours(self.space, self.neighbours, u)
        for i in range(k):
            v = self.neighbours.state[i]
            if not self.has(v):
                self.enqueue(v, 1)
                if other.has(v) or (v == agent_state if self.is_backward else goals.is_goal(v)):
                    self.has_met_other = True
        return 1

    def list_neighbours(self, space: Space, neighbours: Neighbours, u: int) -> int:
        """List the states that the expansion of u may add."""
        if not self.is_backward:
            return space.expand(neighbours, u)
        if self.has(u):
            return space.expand_reverse(neighbours, u)
        # u is queued but not held: list u itself if one of its steps leads into the flood
        k = space.expand(neighbours, u)
        for i in range(k):
            if self.has(neighbours.state[i]):
                neighbours.state[0] = u
                return 1
        return 0


class TileFlood(Flood):
    """A flood of a grid, in tiles of 8 x 8 cells: a tile is a word of bits, filled by a few operations.

    It reads only the straight exits of cells: if diagonal steps depend on corners, they reach no further. The mark of a
    tile has the number of the round, and in its low 7 bits the number of cells added since its last expansion; the tile
    is queued if that is not 0.
    """

    grid: Grid

    def __init__(self, grid: Grid, backward: bool) -> None:
        Flood.__init__(self, backward)
        self.grid = grid
        # tiles in a row of tiles; the last row of cells has no exits
        self.tiles_per_row, self.end_row = (grid.width + 7) >> 3, grid.rows + 1
        tiles = self.tiles_per_row * ((grid.rows + 9) >> 3)
        self.tile_marks, self.tile_bits = zeros(tiles, np.int64), zeros(tiles, np.uint64)
        self.first_column_mask, self.last_column_mask = 0x0101010101010101, 0x8080808080808080
        self.last_row_mask = 0xFF << 56

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
        """Return the tile of a cell."""
        row = s // self.grid.width
        return (row >> 3) * self.tiles_per_row + ((s - row * self.grid.width) >> 3)

    def bit_of(self, s: int) -> int:
        """Return the bit of a cell in its tile."""
        row, bit = s // self.grid.width, 1
        return bit << (((row & 7) << 3) + ((s - row * self.grid.width) & 7))

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
        """Add cells of a tile, given as bits."""
        new_cells = cells & ~self.tile_cells(tile) if cells != 0 else cells  # no cells: the tile may not exist
        if new_cells == 0:
            return 0
        if self.tile_marks[tile] >> 7 != self.round:
            self.tile_marks[tile], self.tile_bits[tile] = self.round << 7, 0
        if self.tile_marks[tile] & 127 == 0:
            self.push(tile)
        self.tile_bits[tile] |= new_cells
        new_count = count_bits(new_cells)
        self.tile_marks[tile] += new_count
        self.size += new_count
        return 0

    def expand_next(self, goals: Goals, other: Flood, agent_state: int) -> int:
        tile, width, exits = self.pop(), self.grid.width, octets(self.grid.exits)
        row, col = tile // self.tiles_per_row << 3, tile % self.tiles_per_row << 3
        s, width_in_tile = row * width + col, min(8, width - col)
        up = gather_bits(exits, s, 3, width_in_tile)
        right = down = left = 0
        for i in range(min(8, self.end_row - row)):
            right |= gather_bits(exits, s, 0, width_in_tile) << (8 * i)
            down |= gather_bits(exits, s, 1, width_in_tile) << (8 * i)
            left |= gather_bits(exits, s, 2, 1) << (8 * i)
            s += width
        old_cells = self.tile_bits[tile]
        cells = fill_tile(old_cells, right & ~self.last_column_mask, down & ~self.last_row_mask)
        new_count = count_bits(cells & ~old_cells)
        cost = min(MAX_TILE_TURNS, (self.tile_marks[tile] & 127) + new_count)
        self.tile_bits[tile], self.tile_marks[tile] = cells, self.round << 7
        self.size += new_count
        if cells & other.tile_cells(tile) != 0:
            self.has_met_other = True
        self.add_cells(tile + 1, (cells & right & self.last_column_mask) >> 7)
        self.add_cells(tile - 1, (cells & left) << 7)
        self.add_cells(tile + self.tiles_per_row, (cells & down & self.last_row_mask) >> 56)
        self.add_cells(tile - self.tiles_per_row, (cells & up) << 56)
        return cost


def fill_tile(cells: int, right: int, down: int) -> int:
    """Return all cells of a tile that can be reached from `cells` by exits to the right and down, and back."""
    while True:
        old_cells = cells
        cells |= ((cells & right) << 1) | ((cells >> 1) & right)
        cells |= ((cells & down) << 8) | ((cells >> 8) & down)
        if cells == old_cells:
            return cells


def make_flood(space: Space, backward: bool) -> Flood:
    """Return a flood of the kind that suits the space."""
    grid = space.connectivity_grid()
    return StateFlood(space, backward) if grid is None else TileFlood(grid, backward)
