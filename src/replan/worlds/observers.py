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

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))  # in the order of directions


class Observer:
    """Writes the places that an agent sees to be other than it believes to `seen[:k]`, and returns k."""

    changed_locations: memoryview
    skips_unchanged: (
        bool  # does it look again at what it saw before only where a change is reported? (the World decides)
    )
    depends_on_position_only: bool  # does it see the same from the same place, as long as nothing changes?
    reported_locations: memoryview  # the first `reports` are places that have changed
    reported_count: int
    path: memoryview  # the path of the agent, for `along`; kept here because to pass it would cost more than a look

    def reset(self) -> None:
        """A trip begins."""

    def sense(self, at: int) -> int:
        raise NotImplementedError

    def sense_step(self, before: int, at: int) -> int:
        """As `look`, for somebody who has looked around at `before` last (-1: nowhere), and knows what it saw there."""
        return self.sense(at)

    def is_visible_to_any(self, occupancy: memoryview, location: int) -> bool:
        """True if a character sees the place. occupancy: the number of characters on each state."""
        return True

    def report_change(self, location: int) -> int:
        """This place has changed."""
        return 0

    def list_visible(self, at: int) -> int:
        """Write all places in view from `at`, where the agent has just looked around, to `seen`; how many?"""
        return 0

    def sense_along(self, first: int, last: int) -> int:
        """Look from path[first], path[first - 1], ... path[last]: the first position with news, or `last`."""
        i = first
        while i > last and self.sense(self.path[i]) == 0:
            i -= 1
        return i


class FullObserver(Observer):
    """Hears of every change at once; its belief is the truth at the start."""

    def __init__(self) -> None:
        self.changed_locations, self.change_count = empty(64, np.int32), 0

    def report_change(self, location: int) -> int:
        if self.change_count == len(self.changed_locations):
            with cython.gil:
                self.grow()
        self.changed_locations[self.change_count] = location
        self.change_count += 1
        return 0

    def grow(self) -> int:
        self.changed_locations = grown(self.changed_locations, 2 * self.change_count)
        return 0

    def reset(self) -> None:
        self.change_count = 0

    def sense(self, at: int) -> int:
        k = self.change_count
        self.change_count = 0
        return k

    def sense_along(self, first: int, last: int) -> int:
        return first if self.change_count > 0 else last


class AdjacentCellsObserver(Observer):
    """The cells that one step could enter if all were free, and the one that the agent stands on."""

    def __init__(self, truth: Grid, belief: Grid) -> None:
        self.truth, self.belief = truth, belief
        self.changed_locations = empty(9, np.int32)
        self.compares_exits = truth.neighbors == 4 and not truth.is_weighted and not truth.has_walls

    def sense(self, at: int) -> int:
        if self.compares_exits and self.truth.exits[at] == self.belief.exits[at]:
            return 0  # which of the four cells are free is just what these bits say
        k = 0
        for d in range(self.truth.neighbors):
            t = at + self.truth.offset[d]
            if self.truth.value[t] != self.belief.value[t]:
                self.changed_locations[k] = t
                k += 1
        if self.truth.value[at] != self.belief.value[at]:
            self.changed_locations[k] = at
            k += 1
        return k

    def list_visible(self, at: int) -> int:
        k = 0
        for d in range(self.truth.neighbors + 1):
            t = at + self.truth.offset[d] if d < self.truth.neighbors else at
            row, col = t // self.truth.width, t % self.truth.width
            if 1 <= row <= self.truth.rows and 1 <= col <= self.truth.cols:  # the ring around the map is no part of it
                self.changed_locations[k] = t
                k += 1
        return k

    def sense_along(self, first: int, last: int) -> int:
        if not self.compares_exits:
            return Observer.sense_along(self, first, last)
        i = first
        while i > last and self.truth.exits[self.path[i]] == self.belief.exits[self.path[i]]:
            i -= 1
        return i


