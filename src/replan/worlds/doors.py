"""Rooms with doors that open and close at random: the benchmark of RTD* ("Dynamic Worlds", Bond et al. 2010).

Rooms stand in rows and columns. The wall between two neighbouring rooms has one door. A door closes only if all rooms
stay connected, so there is always a path between any two cells. The paper gives neither the size of the rooms nor how
often doors change: here both are parameters.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from replan.errors import InputError
from replan.maps.generators import rng_from_seed, rooms, whole_number
from replan.spaces.grid import Grid
from replan.worlds.changes import Change
from replan.worlds.dynamic_scenario import Cell, DynamicScenario

MAX_DRAWS = 10**7
Room = tuple[int, int]


def rooms_with_doors(
    rows: int = 100,
    cols: int = 100,
    room_size: int = 9,
    draws_per_step: float = 0.3,
    closed_share: float = 0.5,
    steps: int = 5000,
    seed: int = 0,
) -> DynamicScenario:
    """Return rooms whose doors open and close at random.

    Parameters
    ----------
    rows
        Number of rows of the grid.
    cols
        Number of columns of the grid.
    room_size
        Side of a room, in cells. The rooms at the right and the lower edge may be smaller or larger.
    draws_per_step
        Average number of doors that are drawn in a step, from 0. A drawn door may change.
    closed_share
        Share of the doors that are closed on average, from 0 to below 1. Fewer are closed if the rooms would not stay
        connected.
    steps
        Number of steps with changes. Then the doors stay as they are.
    seed
        Seed of the random walls, doors and changes.

    Returns
    -------
    DynamicScenario
        The grid, with 8 neighbours, and its changes. The start is the upper left corner, the goal the lower right one.

    Raises
    ------
    InputError
        If a size, rate or share is not possible.

    References
    ----------
    Bond, Widger, Ruml, Sun (2010): Real-Time Search in Dynamic Worlds.

    Examples
    --------
    >>> doors = rooms_with_doors(21, 21, room_size=4, draws_per_step=1, steps=100, seed=3)
    >>> doors.start, doors.goal, len(doors.changes) > 20
    ((0, 0), (20, 20), True)
    """
    steps = whole_number("steps", steps)
    if not (isinstance(draws_per_step, (int, float)) and 0 <= draws_per_step * max(steps, 0) <= MAX_DRAWS) or steps < 0:
        raise InputError(f"draws_per_step and steps are from 0, and at most {MAX_DRAWS:,} doors are drawn in all")
    if not (isinstance(closed_share, (int, float)) and 0 <= closed_share < 1):
        raise InputError(f"closed_share is a number from 0 to below 1, not {closed_share!r}")
    blocked = rooms(rows, cols, room_size, 1, seed)
    layout = DoorLayout(blocked, room_size)
    rng = rng_from_seed(seed)
    for i in rng.permutation(len(layout.doors))[: round(closed_share * len(layout.doors))].tolist():
        layout.toggle(i)
    initial_map = layout.to_map()
    changes: list[Change] = []
    draw_counts = rng.poisson(draws_per_step, steps) if layout.doors else np.zeros(0, int)
    for step, count in enumerate(draw_counts.tolist(), start=1):
        for i in rng.integers(len(layout.doors), size=count).tolist():
            was_closed = layout.is_closed[i]
            weight = 1 - closed_share if was_closed else closed_share  # so that the share is kept on average
            if rng.random() < weight / max(closed_share, 1 - closed_share):
                layout.toggle(i)
            if layout.is_closed[i] != was_closed:
                changes.append((step, layout.doors[i], "free" if was_closed else "blocked"))
    return DynamicScenario(Grid(initial_map), changes, start=(0, 0), goal=(rows - 1, cols - 1))


class DoorLayout:
    """Rooms, the doors between them, and which doors are closed."""

    def __init__(self, blocked: np.ndarray, room_size: int) -> None:
        self.blocked, self.room_size = blocked, room_size
        wall_rows = np.arange(room_size, blocked.shape[0] - 1, room_size + 1)
        wall_columns = np.arange(room_size, blocked.shape[1] - 1, room_size + 1)
        walls = np.zeros_like(blocked)
        walls[wall_rows, :] = walls[:, wall_columns] = True
        self.doors: list[Cell] = [(r, c) for r, c in np.argwhere(walls & ~blocked).tolist()]
        self.is_closed = [False] * len(self.doors)
        self.adjacent_rooms: dict[Room, list[tuple[Room, int]]] = {}  # by room: (neighbour, index of the door)
        self.rooms_of_door = [self._rooms_at(door) for door in self.doors]
        for i, (a, b) in enumerate(self.rooms_of_door):
            self.adjacent_rooms.setdefault(a, []).append((b, i))
            self.adjacent_rooms.setdefault(b, []).append((a, i))

    def _rooms_at(self, door: Cell) -> tuple[Room, Room]:
        """Return the two rooms that a door connects."""
        r, c = door
        is_in_row_wall = (r + 1) % (self.room_size + 1) == 0 and r < self.blocked.shape[0] - 1
        cells_beside = ((r - 1, c), (r + 1, c)) if is_in_row_wall else ((r, c - 1), (r, c + 1))
        first, second = ((self._room_index(r, 0), self._room_index(c, 1)) for r, c in cells_beside)
        return first, second

    def _room_index(self, x: int, axis: int) -> int:
        """Return the row or column of rooms of a coordinate. The last one includes a rest too short for a wall."""
        last = len(range(self.room_size, self.blocked.shape[axis] - 1, self.room_size + 1))
        return min(x // (self.room_size + 1), last)

    def toggle(self, i: int) -> None:
        """Open a door, or close it if its two rooms stay connected, and thereby all rooms."""
        self.is_closed[i] = not self.is_closed[i]
        if self.is_closed[i] and not self._is_connected(*self.rooms_of_door[i]):
            self.is_closed[i] = False

    def _is_connected(self, a: Room, b: Room) -> bool:
        """True if there is a path between two rooms. Searches from both at once: most paths are short."""
        sides = {a: 0, b: 1}
        waiting = deque([a, b])
        waiting_counts = [1, 1]  # rooms in the queue, by the room that they were reached from
        while waiting_counts[0] and waiting_counts[1]:
            room = waiting.popleft()
            side = sides[room]
            waiting_counts[side] -= 1
            for neighbour, door in self.adjacent_rooms[room]:
                if self.is_closed[door]:
                    continue
                if sides.get(neighbour, side) != side:
                    return True
                if neighbour not in sides:
                    sides[neighbour] = side
                    waiting_counts[side] += 1
                    waiting.append(neighbour)
        return False

    def to_map(self) -> np.ndarray:
        """Return a map that is True where a cell is blocked now."""
        is_blocked = self.blocked.copy()
        for door, is_closed in zip(self.doors, self.is_closed, strict=True):
            is_blocked[door] = is_closed
        return is_blocked
