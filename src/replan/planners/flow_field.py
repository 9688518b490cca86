"""A flow field: one search that serves all agents with the same goal.

It is D* Lite with h = 0. Then no key depends on the state of an agent, k_m stays 0, and one search, backward from the
goals, serves every agent. It expands as far as the farthest agent that has asked, and is repaired where costs have
changed (the bounded form of Ramalingam and Reps: An Incremental Algorithm for a Generalization of the Shortest-Path
Problem, 1996; games call it a flow field). A heuristic would have to be valid for all agents at once, and gain nothing:
the search must reach the farthest agent anyway.
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
    """The search of a flow field: an incremental planner without an agent and a path."""

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
        """Search for each state; known[i] := 1 if the path from states[i] is known. Return how many are."""
        known_count, limit_left = 0, limit
        if len(states) > 0:
            self.update_search(states[0])  # with h = 0 only changes matter, not this state
        for i in range(len(states)):
            expansions_before = self.expansions
            self.search.target = states[i]
            if deadline > 0 and limit_left > 0 and now_ns() >= deadline:
                limit_left = 0
            is_known = self.continue_search(limit_left, deadline)
            if limit_left < INF:
                limit_left = max(0, limit_left - (self.expansions - expansions_before))
            known[i] = is_known
            known_count += is_known
        return known_count

    def path_states(self, s: int, max_count: int) -> list[int] | None:
        """Return the first states of the path from s, at most max_count, without s. None if there is no path."""
        if self.search.rhs[s] >= INF:
            return None
        states: list[int] = []
        while not self.goals.is_goal(s) and len(states) < max_count:
            s = self.search.next[s]
            states.append(s)
            if s < 0 or len(states) > self.space.n:
                raise_cyclic_path()
        return states


class FlowField(Initialized):
    """Cheapest paths for all agents that have the same goal and the same belief.

    Agents do not block each other.

    Parameters
    ----------
    space
        What the agents believe. Agents and other users may share it: changes by one of them are known to all.
    goals
        A cell (node of a graph), or a set, list or array of cells.

    Raises
    ------
    InputError
        If a cell is not on the map.

    Examples
    --------
    >>> import numpy as np, replan
    >>> field = replan.FlowField(replan.Grid(np.zeros((3, 4), bool), neighbors=4), (0, 3))
    >>> field.advance([(0, 1), (2, 0)], replan.Expansions(5))
    array([ True, False])
    >>> field.path((0, 1)), field.step((1, 3)), field.cost((2, 0))
    ([(0, 2), (0, 3)], (0, 3), 5.0)
    >>> field.observe([(0, 2)], [True]), field.observe_map(np.ones((1, 2), bool), top_left=(2, 1))
    (1, 2)
    >>> field.path((0, 1))
    [(1, 1), (1, 2), (1, 3), (0, 3)]
    >>> field.sync()
    >>> field.goals, field.expansions > 0, int(field.snapshot()["g"].max())
    ((0, 3), True, 4)
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
        new_goals = Goals.from_keys(space, goals)
        search = FlowFieldSearch(make_single_key_queue(space.max_edge_round_trip))
        search.begin(space, new_goals)
        self.space = space
        self.changed, self.log_position = self.space.make_changed_states(), self.space.change_log.subscribe(self)
        self._search = search
        self.is_initialized = True

    @property
    def expansions(self) -> int:
        """Number of states expanded since the field was made."""
        self.check_initialized()
        return self._search.expansions

    @property
    def goals(self) -> Any:
        """The goal cell, or the set of them if there are several."""
        self.check_initialized()
        keys = self.space.keys(self._search.goals.states)
        return keys[0] if len(keys) == 1 else set(keys)

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<FlowField, not made yet>"
        count = self._search.goals.count
        goals = self.goals if count == 1 else f"{count:,} goals"
        return f"<FlowField to {goals}: {format_count(self._search.expansions, 'expansion')}>"

    # Saving: see `replan/serialization.py`, `planners/saved_file.py` and `replan/locking.py`.

    def save(self, path: PathLike) -> None:
        """Write the field to a file that `load` reads. See `Agent.save`.

        Parameters
        ----------
        path
            The file. An existing file is replaced when the new one is complete.

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
        """Read a field that `save` has written. It continues as the saved one would.

        Parameters
        ----------
        path
            The file. It need not be trusted: nothing in it is executed.

        Returns
        -------
        FlowField
            The field, in a space of its own.

        Raises
        ------
        InputError
            If the file cannot be read, is damaged, or holds something else.
        """
        return saved_file.load(path, FlowField)

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """Lock the field and its search while it is saved or copied."""
        self.check_initialized()
        self._replace_queue()  # a loaded copy could not begin with a queue that is too small
        with read_lock(self._search):
            yield (self,)

    def __reduce__(self) -> Any:
        """Return what `copy` and `pickle` need."""
        with read_lock(self):
            self.read_changes(self.space.change_log)
            return reduce_object(self, (FlowField, self.space, self._search), Archive(self))

    def __copy__(self) -> FlowField:
        """Return an independent field in the same space."""
        self.check_initialized()
        return copy_sharing(self, *self.space.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        """Make the field from the arguments of its constructor."""
        space, search = args
        self.check_not_initialized()
        check_space(space)
        is_same_space = getattr(checked_instance(FlowFieldSearch, search), "space", None) is space
        if not is_same_space:
            raise InputError("its search is of another space")
        self.space = space
        self.changed, self.log_position = self.space.make_changed_states(), self.space.change_log.subscribe(self)
        self._search = search
        self.is_initialized = True

    # The belief.

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Record observed cells, as `Agent.observe` does.

        Parameters
        ----------
        cells
            The observed cells (edges of a graph).
        blocked
            For each cell, whether it is blocked.
        weights
            For each cell its weight (edge: its cost); 0 means blocked.

        Returns
        -------
        int
            Number of cells whose believed value changed.

        Raises
        ------
        InputError
            If a cell is not on the map, or the arrays do not fit.
        RuntimeError
            If the field is in the middle of a search.
        """
        self.check_initialized()
        locations, values = parse_observation(self.space, cells, blocked, weights)
        return self.apply_changes(view(locations), view(values))

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        top_left: Any = None,
        seen_mask: ArrayLike | None = None,
    ) -> int:
        """Record an observed map, or a window of it, as `Agent.observe_map` does.

        Parameters
        ----------
        blocked
            Array of the window: True where a cell is blocked.
        weights
            Array of the window: the weight of each cell; 0 means blocked.
        top_left
            Cell of the map at the window's upper left corner; None for the whole map.
        seen_mask
            Array of the window: True where a cell was observed; None for all.

        Returns
        -------
        int
            Number of cells whose believed value changed.

        Raises
        ------
        InputError
            If the window does not fit the map, or the arrays do not fit each other.
        RuntimeError
            If the field is in the middle of a search.
        """
        self.check_initialized()
        locations, values = parse_map_observation(self.space, blocked, weights, top_left, seen_mask)
        return self.apply_changes(view(locations), view(values))

    def apply_changes(self, locations: memoryview, values: memoryview) -> int:
        """Write the values of these locations. Return how many of them changed the belief."""
        changed_count = 0
        self._search._check_not_busy()
        self.space.begin_change()
        try:
            for i in range(len(locations)):
                changed_count += self.apply_change(locations[i], values[i])
        finally:
            self.space.end_change()
        return changed_count

    def apply_change(self, location: int, value: int) -> int:
        """Write the value of a location (0: blocked, else weight or cost). Return 1 if the belief changed."""
        old = self.space.read_value(location)
        if old == value:
            return 0
        self.space.change_log.reserve(self.changed)
        count = self.space.write_value(self.changed, location, value)
        self.space.change_log.add(self.changed, count, value == 0 or (old != 0 and value > old))
        return 1

    def sync(self) -> None:
        """Read the changes that others have made in a shared space. Searches do so, too.

        Raises
        ------
        RuntimeError
            If the field is in the middle of a search.
        """
        self.check_initialized()
        self._search._check_not_busy()
        self._replace_queue()
        self.read_changes(self.space.change_log)

    def _on_external_change(self) -> bool:
        """Read changes that the change log is about to discard. False if a search is running, and not all are read."""
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
        """If costs have grown beyond the range of buckets, start the search again with a heap."""
        old_search = self._search
        if make_single_key_queue(self.space.max_edge_round_trip, old_search.open) is old_search.open:
            return
        old_search._check_not_busy()
        old_search.set_busy(True)  # what follows runs Python, and so perhaps other threads
        try:
            search = FlowFieldSearch(make_single_key_queue(self.space.max_edge_round_trip))
            search.begin(self.space, old_search.goals)
            search.add_counts(old_search, 1)
            self._search = search
        finally:
            old_search.set_busy(False)

    def read_changes(self, change_log: ChangeLog) -> int:
        """Pass new entries of the change log to the search."""
        end = change_log.end_number()
        while self.log_position < end:
            i = self.log_position - change_log.first_number
            self.changed.state[0] = change_log.log.ids[i]
            self._search.on_cost_changes(ints(self.changed.state), 1, change_log.log.kinds[i] != 0)
            self.log_position += 1
        return 0

    def retarget(self, goals: Any) -> None:
        """Lead to other goals from now on. The search starts again.

        Parameters
        ----------
        goals
            A cell (node of a graph), or a set, list or array of cells.

        Raises
        ------
        InputError
            If a cell is not on the map.
        RuntimeError
            If the field is in the middle of a search.
        """
        self.check_initialized()
        new_goals = Goals.from_keys(self.space, goals)
        self.sync()
        self._search.retarget(new_goals)

    # The search and its paths.

    def advance(self, cells: Any, budget: Budget | None = None) -> np.ndarray[Any, Any]:
        """Search for the paths of agents on these cells. The next call continues an unfinished search.

        Parameters
        ----------
        cells
            A list of cells, or an array with a row for each and two columns. The first cells are searched for first.
        budget
            Limits for all cells together; None searches until all paths are known.

        Returns
        -------
        numpy.ndarray
            For each cell True if its path is known, or known not to exist.

        Raises
        ------
        InputError
            If a cell is not on the map, or the budget is none.
        RuntimeError
            If the field is in the middle of a search.
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
        """Do the work of `advance` for an array of states. Return the number of known paths."""
        known_count, is_complete = 0, False
        self._replace_queue()
        self._search.begin_search()
        try:
            known_count = self.search_states(states, known, limit, time_ns)
            is_complete = True
        finally:
            self._search.end_search(is_complete)
        return known_count

    def search_states(self, states: memoryview, known: memoryview, limit: int, time_ns: int) -> int:
        """Do the work of `advance_states` between `begin_search` and `end_search`."""
        self.read_changes(self.space.change_log)
        with cython.nogil:
            return self._search.search_ways(states, known, limit, deadline_in(time_ns))

    def path(self, cell: Any) -> list[Any] | None:
        """Find a cheapest path from a cell.

        Parameters
        ----------
        cell
            A cell (node of a graph).

        Returns
        -------
        list or None
            The cells of the path to a goal, without this one. None if there is no path.

        Raises
        ------
        InputError
            If the cell is not on the map.
        RuntimeError
            If the field is in the middle of a search.
        """
        states = self._path_states(cell, INF)
        return None if states is None else self.space.keys(np.array(states, np.int32))

    def step(self, cell: Any) -> Any:
        """Find the next cell on a cheapest path.

        Parameters
        ----------
        cell
            A cell (node of a graph).

        Returns
        -------
        object
            The next cell; this cell itself if it is a goal, or if there is no path.

        Raises
        ------
        InputError
            If the cell is not on the map.
        RuntimeError
            If the field is in the middle of a search.
        """
        states = self._path_states(cell, 1)
        return self.space.key(states[0] if states else key_to_state(self.space, cell))

    def cost(self, cell: Any) -> float:
        """Return the cost of a cheapest path from a cell.

        Parameters
        ----------
        cell
            A cell (node of a graph).

        Returns
        -------
        float
            The cost in steps (on a graph: the sum of the edges); infinity if there is no path.

        Raises
        ------
        InputError
            If the cell is not on the map.
        RuntimeError
            If the field is in the middle of a search.
        """
        path = self.path(cell)
        if path is None:
            return float("inf")
        states = [self.space.state(key) for key in (cell, *path)]
        step_costs = np.array([self.space.edge_cost(a, b) for a, b in pairwise(states)], np.int64)
        return self.space.display_cost(np.array(states), step_costs)

    def _path_states(self, cell: Any, max_count: int) -> list[int] | None:
        """Search until the path from a cell is known. Return its first states, at most max_count, or None."""
        self.check_initialized()
        s, is_complete = key_to_state(self.space, cell), False
        self._replace_queue()
        self._search.begin_search()
        try:
            self.search_states(view(np.array([s], np.int32)), view(np.zeros(1, np.uint8)), INF, 0)
            is_complete = True
            return self._search.path_states(s, max_count)
        finally:
            self._search.end_search(is_complete)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return the arrays of the search: one number for each state.

        Returns
        -------
        dict of str to numpy.ndarray
            "g" and "rhs" in cost units (-1: infinite), "parent" (the next state on the path), and "open" (True if
            queued).

        Raises
        ------
        RuntimeError
            If the field is in the middle of a search.
        """
        self.check_initialized()
        return self._search.snapshot()


saved_file.register_savable(FlowField, FlowFieldSearch)
