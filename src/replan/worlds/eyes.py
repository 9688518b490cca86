"""Eyes: sensors at work, between the truth of one world and the belief of one agent.

An eye writes the places that the agent sees, where the truth differs from what it believes. `worlds/sensors.py` has
what people choose, and says which eye a sensor gets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from replan.arrays import empty, grown, view
from replan.signals import check_signals
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if TYPE_CHECKING:
    from replan.worlds.sensors import Radius

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))  # in the order of directions


class Eye:
    """Writes the places that an agent sees to be other than it believes to `seen[:k]`, and returns k."""

    seen: memoryview
    steady: bool  # does it look again at what it saw before only where a change is reported? (the World decides)
    by_place: bool  # does it see the same from the same place, as long as nothing changes?
    reported: memoryview  # the first `reports` are places that have changed
    reports: int
    path: memoryview  # the path of the agent, for `along`; kept here because to pass it would cost more than a look

    def forget(self) -> None:
        """A trip begins."""

    def look(self, at: int) -> int:
        raise NotImplementedError

    def look_on(self, before: int, at: int) -> int:
        """As `look`, for somebody who has looked around at `before` last (-1: nowhere), and knows what it saw there."""
        return self.look(at)

    def shown_to(self, occupancy: memoryview, place: int) -> bool:
        """True if a character sees the place. occupancy: the number of characters on each state."""
        return True

    def report(self, place: int) -> int:
        """This place has changed."""
        return 0

    def show(self, at: int) -> int:
        """Write all places in view from `at`, where the agent has just looked around, to `seen`; how many?"""
        return 0

    def along(self, first: int, last: int) -> int:
        """Look from path[first], path[first - 1], ... path[last]: the first position with news, or `last`."""
        i = first
        while i > last and self.look(self.path[i]) == 0:
            i -= 1
        return i


class Everywhere(Eye):
    """Hears of every change at once; its belief is the truth at the start."""

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


class AdjacentCells(Eye):
    """The cells that one step could enter if all were free, and the one that the agent stands on."""

    def __init__(self, truth: Grid, belief: Grid) -> None:
        self.truth, self.belief = truth, belief
        self.seen = empty(9, np.int32)
        self.plain_grid = truth.neighbors == 4 and not truth.weighted and not truth.walled

    def look(self, at: int) -> int:
        if self.plain_grid and self.truth.exits[at] == self.belief.exits[at]:
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

    def show(self, at: int) -> int:
        k = 0
        for d in range(self.truth.neighbors + 1):
            t = at + self.truth.offset[d] if d < self.truth.neighbors else at
            row, col = t // self.truth.width, t % self.truth.width
            if 1 <= row <= self.truth.rows and 1 <= col <= self.truth.cols:  # the ring around the map is no part of it
                self.seen[k] = t
                k += 1
        return k

    def along(self, first: int, last: int) -> int:
        if not self.plain_grid:
            return Eye.along(self, first, last)
        i = first
        while i > last and self.truth.exits[self.path[i]] == self.belief.exits[self.path[i]]:
            i -= 1
        return i


class Circle(Eye):
    """The cells in a circle; `reach[d]` is how far it extends sideways, d rows from its centre.

    Without a line of sight, somebody who takes a step looks at the cells that come into view (`edge`: by the direction
    of the step, rows and columns from where it stands now) and at those that are reported to have changed. After a
    jump, and where changes are not reported, it looks at all of them.
    """

    def __init__(self, truth: Grid, belief: Grid, sensor: Radius, all: bool = False) -> None:
        self.truth, self.belief, self.line_of_sight = truth, belief, sensor.line_of_sight
        reach = sensor.reach()
        self.radius = len(reach) - 1
        if truth.neighbors == 8:
            reach[1] = max(1, reach[1])
        self.work = 0  # cells looked at since the last look for Ctrl-C
        self.all = all  # list all that is in view, news or not
        self.reach = view(np.array(reach, np.int32))
        self.seen = empty(min(truth.n, (2 * self.radius + 1) ** 2), np.int32)
        self.steady = not sensor.line_of_sight and not all
        self.reported, self.reports = empty(64, np.int32), 0
        first, rows, cols = crescents(reach if self.steady else [0])
        self.first, self.edge_row, self.edge_col = view(first), view(rows), view(cols)
        self.forget()

    def forget(self) -> None:
        self.at = self.back = -1
        self.reports = 0

    def look(self, at: int) -> int:
        if not self.steady:
            return self.look_at_all(at)
        if at != self.at:  # who looks again from the same place may not have believed it yet
            self.back, self.at = self.at, at
        k = self.look_on(self.back, at)
        if self.reports > 0:
            k = self.look_at_reported(at, k)
        return k

    def look_on(self, before: int, at: int) -> int:
        d = direction_of(self.truth, before, at) if before >= 0 and self.steady else -1
        if d < 0:
            return self.look_at_all(at)
        k = 0
        row, col = at // self.truth.width, at % self.truth.width
        for i in range(self.first[d], self.first[d + 1]):
            r, c = row + self.edge_row[i], col + self.edge_col[i]
            if 1 <= r <= self.truth.rows and 1 <= c <= self.truth.cols:
                t = r * self.truth.width + c
                if self.truth.value[t] != self.belief.value[t]:
                    self.seen[k] = t
                    k += 1
        return k

    def look_at_reported(self, at: int, k: int) -> int:
        """Those of the reported cells that are in view and news come after the first k."""
        row, col = at // self.truth.width, at % self.truth.width
        reports, self.reports = self.reports, 0
        if k + reports > len(self.seen):
            return self.look_at_all(at)
        for i in range(reports):
            t = self.reported[i]
            if self.truth.value[t] != self.belief.value[t] and self.holds(row, col, t):
                self.seen[k] = t
                k += 1
        return k

    def holds(self, row: int, col: int, t: int) -> bool:
        """Is t in the circle around a cell?"""
        down, right = abs(t // self.truth.width - row), abs(t % self.truth.width - col)
        return down <= self.radius and right <= self.reach[down]

    def report(self, place: int) -> int:
        if not self.steady:
            return 0
        if self.reports == len(self.reported):
            with cython.gil:
                self.reported = grown(self.reported, 2 * self.reports)
        self.reported[self.reports] = place
        self.reports += 1
        return 0

    def shown_to(self, occupancy: memoryview, place: int) -> bool:
        row, col = place // self.truth.width, place % self.truth.width
        for r in range(max(1, row - self.radius), min(self.truth.rows, row + self.radius) + 1):
            half = self.reach[abs(r - row)]
            for c in range(max(1, col - half), min(self.truth.cols, col + half) + 1):
                if occupancy[r * self.truth.width + c] > 0:
                    return True
        return False

    def look_at_all(self, at: int) -> int:
        k = 0
        row, col = at // self.truth.width, at % self.truth.width
        for r in range(max(1, row - self.radius), min(self.truth.rows, row + self.radius) + 1):
            half = self.reach[abs(r - row)]
            low, high = max(1, col - half), min(self.truth.cols, col + half)
            for c in range(low, high + 1):
                t = r * self.truth.width + c
                if self.truth.value[t] == self.belief.value[t] and not self.all:
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

    def show(self, at: int) -> int:
        before, self.all = self.all, True
        k = self.look_at_all(at)
        self.all = before
        return k


class AdjacentEdges(Eye):
    """The edges that leave a node."""

    def __init__(self, truth: Graph, belief: Graph) -> None:
        self.truth, self.belief = truth, belief
        self.seen = empty(truth.degree, np.int32)

    def look(self, at: int) -> int:
        k = 0
        for a in range(self.truth.first[at], self.truth.first[at + 1]):
            if self.truth.value[a] != self.belief.value[a]:
                self.seen[k] = a
                k += 1
        return k

    def show(self, at: int) -> int:
        k = 0
        for a in range(self.truth.first[at], self.truth.first[at + 1]):
            self.seen[k] = a
            k += 1
        return k


class PythonEye(Eye):
    """What a function in Python says: places(at, back), where `back` is the state before, -1 at the start."""

    def __init__(self, truth: Space, belief: Space, places: Callable[[int, int], list[int]]) -> None:
        self.truth, self.belief, self.places = truth, belief, places
        self.seen = empty(1, np.int32)
        self.told: list[int] = []
        self.forget()

    def forget(self) -> None:
        self.at = self.back = -1

    def look(self, at: int) -> int:
        with cython.gil:
            return self.ask(at)

    def ask(self, at: int) -> int:
        if at != self.at:
            self.at, self.back = at, self.at
        self.told = list(dict.fromkeys(self.places(at, self.back)))  # each once
        news = [place for place in self.told if self.truth.read(place) != self.belief.read(place)]
        self.seen = view(np.array([*news, 0], np.int32))
        return len(news)

    def show(self, at: int) -> int:
        with cython.gil:
            self.seen = view(np.array([*self.told, 0], np.int32))
            return len(self.told)


def crescents(reach: list[int]) -> tuple[Any, Any, Any]:
    """For each direction of a step the cells that come into view, from the cell that it leads to: first, rows, columns.

    Those of direction d are numbers first[d] to first[d + 1] - 1; directions as in `spaces/grid.py`.
    """
    first, rows, cols = [0], [], []
    far = len(reach) - 1
    for down, right in STEPS:
        for row in range(-far, far + 1):
            end, above = reach[abs(row)], abs(row + down)
            # what was in view of this row before, in columns from here: from `low` to `high`
            low, high = (-right - reach[above], reach[above] - right) if above <= far else (end + 1, end)
            new = [*range(-end, min(end, low - 1) + 1), *range(max(-end, high + 1), end + 1)]
            rows += [row] * len(new)
            cols += new
        first.append(len(rows))
    return np.array(first, np.int32), np.array(rows, np.int32), np.array(cols, np.int32)


def direction_of(grid: Grid, before: int, at: int) -> int:
    """The direction of a step between two cells, -1 if there is none that leads from one to the other."""
    for d in range(8):
        if before + grid.offset[d] == at:
            return d
    return -1


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


def visible_cells(circle: Circle, grid: Grid, at: int) -> list[Any]:
    """All cells in the circle around a state that can be seen from there."""
    return grid.keys([circle.seen[i] for i in range(circle.look(at))])
