"""Grids of cells with 4 or 8 neighbours, terrain weights, walls, and a rule for diagonal moves past corners.

A cell is `(row, col)` for people. How it is kept, and what planners ask of it, is in `cells`; what people ask is here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import view, zeros
from replan.errors import InputError, short
from replan.guard import held
from replan.limits import DIAGONAL, MAX_STATES, MAX_WEIGHT, STRAIGHT
from replan.saving import Bag, Packed, pack, unpack
from replan.spaces.cell_distance import CellDistance
from replan.spaces.cells import Cells
from replan.spaces.layout import CORNERS, TURNS, all_exits, block_turns, checked_weights, compass, wall_directions
from replan.spaces.neighbours import Neighbours, Touched, suited
from replan.spaces.space import Space, refuse_unmade

if TYPE_CHECKING:
    from replan.maps.frame import Frame
    from replan.maps.terrain import Unknown
    from replan.spaces.plane import Plane

MOST_MADE = 1 << 20  # cells
FLAGS = ("weighted", "walled")
ROWS_A_CALL = 4  # of cells that are kept; a row of a thousand takes a microsecond


class Grid(Cells):
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
            solid = np.asarray(blocked)
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
        refuse_unmade(self)
        return suited(old, 8, self.unit)

    def touched(self) -> Touched:
        return Touched(9, True)

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
        refuse_unmade(self)
        return self._window(self.solid).view(bool)

    @property
    def blocked_states(self) -> np.ndarray[Any, Any]:
        """1-D, by state, the ring included: 1 where a state is blocked; read-only."""
        refuse_unmade(self)
        return self._flat(self.solid)

    @property
    def state_exits(self) -> np.ndarray[Any, Any]:
        """1-D, by state, the ring included: the bits of the directions in which a step leads; read-only."""
        refuse_unmade(self)
        return self._flat(self.exits)

    @property
    def weights(self) -> np.ndarray[Any, Any] | None:
        """2-D, the weight of each free cell and 0 on blocked ones; None on a grid without weights."""
        return self._window(self.value) if self.weighted else None

    @property
    def walls_between(self) -> np.ndarray[Any, Any] | None:
        """2-D, as `walls=` was given: 1 for a wall on the right of a cell, 2 for one below; None without any."""
        refuse_unmade(self)
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
        refuse_unmade(self)
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

    def _values_if_free(self, where: Any) -> np.ndarray[Any, Any]:
        """By cell, of a part of the map (an index of NumPy): what `value_if_free` says."""
        refuse_unmade(self)
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
        if isinstance(value, (int, np.integer)) and 0 <= value <= (MAX_WEIGHT if self.weighted else 1):
            return int(value)
        free = "its weight" if self.weighted else "1"
        raise InputError(f"the value of a cell is 0 (blocked) or {free}, not {value!r}")

    def distance_to(self, state: int) -> Any:
        return CellDistance(self, state)

    def state_reach(self, steps: int) -> int:
        return steps * (self.width + 1) if steps < self.rows else self.n

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
        down, right = abs(down - row), abs(right - col)
        least, most = np.minimum(down, right), np.maximum(down, right)
        if self.neighbors == 4:
            return np.asarray(self.unit * (least + most))
        return np.asarray(self.unit // STRAIGHT * (STRAIGHT * (most - least) + DIAGONAL * least))

    def cells_of(self, states: ArrayLike) -> np.ndarray[Any, Any]:
        refuse_unmade(self)
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
        refuse_unmade(self)
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
