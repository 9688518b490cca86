"""`replan planners`: list the planners with their parts, papers and options."""

from __future__ import annotations

import inspect
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from replan import planners
from replan.cli import memory as memory_table
from replan.cli.console import print_json, stdout_console
from replan.cli.options import json_option
from replan.cli.suggesting_choice import SuggestingChoice
from replan.experiments.planner_names import NamedPlanner, format_options, parse_planner, user_planner_class
from replan.planners.explanations import explanations
from replan.planners.registry import OPTIONS, find_spec, is_known
from replan.planners.spec import PlannerSpec


@click.command("planners")
@click.argument("name", required=False)
@click.option("--memory", is_flag=True, help="Show the memory that each planner uses.")
@click.option(
    "--size",
    callback=memory_table.parse_size,
    metavar="ROWSxCOLS|N",
    default="1001",
    show_default=True,
    help="With --memory: size of the map.",
)
@click.option(
    "--neighbors",
    type=SuggestingChoice(("4", "8")),
    default="4",
    show_default=True,
    help="With --memory: number of neighbours of a cell.",
)
@click.option(
    "--memory-limit",
    type=float,
    callback=memory_table.parse_limit,
    metavar="MB",
    default=4,
    show_default=True,
    help="With --memory: memory for which the largest map is computed, in megabytes.",
)
@json_option
def command(
    name: str | None, memory: bool, size: tuple[int, int], neighbors: str, memory_limit: float, as_json: bool
) -> None:
    """List the planners with their parts, papers and options. With NAME, explain that planner.

    Append options to the name: `replan run --planner rtaa:lookahead=25,ties=random,seed=3`. NAME may also be
    a planner of your own, mine.py:MyPlanner.
    """
    _refuse_mixed_options(name, memory)
    if memory:
        memory_table.show(size, int(neighbors), memory_limit, as_json)
        return
    if name is not None and not is_known(name) and (named := parse_planner(name)).is_user_defined:
        _print_user_planner(named, as_json)
        return
    specs = planners() if name is None else [find_spec(name)]
    if as_json:
        print_json({"planners": [_as_dict(spec) for spec in specs]})
        return
    for spec in specs:
        _show(spec, stdout_console(), explained=name is not None)


def _refuse_mixed_options(name: str | None, memory: bool) -> None:
    """Raise UsageError if options exclude each other."""
    context = click.get_current_context()
    for option in ("size", "neighbors", "memory_limit"):
        if not memory and context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{option.replace('_', '-')} is for --memory")
    if memory and name is not None:
        raise click.UsageError("--memory shows all planners: leave NAME out")


def _show(spec: PlannerSpec, console: Console, explained: bool) -> None:
    console.print(
        Text.assemble((spec.name, "bold"), "  ", (spec.slug, "cyan"), *(f"  {name}" for name in spec.aliases))
    )
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    explanation = explanations()[spec.name]
    if explained:
        table.add_row("idea", explanation.idea)
        table.add_row("guarantees", "\n".join(explanation.guarantees))
        table.add_row("limits", "\n".join(explanation.limits))
    table.add_row("recipe", spec.recipe)
    table.add_row("paper", spec.paper)
    table.add_row("options", "" if explained and spec.options else format_options(spec.options) or "none")
    console.print(Padding(table, (0, 0, 0 if explained else 1, 2)))
    for name, usual in spec.options.items() if explained else ():
        option = OPTIONS[name]
        console.print(Padding(Text.assemble((format_options({name: usual}), "bold")), (0, 0, 0, 4)))
        console.print(Padding(Text(option.meaning), (0, 0, 0, 8)))
        console.print(Padding(Text(f"{name} is {option.allowed}", "dim"), (0, 0, 0, 8)))


def _print_user_planner(named: NamedPlanner, as_json: bool) -> None:
    """Print the docstring, the recipe and the options of a planner of the user."""
    recipe, planner_class = str(named.make()), user_planner_class(named.name)
    idea = inspect.cleandoc(planner_class.__doc__ or "")  # getdoc() would return that of the base class
    description = {"idea": idea, "recipe": recipe, "file": inspect.getsourcefile(planner_class) or ""}
    options = {p.name: None if p.default is p.empty else p.default for p in named.parameters()}
    if as_json:
        print_json(
            {"planners": [{"name": named.name, **description, "options": {n: str(v) for n, v in options.items()}}]}
        )
        return
    console = stdout_console()
    console.print(Text(named.name, "bold"))
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in {**description, "options": format_options(options) or "none"}.items():
        if text:
            table.add_row(label, Text(text))
    console.print(Padding(table, (0, 0, 0, 2)))


def _as_dict(spec: PlannerSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "slug": spec.slug,
        "also": list(spec.aliases),
        "idea": explanations()[spec.name].idea,
        "guarantees": list(explanations()[spec.name].guarantees),
        "limits": list(explanations()[spec.name].limits),
        "recipe": spec.recipe,
        "paper": spec.paper,
        "options": spec.options,
        "meanings": {name: OPTIONS[name].meaning for name in spec.options},
        "unit_costs": spec.needs_unit_costs,
        "optimal": spec.is_optimal,
    }
