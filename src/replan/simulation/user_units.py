"""What a planner's search knows, as people read it: in the shape of the map, and in steps.

Planners themselves show it by state, in ticks (`Planner.snapshot`): that is what rules, tests and drawings work with.
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
    """The arrays of a planner; what has not one number a state is left as it is."""
    return {str(name): _array_to_user_units(space, str(name).removeprefix("local_"), np.asarray(a)) for name, a in arrays.items()}


def _array_to_user_units(space: Space, name: str, array: Array) -> Array:
    if array.shape != (space.n,):
        return array.copy()
    array = space.to_map_shape(array)
    if name in COST_ARRAYS and array.dtype.kind in "iu":
        costs = np.where(array < 0, np.nan, array / cost_scale(space))
        costs[array > space.max_path_cost] = np.inf  # no path is as long
        return costs
    if name in STATE_ARRAYS and space.cell_layout is not None:
        cells = space.cell_layout.cells_of(array)
        cells[array < 0] = -1
        return cells
    return array.copy()
