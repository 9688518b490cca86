"""The table of planners that run, compare and demo show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

LARGE = 10_000
NARROW = 80  # a terminal of that width has no room to spare for long names

Row = dict[str, Any]  # as `replan.compare` returns them


def figures_table(title: str, rows: Sequence[Row], console: Console) -> Table:
    """A table of planners, as wide as the console."""
    micro = "us" if console.options.ascii_only else "µs"
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False)
    table.padding, table.pad_edge = (0, 1 if console.width > NARROW else 0, 0, 0), False
    table.add_column("planner", overflow="fold")
    waits = any(row["steps"] != row["moves"] for row in rows)  # then time counts, not only the way
    counted = ("steps", "episodes", "expan-\nsions") if waits else ("episodes", "expansions")  # names fit 80 columns
    for name in ("reached", "cost", "cost /\noptimal", *counted):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column(f"{micro} per\nepisode", justify="right", no_wrap=True)
    single = all(row["trips"] == 1 for row in rows)
    for row in rows:
        reached = ("yes" if row["reached"] else "no") if single else f"{row['reached']}/{row['trips']}"
        counts = (row[name] for name in ("steps", "episodes", "expansions") if waits or name != "steps")
        shown = (_figure(count, 0 if single else 1) for count in counts)
        costs = _figure(row["cost"], 1), _figure(row["ratio"], 2)
        table.add_row(row["planner"], reached, *costs, *shown, _figure(row["us_per_episode"], 1))
    return table


def left_out(planner: str, reason: str) -> str:
    """Why a planner is missing in a table."""
    return f"{planner} is left out: {reason.removeprefix(planner).lstrip()}"


def _figure(value: float | None, digits: int) -> str:
    """Large numbers need no digits behind the point."""
    return "-" if value is None else f"{value:,.{digits if value < LARGE else 0}f}"
