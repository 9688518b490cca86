"""Graphs: any nodes, directed or undirected edges with positive costs that may change.

The edges stand in one array sorted by tail (compressed rows); a second array lists the edges that enter each node.
An undirected edge is two arcs, each other's twin, that change together. The value of an edge is its cost in ticks, 0
where it is blocked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sized
from math import sqrt
from typing import Any

import numpy as np

from replan.arrays import view, zeros
from replan.errors import InputError
from replan.extras import need
from replan.guard import held
from replan.limits import INF, LARGEST_BOUND, MAX_STATES
from replan.saving import DAMAGED, Bag
from replan.signals import check_signals
from replan.spaces.edge_layout import LARGEST_COST, EdgeLayout, positions_of, refuse_odd_layout
from replan.spaces.names import name_from, plain_names
from replan.spaces.neighbours import Neighbours, Touched, suited
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.spaces.edge_layout import lay_out


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
    >>> from replan import find_path
    >>> find_path(graph, "a", "c").cells
    ['a', 'b', 'c']
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
        self.resolution = 1.0 if resolution is None else float(resolution)
        if not 0 < self.resolution < float("inf"):
            raise InputError(f"resolution is a positive number, the length of a tick, not {resolution!r}")
        self.directed, self.scaled = bool(directed), resolution is not None
        self.nodes, self.index = [], {}
        cheapest: dict[tuple[int, int], int] = {}
        for edge in edges if isinstance(edges, Iterable) else (edges,):
            if not isinstance(edge, Sized) or len(edge) not in (2, 3):
                raise InputError(f"an edge is (u, v) or (u, v, cost), not {edge!r}")
            u, v = self._number(edge[0]), self._number(edge[1])
            ticks = self._cost_ticks(edge[2] if len(edge) == 3 else 1, edge, self.scaled)
            pair = (v, u) if not directed and (v, u) in cheapest else (u, v)
            if u != v:
                cheapest[pair] = min(ticks, cheapest.get(pair, ticks))
            if len(cheapest) & 4095 == 0:
                check_signals()
        for node in [*(positions or ()), *nodes]:
            self._number(node)
        n = len(self.nodes)
        if not 0 < n <= MAX_STATES:
            raise InputError(f"a graph has from 1 to {MAX_STATES:,} nodes, not {n:,}")
        xy = positions_of(self.nodes, positions)
        layout = lay_out(n, cheapest, self.directed, self.resolution, self.scaled, xy)
        self.use(layout.name(self.nodes, self.index))
        self.common = next(iter(cheapest.values()), 1)
        self.open(layout.free_value)
        self.n = n
        self.is_initialized = True

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
        self.check_initialized()
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
        try:
            known = node in self.index
        except TypeError:
            raise InputError(f"a node is what can be a key of a dict, not {node!r}") from None
        if not known:
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

    def use(self, layout: EdgeLayout) -> None:
        """Have these nodes and edges."""
        layout.check_initialized()
        self.layout, self.nodes, self.index, self.arcs = layout, layout.nodes, layout.index, layout.arcs
        self.directed, self.resolution, self.scaled = layout.directed, layout.resolution, layout.scaled
        self.first, self.in_first, self.in_arc = view(layout.first), view(layout.in_first), view(layout.in_arc)
        self.tail, self.head, self.twin = view(layout.tail), view(layout.head), view(layout.twin)
        self.free_value, self.places, self.degree = view(layout.free_value), len(layout.tail), layout.degree
        self.placed, self.ticks_per_length = layout.position is not None, layout.ticks_per_length
        self.position = view(np.zeros(1) if layout.position is None else layout.position.reshape(-1))
        self.unit, self.cells, self.built_in = 1, False, type(self) is Graph

    def open(self, costs: np.ndarray[Any, Any]) -> None:
        """Let the edges cost this."""
        self.value = view(costs.astype(np.int64))
        self.last = zeros(len(costs), np.int64)  # what blocked edges cost before, 0: not known
        self._count_odd()
        self.top_value = 0
        self._allow_for(self.layout.n, int(costs.max()) if len(costs) else 1)

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

    def neighbours(self, old: Neighbours | None = None) -> Neighbours:
        self.check_initialized()
        return suited(old, self.degree)

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
        if value == 0:
            self.last[place] = self.last[self.twin[place]] = old
        touched.state[0], touched.entered[0] = self.tail[place], self.head[place]
        if k == 2:
            self.value[self.twin[place]] = value
            touched.state[1], touched.entered[1] = self.head[place], self.tail[place]
        return k

    # What people ask.

    def state(self, key: Any) -> int:
        try:
            s = self.index[key]
        except (KeyError, TypeError, AttributeError):
            self.check_initialized()
            raise InputError(f"the graph has no node {key!r}") from None
        return s if type(s) is int and 0 <= s < self.n else self.checked_state(s)

    def key(self, state: int) -> Hashable:
        s = self.checked_state(state)
        if s >= len(self.nodes):
            raise InputError(f"node {s} has been taken out of `nodes`, which cannot be changed")
        return self.nodes[s]

    def is_reversible(self) -> bool:
        return not self.directed

    def called(self, s: int) -> Hashable:
        return self.nodes[s] if self.built_in and s < len(self.nodes) else self.key(s)

    def place(self, key: Any) -> int:
        """The number of an edge given as (u, v)."""
        try:
            u, v = key
        except (TypeError, ValueError):
            raise InputError(f"an edge is (u, v), not {key!r}") from None
        pair = self.state(u), self.state(v)
        try:
            p = self.arcs[pair]
        except KeyError:
            raise InputError(f"the graph has no edge from {u!r} to {v!r}") from None
        return p if type(p) is int and 0 <= p < self.places else self.checked_place(p)

    def least(self, place: int) -> int:
        return self.free_value[self.checked_place(place)]

    def checked_value(self, place: Any, value: Any) -> int:
        if isinstance(value, (int, np.integer)) and (value == 0 or self.least(place) <= value <= LARGEST_COST):
            return int(value)
        least = self.least(place)
        raise InputError(f"the value of this edge is 0 (blocked) or its cost, {least} ticks or more, not {value!r}")

    def value_of(self, weight: Any) -> int:
        return self._cost_ticks(weight, ("?", "?", weight), self.scaled)

    def _last_value(self, place: int) -> int:
        return self.last[self.checked_place(place)]

    def _twins(self) -> np.ndarray[Any, Any] | None:
        return None if self.directed else np.asarray(self.twin)

    def block(self, u: Hashable, v: Hashable) -> None:
        """Close an edge. Raises InputError where there is none."""
        self.put(self.place((u, v)), 0)

    def cost_of(self, u: Hashable, v: Hashable) -> float:
        """What the edge from u to v costs now; infinity if there is none."""
        ticks = self.edge(self.state(u), self.state(v))
        return float("inf") if ticks == INF else ticks * self.resolution

    def copy(self) -> Graph:
        with held(self):
            return twin_of(self)

    def share(self, other: Graph) -> None:
        """All but the costs is never changed, so copies have it in common."""
        self._be_new()
        self.use(other.layout)
        self.common = other.common
        self.open(np.asarray(other.value))
        np.copyto(np.asarray(self.last), np.asarray(other.last))
        self._allow_for(other.n, other.top_value)
        self.n = other.n
        self.is_initialized = True

    def believed_free(self) -> Graph:
        self.check_initialized()
        return twin_of(self, all_open=True)

    def assign(self, other: Space) -> None:
        if not isinstance(other, Graph) or other.index is not self.index:
            raise InputError("the other graph is not a copy of this one")
        if other is not self:
            with held(other):
                self.hold()
                try:
                    self.become(other)
                finally:
                    self.release()

    def become(self, other: Graph) -> None:
        self._tell_differences(other)
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        np.copyto(np.asarray(self.last), np.asarray(other.last))
        self.top_value = 0
        self._allow_for(self.n, other.top_value)
        self.common, self.odd, self.unit_costs = other.common, other.odd, other.unit_costs

    def made_from(self) -> tuple[Any, ...]:
        return Graph, self.layout

    def kept_together(self) -> tuple[Any, ...]:
        return self, self.layout

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        self._be_new()
        (layout,) = args
        if not isinstance(layout, EdgeLayout):
            raise InputError(DAMAGED)
        self.use(layout)
        self.common = 1
        self.open(self.layout.free_value)
        bag = Bag(self, fields)
        self.carry_changes(bag)
        self.carry(bag)
        self.n = self.layout.n
        self.is_initialized = True

    def carry(self, bag: Bag) -> None:
        self.common = bag.whole("common", self.common, 1, LARGEST_COST)
        value = bag.numbers("value", self.value, 0, LARGEST_COST, self.places)
        twin, free = self.layout.twin, self.layout.free_value
        bag.require(((value == 0) | (value >= free)).all(), "an edge is cheaper than it was made")
        bag.require((value[twin] == value).all(), "an edge costs more one way than back")
        if bag.loading:
            self.open(value)
        last = np.asarray(self.last)
        known = bag.states("weighed", np.flatnonzero(last), max(1, self.places), once=True)
        costs = bag.numbers("last", last[known], 1, LARGEST_COST, len(known))
        bag.require((costs >= free[known]).all(), "an edge was cheaper than it was made")
        if bag.loading:
            last[known] = costs
        top = bag.whole("top_value", self.top_value, 1, LARGEST_COST)
        self._allow_for(self.layout.n, top)

    def steps(self, path: np.ndarray[Any, Any], paid: np.ndarray[Any, Any]) -> float:
        return float(paid.sum()) * self.resolution

    def facts(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        if not self.built_in:
            return None
        layout = self.layout
        arrays = {"value": np.array(self.value), "least": np.array(layout.free_value)}
        arrays |= {"tail": np.array(layout.tail), "head": np.array(layout.head), "twin": np.array(layout.twin)}
        arrays["position"] = np.zeros(0) if layout.position is None else np.array(layout.position).reshape(-1)
        facts = {name: getattr(self, name) for name in ("directed", "scaled", "placed", "resolution")}
        return {"kind": "graph", "nodes": plain_names(self.nodes), **facts}, arrays

    @classmethod
    def from_facts(cls, facts: dict[str, Any], column: Callable[[str], np.ndarray[Any, Any]]) -> Graph:
        """The graph of which `facts` tells; column: its arrays by name. All of it may be damaged: raises InputError."""
        nodes = [name_from(node) for node in facts["nodes"]]
        position = column("position").reshape(-1, 2) if facts["placed"] else None
        tail, head, twin, least, value = (column(name) for name in ("tail", "head", "twin", "least", "value"))
        directed, resolution, scaled = bool(facts["directed"]), float(facts["resolution"]), bool(facts["scaled"])
        given: tuple[Any, ...] = (len(nodes), tail, head, twin, least, directed, resolution, scaled, position)
        refuse_odd_layout(*given)
        index = {node: s for s, node in enumerate(nodes)}
        if len(index) != len(nodes) or value.shape != least.shape or not ((value == 0) | (value >= least)).all():
            raise InputError(DAMAGED)
        return graph_of(EdgeLayout(*given), nodes, index, value)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<Graph, {self.n:,} nodes, {self.places if self.directed else self.places // 2:,} {kind} edges>"


def graph_of(layout: EdgeLayout, nodes: list[Any], index: dict[Any, int], value: np.ndarray[Any, Any]) -> Graph:
    """A graph of edges that are laid out, with names for its nodes and the present value of each edge."""
    graph = Graph.__new__(Graph)
    graph._be_new()
    graph.use(layout.name(nodes, index))
    graph.common = int(layout.free_value[0]) if len(value) else 1
    graph.open(value)
    graph.n = len(nodes)
    graph.is_initialized = True
    return graph


def twin_of(graph: Graph, all_open: bool = False) -> Graph:
    """Another graph with the same nodes and edges, as they are now or all of them open."""
    twin = Graph.__new__(Graph)
    twin.share(graph)
    if all_open:
        twin.open(graph.layout.free_value)
    return twin
