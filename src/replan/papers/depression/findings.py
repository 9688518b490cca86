"""The tests of what depression avoidance 2011 says: from the runs of the experiment to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import numpy as np
import polars as pl

from replan.experiments.lookaheads import largest_lookahead
from replan.experiments.statistics import Array, Estimate, mean, percent, ratio
from replan.experiments.tables import PaperRow, Trips, costs_at, figures, paired, row_name, rows_of
from replan.papers.common.verdicts import Finding, about, between, fact, less, near
from replan.papers.depression import case_by_case
from replan.papers.depression.columns import (
    ALSS,
    ARTAA,
    COLUMNS,
    DARTAA,
    FEWER,
    LOOKAHEADS,
    LSS,
    RTAA,
    UNBOUNDED,
    paper_rows,
)
from replan.papers.depression.families import Family, ratios

LAST = LOOKAHEADS[-1]
MAGNITUDE = 10**0.5  # "an order of magnitude": 10 times, give or take that factor


@dataclass(frozen=True)
class Figure2:
    """Our runs by the rows of Figure 2, the paper's rows, and how the ratio of moves grows in each family of worlds."""

    trips: Trips
    given: Mapping[str, PaperRow]
    grown: Mapping[str, tuple[Family, list[dict[str, object]]]]

    def rows(self, planner: str) -> dict[int, pl.DataFrame]:
        return rows_of(planner, self.trips, LOOKAHEADS)

    def times(self, planner: str) -> dict[int, float]:
        """Milliseconds an episode by lookahead."""
        return {k: COLUMNS["ms_per_episode"].of(rows).value for k, rows in self.rows(planner).items()}

    def less(self, first: str, second: str, measured: str = "cost") -> Iterator[Finding]:
        """Nothing where a row is missing."""
        if first in self.trips and second in self.trips:
            one, other = (_by_episode(self.trips[name]) for name in (first, second))
            yield less(f"{first} < {second}", *paired(one, other, measured))

    def ratio(self, first: str, second: str, measured: str = "cost") -> Estimate:
        return ratio(*paired(self.trips[first], self.trips[second], measured))


def _by_episode(trips: pl.DataFrame) -> pl.DataFrame:
    """Also time and percolations an episode, case by case."""
    return trips.with_columns(
        one_episode_ns=pl.col("search_ns") / pl.col("episodes"),
        percolations_an_episode=pl.col("percolations") / pl.col("episodes"),
    )


Test = Callable[[Figure2], Iterable[Finding]]


def at_each_lookahead(first: str, second: str, measured: str = "cost", lookaheads: Iterable[int] = LOOKAHEADS) -> Test:
    wanted = [(row_name(first, k), row_name(second, k)) for k in lookaheads]
    return lambda figure: [f for one, other in wanted for f in figure.less(one, other, measured)]


def cheaper(first: str, second: str) -> Test:
    return lambda figure: figure.less(first, second)


def quicker(times: float, first: str, second: str, figure: Figure2) -> Iterator[Finding]:
    """How many times less time an episode."""
    if first in figure.trips and second in figure.trips:
        yield about(f"{second} to {first}", _time_ratio(figure, second, first), times)


def _time_ratio(figure: Figure2, first: str, second: str) -> Estimate:
    """Of the mean times an episode, which are divided case by case: few long trips do not outweigh the others."""
    one, other = (_by_episode(figure.trips[name]) for name in (first, second))
    return ratio(*paired(one, other, "one_episode_ns"))


def more_time_helps(figure: Figure2) -> list[Finding]:
    return [
        f
        for planner in (RTAA, DARTAA)
        for few, more in pairwise(FEWER)
        for f in figure.less(row_name(planner, more), row_name(planner, few))
    ]


def better_at_every_deadline(figure: Figure2) -> Iterator[Finding]:
    for k, limit in figure.times(RTAA).items():
        if k in FEWER:
            yield from _at_equal_times(figure, limit, k)


def _at_equal_times(figure: Figure2, limit: float, lookahead: int) -> Iterator[Finding]:
    times = figure.times(DARTAA)
    other = largest_lookahead(times, limit) if times else None
    if other is not None:
        first, second = _costs(figure, (DARTAA, other), (RTAA, lookahead))
        yield less(f"{1000 * limit:.2g} µs: {DARTAA} {other:.0f} < {RTAA} {lookahead}", first, second)


