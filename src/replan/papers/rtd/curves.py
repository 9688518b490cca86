"""The lines of RTD* 2010's figures: which planners, with which options, by the paper's text and by its program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from replan.experiments.experiment import AUTHORS_PROGRAM, PAPER_TEXT
from replan.experiments.runs import Options, make_options
from replan.experiments.statistics import Array, Estimate, Values, mean

LIMITS = (1, 8, 16, 32, 64, 128, 256, 512)
SELECTED_LIMITS = (8, 64, 512)  # limits of what the paper only mentions
# The curves by the names that tables and plots show.
RTD, RTD_LRTA, RTD_AD = "RTD* (D* Lite, LSS-LRTA*)", "RTD* (D* Lite, LRTA*)", "RTD* (AD*, LSS-LRTA*)"
LRTA, LSS, NOOP, NON_RTD = "LRTA*", "LSS-LRTA*", "RTD* NoOp", "Non-RTD*"
RATIOS = (0.25, 0.5, 0.75)
NEIGHBOR = "Neighbor LRTA*"


@dataclass(frozen=True)
class Curve:
    """A line of a figure: a planner with its options. unlimited: it has no limit, so its figure is the same at each."""

    name: str
    planner: str
    options: Options = ()
    is_unlimited: bool = False
    limits: Sequence[int] = LIMITS


def curve_name_with_ratio(name: str, ratio: float) -> str:
    """What a curve is called whose local search gets another share than that of the figure."""
    return f"{name}, {ratio:.0%} local"


def curves_of(world: str, conventions: str) -> list[Curve]:
    """The curves of a world ("unknown" or "doors").

    In the authors' program LRTA* searches from each neighbour, and local paths are walked to their end.
    """
    authors = conventions == AUTHORS_PROGRAM
    lrta = NEIGHBOR if authors else "TLA*"
    alone: dict[str, Any] = {"pathmax": False} if authors else {}
    moves: dict[str, Any] = {"local_moves": None} if authors else {}

    def rtd(name: str, ratio: float, limits: Sequence[int] = LIMITS, **options: Any) -> Curve:
        return Curve(name, "RTD*", make_options(local_ratio=ratio, **moves, **options), limits=limits)

    shown = {RTD_LRTA: 0.25, RTD: 0.75 if world == "unknown" else 0.5}
    local: dict[str, dict[str, Any]] = {RTD_LRTA: {"local": lrta}, RTD: {}}
    curves = [Curve(LRTA, lrta, make_options(**alone)), Curve(LSS, "LSS-LRTA*")]
    curves += [rtd(name, ratio, **local[name]) for name, ratio in shown.items()]
    curves += [
        rtd(curve_name_with_ratio(name, ratio), ratio, SELECTED_LIMITS, **local[name])
        for name in shown
        for ratio in RATIOS
        if ratio != shown[name]
    ]
    if world == "unknown":
        curves.append(Curve(NOOP, "RTD* NoOp"))
    else:
        curves += [rtd(RTD_AD, 0.5, global_="AD*"), Curve(NOOP, "RTD* NoOp", limits=SELECTED_LIMITS)]
    return [*curves, Curve(NON_RTD, "Non-RTD*", is_unlimited=True)]


class CurveData:
    """The ratios of a world by planner and limit, paired by problem."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self.names = frame["row"].unique(maintain_order=True).to_list()
        limits = frame.group_by("row").agg(pl.col("limit").null_count() == pl.len())
        self._unlimited_names = {name for name, without in limits.iter_rows() if without}

    def runs(self, name: str, limit: int) -> pl.DataFrame:
        chosen = self.frame.filter(pl.col("row") == name)
        return chosen if name in self._unlimited_names else chosen.filter(pl.col("limit") == limit)

    def mean(self, name: str, limit: int) -> Estimate:
        return mean(self.runs(name, limit)["ratio"].to_numpy())

    def paired_values(self, first: str, second: str, limit: int) -> tuple[Values, Values]:
        both = self.paired_table([(first, limit), (second, limit)])
        return both[:, 0], both[:, 1]

    def paired_table(self, wanted: Sequence[tuple[str, int]]) -> Array:
        """A row for each problem, a column for each curve and limit; of the problems that have all of them."""
        table: pl.DataFrame | None = None
        for i, (name, limit) in enumerate(wanted):
            ratios = self.runs(name, limit).select("problem", pl.col("ratio").alias(f"{i}"))
            table = ratios if table is None else table.join(ratios, on="problem")
        assert table is not None
        values: Array = table.sort("problem").drop("problem").to_numpy().reshape(-1, len(wanted))
        return values


@dataclass(frozen=True)
class ConventionRuns:
    """What was run under the same conventions: the worlds of Figure 3 and of Figure 4, where there are runs of them."""

    unknown: CurveData | None
    doors: CurveData | None


def add_walked_columns(frame: pl.DataFrame, conventions: str) -> pl.DataFrame:
    """What is measured: by the text moves over those of a shortest path, by the program what both cost."""
    columns = ("moves", "shortest") if conventions == PAPER_TEXT else ("cost", "cheapest")
    return frame.with_columns(walked=pl.col(columns[0]), best=pl.col(columns[1]))


def add_ratio_column(frame: pl.DataFrame, conventions: str) -> pl.DataFrame:
    """The measure: moves, or what they cost, and steps stood still, over the best way."""
    return add_walked_columns(frame, conventions).with_columns(
        ratio=(pl.col("walked") + pl.col("waits")) / pl.col("best")
    )


def runs_under_conventions(frame: pl.DataFrame, conventions: str) -> ConventionRuns:
    chosen = add_ratio_column(frame.filter(pl.col("conventions") == conventions), conventions)
    parts = (chosen.filter(pl.col("world") == world) for world in ("unknown", "doors"))
    return ConventionRuns(*(None if part.is_empty() else CurveData(part) for part in parts))
