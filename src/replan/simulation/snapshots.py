"""What a planner's search knows, as people read it: in the shape of the map, and in steps.

Planners themselves show it by state, in ticks (`Planner.snapshot`): that is what rules, tests and drawings work with.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from replan.spaces.heuristics import ticks_in_one
from replan.spaces.space import Space

Array: TypeAlias = np.ndarray[Any, Any]
COSTS = ("g", "h", "rhs")
STATES = ("parent", "next")


def in_words(space: Space, arrays: dict[str, Any]) -> dict[str, Array]:
    """The arrays of a planner; what has not one number a state is left as it is."""
    return {str(name): _in_words(space, str(name).removeprefix("local_"), np.asarray(a)) for name, a in arrays.items()}


def _in_words(space: Space, name: str, array: Array) -> Array:
    if array.shape != (space.n,):
        return array.copy()
    array = space.array(array)
    if name in COSTS and array.dtype.kind in "iu":
        costs = np.where(array < 0, np.nan, array / ticks_in_one(space))
        costs[array > space.bound] = np.inf  # no path is as long
        return costs
    if name in STATES and space.plane is not None:
        cells = space.plane.cells_of(array)
        cells[array < 0] = -1
        return cells
    return array.copy()
