"""The decision at the end of RTAA* 2006: which lookahead for a limit of time, with the paper's worked example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from replan.experiments.lookaheads import Point, cost_at, odd_lookahead
from replan.experiments.tables import Column, PaperRow, mean_of


@dataclass(frozen=True)
class Worked:
    """The paper's worked example: a limit in microseconds per episode or move, and what the paper chooses and finds."""

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


def paper_points(rows: Mapping[int, PaperRow], time: Column, cost: Column) -> list[Point]:
    """What the paper measured of a planner, from its rows by lookahead."""
    return [Point(lookahead, _printed(time, row), _printed(cost, row)) for lookahead, row in rows.items()]


def scaled_limit(worked: Worked, time: Column, d_star_lite: pl.DataFrame, d_star_lite_of_paper: PaperRow) -> float:
    """The limit of the worked example for our machine: scaled by what D* Lite needs here and in the paper."""
    return worked.limit * time.of(d_star_lite).value / _printed(time, d_star_lite_of_paper)


def decide(rows: Mapping[int, pl.DataFrame], time: Column, limit: float) -> tuple[str, float | None]:
    """The lookahead that our own times choose, in words, and its cost. rows: the trips of a planner by lookahead."""
    points = [Point(k, time.of(trips).value, mean_of("cost")(trips).value) for k, trips in rows.items()]
    chosen = odd_lookahead(points, limit)
    if chosen is None:
        return "none is quick enough", None
    return f"{chosen}{' or more' if chosen >= max(rows) else ''}", cost_at(points, chosen)


def _printed(column: Column, row: PaperRow) -> float:
    """A figure without which the paper's decision cannot be followed."""
    figure = column.paper(row)
    if figure is None:
        raise ValueError(f"the paper's table lacks {column.name} of {row}")
    return figure
