"""Maps of python-tcod: arrays in and out, and its field of view as a sensor.

tcod stores a map as an array `cost[y, x]` (with `order="F"`: `cost[x, y]`), 0 for blocked cells. A step into a cell
costs its cost times `cardinal` or `diagonal`. Replan has the same array as weights, with (row, col) = (y, x); a
step costs its length times the mean weight of its two cells, and a diagonal is 577/408 straight steps long. tcod lets a
diagonal step cut corners: `corners="free"`, which is what `grid_from_cost` makes unless told otherwise.

>>> import numpy as np
>>> grid = grid_from_cost(np.array([[1, 1, 0], [1, 3, 1]], np.int8))
>>> cost_from_grid(grid).tolist()
[[1, 1, 0], [1, 3, 1]]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from replan.errors import InputError
from replan.extras import import_extra
from replan.limits import MAX_WEIGHT
from replan.spaces.grid import Grid
from replan.spaces.space import Space
from replan.worlds.sensors import Sensor

ORDERS = ("C", "F")


def grid_from_cost(cost: Any, order: str = "C", neighbors: int = 8, corners: str = "free") -> Grid:
    """Make a grid from a cost or walkable array of tcod.

    Parameters
    ----------
    cost
        2-D array: 0 blocked, 1 plain, more is slower.
    order
        "C" for `cost[y, x]`, "F" for `cost[x, y]`, as in tcod.
    neighbors
        4 or 8, as for a Grid.
    corners
        Corner rule, as for a Grid. tcod itself uses "free".

    Returns
    -------
    Grid
        The grid.

    Raises
    ------
    InputError
        If the array is not 2-D, or a cost is out of range.

    Examples
    --------
    >>> grid = grid_from_cost(np.array([[1, 1, 0], [1, 3, 1]], np.int8))
    >>> grid, grid.weights.tolist()
    (<Grid 2 x 3, weighted, 8 neighbors, corners='free'>, [[1, 1, 0], [1, 3, 1]])
    """
    array = _rows_first(np.asarray(cost), order)
    if array.ndim != 2 or array.size == 0 or array.dtype.kind not in "iub":
        raise InputError(f"a cost array is 2-D and of whole numbers, not of shape {array.shape} and type {array.dtype}")
    if int(array.min()) < 0 or int(array.max()) > MAX_WEIGHT:
        raise InputError(f"costs go from 0 (blocked) to {MAX_WEIGHT:,}, not from {array.min()} to {array.max()}")
    blocked = array == 0
    plain = bool((array <= 1).all())
    return Grid(blocked, neighbors, None if plain else np.where(blocked, 1, array).astype(np.int32), corners)


def cost_from_grid(grid: Grid, order: str = "C") -> npt.NDArray[np.int32]:
    """Convert a grid to tcod's cost array, for `tcod.path.SimpleGraph(cost=..., cardinal=408, diagonal=577)`.

    Parameters
    ----------
    grid
        The grid.
    order
        "C" for `cost[y, x]`, "F" for `cost[x, y]`, as in tcod.

    Returns
    -------
    ndarray of int32
        The costs.

    Raises
    ------
    InputError
        If it is no Grid.

    Examples
    --------
    >>> cost_from_grid(Grid(np.array([[0, 1], [0, 0]], bool))).tolist()
    [[1, 0], [1, 1]]
    """
    if not isinstance(grid, Grid):
        raise InputError(f"a cost array is made from a Grid, not from {grid!r}")
    cost = (~grid.blocked).astype(np.int32) if grid.weights is None else grid.weights.astype(np.int32)
    return np.ascontiguousarray(cost) if order == "C" else _rows_first(np.asfortranarray(cost), order)


@dataclass(frozen=True)
class FieldOfView(Sensor):
    """Sensor: tcod's field of view, and the cells around the agent.

    Parameters
    ----------
    radius
        Radius in cells; 0 for no limit.
    algorithm
        A `tcod.libtcodpy.FOV_...` number. None: tcod's default.

    Examples
    --------
    >>> walls = Grid(np.array([[0, 0, 1, 0, 0]], bool))
    >>> FieldOfView(radius=4).visible(walls, (0, 0))
    [(0, 0), (0, 1), (0, 2)]
    """

    radius: int = 0
    algorithm: int | None = None

    def visible(self, truth: Space, cell: Any, previous_cell: Any = None) -> list[Any]:
        """Cells in view from a cell.

        Parameters
        ----------
        truth
            The true map, a Grid.
        cell
            Cell (row, col) of the agent.
        previous_cell
            Not used.

        Returns
        -------
        list of tuple
            The cells.

        Raises
        ------
        InputError
            If the space is no grid.
        MissingExtra
            If tcod is not installed.
        """
        if not isinstance(truth, Grid):
            raise InputError(f"a field of view needs a grid, not {truth!r}")
        compute = import_extra("tcod.map", extra="tcod", purpose="tcod's field of view").compute_fov
        options = {} if self.algorithm is None else {"algorithm": self.algorithm}
        seen = compute(~truth.blocked, pov=cell, radius=self.radius, light_walls=True, **options)
        row, col = cell
        # the adjacent cells too: otherwise the agent would step into cells that it does not see
        seen[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] = True
        return list(map(tuple, np.argwhere(seen).tolist()))


def _rows_first(array: npt.NDArray[Any], order: str) -> npt.NDArray[Any]:
    if order not in ORDERS:
        raise InputError(f"order is 'C' (cost[y, x]) or 'F' (cost[x, y]), not {order!r}")
    return array if order == "C" else array.T
