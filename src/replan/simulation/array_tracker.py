"""The values that a planner has by state, as a story keeps them: after each episode, those that are new.

A search tells which states it has expanded (`log.py`), and only these and those a step away can have got other values:
so the work is that of the search, not of the map. Where more may have changed (`Log.wide`), or where nobody can tell (a
space or a planner of the user's), all states are looked at.
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
    """An array before the first episode."""
    return np.zeros(n, bool) if kind == "bool" else np.full(n, -1, np.int64)


class ArrayTracker:
    """The values after the last episode. kinds: "bool" or "int" for each name. wide: look at all states next time."""

    def __init__(self, planner: Planner) -> None:
        self.planner, self.n, self.must_compare_all = planner, planner.space.n, True
        self.is_user_planner = (
            type(planner).snapshot is not Planner.snapshot
        )  # a planner written in Python that shows something
        # can it show a part? What a planner keeps itself may change without a search that logs its states
        self.can_read_part = not (
            self.is_user_planner or any(column.is_shown for column in planner.state_table.columns)
        )
        first = self._read_arrays(slice(None))
        self.kinds = {name: "bool" if array.dtype == bool else "int" for name, array in first.items()}
        self.values = {name: empty_array(kind, self.n) for name, kind in self.kinds.items()}
        self.changed_locations: list[Array] = []  # that are believed to be other than they were in the last episode
        self.recent_states = (
            NO_STATES  # states that the last search from the agent has values of, which the next one forgets
        )

    def add_changed_locations(self, places: Array) -> None:
        """The agent believes something new of these places."""
        self.changed_locations.append(places)

    def changed_values(
        self, space: Space, log: EventLog, first: int, at: int, goals: Iterable[int]
    ) -> dict[str, tuple[Array, Array]]:
        """By name, (states, values) that are new since the last episode; and "learned": states, and their h before.

        first: of the log, from which on it tells of this episode.
        """
        numbers, kinds, values = log.entries(first)
        ends = np.array([at, *goals], np.int32)
        beside = space._affected_states(
            np.concatenate([numbers, ends]), np.concatenate([NO_STATES, *self.changed_locations])
        )
        expanded = numbers[kinds == EXPANDED]
        recent = space._affected_states(np.concatenate([expanded, ends]), NO_STATES)
        looked_at: Any = slice(None)
        if self.can_read_part and not (log.pop_is_incomplete() or self.must_compare_all) and beside is not None:
            looked_at = np.union1d(beside, self.recent_states)
        if recent is not None:
            self.recent_states = recent if len(expanded) else np.union1d(self.recent_states, recent)
        self.must_compare_all, self.changed_locations = False, []
        learned = values >= 0
        return {**self._compare(looked_at), "learned": (numbers[learned], values[learned])}

    def _compare(self, looked_at: Any) -> dict[str, tuple[Array, Array]]:
        shown, different = self._read_arrays(looked_at), {}
        states = np.arange(self.n, dtype=np.int32)[looked_at] if isinstance(looked_at, slice) else looked_at
        for name in self.kinds:
            if name in shown:
                new = np.flatnonzero(shown[name] != self.values[name][looked_at])
                self.values[name][states[new]] = shown[name][new]
                different[name] = states[new].astype(np.int32), shown[name][new].astype(np.int64)
        return different

    def _read_arrays(self, states: Any) -> dict[str, Array]:
        """The planner's arrays, in ticks; of one written in Python those that have one number a state."""
        if self.can_read_part:
            return self.planner._table_arrays(states)
        shown = self.planner.snapshot() if self.is_user_planner else self.planner._table_arrays()
        arrays = {str(name): np.asarray(array) for name, array in shown.items()} if isinstance(shown, dict) else {}
        fits = {name: array for name, array in arrays.items() if array.shape == (self.n,) and array.dtype.kind in "biu"}
        return {name: array[states] for name, array in fits.items()}
