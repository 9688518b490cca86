"""`replan maps`: a group of three commands."""

from __future__ import annotations

import click

from replan.cli import maps_convert, maps_info, maps_make
from replan.cli.group import SuggestingGroup


@click.group("maps", cls=SuggestingGroup)
def command() -> None:
    """Show, generate and convert maps."""


command.add_command(maps_info.command)
command.add_command(maps_make.command)
command.add_command(maps_convert.command)
