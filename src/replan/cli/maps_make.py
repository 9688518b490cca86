"""`replan maps make`: mazes, rooms, rooms with doors, random obstacles, caves."""

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


HELP = f"""Make a map; the same seed makes the same map.

It is printed as text, or written to the file of -o, whose ending says how: {writable_formats()}; images need the extra images.
"""


@click.group("make", cls=SuggestingGroup, help=HELP, synonyms=SYNONYMS)
def command() -> None: ...


def _common(rows: int, cols: int) -> Callable[[Command], Command]:
    """The options of all kinds, with the size to take when none is given."""

    def add(function: Command) -> Command:
        for option in (
            click.option("-o", "--output", metavar="FILE", help="Where to write the map.  [default: print it]"),
            seed_option,
            click.option("--cols", type=int, default=cols, show_default=True),
            click.option("--rows", type=int, default=rows, show_default=True),
        ):
            function = option(function)
        return function

    return add


@command.command("maze")
@_common(31, 63)
@click.option("--openings", type=int, default=0, show_default=True, help="Blocked cells that are made free.")
@click.option("--border/--no-border", default=False, show_default=True, help="A closed ring around it.")
def maze(output: str | None, **options: Any) -> None:
    """Corridors one cell wide; rows and columns are odd."""
    _write_map(maps.maze(**options), output)


@command.command("rooms")
@_common(33, 61)
@click.option("--room-size", type=int, default=8, show_default=True, help="The side of a room.")
@click.option("--doors", type=int, default=1, show_default=True, help="Doors between two neighbouring rooms.")
def rooms(output: str | None, **options: Any) -> None:
    """Square rooms with doors, all of them connected."""
    _write_map(maps.rooms(**options), output)


@command.command("doors")
@_common(100, 100)
@click.option("--room-size", type=int, default=9, show_default=True, help="The side of a room.")
@click.option("--draws-per-step", type=float, default=0.3, show_default=True, help="Doors drawn a step, on average.")
@click.option("--closed-share", type=float, default=0.5, show_default=True, help="The share of doors that is closed.")
@click.option("--steps", type=int, default=5000, show_default=True, help="For how long doors open and close.")
@click.option("--changes", metavar="FILE", help="Where to write what happens (.json), for `run --changes`.")
def doors(output: str | None, changes: str | None, **options: Any) -> None:
    """Rooms whose doors open and close; a way from everywhere to everywhere is always left."""
    made = rooms_with_doors(**options)
    if changes is not None:
        made.save(changes)
        click.echo(f"{escape_unprintable(changes)}: {format_count(len(made.changes), 'change')}", err=True)
    _write_map(made.grid.blocked.copy(), output)


@command.command("random")
@_common(32, 64)
@click.option("--density", type=float, default=0.2, show_default=True, help="Probability of a blocked cell.")
def random(output: str | None, **options: Any) -> None:
    """Blocked cells thrown at random; free cells need not be connected."""
    _write_map(maps.random_obstacles(**options), output)


@command.command("cave")
@_common(32, 64)
def cave(output: str | None, **options: Any) -> None:
    """A cave, all in one piece."""
    _write_map(maps.cave(**options), output)


def _write_map(blocked: BoolGrid, output: str | None) -> None:
    terrain = maps.Terrain(blocked)
    if output is None:
        click.echo(text_bytes(terrain), nl=False)
        return
    maps.write(output, terrain)
    rows, cols = terrain.shape
    click.echo(f"{escape_unprintable(output)}: {rows} x {cols} cells (rows x columns), {int((~blocked).sum()):,} of them free")
