"""The tests of what the course project expects: paired, all corrected together; and bars of the means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
import polars as pl
from matplotlib.figure import Figure

from replan.experiments.plots import STYLE, new_figure
from replan.experiments.report import TOO_FEW, Report, number
from replan.experiments.statistics import Pair, Values, interval, mean
from replan.experiments.tables import MS
from replan.papers.common.verdicts import DISAGREE, FAILS, HOLDS, OPEN, SAME, Decided, decide, less
from replan.papers.course.questions import TIME, Expectation, Question, Variant

SHOWN = {"expansions": "expansions", TIME: "search ms", "moves": "moves"}
SCALE = {TIME: MS}


@dataclass(frozen=True)
class Tested:
    """An expectation with its test.

    ratio: the second's total to the first's. median: of the differences that are not zero, which says which way the
    ranks point, while a few large values can pull the mean the other way. decided: by the rules of `verdicts`, all
    p-values of the report corrected together.
    """

    expectation: Expectation
    ratio: float
    median: float
    decided: Decided

    @property
    def pair(self) -> Pair:
        assert self.decided.finding.pair is not None
        return self.decided.finding.pair

    @property
    def p(self) -> float:
        """That of the ranks, corrected."""
        return self.decided.p_ranks if self.decided.p_ranks is not None else 1.0

    @property
    def answer(self) -> str:
        """What came out, in a sentence."""
        first, second = self.expectation.first.name, self.expectation.second.name
        less, times = (first, self.ratio) if self.ratio >= 1 else (second, 1 / self.ratio if self.ratio else math.nan)
        pair = self.pair
        worlds = pair.first_smaller + pair.ties + pair.second_smaller
        counted = f"less in {pair.first_smaller}, more in {pair.second_smaller} of {worlds:,} worlds"
        return {
            HOLDS: f"{first} needs less than {second}, {times:.2f} times in total",
            FAILS: f"{second} needs less than {first}, {times:.2f} times in total",
            SAME: f"{first} and {second} differ by nothing that matters",
            DISAGREE: f"mean and ranks disagree: in total {less} needs less, but {first} needs {counted} than {second}",
            OPEN: f"not decided: in total {less} needs less, {times:.2f} times; {first} needs {counted}",
            TOO_FEW: f"{worlds:,} worlds are too few to tell {first} from {second}",
        }[self.decided.verdict]


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
    asked = [(question.name, e) for question in questions for e in question.expectations]
    pairs = [paired(frame, expectation) for _, expectation in asked]
    decided = decide([less("", first, second) for first, second in pairs])
    by_name: dict[str, list[Tested]] = {question.name: [] for question in questions}
    for (name, expectation), (first, second), one in zip(asked, pairs, decided, strict=True):
        ratio = float(sum(second) / sum(first)) if sum(first) else float("nan")
        apart = np.subtract(first, second)
        median = float(np.median(apart[apart != 0])) if apart.any() else 0.0
        by_name[name].append(Tested(expectation, ratio, median, one))
    return by_name


def show_answers(tests: Sequence[Tested], into: Report) -> None:
    """What the tests of a question say, a line for each measure."""
    into.text("**Answer**, from these runs:")
    into.text("\n".join(f"- {SHOWN[tested.expectation.measure]}: {tested.answer}." for tested in tests))


def p_text(p: float) -> str:
    """
    >>> p_text(0.0321), p_text(3.2e-9)
    ('0.032', '3.2e-09')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def show_tests(tests: Sequence[Tested], into: Report) -> None:
    columns = ["expected to need less", "than", "measure", "ratio", "mean difference (95 %)"]
    columns += ["median", "less/tie/more", "p (mean)", "p (ranks)", "verdict"]
    rows: list[list[Any]] = []
    for tested in tests:
        pair, expectation = tested.pair, tested.expectation
        between = f"{number(pair.difference)} ({number(pair.low)} to {number(pair.high)})"
        counts = f"{pair.first_smaller}/{pair.ties}/{pair.second_smaller}"
        names = [expectation.first.name, expectation.second.name, SHOWN[expectation.measure]]
        ratio = "" if np.isnan(tested.ratio) else f"{tested.ratio:.2f}"
        mean_p = "" if tested.decided.p_mean is None else p_text(tested.decided.p_mean)
        figures = [ratio, between, number(tested.median), counts, mean_p, p_text(tested.p)]
        rows.append([*names, *figures, tested.decided.verdict])
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
