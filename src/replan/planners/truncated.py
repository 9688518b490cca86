"""Truncated D* Lite: D* Lite with a bound, which repairs only what the bound needs (Aine, Likhachev, AIJ 234, 2016).

A path costs at most `bound` times the cheapest, at the moment of the search that found it. Where costs rise and fall
all over a map that is known, a bound of 1.05 spares 55 to 80 % of the expansions of D* Lite, one of 1.01 13 to 52 %:
the fewer the more cells change, because states that become cheaper are not truncated. In fog it spares hardly anything,
and an expansion takes 1.3 to 1.4 times as long: beside them ways are walked, one for each state that becomes dearer,
and a state that is truncated then counts as none.

Differs from the paper: the path from the agent is measured after as many turns as it has steps, not at every turn; if
what was truncated does not keep the bound together, all of it is repaired; a path that would visit a cell twice leaves
out the circle. ATD*, which inflates h as well, is not here: AD* does that.
"""

from __future__ import annotations

from typing import Any

from replan.limits import COMPLETE, UNREACHABLE
from replan.own import within
from replan.planners.dstar_lite import REPLAN, IncrementalPlanner
from replan.queues.base import OpenList
from replan.saving import Bag
from replan.search.incremental import Incremental, refuse_circle
from replan.search.truncating import Truncating
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF, ints, longs

LOOSEST = 1000  # the largest bound, in hundredths


class TruncatedDStarLite(IncrementalPlanner):
    """bound: in hundredths."""

    engine: Truncating

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan: str = "blocked", check: bool = False, bound: int = 110
    ) -> None:
        self._set_up(open, heuristic, replan, check)
        self.whole_way, self.hundredths = True, within("bound", bound, 100, LOOSEST)

    @property
    def bound(self) -> float:
        """The path of an episode costs at most so many times the cheapest."""
        return self.hundredths / 100.0

    def made_from(self) -> tuple[Any, ...]:
        given = self.open.made_from(), self.given, REPLAN[self.eager], self.checks_h
        return TruncatedDStarLite, *given, self.hundredths

    def carry_trip(self, bag: Bag) -> None:
        if not bag.loading and self.started:
            self.engine.prepare()
            self.engine.restore()  # as the next search would: who is truncated is not saved
        IncrementalPlanner.carry_trip(self, bag)
        bag.require(not self.started or self.laid < 0, "it marks no path")

    def _engine(self, space: Space) -> Incremental:
        self.engine = Truncating(space, self.open, self.given, self.hundredths)
        return self.engine

    def take_in(self, at: int) -> int:
        if not self.started:
            self.engine.drop()
        return IncrementalPlanner.take_in(self, at)

    def take_changes(self) -> int:
        if self.watched and self.engine.count > 0:
            self.log.wide = True
        self.engine.restore()
        return IncrementalPlanner.take_changes(self)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.update(at)
        self.search_on(INF, 0)
        if self.search.node[at].rhs >= INF:
            return UNREACHABLE
        self.lay(at)
        return COMPLETE

    def lay(self, at: int) -> int:
        """The trail: along `next`, and where a state is truncated along the way that was kept for it."""
        node, s, k = self.search.node, at, self.step_on(0, at, 0)
        while not self.goals.has(s):
            if self.engine.is_truncated(s):
                i = self.engine.slot[s]
                for j in range(self.engine.first[i], self.engine.first[i + 1]):
                    v = self.engine.ways[j]
                    k = self.step_on(k, v, self.space.step_cost(s, v))
                    s = v
            else:
                v = node[s].next
                if v < 0:
                    with cython.gil:
                        refuse_circle()
                k = self.step_on(k, v, node[s].rhs - node[v].g)
                s = v
        return self.turn_round(k)

    def step_on(self, k: int, s: int, toll: int) -> int:
        """The trail, in the order of walking, has k states: add s, or leave out a circle that leads back to it."""
        i = self.where[s]
        if 0 <= i < k and self.trail[i] == s:
            return i + 1
        self.trail[k] = s
        self.toll[k] = toll  # of the step to s
        self.where[s] = k
        return k + 1

    def turn_round(self, k: int) -> int:
        """A trail runs from its end."""
        trail, toll, where = ints(self.trail), longs(self.toll), ints(self.where)
        for i in range(k // 2):
            trail[i], trail[k - 1 - i] = trail[k - 1 - i], trail[i]
        for i in range(1, (k + 1) // 2):
            toll[i], toll[k - i] = toll[k - i], toll[i]
        for i in range(k):
            where[trail[i]] = i
        self.ahead = k - 1
        return 0
