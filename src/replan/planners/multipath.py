"""Multipath Adaptive A* and its generalised form: Adaptive A* whose searches end on the paths of earlier ones.

(Hernández, Baier, Asín: Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain, ICAPS 2014;
Hernández, Asín, Baier: Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic Terrain, AAAI
2015.) A search ends at the first state, in the order of A*, that is a goal or from which an old path is still cheapest
(`search/old_paths.py`). What it expanded learns as in Adaptive A*, with f of the state where it ended; then the way
there is remembered, and the agent follows the pointers. Paths are cheapest presumed ones, found with at most the
expansions of Adaptive A*.

Larger g among equal f is part of the algorithm: on free terrain the search then runs straight ahead, and with another
rule it looks at whole discs. Deviations: a broken path is not erased when costs rise, and pointers are not repaired
when they fall (the test decides, and nothing was gained by either); a state that was found to lead nowhere is not
walked through again in the same search, nor is the rest of the agent's own path while no cost has changed there;
targets may move, and there may be several goals. With a budget, a search that it ends is a lookahead of RTAA*.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.planners.realtime import RealTime
from replan.queues.base import OpenList
from replan.saving import Bag
from replan.search.choosing import BestF
from replan.search.learning import OnePass
from replan.search.old_paths import OldPaths
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

    def made_from(self) -> tuple[Any, ...]:
        return MultipathAStar, self.open.made_from(), self.repair, self.given, self.checks_h, self.falling

    def carry_trip(self, bag: Bag) -> None:
        RealTime.carry_trip(self, bag)
        self.paths.carry(bag.inner("paths"), self.goals, self.ahead)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        RealTime.begin_trip(self, space, goals)
        self.paths.fit(space.n, self.trail, self.where)
        self.look.search.ending = self.paths

    def _touch(self) -> None:
        RealTime._touch(self)
        self.paths.touch()

    def new_goals(self, goals: Goals) -> None:
        RealTime.new_goals(self, goals)
        self.paths.solid = -1

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        if not rise:
            self.paths.solid = -1
        for i in range(k if rise else 0):
            self.paths.rose(told[i])
        return RealTime.changed(self, told, k, rise)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.paths.begin()
        return RealTime.episode(self, at, limit, deadline)

    def lay(self, best: int, at: int) -> int:
        """The trail: by the search tree to `best`, by an old path to where the old trail is solid, and along that."""
        spot = 0
        if self.look.search.stopped >= 0:
            spot = self.lay_old_path(best)
        self.lay_trail(self.look.search, best, at, spot)
        if spot > 0 or self.goals.has(best):
            self.paths.add(spot, self.ahead)
        else:
            self.paths.solid = -1  # a budget has ended the search
        return 0

    def lay_old_path(self, v: int) -> int:
        """The steps that are known from v on; which spot of the trail has v?"""
        if self.look.f_best > self.space.bound:
            with cython.gil:
                self._refuse_bound(self.look.f_best)
        spot = self.paths.kept + self.paths.steps
        for i in range(spot, self.paths.kept, -1):
            u = self.paths.next[v]
            self.trail[i], self.where[v], self.toll[i] = v, i, self.space.step_cost(v, u)
            v = u
        self.trail[self.paths.kept] = v
        return spot

    def _arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return {**RealTime._arrays(self), "next": self.paths.snapshot()}

    def _arrays_at(self, states: Any) -> dict[str, np.ndarray[Any, Any]]:
        return {**RealTime._arrays_at(self, states), "next": self.paths.snapshot(states)}
