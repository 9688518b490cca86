"""What an agent can see, as people choose it: "adjacent", "everything", a `Radius`, or a class of their own.

At work, between the truth of one world and the belief of one agent, a sensor is an *eye* (`worlds/eyes.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt, sqrt
from numbers import Real
from typing import Any

import numpy as np

from replan.errors import InputError, short
from replan.own import missing, wrong_answer
from replan.planners.saved_file import savable
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.observed import places_of
from replan.spaces.space import Space
from replan.suggest import did_you_mean
from replan.worlds.eyes import AdjacentCells, AdjacentEdges, Circle, Everywhere, Eye, PythonEye, visible_cells

WORDS = ("adjacent", "everything")  # the sensors that have a name
METRICS = ("euclidean", "octile")
ADJACENT: dict[Any, Callable[..., Eye]] = {Grid: AdjacentCells, Graph: AdjacentEdges}  # compiled, by class of the space
CIRCLES: dict[Any, Callable[..., Circle]] = {Grid: Circle}


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

    def visible(self, truth: Space, cell: Any, came_from: Any = None) -> list[Any]:
        """The places that come into view from a cell: cells of a grid, edges of a graph. truth: the space as it is."""
        raise missing(self, "sensor", "visible")


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
        if self.metric not in METRICS:
            raise InputError(f"metric is one of {', '.join(map(repr, METRICS))}, not {self.metric!r}")

    def reach(self) -> list[int]:
        """How many cells it extends sideways: on its own row, on the next one, and so on to its rim."""
        square = int(self.radius**2 + 1e-9)
        rows = range(isqrt(square) + 1)
        if self.metric == "euclidean":
            return [isqrt(square - d * d) for d in rows]
        return [_octile_reach(self.radius + 1e-9, d) for d in rows]

    def visible(self, truth: Space, cell: Any, came_from: Any = None) -> list[Any]:
        """The cells that come into view from a cell, whether they are free or not.

        >>> import replan
        >>> replan.Radius(1).visible(replan.Grid([[0, 0, 1], [0, 1, 0]], neighbors=4), (0, 1))
        [(0, 0), (0, 1), (0, 2), (1, 1)]
        """
        for kind, circle in CIRCLES.items():
            if isinstance(truth, kind):
                return visible_cells(circle(truth, truth, self, all=True), truth, truth.state(cell))
        raise InputError(f"a radius needs a grid, not {truth!r}")


def _octile_reach(radius: float, down: int) -> int:
    """The largest number of columns that lies within an octile distance, so many rows away."""
    steep = int((radius - down) / (sqrt(2) - 1))  # as long as it is not more than the rows
    return steep if steep < down else int(radius - (sqrt(2) - 1) * down)


def sensor_from(text: str) -> str | Radius:
    """A sensor as people type it: "adjacent", "everything", or a radius in cells. Raises InputError.

    >>> sensor_from("adjacent"), sensor_from("7")
    ('adjacent', Radius(radius=7.0, line_of_sight=False, metric='euclidean'))
    """
    if text in WORDS:
        return text
    try:
        radius = float(text)
    except ValueError:
        meant = did_you_mean(text, WORDS)
        raise InputError(
            f"a sensor is {', '.join(WORDS)}, or a radius in cells such as 7, not {short(text)}{meant}"
        ) from None
    return Radius(radius)


def eye_for(sensor: Any, truth: Space, belief: Space) -> Eye:
    """The eye of the sensor that the option `sensor=` of a world names."""
    if isinstance(sensor, str) and sensor == "everything":
        return Everywhere()
    if isinstance(sensor, str) and sensor == "adjacent":
        for kind, adjacent in ADJACENT.items():
            if isinstance(truth, kind) and isinstance(belief, kind):
                return adjacent(truth, belief)
        return PythonEye(truth, belief, lambda at, back: truth.adjacent_places(at))
    if isinstance(sensor, Radius):
        sensor.__post_init__()  # a program may have changed it since it was made
        for kind, circle in CIRCLES.items():
            if isinstance(truth, kind) and isinstance(belief, kind):
                return circle(truth, belief, sensor)
        raise InputError("a radius needs a grid; elsewhere the sensor is 'adjacent', 'everything' or your own")
    if isinstance(sensor, Sensor):
        return PythonEye(truth, belief, lambda at, back: _places_shown(sensor, truth, at, back))
    raise InputError(f"sensor is 'adjacent', 'everything', replan.Radius(r) or your own replan.Sensor, not {sensor!r}")


def _places_shown(sensor: Sensor, truth: Space, at: int, back: int) -> list[int]:
    """The places that a sensor of the user's shows."""
    cells = sensor.visible(truth, truth.key(at), None if back < 0 else truth.key(back))
    if not isinstance(cells, (list, tuple, set, frozenset, np.ndarray)):
        raise wrong_answer(sensor, "visible", f"{cells!r}; what is visible is a list of cells")
    try:
        return places_of(truth, cells)
    except ValueError as error:
        raise wrong_answer(sensor, "visible", f"a list that cannot be: {error}") from None


savable(Radius)
