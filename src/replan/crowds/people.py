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
| `mood`, `tie`  | what else its planner and its open list have of it                                               |
| `work`         | expansions since it was last looked at whether it can reach its goal                             |
| `held`         | how often others stood in its way since it last came nearer to its goal than ever before          |
| `wander`, `nearest` | how many more ways it takes at random because of that; how near that was                    |
| `number`       | its id                                                                                           |
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import grown, zeros
from replan.errors import InputError
from replan.limits import INF, PARTIAL

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import Character, free_ints, free_longs, learned_of, new_ints, new_longs
    from replan.search.learned import forget, resize

WORDS = 23  # numbers of 64 bits in a row, addresses and what `learned` consists of included
NUMBERS = ("at", "goal", "answer", "spot", "drop", "rises", "falls", "due", "shut", "mood", "tie", "work", "number")
STEP, STATE = 12, 12  # bytes of a step of a path, and of a place in a table of what is learned


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
            self.table = grown(self.table, room * WORDS)
            self.person = characters(self.table)  # type: ignore[name-defined]  # noqa: F821
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
        person[c].nearest = INF
        person[c].path, person[c].toll = new_ints(0), new_longs(0)
        resize(learned_of(person, c), 0)
        return c

    def leave(self, c: int) -> None:
        """Nobody has this row any more."""
        self.free(c)
        self.person[c].at = -1
        self.spare.append(c)

    def free(self, c: int) -> int:
        """Give back what is not in the row itself."""
        forget(learned_of(self.person, c))
        free_ints(self.person[c].path)
        free_longs(self.person[c].toll)
        return 0

    def lay_path(self, c: int, steps: int) -> int:
        """Have room for a path of so many steps."""
        person = self.person
        room = (steps + 8) & ~7
        if room > person[c].room or 4 * room < person[c].room:
            path, toll = new_ints(room), new_longs(room)
            free_ints(person[c].path)
            free_longs(person[c].toll)
            person[c].path, person[c].toll, person[c].room = path, toll, room
        return 0

    def column(self, name: str, rows: Any) -> np.ndarray[Any, Any]:
        """One of the NUMBERS of these rows."""
        if cython.compiled:
            numbers: np.ndarray[Any, Any] = np.asarray(self.table).reshape(-1, WORDS)[rows, NUMBERS.index(name)]
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
        steps = places = 0
        for c in rows.tolist():
            steps += self.person[c].room
            places += self.person[c].learned.room
        return 8 * WORDS * len(rows), STEP * steps, STATE * places
