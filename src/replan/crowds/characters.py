"""The characters of a crowd: a row of numbers for each, its path ahead, and what it has learned.

| column                   | meaning                                                                                 |
|--------------------------|-----------------------------------------------------------------------------------------|
| `state`, `goal`          | states; `state` is -1 in a row that is not in use                                       |
| `id`                     | its id                                                                                  |
| `status`                 | of its last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING                          |
| `path`                   | states, stored from the end: it stands on `path[position]`                              |
| `step_costs`             | `step_costs[i]` is the cost of the step from `path[i]` to `path[i - 1]`                 |
| `position`               | number of steps ahead; 0: a search is due                                               |
| `path_capacity`          | number of steps for which memory is reserved                                            |
| `learned`, `h_offset`    | the h-values that it has learned: see `search/learned_table.py`                         |
| `known_increases`        | how many cost increases of the belief it has taken into account                         |
| `known_decreases`        | how many cost decreases of the belief it has taken into account                         |
| `due_since`              | the tick since which it waits to plan; -1: it does not wait                             |
| `failed_from`            | the state from which no path was found, if no cost has decreased since; -1: none        |
| `connected_version`      | version of the components in which it and its goal were last connected; -1: never       |
| `planner_flags`          | what its planner keeps of it beside h-values                                            |
| `rng_state`              | of the random ties of its open list                                                     |
| `expansions_since_check` | expansions since its goal was last checked for reachability, if components prove little |
| `detours`                | detours around other characters since it was last nearer to its goal than ever before   |
| `smallest_estimate`      | the smallest estimate to its goal so far, for `detours`                                 |
| `random_moves_left`      | how many more detours it takes at random                                                |
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import view, zeros
from replan.initialized import Initialized
from replan.limits import COMPLETE, INF, MAX_STATES, PARTIAL, WAITING
from replan.serialization import Archive
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if cython.compiled:
    from replan.arrays import table
else:
    from replan.interpreted import (
        SLOTS_PER_LINE,
        Character,
        allocate_lines,
        free_lines,
        ints_after,
        learned_table_of,
        longs_in,
    )
    from replan.search.learned_table import (
        MAX_NARROW_VALUE,
        MIN_LINES,
        allocate_table,
        free_table,
        list_entries,
        load_entries,
        table_bytes,
    )

ROW_WORDS = 16  # numbers of 64 bits in a row: two lines of memory
COLUMN_LAYOUT = {  # what `column` reads of a row: type and offset in bytes
    "state": ("i4", 0), "goal": ("i4", 4), "position": ("i4", 8), "id": ("i4", 12),
    "known_increases": ("i8", 56), "known_decreases": ("i8", 64), "h_offset": ("i8", 72), "rng_state": ("i8", 80), "smallest_estimate": ("i8", 88),
    "due_since": ("i8", 96), "expansions_since_check": ("i4", 104), "failed_from": ("i4", 112), "detours": ("i4", 116),
    "connected_version": ("i4", 120), "random_moves_left": ("i2", 124), "status": ("i1", 126), "planner_flags": ("i1", 127),
}  # fmt: skip
MAX_I32 = 0x7FFFFFFF
STEP_BYTES = 12  # bytes of a step of a path; five of them fill a line of memory


class Characters(Initialized):
    """A table with a row for each character: rows 0 .. used - 1, without the `spare` ones, are in use.

    occupancy[s] is the number of characters on state s.
    """

    character: Any
    occupancy: memoryview
    end_row: int
    row_capacity: int

    def __init__(self, states: int) -> None:
        self.check_not_initialized()
        self.table: Any = zeros(0, np.int64)
        self.end_row = self.row_capacity = 0
        self.unused_rows: list[int] = []
        self.occupancy = zeros(states, np.int32, True)
        self.reserve_rows(64)
        self.is_initialized = True

    def __dealloc__(self) -> None:
        for c in range(self.end_row):
            if self.character[c].state >= 0:
                self.free_memory(c)

    def reserve_rows(self, room: int) -> None:
        if cython.compiled:
            wider = table(room, ("",) * ROW_WORDS)
            np.asarray(wider)[: self.row_capacity * ROW_WORDS] = np.asarray(self.table)[: self.row_capacity * ROW_WORDS]
            rows = np.asarray(wider).view(np.uint8).reshape(-1, 8 * ROW_WORDS)
            columns = {
                name: rows[:, start : start + np.dtype(kind).itemsize].view(kind)[:, 0]
                for name, (kind, start) in COLUMN_LAYOUT.items()
            }
            self.table, self.columns = wider, columns
            self.character = character_rows(self.table)  # type: ignore[name-defined]  # noqa: F821
        else:
            characters = self.character if self.row_capacity else []
            self.character = [*characters, *(Character() for _ in range(self.row_capacity, room))]
        self.row_capacity = room

    def add_row(self, at: int, goal: int, id: int, rng_state: int) -> int:
        """Begin to use a row, and return its number."""
        if not self.unused_rows and self.end_row == self.row_capacity:
            self.reserve_rows(2 * self.row_capacity)
        c = self.unused_rows.pop() if self.unused_rows else self.end_row
        self.end_row = max(self.end_row, c + 1)
        character = self.character
        character[c].state, character[c].goal, character[c].id, character[c].rng_state = at, goal, id, rng_state
        character[c].due_since = -1
        character[c].h_offset = character[c].known_increases = character[c].known_decreases = 0
        character[c].planner_flags = character[c].expansions_since_check = 0
        self.reset_plan(c)
        self.init_memory(c)
        self.occupancy[at] += 1
        return c

    def remove_row(self, c: int) -> None:
        """The row is not in use any more."""
        self.occupancy[self.character[c].state] -= 1
        self.free_memory(c)
        self.character[c].state = -1
        self.unused_rows.append(c)

    def move_to(self, c: int, at: int) -> int:
        """Put a character on another state."""
        self.occupancy[self.character[c].state] -= 1
        self.occupancy[at] += 1
        self.character[c].state = at
        return self.reset_plan(c)

    def reset_plan(self, c: int) -> int:
        """It stands elsewhere, or its goal is another one: a search is due."""
        character = self.character
        character[c].status, character[c].position, character[c].failed_from, character[c].connected_version = PARTIAL, 0, -1, -1
        character[c].detours, character[c].random_moves_left, character[c].smallest_estimate = 0, 0, INF
        return 0

    def first_conflict(self, states: memoryview, rows: memoryview) -> int:
        """The first of these states that is listed twice, or occupied by a character of another row; -1: none."""
        character, conflict = self.character, -1
        for i in range(len(rows)):
            self.occupancy[character[rows[i]].state] -= 1
        for i in range(len(states)):
            if self.occupancy[states[i]] > 0 and conflict < 0:
                conflict = states[i]
            self.occupancy[states[i]] += 1
        for i in range(len(states)):
            self.occupancy[states[i]] -= 1
        for i in range(len(rows)):
            self.occupancy[character[rows[i]].state] += 1
        return conflict

    def free_memory(self, c: int) -> int:
        """Free the memory that belongs to the row."""
        free_table(learned_table_of(self.character, c))
        return free_lines(ints_after(self.character[c].step_costs, 0))

    def reserve_path(self, c: int, steps: int) -> int:
        """Reserve memory for a path of so many steps."""
        character = self.character
        room = steps + 5 - steps % 5
        if room > character[c].path_capacity or 4 * room < character[c].path_capacity:
            lines = allocate_lines(STEP_BYTES // 4 * room)
            free_lines(ints_after(character[c].step_costs, 0))
            character[c].step_costs, character[c].path_capacity = longs_in(lines), room
            character[c].path = ints_after(character[c].step_costs, room)
        return 0

    def column(self, name: str, rows: Any) -> np.ndarray[Any, Any]:
        """One of the COLUMNS, for these rows."""
        if cython.compiled:
            numbers: np.ndarray[Any, Any] = self.columns[name][rows].astype(np.int64)
            return numbers
        return np.array([getattr(self.character[c], name) for c in rows.tolist()], np.int64)

    # Saving: see `replan/serialization.py`.

    def serialize(self, bag: Archive, rows: np.ndarray[Any, Any], space: Space, ticks: int) -> None:
        """The characters of these rows, in this order. A table that is loaded is empty before."""
        n, count = space.n, len(rows)
        spare = bag.integers("unused_rows", self.unused_rows, 0, MAX_STATES)
        used = np.sort(np.concatenate([rows, spare]))
        bag.require(np.array_equal(used, np.arange(len(used))), "its rows are not those of its characters")
        if bag.is_loading:
            self.reserve_rows(max(self.row_capacity, len(used)))
            for c in rows.tolist():
                self.init_memory(c)
            self.set_column("state", spare, np.full(len(spare), -1))
            self.end_row, self.unused_rows = len(used), spare.tolist()
        last = {  # the range of each column
            "state": (0, n - 1), "goal": (0, n - 1), "position": (0, n - 1), "known_increases": (0, INF), "known_decreases": (0, INF),
            "h_offset": (0, INF >> 1), "rng_state": (0, MAX_I32), "smallest_estimate": (0, INF), "due_since": (-1, ticks),
            "expansions_since_check": (0, MAX_I32), "failed_from": (-1, n - 1), "detours": (0, MAX_I32), "connected_version": (-1, MAX_I32),
            "random_moves_left": (0, 0x7FFF), "status": (COMPLETE, WAITING), "planner_flags": (0, 0x7F),
        }  # fmt: skip
        for name, (low, high) in last.items():
            values = bag.integers(name, None if bag.is_loading else self.column(name, rows), low, high, count)
            if bag.is_loading:
                self.set_column(name, rows, values)
        if bag.is_loading:
            np.add.at(np.asarray(self.occupancy), self.column("state", rows), 1)
        self.serialize_paths(bag, rows, n)
        self.serialize_learned(bag, rows, n)

    def init_memory(self, c: int) -> int:
        """Begin to use a row that has no memory of its own."""
        character = self.character
        character[c].step_costs = longs_in(allocate_lines(0))
        character[c].path = ints_after(character[c].step_costs, 0)
        character[c].path_capacity = 0
        return allocate_table(learned_table_of(character, c), 0, False)

    def set_column(self, name: str, rows: Any, values: Any) -> None:
        """Set one of the COLUMNS for these rows."""
        if cython.compiled:
            self.columns[name][rows] = values
        else:
            for c, value in zip(rows.tolist(), values.tolist(), strict=True):
                setattr(self.character[c], name, value)

    def serialize_paths(self, bag: Archive, rows: np.ndarray[Any, Any], n: int) -> None:
        """The path ahead of each character that has one, one after the other."""
        steps = self.column("position", rows)
        length = int((steps + (steps > 0)).sum())
        states, costs = (np.zeros(0 if bag.is_loading else length, np.int64) for _ in range(2))
        if not bag.is_loading:
            self.copy_paths(view(rows), view(states), view(costs), False)
        states, costs = bag.states("path", states, n), bag.integers("step_costs", costs, 0, INF, length)
        bag.require(len(states) == length, "its paths are not as long as they say")
        if bag.is_loading:
            self.copy_paths(view(rows), view(states), view(costs), True)
            ends = np.cumsum(steps + (steps > 0))[steps > 0] - 1
            bag.require((states[ends] == self.column("state", rows)[steps > 0]).all(), "a path leads from elsewhere")

    def copy_paths(self, rows: memoryview, states: memoryview, costs: memoryview, loading: bool) -> int:
        """Between the rows and these arrays. costs[i] belongs to the step to states[i - 1]; that of the end is 0."""
        character, k = self.character, 0
        for i in range(len(rows)):
            c = rows[i]
            steps = character[c].position
            if loading:
                self.reserve_path(c, steps)
            for j in range(steps + 1 if steps > 0 else 0):
                if loading:
                    character[c].path[j], character[c].step_costs[j] = states[k], costs[k]
                else:
                    states[k], costs[k] = character[c].path[j], character[c].step_costs[j] if j > 0 else 0
                k += 1
        return k

    def serialize_learned(self, bag: Archive, rows: np.ndarray[Any, Any], n: int) -> None:
        """What each character has learned, one after the other, and how large its table is."""
        count, lines, wide = (np.zeros(len(rows), np.int64) for _ in range(3))
        if not bag.is_loading:
            for i, c in enumerate(rows.tolist()):
                table = self.character[c].learned
                count[i], lines[i], wide[i] = table.count, table.capacity // SLOTS_PER_LINE, table.wide
        count = bag.integers("learned_count", count, 0, n, len(rows))
        lines = bag.integers("learned_lines", lines, 0, MAX_I32, len(rows))
        wide = bag.integers("learned_wide", wide, 0, 1, len(rows))
        bag.require((count <= 5 * lines).all() and (lines <= 5 * count // 16 + MIN_LINES).all(), "tables are too large")
        total = int(count.sum())
        states, kept = (np.zeros(0 if bag.is_loading else total, kind) for kind in (np.int32, np.int64))
        if not bag.is_loading:
            self.copy_learned(view(rows), view(count), view(states), view(kept))
        states, kept = bag.states("learned_state", states, n), bag.integers("learned_h", kept, 0, INF, total)
        bag.require(len(states) == total, "it has learned other states than it says")
        narrow = np.repeat(wide == 0, count)
        bag.require((kept[narrow] <= MAX_NARROW_VALUE).all(), "a table holds numbers that do not fit")
        if bag.is_loading:
            narrowed = view(states.astype(np.int32))
            self.load_learned_tables(view(rows), view(count), view(lines), view(wide), narrowed, view(kept))

    def copy_learned(self, rows: memoryview, count: memoryview, states: memoryview, kept: memoryview) -> int:
        k = 0
        for i in range(len(rows)):
            end = k + count[i]
            list_entries(learned_table_of(self.character, rows[i]), states[k:end], kept[k:end])
            k = end
        return k

    def load_learned_tables(
        self,
        rows: memoryview,
        count: memoryview,
        lines: memoryview,
        wide: memoryview,
        states: memoryview,
        kept: memoryview,
    ) -> int:
        k = 0
        for i in range(len(rows)):
            end = k + count[i]
            table = learned_table_of(self.character, rows[i])
            load_entries(table, lines[i], wide[i] != 0, states[k:end], kept[k:end])
            k = end
        return k

    def learned_count(self, rows: Any) -> int:
        """The number of h-values that the characters of these rows have learned, in all."""
        total = 0
        for c in rows.tolist():
            total += self.character[c].learned.count
        return total

    def bytes_used(self, rows: Any) -> tuple[int, int, int]:
        """Bytes of these rows, of their paths, and of their learned h-values."""
        steps = tables = 0
        for c in rows.tolist():
            steps += self.character[c].path_capacity
            tables += table_bytes(learned_table_of(self.character, c))
        return 8 * ROW_WORDS * len(rows), STEP_BYTES * steps, tables
