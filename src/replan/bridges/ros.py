"""Occupancy grids and costmaps of ROS 2, without ROS: arrays or messages in, grids in metres out, and back.

ROS stores a map from its lower left cell, row by row, upwards; Replan has row 0 at the top. All functions here take and
return arrays as ROS has them (row 0 lowest) and turn them over; `grid.cell_at(x, y)` and `grid.position_of(cell)` speak
metres, so that a program rarely needs to know.

    occupancy   -1 unknown, 0 free ... 98, 99 inscribed, 100 lethal          (nav_msgs/OccupancyGrid)
    costmap     0 free ... 252, 253 inscribed, 254 lethal, 255 unknown       (nav2_msgs/Costmap)

Where a robot's centre may not be (inscribed, lethal) a cell is blocked. What lies between is the weight 1 + value, so
that a planner goes round it unless the way round is long. Grids, weights and updates are read by the same rule
(`replan.maps.cell_encoding`). The type of a message says which values it has; a function for the other type refuses it.

These parameters have the same meaning everywhere. Use the same ones for a grid and for the weights that it gets later:

    unknown     what becomes of unknown cells: "blocked", "free", or "unknown" (believed free; see `Grid.load`)
    lethal_threshold      a cell is blocked from this value on: lower it for maps whose obstacles have lower values
    inscribed_threshold   a cell is blocked from this value on, too. 100 (occupancy) or 254 (costmap): inscribed cells are slow

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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from replan.arrays import as_array
from replan.errors import InputError, short_repr
from replan.extras import import_extra
from replan.maps.cell_encoding import COSTMAP, OCCUPANCY, CellEncoding
from replan.maps.coordinate_frame import CoordinateFrame
from replan.maps.terrain import Terrain, UnknownCells
from replan.spaces.grid import Grid

Origin = tuple[float, float, float]


class _MessageType(NamedTuple):
    """A type of message: the values in it, the field with its size and place (None: itself), the names of its size."""

    name: str
    values: CellEncoding
    header: str | None
    width: str
    height: str


_MESSAGE_TYPES = (
    _MessageType("OccupancyGrid", OCCUPANCY, "info", "width", "height"),
    _MessageType("Costmap", COSTMAP, "metadata", "size_x", "size_y"),
    _MessageType("OccupancyGridUpdate", OCCUPANCY, None, "width", "height"),
    _MessageType("CostmapUpdate", COSTMAP, None, "size_x", "size_y"),
)
_FUNCTIONS = {
    OCCUPANCY: "grid_from_occupancy and weights_from_occupancy",
    COSTMAP: "grid_from_costmap and weights_from_costmap",
}


def grid_from_occupancy(
    occupancy: Any,
    resolution: float | None = None,
    origin: Origin = (0.0, 0.0, 0.0),
    unknown: UnknownCells = "blocked",
    neighbors: int = 8,
    corners: str = "strict",
    *,
    lethal_threshold: int = OCCUPANCY.lethal_threshold,
    inscribed_threshold: int = OCCUPANCY.inscribed_threshold,
) -> Grid:
    """A grid from an OccupancyGrid message, or from a 2-D array of -1 and 0 to 100.

    It has weights also where all values are 0, so that later messages can be told (`weights_from_occupancy`).

    resolution (metres a cell) and origin (x, y, yaw of the lower left corner) come from the message where there is one.
    unknown, lethal_threshold, inscribed_threshold: see the top of this page. neighbors, corners: as for a `Grid`.

    Raises InputError for values out of range, a message of another type, and an array that is not 2-D and of whole
    numbers.

    >>> occupancy = np.array([[0, 99, 100], [0, 50, -1]], np.int8)
    >>> grid = grid_from_occupancy(occupancy, resolution=0.05, unknown="unknown")
    >>> grid.blocked.astype(int).tolist(), grid.unknown_mask.astype(int).tolist()
    ([[0, 0, 0], [0, 1, 1]], [[0, 0, 1], [0, 0, 0]])
    """
    values = OCCUPANCY.with_thresholds(inscribed_threshold, lethal_threshold)
    return _grid(_terrain(occupancy, values, unknown, resolution, origin), neighbors, corners)


def grid_from_costmap(
    costs: Any,
    resolution: float | None = None,
    origin: Origin = (0.0, 0.0, 0.0),
    unknown: UnknownCells = "blocked",
    neighbors: int = 8,
    corners: str = "strict",
    *,
    lethal_threshold: int = COSTMAP.lethal_threshold,
    inscribed_threshold: int = COSTMAP.inscribed_threshold,
) -> Grid:
    """A grid from a Nav2 costmap (nav2_msgs/Costmap, or a 2-D array of 0 to 255).

    It has weights also where all costs are 0, so that later costmaps can be told (`weights_from_costmap`).

    Parameters and errors: as for `grid_from_occupancy`.

    >>> grid = grid_from_costmap(np.array([[0, 100, 254], [0, 0, 255]], np.uint8), resolution=0.05)
    >>> grid.weights.tolist(), grid.blocked.astype(int).tolist()
    ([[1, 1, 0], [1, 101, 0]], [[0, 0, 1], [0, 0, 1]])
    """
    values = COSTMAP.with_thresholds(inscribed_threshold, lethal_threshold)
    return _grid(_terrain(costs, values, unknown, resolution, origin), neighbors, corners)


def weights_from_occupancy(
    occupancy: Any,
    unknown: UnknownCells = "blocked",
    *,
    lethal_threshold: int = OCCUPANCY.lethal_threshold,
    inscribed_threshold: int = OCCUPANCY.inscribed_threshold,
) -> npt.NDArray[np.int32]:
    """An OccupancyGrid, or an update of it, as `Agent.observe_map(weights=...)` takes it: 0 blocked, else 1 + value.

    The row that is lowest in ROS is the last row here. `update_at` says where an update belongs.

    unknown, lethal_threshold, inscribed_threshold: as the grid was made with. Raises InputError as `grid_from_occupancy` does.

    >>> weights_from_occupancy(np.array([[0, 98, 99], [0, 0, -1]], np.int8)).tolist()
    [[1, 1, 0], [1, 99, 0]]
    """
    return _weights(_terrain(occupancy, OCCUPANCY.with_thresholds(inscribed_threshold, lethal_threshold), unknown))


def weights_from_costmap(
    costs: Any,
    unknown: UnknownCells = "blocked",
    *,
    lethal_threshold: int = COSTMAP.lethal_threshold,
    inscribed_threshold: int = COSTMAP.inscribed_threshold,
) -> npt.NDArray[np.int32]:
    """A costmap, or an update of it, as `Agent.observe_map(weights=...)` takes it: 0 blocked, else 1 + cost.

    The row that is lowest in ROS is the last row here. `update_at` says where an update belongs.

    unknown, lethal_threshold, inscribed_threshold: as the grid was made with. Raises InputError as `grid_from_costmap` does.

    >>> weights_from_costmap(np.array([[0, 100, 254], [0, 0, 255]], np.uint8)).tolist()
    [[1, 1, 0], [1, 101, 0]]
    """
    return _weights(_terrain(costs, COSTMAP.with_thresholds(inscribed_threshold, lethal_threshold), unknown))


def update_cell(update: Any, grid: Grid) -> tuple[int, int]:
    """The cell of the grid where an update begins, for `Agent.observe_map(weights=..., at=...)`.

    update: an OccupancyGridUpdate or CostmapUpdate: its x and y are those of its lowest row. Raises InputError for
    anything else, and for an update that is not all on the map.

    >>> from types import SimpleNamespace
    >>> update = SimpleNamespace(x=2, y=0, width=3, height=1, data=[0, 0, 99])
    >>> update_cell(update, Grid(np.zeros((4, 6), bool)))
    (3, 2)
    """
    _require_grid(grid)
    message = _message_type(update)
    if message is None or message.header is not None:
        raise InputError(f"an update is an OccupancyGridUpdate or a CostmapUpdate, not {type(update).__name__}")
    x, y, (width, height) = int(update.x), int(update.y), _size(update, message)
    if x < 0 or y < 0 or x + width > grid.cols or y + height > grid.rows:
        raise InputError(
            f"an update of {width} x {height} cells at x {x}, y {y} reaches beyond the map of {grid.cols} x "
            f"{grid.rows}: make a new grid, from a message with the whole map"
        )
    return grid.rows - y - height, x


def occupancy_from_grid(grid: Grid) -> npt.NDArray[np.int8]:
    """The grid as an OccupancyGrid has it: -1, 0 to 98, 100; row 0 lowest. `.ravel().tolist()` is the message's data.

    Weights beyond 99 become 98: such a cell is slow, but not blocked.

    Raises InputError for what is no Grid.

    >>> occupancy_from_grid(Grid(np.array([[0, 0], [0, 1]], bool))).tolist()
    [[0, 100], [0, 0]]
    """
    return _ros_values(grid, OCCUPANCY).astype(np.int8)


def costmap_from_grid(grid: Grid) -> npt.NDArray[np.uint8]:
    """The grid as a Nav2 costmap: 0 to 252, 254 where it is blocked, 255 where it is unknown; row 0 lowest.

    Weights beyond 253 become 252. Raises InputError for what is no Grid.

    >>> costmap_from_grid(Grid(np.array([[0, 0], [0, 1]], bool))).tolist()
    [[0, 254], [0, 0]]
    """
    return _ros_values(grid, COSTMAP).astype(np.uint8)


def inflate(
    blocked: npt.ArrayLike, resolution: float, inscribed_radius: float, inflation_radius: float, cost_scaling_factor: float = 3.0
) -> npt.NDArray[np.uint8]:
    """Costs around obstacles as Nav2's inflation layer has them: 254, 253 nearer than `inscribed_radius`, then falling.

    blocked: 2-D, True on obstacles. resolution: metres a cell. inscribed_radius: that of the robot's inscribed circle,
    inflation_radius: how far the layer reaches, both in metres. A cell at distance d, between both, costs
    252 * exp(-cost_scaling_factor * (d - inscribed_radius)), as in Nav2. Needs SciPy: pip install 'replan[experiments]'.

    >>> inflate([[0, 0, 0, 1]], resolution=0.1, inscribed_radius=0.1, inflation_radius=0.3).tolist()
    [[138, 186, 253, 254]]
    """
    solid = as_array(blocked).astype(bool)
    if solid.ndim != 2 or solid.size == 0:
        raise InputError(f"blocked is a 2-D array with at least one cell, not one of shape {solid.shape}")
    for name, value, least in (("resolution", resolution, 0.0), ("cost_scaling_factor", cost_scaling_factor, 0.0)):
        if not (math.isfinite(value) and value > least):
            raise InputError(f"{name} is a number above 0, not {value!r}")
    if not 0 <= inscribed_radius <= inflation_radius < math.inf:
        raise InputError(f"radii are 0 <= inscribed_radius <= inflation_radius, in metres, not {inscribed_radius!r} and {inflation_radius!r}")
    costs = np.zeros(solid.shape, np.uint8)
    if solid.any():
        ndimage = import_extra("scipy.ndimage", extra="experiments", purpose="inflation")
        distance = ndimage.distance_transform_edt(~solid) * resolution
        near = distance <= inflation_radius + 1e-9
        highest = COSTMAP.inscribed_threshold - 1
        costs[near] = (highest * np.exp(-cost_scaling_factor * (distance[near] - inscribed_radius))).clip(0, highest)
        costs[distance <= inscribed_radius + 1e-9] = COSTMAP.inscribed_threshold
        costs[solid] = COSTMAP.lethal_threshold
    return costs


def _terrain(
    source: Any,
    values: CellEncoding,
    unknown: UnknownCells,
    resolution: float | None = None,
    origin: Origin = (0.0, 0.0, 0.0),
) -> Terrain:
    """What a message or an array says, with row 0 at the top; a whole message has a frame."""
    message = _message_type(source)
    if message is None:
        found, frame = _array_values(source, values), None if resolution is None else CoordinateFrame(resolution, origin)
    elif message.values.map_kind != values.map_kind:
        right = _FUNCTIONS[message.values]
        raise InputError(f"this is a message of type {message.name}, not {values.map_kind}: it is for {right}")
    else:
        found, frame = _message_values(source, message), _frame(source, message)
    return values.to_terrain(found[::-1], frame).with_unknown(unknown)


def _message_type(source: Any) -> _MessageType | None:
    """The type of a message, by the names of its fields; None for other objects."""
    for message in _MESSAGE_TYPES:
        header = source if message.header is None else getattr(source, message.header, None)
        if all(hasattr(header, name) for name in (message.width, message.height)) and hasattr(source, "data"):
            return message
    return None


def _size(source: Any, message: _MessageType) -> tuple[int, int]:
    """Width and height."""
    header = source if message.header is None else getattr(source, message.header)
    return int(getattr(header, message.width)), int(getattr(header, message.height))


def _message_values(source: Any, message: _MessageType) -> npt.NDArray[Any]:
    width, height = _size(source, message)
    values = np.asarray(source.data).reshape(-1)
    if width < 1 or height < 1 or len(values) != width * height or values.dtype.kind not in "iu":
        kind = "whole numbers" if values.dtype.kind in "iu" else values.dtype
        raise InputError(f"the message says {width} x {height} cells and has {len(values)} values ({kind})")
    if message.name == "CostmapUpdate" and -128 <= values.min() < 0:  # Nav2 sends bytes there: 254 arrives as -2
        values = values.astype(np.int8).view(np.uint8)
    return values.reshape(height, width)


def _frame(source: Any, message: _MessageType) -> CoordinateFrame | None:
    """Where a message's map lies; an update does not say it."""
    if message.header is None:
        return None
    header = getattr(source, message.header)
    position, q = header.origin.position, header.origin.orientation
    yaw = math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))  # the turn about z
    return CoordinateFrame(float(header.resolution), (float(position.x), float(position.y), yaw))


