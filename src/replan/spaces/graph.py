"""Graphs: any nodes, directed or undirected edges with positive costs that may change.

The edges stand in one array sorted by tail (compressed rows); a second array lists the edges that enter each node.
An undirected edge is two arcs, each other's twin, that change together. The value of an edge is its cost in ticks, 0
where it is blocked.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from math import sqrt
from typing import Any

import numpy as np

from replan.arrays import view
from replan.errors import InputError
from replan.extras import need
from replan.limits import INF, LARGEST_BOUND, MAX_STATES
from replan.spaces.neighbours import Neighbours, Touched
from replan.spaces.space import Space, refuse_unmade

try:
    import cython
except ImportError:
    from replan import _cython as cython

LARGEST_COST = 1 << 40


class Graph(Space):
    """A graph from its edges `(u, v, cost)` (or `(u, v)`, cost 1); nodes are whatever can be a dictionary key.

    Costs are whole numbers, or any positive numbers with `resolution`: the length of a tick, to whose multiples they
    are rounded. positions: `{node: (x, y)}`, gives the planners a heuristic, the straight line, scaled down so far
    that it is consistent. Without positions the heuristic is zero. nodes: those that may
    have no edges. Of several edges between the same nodes the cheapest counts; loops do not.

    >>> graph = Graph([("a", "b", 3), ("b", "c", 4), ("a", "c", 9)])
    >>> graph.n, graph.edge(graph.state("a"), graph.state("c"))
    (3, 9)
    >>> graph.block("a", "c")
    >>> graph.cost_of("a", "c")
    inf
    """

    directed: bool
    resolution: float
    nodes: list[Hashable]
    index: dict[Hashable, int]
    arcs: dict[tuple[int, int], int]

    def __init__(
        self,
        edges: Iterable[tuple[Any, ...]],
        directed: bool = False,
        resolution: float | None = None,
        positions: Mapping[Any, tuple[float, float]] | None = None,
        nodes: Iterable[Hashable] = (),
    ) -> None:
        self._be_new()
        self.directed = directed
        self.resolution = 1.0 if resolution is None else float(resolution)
        if not 0 < self.resolution < float("inf"):
            raise InputError(f"resolution is a positive number, the length of a tick, not {resolution!r}")
        self.unit, self.cells, self.scaled = 1, False, resolution is not None
        self.built_in = type(self) is Graph
        self.nodes, self.index = [], {}
        cheapest: dict[tuple[int, int], int] = {}
        for edge in edges:
            if len(edge) not in (2, 3):
                raise InputError(f"an edge is (u, v) or (u, v, cost), not {edge!r}")
            u, v = self._number(edge[0]), self._number(edge[1])
            ticks = self._cost_ticks(edge[2] if len(edge) == 3 else 1, edge, self.scaled)
            pair = (v, u) if not directed and (v, u) in cheapest else (u, v)
            if u != v:
                cheapest[pair] = min(ticks, cheapest.get(pair, ticks))
        for node in [*(positions or ()), *nodes]:
            self._number(node)
        n = len(self.nodes)
        if not 0 < n <= MAX_STATES:
            raise InputError(f"a graph has from 1 to {MAX_STATES:,} nodes, not {n:,}")
        ends = np.array(list(cheapest), np.int32).reshape(-1, 2)
        self.lay_out(n, ends[:, 0], ends[:, 1], np.array(list(cheapest.values()), np.int64))
        self._place(n, positions)
        self.n = n

    def refuse_numbers(self) -> int:
        raise InputError(f"{type(self).__name__}.__init__ has to call Graph.__init__, not Space.__init__")

    @classmethod
    def from_networkx(
        cls, graph: Any, weight: str = "weight", resolution: float | None = None, positions: Any = "pos"
    ) -> Graph:
        """A networkx graph, directed or not; of parallel edges the cheapest counts, edges without `weight` cost 1.

        positions: `{node: (x, y)}`, or the name of the attribute that has them, used if all nodes do; None: none.

        >>> import networkx
        >>> graph = Graph.from_networkx(networkx.cycle_graph(5))
        >>> graph, graph.to_networkx().number_of_edges()
        (<Graph, 5 nodes, 5 undirected edges>, 5)
        """
        edges = [(u, v, data.get(weight, 1)) for u, v, data in graph.edges(data=True)]
        if isinstance(positions, str):
            named = {node: data[positions] for node, data in graph.nodes(data=True) if positions in data}
            positions = named if named and len(named) == len(graph) else None
        return cls(edges, graph.is_directed(), resolution, positions, list(graph.nodes))

    def to_networkx(self, weight: str = "weight") -> Any:
        """The nodes and the open edges, as they are now, as a networkx Graph or DiGraph; positions as `pos`.

        Costs are whole numbers of ticks times `resolution`: as they were rounded, not as they were given.
        """
        refuse_unmade(self)
        networkx = need("networkx", extra="networkx", what="a networkx graph")
        made = networkx.DiGraph() if self.directed else networkx.Graph()
        for s, node in enumerate(self.nodes):
            at = (float(self.position[2 * s]), float(self.position[2 * s + 1])) if self.placed else None
            made.add_node(node, **({} if at is None else {"pos": at}))
        for a in range(self.places):
            if self.value[a] > 0:
                cost = self.value[a] * self.resolution if self.scaled else self.value[a]
                made.add_edge(self.nodes[self.tail[a]], self.nodes[self.head[a]], **{weight: cost})
        return made

    def _number(self, node: Hashable) -> int:
        if node not in self.index:
            self.index[node] = len(self.nodes)
            self.nodes.append(node)
        return self.index[node]

    def _cost_ticks(self, cost: Any, edge: tuple[Any, ...], scaled: bool) -> int:
        try:
            ticks = round(float(cost) / self.resolution) if scaled else int(cost)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"the cost of edge {edge!r} is not a number") from None
        if not scaled and ticks != cost:
            raise InputError(f"edge {edge!r}: costs are whole numbers; otherwise give resolution=, the size of a tick")
        if not 1 <= ticks <= LARGEST_COST:
            raise InputError(f"edge {edge!r} costs {ticks} ticks; an edge costs from 1 to {LARGEST_COST:,}")
        return ticks

    def lay_out(self, n: int, tails: Any, heads: Any, costs: Any) -> None:
        m = len(tails)
        if not self.directed:
            tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
            costs = np.concatenate([costs, costs])
        order = np.argsort(tails, kind="stable")
        where = np.argsort(order, kind="stable")  # where an edge of the user's list went
        self.tail, self.head = view(tails[order]), view(heads[order])
        self.value, self.free_value = view(costs[order]), view(costs[order])
        twin = np.arange(len(order), dtype=np.int32)
        if not self.directed:
            twin[where[:m]], twin[where[m:]] = where[m:], where[:m]
        self.twin = view(twin)
        self.arcs = {ends: a for a, ends in enumerate(zip(tails[order].tolist(), heads[order].tolist(), strict=True))}
        self._list_ends(n, tails[order], heads[order])
        self.common = int(costs[0]) if len(costs) else 1
        self._count_odd()
        self.top_value = 0
        self._allow_for(n, int(costs.max()) if len(costs) else 1)

    def _list_ends(self, n: int, tails: Any, heads: Any) -> None:
        """Which edges leave each node, and which enter it."""
        self.first = view(np.searchsorted(tails, np.arange(n + 1)).astype(np.int32))
        incoming = np.argsort(heads, kind="stable").astype(np.int32)
        self.in_arc = view(incoming)
        self.in_first = view(np.searchsorted(heads[incoming], np.arange(n + 1)).astype(np.int32))
        self.places = len(tails)
        self.degree = max(int(np.diff(np.asarray(self.first)).max()), int(np.diff(np.asarray(self.in_first)).max()))

    def _count_odd(self) -> None:
        """How many open edges cost something else than the first one did?"""
        value = np.asarray(self.value)
        self.odd = int(((value != 0) & (value != self.common)).sum())
        self.unit_costs = self.odd == 0

    def _allow_for(self, n: int, cost: int) -> None:
        """Bring the bounds up to date with a larger cost."""
        if n * cost > LARGEST_BOUND:
            raise InputError("costs of this size could overflow: use a coarser resolution")
        if cost > self.top_value:
            self.top_value, self.bound, self.span = cost, n * cost, 2 * cost

    def _place(self, n: int, positions: Mapping[Any, tuple[float, float]] | None) -> None:
        self.placed = positions is not None
        self.position, self.ticks_per_length = view(np.zeros(2 * n)), 0.0
        if positions is None:
            return
        missing = [node for node in self.nodes if node not in positions]
        if missing:
            raise InputError(f"node {missing[0]!r} has no position")
        xy = np.array([positions[node] for node in self.nodes], float)
        if xy.shape != (n, 2) or not np.isfinite(xy).all():
            raise InputError("a position is a pair of finite numbers")
        self.position = view(xy.reshape(-1))
        tail, head = np.asarray(self.tail), np.asarray(self.head)
        length = np.hypot(*(xy[tail] - xy[head]).T)
        if (length > 0).any():
            ratio = (np.asarray(self.value)[length > 0] / length[length > 0]).min()
            self.ticks_per_length = float(ratio) * (1 - 1e-9)  # a hair below, so that rounding cannot overestimate

    def neighbours(self) -> Neighbours:
        refuse_unmade(self)
        return Neighbours(self.degree)

    def touched(self) -> Touched:
        return Touched(2, False)

    # What planners ask.

    def expand(self, near: Neighbours, s: int) -> int:
        k = 0
        for a in range(self.first[s], self.first[s + 1]):
            near.state[k] = self.head[a]
            near.cost[k] = self.value[a]
            k += self.value[a] > 0
        return k

    def reverse(self, near: Neighbours, s: int) -> int:
        k = 0
        for i in range(self.in_first[s], self.in_first[s + 1]):
            a = self.in_arc[i]
            near.state[k] = self.tail[a]
            near.cost[k] = self.value[a]
            k += self.value[a] > 0
        return k

    def step_cost(self, u: int, v: int) -> int:
        best = INF
        for a in range(self.first[u], self.first[u + 1]):
            if self.head[a] == v and 0 < self.value[a] < best:
                best = self.value[a]
        return best

    def estimate(self, u: int, v: int) -> int:
        if not self.placed:
            return 0
        x = self.position[2 * u] - self.position[2 * v]
        y = self.position[2 * u + 1] - self.position[2 * v + 1]
        square = x * x + y * y
        if cython.compiled:
            length = c_sqrt(square)  # type: ignore[name-defined]  # noqa: F821
        else:
            length = sqrt(square)
        length *= self.ticks_per_length
        ticks = int(length)
        # Rounded up: costs are whole, so that is consistent all the same, and keeps the triangle inequality.
        return ticks + 1 if ticks < length else ticks

    def read(self, place: int) -> int:
        return self.value[place]

    def write(self, touched: Touched, place: int, value: int) -> int:
        old = self.value[place]
        if old == value:
            return 0
        if value != 0:
            if value < self.free_value[place]:
                raise ValueError("an edge cannot become cheaper than it was made: the heuristic would overestimate")
            if value > self.top_value:
                with cython.gil:
                    self._allow_for(self.n, value)
        k = 1 if self.twin[place] == place else 2
        self.odd += k * ((value != 0 and value != self.common) - (old != 0 and old != self.common))
        self.unit_costs = self.odd == 0
        self.value[place] = value
        touched.state[0], touched.entered[0] = self.tail[place], self.head[place]
        if k == 2:
            self.value[self.twin[place]] = value
            touched.state[1], touched.entered[1] = self.head[place], self.tail[place]
        return k

    # What people ask.

    def state(self, key: Any) -> int:
        refuse_unmade(self)
        try:
            return self.checked_state(self.index[key])
        except (KeyError, TypeError):
            raise InputError(f"the graph has no node {key!r}") from None

    def key(self, state: int) -> Hashable:
        s = self.checked_state(state)
        if s >= len(self.nodes):
            raise InputError(f"node {s} has been taken out of `nodes`, which cannot be changed")
        return self.nodes[s]

    def place(self, key: Any) -> int:
        """The number of an edge given as (u, v)."""
        try:
            u, v = key
        except (TypeError, ValueError):
            raise InputError(f"an edge is (u, v), not {key!r}") from None
        try:
            return self.checked_place(self.arcs[self.state(u), self.state(v)])
        except KeyError:
            raise InputError(f"the graph has no edge from {u!r} to {v!r}") from None

    def least(self, place: int) -> int:
        return self.free_value[self.checked_place(place)]

    def checked_value(self, place: Any, value: Any) -> int:
        if isinstance(value, (int, np.integer)) and (value == 0 or self.least(place) <= value <= LARGEST_COST):
            return int(value)
        least = self.least(place)
        raise InputError(f"the value of this edge is 0 (blocked) or its cost, {least} ticks or more, not {value!r}")

    def value_of(self, weight: Any) -> int:
        return self._cost_ticks(weight, ("?", "?", weight), self.scaled)

    def _together(self, places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.union1d(places, np.asarray(self.twin)[places]).astype(np.int32)

    def _around(self, states: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
        tail, head = np.asarray(self.tail), np.asarray(self.head)
        listed = np.zeros(self.n, bool)
        listed[states] = True
        beside = [head[listed[tail]], tail[listed[head]], tail[places], head[places]]
        return np.unique(np.concatenate([states, *beside])).astype(np.int32)

    def block(self, u: Hashable, v: Hashable) -> None:
        """Close an edge."""
        self.put(self.place((u, v)), 0)

    def cost_of(self, u: Hashable, v: Hashable) -> float:
        """What the edge from u to v costs now; infinity if there is none."""
        ticks = self.edge(self.state(u), self.state(v))
        return float("inf") if ticks == INF else ticks * self.resolution

    def copy(self) -> Graph:
        refuse_unmade(self)
        return twin_of(self)

    def share(self, other: Graph) -> None:
        """All but the costs is never changed, so copies have it in common."""
        self._be_new()
        self.directed, self.resolution, self.unit = other.directed, other.resolution, other.unit
        self.cells, self.built_in, self.scaled = other.cells, True, other.scaled
        self.nodes, self.index, self.arcs = other.nodes, other.index, other.arcs
        self.places, self.bound, self.span, self.degree = other.places, other.bound, other.span, other.degree
        self.first, self.head, self.tail, self.twin = other.first, other.head, other.tail, other.twin
        self.in_first, self.in_arc, self.free_value = other.in_first, other.in_arc, other.free_value
        self.position, self.ticks_per_length, self.placed = other.position, other.ticks_per_length, other.placed
        self.value = view(np.array(other.value))
        self.top_value, self.common = other.top_value, other.common
        self._count_odd()
        self.n = other.n

    def restore(self, nodes: list[Any], arrays: dict[str, np.ndarray[Any, Any]], facts: dict[str, Any]) -> None:
        """Become the graph of which `graph_arrays` has told; they come from a file. Raises InputError."""
        self._be_new()
        n, m = len(nodes), len(arrays["tail"])
        tail, head, twin = (arrays[name].astype(np.int32) for name in ("tail", "head", "twin"))
        costs, least, position = arrays["value"], arrays["least"], arrays["position"]
        self.nodes, self.index = nodes, {node: s for s, node in enumerate(nodes)}
        ends = zip(tail.tolist(), head.tolist(), strict=True)
        self.arcs = {pair: a for a, pair in enumerate(ends)}
        fits = len(self.index) == n and len(self.arcs) == len(head) == len(twin) == len(costs) == len(least) == m
        fits = fits and len(position) == 2 * n and bool(np.isfinite(position).all())
        for array, low, high in ((tail, 0, n - 1), (head, 0, n - 1), (twin, 0, m - 1), (least, 1, LARGEST_COST)):
            fits = fits and bool(((array >= low) & (array <= high)).all())
        fits = fits and bool((np.diff(tail) >= 0).all() and ((costs == 0) | (costs >= least)).all())
        if not fits or not ((tail[twin] == head) & (head[twin] == tail) | (twin == np.arange(m))).all():
            raise InputError("its edges contradict each other")
        self.directed, self.resolution, self.scaled = facts["directed"], facts["resolution"], facts["scaled"]
        self.unit, self.cells, self.built_in = 1, False, True
        self.placed, self.ticks_per_length = facts["placed"], facts["ticks_per_length"]
        self.tail, self.head, self.twin, self.position = view(tail), view(head), view(twin), view(position.copy())
        self.value, self.free_value = view(costs.astype(np.int64)), view(least.astype(np.int64))
        self._list_ends(n, tail, head)
        self.common = int(least[0]) if m else 1
        self._count_odd()
        self.top_value = 0
        self._allow_for(n, max(int(costs.max()), int(least.max())) if m else 1)
        self.n = n

    def believed_free(self) -> Graph:
        refuse_unmade(self)
        return twin_of(self, all_open=True)

    def assign(self, other: Space) -> None:
        if not isinstance(other, Graph) or other.index is not self.index:
            raise InputError("the other graph is not a copy of this one")
        self.refuse_while_searched()
        self._tell_differences(other)
        self.become(other)

    def become(self, other: Graph) -> None:
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        self.top_value = 0
        self._allow_for(self.n, other.top_value)
        self._count_odd()

    def steps(self, path: np.ndarray[Any, Any], paid: np.ndarray[Any, Any]) -> float:
        return float(paid.sum()) * self.resolution

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<Graph, {self.n:,} nodes, {self.places if self.directed else self.places // 2:,} {kind} edges>"


def twin_of(graph: Graph, all_open: bool = False) -> Graph:
    """Another graph with the same nodes and edges, as they are now or all of them open."""
    twin = Graph.__new__(Graph)
    twin.share(graph)
    if all_open:
        np.copyto(np.asarray(twin.value), np.asarray(graph.free_value))
        twin._count_odd()
        twin.top_value = 0
        twin._allow_for(twin.n, int(np.asarray(graph.free_value).max()) if graph.places else 1)
    return twin


def graph_arrays(graph: Graph) -> dict[str, np.ndarray[Any, Any]]:
    """A graph without its nodes and its facts, as numbers: `graph_from` makes it again."""
    refuse_unmade(graph)
    ends = {"tail": np.array(graph.tail), "head": np.array(graph.head), "twin": np.array(graph.twin)}
    costs = {"value": np.array(graph.value), "least": np.array(graph.free_value)}
    return {**ends, **costs, "position": np.array(graph.position)}


def graph_from(nodes: list[Any], arrays: dict[str, np.ndarray[Any, Any]], facts: dict[str, Any]) -> Graph:
    """The graph of which `graph_arrays` has told. Raises InputError."""
    graph = Graph.__new__(Graph)
    graph.restore(nodes, arrays, facts)
    return graph
