"""The table of planners that run, compare and demo show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from replan.experiments.common_problems import marked_name

LARGE = 10_000
NARROW = 80  # a terminal of that width has no room to spare for long names
LONG_NAME = 24  # what a planner's name gets at least, if it is that long
DROP_ORDER = ("episodes", "expansions", "time", "reached", "steps", "ratio")  # columns, where there is no room for all

Row = dict[str, Any]  # as `replan.compare` returns them


def planner_table(title: str, rows: Sequence[Row], console: Console) -> Table:
    """A table of planners for this console: on a narrow one columns give way, so that planners keep their names."""
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
    """A column of a table: what stands above it, perhaps in two lines, and in it."""

    header: str
    cells: list[str]

    @property
    def width(self) -> int:
        return max(map(len, [*self.header.split("\n"), *self.cells]))


def _columns(rows: Sequence[Row], micro: str) -> dict[str, PrintedColumn]:
    """The columns of figures by the names that FIRST_TO_GO has for them, in the order of the table."""
    single = all(row["trips"] == 1 for row in rows)
    digits = 0 if single else 1
    waits = any(row["steps"] != row["moves"] for row in rows)  # then time counts, not only the way
    expansions = "expan-\nsions" if waits else "expansions"  # all columns fit 80
    reached = [("yes" if row["reached"] else "no") if single else f"{row['reached']}/{row['trips']}" for row in rows]
    columns = {
        "reached": PrintedColumn("reached", reached),
        "cost": PrintedColumn("cost", [_figure(row["cost"], 1) for row in rows]),
        "ratio": PrintedColumn("cost /\noptimal", [_figure(row["ratio"], 2) for row in rows]),
        "steps": PrintedColumn("steps", [_figure(row["steps"], digits) for row in rows]),
        "episodes": PrintedColumn("episodes", [_figure(row["episodes"], digits) for row in rows]),
        "expansions": PrintedColumn(expansions, [_figure(row["expansions"], digits) for row in rows]),
        "time": PrintedColumn(f"{micro} per\nepisode", [_figure(row["us_per_episode"], 1) for row in rows]),
    }
    if not waits:
        del columns["steps"]
    return columns


def left_out_text(planner: str, reason: str) -> str:
    """Why a planner is missing in a table."""
    return f"{planner} is left out: {reason.removeprefix(planner).lstrip()}"


def _figure(value: float | None, digits: int) -> str:
    """Large numbers need no digits behind the point."""
    return "-" if value is None else f"{value:,.{digits if value < LARGE else 0}f}"
