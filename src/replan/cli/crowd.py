"""`replan crowd`: measure how many characters this machine can plan for."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich import box
from rich.table import Table

from replan import Grid, Radius
from replan.cli.console import note_if_interpreted, print_json, progress_bar, stdout_console
from replan.cli.options import json_option, parse_sensor, seed_option
from replan.cli.suggesting_choice import SuggestingChoice
from replan.crowds.capacity import (
    DEFAULT_LOOKAHEADS,
    DEFAULT_PLANNERS,
    STEPS_PER_SECOND,
    TICKS_PER_SECOND,
    Capacity,
    measure_capacity,
)
from replan.planners.registry import find_spec


@click.command("crowd")
@click.argument("map_name", metavar="[MAP]", required=False, default="cave")
@click.option(
    "--planner",
    "planners",
    multiple=True,
    metavar="NAME",
    help=f"Planner; may be repeated.  [default: {', '.join(DEFAULT_PLANNERS)}]",
)
@click.option(
    "--lookahead",
    "lookaheads",
    type=click.IntRange(1, 1_000_000),
    multiple=True,
    metavar="N",
    help=f"Expansions per search; may be repeated.  [default: {', '.join(map(str, DEFAULT_LOOKAHEADS))}]",
)
@click.option(
    "--tick-us",
    type=click.FloatRange(1, 1e6),
    default=1000.0,
    show_default=True,
    metavar="US",
    help="Time budget of a tick for all characters, in microseconds.",
)
@click.option(
    "--ticks",
    type=click.IntRange(4, 100_000),
    default=TICKS_PER_SECOND,
    show_default=True,
    metavar="N",
    help="Number of ticks per measurement.",
)
@click.option(
    "--sensor",
    callback=parse_sensor,
    metavar="adjacent|everything|RADIUS",
    default="adjacent",
    show_default=True,
    help="What each character sees: the cells around it, all cells, or the cells within a radius.",
)
@click.option(
    "--neighbors",
    type=SuggestingChoice(["4", "8"]),
    default="8",
    show_default=True,
    help="Number of neighbours of a cell.",
)
@seed_option
@json_option
def command(
    map_name: str,
    planners: tuple[str, ...],
    lookaheads: tuple[int, ...],
    tick_us: float,
    ticks: int,
    sensor: str | Radius,
    neighbors: str,
    seed: int,
    as_json: bool,
) -> None:
    """Measure how many characters one core can plan for on MAP (a file or a built-in map).

    There are 60 ticks per second. Each has a time budget of 1 ms for all characters (--tick-us). A character takes 10
    steps per second towards random goals; the map is unknown at first. The bytes of a character include its path and
    its learned h-values.
    """
    note_if_interpreted()
    grid = Grid.load(map_name, int(neighbors))
    cases = [
        (find_spec(name).name, k) for name in planners or DEFAULT_PLANNERS for k in lookaheads or DEFAULT_LOOKAHEADS
    ]
    capacities = []
    with progress_bar(len(cases)) as step:
        for name, k in cases:
            step(f"{name}, lookahead {k}")
            capacities.append(measure_capacity(grid, name, k, tick_us, sensor, seed, ticks))
    if as_json:
        print_json(
            {
                "map": map_name,
                "tick_us": tick_us,
                "ticks_per_second": TICKS_PER_SECOND,
                "steps_per_second": STEPS_PER_SECOND,
                "sensor": sensor.radius if isinstance(sensor, Radius) else sensor,
                "neighbors": int(neighbors),
                "capacities": [asdict(capacity) for capacity in capacities],
            }
        )
    else:
        show(capacities, map_name, tick_us)


def show(capacities: list[Capacity], map_name: str, tick_us: float) -> None:
    """Print the table."""
    console = stdout_console()
    micro = "us" if console.options.ascii_only else "µs"
    rate = f"{TICKS_PER_SECOND} ticks per second with {tick_us:g} {micro} each"
    title = f"{map_name}: characters at {rate}, {STEPS_PER_SECOND} steps per second"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    table.add_column("planner", overflow="fold")
    for name in ("lookahead", "characters", f"{micro} per\nstep", "bytes per\ncharacter", "longest wait\nin ticks"):
        table.add_column(name, justify="right", no_wrap=True)
    for capacity in capacities:
        table.add_row(
            capacity.planner,
            str(capacity.lookahead),
            f"{capacity.characters:,}",
            f"{capacity.step_us:.2f}",
            f"{capacity.bytes_per_character:,.0f}",
            str(capacity.longest_wait_ticks),
        )
    console.print(table)
