"""Means, medians, intervals and tests, all of them SciPy's but Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

Array = np.ndarray[Any, Any]
Values = Sequence[float] | Array
RESAMPLES = 2000  # of a bootstrap
LEVEL = 0.05  # below this a p-value counts


@dataclass(frozen=True)
class Estimate:
    """A mean, or another figure of a sample: its standard error, the standard deviation of one value, and their count.

    A single value tells nothing of its error: both errors are then not a number.
    """

    value: float
    error: float
    spread: float
    count: int


def mean(values: Values) -> Estimate:
    """
    >>> mean([1, 2, 3])
    Estimate(value=2.0, error=0.5773502691896258, spread=1.0, count=3)
    """
    array = np.asarray(values, float)
    if len(array) < 2:
        return Estimate(float(array.mean()) if len(array) else float("nan"), float("nan"), float("nan"), len(array))
    return Estimate(float(array.mean()), float(stats.sem(array)), float(array.std(ddof=1)), len(array))


def ratio(parts: Values, wholes: Values) -> Estimate:
    """Total over total, with its errors as if it were a mean (linearised).

    >>> ratio([1, 4], [1, 2]).value == 5 / 3
    True
    """
    part, whole = np.asarray(parts, float), np.asarray(wholes, float)
    if not whole.sum():
        return Estimate(float("nan"), float("nan"), float("nan"), len(part))
    value = float(part.sum() / whole.sum())
    around = mean((part - value * whole) / whole.mean())
    return Estimate(value, around.error, around.spread, len(part))


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


def chance(ours: Estimate, other: float, other_error: float) -> float:
    """How likely two means of the same thing would be at least this far apart (Welch's t-test).

    >>> round(chance(Estimate(3.0, 1.0, 1000.0, 10**6), 0.0, 0.0), 4)
    0.0027
    """
    error = float(np.hypot(ours.error, other_error))
    if not error > 0:
        return float("nan")
    freedom = (ours.count - 1) * (error / ours.error) ** 4 if ours.error > 0 else np.inf
    return float(2 * stats.t.sf(abs(ours.value - other) / error, freedom))


def interval(values: Values) -> tuple[float, float]:
    """A bootstrap interval of the mean, 95 %."""
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
class Pair:
    """Two planners on the same problems: the mean difference (first minus second), its interval, and a test of it."""

    difference: float
    low: float
    high: float
    p: float
    first_smaller: int
    ties: int
    second_smaller: int


def compare(first: Values, second: Values) -> Pair:
    """The paired Wilcoxon test; p is 1 where all pairs are equal.

    >>> compare([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12]).p
    0.03125
    """
    a, b = np.asarray(first, float), np.asarray(second, float)
    d = a - b
    p = float(stats.wilcoxon(d).pvalue) if d.any() else 1.0
    low, high = interval(d)
    return Pair(float(d.mean()), low, high, p, int((d < 0).sum()), int((d == 0).sum()), int((d > 0).sum()))


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
