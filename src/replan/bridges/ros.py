"""Occupancy grids and costmaps of ROS 2, without ROS: arrays or messages in, grids in metres out, and back.

ROS stores a map from its lower left cell, row by row, upwards; Replan has row 0 at the top. All functions here take and
return arrays as ROS has them (row 0 lowest) and turn them over; `grid.cell_at(x, y)` and `grid.position_of(cell)` speak
metres, so that a program rarely needs to know.

    occupancy   -1 unknown, 0 free ... 99, 100 blocked         (nav_msgs/OccupancyGrid)
    costmap     0 free ... 252, 253 inscribed, 254 lethal, 255 no information         (Nav2)

Where a robot's centre may not be (100; 253 and 254) a cell is blocked. What lies between is the weight 1 + value, so
that a planner goes round it unless the way round is long.

>>> import numpy as np
>>> occupancy = np.array([[0, 0, 100], [0, 50, -1]], np.int8)
>>> grid = grid_from_occupancy(occupancy, resolution=0.5, origin=(10.0, 20.0, 0.0))
>>> grid.cell_at(10.1, 20.1), bool(grid.blocked[1, 2]), int(grid.weights[0, 1])
((1, 0), True, 51)
>>> occupancy_from_grid(grid).tolist()
[[0, 0, 100], [0, 50, 100]]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from replan.errors import InputError
from replan.extras import need
from replan.maps.frame import Frame
from replan.maps.terrain import Terrain, Unknown, drop_plain_weights
from replan.spaces.grid import Grid

UNKNOWN, OCCUPIED = -1, 100
INSCRIBED, LETHAL, NO_INFORMATION = 253, 254, 255

Origin = tuple[float, float, float]


def grid_from_occupancy(
    occupancy: Any,
    resolution: float | None = None,
    origin: Origin = (0.0, 0.0, 0.0),
    unknown: Unknown = "blocked",
    neighbors: int = 8,
    corners: str = "strict",
) -> Grid:
    """A grid from an OccupancyGrid message, or from a 2-D array of -1 and 0 to 100.

    resolution (metres a cell) and origin (x, y, yaw of the lower left corner) come from the message where there is one.
    unknown: what becomes of cells of -1, as in `Grid.load`.

    Raises InputError for values out of range, and for an array that is not 2-D and of whole numbers.

    >>> occupancy = np.array([[0, 0, 100], [0, 50, -1]], np.int8)
    >>> grid = grid_from_occupancy(occupancy, resolution=0.05, unknown="unknown")
    >>> grid.blocked.astype(int).tolist(), grid.unknown.astype(int).tolist()
    ([[0, 0, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, 0]])
    """
    values, frame = _values_and_frame(occupancy, resolution, origin)
    _refuse_outside(values, UNKNOWN, OCCUPIED, "an occupancy")
    blocked, unseen = values == OCCUPIED, values == UNKNOWN
    weights = drop_plain_weights(_weights(values, blocked | unseen))
    return _grid(blocked, weights, unseen, frame, unknown, neighbors, corners)


def grid_from_costmap(
    costs: Any,
    resolution: float | None = None,
    origin: Origin = (0.0, 0.0, 0.0),
    unknown: Unknown = "blocked",
    neighbors: int = 8,
    corners: str = "strict",
) -> Grid:
    """A grid from a Nav2 costmap (nav2_msgs/Costmap, or a 2-D array of 0 to 255).

    It has weights also where all costs are 0, so that later costmaps can be told (`weights_from_costmap`).

    resolution, origin, unknown: as for `grid_from_occupancy`; so are the errors.

    >>> grid = grid_from_costmap(np.array([[0, 100, 254], [0, 0, 255]], np.uint8), resolution=0.05)
    >>> grid.weights.tolist(), grid.blocked.astype(int).tolist()
    ([[1, 1, 0], [1, 101, 0]], [[0, 0, 1], [0, 0, 1]])
    """
    values, frame = _values_and_frame(costs, resolution, origin)
    _refuse_outside(values, 0, NO_INFORMATION, "a costmap")
    blocked, unseen = (values == INSCRIBED) | (values == LETHAL), values == NO_INFORMATION
    return _grid(blocked, _weights(values, blocked | unseen), unseen, frame, unknown, neighbors, corners)


def weights_from_costmap(costs: Any) -> npt.NDArray[np.int32]:
    """A costmap, or the window that changed, as `Agent.observe_map(weights=...)` takes it: 0 blocked, else 1 + cost.

    The row that is lowest in ROS is the last row here. Cells without information count as free.

    Raises InputError for values out of range.

    >>> weights_from_costmap(np.array([[0, 100, 254], [0, 0, 255]], np.uint8)).tolist()
    [[1, 1, 1], [1, 101, 0]]
    """
    values, _ = _values_and_frame(costs, None, (0.0, 0.0, 0.0))
    _refuse_outside(values, 0, NO_INFORMATION, "a costmap")
    weights = np.where(values == NO_INFORMATION, 1, 1 + values)
    return np.where((values == INSCRIBED) | (values == LETHAL), 0, weights).astype(np.int32)


def occupancy_from_grid(grid: Grid) -> npt.NDArray[np.int8]:
    """The grid as an OccupancyGrid has it: -1, 0 to 100, row 0 lowest. `.ravel().tolist()` is the message's data.

    Weights beyond 100 become 99: such a cell is slow, but not blocked.

    Raises InputError for what is no Grid.

    >>> occupancy_from_grid(Grid(np.array([[0, 0], [0, 1]], bool))).tolist()
    [[0, 100], [0, 0]]
    """
    return _turned(grid, highest=99, blocked=OCCUPIED, unknown=UNKNOWN).astype(np.int8)


def costmap_from_grid(grid: Grid) -> npt.NDArray[np.uint8]:
    """The grid as a Nav2 costmap: 0 to 252, 254 where it is blocked, 255 where it is unknown; row 0 lowest.

    Raises InputError for what is no Grid.

    >>> costmap_from_grid(Grid(np.array([[0, 0], [0, 1]], bool))).tolist()
    [[0, 254], [0, 0]]
    """
    return _turned(grid, highest=252, blocked=LETHAL, unknown=NO_INFORMATION).astype(np.uint8)


def inflate(
    blocked: npt.ArrayLike, resolution: float, inscribed: float, radius: float, scaling: float = 3.0
) -> npt.NDArray[np.uint8]:
    """Costs around obstacles as Nav2's inflation layer has them: 254, 253 nearer than `inscribed`, then falling.

    blocked: 2-D, True on obstacles. resolution: metres a cell. inscribed: the radius of the robot's inscribed circle,
    radius: how far the layer reaches, both in metres. A cell at distance d, between both, costs
    252 * exp(-scaling * (d - inscribed)), as in Nav2. Needs SciPy: pip install 'replan[experiments]'.

    >>> inflate([[0, 0, 0, 1]], resolution=0.1, inscribed=0.1, radius=0.3).tolist()
    [[138, 186, 253, 254]]
    """
    solid = np.asarray(blocked).astype(bool)
    if solid.ndim != 2 or solid.size == 0:
        raise InputError(f"blocked is a 2-D array with at least one cell, not one of shape {solid.shape}")
    for name, value, least in (("resolution", resolution, 0.0), ("scaling", scaling, 0.0)):
        if not (math.isfinite(value) and value > least):
            raise InputError(f"{name} is a number above 0, not {value!r}")
    if not 0 <= inscribed <= radius < math.inf:
        raise InputError(f"radii are 0 <= inscribed <= radius, in metres, not {inscribed!r} and {radius!r}")
    costs = np.zeros(solid.shape, np.uint8)
    if solid.any():
        ndimage = need("scipy.ndimage", extra="experiments", what="inflation")
        distance = ndimage.distance_transform_edt(~solid) * resolution
        near = distance <= radius + 1e-9
        costs[near] = ((INSCRIBED - 1) * np.exp(-scaling * (distance[near] - inscribed))).clip(0, INSCRIBED - 1)
        costs[distance <= inscribed + 1e-9] = INSCRIBED
        costs[solid] = LETHAL
    return costs


def _values_and_frame(
    source: Any, resolution: float | None, origin: Origin
) -> tuple[npt.NDArray[np.int64], Frame | None]:
    """The values with row 0 at the top, and where the map lies."""
    info = getattr(source, "info", None) or getattr(source, "metadata", None)
    if info is not None:
        values = _message_values(source, info)
        yaw = _yaw_of(info.origin.orientation)
        place = (float(info.origin.position.x), float(info.origin.position.y), yaw)
        return values[::-1], Frame(float(info.resolution), place)
    values = np.asarray(source)
    if values.ndim != 2 or values.size == 0 or values.dtype.kind not in "iub":
        raise InputError(
            "a map is an OccupancyGrid or Costmap message, or a 2-D array of whole numbers, "
            f"not {type(source).__name__} of shape {values.shape} and type {values.dtype}"
        )
    return values.astype(np.int64)[::-1], None if resolution is None else Frame(resolution, origin)


def _message_values(message: Any, info: Any) -> npt.NDArray[np.int64]:
    width = int(getattr(info, "width", 0) or getattr(info, "size_x", 0))
    height = int(getattr(info, "height", 0) or getattr(info, "size_y", 0))
    values = np.asarray(message.data, np.int64).reshape(-1)
    if width < 1 or height < 1 or len(values) != width * height:
        raise InputError(f"the message says {width} x {height} cells and has {len(values)} values")
    return values.reshape(height, width)


def _yaw_of(q: Any) -> float:
    """The turn about z of a quaternion."""
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


def _refuse_outside(values: npt.NDArray[np.int64], least: int, most: int, what: str) -> None:
    wrong = (values < least) | (values > most)
    if wrong.any():
        row, col = np.argwhere(wrong)[0]
        where = f"row {len(values) - 1 - int(row)}, column {col}"  # as ROS counts
        raise InputError(f"{what} has values from {least} to {most}, not {values[row, col]} ({where})")


def _weights(values: npt.NDArray[np.int64], without: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    return np.where(without, 1, 1 + values).astype(np.int32)


def _grid(
    blocked: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.int32] | None,
    unseen: npt.NDArray[np.bool_],
    frame: Frame | None,
    unknown: Unknown,
    neighbors: int,
    corners: str,
) -> Grid:
    unknown_cells = unseen if unseen.any() else None
    terrain = Terrain(blocked, weights=weights, unknown=unknown_cells, frame=frame).with_unknown(unknown)
    grid = Grid(terrain.blocked, neighbors, terrain.weights, corners)
    grid.frame, grid.unknown = terrain.frame, terrain.unknown
    return grid


def _turned(grid: Grid, highest: int, blocked: int, unknown: int) -> npt.NDArray[np.int64]:
    if not isinstance(grid, Grid):
        raise InputError(f"a map is made from a Grid, not from {grid!r}")
    weights = np.ones(grid.shape, np.int64) if grid.weights is None else grid.weights.astype(np.int64)
    values = (weights - 1).clip(0, highest)
    values[grid.blocked] = blocked
    if grid.unknown is not None:
        values[grid.unknown & ~grid.blocked] = unknown
    return values[::-1]
