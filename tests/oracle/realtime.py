"""Real-time search episode by episode, written from the pseudo-code, in dictionaries and lists.

RTAA* 2006, Figure 1 (RTAA*); Depression avoidance 2011, Algorithms 1 to 6 (choosing rules); Koenig and Sun 2009,
Figure 2 (LSS-LRTA*); Korf 1990 (LRTA*, RTA* and TLA*). `steps[s]` lists the pairs (successor, cost) of a state in the
order in which they are generated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from oracle.grids import Edges
from oracle.searches import reachable

State = Any
Steps = dict[State, list[tuple[State, int]]]
FirstH = Callable[[State], int]


def steps_of(edges: Edges) -> Steps:
    return {s: list(out.items()) for s, out in edges.items()}


def steps_of_arcs(nodes: list[State], arcs: list[tuple[State, State, int]], directed: bool) -> Steps:
    """The edges of a graph as listed, parallel ones and loops included; then the same ones the other way."""
    steps: Steps = {s: [] for s in nodes}
    for u, v, cost in arcs:
        steps[u].append((v, cost))
    if not directed:
        for u, v, cost in arcs:
            steps[v].append((u, cost))
    return steps


def times(weight: int, steps: Steps) -> Steps:
    """Steps that cost so many times as much."""
    return {s: [(v, weight * cost) for v, cost in out] for s, out in steps.items()}


class Learned:
    """h-values: the first ones until they are changed."""

    def __init__(self, first: FirstH) -> None:
        self.first, self.changed = first, dict[State, int]()

    def __getitem__(self, s: State) -> int:
        return self.changed[s] if s in self.changed else self.first(s)

    def __setitem__(self, s: State, value: int) -> None:
        self.changed[s] = value


class Open:
    """States with their f and g, in the order of f, then g as preferred, then age or chance."""

    def __init__(self, prefer: str = "larger g", ties: str = "first-in", seed: int = 0, queue: str = "heap") -> None:
        self.sign = {"larger g": -1, "smaller g": 1}[prefer] if queue == "heap" else 0
        self.ties = ties if queue == "heap" else "last-in"
        self.drawn = seed if self.ties == "random" else 0
        self.entries: dict[State, tuple[int, int, int]] = {}

    def put(self, s: State, f: int, g: int) -> None:
        """Insert, or move one that is inside: it is as young as a new one then."""
        if self.ties == "random":  # the stream of replan's heap, which lasts from search to search
            self.drawn = (self.drawn * 1103515245 + 12345) % 2**31
        else:
            self.drawn += 1 if self.ties == "first-in" else -1
        self.entries[s] = f, self.sign * g, self.drawn

    def in_order(self) -> list[State]:
        return sorted(self.entries, key=lambda s: self.entries[s])

    def first(self) -> State:
        return min(self.entries, key=lambda s: self.entries[s])

    def f(self, s: State) -> int:
        return self.entries[s][0]


@dataclass
class Look:
    """A* from `at` that was stopped: OPEN in its order, CLOSED in the order of expansion."""

    at: State
    steps: Steps
    h: Learned
    open: list[State] = field(default_factory=list)
    closed: list[State] = field(default_factory=list)
    g: dict[State, int] = field(default_factory=dict)
    parent: dict[State, State] = field(default_factory=dict)
    f_best: int = 0
    expansions: int = 0

    def path_to(self, s: State) -> list[State]:
        """The states from the agent, without its own, to s."""
        path = []
        while s != self.at:
            path.append(s)
            s = self.parent[s]
        return path[::-1]


def look_ahead(
    steps: Steps, at: State, goals: set[State], h: Learned, limit: float, open: Open, pathmax: bool = False
) -> Look:
    """Expand at most `limit` states; stop when a goal is about to be expanded."""
    look = Look(at, steps, h)
    open.entries.clear()
    look.g[at], look.parent[at] = 0, at
    open.put(at, h[at], 0)
    expanded = []
    while open.entries and len(expanded) < limit:
        u = open.first()
        if u in goals:
            break
        f_u = open.f(u)
        del open.entries[u]
        expanded.append(u)
        for v, cost in steps[u]:
            g = look.g[u] + cost
            if v not in look.g or g < look.g[v]:
                look.g[v], look.parent[v] = g, u
                open.put(v, max(g + h[v], f_u) if pathmax else g + h[v], g)
    look.open, look.expansions = open.in_order(), len(expanded)
    look.closed = [s for s in dict.fromkeys(expanded) if s not in open.entries]
    if look.open:
        look.f_best = open.f(look.open[0])
    return look


# Learning: RTAA* 2006, Figure 1, lines 06-07; Koenig and Sun 2009, Figure 2; Korf.


def one_pass(look: Look, cap: int) -> None:
    for s in look.closed:
        look.h[s] = max(look.h[s], look.f_best - look.g[s])


def from_frontier(look: Look, cap: int) -> None:
    """h(s) := min over s' in OPEN of k(s, s') + h(s'), k along CLOSED (Depression avoidance 2011, Proposition 1)."""
    value: dict[State, float] = {s: look.h[s] for s in look.open} | dict.fromkeys(look.closed, inf)
    closed = set(look.closed)
    unsettled = set(value)
    while unsettled:
        u = min(unsettled, key=lambda s: value[s])
        unsettled.remove(u)
        for p in unsettled & closed:
            for v, cost in look.steps[p]:
                if v == u:
                    value[p] = min(value[p], cost + value[u])
    for s in look.closed:
        look.h[s] = int(min(value[s], cap))


def current_only(look: Look, cap: int) -> None:
    look.h[look.at] = max(look.h[look.at], look.f_best)


# Choosing: Depression avoidance 2011, Algorithms 2, 4 and 6.


def best_f(look: Look) -> State:
    return look.open[0]


def avoid_raised(look: Look) -> State:
    return next((s for s in look.open if look.h[s] <= look.h.first(s)), look.open[0])


def least_raised(look: Look) -> State:
    chosen, least = None, inf
    for s in look.open:
        if look.h[s] - look.h.first(s) < least:
            chosen, least = s, look.h[s] - look.h.first(s)
        if least == 0:
            break
    return chosen


RULES: dict[str, tuple[Callable[[Look, int], None], Callable[[Look], State]]] = {
    "RTAA*": (one_pass, best_f),
    "aRTAA*": (one_pass, avoid_raised),
    "daRTAA*": (one_pass, least_raised),
    "LSS-LRTA*": (from_frontier, best_f),
    "aLSS-LRTA*": (from_frontier, avoid_raised),
    "daLSS-LRTA*": (from_frontier, least_raised),
    "wLSS-LRTA*": (from_frontier, best_f),
    "wdaLSS-LRTA*": (from_frontier, least_raised),
    "TLA*": (current_only, best_f),
}


class RealTime:
    """A planner of the table. `bound`: no path costs more."""

    weight = 1  # how many times steps count when h is learned (Rivera, Baier, Hernández 2015)

    def __init__(
        self,
        name: str,
        lookahead: float = 9,
        moves: float = inf,
        on_cost_decrease: str = "keep",
        update_weight: int = 1,
        **order: Any,
    ) -> None:
        self.learn, self.choose = RULES[name]
        self.weight = update_weight
        self.pathmax = name == "TLA*"
        self.lookahead, self.moves, self.on_cost_decrease = lookahead, 1 if name == "TLA*" else moves, on_cost_decrease
        self.open = Open(**order)

    def begin(self, goals: set[State], first_h: FirstH, bound: int) -> None:
        self.goals, self.bound = goals, bound
        self.h = Learned(lambda s: min(first_h(s), bound + 1))
        self.fallen = self.kept = False

    def forget(self) -> None:
        self.h, self.kept = Learned(self.h.first), False

    def take_in_falls(self, steps: Steps) -> None:
        self.kept = self.kept or (self.fallen and self.on_cost_decrease == "keep")
        if self.fallen and self.on_cost_decrease == "reset":
            self.forget()
        elif self.fallen and self.on_cost_decrease == "repair":
            for s, value in largest_consistent(times(self.weight, steps), self.h, self.goals).items():
                self.h[s] = value
        self.fallen = False

    def episode(self, steps: Steps, at: State) -> tuple[int, list[State] | None]:
        """The number of expansions, and the path to walk; None: no way to a goal."""
        self.take_in_falls(steps)
        look = look_ahead(steps, at, self.goals, self.h, self.lookahead, self.open, self.pathmax)
        if not look.open:
            return look.expansions, None
        chosen = self.choose(look)
        look.steps = times(self.weight, steps)
        self.learn(look, self.weight * (self.bound + 1))
        if self.h[at] > self.weight * self.bound and chosen not in self.goals:
            if not self.kept:
                return look.expansions, None
            self.forget()  # it was kept when costs fell, so it proves nothing
        return look.expansions, look.path_to(chosen)


def largest_consistent(steps: Steps, h: Any, goals: set[State]) -> dict[State, int]:
    """The largest values below h that are consistent, by going over all edges until nothing changes."""
    value = {s: h[s] for s in steps}
    changed = True
    while changed:
        changed = False
        for s in steps:
            for v, cost in steps[s]:
                if s not in goals and value[s] > cost + value[v]:
                    value[s], changed = cost + value[v], True
    return value


class Korf(RealTime):
    """LRTA* and RTA* with a depth (Korf 1990)."""

    def __init__(
        self, name: str, depth: int = 1, pathmax: bool = True, on_cost_decrease: str = "keep", **order: Any
    ) -> None:
        self.second, self.depth, self.pathmax, self.on_cost_decrease = name == "RTA*", depth, pathmax, on_cost_decrease
        self.moves, self.learns_best = 1, not self.second
        self.open = Open(**order)

    def episode(self, steps: Steps, at: State) -> tuple[int, list[State] | None]:
        """The number of expansions depends on the pruning: 0 here."""
        self.take_in_falls(steps)
        least: dict[State, int] = {}  # parallel edges: the cheapest counts; loops lead nowhere
        for n, cost in steps[at]:
            if n != at:
                least[n] = min(cost, least.get(n, cost))
        cap = self.bound + 1
        values = {n: min(cost + self.deep(steps, n, self.depth - 1), cap) for n, cost in least.items()}
        return 0, self.step(steps, at, least, values)

    def step(self, steps: Steps, at: State, least: dict[State, int], values: dict[State, float]) -> list[State] | None:
        """Learn from the values of the neighbours and step to the best; None: no way to a goal."""
        cap = self.bound + 1
        self.open.entries.clear()
        self.open.put(at, 0, 0)
        self.open.entries.clear()
        for n, cost in least.items():
            self.open.put(n, int(values[n]), cost)
        ranked = sorted(values.values())
        sure = not self.kept and self.learns_best  # a second-best value may overestimate: it proves nothing
        if not ranked or (ranked[0] >= cap and sure):
            return None
        learned = ranked[0] if self.learns_best else ranked[1] if len(ranked) > 1 else cap
        self.h[at] = max(self.h[at], int(learned))
        choice = self.open.first()
        if choice not in self.goals and (ranked[0] >= cap or (self.learns_best and self.h[at] > self.bound)):
            if sure or (not self.kept and not self.goals & reachable({s: dict(out) for s, out in steps.items()}, at)):
                return None
            self.learns_best = self.learns_best or not self.kept
            self.forget()
        return [choice]

    def deep(self, steps: Steps, n: State, depth: int) -> float:
        """L(n): the least cost plus h over the walks of `depth` steps, or fewer that end in a goal."""
        if depth == 0 or n in self.goals:
            return self.h[n]
        below = [cost + self.deep(steps, v, depth - 1) for v, cost in steps[n]]
        best = min(below, default=inf)
        return max(best, self.h[n]) if self.pathmax else best


class NeighbourLRTA(Korf):
    """A search from each neighbour whose h is still the first; they share the limit."""

    def __init__(
        self, name: str, lookahead: float = 9, pathmax: bool = True, on_cost_decrease: str = "keep", **order: Any
    ) -> None:
        super().__init__(name, 1, pathmax, on_cost_decrease, **order)
        self.lookahead = lookahead

    def episode(self, steps: Steps, at: State) -> tuple[int, list[State] | None]:
        self.take_in_falls(steps)
        beside = [(n, cost) for n, cost in steps[at] if n != at]
        waiting = sum(self.h[n] <= self.h.first(n) for n, _ in beside)
        used, least, values = 1, dict[State, int](), dict[State, float]()
        for n, cost in beside:
            rest: float = self.h[n]
            if self.h[n] <= self.h.first(n):
                share = (self.lookahead - used) // waiting if self.lookahead < inf else inf
                waiting -= 1
                if share > 0:
                    look = look_ahead(steps, n, self.goals, self.h, share, self.open, self.pathmax)
                    used += look.expansions
                    rest = look.f_best if look.open else inf
            value = min(cost + rest, self.bound + 1)
            if rest < inf and value < values.get(n, inf):
                least[n], values[n] = cost, value
        return used, self.step(steps, at, least, values)


KINDS = {"LRTA*": Korf, "RTA*": Korf, "Neighbor LRTA*": NeighbourLRTA}
