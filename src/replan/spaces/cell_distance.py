"""What a heuristic is, and the distance between cells of a grid, which searches compute inline.

`heuristics` has the other heuristics and chooses among them; it may import spaces, and this module may not.
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
    """An estimate, in ticks, for each of n states (`heuristics.ANY`: of any space); INF says that there is no way."""

    n: int

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def estimate(self, s: int) -> int:
        raise NotImplementedError


class CellDistance(Heuristic):
    """`Grid.distance` to or from one cell, whose row and column are computed once.

    Multiplying by `inverse` divides a state by the width: exact below 2**31.
    """

    def __init__(self, n: int, width: int, neighbors: int, unit: int, cell: int) -> None:
        self.n, self.width, self.straight_cost = n, width, unit
        # what a diagonal step costs less than two straight ones
        self.diagonal_saving = 0 if neighbors == 4 else 2 * unit - unit // STRAIGHT * DIAGONAL
        bits = 31 + (width - 1).bit_length()
        self.shift, self.width_inverse = bits, (1 << bits) // width + 1
        self.set_cell(cell)

    def set_cell(self, cell: int) -> int:
        self.row = cell // self.width
        self.col = cell % self.width
        return 0

    def estimate(self, s: int) -> int:
        return grid_distance(self, s)


if not cython.compiled:  # compiled, it is part of its callers (see cell_distance.pxd)

    def grid_distance(d: CellDistance, s: int) -> int:
        row = (s * d.width_inverse) >> d.shift
        down = abs(row - d.row)
        right = abs(s - row * d.width - d.col)
        return d.straight_cost * (down + right) - d.diagonal_saving * min(down, right)
