"""What every map reader returns: which cells are blocked, what they cost, between which there are walls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from replan.errors import InputError
from replan.limits import MAX_WEIGHT
from replan.maps.coordinate_frame import CoordinateFrame
from replan.maps.limits import MAX_CELLS

BoolGrid: TypeAlias = npt.NDArray[np.bool_]
ByteGrid: TypeAlias = npt.NDArray[np.uint8]
WeightGrid: TypeAlias = npt.NDArray[np.int32]

UnknownCells: TypeAlias = Literal["blocked", "free", "unknown"]
"""What becomes of the cells that a map calls neither free nor blocked."""

WALL_RIGHT = 1
"""Bit of `Terrain.walls`: no step between this cell and its right neighbour."""

WALL_BELOW = 2
"""Bit of `Terrain.walls`: no step between this cell and the one below."""


@dataclass(frozen=True, eq=False)
class Terrain:
    """A grid map. Cells are (row, col), both from 0; row 0 is the top, col 0 the left.

    blocked: 2-D bool, True where nothing can stand.
    weights: 2-D int32, from 1 to 65,535: how slow each cell is (a step costs its length times the mean weight of its
        two cells); None: 1 everywhere. A blocked cell gets its weight when it is freed; files do not keep that.
    walls: 2-D uint8 of WALL_RIGHT (1) and WALL_BELOW (2): a wall between two cells forbids the step from one to the
        other, in both directions, though both may be free; None: no walls.
    name: for people; a reader takes the file's name without its suffix.
    unknown: 2-D bool, True where the map says neither free nor blocked; such a cell is not blocked here. None: no such
        cell. `with_unknown` decides about them.
    frame: where the map lies in the world, if the file says so.

    Raises InputError when an array has another type or shape, or holds a value out of range.
    The arrays are not copied. Two terrains compare equal only if they are the same object.

    >>> Terrain(np.zeros((2, 3), dtype=bool)).shape
    (2, 3)
    """

    blocked: BoolGrid
    weights: WeightGrid | None = None
    walls: ByteGrid | None = None
    name: str = ""
    unknown: BoolGrid | None = None
    coordinate_frame: CoordinateFrame | None = None

    def __post_init__(self) -> None:
        _check_array("blocked", self.blocked, np.dtype(np.bool_))
        check_size(*self.blocked.shape)
        self._check_same_shape("weights", np.int32)
        self._check_same_shape("walls", np.uint8)
        self._check_same_shape("unknown", np.bool_)
        if self.weights is not None and self.weights.min() < 1:
            raise InputError(f"weights holds {self.weights.min()}; at least 1 is expected (blocked blocks a cell)")
        if self.weights is not None and self.weights.max() > MAX_WEIGHT:
            raise InputError(f"weights holds {self.weights.max():,}; at most {MAX_WEIGHT:,} is expected")
        if self.walls is not None and self.walls.max() > WALL_RIGHT | WALL_BELOW:
            raise InputError(f"walls holds {self.walls.max()}; use 1 (right), 2 (below), 3 (both) or 0")
        if self.unknown is not None and bool((self.unknown & self.blocked).any()):
            raise InputError("a cell is unknown and blocked; unknown cells are not blocked")

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)."""
        rows, cols = self.blocked.shape
        return rows, cols

    def with_unknown(self, treatment: UnknownCells) -> Terrain:
        """The same map with its unknown cells blocked, free, or left unknown. Raises InputError for another word.

        Left unknown they are not blocked either: as long as a cell has not been seen it is believed to be free.

        >>> unseen = np.array([[False, True]])
        >>> Terrain(np.zeros((1, 2), bool), unknown=unseen).with_unknown("blocked").blocked.tolist()
        [[False, True]]
        """
        if treatment not in get_args(UnknownCells):
            raise InputError(f"unknown is {treatment!r}; use {', '.join(map(repr, get_args(UnknownCells)))}")
        if self.unknown is None or treatment == "unknown":
            return self
        blocked = self.blocked | self.unknown if treatment == "blocked" else self.blocked
        return replace(self, blocked=blocked, unknown=None)

    def _check_same_shape(self, field: str, dtype: type[np.generic]) -> None:
        """Raise InputError if this array is given but has another type, or another shape than `blocked`."""
        array = getattr(self, field)
        if array is not None:
            _check_array(field, array, np.dtype(dtype))
            if array.shape != self.blocked.shape:
                raise InputError(f"{field} has shape {array.shape}, expected {self.blocked.shape} as blocked has")


def check_size(
    rows: int, cols: int, path: str | Path | None = None, line: int | None = None, max_cells: int = MAX_CELLS
) -> None:
    """Raise InputError unless a map of this size has at least one cell and at most `most`."""
    if rows < 1 or cols < 1:
        raise InputError(f"a map of {rows} rows x {cols} columns has no cell; use at least 1 x 1", path, line)
    if rows * cols > max_cells:
        raise InputError(f"{rows} rows x {cols} columns is more than the limit of {max_cells} cells", path, line)


def drop_unit_weights(weights: WeightGrid) -> WeightGrid | None:
    """The weights, or None if all are 1, so that there is only one way to store a plain map."""
    return None if bool((weights == 1).all()) else weights


def _check_array(field: str, array: object, dtype: np.dtype[np.generic]) -> None:
    if not isinstance(array, np.ndarray):
        raise InputError(f"{field} is a {type(array).__name__}, expected a NumPy array")
    if array.ndim != 2 or array.dtype != dtype:
        raise InputError(f"{field} is a {array.ndim}-D array of {array.dtype}, expected a 2-D array of {dtype}")
