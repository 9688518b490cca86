"""The tables, plots and claims of the two figures of RTD* 2010."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from replan.experiments.claims import Claims
from replan.experiments.plots import line_plot
from replan.experiments.report import Report, with_error
from replan.experiments.statistics import Estimate, Values, mean

# The curves by the names that tables and plots show.
RTD, RTD_LRTA, RTD_AD = "RTD* (D* Lite, LSS-LRTA*)", "RTD* (D* Lite, LRTA*)", "RTD* (AD*, LSS-LRTA*)"
LRTA, LSS, NOOP, NON_RTD = "LRTA* (TLA*)", "LSS-LRTA*", "RTD* NoOp", "Non-RTD*"
WITH_LRTA, WITH_LSS = (LRTA, RTD_LRTA), (LSS, RTD, RTD_AD)  # the curves of the upper and of the lower graph
SIMILAR = 0.1  # "almost identical"


class Curves:
    """The ratios of a world by planner and limit, paired by problem."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self.names = frame["row"].unique(maintain_order=True).to_list()
        limits = frame.group_by("row").agg(pl.col("limit").null_count() == pl.len())
        self.unlimited = {name for name, without in limits.iter_rows() if without}

    def runs(self, name: str, limit: int) -> pl.DataFrame:
        chosen = self.frame.filter(pl.col("row") == name)
        return chosen if name in self.unlimited else chosen.filter(pl.col("limit") == limit)

    def mean(self, name: str, limit: int) -> Estimate:
        return mean(self.runs(name, limit)["ratio"].to_numpy())

    def paired(self, first: str, second: str, limit: int) -> tuple[Values, Values]:
        both = self.runs(first, limit).join(self.runs(second, limit), on="problem")
        return both["ratio"].to_numpy(), both["ratio_right"].to_numpy()


def show_world(frame: pl.DataFrame, limits: Sequence[int], name: str, into: Report) -> None:
    """One figure of the paper: a table, a plot of each of its two graphs, and what the paper says about it."""
    curves = Curves(frame)
    rows = []
    for row in curves.names:
        rows.append([row, *(with_error(curves.mean(row, limit)) for limit in limits)])
    into.table(["steps / shortest path, limit", *(str(limit) for limit in limits)], rows)
    for part, local, others in (("top", LRTA, WITH_LSS), ("bottom", LSS, WITH_LRTA)):
        wanted = [n for n in curves.names if n not in others]
        lines = {n: (list(map(float, limits)), [curves.mean(n, k).value for k in limits]) for n in wanted}
        plot = line_plot(lines, "expansions per step", "time steps / shortest path", log="xy", dashed=[NON_RTD])
        into.plot(f"{name}-{part}", plot, f"{name.replace('-', ' ').capitalize()}, {part}: {local} and RTD*")
    claims = Claims()
    (_claims_unknown if name == "figure-3" else _claims_doors)(curves, limits, claims)
    claims.show(into)


def _less(curves: Curves, claims: Claims, first: str, second: str, limits: Sequence[int]) -> None:
    for limit in limits:
        if first in curves.names and second in curves.names:
            claims.less(f"limit {limit}: {first} < {second}", *curves.paired(first, second, limit))


def _near(curves: Curves, claims: Claims, first: str, second: str, limits: Sequence[int]) -> None:
    if first in curves.names and second in curves.names:
        found = [curves.mean(first, k).value / curves.mean(second, k).value for k in limits]
        text = f"{first} is almost identical to {second} (within {SIMILAR:.0%})"
        shown = ", ".join(f"{k}: {ratio:.2f}" for k, ratio in zip(limits, found, strict=True))
        near = all(abs(ratio - 1) <= SIMILAR for ratio in found)
        enough = len(curves.runs(first, limits[0])) >= 30
        claims.fact(text, near if near or enough else None, f"ratio of the means by limit: {shown}")


def _claims_unknown(curves: Curves, limits: Sequence[int], claims: Claims) -> None:
    _less(curves, claims, RTD_LRTA, LRTA, limits)
    _less(curves, claims, RTD_LRTA, NOOP, limits)
    _less(curves, claims, RTD, NOOP, limits)
    _near(curves, claims, RTD, LSS, limits)
    _near(curves, claims, RTD, NON_RTD, [max(limits)])


def _claims_doors(curves: Curves, limits: Sequence[int], claims: Claims) -> None:
    few = [limit for limit in limits if 8 <= limit <= 64]
    _less(curves, claims, RTD_LRTA, LRTA, [limit for limit in limits if limit >= 8])  # on all but the very lowest
    _less(curves, claims, LSS, RTD, [limit for limit in limits if limit <= 16])
    _less(curves, claims, RTD, LSS, [limit for limit in limits if limit >= 128])
    _less(curves, claims, RTD_AD, RTD, few)
    _less(curves, claims, RTD_AD, LSS, few)
    _near(curves, claims, RTD, NON_RTD, [max(limits)])
