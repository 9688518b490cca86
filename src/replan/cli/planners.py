"""`replan planners`: each planner as its recipe of parts."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from replan import planners
from replan.cli import memory as memory_table
from replan.cli.console import output, print_json
from replan.cli.options import json_option
from replan.experiments.planner_names import option_text
from replan.planners.recipes import PlannerSpec


@click.command("planners")
@click.option("--memory", is_flag=True, help="Show instead how much memory each takes.")
@click.option(
    "--size",
    callback=memory_table.parse_size,
    metavar="ROWSxCOLS|N",
    default="1001",
    show_default=True,
    help="With --memory: the size of the map.",
)
@click.option(
    "--neighbors",
    type=click.Choice(("4", "8")),
    default="4",
    show_default=True,
    help="With --memory: directions of a step.",
)
@click.option(
    "--within",
    type=float,
    callback=memory_table.parse_limit,
    metavar="MB",
    default=4,
    show_default=True,
    help="With --memory: the largest map in so many megabytes.",
)
@json_option
def command(memory: bool, size: tuple[int, int], neighbors: str, within: float, as_json: bool) -> None:
    """List the planners: the parts each is made of, its paper, and its options.

    Options are written behind the name: `replan run --planner rtaa:lookahead=25,ties=random,seed=3`.
    """
    context = click.get_current_context()
    for name in ("size", "neighbors", "within"):
        if not memory and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} is for --memory")
    if memory:
        memory_table.show(size, int(neighbors), within, as_json)
        return
    specs = planners()
    if as_json:
        print_json({"planners": [_as_dict(spec) for spec in specs]})
        return
    console = output()
    for spec in specs:
        console.print(Text.assemble((spec.name, "bold"), "  ", (spec.slug, "cyan")))
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        table.add_row("recipe", spec.recipe)
        table.add_row("paper", spec.paper)
        table.add_row("options", option_text(spec.options) or "none")
        console.print(Padding(table, (0, 0, 1, 2)))


def _as_dict(spec: PlannerSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "slug": spec.slug,
        "recipe": spec.recipe,
        "paper": spec.paper,
        "options": spec.options,
        "unit_costs": spec.unit_costs,
        "optimal": spec.optimal,
    }
