"""How much memory planners and maps take: what they really allocate, traced, not what somebody wrote down.

A planner is bound to small square grids and led through searches with changed costs in between; the arrays that it
then keeps are counted. All of them grow with the cells, the rows and columns, or not at all, so three sizes tell the
bytes of any other:

    bytes = per_cell * rows * cols + per_side * (rows + cols) + fixed

This holds from some 4,096 cells up: smaller maps take a little more than it says. Left out are lists that begin small
and grow with the work (changes that wait to be taken in, for one).
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.spaces.grid import Grid

SIDES = (62, 126, 190)  # as far apart; with the ring around them they fill whole words of bits


@dataclass(frozen=True)
class Footprint:
    """The bytes of something as a function of the size of the map."""

    per_cell: Fraction
    per_side: Fraction
    fixed: Fraction

    def bytes(self, rows: int, cols: int) -> int:
        return ceil(self.per_cell * rows * cols + self.per_side * (rows + cols) + self.fixed)

    def __add__(self, other: Footprint) -> Footprint:
        return Footprint(self.per_cell + other.per_cell, self.per_side + other.per_side, self.fixed + other.fixed)

    def largest_square(self, limit: int) -> int:
        """The most rows and columns that fit into `limit` bytes; 0 if nothing does."""
        low, high = 0, 1
        while self.bytes(high, high) <= limit:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if self.bytes(middle, middle) <= limit:
                low = middle
            else:
                high = middle
        return low


def footprint(allocate: Callable[[int], int]) -> Footprint:
    """From the bytes at three sizes."""
    first, second, third = (allocate(side) for side in SIDES)
    a, b = SIDES[0], SIDES[1]
    per_cell = Fraction(third - 2 * second + first, 2 * (b - a) ** 2)
    per_side = (Fraction(second - first, b - a) - per_cell * (a + b)) / 2
    return Footprint(per_cell, per_side, first - per_cell * a * a - per_side * 2 * a)


def array_bytes(make: Callable[[], Any]) -> int:
    """The bytes of the arrays that what `make` returns keeps alive: its own, not what others share with it."""
    make()  # what is shared is there now
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        before = _traced_array_bytes()
        kept = make()
        after = _traced_array_bytes()
        del kept
        return after - before
    finally:
        if not tracing:
            tracemalloc.stop()


def _traced_array_bytes() -> int:
    arrays = tracemalloc.DomainFilter(inclusive=True, domain=np.lib.tracemalloc_domain)
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces([arrays]).traces)


def free_grid(rows: int, cols: int, neighbors: int) -> Grid:
    return Grid(np.zeros((rows, cols), bool), neighbors)


def exercise_planner(planner: Planner, grid: Grid) -> Planner:
    """Searches with costs that rise and fall in between: after that everything is allocated."""
    agent = Agent(planner, grid, (0, 0), (0, 4))
    for blocked in (False, True, False):
        agent.observe([(0, 2)], [blocked])
        agent.plan()
    return planner


def planner_footprint(make: Callable[[], Planner], neighbors: int = 4) -> Footprint:
    """Of a planner alone; the map that it searches is not in it."""

    def allocate(side: int) -> int:
        grid = free_grid(side, side, neighbors)
        return array_bytes(lambda: exercise_planner(make(), grid))

    return footprint(allocate)


def map_footprint(neighbors: int = 4) -> Footprint:
    """Of a grid: what an agent believes."""
    return footprint(lambda side: array_bytes(lambda: free_grid(side, side, neighbors)))
