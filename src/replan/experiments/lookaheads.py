"""Which lookahead for a limit of time, as RTAA* 2006 decides it."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    times = np.maximum.accumulate([point.us for point in points])  # a larger lookahead is quicker only by chance
    if times[0] > limit:
        return None
    last = points[-1].lookahead
    within = last if limit >= times[-1] else float(np.interp(limit, times, [point.lookahead for point in points]))
    whole = math.floor(within)
    return whole if whole % 2 else whole - 1


def cost_at(points: Sequence[Point], lookahead: int) -> float:
    """The cost at a lookahead, interpolated between those measured.

    >>> cost_at([Point(1, 1.0, 100.0), Point(9, 2.0, 20.0)], 5)
    60.0
    """
    return float(np.interp(lookahead, [point.lookahead for point in points], [point.cost for point in points]))
