"""A* in half a byte a cell: the compact layout that Extra Credit 1 of the course project asks for.

On a grid of 4 neighbours and steps of cost 1, with Manhattan distances, a step towards the goal leaves f as it is and
any other raises it by 2. So the open list only ever holds two f-values, in two stacks; g of a cell is its f minus its
h, and is stored nowhere; and four bits of each cell are kept:

    the high two                     the low two
    0  not generated                 0 free, 1 blocked: this is the believed map
    1  open, on a level that is even direction of the tree pointer, towards the start
    2  open, on a level that is odd  the same
    3  closed                        the same; after the search: on the path, and the direction of its next step

A level is one f-value. Open cells of this level and of the next are told apart by its parity, so nothing is rewritten
when a level is done. The order is smaller f, then last in first out: cell by cell that of A* with buckets.

After a search the pointers of the path are turned around, and the rest is wiped by walking the tree of pointers from
child to child, without a stack. So no search touches all cells, and no list of generated cells is kept.

The two stacks face each other in one array of fixed size. Where they do not fit, cells are left out, and found again
by a walk of the tree when their turn comes: that is slower, but paths stay cheapest and the memory is what it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, view, zeros
from replan.limits import EXPANDED
from replan.log import EventLog
from replan.serialization import Archive, not_copyable_error
from replan.signals import check_signals

FREE, BLOCKED, GENERATED, PATH = 0, 1, 4, 12  # of the four bits; from GENERATED on they hold a direction
CLOSED = 3  # of the high two
CHUNK = 1 << 16


class CompactSearch:
    """The believed map, the search tree and the path of one agent. Cells are numbered as in `Grid`.

    room: how many cells the open list holds. `walks` counts the walks of the tree that were due to too little of it.
    """

    has_path: bool
    log: EventLog
    expanded: int
    tree_walks: int
    even_count: int  # cells on the stack of even levels
    odd_count: int  # and on that of odd ones
    level_parity: int  # of the level that is being expanded
    even_overflowed: bool  # was a cell of an even level left out of its stack?
    odd_overflowed: bool

    def __init__(self, rows: int, cols: int, queue_capacity: int) -> None:
        self.rows, self.cols, self.width, self.n = rows, cols, cols + 2, (rows + 2) * (cols + 2)
        self.cell_bits = zeros((self.n + 1) // 2, np.uint8)
        self.queue_capacity = max(4, queue_capacity)
        self.stack = empty(self.queue_capacity, np.int32)  # even levels from its beginning, odd ones from its end
        self.direction_steps = view(np.array([1, self.width, -1, -self.width], np.int64))  # right, down, left, up
        self.start = self.goal = 0
        self.even_count = self.odd_count = self.level_parity = self.expanded = self.tree_walks = 0
        self.even_overflowed = self.odd_overflowed = self.busy = self.has_path = self.is_watched = False
        for row in (0, rows + 1):
            for col in range(self.width):
                self.write_code(row * self.width + col, BLOCKED)
        for row in range(rows + 2):
            self.write_code(row * self.width, BLOCKED)
            self.write_code(row * self.width + self.width - 1, BLOCKED)

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def load_blocked(self, solid: np.ndarray[Any, Any]) -> None:
        """Take over a whole map, the ring around it included: 1 where a cell is blocked. There is no path any more."""
        self.busy = self.has_path = False
        bits = np.asarray(self.cell_bits)
        for first in range(0, self.n, CHUNK):  # a little at a time: memory is short here
            part = solid[first : first + CHUNK]
            bits[first // 2 : (first + len(part) + 1) // 2] = part[0::2]
            bits[first // 2 : (first + len(part)) // 2] |= part[1::2] << 4

    # Four bits a cell.

    def read_code(self, s: int) -> int:
        return (self.cell_bits[s >> 1] >> ((s & 1) << 2)) & 15

    def write_code(self, s: int, code: int) -> int:
        shift = (s & 1) << 2
        self.cell_bits[s >> 1] = (self.cell_bits[s >> 1] & (0xF0 >> shift)) | (code << shift)
        return 0

    def set_blocked(self, s: int, blocked: bool) -> bool:
        """Believe that a cell is blocked, or free. True if that cuts the path."""
        code = self.read_code(s)
        cut = blocked and code >= GENERATED
        if cut:
            self.clear_path()
        if blocked:
            self.write_code(s, BLOCKED)
        elif code == BLOCKED:
            self.write_code(s, FREE)
        return cut

    # The search.

    def find_path(self, start: int, goal: int) -> bool:
        """A cheapest way from start to goal, as far as is believed; then `after` leads along it."""
        self.clear_path()
        self.start, self.goal, self.expanded = start, goal, 0
        if self.read_code(start) == BLOCKED:
            return False
        self.even_count = self.odd_count = self.level_parity = 0
        self.even_overflowed = self.odd_overflowed = False
        self.busy = True
        self.write_code(start, GENERATED)
        self.push(start, 0)
        self.has_path = self.loop(goal // self.width, goal % self.width)
        self.busy = False
        if self.has_path:
            self.reverse_pointers()
        else:
            self.traverse_tree(start, True)
            self.write_code(start, FREE)
        return self.has_path

    def loop(self, goal_row: int, goal_col: int) -> bool:
        while True:
            s = self.pop()
            if s == self.goal:
                return True
            if s < 0:
                return False
            self.expanded += 1
            if self.is_watched:
                self.log.add(s, EXPANDED, -1)
            if self.expanded & 8191 == 0:
                check_signals()
            self.write_code(s, PATH | (self.read_code(s) & 3))
            row = s // self.width
            col = s % self.width
            self.generate(s, 0, col < goal_col)
            self.generate(s, 1, row < goal_row)
            self.generate(s, 2, col > goal_col)
            self.generate(s, 3, row > goal_row)

    def generate(self, s: int, d: int, nearer: bool) -> int:
        """The neighbour of s in direction d, which is nearer to the goal or is not."""
        v = s + self.direction_steps[d]
        code = self.read_code(v)
        now = self.level_parity
        if code == FREE:
            level = now if nearer else now ^ 1
        elif nearer and code >> 2 == 1 + (now ^ 1):  # open with a larger f
            level = now
        else:
            return 0
        self.write_code(v, ((1 + level) << 2) | ((d + 2) & 3))
        return self.push(v, level)

    # The open list.

    def push(self, s: int, level: int) -> int:
        """Cells of the next level may fill half of the room, those of this one all that is left."""
        size = self.odd_count if level else self.even_count
        if self.even_count + self.odd_count == self.queue_capacity or (level != self.level_parity and size >= self.queue_capacity >> 1):
            if level:
                self.odd_overflowed = True
            else:
                self.even_overflowed = True
        elif level:
            self.odd_count += 1
            self.stack[self.queue_capacity - self.odd_count] = s
        else:
            self.stack[self.even_count] = s
            self.even_count += 1
        return 0

    def pop(self) -> int:
        """The open cell of the smallest f that came last, -1 if there is none."""
        empty_levels = 0
        while empty_levels < 2:
            while (self.odd_count if self.level_parity else self.even_count) > 0:
                if self.level_parity:
                    s = self.stack[self.queue_capacity - self.odd_count]
                    self.odd_count -= 1
                else:
                    self.even_count -= 1
                    s = self.stack[self.even_count]
                if self.read_code(s) >> 2 != CLOSED:  # otherwise it was moved to a smaller f, and its turn has been
                    return s
            if self.odd_overflowed if self.level_parity else self.even_overflowed:
                self.refill_stack()
            else:
                self.level_parity ^= 1
                empty_levels += 1
        return -1

    def refill_stack(self) -> int:
        """Fill the empty stack of this level with open cells that had no room."""
        if self.level_parity:
            self.odd_overflowed = False
        else:
            self.even_overflowed = False
        self.tree_walks += 1
        return self.traverse_tree(self.start, False)

    # The tree.

    def traverse_tree(self, root: int, wipe: bool) -> int:
        """Go through the tree below root: wipe it, or push what is open on this level, as far as there is room."""
        u = root
        d = 0
        while True:
            if d < 4:
                v = u + self.direction_steps[d]
                code = self.read_code(v)
                child = code >= GENERATED and code & 3 == (d + 2) & 3 and v != self.start
                if child and not (wipe and v == self.goal):
                    if not wipe and code >> 2 == 1 + self.level_parity:
                        self.push(v, self.level_parity)
                        if self.odd_overflowed if self.level_parity else self.even_overflowed:
                            return 0
                    u = v
                    d = 0
                else:
                    d += 1
            elif u == root:
                return 0
            else:
                back = self.read_code(u) & 3
                if wipe:
                    self.write_code(u, FREE)
                u += self.direction_steps[back]
                d = ((back + 2) & 3) + 1

    def reverse_pointers(self) -> int:
        """Let the path lead from start to goal, and wipe everything else."""
        u = self.goal
        ahead = 0
        while True:
            self.traverse_tree(u, True)
            back = self.read_code(u) & 3
            self.write_code(u, PATH | ahead)
            if u == self.start:
                return 0
            u += self.direction_steps[back]
            ahead = (back + 2) & 3

    def next_on_path(self, s: int) -> int:
        """The cell that follows s on the path."""
        return s + self.direction_steps[self.read_code(s) & 3]

    def is_on_path(self, s: int) -> bool:
        return self.has_path and self.read_code(s) >= PATH

    def clear_path(self) -> int:
        """Wipe the path, and the tree of a search that was interrupted."""
        if self.busy:
            self.goal = -1  # it is a cell like any other
            self.traverse_tree(self.start, True)
            self.write_code(self.start, FREE)
        elif self.has_path:
            s = self.start
            while s != self.goal:
                v = self.next_on_path(s)
                self.write_code(s, FREE)
                s = v
            self.write_code(s, FREE)
        self.busy = self.has_path = False
        return 0

    # Saving.

    def serialize(self, archive: Archive, solid: np.ndarray[Any, Any]) -> None:
        """The path, and where this map is not that of the belief: a cell that nothing leads to may have changed."""
        odd = archive.states("odd", np.flatnonzero((self.all_codes() == BLOCKED) != (solid != 0)), self.n, unique=True)
        rows, cols = odd // self.width, odd % self.width
        inside = (rows > 0) & (rows <= self.rows) & (cols > 0) & (cols <= self.cols)
        archive.require(inside.all(), "its map has an opening at the edge")
        if archive.is_loading:
            for s in odd.tolist():
                self.write_code(s, FREE if self.read_code(s) == BLOCKED else BLOCKED)
        self.expanded, self.tree_walks = archive.integer("expanded", self.expanded, 0), archive.integer("tree_walks", self.tree_walks, 0)
        archive.require(not self.busy, "an error has left its search half done")
        path = archive.states("path_states", self.path_states(), self.n, unique=True)
        if archive.is_loading and len(path) > 0:
            steps = np.diff(path)
            ahead = np.argmax(np.asarray(self.direction_steps)[:, None] == steps, axis=0)
            archive.require((np.asarray(self.direction_steps)[ahead] == steps).all(), "its path jumps")
            archive.require(all(self.read_code(s) == FREE for s in path.tolist()), "its path leads through obstacles")
            for s, direction in zip(path.tolist(), [*ahead.tolist(), 0], strict=True):
                self.write_code(s, PATH | direction)
            self.start, self.goal, self.has_path = int(path[0]), int(path[len(path) - 1]), True

    def all_codes(self) -> np.ndarray[Any, Any]:
        """The four bits of each cell."""
        bits = np.asarray(self.cell_bits)
        return np.stack([bits & 15, bits >> 4], axis=1).reshape(-1)[: self.n]

    def path_states(self) -> list[int]:
        """The cells from the start to the goal, if a path was found."""
        states, s = [], self.start
        while self.has_path and s != self.goal:
            states.append(s)
            s = self.next_on_path(s)
        return [*states, s] if self.has_path else []


PSEUDO_CODE = """
## CompactSearch.find_path

    wipe the last path
    put the start on the stack of even levels
    run the loop
    found: turn the pointers of the path around,
           so that they lead from start to goal,
           and wipe the rest of the tree
    not found: wipe the whole tree

## CompactSearch.loop

    repeat:
        s := open cell of the smallest f, last in first
        s is the goal: found;  none is left: no way
        close s
        for each of the four directions:
            does it lead nearer to the goal?
            reach the cell there

## CompactSearch.generate

    v := neighbour of s
    v is new: a step nearer leaves f as it is,
              any other raises it by 2: the other stack
    v is open with a larger f, and this is nearer:
              move it to this level
    v's pointer := back to s

## CompactSearch.pop

    take the last cell of this level's stack
    (skip those that were moved and have had their turn)
    the stack is empty, and cells did not fit in:
        find them by walking the tree
    otherwise: turn to the other level, f + 2
    both are empty: nothing is left
"""
