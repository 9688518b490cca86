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
from replan.errors import InputError, short
from replan.guard import held
from replan.limits import DIAGONAL, INF, MAX_STATES, MAX_WEIGHT, STRAIGHT
from replan.saving import Bag, Packed, pack, unpack
from replan.spaces.cell_distance import CellDistance
from replan.spaces.layout import CORNERS, TURNS, all_exits, block_turns, checked_weights, compass, wall_directions
from replan.spaces.neighbours import Neighbours, Touched, suited
from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.maps.frame import Frame
    from replan.maps.terrain import Unknown
    from replan.spaces.plane import Plane

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs, octets
    from replan.spaces.layout import exits_at

ROOT_2 = sqrt(2.0)
MOST_MADE = 1 << 20  # cells
FLAGS = ("weighted", "walled")
ROWS_A_CALL = 4  # of cells that are kept; a row of a thousand takes a microsecond


class Grid(Space):
    """A map of cells.

    blocked: 2-D, True where nothing can stand. neighbors: 4 or 8. weights: 2-D ints from 1 to 65,535, how slow each
    cell is. A cell that is freed without a weight gets the one that it had before it was blocked; a cell that is
    blocked at first gets its weight in `weights`, or 1 if that is 0 or out of range. corners, on 8 neighbours: "strict"
    (a diagonal step needs both cells beside it free), "either" (one of them) or "free" (none).
    walls: 2-D bit masks, 1: no step between a cell and its right neighbour, 2: none between it and the one below.
    order: in which neighbours are generated, which decides ties: "straight first" (right, down, left, up, then the
    diagonals from down-right on), or all of them "circular", from the right by way of down-right (a little slower).

    Two attributes are None unless `load` or you set them: frame, a `replan.maps.Frame`, says where the map lies in the
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
    >>> swamp.weights.tolist(), swamp.walls_between.tolist(), swamp.top_weight
    ([[1, 9]], [[1, 0]], 9)
    >>> grid.array(np.arange(grid.n)).tolist()
    [[6, 7, 8], [11, 12, 13]]
    >>> int(grid.blocked_states.sum()), int((grid.state_exits > 0).sum())
    (15, 5)
    """

    corners: str
    order: str
    frame: Frame | None
    unknown: np.ndarray[Any, Any] | None
    rows: int
    cols: int
    width: int  # the columns and the ring: what to add to a state to get the one below
    neighbors: int
    weighted: bool
    walled: bool
    one_by_one: bool  # are neighbours listed one after the other? Where they have weights, or another order
    rule: int  # for diagonals, see CORNERS
    top_weight: int  # the largest weight that the bounds allow for
    value: memoryview
    last: memoryview  # with weights: what blocked cells weighed before, 0 where that is not known
    solid: memoryview  # 1 where the value is 0
    exits: memoryview
    walls: memoryview  # one bit a direction, set where a wall stands between a cell and its neighbour
    not_back: memoryview  # the exits that do not lead back to where a search came from
    hops: memoryview  # where the exits of a mask lead, four directions at a time: see `layout.compass`
    turned: memoryview  # which exits around a cell open and shut as it does: see `layout.block_turns`
    offset: memoryview  # what to add to a state to get the one that lies in a direction
    length: memoryview  # of a step in each direction, in ticks
    turns: memoryview  # the directions in the order in which neighbours are listed

    def __init__(
        self,
        blocked: ArrayLike,
        neighbors: int = 8,
        weights: ArrayLike | None = None,
        corners: str = "strict",
        walls: ArrayLike | None = None,
        order: str = "straight first",
    ) -> None:
        self._be_new()
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
            raise InputError(f"a grid has 4 or 8 neighbors, not {short(neighbors)}; terrain weights go into weights=")
        if not isinstance(corners, str) or corners not in CORNERS:
            raise InputError(f"corners is one of {', '.join(map(repr, CORNERS))}, not {short(corners)}")
        if not isinstance(order, str) or order not in TURNS:
            raise InputError(f"order is one of {', '.join(map(repr, TURNS))}, not {order!r}")
        self.rows, self.cols = solid.shape
        self.width = self.row = self.cols + 2
        states = (self.rows + 2) * self.width
        if states > MAX_STATES:
            raise InputError(f"a grid has at most {MAX_STATES:,} cells, not {self.rows:,} x {self.cols:,}")
        self.neighbors, self.degree, self.corners, self.order = neighbors, neighbors, corners, order
        self.cells = self.both_ways = True
        self.built_in = type(self) is Grid
        self.frame = self.unknown = None
        self.rule = CORNERS[corners]
        # Rows and columns, and on maps that are not huge whole cells, by row, as Python has them: made once, not for
        # each path.
        self.numbers = list(range(-1, max(solid.shape) + 1))
        self.beginning = 0  # so many rows of cells may this call begin
        self.made: list[Any] | None = [None] * (self.rows + 2) if states <= MOST_MADE else None
        self.lay_out(solid, weights, walls)
        self.n = self.places = states
        self.is_initialized = True

    def lay_out(self, solid: np.ndarray[Any, Any], weights: ArrayLike | None, walls: ArrayLike | None) -> None:
        self.weighted = weights is not None
        ring = np.ones((self.rows + 2, self.width), np.uint8)  # blocked cells are all around
        ring[1:-1, 1:-1] = solid
        value = np.subtract(1, ring, dtype=np.uint16)
        self.last = zeros(ring.size if self.weighted else 1, np.uint16)
        if weights is not None:
            given = checked_weights(weights, solid)
            value[1:-1, 1:-1] = np.where(solid, 0, given)
            known = solid & (given > 1) & (given <= MAX_WEIGHT)  # of a blocked cell, for when it is freed
            self._area(self.last)[known] = given[known]
        self.value, self.solid = view(value.reshape(-1)), view(ring.reshape(-1))
        self.walled = walls is not None
        self.walls = zeros(1, np.uint8)
        if walls is not None:
            self.walls = view(wall_directions(walls, self.rows, self.cols).reshape(-1))
        unit = 1 if self.neighbors == 4 else STRAIGHT
        self.offset, self.hops, self.not_back = compass(self.cols)
        table = self.neighbors == 8 and not self.walled
        self.turned = view(block_turns(self.rule)) if table else zeros(1, np.uint8)
        self.length = view(np.array([unit] * 4 + [DIAGONAL] * 4, np.int64))
        turns = [d for d in TURNS[self.order] if d < self.neighbors]
        self.turns = view(np.array(turns, np.int64))
        self.one_by_one = self.weighted or turns != sorted(turns)
        self.unit = 2 * unit if self.weighted else unit
        self.unit_costs = self.neighbors == 4 and not self.weighted
        self.top_weight = 0
        self._allow_for(max(1, int(value.max())) if self.weighted else 1)
        self.exits = all_exits(self.solid, self.walls, self.walled, self.width, self.neighbors, self.rule)

    def neighbours(self, old: Neighbours | None = None) -> Neighbours:
        self.check_initialized()
        return suited(old, 8, self.unit)

    def touched(self) -> Touched:
        return Touched(9, True)

    # What planners ask, and how a changed cell opens and closes steps.

    def refuse_numbers(self) -> int:
        raise InputError(f"{type(self).__name__}.__init__ has to call Grid.__init__, not Space.__init__")

    def _allow_for(self, weight: int) -> None:
        """Bring the bounds up to date with a larger weight."""
        if weight > self.top_weight:
            self.top_weight = weight
            longest = (DIAGONAL if self.neighbors == 8 else 1) * (2 * weight if self.weighted else 1)
            self.bound = self.rows * self.cols * longest
            self.span = 2 * longest

    def expand(self, near: Neighbours, s: int) -> int:
        return self.list_exits(near, s, self.exits[s])

    def onward(self, near: Neighbours, s: int, back: int) -> int:
        return self.list_exits(near, s, self.exits[s] & self.not_back[back - s + self.width + 1])

    def list_exits(self, near: Neighbours, s: int, m: int) -> int:
        """List the neighbours that these exits lead to."""
        if self.one_by_one:
            return self.list_in_turn(near, s, m)
        # No unpredictable branch: write four neighbours whatever they are, and tell how many there are.
        succ, cost, hop = near.state, near.cost, ints(self.hops)
        i, at = 5 * (m & 15), s
        a, b, c, d = at + hop[i], at + hop[i + 1], at + hop[i + 2], at + hop[i + 3]
        succ[0], succ[1], succ[2], succ[3] = a, b, c, d
        k: int = hop[i + 4]
        if self.neighbors == 4:
            return k
        cost[0] = cost[1] = cost[2] = cost[3] = STRAIGHT
        cost[k] = cost[k + 1] = cost[k + 2] = cost[k + 3] = DIAGONAL
        i = 80 + 5 * (m >> 4)
        a, b, c, d = at + hop[i], at + hop[i + 1], at + hop[i + 2], at + hop[i + 3]
        succ[k], succ[k + 1], succ[k + 2], succ[k + 3] = a, b, c, d
        k += hop[i + 4]
        return k

    def list_in_turn(self, near: Neighbours, s: int, m: int) -> int:
        """The same with weights, or with the directions in another order."""
        if m == 0:
            return 0  # the ring around the map has no neighbours to read on its far side
        succ, cost, turns = near.state, near.cost, longs(self.turns)
        offset, length, w, weighted = longs(self.offset), longs(self.length), self.value[s], self.weighted
        k = 0
        for i in range(self.neighbors):
            d = turns[i]
            v = s + offset[d]
            succ[k] = v
            cost[k] = length[d] * (w + self.value[v] if weighted else 1)
            k += (m >> d) & 1
        return k

    def reverse(self, near: Neighbours, s: int) -> int:
        return self.list_exits(near, s, self.exits[s])  # every step can be taken back at the same cost

    def step_cost(self, u: int, v: int) -> int:
        for d in range(self.neighbors):
            if u + self.offset[d] == v:
                if (self.exits[u] >> d) & 1 == 0:
                    return INF
                if self.weighted:
                    return self.length[d] * (self.value[u] + self.value[v])
                return self.length[d]
        return INF

    def bill(self, path: memoryview, paid: memoryview, moves: int) -> int:
        if self.neighbors == 8 or self.weighted or self.walled:
            return Space.bill(self, path, paid, moves)
        for i in range(moves):  # from a cell to the next one, as every path leads: only a blocked cell is in the way
            paid[i] = 1 if self.value[path[i + 1]] != 0 else INF
        return 0

    def cost_back(self, states: memoryview, toll: memoryview, stop: int, start: int) -> float:
        if self.unit_costs:
            return start - stop
        straight = diagonal = 0
        for i in range(stop + 1, start + 1):
            move = abs(states[i] - states[i - 1])
            if move == 1 or move == self.width:
                straight += toll[i]
            else:
                diagonal += toll[i]
        return self.length_of(straight, diagonal)

    def length_of(self, straight: float, diagonal: float) -> float:
        """Ticks of straight and of diagonal steps, in steps, with the true square root of 2."""
        half = 2.0 if self.weighted else 1.0
        return (straight / self.length[0] + ROOT_2 * (diagonal / self.length[4])) / half

    def estimate(self, u: int, v: int) -> int:
        down = abs(u // self.width - v // self.width)
        right = abs(u % self.width - v % self.width)
        if self.neighbors == 4:
            return self.unit * (down + right)
        if down > right:
            down, right = right, down
        return (self.unit // STRAIGHT) * (STRAIGHT * (right - down) + DIAGONAL * down)

    def read(self, place: int) -> int:
        return self.value[place]

    def write(self, touched: Touched, place: int, value: int) -> int:
        old = self.value[place]
        if old == value:
            return 0
        if value > self.top_weight:
            with cython.gil:
                self._allow_for(value)
        self.value[place] = value
        if value == 0 and self.weighted:
            self.last[place] = old
        if old != 0 and value != 0:
            return self.touch_around(touched, place)
        self.solid[place] = value == 0
        if self.walled:
            return self.reopen_walled(touched, place)
        return self.reopen_cross(touched, place) if self.neighbors == 4 else self.reopen_block(touched, place)

    def reopen_cross(self, touched: Touched, s: int) -> int:
        """Four neighbours: only the steps into and out of `s` change."""
        # No branch on what lies around: nobody can foretell it.
        solid, exits, offset, listed = octets(self.solid), octets(self.exits), longs(self.offset), ints(touched.state)
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

    def reopen_block(self, touched: Touched, s: int) -> int:
        """Eight neighbours: diagonals that pass `s` change too, so look at the whole block around it.

        Which of its steps open or shut depends on which of the eight cells around `s` are blocked, and on nothing else:
        a table knows it.
        """
        solid, exits, offset, listed = octets(self.solid), octets(self.exits), longs(self.offset), ints(touched.state)
        pattern, turned, k = 0, octets(self.turned), 0
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

    def reopen_walled(self, touched: Touched, s: int) -> int:
        """The same where walls stand between cells, which no table knows."""
        shut, walls = octets(self.solid), octets(self.walls)
        k = 0
        for d in range(9):
            t = s + self.offset[d]
            if self.value[t] != 0 or t == s:
                m = exits_at(shut, walls, self.walled, t, self.width, self.neighbors, self.rule)
                if m != self.exits[t]:
                    self.exits[t] = m
                    touched.state[k] = t
                    k += 1
        return k

    def touch_around(self, touched: Touched, s: int) -> int:
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
    def load(cls, path: str | Path, neighbors: int = 8, corners: str = "strict", unknown: Unknown = "blocked") -> Grid:
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
        grid.frame, grid.unknown = terrain.frame, terrain.unknown
        return grid

    def position_of(self, cell: Any) -> tuple[float, float]:
        """The centre of a cell in the world: (x, y) in metres. Raises InputError for a grid without a frame.

        >>> import numpy as np, replan
        >>> grid = replan.Grid(np.zeros((4, 6), bool))
        >>> grid.frame = replan.maps.Frame(resolution=0.5, origin=(10.0, 20.0, 0.0))
        >>> grid.position_of((3, 0)), grid.cell_at(10.2, 20.1), grid.extent
        ((10.25, 20.25), (3, 0), (10.0, 13.0, 20.0, 22.0))
        """
        return self._placed().position_of(self.key(self.state(cell)), self.shape)

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """The cell at a point of the world, in metres. Raises InputError off the map and for a grid without a frame."""
        return self._placed().cell_at(x, y, self.shape)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """(left, right, bottom, top) of the map in metres, as Matplotlib's `imshow` takes it."""
        return self._placed().extent(self.shape)

    def _placed(self) -> Frame:
        if self.frame is None:
            raise InputError(
                "this grid has no place in the world, as a ROS map has; give it one: "
                "grid.frame = replan.maps.Frame(resolution, (x, y, yaw))"
            )
        return self.frame

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)."""
        return self.rows, self.cols

    @property
    def blocked(self) -> np.ndarray[Any, Any]:
        """2-D, True where a cell is blocked; a read-only window on the grid as it is now."""
        self.check_initialized()
        return self._window(self.solid).view(bool)

    @property
    def blocked_states(self) -> np.ndarray[Any, Any]:
        """1-D, by state, the ring included: 1 where a state is blocked; read-only."""
        self.check_initialized()
        return self._flat(self.solid)

    @property
    def state_exits(self) -> np.ndarray[Any, Any]:
        """1-D, by state, the ring included: the bits of the directions in which a step leads; read-only."""
        self.check_initialized()
        return self._flat(self.exits)

    @property
    def weights(self) -> np.ndarray[Any, Any] | None:
        """2-D, the weight of each free cell and 0 on blocked ones; None on a grid without weights."""
        return self._window(self.value) if self.weighted else None

    @property
    def values(self) -> np.ndarray[Any, Any]:
        """2-D: 0 where a cell is blocked now, else its weight."""
        self.check_initialized()
        return self._window(self.value)

    @property
    def most_weight(self) -> int:
        """The largest weight that a cell can have; 1 without weights."""
        return MAX_WEIGHT if self.weighted else 1

    @property
    def walls_between(self) -> np.ndarray[Any, Any] | None:
        """2-D, as `walls=` was given: 1 for a wall on the right of a cell, 2 for one below; None without any."""
        self.check_initialized()
        return self.array(self.walls) & 3 if self.walled else None

    def _flat(self, array: memoryview) -> np.ndarray[Any, Any]:
        flat = np.asarray(array)
        flat.flags.writeable = False
        return flat

    def _window(self, array: memoryview) -> np.ndarray[Any, Any]:
        return self._area(self._flat(array))

    def _area(self, array: Any) -> np.ndarray[Any, Any]:
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
        return self.keys_back(view(backwards), 0, len(backwards))

    def keys_back(self, states: memoryview, stop: int, start: int) -> list[Any]:
        cells: list[Any] = [None] * (start - stop)
        self.beginning = ROWS_A_CALL
        numbers, width, row, first, in_row = self.numbers, self.width, 0, 0, self.made_in(0)
        for i in range(start - stop):
            s = states[start - 1 - i]
            col = s - first
            if col < 0 or col >= width:  # another row; on a path it is the next one, and to divide takes long
                row = row - 1 if -width <= col < 0 else row + 1 if width <= col < 2 * width else s // width
                first, in_row = row * width, self.made_in(row)
                col = s - first
            if in_row is None:
                cells[i] = (numbers[row], numbers[col])
                continue
            if in_row[col] is None:
                in_row[col] = (numbers[row], numbers[col])
            cells[i] = in_row[col]
        return cells

    def made_in(self, row: int) -> list[Any] | None:
        """The cells of a row that were made already, None for others; or None where there is no list of them.

        On a large map there is none. On others each call begins a few: a path may have to be there within microseconds.
        """
        made = self.made
        if made is None:
            return None
        in_row: list[Any] | None = made[row]
        if in_row is None and self.beginning > 0:
            self.beginning -= 1
            in_row = made[row] = [None] * self.width
        return in_row

    def called(self, s: int) -> Any:
        if not self.built_in:
            return self.key(s)
        row = s // self.width
        col = s - row * self.width
        self.beginning = 1
        in_row = self.made_in(row)
        if in_row is None:
            return self.numbers[row], self.numbers[col]
        if in_row[col] is None:
            in_row[col] = (self.numbers[row], self.numbers[col])
        return in_row[col]

    def place(self, key: Any) -> int:
        return self.state(key)

    def _last_value(self, place: int) -> int:
        return self.last[self.checked_place(place)] if self.weighted else 0

    def values_if_free(self, where: Any) -> np.ndarray[Any, Any]:
        """`value_if_free` of a part of the map: an index of NumPy."""
        self.check_initialized()
        value: np.ndarray[Any, Any] = self._window(self.value)[where].astype(np.int64)
        last = self._window(self.last)[where] if self.weighted else 0
        return np.where(value > 0, value, np.maximum(last, 1))

    def _around(self, states: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
        steps = np.append(0, np.asarray(self.offset))
        return np.unique(np.add.outer(steps, np.concatenate([states, places]))).astype(np.int32)

    def value_of(self, weight: Any) -> int:
        try:
            whole = weight == int(weight)
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole or not 1 <= weight <= MAX_WEIGHT:
            raise InputError(f"a weight is a whole number from 1 to {MAX_WEIGHT:,}, not {weight!r}")
        if weight > 1 and not self.weighted:
            raise InputError("this grid was made without weights: make it with weights=np.ones(...) to change them")
        return int(weight)

    def checked_value(self, place: Any, value: Any) -> int:
        row, col = self.key(place)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise InputError(f"state {place} lies outside the map: it stays blocked")
        if isinstance(value, (int, np.integer)) and 0 <= value <= self.most_weight:
            return int(value)
        free = "its weight" if self.weighted else "1"
        raise InputError(f"the value of a cell is 0 (blocked) or {free}, not {value!r}")

    def distance_to(self, state: int) -> Any:
        return CellDistance(self.n, self.width, self.neighbors, self.unit, state)

    def state_reach(self, steps: int) -> int:
        return steps * (self.width + 1) if steps < self.rows else self.n

    def plain_sights(self) -> Any:
        from replan.spaces.plain import PlainSights

        return PlainSights(self) if self.built_in else None  # what a subclass overrides is called, and checked

    def straight_grid(self) -> Any:
        # where diagonal steps are bound to corners, they lead nowhere that straight ones do not
        return self if self.neighbors == 4 or self.corners != "free" else None

    @property
    def plane(self) -> Plane:
        """The grid itself: its cells lie in rows and columns."""
        return self

    def distances_to(self, state: int) -> np.ndarray[Any, Any]:
        row, col = divmod(self.checked_state(state), self.width)
        down, right = np.divmod(np.arange(self.n), self.width)
        down, right = np.abs(down - row), np.abs(right - col)
        least, most = np.minimum(down, right), np.maximum(down, right)
        if self.neighbors == 4:
            return np.asarray(self.unit * (least + most))
        return np.asarray(self.unit // STRAIGHT * (STRAIGHT * (most - least) + DIAGONAL * least))

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

    def facts(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        if not self.built_in:
            return None
        facts = {name: getattr(self, name) for name in ("rows", "cols", "neighbors", "corners", "order", *FLAGS)}
        walls = {} if self.walls_between is None else {"walls": self.walls_between.reshape(-1)}
        return {"kind": "grid", **facts}, {"space": np.asarray(self.value, np.int64), **walls}

    @classmethod
    def from_facts(cls, facts: dict[str, Any], column: Callable[[str], np.ndarray[Any, Any]]) -> Grid:
        """The grid of which `facts` tells; column: its arrays by name. All of it may be damaged: raises InputError."""
        rows, cols, values = facts["rows"], facts["cols"], column("space")
        if type(rows) is not int or type(cols) is not int or min(rows, cols) < 1:
            raise InputError("is damaged: its grid has no rows or columns")
        if len(values) != (rows + 2) * (cols + 2) or values.min() < 0:
            raise InputError("is damaged: its grid has other cells than it should")
        inner = values.reshape(rows + 2, cols + 2)[1:-1, 1:-1]
        weights = np.maximum(inner, 1) if facts["weighted"] else None
        walls = column("walls").reshape(rows, cols) if facts["walled"] else None
        order = facts.get("order", "straight first")
        return cls(inner == 0, facts["neighbors"], weights, facts["corners"], walls, order)

    def count_free(self) -> int:
        return int((~self.blocked).sum())

    def is_like(self, other: Space) -> bool:
        return Space.is_like(self, other) and other.shape == self.shape  # type: ignore[attr-defined]

    def array(self, of_states: ArrayLike) -> np.ndarray[Any, Any]:
        """A value for each state as a value for each cell: a 2-D window."""
        return self._area(np.asarray(of_states)[: self.n])

    def copy(self) -> Grid:
        with held(self):
            weights = self.weights if self.weighted else None
            twin = Grid(self.blocked, self.neighbors, weights, self.corners, self.walls_between, self.order)
            np.copyto(np.asarray(twin.last), np.asarray(self.last))
            twin._allow_for(self.top_weight)
            twin.frame, twin.unknown = self.frame, self.unknown
            return twin

    def believed_free(self) -> Grid:
        self.check_initialized()
        ones = np.ones(self.shape, np.int32) if self.weighted else None
        belief = Grid(np.zeros(self.shape, bool), self.neighbors, ones, self.corners, self.walls_between, self.order)
        belief.frame = self.frame
        return belief

    def assign(self, other: Space) -> None:
        if not isinstance(other, Grid) or other.shape != self.shape or other.neighbors != self.neighbors:
            raise InputError("the other grid has another size or other neighbors")
        if other.rule != self.rule or other.weighted != self.weighted:
            raise InputError("the other grid has another corner rule, or only one of the two has weights")
        if other is not self:
            with held(other):
                self.hold()
                try:
                    self.become(other)
                finally:
                    self.release()

    def become(self, other: Grid) -> None:
        if other.walled != self.walled or (self.walled and not np.array_equal(other.walls, self.walls)):
            raise InputError("the other grid has other walls")
        self._tell_differences(other)
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        np.copyto(np.asarray(self.last), np.asarray(other.last))
        np.copyto(np.asarray(self.solid), np.asarray(other.solid))
        np.copyto(np.asarray(self.exits), np.asarray(other.exits))
        self.top_weight = 0  # the bounds, too, become those of the other: nobody knows a weight that was not seen
        self._allow_for(other.top_weight)

    def made_from(self) -> tuple[Any, ...]:
        weights = pack(self.weights) if self.weighted else None
        walls = pack(self.array(self.walls) & 3) if self.walled else None
        return Grid, pack(self.blocked), self.neighbors, weights, self.corners, walls, self.order

    def carry(self, bag: Bag) -> None:
        self._allow_for(bag.whole("top_weight", self.top_weight, 1, MAX_WEIGHT if self.weighted else 1))
        last = np.asarray(self.last)
        known = bag.states("weighed", np.flatnonzero(last), self.n if self.weighted else 1, once=True)
        weights = bag.numbers("last", last[known], 1, MAX_WEIGHT, len(known))
        if bag.loading:
            last[known] = weights
        self.frame = bag.any("frame", self.frame)
        flags = isinstance(self.unknown, np.ndarray) and self.unknown.dtype == bool
        unknown = bag.any("unknown", pack(self.unknown) if flags else self.unknown)
        if bag.loading:
            self.unknown = unpack(unknown) if isinstance(unknown, Packed) else unknown

    def steps(self, path: np.ndarray[Any, Any], paid: np.ndarray[Any, Any]) -> float:
        """The length of a walked path in steps, with the true square root of 2 for diagonals."""
        ticks = paid.sum()
        if self.neighbors == 4:
            return self.length_of(float(ticks), 0.0)
        move = np.abs(np.diff(path))
        straight = paid[(move == 1) | (move == self.width)].sum()
        return self.length_of(float(straight), float(ticks - straight))

    def __repr__(self) -> str:
        kind = "weighted, " if self.weighted else ""
        rule = f", corners={self.corners!r}" if self.neighbors == 8 else ""
        return f"<Grid {self.rows} x {self.cols}, {kind}{self.neighbors} neighbors{rule}>"
