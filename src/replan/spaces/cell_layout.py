"""What drawings, the page, traces and observations need of a space whose states lie in rows and columns."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray[Any, Any]


class CellLayout(Protocol):
    """A layout of states in rows and columns (`Space.plane`). A `Grid` is its own.

    unit: ticks of a straight step. walls_between: as `Grid` takes walls, or None.
    """

    rows: int
    cols: int
    n: int
    units_per_step: int
    neighbors: int

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)."""

    @property
    def blocked(self) -> Array:
        """2-D, True where a cell is blocked now."""

    @property
    def values(self) -> Array:
        """2-D: 0 where a cell is blocked now, else its weight."""

    @property
    def most_weight(self) -> int:
        """The largest weight that a cell can have; 1 without weights."""

    @property
    def walls_between(self) -> Array | None:
        """2-D, 1 for a wall on the right of a cell, 2 for one below; None without any."""

    def to_map_shape(self, of_states: ArrayLike) -> Array:
        """A value for each state as a value for each cell: 2-D."""

    def cells_of(self, states: ArrayLike) -> Array:
        """States as rows and columns."""

    def state(self, key: Any) -> int:
        """The state of a cell (row, col)."""

    def key(self, state: int) -> Any:
        """The cell (row, col) of a state."""

    def states_at(self, rows: Array, cols: Array) -> Array:
        """The states of cells on the map, from their rows and columns."""

    def states_in_window(self, cells: Array, top: int, left: int, cols: int) -> Array:
        """The states of the cells of a window that begins at (top, left) and has `cols` columns, by their positions."""

    def values_if_free(self, where: Any) -> Array:
        """`Space.value_if_free` of a part of the map: an index of NumPy."""

    def value_of_weight(self, weight: Any) -> int:
        """The value of a cell that has this weight. Raises InputError."""

    def distance(self, u: int, v: int) -> int:
        """The estimated cost between two states, in ticks."""
