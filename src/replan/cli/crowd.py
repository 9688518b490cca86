"""`replan crowd`: how many characters this machine can afford."""

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
    "--planner", "planners", multiple=True, metavar="NAME", help=f"May be repeated.  [default: {', '.join(DEFAULT_PLANNERS)}]"
)
@click.option(
    "--lookahead",
    "lookaheads",
    type=click.IntRange(1, 1_000_000),
    multiple=True,
    metavar="N",
    help=f"Expansions of a search; may be repeated.  [default: {', '.join(map(str, DEFAULT_LOOKAHEADS))}]",
)
@click.option(
    "--frame",
    "frame_us",
    type=click.FloatRange(1, 1e6),
    default=1000.0,
    show_default=True,
    metavar="US",
    help="Microseconds that a frame has for all of them.",
)
@click.option(
    "--frames",
    type=click.IntRange(4, 100_000),
    default=TICKS_PER_SECOND,
    show_default=True,
    metavar="N",
    help="How many frames are measured each time.",
)
@click.option(
    "--sensor",
    callback=parse_sensor,
    metavar="adjacent|everything|RADIUS",
    default="adjacent",
    show_default=True,
    help="What each of them sees for all: the cells around it, all, or those within a radius.",
)
@click.option("--neighbors", type=SuggestingChoice(["4", "8"]), default="8", show_default=True, help="Directions of a step.")
@seed_option
@json_option
def command(
    map_name: str,
    planners: tuple[str, ...],
    lookaheads: tuple[int, ...],
    frame_us: float,
    frames: int,
    sensor: str | Radius,
    neighbors: str,
    seed: int,
    as_json: bool,
) -> None:
    """Say how many characters one core keeps walking on MAP (a file or a built-in map).

    At 60 frames a second, of which each has 1 ms for all of them; a character takes 10 steps a second to random goals,
    on a map that nobody knows at first. Bytes are those of a character, its path and what it has learned included.
    """
    note_if_interpreted()
    grid = Grid.load(map_name, int(neighbors))
    cases = [(find_spec(name).name, k) for name in planners or DEFAULT_PLANNERS for k in lookaheads or DEFAULT_LOOKAHEADS]
    found = []
    with progress_bar(len(cases)) as step:
        for name, k in cases:
            step(f"{name}, lookahead {k}")
            found.append(measure_capacity(grid, name, k, frame_us, sensor, seed, frames))
    if as_json:
        told = {"map": map_name, "frame_us": frame_us, "frames_a_second": TICKS_PER_SECOND, "steps_a_second": STEPS_PER_SECOND}
        seen = sensor.radius if isinstance(sensor, Radius) else sensor
        print_json({**told, "sensor": seen, "neighbors": int(neighbors), "capacities": [asdict(one) for one in found]})
    else:
        show(found, map_name, frame_us)


def show(found: list[Capacity], map_name: str, frame_us: float) -> None:
    console = stdout_console()
    micro = "us" if console.options.ascii_only else "µs"
    title = f"{map_name}: characters at {TICKS_PER_SECOND} frames a second with {frame_us:g} {micro} each, {STEPS_PER_SECOND} steps a second"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    table.add_column("planner", overflow="fold")
    for name in ("lookahead", "characters", f"{micro} a\nstep", "bytes a\ncharacter", "longest wait\nin frames"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        table.add_row(
            one.planner,
            str(one.lookahead),
            f"{one.characters:,}",
            f"{one.step_us:.2f}",
            f"{one.bytes_per_character:,.0f}",
            str(one.longest_wait_ticks),
        )
    console.print(table)
