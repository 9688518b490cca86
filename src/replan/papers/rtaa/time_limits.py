"""The decision at the end of RTAA* 2006: which lookahead for a limit of time, with the paper's worked example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from replan.experiments.lookaheads import Point, odd_lookahead
from replan.experiments.tables import Column, PaperRow, Trips, mean_of, rows_of
from replan.papers.rtaa.columns import COLUMNS, LOOKAHEADS

FINITE = [k for k in LOOKAHEADS if k is not None]


@dataclass(frozen=True)
class Worked:
    """The paper's worked example: a limit in microseconds per episode or move, and what the paper chooses and finds.

    percent: how much more LRTA* costs than RTAA*.
    """

    limit: float
    per: str
    planner: str
    lookahead: int
    cost: float
    percent: float

    @property
    def column(self) -> Column:
        """The times that are limited."""
        return COLUMNS[f"us_per_{self.per}"]


WORKED = (
    Worked(20.0, "episode", "RTAA*", 67, 13657.31, 23),
    Worked(20.0, "episode", "LRTA*", 43, 16814.49, 23),
    Worked(4.0, "move", "RTAA*", 79, 12699.99, 13),
    Worked(4.0, "move", "LRTA*", 53, 14427.80, 13),
)


def paper_points(rows: Mapping[int, PaperRow], time: Column) -> list[Point]:
    """What the paper measured of a planner, from its rows by lookahead."""
    cost = COLUMNS["cost"]
    return [Point(lookahead, _printed(time, row), _printed(cost, row)) for lookahead, row in rows.items()]


def scaled_limit(worked: Worked, trips: Trips, given: Mapping[str, PaperRow]) -> float:
    """The limit of the worked example for our machine: scaled by what D* Lite needs here and in the paper."""
    ours, papers = worked.column.of(trips["D* Lite"]).value, _printed(worked.column, given["D* Lite"])
    return worked.limit * ours / papers


def scaled_lookahead(worked: Worked, planner: str, trips: Trips, given: Mapping[str, PaperRow]) -> int | None:
    """The lookahead that our own times choose within that limit; None where none does, or the runs are not there."""
    rows = rows_of(planner, trips, FINITE)
    if "D* Lite" not in trips or len(rows) < 2:
        return None
    cost = mean_of("cost")
    points = [Point(k, worked.column.of(runs).value, cost(runs).value) for k, runs in rows.items()]
    limit = scaled_limit(worked, trips, given)
    return odd_lookahead(points, limit) if isfinite(limit) else None  # else nothing was timed


def _printed(column: Column, row: PaperRow) -> float:
    """A figure without which the paper's decision cannot be followed."""
    figure = column.paper(row)
    if figure is None:
        raise ValueError(f"the paper's table lacks {column.name} of {row}")
    return figure
