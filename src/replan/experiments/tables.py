"""Tables with a row for each planner and lookahead: their runs, their columns, and the paper's figures beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from replan.experiments.planner_names import Entry
from replan.experiments.report import Cell, Report
from replan.experiments.runs import Problem, Run, pairs
from replan.experiments.statistics import Mean, Values, mean, ratio

US = 1e-3  # microseconds in a nanosecond
Row = tuple[Entry, int | None]


@dataclass(frozen=True)
class Column:
    """A column: the mean of `part`, or of `part` divided by `whole`: in total, or (each) trip by trip.

    field: its name in the file of the paper's figures. rounded: the last digit that the paper prints.
    """

    title: str
    field: str
    part: str
    whole: str | None = None
    each: bool = False
    scale: float = 1.0
    rounded: float = 0.0
    time: bool = False

    def of(self, trips: pl.DataFrame) -> Mean:
        part = trips[self.part].to_numpy() * self.scale
        if self.whole is None:
            return mean(part)
        whole = trips[self.whole].to_numpy()
        return mean(part[whole > 0] / whole[whole > 0]) if self.each else ratio(part, whole)


def rows(entries: Iterable[Entry], lookaheads: Sequence[int | None]) -> list[Row]:
    """Each planner with each lookahead, if it keeps one and the user gave none."""
    found: list[Row] = []
    for entry in entries:
        many = entry.takes("lookahead") and not {"lookahead", "deadline"} & entry.options.keys()
        found += [(entry, k) for k in lookaheads] if many else [(entry, entry.options.get("lookahead"))]
    return found


def row_name(planner: str, lookahead: int | None, bounded: bool = True) -> str:
    """
    >>> row_name("RTAA*", None), row_name("RTAA*", 9), row_name("D* Lite", None, bounded=False)
    ('RTAA* ∞', 'RTAA* 9', 'D* Lite')
    """
    return f"{planner} {'∞' if lookahead is None else lookahead}" if bounded else planner


def row_runs(wanted: Sequence[Row], problems: Iterable[Problem], **options: Any) -> Iterator[Run]:
    """All planners on one problem after the other, so that an early end leaves comparable figures."""
    prepared = []
    for entry, lookahead in wanted:
        bounded = entry.takes("lookahead") and "deadline" not in entry.options
        others = {name: value for name, value in entry.options.items() if name != "lookahead"}
        label = f"{entry.name} ({', '.join(f'{k}={v}' for k, v in others.items())})" if others else entry.name
        tags = {"row": row_name(label, lookahead, bounded), "lookahead": lookahead}
        limits = {"lookahead": lookahead} if bounded else {}
        prepared.append((entry.name, pairs(**entry.with_options(**options, **limits)), tags))
    for problem in problems:
        for planner, chosen, tags in prepared:
            yield Run(planner, chosen, problem, tags)


def by_row(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The runs of each row, in the order of the rows."""
    return {str(name): trips for (name,), trips in frame.group_by("row", maintain_order=True)}


def paired(first: pl.DataFrame, second: pl.DataFrame, column: str) -> tuple[Values, Values]:
    """What two rows measured on the problems that both have; times in microseconds."""
    both = first.select("problem", column).join(second.select("problem", column), on="problem", maintain_order="left")
    unit = US if column.endswith("_ns") else 1
    return both[column].to_numpy() * unit, both[f"{column}_right"].to_numpy() * unit


def show(into: Report, head: str, trips: Mapping[str, pl.DataFrame], columns: Sequence[Column]) -> None:
    """Our table."""
    titles = [head, *(column.title for column in columns), "did not arrive"]
    lines: list[list[Any]] = []
    for name, of_row in trips.items():
        lost = len(of_row) - int(of_row["reached"].sum())
        lines.append([name, *(column.of(of_row).value for column in columns), lost or ""])
    late = any(line[-1] for line in lines)
    into.table(titles if late else titles[:-1], lines if late else [line[:-1] for line in lines])


def cells(
    name: str, trips: pl.DataFrame, given: Mapping[str, str], columns: Sequence[Column], cases: int
) -> list[Cell]:
    """A row of counts beside the paper's. cases: how many the paper has, for the errors that it does not give."""
    found = []
    for column in columns:
        if not given[column.field] or column.time:
            continue
        ours = column.of(trips)
        error = float(given.get(f"{column.field}_sem") or ours.spread / cases**0.5)
        error = (error**2 + (column.rounded / 12**0.5) ** 2) ** 0.5
        found.append(Cell(name, column.title, float(given[column.field]), error, ours))
    return found


def show_times(
    into: Report,
    trips: Mapping[str, pl.DataFrame],
    given: Mapping[str, Mapping[str, str]],
    columns: Sequence[Column],
) -> None:
    """Times beside the paper's: of another machine, so there is no verdict."""
    titles = ["", "measure", "paper", "ours", "standard error", "paper / ours"]
    lines: list[list[Any]] = []
    for name in trips:
        for column in columns:
            if column.time and name in given and given[name][column.field]:
                ours, paper = column.of(trips[name]), float(given[name][column.field])
                lines.append([name, column.title, paper, ours.value, ours.error, paper / ours.value])
    if lines:
        into.table(titles, lines)
