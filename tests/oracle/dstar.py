"""D* Lite and its kin in plain Python: dictionaries of g, rhs and next, and a queue that is searched for its first.

Turn by turn (an expansion, a key that is refreshed, or a truncation) they hold what the planners of replan hold.
Successors and predecessors are lists of (state, cost), in the order in which the planners get them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

INF = float("inf")
Steps = Callable[[int], list[tuple[int, int]]]


class DStarLite:
    """Backward from the goals to the target, where the agent stands (Koenig, Likhachev 2002, the optimised form)."""

    forward = False
    begun = 0  # how often

    def __init__(self, out: Steps, into: Steps, h: Callable[[int, int], int], prefer: str, ties: str) -> None:
        self.out, self.into, self.h = (into, out, h) if self.forward else (out, into, h)
        self.sharp, self.sign = prefer == "smaller g", 1 if prefer == "smaller g" else -1
        self.young = -1 if ties == "last-in" else 1
        self.g: dict[int, float] = {}
        self.rhs: dict[int, float] = {}
        self.next: dict[int, int] = {}
        self.queue: dict[int, tuple[float, float, int]] = {}
        self.age = self.km = self.expansions = self.refreshes = 0
        self.roots: list[int] = []
        self.target = -1

    def begin(self, roots: list[int], target: int) -> None:
        self.__init__(*((self.into, self.out) if self.forward else (self.out, self.into)), self.h, *self.order())  # type: ignore[misc]
        self.begun, self.roots, self.target = self.begun + 1, roots, target
        for s in roots:
            self.set_rhs(s, 0, -1)

    def order(self) -> tuple[str, str]:
        return "smaller g" if self.sharp else "larger g", "last-in" if self.young < 0 else "first-in"

    def value(self, s: int) -> tuple[float, float]:
        return self.g.get(s, INF), self.rhs.get(s, INF)

    def estimate(self, s: int) -> int:
        return self.h(s, self.target) if self.forward else self.h(self.target, s)

    def key(self, s: int) -> tuple[float, float]:
        g, rhs = self.value(s)
        m = min(g, rhs)
        f = m + self.estimate(s) + self.km
        return (f if self.sharp else 2 * f + (g >= rhs)), self.sign * m

    def enqueue(self, s: int) -> None:
        self.age += 1
        self.queue[s] = (*self.key(s), self.young * self.age)

    def set_rhs(self, s: int, rhs: float, next: int) -> None:
        self.rhs[s], self.next[s] = rhs, next
        self.update_queue(s)

    def update_queue(self, s: int) -> None:
        g, rhs = self.value(s)
        if g != rhs:
            self.enqueue(s)
        else:
            self.queue.pop(s, None)

    def recompute(self, s: int) -> None:
        """The least c + g over the successors; the first of equal ones."""
        rhs, next = INF, -1
        for v, cost in self.out(s):
            if cost + self.g.get(v, INF) < rhs:
                rhs, next = cost + self.g.get(v, INF), v
        self.set_rhs(s, rhs, next)

    def step(self, s: int, v: int) -> float:
        return dict(self.out(s)).get(v, INF)

    def costs_rose(self, s: int) -> None:
        v = self.next.get(s, -1)
        if v >= 0 and self.step(s, v) != self.rhs[s] - self.g.get(v, INF):
            self.costs_changed(s)

    def costs_changed(self, s: int) -> None:
        if s not in self.roots:
            self.recompute(s)

    def move_target(self, s: int) -> None:
        if s != self.target:
            self.km += self.estimate(s)
            self.target = s

    def first(self) -> int:
        """The state to be taken out, -1 if none comes before the target's key."""
        g, rhs = self.value(self.target)
        s = min(self.queue, key=lambda one: self.queue[one], default=-1)
        if s < 0 or rhs > g or rhs >= INF:
            return s
        return s if self.queue[s][:2] < self.key(self.target) else -1

    def start(self) -> None:
        """Turns follow, without a break."""

    def done(self) -> bool:
        """Is the way to the target known?"""
        return self.first() < 0

    def turn(self) -> bool:
        """One turn; False: there is nothing more to do."""
        u = self.first()
        if u < 0:
            return False
        f, *_ = self.queue.pop(u)
        if f < self.key(u)[0]:
            self.refreshes += 1
            self.enqueue(u)
        else:
            self.expand(u)
        return True

    def expand(self, u: int) -> None:
        self.expansions += 1
        if self.value(u)[0] > self.value(u)[1]:
            self.lower(u)
        else:
            self.raise_(u)

    def lower(self, u: int) -> None:
        self.g[u] = self.rhs[u]
        for p, cost in self.into(u):
            if cost + self.g[u] < self.value(p)[1]:
                self.set_rhs(p, cost + self.g[u], u)

    def raise_(self, u: int) -> None:
        self.g[u] = INF
        self.update_queue(u)
        for p, _ in self.into(u):
            if self.next.get(p, -1) == u:
                self.recompute(p)

    def cut(self, states: list[int], s: int) -> None:
        """As if the search had never come to s, which is one more of these states."""
        self.queue.pop(s, None)
        self.g[s] = self.rhs[s] = INF
        self.next[s] = -1
        states.append(s)


