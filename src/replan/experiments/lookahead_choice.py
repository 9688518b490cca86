"""Choose the lookahead for a time limit, as RTAA* 2006 does."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LookaheadMeasurement:
    """Measurements at a lookahead: mean microseconds per search or move, whichever is limited, and the trip cost."""

    lookahead: int
    mean_us: float
    cost: float


def largest_odd_lookahead(points: Sequence[LookaheadMeasurement], limit: float) -> int | None:
    """Return the largest odd lookahead within the limit. Times between the measured lookaheads are interpolated.

    None if even the smallest lookahead takes too long. The result is at most the largest measured lookahead.

    >>> points = [LookaheadMeasurement(65, 19.15, 14003.74), LookaheadMeasurement(73, 21.31, 13399.01)]
    >>> largest_odd_lookahead(points, 20.0)
    67
    """
    interpolated = interpolated_lookahead({point.lookahead: point.mean_us for point in points}, limit)
    if interpolated is None:
        return None
    lookahead = math.floor(interpolated)
    return lookahead if lookahead % 2 else lookahead - 1


def interpolated_lookahead(times: Mapping[int, float], limit: float) -> float | None:
    """Return the largest real-valued lookahead within the limit, or None. `times` has lookaheads in increasing order.

    >>> interpolated_lookahead({1: 1.0, 9: 3.0}, 2.0), interpolated_lookahead({1: 1.0, 9: 3.0}, 0.5)
    (5.0, None)
    """
    increasing = np.maximum.accumulate(list(times.values()))  # a larger lookahead is quicker only by chance
    if not increasing[0] <= limit:
        return None
    return float(max(times)) if limit >= increasing[-1] else float(np.interp(limit, increasing, list(times)))


def cost_at_lookahead(points: Sequence[LookaheadMeasurement], lookahead: int) -> float:
    """Return the cost at a lookahead, interpolated between the measured lookaheads.

    >>> cost_at_lookahead([LookaheadMeasurement(1, 1.0, 100.0), LookaheadMeasurement(9, 2.0, 20.0)], 5)
    60.0
    """
    return float(np.interp(lookahead, [point.lookahead for point in points], [point.cost for point in points]))


ParetoFront = tuple[Sequence[float], Sequence[float]]  # increasing times and their decreasing costs


def pareto_front(points: Iterable[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the Pareto-optimal points (time, cost) as increasing times and their decreasing costs.

    >>> pareto_front([(3.0, 9.0), (1.0, 10.0), (2.0, 11.0)])
    ([1.0, 3.0], [10.0, 9.0])
    """
    times: list[float] = []
    costs: list[float] = []
    for time, cost in sorted(point for point in points if not math.isnan(point[0])):  # nan: not timed
        if not costs or cost < costs[-1]:
            times.append(time)
            costs.append(cost)
    return times, costs


def least_cost_within(front: ParetoFront | None, limit: float) -> float | None:
    """Return the least cost of a Pareto front within a time limit; None if there is none.

    >>> least_cost_within(([1.0, 3.0], [10.0, 9.0]), 2.0)
    10.0
    """
    costs = [cost for time, cost in zip(*front, strict=True) if time <= limit] if front is not None else []
    return min(costs) if costs else None
