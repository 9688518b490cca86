"""Observers: sensors at work, between the truth of one world and the belief of one agent.

An observer lists the locations in view whose true value differs from the belief. `worlds/sensors.py` has the sensors
that users choose, and creates the observer of each.
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

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))  # as in `spaces/grid.py`


class Observer:
    """Writes the visible locations that differ from the belief to `changed_locations`. Returns their number."""

    changed_locations: memoryview
    skips_unchanged: bool  # True: cells seen before are compared again only if reported (set by the World)
    depends_on_position_only: bool  # True: the same cells are in view from the same state, as long as nothing changes
    reported_locations: memoryview  # the first `reported_count` are locations that have changed
    reported_count: int
    path: memoryview  # path of the agent, for `sense_along`; an attribute, since passing it costs more than sensing

    def reset(self) -> None:
        """Begin a trip."""

    def sense(self, state: int) -> int:
        """List the changed locations in view from a state. Returns their number."""
        raise NotImplementedError

    def sense_step(self, previous: int, state: int) -> int:
        """Like `sense`, for an agent that sensed at `previous` before (-1: nowhere) and believes what it saw there."""
        return self.sense(state)

    def is_visible_to_any(self, occupancy: memoryview, location: int) -> bool:
        """True if a character sees the location. occupancy: number of characters on each state."""
        return True

    def report_change(self, location: int) -> int:
        """Report that a location has changed."""
        return 0

    def list_visible(self, state: int) -> int:
        """List all locations in view from a state at which the agent has just sensed. Returns their number."""
        return 0

    def sense_along(self, first: int, last: int) -> int:
        """Sense from path[first], path[first - 1], ... Returns the first position with a change in view, or `last`."""
        i = first
        while i > last and self.sense(self.path[i]) == 0:
            i -= 1
        return i


class FullObserver(Observer):
    """Observer of the whole map: lists every change. The initial belief is the truth."""

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

    def sense(self, state: int) -> int:
        k = self.change_count
        self.change_count = 0
        return k

    def sense_along(self, first: int, last: int) -> int:
        return first if self.change_count > 0 else last


class AdjacentCellsObserver(Observer):
    """Observer of the cells that one step could enter if all were free, and of the agent's own cell."""

    def __init__(self, truth: Grid, belief: Grid) -> None:
        self.truth, self.belief = truth, belief
        self.changed_locations = empty(9, np.int32)
        self.compares_exits = truth.neighbors == 4 and not truth.is_weighted and not truth.has_walls

    def sense(self, state: int) -> int:
        if self.compares_exits and self.truth.exits[state] == self.belief.exits[state]:
            return 0  # the bits say which of the four cells are free
        k = 0
        for d in range(self.truth.neighbors):
            t = state + self.truth.offset[d]
            if self.truth.value[t] != self.belief.value[t]:
                self.changed_locations[k] = t
                k += 1
        if self.truth.value[state] != self.belief.value[state]:
            self.changed_locations[k] = state
            k += 1
        return k

    def list_visible(self, state: int) -> int:
        k = 0
        for d in range(self.truth.neighbors + 1):
            t = state + self.truth.offset[d] if d < self.truth.neighbors else state
            row, col = t // self.truth.width, t % self.truth.width
            # not the border around the map
            if 1 <= row <= self.truth.rows and 1 <= col <= self.truth.cols:
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
    """Observer of the cells in a circle. `half_widths[d]` is its half width on the rows at distance d from the centre.

    Without line of sight, a step compares only the cells that come into view and the cells that were reported.
    `edge_row` and `edge_col` are the cells that come into view, relative to the new position, from index
    `first_edge_cell[d]` on for direction d. After a jump, or if changes are not reported, all cells are compared.
    """

    def __init__(self, truth: Grid, belief: Grid, sensor: Radius, lists_all: bool = False) -> None:
        self.truth, self.belief, self.line_of_sight = truth, belief, sensor.line_of_sight
        half_widths = sensor.half_widths()
        self.radius = len(half_widths) - 1
        if truth.neighbors == 8:
            half_widths[1] = max(1, half_widths[1])
        self.work_since_signal_check = 0  # cells compared since the last check for Ctrl-C
        self.lists_all = lists_all  # True: list all cells in view, changed or not
        self.half_widths = view(np.array(half_widths, np.int32))
        self.changed_locations = empty(min(truth.n, (2 * self.radius + 1) ** 2), np.int32)
        self.skips_unchanged = not sensor.line_of_sight and not lists_all
        self.reported_locations, self.reported_count = empty(64, np.int32), 0
        first, rows, cols = newly_visible_cells(half_widths if self.skips_unchanged else [0])
        self.first_edge_cell, self.edge_row, self.edge_col = view(first), view(rows), view(cols)
        self.reset()

    def reset(self) -> None:
        self.current_state = self.previous_state = -1
        self.reported_count = 0

    def sense(self, state: int) -> int:
        if not self.skips_unchanged:
            return self.sense_all(state)
        # sensing again from the same state compares the same cells: the agent may not believe them yet
        if state != self.current_state:
            self.previous_state, self.current_state = self.current_state, state
        k = self.sense_step(self.previous_state, state)
        if self.reported_count > 0:
            k = self.sense_reported(state, k)
        return k

    def sense_step(self, previous: int, state: int) -> int:
        d = step_direction(self.truth, previous, state) if previous >= 0 and self.skips_unchanged else -1
        if d < 0:
            return self.sense_all(state)
        k = 0
        row, col = state // self.truth.width, state % self.truth.width
        for i in range(self.first_edge_cell[d], self.first_edge_cell[d + 1]):
            r, c = row + self.edge_row[i], col + self.edge_col[i]
            if 1 <= r <= self.truth.rows and 1 <= c <= self.truth.cols:
                t = r * self.truth.width + c
                if self.truth.value[t] != self.belief.value[t]:
                    self.changed_locations[k] = t
                    k += 1
        return k

    def sense_reported(self, state: int, k: int) -> int:
        """Append the reported cells that are in view and changed to the first k. Returns the new number."""
        row, col = state // self.truth.width, state % self.truth.width
        reported_count, self.reported_count = self.reported_count, 0
        if k + reported_count > len(self.changed_locations):
            return self.sense_all(state)
        for i in range(reported_count):
            t = self.reported_locations[i]
            if self.truth.value[t] != self.belief.value[t] and self.contains(row, col, t):
                self.changed_locations[k] = t
                k += 1
        return k

    def contains(self, row: int, col: int, t: int) -> bool:
        """True if t is in the circle around a cell."""
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

    def sense_all(self, state: int) -> int:
        """Like `sense`, but compares all cells in view."""
        k = 0
        row, col = state // self.truth.width, state % self.truth.width
        for r in range(max(1, row - self.radius), min(self.truth.rows, row + self.radius) + 1):
            half = self.half_widths[abs(r - row)]
            low, high = max(1, col - half), min(self.truth.cols, col + half)
            for c in range(low, high + 1):
                t = r * self.truth.width + c
                if self.truth.value[t] == self.belief.value[t] and not self.lists_all:
                    continue
                self.work_since_signal_check += self.radius
                if not self.line_of_sight or has_line_of_sight(self.truth, state, t):
                    self.changed_locations[k] = t
                    k += 1
            self.work_since_signal_check += high - low
            if self.work_since_signal_check > 1000000:
                self.work_since_signal_check = 0
                check_signals()
        return k

    def list_visible(self, state: int) -> int:
        previous, self.lists_all = self.lists_all, True
        k = self.sense_all(state)
        self.lists_all = previous
        return k


