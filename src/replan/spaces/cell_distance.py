"""The base class of heuristics, and the distance between cells of a grid, which searches compute inline.

The module `heuristics` has the other heuristics. It imports spaces; this module must not, since `grid` imports it.
"""

from __future__ import annotations

from typing import Any

from replan.limits import DIAGONAL, STRAIGHT
from replan.serialization import not_copyable_error

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Heuristic:
    """An h-value for each of `n` states, in cost units; INF: no path. `n` is `heuristics.ANY_SPACE` for any space."""

    n: int

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def estimate(self, s: int) -> int:
        """Return the h-value of a state."""
        raise NotImplementedError


class CellDistance(Heuristic):
    """`Grid.distance` to or from one cell, whose row and column are computed once.

    A multiplication by `width_inverse` and a shift divide a state by the width: exact below 2**31.
    """

    def __init__(self, n: int, width: int, neighbors: int, unit: int, cell: int) -> None:
        self.n, self.width, self.straight_cost = n, width, unit
        # difference between the cost of two straight steps and that of a diagonal step
        self.diagonal_saving = 0 if neighbors == 4 else 2 * unit - unit // STRAIGHT * DIAGONAL
        bits = 31 + (width - 1).bit_length()
        self.shift, self.width_inverse = bits, (1 << bits) // width + 1
        self.set_cell(cell)

    def set_cell(self, cell: int) -> int:
        """Measure the distance to or from another cell, given as a state."""
        self.row = cell // self.width
        self.col = cell % self.width
        return 0

    def estimate(self, s: int) -> int:
        return grid_distance(self, s)


if not cython.compiled:  # compiled, the inline function of cell_distance.pxd takes its place

    def grid_distance(d: CellDistance, s: int) -> int:
        """Return the distance between a state and the cell of `d`."""
        row = (s * d.width_inverse) >> d.shift
        down = abs(row - d.row)
        right = abs(s - row * d.width - d.col)
        return d.straight_cost * (down + right) - d.diagonal_saving * min(down, right)
