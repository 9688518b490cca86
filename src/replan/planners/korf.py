"""Korf's LRTA* and RTA*: look ahead to a depth, learn the agent's own state, make one move.

(Korf: Real-Time Heuristic Search, 1990.) For every successor n of the agent's state s: value(n) = c(s,n) + L(n),
where L(n) is the least cost plus h over all walks of depth - 1 further steps, or fewer that end in a goal, found
depth-first with alpha pruning. The agent moves to the n with the smallest value. LRTA*: h(s) := the smallest value.
RTA*: h(s) := the second smallest.

Chosen where the paper is open: `pathmax` (f along a walk never falls; without it the agent can loop for ever from
depth 2 on); h(s) is never lowered (`one_step`). A lookahead in expansions or a deadline deepens 1, 2, 3... as far as it
reaches; the deepest search that was finished decides, and all of them count. RTA*'s values are not admissible and need
not converge: in a second trial, or where steps cannot be taken back, they can shut an agent in that has a way. When all
neighbours of the agent seem dearer than any path can be, and yet there is one, RTA* therefore forgets what it learned
and goes on as LRTA*, which arrives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import EXPANDED, INF, PARTIAL, UNREACHABLE
from replan.planners.one_step import OneStep
from replan.queues.base import OpenList
from replan.saving import Bag
from replan.search.astar import Search
from replan.search.repair_h import RepairH
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

DEEPEST = 24
RESIGNED = 2  # part of its mood: RTA* goes on as LRTA*


class Korf(OneStep):
    """LRTA*, or with `second` RTA*."""

    second: bool

    def __init__(
        self,
        open: OpenList,
        repair: RepairH,
        second: bool,
        depth: int | None = None,
        pathmax: bool = True,
        heuristic: Any = None,
        check: bool = False,
        falling: str = "keep",
    ) -> None:
        self._set_up(open, pathmax, heuristic, check, falling, repair)
        if depth is not None and (not isinstance(depth, int) or not 1 <= depth <= DEEPEST):
            raise InputError(f"depth is a whole number from 1 to {DEEPEST}, not {depth!r}")
        self.second, self.depth, self.loose = second, depth or 0, True
        self.learns_best = not second

    def begin_trip(self, space: Space, goals: Goals) -> None:
        OneStep.begin_trip(self, space, goals)
        self.learns_best = not self.second
        self.doubtful = self.second  # the second-best value says what another way costs, not what is left from here
        self.near = space.neighbours()
        self.degree = self.near.room + 1
        self.walk, self.g, self.f = empty(DEEPEST, np.int32), empty(DEEPEST, np.int64), empty(DEEPEST, np.int64)
        self.turn, self.count = empty(DEEPEST, np.int64), empty(DEEPEST, np.int64)
        self.succ = empty((DEEPEST + 1) * self.degree, np.int32)
        self.cost = empty((DEEPEST + 1) * self.degree, np.int64)
        self.values = empty(self.degree, np.int64)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        if self.fallen:
            self.take_in_falls()
        if self.knows_no_way(at):
            return UNREACHABLE
        self.start(at)
        self.used = 0
        self.choice = -1
        budget = limit < INF or deadline > 0
        d = 1 if budget or self.depth == 0 else self.depth
        self.stop_at, self.deadline_ns, self.out_of_budget = INF, 0, False
        self.evaluate(self.space, self.open, at, d)
        if budget:
            self.stop_at, self.deadline_ns = limit, deadline
            while d < (self.depth or DEEPEST) and not self.out_of_budget and self.choice >= 0:
                d += 1
                self.evaluate(self.space, self.open, at, d)
        return self.take_step(at)

    def made_from(self) -> tuple[Any, ...]:
        parts = (self.open.made_from(), self.repair, self.second, self.depth or None, self.pathmax)
        return Korf, *parts, self.given, self.checks_h, self.falling

    def carry_trip(self, bag: Bag) -> None:
        OneStep.carry_trip(self, bag)
        self.learns_best = bag.truth("learns_best", self.learns_best)
        self.doubtful = bag.truth("doubtful", self.doubtful)

    def go_on(self, at: int) -> int:
        again = self.doubtful and not self.kept
        status = OneStep.go_on(self, at)
        if again and status == PARTIAL:
            self.learns_best, self.doubtful = True, False
        return status

    def mood(self) -> int:
        return OneStep.mood(self) | (RESIGNED if self.learns_best else 0)

    def resume(self, mood: int) -> int:
        self.learns_best = not self.second or mood & RESIGNED != 0
        self.doubtful = not self.learns_best
        return OneStep.resume(self, mood)

    def longest(self) -> int:
        if self.limit < INF or self.depth == 0:
            return self.limit if self.limit < INF else 1
        longest = level = 1
        for _ in range(1, self.depth):
            level *= self.space.degree
            longest = min(longest + level, INF - 1)
        return longest

    def evaluate(self, space: Space, open: OpenList, at: int, depth: int) -> int:
        """The values of all successors with this depth; chooses only when the budget lasts."""
        k = self.open_level(space, self.near, DEEPEST, at, 0, 0)
        if self.out_of_budget:
            return 0
        best = next_best = INF
        for i in range(k):
            v = self.succ[DEEPEST * self.degree + i]
            alpha = next_best if self.second else best
            value = self.minimin(
                space, self.look.search, self.goals, v, depth - 1, alpha - self.cost[DEEPEST * self.degree + i]
            )
            if self.out_of_budget:
                return 0
            value = min(INF, value + self.cost[DEEPEST * self.degree + i])
            self.values[i] = value
            if value < best:
                best, next_best = value, best
            elif value < next_best:
                next_best = value
        self.decide(open, DEEPEST * self.degree, k)
        return 0

    def minimin(self, space: Space, search: Search, goals: Goals, n: int, depth: int, alpha: int) -> int:
        """L(n) by depth-first search, or something above alpha as soon as it is known to be that large."""
        fv = search.value_h(n)
        if depth == 0 or goals.has(n):
            return fv
        best = INF
        level = 0
        self.open_level(space, self.near, 0, n, 0, fv)
        while level >= 0 and not self.out_of_budget:
            if self.turn[level] == self.count[level]:
                level -= 1
                continue
            i = level * self.degree + self.turn[level]
            self.turn[level] += 1
            v = self.succ[i]
            gv = self.g[level] + self.cost[i]
            fv = gv + search.value_h(v)
            if self.pathmax:
                fv = max(fv, self.f[level])
                if fv > alpha or fv >= best:
                    continue
            elif gv > alpha or gv >= best:
                continue
            if level + 1 == depth or goals.has(v):
                best = min(best, fv)
            else:
                level += 1
                self.open_level(space, self.near, level, v, gv, fv)
        return best

    def open_level(self, space: Space, near: Neighbours, level: int, v: int, g: int, f: int) -> int:
        """Expand v, which stands at this level of the walk. (The level below all others is the agent's.)"""
        self.used += 1
        if self.used > self.stop_at or (self.deadline_ns > 0 and self.used & 7 == 0 and now_ns() >= self.deadline_ns):
            self.out_of_budget = True
            self.used -= 1
            return 0
        if self.used & 8191 == 0:
            check_signals()
        if self.watched:
            self.log.add(v, EXPANDED, self.look.search.node[v].h if level == DEEPEST else -1)
        k = space.expand(near, v)
        for i in range(k):
            self.succ[level * self.degree + i] = near.state[i]
            self.cost[level * self.degree + i] = near.cost[i]
        if level < DEEPEST:
            self.walk[level], self.g[level], self.f[level] = v, g, f
            self.turn[level], self.count[level] = 0, k
        return k
