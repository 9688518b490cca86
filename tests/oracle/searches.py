"""Shortest paths, components, consistency, and an A* that sorts a list."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from oracle.grids import Edges


def dijkstra(edges: Edges, start: Any) -> dict[Any, int]:
    """The cost of the cheapest way from start to every state that can be reached."""
    final: dict[Any, int] = {}
    known = {start: 0}
    while known:
        u = min(known, key=lambda s: known[s])
        final[u] = known.pop(u)
        for v, cost in edges[u].items():
            if v not in final and final[u] + cost < known.get(v, final[u] + cost + 1):
                known[v] = final[u] + cost
    return final


def reachable(edges: Edges, start: Any) -> set[Any]:
    seen, queue = {start}, deque([start])
    while queue:
        for v in edges[queue.popleft()]:
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return seen


def reversed_edges(edges: Edges) -> Edges:
    back: Edges = {u: {} for u in edges}
    for u, out in edges.items():
        for v, cost in out.items():
            back[v][u] = cost
    return back


def inconsistent(edges: Edges, h: Callable[[Any], float], goals: Iterable[Any]) -> list[tuple[Any, Any]]:
    """The edges (u, v), u no goal, with h(u) > c(u, v) + h(v); a goal g with h(g) != 0 counts as (g, g)."""
    ends = set(goals)
    bad = [(g, g) for g in ends if h(g) != 0]
    return bad + [(u, v) for u in edges if u not in ends for v, c in edges[u].items() if h(u) > c + h(v)]


@dataclass
class Found:
    """What an A* search did."""

    path: list[Any] | None = None  # from the source to where it stopped
    cost: int | None = None
    expanded: list[Any] = field(default_factory=list)
    f_values: list[int] = field(default_factory=list)


def astar(
    edges: Edges,
    source: Any,
    goals: set[Any],
    h: Callable[[Any], int],
    prefer: str = "larger g",
    ties: str = "first-in",
) -> Found:
    """A* that takes the smallest (f, g as preferred, age) of a list; stops when a goal is the smallest.

    prefer: "larger g", "smaller g" or "" (g does not matter, as in buckets). A state that is generated anew with a
    smaller g is as young as one just generated. Closed states are opened again where h is not consistent.
    """
    found, age = Found(), 0
    g, parent = {source: 0}, {source: source}
    entries = {source: (0, 0)}  # state: (g, age)

    def rank(s: Any) -> tuple[int, int, int]:
        own, born = entries[s]
        by_g = {"larger g": -own, "smaller g": own, "": 0}[prefer]
        return own + h(s), by_g, born if ties == "first-in" else -born

    while entries:
        u = min(entries, key=rank)
        if u in goals:
            found.path, found.cost = walk_back(parent, u), g[u]
            break
        found.f_values.append(g[u] + h(u))
        found.expanded.append(u)
        del entries[u]
        for v, cost in edges[u].items():
            if g[u] + cost < g.get(v, g[u] + cost + 1):
                age += 1
                g[v], parent[v] = g[u] + cost, u
                entries[v] = (g[v], age)
    return found


def breadth_first(edges: Edges, source: Any, goals: set[Any]) -> Found:
    """First in, first out; stops when a goal is generated."""
    found, parent, queue = Found(), {source: source}, deque([source])
    while queue:
        u = queue.popleft()
        found.expanded.append(u)
        for v in edges[u]:
            if v not in parent:
                parent[v] = u
                queue.append(v)
                if v in goals:
                    found.path = walk_back(parent, v)
                    found.cost = sum(edges[a][b] for a, b in zip(found.path, found.path[1:], strict=False))
                    return found
    return found


def walk_back(parent: dict[Any, Any], s: Any) -> list[Any]:
    path = [s]
    while parent[s] != s:
        s = parent[s]
        path.append(s)
    return path[::-1]
