"""What a search has written beside its states, as differences from one episode to the next.

For A* and its kin: g and h of the states that the search has met, and how far h has been raised above what it was at
first. For D* Lite and its kin: g and rhs, and who is queued. A new search forgets g of the one before: `reset` says so
where that takes fewer numbers than to list what is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.simulation.moments import Moment
    from replan.viewer.frames import PageCells

OPEN, CLOSED = 1, 2
Array = np.ndarray[Any, Any]
NOBODY = np.empty(0, np.int64)


class Values:
    """Follows the values of one story. names: the planner's arrays that it keeps."""

    def __init__(self, space: Space, names: Mapping[str, str]) -> None:
        self.space, self.named = space, "g" in names
        kept = [name for name in ("g", "h", "rhs", "open", "closed") if name in names] if self.named else []
        self.now = {name: np.full(space.n, 0 if name in ("open", "closed") else -1, np.int64) for name in kept}
        self.met = NOBODY  # who has a g, or is queued
        self.goals: tuple[int, ...] = ()
        self.moves = -1  # of the goals
        if "h" in kept:
            self.first_h, self.raised = NOBODY, np.zeros(space.n, np.int64)
            self.noted = np.zeros(space.n, bool)  # whose first h was told by a search
            self.learns = False

    def after(self, moment: Moment, changes: Mapping[str, tuple[Array, Array]], cells: PageCells) -> dict[str, Any]:
        """The arrays of a frame that tell what an episode has changed. changes: as `Story.array_changes` has them."""
        if not self.named:
            return {}
        for name, column in self.now.items():
            states, new = changes[name]
            column[states] = new
        changed = np.unique(np.concatenate([NOBODY, *(changes[name][0] for name in self.now)]))
        raised = self._learn(changed, moment, *changes["h_before"]) if "h" in self.now else NOBODY
        found: dict[str, Any] = {}
        if "rhs" not in self.now:
            changed = self._forget(np.union1d(changed, raised), raised, found)
        if len(changed):
            found["states"] = "d32", cells.of(changed)
            for name, column in self._shown(changed).items():
                found[name] = ("u8" if name == "flags" else "d32"), column
        return found

    def _learn(self, changed: Array, moment: Moment, states: Array, before: Array) -> Array:
        """Work out how far h has been raised; those where that is new. states, before: who learned, and h before."""
        again = self._look_at(moment.goals)
        new = ~self.noted[states]
        if self.moves == 0:  # what h was at first is known exactly
            self.first_h[states[new][::-1]] = before[new][::-1]
            self.noted[states] = True
        if moment.counts.h_increase == 0:  # of planners that do not learn h may be anything else, as from the goal
            return NOBODY
        again, self.learns = again or not self.learns, True
        h = self.now["h"]
        looked_at = np.flatnonzero(h >= 0) if again else changed
        raised = np.where(h[looked_at] >= 0, np.maximum(h[looked_at] - self.first_h[looked_at], 0), 0)
        differs = raised != self.raised[looked_at]
        self.raised[looked_at] = raised
        found: Array = looked_at[differs]
        return found

    def _look_at(self, goals: Array) -> bool:
        """Are there other goals than at the last episode? Then h was another one at first."""
        wanted = tuple(map(int, goals[:16]))
        if wanted == self.goals:
            return False
        self.goals, self.first_h = wanted, np.min([self.space.distances_to(goal) for goal in wanted], axis=0)
        self.moves += 1
        return True

    def _forget(self, changed: Array, raised: Array, found: dict[str, Any]) -> Array:
        """Leave those out that a new search has forgotten, if that is shorter."""
        together = np.union1d(self.met, changed)
        self.met = together[(self.now["g"][together] >= 0) | (self._flags(together) > 0)]
        fresh = np.union1d(self.met, raised)
        if len(fresh) >= len(changed):
            return changed
        found["reset"] = "u8", [1]
        return fresh

    def _flags(self, states: Array) -> Array:
        flags = np.zeros(len(states), np.int64)
        for name, flag in (("open", OPEN), ("closed", CLOSED)):
            if name in self.now:
                flags += flag * (self.now[name][states] > 0)
        return flags

    def _shown(self, states: Array) -> dict[str, Array]:
        shown = {"g": self.now["g"][states], "flags": self._flags(states)}
        if "rhs" in self.now:
            shown["rhs"] = self.now["rhs"][states]
        elif "h" in self.now:
            shown["h"] = np.where(shown["g"] >= 0, self.now["h"][states], -1)
            shown["raised"] = self.raised[states]
        return shown
