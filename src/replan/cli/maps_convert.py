"""`replan maps convert`: write a map in another format."""

from __future__ import annotations

import click

from replan import maps
from replan.cli.options import unknown_option
from replan.formatting import escape_unprintable
from replan.maps.formats import writable_formats
from replan.maps.terrain import UnknownCells

HELP = f"""Write the map IN, a file or a built-in map, to the file OUT.

The suffix of OUT decides the format: {writable_formats()}. Images need the extra images.
It is an error if the format cannot hold the weights, walls or unknown cells of the map.
"""


@click.command("convert", help=HELP)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@unknown_option
def command(source: str, target: str, unknown: UnknownCells) -> None:
    terrain = maps.open_map(source, unknown)
    maps.write(target, terrain)
    rows, cols = terrain.shape
    click.echo(f"{escape_unprintable(target)}: {rows} x {cols} cells (rows x columns)")
