"""What drawings, the page and traces need of a space whose states lie in rows and columns."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray[Any, Any]


class Plane(Protocol):
    """A layout of states in rows and columns (`Space.plane`). A `Grid` is its own.

    unit: ticks of a straight step. walls_between: as `Grid` takes walls, or None.
    """

    rows: int
    cols: int
    n: int
    unit: int
    neighbors: int

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)."""

    @property
    def blocked(self) -> Array:
        """2-D, True where a cell is blocked now."""

    @property
    def walls_between(self) -> Array | None:
        """2-D, 1 for a wall on the right of a cell, 2 for one below; None without any."""

    def array(self, of_states: ArrayLike) -> Array:
        """A value for each state as a value for each cell: 2-D."""

    def cells_of(self, states: ArrayLike) -> Array:
        """States as rows and columns."""

    def state(self, key: Any) -> int:
        """The state of a cell (row, col)."""

    def key(self, state: int) -> Any:
        """The cell (row, col) of a state."""

    def distance(self, u: int, v: int) -> int:
        """The estimated cost between two states, in ticks."""
