"""`replan maps convert`: a map in another format."""

from __future__ import annotations

import click

from replan import maps
from replan.cli.group import printable
from replan.maps.formats import writable

HELP = f"""Write the map IN, a file or a built-in map, to the file OUT.

The ending of OUT says how: {writable()}; images need the extra images. What the format cannot hold, such as weights, is
refused.
"""


@click.command("convert", help=HELP)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
def command(source: str, target: str) -> None:
    terrain = maps.open_map(source)
    maps.write(target, terrain)
    rows, cols = terrain.shape
    click.echo(f"{printable(target)}: {rows} x {cols} cells (rows x columns)")
