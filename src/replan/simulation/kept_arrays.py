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
from replan.log import Log
from replan.planners.base import Planner
from replan.simulation.moments import Array
from replan.spaces.space import Space

NOTHING = np.empty(0, np.int32)


def nothing_known(kind: str, n: int) -> Array:
    """An array before the first episode."""
    return np.zeros(n, bool) if kind == "bool" else np.full(n, -1, np.int64)


class KeptArrays:
    """The values after the last episode. kinds: "bool" or "int" for each name. wide: look at all states next time."""

    def __init__(self, planner: Planner) -> None:
        self.planner, self.n, self.wide = planner, planner.space.n, True
        self.own = type(planner).snapshot is not Planner.snapshot  # a planner written in Python that shows something
        # can it show a part? What a planner keeps itself may change without a search that logs its states
        self.some = not (self.own or any(column.is_shown for column in planner.state_table.columns))
        first = self._shown(slice(None))
        self.kinds = {name: "bool" if array.dtype == bool else "int" for name, array in first.items()}
        self.now = {name: nothing_known(kind, self.n) for name, kind in self.kinds.items()}
        self.places: list[Array] = []  # that are believed to be other than they were in the last episode
        self.fresh = NOTHING  # states that the last search from the agent has values of, which the next one forgets

    def believed(self, places: Array) -> None:
        """The agent believes something new of these places."""
        self.places.append(places)

    def news(self, space: Space, log: Log, first: int, at: int, goals: Iterable[int]) -> dict[str, tuple[Array, Array]]:
        """By name, (states, values) that are new since the last episode; and "learned": states, and their h before.

        first: of the log, from which on it tells of this episode.
        """
        numbers, kinds, values = log.listed(first)
        ends = np.array([at, *goals], np.int32)
        beside = space._around(np.concatenate([numbers, ends]), np.concatenate([NOTHING, *self.places]))
        expanded = numbers[kinds == EXPANDED]
        recent = space._around(np.concatenate([expanded, ends]), NOTHING)
        looked_at: Any = slice(None)
        if self.some and not (log.was_wide() or self.wide) and beside is not None:
            looked_at = np.union1d(beside, self.fresh)
        if recent is not None:
            self.fresh = recent if len(expanded) else np.union1d(self.fresh, recent)
        self.wide, self.places = False, []
        learned = values >= 0
        return {**self._different(looked_at), "learned": (numbers[learned], values[learned])}

    def _different(self, looked_at: Any) -> dict[str, tuple[Array, Array]]:
        shown, different = self._shown(looked_at), {}
        states = np.arange(self.n, dtype=np.int32)[looked_at] if isinstance(looked_at, slice) else looked_at
        for name in self.kinds:
            if name in shown:
                new = np.flatnonzero(shown[name] != self.now[name][looked_at])
                self.now[name][states[new]] = shown[name][new]
                different[name] = states[new].astype(np.int32), shown[name][new].astype(np.int64)
        return different

    def _shown(self, states: Any) -> dict[str, Array]:
        """The planner's arrays, in ticks; of one written in Python those that have one number a state."""
        if self.some:
            return self.planner._arrays(states)
        shown = self.planner.snapshot() if self.own else self.planner._arrays()
        arrays = {str(name): np.asarray(array) for name, array in shown.items()} if isinstance(shown, dict) else {}
        fits = {name: array for name, array in arrays.items() if array.shape == (self.n,) and array.dtype.kind in "biu"}
        return {name: array[states] for name, array in fits.items()}
