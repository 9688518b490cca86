"""Incremental search: keep the last search, and repair it where costs have changed.

One engine serves LPA* (forward from a fixed start) and D* Lite (backward from the goal to an agent that moves). It is
the optimised form of D* Lite (Koenig, Likhachev 2002; paper 003, Figure 3):

- a state is queued exactly while it is inconsistent (g != rhs); its key is changed in place;
- the root's rhs is 0; expanding an over-consistent u can only lower rhs of its neighbours, so it takes no minimum;
- `next` holds the neighbour that rhs comes from, so only states whose `next` is u are looked at when u is raised;
- a key that has gone stale because the agent moved (k_m) is refreshed in place: that is no expansion;
- the search ends when the target is not under-consistent and nothing in the queue comes before its key: the
  target itself need not be expanded.

Below, `toward(u)` are the states whose rhs depends on g(u): the predecessors of u for D* Lite, the successors for LPA*.

Keys, with m = min(g, rhs) and e = h + k_m (paper 003; 0 or 1 is for "under-consistent first"):

| order                     | f, then g as the open list orders them |
|---------------------------|-----------------------------------------|
| smaller g                 | m + e, then smaller m (*)               |
| larger g                  | 2 (m + e) + (g >= rhs), then larger m   |
| buckets: a single number  | 2 (m + e) + (g >= rhs)                  |

(*) Where the bits of f and m do not fit one word m loses its lowest ones: then 2 (m + e) + (g >= rhs), then smaller m.

Anytime D* (AD*; Likhachev, Ferguson, Gordon, Stentz, Thrun 2005) is the same engine with `weight` > 10 tenths: the
keys of under-consistent states are 10 (m + h), the others 10 m + weight h, and a state that was lowered in an
iteration and becomes inconsistent again waits for the next one (`later`). A new iteration is due when the weight
changes *and* after every batch of changed costs: without it a path can run in a circle.

The keys printed for buckets in paper 003 leave k_m out; it has to be there as soon as the agent moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import columns, empty, grown, zeros
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import INF
from replan.queues.base import OpenList
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.heuristics import user_estimate
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

SMALLER_G, LARGER_G = 0, 1


class Incremental:
    """g and rhs of all states, and the queue of the inconsistent ones."""

    g: memoryview
    rhs: memoryview
    stamp: memoryview
    next: memoryview
    open: OpenList
    space: Space
    roots: Goals
    target: int
    km: int
    expansions: int
    refreshes: int

    def __init__(
        self,
        space: Space,
        open: OpenList,
        smaller_g: bool,
        heuristic: Any = None,
        forward: bool = False,
        anytime: bool = False,
    ) -> None:
        self.n, self.forward, self.open, self.anytime = space.n, forward, open, anytime
        self.weight = 10
        self.lowered_in, self.later = zeros(space.n if anytime else 1, np.int64), empty(64, np.int32)
        self.iteration = self.delayed = 0
        self.order = SMALLER_G if smaller_g else LARGER_G
        # stamp: 2 x while a state is met and not queued, 2 x + 1 while it is queued; anything else is of an older trip
        _, (self.g, self.rhs, self.stamp, self.next) = columns(space.n, 4)
        self.x = 0
        if heuristic is not None and not callable(heuristic) and heuristic != "zero":
            raise InputError("incremental search needs estimates between any two cells: give a function, not an array")
        self.given, self.zero, self.asked = heuristic, heuristic == "zero", callable(heuristic)

    def begin(self, space: Space, roots: Goals, target: int) -> None:
        """Start anew, towards `target`."""
        self.space, self.roots, self.target = space, roots, target
        self.near, self.near_cost = empty(len(space.succ), np.int32), empty(len(space.succ), np.int64)
        self.x += 2
        self.iteration += 1
        self.delayed = 0
        self.expansions = self.refreshes = 0
        self.open.reseed()
        self.open.clear()
        self.fitted = -1
        self.prepare()
        for s in np.asarray(roots.states).tolist():
            self.meet(s)
            self.rhs[s] = 0
            self.settle(s)

    # Keys.

    def between(self, a: int, b: int) -> int:
        """The estimate of the way from a to b."""
        if self.zero:
            return 0
        if self.asked:
            with cython.gil:
                return self.ask(a, b)
        return self.space.distance(a, b)

    def ask(self, a: int, b: int) -> int:
        return user_estimate(self.given, self.space, a, b)

    def h(self, s: int) -> int:
        return self.between(s, self.target) if self.forward else self.between(self.target, s)

    def key(self, s: int) -> int:
        """The first part of the key of a state as it is now."""
        m = self.least(s)
        if m >= INF:
            return INF
        if self.anytime:
            if self.g[s] >= self.rhs[s]:
                return 2 * (10 * m + self.weight * self.h(s) + self.km) + 1
            return 2 * (10 * (m + self.h(s)) + self.km)
        if self.sharp:
            return m + self.h(s) + self.km
        return 2 * (m + self.h(s) + self.km) + (self.g[s] >= self.rhs[s])

    def least(self, s: int) -> int:
        return min(self.g[s], self.rhs[s])

    # The queue.

    def meet(self, s: int) -> int:
        """Values of an earlier trip are not seen."""
        if self.stamp[s] < self.x:
            self.stamp[s] = self.x
            self.g[s] = self.rhs[s] = INF
            self.next[s] = -1
        return 0

    def settle(self, s: int) -> int:
        """Queue a state exactly if it is inconsistent."""
        if self.g[s] != self.rhs[s]:
            if self.anytime and self.lowered_in[s] == self.iteration:
                return self.delay(s)
            f = self.key(s)
            if self.stamp[s] == self.x:
                self.stamp[s] = self.x + 1
                self.open.insert(s, f, self.least(s))
            else:
                self.open.update(s, f, self.least(s))
        elif self.stamp[s] != self.x:
            self.stamp[s] = self.x
            self.open.remove(s)
        return 0

    def delay(self, s: int) -> int:
        """A state that was lowered in this iteration waits for the next one."""
        if self.delayed == len(self.later):
            with cython.gil:
                self.later = grown(self.later, 2 * self.delayed)
        self.later[self.delayed] = s
        self.delayed += 1
        return 0

    def weigh(self, weight: int) -> None:
        """The weight to begin with."""
        self.weight = weight

    def iterate(self, weight: int) -> int:
        """Begin a new iteration with this weight."""
        self.weight = weight
        self.iteration += 1
        k = self.delayed
        self.delayed = 0
        for i in range(k):
            s = self.later[i]
            if self.g[s] != self.rhs[s] and self.stamp[s] == self.x:  # not settled otherwise in the meantime
                self.stamp[s] = self.x + 1
                self.open.insert(s, 0, 0)
        return self.rekey()

    def prepare(self) -> int:
        """Before keys are made: do they fit? Costs may have grown, and k_m grows with every move."""
        if self.fitted != self.space.bound or self.km > self.km_most:
            with cython.gil:
                self.rekey()
        return 0

    def rekey(self) -> int:
        """Lay the queue out anew, with k_m = 0."""
        k = 0
        if self.open.size > 0:
            self.all_queued = empty(self.open.size, np.int32)
            k = self.open.list_to(self.all_queued)
        bound = self.space.bound
        scale = self.weight if self.anytime else 1
        self.fitted, self.km, self.km_most = bound, 0, scale * bound
        self.open.clear()
        most = 4 * bound + self.space.span  # m + h + k_m
        self.sharp = self.order == SMALLER_G
        if self.sharp:
            self.open.fit(self.n, most, bound, self.space.span)
            self.sharp = self.open.exact()
        if not self.sharp:
            most = 2 * scale * most + 20 * bound + 1 if self.anytime else 2 * most + 1
            self.open.fit(self.n, most, bound, 2 * self.space.span)
        for i in range(k):
            s = self.all_queued[i]
            self.open.insert(s, self.key(s), self.least(s))
        return 0

    # Changes.

    def move_target(self, s: int) -> int:
        """The agent stands on s now. Keys in the queue become lower bounds."""
        if s != self.target:
            h = self.between(s, self.target) if self.forward else self.between(self.target, s)
            self.km += self.weight * h if self.anytime else h
            self.target = s
        return self.prepare()

    def change(self, s: int) -> int:
        """The costs of steps that rhs(s) depends on have changed."""
        self.meet(s)
        if self.roots.contains(s):
            return 0
        self.recompute(self.space, s)
        return self.settle(s)

    def change_all(self, states: list[int]) -> None:
        self.prepare()  # the new costs may be larger than any that keys were made for
        for s in states:
            self.change(s)

    def advance_all(self) -> None:
        """Search until the way to the target is known."""
        self.prepare()
        self.advance(INF, 0)

    def recompute(self, space: Space, s: int) -> int:
        """rhs(s) as the minimum over all neighbours."""
        best = INF
        k = space.reverse(s) if self.forward else space.expand(s)
        self.next[s] = -1
        for i in range(k):
            v = space.succ[i]
            self.meet(v)
            if self.g[v] < INF:
                c = space.cost[i] + self.g[v]
                if c < best:
                    best = c
                    self.next[s] = v
        self.rhs[s] = best
        return 0

    # The search.

    def finished(self) -> bool:
        """Is the way to the target known?"""
        s = self.target
        self.meet(s)
        if self.rhs[s] > self.g[s] or self.rhs[s] >= INF:
            return self.open.size == 0
        return not self.open.before(self.key(s), self.least(s))

    def advance(self, limit: int, deadline: int) -> int:
        """Search on for at most `limit` turns (expansions and refreshes) or until the clock shows `deadline` (0: none).

        1 when the way to the target is known, or known not to exist; 0 when the budget is used up.
        """
        stop = self.expansions + self.refreshes + limit if limit < INF else INF
        while not self.finished():
            if self.expansions + self.refreshes >= stop:
                return 0
            if (self.expansions + self.refreshes) & 7 == 7:
                if deadline > 0 and now_ns() >= deadline:
                    return 0
                if (self.expansions + self.refreshes) & 8191 == 8191:
                    check_signals()
            u = self.open.top()
            f = self.key(u)
            if self.open.top_f() < f:
                self.open.update(u, f, self.least(u))
                self.refreshes += 1
                continue
            self.expansions += 1
            if self.g[u] > self.rhs[u]:
                self.lower(self.space, u)
            else:
                self.raise_(self.space, u)
        return 1

    def lower(self, space: Space, u: int) -> int:
        """Expand an over-consistent state: its g falls to rhs."""
        gu = self.rhs[u]
        self.g[u] = gu
        self.settle(u)
        if self.anytime:
            self.lowered_in[u] = self.iteration
        k = space.expand(u) if self.forward else space.reverse(u)
        for i in range(k):
            p = space.succ[i]
            self.meet(p)
            through = space.cost[i] + gu
            if through < self.rhs[p]:  # never true of a root, whose rhs is 0
                self.rhs[p] = through
                self.next[p] = u
                self.settle(p)
        return 0

    def raise_(self, space: Space, u: int) -> int:
        """Expand an under-consistent state: its g rises to infinity, and what came through it is looked at again."""
        self.g[u] = INF
        self.settle(u)
        k = space.expand(u) if self.forward else space.reverse(u)
        for i in range(k):
            self.near[i] = space.succ[i]
        for i in range(k):
            p = self.near[i]
            if self.stamp[p] >= self.x and self.next[p] == u:
                self.recompute(space, p)
                self.settle(p)
        return 0

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """g and rhs (-1 for infinite), where each state leads, and who is queued."""
        met = np.asarray(self.stamp) >= self.x
        g, rhs = np.asarray(self.g), np.asarray(self.rhs)
        return {
            "g": np.where(met & (g < INF), g, -1),
            "rhs": np.where(met & (rhs < INF), rhs, -1),
            "parent": np.where(met, np.asarray(self.next), -1),
            "open": np.asarray(self.stamp) == self.x + 1,
        }
