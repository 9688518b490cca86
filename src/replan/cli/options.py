"""Options that several commands share, and the parsers of their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from replan import DynamicScenario, Grid, InputError, Radius, World
from replan.cli.suggesting_choice import SuggestingChoice
from replan.experiments import planner_names
from replan.experiments.planner_names import NamedPlanner
from replan.maps.terrain import UnknownCells
from replan.worlds.problems import Cell
from replan.worlds.sensors import make_sensor

Command = TypeVar("Command", bound=Callable[..., Any])

MAX_COUNTABLE_MOVES = 2**62  # the core cannot count more
PLANNER_METAVAR = "NAME[:OPTION=VALUE,...]"
_CELL = re.compile(r"\s*\(?\s*([+-]?\d{1,99})\s*,\s*([+-]?\d{1,99})\s*\)?\s*", re.ASCII)


def parse_cell(context: click.Context, parameter: click.Parameter, text: str | None) -> Cell | None:
    """Parse a cell from `row,column`."""
    if text is None:
        return None
    match = _CELL.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r} is no cell; write row,column such as 3,14 (from 0, row 0 at the top)")
    return int(match[1]), int(match[2])


def parse_sensor(context: click.Context, parameter: click.Parameter, text: str) -> str | Radius:
    """Parse a sensor: `adjacent`, `everything`, or a radius in cells."""
    return make_sensor(text)


def parse_changes(context: click.Context, parameter: click.Parameter, text: str | None) -> DynamicScenario | None:
    """Read scripted changes from a file."""
    return None if text is None else DynamicScenario.load(text)


def parse_planner(context: click.Context, parameter: click.Parameter, text: str) -> NamedPlanner:
    """Parse a planner from `name:option=value,...`."""
    return planner_names.parse_planner(text)


def parse_planners(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> list[NamedPlanner]:
    """Parse planners, without duplicates: their trips would be counted together."""
    chosen = [choice for text in texts for choice in planner_names.parse_planners(text)]
    return list({choice.label: choice for choice in chosen}.values())


@dataclass(frozen=True)
class TripSettings:
    """Settings of trips: how the agent moves, and what it knows. All planners of a command share them."""

    neighbors: int = 8
    corners: str = "strict"
    sensor: str | Radius = "adjacent"
    known: str = "nothing"
    max_moves: int | None = None
    changes: DynamicScenario | None = None
    unknown: UnknownCells = "blocked"

    def load(self, map_name: str) -> Grid:
        """Load a map by the name of a built-in map or of a file. Raises InputError."""
        return Grid.load(map_name, self.neighbors, self.corners, self.unknown)

    def world(self, grid: Grid) -> World:
        if self.changes is not None and self.changes.grid.shape != grid.shape:
            size, recorded_size = ("{} x {}".format(*shape) for shape in (grid.shape, self.changes.grid.shape))
            raise InputError(f"the changes were recorded on a map of {recorded_size} cells; this map has {size}")
        return World(grid, self.sensor, self.known, self.changes.changes if self.changes else None)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as values for JSON."""
        sensor = self.sensor.radius if isinstance(self.sensor, Radius) else self.sensor
        settings = {name: value for name, value in vars(self).items() if name != "changes"}
        changes = {} if self.changes is None else {"changes": len(self.changes.changes)}
        return {**settings, "sensor": sensor, **changes}

    def __str__(self) -> str:
        corners = f" (corners {self.corners})" if self.neighbors == 8 else ""
        sees = f"{self.sensor.radius:g} cells far" if isinstance(self.sensor, Radius) else self.sensor
        coming_changes = f", {len(self.changes.changes):,} changes to come" if self.changes else ""
        return f"{self.neighbors} neighbors{corners}, knows {self.known}, sees {sees}{coming_changes}"


def _choice(name: str, words: tuple[str, ...], default: str, help: str) -> Callable[[Command], Command]:
    return click.option(name, type=SuggestingChoice(words), default=default, show_default=True, help=help)


unknown_option = _choice(
    "--unknown",
    ("blocked", "free", "unknown"),
    "blocked",
    "Treatment of the unknown cells of a ROS map; unknown: not seen yet, believed to be free.",
)
TRIP_OPTIONS = (
    click.option(
        "--changes",
        callback=parse_changes,
        metavar="FILE",
        help="Scripted changes (.json) that happen during the trip. `maps make doors` writes such a file.",
    ),
    click.option(
        "--max-moves",
        type=click.IntRange(min=0),
        metavar="N",
        help="End a trip after this many moves.  [default: 100 per free cell, at most 2 million]",
    ),
    unknown_option,
    _choice("--known", ("nothing", "everything"), "nothing", "What the agent knows of the map at the start."),
    click.option(
        "--sensor",
        callback=parse_sensor,
        metavar="adjacent|everything|RADIUS",
        default="adjacent",
        show_default=True,
        help="What the agent sees: the cells around it, all cells, or the cells within a radius.",
    ),
    _choice(
        "--corners",
        ("strict", "either", "free"),
        "strict",
        "With 8 neighbors: of the two cells beside a diagonal step, both must be free, or either, or none.",
    ),
    _choice("--neighbors", ("4", "8"), "8", "Number of neighbours of a cell."),
)


def trip_options(command: Command) -> Command:
    """Add the options of TripSettings, and pass them to the command as `setting`."""

    @wraps(command)
    def with_setting(
        *args: Any,
        neighbors: str,
        corners: str,
        sensor: str | Radius,
        known: str,
        max_moves: int | None,
        changes: DynamicScenario | None,
        unknown: UnknownCells,
        **options: Any,
    ) -> Any:
        limit = None if max_moves is None else min(max_moves, MAX_COUNTABLE_MOVES)
        setting = TripSettings(int(neighbors), corners, sensor, known, limit, changes, unknown)
        return command(*args, setting=setting, **options)

    for option in TRIP_OPTIONS:
        with_setting = option(with_setting)
    return with_setting  # type: ignore[return-value]


seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of the random numbers.",
)


def planners_option(default_text: str) -> Callable[[Command], Command]:
    """Add --planner, which may be repeated, and pass the planners to the command as `planners`."""
    return click.option(
        "--planner",
        "planners",
        metavar=PLANNER_METAVAR,
        callback=parse_planners,
        multiple=True,
        help=f"Planners, separated by commas; may be repeated. Your own: mine.py:MyPlanner.  [default: {default_text}]",
    )


def refuse_unwritable(path: str) -> None:
    """Raise InputError if a file cannot be written."""
    if Path(path).is_dir() or not Path(path).parent.is_dir():
        raise InputError("cannot be written: it is a folder, or its folder does not exist", path)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
