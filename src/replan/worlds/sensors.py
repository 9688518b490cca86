"""Sensors, as users choose them: "adjacent", "everything", a `Radius`, or a class of their own.

A sensor says what is visible. An observer (`worlds/observers.py`) does the work between the truth of one world and the
belief of one agent.
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

NAMED_SENSORS = ("adjacent", "everything")
DISTANCE_METRICS = ("euclidean", "octile")
# compiled observers, by the class of the space
ADJACENT_OBSERVERS: dict[Any, Callable[..., Observer]] = {Grid: AdjacentCellsObserver, Graph: AdjacentEdgesObserver}
RADIUS_OBSERVERS: dict[Any, Callable[..., RadiusObserver]] = {Grid: RadiusObserver}


class Sensor:
    """Base class of sensors: what an agent can see from a cell.

    A sensor of your own derives from this class and defines `visible`.

    Examples
    --------
    >>> import replan
    >>> class Ahead(replan.Sensor):
    ...     '''Sees three cells in the direction of the last step, and the cells around.'''
    ...     def visible(self, truth, cell, previous_cell):
    ...         row, col = cell
    ...         down, right = (0, 1) if previous_cell is None else (row - previous_cell[0], col - previous_cell[1])
    ...         ahead = [(row + i * down, col + i * right) for i in (1, 2, 3)]
    ...         around = [(row + r, col + c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
    ...         rows, cols = truth.shape
    ...         return [(r, c) for r, c in {*ahead, *around} if 0 <= r < rows and 0 <= c < cols]
    >>> world = replan.World(replan.Grid([[0, 0, 0, 1], [0, 0, 0, 0]]), sensor=Ahead())
    >>> replan.simulate(world, "Repeated Forward A*", (0, 0), (1, 3)).moves
    3
    """

    def visible(self, truth: Space, cell: Any, previous_cell: Any = None) -> list[Any]:
        """Return the cells that are visible from a cell. A sensor of your own defines it.

        Parameters
        ----------
        truth
            The true space. It must not be changed.
        cell
            The cell (node of a graph) on which the agent stands.
        previous_cell
            The cell on which the agent stood before, None at the start.

        Returns
        -------
        list
            The visible cells, blocked or free; on a graph, edges (u, v). An array of rows and columns will do.
        """
        raise missing_method_error(self, "sensor", "visible")


@dataclass(frozen=True)
class Radius(Sensor):
    """A sensor that sees all cells in a circle, and always the cells that one step could enter.

    Parameters
    ----------
    radius
        Largest distance of the centre of a visible cell, in cells, from 1 to 1,000.
    line_of_sight
        True: a cell is visible only if a straight line leads to it over free cells. The blocked cell at the end of the
        line is visible.
    metric
        Distance between cells: "euclidean", or "octile", the length of a shortest path with diagonal steps of length
        sqrt(2).

    Raises
    ------
    InputError
        If the radius or the metric is not possible.

    Examples
    --------
    >>> import replan
    >>> grid = replan.Grid([[0, 1, 0, 0]])
    >>> replan.Radius(2).visible(grid, (0, 0)), replan.Radius(2, line_of_sight=True).visible(grid, (0, 0))
    ([(0, 0), (0, 1), (0, 2)], [(0, 0), (0, 1)])
    >>> field = replan.Grid([[0] * 15] * 15)
    >>> [len(replan.Radius(7, metric=metric).visible(field, (7, 7))) for metric in ("euclidean", "octile")]
    [149, 141]
    >>> replan.Radius(3).half_widths()
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
        """Half the width of the circle on each of its rows.

        Returns
        -------
        list of int
            Item d is the number of cells to each side of the centre column, on the rows at distance d from the centre.
        """
        squared_radius = int(self.radius**2 + 1e-9)
        rows = range(isqrt(squared_radius) + 1)
        if self.metric == "euclidean":
            return [isqrt(squared_radius - row * row) for row in rows]
        return [_octile_half_width(self.radius + 1e-9, row) for row in rows]

    def visible(self, truth: Space, cell: Any, previous_cell: Any = None) -> list[Any]:
        """Return the cells that are visible from a cell.

        Parameters
        ----------
        truth
            The true space, a grid.
        cell
            The cell on which the agent stands.
        previous_cell
            Ignored.

        Returns
        -------
        list
            The visible cells, blocked or free.

        Raises
        ------
        InputError
            If the space is no grid.

        Examples
        --------
        >>> import replan
        >>> replan.Radius(1).visible(replan.Grid([[0, 0, 1], [0, 1, 0]], neighbors=4), (0, 1))
        [(0, 0), (0, 1), (0, 2), (1, 1)]
        """
        for space_class, observer_class in RADIUS_OBSERVERS.items():
            if isinstance(truth, space_class):
                return visible_cells(observer_class(truth, truth, self, lists_all=True), truth, truth.state(cell))
        raise InputError(f"a radius needs a grid, not {truth!r}")


def _octile_half_width(radius: float, rows: int) -> int:
    """Return the largest number of columns within an octile distance of `radius`, on a row at distance `rows`."""
    columns = int((radius - rows) / (sqrt(2) - 1))  # if columns < rows
    return columns if columns < rows else int(radius - (sqrt(2) - 1) * rows)


def make_sensor(text: str) -> str | Radius:
    """Return the sensor for a typed text: "adjacent", "everything", or a radius in cells. Raises InputError.

    >>> make_sensor("adjacent"), make_sensor("7")
    ('adjacent', Radius(radius=7.0, line_of_sight=False, metric='euclidean'))
    """
    if text in NAMED_SENSORS:
        return text
    try:
        radius = float(text)
    except ValueError:
        hint = did_you_mean(text, NAMED_SENSORS)
        raise InputError(
            f"a sensor is {', '.join(NAMED_SENSORS)}, or a radius in cells such as 7, not {short_repr(text)}{hint}"
        ) from None
    return Radius(radius)


def observer_for(sensor: Any, truth: Space, belief: Space) -> Observer:
    """Return the observer for the option `sensor=` of a world."""
    if isinstance(sensor, str) and sensor == "everything":
        return FullObserver()
    if isinstance(sensor, str) and sensor == "adjacent":
        for space_class, observer_class in ADJACENT_OBSERVERS.items():
            if isinstance(truth, space_class) and isinstance(belief, space_class):
                return observer_class(truth, belief)
        return PythonObserver(truth, belief, lambda state, previous: truth.adjacent_locations(state))
    if isinstance(sensor, Radius):
        sensor.__post_init__()  # checks again: a program may have changed a field
        for space_class, observer_class in RADIUS_OBSERVERS.items():
            if isinstance(truth, space_class) and isinstance(belief, space_class):
                return observer_class(truth, belief, sensor)
        raise InputError("a radius needs a grid; elsewhere the sensor is 'adjacent', 'everything' or your own")
    if isinstance(sensor, Sensor):
        return PythonObserver(truth, belief, lambda state, previous: _visible_locations(sensor, truth, state, previous))
    raise InputError(f"sensor is 'adjacent', 'everything', replan.Radius(r) or your own replan.Sensor, not {sensor!r}")


def _visible_locations(sensor: Sensor, truth: Space, state: int, previous_state: int) -> list[int]:
    """Call the `visible` of a user's sensor. Returns locations, checked."""
    cells = sensor.visible(truth, truth.key(state), None if previous_state < 0 else truth.key(previous_state))
    if not isinstance(cells, (list, tuple, set, frozenset, np.ndarray)):
        raise bad_return_error(sensor, "visible", f"{cells!r}; what is visible is a list of cells")
    try:
        return locations_of(truth, cells)
    except ValueError as error:
        raise bad_return_error(sensor, "visible", f"a list that cannot be: {error}") from None


register_savable(Radius)
