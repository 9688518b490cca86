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
from replan.log import Log
from replan.saving import Bag, refused
from replan.signals import check_signals

FREE, BLOCKED, GENERATED, PATH = 0, 1, 4, 12  # of the four bits; from GENERATED on they hold a direction
CLOSED = 3  # of the high two
CHUNK = 1 << 16


class CompactSearch:
    """The believed map, the search tree and the path of one agent. Cells are numbered as in `Grid`.

    room: how many cells the open list holds. `walks` counts the walks of the tree that were due to too little of it.
    """

    found: bool
    log: Log
    expanded: int
    walks: int
    even: int  # cells on the stack of even levels
    odd: int  # and on that of odd ones
    parity: int  # of the level that is being expanded
    even_lost: bool  # was a cell of an even level left out of its stack?
    odd_lost: bool

    def __init__(self, rows: int, cols: int, room: int) -> None:
        self.rows, self.cols, self.width, self.n = rows, cols, cols + 2, (rows + 2) * (cols + 2)
        self.bits = zeros((self.n + 1) // 2, np.uint8)
        self.room = max(4, room)
        self.stack = empty(self.room, np.int32)  # even levels from its beginning, odd ones from its end
        self.step = view(np.array([1, self.width, -1, -self.width], np.int64))  # right, down, left, up
        self.start = self.goal = 0
        self.even = self.odd = self.parity = self.expanded = self.walks = 0
        self.even_lost = self.odd_lost = self.busy = self.found = self.watched = False
        for row in (0, rows + 1):
            for col in range(self.width):
                self.write(row * self.width + col, BLOCKED)
        for row in range(rows + 2):
            self.write(row * self.width, BLOCKED)
            self.write(row * self.width + self.width - 1, BLOCKED)

    def __reduce__(self) -> Any:
        raise refused(self, "a planner")

    def take_over(self, solid: np.ndarray[Any, Any]) -> None:
        """Take over a whole map, the ring around it included: 1 where a cell is blocked. There is no path any more."""
        self.busy = self.found = False
        bits = np.asarray(self.bits)
        for first in range(0, self.n, CHUNK):  # a little at a time: memory is short here
            part = solid[first : first + CHUNK]
            bits[first // 2 : (first + len(part) + 1) // 2] = part[0::2]
            bits[first // 2 : (first + len(part)) // 2] |= part[1::2] << 4

    # Four bits a cell.

    def read(self, s: int) -> int:
        return (self.bits[s >> 1] >> ((s & 1) << 2)) & 15

    def write(self, s: int, code: int) -> int:
        shift = (s & 1) << 2
        self.bits[s >> 1] = (self.bits[s >> 1] & (0xF0 >> shift)) | (code << shift)
        return 0

    def put(self, s: int, blocked: bool) -> bool:
        """Believe that a cell is blocked, or free. True if that cuts the path."""
        code = self.read(s)
        cut = blocked and code >= GENERATED
        if cut:
            self.forget()
        if blocked:
            self.write(s, BLOCKED)
        elif code == BLOCKED:
            self.write(s, FREE)
        return cut

    # The search.

    def find(self, start: int, goal: int) -> bool:
        """A cheapest way from start to goal, as far as is believed; then `after` leads along it."""
        self.forget()
        self.start, self.goal, self.expanded = start, goal, 0
        if self.read(start) == BLOCKED:
            return False
        self.even = self.odd = self.parity = 0
        self.even_lost = self.odd_lost = False
        self.busy = True
        self.write(start, GENERATED)
        self.push(start, 0)
        self.found = self.loop(goal // self.width, goal % self.width)
        self.busy = False
        if self.found:
            self.turn_path()
        else:
            self.walk(start, True)
            self.write(start, FREE)
        return self.found

    def loop(self, goal_row: int, goal_col: int) -> bool:
        while True:
            s = self.pop()
            if s == self.goal:
                return True
            if s < 0:
                return False
            self.expanded += 1
            if self.watched:
                self.log.add(s, EXPANDED, -1)
            if self.expanded & 8191 == 0:
                check_signals()
            self.write(s, PATH | (self.read(s) & 3))
            row = s // self.width
            col = s % self.width
            self.reach(s, 0, col < goal_col)
            self.reach(s, 1, row < goal_row)
            self.reach(s, 2, col > goal_col)
            self.reach(s, 3, row > goal_row)

    def reach(self, s: int, d: int, nearer: bool) -> int:
        """The neighbour of s in direction d, which is nearer to the goal or is not."""
        v = s + self.step[d]
        code = self.read(v)
        now = self.parity
        if code == FREE:
            level = now if nearer else now ^ 1
        elif nearer and code >> 2 == 1 + (now ^ 1):  # open with a larger f
            level = now
        else:
            return 0
        self.write(v, ((1 + level) << 2) | ((d + 2) & 3))
        return self.push(v, level)

    # The open list.

    def push(self, s: int, level: int) -> int:
        """Cells of the next level may fill half of the room, those of this one all that is left."""
        size = self.odd if level else self.even
        if self.even + self.odd == self.room or (level != self.parity and size >= self.room >> 1):
            if level:
                self.odd_lost = True
            else:
                self.even_lost = True
        elif level:
            self.odd += 1
            self.stack[self.room - self.odd] = s
        else:
            self.stack[self.even] = s
            self.even += 1
        return 0

    def pop(self) -> int:
        """The open cell of the smallest f that came last, -1 if there is none."""
        empty_levels = 0
        while empty_levels < 2:
            while (self.odd if self.parity else self.even) > 0:
                if self.parity:
                    s = self.stack[self.room - self.odd]
                    self.odd -= 1
                else:
                    self.even -= 1
                    s = self.stack[self.even]
                if self.read(s) >> 2 != CLOSED:  # otherwise it was moved to a smaller f, and its turn has been
                    return s
            if self.odd_lost if self.parity else self.even_lost:
                self.find_lost()
            else:
                self.parity ^= 1
                empty_levels += 1
        return -1

    def find_lost(self) -> int:
        """Fill the empty stack of this level with open cells that had no room."""
        if self.parity:
            self.odd_lost = False
        else:
            self.even_lost = False
        self.walks += 1
        return self.walk(self.start, False)

    # The tree.

    def walk(self, root: int, wipe: bool) -> int:
        """Go through the tree below root: wipe it, or push what is open on this level, as far as there is room."""
        u = root
        d = 0
        while True:
            if d < 4:
                v = u + self.step[d]
                code = self.read(v)
                child = code >= GENERATED and code & 3 == (d + 2) & 3 and v != self.start
                if child and not (wipe and v == self.goal):
                    if not wipe and code >> 2 == 1 + self.parity:
                        self.push(v, self.parity)
                        if self.odd_lost if self.parity else self.even_lost:
                            return 0
                    u = v
                    d = 0
                else:
                    d += 1
            elif u == root:
                return 0
            else:
                back = self.read(u) & 3
                if wipe:
                    self.write(u, FREE)
                u += self.step[back]
                d = ((back + 2) & 3) + 1

    def turn_path(self) -> int:
        """Let the path lead from start to goal, and wipe everything else."""
        u = self.goal
        ahead = 0
        while True:
            self.walk(u, True)
            back = self.read(u) & 3
            self.write(u, PATH | ahead)
            if u == self.start:
                return 0
            u += self.step[back]
            ahead = (back + 2) & 3

    def after(self, s: int) -> int:
        """The cell that follows s on the path."""
        return s + self.step[self.read(s) & 3]

    def on_path(self, s: int) -> bool:
        return self.found and self.read(s) >= PATH

    def forget(self) -> int:
        """Wipe the path, and the tree of a search that was interrupted."""
        if self.busy:
            self.goal = -1  # it is a cell like any other
            self.walk(self.start, True)
            self.write(self.start, FREE)
        elif self.found:
            s = self.start
            while s != self.goal:
                v = self.after(s)
                self.write(s, FREE)
                s = v
            self.write(s, FREE)
        self.busy = self.found = False
        return 0

    # Saving.

    def carry(self, bag: Bag, solid: np.ndarray[Any, Any]) -> None:
        """The path, and where this map is not that of the belief: a cell that nothing leads to may have changed."""
        odd = bag.states("odd", np.flatnonzero((self.codes() == BLOCKED) != (solid != 0)), self.n, once=True)
        rows, cols = odd // self.width, odd % self.width
        inside = (rows > 0) & (rows <= self.rows) & (cols > 0) & (cols <= self.cols)
        bag.require(inside.all(), "its map has an opening at the edge")
        if bag.loading:
            for s in odd.tolist():
                self.write(s, FREE if self.read(s) == BLOCKED else BLOCKED)
        self.expanded, self.walks = bag.whole("expanded", self.expanded, 0), bag.whole("walks", self.walks, 0)
        bag.require(not self.busy, "an error has left its search half done")
        path = bag.states("path", self.path_now(), self.n, once=True)
        if bag.loading and len(path) > 0:
            steps = np.diff(path)
            ahead = np.argmax(np.asarray(self.step)[:, None] == steps, axis=0)
            bag.require((np.asarray(self.step)[ahead] == steps).all(), "its path jumps")
            bag.require(all(self.read(s) == FREE for s in path.tolist()), "its path leads through obstacles")
            for s, direction in zip(path.tolist(), [*ahead.tolist(), 0], strict=True):
                self.write(s, PATH | direction)
            self.start, self.goal, self.found = int(path[0]), int(path[len(path) - 1]), True

    def codes(self) -> np.ndarray[Any, Any]:
        """The four bits of each cell."""
        bits = np.asarray(self.bits)
        return np.stack([bits & 15, bits >> 4], axis=1).reshape(-1)[: self.n]

    def path_now(self) -> list[int]:
        """The cells from the start to the goal, if a path was found."""
        states, s = [], self.start
        while self.found and s != self.goal:
            states.append(s)
            s = self.after(s)
        return [*states, s] if self.found else []


PSEUDO_CODE = """
## CompactSearch.find

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

## CompactSearch.reach

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
