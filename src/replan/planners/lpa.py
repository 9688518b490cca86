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
from replan.guard import held
from replan.initialized import Initialized
from replan.limits import INF
from replan.maps.files import PathLike
from replan.planners import saved_file
from replan.queues.base import claimed, with_lists
from replan.queues.make import open_list
from replan.queues.order import Order
from replan.saving import Bag, deep_copied, reduced, twin
from replan.search.incremental import Incremental, refuse_circle
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.observed import values_seen
from replan.spaces.space import Space, key_to_state, refuse_changed, refuse_unmade


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
    >>> query.catch_up()
    >>> query.overhear(), query.expansions > 0, int(query.snapshot()["rhs"].max())
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
        check: bool = False,
    ) -> None:
        goals = Goals.of(space, goal)
        if goals.count > 1:
            raise InputError("LPA* answers for one goal; D* Lite takes a set")
        self.refuse_initialized()
        self.start, self.goal, self.busy, self.torn = key_to_state(space, start), goals.single, False, False
        self.pending: dict[int, None] = {}  # states whose changed costs have not been taken in, in their order
        self.spent = 0  # expansions before it was copied or loaded
        if check and heuristic is not None:
            refuse_inconsistent(heuristic_for(heuristic, space, goals), space, goals)
        self.search = Incremental(open_list(queue, Order(prefer, ties, seed)), heuristic, forward=True)
        self.search.reserve(space.n)
        self.search.begin(space, Goals([self.start], space.n), self.goal)
        self.touched = self.search.space.touched()
        self.space = space
        self.heard = self.space.news.watch(self)
        self.is_initialized = True

    @property
    def expansions(self) -> int:
        """States expanded since the query was made."""
        return self.spent + self.search.expansions if self.is_initialized else 0

    def notify(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> None:
        """Change the space: for each cell (edge of a graph) whether it is blocked, or its weight (cost; 0: blocked)."""
        self._enter()
        try:
            places, values = values_seen(self.space, cells, blocked, weights)
            self.space.hold()
            whole = False
            try:
                self.read_news()
                for place, value in zip(places.tolist(), values.tolist(), strict=True):
                    self._change(place, value)
                whole = True
            finally:
                self.torn = self.torn or not whole  # the space may have changed without its search
                self.space.release()
        finally:
            self.busy = False

    def _change(self, place: int, value: int) -> None:
        old = self.space.value_at(place)
        self.space.news.reserve(self.touched)
        k = self.space.write(self.touched, place, value)
        self.pending.update((self.touched.entered[i], None) for i in range(k))
        if self.space.news.sharing > 1:
            self.space.news.add(self.touched, k, value == 0 or (old != 0 and value > old))
            self.heard = self.space.news.end()

    def catch_up(self) -> None:
        """Take in what others have changed in a space that is shared. `path` does so first of all."""
        self._enter()
        try:
            self.read_news()
        finally:
            self.busy = False

    def read_news(self) -> None:
        self.pending.update((s, None) for s in self.space.news.entered_since(self.heard))
        self.heard = self.space.news.end()

    def overhear(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a search or another thread is at work here."""
        self.check_initialized()
        if self.busy:
            return self.heard == self.space.news.end()
        self.catch_up()
        return True

    def path(self) -> list[Any] | None:
        """A cheapest path, both ends included; None if there is none."""
        self._enter()
        self.space.searches += 1
        whole = False
        try:
            self.space._refuse_while_changed()
            self._bring_up_to_date()
            whole = True
            states = self.states_to_goal()
        finally:
            self.torn = not whole
            self.space.searches -= 1
            self.busy = False
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
                refuse_circle()
        return states[::-1]

    def _bring_up_to_date(self) -> None:
        self.read_news()
        if self.torn:  # an error, of a user's heuristic say, has left the search half done
            self.search.begin(self.space, Goals([self.start], self.space.n), self.goal)
        self.search.change_all(list(self.pending))
        self.pending = {}
        self.search.advance_all()

    def _enter(self) -> None:
        """One call at a time: not from inside another, and not from two threads."""
        self.check_initialized()
        if self.busy:
            raise RuntimeError("this LPAStar is in the middle of a search, or being copied: make one for each thread")
        self.busy = True

    # Saving: see `replan/saving.py`.

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self._enter()
        try:
            with held(self.space):
                yield (self,)
        finally:
            self.busy = False

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
        with held(self):
            self.read_news()
            bag = Bag(self)
            self.carry(bag)
            return reduced(self, (LPAStar, self.space, self.search.open.made_from(), self.search.keys.given), bag)

    def __copy__(self) -> LPAStar:
        """Another query of the same space."""
        self.check_initialized()
        return twin(self, *self.space.kept_together())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copied(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        space, open, heuristic = with_lists(args)
        self.refuse_initialized()
        refuse_unmade(space)
        self.start = self.goal = self.spent = 0
        self.busy = self.torn = False
        self.pending = {}
        self.search = Incremental(claimed(open), heuristic, forward=True)
        self.search.reserve(space.n)
        self.space = space
        self.carry(Bag(self, fields))
        self.touched = self.space.touched()
        self.heard = self.space.news.watch(self)
        self.is_initialized = True

    def carry(self, bag: Bag) -> None:
        n = self.space.n
        refuse_changed(bag, self.space)
        self.start, self.goal = bag.whole("start", self.start, 0, n - 1), bag.whole("goal", self.goal, 0, n - 1)
        spent, self.torn = bag.whole("spent", self.expansions, 0), bag.truth("torn", self.torn)
        pending = bag.states("pending", list(self.pending), n)
        roots = Goals([self.start], n)
        if bag.loading:
            self.spent = spent
            self.pending = dict.fromkeys(pending.tolist())
        if not self.torn:
            if bag.loading:
                self.search.settle(self.space, roots, self.goal)
            self.search.carry(bag.inner("search"))
            bag.require(self.search.target == self.goal, "its search leads elsewhere")
        elif bag.loading:
            self.search.begin(self.space, roots, self.goal)

    @property
    def cost(self) -> float:
        """What a cheapest path costs, in steps (on a graph: as its edges); infinity if there is none."""
        path = self.path()
        if path is None:
            return float("inf")
        states = np.array([self.space.state(key) for key in path])
        paid = np.array([self.space.edge(a, b) for a, b in pairwise(states.tolist())], np.int64)
        return self.space.steps(states, paid)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Arrays by state: "g", "rhs" (ticks, -1 for infinite), "parent": whence it comes, "open": who is queued."""
        with held(self):
            return self.search.shown()


saved_file.savable(LPAStar)
