"""Means, medians, intervals and tests. SciPy computes all of them, except Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import stats

Array = np.ndarray[Any, Any]
Values = Sequence[float] | Array
RESAMPLES = 2000  # of a bootstrap
SIGNIFICANCE_LEVEL = 0.05  # a difference is significant if its p-value is below this
MIN_PROBLEMS = 10  # fewer problems give no usable standard deviation, so no test is decided
SKEWNESS_FACTOR = 25  # a test needs at least so many times the squared skewness of its values (Cochran's rule)
RELEVANT_DIFFERENCE = 0.1  # share of a figure; smaller differences do not matter


@dataclass(frozen=True)
class Estimate:
    """A mean, or another figure of a sample, with its errors.

    Parameters
    ----------
    value
        The figure.
    standard_error
        Standard error of the figure; nan for a single value.
    standard_deviation
        Standard deviation of one value; nan for a single value.
    count
        Number of values.
    contributions
        What each problem contributes: the mean of these is the figure. None: not known.

    Examples
    --------
    >>> estimate = mean([1, 2, 3])
    >>> estimate.value, estimate.count, round(estimate.standard_error, 2)
    (2.0, 3, 0.58)
    """

    value: float
    standard_error: float
    standard_deviation: float
    count: int
    contributions: Array | None = field(default=None, repr=False, compare=False)


def mean(values: Values) -> Estimate:
    """Mean of a sample.

    Parameters
    ----------
    values
        The sample.

    Returns
    -------
    Estimate
        The mean; nan for no values.

    Examples
    --------
    >>> mean([1, 2, 3])
    Estimate(value=2.0, standard_error=0.5773502691896258, standard_deviation=1.0, count=3)
    """
    array = np.asarray(values, float)
    if len(array) < 2:
        return Estimate(float(array.mean()) if len(array) else float("nan"), float("nan"), float("nan"), len(array))
    return Estimate(float(array.mean()), float(stats.sem(array)), float(array.std(ddof=1)), len(array), array)


def ratio_of_totals(numerators: Values, denominators: Values) -> Estimate:
    """Ratio of two totals.

    Parameters
    ----------
    numerators
        A value for each problem.
    denominators
        A value for each problem, in the same order.

    Returns
    -------
    Estimate
        Sum of the numerators over sum of the denominators, with linearised errors; nan if the denominators sum to 0.

    Examples
    --------
    >>> ratio_of_totals([1, 4], [1, 2]).value == 5 / 3
    True
    """
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    if not below.sum():
        return Estimate(float("nan"), float("nan"), float("nan"), len(above))
    value = float(above.sum() / below.sum())
    residuals = (above - value * below) / below.mean()
    return replace(mean(residuals), value=value, contributions=value + residuals)


def median(values: Values) -> Estimate:
    """Median of a sample.

    Parameters
    ----------
    values
        The sample.

    Returns
    -------
    Estimate
        The median, with the standard error of a bootstrap.

    Examples
    --------
    >>> median([1, 2, 30]).value
    2.0
    """
    array = np.asarray(values, float)
    if len(array) < 2:
        return mean(array)
    error = float(_bootstrap(array, np.median).standard_error)
    return Estimate(float(np.median(array)), error, error * len(array) ** 0.5, len(array))


def welch_p_value(ours: Estimate, other: float, other_error: float) -> float:
    """P-value of Welch's t-test: two means of the same quantity differ at least this much by chance.

    Parameters
    ----------
    ours
        The first mean.
    other
        The second mean, of a large sample.
    other_error
        Standard error of the second mean.

    Returns
    -------
    float
        The two-sided p-value; nan if neither mean has an error.

    Examples
    --------
    >>> round(welch_p_value(Estimate(3.0, 1.0, 1000.0, 10**6), 0.0, 0.0), 4)
    0.0027
    """
    error, freedom = _welch(ours, other_error)
    return float(2 * stats.t.sf(abs(ours.value - other) / error, freedom)) if error > 0 else float("nan")


def detectable_difference(ours: Estimate, other_error: float, level: float) -> float:
    """Smallest difference between two means that Welch's t-test could have detected.

    Parameters
    ----------
    ours
        The first mean.
    other_error
        Standard error of the second mean, of a large sample.
    level
        Significance level.

    Returns
    -------
    float
        The difference; infinite if the errors are not known.

    Examples
    --------
    >>> round(detectable_difference(Estimate(3.0, 1.0, 1.7, 3), 0.0, 0.0027), 1)
    19.2
    """
    error, freedom = _welch(ours, other_error)
    return float(stats.t.isf(level / 2, freedom)) * error if error > 0 else 0.0 if error == 0 else float("inf")


def percent_change(estimate: Estimate, as_decrease: bool = False) -> Estimate:
    """Difference of a ratio from 1, in percent.

    Parameters
    ----------
    estimate
        The ratio.
    as_decrease
        True: a ratio below 1 gives a positive percentage.

    Returns
    -------
    Estimate
        The percentage.

    Examples
    --------
    >>> percent_change(Estimate(1.25, 0.01, 0.1, 100)).value
    25.0
    >>> percent_change(Estimate(0.75, 0.01, 0.1, 100), as_decrease=True).value
    25.0
    """
    factor = -100 if as_decrease else 100
    return Estimate(
        factor * (estimate.value - 1),
        100 * estimate.standard_error,
        100 * estimate.standard_deviation,
        estimate.count,
        None if estimate.contributions is None else factor * (estimate.contributions - 1),
    )


def has_enough_values(estimate: Estimate) -> bool:
    """True if there are enough values for a test of their mean. Skewed samples need more values.

    Parameters
    ----------
    estimate
        The mean.

    Returns
    -------
    bool
        True if a test of the mean can be decided.

    Examples
    --------
    >>> [has_enough_values(mean(values)) for values in ([1, 2, 3] * 10, [1] * 29 + [100], [1, 2, 3])]
    [True, False, False]
    """
    if estimate.count < MIN_PROBLEMS:
        return False
    if estimate.contributions is None or not np.ptp(estimate.contributions) > 0:
        return True
    return bool(estimate.count >= SKEWNESS_FACTOR * float(stats.skew(estimate.contributions)) ** 2)


def _welch(ours: Estimate, other_error: float) -> tuple[float, float]:
    """Standard error of a difference, and its degrees of freedom. The other sample is large."""
    error = float(np.hypot(ours.standard_error, other_error))
    return error, (ours.count - 1) * (error / ours.standard_error) ** 4 if ours.standard_error > 0 else np.inf


def bootstrap_interval(values: Values) -> tuple[float, float]:
    """Bootstrap interval of the mean, 95 %.

    Parameters
    ----------
    values
        The sample.

    Returns
    -------
    tuple of float
        Lower and upper end. For a single value, or for equal ones, both are that value.

    Examples
    --------
    >>> low, high = bootstrap_interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    >>> 3 < low < 5.5 < high < 8
    True
    """
    array = np.asarray(values, float)
    if len(array) < 2 or np.ptp(array) == 0:
        return (float(array.mean()), float(array.mean())) if len(array) else (float("nan"), float("nan"))
    interval = _bootstrap(array, np.mean).confidence_interval
    return float(interval.low), float(interval.high)


def _bootstrap(array: np.ndarray[Any, Any], statistic: Any) -> Any:
    """Return SciPy's bootstrap, always with the same seed: the same values have the same interval."""
    rng = np.random.default_rng(0)
    return stats.bootstrap((array,), statistic, n_resamples=RESAMPLES, method="percentile", batch=100, rng=rng)


