"""A* with half a byte per cell: the compact layout that Extra Credit 1 of the course project asks for.

On a grid of 4 neighbours with steps of cost 1 and Manhattan distances, a step towards the goal keeps f, and any other
step raises it by 2. So open cells have at most two f-values, which are two stacks. g of a cell is f - h and is not
stored. Four bits are stored for each cell:

| high two bits             | low two bits                                                                       |
|---------------------------|------------------------------------------------------------------------------------|
| 0: not generated          | 0 free, 1 blocked: the belief                                                      |
| 1: open, on an even level | direction of the tree pointer, towards the start                                   |
| 2: open, on an odd level  | the same                                                                           |
| 3: closed                 | the same; after the search: the cell is on the path, and the direction of its next step |

A level is one f-value. The parity tells open cells of this level and of the next one apart, so no bits change when a
level is finished. The order is smaller f, then last in first out: cell by cell that of A* with buckets.

After a search the pointers of the path are reversed, and the rest of the tree is erased by a traversal from child to
child, without a stack. So no search touches all cells, and no list of generated cells is needed.

The two stacks grow towards each other in one array of fixed size. Cells that do not fit are left out, and found again
by a traversal of the tree when their level is expanded. That is slower, but paths are still cheapest, and the memory
does not grow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, view, zeros
from replan.limits import EXPANDED
from replan.log import EventLog
from replan.serialization import Archive, not_copyable_error
from replan.signals import check_signals

FREE, BLOCKED, GENERATED, PATH = 0, 1, 4, 12  # codes of a cell; codes from GENERATED on include a direction
CLOSED = 3  # value of the high two bits
CHUNK = 1 << 16  # cells


class CompactSearch:
    """The belief, the search tree and the path of one agent. Cells are numbered as in `Grid`.

    `queue_capacity` is the number of cells that fit into the stacks. `tree_walks` counts the traversals of the tree
    that were needed because a stack was full.
    """

    has_path: bool
    log: EventLog
    expanded: int
    tree_walks: int
    even_count: int  # cells on the stack of even levels
    odd_count: int  # cells on the stack of odd levels
    level_parity: int  # parity of the level that is being expanded
    even_overflowed: bool  # True: a cell of an even level did not fit
    odd_overflowed: bool  # the same for odd levels

    def __init__(self, rows: int, cols: int, queue_capacity: int) -> None:
        self.rows, self.cols, self.width, self.n = rows, cols, cols + 2, (rows + 2) * (cols + 2)
        self.cell_bits = zeros((self.n + 1) // 2, np.uint8)
        self.queue_capacity = max(4, queue_capacity)
        self.stack = empty(self.queue_capacity, np.int32)  # even levels from the beginning, odd ones from the end
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

    def load_blocked(self, blocked: np.ndarray[Any, Any]) -> None:
        """Load a map, with the ring of cells around it: 1 for blocked cells. The path is lost."""
        self.busy = self.has_path = False
        bits = np.asarray(self.cell_bits)
        for first in range(0, self.n, CHUNK):  # in chunks, to save memory
            part = blocked[first : first + CHUNK]
            bits[first // 2 : (first + len(part) + 1) // 2] = part[0::2]
            bits[first // 2 : (first + len(part)) // 2] |= part[1::2] << 4

    # Four bits a cell.

    def read_code(self, s: int) -> int:
        """Return the four bits of a cell."""
        return (self.cell_bits[s >> 1] >> ((s & 1) << 2)) & 15

    def write_code(self, s: int, code: int) -> int:
        """Set the four bits of a cell."""
        shift = (s & 1) << 2
        self.cell_bits[s >> 1] = (self.cell_bits[s >> 1] & (0xF0 >> shift)) | (code << shift)
        return 0

    def set_blocked(self, s: int, blocked: bool) -> bool:
        """Set a cell of the belief blocked or free. Return True if the path, which is then cleared, was cut."""
        code = self.read_code(s)
        is_cut = blocked and code >= GENERATED
        if is_cut:
            self.clear_path()
        if blocked:
            self.write_code(s, BLOCKED)
        elif code == BLOCKED:
            self.write_code(s, FREE)
        return is_cut

    # The search.

    def find_path(self, start: int, goal: int) -> bool:
        """Search a cheapest path in the belief. Return True if there is one; `next_on_path` follows it."""
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
        """Expand cells until the goal would be expanded (return True), or no cell is open (return False)."""
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

    def generate(self, s: int, d: int, is_closer: bool) -> int:
        """Generate the neighbour of s in direction d, which is closer to the goal (`is_closer`) or not."""
        v = s + self.direction_steps[d]
        code = self.read_code(v)
        parity = self.level_parity
        if code == FREE:
            level = parity if is_closer else parity ^ 1
        elif is_closer and code >> 2 == 1 + (parity ^ 1):  # open with a larger f
            level = parity
        else:
            return 0
        self.write_code(v, ((1 + level) << 2) | ((d + 2) & 3))
        return self.push(v, level)

    # The open list.

    def push(self, s: int, level: int) -> int:
        """Push a cell. Cells of the next level may fill half of the array; cells of this level, the rest."""
        size = self.odd_count if level else self.even_count
        if self.even_count + self.odd_count == self.queue_capacity or (
            level != self.level_parity and size >= self.queue_capacity >> 1
        ):
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
        """Pop the open cell of the smallest f that was pushed last, -1 if there is none."""
        empty_levels = 0
        while empty_levels < 2:
            while (self.odd_count if self.level_parity else self.even_count) > 0:
                if self.level_parity:
                    s = self.stack[self.queue_capacity - self.odd_count]
                    self.odd_count -= 1
                else:
                    self.even_count -= 1
                    s = self.stack[self.even_count]
                if (
                    self.read_code(s) >> 2 != CLOSED
                ):  # a closed cell was pushed again with a smaller f, and expanded then
                    return s
            if self.odd_overflowed if self.level_parity else self.even_overflowed:
                self.refill_stack()
            else:
                self.level_parity ^= 1
                empty_levels += 1
        return -1

    def refill_stack(self) -> int:
        """Fill the empty stack of this level with open cells that did not fit."""
        if self.level_parity:
            self.odd_overflowed = False
        else:
            self.even_overflowed = False
        self.tree_walks += 1
        return self.traverse_tree(self.start, False)

    # The tree.

    def traverse_tree(self, root: int, wipe: bool) -> int:
        """Traverse the tree below root. `wipe`: erase it. Else push open cells of this level, if they fit."""
        u = root
        d = 0
        while True:
            if d < 4:
                v = u + self.direction_steps[d]
                code = self.read_code(v)
                is_child = code >= GENERATED and code & 3 == (d + 2) & 3 and v != self.start
                if is_child and not (wipe and v == self.goal):
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
                parent_direction = self.read_code(u) & 3
                if wipe:
                    self.write_code(u, FREE)
                u += self.direction_steps[parent_direction]
                d = ((parent_direction + 2) & 3) + 1

    def reverse_pointers(self) -> int:
        """Reverse the pointers of the path, so that they lead to the goal, and erase the rest of the tree."""
        u = self.goal
        next_direction = 0
        while True:
            self.traverse_tree(u, True)
            parent_direction = self.read_code(u) & 3
            self.write_code(u, PATH | next_direction)
            if u == self.start:
                return 0
            u += self.direction_steps[parent_direction]
            next_direction = (parent_direction + 2) & 3

    def next_on_path(self, s: int) -> int:
        """Return the cell that follows s on the path."""
        return s + self.direction_steps[self.read_code(s) & 3]

    def is_on_path(self, s: int) -> bool:
        """Return True if the path visits s."""
        return self.has_path and self.read_code(s) >= PATH

    def clear_path(self) -> int:
        """Erase the path, or the tree of a search that was interrupted."""
        if self.busy:
            self.goal = -1  # so that the traversal does not spare the goal
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

    def serialize(self, archive: Archive, blocked: np.ndarray[Any, Any]) -> None:
        """Save or load the path, and the cells where this map differs from the belief."""
        different = archive.states(
            "odd", np.flatnonzero((self.all_codes() == BLOCKED) != (blocked != 0)), self.n, unique=True
        )
        rows, cols = different // self.width, different % self.width
        is_inside = (rows > 0) & (rows <= self.rows) & (cols > 0) & (cols <= self.cols)
        archive.require(is_inside.all(), "a cell of the ring around its map is free")
        if archive.is_loading:
            for s in different.tolist():
                self.write_code(s, FREE if self.read_code(s) == BLOCKED else BLOCKED)
        self.expanded = archive.integer("expanded", self.expanded, 0)
        self.tree_walks = archive.integer("tree_walks", self.tree_walks, 0)
        archive.require(not self.busy, "its search was interrupted by an error")
        path = archive.states("path_states", self.path_states(), self.n, unique=True)
        if archive.is_loading and len(path) > 0:
            steps = np.diff(path)
            directions = np.argmax(np.asarray(self.direction_steps)[:, None] == steps, axis=0)
            archive.require(
                (np.asarray(self.direction_steps)[directions] == steps).all(),
                "a step of its path does not lead to a neighbour",
            )
            archive.require(all(self.read_code(s) == FREE for s in path.tolist()), "its path visits a blocked cell")
            for s, direction in zip(path.tolist(), [*directions.tolist(), 0], strict=True):
                self.write_code(s, PATH | direction)
            self.start, self.goal, self.has_path = int(path[0]), int(path[len(path) - 1]), True

    def all_codes(self) -> np.ndarray[Any, Any]:
        """Return the four bits of each cell."""
        bits = np.asarray(self.cell_bits)
        return np.stack([bits & 15, bits >> 4], axis=1).reshape(-1)[: self.n]

    def path_states(self) -> list[int]:
        """Return the cells of the path, from the start to the goal; an empty list if there is none."""
        states, s = [], self.start
        while self.has_path and s != self.goal:
            states.append(s)
            s = self.next_on_path(s)
        return [*states, s] if self.has_path else []


PSEUDO_CODE = """
## CompactSearch.find_path

    erase the last path
    push the start on the stack of even levels
    run the loop
    the goal was found: reverse the pointers of the path,
        so that they lead from start to goal,
        and erase the rest of the tree
    otherwise: erase the tree

## CompactSearch.loop

    repeat:
        s := open cell with the smallest f, last-in first
        s is the goal: found;  no cell is open: no path
        close s
        for each of the four directions:
            generate the neighbour
            (is it closer to the goal?)

## CompactSearch.generate

    v := neighbour of s
    v is new: a step closer to the goal keeps f;
        any other raises it by 2: push v on the other stack
    v is open with a larger f, and closer to the goal:
        push v on the stack of this level
    v's pointer := back to s

## CompactSearch.pop

    pop the last cell of the stack of this level
    (skip closed cells, which were pushed twice)
    the stack is empty, and cells did not fit:
        traverse the tree to find them
    otherwise: go on with the other level, f + 2
    both are empty: no cell is open
"""
