"""The decision at the end of paper 000, with its worked example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from replan.experiments.lookaheads import Point, cost_at, odd_lookahead
from replan.experiments.tables import Column, row_name

D_STAR_LITE = {"episode": 20.99, "move": 6.62}  # what it needs in the paper


@dataclass(frozen=True)
class Worked:
    """The paper's worked example: a limit, and what it chooses and finds."""

    limit: float
    per: str
    planner: str
    lookahead: int
    cost: float


WORKED = (
    Worked(20.0, "episode", "RTAA*", 67, 13657.31),
    Worked(20.0, "episode", "LRTA*", 43, 16814.49),
    Worked(4.0, "move", "RTAA*", 79, 12699.99),
    Worked(4.0, "move", "LRTA*", 53, 14427.80),
)


def show_decision(
    trips: Mapping[str, pl.DataFrame], worked: Worked, name: str, column: Column, rival: str, series: Sequence[int]
) -> list[list[Any]]:
    """The worked example on our own times: a line of a table, or none if there are too few rows."""
    if rival not in trips or len(series) < 2:
        return []
    needs = column.of(trips[rival]).value
    limit = worked.limit * needs / D_STAR_LITE[worked.per]
    rows = [trips[row_name(name, k)] for k in series]
    costs = [float(row["cost"].to_numpy().mean()) for row in rows]
    points = [Point(k, column.of(row).value, cost) for k, row, cost in zip(series, rows, costs, strict=True)]
    chosen = odd_lookahead(points, limit)
    cost = None if chosen is None else cost_at(points, chosen)
    said = "none is quick enough" if chosen is None else f"{chosen}{' or more' if chosen >= series[-1] else ''}"
    return [[f"{limit:.2f} µs per {worked.per}", name, said, cost, f"{needs:.2f} µs"]]
