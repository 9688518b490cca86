"""LPA*: cheapest paths between two fixed cells while costs change (Koenig, Likhachev, Furcy 2004).

It is no planner for an agent: when the agent moves, the root of its search moves. (For agents: D* Lite.)

>>> import numpy as np, replan
>>> query = replan.LPAStar(replan.Grid(np.zeros((3, 3), bool), neighbors=4), (0, 0), (0, 2))
>>> query.path()
[(0, 0), (0, 1), (0, 2)]
>>> query.notify([(0, 1)], blocked=[True])
>>> query.path(), query.cost
([(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)], 4.0)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import INF
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap
from replan.queues.order import QUEUES, Order
from replan.search.incremental import Incremental
from replan.simulation.observing import values_seen
from replan.spaces.goals import Goals
from replan.spaces.space import Space


class LPAStar:
    """A query that is repaired, not repeated, when costs change.

    prefer, ties, queue, seed, heuristic: as for planners. `expansions` counts since the query was made.
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
    ) -> None:
        if queue not in QUEUES:
            raise InputError(f"queue is one of {', '.join(map(repr, QUEUES))}, not {queue!r}")
        goals = Goals.of(space, goal)
        if goals.count > 1:
            raise InputError("LPA* answers for one goal; D* Lite takes a set")
        self.space = space
        order = Order(prefer, ties, seed)
        open = Buckets() if queue == "buckets" else BinaryHeap(order, plain=queue == "plain heap")
        smaller_g = queue != "buckets" and prefer == "smaller g"
        self._search = Incremental(space, open, smaller_g, heuristic, forward=True)
        self._start, self._goal = space.state(start), goals.single
        self._search.begin(space, Goals([self._start], space.n), self._goal)

    @property
    def expansions(self) -> int:
        return self._search.expansions

    def notify(
        self, cells: Iterable[Any], blocked: Sequence[bool] | None = None, weights: Sequence[float] | None = None
    ) -> None:
        """Change the space: for each cell (edge of a graph) whether it is blocked, or its weight (cost; 0: blocked)."""
        for place, value in values_seen(self.space, cells, blocked, weights):
            entered = [self.space.entered[i] for i in range(self.space.put(place, value))]
            self._search.change_all(entered)

    def path(self) -> list[Any] | None:
        """A cheapest path, both ends included; None if there is none."""
        self._search.advance_all()
        if self._search.rhs[self._goal] >= INF:
            return None
        states = [self._goal]
        while states[-1] != self._start:
            states.append(int(self._search.next[states[-1]]))
        return self.space.keys(np.array(states[::-1], np.int32))

    @property
    def cost(self) -> float:
        """What a cheapest path costs, in the units of people; infinity if there is none."""
        path = self.path()
        if path is None:
            return float("inf")
        states = np.array([self.space.state(key) for key in path])
        paid = np.array([self.space.edge(a, b) for a, b in pairwise(states.tolist())], np.int64)
        return self.space.steps(states, paid)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        return self._search.snapshot()
