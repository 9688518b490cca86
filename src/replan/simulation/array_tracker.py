"""Tracking of the arrays that a planner has by state: after each search, the values that have changed.

The log of a search has the states that it has expanded (`log.py`). Only these and their neighbours can have new values,
so the work grows with the search, not with the map. If the log is incomplete, or the space or the planner is written by
the user, all states are compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from replan.limits import EXPANDED
from replan.log import EventLog
from replan.planners.base import Planner
from replan.simulation.steps import Array
from replan.spaces.space import Space

NO_STATES = np.empty(0, np.int32)


def empty_array(kind: str, n: int) -> Array:
    """Return an array as it is before the first search."""
    return np.zeros(n, bool) if kind == "bool" else np.full(n, -1, np.int64)


class ArrayTracker:
    """The values after the last search. `must_compare_all`: compare all states after the next one."""

    def __init__(self, planner: Planner) -> None:
        self.planner, self.n, self.must_compare_all = planner, planner.space.n, True
        # a planner written in Python has a snapshot of its own
        self.is_user_planner = type(planner).snapshot is not Planner.snapshot
        # values that a user's planner or column holds may change without a search that logs their states
        self.can_read_part = not (
            self.is_user_planner or any(column.is_shown for column in planner.state_table.columns)
        )
        initial_arrays = self._read_arrays(slice(None))
        self.kinds = {name: "bool" if array.dtype == bool else "int" for name, array in initial_arrays.items()}
        self.values = {name: empty_array(kind, self.n) for name, kind in self.kinds.items()}
        self.changed_locations: list[Array] = []  # that the agent believes to have changed since the last search
        self.recent_states = NO_STATES  # states with values of the last search, which the next one resets

    def add_changed_locations(self, locations: Array) -> None:
        """Note locations whose believed value has changed."""
        self.changed_locations.append(locations)

    def changed_values(
        self, space: Space, log: EventLog, log_start: int, agent_state: int, goals: Iterable[int]
    ) -> dict[str, tuple[Array, Array]]:
        """Return (states, values) that have changed since the last search, by name; "learned" has states and old h.

        log_start: index of the first entry of this search in the log.
        """
        numbers, kinds, values = log.entries(log_start)
        ends = np.array([agent_state, *goals], np.int32)
        affected = space._affected_states(
            np.concatenate([numbers, ends]), np.concatenate([NO_STATES, *self.changed_locations])
        )
        expanded = numbers[kinds == EXPANDED]
        recent = space._affected_states(np.concatenate([expanded, ends]), NO_STATES)
        compared: Any = slice(None)
        if self.can_read_part and not (log.pop_is_incomplete() or self.must_compare_all) and affected is not None:
            compared = np.union1d(affected, self.recent_states)
        if recent is not None:
            self.recent_states = recent if len(expanded) else np.union1d(self.recent_states, recent)
        self.must_compare_all, self.changed_locations = False, []
        learned = values >= 0
        return {**self._compare(compared), "learned": (numbers[learned], values[learned])}

    def _compare(self, compared: Any) -> dict[str, tuple[Array, Array]]:
        """Return (states, values) that have changed among some states, by name."""
        arrays, changes = self._read_arrays(compared), {}
        states = np.arange(self.n, dtype=np.int32)[compared] if isinstance(compared, slice) else compared
        for name in self.kinds:
            if name in arrays:
                changed = np.flatnonzero(arrays[name] != self.values[name][compared])
                self.values[name][states[changed]] = arrays[name][changed]
                changes[name] = states[changed].astype(np.int32), arrays[name][changed].astype(np.int64)
        return changes

    def _read_arrays(self, states: Any) -> dict[str, Array]:
        """Return the planner's arrays, in cost units. Of a user's planner, those with a number for each state."""
        if self.can_read_part:
            return self.planner._table_arrays(states)
        snapshot = self.planner.snapshot() if self.is_user_planner else self.planner._table_arrays()
        arrays = (
            {str(name): np.asarray(array) for name, array in snapshot.items()} if isinstance(snapshot, dict) else {}
        )
        readable = {
            name: array for name, array in arrays.items() if array.shape == (self.n,) and array.dtype.kind in "biu"
        }
        return {name: array[states] for name, array in readable.items()}
