"""Incremental search: keep the last search, and repair it where costs have changed.

One engine serves LPA* (forward from a fixed start) and D* Lite (backward from the goal to an agent that moves). It is
the optimised form of D* Lite (Koenig, Likhachev 2002; paper 003, Figure 3):

- a state is queued exactly while it is inconsistent (g != rhs); its key is changed in place;
- the root's rhs is 0; expanding an over-consistent u can only lower rhs of its neighbours, so it takes no minimum;
- `next` holds the neighbour that rhs comes from, so only states whose `next` is u are looked at when u is raised;
- a key that has gone stale because the agent moved (k_m) is refreshed: that is no expansion; a state that was queued
  since the last move is known to have a fresh key, and none is made to compare it with;
- the search ends when the target is not under-consistent and nothing in the queue comes before its key: the
  target itself need not be expanded;
- a cost that rises concerns a state only if its `next` lies that way;
- what an expansion queues is handed over together with the request for the next state, in one call.

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
from replan.queues.base import OpenList
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.heuristics import CellDistance, user_estimate
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.arrays import ints, longs
    from replan.limits import INF, ON_TRAIL, QUEUED
    from replan.queues.base import BATCH
    from replan.spaces.heuristics import cells_apart

SMALLER_G, LARGER_G = 0, 1
MOVE, TRIP = 4, 1 << 36  # what a stamp grows by


class Incremental:
    """g and rhs of all states, and the queue of the inconsistent ones.

    g, rhs, stamp and next of a state s are node[4 s] to node[4 s + 3]. The stamp is x or more while a state is met;
    anything below is of an earlier trip. It tells when the state was queued last: `now` grows when the target moves.
    QUEUED and ON_TRAIL are added to it.

    A planner that lays its path along `next` marks it with ON_TRAIL and tells in `where` the position of each state
    on it, from 0 at its end. `cut` is then the lowest position at which the path has changed since: below, it still
    leads along `next`, and need not be laid again. `spoilt` is set when costs that have risen make a state on it, or
    the target, dearer.
    """

    node: memoryview
    new: memoryview
    new_f: memoryview
    new_g: memoryview
    where: memoryview
    g: memoryview
    rhs: memoryview
    stamp: memoryview
    next: memoryview
    open: OpenList
    space: Space
    roots: Goals
    target: int
    distance: CellDistance
    km: int
    cut: int
    spoilt: bool
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
        self.iteration = self.delayed = self.noted = 0
        self.spoilt = False
        self.order = SMALLER_G if smaller_g else LARGER_G
        self.table, (self.g, self.rhs, self.stamp, self.next) = columns(space.n, 4)
        self.node = longs(self.table)
        self.new, self.new_f, self.new_g = ints(open.new), longs(open.new_f), longs(open.new_g)
        self.x = self.now = self.cut = 0
        self.where = empty(1, np.int32)
        if heuristic is not None and not callable(heuristic) and heuristic != "zero":
            raise InputError("incremental search needs estimates between any two cells: give a function, not an array")
        self.given, self.zero, self.asked = heuristic, heuristic == "zero", callable(heuristic)

    def begin(self, space: Space, roots: Goals, target: int) -> None:
        """Start anew, towards `target`."""
        self.space, self.roots, self.target = space, roots, target
        self.near, self.row = empty(len(space.succ), np.int32), space.near if cython.compiled else 0
        self.flat = isinstance(space, Grid) and self.given is None
        # where every step can be taken back at the same cost, `reverse` tells what `expand` does, a little later
        self.outward = self.forward or isinstance(space, Grid)
        self.inward = not self.forward or isinstance(space, Grid)
        if isinstance(space, Grid):
            self.distance = CellDistance(space, target)
        self.x += TRIP
        self.now = self.x
        self.iteration += 1
        self.delayed = self.noted = self.cut = 0
        self.expansions = self.refreshes = 0
        self.open.reseed()
        self.open.clear()
        self.fitted = -1
        self.prepare()
        for s in np.asarray(roots.states).tolist():
            self.meet(s)
            self.rhs[s] = 0
            self.settle(s, self.g[s], 0, self.stamp[s])
        self.flush()

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
        if self.flat:
            return cells_apart(self.distance, s)
        return self.between(s, self.target) if self.forward else self.between(self.target, s)

    def key(self, s: int) -> int:
        """The first part of the key of an inconsistent state as it is now."""
        return self.key_of(self.node[4 * s], self.node[4 * s + 1], self.h(s))

    def key_of(self, g: int, rhs: int, h: int) -> int:
        m, over = min(g, rhs), g >= rhs
        if self.anytime:
            return 2 * (10 * m + (self.weight if over else 10) * h + self.km) + over
        return m + h + self.km if self.sharp else 2 * (m + h + self.km) + over

    def least(self, s: int) -> int:
        return min(self.node[4 * s], self.node[4 * s + 1])

    # The queue.

    def meet(self, s: int) -> int:
        """Values of an earlier trip are not seen."""
        if self.node[4 * s + 2] < self.x:
            self.node[4 * s + 2] = self.x
            self.node[4 * s] = self.node[4 * s + 1] = INF
            self.node[4 * s + 3] = -1
        return 0

    def settle(self, s: int, g: int, rhs: int, stamp: int) -> int:
        """Queue a state exactly if it is inconsistent."""
        if g != rhs:
            if self.anytime and self.lowered_in[s] == self.iteration:
                return self.delay(s)
            return self.queue(s, stamp, self.key_of(g, rhs, self.h(s)), min(g, rhs))
        if stamp & QUEUED != 0:
            self.node[4 * s + 2] = stamp - QUEUED
            return self.note(-1 - s, -1, 0)
        return 0

    def queue(self, s: int, stamp: int, f: int, m: int) -> int:
        """Let a state have this key in the queue, whether it is inside or not."""
        if cython.compiled:  # its neighbours will be looked at soon
            replan_fetch(self.node, 4 * (s + self.row))  # type: ignore[name-defined]  # noqa: F821
            replan_fetch(self.node, 4 * (s - self.row))  # type: ignore[name-defined]  # noqa: F821
        self.node[4 * s + 2] = self.now + QUEUED + (stamp & ON_TRAIL)
        return self.note(-1 - s if stamp & QUEUED != 0 else s, f, m)

    def note(self, who: int, f: int, m: int) -> int:
        """Put a state on the list of those that the queue takes in, moves, or takes out (f < 0) with the next call."""
        if self.noted == BATCH:
            self.flush()
        i = self.noted
        self.new[i] = who
        self.new_f[i] = f
        self.new_g[i] = m
        self.noted = i + 1
        return 0

    def flush(self) -> int:
        """Let the queue do what has been noted."""
        k = self.noted
        self.noted = 0
        if k > 0:
            self.open.exchange(k, -1, 0, 0)
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
        self.now += MOVE
        self.iteration += 1
        k = self.delayed
        self.delayed = 0
        for i in range(k):
            s = self.later[i]
            if self.g[s] != self.rhs[s] and self.stamp[s] & QUEUED == 0:  # not settled otherwise in the meantime
                self.stamp[s] += QUEUED
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
            # the keys in the queue lie further apart than in A*: with some room, as far as is known
            apart = 2 * self.weight * self.space.span if self.anytime else 8 * self.space.span
            self.open.fit(self.n, most, bound, apart)
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
            self.now += MOVE
            if self.flat:
                self.distance.aim(s)
        return self.prepare()

    def met(self, s: int) -> bool:
        return self.node[4 * s + 2] >= self.x

    def rise(self, s: int) -> int:
        """Steps that rhs(s) depends on have become dearer. If that to `next` has not, rhs stays."""
        v = self.node[4 * s + 3] if self.met(s) else -1
        if v >= 0:
            cost = self.space.edge(v, s) if self.forward else self.space.edge(s, v)
            if cost != self.node[4 * s + 1] - self.node[4 * v]:
                return self.change(s)
        return 0

    def change(self, s: int) -> int:
        """The costs of steps that rhs(s) depends on have changed."""
        self.meet(s)
        if self.roots.contains(s):
            return 0
        before = self.node[4 * s + 1]
        self.recompute(self.space, s)
        if self.node[4 * s + 1] > before and (s == self.target or self.node[4 * s + 2] & ON_TRAIL != 0):
            self.spoilt = True
        return 0

    def change_all(self, states: list[int]) -> None:
        self.prepare()  # the new costs may be larger than any that keys were made for
        for s in states:
            self.change(s)
        self.flush()

    def advance_all(self) -> None:
        """Search until the way to the target is known."""
        self.prepare()
        self.advance(INF, 0)

    def recompute(self, space: Space, s: int) -> int:
        """rhs(s) as the minimum over all neighbours."""
        node, succ, cost, x = self.node, ints(space.succ), longs(space.cost), self.x
        best, through = INF, -1
        k = space.expand(s) if self.inward else space.reverse(s)
        for i in range(k):
            v = succ[i]
            if node[4 * v + 2] >= x:
                c = cost[i] + node[4 * v]
                better = -(c < best)  # all bits, or none, as where g is infinite; a branch would be anyone's guess
                best ^= (best ^ c) & better
                through ^= (through ^ v) & better
        return self.reroute(s, best, through)

    def reroute(self, s: int, rhs: int, through: int) -> int:
        """Set rhs(s) and where it comes from."""
        node = self.node
        stamp = node[4 * s + 2]
        node[4 * s + 1] = rhs
        node[4 * s + 3] = through
        if stamp & ON_TRAIL != 0:
            self.cut = min(self.cut, self.where[s])
        return self.settle(s, node[4 * s], rhs, stamp)

    # The search.

    def advance(self, limit: int, deadline: int) -> int:
        """Search on for at most `limit` turns (expansions and refreshes) or until the clock shows `deadline` (0: none).

        1 when the way to the target is known, or known not to exist; 0 when the budget is used up.
        """
        node, t = self.node, self.target
        self.meet(t)
        h_t = self.h(t)
        turns = self.expansions + self.refreshes
        stop = turns + limit if limit < INF else INF
        while True:
            g, rhs = node[4 * t], node[4 * t + 1]
            if turns >= stop or (turns & 7 == 7 and self.late(turns, deadline)):
                self.flush()
                return not self.open.before(self.end(g, rhs, h_t), rhs)
            k = self.noted
            self.noted = 0
            u = self.open.exchange(k, -1, self.end(g, rhs, h_t), rhs)
            if u < 0:
                return 1
            turns += 1
            g, rhs, stamp = node[4 * u], node[4 * u + 1], node[4 * u + 2] - QUEUED
            if stamp < self.now:
                f = self.key_of(g, rhs, self.h(u))
                if self.open.taken_f < f:
                    self.refreshes += 1
                    self.queue(u, stamp, f, min(g, rhs))
                    continue
            self.expansions += 1
            node[4 * u + 2] = stamp
            if g > rhs:
                self.lower(self.space, u)
            else:
                self.raise_(self.space, u)

    def end(self, g: int, rhs: int, h: int) -> int:
        """The way to the target is known when nothing in the queue comes before this key of its."""
        return INF if rhs > g or rhs >= INF else self.key_of(g, rhs, h)

    def late(self, turns: int, deadline: int) -> bool:
        if turns & 8191 == 8191:
            check_signals()
        return deadline > 0 and now_ns() >= deadline

    def lower(self, space: Space, u: int) -> int:
        """Expand an over-consistent state: its g falls to rhs."""
        node, succ, cost, x = self.node, ints(space.succ), longs(space.cost), self.x
        gu = node[4 * u + 1]
        node[4 * u] = gu
        if self.anytime:
            self.lowered_in[u] = self.iteration
        k = space.expand(u) if self.outward else space.reverse(u)
        for i in range(k):
            p = succ[i]
            through = cost[i] + gu
            if node[4 * p + 2] < x:
                self.meet(p)
            if through < node[4 * p + 1]:  # never true of a root, whose rhs is 0
                self.reroute(p, through, u)
        return 0

    def raise_(self, space: Space, u: int) -> int:
        """Expand an under-consistent state: its g rises to infinity, and what came through it is looked at again."""
        node, succ, near = self.node, ints(space.succ), ints(self.near)
        node[4 * u] = INF
        self.settle(u, INF, node[4 * u + 1], node[4 * u + 2])
        k, m, x = space.expand(u) if self.outward else space.reverse(u), 0, self.x
        for i in range(k):  # `succ` will hold the neighbours of others
            p = succ[i]
            near[m] = p
            m += (node[4 * p + 3] == u) & (node[4 * p + 2] >= x)
        for i in range(m):
            self.recompute(space, near[i])
        return 0

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """g and rhs (-1 for infinite), where each state leads, and who is queued."""
        stamp = np.asarray(self.stamp)
        met = stamp >= self.x
        g, rhs = np.asarray(self.g), np.asarray(self.rhs)
        return {
            "g": np.where(met & (g < INF), g, -1),
            "rhs": np.where(met & (rhs < INF), rhs, -1),
            "parent": np.where(met, np.asarray(self.next), -1),
            "open": met & (stamp & QUEUED != 0),
        }
