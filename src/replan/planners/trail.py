"""The trail: the path that an episode of a planner leaves.

`trail[ahead]` is where the agent stands, `trail[0]` the state to walk to, and `toll[i]` the believed cost of the step
from `trail[i]` to `trail[i - 1]`. It runs from its end, as parents do in a search tree. `where[s]` is the position of a
state on it; that of its end need not be there.
"""

from __future__ import annotations

import numpy as np

from replan.arrays import empty
from replan.counts import Counting
from replan.errors import InputError
from replan.limits import INF
from replan.own import wrong_answer
from replan.saving import Bag
from replan.search.astar import Search
from replan.spaces.space import Space, key_to_place

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, ints_from, longs


class Trail(Counting):
    """What a planner has laid for its agent, and the space through which it leads."""

    space: Space
    trail: memoryview
    toll: memoryview
    where: memoryview
    ahead: int
    room: int  # for how many states there is room
    where_first: int  # the state whose position stands first in `where`: 0, but for who serves many in turn

    def fit_trail(self, n: int) -> int:
        """Have room for any trail on n states."""
        if self.room < n:
            self.make_trail(n)
            self.room = n
        return 0

    def make_trail(self, n: int) -> None:
        """Hook: room for the longest trail on n states."""
        self.trail, self.toll, self.where = empty(n, np.int32), empty(n, np.int64), empty(n, np.int32)

    def spot_of(self, s: int) -> int:
        """Where a state stands on the trail, -1 if it does not."""
        # not cleared between searches: the trail itself says whether an entry is of this one
        i = self.where[s - self.where_first]
        return i if 0 <= i <= self.ahead and self.trail[i] == s else -1

    def dearer(self, u: int, spot: int, stop: int) -> bool:
        """Does the trail from trail[spot] to trail[stop] take a step out of u that costs more than it did?"""
        i = self.spot_of(u)
        return stop < i <= spot and self.space.step_cost(u, self.trail[i - 1]) > self.toll[i]

    def lay_step(self, at: int, to: int, toll: int) -> int:
        """A trail of a single step."""
        self.trail[0], self.trail[1], self.where[at - self.where_first] = to, at, 1
        self.toll[1] = toll
        self.ahead = 1
        return 0

    def lay_trail(self, search: Search, best: int, at: int, spot: int = 0) -> int:
        """Follow the parents from `best`, which is to be trail[spot], back to the agent."""
        node = search.node
        if node[best].g > self.space.bound:
            with cython.gil:
                self._refuse_bound(node[best].g)
        trail, toll, where = ints(self.trail), longs(self.toll), ints_from(self.where, self.where_first)
        i = spot
        v = best
        g = node[v].g
        trail[i] = v
        while v != at:
            v = node[v].parent
            i += 1
            trail[i], where[v] = v, i
            toll[i] = g - node[v].g
            g = node[v].g
        self.ahead = i
        return 0

    def lay_trail_backward(self, search: Search, at: int) -> int:
        """The parents of a backward search lead from the agent to the goal."""
        node = search.node
        if node[at].g > self.space.bound:
            with cython.gil:
                self._refuse_bound(node[at].g)
        i = 0
        v = at
        while node[v].parent != v:
            v = node[v].parent
            i += 1
        self.ahead = i
        v = at
        self.trail[i] = v
        while i > 0:
            u = node[v].parent
            self.where[v] = i
            self.toll[i] = node[v].g - node[u].g
            i -= 1
            self.trail[i] = u
            v = u
        return 0

    def lay_path(self, path: list[int], at: int) -> int:
        """The states after `at`, as a planner written in Python returns them. Raises ValueError for a blocked step."""
        trail, where = np.asarray(self.trail), np.asarray(self.where)
        for i, s in enumerate([*reversed(path), at]):
            trail[i], where[s] = s, i
            self.toll[i] = self.space.step_cost(s, trail[i - 1]) if i > 0 else 0
            if i > 0 and self.toll[i] >= INF:
                raise wrong_answer(self, "plan", no_step(self.space, s, int(trail[i - 1])))
        self.ahead = len(path)
        return 0

    def _refuse_bound(self, cost: int) -> None:
        name, bound = type(self.space).__name__, self.space.bound
        raise ValueError(f"{name} announced that no cheapest path costs more than {bound} ticks; one costs {cost}")

    def carry_trail(self, bag: Bag) -> None:
        """For copies and pickles (`saving.py`)."""
        ahead = bag.whole("ahead", self.ahead, 0, len(self.trail) - 1)
        trail = bag.states("trail", self.trail[: ahead + 1], self.space.n, once=True)
        toll = bag.numbers("toll", self.toll[1 : ahead + 1], -INF, INF, ahead)
        bag.require(len(trail) == ahead + 1, "its path is not as long as it says")
        if bag.loading:
            self.ahead = ahead
            np.asarray(self.trail)[: ahead + 1], np.asarray(self.toll)[1 : ahead + 1] = trail, toll
            if len(self.where) >= self.space.n:
                np.asarray(self.where)[trail] = np.arange(ahead + 1)


def no_step(space: Space, u: int, v: int) -> str:
    """Why a path cannot step from u to v, as the end of an error message."""
    a, b = space.key(u), space.key(v)
    answer = f"a path that steps from {a!r} to {b!r}"
    try:
        if not space.cells:
            key_to_place(space, (a, b))  # raises if there is none
            return f"{answer}, an edge that is believed blocked"
        for s, key in ((v, b), (u, a)):
            if space.value_at(s) == 0:
                return f"{answer}, and {key!r} is believed blocked"
    except (InputError, NotImplementedError):
        return f"{answer}: there is no edge between them"
    return f"{answer}: no step leads there, because they are not adjacent or a wall or corner lies between them"