class DStarExtraLite(DStarLite):
    """Cuts off the branch beyond a cost that has risen, and lets what borders on it grow into the gap."""

    both_ways = True  # can every step be taken back?

    def costs_changed(self, s: int) -> None:
        if s in self.roots:
            return
        v = self.next.get(s, -1)
        if v >= 0 and self.step(s, v) > self.rhs[s] - self.g.get(v, INF):
            self.cut_off(s)
        self.seed_around(s)

    def cut_off(self, s: int) -> None:
        states: list[int] = []
        self.cut(states, s)
        for u in states:  # it grows
            left = []
            for v, _ in self.into(u):
                if self.next.get(v, -1) == u:
                    self.cut(states, v)
                else:
                    left.append(v)
            for v in left:
                self.seed(v)
        if not self.both_ways:
            for u in states:
                self.seed_around(u)

    def seed_around(self, s: int) -> None:
        for v, cost in self.out(s):
            if self.value(v)[1] + cost < self.value(s)[1]:
                self.seed(v)

    def seed(self, s: int) -> None:
        if self.value(s)[1] < INF and s not in self.queue:
            self.enqueue(s)

    def raise_(self, u: int) -> None:
        self.lower(u)


class MovingTarget(DStarLite):
    """Forward, from the agent to the target; the root moves and keeps its g."""

    forward = True

    def reroot(self, at: int) -> bool:
        """False: the way to `at` is not known, start again."""
        g, rhs = self.value(at)
        if g != rhs or g == INF:
            return False
        states: list[int] = []
        w = self.next[at]
        self.next[at] = -1
        while w >= 0 and w != at:
            above = self.next[w]
            self.cut(states, w)
            w = above
        old = self.roots[0]
        if self.value(old)[1] < INF:
            self.cut(states, old)
        self.roots = [at]
        for u in states:  # it grows
            for v, _ in self.into(u):
                if self.next.get(v, -1) == u:
                    self.cut(states, v)
        for u in states:
            self.recompute(u)
        return True


class Truncated(DStarLite):
    """With a bound, in hundredths: see Aine and Likhachev, rules 1 and 2."""

    bound = 110

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.truncated: list[int] = []
        self.ways: dict[int, float] = {}  # of states that ways were kept of, truncated ones and others: what they cost
        self.look = self.turns = 0
        self.whole = False

    def start(self) -> None:
        self.look = self.turns = self.expansions + self.refreshes
        self.whole = False

    def done(self) -> bool:
        rhs = self.value(self.target)[1]
        return self.first() < 0 and (rhs >= INF or self.good_enough(rhs)[0])

    def restore(self) -> None:
        states, self.truncated, self.ways = self.truncated, [], {}
        for s in states:
            self.recompute(s)

    def walk(self, s: int, most: float) -> tuple[float, list[int]]:
        """The cost of the way from s, and the way: as far as was looked, if that is too dear, cut, or a circle."""
        cost, way, v, mark = 0.0, [], s, s
        while v not in self.roots:
            if v in self.ways:
                cost += self.ways[v]
                return (cost if cost <= most else INF), way
            w = self.next.get(v, -1)
            if w < 0:
                return INF, way
            cost += self.rhs[v] - self.g[w]
            way.append(w)
            if cost > most or w == mark:
                return INF, way
            if len(way) in (1, 2, 4, 8, 16, 32, 64):
                mark = w
            v = w
        return cost, way

    def keep(self, u: int, cost: float, way: list[int]) -> None:
        """Truncate u. Whatever becomes of `next`, its way stays one, and so does that of every state on it."""
        self.truncated.append(u)
        for v in [u, *way]:
            if v not in self.ways:
                self.ways[v] = cost
                if v not in self.roots:
                    cost -= self.rhs[v] - self.g[self.next[v]]
        self.rhs[u], self.next[u] = -1, -1

    def good_enough(self, low: float) -> tuple[bool, int]:
        cost, way = self.walk(self.target, self.bound * low // 100 if low < INF else INF)
        return cost < INF, len(way)

    def turn(self) -> bool:
        u = self.first()
        while u < 0:
            rhs = self.value(self.target)[1]
            if rhs >= INF or self.whole or self.good_enough(rhs)[0]:
                return False
            self.whole = True
            self.restore()
            u = self.first()
        f, *_ = self.queue.pop(u)
        self.turns += 1
        if f < self.key(u)[0]:
            self.refreshes += 1
            self.enqueue(u)
            return True
        (g, rhs), h = self.value(u), self.estimate(u)
        if self.turns >= self.look or u == self.target:
            good, walked = self.good_enough(min(g, rhs) + h)
            if good:
                self.enqueue(u)
                return False
            self.look = self.turns + walked + 1
        if g < rhs and not self.whole:
            cost, way = self.walk(u, self.bound * (g + h) // 100 - h)
            if cost < INF:
                self.keep(u, cost, way)
                return True
        self.expand(u)
        return True
