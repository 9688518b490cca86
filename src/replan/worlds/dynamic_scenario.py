"""A grid with a recorded sequence of changes, so that every planner meets the same ones; kept in a JSON file.

    {"replan": "recording", "version": 1, "neighbors": 8, "corners": "strict",
     "map": ["..#.", "...."], "start": [0, 0], "goal": [1, 3],
     "changes": [[5, 0, 2, "free"], [9, 0, 2, "blocked"]]}

`map` has one string a row: `.` free, `#` blocked. `weights` (optional) has one list of whole numbers a row, `start` and
`goal` are optional. A change is [step, row, column, "blocked" | "free" | weight].
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from replan.atomic_write import write_bytes
from replan.errors import InputError, short_repr
from replan.formatting import format_count
from replan.maps.files import read_json
from replan.spaces.grid import Grid
from replan.worlds.changes import Change
from replan.worlds.sensors import Radius
from replan.worlds.world import World

MAX_BYTES = 2**28
MAX_CHANGES = 10**7
FILE_KIND = "recording"

Cell = tuple[int, int]


class DynamicScenario:
    """A grid and what happens to it: `grid`, `changes`, and where a trip may begin and end: `start`, `goal`.

    >>> door = DynamicScenario(Grid([[False, True, False]]), [(3, (0, 1), "free")], start=(0, 0), goal=(0, 2))
    >>> from replan import simulate
    >>> trip = simulate(door.world(), "Non-RTD*", door.start, door.goal)
    >>> trip.why, trip.moves, trip.waits
    ('reached', 2, 3)
    """

    def __init__(
        self, grid: Grid, changes: Iterable[Change], start: Cell | None = None, goal: Cell | None = None
    ) -> None:
        if not isinstance(grid, Grid) or grid.has_walls:
            raise InputError("a recording is made of a Grid without walls between cells")
        self.grid, self.start, self.goal = grid, start, goal
        self.changes: list[Change] = World(grid, changes=list(changes)).changes  # refuses what cannot happen

    def make_world(self, sensor: str | Radius = "everything", known: str | Grid = "everything") -> World:
        """A world in which all of it happens. The agent knows the map at first and hears of every change at once.

        With another sensor it notices only what that shows.
        """
        return World(self.grid, sensor=sensor, known=known, changes=self.changes)

    def save(self, path: str | Path) -> None:
        """Write it to a JSON file, all at once. Raises InputError.

        >>> import tempfile
        >>> door = DynamicScenario(Grid([[False, True, False]]), [(3, (0, 1), "free")], start=(0, 0), goal=(0, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     door.save(f"{folder}/door.json")
        ...     print(DynamicScenario.load(f"{folder}/door.json").changes)
        [(3, (0, 1), 'free')]
        """
        grid = self.grid
        content = {
            "replan": FILE_KIND,
            "version": 1,
            "neighbors": grid.neighbors,
            "corners": grid.corners,
            "order": grid.order,
            "map": ["".join("#" if cell else "." for cell in row) for row in grid.blocked.tolist()],
            **({"weights": grid.values_if_free(...).tolist()} if grid.is_weighted else {}),
            "start": self.start,
            "goal": self.goal,
            "changes": [[step, *(int(x) for x in cell), _to_json(to)] for step, cell, to in self.changes],
        }
        write_bytes(Path(path), (json.dumps(content, separators=(",", ":")) + "\n").encode())

    @classmethod
    def load(cls, path: str | Path) -> DynamicScenario:
        """Read what `save` wrote. Raises InputError naming the file and what is wrong in it."""
        file = Path(path)
        content = read_json(file, MAX_BYTES)
        try:
            return _from_json(content)
        except InputError as error:
            raise InputError(error.reason, file) from None

    def __repr__(self) -> str:
        return f"<Recording: {self.grid!r}, {format_count(len(self.changes), 'change')}>"


def _to_json(to: Any) -> Any:
    if isinstance(to, (bool, np.bool_)):
        return "blocked" if to else "free"
    return to if isinstance(to, str) else int(to)


def _from_json(content: Any) -> DynamicScenario:
    if not isinstance(content, dict) or content.get("replan") != FILE_KIND or content.get("version") != 1:
        raise InputError('is no recording: it should begin with {"replan": "recording", "version": 1, ...')
    corners, order = content.get("corners", "strict"), content.get("order", "straight first")
    for name, word in (("corners", corners), ("order", order)):
        if not isinstance(word, str):
            raise InputError(f"{name} is a word, not {short_repr(word)}")
    blocked = _map(content.get("map"))
    weights = _weights(content.get("weights"), blocked)
    grid = Grid(blocked, content.get("neighbors", 8), weights, corners, order=order)
    changes = content.get("changes")
    if not isinstance(changes, list) or len(changes) > MAX_CHANGES:
        raise InputError(f"changes is a list of at most {MAX_CHANGES:,} of [step, row, column, to]")
    ends = {name: _cell(name, content.get(name), grid) for name in ("start", "goal")}
    return DynamicScenario(grid, [_change(i, change, grid) for i, change in enumerate(changes)], **ends)


def _map(rows: Any) -> np.ndarray[Any, Any]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
        raise InputError("map is a list of strings, one a row")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(f"row {i} of the map has {len(row)} characters, row 0 has {len(rows[0])}")
        if row.strip(".#"):
            strange = short_repr(row.strip(".#")[0])
            raise InputError(f"row {i} of the map holds {strange}; known are . (free) and # (blocked)")
    return np.array([[character == "#" for character in row] for row in rows], bool).reshape(len(rows), -1)


def _weights(given: Any, blocked: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    if given is None:
        return None
    rows = given if isinstance(given, list) else []
    whole = all(isinstance(row, list) and all(type(w) is int and abs(w) < 2**31 for w in row) for row in rows)
    if not whole or [len(row) for row in rows] != [blocked.shape[1]] * blocked.shape[0]:
        raise InputError("weights is a list of rows of whole numbers, as large as the map")
    return np.array(rows)


def _cell(name: str, given: Any, grid: Grid) -> Cell | None:
    if given is None:
        return None
    if not isinstance(given, list) or [type(x) for x in given] != [int, int]:
        raise InputError(f"{name} is [row, column], not {short_repr(given)}")
    return grid.key(grid.state(given))


def _change(i: int, given: Any, grid: Grid) -> Change:
    if not isinstance(given, list) or [type(x) for x in given[:3]] != [int] * 3 or len(given) != 4:
        raise InputError(f"change {i} is [step, row, column, to], not {short_repr(given)}")
    step, row, col, to = given
    if type(to) is not int and to not in ("blocked", "free"):
        raise InputError(f"change {i}: a cell becomes 'blocked', 'free' or gets a weight, not {short_repr(to)}")
    if not 0 <= step < 2**62:
        raise InputError(f"change {i}: a step is a whole number from 0, not {short_repr(step)}")
    try:
        grid.state((row, col))
        if type(to) is int:
            grid.value_of_weight(to)
    except InputError as error:
        raise InputError(f"change {i}: {error.reason}") from None
    return step, (row, col), to
