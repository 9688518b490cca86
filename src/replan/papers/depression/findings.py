"""The tests of what depression avoidance 2011 says: from the runs of the experiment to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import numpy as np
import polars as pl

from replan.experiments.lookahead_choice import interpolated_lookahead
from replan.experiments.statistics import Array, Estimate, mean, percent_change, ratio_of_totals
from replan.experiments.tables import (
    PaperRow,
    TripsByRow,
    costs_at_lookahead,
    measured_values,
    paired_values,
    row_name,
    rows_by_lookahead,
)
from replan.papers.common.verdicts import Finding, less_than, observation, within_factor, within_range, within_tolerance
from replan.papers.depression import case_by_case
from replan.papers.depression.columns import (
    ALSS,
    ARTAA,
    COLUMNS,
    DARTAA,
    LOOKAHEADS,
    LSS,
    RTAA,
    SELECTED_LOOKAHEADS,
    UNBOUNDED,
    paper_rows,
)
from replan.papers.depression.families import Family, ratios

LARGEST_LOOKAHEAD = LOOKAHEADS[-1]
MAGNITUDE = 10**0.5  # "an order of magnitude": 10 times, give or take that factor


@dataclass(frozen=True)
class Figure2Data:
    """Our runs by the rows of Figure 2, the paper's rows, and how the ratio of moves grows in each family of worlds."""

    trips: TripsByRow
    paper_rows: Mapping[str, PaperRow]
    growth: Mapping[str, tuple[Family, list[dict[str, object]]]]

    def rows_by_lookahead(self, planner: str) -> dict[int, pl.DataFrame]:
        return rows_by_lookahead(planner, self.trips, LOOKAHEADS)

    def ms_per_episode(self, planner: str) -> dict[int, float]:
        """Milliseconds an episode by lookahead."""
        return {
            k: COLUMNS["ms_per_episode"].estimate(rows).value for k, rows in self.rows_by_lookahead(planner).items()
        }

    def less_than(self, first: str, second: str, metric: str = "cost") -> Iterator[Finding]:
        """Nothing where a row is missing."""
        if first in self.trips and second in self.trips:
            first_trips, second_trips = (_by_episode(self.trips[name]) for name in (first, second))
            yield less_than(f"{first} < {second}", *paired_values(first_trips, second_trips, metric))

    def ratio_of_totals(self, first: str, second: str, metric: str = "cost") -> Estimate:
        return ratio_of_totals(*paired_values(self.trips[first], self.trips[second], metric))


def _by_episode(trips: pl.DataFrame) -> pl.DataFrame:
    """Also time and percolations an episode, case by case."""
    return trips.with_columns(
        one_episode_ns=pl.col("search_ns") / pl.col("episodes"),
        percolations_an_episode=pl.col("percolations") / pl.col("episodes"),
    )


Test = Callable[[Figure2Data], Iterable[Finding]]


def at_each_lookahead(first: str, second: str, metric: str = "cost", lookaheads: Iterable[int] = LOOKAHEADS) -> Test:
    pairs = [(row_name(first, k), row_name(second, k)) for k in lookaheads]
    return lambda figure: [
        f for first_row, second_row in pairs for f in figure.less_than(first_row, second_row, metric)
    ]


def costs_less(first: str, second: str) -> Test:
    return lambda figure: figure.less_than(first, second)


def is_faster_by_factor(times: float, first: str, second: str, figure: Figure2Data) -> Iterator[Finding]:
    """How many times less time an episode."""
    if first in figure.trips and second in figure.trips:
        yield within_factor(f"{second} to {first}", _time_ratio(figure, second, first), times)


def _time_ratio(figure: Figure2Data, first: str, second: str) -> Estimate:
    """Of the mean times an episode, which are divided case by case: few long trips do not outweigh the others."""
    first_trips, second_trips = (_by_episode(figure.trips[name]) for name in (first, second))
    return ratio_of_totals(*paired_values(first_trips, second_trips, "one_episode_ns"))


def larger_lookahead_costs_less(figure: Figure2Data) -> list[Finding]:
    return [
        f
        for planner in (RTAA, DARTAA)
        for few, more in pairwise(SELECTED_LOOKAHEADS)
        for f in figure.less_than(row_name(planner, more), row_name(planner, few))
    ]


def better_at_every_deadline(figure: Figure2Data) -> Iterator[Finding]:
    for k, limit in figure.ms_per_episode(RTAA).items():
        if k in SELECTED_LOOKAHEADS:
            yield from _at_equal_times(figure, limit, k)


def _at_equal_times(figure: Figure2Data, limit: float, lookahead: int) -> Iterator[Finding]:
    times = figure.ms_per_episode(DARTAA)
    our_lookahead = interpolated_lookahead(times, limit) if times else None
    if our_lookahead is not None:
        first, second = _costs(figure, (DARTAA, our_lookahead), (RTAA, lookahead))
        yield less_than(f"{1000 * limit:.2g} µs: {DARTAA} {our_lookahead:.0f} < {RTAA} {lookahead}", first, second)


