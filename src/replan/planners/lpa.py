"""LPA*: cheapest paths between two fixed cells while costs change.

(Koenig, Likhachev, Furcy: Lifelong Planning A*, AIJ 2004, procedures UpdateVertex, ComputeShortestPath and Main.
Comments use its symbols s_start, s_goal, g, rhs and U; there are no line numbers.)
`search/incremental.py` has UpdateVertex and ComputeShortestPath, in the direction from s_start to s_goal; `LPAStar` is
Main. It is no planner for an agent: when an agent moves, the root of its search moves. D* Lite is for agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import INF
from replan.locking import read_lock
from replan.maps.files import PathLike
from replan.planners import saved_file
from replan.queues.base import claim_queue, restore_open_lists
from replan.queues.factory import make_open_list
from replan.queues.order import Order
from replan.search.incremental import Incremental, raise_cyclic_path
from replan.serialization import Archive, copy_sharing, deep_copy, reduce_object
from replan.spaces.goals import Goals
from replan.spaces.heuristics import check_consistent, make_heuristic
from replan.spaces.observations import parse_observation
from replan.spaces.space import Space, check_change_count, check_space, key_to_state


class LPAStar(Initialized):
    """A query for a path that is repaired, not repeated, when costs change.

    Parameters
    ----------
    space
        A Grid, a Graph or a Space of your own. Agents and other queries may share it: changes by one of them are known
        to all.
    start
        A cell (node of a graph).
    goal
        A cell (node of a graph).
    prefer
        Which of two states with equal f goes first: "larger g" or "smaller g".
    ties
        Which of two states with equal f and g goes first: "first-in", "last-in", "random" or "none".
    queue
        The open list, as for planners.
    seed
        Seed of the random numbers of `ties="random"`.
    heuristic
        The heuristic, as for planners; None for the one of the space.
    check_heuristic
        True: refuse a heuristic that is not consistent.

    Raises
    ------
    InputError
        If a cell is not on the map, there are several goals, or the heuristic is refused.

    Examples
    --------
    >>> import numpy as np, replan
    >>> query = replan.LPAStar(replan.Grid(np.zeros((3, 3), bool), neighbors=4), (0, 0), (0, 2))
    >>> query.path()
    [(0, 0), (0, 1), (0, 2)]
    >>> query.notify([(0, 1)], blocked=[True])
    >>> query.path(), query.cost
    ([(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)], 4.0)
    >>> query.sync()
    >>> query.expansions > 0, int(query.snapshot()["rhs"].max())
    (True, 4)
    """

    def __init__(
        self,
        space: Space,
        start: Any,
        goal: Any,
        prefer: str = "larger g",
        ties: str = "first-in",
        queue: str = "heap",
        seed: int = 0,
        heuristic: Any = None,
        check_heuristic: bool = False,
    ) -> None:
        goals = Goals.from_keys(space, goal)
        if goals.count > 1:
            raise InputError("LPA* answers for one goal; D* Lite takes a set")
        self.check_not_initialized()
        self.start = key_to_state(space, start)
        self.goal = goals.single_state
        self.is_busy = False
        self.is_dirty = False
        self.pending_states: dict[int, None] = {}  # heads of changed steps that the search does not know yet, in order
        self.earlier_expansions = 0  # expansions before the query was copied or loaded
        if check_heuristic and heuristic is not None:
            check_consistent(make_heuristic(heuristic, space, goals), space, goals)
        self.search = Incremental(make_open_list(queue, Order(prefer, ties, seed)), heuristic, is_forward=True)
        self.search.reserve(space.n)
        self.search.begin(space, Goals([self.start], space.n), self.goal)
        self.changed = self.search.space.make_changed_states()
        self.space = space
        self.log_position = self.space.change_log.subscribe(self)
        self.is_initialized = True

    @property
    def expansions(self) -> int:
        """Number of states expanded since the query was made."""
        return self.earlier_expansions + self.search.expansions if self.is_initialized else 0

    def notify(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> None:
        """Change costs in the space.

        Parameters
        ----------
        cells
            The cells (edges of a graph) that change.
        blocked
            For each cell, whether it is blocked.
        weights
            For each cell its weight (edge: its cost); 0 means blocked.

        Raises
        ------
        InputError
            If a cell is not on the map, or the arrays do not fit.
        RuntimeError
            If the query is in the middle of a search.
        """
        self._begin_call()
        try:
            locations, values = parse_observation(self.space, cells, blocked, weights)
            self.space.begin_change()
            is_complete = False
            try:
                self.read_changes()
                for location, value in zip(locations.tolist(), values.tolist(), strict=True):
                    self._change_location(location, value)
                is_complete = True
            finally:
                self.is_dirty = self.is_dirty or not is_complete  # the space may have changed without its search
                self.space.end_change()
        finally:
            self.is_busy = False

    def _change_location(self, location: int, value: int) -> None:
        """Write the value of a location, and list the states that the changed steps enter."""
        old = self.space._checked_value_at(location)
        self.space.change_log.reserve(self.changed)
        count = self.space.write_value(self.changed, location, value)
        self.pending_states.update((self.changed.entered[i], None) for i in range(count))
        if self.space.change_log.subscriber_count > 1:
            self.space.change_log.add(self.changed, count, value == 0 or (old != 0 and value > old))
            self.log_position = self.space.change_log.end_number()

    def sync(self) -> None:
        """Read the changes that others have made in a shared space. `path` does so, too.

        Raises
        ------
        RuntimeError
            If the query is in the middle of a search.
        """
        self._begin_call()
        try:
            self.read_changes()
        finally:
            self.is_busy = False

    def read_changes(self) -> None:
        """Append the states of new entries of the change log to `pending_states`."""
        self.pending_states.update((s, None) for s in self.space.change_log.entered_since(self.log_position))
        self.log_position = self.space.change_log.end_number()

    def _on_external_change(self) -> bool:
        """Read changes that the change log is about to discard. False if a search is running, and not all are read."""
        self.check_initialized()
        if self.is_busy:
            return self.log_position == self.space.change_log.end_number()
        self.sync()
        return True

    def path(self) -> list[Any] | None:
        """Find a cheapest path.

        Returns
        -------
        list or None
            The cells from start to goal, both included. None if there is no path.

        Raises
        ------
        InputError
            If the heuristic is not consistent, so that the path is a cycle.
        RuntimeError
            If the query is in the middle of a search.
        """
        self._begin_call()
        self.space.active_searches += 1
        is_complete = False
        try:
            self.space._check_not_changing()
            self._repair_search()
            is_complete = True
            states = self.states_to_goal()
        finally:
            self.is_dirty = not is_complete
            self.space.active_searches -= 1
            self.is_busy = False
        return self.space.keys(np.array(states, np.int32)) if states else None

    def states_to_goal(self) -> list[int]:
        """Return the path that the search has found; an empty list if there is none."""
        if self.search.rhs[self.goal] >= INF:
            return []
        s = self.goal
        states = [s]
        while s != self.start:
            s = self.search.next[s]  # the s' in Pred(s) with the least g(s') + c(s', s)
            states.append(s)
            if s < 0 or len(states) > self.space.n:
                raise_cyclic_path()
        return states[::-1]

    def _repair_search(self) -> None:
        """Apply pending changes (Main: UpdateVertex(v) for each changed step (u, v)), then run ComputeShortestPath."""
        self.read_changes()
        if self.is_dirty:  # an error, for example of a user's heuristic, has interrupted the last search
            self.search.begin(self.space, Goals([self.start], self.space.n), self.goal)  # Initialize()
        self.search.apply_changes(list(self.pending_states))  # UpdateVertex(v)
        self.pending_states = {}
        self.search.advance_to_end()  # ComputeShortestPath()

    def _begin_call(self) -> None:
        """Mark the query as busy. Raise RuntimeError if it is: one call runs at a time."""
        self.check_initialized()
        if self.is_busy:
            raise RuntimeError("this LPAStar is in the middle of a search, or being copied: make one for each thread")
        self.is_busy = True

    # Saving: see `replan/serialization.py`.

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """Lock the query and its space while it is saved or copied."""
        self._begin_call()
        try:
            with read_lock(self.space):
                yield (self,)
        finally:
            self.is_busy = False

    def save(self, path: PathLike) -> None:
        """Write the query to a file that `load` reads. See `Agent.save`.

        Parameters
        ----------
        path
            The file. An existing file is replaced when the new one is complete.

        Raises
        ------
        InputError
            If the file cannot be written, or a part is of your own: a space, a queue or a heuristic.
        RuntimeError
            If the query is in the middle of a search.

        Examples
        --------
        >>> import numpy as np, pathlib, replan, tempfile
        >>> query = replan.LPAStar(replan.Grid(np.zeros((3, 3), bool)), (0, 0), (0, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     query.save(pathlib.Path(folder, "saved.replan"))
        ...     loaded = replan.LPAStar.load(pathlib.Path(folder, "saved.replan"))
        >>> loaded.path()
        [(0, 0), (0, 1), (0, 2)]
        """
        saved_file.save(self, path)

    @classmethod
    def load(cls, path: PathLike) -> LPAStar:
        """Read a query that `save` has written. It continues as the saved one would.

        Parameters
        ----------
        path
            The file. It need not be trusted: nothing in it is executed.

        Returns
        -------
        LPAStar
            The query, in a space of its own.

        Raises
        ------
        InputError
            If the file cannot be read, is damaged, or holds something else.
        """
        return saved_file.load(path, LPAStar)

    def __reduce__(self) -> Any:
        """Return what `copy` and `pickle` need."""
        with read_lock(self):
            self.read_changes()
            archive = Archive(self)
            self.serialize(archive)
            return reduce_object(
                self,
                (LPAStar, self.space, self.search.open.constructor_args(), self.search.keys.user_heuristic),
                archive,
            )

    def __copy__(self) -> LPAStar:
        """Return an independent query of the same space."""
        self.check_initialized()
        return copy_sharing(self, *self.space.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        """Make the query from the arguments of its constructor and its saved fields."""
        space, open, heuristic = restore_open_lists(args)
        self.check_not_initialized()
        check_space(space)
        self.start = self.goal = self.earlier_expansions = 0
        self.is_busy = self.is_dirty = False
        self.pending_states = {}
        self.search = Incremental(claim_queue(open), heuristic, is_forward=True)
        self.search.reserve(space.n)
        self.space = space
        self.serialize(Archive(self, fields))
        self.changed = self.space.make_changed_states()
        self.log_position = self.space.change_log.subscribe(self)
        self.is_initialized = True

    def serialize(self, archive: Archive) -> None:
        """Save or load all fields."""
        n = self.space.n
        check_change_count(archive, self.space)
        self.start = archive.integer("start", self.start, 0, n - 1)
        self.goal = archive.integer("goal", self.goal, 0, n - 1)
        expansions = archive.integer("expansions", self.expansions, 0)
        self.is_dirty = archive.boolean("is_dirty", self.is_dirty)
        pending = archive.states("pending_states", list(self.pending_states), n)
        roots = Goals([self.start], n)
        if archive.is_loading:
            self.earlier_expansions = expansions
            self.pending_states = dict.fromkeys(pending.tolist())
        if not self.is_dirty:
            if archive.is_loading:
                self.search.attach(self.space, roots, self.goal)
            self.search.serialize(archive.nested("search"))
            archive.require(self.search.target == self.goal, "its search leads elsewhere")
        elif archive.is_loading:
            self.search.begin(self.space, roots, self.goal)

    @property
    def cost(self) -> float:
        """Cost of a cheapest path, in steps (on a graph: the sum of its edges); infinity if there is no path."""
        path = self.path()
        if path is None:
            return float("inf")
        states = np.array([self.space.state(key) for key in path])
        step_costs = np.array([self.space.edge_cost(a, b) for a, b in pairwise(states.tolist())], np.int64)
        return self.space.display_cost(states, step_costs)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return the arrays of the search: one number for each state.

        Returns
        -------
        dict of str to numpy.ndarray
            "g" and "rhs" in cost units (-1: infinite), "parent" (the previous state on the path), and "open" (True if
            queued).

        Raises
        ------
        RuntimeError
            If the query is in the middle of a search.
        """
        with read_lock(self):
            return self.search.as_arrays()


saved_file.register_savable(LPAStar)
