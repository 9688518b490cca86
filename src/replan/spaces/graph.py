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
from replan.extras import import_extra
from replan.limits import INF, LARGEST_BOUND, MAX_STATES
from replan.locking import read_lock
from replan.serialization import DAMAGED_MESSAGE, Archive
from replan.signals import check_signals
from replan.spaces.edge_layout import MAX_EDGE_COST, EdgeLayout, check_saved_layout, positions_of
from replan.spaces.neighbours import ChangedStates, Neighbours, reuse_or_make
from replan.spaces.node_names import name_from_json, names_to_json
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.spaces.edge_layout import build_edge_layout


class Graph(Space):
    """A graph from its edges `(u, v, cost)` (or `(u, v)`, cost 1); nodes are whatever can be a dictionary key.

    Costs are whole numbers, or any positive numbers with `resolution`: the length of a tick, to whose multiples they
    are rounded. positions: `{node: (x, y)}`, gives the planners a heuristic, the straight line, scaled down so far
    that it is consistent. Without positions the heuristic is zero. nodes: those that may
    have no edges. Of several edges between the same nodes the cheapest counts; loops do not.

    >>> graph = Graph([("a", "b", 3), ("b", "c", 4), ("a", "c", 9)])
    >>> graph.n, graph.edge_cost(graph.state("a"), graph.state("c"))
    (3, 9)
    >>> graph.block("a", "c")
    >>> graph.cost_of("a", "c")
    inf
    >>> from replan import find_path
    >>> find_path(graph, "a", "c").cells
    ['a', 'b', 'c']
    """

    is_directed: bool
    resolution: float
    nodes: list[Hashable]
    _state_of_node: dict[Hashable, int]
    _arc_of_pair: dict[tuple[int, int], int]

    def __init__(
        self,
        edges: Iterable[tuple[Any, ...]],
        directed: bool = False,
        resolution: float | None = None,
        positions: Mapping[Any, tuple[float, float]] | None = None,
        nodes: Iterable[Hashable] = (),
    ) -> None:
        self._init_fields()
        self.resolution = 1.0 if resolution is None else float(resolution)
        if not 0 < self.resolution < float("inf"):
            raise InputError(f"resolution is a positive number, the length of a tick, not {resolution!r}")
        self.is_directed, self.is_scaled = bool(directed), resolution is not None
        self.nodes, self._state_of_node = [], {}
        cheapest: dict[tuple[int, int], int] = {}
        for edge in edges if isinstance(edges, Iterable) else (edges,):
            if not isinstance(edge, Sized) or len(edge) not in (2, 3):
                raise InputError(f"an edge is (u, v) or (u, v, cost), not {edge!r}")
            u, v = self._add_node(edge[0]), self._add_node(edge[1])
            ticks = self._to_cost_units(edge[2] if len(edge) == 3 else 1, edge, self.is_scaled)
            pair = (v, u) if not directed and (v, u) in cheapest else (u, v)
            if u != v:
                cheapest[pair] = min(ticks, cheapest.get(pair, ticks))
            if len(cheapest) & 4095 == 0:
                check_signals()
        for node in [*(positions or ()), *nodes]:
            self._add_node(node)
        n = len(self.nodes)
        if not 0 < n <= MAX_STATES:
            raise InputError(f"a graph has from 1 to {MAX_STATES:,} nodes, not {n:,}")
        xy = positions_of(self.nodes, positions)
        layout = build_edge_layout(n, cheapest, self.is_directed, self.resolution, self.is_scaled, xy)
        self.attach_layout(layout.set_names(self.nodes, self._state_of_node))
        self.common_value = next(iter(cheapest.values()), 1)
        self.set_costs(layout.free_value)
        self.n = n
        self.is_initialized = True

    def check_init_call(self) -> int:
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
        networkx = import_extra("networkx", extra="networkx", purpose="a networkx graph")
        made = networkx.DiGraph() if self.is_directed else networkx.Graph()
        for s, node in enumerate(self.nodes):
            at = (float(self.position[2 * s]), float(self.position[2 * s + 1])) if self.has_positions else None
            made.add_node(node, **({} if at is None else {"pos": at}))
        for a in range(self.n_locations):
            if self.value[a] > 0:
                cost = self.value[a] * self.resolution if self.is_scaled else self.value[a]
                made.add_edge(self.nodes[self.tail[a]], self.nodes[self.head[a]], **{weight: cost})
        return made

    def _add_node(self, node: Hashable) -> int:
        try:
            known = node in self._state_of_node
        except TypeError:
            raise InputError(f"a node is what can be a key of a dict, not {node!r}") from None
        if not known:
            self._state_of_node[node] = len(self.nodes)
            self.nodes.append(node)
        return self._state_of_node[node]

    def _to_cost_units(self, cost: Any, edge: tuple[Any, ...], scaled: bool) -> int:
        try:
            ticks = round(float(cost) / self.resolution) if scaled else int(cost)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"the cost of edge {edge!r} is not a number") from None
        if not scaled and ticks != cost:
            raise InputError(f"edge {edge!r}: costs are whole numbers; otherwise give resolution=, the size of a tick")
        if not 1 <= ticks <= MAX_EDGE_COST:
            raise InputError(f"edge {edge!r} costs {ticks} ticks; an edge costs from 1 to {MAX_EDGE_COST:,}")
        return ticks

    def attach_layout(self, layout: EdgeLayout) -> None:
        """Have these nodes and edges."""
        layout.check_initialized()
        self.layout, self.nodes, self._state_of_node, self._arc_of_pair = layout, layout.nodes, layout.state_of_node, layout.arc_of_pair
        self.is_directed, self.resolution, self.is_scaled = layout.is_directed, layout.resolution, layout.is_scaled
        self.first, self.in_first, self.in_arc = view(layout.first), view(layout.in_first), view(layout.in_arc)
        self.tail, self.head, self.reverse_arc = view(layout.tail), view(layout.head), view(layout.reverse_arc)
        self.free_value, self.n_locations, self.degree = view(layout.free_value), len(layout.tail), layout.degree
        self.has_positions, self.units_per_length = layout.position is not None, layout.units_per_length
        self.position = view(np.zeros(1) if layout.position is None else layout.position.reshape(-1))
        self.units_per_step, self.locations_are_states, self.is_built_in = 1, False, type(self) is Graph

    def set_costs(self, costs: np.ndarray[Any, Any]) -> None:
        """Let the edges cost this."""
        self.value = view(costs.astype(np.int64))
        self.last_value = zeros(len(costs), np.int64)  # what blocked edges cost before, 0: not known
        self._count_uncommon()
        self.max_value = 0
        self._raise_bounds(self.layout.n, int(costs.max()) if len(costs) else 1)

    def _count_uncommon(self) -> None:
        """How many open edges cost something else than the first one did?"""
        value = np.asarray(self.value)
        self.uncommon_count = int(((value != 0) & (value != self.common_value)).sum())
        self.has_unit_costs = self.uncommon_count == 0

    def _raise_bounds(self, n: int, cost: int) -> None:
        """Bring the bounds up to date with a larger cost."""
        if n * cost > LARGEST_BOUND:
            raise InputError("costs of this size could overflow: use a coarser resolution")
        if cost > self.max_value:
            self.max_value, self.max_path_cost, self.max_edge_round_trip = cost, n * cost, 2 * cost

    def make_neighbours(self, reuse: Neighbours | None = None) -> Neighbours:
        self.check_initialized()
        return reuse_or_make(reuse, self.degree)

    def make_changed_states(self) -> ChangedStates:
        return ChangedStates(2, False)

    # What planners ask.

    def expand(self, near: Neighbours, s: int) -> int:
        k = 0
        for a in range(self.first[s], self.first[s + 1]):
            near.state[k] = self.head[a]
            near.cost[k] = self.value[a]
            k += self.value[a] > 0
        return k

    def expand_reverse(self, near: Neighbours, s: int) -> int:
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
        if not self.has_positions:
            return 0
        x = self.position[2 * u] - self.position[2 * v]
        y = self.position[2 * u + 1] - self.position[2 * v + 1]
        square = x * x + y * y
        if cython.compiled:
            length = c_sqrt(square)  # type: ignore[name-defined]  # noqa: F821
        else:
            length = sqrt(square)
        length *= self.units_per_length
        ticks = int(length)
        # Rounded up: costs are whole, so that is consistent all the same, and keeps the triangle inequality.
        return ticks + 1 if ticks < length else ticks

    def read_value(self, location: int) -> int:
        return self.value[location]

    def write_value(self, changed: ChangedStates, location: int, value: int) -> int:
        old = self.value[location]
        if old == value:
            return 0
        if value != 0:
            if value < self.free_value[location]:
                raise ValueError("an edge cannot become cheaper than it was made: the heuristic would overestimate")
            if value > self.max_value:
                with cython.gil:
                    self._raise_bounds(self.n, value)
        k = 1 if self.reverse_arc[location] == location else 2
        self.uncommon_count += k * ((value != 0 and value != self.common_value) - (old != 0 and old != self.common_value))
        self.has_unit_costs = self.uncommon_count == 0
        self.value[location] = value
        if value == 0:
            self.last_value[location] = self.last_value[self.reverse_arc[location]] = old
        changed.state[0], changed.entered[0] = self.tail[location], self.head[location]
        if k == 2:
            self.value[self.reverse_arc[location]] = value
            changed.state[1], changed.entered[1] = self.head[location], self.tail[location]
        return k

    # What people ask.

    def state(self, key: Any) -> int:
        try:
            s = self._state_of_node[key]
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
        return not self.is_directed

    def unchecked_key(self, s: int) -> Hashable:
        return self.nodes[s] if self.is_built_in and s < len(self.nodes) else self.key(s)

    def location(self, key: Any) -> int:
        """The number of an edge given as (u, v)."""
        try:
            u, v = key
        except (TypeError, ValueError):
            raise InputError(f"an edge is (u, v), not {key!r}") from None
        pair = self.state(u), self.state(v)
        try:
            p = self._arc_of_pair[pair]
        except KeyError:
            raise InputError(f"the graph has no edge from {u!r} to {v!r}") from None
        return p if type(p) is int and 0 <= p < self.n_locations else self.checked_location(p)

    def min_value(self, location: int) -> int:
        return self.free_value[self.checked_location(location)]

    def checked_value(self, location: Any, value: Any) -> int:
        if isinstance(value, (int, np.integer)) and (value == 0 or self.min_value(location) <= value <= MAX_EDGE_COST):
            return int(value)
        least = self.min_value(location)
        raise InputError(f"the value of this edge is 0 (blocked) or its cost, {least} ticks or more, not {value!r}")

    def value_of_weight(self, weight: Any) -> int:
        return self._to_cost_units(weight, ("?", "?", weight), self.is_scaled)

    def _last_value(self, location: int) -> int:
        return self.last_value[self.checked_location(location)]

    def _paired_locations(self) -> np.ndarray[Any, Any] | None:
        return None if self.is_directed else np.asarray(self.reverse_arc)

    def block(self, u: Hashable, v: Hashable) -> None:
        """Close an edge. Raises InputError where there is none."""
        self.set_value(self.location((u, v)), 0)

    def cost_of(self, u: Hashable, v: Hashable) -> float:
        """What the edge from u to v costs now; infinity if there is none."""
        ticks = self.edge_cost(self.state(u), self.state(v))
        return float("inf") if ticks == INF else ticks * self.resolution

    def copy(self) -> Graph:
        with read_lock(self):
            return copy_graph(self)

    def share_layout(self, other: Graph) -> None:
        """All but the costs is never changed, so copies have it in common."""
        self._init_fields()
        self.attach_layout(other.layout)
        self.common_value = other.common_value
        self.set_costs(np.asarray(other.value))
        np.copyto(np.asarray(self.last_value), np.asarray(other.last_value))
        self._raise_bounds(other.n, other.max_value)
        self.n = other.n
        self.is_initialized = True

    def believed_free(self) -> Graph:
        self.check_initialized()
        return copy_graph(self, all_free=True)

    def assign(self, other: Space) -> None:
        if not isinstance(other, Graph) or other._state_of_node is not self._state_of_node:
            raise InputError("the other graph is not a copy of this one")
        if other is not self:
            with read_lock(other):
                self.begin_change()
                try:
                    self.copy_from(other)
                finally:
                    self.end_change()

    def copy_from(self, other: Graph) -> None:
        self._log_differences(other)
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        np.copyto(np.asarray(self.last_value), np.asarray(other.last_value))
        self.max_value = 0
        self._raise_bounds(self.n, other.max_value)
        self.common_value, self.uncommon_count, self.has_unit_costs = other.common_value, other.uncommon_count, other.has_unit_costs

    def constructor_args(self) -> tuple[Any, ...]:
        return Graph, self.layout

    def shared_parts(self) -> tuple[Any, ...]:
        return self, self.layout

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        self._init_fields()
        (layout,) = args
        if not isinstance(layout, EdgeLayout):
            raise InputError(DAMAGED_MESSAGE)
        self.attach_layout(layout)
        self.common_value = 1
        self.set_costs(self.layout.free_value)
        bag = Archive(self, fields)
        self.serialize_change_count(bag)
        self.serialize(bag)
        self.n = self.layout.n
        self.is_initialized = True

    def serialize(self, bag: Archive) -> None:
        self.common_value = bag.integer("common", self.common_value, 1, MAX_EDGE_COST)
        value = bag.integers("value", self.value, 0, MAX_EDGE_COST, self.n_locations)
        twin, free = self.layout.reverse_arc, self.layout.free_value
        bag.require(((value == 0) | (value >= free)).all(), "an edge is cheaper than it was made")
        bag.require((value[twin] == value).all(), "an edge costs more one way than back")
        if bag.is_loading:
            self.set_costs(value)
        last = np.asarray(self.last_value)
        known = bag.states("weighed", np.flatnonzero(last), max(1, self.n_locations), unique=True)
        costs = bag.integers("last", last[known], 1, MAX_EDGE_COST, len(known))
        bag.require((costs >= free[known]).all(), "an edge was cheaper than it was made")
        if bag.is_loading:
            last[known] = costs
        top = bag.integer("top_value", self.max_value, 1, MAX_EDGE_COST)
        self._raise_bounds(self.layout.n, top)

    def display_cost(self, path: np.ndarray[Any, Any], step_costs: np.ndarray[Any, Any]) -> float:
        return float(step_costs.sum()) * self.resolution

    def _to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        if not self.is_built_in:
            return None
        layout = self.layout
        arrays = {"value": np.array(self.value), "least": np.array(layout.free_value)}
        arrays |= {"tail": np.array(layout.tail), "head": np.array(layout.head), "twin": np.array(layout.reverse_arc)}
        arrays["position"] = np.zeros(0) if layout.position is None else np.array(layout.position).reshape(-1)
        facts = {name: getattr(self, name) for name in ("is_directed", "is_scaled", "has_positions", "resolution")}
        return {"kind": "graph", "nodes": names_to_json(self.nodes), **facts}, arrays

    @classmethod
    def _from_arrays(cls, facts: dict[str, Any], column: Callable[[str], np.ndarray[Any, Any]]) -> Graph:
        """The graph of which `facts` tells; column: its arrays by name. All of it may be damaged: raises InputError."""
        nodes = [name_from_json(node) for node in facts["nodes"]]
        position = column("position").reshape(-1, 2) if facts["has_positions"] else None
        tail, head, twin, least, value = (column(name) for name in ("tail", "head", "twin", "least", "value"))
        directed, resolution, scaled = bool(facts["is_directed"]), float(facts["resolution"]), bool(facts["is_scaled"])
        given: tuple[Any, ...] = (len(nodes), tail, head, twin, least, directed, resolution, scaled, position)
        check_saved_layout(*given)
        index = {node: s for s, node in enumerate(nodes)}
        if len(index) != len(nodes) or value.shape != least.shape or not ((value == 0) | (value >= least)).all():
            raise InputError(DAMAGED_MESSAGE)
        return graph_from_layout(EdgeLayout(*given), nodes, index, value)

    def __repr__(self) -> str:
        kind = "directed" if self.is_directed else "undirected"
        return f"<Graph, {self.n:,} nodes, {self.n_locations if self.is_directed else self.n_locations // 2:,} {kind} edges>"


def graph_from_layout(layout: EdgeLayout, nodes: list[Any], index: dict[Any, int], value: np.ndarray[Any, Any]) -> Graph:
    """A graph of edges that are laid out, with names for its nodes and the present value of each edge."""
    graph = Graph.__new__(Graph)
    graph._init_fields()
    graph.attach_layout(layout.set_names(nodes, index))
    graph.common_value = int(layout.free_value[0]) if len(value) else 1
    graph.set_costs(value)
    graph.n = len(nodes)
    graph.is_initialized = True
    return graph


def copy_graph(graph: Graph, all_free: bool = False) -> Graph:
    """Another graph with the same nodes and edges, as they are now or all of them open."""
    twin = Graph.__new__(Graph)
    twin.share_layout(graph)
    if all_free:
        twin.set_costs(graph.layout.free_value)
    return twin
