"""Dynamic scenarios: a grid with scripted changes, so that all planners meet the same ones. Kept in a JSON file.

    {"replan": "dynamic_scenario", "version": 1, "neighbors": 8, "corners": "strict",
     "map": ["..#.", "...."], "start": [0, 0], "goal": [1, 3],
     "changes": [[5, 0, 2, "free"], [9, 0, 2, "blocked"]]}

`map` has a string for each row: `.` free, `#` blocked. `weights` (optional) has a list of whole numbers for each row.
`start` and `goal` are optional. A change is [step, row, column, "blocked" | "free" | weight].
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
FILE_KIND = "dynamic_scenario"

Cell = tuple[int, int]


class DynamicScenario:
    """A grid with scripted changes, and possibly a start and a goal.

    Parameters
    ----------
    grid
        The grid before the first change. It has no walls between cells.
    changes
        List of changes `(step, cell, to)`, as for `World`.
    start
        Cell on which a trip starts, None for any.
    goal
        Cell at which a trip ends, None for any.

    Raises
    ------
    InputError
        If the grid has walls between cells, or a change is not possible.

    Examples
    --------
    >>> door = DynamicScenario(Grid([[False, True, False]]), [(3, (0, 1), "free")], start=(0, 0), goal=(0, 2))
    >>> from replan import simulate
    >>> trip = simulate(door.make_world(), "Non-RTD*", door.start, door.goal)
    >>> trip.why, trip.moves, trip.waits
    ('reached', 2, 3)
    """

    def __init__(
        self, grid: Grid, changes: Iterable[Change], start: Cell | None = None, goal: Cell | None = None
    ) -> None:
        if not isinstance(grid, Grid) or grid.has_walls:
            raise InputError("a dynamic scenario needs a Grid without walls between cells")
        self.grid, self.start, self.goal = grid, start, goal
        self.changes: list[Change] = World(
            grid, changes=list(changes)
        ).changes  # raises InputError for a change that is not possible

    def make_world(self, sensor: str | Radius = "everything", known: str | Grid = "everything") -> World:
        """Return a world with these changes.

        Parameters
        ----------
        sensor
            As for `World`. By default the agent learns of every change at once.
        known
            As for `World`. By default the agent knows the map at first.

        Returns
        -------
        World
            The world. It has no target.
        """
        return World(self.grid, sensor=sensor, known=known, changes=self.changes)

    def save(self, path: str | Path) -> None:
        """Write the scenario to a JSON file, all at once.

        Parameters
        ----------
        path
            The file. An existing one is replaced.

        Raises
        ------
        InputError
            If the file cannot be written.

        Examples
        --------
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
        """Read a scenario from a file that `save` has written.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        DynamicScenario
            The scenario.

        Raises
        ------
        InputError
            If the file cannot be read. The message has its name and what is wrong in it.
        """
        file_path = Path(path)
        content = read_json(file_path, MAX_BYTES)
        try:
            return _from_json(content)
        except InputError as error:
            raise InputError(error.reason, file_path) from None

    def __repr__(self) -> str:
        return f"<DynamicScenario: {self.grid!r}, {format_count(len(self.changes), 'change')}>"


def _to_json(to: Any) -> Any:
    """Return the `to` of a change as "blocked", "free" or a weight."""
    if isinstance(to, (bool, np.bool_)):
        return "blocked" if to else "free"
    return to if isinstance(to, str) else int(to)


def _from_json(content: Any) -> DynamicScenario:
    """Return the scenario in the content of a file. Raises InputError."""
    if not isinstance(content, dict) or content.get("replan") != FILE_KIND or content.get("version") != 1:
        raise InputError(
            'is no dynamic scenario: it should begin with {"replan": "dynamic_scenario", "version": 1, ...'
        )
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
    """Return the blocked cells of a map. Raises InputError."""
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
        raise InputError("map is a list of strings, one for each row")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(f"row {i} of the map has {len(row)} characters, row 0 has {len(rows[0])}")
        if row.strip(".#"):
            unknown = short_repr(row.strip(".#")[0])
            raise InputError(f"row {i} of the map has {unknown}; known are . (free) and # (blocked)")
    return np.array([[character == "#" for character in row] for row in rows], bool).reshape(len(rows), -1)


def _weights(listed: Any, blocked: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """Return the weights, None if there are none. Raises InputError."""
    if listed is None:
        return None
    rows = listed if isinstance(listed, list) else []
    are_valid = all(isinstance(row, list) and all(type(w) is int and abs(w) < 2**31 for w in row) for row in rows)
    if not are_valid or [len(row) for row in rows] != [blocked.shape[1]] * blocked.shape[0]:
        raise InputError("weights is a list of rows of whole numbers, as large as the map")
    return np.array(rows)


def _cell(name: str, listed: Any, grid: Grid) -> Cell | None:
    """Return the start or goal, None if there is none. Raises InputError."""
    if listed is None:
        return None
    if not isinstance(listed, list) or [type(x) for x in listed] != [int, int]:
        raise InputError(f"{name} is [row, column], not {short_repr(listed)}")
    return grid.key(grid.state(listed))


def _change(i: int, listed: Any, grid: Grid) -> Change:
    """Return change i of the list in a file. Raises InputError."""
    if not isinstance(listed, list) or [type(x) for x in listed[:3]] != [int] * 3 or len(listed) != 4:
        raise InputError(f"change {i} is [step, row, column, to], not {short_repr(listed)}")
    step, row, col, to = listed
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
