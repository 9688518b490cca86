"""LPA*: cheapest paths between two fixed cells while costs change (Koenig, Likhachev, Furcy 2004).

It is no planner for an agent: when the agent moves, the root of its search moves. (For agents: D* Lite.)
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
    """A query that is repaired, not repeated, when costs change.

    space: it may be shared with agents and other queries; what one of them changes is known to all. prefer, ties,
    queue, seed, heuristic, check: as for planners. `expansions` counts since the query was made.
    Raises InputError for cells that are not on the map.

    >>> import numpy as np, replan
    >>> query = replan.LPAStar(replan.Grid(np.zeros((3, 3), bool), neighbors=4), (0, 0), (0, 2))
    >>> query.path()
    [(0, 0), (0, 1), (0, 2)]
    >>> query.notify([(0, 1)], blocked=[True])
    >>> query.path(), query.cost
    ([(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)], 4.0)
    >>> query.sync()
    >>> query._on_external_change(), query.expansions > 0, int(query.snapshot()["rhs"].max())
    (True, True, 4)
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
        self.start, self.goal, self.is_busy, self.is_dirty = key_to_state(space, start), goals.single_state, False, False
        self.pending_states: dict[int, None] = {}  # states whose changed costs have not been taken in, in their order
        self.earlier_expansions = 0  # expansions before it was copied or loaded
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
        """States expanded since the query was made."""
        return self.earlier_expansions + self.search.expansions if self.is_initialized else 0

    def notify(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> None:
        """Change the space: for each cell (edge of a graph) whether it is blocked, or its weight (cost; 0: blocked)."""
        self._begin_call()
        try:
            places, values = parse_observation(self.space, cells, blocked, weights)
            self.space.begin_change()
            whole = False
            try:
                self.read_changes()
                for place, value in zip(places.tolist(), values.tolist(), strict=True):
                    self._change_location(place, value)
                whole = True
            finally:
                self.is_dirty = self.is_dirty or not whole  # the space may have changed without its search
                self.space.end_change()
        finally:
            self.is_busy = False

    def _change_location(self, place: int, value: int) -> None:
        old = self.space._checked_value_at(place)
        self.space.change_log.reserve(self.changed)
        k = self.space.write_value(self.changed, place, value)
        self.pending_states.update((self.changed.entered[i], None) for i in range(k))
        if self.space.change_log.subscriber_count > 1:
            self.space.change_log.add(self.changed, k, value == 0 or (old != 0 and value > old))
            self.log_position = self.space.change_log.end_number()

    def sync(self) -> None:
        """Take in what others have changed in a space that is shared. `path` does so first of all."""
        self._begin_call()
        try:
            self.read_changes()
        finally:
            self.is_busy = False

    def read_changes(self) -> None:
        self.pending_states.update((s, None) for s in self.space.change_log.entered_since(self.log_position))
        self.log_position = self.space.change_log.end_number()

    def _on_external_change(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a search or another thread is at work here."""
        self.check_initialized()
        if self.is_busy:
            return self.log_position == self.space.change_log.end_number()
        self.sync()
        return True

    def path(self) -> list[Any] | None:
        """A cheapest path, both ends included; None if there is none."""
        self._begin_call()
        self.space.active_searches += 1
        whole = False
        try:
            self.space._check_not_changing()
            self._repair_search()
            whole = True
            states = self.states_to_goal()
        finally:
            self.is_dirty = not whole
            self.space.active_searches -= 1
            self.is_busy = False
        return self.space.keys(np.array(states, np.int32)) if states else None

    def states_to_goal(self) -> list[int]:
        """The path that the search has found; empty if there is none."""
        if self.search.rhs[self.goal] >= INF:
            return []
        s = self.goal
        states = [s]
        while s != self.start:
            s = self.search.next[s]
            states.append(s)
            if s < 0 or len(states) > self.space.n:
                raise_cyclic_path()
        return states[::-1]

    def _repair_search(self) -> None:
        self.read_changes()
        if self.is_dirty:  # an error, of a user's heuristic say, has left the search half done
            self.search.begin(self.space, Goals([self.start], self.space.n), self.goal)
        self.search.apply_changes(list(self.pending_states))
        self.pending_states = {}
        self.search.advance_to_end()

    def _begin_call(self) -> None:
        """One call at a time: not from inside another, and not from two threads."""
        self.check_initialized()
        if self.is_busy:
            raise RuntimeError("this LPAStar is in the middle of a search, or being copied: make one for each thread")
        self.is_busy = True

    # Saving: see `replan/serialization.py`.

    def _hold(self) -> Iterator[tuple[Any, ...]]:
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
            The file. One that was there before is replaced when the new one is complete.

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
        """Read a query that `save` has written. It goes on as the saved one would.

        Parameters
        ----------
        path
            The file. It needs no trust: nothing in it is executed.

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
        """A copy that goes on as this query would, for `copy` and `pickle`."""
        with read_lock(self):
            self.read_changes()
            archive = Archive(self)
            self.serialize(archive)
            return reduce_object(self, (LPAStar, self.space, self.search.open.constructor_args(), self.search.keys.user_heuristic), archive)

    def __copy__(self) -> LPAStar:
        """Another query of the same space."""
        self.check_initialized()
        return copy_sharing(self, *self.space.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
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
        n = self.space.n
        check_change_count(archive, self.space)
        self.start, self.goal = archive.integer("start", self.start, 0, n - 1), archive.integer("goal", self.goal, 0, n - 1)
        spent, self.is_dirty = archive.integer("spent", self.expansions, 0), archive.boolean("torn", self.is_dirty)
        pending = archive.states("pending", list(self.pending_states), n)
        roots = Goals([self.start], n)
        if archive.is_loading:
            self.earlier_expansions = spent
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
        """What a cheapest path costs, in steps (on a graph: as its edges); infinity if there is none."""
        path = self.path()
        if path is None:
            return float("inf")
        states = np.array([self.space.state(key) for key in path])
        paid = np.array([self.space.edge_cost(a, b) for a, b in pairwise(states.tolist())], np.int64)
        return self.space.display_cost(states, paid)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Arrays by state: "g", "rhs" (ticks, -1 for infinite), "parent": whence it comes, "open": who is queued."""
        with read_lock(self):
            return self.search.as_arrays()


saved_file.register_savable(LPAStar)
