"""What somebody wants to watch: a map, planners, what is known and seen. It comes from the page, and is checked."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.planner_names import parse_planner
from replan.maps.formats import parse
from replan.maps.generators import cave, maze, random_obstacles, rooms
from replan.maps.library import builtin, builtin_names
from replan.planners.base import Planner
from replan.spaces.grid import Grid
from replan.viewer.memory import bytes_needed
from replan.worlds.doors import rooms_with_doors
from replan.worlds.problems import far_apart, refuse_blocked
from replan.worlds.sensors import Radius, sensor_from
from replan.worlds.targets import Flee, Target, Wander
from replan.worlds.world import World

MOST_SIDE = 4096
MOST_CELLS = 4096 * 4096
MOST_STATES = 1 << 21  # of larger maps g and h are not kept: they take hundreds of bytes a state, and seconds at first
MOST_UPLOAD = 20_000_000  # bytes
MOST_PLANNERS = 4
MOST_EDITS = 1000
MOST_EDITED = 10_000  # cells in one edit
TARGETS: dict[str, Callable[..., Target]] = {"flees": Flee, "wanders": Wander}
MAKERS: dict[str, Callable[[int, int, int], Any]] = {
    "new-maze": lambda rows, cols, seed: maze(rows | 1, cols | 1, openings=rows * cols // 200, seed=seed),
    "new-cave": lambda rows, cols, seed: cave(rows, cols, seed=seed),
    "new-rooms": lambda rows, cols, seed: rooms(rows, cols, room=max(3, min(rows, cols) // 12), seed=seed),
    "new-random": lambda rows, cols, seed: random_obstacles(rows, cols, density=0.3, seed=seed),
    "new-open": lambda rows, cols, seed: random_obstacles(rows, cols, density=0.0, seed=seed),
}
DOORS = "new-doors"
Cell = tuple[int, int]


@dataclass(frozen=True)
class Settings:
    """All that a trip depends on. A map is a built-in one, one that is made from a seed, or one that was handed in."""

    map: str = "new-cave"
    rows: int = 64
    cols: int = 96
    seed: int = 1
    neighbors: int = 8
    corners: str = "strict"
    sensor: str = "adjacent"
    known: str = "nothing"
    planners: tuple[str, ...] = ("rtaa:lookahead=33",)
    start: Cell | None = None
    goal: Cell | None = None
    target: str = "stays"
    speed: float = 0.5
    edits: tuple[Any, ...] = ()
    given: Grid | None = field(default=None, compare=False)  # a map that has no name

    def shared(self) -> dict[str, Any]:
        """What the page gets to know, and a permalink holds."""
        return {name: value for name, value in vars(self).items() if name != "given"}

    def grid(self) -> Grid:
        if self.given is not None:
            return self.given
        if self.map in builtin_names():
            return grid_of(builtin(self.map), self)
        if self.map == DOORS:
            return Grid(self._doors().grid.blocked, self.neighbors, corners=self.corners)
        if self.map not in MAKERS:
            known = ", ".join([*builtin_names(), *MAKERS, DOORS])
            raise InputError(f"there is no map {self.map!r} here: there are {known}, and files of your own")
        return made_grid(self.map, self.rows, self.cols, self.seed, self.neighbors, self.corners)

    def bytes_needed(self) -> int:
        """An estimate of the memory for this trip, without what it records."""
        small = self.given is None and self.map in builtin_names()
        cells = 0 if small else self.rows * self.cols if self.given is None else self.given.n
        return bytes_needed(cells, len(self.planners), cells <= MOST_STATES)

    def _doors(self) -> Any:
        return made_doors(self.rows, self.cols, self.seed)

    def placed(self, grid: Grid) -> Settings:
        """The same with a start and a goal."""
        for cell, what in ((self.start, "start"), (self.goal, "goal")):
            if cell is not None:
                refuse_blocked(grid, cell, what)
        if self.start is not None and self.goal is not None:
            return self
        problem = far_apart(grid, self.seed, self.start, self.goal)
        return replace(self, start=problem.start, goal=problem.goal)

    def world(self, grid: Grid) -> World:
        """A world of its own for each planner."""
        changes = self._doors().changes if self.map == DOORS and self.given is None else None
        goal = goal_of((self.target, self.speed), self.goal)
        return World(grid, self.sight(), self.known, changes, goal if isinstance(goal, Target) else None)

    def sight(self) -> str | Radius:
        return sensor_from(self.sensor)

    def made_planners(self) -> list[Planner]:
        return [parse_planner(text).make() for text in self.planners]


@lru_cache(4)  # a tab that begins again wants the same map; nobody changes it, worlds have copies
def made_grid(name: str, rows: int, cols: int, seed: int, neighbors: int, corners: str) -> Grid:
    return Grid(MAKERS[name](rows, cols, seed), neighbors, corners=corners)


@lru_cache(4)
def made_doors(rows: int, cols: int, seed: int) -> Any:
    return rooms_with_doors(rows, cols, room=max(3, min(rows, cols) // 8), seed=seed)


def grid_of(terrain: Any, settings: Settings) -> Grid:
    grid = Grid(terrain.blocked, settings.neighbors, terrain.weights, settings.corners, terrain.walls)
    grid.frame, grid.unknown = terrain.frame, terrain.unknown
    return grid


def goal_of(moving: tuple[str, float], cell: Any) -> Any:
    """A target that moves in this way from a cell on; the cell itself if it stays."""
    return TARGETS[moving[0]](cell, moving[1]) if moving[0] in TARGETS else cell


def with_weights(grid: Grid) -> Grid:
    """The same grid, on which slow terrain can be drawn."""
    if grid.weighted:
        return grid
    made = Grid(grid.blocked, grid.neighbors, np.ones(grid.shape, np.int32), grid.corners, grid.walls_between)
    made.frame, made.unknown = grid.frame, grid.unknown
    return made


def read_settings(given: Any, at_first: Settings) -> Settings:
    """Settings from what a page has sent. What it leaves out is as at first; start and goal may be None: choose them.

    Raises InputError.
    """
    if not isinstance(given, Mapping):
        raise InputError("settings are an object")
    found = dict(at_first.shared())
    for name, check in CHECKS.items():
        if name in given:
            found[name] = check(name, given[name])
    for text in found["planners"]:
        if text not in at_first.planners:  # those were named on the command line, which may import files
            refuse_files(text)
    settings = Settings(**found, given=at_first.given if given.get("map", at_first.map) == at_first.map else None)
    upload = given.get("upload")
    if upload is not None:
        settings = replace(settings, given=_uploaded(upload, settings), start=None, goal=None, edits=())
    if settings.rows * settings.cols > MOST_CELLS:
        raise InputError(f"a map here has at most {MOST_CELLS:,} cells")
    return settings


def _uploaded(upload: Any, settings: Settings) -> Grid:
    name, content = upload_of(upload)
    return grid_of(parse(content, Path(name), MOST_CELLS), settings)


def upload_of(upload: Any) -> tuple[str, bytes]:
    """The name and the content of a file that somebody has chosen in the page. Raises InputError."""
    if not isinstance(upload, Mapping) or not all(isinstance(upload.get(key), str) for key in ("name", "data")):
        raise InputError("an upload has a name and data")
    if len(upload["data"]) > MOST_UPLOAD * 4 // 3 + 4:
        raise InputError(f"the file is larger than {MOST_UPLOAD // 1_000_000} MB")
    try:
        content = base64.b64decode(upload["data"], validate=True)
    except (binascii.Error, ValueError):
        raise InputError("the upload has been damaged on its way") from None
    return Path(upload["name"]).name[:100], content


# Checks, one for each field.


def _whole(low: int, high: int) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise InputError(f"{name} is a whole number from {low} to {high:,}")
        return value

    return check


def _word(*words: str) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if value not in words:
            raise InputError(f"{name} is one of {', '.join(words)}")
        return str(value)

    return check


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not value.isprintable():
        raise InputError(f"{name} is a short text")
    return value


def _sensor(name: str, value: Any) -> str:
    text = str(value)[:20]
    sensor_from(text)
    return text


def _speed(name: str, value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= 4:
        raise InputError("speed is a number above 0, up to 4 moves a step")
    return float(value)


def _planners(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MOST_PLANNERS:
        raise InputError(f"there are 1 to {MOST_PLANNERS} planners")
    return tuple(_text("a planner", text) for text in value)


def refuse_files(text: str) -> None:
    """A page may ask for the planners of the package, not for one that would import a file."""
    before, colon, after = text.partition(":")
    if ".py" in before or (colon and "=" not in after and after != ""):
        raise InputError(f"{text!r} comes from a file; name such a planner on the command line: --planner {text}")
    parse_planner(text)


def cell(name: str, value: Any) -> Cell:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(type(x) is int for x in value):
        raise InputError(f"{name} is a cell, [row, column]")
    return value[0], value[1]


def _cell_or_none(name: str, value: Any) -> Cell | None:
    return None if value is None else cell(name, value)


def edits(name: str, value: Any) -> tuple[Any, ...]:
    """Edits as a permalink holds them: lists of a tick, what is done then, and with what (`edit`)."""
    if not isinstance(value, (list, tuple)) or len(value) > MOST_EDITS:
        raise InputError(f"there are at most {MOST_EDITS:,} edits")
    return tuple(edit(one) for one in value)


def edit(one: Any) -> tuple[Any, ...]:
    if isinstance(one, (list, tuple)) and len(one) >= 3 and type(one[0]) is int and 0 <= one[0] < 2**31:
        if one[1] == "retarget" and len(one) == 3:
            return one[0], "retarget", cell("the goal", one[2])
        if one[1] == "target" and len(one) == 4:
            return one[0], "target", CHECKS["target"]("target", one[2]), _speed("speed", one[3])
        if one[1] == "change" and len(one) == 4 and isinstance(one[2], (list, tuple)) and len(one[2]) <= MOST_EDITED:
            return one[0], "change", tuple(cell("a cell", c) for c in one[2]), _change_to(one[3])
    raise InputError("an edit is [tick, 'change', cells, to], [tick, 'retarget', cell] or [tick, 'target', how, speed]")


def _change_to(to: Any) -> Any:
    if to in ("blocked", "free") or (type(to) is int and 1 <= to <= 65_535):
        return to
    raise InputError("a cell becomes 'blocked', 'free', or gets a weight from 1 to 65,535")


CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "map": _text,
    "rows": _whole(1, MOST_SIDE),
    "cols": _whole(1, MOST_SIDE),
    "seed": _whole(0, 2**31 - 1),
    "neighbors": lambda name, value: _whole(4, 8)(name, value) if value in (4, 8) else _word("4", "8")(name, value),
    "corners": _word("strict", "either", "free"),
    "sensor": _sensor,
    "known": _word("nothing", "everything"),
    "planners": _planners,
    "start": _cell_or_none,
    "goal": _cell_or_none,
    "target": _word("stays", *TARGETS),
    "speed": _speed,
    "edits": edits,
}
