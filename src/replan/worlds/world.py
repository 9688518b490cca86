"""The truth, what happens to it, and what an agent gets to see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from replan.arrays import empty, view
from replan.errors import InputError
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.space import Space
from replan.worlds.changes import Change, compile_changes
from replan.worlds.sensors import Everywhere, Radius, Sensor, sensor_for


class World:
    """The terrain as it is, in which an agent moves that may know less.

    space: the truth; it is not changed. sensor: "adjacent" (the cells that a step could enter if all were free; the
    edges that leave a node), "everything", or `Radius(r)`. known: what the agent believes at first: "nothing" (all is
    free and cheap until seen otherwise), "everything", or a space of the same shape. changes: `(step, cell, to)` with
    `to` "blocked", "free" or a weight; a step is a move or a wait, and a cell is not blocked while the agent stands
    on it. target: a list of cells that the goal visits, one a step from step 1 on; it stays on the last.
    """

    space: Space
    truth: Space
    belief: Space
    time: int
    target_at: int
    still: bool
    eye: Sensor

    def __init__(
        self,
        space: Space,
        sensor: str | Radius = "adjacent",
        known: str | Space = "nothing",
        changes: Iterable[Change] | None = None,
        target: Iterable[Any] | None = None,
    ) -> None:
        if not isinstance(space, (Grid, Graph)):
            raise InputError(f"a world is made of a Grid or a Graph, not of {type(space).__name__}")
        self.space, self.sensor, self.known = space, sensor, known
        self.changes, when, what, value = compile_changes(changes or (), space)
        self.when, self.what, self.value = view(when), view(what), view(value)
        self.postponed = empty(len(when) + 1, np.int32)
        self.target = None if target is None else list(target)
        if self.target is not None and not self.target:
            raise InputError("the target visits no cell: give its path, or target=None")
        route = [space.state(cell) for cell in self.target or ()]
        self.route = view(np.array(route or [-1], np.int32))
        self.cells = space.cells
        self.known_free: Space | None = None
        self._set_up_belief()
        self.eye = sensor_for(sensor, self.truth, self.belief)
        self.everywhere = self.eye if isinstance(self.eye, Everywhere) else None
        self.still = not self.changes and self.target is None

    def _set_up_belief(self) -> None:
        if isinstance(self.known, str):
            if self.known not in ("nothing", "everything"):
                raise InputError(f"known is 'nothing', 'everything' or a space, not {self.known!r}")
        elif type(self.known) is not type(self.space) or self.known.n != self.space.n:
            raise InputError("the map that is known has another size or kind than the world")
        self.truth = self.space.copy() if self.changes else self.space
        if not self.changes and (self.sensor == "everything" or self.known == "everything"):
            self.belief = self.space  # nothing will ever be news
        else:
            self.belief = self.space.copy()

    def begin(self) -> Space:
        """Go back to step 0, and return what the agent believes then."""
        if self.belief is not self.space:
            self.belief.assign(self._first_belief())
        self.rewind()
        return self.belief

    def rewind(self) -> None:
        """Go back to step 0; the agent still believes what it has seen."""
        self.time = 0
        self.due = self.late = 0
        self.target_at = self.route[0] if self.target else -1
        if self.everywhere is not None:
            self.everywhere.forget()
            for place in {int(p) for p in np.asarray(self.what)}:  # what happened on the last trip is undone
                self.everywhere.report(place)
        if self.truth is not self.space:
            self.truth.assign(self.space)

    def _first_belief(self) -> Space:
        if self.sensor == "everything" or self.known == "everything":
            return self.space
        if self.known == "nothing":
            if self.known_free is None:
                self.known_free = self.space.believed_free()
            return self.known_free
        assert isinstance(self.known, Space)
        return self.known

    def tick(self, at: int) -> int:
        """One step of time passes while an agent is at `at`: what is due happens, the target moves."""
        self.time += 1
        kept = 0
        for k in range(self.late):  # cells that the agent kept open
            i = self.postponed[k]
            if not self.happen(i, at):
                self.postponed[kept] = i
                kept += 1
        self.late = kept
        while self.due < len(self.when) and self.when[self.due] <= self.time:
            if self.what[self.due] == at:
                self.late = 0  # overtaken by a later change of the same cell
            if not self.happen(self.due, at):
                self.postponed[self.late] = self.due
                self.late += 1
            self.due += 1
        if self.target_at >= 0:
            self.target_at = self.route[min(self.time, len(self.route) - 1)]
        return 0

    def happen(self, i: int, at: int) -> bool:
        """Change number i happens, unless it would wall the agent in where it stands."""
        if self.cells and self.what[i] == at and self.value[i] == 0:
            return False
        self.truth.put(self.what[i], self.value[i])
        if self.everywhere is not None:
            self.everywhere.report(self.what[i])
        return True

    def more_to_come(self) -> bool:
        """May waiting help? (A cell that waits for the agent to leave it does not.)"""
        return self.due < len(self.when) or (self.target_at >= 0 and self.time < len(self.route) - 1)

    def __repr__(self) -> str:
        return f"<World: {self.space!r}, sensor {self.sensor!r}, known {self.known!r}, {len(self.changes)} changes>"
