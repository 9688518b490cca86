"""Which lookahead for a limit of time, as RTAA* 2006 decides it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LookaheadMeasurement:
    """What was measured at a lookahead: microseconds per search or move, whichever is limited, and the trip's cost."""

    lookahead: int
    mean_us: float
    cost: float


def largest_odd_lookahead(points: Sequence[LookaheadMeasurement], limit: float) -> int | None:
    """The largest odd lookahead within the limit, with times between the measured ones interpolated.

    None when even the smallest takes too long. The answer is never larger than the largest measured one.

    >>> points = [LookaheadMeasurement(65, 19.15, 14003.74), LookaheadMeasurement(73, 21.31, 13399.01)]
    >>> largest_odd_lookahead(points, 20.0)
    67
    """
    found = interpolated_lookahead({point.lookahead: point.mean_us for point in points}, limit)
    if found is None:
        return None
    whole = math.floor(found)
    return whole if whole % 2 else whole - 1


def interpolated_lookahead(times: Mapping[int, float], limit: float) -> float | None:
    """The same, neither odd nor whole. times: by lookahead, which grows.

    >>> interpolated_lookahead({1: 1.0, 9: 3.0}, 2.0), interpolated_lookahead({1: 1.0, 9: 3.0}, 0.5)
    (5.0, None)
    """
    grown = np.maximum.accumulate(list(times.values()))  # a larger lookahead is quicker only by chance
    if not grown[0] <= limit:
        return None
    return float(max(times)) if limit >= grown[-1] else float(np.interp(limit, grown, list(times)))


def cost_at_lookahead(points: Sequence[LookaheadMeasurement], lookahead: int) -> float:
    """The cost at a lookahead, interpolated between those measured.

    >>> cost_at_lookahead([LookaheadMeasurement(1, 1.0, 100.0), LookaheadMeasurement(9, 2.0, 20.0)], 5)
    60.0
    """
    return float(np.interp(lookahead, [point.lookahead for point in points], [point.cost for point in points]))


ParetoFront = tuple[Sequence[float], Sequence[float]]  # times, which grow, and costs, which fall


def pareto_front(points: Iterable[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Of times and costs, those that nothing quicker beats: times, which grow, and costs, which fall.

    >>> pareto_front([(3.0, 9.0), (1.0, 10.0), (2.0, 11.0)])
    ([1.0, 3.0], [10.0, 9.0])
    """
    times: list[float] = []
    costs: list[float] = []
    for time, cost in sorted(point for point in points if not math.isnan(point[0])):  # some were not timed
        if not costs or cost < costs[-1]:
            times.append(time)
            costs.append(cost)
    return times, costs


def least_cost_within(front: ParetoFront | None, limit: float) -> float | None:
    """The least cost of such a line that keeps a limit.

    >>> least_cost_within(([1.0, 3.0], [10.0, 9.0]), 2.0)
    10.0
    """
    costs = [cost for time, cost in zip(*front, strict=True) if time <= limit] if front is not None else []
    return min(costs) if costs else None
