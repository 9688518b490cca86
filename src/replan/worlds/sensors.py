"""What an agent can see, as people choose it: "adjacent", "everything", a `Radius`, or a class of their own.

At work, between the truth of one world and the belief of one agent, a sensor is an *eye* (`worlds/observers.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt, sqrt
from numbers import Real
from typing import Any

import numpy as np

from replan.errors import InputError, short_repr
from replan.extensions import bad_return_error, missing_method_error
from replan.planners.saved_file import register_savable
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.observations import locations_of
from replan.spaces.space import Space
from replan.suggest import did_you_mean
from replan.worlds.observers import (
    AdjacentCellsObserver,
    AdjacentEdgesObserver,
    FullObserver,
    Observer,
    PythonObserver,
    RadiusObserver,
    visible_cells,
)

NAMED_SENSORS = ("adjacent", "everything")  # the sensors that have a name
DISTANCE_METRICS = ("euclidean", "octile")
ADJACENT_OBSERVERS: dict[Any, Callable[..., Observer]] = {Grid: AdjacentCellsObserver, Graph: AdjacentEdgesObserver}  # compiled, by class of the space
RADIUS_OBSERVERS: dict[Any, Callable[..., RadiusObserver]] = {Grid: RadiusObserver}


class Sensor:
    """What an agent can see.

    A sensor of your own derives from this class and defines `visible(truth, cell, came_from)`: the cells (edges of a
    graph) that come into view from a cell, as a list or an array of rows and columns. `came_from` is the cell before,
    None at the start:

    >>> import replan
    >>> class Ahead(replan.Sensor):
    ...     '''Sees three cells in the direction of the last step, and the cells around.'''
    ...     def visible(self, truth, cell, came_from):
    ...         row, col = cell
    ...         down, right = (0, 1) if came_from is None else (row - came_from[0], col - came_from[1])
    ...         ahead = [(row + i * down, col + i * right) for i in (1, 2, 3)]
    ...         around = [(row + r, col + c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
    ...         rows, cols = truth.shape
    ...         return [(r, c) for r, c in {*ahead, *around} if 0 <= r < rows and 0 <= c < cols]
    >>> world = replan.World(replan.Grid([[0, 0, 0, 1], [0, 0, 0, 0]]), sensor=Ahead())
    >>> replan.simulate(world, "Repeated Forward A*", (0, 0), (1, 3)).moves
    3
    """

    def visible(self, truth: Space, cell: Any, previous_cell: Any = None) -> list[Any]:
        """The places that come into view from a cell: cells of a grid, edges of a graph. truth: the space as it is."""
        raise missing_method_error(self, "sensor", "visible")


@dataclass(frozen=True)
class Radius(Sensor):
    """Sees all cells whose centres are at most `radius` cells away, and always those a step could enter.

    With `line_of_sight`, only those to which a straight line leads over free cells; the blocked cell at the end of
    it is seen. radius: in cells, from 1 to 1,000. metric: how far away a cell is: "euclidean", or "octile", as a king
    walks whose diagonal steps are longer by the square root of 2. Raises InputError.

    >>> import replan
    >>> grid = replan.Grid([[0, 1, 0, 0]])
    >>> replan.Radius(2).visible(grid, (0, 0)), replan.Radius(2, line_of_sight=True).visible(grid, (0, 0))
    ([(0, 0), (0, 1), (0, 2)], [(0, 0), (0, 1)])
    >>> field = replan.Grid([[0] * 15] * 15)
    >>> [len(replan.Radius(7, metric=metric).visible(field, (7, 7))) for metric in ("euclidean", "octile")]
    [149, 141]
    >>> replan.Radius(3).reach()
    [3, 2, 2, 0]
    """

    radius: float
    line_of_sight: bool = False
    metric: str = "euclidean"

    def __post_init__(self) -> None:
        if not isinstance(self.radius, Real) or not 1 <= self.radius <= 1000:
            raise InputError(f"a sensor reaches from 1 to 1,000 cells, not {self.radius!r}")
        if self.metric not in DISTANCE_METRICS:
            raise InputError(f"metric is one of {', '.join(map(repr, DISTANCE_METRICS))}, not {self.metric!r}")

    def half_widths(self) -> list[int]:
        """How many cells it extends sideways: on its own row, on the next one, and so on to its rim."""
        square = int(self.radius**2 + 1e-9)
        rows = range(isqrt(square) + 1)
        if self.metric == "euclidean":
            return [isqrt(square - d * d) for d in rows]
        return [_octile_half_width(self.radius + 1e-9, d) for d in rows]

    def visible(self, truth: Space, cell: Any, previous_cell: Any = None) -> list[Any]:
        """The cells that come into view from a cell, whether they are free or not.

        >>> import replan
        >>> replan.Radius(1).visible(replan.Grid([[0, 0, 1], [0, 1, 0]], neighbors=4), (0, 1))
        [(0, 0), (0, 1), (0, 2), (1, 1)]
        """
        for kind, circle in RADIUS_OBSERVERS.items():
            if isinstance(truth, kind):
                return visible_cells(circle(truth, truth, self, lists_all=True), truth, truth.state(cell))
        raise InputError(f"a radius needs a grid, not {truth!r}")


def _octile_half_width(radius: float, down: int) -> int:
    """The largest number of columns that lies within an octile distance, so many rows away."""
    steep = int((radius - down) / (sqrt(2) - 1))  # as long as it is not more than the rows
    return steep if steep < down else int(radius - (sqrt(2) - 1) * down)


def make_sensor(text: str) -> str | Radius:
    """A sensor as people type it: "adjacent", "everything", or a radius in cells. Raises InputError.

    >>> make_sensor("adjacent"), make_sensor("7")
    ('adjacent', Radius(radius=7.0, line_of_sight=False, metric='euclidean'))
    """
    if text in NAMED_SENSORS:
        return text
    try:
        radius = float(text)
    except ValueError:
        meant = did_you_mean(text, NAMED_SENSORS)
        raise InputError(
            f"a sensor is {', '.join(NAMED_SENSORS)}, or a radius in cells such as 7, not {short_repr(text)}{meant}"
        ) from None
    return Radius(radius)


def observer_for(sensor: Any, truth: Space, belief: Space) -> Observer:
    """The eye of the sensor that the option `sensor=` of a world names."""
    if isinstance(sensor, str) and sensor == "everything":
        return FullObserver()
    if isinstance(sensor, str) and sensor == "adjacent":
        for kind, adjacent in ADJACENT_OBSERVERS.items():
            if isinstance(truth, kind) and isinstance(belief, kind):
                return adjacent(truth, belief)
        return PythonObserver(truth, belief, lambda at, back: truth.adjacent_locations(at))
    if isinstance(sensor, Radius):
        sensor.__post_init__()  # a program may have changed it since it was made
        for kind, circle in RADIUS_OBSERVERS.items():
            if isinstance(truth, kind) and isinstance(belief, kind):
                return circle(truth, belief, sensor)
        raise InputError("a radius needs a grid; elsewhere the sensor is 'adjacent', 'everything' or your own")
    if isinstance(sensor, Sensor):
        return PythonObserver(truth, belief, lambda at, back: _visible_locations(sensor, truth, at, back))
    raise InputError(f"sensor is 'adjacent', 'everything', replan.Radius(r) or your own replan.Sensor, not {sensor!r}")


def _visible_locations(sensor: Sensor, truth: Space, at: int, back: int) -> list[int]:
    """The places that a sensor of the user's shows."""
    cells = sensor.visible(truth, truth.key(at), None if back < 0 else truth.key(back))
    if not isinstance(cells, (list, tuple, set, frozenset, np.ndarray)):
        raise bad_return_error(sensor, "visible", f"{cells!r}; what is visible is a list of cells")
    try:
        return locations_of(truth, cells)
    except ValueError as error:
        raise bad_return_error(sensor, "visible", f"a list that cannot be: {error}") from None


register_savable(Radius)
