"""Which places of a grid an agent has seen so far, whether they surprised it or not.

A belief tells only what is known to be other than was assumed. Whoever draws fog, or learns from what is seen, needs to
know where the agent has looked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.spaces.grid import Grid
from replan.worlds.sensors import Sensor


class Seen:
    """Follows an agent: `mask` is True for each state that it has seen."""

    def __init__(self, grid: Grid, sensor: str | Sensor) -> None:
        self.sensor, self.last = sensor, -1
        self.mask = np.full(grid.n, sensor == "everything")

    def news(self, truth: Grid, state: int) -> np.ndarray[Any, Any]:
        """The states that come into view when the agent stands on a state; sorted."""
        if self.sensor == "everything" or state == self.last:
            return np.zeros(0, np.int64)
        came_from = None if self.last < 0 else truth.key(self.last)
        self.last = state
        if isinstance(self.sensor, Sensor):
            listed = [truth.state(cell) for cell in self.sensor.visible(truth, truth.key(state), came_from)]
        else:
            listed = around(truth, state)
        new = np.unique([s for s in [*listed, state] if not self.mask[s]]).astype(np.int64)
        self.mask[new] = True
        return new


def around(grid: Grid, state: int) -> list[int]:
    """The states on the map that a step could enter if all were free, and the state itself."""
    row, col = grid.key(state)
    return [
        grid.state((r, c))
        for r in range(max(0, row - 1), min(grid.rows, row + 2))
        for c in range(max(0, col - 1), min(grid.cols, col + 2))
        if grid.neighbors == 8 or r == row or c == col
    ]
