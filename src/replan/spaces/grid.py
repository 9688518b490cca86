"""Grids of cells with 4 or 8 neighbours, terrain weights, walls, and a rule for diagonal steps past corners.

Users name a cell `(row, col)`. A ring of blocked cells surrounds the map, so that every neighbour of a cell exists.
The state of a cell is `(row + 1) * (cols + 2) + col + 1`. The grid stores for each state

- its `value`: 0 if it is blocked, otherwise its weight (1 on grids without weights);
- its `exits`: one bit for each direction, set if a step leads that way. Only these bits depend on the corner rule and
  on the walls, and searches read only these bits.

Directions: 0 right, 1 down, 2 left, 3 up, then the diagonals between them: 4 down-right, 5 down-left, 6 up-left,
7 up-right. Successors are listed in this order, or in a circle: 0, 4, 1, 5, 2, 6, 3, 7 (`direction_order`).

Cost units: a step costs 1 on 4-connected grids, and 408 (straight) or 577 (diagonal) on 8-connected grids. On weighted
terrain a step costs its length times the mean weight of its two cells. There all costs are doubled, so that they stay
whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import as_array, view, zeros
from replan.errors import InputError, short_repr
from replan.limits import DIAGONAL, INF, MAX_STATES, MAX_WEIGHT, STRAIGHT
from replan.locking import read_lock
from replan.serialization import Archive, PackedArray, pack, unpack
from replan.spaces.cell_distance import CellDistance
from replan.spaces.grid_layout import (
    CORNER_RULES,
    NEIGHBOUR_ORDERS,
    all_exits,
    block_exit_toggles,
    checked_weights,
    direction_tables,
    wall_masks,
)
from replan.spaces.neighbours import ChangedStates, Neighbours, reuse_or_make
from replan.spaces.observations import locations_of, parse_observation
from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.maps.coordinate_frame import CoordinateFrame
    from replan.maps.terrain import UnknownCells
    from replan.spaces.cell_layout import CellLayout

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs, octets
    from replan.spaces.grid_layout import exits_at

ROOT_2 = sqrt(2.0)
MAX_CACHED_CELLS = 1 << 20  # cells
ARCHIVED_FLAGS = ("is_weighted", "has_walls")
CACHED_ROWS_PER_CALL = 4  # new rows of cached cells in one call; a row of a thousand cells takes a microsecond


class Grid(Space):
    """A map of cells.

    Parameters
    ----------
    blocked
        2-D array, True for each blocked cell.
    neighbors
        Number of neighbours of a cell: 4 or 8.
    weights
        2-D array of ints from 1 to 65,535: the cost factor of each cell. A blocked cell gets this weight when it is
        freed, or 1 if its number here is out of range. None: all weights are 1 and cannot change.
    corners
        Rule for diagonal steps: "strict" (both cells beside the step must be free), "either" (one of them) or "free"
        (none).
    walls
        2-D array of bit masks: 1 for a wall between a cell and its right neighbour, 2 for a wall between a cell and
        the cell below, 3 for both. None: no walls.
    order
        Order in which successors are generated, which decides some ties: "straight first" (right, down, left, up, then
        the diagonals, from down-right on) or "circular" (right, down-right, down, and so on; a little slower).

    Raises
    ------
    InputError
        If an array has another shape or other values, or an option is unknown.

    Notes
    -----
    `coordinate_frame` (a `replan.maps.CoordinateFrame`) says where the map lies in the world. `unknown_mask` (a 2-D
    array of bool) says which cells were unknown when the map was loaded; what an agent has seen since is in its belief.
    Both are None until `load` or the user sets them. Copies keep both.

    Examples
    --------
    >>> import numpy as np, replan
    >>> grid = replan.Grid([[0, 0, 1], [0, 0, 0]], neighbors=4)
    >>> grid.shape, grid.rows, grid.neighbors, grid.state((1, 2)), grid.key(11)
    ((2, 3), 2, 4, 13, (1, 0))
    >>> grid.blocked.astype(int).tolist(), grid.weights, grid.walls_between
    ([[0, 0, 1], [0, 0, 0]], None, None)
    >>> swamp = replan.Grid([[0, 0]], weights=[[1, 9]], walls=[[1, 0]])
    >>> swamp.weights.tolist(), swamp.walls_between.tolist(), swamp.max_weight
    ([[1, 9]], [[1, 0]], 9)
    >>> grid.to_map_shape(np.arange(grid.n)).tolist()
    [[6, 7, 8], [11, 12, 13]]
    >>> int(grid.blocked_states.sum()), int((grid.state_exits > 0).sum())
    (15, 5)
    """

    corners: str
    order: str
    coordinate_frame: CoordinateFrame | None
    unknown_mask: np.ndarray[Any, Any] | None
    rows: int
    cols: int
    width: int  # columns including the ring: the difference between a state and the state below it
    neighbors: int
    is_weighted: bool
    has_walls: bool
    lists_one_by_one: bool  # with weights or order="circular": list_in_order lists the neighbours
    corner_rule: int  # number of the rule for diagonals, see CORNER_RULES
    max_weight: int  # the largest weight that max_path_cost allows for
    value: memoryview
    last_weight: memoryview  # with weights: weight of each blocked cell before it was blocked; 0 if unknown
    blocked_flags: memoryview  # 1 where the value is 0
    exits: memoryview
    walls: memoryview  # one bit for each direction, set where a wall separates a cell and its neighbour
    onward_masks: memoryview  # by position of the previous state: the exits that do not lead back to it
    exit_offsets: memoryview  # offsets of the exits of a mask, four directions at a time: see `direction_tables`
    exit_toggles: memoryview  # exits around a cell that change when it is blocked or freed: see `block_exit_toggles`
    offset: memoryview  # by direction: difference between a neighbour and the state
    step_length: memoryview  # by direction: cost of a step of weight 1, in cost units
    direction_order: memoryview  # directions in the order in which neighbours are listed

    def __init__(
        self,
        blocked: ArrayLike,
        neighbors: int = 8,
        weights: ArrayLike | None = None,
        corners: str = "strict",
        walls: ArrayLike | None = None,
        order: str = "straight first",
    ) -> None:
        self._init_fields()
        if isinstance(blocked, str):
            raise InputError(f"a grid is made of an array, not {blocked!r}; Grid.load reads a map by its name or file")
        try:
            mask = as_array(blocked)
        except InputError:
            raise
        except ValueError:
            raise InputError("the rows of a grid are equally long") from None
        if mask.ndim != 2 or mask.size == 0:
            raise InputError(f"a grid is a 2-D array with at least one cell, not an array of shape {mask.shape}")
        if mask.dtype != bool:
            if not np.isin(mask, (0, 1)).all():
                raise InputError("blocked takes True and False (1 and 0); terrain weights go into weights=")
            mask = mask.astype(bool)
        if np.ndim(neighbors) > 0 or neighbors not in (4, 8):
            raise InputError(
                f"a grid has 4 or 8 neighbors, not {short_repr(neighbors)}; terrain weights go into weights="
            )
        if not isinstance(corners, str) or corners not in CORNER_RULES:
            raise InputError(f"corners is one of {', '.join(map(repr, CORNER_RULES))}, not {short_repr(corners)}")
        if not isinstance(order, str) or order not in NEIGHBOUR_ORDERS:
            raise InputError(f"order is one of {', '.join(map(repr, NEIGHBOUR_ORDERS))}, not {order!r}")
        self.rows, self.cols = mask.shape
        self.width = self.row_stride = self.cols + 2
        states = (self.rows + 2) * self.width
        if states > MAX_STATES:
            raise InputError(f"a grid has at most {MAX_STATES:,} cells, not {self.rows:,} x {self.cols:,}")
        self.neighbors, self.degree, self.corners, self.order = neighbors, neighbors, corners, order
        self.locations_are_states = self.is_symmetric = True
        self.is_built_in = type(self) is Grid
        self.coordinate_frame = self.unknown_mask = None
        self.corner_rule = CORNER_RULES[corners]
        # Python ints, and on maps that are not huge the tuples (row, col) by row: made once, not for each path.
        self.cached_ints = list(range(-1, max(mask.shape) + 1))
        self.rows_to_cache = 0  # number of new rows that this call may add to the cache
        self.cell_cache: list[Any] | None = [None] * (self.rows + 2) if states <= MAX_CACHED_CELLS else None
        self.build_arrays(mask, weights, walls)
        self.n = self.n_locations = states
        self.is_initialized = True

    def build_arrays(self, mask: np.ndarray[Any, Any], weights: ArrayLike | None, walls: ArrayLike | None) -> None:
        """Set all arrays and bounds from the mask of blocked cells, the weights and the walls."""
        self.is_weighted = weights is not None
        padded = np.ones((self.rows + 2, self.width), np.uint8)  # the ring of blocked cells
        padded[1:-1, 1:-1] = mask
        value = np.subtract(1, padded, dtype=np.uint16)
        self.last_weight = zeros(padded.size if self.is_weighted else 1, np.uint16)
        if weights is not None:
            checked = checked_weights(weights, mask)
            value[1:-1, 1:-1] = np.where(mask, 0, checked)
            known = mask & (checked > 1) & (checked <= MAX_WEIGHT)  # weights of blocked cells, for when they are freed
            self._without_ring(self.last_weight)[known] = checked[known]
        self.value, self.blocked_flags = view(value.reshape(-1)), view(padded.reshape(-1))
        self.has_walls = walls is not None
        self.walls = zeros(1, np.uint8)
        if walls is not None:
            self.walls = view(wall_masks(walls, self.rows, self.cols).reshape(-1))
        unit = 1 if self.neighbors == 4 else STRAIGHT
        self.offset, self.exit_offsets, self.onward_masks = direction_tables(self.cols)
        has_table = self.neighbors == 8 and not self.has_walls
        self.exit_toggles = view(block_exit_toggles(self.corner_rule)) if has_table else zeros(1, np.uint8)
        self.step_length = view(np.array([unit] * 4 + [DIAGONAL] * 4, np.int64))
        directions = [d for d in NEIGHBOUR_ORDERS[self.order] if d < self.neighbors]
        self.direction_order = view(np.array(directions, np.int64))
        self.lists_one_by_one = self.is_weighted or directions != sorted(directions)
        self.units_per_step = 2 * unit if self.is_weighted else unit
        self.has_unit_costs = self.neighbors == 4 and not self.is_weighted
        self.max_weight = 0
        self._raise_bounds(max(1, int(value.max())) if self.is_weighted else 1)
        self.exits = all_exits(
            self.blocked_flags, self.walls, self.has_walls, self.width, self.neighbors, self.corner_rule
        )

    def make_neighbours(self, reuse: Neighbours | None = None) -> Neighbours:
        self.check_initialized()
        return reuse_or_make(reuse, 8, self.units_per_step)

    def make_changed_states(self) -> ChangedStates:
        return ChangedStates(9, True)

    # Called by the core.

    def check_init_call(self) -> int:
        raise InputError(f"{type(self).__name__}.__init__ has to call Grid.__init__, not Space.__init__")

    def _raise_bounds(self, weight: int) -> None:
        """Raise max_path_cost and max_edge_round_trip if this weight is larger than all before."""
        if weight > self.max_weight:
            self.max_weight = weight
            longest = (DIAGONAL if self.neighbors == 8 else 1) * (2 * weight if self.is_weighted else 1)
            self.max_path_cost = self.rows * self.cols * longest
            self.max_edge_round_trip = 2 * longest

    def expand(self, neighbours: Neighbours, s: int) -> int:
        return self.list_exits(neighbours, s, self.exits[s])

    def expand_onward(self, neighbours: Neighbours, s: int, previous: int) -> int:
        return self.list_exits(neighbours, s, self.exits[s] & self.onward_masks[previous - s + self.width + 1])

    def list_exits(self, neighbours: Neighbours, s: int, mask: int) -> int:
        """Write the neighbours that the exits in `mask` lead to; return their number."""
        if self.lists_one_by_one:
            return self.list_in_order(neighbours, s, mask)
        # Without unpredictable branches: always write four neighbours, and count only those that exist.
        succ, cost, offsets = neighbours.state, neighbours.cost, ints(self.exit_offsets)
        i, base = 5 * (mask & 15), s
        a, b, c, d = base + offsets[i], base + offsets[i + 1], base + offsets[i + 2], base + offsets[i + 3]
        succ[0], succ[1], succ[2], succ[3] = a, b, c, d
        k: int = offsets[i + 4]
        if self.neighbors == 4:
            return k
        cost[0] = cost[1] = cost[2] = cost[3] = STRAIGHT
        cost[k] = cost[k + 1] = cost[k + 2] = cost[k + 3] = DIAGONAL
        i = 80 + 5 * (mask >> 4)
        a, b, c, d = base + offsets[i], base + offsets[i + 1], base + offsets[i + 2], base + offsets[i + 3]
        succ[k], succ[k + 1], succ[k + 2], succ[k + 3] = a, b, c, d
        k += offsets[i + 4]
        return k

    def list_in_order(self, neighbours: Neighbours, s: int, mask: int) -> int:
        """Like `list_exits`, on grids with weights or with another order of the directions."""
        if mask == 0:
            return 0  # outside the ring there is no memory to read
        succ, cost, order = neighbours.state, neighbours.cost, longs(self.direction_order)
        offset, length, w, weighted = longs(self.offset), longs(self.step_length), self.value[s], self.is_weighted
        k = 0
        for i in range(self.neighbors):
            d = order[i]
            v = s + offset[d]
            succ[k] = v
            cost[k] = length[d] * (w + self.value[v] if weighted else 1)
            k += (mask >> d) & 1
        return k

    def expand_reverse(self, neighbours: Neighbours, s: int) -> int:
        return self.list_exits(neighbours, s, self.exits[s])  # every step has a step back at the same cost

    def step_cost(self, u: int, v: int) -> int:
        for d in range(self.neighbors):
            if u + self.offset[d] == v:
                if (self.exits[u] >> d) & 1 == 0:
                    return INF
                if self.is_weighted:
                    return self.step_length[d] * (self.value[u] + self.value[v])
                return self.step_length[d]
        return INF

    def path_costs(self, path: memoryview, step_costs: memoryview, moves: int) -> int:
        if self.neighbors == 8 or self.is_weighted or self.has_walls:
            return Space.path_costs(self, path, step_costs, moves)
        for i in range(moves):  # the states of a path are neighbours: a step is missing only if its cell is blocked
            step_costs[i] = 1 if self.value[path[i + 1]] != 0 else INF
        return 0

    def reverse_cost(self, states: memoryview, step_costs: memoryview, end: int, start: int) -> float:
        if self.has_unit_costs:
            return start - end
        straight = diagonal = 0
        for i in range(end + 1, start + 1):
            move = abs(states[i] - states[i - 1])
            if move == 1 or move == self.width:
                straight += step_costs[i]
            else:
                diagonal += step_costs[i]
        return self.cost_in_steps(straight, diagonal)

    def cost_in_steps(self, straight: float, diagonal: float) -> float:
        """Return the displayed cost of straight and of diagonal steps, with the exact square root of 2."""
        half = 2.0 if self.is_weighted else 1.0
        return (straight / self.step_length[0] + ROOT_2 * (diagonal / self.step_length[4])) / half

    def estimate(self, u: int, v: int) -> int:
        down = abs(u // self.width - v // self.width)
        right = abs(u % self.width - v % self.width)
        if self.neighbors == 4:
            return self.units_per_step * (down + right)
        if down > right:
            down, right = right, down
        return (self.units_per_step // STRAIGHT) * (STRAIGHT * (right - down) + DIAGONAL * down)

    def read_value(self, location: int) -> int:
        return self.value[location]

    def write_value(self, changed: ChangedStates, location: int, value: int) -> int:
        old = self.value[location]
        if old == value:
            return 0
        if value > self.max_weight:
            with cython.gil:
                self._raise_bounds(value)
        self.value[location] = value
        if value == 0 and self.is_weighted:
            self.last_weight[location] = old
        if old != 0 and value != 0:
            return self.list_affected(changed, location)
        self.blocked_flags[location] = value == 0
        if self.has_walls:
            return self.update_exits_walled(changed, location)
        return self.update_exits_4(changed, location) if self.neighbors == 4 else self.update_exits_8(changed, location)

    def update_exits_4(self, changed: ChangedStates, s: int) -> int:
        """Set the exits of `s` and of its four neighbours; list the states whose steps changed, return their number."""
        # Without branches: whether a neighbour is blocked is unpredictable.
        blocked, exits, offset, states = (
            octets(self.blocked_flags),
            octets(self.exits),
            longs(self.offset),
            ints(changed.state),
        )
        is_free, exits_of_s, k = 1 - blocked[s], 0, 1
        states[0] = s
        for d in range(4):
            t = s + offset[d]
            is_open = 1 - blocked[t]
            back = is_open << ((d + 2) & 3)  # the exit of t that leads to s
            exits_of_s |= is_open << d
            exits[t] = exits[t] & ~back | back * is_free
            states[k] = t
            k += is_open
        exits[s] = exits_of_s * is_free
        return k if k > 1 else 0

    def update_exits_8(self, changed: ChangedStates, s: int) -> int:
        """Like `update_exits_4`, with eight neighbours: diagonal steps past `s` change, too.

        The table `exit_toggles` has the exits that change, by which of the eight cells around `s` are blocked.
        """
        blocked, exits, offset, states = (
            octets(self.blocked_flags),
            octets(self.exits),
            longs(self.offset),
            ints(changed.state),
        )
        pattern, toggles, k = 0, octets(self.exit_toggles), 0
        for d in range(8):
            pattern |= blocked[s + offset[d]] << d
        # Without branches: whether a neighbour is blocked is unpredictable.
        for d in range(9):
            t = s + offset[d]
            toggle = toggles[9 * pattern + d]
            exits[t] = exits[t] ^ toggle
            states[k] = t
            k += toggle != 0
        return k

    def update_exits_walled(self, changed: ChangedStates, s: int) -> int:
        """Like `update_exits_4`, on grids with walls, for which there is no table."""
        blocked, walls = octets(self.blocked_flags), octets(self.walls)
        k = 0
        for d in range(9):
            t = s + self.offset[d]
            if self.value[t] != 0 or t == s:
                m = exits_at(blocked, walls, self.has_walls, t, self.width, self.neighbors, self.corner_rule)
                if m != self.exits[t]:
                    self.exits[t] = m
                    changed.state[k] = t
                    k += 1
        return k

    def list_affected(self, changed: ChangedStates, s: int) -> int:
        """List `s` and its neighbours after a change of its weight; return their number, 0 if no step leads out."""
        k = 1
        changed.state[0] = s
        for d in range(self.neighbors):
            if (self.exits[s] >> d) & 1 != 0:
                changed.state[k] = s + self.offset[d]
                k += 1
        return k if k > 1 else 0

    # Called by users.

    @classmethod
    def load(
        cls, path: str | Path, neighbors: int = 8, corners: str = "strict", unknown: UnknownCells = "blocked"
    ) -> Grid:
        """Read a map file, or one of the built-in maps by name.

        A ROS map also sets `coordinate_frame`.

        Parameters
        ----------
        path
            Map file (`.map`, text, image, ROS `.yaml`, `.npy`), or name of a built-in map.
        neighbors
            Number of neighbours of a cell: 4 or 8.
        corners
            Rule for diagonal steps, as `Grid` takes it.
        unknown
            Cells of a ROS map that are neither free nor blocked: "blocked" or "free" makes them so. "unknown" makes
            them free, and True in `unknown_mask`.

        Returns
        -------
        Grid
            The map.

        Raises
        ------
        InputError
            If the file cannot be read or is no map. The message names the file and the line.

        Examples
        --------
        >>> grid = Grid.load("figure-3", neighbors=4)
        >>> grid.shape
        (5, 5)
        """
        from replan.maps import open_map

        terrain = open_map(path, unknown)
        grid = cls(terrain.blocked, neighbors, terrain.weights, corners, terrain.walls)
        grid.coordinate_frame, grid.unknown_mask = terrain.coordinate_frame, terrain.unknown
        return grid

    def position_of(self, cell: Any) -> tuple[float, float]:
        """Return the centre of a cell in the world.

        Parameters
        ----------
        cell
            Cell `(row, col)`.

        Returns
        -------
        (float, float)
            Coordinates x and y in metres.

        Raises
        ------
        InputError
            If the cell is outside the map, or the grid has no `coordinate_frame`.

        Examples
        --------
        >>> import numpy as np, replan
        >>> grid = replan.Grid(np.zeros((4, 6), bool))
        >>> grid.coordinate_frame = replan.maps.CoordinateFrame(resolution=0.5, origin=(10.0, 20.0, 0.0))
        >>> grid.position_of((3, 0)), grid.cell_at(10.2, 20.1), grid.extent
        ((10.25, 20.25), (3, 0), (10.0, 13.0, 20.0, 22.0))
        """
        return self._require_frame().position_of(self.key(self.state(cell)), self.shape)

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """Return the cell at a point of the world.

        Parameters
        ----------
        x
            First coordinate in metres.
        y
            Second coordinate in metres.

        Returns
        -------
        (int, int)
            Cell `(row, col)`.

        Raises
        ------
        InputError
            If the point is outside the map, or the grid has no `coordinate_frame`.
        """
        return self._require_frame().cell_at(x, y, self.shape)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Bounds (left, right, bottom, top) of the map in metres, as Matplotlib's `imshow` takes them."""
        return self._require_frame().extent(self.shape)

    def _require_frame(self) -> CoordinateFrame:
        """Return the coordinate frame; raise InputError if there is none."""
        if self.coordinate_frame is None:
            raise InputError(
                "this grid has no coordinate frame, as a ROS map has; give it one: "
                "grid.coordinate_frame = replan.maps.CoordinateFrame(resolution, (x, y, yaw))"
            )
        return self.coordinate_frame

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns, (rows, cols)."""
        return self.rows, self.cols

    @property
    def blocked(self) -> np.ndarray[Any, Any]:
        """True for each cell that is blocked now: a read-only 2-D view."""
        self.check_initialized()
        return self._readonly_map(self.blocked_flags).view(bool)

    @property
    def blocked_states(self) -> np.ndarray[Any, Any]:
        """1 for each state that is blocked now, ring included: a read-only 1-D view."""
        self.check_initialized()
        return self._readonly_view(self.blocked_flags)

    @property
    def state_exits(self) -> np.ndarray[Any, Any]:
        """Bits of the directions in which a step leaves each state, ring included: a read-only 1-D view."""
        self.check_initialized()
        return self._readonly_view(self.exits)

    @property
    def weights(self) -> np.ndarray[Any, Any] | None:
        """Weight of each free cell and 0 for blocked cells: a read-only 2-D view; None on a grid without weights."""
        return self._readonly_map(self.value) if self.is_weighted else None

    @property
    def values(self) -> np.ndarray[Any, Any]:
        """0 for each blocked cell, and the weight of each free cell (1 without weights): a read-only 2-D view."""
        self.check_initialized()
        return self._readonly_map(self.value)

    @property
    def weight_limit(self) -> int:
        """Largest weight that a cell can have: 65,535, or 1 on a grid without weights."""
        return MAX_WEIGHT if self.is_weighted else 1

    @property
    def walls_between(self) -> np.ndarray[Any, Any] | None:
        """Bit masks of the walls as `Grid` takes them (1: right of a cell, 2: below); None if there are no walls."""
        self.check_initialized()
        return self.to_map_shape(self.walls) & 3 if self.has_walls else None

    def _readonly_view(self, array: memoryview) -> np.ndarray[Any, Any]:
        """Return a read-only view of an array by state."""
        flat = np.asarray(array)
        flat.flags.writeable = False
        return flat

    def _readonly_map(self, array: memoryview) -> np.ndarray[Any, Any]:
        """Return a read-only 2-D view of an array by state, without the ring."""
        return self._without_ring(self._readonly_view(array))

    def _without_ring(self, array: Any) -> np.ndarray[Any, Any]:
        """Return a 2-D view of an array by state, without the ring."""
        return np.asarray(array).reshape(self.rows + 2, self.width)[1:-1, 1:-1]

    def state(self, key: Any) -> int:
        """Return the state of a cell.

        Parameters
        ----------
        key
            Cell `(row, col)`, from (0, 0) to `(rows - 1, cols - 1)`.

        Returns
        -------
        int
            Number of the state.

        Raises
        ------
        InputError
            If the cell is outside the map.
        """
        self.check_initialized()
        try:
            row, col = key
            inside = 0 <= row < self.rows and 0 <= col < self.cols
            whole = not inside or (row == int(row) and col == int(col))
        except (TypeError, ValueError):
            raise InputError(f"a cell is (row, col), not {key!r}") from None
        if not whole:
            raise InputError(f"a cell is (row, col), two whole numbers, not {key!r}")
        if not inside:
            raise InputError(f"cell ({row}, {col}) is outside the map of {self.rows} rows and {self.cols} columns")
        return (int(row) + 1) * self.width + int(col) + 1

    def key(self, state: int) -> tuple[int, int]:
        """Return the cell of a state.

        Parameters
        ----------
        state
            State, from 0 to `n - 1`.

        Returns
        -------
        (int, int)
            Cell `(row, col)`. The cells of the ring lie just outside the map.
        """
        s = self.checked_state(state)
        return s // self.width - 1, s % self.width - 1

    def keys(self, states: Any) -> list[Any]:
        """Return the cells of states.

        Parameters
        ----------
        states
            States, each from 0 to `n - 1`.

        Returns
        -------
        list of (int, int)
            Cell `(row, col)` of each state, in the same order.

        Raises
        ------
        InputError
            If there is no such state.
        """
        reverse = np.ascontiguousarray(np.asarray(states)[::-1], np.int32)
        if reverse.ndim != 1 or not ((reverse >= 0) & (reverse < self.n)).all():
            raise InputError(f"states are whole numbers from 0 to {self.n - 1}")
        return self.reversed_keys(view(reverse), 0, len(reverse))

    def reversed_keys(self, states: memoryview, end: int, start: int) -> list[Any]:
        cells: list[Any] = [None] * (start - end)
        self.rows_to_cache = CACHED_ROWS_PER_CALL
        numbers, width, row, first, in_row = self.cached_ints, self.width, 0, 0, self.cached_row(0)
        for i in range(start - end):
            s = states[start - 1 - i]
            col = s - first
            if col < 0 or col >= width:  # another row: on a path the next one, found without a division, which is slow
                row = row - 1 if -width <= col < 0 else row + 1 if width <= col < 2 * width else s // width
                first, in_row = row * width, self.cached_row(row)
                col = s - first
            if in_row is None:
                cells[i] = (numbers[row], numbers[col])
                continue
            if in_row[col] is None:
                in_row[col] = (numbers[row], numbers[col])
            cells[i] = in_row[col]
        return cells

    def cached_row(self, row: int) -> list[Any] | None:
        """Return the cached cells of a row (None for cells not made yet), or None if the row is not cached.

        A large map has no cache. On other maps each call adds few rows, because a path may be due in microseconds.
        """
        cache = self.cell_cache
        if cache is None:
            return None
        in_row: list[Any] | None = cache[row]
        if in_row is None and self.rows_to_cache > 0:
            self.rows_to_cache -= 1
            in_row = cache[row] = [None] * self.width
        return in_row

    def unchecked_key(self, s: int) -> Any:
        if not self.is_built_in:
            return self.key(s)
        row = s // self.width
        col = s - row * self.width
        self.rows_to_cache = 1
        in_row = self.cached_row(row)
        if in_row is None:
            return self.cached_ints[row], self.cached_ints[col]
        if in_row[col] is None:
            in_row[col] = (self.cached_ints[row], self.cached_ints[col])
        return in_row[col]

    def location(self, key: Any) -> int:
        """Return the location of a cell, which is also its state.

        Parameters
        ----------
        key
            Cell `(row, col)`.

        Returns
        -------
        int
            Number of the location.

        Raises
        ------
        InputError
            If the cell is outside the map.
        """
        return self.state(key)

    def _last_value(self, location: int) -> int:
        return self.last_weight[self.checked_location(location)] if self.is_weighted else 0

    def values_if_free(self, where: Any) -> np.ndarray[Any, Any]:
        """Return `value_if_free` of several cells.

        Parameters
        ----------
        where
            NumPy index of a 2-D array of the shape of the map, such as a slice or a mask.

        Returns
        -------
        numpy.ndarray
            Values of the cells that the index selects.

        Examples
        --------
        >>> import numpy as np, replan
        >>> swamp = replan.Grid([[0, 1, 0]], weights=[[2, 3, 1]])
        >>> swamp.values_if_free(np.s_[0, :2]).tolist(), swamp.get_value(swamp.state((0, 1)))
        ([2, 3], 0)
        """
        self.check_initialized()
        value: np.ndarray[Any, Any] = self._readonly_map(self.value)[where].astype(np.int64)
        last = self._readonly_map(self.last_weight)[where] if self.is_weighted else 0
        return np.where(value > 0, value, np.maximum(last, 1))

    def block(self, cells: Any) -> None:
        """Block cells. They keep their weight for when they are freed.

        Parameters
        ----------
        cells
            List of cells `(row, col)`, or an array with a row and a column for each.

        Raises
        ------
        InputError
            If a cell is outside the map. Then no cell changes.
        RuntimeError
            If the grid is being searched.

        Examples
        --------
        >>> grid = Grid([[0, 0, 0]], weights=[[1, 5, 1]])
        >>> grid.block([(0, 0), (0, 1)])
        >>> grid.values.tolist()
        [[0, 0, 1]]
        """
        for location in locations_of(self, cells):
            self.set_value(location, 0)

    def free(self, cells: Any) -> None:
        """Free cells. A cell that was blocked gets the weight that it had before, as `value_if_free` says.

        Parameters
        ----------
        cells
            List of cells `(row, col)`, or an array with a row and a column for each.

        Raises
        ------
        InputError
            If a cell is outside the map. Then no cell changes.
        RuntimeError
            If the grid is being searched.

        Examples
        --------
        >>> grid = Grid([[0, 1, 0]], weights=[[1, 5, 1]])
        >>> grid.free([(0, 1)])
        >>> grid.values.tolist()
        [[1, 5, 1]]
        """
        for location in locations_of(self, cells):
            self.set_value(location, self.value_if_free(location))

    def set_weights(self, cells: Any, weights: ArrayLike) -> None:
        """Set the weights of cells. A cell that was blocked becomes free.

        Parameters
        ----------
        cells
            List of cells `(row, col)`, or an array with a row and a column for each.
        weights
            One weight for each cell, or one for all: whole numbers from 1 to 65,535 (1 on a grid without weights).
            0 blocks a cell.

        Raises
        ------
        InputError
            If a cell is outside the map, or a weight is out of range. Then no cell changes.
        RuntimeError
            If the grid is being searched.

        Examples
        --------
        >>> grid = Grid([[0, 1, 0]], weights=[[1, 1, 1]])
        >>> grid.set_weights([(0, 1), (0, 2)], [7, 9])
        >>> grid.values.tolist()
        [[1, 7, 9]]
        """
        for location, value in zip(*parse_observation(self, cells, None, weights), strict=True):
            self.set_value(location, value)

    def _affected_states(
        self, states: np.ndarray[Any, Any], locations: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any] | None:
        steps = np.append(0, np.asarray(self.offset))
        return np.unique(np.add.outer(steps, np.concatenate([states, locations]))).astype(np.int32)

    def value_of_weight(self, weight: Any) -> int:
        """Convert a weight to the value of a cell.

        Parameters
        ----------
        weight
            Whole number from 1 to 65,535 of any type; 1 on a grid without weights.

        Returns
        -------
        int
            The same number.

        Raises
        ------
        InputError
            If a cell of this grid cannot have this weight.
        """
        try:
            is_whole = weight == int(weight)
        except (TypeError, ValueError, OverflowError):
            is_whole = False
        if not is_whole or not 1 <= weight <= MAX_WEIGHT:
            raise InputError(f"a weight is a whole number from 1 to {MAX_WEIGHT:,}, not {weight!r}")
        if weight > 1 and not self.is_weighted:
            raise InputError("this grid was made without weights: make it with weights=np.ones(...) to change them")
        return int(weight)

    def checked_value(self, location: Any, value: Any) -> int:
        """Return a value that a cell can have as an int.

        Parameters
        ----------
        location
            Number of the location.
        value
            0 (blocked), or the weight of the cell; 1 on a grid without weights.

        Returns
        -------
        int
            The same value.

        Raises
        ------
        InputError
            If the location is in the ring around the map, or cannot have the value.
        """
        row, col = self.key(location)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise InputError(f"state {location} lies outside the map: it stays blocked")
        if isinstance(value, (int, np.integer)) and 0 <= value <= self.weight_limit:
            return int(value)
        free = "its weight" if self.is_weighted else "1"
        raise InputError(f"the value of a cell is 0 (blocked) or {free}, not {value!r}")

    def heuristic_to(self, state: int) -> Any:
        return CellDistance(self.n, self.width, self.neighbors, self.units_per_step, state)

    def max_state_offset(self, steps: int) -> int:
        return steps * (self.width + 1) if steps < self.rows else self.n

    def make_fast_observations(self) -> Any:
        from replan.spaces.fast_observations import FastObservations

        return FastObservations(self) if self.is_built_in else None  # methods that a subclass overrides must be called

    def connectivity_grid(self) -> Any:
        # With the rules "strict" and "either", each diagonal step has a detour of two straight steps.
        return self if self.neighbors == 4 or self.corners != "free" else None

    @property
    def cell_layout(self) -> CellLayout:
        """The grid itself."""
        return self

    def distances_to(self, state: int) -> np.ndarray[Any, Any]:
        """Estimate the cost from each state to one state.

        Parameters
        ----------
        state
            Last state.

        Returns
        -------
        numpy.ndarray
            `distance(s, state)` of each state `s`, ring included, in cost units.
        """
        row, col = divmod(self.checked_state(state), self.width)
        down, right = np.divmod(np.arange(self.n), self.width)
        down, right = np.abs(down - row), np.abs(right - col)
        smaller, larger = np.minimum(down, right), np.maximum(down, right)
        if self.neighbors == 4:
            return np.asarray(self.units_per_step * (smaller + larger))
        return np.asarray(self.units_per_step // STRAIGHT * (STRAIGHT * (larger - smaller) + DIAGONAL * smaller))

    def states_at(self, rows: np.ndarray[Any, Any], cols: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the states of cells.

        Parameters
        ----------
        rows
            Row of each cell, not checked.
        cols
            Column of each cell, not checked.

        Returns
        -------
        numpy.ndarray
            State of each cell.

        Examples
        --------
        >>> import numpy as np, replan
        >>> grid = replan.Grid(np.zeros((4, 5), bool))
        >>> grid.keys(grid.states_at(np.array([0, 3]), np.array([2, 1])))
        [(0, 2), (3, 1)]
        """
        states: np.ndarray[Any, Any] = (rows + 1) * self.width + cols + 1
        return states

    def states_in_window(self, cells: np.ndarray[Any, Any], top: int, left: int, cols: int) -> np.ndarray[Any, Any]:
        """Return the states of cells of a window on the map.

        Parameters
        ----------
        cells
            Index of each cell in the window, counted row by row.
        top
            First row of the window on the map.
        left
            First column of the window on the map.
        cols
            Number of columns of the window.

        Returns
        -------
        numpy.ndarray
            State of each cell.

        Examples
        --------
        >>> import numpy as np, replan
        >>> grid = replan.Grid(np.zeros((4, 5), bool))
        >>> grid.keys(grid.states_in_window(np.array([0, 3]), top=1, left=2, cols=3))
        [(1, 2), (2, 2)]
        """
        states: np.ndarray[Any, Any] = cells // max(1, cols)  # like `states_at`, in place, which saves temporary arrays
        states *= self.width - cols
        states += cells
        states += (top + 1) * self.width + left + 1
        return states

    def cells_of(self, states: ArrayLike) -> np.ndarray[Any, Any]:
        """Return the cells of states as an array.

        Parameters
        ----------
        states
            States, each from 0 to `n - 1`.

        Returns
        -------
        numpy.ndarray
            Row and column of each state, in the last dimension.
        """
        self.check_initialized()
        return np.stack(np.divmod(np.asarray(states, np.int64), self.width), axis=-1) - 1

    def _to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        if not self.is_built_in:
            return None
        metadata = {
            name: getattr(self, name) for name in ("rows", "cols", "neighbors", "corners", "order", *ARCHIVED_FLAGS)
        }
        walls = {} if self.walls_between is None else {"walls": self.walls_between.reshape(-1)}
        return {"kind": "grid", **metadata}, {"space": np.asarray(self.value, np.int64), **walls}

    @classmethod
    def _from_arrays(cls, metadata: dict[str, Any], column: Callable[[str], np.ndarray[Any, Any]]) -> Grid:
        """Make a grid from saved metadata and arrays (`column(name)`); raise InputError if they are damaged."""
        rows, cols, values = metadata["rows"], metadata["cols"], column("space")
        if type(rows) is not int or type(cols) is not int or min(rows, cols) < 1:
            raise InputError("is damaged: its grid has no rows or columns")
        if len(values) != (rows + 2) * (cols + 2) or values.min() < 0:
            raise InputError("is damaged: its grid has other cells than it should")
        inner = values.reshape(rows + 2, cols + 2)[1:-1, 1:-1]
        weights = np.maximum(inner, 1) if metadata["is_weighted"] else None
        walls = column("walls").reshape(rows, cols) if metadata["has_walls"] else None
        order = metadata.get("order", "straight first")
        return cls(inner == 0, metadata["neighbors"], weights, metadata["corners"], walls, order)

    def count_free_states(self) -> int:
        """Count the free cells.

        Returns
        -------
        int
            Number of cells that are not blocked now.
        """
        return int((~self.blocked).sum())

    def has_same_shape(self, other: Space) -> bool:
        """True if another space is a grid with as many rows and columns.

        Parameters
        ----------
        other
            Any space.

        Returns
        -------
        bool
            False for another class of space.
        """
        return Space.has_same_shape(self, other) and other.shape == self.shape  # type: ignore[attr-defined]

    def to_map_shape(self, values: ArrayLike) -> np.ndarray[Any, Any]:
        """Arrange values of states in the shape of the map.

        Parameters
        ----------
        values
            One value for each state, ring included.

        Returns
        -------
        numpy.ndarray
            2-D view with one value for each cell.
        """
        return self._without_ring(np.asarray(values)[: self.n])

    def copy(self) -> Grid:
        """Copy the grid.

        Returns
        -------
        Grid
            An equal grid that can be changed independently.
        """
        with read_lock(self):
            weights = self.weights if self.is_weighted else None
            duplicate = Grid(self.blocked, self.neighbors, weights, self.corners, self.walls_between, self.order)
            np.copyto(np.asarray(duplicate.last_weight), np.asarray(self.last_weight))
            duplicate._raise_bounds(self.max_weight)
            duplicate.coordinate_frame, duplicate.unknown_mask = self.coordinate_frame, self.unknown_mask
            return duplicate

    def believed_free(self) -> Grid:
        """Copy the grid under the freespace assumption.

        Returns
        -------
        Grid
            The same walls, but all cells are free and all weights are 1.
        """
        self.check_initialized()
        ones = np.ones(self.shape, np.int32) if self.is_weighted else None
        belief = Grid(np.zeros(self.shape, bool), self.neighbors, ones, self.corners, self.walls_between, self.order)
        belief.coordinate_frame = self.coordinate_frame
        return belief

    def assign(self, other: Space) -> None:
        """Make this grid equal to another one.

        Parameters
        ----------
        other
            Grid of the same shape, neighbours, corner rule and walls.

        Raises
        ------
        InputError
            If the other grid differs in more than its values.
        RuntimeError
            If one of the two grids is being changed, or this grid is being searched.
        """
        if not isinstance(other, Grid) or other.shape != self.shape or other.neighbors != self.neighbors:
            raise InputError("the other grid has another size or other neighbors")
        if other.corner_rule != self.corner_rule or other.is_weighted != self.is_weighted:
            raise InputError("the other grid has another corner rule, or only one of the two has weights")
        if other is not self:
            with read_lock(other):
                self.begin_change()
                try:
                    self.copy_from(other)
                finally:
                    self.end_change()

    def copy_from(self, other: Grid) -> None:
        """Copy all values from a grid of the same shape; raise InputError if it has other walls."""
        if other.has_walls != self.has_walls or (self.has_walls and not np.array_equal(other.walls, self.walls)):
            raise InputError("the other grid has other walls")
        self._log_differences(other)
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        np.copyto(np.asarray(self.last_weight), np.asarray(other.last_weight))
        np.copyto(np.asarray(self.blocked_flags), np.asarray(other.blocked_flags))
        np.copyto(np.asarray(self.exits), np.asarray(other.exits))
        self.max_weight = 0  # the bounds, too, become those of the other grid
        self._raise_bounds(other.max_weight)

    def constructor_args(self) -> tuple[Any, ...]:
        weights = pack(self.weights) if self.is_weighted else None
        walls = pack(self.to_map_shape(self.walls) & 3) if self.has_walls else None
        return Grid, pack(self.blocked), self.neighbors, weights, self.corners, walls, self.order

    def serialize(self, archive: Archive) -> None:
        self._raise_bounds(archive.integer("max_weight", self.max_weight, 1, MAX_WEIGHT if self.is_weighted else 1))
        last = np.asarray(self.last_weight)
        end = self.n if self.is_weighted else 1
        known = archive.states("last_weight.states", np.flatnonzero(last), end, unique=True)
        weights = archive.integers("last_weight", last[known], 1, MAX_WEIGHT, len(known))
        if archive.is_loading:
            last[known] = weights
        self.coordinate_frame = archive.value("coordinate_frame", self.coordinate_frame)
        is_mask = isinstance(self.unknown_mask, np.ndarray) and self.unknown_mask.dtype == bool
        unknown = archive.value("unknown_mask", pack(self.unknown_mask) if is_mask else self.unknown_mask)
        if archive.is_loading:
            self.unknown_mask = unpack(unknown) if isinstance(unknown, PackedArray) else unknown

    def display_cost(self, path: np.ndarray[Any, Any], step_costs: np.ndarray[Any, Any]) -> float:
        """Return the length of a path in steps.

        Parameters
        ----------
        path
            States of the path, in order.
        step_costs
            Cost of each step, in cost units.

        Returns
        -------
        float
            Length with the exact square root of 2 for a diagonal step, times the weights.
        """
        total = step_costs.sum()
        if self.neighbors == 4:
            return self.cost_in_steps(float(total), 0.0)
        move = np.abs(np.diff(path))
        straight = step_costs[(move == 1) | (move == self.width)].sum()
        return self.cost_in_steps(float(straight), float(total - straight))

    def __repr__(self) -> str:
        kind = "weighted, " if self.is_weighted else ""
        rule = f", corners={self.corners!r}" if self.neighbors == 8 else ""
        return f"<Grid {self.rows} x {self.cols}, {kind}{self.neighbors} neighbors{rule}>"
