"""A field: one search that serves all agents with the same goal.

It is D* Lite with h = 0: no key depends on where an agent stands, so k_m stays 0 and one search, backward from the
goals, leads every agent. It goes as far as the farthest agent that has asked, and is repaired where costs have changed
(the bounded form of Ramalingam and Reps: An Incremental Algorithm for a Generalization of the Shortest-Path Problem,
1996; games call it a flow field). A heuristic would have to hold for all agents at once, and gain nothing: the search
must come to the farthest of them anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import view
from replan.budget import Budget
from replan.clock import deadline_in, now_ns
from replan.errors import InputError
from replan.extensions import checked_instance
from replan.formatting import format_count
from replan.initialized import Initialized
from replan.limits import INF
from replan.locking import read_lock
from replan.maps.files import PathLike
from replan.planners import saved_file
from replan.planners.dstar_lite import IncrementalPlanner
from replan.queues.base import OpenList
from replan.queues.factory import make_single_key_queue
from replan.search.incremental import Incremental, raise_cyclic_path
from replan.serialization import Archive, copy_sharing, deep_copy, reduce_object
from replan.spaces.change_log import ChangeLog
from replan.spaces.goals import Goals
from replan.spaces.observations import parse_map_observation, parse_observation, states_of
from replan.spaces.space import Space, check_space, key_to_state

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints


class FlowFieldSearch(IncrementalPlanner):
    """The search of a field: no agent, no path."""

    def __init__(self, open: OpenList) -> None:
        self._init_incremental(open, "zero", "changed", False)
        self.search = self.add_table(Incremental(self.open, self.user_heuristic))

    def constructor_args(self) -> tuple[Any, ...]:
        return FlowFieldSearch, self.open.constructor_args()

    def serialize_trip(self, archive: Archive) -> None:
        IncrementalPlanner.serialize_trip(self, archive)
        archive.require(not self.is_started or self.marked_length < 0, "a field has no path")

    def reserve_path(self, n: int) -> None:
        self.planned_path.reserve(1, 0)

    def search_ways(self, states: memoryview, known: memoryview, limit: int, deadline: int) -> int:
        """Search on for one state after the other, and say of each whether its way is known: 1 or 0. How many are?"""
        found, left = 0, limit
        if len(states) > 0:
            self.update_search(states[0])  # where agents stand does not matter here, only what has changed
        for i in range(len(states)):
            before = self.expansions
            self.search.target = states[i]
            if deadline > 0 and left > 0 and now_ns() >= deadline:
                left = 0
            done = self.continue_search(left, deadline)
            if left < INF:
                left = max(0, left - (self.expansions - before))
            known[i] = done
            found += done
        return found

    def path_states(self, s: int, most: int) -> list[int] | None:
        """The way that the search has found from a state, at most so many states of it. None if there is none."""
        if self.search.rhs[s] >= INF:
            return None
        states: list[int] = []
        while not self.goals.is_goal(s) and len(states) < most:
            s = self.search.next[s]
            states.append(s)
            if s < 0 or len(states) > self.space.n:
                raise_cyclic_path()
        return states


class FlowField(Initialized):
    """The ways of all agents that have the same goal, and believe the same.

    space: it may be shared with agents and others; what one of them changes is known to all. goals: a cell (node of a
    graph) or a set of them. `expansions` counts since the field was made. Agents do not stand in each other's way.
    Raises InputError for cells that are not on the map.

    >>> import numpy as np, replan
    >>> field = replan.FlowField(replan.Grid(np.zeros((3, 4), bool), neighbors=4), (0, 3))
    >>> field.advance([(0, 1), (2, 0)], replan.Expansions(5))
    array([ True, False])
    >>> field.path((0, 1)), field.step((1, 3)), field.cost((2, 0))
    ([(0, 2), (0, 3)], (0, 3), 5.0)
    >>> field.observe([(0, 2)], [True]), field.observe_map(np.ones((1, 2), bool), at=(2, 1))
    (1, 2)
    >>> field.path((0, 1))
    [(1, 1), (1, 2), (1, 3), (0, 3)]
    >>> field.sync()
    >>> field.goals, field._on_external_change(), field.expansions > 0, int(field.snapshot()["g"].max())
    ((0, 3), True, True, 4)
    >>> field.retarget({(2, 3), (2, 0)})
    >>> field.step((1, 3))
    (2, 3)
    """

    space: Space
    _search: FlowFieldSearch
    log_position: int

    def __init__(self, space: Space, goals: Any) -> None:
        self.check_not_initialized()
        check_space(space)
        given = Goals.from_keys(space, goals)
        search = FlowFieldSearch(make_single_key_queue(space.max_edge_round_trip))
        search.begin(space, given)
        self.space = space
        self.changed, self.log_position = self.space.make_changed_states(), self.space.change_log.subscribe(self)
        self._search = search
        self.is_initialized = True

    @property
    def expansions(self) -> int:
        """States expanded since the field was made."""
        self.check_initialized()
        return self._search.expansions

    @property
    def goals(self) -> Any:
        """Where it leads: a cell, or the set of them if there are several."""
        self.check_initialized()
        keys = self.space.keys(self._search.goals.states)
        return keys[0] if len(keys) == 1 else set(keys)

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<Field, not made yet>"
        count = self._search.goals.count
        goals = self.goals if count == 1 else f"{count:,} goals"
        return f"<Field to {goals}: {format_count(self._search.expansions, 'expansion')}>"

    # Saving: see `replan/serialization.py`, `planners/saved_file.py` and `replan/locking.py`.

    def save(self, path: PathLike) -> None:
        """Write the field to a file that `load` reads. See `Agent.save`.

        Parameters
        ----------
        path
            The file. One that was there before is replaced when the new one is complete.

        Raises
        ------
        InputError
            If the file cannot be written, or the space is a class of your own.
        RuntimeError
            If the field is in the middle of a search.

        Examples
        --------
        >>> import numpy as np, pathlib, replan, tempfile
        >>> field = replan.FlowField(replan.Grid(np.zeros((3, 3), bool)), (0, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     field.save(pathlib.Path(folder, "saved.replan"))
        ...     loaded = replan.FlowField.load(pathlib.Path(folder, "saved.replan"))
        >>> loaded.path((0, 0))
        [(0, 1), (0, 2)]
        """
        saved_file.save(self, path)

    @classmethod
    def load(cls, path: PathLike) -> FlowField:
        """Read a field that `save` has written. It leads on as the saved one would.

        Parameters
        ----------
        path
            The file. It needs no trust: nothing in it is executed.

        Returns
        -------
        Field
            The field, in a space of its own.

        Raises
        ------
        InputError
            If the file cannot be read, is damaged, or holds something else.
        """
        return saved_file.load(path, FlowField)

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self.check_initialized()
        self._replace_queue()  # a copy that is loaded could not begin with a queue that is too small
        with read_lock(self._search):
            yield (self,)

    def __reduce__(self) -> Any:
        """A copy that goes on as this field would, for `copy` and `pickle`."""
        with read_lock(self):
            self.read_changes(self.space.change_log)
            return reduce_object(self, (FlowField, self.space, self._search), Archive(self))

    def __copy__(self) -> FlowField:
        """A field of its own in the same space."""
        self.check_initialized()
        return copy_sharing(self, *self.space.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        space, search = args
        self.check_not_initialized()
        check_space(space)
        mine = getattr(checked_instance(FlowFieldSearch, search), "space", None) is space
        if not mine:
            raise InputError("its search is of another space")
        self.space = space
        self.changed, self.log_position = self.space.make_changed_states(), self.space.change_log.subscribe(self)
        self._search = search
        self.is_initialized = True

    # What is believed.

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Say what was seen, as to an Agent: for each cell whether it is blocked, or its weight. How much is news?"""
        self.check_initialized()
        places, values = parse_observation(self.space, cells, blocked, weights)
        return self.apply_changes(view(places), view(values))

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        at: Any = None,
        seen: ArrayLike | None = None,
    ) -> int:
        """Say what was seen of a whole map, or of a window of it, as to an Agent. How many cells are news?"""
        self.check_initialized()
        places, values = parse_map_observation(self.space, blocked, weights, at, seen)
        return self.apply_changes(view(places), view(values))

    def apply_changes(self, places: memoryview, values: memoryview) -> int:
        news = 0
        self._search._check_not_busy()
        self.space.begin_change()
        try:
            for i in range(len(places)):
                news += self.apply_change(places[i], values[i])
        finally:
            self.space.end_change()
        return news

    def apply_change(self, place: int, value: int) -> int:
        """Believe that a place has this value (0 blocked, else weight or cost). 1 if that is news."""
        old = self.space.read_value(place)
        if old == value:
            return 0
        self.space.change_log.reserve(self.changed)
        k = self.space.write_value(self.changed, place, value)
        self.space.change_log.add(self.changed, k, value == 0 or (old != 0 and value > old))
        return 1

    def sync(self) -> None:
        """Take in what has changed in the space. Searching does so first of all."""
        self.check_initialized()
        self._search._check_not_busy()
        self._replace_queue()
        self.read_changes(self.space.change_log)

    def _on_external_change(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a search or another thread is at work here."""
        self.check_initialized()
        if self._search.is_busy:
            return self.log_position == self.space.change_log.end_number()
        self._search.set_busy(True)
        try:
            self.read_changes(self.space.change_log)
        finally:
            self._search.set_busy(False)
        return True

    def _replace_queue(self) -> None:
        """Costs that have grown too far for buckets take a heap: the search begins again."""
        old = self._search
        if make_single_key_queue(self.space.max_edge_round_trip, old.open) is old.open:
            return
        old._check_not_busy()
        old.set_busy(True)  # what follows runs Python, and perhaps other threads
        try:
            search = FlowFieldSearch(make_single_key_queue(self.space.max_edge_round_trip))
            search.begin(self.space, old.goals)
            search.add_counts(old, 1)
            self._search = search
        finally:
            old.set_busy(False)

    def read_changes(self, news: ChangeLog) -> int:
        end = news.end_number()
        while self.log_position < end:
            i = self.log_position - news.first_number
            self.changed.state[0] = news.log.ids[i]
            self._search.on_cost_changes(ints(self.changed.state), 1, news.log.kinds[i] != 0)
            self.log_position += 1
        return 0

    def retarget(self, goals: Any) -> None:
        """Lead elsewhere from now on. The search begins again."""
        self.check_initialized()
        given = Goals.from_keys(self.space, goals)
        self.sync()
        self._search.retarget(given)

    # The search, and where it leads.

    def advance(self, cells: Any, budget: Budget | None = None) -> np.ndarray[Any, Any]:
        """Search on for agents on these cells. Of each: is its way known now, or known not to exist? (True or False.)

        cells: a list of cells, or an array with a row and a column for each; those that come first are served first.
        budget: expansions or microseconds for all of them together; without one, until all ways are known. What was
        not finished goes on with the next call.
        """
        self.check_initialized()
        limit, time_ns = INF, 0
        if budget is not None:
            limit, time_ns = Budget._checked(budget).expansions, budget.nanoseconds
        states = states_of(self.space, cells)
        known = np.zeros(len(states), np.uint8)
        self.advance_states(view(states), view(known), limit, time_ns)
        return known.astype(bool)

    def advance_states(self, states: memoryview, known: memoryview, limit: int, time_ns: int) -> int:
        """The same for states in an array of 32-bit numbers; how many ways are known."""
        found, whole = 0, False
        self._replace_queue()
        self._search.begin_search()
        try:
            found = self.search_states(states, known, limit, time_ns)
            whole = True
        finally:
            self._search.end_search(whole)
        return found

    def search_states(self, states: memoryview, known: memoryview, limit: int, time_ns: int) -> int:
        """The same within `enter` and `leave` of the search."""
        self.read_changes(self.space.change_log)
        with cython.nogil:
            return self._search.search_ways(states, known, limit, deadline_in(time_ns))

    def path(self, cell: Any) -> list[Any] | None:
        """A cheapest way: the cells from this one, which is not among them, to a goal. None if there is no way."""
        states = self._path_states(cell, INF)
        return None if states is None else self.space.keys(np.array(states, np.int32))

    def step(self, cell: Any) -> Any:
        """The next cell on that way; on a goal, or where there is no way, this one."""
        states = self._path_states(cell, 1)
        return self.space.key(states[0] if states else key_to_state(self.space, cell))

    def cost(self, cell: Any) -> float:
        """What a cheapest way costs, in steps (on a graph: as its edges); infinity if there is none."""
        path = self.path(cell)
        if path is None:
            return float("inf")
        states = [self.space.state(key) for key in (cell, *path)]
        paid = np.array([self.space.edge_cost(a, b) for a, b in pairwise(states)], np.int64)
        return self.space.display_cost(np.array(states), paid)

    def _path_states(self, cell: Any, most: int) -> list[int] | None:
        """Search until the way from a cell is known: its first states, at most so many. None if there is no way."""
        self.check_initialized()
        s, whole = key_to_state(self.space, cell), False
        self._replace_queue()
        self._search.begin_search()
        try:
            self.search_states(view(np.array([s], np.int32)), view(np.zeros(1, np.uint8)), INF, 0)
            whole = True
            return self._search.path_states(s, most)
        finally:
            self._search.end_search(whole)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Arrays by state: "g" and "rhs" (ticks, -1 for infinite), "parent": where it leads, "open": who is queued."""
        self.check_initialized()
        return self._search.snapshot()


saved_file.register_savable(FlowField, FlowFieldSearch)
