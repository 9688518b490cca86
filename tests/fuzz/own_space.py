"""A graph as a user writes a space, in plain Python."""

from __future__ import annotations

from typing import Any

import replan
from replan.limits import INF


class OwnGraph(replan.Space):
    """Edges (u, v, cost), each a place; directed or not. What they cost can only rise."""

    def __init__(self, nodes: list[Any], edges: list[tuple[Any, Any, int]], directed: bool) -> None:
        self.nodes, self.edges, self.directed = nodes, edges, directed
        self.number = {node: i for i, node in enumerate(nodes)}
        self.ends = [(self.number[u], self.number[v]) for u, v, _ in edges]
        self.values = [cost for *_, cost in edges]
        self.touching: list[list[int]] = [[] for _ in nodes]
        for place, (u, v) in enumerate(self.ends):
            self.touching[u].append(place)
            self.touching[v].append(place)
        bound = len(nodes) * max([1 << 41, *self.values])
        super().__init__(
            len(nodes), bound, max(1, *map(len, self.touching)), n_locations=len(edges), locations_are_states=False
        )

    def arcs(self, place: int) -> list[tuple[int, int]]:
        u, v = self.ends[place]
        return [(u, v)] if self.directed else [(u, v), (v, u)]

    def successors(self, s: int) -> list[tuple[int, int]]:
        return [(v, self.values[p]) for p in self.touching[s] if self.values[p] for u, v in self.arcs(p) if u == s]

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        return [(u, self.values[p]) for p in self.touching[s] if self.values[p] for u, v in self.arcs(p) if v == s]

    def edge_cost(self, u: int, v: int) -> int:
        return dict(self.successors(u)).get(v, INF)

    def distance(self, u: int, v: int) -> int:
        return 0

    def adjacent(self, s: int) -> list[int]:
        return [p for p in self.touching[s] if any(u == s for u, _ in self.arcs(p))]

    def get_value(self, location: int) -> int:
        return self.values[location]

    def set_value(self, location: int, value: int) -> Any:
        self.values[location] = value
        arcs = self.arcs(location)
        return [u for u, _ in arcs], [v for _, v in arcs]

    def state(self, key: Any) -> int:
        return self.number[key]

    def key(self, state: int) -> Any:
        return self.nodes[state]

    def location(self, key: Any) -> int:
        u, v = (self.number[node] for node in key)
        return self.ends.index((u, v)) if (u, v) in self.ends or self.directed else self.ends.index((v, u))

    def min_value(self, location: int) -> int:
        return self.edges[location][2]

    def value_of_weight(self, weight: Any) -> int:
        return int(weight)

    def copy(self) -> OwnGraph:
        twin = self.believed_free()
        twin.assign(self)
        return twin

    def assign(self, other: Any) -> None:
        self.values = list(other.values)

    def believed_free(self) -> OwnGraph:
        return OwnGraph(self.nodes, self.edges, self.directed)

    def display_cost(self, path: Any, step_costs: Any) -> float:
        return float(step_costs.sum())