def _costs(figure: Figure2Data, *settings: tuple[str, float]) -> list[Array]:
    first_costs, second_costs = (costs_at_lookahead(k, figure.rows_by_lookahead(planner)) for planner, k in settings)
    return measured_values(first_costs.join(second_costs, on="problem", maintain_order="left"), "cost", "cost_right")


def advantage_shrinks_with_time(figure: Figure2Data) -> Iterator[Finding]:
    """RTAA* to daRTAA*, within the time that RTAA* takes with a small lookahead and with the largest."""
    gains = []
    for lookahead, limit in figure.ms_per_episode(RTAA).items():
        equal_time_lookahead = (
            interpolated_lookahead(figure.ms_per_episode(DARTAA), limit)
            if lookahead in (7, LARGEST_LOOKAHEAD)
            else None
        )
        if equal_time_lookahead is not None:
            gains.append(ratio_of_totals(*_costs(figure, (RTAA, lookahead), (DARTAA, equal_time_lookahead))))
    if len(gains) == 2 and gains[0].contributions is not None and gains[1].contributions is not None:
        yield within_range("by how much the ratio is larger", _difference(*gains), 0, inf)


def _difference(first: Estimate, second: Estimate) -> Estimate:
    """Of two figures of the same cases."""
    difference = mean(np.asarray(first.contributions) - np.asarray(second.contributions))
    return replace(difference, value=first.value - second.value)


def saves_against_lss(limit_ms: float, paper_percent: float, figure: Figure2Data) -> Iterator[Finding]:
    """RTAA* with its lookahead in the paper within that time, LSS-LRTA* with what it has here in as much."""
    printed = {
        int(row["lookahead"]): float(row["ms_per_episode"]) for row in paper_rows().values() if row["planner"] == RTAA
    }
    lookahead, ours = interpolated_lookahead(printed, limit_ms), figure.ms_per_episode(RTAA)
    if lookahead is None or len(ours) < len(printed) or len(figure.ms_per_episode(LSS)) < len(printed):
        return
    our_limit_ms = float(np.interp(lookahead, list(ours), list(ours.values())))
    lss_lookahead = interpolated_lookahead(figure.ms_per_episode(LSS), our_limit_ms)
    if lss_lookahead is not None:
        first, second = _costs(figure, (RTAA, lookahead), (LSS, lss_lookahead))
        label = f"{1000 * our_limit_ms:.2g} µs here: {RTAA} {lookahead:.0f} and {LSS} {lss_lookahead:.0f}"
        yield within_factor(
            label, percent_change(ratio_of_totals(first, second), as_decrease=True), paper_percent, " % saved"
        )
        yield less_than(f"{label}, cost", first, second)


def saves_with_avoidance(paper_percent: float, lookaheads: Iterable[int], figure: Figure2Data) -> Iterator[Finding]:
    for k in lookaheads:
        names = row_name(ALSS, k), row_name(LSS, k)
        if set(names) <= figure.trips.keys():
            yield within_factor(
                f"lookahead {k}",
                percent_change(figure.ratio_of_totals(*names), as_decrease=True),
                paper_percent,
                " % saved",
            )


def share_agrees(name: str, figure: Figure2Data) -> Iterator[Finding]:
    both = case_by_case.pair_table(figure.trips, LOOKAHEADS)
    if not both.is_empty():
        yield within_tolerance(name, case_by_case.pair_estimates(both)[name], case_by_case.PAPER_VALUES[name])


def costs_more_than_a_star(figure: Figure2Data) -> Iterator[Finding]:
    for planner in (RTAA, ARTAA, DARTAA):
        yield from figure.less_than(UNBOUNDED, row_name(planner, LARGEST_LOOKAHEAD))


def is_faster_than_a_star(figure: Figure2Data) -> Iterator[Finding]:
    for planner in (RTAA, ARTAA, DARTAA):
        yield from figure.less_than(row_name(planner, LARGEST_LOOKAHEAD), UNBOUNDED, "one_episode_ns")


def five_times_the_cost(figure: Figure2Data) -> Iterator[Finding]:
    if {UNBOUNDED, row_name(DARTAA, LARGEST_LOOKAHEAD)} <= figure.trips.keys():
        yield within_tolerance(
            "cost", figure.ratio_of_totals(row_name(DARTAA, LARGEST_LOOKAHEAD), UNBOUNDED), 5.1, unit=" times"
        )


def order_of_magnitude_faster(figure: Figure2Data) -> Iterator[Finding]:
    if {UNBOUNDED, row_name(DARTAA, LARGEST_LOOKAHEAD)} <= figure.trips.keys():
        found = _time_ratio(figure, UNBOUNDED, row_name(DARTAA, LARGEST_LOOKAHEAD))
        yield within_range("time an episode", found, 10 / MAGNITUDE, 10 * MAGNITUDE, " times less")


def ratio_grows(name: str, figure: Figure2Data) -> Iterator[Finding]:
    if name in figure.growth:
        family, rows = figure.growth[name]
        by_size = ratios(family, rows)
        sizes = sorted(by_size)
        rising = all(by_size[b] > by_size[a] for a, b in pairwise(sizes))
        shown = ", ".join(f"size {size}: {by_size[size]:.1f}" for size in sizes)
        yield observation(f"{family.loser} to {family.winner}", rising, f"times the moves, {shown}")
