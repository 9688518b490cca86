"""Time-Bounded A* and Time-Bounded Adaptive A*, slowly: dictionaries, and learning over all of CLOSED at once.

(Björnsson, Bulitko, Sturtevant 2009; Hernández, Baier, Uras, Koenig 2012. Restarts are those of
`planners/tba.py`: they compare the cost of a step with the cost that it had when it became part of the tree.)
"""

from __future__ import annotations

from math import inf
from typing import Any

from oracle.realtime import FirstH, Learned, Open, State, Steps, largest_consistent

WAIT, UNREACHABLE = "wait", "unreachable"


class TimeBounded:
    """One slice an episode: what it does is a state to step to, WAIT or UNREACHABLE. `learns`: TBAA*."""

    both_ways = True  # can every step be taken back at the same cost?

    def __init__(
        self,
        learns: bool,
        limit: float,
        tracing: float = 0.1,
        on_cost_decrease: str = "keep",
        tenths: int = 10,
        **order: Any,
    ) -> None:
        share = 0 if limit == inf else int(limit * tracing + 1e-9)
        self.most = max(1, limit - share)
        self.trace_most = inf if limit == inf else max(10, 10 * share)
        self.learns, self.on_cost_decrease, self.tenths = learns, on_cost_decrease, tenths
        self.open = Open(**order)

    def begin(self, steps: Steps, goals: set[State], first_h: FirstH, bound: int) -> None:
        self.steps, self.bound, self.cautious, self.starts = steps, bound, False, 0
        self.stood = self.expected = self.laid = None
        self.forget(goals, first_h)

    def forget(self, goals: set[State], first_h: FirstH) -> None:
        self.goals, self.h = goals, Learned(self.weighted(first_h))
        self.g: dict[State, int] = {}
        self.closed: list[State] = []
        self.stale, self.tainted, self.fallen = True, False, False

    def weighted(self, first_h: FirstH) -> FirstH:
        """Times the weight; no path costs more than the bound."""
        return lambda s: min(first_h(s), self.bound + 1) * self.tenths // 10

    # What happens between episodes.

    def costs(self, steps: Steps, rise: bool) -> None:
        """One place has changed."""
        touched = [u for u in steps if steps[u] != self.steps[u]]
        self.steps = steps
        if not touched:
            return
        self.news = True
        if not rise:
            self.fallen = True
            self.tainted = self.tainted or not self.stale
            self.stale = self.stale or self.on_cost_decrease != "keep"
        elif not self.stale:
            after = {u: v for v, u in zip(self.path, self.path[1:], strict=False)}
            self.stale = any(self.blocked(u, after[u]) for u in touched if u in after)
            on = self.path.index(self.stood) if self.stood in self.path else len(self.path)
            self.stale = self.stale or any(self.risen(u, after[u]) for u in self.path[1 : on + 1] if u in touched)
            laid = self.laid is not None and self.laid[0] in touched
            self.stale = self.stale or (laid and self.cost(*self.laid[:2]) > self.laid[2])

    def cost(self, u: State, v: State) -> float:
        return dict(self.steps[u]).get(v, inf)

    def blocked(self, u: State, v: State) -> bool:
        return self.cost(u, v) == inf

    def risen(self, u: State, v: State) -> bool:
        """Blocked, or a step of the tree that costs more than when it became one."""
        return self.blocked(u, v) or (self.parent[v] == u and self.cost(u, v) > self.paid[v])

    def target(self, goals: set[State], first_h: FirstH) -> None:
        if not self.learns:
            self.forget(goals, first_h)
            return
        self.drop()
        d = max(self.h[g] for g in goals)
        moved = Learned(self.weighted(first_h))
        for s in self.steps:
            moved[s] = max(moved.first(s), self.h[s] - d)
        self.goals, self.h = goals, moved
        self.stale = True

    # An episode.

    def episode(self, at: State) -> Any:
        if at not in (self.stood, self.expected):
            self.stale = True
        self.stood = self.expected = at
        if self.stale:
            self.start(at)
        self.laid = None
        self.expand()
        if not self.open.entries:
            self.stale = self.news
            return WAIT if self.news else UNREACHABLE
        self.trace(at, self.open.first())
        return self.step(at)

    def start(self, at: State) -> None:
        self.drop()
        self.open.entries.clear()
        self.root, self.path, self.traced = at, [], []
        self.g, self.parent, self.paid, self.closed = {at: 0}, {at: at}, {at: 0}, []
        self.h[at] = self.h[at]
        self.open.put(at, self.h[at], 0)
        self.stale = self.news = self.tainted = False
        self.starts += 1

    def drop(self) -> None:
        """Learn from the search, then take in falls."""
        if self.learns and not (self.on_cost_decrease == "keep" and self.tainted) and self.g and self.open.entries:
            f = self.open.f(self.open.first())
            for s in self.closed:
                self.h[s] = max(self.h[s], min(f - self.g[s], self.bound + 1))
        self.g, self.closed = {}, []
        if self.fallen and self.on_cost_decrease == "reset":
            self.h = Learned(self.h.first)
        if self.fallen and self.on_cost_decrease == "repair":
            for s, value in largest_consistent(self.steps, self.h, self.goals).items():
                self.h[s] = value
        self.fallen = False

    def expand(self) -> None:
        self.expanded = 0
        while self.open.entries and self.expanded < self.most:
            u = self.open.first()
            if u in self.goals:
                return
            del self.open.entries[u]
            self.closed.append(u)
            self.expanded += 1
            for v, cost in self.steps[u]:
                g = self.g[u] + cost
                if self.tenths > 10 and v in self.closed:
                    continue  # weighted A* expands no state twice
                if v not in self.g or g < self.g[v]:
                    self.g[v], self.parent[v], self.paid[v] = g, u, cost
                    self.h[v] = self.h[v]  # from now on it stands, also if the bound grows
                    self.open.put(v, g + self.h[v], g)

    def trace(self, at: State, best: State) -> None:
        """From the best open state back to the agent or the root, as far as a slice reaches."""
        if not self.traced and self.path[:1] == [best]:
            return
        left = self.trace_most
        while left > 0:
            v = self.parent[self.traced[-1]] if self.traced else best
            if self.traced and self.risen(v, self.traced[-1]):
                self.stale = True
                return
            self.traced.append(v)
            left -= 1
            if v in (at, self.root):
                self.path, self.traced = self.traced, []
                return

    def step(self, at: State) -> Any:
        whole = bool(self.path) and self.path[0] in self.goals
        if self.stale or not self.path or (self.cautious and not whole) or at == self.path[0]:
            return WAIT
        forward = at in self.path
        to = self.path[self.path.index(at) - 1] if forward else self.parent[at]
        risen = self.risen(at, to) if forward else self.both_ways and self.risen(to, at)
        if self.blocked(at, to) or risen:
            self.stale, self.cautious = True, self.cautious or not self.news
            return WAIT
        self.expected, self.laid = to, (at, to, self.cost(at, to))
        return to


def walk(oracle: TimeBounded, steps: Steps, start: State, goals: set[State], h: FirstH) -> tuple[str, list[State], int]:
    """A trip on a known map: why it ended, the path, and how many steps of time it took."""
    oracle.begin(steps, goals, h, 2**40)
    at, trip, time = start, [start], 0
    while at not in goals:
        done = oracle.episode(at)
        if done == UNREACHABLE:
            return UNREACHABLE, trip, time
        time += 1
        if done != WAIT:
            at = done
            trip.append(at)
    return "reached", trip, time