def _costs(figure: Figure2, *settings: tuple[str, float]) -> list[Array]:
    one, other = (costs_at(k, figure.rows(planner)) for planner, k in settings)
    return figures(one.join(other, on="problem", maintain_order="left"), "cost", "cost_right")


def especially_when_small(figure: Figure2) -> Iterator[Finding]:
    """RTAA* to daRTAA*, within the time that RTAA* takes with a small lookahead and with the largest."""
    gains = []
    for lookahead, limit in figure.times(RTAA).items():
        other = largest_lookahead(figure.times(DARTAA), limit) if lookahead in (7, LAST) else None
        if other is not None:
            gains.append(ratio(*_costs(figure, (RTAA, lookahead), (DARTAA, other))))
    if len(gains) == 2 and gains[0].parts is not None and gains[1].parts is not None:
        yield between("by how much the ratio is larger", _difference(*gains), 0, inf)


def _difference(first: Estimate, second: Estimate) -> Estimate:
    """Of two figures of the same cases."""
    apart = mean(np.asarray(first.parts) - np.asarray(second.parts))
    return replace(apart, value=first.value - second.value)


def beats_lss(limit_ms: float, said: float, figure: Figure2) -> Iterator[Finding]:
    """RTAA* with its lookahead in the paper within that time, LSS-LRTA* with what it has here in as much."""
    printed = {
        int(row["lookahead"]): float(row["ms_per_episode"]) for row in paper_rows().values() if row["planner"] == RTAA
    }
    lookahead, ours = largest_lookahead(printed, limit_ms), figure.times(RTAA)
    if lookahead is None or len(ours) < len(printed) or len(figure.times(LSS)) < len(printed):
        return
    here = float(np.interp(lookahead, list(ours), list(ours.values())))
    other = largest_lookahead(figure.times(LSS), here)
    if other is not None:
        first, second = _costs(figure, (RTAA, lookahead), (LSS, other))
        label = f"{1000 * here:.2g} µs here: {RTAA} {lookahead:.0f} and {LSS} {other:.0f}"
        yield about(label, percent(ratio(first, second), below=True), said, " % saved")
        yield less(f"{label}, cost", first, second)


def saves(said: float, lookaheads: Iterable[int], figure: Figure2) -> Iterator[Finding]:
    for k in lookaheads:
        names = row_name(ALSS, k), row_name(LSS, k)
        if set(names) <= figure.trips.keys():
            yield about(f"lookahead {k}", percent(figure.ratio(*names), below=True), said, " % saved")


def share(name: str, figure: Figure2) -> Iterator[Finding]:
    both = case_by_case.pair_table(figure.trips, LOOKAHEADS)
    if not both.is_empty():
        yield near(name, case_by_case.pair_figures(both)[name], case_by_case.PAPER[name])


def dearer_than_a_star(figure: Figure2) -> Iterator[Finding]:
    for planner in (RTAA, ARTAA, DARTAA):
        yield from figure.less(UNBOUNDED, row_name(planner, LAST))


def quicker_than_a_star(figure: Figure2) -> Iterator[Finding]:
    for planner in (RTAA, ARTAA, DARTAA):
        yield from figure.less(row_name(planner, LAST), UNBOUNDED, "one_episode_ns")


def five_times_the_cost(figure: Figure2) -> Iterator[Finding]:
    if {UNBOUNDED, row_name(DARTAA, LAST)} <= figure.trips.keys():
        yield near("cost", figure.ratio(row_name(DARTAA, LAST), UNBOUNDED), 5.1, unit=" times")


def a_magnitude_less(figure: Figure2) -> Iterator[Finding]:
    if {UNBOUNDED, row_name(DARTAA, LAST)} <= figure.trips.keys():
        found = _time_ratio(figure, UNBOUNDED, row_name(DARTAA, LAST))
        yield between("time an episode", found, 10 / MAGNITUDE, 10 * MAGNITUDE, " times less")


def grows(name: str, figure: Figure2) -> Iterator[Finding]:
    if name in figure.grown:
        family, rows = figure.grown[name]
        found = ratios(family, rows)
        sizes = sorted(found)
        rising = all(found[b] > found[a] for a, b in pairwise(sizes))
        shown = ", ".join(f"size {size}: {found[size]:.1f}" for size in sizes)
        yield fact(f"{family.loser} to {family.winner}", rising, f"times the moves, {shown}")
