"""D* Lite, three ways (paper 003; Koenig and Likhachev 2002).

prefer="smaller g" is Figure 3 of paper 003, prefer="larger g" its triple keys, queue="buckets" its scalar keys, with k_m. The engine,
its keys and its optimisations are in `search/incremental.py`.

replan="blocked": what was seen waits until a step of the path has become dearer, as paper 000 counts its episodes; costs that
fell never wait. replan="changed": every change starts a new episode (Figure 3). Both follow cheapest presumed paths.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.errors import InputError
from replan.limits import COMPLETE, INF, UNREACHABLE
from replan.planners.base import Planner
from replan.queues.base import OpenList
from replan.search.incremental import Incremental
from replan.simulation.budget import Budget
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

REPLAN = ("blocked", "changed")


class DStarLite(Planner):
    """Searches backward from the goal and repairs its last search when costs have changed."""

    search: Incremental
    open: OpenList

    def __init__(self, open: OpenList, smaller_g: bool, heuristic: Any = None, replan: str = "blocked") -> None:
        Planner.__init__(self)
        if replan not in REPLAN:
            raise InputError(f"replan is one of {', '.join(map(repr, REPLAN))}, not {replan!r}")
        self.open, self.smaller_g, self.given = open, smaller_g, heuristic
        self.eager = replan == "changed"
        self.pending, self.waiting, self.started = empty(64, np.int32), 0, False

    def begin(self, space: Space, goals: Goals) -> None:
        if getattr(self, "search", None) is None or self.search.n != space.n:
            self.search = Incremental(space, self.open, self.smaller_g, self.given)
        Planner.begin(self, space, goals)
        self.retarget(goals)

    def retarget(self, goals: Goals) -> None:
        """The goal is the root of the search: start again."""
        self.goals, self.started, self.waiting = goals, False, 0

    def use(self, budget: Budget | None) -> tuple[int, int]:
        if budget is not None and (budget.expansions < INF or budget.nanoseconds):
            raise InputError("D* Lite alone searches all the way: call advance(budget), or take RTD*")
        return INF, 0

    def changed(self, s: int, rise: bool) -> int:
        """Remember that steps out of s cost something else now."""
        if self.started:
            if self.waiting == len(self.pending):
                with cython.gil:
                    self.make_room()
            self.pending[self.waiting] = s
            self.waiting += 1
        return 0

    def make_room(self) -> int:
        self.pending = grown(self.pending, 2 * self.waiting)
        return 0

    def take_in(self, at: int) -> int:
        """Bring the search up to date: where the agent is, and all changes so far."""
        if not self.started:
            with cython.gil:
                self.search.begin(self.space, self.goals, at)
            self.started = True
        self.search.move_target(at)
        for i in range(self.waiting):
            self.search.change(self.pending[i])
        self.waiting = 0
        return 0

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.take_in(at)
        before = self.search.expansions
        self.search.advance(INF, 0)
        self.expansions += self.search.expansions - before
        self.percolations = self.open.percolations
        if self.search.rhs[at] >= INF:
            return UNREACHABLE
        self.lay(at)
        return COMPLETE

    def lay(self, at: int) -> int:
        """The trail: from the agent along `next` to the goal."""
        k = 0
        s = at
        while not self.goals.contains(s):
            s = self.search.next[s]
            k += 1
        self.ahead = k
        s = at
        while k > 0:
            v = self.search.next[s]
            self.trail[k] = s
            self.where[s] = k
            self.toll[k] = self.search.rhs[s] - self.search.g[v]
            k -= 1
            s = v
        self.trail[0] = s
        return 0

    def advance(self, state: int, budget: Budget) -> bool:
        """Take in what has changed and search on within a budget: is the way from `state` known now?"""
        self.take_in(state)
        before = self.search.expansions
        done = self.search.advance(budget.expansions, budget.nanoseconds)
        self.expansions += self.search.expansions - before
        return bool(done)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        return self.search.snapshot()
