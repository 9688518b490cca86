"""Which lookahead for a limit of time, as RTAA* 2006 decides it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Point:
    """What was measured at a lookahead: microseconds per search or move, whichever is limited, and the trip's cost."""

    lookahead: int
    us: float
    cost: float


def odd_lookahead(points: Sequence[Point], limit: float) -> int | None:
    """The largest odd lookahead within the limit, with times between the measured ones interpolated.

    None when even the smallest takes too long. The answer is never larger than the largest measured one.

    >>> odd_lookahead([Point(65, 19.15, 14003.74), Point(73, 21.31, 13399.01)], 20.0)
    67
    """
    found = largest_lookahead({point.lookahead: point.us for point in points}, limit)
    if found is None:
        return None
    whole = math.floor(found)
    return whole if whole % 2 else whole - 1


def largest_lookahead(times: Mapping[int, float], limit: float) -> float | None:
    """The same, neither odd nor whole. times: by lookahead, which grows.

    >>> largest_lookahead({1: 1.0, 9: 3.0}, 2.0), largest_lookahead({1: 1.0, 9: 3.0}, 0.5)
    (5.0, None)
    """
    grown = np.maximum.accumulate(list(times.values()))  # a larger lookahead is quicker only by chance
    if not grown[0] <= limit:
        return None
    return float(max(times)) if limit >= grown[-1] else float(np.interp(limit, grown, list(times)))


def cost_at(points: Sequence[Point], lookahead: int) -> float:
    """The cost at a lookahead, interpolated between those measured.

    >>> cost_at([Point(1, 1.0, 100.0), Point(9, 2.0, 20.0)], 5)
    60.0
    """
    return float(np.interp(lookahead, [point.lookahead for point in points], [point.cost for point in points]))


Front = tuple[Sequence[float], Sequence[float]]  # times, which grow, and costs, which fall


def unbeaten(points: Iterable[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Of times and costs, those that nothing quicker beats: times, which grow, and costs, which fall.

    >>> unbeaten([(3.0, 9.0), (1.0, 10.0), (2.0, 11.0)])
    ([1.0, 3.0], [10.0, 9.0])
    """
    times: list[float] = []
    costs: list[float] = []
    for time, cost in sorted(point for point in points if not math.isnan(point[0])):  # some were not timed
        if not costs or cost < costs[-1]:
            times.append(time)
            costs.append(cost)
    return times, costs


def within(line: Front | None, limit: float) -> float | None:
    """The least cost of such a line that keeps a limit.

    >>> within(([1.0, 3.0], [10.0, 9.0]), 2.0)
    10.0
    """
    costs = [cost for time, cost in zip(*line, strict=True) if time <= limit] if line is not None else []
    return min(costs) if costs else None
