"""The choice of a lookahead for a time limit at the end of RTAA* 2006, with the paper's worked example."""

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
    """A row of the paper's worked example.

    limit: microseconds per `limit_unit` ("episode" or "move"). lookahead, cost: choice of the paper, and its mean cost.
    cost_excess_percent: by how many percent LRTA* costs more than RTAA*.
    """

    limit: float
    limit_unit: str
    planner: str
    lookahead: int
    cost: float
    cost_excess_percent: float

    @property
    def time_column(self) -> Column:
        """Column of the limited times."""
        return COLUMNS[f"us_per_{self.limit_unit}"]


WORKED_EXAMPLES = (
    WorkedExample(20.0, "episode", "RTAA*", 67, 13657.31, 23),
    WorkedExample(20.0, "episode", "LRTA*", 43, 16814.49, 23),
    WorkedExample(4.0, "move", "RTAA*", 79, 12699.99, 13),
    WorkedExample(4.0, "move", "LRTA*", 53, 14427.80, 13),
)


def paper_measurements(rows: Mapping[int, PaperRow], time: Column) -> list[LookaheadMeasurement]:
    """Return the measurements of a planner in the paper, from its rows by lookahead."""
    cost = COLUMNS["cost"]
    return [
        LookaheadMeasurement(lookahead, _printed(time, row), _printed(cost, row)) for lookahead, row in rows.items()
    ]


def scaled_limit(worked: WorkedExample, trips: TripsByRow, paper_rows: Mapping[str, PaperRow]) -> float:
    """Return the limit for our machine, scaled by the times of D* Lite here and in the paper."""
    our_time = worked.time_column.estimate(trips["D* Lite"]).value
    return worked.limit * our_time / _printed(worked.time_column, paper_rows["D* Lite"])


def scaled_lookahead(
    worked: WorkedExample, planner: str, trips: TripsByRow, paper_rows: Mapping[str, PaperRow]
) -> int | None:
    """Return the lookahead that our times give within that limit; None if there is none, or if runs are missing."""
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
    """Return a value of the paper's table. Raises ValueError if the table lacks it."""
    figure = column.paper_value(row)
    if figure is None:
        raise ValueError(f"the paper's table lacks {column.name} of {row}")
    return figure
