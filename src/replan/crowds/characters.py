"""The characters of a crowd: a row of numbers for each, its path ahead, and what it has learned.

| column              | meaning                                                                                       |
|---------------------|-----------------------------------------------------------------------------------------------|
| `at`, `goal`        | states; `at` is -1 in a row that is not in use                                                |
| `id`                | its id                                                                                        |
| `status`            | of its last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING                                |
| `path`              | states, stored from the end: it stands on `path[position]`                                     |
| `step_costs`        | `step_costs[i]` is the cost of the step from `path[i]` to `path[i - 1]`                        |
| `position`          | number of steps ahead; 0: a search is due                                                     |
| `path_capacity`     | number of steps for which memory is reserved                                                  |
| `learned`, `drop`   | the h-values that it has learned: see `search/learned.py`                                     |
| `rises`, `falls`    | how many cost increases and decreases of the belief it has taken into account                 |
| `due_since`         | the tick since which it waits to plan; -1: it does not wait                                   |
| `failed_from`       | the state from which no path was found, if no cost has decreased since; -1: none              |
| `linked`            | version of the components in which it and its goal were last connected; -1: never             |
| `planner_flags`     | what its planner keeps of it beside h-values                                                  |
| `rng_state`         | of the random ties of its open list                                                           |
| `work`              | expansions since its goal was last checked for reachability, where components prove little    |
| `detours`           | detours around other characters since it was last nearer to its goal than ever before         |
| `nearest`           | the smallest estimate to its goal so far, for `detours`                                       |
| `random_moves`      | how many more detours it takes at random                                                      |
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import zeros
from replan.errors import InputError
from replan.limits import INF, PARTIAL

try:
    import cython
except ImportError:
    from replan import _cython as cython

if cython.compiled:
    from replan.arrays import table
else:
    from replan.interpreted import Character, free_lines, ints_after, learned_of, longs_in, new_lines
    from replan.search.learned import bytes_of, forget, resize

WORDS = 16  # numbers of 64 bits in a row: two lines of memory
COLUMNS = {  # what `column` reads of a row: type and offset in bytes
    "at": ("i4", 0), "goal": ("i4", 4), "position": ("i4", 8), "id": ("i4", 12), "due_since": ("i8", 96),
    "status": ("i1", 126),
}  # fmt: skip
STEP = 12  # bytes of a step of a path; five of them fill a line of memory


class Characters:
    """A table with a row for each character: rows 0 .. used - 1, without the `spare` ones, are in use.

    occupancy[s] is the number of characters on state s.
    """

    character: Any
    occupancy: memoryview
    used: int
    room: int

    def __init__(self, states: int) -> None:
        if self.room > 0 if cython.compiled else hasattr(self, "room"):
            raise InputError("this table of characters has been made already: make another one")
        self.table: Any = zeros(0, np.int64)
        self.used = self.room = 0
        self.spare: list[int] = []
        self.occupancy = zeros(states, np.int32, True)
        self.make_room(64)

    def __dealloc__(self) -> None:
        for c in range(self.used):
            if self.character[c].at >= 0:
                self.free(c)

    def make_room(self, room: int) -> None:
        if cython.compiled:
            wider = table(room, ("",) * WORDS)
            np.asarray(wider)[: self.room * WORDS] = np.asarray(self.table)[: self.room * WORDS]
            rows = np.asarray(wider).view(np.uint8).reshape(-1, 8 * WORDS)
            columns = {
                name: rows[:, start : start + np.dtype(kind).itemsize].view(kind)[:, 0]
                for name, (kind, start) in COLUMNS.items()
            }
            self.table, self.columns = wider, columns
            self.character = character_rows(self.table)  # type: ignore[name-defined]  # noqa: F821
        else:
            characters = self.character if self.room else []
            self.character = [*characters, *(Character() for _ in range(self.room, room))]
        self.room = room

    def enter(self, at: int, goal: int, id: int, rng_state: int) -> int:
        """Begin to use a row, and return its number."""
        if not self.spare and self.used == self.room:
            self.make_room(2 * self.room)
        c = self.spare.pop() if self.spare else self.used
        self.used = max(self.used, c + 1)
        character = self.character
        character[c].at, character[c].goal, character[c].id, character[c].rng_state = at, goal, id, rng_state
        character[c].due_since = -1
        character[c].drop = character[c].rises = character[c].falls = 0
        character[c].planner_flags = character[c].work = character[c].path_capacity = 0
        self.forget_path(c)
        character[c].step_costs = longs_in(new_lines(0))
        character[c].path = ints_after(character[c].step_costs, 0)
        resize(learned_of(character, c), 0, False)
        self.occupancy[at] += 1
        return c

    def leave(self, c: int) -> None:
        """The row is not in use any more."""
        self.occupancy[self.character[c].at] -= 1
        self.free(c)
        self.character[c].at = -1
        self.spare.append(c)

    def place(self, c: int, at: int) -> int:
        """Put a character on another state."""
        self.occupancy[self.character[c].at] -= 1
        self.occupancy[at] += 1
        self.character[c].at = at
        return self.forget_path(c)

    def forget_path(self, c: int) -> int:
        """It stands elsewhere, or its goal is another one: a search is due."""
        character = self.character
        character[c].status, character[c].position, character[c].failed_from, character[c].linked = PARTIAL, 0, -1, -1
        character[c].detours, character[c].random_moves, character[c].nearest = 0, 0, INF
        return 0

    def first_conflict(self, states: memoryview, rows: memoryview) -> int:
        """The first of these states that is listed twice, or occupied by a character of another row; -1: none."""
        character, conflict = self.character, -1
        for i in range(len(rows)):
            self.occupancy[character[rows[i]].at] -= 1
        for i in range(len(states)):
            if self.occupancy[states[i]] > 0 and conflict < 0:
                conflict = states[i]
            self.occupancy[states[i]] += 1
        for i in range(len(states)):
            self.occupancy[states[i]] -= 1
        for i in range(len(rows)):
            self.occupancy[character[rows[i]].at] += 1
        return conflict

    def free(self, c: int) -> int:
        """Free the memory that belongs to the row."""
        forget(learned_of(self.character, c))
        return free_lines(ints_after(self.character[c].step_costs, 0))

    def reserve_path(self, c: int, steps: int) -> int:
        """Reserve memory for a path of so many steps."""
        character = self.character
        room = steps + 5 - steps % 5
        if room > character[c].path_capacity or 4 * room < character[c].path_capacity:
            lines = new_lines(STEP // 4 * room)
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

    def learned(self, rows: Any) -> int:
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
            tables += bytes_of(learned_of(self.character, c))
        return 8 * WORDS * len(rows), STEP * steps, tables
