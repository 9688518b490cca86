"""The values g, h and rhs of a search, as differences from one episode to the next.

For A* and similar searches: g and h of the generated states, and how far h was raised above its initial value. For
D* Lite and similar searches: g, rhs, and the states in the queue. A new search deletes the values of g of the previous
one. The flag `reset` says that, if it is shorter than a list of the deleted states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.simulation.steps import StoryStep
    from replan.viewer.messages import PageCells

OPEN, CLOSED = 1, 2
Array = np.ndarray[Any, Any]
NO_STATES = np.empty(0, np.int64)


class SearchValues:
    """Values of one story. names: the recorded arrays of the planner."""

    def __init__(self, space: Space, names: Mapping[str, str]) -> None:
        self.space, self.has_g = space, "g" in names
        kept = [name for name in ("g", "h", "rhs", "open", "closed") if name in names] if self.has_g else []
        self.current = {name: np.full(space.n, 0 if name in ("open", "closed") else -1, np.int64) for name in kept}
        self.generated = NO_STATES  # states that have a g or are queued
        self.goals: tuple[int, ...] = ()
        self.goal_changes = -1  # number of changes of the goals
        if "h" in kept:
            self.first_h, self.h_raised_by = NO_STATES, np.zeros(space.n, np.int64)
            self.has_first_h = np.zeros(space.n, bool)  # states whose initial h is known from a search
            self.has_learned = False

    def encode_episode(
        self, moment: StoryStep, changes: Mapping[str, tuple[Array, Array]], cells: PageCells
    ) -> dict[str, Any]:
        """Return the arrays of a message with the changes of an episode. changes: from `Story.array_changes`."""
        if not self.has_g:
            return {}
        for name, column in self.current.items():
            states, new = changes[name]
            column[states] = new
        changed = np.unique(np.concatenate([NO_STATES, *(changes[name][0] for name in self.current)]))
        raised = self._update_raised(changed, moment, *changes["h_before"]) if "h" in self.current else NO_STATES
        found: dict[str, Any] = {}
        if "rhs" not in self.current:
            changed = self._drop_forgotten(np.union1d(changed, raised), raised, found)
        if len(changed):
            found["states"] = "d32", cells.cells_of(changed)
            for name, column in self._encoded_arrays(changed).items():
                found[name] = ("u8" if name == "flags" else "d32"), column
        return found

    def _update_raised(self, changed: Array, moment: StoryStep, states: Array, before: Array) -> Array:
        """Update how far h was raised. Returns the changed states. states, before: learned states, and h before."""
        again = self._update_goals(moment.goals)
        new = ~self.has_first_h[states]
        if self.goal_changes == 0:  # the initial h is known exactly
            self.first_h[states[new][::-1]] = before[new][::-1]
            self.has_first_h[states] = True
        if moment.counts.h_increase == 0:  # without learning, h may be something else, such as a distance from the goal
            return NO_STATES
        again, self.has_learned = again or not self.has_learned, True
        h = self.current["h"]
        looked_at = np.flatnonzero(h >= 0) if again else changed
        raised = np.where(h[looked_at] >= 0, np.maximum(h[looked_at] - self.first_h[looked_at], 0), 0)
        differs = raised != self.h_raised_by[looked_at]
        self.h_raised_by[looked_at] = raised
        found: Array = looked_at[differs]
        return found

    def _update_goals(self, goals: Array) -> bool:
        """True if the goals differ from those of the last episode; the initial h is then another one."""
        wanted = tuple(map(int, goals[:16]))
        if wanted == self.goals:
            return False
        self.goals, self.first_h = wanted, np.min([self.space.distances_to(goal) for goal in wanted], axis=0)
        self.goal_changes += 1
        return True

    def _drop_forgotten(self, changed: Array, raised: Array, found: dict[str, Any]) -> Array:
        """Leave out the states that a new search has deleted, if that is shorter."""
        together = np.union1d(self.generated, changed)
        self.generated = together[(self.current["g"][together] >= 0) | (self._flags(together) > 0)]
        fresh = np.union1d(self.generated, raised)
        if len(fresh) >= len(changed):
            return changed
        found["reset"] = "u8", [1]
        return fresh

    def _flags(self, states: Array) -> Array:
        flags = np.zeros(len(states), np.int64)
        for name, flag in (("open", OPEN), ("closed", CLOSED)):
            if name in self.current:
                flags += flag * (self.current[name][states] > 0)
        return flags

    def _encoded_arrays(self, states: Array) -> dict[str, Array]:
        shown = {"g": self.current["g"][states], "flags": self._flags(states)}
        if "rhs" in self.current:
            shown["rhs"] = self.current["rhs"][states]
        elif "h" in self.current:
            shown["h"] = np.where(shown["g"] >= 0, self.current["h"][states], -1)
            shown["raised"] = self.h_raised_by[states]
        return shown