def _array_values(source: Any, values: CellEncoding) -> npt.NDArray[Any]:
    try:
        given = as_array(source)
    except InputError:
        raise
    except ValueError:
        raise InputError("the rows of a map have the same length, and these differ") from None
    if given.ndim != 2 or given.size == 0 or given.dtype.kind not in "iu":
        raise InputError(
            "a map is an OccupancyGrid or Costmap message, or a 2-D array of whole numbers, "
            f"not {type(source).__name__} of shape {given.shape} and type {given.dtype}"
        )
    if given.dtype == np.int8 and values.map_kind == COSTMAP.map_kind:
        raise InputError(f"an array of int8 holds no costs up to 255: as occupancies it is for {_FUNCTIONS[OCCUPANCY]}")
    return given


def _grid(terrain: Terrain, neighbors: int, corners: str) -> Grid:
    grid = Grid(terrain.blocked, neighbors, terrain.weights, corners)
    grid.coordinate_frame, grid.unknown_mask = terrain.coordinate_frame, terrain.unknown
    return grid


def _weights(terrain: Terrain) -> npt.NDArray[np.int32]:
    assert terrain.weights is not None
    return np.where(terrain.blocked, 0, terrain.weights)


def _require_grid(grid: Any) -> None:
    if not isinstance(grid, Grid):
        raise InputError(f"a Grid is needed here, not {short_repr(grid)}")


def _ros_values(grid: Grid, values: CellEncoding) -> npt.NDArray[np.int64]:
    _require_grid(grid)
    weights = np.ones(grid.shape, np.int64) if grid.weights is None else grid.weights.astype(np.int64)
    found = (weights - 1).clip(0, values.inscribed_threshold - 1)
    if grid.unknown_mask is not None:  # when it was loaded; a cell with a weight has been seen since
        found[grid.unknown_mask & (found == 0)] = values.unknown
    found[grid.blocked] = values.lethal_threshold
    return found[::-1]
