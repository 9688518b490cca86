"""`replan advise`: recommend a planner and a lookahead for a time limit."""

from __future__ import annotations

import re
from typing import Any

import click
from rich import box
from rich.table import Table

from replan.cli.console import note_if_interpreted, print_json, print_note, progress_bar, stdout_console
from replan.cli.options import TripSettings, json_option, planners_option, seed_option, trip_options
from replan.cli.planner_table import left_out_text
from replan.errors import InputError
from replan.experiments.advise import (
    DEFAULT_PLANNERS,
    DEFAULT_SECONDS,
    EQUAL_STEPS_PERCENT,
    advise,
    measurement_count,
    resolve_planners,
)
from replan.experiments.common_problems import mark_legend, marked_name
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.result_tables import ResultTable
from replan.planners.registry import find_spec
from replan.worlds.problems import random_problems

PROBLEMS = 5
HARD_LIMIT_HINT = "take a planner that has a deadline, such as RTAA* or RTD*"
UNITS = {"ns": 1e-3, "us": 1.0, "µs": 1.0, "μs": 1.0, "ms": 1e3, "s": 1e6, "min": 6e7}
_TIME = re.compile(rf"\s*(\d{{1,12}}(?:\.\d{{1,12}})?|\.\d{{1,12}})\s*({'|'.join(UNITS)})\s*")


def parse_time(context: click.Context, parameter: click.Parameter, text: str | None) -> float | None:
    """Parse a time such as `20us` or `1.5ms`. Returns microseconds."""
    if text is None:
        return None
    match = _TIME.fullmatch(text)
    if match is None or float(match[1]) == 0:
        raise click.BadParameter(f"{text!r} is not a time; write a number and a unit, such as 20us, 1.5ms or 2min")
    return float(match[1]) * UNITS[match[2]]


@click.command("advise")
@click.argument("map_name", metavar="[MAP]", required=False, default="maze")
@click.option(
    "--episode", callback=parse_time, metavar="TIME", help="Limit of the mean time of a search, such as 20us."
)
@click.option("--move", callback=parse_time, metavar="TIME", help="Limit of the mean search time per move.")
@planners_option(", ".join(DEFAULT_PLANNERS))
@click.option(
    "--problems",
    "count",
    type=click.IntRange(1, 1000),
    default=PROBLEMS,
    show_default=True,
    metavar="N",
    help="Number of trips of each planner, drawn by --seed.",
)
@click.option(
    "--time",
    "total_us",
    callback=parse_time,
    metavar="TIME",
    default=f"{DEFAULT_SECONDS:g}s",
    show_default=True,
    help="Time for all measurements; trips that take too long are stopped.",
)
@trip_options
@seed_option
@json_option
def command(
    map_name: str,
    episode: float | None,
    move: float | None,
    planners: list[NamedPlanner],
    count: int,
    total_us: float,
    setting: TripSettings,
    seed: int,
    as_json: bool,
) -> None:
    """Recommend a planner and a lookahead for a time limit.

    The planners are measured on MAP (a file or a built-in map) and on this machine. As in the paper on RTAA*, each gets
    the largest lookahead whose mean time keeps the limit. The ranking prefers the planner with the fewest time steps,
    waiting included. Numbers of steps within 10 % of the fewest count as equal; the faster planner then comes first.
    """
    if (episode is None) == (move is None):
        raise InputError("give one limit: --episode TIME or --move TIME")
    note_if_interpreted()
    limit, per = (episode, "episode") if episode is not None else (move, "move")
    grid = setting.load(map_name)
    problems = random_problems(grid, count, seed)
    print_note(f"measuring for at most {total_us / UNITS['s']:g} s (--time)")
    with progress_bar(measurement_count(resolve_planners(planners or None))) as step:
        answers = advise(
            setting.world(grid),
            problems,
            episode_us=episode,
            move_us=move,
            planners=planners or None,
            seconds=total_us / UNITS["s"],
            max_moves=setting.max_moves,
            progress=step,
        )
    if as_json:
        print_json({"limit_us": limit, "per": per, "setting": setting.as_dict(), "answers": answers})
    else:
        show(answers, limit or 0.0, per, map_name)


def show(answers: ResultTable, limit: float, per: str, map_name: str) -> None:
    """Print the table and the recommendation."""
    console = stdout_console()
    micro = "us" if console.options.ascii_only else "µs"
    table = Table(title=f"{map_name}: at most {limit:g} {micro} per {per}", title_justify="left", box=box.SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    waits = any(answer["waits"] for answer in answers)
    times = (f"{micro} per\n{per}", "keeps\nlimit", f"99 % in\n{micro}")
    columns = ("lookahead", *times, "cost", *["waits"] * waits, "arrived")
    table.add_column("planner", overflow="fold")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for answer in answers:
        table.add_row(
            f"{marked_name(answer)} {answer['options']}".rstrip(),
            "" if answer["lookahead"] is None else str(answer["lookahead"]),
            f"{answer['us']:,.2f}",
            "yes" if answer["ok"] else "no",
            f"{answer['worst_us']:,.2f}",
            _number(answer["cost"]),
            *[_number(answer["waits"])] * waits,
            f"{answer['reached']} of {answer['trips']}",
        )
    console.print(table)
    if remark := mark_legend(answers):
        console.print(remark)
    if broken_off := sum(answer["broken_off"] for answer in answers):
        console.print(f"{broken_off} trips were stopped for lack of time: raise --time.")
    for label, reason in answers.left_out.items():
        console.print(left_out_text(label, reason), style="dim")
    costs = [answer["cost"] for answer in answers if answer["ok"] and answer["reached"] == answers[0]["reached"]]
    if answers[0]["cost"] and answers[0]["cost"] > min(filter(None, costs), default=float("inf")):
        console.print(
            f"Trips within {EQUAL_STEPS_PERCENT} % of the shortest count as equal: the faster planner is then first."
        )
    _print_recommendation(answers[0], limit)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def _print_recommendation(best: dict[str, Any], limit: float) -> None:
    console = stdout_console()
    if not best["ok"]:
        console.print("No planner keeps this limit on this map: raise it.")
        return
    lookahead = "" if best["lookahead"] is None else f"lookahead={best['lookahead']}"
    if best["options"] or ":" in best["planner"]:
        options = ", ".join(filter(None, (best["options"], lookahead)))
        console.print(f"Use {best['planner']}{' with ' if options else ''}{options}.")
    else:
        console.print(f'Use replan.planner("{best["planner"]}"{", " if lookahead else ""}{lookahead}).')
        console.print(f"What it does: replan planners {find_spec(best['planner']).slug}")
    if not NamedPlanner(best["planner"]).accepts_option("deadline"):
        console.print(
            f"It always searches a whole path, which takes longer on larger maps: for a hard limit {HARD_LIMIT_HINT}."
        )
    elif best["worst_us"] > 2 * limit:
        console.print("The mean keeps the limit, single searches do not: for a hard limit give deadline=....")
