"""The tests of what the course project expects: paired, all corrected together; and bars of the means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import matplotlib
import numpy as np
import polars as pl
from matplotlib.figure import Figure

from replan.experiments.plots import STYLE, new_figure
from replan.experiments.report import Report, number
from replan.experiments.statistics import LEVEL, Pair, Values, compare, holm, interval, mean
from replan.experiments.tables import MS
from replan.papers.course.questions import TIME, Expectation, Question, Variant

SHOWN = {"expansions": "expansions", TIME: "search ms", "moves": "moves"}
SCALE = {TIME: MS}


@dataclass(frozen=True)
class Tested:
    """An expectation with its test.

    ratio: the second's total to the first's. median: of the differences that are not zero; the test is one of their
    ranks, so this says which way it points, while a few large values can pull the mean the other way. p: corrected for
    all tests of the report.
    """

    expectation: Expectation
    pair: Pair
    ratio: float
    median: float
    p: float

    @property
    def verdict(self) -> str:
        if self.p >= LEVEL:
            return "not shown"
        return "as expected" if self.median < 0 else "the other way"


def values(frame: pl.DataFrame, variant: Variant, measure: str) -> Values:
    """What was measured of a variant, world by world."""
    trips = frame.filter(pl.col("variant") == variant.name).sort("seed")
    return trips[measure].to_numpy() * SCALE.get(measure, 1)


def paired(frame: pl.DataFrame, expectation: Expectation) -> tuple[Values, Values]:
    """Both sides of an expectation, world by world."""
    measure = expectation.measure
    return values(frame, expectation.first, measure), values(frame, expectation.second, measure)


def all_tested(frame: pl.DataFrame, questions: Sequence[Question]) -> dict[str, list[Tested]]:
    """The tests of each question by its name."""
    found: list[tuple[str, Tested]] = []
    for question in questions:
        for expectation in question.expectations:
            first, second = paired(frame, expectation)
            pair = compare(first, second)
            ratio = float(sum(second) / sum(first)) if sum(first) else float("nan")
            apart = np.subtract(first, second)
            median = float(np.median(apart[apart != 0])) if apart.any() else 0.0
            found.append((question.name, Tested(expectation, pair, ratio, median, pair.p)))
    corrected = holm([tested.pair.p for _, tested in found])
    by_name: dict[str, list[Tested]] = {question.name: [] for question in questions}
    for (name, tested), p in zip(found, corrected, strict=True):
        by_name[name].append(replace(tested, p=p))
    return by_name


def p_text(p: float) -> str:
    """
    >>> p_text(0.0321), p_text(3.2e-9)
    ('0.032', '3.2e-09')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def show_tests(tests: Sequence[Tested], into: Report) -> None:
    columns = ["expected to need less", "than", "measure", "ratio", "mean difference (95 %)"]
    columns += ["median", "less/tie/more", "p", "verdict"]
    rows: list[list[Any]] = []
    for tested in tests:
        pair, expectation = tested.pair, tested.expectation
        between = f"{number(pair.difference)} ({number(pair.low)} to {number(pair.high)})"
        counts = f"{pair.first_smaller}/{pair.ties}/{pair.second_smaller}"
        names = [expectation.first.name, expectation.second.name, SHOWN[expectation.measure]]
        ratio = "" if np.isnan(tested.ratio) else f"{tested.ratio:.2f}"
        figures = [ratio, between, number(tested.median), counts, p_text(tested.p)]
        rows.append([*names, *figures, tested.verdict])
    into.table(columns, rows)


def bars(question: Question, frame: pl.DataFrame) -> Figure:
    """The mean of each variant with its interval: a panel each for expansions, search time and moves."""
    names = [variant.name for variant in question.variants]
    figure = new_figure(10.0, 1.1 + 0.38 * len(names))
    with matplotlib.rc_context(STYLE):
        axes = figure.subplots(1, len(SHOWN), sharey=True)
        for ax, (measure, label) in zip(axes, SHOWN.items(), strict=True):
            found = [values(frame, variant, measure) for variant in question.variants]
            means = [mean(one).value for one in found]
            ends = [interval(one) for one in found]
            errors = [[m - low for m, (low, _) in zip(means, ends, strict=True)]]
            errors.append([high - m for m, (_, high) in zip(means, ends, strict=True)])
            ax.barh(names, means, xerr=errors, capsize=3, color="#5b8db8", height=0.6)
            ax.set_xlabel(label)
            ax.grid(axis="y", visible=False)
        axes[0].invert_yaxis()
    return figure
