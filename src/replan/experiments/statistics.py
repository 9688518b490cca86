"""Means, medians, intervals and tests, all of them SciPy's but Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import stats

Array = np.ndarray[Any, Any]
Values = Sequence[float] | Array
RESAMPLES = 2000  # of a bootstrap
SIGNIFICANCE_LEVEL = 0.05  # below this a p-value counts
MIN_PROBLEMS = 10  # problems: of fewer, what they spread is a guess, and no test counts
SKEWNESS_FACTOR = 25  # and no fewer than that many times the squared skewness of their figures (Cochran's rule)
RELEVANT_DIFFERENCE = 0.1  # of a figure: what differs by less differs by nothing that matters


@dataclass(frozen=True)
class Estimate:
    """A mean, or another figure of a sample: its standard error, the standard deviation of one value, and their count.

    A single value tells nothing of its error: both errors are then not a number. parts: what each problem contributes;
    their mean is the value.

    >>> estimate = mean([1, 2, 3])
    >>> estimate.value, estimate.count, round(estimate.error, 2)
    (2.0, 3, 0.58)
    """

    value: float
    standard_error: float
    standard_deviation: float
    count: int
    contributions: Array | None = field(default=None, repr=False, compare=False)


def mean(values: Values) -> Estimate:
    """
    >>> mean([1, 2, 3])
    Estimate(value=2.0, error=0.5773502691896258, spread=1.0, count=3)
    """
    array = np.asarray(values, float)
    if len(array) < 2:
        return Estimate(float(array.mean()) if len(array) else float("nan"), float("nan"), float("nan"), len(array))
    return Estimate(float(array.mean()), float(stats.sem(array)), float(array.std(ddof=1)), len(array), array)


def ratio_of_totals(numerators: Values, denominators: Values) -> Estimate:
    """Total over total, with its errors as if it were a mean (linearised).

    >>> ratio_of_totals([1, 4], [1, 2]).value == 5 / 3
    True
    """
    part, whole = np.asarray(numerators, float), np.asarray(denominators, float)
    if not whole.sum():
        return Estimate(float("nan"), float("nan"), float("nan"), len(part))
    value = float(part.sum() / whole.sum())
    around = (part - value * whole) / whole.mean()
    return replace(mean(around), value=value, contributions=value + around)


def median(values: Values) -> Estimate:
    """The median, with the error of a bootstrap.

    >>> median([1, 2, 30]).value
    2.0
    """
    array = np.asarray(values, float)
    if len(array) < 2:
        return mean(array)
    error = float(_bootstrap(array, np.median).standard_error)
    return Estimate(float(np.median(array)), error, error * len(array) ** 0.5, len(array))


def welch_p_value(ours: Estimate, other: float, other_error: float) -> float:
    """How likely two means of the same thing would be at least this far apart (Welch's t-test).

    >>> round(welch_p_value(Estimate(3.0, 1.0, 1000.0, 10**6), 0.0, 0.0), 4)
    0.0027
    """
    error, freedom = _welch(ours, other_error)
    return float(2 * stats.t.sf(abs(ours.value - other) / error, freedom)) if error > 0 else float("nan")


def detectable_difference(ours: Estimate, other_error: float, level: float) -> float:
    """The smallest difference between two means that such a test could have seen.

    >>> round(detectable_difference(Estimate(3.0, 1.0, 1.7, 3), 0.0, 0.0027), 1)
    19.2
    """
    error, freedom = _welch(ours, other_error)
    return float(stats.t.isf(level / 2, freedom)) * error if error > 0 else 0.0 if error == 0 else float("inf")


def percent_change(estimate: Estimate, as_decrease: bool = False) -> Estimate:
    """How much more than 1 a ratio is, in percent, or below it.

    below: how much less, instead.

    >>> percent_change(Estimate(1.25, 0.01, 0.1, 100)).value, percent_change(Estimate(0.75, 0.01, 0.1, 100), below=True).value
    (25.0, 25.0)
    """
    way = -100 if as_decrease else 100
    parts = None if estimate.contributions is None else way * (estimate.contributions - 1)
    return Estimate(way * (estimate.value - 1), 100 * estimate.standard_error, 100 * estimate.standard_deviation, estimate.count, parts)


def has_enough_values(estimate: Estimate) -> bool:
    """Are there enough values for a test of their mean? More are needed where a few large ones make most of it.

    >>> has_enough_values(mean([1, 2, 3] * 10)), has_enough_values(mean([1] * 29 + [100])), has_enough_values(mean([1, 2, 3]))
    (True, False, False)
    """
    if estimate.count < MIN_PROBLEMS:
        return False
    if estimate.contributions is None or not np.ptp(estimate.contributions) > 0:
        return True
    return bool(estimate.count >= SKEWNESS_FACTOR * float(stats.skew(estimate.contributions)) ** 2)


def _welch(ours: Estimate, other_error: float) -> tuple[float, float]:
    """The error of a difference, and its degrees of freedom. The other sample is large."""
    error = float(np.hypot(ours.standard_error, other_error))
    return error, (ours.count - 1) * (error / ours.standard_error) ** 4 if ours.standard_error > 0 else np.inf


def bootstrap_interval(values: Values) -> tuple[float, float]:
    """A bootstrap interval of the mean, 95 %.

    Of a single value, or of equal ones, it is that value twice.

    >>> low, high = bootstrap_interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    >>> 3 < low < 5.5 < high < 8
    True
    """
    array = np.asarray(values, float)
    if len(array) < 2 or np.ptp(array) == 0:
        return (float(array.mean()), float(array.mean())) if len(array) else (float("nan"), float("nan"))
    found = _bootstrap(array, np.mean)
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def _bootstrap(array: np.ndarray[Any, Any], statistic: Any) -> Any:
    """Always with the same seed, so that the same values have the same interval."""
    rng = np.random.default_rng(0)
    return stats.bootstrap((array,), statistic, n_resamples=RESAMPLES, method="percentile", batch=100, rng=rng)


@dataclass(frozen=True)
class PairedTest:
    """Two planners on the same problems, first minus second: the mean difference, the ranks, and a test of each.

    low, high: the bootstrap interval of the mean difference, 95 %. visible: the smallest mean difference that the test
    of the mean could have seen. ranks: -1 if the ranks favour the first as the smaller one, 1 for the second. p: of the
    ranks.

    >>> pair = paired_test([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    >>> pair.difference, pair.low < pair.difference < pair.high, pair.first_smaller, pair.ties
    (-3.5, True, 6, 0)
    """

    mean_difference: float
    interval_low: float
    interval_high: float
    p_mean: float
    detectable_difference: float
    p_ranks: float
    rank_direction: int
    first_smaller: int
    ties: int
    second_smaller: int


def paired_test(first: Values, second: Values) -> PairedTest:
    """The paired t-test of the mean, and the paired Wilcoxon test of the ranks; p is 1 where all pairs are equal.

    >>> pair = paired_test([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    >>> pair.p, round(pair.p_mean, 4), pair.rank_direction
    (0.03125, 0.0059, -1)
    """
    d = np.asarray(first, float) - np.asarray(second, float)
    found = mean(d)
    low, high = bootstrap_interval(d)
    p_rank = float(stats.wilcoxon(d).pvalue) if d.any() else 1.0
    signed = float((np.sign(d) * stats.rankdata(np.abs(d))).sum())
    return PairedTest(
        found.value,
        low,
        high,
        _p_mean(found),
        found.standard_error * critical_t(len(d)) if len(d) > 1 else float("inf"),
        p_rank,
        int(np.sign(signed)),
        int((d < 0).sum()),
        int((d == 0).sum()),
        int((d > 0).sum()),
    )


def _p_mean(difference: Estimate) -> float:
    """Also where all differences are equal, and where there is but one."""
    if difference.standard_error > 0:
        return welch_p_value(difference, 0.0, 0.0)
    return 0.0 if difference.count > 1 and difference.value else 1.0


def critical_t(count: int, level: float = SIGNIFICANCE_LEVEL) -> float:
    """How many standard errors a mean of so many values has to be off to count (Student's t, two-sided).

    >>> [round(critical_t(n), 2) for n in (3, 30, 3000)]
    [4.3, 2.05, 1.96]
    """
    return float(stats.t.isf(level / 2, count - 1)) if count > 1 else float("inf")


def t_interval(estimate: Estimate) -> tuple[float, float]:
    """The interval of an estimate, 95 %, by Student's t: honest also for few values.

    >>> [round(end, 1) for end in t_interval(Estimate(10.0, 1.0, 1.7, 3))]
    [5.7, 14.3]
    """
    half = estimate.standard_error * critical_t(estimate.count)
    return estimate.value - half, estimate.value + half


def holm(ps: Values) -> list[float]:
    """The p-values of several tests, corrected by Holm's method. (SciPy has other corrections, not this one.)

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(ps, float)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return [float(value) for value in corrected]
