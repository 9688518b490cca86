"""What a planner is: one search episode at a time, from where the agent stands.

An episode leaves a *trail*: `trail[ahead]` is the agent's state, `trail[0]` the state to walk to, and `toll[i]` the
believed cost of the step from `trail[i]` to `trail[i - 1]`. It runs from its end, as parents do in a search tree.

A planner of your own derives from `Planner` in plain Python and defines `plan(state, budget)`:

>>> import numpy as np, replan
>>> class Eastwards(replan.Planner):
...     '''Walks to the right.'''
...     def plan(self, state, budget):
...         return [state + 1]
>>> world = replan.World(replan.Grid(np.zeros((1, 5), bool)))
>>> replan.simulate(world, Eastwards(), (0, 0), (0, 4)).path
[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.search.astar import Search
from replan.simulation.budget import Budget
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Planner:
    """The contract of all planners; see the text of this module.

    `space` is what the agent believes. The planner searches it and does not own it. `expansions`, `percolations`,
    `h_increase` (ticks), `refreshes` (queued keys brought up to date), `intakes` (states whose changed costs were taken
    in) and `intake_ns` (the time that took) count since `begin`.
    """

    space: Space
    goals: Goals
    trail: memoryview
    toll: memoryview
    where: memoryview
    ahead: int
    expansions: int
    percolations: int
    h_increase: int
    refreshes: int
    intakes: int
    intake_ns: int
    spec: Any
    limit: int
    time_ns: int
    moves: int
    eager: bool
    cheapest: bool
    patient: bool

    def __init__(self) -> None:
        self.limit, self.time_ns, self.moves, self.spec, self.ready_for = INF, 0, INF, None, -1
        self.eager = False  # does every change call for a new episode?
        self.cheapest = False  # are its paths cheapest presumed ones, so that their beginnings are, too?
        self.patient = True  # does it wait when no way is known, as long as the world has changes to come?

    def begin(self, space: Space, goals: Goals) -> None:
        """Prepare for a trip to these goals. Linear in the map the first time, nothing the next time."""
        if getattr(self, "space", None) is None or self.space.n < space.n:
            self.make_trail(space.n)
        if getattr(self, "limit", 0) == 0:  # a planner written in Python that left __init__ of this class out
            Planner.__init__(self)
        self.space, self.goals = space, goals
        self.listens = type(self).notify is not Planner.notify  # a planner written in Python may want to know
        self.ahead = 0
        self.expansions = self.percolations = self.h_increase = 0
        self.refreshes = self.intakes = self.intake_ns = 0

    def get_ready(self) -> None:
        """After `begin`: with a deadline all memory is touched, once, so that no episode waits for it."""
        if self.time_ns > 0 and self.ready_for != self.space.n:
            self.ready_for = self.space.n
            self.touch()

    def touch(self) -> None:
        """Have all memory at hand."""
        touch(self.trail, self.toll, self.where)

    def make_trail(self, n: int) -> None:
        """Room for the longest trail on n states."""
        self.trail, self.toll, self.where = empty(n, np.int32), empty(n, np.int64), empty(n, np.int32)

    def retarget(self, goals: Goals) -> None:
        """The goal has moved."""
        raise InputError(f"{type(self).__name__} cannot follow a moving target")

    def use(self, budget: Budget | None) -> tuple[int, int]:
        """The expansions and nanoseconds that a budget allows this planner; None: its own setting."""
        if budget is None:
            return self.limit, self.time_ns
        return budget.expansions, budget.nanoseconds

    def __repr__(self) -> str:
        spec, queue = getattr(self, "spec", None), getattr(self, "open", None)
        if spec is None:
            return f"<{type(self).__name__}>"
        order = "" if queue is None else f"; {getattr(queue, 'order', 'buckets: smaller f, last-in')}"
        return f"<{spec.name}: {spec.recipe}{order}>"

    # The three verbs.

    def plan(self, state: int, budget: Budget | None) -> list[int] | None:
        """One episode from `state`: the states to walk through, `state` not among them. None: no way is known."""
        limit, time_ns = self.use(None if budget is None else Budget.check(budget))
        status = self.episode(state, limit, now_ns() + time_ns if time_ns else 0)
        if status == UNREACHABLE:
            return None
        return [] if status == WAITING else np.asarray(self.trail)[: self.ahead][::-1].tolist()

    def notify(self, states: list[int], rise: bool) -> None:
        """The costs of steps out of these states went up (rise) or down."""
        for s in states:
            self.changed(s, rise)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays of the search, one number a state, as views."""
        return {}

    # What the loop calls. A planner written in Python inherits these and is asked for its `plan`.

    def episode(self, at: int, limit: int, deadline: int) -> int:
        """Search from `at` within `limit` expansions and before the clock shows `deadline` (0: none); lay a trail."""
        with cython.gil:
            return self._python_episode(at, limit, deadline)

    def changed(self, s: int, rise: bool) -> int:
        """The costs of steps out of `s` changed. Planners that search anew each time need not know.

        0, or 1 from a planner that knows its path to be cut beyond the trail that it laid.
        """
        if self.listens:
            with cython.gil:
                self.notify([s], rise)
        return 0

    def _python_episode(self, at: int, limit: int, deadline: int) -> int:
        if type(self).plan is Planner.plan:
            raise NotImplementedError(f"{type(self).__name__} is a planner without plan()")
        path = self.plan(at, Budget(limit, max(1, deadline - now_ns()) if deadline else 0))
        if path is None:
            return UNREACHABLE
        trail, where = np.asarray(self.trail), np.asarray(self.where)
        path = _once(path, at)
        if len(path) >= len(trail):
            raise ValueError(f"{type(self).__name__}.plan() returned a path of {len(path)} states")
        self.ahead = len(path)
        for i, s in enumerate([*reversed(path), at]):
            trail[i], where[s] = s, i
            self.toll[i] = self.space.edge(s, trail[i - 1]) if i > 0 else 0
            if i > 0 and self.toll[i] >= INF:
                a, b = self.space.key(s), self.space.key(int(trail[i - 1]))
                raise ValueError(f"{type(self).__name__}.plan() steps from {a} to {b}, which is believed blocked")
        if not path:
            return WAITING
        return COMPLETE if self.goals.contains(trail[0]) else PARTIAL

    def spot_of(self, s: int) -> int:
        """Where a state stands on the trail, -1 if it does not."""
        i = self.where[s]  # not cleared between searches: the trail itself says whether an entry is of this one
        return i if 0 <= i <= self.ahead and self.trail[i] == s else -1

    def dearer(self, u: int, spot: int, stop: int) -> bool:
        """Does the trail from trail[spot] to trail[stop] take a step out of u that costs more than it did?"""
        i = self.spot_of(u)
        return stop < i <= spot and self.space.edge(u, self.trail[i - 1]) > self.toll[i]

    def lay_step(self, at: int, to: int, toll: int) -> int:
        """A trail of a single step."""
        self.trail[0], self.trail[1], self.where[at] = to, at, 1
        self.toll[1] = toll
        self.ahead = 1
        return 0

    def lay_trail(self, search: Search, best: int, at: int) -> int:
        """Follow the parents from `best` back to the agent."""
        i = 0
        v = best
        self.trail[0] = v
        while v != at:
            u = search.node[4 * v + 3]
            i += 1
            self.trail[i] = u
            self.toll[i] = search.node[4 * v] - search.node[4 * u]
            self.where[u] = i
            v = u
        self.ahead = i
        return 0

    def lay_trail_backward(self, search: Search, at: int) -> int:
        """The parents of a backward search lead from the agent to the goal."""
        i = 0
        v = at
        while search.parent[v] != v:
            v = search.parent[v]
            i += 1
        self.ahead = i
        v = at
        self.trail[i] = v
        while i > 0:
            u = search.parent[v]
            self.where[v] = i
            self.toll[i] = search.g[v] - search.g[u]
            i -= 1
            self.trail[i] = u
            v = u
        return 0


def _once(path: list[int], at: int) -> list[int]:
    """The path as far as it visits no state twice; there the agent plans again."""
    seen = {at}
    for i, s in enumerate(path):
        if s in seen:
            return path[:i]
        seen.add(s)
    return path
