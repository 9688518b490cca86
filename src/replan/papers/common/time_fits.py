"""Fit the time of an expansion and of an episode, which explains why times differ between machines.

The model, fitted to the rows of a planner: search time = expansions * ns per expansion + episodes * ns per episode. An
expansion takes longer in a larger heap: a constant more for each doubling of the expansions of an episode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl
from scipy import optimize

from replan.experiments.plots import Line, line_plot
from replan.experiments.report import Report
from replan.experiments.tables import measured_values

FITTED_COSTS = 3  # parameters of the model


@dataclass(frozen=True)
class SearchWork:
    """A row of a table: nanoseconds of search, expansions and episodes."""

    ns: float
    expansions: float
    episodes: float


def mean_work(trips: pl.DataFrame) -> SearchWork:
    """Return the mean work of the timed trips; zeros if there are none."""
    columns = measured_values(trips, "search_ns", "expansions", "episodes")
    return SearchWork(*(float(values.mean()) if len(values) else 0.0 for values in columns))


@dataclass(frozen=True)
class TimeFit:
    """Fitted times of an expansion and of an episode. worst_relative_error: of the row with the worst fit."""

    ns_per_expansion_in_empty_heap: float
    ns_per_doubling: float  # additional time of an expansion for each doubling of the heap
    ns_per_episode: float
    worst_relative_error: float = 0.0

    def ns_per_expansion(self, expansions_per_episode: float) -> float:
        """Return the time of an expansion in an episode of so many expansions."""
        return self.ns_per_expansion_in_empty_heap + self.ns_per_doubling * float(np.log2(expansions_per_episode + 1))

    def predict_ns(self, work: SearchWork) -> float:
        per_expansion = self.ns_per_expansion(work.expansions / work.episodes)
        return per_expansion * work.expansions + self.ns_per_episode * work.episodes


def fit_times(rows: Sequence[SearchWork]) -> TimeFit | None:
    """Fit the times by least squares of the relative errors, none below 0. None if there are too few rows.

    >>> truth = TimeFit(20.0, 5.0, 50.0)
    >>> work = [SearchWork(0, 1000 * k, 1000) for k in (1, 9, 33, 89)]
    >>> fit = fit_times([SearchWork(truth.predict_ns(row), row.expansions, row.episodes) for row in work])
    >>> round(fit.ns_per_expansion_in_empty_heap), round(fit.ns_per_doubling), round(fit.ns_per_episode)
    (20, 5, 50)
    >>> round(fit.worst_relative_error, 6)
    0.0
    """
    timed = [row for row in rows if row.ns > 0]
    if len(timed) <= FITTED_COSTS:
        return None
    counts = [
        [row.expansions, row.expansions * np.log2(row.expansions / row.episodes + 1), row.episodes] for row in timed
    ]
    costs, _ = optimize.nnls(np.array(counts) / np.array([[row.ns] for row in timed]), np.ones(len(timed)))
    fit = TimeFit(*costs.tolist())
    return replace(fit, worst_relative_error=max(abs(fit.predict_ns(row) / row.ns - 1) for row in timed))


def count_order_changes(ours: Mapping[str, float], theirs: Mapping[str, float]) -> tuple[int, int]:
    """Return how many pairs of common rows are in another order, and how many pairs there are.

    >>> count_order_changes({"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 1.0, "b": 5.0, "c": 4.0})
    (1, 3)
    """
    pairs = list(combinations([name for name in ours if name in theirs], 2))
    changed = sum((ours[a] - ours[b]) * (theirs[a] - theirs[b]) < 0 for a, b in pairs)
    return changed, len(pairs)


def show_time_fits(
    report: Report,
    work: Mapping[str, Mapping[str, Sequence[SearchWork]]],
    ours: Mapping[str, float],
    theirs: Mapping[str, float],
) -> None:
    """Why the paper's times are in another order than ours.

    work: of each planner, "ours" and "paper", its rows by growing lookahead. ours, theirs: the times of all rows.
    """
    fits = {(planner, whose): fit_times(rows) for planner, both in work.items() for whose, rows in both.items()}
    found = {key: one for key, one in fits.items() if one is not None}
    if not found:
        return
    other, pairs = count_order_changes(ours, theirs)
    report.text(
        f"Order and ratios do not carry over either: of {pairs:,} pairs of rows, {other:,} are in another order here. "
        "An episode has a cost of its own beside its expansions (to begin and end a search, to walk the path back), "
        "and the two costs have not shrunk alike: the larger an episode's own cost beside that of an expansion, the "
        "slower are small lookaheads beside large ones. Fitted to each planner's rows, least squares of the relative "
        "errors: search time = expansions * (ns an expansion) + episodes * (ns an episode), where an expansion costs "
        "more in a larger heap: so many ns for each time that the expansions of an episode double."
    )
    titles = [
        "planner",
        "",
        "ns an expansion: at first",
        "each doubling",
        "in an episode of 9",
        "of 89",
        "ns an episode",
    ]
    shown = [
        [
            planner,
            whose,
            one.ns_per_expansion_in_empty_heap,
            one.ns_per_doubling,
            one.ns_per_expansion(9),
            one.ns_per_expansion(89),
            one.ns_per_episode,
            off,
        ]
        for (planner, whose), one in found.items()
        for off in (f"{one.worst_relative_error:.0%}",)
    ]
    report.table([*titles, "worst row off by"], shown)
    lines = {}
    for (planner, whose), one in found.items():
        rows = work[planner][whose]
        xs = [row.expansions / row.episodes for row in rows]
        dashed = whose == "paper"
        lines[f"{planner}, {whose}: fitted"] = Line(
            xs,
            [one.predict_ns(row) / row.episodes / 1000 for row in rows],
            planner=planner,
            is_dashed=dashed,
            points_only=False,
        )
        lines[f"{planner}, {whose}: measured"] = Line(
            xs, [row.ns / row.episodes / 1000 for row in rows], planner=planner, is_dashed=dashed, points_only=True
        )
    plot = line_plot(lines, "expansions an episode", "µs an episode", log_axes="xy")
    report.plot("fit", plot, "Time of an episode against its expansions: measured (points), and fitted (lines)")