@dataclass(frozen=True)
class PairedTest:
    """Comparison of two planners on the same problems: first minus second.

    Parameters
    ----------
    mean_difference
        Mean of the differences.
    interval_low, interval_high
        Bootstrap interval of the mean difference, 95 %.
    p_mean
        P-value of the paired t-test of the mean.
    detectable_difference
        Smallest mean difference that this test could have detected.
    p_ranks
        P-value of the paired Wilcoxon test of the ranks.
    rank_direction
        -1: by ranks, the first values are smaller. 1: the second ones are.
    first_smaller, ties, second_smaller
        Numbers of problems on which the first value is smaller, equal, or larger.

    Examples
    --------
    >>> pair = paired_test([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    >>> mean_difference = pair.mean_difference
    >>> mean_difference, pair.interval_low < mean_difference < pair.interval_high, pair.first_smaller, pair.ties
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
    """Compare two samples pair by pair: a t-test of the mean, and a Wilcoxon test of the ranks.

    Parameters
    ----------
    first
        A value for each problem.
    second
        A value for each problem, in the same order.

    Returns
    -------
    PairedTest
        The comparison. The p-values are 1 if all pairs are equal.

    Examples
    --------
    >>> pair = paired_test([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    >>> pair.p_ranks, round(pair.p_mean, 4), pair.rank_direction
    (0.03125, 0.0059, -1)
    """
    d = np.asarray(first, float) - np.asarray(second, float)
    difference = mean(d)
    low, high = bootstrap_interval(d)
    p_rank = float(stats.wilcoxon(d).pvalue) if d.any() else 1.0
    signed = float((np.sign(d) * stats.rankdata(np.abs(d))).sum())
    return PairedTest(
        difference.value,
        low,
        high,
        _p_mean(difference),
        difference.standard_error * critical_t(len(d)) if len(d) > 1 else float("inf"),
        p_rank,
        int(np.sign(signed)),
        int((d < 0).sum()),
        int((d == 0).sum()),
        int((d > 0).sum()),
    )


def _p_mean(difference: Estimate) -> float:
    """P-value of a mean difference, also if all differences are equal, or if there is only one."""
    if difference.standard_error > 0:
        return welch_p_value(difference, 0.0, 0.0)
    return 0.0 if difference.count > 1 and difference.value else 1.0


def critical_t(count: int, level: float = SIGNIFICANCE_LEVEL) -> float:
    """Critical value of Student's t, two-sided.

    Parameters
    ----------
    count
        Number of values of the sample.
    level
        Significance level.

    Returns
    -------
    float
        The number of standard errors beyond which a difference is significant; infinite for fewer than two values.

    Examples
    --------
    >>> [round(critical_t(n), 2) for n in (3, 30, 3000)]
    [4.3, 2.05, 1.96]
    """
    return float(stats.t.isf(level / 2, count - 1)) if count > 1 else float("inf")


def t_interval(estimate: Estimate) -> tuple[float, float]:
    """Confidence interval of an estimate, 95 %, by Student's t.

    Parameters
    ----------
    estimate
        The estimate.

    Returns
    -------
    tuple of float
        Lower and upper end.

    Examples
    --------
    >>> [round(end, 1) for end in t_interval(Estimate(10.0, 1.0, 1.7, 3))]
    [5.7, 14.3]
    """
    half = estimate.standard_error * critical_t(estimate.count)
    return estimate.value - half, estimate.value + half


def holm(ps: Values) -> list[float]:
    """Correct the p-values of several tests by Holm's method, which SciPy does not have.

    Parameters
    ----------
    ps
        The p-values.

    Returns
    -------
    list of float
        The corrected p-values, in the same order.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(ps, float)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return [float(value) for value in corrected]
