"""Occupancy grids and costmaps of ROS 2, without ROS: arrays or messages in, grids in metres out, and back.

ROS stores a map from its lower left cell, row by row, upwards; Replan has row 0 at the top. All functions here take and
return arrays as ROS has them (row 0 lowest), and convert them. `grid.cell_at(x, y)` and `grid.position_of(cell)` use
metres, so a program rarely needs the rows.

    occupancy   -1 unknown, 0 free ... 98, 99 inscribed, 100 lethal          (nav_msgs/OccupancyGrid)
    costmap     0 free ... 252, 253 inscribed, 254 lethal, 255 unknown       (nav2_msgs/Costmap)

A cell is blocked if the centre of the robot may not be there (inscribed, lethal). Other cells have the weight
1 + value, so a planner avoids expensive cells unless the detour is long. Grids, weights and updates are read by the
same rule (`replan.maps.cell_encoding`). The type of a message decides which values it has; a function for the other
type refuses it.

These parameters have the same meaning everywhere. Use the same ones for a grid and for the weights that it gets later:

    unknown               treatment of unknown cells: "blocked", "free", or "unknown" (believed free; see `Grid.load`)
    lethal_threshold      a cell is blocked from this value on; lower it for maps whose obstacles have lower values
    inscribed_threshold   a cell is blocked from this value on, too; 100 (occupancy) or 254 (costmap): inscribed cells
                          are slow, not blocked

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
    """Type of a message: its values, the field with its size (None: the message), and the names of its size."""

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
    """Make a grid from an OccupancyGrid message, or from an array of -1 and 0 to 100.

    Parameters
    ----------
    occupancy
        The message, or a 2-D array with row 0 lowest.
    resolution
        Metres a cell, for an array. A message has its own.
    origin
        Position (x, y, yaw) of the lower left corner, for an array. A message has its own.
    unknown
        Treatment of unknown cells: "blocked", "free", or "unknown" (believed free; see `Grid.load`).
    neighbors
        4 or 8, as for a `Grid`.
    corners
        Corner rule, as for a `Grid`.
    lethal_threshold
        A cell is blocked from this value on. Lower it for maps whose obstacles have lower values.
    inscribed_threshold
        A cell is blocked from this value on, too. 100 (occupancy) or 254 (costmap): inscribed cells are slow, not
        blocked.

    Returns
    -------
    Grid
        The grid. It has weights even if all values are 0, so that later messages can change them.

    Raises
    ------
    InputError
        If a value is out of range, the message is of another type, or the array is not 2-D and of whole numbers.

    Examples
    --------
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
    """Make a grid from a Nav2 costmap: a Costmap message, or an array of 0 to 255.

    Parameters
    ----------
    costs
        The message, or a 2-D array with row 0 lowest.
    resolution
        Metres a cell, for an array. A message has its own.
    origin
        Position (x, y, yaw) of the lower left corner, for an array. A message has its own.
    unknown
        Treatment of unknown cells: "blocked", "free", or "unknown" (believed free; see `Grid.load`).
    neighbors
        4 or 8, as for a `Grid`.
    corners
        Corner rule, as for a `Grid`.
    lethal_threshold
        A cell is blocked from this value on. Lower it for maps whose obstacles have lower values.
    inscribed_threshold
        A cell is blocked from this value on, too. 100 (occupancy) or 254 (costmap): inscribed cells are slow, not
        blocked.

    Returns
    -------
    Grid
        The grid. It has weights even if all costs are 0, so that later messages can change them.

    Raises
    ------
    InputError
        If a value is out of range, the message is of another type, or the array is not 2-D and of whole numbers.

    Examples
    --------
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
    """Convert a message to the weights that `Agent.observe_map` takes: 0 blocked, else 1 + value.

    Parameters
    ----------
    occupancy
        A OccupancyGrid or OccupancyGridUpdate message, or a 2-D array with row 0 lowest. `update_cell` gives the
        position of an update.
    unknown
        Treatment of unknown cells: "blocked", "free", or "unknown" (believed free; see `Grid.load`). Use the values
        with which the grid was made.
    lethal_threshold
        A cell is blocked from this value on. Lower it for maps whose obstacles have lower values. Use the values with
        which the grid was made.
    inscribed_threshold
        A cell is blocked from this value on, too. 100 (occupancy) or 254 (costmap): inscribed cells are slow, not
        blocked. Use the values with which the grid was made.

    Returns
    -------
    ndarray of int32
        The weights, with row 0 at the top.

    Raises
    ------
    InputError
        If a value is out of range, the message is of another type, or the array is not 2-D and of whole numbers.

    Examples
    --------
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
    """Convert a message to the weights that `Agent.observe_map` takes: 0 blocked, else 1 + value.

    Parameters
    ----------
    costs
        A Costmap or CostmapUpdate message, or a 2-D array with row 0 lowest. `update_cell` gives the position of an
        update.
    unknown
        Treatment of unknown cells: "blocked", "free", or "unknown" (believed free; see `Grid.load`). Use the values
        with which the grid was made.
    lethal_threshold
        A cell is blocked from this value on. Lower it for maps whose obstacles have lower values. Use the values with
        which the grid was made.
    inscribed_threshold
        A cell is blocked from this value on, too. 100 (occupancy) or 254 (costmap): inscribed cells are slow, not
        blocked. Use the values with which the grid was made.

    Returns
    -------
    ndarray of int32
        The weights, with row 0 at the top.

    Raises
    ------
    InputError
        If a value is out of range, the message is of another type, or the array is not 2-D and of whole numbers.

    Examples
    --------
    >>> weights_from_costmap(np.array([[0, 100, 254], [0, 0, 255]], np.uint8)).tolist()
    [[1, 1, 0], [1, 101, 0]]
    """
    return _weights(_terrain(costs, COSTMAP.with_thresholds(inscribed_threshold, lethal_threshold), unknown))


