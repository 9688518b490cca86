"""Terrain: the blocked cells, weights and walls of a map. Every map reader returns one."""

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
"""Treatment of the cells that a map calls neither free nor blocked."""

WALL_RIGHT = 1
"""Bit of `Terrain.walls`: no step between this cell and its right neighbour."""

WALL_BELOW = 2
"""Bit of `Terrain.walls`: no step between this cell and the one below."""


@dataclass(frozen=True, eq=False)
class Terrain:
    """A grid map. Cells are (row, col), from (0, 0) at the top left.

    Parameters
    ----------
    blocked
        2-D bool array, True for blocked cells.
    weights
        2-D int32 array, the weight of each cell, from 1 to 65,535: a step costs its length times the mean weight of
        its two cells. A blocked cell gets its weight when it is freed; files do not keep that. None: 1 everywhere.
    walls
        2-D uint8 array of WALL_RIGHT (1) and WALL_BELOW (2): a wall between two cells forbids the step between them in
        both directions. None: no walls.
    name
        Name for messages. Readers use the name of the file without its suffix.
    unknown
        2-D bool array, True for cells that the map calls neither free nor blocked. They are not blocked here; see
        `with_unknown`. None: no such cell.
    coordinate_frame
        Position of the map in the world. None: not known.

    Raises
    ------
    InputError
        If an array has another type or shape, or a value is out of range.

    Notes
    -----
    The arrays are not copied. Two terrains are equal only if they are the same object.

    Examples
    --------
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
        """Number of rows and columns."""
        rows, cols = self.blocked.shape
        return rows, cols

    def with_unknown(self, treatment: UnknownCells) -> Terrain:
        """Copy of the map in which unknown cells are blocked, free, or still unknown.

        Parameters
        ----------
        treatment
            "blocked", "free" or "unknown". A cell that stays unknown is believed to be free until it is seen.

        Returns
        -------
        Terrain
            The map.

        Raises
        ------
        InputError
            If the treatment is another word.

        Examples
        --------
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
        """Raise InputError if this array is not None and has another type, or another shape than `blocked`."""
        array = getattr(self, field)
        if array is not None:
            _check_array(field, array, np.dtype(dtype))
            if array.shape != self.blocked.shape:
                raise InputError(f"{field} has shape {array.shape}, expected {self.blocked.shape} as blocked has")


def check_size(
    rows: int, cols: int, path: str | Path | None = None, line: int | None = None, max_cells: int = MAX_CELLS
) -> None:
    """Raise InputError unless a map of this size has at least one cell and at most `max_cells`."""
    if rows < 1 or cols < 1:
        raise InputError(f"a map of {rows} rows x {cols} columns has no cell; use at least 1 x 1", path, line)
    if rows * cols > max_cells:
        raise InputError(f"{rows} rows x {cols} columns is more than the limit of {max_cells} cells", path, line)


def drop_unit_weights(weights: WeightGrid) -> WeightGrid | None:
    """Return the weights, or None if all are 1."""
    return None if bool((weights == 1).all()) else weights


def _check_array(field: str, array: object, dtype: np.dtype[np.generic]) -> None:
    if not isinstance(array, np.ndarray):
        raise InputError(f"{field} is a {type(array).__name__}, expected a NumPy array")
    if array.ndim != 2 or array.dtype != dtype:
        raise InputError(f"{field} is a {array.ndim}-D array of {array.dtype}, expected a 2-D array of {dtype}")
