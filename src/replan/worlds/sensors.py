"""What an agent sees: the places near it where the truth differs from what it believes."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np

from replan.arrays import empty, grown, view
from replan.errors import InputError
from replan.signals import check_signals
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


@dataclass(frozen=True)
class Radius:
    """Sees all cells whose centres are at most `radius` cells away (Euclidean), and always those a step could enter.

    With `line_of_sight`, only those to which a straight line leads over free cells; the blocked cell at the end of
    it is seen.
    """

    radius: float
    line_of_sight: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.radius <= 1000:
            raise InputError(f"a sensor reaches from 1 to 1,000 cells, not {self.radius!r}")


class Sensor:
    """Writes the places that an agent sees to be other than it believes to `seen[:k]`, and returns k."""

    seen: memoryview
    trail: memoryview  # the path of the agent, for `along`; kept here because to pass it would cost more than a look

    def look(self, at: int) -> int:
        raise NotImplementedError

    def along(self, first: int, last: int) -> int:
        """Look from trail[first], trail[first - 1], ... trail[last]: the first position with news, or `last`."""
        i = first
        while i > last and self.look(self.trail[i]) == 0:
            i -= 1
        return i


class Everywhere(Sensor):
    """Knows the truth at the start and hears of every change at once."""

    def __init__(self) -> None:
        self.seen, self.news = empty(64, np.int32), 0

    def report(self, place: int) -> int:
        if self.news == len(self.seen):
            with cython.gil:
                self.grow()
        self.seen[self.news] = place
        self.news += 1
        return 0

    def grow(self) -> int:
        self.seen = grown(self.seen, 2 * self.news)
        return 0

    def forget(self) -> None:
        self.news = 0

    def look(self, at: int) -> int:
        k = self.news
        self.news = 0
        return k

    def along(self, first: int, last: int) -> int:
        return first if self.news > 0 else last


class AdjacentCells(Sensor):
    """The cells that one step could enter if all were free, and the one that the agent stands on."""

    def __init__(self, truth: Grid, belief: Grid) -> None:
        self.truth, self.belief = truth, belief
        self.seen = empty(9, np.int32)
        self.plain = truth.neighbors == 4 and not truth.weighted and not truth.walled

    def look(self, at: int) -> int:
        if self.plain and self.truth.moves[at] == self.belief.moves[at]:
            return 0  # which of the four cells are free is just what these bits say
        k = 0
        for d in range(self.truth.neighbors):
            t = at + self.truth.offset[d]
            if self.truth.value[t] != self.belief.value[t]:
                self.seen[k] = t
                k += 1
        if self.truth.value[at] != self.belief.value[at]:
            self.seen[k] = at
            k += 1
        return k

    def along(self, first: int, last: int) -> int:
        if not self.plain:
            return Sensor.along(self, first, last)
        i = first
        while i > last and self.truth.moves[self.trail[i]] == self.belief.moves[self.trail[i]]:
            i -= 1
        return i


class Circle(Sensor):
    """The cells in a circle; `reach[d]` is how far it extends sideways, d rows from its centre."""

    def __init__(self, truth: Grid, belief: Grid, sensor: Radius) -> None:
        self.truth, self.belief, self.line_of_sight = truth, belief, sensor.line_of_sight
        square = int(sensor.radius**2 + 1e-9)
        self.radius = isqrt(square)
        reach = [isqrt(square - d * d) for d in range(self.radius + 1)]
        if truth.neighbors == 8:
            reach[1] = max(1, reach[1])
        self.work = 0  # cells looked at since the last look for Ctrl-C
        self.reach = view(np.array(reach, np.int32))
        self.seen = empty(min(truth.n, (2 * self.radius + 1) ** 2), np.int32)

    def look(self, at: int) -> int:
        k = 0
        row, col = at // self.truth.width, at % self.truth.width
        for r in range(max(1, row - self.radius), min(self.truth.rows, row + self.radius) + 1):
            half = self.reach[abs(r - row)]
            low, high = max(1, col - half), min(self.truth.cols, col + half)
            for c in range(low, high + 1):
                t = r * self.truth.width + c
                if self.truth.value[t] == self.belief.value[t]:
                    continue
                self.work += self.radius
                if not self.line_of_sight or in_sight(self.truth, at, t):
                    self.seen[k] = t
                    k += 1
            self.work += high - low
            if self.work > 1000000:
                self.work = 0
                check_signals()
        return k


class AdjacentEdges(Sensor):
    """The edges that leave a node."""

    def __init__(self, truth: Graph, belief: Graph) -> None:
        self.truth, self.belief = truth, belief
        self.seen = empty(len(truth.succ), np.int32)

    def look(self, at: int) -> int:
        k = 0
        for a in range(self.truth.first[at], self.truth.first[at + 1]):
            if self.truth.value[a] != self.belief.value[a]:
                self.seen[k] = a
                k += 1
        return k


def in_sight(truth: Grid, at: int, t: int) -> bool:
    """Does a straight line lead from `at` to `t` over free cells? (Bresenham's line; both ends do not count.)"""
    row, col = at // truth.width, at % truth.width
    end_row, end_col = t // truth.width, t % truth.width
    down, right = abs(end_row - row), abs(end_col - col)
    step_row, step_col = (1 if end_row > row else -1), (1 if end_col > col else -1)
    error = right - down
    while True:
        twice = 2 * error
        if twice > -down:
            error -= down
            col += step_col
        if twice < right:
            error += right
            row += step_row
        if row == end_row and col == end_col:
            return True
        if truth.value[row * truth.width + col] == 0:
            return False


def sensor_for(given: str | Radius, truth: Space, belief: Space) -> Sensor:
    """The sensor that the option `sensor=` of a world names."""
    if given == "everything":
        return Everywhere()
    if isinstance(truth, Grid) and isinstance(belief, Grid):
        if isinstance(given, Radius):
            return Circle(truth, belief, given)
        if given == "adjacent":
            return AdjacentCells(truth, belief)
    elif isinstance(truth, Graph) and isinstance(belief, Graph):
        if isinstance(given, Radius):
            raise InputError("a radius needs a grid; on graphs the sensor is 'adjacent' or 'everything'")
        if given == "adjacent":
            return AdjacentEdges(truth, belief)
    raise InputError(f"sensor is 'adjacent', 'everything' or replan.Radius(r), not {given!r}")