class AdjacentEdgesObserver(Observer):
    """Observer of the edges that leave a node."""

    def __init__(self, truth: Graph, belief: Graph) -> None:
        self.truth, self.belief = truth, belief
        self.changed_locations = empty(truth.degree, np.int32)

    def sense(self, state: int) -> int:
        k = 0
        for a in range(self.truth.first[state], self.truth.first[state + 1]):
            if self.truth.value[a] != self.belief.value[a]:
                self.changed_locations[k] = a
                k += 1
        return k

    def list_visible(self, state: int) -> int:
        k = 0
        for a in range(self.truth.first[state], self.truth.first[state + 1]):
            self.changed_locations[k] = a
            k += 1
        return k


class PythonObserver(Observer):
    """Observer of the locations that a function in Python returns: visible_locations(state, previous_state or -1)."""

    def __init__(self, truth: Space, belief: Space, visible_locations: Callable[[int, int], list[int]]) -> None:
        self.truth, self.belief, self.visible_locations = truth, belief, visible_locations
        self.changed_locations = empty(1, np.int32)
        self.listed_locations: list[int] = []
        self.reset()

    def reset(self) -> None:
        self.current_state = self.previous_state = -1

    def sense(self, state: int) -> int:
        with cython.gil:
            return self.call_function(state)

    def call_function(self, state: int) -> int:
        """Call the user's function, and list the locations that have changed."""
        if state != self.current_state:
            self.current_state, self.previous_state = state, self.current_state
        self.listed_locations = list(dict.fromkeys(self.visible_locations(state, self.previous_state)))  # each once
        changed = [
            location
            for location in self.listed_locations
            if self.truth.read_value(location) != self.belief.read_value(location)
        ]
        self.changed_locations = view(np.array([*changed, 0], np.int32))
        return len(changed)

    def list_visible(self, state: int) -> int:
        with cython.gil:
            self.changed_locations = view(np.array([*self.listed_locations, 0], np.int32))
            return len(self.listed_locations)


def newly_visible_cells(half_widths: list[int]) -> tuple[Any, Any, Any]:
    """Return the cells that come into view with a step in each direction, relative to its end: first, rows, columns.

    The cells of direction d have the indices first[d] to first[d + 1] - 1.
    """
    first, rows, cols = [0], [], []
    radius = len(half_widths) - 1
    for down, right in DIRECTIONS:
        for row in range(-radius, radius + 1):
            end, above = half_widths[abs(row)], abs(row + down)
            # columns of this row that were in view before the step: from `low` to `high`
            low, high = (-right - half_widths[above], half_widths[above] - right) if above <= radius else (end + 1, end)
            new = [*range(-end, min(end, low - 1) + 1), *range(max(-end, high + 1), end + 1)]
            rows += [row] * len(new)
            cols += new
        first.append(len(rows))
    return np.array(first, np.int32), np.array(rows, np.int32), np.array(cols, np.int32)


def step_direction(grid: Grid, previous: int, state: int) -> int:
    """Return the direction of the step between two cells, -1 if they are not neighbours."""
    for d in range(8):
        if previous + grid.offset[d] == state:
            return d
    return -1


def has_line_of_sight(truth: Grid, state: int, target: int) -> bool:
    """True if Bresenham's line between two cells has only free cells. Both ends do not count."""
    row, col = state // truth.width, state % truth.width
    end_row, end_col = target // truth.width, target % truth.width
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


def visible_cells(observer: RadiusObserver, grid: Grid, state: int) -> list[Any]:
    """Return the cells in the circle around a state that are visible from it."""
    return grid.keys([observer.changed_locations[i] for i in range(observer.sense(state))])
