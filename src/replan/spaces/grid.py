"""Grids of cells with 4 or 8 neighbours, terrain weights, walls, and a rule for diagonal moves past corners.

A cell is `(row, col)` for people. The map has a ring of blocked cells around it, so that a state is
`(row + 1) * (cols + 2) + col + 1` and a neighbour is never outside. Per cell there is

- its `value`: 0 blocked, otherwise its weight (1 where there are no weights);
- its `exits`: one bit a direction, set where a step leads that way. The corner rule and the walls are in these bits
  alone; searching reads nothing else.

Directions: 0 right, 1 down, 2 left, 3 up, then the diagonals between them: 4 down-right, 5 down-left, 6 up-left,
7 up-right. Successors come in this order, or in a circle: 0, 4, 1, 5, 2, 6, 3, 7 (`turns`).

Ticks: a step costs 1 on 4-connected grids, 408 (straight) or 577 (diagonal) on 8-connected ones. On weighted terrain it
costs its length times the mean weight of its two cells, and ticks are doubled to keep that whole.
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
CACHED_ROWS_PER_CALL = 4  # of cells that are kept; a row of a thousand takes a microsecond


class Grid(Space):
    """A map of cells.

    blocked: 2-D, True where nothing can stand. neighbors: 4 or 8. weights: 2-D ints from 1 to 65,535, how slow each
    cell is. A cell that is freed without a weight gets the one that it had before it was blocked; a cell that is
    blocked at first gets its weight in `weights`, or 1 if that is 0 or out of range. corners, on 8 neighbours: "strict"
    (a diagonal step needs both cells beside it free), "either" (one of them) or "free" (none).
    walls: 2-D bit masks, 1: no step between a cell and its right neighbour, 2: none between it and the one below.
    order: in which neighbours are generated, which decides ties: "straight first" (right, down, left, up, then the
    diagonals from down-right on), or all of them "circular", from the right by way of down-right (a little slower).

    Two attributes are None unless `load` or you set them: coordinate_frame, a `replan.maps.CoordinateFrame`, says where the map lies in the
    world; unknown, a 2-D array of bool, which cells the map did not know when it was loaded. Copies keep both. What an
    agent has seen since is in its belief, not in `unknown`.

    rows, cols, neighbors and corners are as they were given. Raises InputError for arrays that are no map.

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
    width: int  # the columns and the ring: what to add to a state to get the one below
    neighbors: int
    is_weighted: bool
    has_walls: bool
    lists_one_by_one: bool  # are neighbours listed one after the other? Where they have weights, or another order
    corner_rule: int  # for diagonals, see CORNERS
    max_weight: int  # the largest weight that the bounds allow for
    value: memoryview
    last_weight: memoryview  # with weights: what blocked cells weighed before, 0 where that is not known
    blocked_flags: memoryview  # 1 where the value is 0
    exits: memoryview
    walls: memoryview  # one bit a direction, set where a wall stands between a cell and its neighbour
    onward_masks: memoryview  # the exits that do not lead back to where a search came from
    exit_offsets: memoryview  # where the exits of a mask lead, four directions at a time: see `layout.compass`
    exit_toggles: memoryview  # which exits around a cell open and shut as it does: see `layout.block_turns`
    offset: memoryview  # what to add to a state to get the one that lies in a direction
    step_length: memoryview  # of a step in each direction, in ticks
    direction_order: memoryview  # the directions in the order in which neighbours are listed

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
            solid = as_array(blocked)
        except InputError:
            raise
        except ValueError:
            raise InputError("the rows of a grid are equally long") from None
        if solid.ndim != 2 or solid.size == 0:
            raise InputError(f"a grid is a 2-D array with at least one cell, not an array of shape {solid.shape}")
        if solid.dtype != bool:
            if not np.isin(solid, (0, 1)).all():
                raise InputError("blocked takes True and False (1 and 0); terrain weights go into weights=")
            solid = solid.astype(bool)
        if np.ndim(neighbors) > 0 or neighbors not in (4, 8):
            raise InputError(f"a grid has 4 or 8 neighbors, not {short_repr(neighbors)}; terrain weights go into weights=")
        if not isinstance(corners, str) or corners not in CORNER_RULES:
            raise InputError(f"corners is one of {', '.join(map(repr, CORNER_RULES))}, not {short_repr(corners)}")
        if not isinstance(order, str) or order not in NEIGHBOUR_ORDERS:
            raise InputError(f"order is one of {', '.join(map(repr, NEIGHBOUR_ORDERS))}, not {order!r}")
        self.rows, self.cols = solid.shape
        self.width = self.row_stride = self.cols + 2
        states = (self.rows + 2) * self.width
        if states > MAX_STATES:
            raise InputError(f"a grid has at most {MAX_STATES:,} cells, not {self.rows:,} x {self.cols:,}")
        self.neighbors, self.degree, self.corners, self.order = neighbors, neighbors, corners, order
        self.locations_are_states = self.is_symmetric = True
        self.is_built_in = type(self) is Grid
        self.coordinate_frame = self.unknown_mask = None
        self.corner_rule = CORNER_RULES[corners]
        # Rows and columns, and on maps that are not huge whole cells, by row, as Python has them: made once, not for
        # each path.
        self.cached_ints = list(range(-1, max(solid.shape) + 1))
        self.rows_to_cache = 0  # so many rows of cells may this call begin
        self.cell_cache: list[Any] | None = [None] * (self.rows + 2) if states <= MAX_CACHED_CELLS else None
        self.build_arrays(solid, weights, walls)
        self.n = self.n_locations = states
        self.is_initialized = True

    def build_arrays(self, solid: np.ndarray[Any, Any], weights: ArrayLike | None, walls: ArrayLike | None) -> None:
        self.is_weighted = weights is not None
        ring = np.ones((self.rows + 2, self.width), np.uint8)  # blocked cells are all around
        ring[1:-1, 1:-1] = solid
        value = np.subtract(1, ring, dtype=np.uint16)
        self.last_weight = zeros(ring.size if self.is_weighted else 1, np.uint16)
        if weights is not None:
            given = checked_weights(weights, solid)
            value[1:-1, 1:-1] = np.where(solid, 0, given)
            known = solid & (given > 1) & (given <= MAX_WEIGHT)  # of a blocked cell, for when it is freed
            self._without_ring(self.last_weight)[known] = given[known]
        self.value, self.blocked_flags = view(value.reshape(-1)), view(ring.reshape(-1))
        self.has_walls = walls is not None
        self.walls = zeros(1, np.uint8)
        if walls is not None:
            self.walls = view(wall_masks(walls, self.rows, self.cols).reshape(-1))
        unit = 1 if self.neighbors == 4 else STRAIGHT
        self.offset, self.exit_offsets, self.onward_masks = direction_tables(self.cols)
        table = self.neighbors == 8 and not self.has_walls
        self.exit_toggles = view(block_exit_toggles(self.corner_rule)) if table else zeros(1, np.uint8)
        self.step_length = view(np.array([unit] * 4 + [DIAGONAL] * 4, np.int64))
        turns = [d for d in NEIGHBOUR_ORDERS[self.order] if d < self.neighbors]
        self.direction_order = view(np.array(turns, np.int64))
        self.lists_one_by_one = self.is_weighted or turns != sorted(turns)
        self.units_per_step = 2 * unit if self.is_weighted else unit
        self.has_unit_costs = self.neighbors == 4 and not self.is_weighted
        self.max_weight = 0
        self._raise_bounds(max(1, int(value.max())) if self.is_weighted else 1)
        self.exits = all_exits(self.blocked_flags, self.walls, self.has_walls, self.width, self.neighbors, self.corner_rule)

    def make_neighbours(self, reuse: Neighbours | None = None) -> Neighbours:
        self.check_initialized()
        return reuse_or_make(reuse, 8, self.units_per_step)

    def make_changed_states(self) -> ChangedStates:
        return ChangedStates(9, True)

    # What planners ask, and how a changed cell opens and closes steps.

    def check_init_call(self) -> int:
        raise InputError(f"{type(self).__name__}.__init__ has to call Grid.__init__, not Space.__init__")

    def _raise_bounds(self, weight: int) -> None:
        """Bring the bounds up to date with a larger weight."""
        if weight > self.max_weight:
            self.max_weight = weight
            longest = (DIAGONAL if self.neighbors == 8 else 1) * (2 * weight if self.is_weighted else 1)
            self.max_path_cost = self.rows * self.cols * longest
            self.max_edge_round_trip = 2 * longest

    def expand(self, near: Neighbours, s: int) -> int:
        return self.list_exits(near, s, self.exits[s])

    def expand_onward(self, near: Neighbours, s: int, previous: int) -> int:
        return self.list_exits(near, s, self.exits[s] & self.onward_masks[previous - s + self.width + 1])

    def list_exits(self, near: Neighbours, s: int, mask: int) -> int:
        """List the neighbours that these exits lead to."""
        if self.lists_one_by_one:
            return self.list_in_order(near, s, mask)
        # No unpredictable branch: write four neighbours whatever they are, and tell how many there are.
        succ, cost, hop = near.state, near.cost, ints(self.exit_offsets)
        i, at = 5 * (mask & 15), s
        a, b, c, d = at + hop[i], at + hop[i + 1], at + hop[i + 2], at + hop[i + 3]
        succ[0], succ[1], succ[2], succ[3] = a, b, c, d
        k: int = hop[i + 4]
        if self.neighbors == 4:
            return k
        cost[0] = cost[1] = cost[2] = cost[3] = STRAIGHT
        cost[k] = cost[k + 1] = cost[k + 2] = cost[k + 3] = DIAGONAL
        i = 80 + 5 * (mask >> 4)
        a, b, c, d = at + hop[i], at + hop[i + 1], at + hop[i + 2], at + hop[i + 3]
        succ[k], succ[k + 1], succ[k + 2], succ[k + 3] = a, b, c, d
        k += hop[i + 4]
        return k

    def list_in_order(self, near: Neighbours, s: int, mask: int) -> int:
        """The same with weights, or with the directions in another order."""
        if mask == 0:
            return 0  # the ring around the map has no neighbours to read on its far side
        succ, cost, turns = near.state, near.cost, longs(self.direction_order)
        offset, length, w, weighted = longs(self.offset), longs(self.step_length), self.value[s], self.is_weighted
        k = 0
        for i in range(self.neighbors):
            d = turns[i]
            v = s + offset[d]
            succ[k] = v
            cost[k] = length[d] * (w + self.value[v] if weighted else 1)
            k += (mask >> d) & 1
        return k

    def expand_reverse(self, near: Neighbours, s: int) -> int:
        return self.list_exits(near, s, self.exits[s])  # every step can be taken back at the same cost

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
        for i in range(moves):  # from a cell to the next one, as every path leads: only a blocked cell is in the way
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
        """Ticks of straight and of diagonal steps, in steps, with the true square root of 2."""
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

    def update_exits_4(self, touched: ChangedStates, s: int) -> int:
        """Four neighbours: only the steps into and out of `s` change."""
        # No branch on what lies around: nobody can foretell it.
        solid, exits, offset, listed = octets(self.blocked_flags), octets(self.exits), longs(self.offset), ints(touched.state)
        free, ways, k = 1 - solid[s], 0, 1
        listed[0] = s
        for d in range(4):
            t = s + offset[d]
            step = 1 - solid[t]
            back = step << ((d + 2) & 3)
            ways |= step << d
            exits[t] = exits[t] & ~back | back * free
            listed[k] = t
            k += step
        exits[s] = ways * free
        return k if k > 1 else 0

    def update_exits_8(self, touched: ChangedStates, s: int) -> int:
        """Eight neighbours: diagonals that pass `s` change too, so look at the whole block around it.

        Which of its steps open or shut depends on which of the eight cells around `s` are blocked, and on nothing else:
        a table knows it.
        """
        solid, exits, offset, listed = octets(self.blocked_flags), octets(self.exits), longs(self.offset), ints(touched.state)
        pattern, turned, k = 0, octets(self.exit_toggles), 0
        for d in range(8):
            pattern |= solid[s + offset[d]] << d
        # No branch on what lies around: nobody can foretell it.
        for d in range(9):
            t = s + offset[d]
            turn = turned[9 * pattern + d]
            exits[t] = exits[t] ^ turn
            listed[k] = t
            k += turn != 0
        return k

    def update_exits_walled(self, touched: ChangedStates, s: int) -> int:
        """The same where walls stand between cells, which no table knows."""
        shut, walls = octets(self.blocked_flags), octets(self.walls)
        k = 0
        for d in range(9):
            t = s + self.offset[d]
            if self.value[t] != 0 or t == s:
                m = exits_at(shut, walls, self.has_walls, t, self.width, self.neighbors, self.corner_rule)
                if m != self.exits[t]:
                    self.exits[t] = m
                    touched.state[k] = t
                    k += 1
        return k

    def list_affected(self, touched: ChangedStates, s: int) -> int:
        """The weight of `s` changed: so did the costs of the steps out of it and into it."""
        k = 1
        touched.state[0] = s
        for d in range(self.neighbors):
            if (self.exits[s] >> d) & 1 != 0:
                touched.state[k] = s + self.offset[d]
                k += 1
        return k if k > 1 else 0

    # What people ask.

    @classmethod
    def load(cls, path: str | Path, neighbors: int = 8, corners: str = "strict", unknown: UnknownCells = "blocked") -> Grid:
        """Read a map file (`.map`, text, image, ROS `.yaml`, `.npy`) or one of the built-in maps by name.

        A ROS map brings its place in the world (`frame`) and may have cells that it calls neither free nor blocked.
        unknown="blocked" or "free" makes them so; unknown="unknown" takes them as not seen yet: they are believed free,
        and True in the grid's `unknown`. Raises InputError that names the file, the line and what is wrong.

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
        """The centre of a cell in the world: (x, y) in metres. Raises InputError for a grid without a frame.

        >>> import numpy as np, replan
        >>> grid = replan.Grid(np.zeros((4, 6), bool))
        >>> grid.coordinate_frame = replan.maps.CoordinateFrame(resolution=0.5, origin=(10.0, 20.0, 0.0))
        >>> grid.position_of((3, 0)), grid.cell_at(10.2, 20.1), grid.extent
        ((10.25, 20.25), (3, 0), (10.0, 13.0, 20.0, 22.0))
        """
        return self._require_frame().position_of(self.key(self.state(cell)), self.shape)

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """The cell at a point of the world, in metres. Raises InputError off the map and for a grid without a frame."""
        return self._require_frame().cell_at(x, y, self.shape)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """(left, right, bottom, top) of the map in metres, as Matplotlib's `imshow` takes it."""
        return self._require_frame().extent(self.shape)

    def _require_frame(self) -> CoordinateFrame:
        if self.coordinate_frame is None:
            raise InputError(
                "this grid has no place in the world, as a ROS map has; give it one: "
                "grid.coordinate_frame = replan.maps.CoordinateFrame(resolution, (x, y, yaw))"
            )
        return self.coordinate_frame

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)."""
        return self.rows, self.cols

    @property
    def blocked(self) -> np.ndarray[Any, Any]:
        """2-D, True where a cell is blocked; a read-only window on the grid as it is now."""
        self.check_initialized()
        return self._readonly_map(self.blocked_flags).view(bool)

    @property
    def blocked_states(self) -> np.ndarray[Any, Any]:
        """1-D, by state, the ring included: 1 where a state is blocked; read-only."""
        self.check_initialized()
        return self._readonly_view(self.blocked_flags)

    @property
    def state_exits(self) -> np.ndarray[Any, Any]:
        """1-D, by state, the ring included: the bits of the directions in which a step leads; read-only."""
        self.check_initialized()
        return self._readonly_view(self.exits)

    @property
    def weights(self) -> np.ndarray[Any, Any] | None:
        """2-D, the weight of each free cell and 0 on blocked ones; None on a grid without weights."""
        return self._readonly_map(self.value) if self.is_weighted else None

    @property
    def values(self) -> np.ndarray[Any, Any]:
        """2-D: 0 where a cell is blocked now, else its weight."""
        self.check_initialized()
        return self._readonly_map(self.value)

    @property
    def most_weight(self) -> int:
        """The largest weight that a cell can have; 1 without weights."""
        return MAX_WEIGHT if self.is_weighted else 1

    @property
    def walls_between(self) -> np.ndarray[Any, Any] | None:
        """2-D, as `walls=` was given: 1 for a wall on the right of a cell, 2 for one below; None without any."""
        self.check_initialized()
        return self.to_map_shape(self.walls) & 3 if self.has_walls else None

    def _readonly_view(self, array: memoryview) -> np.ndarray[Any, Any]:
        flat = np.asarray(array)
        flat.flags.writeable = False
        return flat

    def _readonly_map(self, array: memoryview) -> np.ndarray[Any, Any]:
        return self._without_ring(self._readonly_view(array))

    def _without_ring(self, array: Any) -> np.ndarray[Any, Any]:
        """The cells of the map, without the ring, of an array by state."""
        return np.asarray(array).reshape(self.rows + 2, self.width)[1:-1, 1:-1]

    def state(self, key: Any) -> int:
        """The number of a cell given as (row, col)."""
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
        """The cell (row, col) of a state. (The states of the ring around the map have cells just outside it.)"""
        s = self.checked_state(state)
        return s // self.width - 1, s % self.width - 1

    def keys(self, states: Any) -> list[Any]:
        backwards = np.ascontiguousarray(np.asarray(states)[::-1], np.int32)
        if backwards.ndim != 1 or not ((backwards >= 0) & (backwards < self.n)).all():
            raise InputError(f"states are whole numbers from 0 to {self.n - 1}")
        return self.reversed_keys(view(backwards), 0, len(backwards))

    def reversed_keys(self, states: memoryview, end: int, start: int) -> list[Any]:
        cells: list[Any] = [None] * (start - end)
        self.rows_to_cache = CACHED_ROWS_PER_CALL
        numbers, width, row, first, in_row = self.cached_ints, self.width, 0, 0, self.cached_row(0)
        for i in range(start - end):
            s = states[start - 1 - i]
            col = s - first
            if col < 0 or col >= width:  # another row; on a path it is the next one, and to divide takes long
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
        """The cells of a row that were made already, None for others; or None where there is no list of them.

        On a large map there is none. On others each call begins a few: a path may have to be there within microseconds.
        """
        made = self.cell_cache
        if made is None:
            return None
        in_row: list[Any] | None = made[row]
        if in_row is None and self.rows_to_cache > 0:
            self.rows_to_cache -= 1
            in_row = made[row] = [None] * self.width
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
        return self.state(key)

    def _last_value(self, location: int) -> int:
        return self.last_weight[self.checked_location(location)] if self.is_weighted else 0

    def values_if_free(self, where: Any) -> np.ndarray[Any, Any]:
        """`value_if_free` of a part of the map: an index of NumPy."""
        self.check_initialized()
        value: np.ndarray[Any, Any] = self._readonly_map(self.value)[where].astype(np.int64)
        last = self._readonly_map(self.last_weight)[where] if self.is_weighted else 0
        return np.where(value > 0, value, np.maximum(last, 1))

    def _affected_states(self, states: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
        steps = np.append(0, np.asarray(self.offset))
        return np.unique(np.add.outer(steps, np.concatenate([states, places]))).astype(np.int32)

    def value_of_weight(self, weight: Any) -> int:
        try:
            whole = weight == int(weight)
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole or not 1 <= weight <= MAX_WEIGHT:
            raise InputError(f"a weight is a whole number from 1 to {MAX_WEIGHT:,}, not {weight!r}")
        if weight > 1 and not self.is_weighted:
            raise InputError("this grid was made without weights: make it with weights=np.ones(...) to change them")
        return int(weight)

    def checked_value(self, location: Any, value: Any) -> int:
        row, col = self.key(location)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise InputError(f"state {location} lies outside the map: it stays blocked")
        if isinstance(value, (int, np.integer)) and 0 <= value <= self.most_weight:
            return int(value)
        free = "its weight" if self.is_weighted else "1"
        raise InputError(f"the value of a cell is 0 (blocked) or {free}, not {value!r}")

    def heuristic_to(self, state: int) -> Any:
        return CellDistance(self.n, self.width, self.neighbors, self.units_per_step, state)

    def max_state_offset(self, steps: int) -> int:
        return steps * (self.width + 1) if steps < self.rows else self.n

    def plain_sights(self) -> Any:
        from replan.spaces.fast_observations import FastObservations

        return FastObservations(self) if self.is_built_in else None  # what a subclass overrides is called, and checked

    def connectivity_grid(self) -> Any:
        # where diagonal steps are bound to corners, they lead nowhere that straight ones do not
        return self if self.neighbors == 4 or self.corners != "free" else None

    @property
    def cell_layout(self) -> CellLayout:
        """The grid itself: its cells lie in rows and columns."""
        return self

    def distances_to(self, state: int) -> np.ndarray[Any, Any]:
        row, col = divmod(self.checked_state(state), self.width)
        down, right = np.divmod(np.arange(self.n), self.width)
        down, right = np.abs(down - row), np.abs(right - col)
        least, most = np.minimum(down, right), np.maximum(down, right)
        if self.neighbors == 4:
            return np.asarray(self.units_per_step * (least + most))
        return np.asarray(self.units_per_step // STRAIGHT * (STRAIGHT * (most - least) + DIAGONAL * least))

    def states_at(self, rows: np.ndarray[Any, Any], cols: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The states of cells on the map, from their rows and columns."""
        states: np.ndarray[Any, Any] = (rows + 1) * self.width + cols + 1
        return states

    def states_in_window(self, cells: np.ndarray[Any, Any], top: int, left: int, cols: int) -> np.ndarray[Any, Any]:
        """The states of the cells of a window that begins at (top, left) and has `cols` columns, by their positions."""
        states: np.ndarray[Any, Any] = cells // max(1, cols)  # as `states_at`, without an array for each step
        states *= self.width - cols
        states += cells
        states += (top + 1) * self.width + left + 1
        return states

    def cells_of(self, states: ArrayLike) -> np.ndarray[Any, Any]:
        self.check_initialized()
        return np.stack(np.divmod(np.asarray(states, np.int64), self.width), axis=-1) - 1

    def _to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        if not self.is_built_in:
            return None
        facts = {name: getattr(self, name) for name in ("rows", "cols", "neighbors", "corners", "order", *ARCHIVED_FLAGS)}
        walls = {} if self.walls_between is None else {"walls": self.walls_between.reshape(-1)}
        return {"kind": "grid", **facts}, {"space": np.asarray(self.value, np.int64), **walls}

    @classmethod
    def _from_arrays(cls, metadata: dict[str, Any], column: Callable[[str], np.ndarray[Any, Any]]) -> Grid:
        """The grid of which `facts` tells; column: its arrays by name. All of it may be damaged: raises InputError."""
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
        return int((~self.blocked).sum())

    def has_same_shape(self, other: Space) -> bool:
        return Space.has_same_shape(self, other) and other.shape == self.shape  # type: ignore[attr-defined]

    def to_map_shape(self, values: ArrayLike) -> np.ndarray[Any, Any]:
        """A value for each state as a value for each cell: a 2-D window."""
        return self._without_ring(np.asarray(values)[: self.n])

    def copy(self) -> Grid:
        with read_lock(self):
            weights = self.weights if self.is_weighted else None
            twin = Grid(self.blocked, self.neighbors, weights, self.corners, self.walls_between, self.order)
            np.copyto(np.asarray(twin.last_weight), np.asarray(self.last_weight))
            twin._raise_bounds(self.max_weight)
            twin.coordinate_frame, twin.unknown_mask = self.coordinate_frame, self.unknown_mask
            return twin

    def believed_free(self) -> Grid:
        self.check_initialized()
        ones = np.ones(self.shape, np.int32) if self.is_weighted else None
        belief = Grid(np.zeros(self.shape, bool), self.neighbors, ones, self.corners, self.walls_between, self.order)
        belief.coordinate_frame = self.coordinate_frame
        return belief

    def assign(self, other: Space) -> None:
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
        if other.has_walls != self.has_walls or (self.has_walls and not np.array_equal(other.walls, self.walls)):
            raise InputError("the other grid has other walls")
        self._log_differences(other)
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        np.copyto(np.asarray(self.last_weight), np.asarray(other.last_weight))
        np.copyto(np.asarray(self.blocked_flags), np.asarray(other.blocked_flags))
        np.copyto(np.asarray(self.exits), np.asarray(other.exits))
        self.max_weight = 0  # the bounds, too, become those of the other: nobody knows a weight that was not seen
        self._raise_bounds(other.max_weight)

    def constructor_args(self) -> tuple[Any, ...]:
        weights = pack(self.weights) if self.is_weighted else None
        walls = pack(self.to_map_shape(self.walls) & 3) if self.has_walls else None
        return Grid, pack(self.blocked), self.neighbors, weights, self.corners, walls, self.order

    def serialize(self, bag: Archive) -> None:
        self._raise_bounds(bag.integer("top_weight", self.max_weight, 1, MAX_WEIGHT if self.is_weighted else 1))
        last = np.asarray(self.last_weight)
        known = bag.states("weighed", np.flatnonzero(last), self.n if self.is_weighted else 1, unique=True)
        weights = bag.integers("last", last[known], 1, MAX_WEIGHT, len(known))
        if bag.is_loading:
            last[known] = weights
        self.coordinate_frame = bag.value("frame", self.coordinate_frame)
        flags = isinstance(self.unknown_mask, np.ndarray) and self.unknown_mask.dtype == bool
        unknown = bag.value("unknown", pack(self.unknown_mask) if flags else self.unknown_mask)
        if bag.is_loading:
            self.unknown_mask = unpack(unknown) if isinstance(unknown, PackedArray) else unknown

    def display_cost(self, path: np.ndarray[Any, Any], step_costs: np.ndarray[Any, Any]) -> float:
        """The length of a walked path in steps, with the true square root of 2 for diagonals."""
        ticks = step_costs.sum()
        if self.neighbors == 4:
            return self.cost_in_steps(float(ticks), 0.0)
        move = np.abs(np.diff(path))
        straight = step_costs[(move == 1) | (move == self.width)].sum()
        return self.cost_in_steps(float(straight), float(ticks - straight))

    def __repr__(self) -> str:
        kind = "weighted, " if self.is_weighted else ""
        rule = f", corners={self.corners!r}" if self.neighbors == 8 else ""
        return f"<Grid {self.rows} x {self.cols}, {kind}{self.neighbors} neighbors{rule}>"
