"""Table of planners for the commands run, compare, replay and demo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from replan.experiments.common_problems import marked_name

LARGE = 10_000
NARROW = 80  # consoles up to this width use smaller gaps
LONG_NAME = 24  # minimum width of the column of names, if a name is that long
DROP_ORDER = (
    "episodes",
    "expansions",
    "time",
    "reached",
    "steps",
    "ratio",
)  # columns that are dropped first on a narrow console

Row = dict[str, Any]  # a row of `replan.compare`


def planner_table(title: str, rows: Sequence[Row], console: Console) -> Table:
    """Return a table of planners. On a narrow console columns are dropped, so that names are complete."""
    gap = 2 if console.width > NARROW else 1
    single = all(row["trips"] == 1 for row in rows)
    names = PrintedColumn("planner", [row["planner"] if single else marked_name(row) for row in rows])
    columns = _columns(rows, "us" if console.options.ascii_only else "µs")
    dropped = []
    for name in DROP_ORDER:
        if min(names.width, LONG_NAME) + sum(gap + column.width for column in columns.values()) <= console.width:
            break
        if name in columns:
            dropped.append(columns.pop(name).header.replace("-\n", "").replace("\n", " "))
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False)
    table.padding, table.pad_edge = (0, gap - 1, 0, 0), False
    if dropped:
        table.caption, table.caption_justify = f"no room for {', '.join(dropped)}", "left"
    table.add_column(names.header, overflow="fold")
    for column in columns.values():
        table.add_column(column.header, justify="right", no_wrap=True)
    for cells in zip(names.cells, *(column.cells for column in columns.values()), strict=True):
        table.add_row(*cells)
    return table


@dataclass(frozen=True)
class PrintedColumn:
    """Column of a table: its header, of one or two lines, and its cells."""

    header: str
    cells: list[str]

    @property
    def width(self) -> int:
        return max(map(len, [*self.header.split("\n"), *self.cells]))


def _columns(rows: Sequence[Row], micro: str) -> dict[str, PrintedColumn]:
    """Return the columns of numbers by their names in DROP_ORDER, in the order of the table."""
    single = all(row["trips"] == 1 for row in rows)
    digits = 0 if single else 1
    waits = any(row["steps"] != row["moves"] for row in rows)  # with waiting, steps differ from moves
    expansions = "expan-\nsions" if waits else "expansions"  # so that all columns fit 80 characters
    reached = [("yes" if row["reached"] else "no") if single else f"{row['reached']}/{row['trips']}" for row in rows]
    columns = {
        "reached": PrintedColumn("reached", reached),
        "cost": PrintedColumn("cost", [_format(row["cost"], 1) for row in rows]),
        "ratio": PrintedColumn("cost /\noptimal", [_format(row["ratio"], 2) for row in rows]),
        "steps": PrintedColumn("steps", [_format(row["steps"], digits) for row in rows]),
        "episodes": PrintedColumn("episodes", [_format(row["episodes"], digits) for row in rows]),
        "expansions": PrintedColumn(expansions, [_format(row["expansions"], digits) for row in rows]),
        "time": PrintedColumn(f"{micro} per\nepisode", [_format(row["us_per_episode"], 1) for row in rows]),
    }
    if not waits:
        del columns["steps"]
    return columns


def left_out_text(planner: str, reason: str) -> str:
    """Return a line that says why a planner is missing in a table."""
    return f"{planner} is left out: {reason.removeprefix(planner).lstrip()}"


def _format(value: float | None, digits: int) -> str:
    """Format a number; large numbers have no decimals."""
    return "-" if value is None else f"{value:,.{digits if value < LARGE else 0}f}"
