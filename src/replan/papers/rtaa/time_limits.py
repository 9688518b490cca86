"""The decision at the end of RTAA* 2006: which lookahead for a limit of time, with the paper's worked example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from replan.experiments.lookahead_choice import LookaheadMeasurement, largest_odd_lookahead
from replan.experiments.tables import Column, PaperRow, TripsByRow, mean_of, rows_by_lookahead
from replan.papers.rtaa.columns import COLUMNS, LOOKAHEADS

FINITE_LOOKAHEADS = [k for k in LOOKAHEADS if k is not None]


@dataclass(frozen=True)
class WorkedExample:
    """The paper's worked example: a limit in microseconds per episode or move, and what the paper chooses and finds.

    percent: how much more LRTA* costs than RTAA*.
    """

    limit: float
    limit_unit: str
    planner: str
    lookahead: int
    cost: float
    cost_excess_percent: float

    @property
    def time_column(self) -> Column:
        """The times that are limited."""
        return COLUMNS[f"us_per_{self.limit_unit}"]


WORKED_EXAMPLES = (
    WorkedExample(20.0, "episode", "RTAA*", 67, 13657.31, 23),
    WorkedExample(20.0, "episode", "LRTA*", 43, 16814.49, 23),
    WorkedExample(4.0, "move", "RTAA*", 79, 12699.99, 13),
    WorkedExample(4.0, "move", "LRTA*", 53, 14427.80, 13),
)


def paper_measurements(rows: Mapping[int, PaperRow], time: Column) -> list[LookaheadMeasurement]:
    """What the paper measured of a planner, from its rows by lookahead."""
    cost = COLUMNS["cost"]
    return [
        LookaheadMeasurement(lookahead, _printed(time, row), _printed(cost, row)) for lookahead, row in rows.items()
    ]


def scaled_limit(worked: WorkedExample, trips: TripsByRow, paper_rows: Mapping[str, PaperRow]) -> float:
    """The limit of the worked example for our machine: scaled by what D* Lite needs here and in the paper."""
    our_time = worked.time_column.estimate(trips["D* Lite"]).value
    return worked.limit * our_time / _printed(worked.time_column, paper_rows["D* Lite"])


def scaled_lookahead(
    worked: WorkedExample, planner: str, trips: TripsByRow, paper_rows: Mapping[str, PaperRow]
) -> int | None:
    """The lookahead that our own times choose within that limit; None where none does, or the runs are not there."""
    rows = rows_by_lookahead(planner, trips, FINITE_LOOKAHEADS)
    if "D* Lite" not in trips or len(rows) < 2:
        return None
    cost = mean_of("cost")
    points = [
        LookaheadMeasurement(k, worked.time_column.estimate(runs).value, cost(runs).value) for k, runs in rows.items()
    ]
    limit = scaled_limit(worked, trips, paper_rows)
    return largest_odd_lookahead(points, limit) if isfinite(limit) else None  # else nothing was timed


def _printed(column: Column, row: PaperRow) -> float:
    """A figure without which the paper's decision cannot be followed."""
    figure = column.paper_value(row)
    if figure is None:
        raise ValueError(f"the paper's table lacks {column.name} of {row}")
    return figure
