"""The protocol of spaces whose states lie in rows and columns, for drawings, the viewer, traces and observations."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray[Any, Any]


class CellLayout(Protocol):
    """A layout of states in rows and columns (`Space.cell_layout`). A `Grid` is its own layout.

    units_per_step: cost of a straight step, in cost units.
    """

    rows: int
    cols: int
    n: int
    units_per_step: int
    neighbors: int

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns, (rows, cols)."""

    @property
    def blocked(self) -> Array:
        """True for each cell that is blocked now, 2-D."""

    @property
    def values(self) -> Array:
        """0 for each blocked cell, and the weight of each free cell, 2-D."""

    @property
    def weight_limit(self) -> int:
        """Largest weight that a cell can have; 1 without weights."""

    @property
    def walls_between(self) -> Array | None:
        """Bit masks of walls, 2-D (1: right of a cell, 2: below); None if there are no walls."""

    def to_map_shape(self, of_states: ArrayLike) -> Array:
        """Arrange one value for each state as one value for each cell, 2-D."""

    def cells_of(self, states: ArrayLike) -> Array:
        """Return the row and column of each state."""

    def state(self, key: Any) -> int:
        """Return the state of a cell (row, col); raise InputError if it is outside the map."""

    def key(self, state: int) -> Any:
        """Return the cell (row, col) of a state."""

    def states_at(self, rows: Array, cols: Array) -> Array:
        """Return the states of cells, which are not checked."""

    def states_in_window(self, cells: Array, top: int, left: int, cols: int) -> Array:
        """Return the states of cells, given by their indices in a window that begins at (top, left)."""

    def values_if_free(self, where: Any) -> Array:
        """Return `Space.value_if_free` of the cells that a NumPy index selects."""

    def value_of_weight(self, weight: Any) -> int:
        """Return the value of a cell with this weight; raise InputError if no cell can have it."""

    def distance(self, u: int, v: int) -> int:
        """Estimate the cost between two states, in cost units."""
