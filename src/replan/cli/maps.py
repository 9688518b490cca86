"""`replan maps`: the group of its three commands."""

from __future__ import annotations

import click

from replan.cli import maps_convert, maps_info, maps_make
from replan.cli.group import SuggestingGroup


@click.group("maps", cls=SuggestingGroup)
def command() -> None:
    """Look at maps, make new ones, convert them."""


command.add_command(maps_info.command)
command.add_command(maps_make.command)
command.add_command(maps_convert.command)
