"""Values of a planner's search for users: in the shape of the map, and in steps.

`Planner.snapshot` has them by state and in cost units, for learning rules, tests and drawings.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from replan.spaces.heuristics import cost_scale
from replan.spaces.space import Space

Array: TypeAlias = np.ndarray[Any, Any]
COST_ARRAYS = ("g", "h", "rhs")
STATE_ARRAYS = ("parent", "next")


def to_user_units(space: Space, arrays: dict[str, Any]) -> dict[str, Array]:
    """Convert the arrays of a planner. An array without one number for each state stays as it is."""
    return {
        str(name): _array_to_user_units(space, str(name).removeprefix("local_"), np.asarray(array))
        for name, array in arrays.items()
    }


def _array_to_user_units(space: Space, name: str, array: Array) -> Array:
    """Convert one array; its name says what it has."""
    if array.shape != (space.n,):
        return array.copy()
    array = space.to_map_shape(array)
    if name in COST_ARRAYS and array.dtype.kind in "iu":
        costs = np.where(array < 0, np.nan, array / cost_scale(space))
        costs[array > space.max_path_cost] = np.inf  # larger than the cost of any path
        return costs
    if name in STATE_ARRAYS and space.cell_layout is not None:
        cells = space.cell_layout.cells_of(array)
        cells[array < 0] = -1
        return cells
    return array.copy()
