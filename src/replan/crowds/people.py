"""The characters of a crowd: a row of numbers for each, its path ahead, and what it has learned.

| number         | meaning                                                                                          |
|----------------|--------------------------------------------------------------------------------------------------|
| `at`, `goal`   | states; -1 in a row that nobody has                                                              |
| `answer`       | of its last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING                                   |
| `path`, `toll` | as a planner's trail: it stands on `path[spot]`, and `toll[i]` leads from path[i] to path[i - 1] |
| `spot`         | steps ahead; 0: a search is due                                                                  |
| `learned`      | see `search/learned.py`; `drop` belongs to it                                                    |
| `rises`, `falls` | how many changes of the belief it has heard of                                                 |
| `due`          | the frame since which it waits for its turn, -1: it does not                                     |
| `shut`         | from this state no way was found, and nothing was heard since that could be one; -1: none        |
| `linked`       | since this labelling of the belief its goal is known to hang together with it; -1: it is not     |
| `mood`, `tie`  | what else its planner and its open list have of it                                               |
| `work`         | expansions since it was last looked at whether it can reach its goal, where labels prove little  |
| `held`         | how often others stood in its way since it last came nearer to its goal than ever before          |
| `wander`, `nearest` | how many more ways it takes at random because of that; how near that was                    |
| `number`       | its id                                                                                           |
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
NUMBERS = {  # what `column` reads of a row, and where it stands
    "at": ("i4", 0), "goal": ("i4", 4), "spot": ("i4", 8), "due": ("i8", 96), "number": ("i4", 12),
    "answer": ("i1", 126),
}  # fmt: skip
STEP = 12  # bytes of a step of a path; five of them fill a line of memory


class People:
    """The rows. `used` of them have been given out, some of which may have been given back since (`spare`)."""

    person: Any
    used: int
    room: int

    def __init__(self) -> None:
        if self.room > 0 if cython.compiled else hasattr(self, "room"):
            raise InputError("these people have been made already: make others")
        self.table: Any = zeros(0, np.int64)
        self.used = self.room = 0
        self.spare: list[int] = []
        self.make_room(64)

    def __dealloc__(self) -> None:
        for c in range(self.used):
            if self.person[c].at >= 0:
                self.free(c)

    def make_room(self, room: int) -> None:
        if cython.compiled:
            wider = table(room, ("",) * WORDS)
            np.asarray(wider)[: self.room * WORDS] = np.asarray(self.table)[: self.room * WORDS]
            self.table = wider
            self.person = characters(self.table)  # type: ignore[name-defined]  # noqa: F821
            rows = np.asarray(self.table).view(np.uint8).reshape(-1, 8 * WORDS)
            self.columns = {
                name: rows[:, start : start + np.dtype(kind).itemsize].view(kind)[:, 0]
                for name, (kind, start) in NUMBERS.items()
            }
        else:
            people = self.person if self.room else []
            self.person = [*people, *(Character() for _ in range(self.room, room))]
        self.room = room

    def enter(self, at: int, goal: int, number: int, tie: int) -> int:
        """A row for somebody new."""
        if not self.spare and self.used == self.room:
            self.make_room(2 * self.room)
        c = self.spare.pop() if self.spare else self.used
        self.used = max(self.used, c + 1)
        person = self.person
        person[c].at, person[c].goal, person[c].number, person[c].tie = at, goal, number, tie
        person[c].answer, person[c].due, person[c].shut = PARTIAL, -1, -1
        person[c].spot = person[c].drop = person[c].rises = person[c].falls = 0
        person[c].mood = person[c].work = person[c].held = person[c].wander = person[c].room = 0
        person[c].nearest, person[c].linked = INF, -1
        person[c].toll = longs_in(new_lines(0))
        person[c].path = ints_after(person[c].toll, 0)
        resize(learned_of(person, c), 0, False)
        return c

    def leave(self, c: int) -> None:
        """Nobody has this row any more."""
        self.free(c)
        self.person[c].at = -1
        self.spare.append(c)

    def free(self, c: int) -> int:
        """Give back what is not in the row itself."""
        forget(learned_of(self.person, c))
        return free_lines(ints_after(self.person[c].toll, 0))

    def lay_path(self, c: int, steps: int) -> int:
        """Have room for a path of so many steps."""
        person = self.person
        room = steps + 5 - steps % 5
        if room > person[c].room or 4 * room < person[c].room:
            lines = new_lines(STEP // 4 * room)
            free_lines(ints_after(person[c].toll, 0))
            person[c].toll, person[c].room = longs_in(lines), room
            person[c].path = ints_after(person[c].toll, room)
        return 0

    def column(self, name: str, rows: Any) -> np.ndarray[Any, Any]:
        """One of the NUMBERS of these rows."""
        if cython.compiled:
            numbers: np.ndarray[Any, Any] = self.columns[name][rows].astype(np.int64)
            return numbers
        return np.array([getattr(self.person[c], name) for c in rows.tolist()], np.int64)

    def learned(self, rows: Any) -> int:
        """How many states have these learned of, all together?"""
        total = 0
        for c in rows.tolist():
            total += self.person[c].learned.count
        return total

    def taken(self, rows: Any) -> tuple[int, int, int]:
        """The bytes that these take: their rows, their paths, what they have learned."""
        steps = tables = 0
        for c in rows.tolist():
            steps += self.person[c].room
            tables += bytes_of(learned_of(self.person, c))
        return 8 * WORDS * len(rows), STEP * steps, tables
