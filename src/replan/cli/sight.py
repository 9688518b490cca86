"""What an agent saw on its trip, and when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from replan import Grid, Radius
from replan.worlds.problems import Cell

Moments: TypeAlias = npt.NDArray[np.int64]

NEVER = np.iinfo(np.int64).max


def first_seen(grid: Grid, path: Sequence[Cell], sensor: str | Radius, known: str) -> Moments:
    """For each cell the move after which it was first seen (0: at the start or known before), NEVER if it was not."""
    if sensor == "everything" or known == "everything":
        return np.zeros(grid.shape, np.int64)
    field = _field(sensor, grid)
    moments = np.full(grid.shape, NEVER)

    @cache
    def crescent(row: int, col: int) -> Moments:
        """The part of the field that a step by (row, col) adds to it."""
        before = {(r - row, c - col) for r, c in field.tolist()}
        return np.array([cell for cell in field.tolist() if tuple(cell) not in before]).reshape(-1, 2)

    here, visited = None, set()
    for move, cell in enumerate(path):
        if cell not in visited:
            visited.add(cell)
            new = field if here is None else crescent(cell[0] - here[0], cell[1] - here[1])
            seen = new + cell
            rows, cols = seen[((seen >= 0) & (seen < grid.shape)).all(axis=1)].T
            moments[rows, cols] = np.minimum(moments[rows, cols], move)
        here = cell
    return moments


def _field(sensor: str | Radius, grid: Grid) -> Moments:
    """The cells that an agent sees from (0, 0), its own among them: always those that a step could enter."""
    step = 1.0 if grid.neighbors == 4 else math.sqrt(2)
    radius = max(step, sensor.radius) if isinstance(sensor, Radius) else step
    reach = min(int(radius), max(grid.shape))
    around = np.arange(-reach, reach + 1)
    rows, cols = np.meshgrid(around, around, indexing="ij")
    return np.argwhere(rows**2 + cols**2 <= radius**2 + 1e-9) - reach