def update_cell(update: Any, grid: Grid) -> tuple[int, int]:
    """Cell of the grid at which an update begins, for `Agent.observe_map(weights=..., top_left=...)`.

    Parameters
    ----------
    update
        An OccupancyGridUpdate or CostmapUpdate. Its x and y are those of its lowest row.
    grid
        The grid of the whole map.

    Returns
    -------
    tuple of int
        Cell (row, col).

    Raises
    ------
    InputError
        If it is no update, or reaches beyond the map.

    Examples
    --------
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
    """Convert a grid to the values of an OccupancyGrid: -1, 0 to 98, and 100.

    Parameters
    ----------
    grid
        The grid.

    Returns
    -------
    ndarray of int8
        The values, with row 0 lowest. `.ravel().tolist()` is the data of a message.

    Raises
    ------
    InputError
        If it is no Grid.

    Notes
    -----
    Weights above 99 become 98: such a cell is slow, but not blocked.

    Examples
    --------
    >>> occupancy_from_grid(Grid(np.array([[0, 0], [0, 1]], bool))).tolist()
    [[0, 100], [0, 0]]
    """
    return _ros_values(grid, OCCUPANCY).astype(np.int8)


def costmap_from_grid(grid: Grid) -> npt.NDArray[np.uint8]:
    """Convert a grid to a Nav2 costmap: 0 to 252, 254 for blocked cells, 255 for unknown ones.

    Parameters
    ----------
    grid
        The grid.

    Returns
    -------
    ndarray of uint8
        The costs, with row 0 lowest.

    Raises
    ------
    InputError
        If it is no Grid.

    Notes
    -----
    Weights above 253 become 252.

    Examples
    --------
    >>> costmap_from_grid(Grid(np.array([[0, 0], [0, 1]], bool))).tolist()
    [[0, 254], [0, 0]]
    """
    return _ros_values(grid, COSTMAP).astype(np.uint8)


def inflate(
    blocked: npt.ArrayLike,
    resolution: float,
    inscribed_radius: float,
    inflation_radius: float,
    cost_scaling_factor: float = 3.0,
) -> npt.NDArray[np.uint8]:
    """Compute costs around obstacles as Nav2's inflation layer does. Needs SciPy.

    Parameters
    ----------
    blocked
        2-D array, True for obstacles.
    resolution
        Metres a cell, above 0.
    inscribed_radius
        Radius of the robot's inscribed circle in metres. Cells nearer than that to an obstacle cost 253.
    inflation_radius
        Distance in metres at which the costs end.
    cost_scaling_factor
        Above 0. A cell at distance d, between both radii, costs 252 * exp(-cost_scaling_factor * (d -
        inscribed_radius)).

    Returns
    -------
    ndarray of uint8
        The costs; 254 for obstacles.

    Raises
    ------
    InputError
        If a number is out of range.
    MissingExtra
        If SciPy is not installed.

    Examples
    --------
    >>> inflate([[0, 0, 0, 1]], resolution=0.1, inscribed_radius=0.1, inflation_radius=0.3).tolist()
    [[138, 186, 253, 254]]
    """
    obstacles = as_array(blocked).astype(bool)
    if obstacles.ndim != 2 or obstacles.size == 0:
        raise InputError(f"blocked is a 2-D array with at least one cell, not one of shape {obstacles.shape}")
    for name, value, least in (("resolution", resolution, 0.0), ("cost_scaling_factor", cost_scaling_factor, 0.0)):
        if not (math.isfinite(value) and value > least):
            raise InputError(f"{name} is a number above 0, not {value!r}")
    if not 0 <= inscribed_radius <= inflation_radius < math.inf:
        raise InputError(
            "radii are 0 <= inscribed_radius <= inflation_radius, in metres, "
            f"not {inscribed_radius!r} and {inflation_radius!r}"
        )
    costs = np.zeros(obstacles.shape, np.uint8)
    if obstacles.any():
        ndimage = import_extra("scipy.ndimage", extra="experiments", purpose="inflation")
        distance = ndimage.distance_transform_edt(~obstacles) * resolution
        near = distance <= inflation_radius + 1e-9
        highest = COSTMAP.inscribed_threshold - 1
        costs[near] = (highest * np.exp(-cost_scaling_factor * (distance[near] - inscribed_radius))).clip(0, highest)
        costs[distance <= inscribed_radius + 1e-9] = COSTMAP.inscribed_threshold
        costs[obstacles] = COSTMAP.lethal_threshold
    return costs


def _terrain(
    source: Any,
    values: CellEncoding,
    unknown: UnknownCells,
    resolution: float | None = None,
    origin: Origin = (0.0, 0.0, 0.0),
) -> Terrain:
    """Convert a message or an array to a Terrain, with row 0 at the top. A whole message has a coordinate frame."""
    message = _message_type(source)
    if message is None:
        found, frame = (
            _array_values(source, values),
            None if resolution is None else CoordinateFrame(resolution, origin),
        )
    elif message.values.map_kind != values.map_kind:
        right = _FUNCTIONS[message.values]
        raise InputError(f"this is a message of type {message.name}, not {values.map_kind}: it is for {right}")
    else:
        found, frame = _message_values(source, message), _frame(source, message)
    return values.to_terrain(found[::-1], frame).with_unknown(unknown)


def _message_type(source: Any) -> _MessageType | None:
    """Return the type of a message, by the names of its fields; None for other objects."""
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
    """Return the coordinate frame of a message; None for an update."""
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
    if grid.unknown_mask is not None:  # of the time of loading; a cell with a weight was seen since
        found[grid.unknown_mask & (found == 0)] = values.unknown
    found[grid.blocked] = values.lethal_threshold
    return found[::-1]
