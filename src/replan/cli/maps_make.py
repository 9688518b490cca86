"""`replan maps make`: generate mazes, rooms, rooms with doors, random obstacles and caves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from replan import maps, rooms_with_doors
from replan.cli.group import SuggestingGroup
from replan.cli.options import seed_option
from replan.formatting import escape_unprintable, format_count
from replan.maps.formats import writable_formats
from replan.maps.library import SYNONYMS
from replan.maps.terrain import BoolGrid
from replan.maps.text import text_bytes

Command = TypeVar("Command", bound=Callable[..., Any])


HELP = f"""Generate a map. The same seed gives the same map.

The map is printed as text, or written to the file of -o. The suffix of the file decides the format:
{writable_formats()}. Images need the extra images.
"""


@click.group("make", cls=SuggestingGroup, help=HELP, synonyms=SYNONYMS)
def command() -> None: ...


def _common(rows: int, cols: int) -> Callable[[Command], Command]:
    """Return a decorator that adds the common options, with this default size."""

    def add(function: Command) -> Command:
        for option in (
            click.option("-o", "--output", metavar="FILE", help="File for the map.  [default: print it]"),
            seed_option,
            click.option("--cols", type=int, default=cols, show_default=True),
            click.option("--rows", type=int, default=rows, show_default=True),
        ):
            function = option(function)
        return function

    return add


@command.command("maze")
@_common(31, 63)
@click.option(
    "--openings", type=int, default=0, show_default=True, help="Number of blocked cells that are freed afterwards."
)
@click.option("--border/--no-border", default=False, show_default=True, help="Surround the maze with blocked cells.")
def maze(output: str | None, **options: Any) -> None:
    """Generate corridors one cell wide; rows and columns are odd."""
    _write_map(maps.maze(**options), output)


@command.command("rooms")
@_common(33, 61)
@click.option("--room-size", type=int, default=8, show_default=True, help="Side of a room, in cells.")
@click.option("--doors", type=int, default=1, show_default=True, help="Number of doors between two neighbouring rooms.")
def rooms(output: str | None, **options: Any) -> None:
    """Generate square rooms with doors, all connected."""
    _write_map(maps.rooms(**options), output)


@command.command("doors")
@_common(100, 100)
@click.option("--room-size", type=int, default=9, show_default=True, help="Side of a room, in cells.")
@click.option(
    "--draws-per-step", type=float, default=0.3, show_default=True, help="Mean number of doors drawn per step."
)
@click.option("--closed-share", type=float, default=0.5, show_default=True, help="Share of doors that are closed.")
@click.option("--steps", type=int, default=5000, show_default=True, help="Number of steps with changes.")
@click.option("--changes", metavar="FILE", help="File for the changes (.json), for `run --changes`.")
def doors(output: str | None, changes: str | None, **options: Any) -> None:
    """Generate rooms whose doors open and close; all free cells stay connected."""
    scenario = rooms_with_doors(**options)
    if changes is not None:
        scenario.save(changes)
        click.echo(f"{escape_unprintable(changes)}: {format_count(len(scenario.changes), 'change')}", err=True)
    _write_map(scenario.grid.blocked.copy(), output)


@command.command("random")
@_common(32, 64)
@click.option("--density", type=float, default=0.2, show_default=True, help="Probability of a blocked cell.")
def random(output: str | None, **options: Any) -> None:
    """Block cells at random; the free cells need not be connected."""
    _write_map(maps.random_obstacles(**options), output)


@command.command("cave")
@_common(32, 64)
def cave(output: str | None, **options: Any) -> None:
    """Generate a cave; its free cells are connected."""
    _write_map(maps.cave(**options), output)


def _write_map(blocked: BoolGrid, output: str | None) -> None:
    terrain = maps.Terrain(blocked)
    if output is None:
        click.echo(text_bytes(terrain), nl=False)
        return
    maps.write(output, terrain)
    rows, cols = terrain.shape
    click.echo(
        f"{escape_unprintable(output)}: {rows} x {cols} cells (rows x columns), {int((~blocked).sum()):,} of them free"
    )
