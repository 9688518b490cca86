"""Which lookahead, for a limit of time: the decision at the end of paper 000."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Point:
    """What a lookahead costs: microseconds, by the measure that is limited, and the cost of the trip."""

    lookahead: int
    us: float
    cost: float


@dataclass(frozen=True)
class Worked:
    """The paper's worked example: a limit, and what it chooses and finds."""

    limit: float
    per: str
    planner: str
    lookahead: int
    cost: float


WORKED = (
    Worked(20.0, "episode", "RTAA*", 67, 13657.31),
    Worked(20.0, "episode", "LRTA*", 43, 16814.49),
    Worked(4.0, "move", "RTAA*", 79, 12699.99),
    Worked(4.0, "move", "LRTA*", 53, 14427.80),
)


def odd_lookahead(points: Sequence[Point], limit: float) -> int | None:
    """The largest odd lookahead within the limit, with times between the measured ones interpolated.

    None when even the smallest takes too long. Beyond the largest measured one nothing is claimed.

    >>> odd_lookahead([Point(65, 19.15, 14003.74), Point(73, 21.31, 13399.01)], 20.0)
    67
    """
    times = np.maximum.accumulate([point.us for point in points])  # noise must not make a larger lookahead quicker
    if times[0] > limit:
        return None
    within = float(np.interp(limit, times, [point.lookahead for point in points]))
    if limit >= times[-1]:
        within = points[-1].lookahead
    whole = math.floor(within)
    return whole if whole % 2 else whole - 1
