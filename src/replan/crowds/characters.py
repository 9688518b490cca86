"""The characters of a crowd: a table with a row for each, with its path and its learned h-values.

| column                   | meaning                                                                                 |
|--------------------------|-----------------------------------------------------------------------------------------|
| `state`, `goal`          | states; `state` is -1 in a row that is not in use                                       |
| `id`                     | its id                                                                                  |
| `status`                 | of its last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING                          |
| `path`                   | states, stored from the end: the character stands on `path[position]`                   |
| `step_costs`             | `step_costs[i]` is the cost of the step from `path[i]` to `path[i - 1]`                 |
| `position`               | number of steps ahead; 0: a search is due                                               |
| `path_capacity`          | number of steps for which memory is reserved                                            |
| `learned`, `h_offset`    | its learned h-values: see `search/learned_table.py`                                     |
| `known_increases`        | number of cost increases of the belief that were applied to it                          |
| `known_decreases`        | number of cost decreases of the belief that were applied to it                          |
| `due_since`              | the tick in which it became due to plan; -1: it is not due                              |
| `failed_from`            | the state from which no path was found, if no cost has decreased since; -1: none        |
| `connected_version`      | version of the components in which it and its goal were last connected; -1: never       |
| `planner_flags`          | flags that its planner stores for it                                                    |
| `rng_state`              | random state of its tie-breaking                                                        |
| `expansions_since_check` | expansions since its goal was last checked for reachability, if components prove little |
| `detours`                | detours around other characters since its `smallest_estimate` last decreased            |
| `smallest_estimate`      | the smallest estimate to its goal so far, for `detours`                                 |
| `random_moves_left`      | number of random moves that it still takes                                              |
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

ROW_WORDS = 16  # 64-bit numbers in a row: two cache lines
COLUMN_LAYOUT = {  # type and offset in bytes of each column
    "state": ("i4", 0), "goal": ("i4", 4), "position": ("i4", 8), "id": ("i4", 12),
    "known_increases": ("i8", 56), "known_decreases": ("i8", 64), "h_offset": ("i8", 72), "rng_state": ("i8", 80),
    "smallest_estimate": ("i8", 88),
    "due_since": ("i8", 96), "expansions_since_check": ("i4", 104), "failed_from": ("i4", 112),
    "detours": ("i4", 116), "connected_version": ("i4", 120),
    "random_moves_left": ("i2", 124), "status": ("i1", 126), "planner_flags": ("i1", 127),
}  # fmt: skip
MAX_I32 = 0x7FFFFFFF
STEP_BYTES = 12  # bytes per step of a path; five fill a cache line


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
        """Reserve memory for this number of rows."""
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

    def add_row(self, state: int, goal: int, id: int, rng_state: int) -> int:
        """Fill a row for a new character. Returns the row."""
        if not self.unused_rows and self.end_row == self.row_capacity:
            self.reserve_rows(2 * self.row_capacity)
        c = self.unused_rows.pop() if self.unused_rows else self.end_row
        self.end_row = max(self.end_row, c + 1)
        character = self.character
        character[c].state, character[c].goal, character[c].id, character[c].rng_state = state, goal, id, rng_state
        character[c].due_since = -1
        character[c].h_offset = character[c].known_increases = character[c].known_decreases = 0
        character[c].planner_flags = character[c].expansions_since_check = 0
        self.reset_plan(c)
        self.init_memory(c)
        self.occupancy[state] += 1
        return c

    def remove_row(self, c: int) -> None:
        """Free a row."""
        self.occupancy[self.character[c].state] -= 1
        self.free_memory(c)
        self.character[c].state = -1
        self.unused_rows.append(c)

    def move_to(self, c: int, state: int) -> int:
        """Set the state of a character."""
        self.occupancy[self.character[c].state] -= 1
        self.occupancy[state] += 1
        self.character[c].state = state
        return self.reset_plan(c)

    def reset_plan(self, c: int) -> int:
        """Delete the path of a character, whose state or goal has changed."""
        character = self.character
        character[c].status, character[c].position, character[c].failed_from, character[c].connected_version = (
            PARTIAL,
            0,
            -1,
            -1,
        )
        character[c].detours, character[c].random_moves_left, character[c].smallest_estimate = 0, 0, INF
        return 0

    def first_conflict(self, states: memoryview, rows: memoryview) -> int:
        """Return the first of these states that is listed twice or occupied by a character of another row; -1: none."""
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
        """Free the path and the learned h-values of a row."""
        free_table(learned_table_of(self.character, c))
        return free_lines(ints_after(self.character[c].step_costs, 0))

    def reserve_path(self, c: int, steps: int) -> int:
        """Reserve memory for a path with this number of steps."""
        character = self.character
        room = steps + 5 - steps % 5
        if room > character[c].path_capacity or 4 * room < character[c].path_capacity:
            lines = allocate_lines(STEP_BYTES // 4 * room)
            free_lines(ints_after(character[c].step_costs, 0))
            character[c].step_costs, character[c].path_capacity = longs_in(lines), room
            character[c].path = ints_after(character[c].step_costs, room)
        return 0

    def column(self, name: str, rows: Any) -> np.ndarray[Any, Any]:
        """Return a column of COLUMN_LAYOUT for these rows."""
        if cython.compiled:
            numbers: np.ndarray[Any, Any] = self.columns[name][rows].astype(np.int64)
            return numbers
        return np.array([getattr(self.character[c], name) for c in rows.tolist()], np.int64)

    # Saving: see `replan/serialization.py`.

    def serialize(self, archive: Archive, rows: np.ndarray[Any, Any], space: Space, ticks: int) -> None:
        """Save or load the characters of these rows, in this order. Load only into an empty table."""
        n, count = space.n, len(rows)
        unused_rows = archive.integers("unused_rows", self.unused_rows, 0, MAX_STATES)
        used = np.sort(np.concatenate([rows, unused_rows]))
        archive.require(np.array_equal(used, np.arange(len(used))), "its rows are not those of its characters")
        if archive.is_loading:
            self.reserve_rows(max(self.row_capacity, len(used)))
            for c in rows.tolist():
                self.init_memory(c)
            self.set_column("state", unused_rows, np.full(len(unused_rows), -1))
            self.end_row, self.unused_rows = len(used), unused_rows.tolist()
        ranges = {  # the range of each column
            "state": (0, n - 1), "goal": (0, n - 1), "position": (0, n - 1),
            "known_increases": (0, INF), "known_decreases": (0, INF),
            "h_offset": (0, INF >> 1), "rng_state": (0, MAX_I32),
            "smallest_estimate": (0, INF), "due_since": (-1, ticks),
            "expansions_since_check": (0, MAX_I32), "failed_from": (-1, n - 1), "detours": (0, MAX_I32),
            "connected_version": (-1, MAX_I32),
            "random_moves_left": (0, 0x7FFF), "status": (COMPLETE, WAITING), "planner_flags": (0, 0x7F),
        }  # fmt: skip
        for name, (low, high) in ranges.items():
            values = archive.integers(name, None if archive.is_loading else self.column(name, rows), low, high, count)
            if archive.is_loading:
                self.set_column(name, rows, values)
        if archive.is_loading:
            np.add.at(np.asarray(self.occupancy), self.column("state", rows), 1)
        self.serialize_paths(archive, rows, n)
        self.serialize_learned(archive, rows, n)

    def init_memory(self, c: int) -> int:
        """Allocate the memory of a new row."""
        character = self.character
        character[c].step_costs = longs_in(allocate_lines(0))
        character[c].path = ints_after(character[c].step_costs, 0)
        character[c].path_capacity = 0
        return allocate_table(learned_table_of(character, c), 0, False)

    def set_column(self, name: str, rows: Any, values: Any) -> None:
        """Set a column for these rows."""
        if cython.compiled:
            self.columns[name][rows] = values
        else:
            for c, value in zip(rows.tolist(), values.tolist(), strict=True):
                setattr(self.character[c], name, value)

    def serialize_paths(self, archive: Archive, rows: np.ndarray[Any, Any], n: int) -> None:
        """Save or load the remaining paths of all characters, in one array."""
        steps = self.column("position", rows)
        length = int((steps + (steps > 0)).sum())
        states, costs = (np.zeros(0 if archive.is_loading else length, np.int64) for _ in range(2))
        if not archive.is_loading:
            self.copy_paths(view(rows), view(states), view(costs), False)
        states, costs = archive.states("path", states, n), archive.integers("step_costs", costs, 0, INF, length)
        archive.require(len(states) == length, "the lengths of its paths are wrong")
        if archive.is_loading:
            self.copy_paths(view(rows), view(states), view(costs), True)
            ends = np.cumsum(steps + (steps > 0))[steps > 0] - 1
            archive.require(
                (states[ends] == self.column("state", rows)[steps > 0]).all(), "a path does not begin at its character"
            )

    def copy_paths(self, rows: memoryview, states: memoryview, costs: memoryview, loading: bool) -> int:
        """Copy paths between the rows and these arrays. costs[i]: of the step to states[i - 1], 0 at the end."""
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

    def serialize_learned(self, archive: Archive, rows: np.ndarray[Any, Any], n: int) -> None:
        """Save or load the learned h-values of all characters, in one array, and the sizes of their tables."""
        count, lines, wide = (np.zeros(len(rows), np.int64) for _ in range(3))
        if not archive.is_loading:
            for i, c in enumerate(rows.tolist()):
                table = self.character[c].learned
                count[i], lines[i], wide[i] = table.count, table.capacity // SLOTS_PER_LINE, table.wide
        count = archive.integers("learned_count", count, 0, n, len(rows))
        lines = archive.integers("learned_lines", lines, 0, MAX_I32, len(rows))
        wide = archive.integers("learned_wide", wide, 0, 1, len(rows))
        archive.require(
            (count <= 5 * lines).all() and (lines <= 5 * count // 16 + MIN_LINES).all(), "tables are too large"
        )
        total = int(count.sum())
        states, h_values = (np.zeros(0 if archive.is_loading else total, kind) for kind in (np.int32, np.int64))
        if not archive.is_loading:
            self.copy_learned(view(rows), view(count), view(states), view(h_values))
        states, h_values = (
            archive.states("learned_state", states, n),
            archive.integers("learned_h", h_values, 0, INF, total),
        )
        archive.require(len(states) == total, "the number of learned states is wrong")
        narrow = np.repeat(wide == 0, count)
        archive.require((h_values[narrow] <= MAX_NARROW_VALUE).all(), "a table has values that are too large")
        if archive.is_loading:
            narrowed = view(states.astype(np.int32))
            self.load_learned_tables(view(rows), view(count), view(lines), view(wide), narrowed, view(h_values))

    def copy_learned(self, rows: memoryview, count: memoryview, states: memoryview, h_values: memoryview) -> int:
        """Copy the learned h-values of these rows to arrays."""
        k = 0
        for i in range(len(rows)):
            end = k + count[i]
            list_entries(learned_table_of(self.character, rows[i]), states[k:end], h_values[k:end])
            k = end
        return k

    def load_learned_tables(
        self,
        rows: memoryview,
        count: memoryview,
        lines: memoryview,
        wide: memoryview,
        states: memoryview,
        h_values: memoryview,
    ) -> int:
        k = 0
        for i in range(len(rows)):
            end = k + count[i]
            table = learned_table_of(self.character, rows[i])
            load_entries(table, lines[i], wide[i] != 0, states[k:end], h_values[k:end])
            k = end
        return k

    def learned_count(self, rows: Any) -> int:
        """Return the number of h-values that the characters of these rows have learned."""
        total = 0
        for c in rows.tolist():
            total += self.character[c].learned.count
        return total

    def bytes_used(self, rows: Any) -> tuple[int, int, int]:
        """Return the bytes of these rows, of their paths, and of their learned h-values."""
        steps = tables = 0
        for c in rows.tolist():
            steps += self.character[c].path_capacity
            tables += table_bytes(learned_table_of(self.character, c))
        return 8 * ROW_WORDS * len(rows), STEP_BYTES * steps, tables
