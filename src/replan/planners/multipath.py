"""Multipath Adaptive A* and its generalised form: Adaptive A* whose searches end on the paths of earlier ones.

(Hernández, Baier, Asín: Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain, ICAPS 2014;
Hernández, Asín, Baier: Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic Terrain, AAAI
2015.) A search ends at the first state, in the order of A*, that is a goal or from which an old path is still cheapest
(`search/paths.py`). What it expanded learns as in Adaptive A*, with f of the state where it ended; then the way there
is remembered, and the agent follows the pointers. Paths are cheapest presumed ones, found with at most the expansions
of Adaptive A*.

Larger g among equal f is part of the algorithm: on free terrain the search then runs straight ahead, and with another
rule it looks at whole discs. Deviations: a broken path is not erased when costs rise, and pointers are not repaired
when they fall (the test decides, and nothing was gained by either); a state that was found to lead nowhere is not
walked through again in the same search; targets may move, and there may be several goals. With a budget, a search that
it ends is a lookahead of RTAA*.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.planners.realtime import RealTime
from replan.queues.base import OpenList
from replan.search.choosing import BestF
from replan.search.learning import OnePass
from replan.search.paths import OldPaths
from replan.search.repair_h import RepairH
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class MultipathAStar(RealTime):
    """MPAA*, or with falling="repair" MPGAA*."""

    def __init__(self, open: OpenList, repair: RepairH, heuristic: Any, check: bool, falling: str) -> None:
        RealTime.__init__(self, open, OnePass(), BestF(), repair, heuristic, check, falling)
        self.paths = OldPaths()

    def begin_trip(self, space: Space, goals: Goals) -> None:
        RealTime.begin_trip(self, space, goals)
        self.paths.fit(space.n)
        self.look.search.ending = self.paths

    def _touch(self) -> None:
        RealTime._touch(self)
        self.paths.touch()

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.paths.begin()
        return RealTime.episode(self, at, limit, deadline)

    def lay(self, best: int, at: int) -> int:
        if self.look.search.stopped < 0 and not self.goals.has(best):
            return RealTime.lay(self, best, at)  # a budget has ended the search
        self.paths.add(self.look.search, best, at)
        return self.lay_along(at)

    def lay_along(self, at: int) -> int:
        """The trail follows the pointers to a goal."""
        v, i = at, 0
        while not self.goals.has(v):
            v = self.paths.next[v]
            i += 1
        self.ahead = i
        v, cost = at, 0
        self.trail[i] = v
        while i > 0:
            self.where[v] = i
            self.toll[i] = self.space.step_cost(v, self.paths.next[v])
            cost += self.toll[i]
            v = self.paths.next[v]
            i -= 1
            self.trail[i] = v
        if cost > self.space.bound:
            with cython.gil:
                self._refuse_bound(cost)
        return 0

    def _arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return {**RealTime._arrays(self), "next": self.paths.snapshot()}
