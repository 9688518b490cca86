"""What the cell values of ROS maps mean: one reading for map files, messages, windows that changed, and weights.

    values       free   weight 1 + value   inscribed   lethal   unknown    from
    OCCUPANCY    0      1 to 98            99          100      -1         nav_msgs/OccupancyGrid, map_server files
    COSTMAP      0      1 to 252           253         254      255        nav2_msgs/Costmap

A robot's centre must not be in a cell that is inscribed (nearer to an obstacle than the robot's inscribed radius) or
lethal (the obstacle): both are blocked. 99 is what Nav2's costmap publisher makes of 253 in an OccupancyGrid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from replan.errors import InputError
from replan.maps.coordinate_frame import CoordinateFrame
from replan.maps.terrain import Terrain


@dataclass(frozen=True)
class CellEncoding:
    """The values that a kind of map has, and from which of them on a cell is blocked.

    kind: for messages to people. lowest, highest: of all values. unknown: the value of a cell that was not seen.
    inscribed_threshold, lethal_threshold: a known cell is blocked from the lower one of both.

    >>> COSTMAP.to_terrain(np.array([[0, 100, 253, 255]])).weights.tolist()
    [[1, 101, 1, 1]]
    """

    map_kind: str
    lowest: int
    highest: int
    unknown: int
    inscribed_threshold: int
    lethal_threshold: int

    def with_thresholds(self, inscribed: Any, lethal: Any) -> CellEncoding:
        """The same with other limits. Raises InputError for limits by which a lethal cell would not be blocked."""
        limits = (
            ("inscribed_threshold", inscribed, self.inscribed_threshold + 1),
            ("lethal_threshold", lethal, self.lethal_threshold),
        )
        for name, limit, highest in limits:
            if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or not 1 <= limit <= highest:
                raise InputError(f"{name} of {self.map_kind} is a whole number from 1 to {highest}, not {limit!r}")
        return replace(self, inscribed_threshold=int(inscribed), lethal_threshold=int(lethal))

    def to_terrain(
        self, values: npt.NDArray[np.integer[Any]], coordinate_frame: CoordinateFrame | None = None, name: str = ""
    ) -> Terrain:
        """What the values say, row 0 at the top. Blocked and unknown cells have weight 1.

        Raises InputError for a value that is out of range.
        """
        wrong = (values < self.lowest) | (values > self.highest)
        if wrong.any():
            row, col = np.argwhere(wrong)[0]
            where = f"row {len(values) - 1 - int(row)}, column {col}"  # as ROS counts
            reason = (
                f"{self.map_kind} has values from {self.lowest} to {self.highest}, not {values[row, col]} ({where})"
            )
            raise InputError(reason)
        unknown = values == self.unknown
        blocked = (values >= min(self.inscribed_threshold, self.lethal_threshold)) & ~unknown
        weights = np.where(blocked | unknown, 1, values.astype(np.int32) + 1).astype(np.int32)
        return Terrain(
            blocked, weights, name=name, unknown=unknown if unknown.any() else None, coordinate_frame=coordinate_frame
        )


OCCUPANCY = CellEncoding(
    "an occupancy", lowest=-1, highest=100, unknown=-1, inscribed_threshold=99, lethal_threshold=100
)
COSTMAP = CellEncoding("a costmap", lowest=0, highest=255, unknown=255, inscribed_threshold=253, lethal_threshold=254)
