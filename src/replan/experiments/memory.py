"""Memory of planners and maps, measured by tracing what they allocate.

A planner searches small square grids, with changed costs between the searches. The arrays that it then keeps are
counted. Each of them grows with the number of cells, with rows and columns, or not at all. So the bytes at three sizes
give the bytes at every size:

    bytes = per_cell * rows * cols + per_side * (rows + cols) + fixed

This holds from about 4,096 cells; smaller maps take a little more. Lists that begin small and grow with the work, such
as changes that are not applied yet, are not counted.
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

SIDES = (62, 126, 190)  # equidistant; with the ring of cells around the grid, rows fill whole words of bits


@dataclass(frozen=True)
class Footprint:
    """Bytes of an object as a function of the size of the map."""

    per_cell: Fraction
    per_side: Fraction
    fixed: Fraction

    def bytes(self, rows: int, cols: int) -> int:
        return ceil(self.per_cell * rows * cols + self.per_side * (rows + cols) + self.fixed)

    def __add__(self, other: Footprint) -> Footprint:
        return Footprint(self.per_cell + other.per_cell, self.per_side + other.per_side, self.fixed + other.fixed)

    def largest_square(self, limit: int) -> int:
        """Return the number of rows of the largest square map within `limit` bytes; 0 if there is none."""
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
    """Return the footprint of an object, from its bytes at three sizes."""
    first, second, third = (allocate(side) for side in SIDES)
    a, b = SIDES[0], SIDES[1]
    per_cell = Fraction(third - 2 * second + first, 2 * (b - a) ** 2)
    per_side = (Fraction(second - first, b - a) - per_cell * (a + b)) / 2
    return Footprint(per_cell, per_side, first - per_cell * a * a - per_side * 2 * a)


def array_bytes(make: Callable[[], Any]) -> int:
    """Return the bytes of the arrays that the object made by `make` keeps alive, without arrays that it shares."""
    make()  # allocates the shared arrays
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        before = _traced_array_bytes()
        made_object = make()
        after = _traced_array_bytes()
        del made_object
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
    """Search with costs that rise and fall in between, so that the planner allocates everything. Return the planner."""
    agent = Agent(planner, grid, (0, 0), (0, 4))
    for blocked in (False, True, False):
        agent.observe([(0, 2)], [blocked])
        agent.plan()
    return planner


def planner_footprint(make: Callable[[], Planner], neighbors: int = 4) -> Footprint:
    """Return the footprint of a planner, without the map that it searches."""

    def allocate(side: int) -> int:
        grid = free_grid(side, side, neighbors)
        return array_bytes(lambda: exercise_planner(make(), grid))

    return footprint(allocate)


def map_footprint(neighbors: int = 4) -> Footprint:
    """Return the footprint of a grid, the belief of an agent."""
    return footprint(lambda side: array_bytes(lambda: free_grid(side, side, neighbors)))
