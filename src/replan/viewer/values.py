"""What a search has written beside its states, as differences from one episode to the next.

For A* and its kin: g and h of the states that the search has met, and how far h has been raised above what it was at
first. For D* Lite and its kin: g and rhs, and who is queued. A new search forgets g of the one before: `reset` says so
where that takes fewer numbers than to list what is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from replan.limits import DIAGONAL, STRAIGHT
from replan.spaces.grid import Grid

if TYPE_CHECKING:
    from replan.viewer.frames import Cells

MOST_CELLS = 600 * 600  # on larger maps to compare all values would take longer than to plan
OPEN, CLOSED = 1, 2
Array = np.ndarray[Any, Any]


class Values:
    """Follows the values of one story."""

    def __init__(self, grid: Grid, shown: bool = True, numbers: bool | None = None) -> None:
        self.grid = grid
        self.shown = shown  # the order of expansion and all else of an episode
        self.numbers = grid.rows * grid.cols <= MOST_CELLS if numbers is None else numbers
        self.before: dict[str, Array] = {}
        self.estimate: Array | None = None
        self.goals: tuple[int, ...] = ()

    def after(self, shot: dict[str, Array] | None, goals: Array, cells: Cells) -> dict[str, tuple[str, Any]]:
        """The arrays that tell what an episode has changed. shot: the planner's arrays after it, None if not kept."""
        if not self.numbers or shot is None or "g" not in shot:
            return {}
        now = self._now(shot, goals)
        empty = {name: np.full(len(column), -1 if name != "flags" else 0, np.int64) for name, column in now.items()}
        changed = _differences(now, self.before or empty)
        fresh = _differences(now, empty, but=("raised",))
        found: dict[str, tuple[str, Any]] = {}
        if len(fresh) < len(changed):
            changed = np.union1d(fresh, _differences(now, self.before or empty, only=("raised",)))
            found["reset"] = "u8", [1]
        if len(changed):
            found["states"] = "d32", cells.of(changed)
            for name, column in now.items():
                found[name] = ("u8" if name == "flags" else "d32"), column[changed]
        self.before = now
        return found

    def _now(self, shot: dict[str, Array], goals: Array) -> dict[str, Array]:
        now = {"g": shot["g"].astype(np.int64)}
        nobody = np.zeros(len(now["g"]), bool)
        now["flags"] = shot.get("open", nobody) * OPEN + shot.get("closed", nobody) * CLOSED
        if "rhs" in shot:
            now["rhs"] = shot["rhs"].astype(np.int64)
        elif "h" in shot:
            h = shot["h"].astype(np.int64)
            now["h"] = np.where(now["g"] >= 0, h, -1)
            now["raised"] = np.where(h >= 0, np.maximum(h - self._first_h(goals), 0), -1)
        return now

    def _first_h(self, goals: Array) -> Array:
        wanted = tuple(map(int, goals[:16]))
        if self.estimate is None or wanted != self.goals:
            self.goals, self.estimate = wanted, np.min([_estimates(self.grid, goal) for goal in wanted], axis=0)
        return self.estimate


def _differences(now: dict[str, Array], before: dict[str, Array], but: tuple[str, ...] = (), only: Any = None) -> Array:
    differs = np.zeros(len(now["g"]), bool)
    for name, column in now.items():
        if name not in but and (only is None or name in only):
            differs |= column != before[name]
    return np.flatnonzero(differs)


def _estimates(grid: Grid, goal: int) -> Array:
    """`Grid.distance` of all states to one, in ticks: what h is before any learning."""
    states = np.arange(grid.n)
    width = grid.cols + 2
    down, right = abs(states // width - goal // width), abs(states % width - goal % width)
    if grid.neighbors == 4:
        return np.asarray((down + right) * grid.unit)
    least, most = np.minimum(down, right), np.maximum(down, right)
    return np.asarray(grid.unit // STRAIGHT * (STRAIGHT * (most - least) + DIAGONAL * least))
