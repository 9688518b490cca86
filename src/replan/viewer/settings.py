"""Settings of a session: map, planners, sensor and knowledge. They come from the page and are checked."""

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
from replan.viewer.tab_memory import bytes_needed
from replan.worlds.doors import rooms_with_doors
from replan.worlds.problems import check_free, distant_problem
from replan.worlds.sensors import Radius, make_sensor
from replan.worlds.targets import Flee, Target, Wander
from replan.worlds.world import World

MAX_SIDE = 4096
MAX_CELLS = 4096 * 4096
MAX_RECORDED_STATES = 1 << 21  # larger maps: g and h are not recorded, which takes hundreds of bytes per state
MAX_UPLOAD_BYTES = 20_000_000
MAX_PLANNERS = 4
MAX_EDITS = 1000
MAX_EDITED_CELLS = 10_000  # cells in one edit
TARGETS: dict[str, Callable[..., Target]] = {"flees": Flee, "wanders": Wander}
MAP_MAKERS: dict[str, Callable[[int, int, int], Any]] = {
    "new-maze": lambda rows, cols, seed: maze(rows | 1, cols | 1, openings=rows * cols // 200, seed=seed),
    "new-cave": lambda rows, cols, seed: cave(rows, cols, seed=seed),
    "new-rooms": lambda rows, cols, seed: rooms(rows, cols, room_size=max(3, min(rows, cols) // 12), seed=seed),
    "new-random": lambda rows, cols, seed: random_obstacles(rows, cols, density=0.3, seed=seed),
    "new-open": lambda rows, cols, seed: random_obstacles(rows, cols, density=0.0, seed=seed),
}
DOORS_MAP = "new-doors"
Cell = tuple[int, int]


@dataclass(frozen=True)
class Settings:
    """Settings of a trip. The map is built-in, generated from a seed, or uploaded."""

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
    user_grid: Grid | None = field(default=None, compare=False)  # an uploaded map

    def page_fields(self) -> dict[str, Any]:
        """Return the settings for the page and for permalinks."""
        return {name: value for name, value in vars(self).items() if name != "user_grid"}

    def make_grid(self) -> Grid:
        if self.user_grid is not None:
            return self.user_grid
        if self.map in builtin_names():
            return grid_from_terrain(builtin(self.map), self)
        if self.map == DOORS_MAP:
            return Grid(self._make_doors().grid.blocked, self.neighbors, corners=self.corners)
        if self.map not in MAP_MAKERS:
            known = ", ".join([*builtin_names(), *MAP_MAKERS, DOORS_MAP])
            raise InputError(f"there is no map {self.map!r} here: there are {known}, and files of your own")
        return cached_grid(self.map, self.rows, self.cols, self.seed, self.neighbors, self.corners)

    def bytes_needed(self) -> int:
        """Estimate the memory of this trip in bytes, without the recording."""
        small = self.user_grid is None and self.map in builtin_names()
        cells = 0 if small else self.rows * self.cols if self.user_grid is None else self.user_grid.n
        return bytes_needed(cells, len(self.planners), cells <= MAX_RECORDED_STATES)

    def _make_doors(self) -> Any:
        return cached_doors(self.rows, self.cols, self.seed)

    def with_start_and_goal(self, grid: Grid) -> Settings:
        """Return a copy with start and goal."""
        for cell, what in ((self.start, "start"), (self.goal, "goal")):
            if cell is not None:
                check_free(grid, cell, what)
        if self.start is not None and self.goal is not None:
            return self
        problem = distant_problem(grid, self.seed, self.start, self.goal)
        return replace(self, start=problem.start, goal=problem.goal)

    def make_world(self, grid: Grid) -> World:
        """Create a world for a planner."""
        changes = self._make_doors().changes if self.map == DOORS_MAP and self.user_grid is None else None
        goal = goal_or_target((self.target, self.speed), self.goal)
        return World(grid, self.make_sensor(), self.known, changes, goal if isinstance(goal, Target) else None)

    def make_sensor(self) -> str | Radius:
        return make_sensor(self.sensor)

    def make_planners(self) -> list[Planner]:
        return [parse_planner(text).make() for text in self.planners]


@lru_cache(4)  # a restarted tab needs the same map; it is never changed, because worlds copy it
def cached_grid(name: str, rows: int, cols: int, seed: int, neighbors: int, corners: str) -> Grid:
    return Grid(MAP_MAKERS[name](rows, cols, seed), neighbors, corners=corners)


@lru_cache(4)
def cached_doors(rows: int, cols: int, seed: int) -> Any:
    return rooms_with_doors(rows, cols, room_size=max(3, min(rows, cols) // 8), seed=seed)


def grid_from_terrain(terrain: Any, settings: Settings) -> Grid:
    grid = Grid(terrain.blocked, settings.neighbors, terrain.weights, settings.corners, terrain.walls)
    grid.coordinate_frame, grid.unknown_mask = terrain.coordinate_frame, terrain.unknown
    return grid


def goal_or_target(moving: tuple[str, float], cell: Any) -> Any:
    """A target that moves in this way from a cell on; the cell itself if it stays."""
    return TARGETS[moving[0]](cell, moving[1]) if moving[0] in TARGETS else cell


def with_weights(grid: Grid) -> Grid:
    """The same grid, on which slow terrain can be drawn."""
    if grid.is_weighted:
        return grid
    made = Grid(grid.blocked, grid.neighbors, np.ones(grid.shape, np.int32), grid.corners, grid.walls_between)
    made.coordinate_frame, made.unknown_mask = grid.coordinate_frame, grid.unknown_mask
    return made


def parse_settings(fields: Any, initial_settings: Settings) -> Settings:
    """Settings from what a page has sent. What it leaves out is as at first; start and goal may be None: choose them.

    Raises InputError.
    """
    if not isinstance(fields, Mapping):
        raise InputError("settings are an object")
    found = dict(initial_settings.page_fields())
    for name, check in CHECKS.items():
        if name in fields:
            found[name] = check(name, fields[name])
    for text in found["planners"]:
        if text not in initial_settings.planners:  # those were named on the command line, which may import files
            refuse_planner_files(text)
    settings = Settings(
        **found,
        user_grid=initial_settings.user_grid
        if fields.get("map", initial_settings.map) == initial_settings.map
        else None,
    )
    upload = fields.get("upload")
    if upload is not None:
        settings = replace(settings, user_grid=_grid_from_upload(upload, settings), start=None, goal=None, edits=())
    if settings.rows * settings.cols > MAX_CELLS:
        raise InputError(f"a map here has at most {MAX_CELLS:,} cells")
    return settings


def _grid_from_upload(upload: Any, settings: Settings) -> Grid:
    name, content = parse_upload(upload)
    return grid_from_terrain(parse(content, Path(name), MAX_CELLS), settings)


def parse_upload(upload: Any) -> tuple[str, bytes]:
    """Return the name and the content of an uploaded file. Raises InputError."""
    if not isinstance(upload, Mapping) or not all(isinstance(upload.get(key), str) for key in ("name", "data")):
        raise InputError("an upload has a name and data")
    if len(upload["data"]) > MAX_UPLOAD_BYTES * 4 // 3 + 4:
        raise InputError(f"the file is larger than {MAX_UPLOAD_BYTES // 1_000_000} MB")
    try:
        content = base64.b64decode(upload["data"], validate=True)
    except (binascii.Error, ValueError):
        raise InputError("the upload is damaged") from None
    return Path(upload["name"]).name[:100], content


# Checks, one for each field.


def _integer_check(low: int, high: int) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise InputError(f"{name} is a whole number from {low} to {high:,}")
        return value

    return check


def _choice_check(*words: str) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if value not in words:
            raise InputError(f"{name} is one of {', '.join(words)}")
        return str(value)

    return check


def _check_text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not value.isprintable():
        raise InputError(f"{name} is a short text")
    return value


def _check_sensor(name: str, value: Any) -> str:
    text = str(value)[:20]
    make_sensor(text)
    return text


def _check_speed(name: str, value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= 4:
        raise InputError("speed is a number above 0, up to 4 moves a step")
    return float(value)


def _check_planners(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_PLANNERS:
        raise InputError(f"there are 1 to {MAX_PLANNERS} planners")
    return tuple(_check_text("a planner", text) for text in value)


def refuse_planner_files(text: str) -> None:
    """A page may ask for the planners of the package, not for one that would import a file."""
    before, colon, after = text.partition(":")
    if ".py" in before or (colon and "=" not in after and after != ""):
        raise InputError(f"{text!r} comes from a file; name such a planner on the command line: --planner {text}")
    parse_planner(text)


def parse_cell(name: str, value: Any) -> Cell:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(type(x) is int for x in value):
        raise InputError(f"{name} is a cell, [row, column]")
    return value[0], value[1]


def _parse_optional_cell(name: str, value: Any) -> Cell | None:
    return None if value is None else parse_cell(name, value)


def parse_edits(name: str, value: Any) -> tuple[Any, ...]:
    """Edits as a permalink holds them: lists of a tick, what is done then, and with what (`edit`)."""
    if not isinstance(value, (list, tuple)) or len(value) > MAX_EDITS:
        raise InputError(f"there are at most {MAX_EDITS:,} edits")
    return tuple(parse_edit(one) for one in value)


def parse_edit(one: Any) -> tuple[Any, ...]:
    if isinstance(one, (list, tuple)) and len(one) >= 3 and type(one[0]) is int and 0 <= one[0] < 2**31:
        if one[1] == "retarget" and len(one) == 3:
            return one[0], "retarget", parse_cell("the goal", one[2])
        if one[1] == "target" and len(one) == 4:
            return one[0], "target", CHECKS["target"]("target", one[2]), _check_speed("speed", one[3])
        if (
            one[1] == "change"
            and len(one) == 4
            and isinstance(one[2], (list, tuple))
            and len(one[2]) <= MAX_EDITED_CELLS
        ):
            return one[0], "change", tuple(parse_cell("a cell", c) for c in one[2]), _parse_new_value(one[3])
    raise InputError("an edit is [tick, 'change', cells, to], [tick, 'retarget', cell] or [tick, 'target', how, speed]")


def _parse_new_value(to: Any) -> Any:
    if to in ("blocked", "free") or (type(to) is int and 1 <= to <= 65_535):
        return to
    raise InputError("a cell becomes 'blocked', 'free', or gets a weight from 1 to 65,535")


CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "map": _check_text,
    "rows": _integer_check(1, MAX_SIDE),
    "cols": _integer_check(1, MAX_SIDE),
    "seed": _integer_check(0, 2**31 - 1),
    "neighbors": lambda name, value: (
        _integer_check(4, 8)(name, value) if value in (4, 8) else _choice_check("4", "8")(name, value)
    ),
    "corners": _choice_check("strict", "either", "free"),
    "sensor": _check_sensor,
    "known": _choice_check("nothing", "everything"),
    "planners": _check_planners,
    "start": _parse_optional_cell,
    "goal": _parse_optional_cell,
    "target": _choice_check("stays", *TARGETS),
    "speed": _check_speed,
    "edits": parse_edits,
}
