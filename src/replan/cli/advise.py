"""`replan advise`: which planner and lookahead for a limit of time."""

from __future__ import annotations

import math
import re

import click
from rich import box
from rich.table import Table

from replan.cli.console import note_interpreted, output, print_json, progress
from replan.cli.options import Setting, json_option, seed_option, setting_options
from replan.cli.trials import patience
from replan.errors import InputError
from replan.experiments.advise import MOST_STEPS, Answer, advise
from replan.worlds.problems import random_problems

PROBLEMS = 5
UNITS = {"ns": 1e-3, "us": 1.0, "µs": 1.0, "μs": 1.0, "ms": 1e3, "s": 1e6}


def parse_time(context: click.Context, parameter: click.Parameter, text: str | None) -> float | None:
    """Microseconds from `20us` or `1.5ms`."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,12}(?:\.\d{1,12})?|\.\d{1,12})\s*(ns|us|µs|μs|ms|s)\s*", text)
    if found is None or float(found[1]) == 0:
        raise click.BadParameter(f"{text!r} is no time; write a number and its unit, such as 20us or 1.5ms")
    return float(found[1]) * UNITS[found[2]]


@click.command("advise")
@click.argument("map_name", metavar="[MAP]", required=False, default="maze")
@click.option("--episode", callback=parse_time, metavar="TIME", help="What a search may take on average, such as 20us.")
@click.option("--move", callback=parse_time, metavar="TIME", help="The same for searching per move.")
@click.option("--problems", "count", type=click.IntRange(1, 1000), default=PROBLEMS, show_default=True, metavar="N")
@setting_options
@seed_option
@json_option
def command(
    map_name: str,
    episode: float | None,
    move: float | None,
    count: int,
    setting: Setting,
    seed: int,
    as_json: bool,
) -> None:
    """Say which planner and lookahead to use when time is limited.

    A short calibration on MAP (a file or a built-in map) and this machine: as in the paper on RTAA*, the largest
    lookahead whose mean time keeps the limit, and of the planners the one whose trips are cheapest then.
    """
    if (episode is None) == (move is None):
        raise InputError("give one limit: --episode TIME or --move TIME")
    note_interpreted()
    limit, per = (episode, "episode") if episode is not None else (move, "move")
    assert limit is not None
    grid = setting.load(map_name)
    problems = [(problem.start, problem.goal) for problem in random_problems(grid, count, seed)]
    with progress(MOST_STEPS) as step:
        answers = advise(setting.world(grid), problems, limit, per, patience(grid, setting.max_moves), step)
    if as_json:
        print_json(
            {"limit_us": limit, "per": per, "setting": setting.as_dict(), "answers": [as_dict(a) for a in answers]}
        )
    else:
        show(answers, limit, per, map_name)


def as_dict(answer: Answer) -> dict[str, object]:
    """Ready for JSON."""
    return {**vars(answer), "cost": None if math.isnan(answer.cost) else answer.cost}


def show(answers: list[Answer], limit: float, per: str, map_name: str) -> None:
    console = output()
    micro = "us" if console.options.ascii_only else "µs"
    table = Table(title=f"{map_name}: at most {limit:g} {micro} per {per}", title_justify="left", box=box.SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    columns = ("lookahead", f"{micro} per\n{per}", "keeps\nit", f"99 % in\n{micro}", "cost", "arrived")
    table.add_column("planner", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    for answer in answers:
        table.add_row(
            answer.planner,
            "" if answer.lookahead is None else str(answer.lookahead),
            f"{answer.us:,.2f}",
            "yes" if answer.ok else "no",
            f"{answer.worst_us:,.2f}",
            "" if math.isnan(answer.cost) else f"{answer.cost:,.1f}",
            f"{answer.reached} of {answer.trips}",
        )
    console.print(table)
    best = answers[0]
    if not best.ok:
        console.print("No planner keeps this limit here; allow more time.")
        return
    options = "" if best.lookahead is None else f", lookahead={best.lookahead}"
    console.print(f'Use replan.planner("{best.planner}"{options}).')
    if best.worst_us > 2 * limit:
        console.print("Its mean keeps the limit, single searches do not: for a hard limit use deadline=... instead.")
