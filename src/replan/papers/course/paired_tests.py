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
from replan.experiments.report import TOO_FEW, Report, format_number
from replan.experiments.statistics import PairedTest, Values, bootstrap_interval, mean
from replan.experiments.tables import NS_TO_MS
from replan.papers.common.verdicts import (
    FAILS,
    HOLDS,
    MEAN_AND_RANKS_DISAGREE,
    NO_DIFFERENCE,
    UNDECIDED,
    FindingResult,
    evaluate_findings,
    less_than,
)
from replan.papers.course.questions import TIME, Expectation, Question, Variant

METRIC_LABELS = {"expansions": "expansions", TIME: "search ms", "moves": "moves"}
SCALE = {TIME: NS_TO_MS}


@dataclass(frozen=True)
class ExpectationResult:
    """An expectation with its test.

    ratio: the second's total to the first's. median: median of the differences that are not zero. It shows the
    direction of the ranks, while a few large values can pull the mean in the other direction. finding_result: result by
    the rules of `verdicts`, with all p-values of the report corrected together.
    """

    expectation: Expectation
    ratio: float
    median: float
    finding_result: FindingResult

    @property
    def paired_test(self) -> PairedTest:
        assert self.finding_result.finding.paired_test is not None
        return self.finding_result.finding.paired_test

    @property
    def p_ranks(self) -> float:
        """Corrected p-value of the ranks."""
        return self.finding_result.p_ranks if self.finding_result.p_ranks is not None else 1.0

    @property
    def answer(self) -> str:
        """The result in a sentence."""
        first, second = self.expectation.first.name, self.expectation.second.name
        less, times = (first, self.ratio) if self.ratio >= 1 else (second, 1 / self.ratio if self.ratio else math.nan)
        pair = self.paired_test
        worlds = pair.first_smaller + pair.ties + pair.second_smaller
        counted = f"less in {pair.first_smaller}, more in {pair.second_smaller} of {worlds:,} worlds"
        return {
            HOLDS: f"{first} needs less than {second}, {times:.2f} times in total",
            FAILS: f"{second} needs less than {first}, {times:.2f} times in total",
            NO_DIFFERENCE: f"{first} and {second} differ by nothing that matters",
            MEAN_AND_RANKS_DISAGREE: (
                f"mean and ranks disagree: in total {less} needs less, but {first} needs {counted} than {second}"
            ),
            UNDECIDED: f"not decided: in total {less} needs less, {times:.2f} times; {first} needs {counted}",
            TOO_FEW: f"{worlds:,} worlds are too few to tell {first} from {second}",
        }[self.finding_result.verdict]


def variant_values(frame: pl.DataFrame, variant: Variant, measure: str) -> Values:
    """What was measured of a variant, world by world."""
    trips = frame.filter(pl.col("variant") == variant.name).sort("seed")
    return trips[measure].to_numpy() * SCALE.get(measure, 1)


def expectation_values(frame: pl.DataFrame, expectation: Expectation) -> tuple[Values, Values]:
    """Both sides of an expectation, world by world."""
    measure = expectation.metric
    return variant_values(frame, expectation.first, measure), variant_values(frame, expectation.second, measure)


def evaluate_expectations(frame: pl.DataFrame, questions: Sequence[Question]) -> dict[str, list[ExpectationResult]]:
    """The tests of each question by its name."""
    expectations = [(question.name, e) for question in questions for e in question.expectations]
    pairs = [expectation_values(frame, expectation) for _, expectation in expectations]
    decided = evaluate_findings([less_than("", first, second) for first, second in pairs])
    by_name: dict[str, list[ExpectationResult]] = {question.name: [] for question in questions}
    for (name, expectation), (first, second), result in zip(expectations, pairs, decided, strict=True):
        ratio = float(sum(second) / sum(first)) if sum(first) else float("nan")
        differences = np.subtract(first, second)
        median = float(np.median(differences[differences != 0])) if differences.any() else 0.0
        by_name[name].append(ExpectationResult(expectation, ratio, median, result))
    return by_name


def show_answers(tests: Sequence[ExpectationResult], report: Report) -> None:
    """What the tests of a question say, a line for each measure."""
    report.text("**Answer**, from these runs:")
    report.text("\n".join(f"- {METRIC_LABELS[test.expectation.metric]}: {test.answer}." for test in tests))


def format_p(p: float) -> str:
    """Return a p-value as text.

    >>> format_p(0.0321), format_p(3.2e-9)
    ('0.032', '3.2e-09')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def show_tests(tests: Sequence[ExpectationResult], report: Report) -> None:
    columns = ["expected to need less", "than", "measure", "ratio", "mean difference (95 %)"]
    columns += ["median", "less/tie/more", "p (mean)", "p (ranks)", "verdict"]
    rows: list[list[Any]] = []
    for test in tests:
        pair, expectation = test.paired_test, test.expectation
        low, high = format_number(pair.interval_low), format_number(pair.interval_high)
        difference = f"{format_number(pair.mean_difference)} ({low} to {high})"
        counts = f"{pair.first_smaller}/{pair.ties}/{pair.second_smaller}"
        names = [expectation.first.name, expectation.second.name, METRIC_LABELS[expectation.metric]]
        ratio = "" if np.isnan(test.ratio) else f"{test.ratio:.2f}"
        mean_p = "" if test.finding_result.p_mean is None else format_p(test.finding_result.p_mean)
        figures = [ratio, difference, format_number(test.median), counts, mean_p, format_p(test.p_ranks)]
        rows.append([*names, *figures, test.finding_result.verdict])
    report.table(columns, rows)


def draw_bars(question: Question, frame: pl.DataFrame) -> Figure:
    """The mean of each variant with its interval: a panel each for expansions, search time and moves."""
    names = [variant.name for variant in question.variants]
    figure = new_figure(10.0, 1.1 + 0.38 * len(names))
    with matplotlib.rc_context(STYLE):
        axes = figure.subplots(1, len(METRIC_LABELS), sharey=True)
        for ax, (measure, label) in zip(axes, METRIC_LABELS.items(), strict=True):
            samples = [variant_values(frame, variant, measure) for variant in question.variants]
            means = [mean(sample).value for sample in samples]
            ends = [bootstrap_interval(sample) for sample in samples]
            errors = [[m - low for m, (low, _) in zip(means, ends, strict=True)]]
            errors.append([high - m for m, (_, high) in zip(means, ends, strict=True)])
            ax.barh(names, means, xerr=errors, capsize=3, color="#5b8db8", height=0.6)
            ax.set_xlabel(label)
            ax.grid(axis="y", visible=False)
        axes[0].invert_yaxis()
    return figure
