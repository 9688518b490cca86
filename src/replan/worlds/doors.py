"""Rooms with doors that open and close at random: the benchmark of RTD* 2010.

(Bond, Widger, Ruml, Sun 2010, "Dynamic Worlds".) Rooms in rows and columns, one door in the wall between two
neighbouring rooms, so up to four a room. The paper gives neither the size of the rooms nor how often doors change:
here both are arguments. A door closes only where all rooms stay connected, so that a way from everywhere to everywhere
is always left.
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
    """Rooms whose doors open and close, as a recording: `.grid`, `.changes`, `.world(sensor="everything")`.

    room: the side of a room (those at the right and lower edge take what is left). rate: how many doors are drawn a
    step, on average; a drawn door changes, but only so often that about the share `shut` of the doors is closed, and
    it closes only if all rooms stay connected. steps: how long this goes on; then the doors stay as they are.
    A trip begins at the upper left (`start`) and ends at the lower right corner (`goal`). 8 neighbours.

    >>> doors = rooms_with_doors(21, 21, room=4, rate=1, steps=100, seed=3)
    >>> doors.start, doors.goal, len(doors.changes) > 20
    ((0, 0), (20, 20), True)
    """
    steps = whole_number("steps", steps)
    if not (isinstance(draws_per_step, (int, float)) and 0 <= draws_per_step * max(steps, 0) <= MAX_DRAWS) or steps < 0:
        raise InputError(f"rate and steps are at least 0, and at most {MAX_DRAWS:,} doors are drawn in all")
    if not (isinstance(closed_share, (int, float)) and 0 <= closed_share < 1):
        raise InputError(f"shut is a share from 0 to below 1, not {closed_share!r}")
    blocked = rooms(rows, cols, room_size, 1, seed)
    house = DoorLayout(blocked, room_size)
    rng = rng_from_seed(seed)
    for i in rng.permutation(len(house.doors))[: round(closed_share * len(house.doors))].tolist():
        house.toggle(i)
    at_first = house.to_map()
    changes: list[Change] = []
    drawn = rng.poisson(draws_per_step, steps) if house.doors else np.zeros(0, int)
    for step, count in enumerate(drawn.tolist(), start=1):
        for i in rng.integers(len(house.doors), size=count).tolist():
            was = house.is_closed[i]
            if rng.random() < ((1 - closed_share) if was else closed_share) / max(closed_share, 1 - closed_share):  # keeps to the share
                house.toggle(i)
            if house.is_closed[i] != was:
                changes.append((step, house.doors[i], "free" if was else "blocked"))
    return DynamicScenario(Grid(at_first), changes, start=(0, 0), goal=(rows - 1, cols - 1))


class DoorLayout:
    """Rooms, the doors between them, and which of these are shut."""

    def __init__(self, blocked: np.ndarray, room: int) -> None:
        self.blocked, self.room = blocked, room
        across = np.arange(room, blocked.shape[0] - 1, room + 1)
        down = np.arange(room, blocked.shape[1] - 1, room + 1)
        walls = np.zeros_like(blocked)
        walls[across, :] = walls[:, down] = True
        self.doors: list[Cell] = [(r, c) for r, c in np.argwhere(walls & ~blocked).tolist()]
        self.is_closed = [False] * len(self.doors)
        self.adjacent_rooms: dict[Room, list[tuple[Room, int]]] = {}  # the rooms next to a room, and the door between
        self.rooms_of_door = [self._rooms_at(door) for door in self.doors]
        for i, (a, b) in enumerate(self.rooms_of_door):
            self.adjacent_rooms.setdefault(a, []).append((b, i))
            self.adjacent_rooms.setdefault(b, []).append((a, i))

    def _rooms_at(self, door: Cell) -> tuple[Room, Room]:
        r, c = door
        across = (r + 1) % (self.room + 1) == 0 and r < self.blocked.shape[0] - 1
        beside = ((r - 1, c), (r + 1, c)) if across else ((r, c - 1), (r, c + 1))
        first, second = ((self._room_index(r, 0), self._room_index(c, 1)) for r, c in beside)
        return first, second

    def _room_index(self, x: int, axis: int) -> int:
        """The row or column of rooms that a coordinate belongs to; the last one takes a rest too short for a wall."""
        last = len(range(self.room, self.blocked.shape[axis] - 1, self.room + 1))
        return min(x // (self.room + 1), last)

    def toggle(self, i: int) -> None:
        """Open a door, or shut it if all rooms stay connected, that is if its two rooms do."""
        self.is_closed[i] = not self.is_closed[i]
        if self.is_closed[i] and not self._is_connected(*self.rooms_of_door[i]):
            self.is_closed[i] = False

    def _is_connected(self, a: Room, b: Room) -> bool:
        """Search from both rooms at once: where there is a way it is mostly short."""
        sides = {a: 0, b: 1}
        waiting = deque([a, b])
        left = [1, 1]  # rooms of each side that are still to be looked at
        while left[0] and left[1]:
            here = waiting.popleft()
            side = sides[here]
            left[side] -= 1
            for there, door in self.adjacent_rooms[here]:
                if self.is_closed[door]:
                    continue
                if sides.get(there, side) != side:
                    return True
                if there not in sides:
                    sides[there] = side
                    left[side] += 1
                    waiting.append(there)
        return False

    def to_map(self) -> np.ndarray:
        """True where a cell is blocked now."""
        now = self.blocked.copy()
        for door, shut in zip(self.doors, self.is_closed, strict=True):
            now[door] = shut
        return now