class RadiusObserver(Observer):
    """The cells in a circle; `reach[d]` is how far it extends sideways, d rows from its centre.

    Without a line of sight, somebody who takes a step looks at the cells that come into view (`edge`: by the direction
    of the step, rows and columns from where it stands now) and at those that are reported to have changed. After a
    jump, and where changes are not reported, it looks at all of them.
    """

    def __init__(self, truth: Grid, belief: Grid, sensor: Radius, lists_all: bool = False) -> None:
        self.truth, self.belief, self.line_of_sight = truth, belief, sensor.line_of_sight
        reach = sensor.half_widths()
        self.radius = len(reach) - 1
        if truth.neighbors == 8:
            reach[1] = max(1, reach[1])
        self.work_since_signal_check = 0  # cells looked at since the last look for Ctrl-C
        self.lists_all = lists_all  # list all that is in view, news or not
        self.half_widths = view(np.array(reach, np.int32))
        self.changed_locations = empty(min(truth.n, (2 * self.radius + 1) ** 2), np.int32)
        self.skips_unchanged = not sensor.line_of_sight and not lists_all
        self.reported_locations, self.reported_count = empty(64, np.int32), 0
        first, rows, cols = newly_visible_cells(reach if self.skips_unchanged else [0])
        self.first_edge_cell, self.edge_row, self.edge_col = view(first), view(rows), view(cols)
        self.reset()

    def reset(self) -> None:
        self.current_state = self.previous_state = -1
        self.reported_count = 0

    def sense(self, at: int) -> int:
        if not self.skips_unchanged:
            return self.sense_all(at)
        if at != self.current_state:  # who looks again from the same place may not have believed it yet
            self.previous_state, self.current_state = self.current_state, at
        k = self.sense_step(self.previous_state, at)
        if self.reported_count > 0:
            k = self.sense_reported(at, k)
        return k

    def sense_step(self, before: int, at: int) -> int:
        d = step_direction(self.truth, before, at) if before >= 0 and self.skips_unchanged else -1
        if d < 0:
            return self.sense_all(at)
        k = 0
        row, col = at // self.truth.width, at % self.truth.width
        for i in range(self.first_edge_cell[d], self.first_edge_cell[d + 1]):
            r, c = row + self.edge_row[i], col + self.edge_col[i]
            if 1 <= r <= self.truth.rows and 1 <= c <= self.truth.cols:
                t = r * self.truth.width + c
                if self.truth.value[t] != self.belief.value[t]:
                    self.changed_locations[k] = t
                    k += 1
        return k

    def sense_reported(self, at: int, k: int) -> int:
        """Those of the reported cells that are in view and news come after the first k."""
        row, col = at // self.truth.width, at % self.truth.width
        reports, self.reported_count = self.reported_count, 0
        if k + reports > len(self.changed_locations):
            return self.sense_all(at)
        for i in range(reports):
            t = self.reported_locations[i]
            if self.truth.value[t] != self.belief.value[t] and self.contains(row, col, t):
                self.changed_locations[k] = t
                k += 1
        return k

    def contains(self, row: int, col: int, t: int) -> bool:
        """Is t in the circle around a cell?"""
        down, right = abs(t // self.truth.width - row), abs(t % self.truth.width - col)
        return down <= self.radius and right <= self.half_widths[down]

    def report_change(self, location: int) -> int:
        if not self.skips_unchanged:
            return 0
        if self.reported_count == len(self.reported_locations):
            with cython.gil:
                self.reported_locations = grown(self.reported_locations, 2 * self.reported_count)
        self.reported_locations[self.reported_count] = location
        self.reported_count += 1
        return 0

    def is_visible_to_any(self, occupancy: memoryview, location: int) -> bool:
        row, col = location // self.truth.width, location % self.truth.width
        for r in range(max(1, row - self.radius), min(self.truth.rows, row + self.radius) + 1):
            half = self.half_widths[abs(r - row)]
            for c in range(max(1, col - half), min(self.truth.cols, col + half) + 1):
                if occupancy[r * self.truth.width + c] > 0:
                    return True
        return False

    def sense_all(self, at: int) -> int:
        k = 0
        row, col = at // self.truth.width, at % self.truth.width
        for r in range(max(1, row - self.radius), min(self.truth.rows, row + self.radius) + 1):
            half = self.half_widths[abs(r - row)]
            low, high = max(1, col - half), min(self.truth.cols, col + half)
            for c in range(low, high + 1):
                t = r * self.truth.width + c
                if self.truth.value[t] == self.belief.value[t] and not self.lists_all:
                    continue
                self.work_since_signal_check += self.radius
                if not self.line_of_sight or has_line_of_sight(self.truth, at, t):
                    self.changed_locations[k] = t
                    k += 1
            self.work_since_signal_check += high - low
            if self.work_since_signal_check > 1000000:
                self.work_since_signal_check = 0
                check_signals()
        return k

    def list_visible(self, at: int) -> int:
        before, self.lists_all = self.lists_all, True
        k = self.sense_all(at)
        self.lists_all = before
        return k


class AdjacentEdgesObserver(Observer):
    """The edges that leave a node."""

    def __init__(self, truth: Graph, belief: Graph) -> None:
        self.truth, self.belief = truth, belief
        self.changed_locations = empty(truth.degree, np.int32)

    def sense(self, at: int) -> int:
        k = 0
        for a in range(self.truth.first[at], self.truth.first[at + 1]):
            if self.truth.value[a] != self.belief.value[a]:
                self.changed_locations[k] = a
                k += 1
        return k

    def list_visible(self, at: int) -> int:
        k = 0
        for a in range(self.truth.first[at], self.truth.first[at + 1]):
            self.changed_locations[k] = a
            k += 1
        return k


class PythonObserver(Observer):
    """What a function in Python says: places(at, back), where `back` is the state before, -1 at the start."""

    def __init__(self, truth: Space, belief: Space, visible_locations: Callable[[int, int], list[int]]) -> None:
        self.truth, self.belief, self.visible_locations = truth, belief, visible_locations
        self.changed_locations = empty(1, np.int32)
        self.listed_locations: list[int] = []
        self.reset()

    def reset(self) -> None:
        self.current_state = self.previous_state = -1

    def sense(self, at: int) -> int:
        with cython.gil:
            return self.call_function(at)

    def call_function(self, at: int) -> int:
        if at != self.current_state:
            self.current_state, self.previous_state = at, self.current_state
        self.listed_locations = list(dict.fromkeys(self.visible_locations(at, self.previous_state)))  # each once
        news = [
            place for place in self.listed_locations if self.truth.read_value(place) != self.belief.read_value(place)
        ]
        self.changed_locations = view(np.array([*news, 0], np.int32))
        return len(news)

    def list_visible(self, at: int) -> int:
        with cython.gil:
            self.changed_locations = view(np.array([*self.listed_locations, 0], np.int32))
            return len(self.listed_locations)


def newly_visible_cells(reach: list[int]) -> tuple[Any, Any, Any]:
    """For each direction of a step the cells that come into view, from the cell that it leads to: first, rows, columns.

    Those of direction d are numbers first[d] to first[d + 1] - 1; directions as in `spaces/grid.py`.
    """
    first, rows, cols = [0], [], []
    far = len(reach) - 1
    for down, right in DIRECTIONS:
        for row in range(-far, far + 1):
            end, above = reach[abs(row)], abs(row + down)
            # what was in view of this row before, in columns from here: from `low` to `high`
            low, high = (-right - reach[above], reach[above] - right) if above <= far else (end + 1, end)
            new = [*range(-end, min(end, low - 1) + 1), *range(max(-end, high + 1), end + 1)]
            rows += [row] * len(new)
            cols += new
        first.append(len(rows))
    return np.array(first, np.int32), np.array(rows, np.int32), np.array(cols, np.int32)


def step_direction(grid: Grid, before: int, at: int) -> int:
    """The direction of a step between two cells, -1 if there is none that leads from one to the other."""
    for d in range(8):
        if before + grid.offset[d] == at:
            return d
    return -1


def has_line_of_sight(truth: Grid, at: int, t: int) -> bool:
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


def visible_cells(circle: RadiusObserver, grid: Grid, at: int) -> list[Any]:
    """All cells in the circle around a state that can be seen from there."""
    return grid.keys([circle.changed_locations[i] for i in range(circle.sense(at))])
