"""Graphs with any nodes and with directed or undirected edges, whose positive costs may change.

The arcs are stored in arrays sorted by tail (compressed sparse rows); a second index lists the arcs that enter each
node. An undirected edge consists of two arcs, each the reverse of the other, that change together. The value of an arc
is its cost in cost units, 0 if it is blocked.
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
    """A graph of nodes and edges.

    Parameters
    ----------
    edges
        Edges `(u, v, cost)` or `(u, v)`, which costs 1. A node is any hashable object. Of several edges between the
        same nodes the cheapest counts. Loops are ignored.
    directed
        True if edge `(u, v)` leads from `u` to `v` only.
    resolution
        Size of a cost unit: costs are rounded to multiples of it. None: all costs are whole numbers from 1 to 2**40.
    positions
        Coordinates `{node: (x, y)}` of all nodes. They give the planners a heuristic: the straight-line distance,
        scaled so that it is consistent. None: the heuristic is zero.
    nodes
        Additional nodes, which may have no edges.

    Raises
    ------
    InputError
        If an edge, a cost or a position is invalid.

    Examples
    --------
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
            raise InputError(f"resolution is a positive number, the size of a cost unit, not {resolution!r}")
        self.is_directed, self.is_scaled = bool(directed), resolution is not None
        self.nodes, self._state_of_node = [], {}
        cheapest: dict[tuple[int, int], int] = {}
        for edge in edges if isinstance(edges, Iterable) else (edges,):
            if not isinstance(edge, Sized) or len(edge) not in (2, 3):
                raise InputError(f"an edge is (u, v) or (u, v, cost), not {edge!r}")
            u, v = self._add_node(edge[0]), self._add_node(edge[1])
            cost = self._to_cost_units(edge[2] if len(edge) == 3 else 1, edge, self.is_scaled)
            pair = (v, u) if not directed and (v, u) in cheapest else (u, v)
            if u != v:
                cheapest[pair] = min(cost, cheapest.get(pair, cost))
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
        """Convert a networkx graph.

        Parameters
        ----------
        graph
            Any networkx graph, directed or not. Of parallel edges the cheapest counts.
        weight
            Name of the edge attribute that has the costs. An edge without it costs 1.
        resolution
            Size of a cost unit, as `Graph` takes it.
        positions
            Coordinates `{node: (x, y)}`, or the name of the node attribute that has them, which is used if all nodes
            have it. None: no positions.

        Returns
        -------
        Graph
            The graph with the same nodes.

        Raises
        ------
        InputError
            If a cost or a position is invalid.

        Examples
        --------
        >>> import networkx
        >>> graph = Graph.from_networkx(networkx.cycle_graph(5))
        >>> graph, graph.to_networkx().number_of_edges()
        (<Graph, 5 nodes, 5 undirected edges>, 5)
        """
        edges = [(u, v, data.get(weight, 1)) for u, v, data in graph.edges(data=True)]
        if isinstance(positions, str):
            coordinates = {node: data[positions] for node, data in graph.nodes(data=True) if positions in data}
            positions = coordinates if coordinates and len(coordinates) == len(graph) else None
        return cls(edges, graph.is_directed(), resolution, positions, list(graph.nodes))

    def to_networkx(self, weight: str = "weight") -> Any:
        """Convert to a networkx graph. Blocked edges are left out.

        Parameters
        ----------
        weight
            Name of the edge attribute for the costs, which are multiples of `resolution`.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            The nodes and the open edges; positions are the node attribute `pos`.

        Raises
        ------
        MissingExtra
            If networkx is not installed.
        """
        self.check_initialized()
        networkx = import_extra("networkx", extra="networkx", purpose="a networkx graph")
        graph = networkx.DiGraph() if self.is_directed else networkx.Graph()
        for s, node in enumerate(self.nodes):
            xy = (float(self.position[2 * s]), float(self.position[2 * s + 1])) if self.has_positions else None
            graph.add_node(node, **({} if xy is None else {"pos": xy}))
        for a in range(self.n_locations):
            if self.value[a] > 0:
                cost = self.value[a] * self.resolution if self.is_scaled else self.value[a]
                graph.add_edge(self.nodes[self.tail[a]], self.nodes[self.head[a]], **{weight: cost})
        return graph

    def _add_node(self, node: Hashable) -> int:
        """Return the state of a node; add the node if it is new."""
        try:
            is_known = node in self._state_of_node
        except TypeError:
            raise InputError(f"a node is a hashable object, not {node!r}") from None
        if not is_known:
            self._state_of_node[node] = len(self.nodes)
            self.nodes.append(node)
        return self._state_of_node[node]

    def _to_cost_units(self, cost: Any, edge: tuple[Any, ...], is_scaled: bool) -> int:
        """Convert the cost of an edge to cost units; raise InputError if it is invalid."""
        try:
            units = round(float(cost) / self.resolution) if is_scaled else int(cost)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"the cost of edge {edge!r} is not a number") from None
        if not is_scaled and units != cost:
            raise InputError(f"edge {edge!r}: costs are whole numbers; otherwise give resolution=, the size of a unit")
        if not 1 <= units <= MAX_EDGE_COST:
            raise InputError(f"edge {edge!r} costs {units} units; an edge costs from 1 to {MAX_EDGE_COST:,}")
        return units

    def attach_layout(self, layout: EdgeLayout) -> None:
        """Set the nodes and edges from a layout, which copies share."""
        layout.check_initialized()
        self.layout, self.nodes, self._state_of_node, self._arc_of_pair = (
            layout,
            layout.nodes,
            layout.state_of_node,
            layout.arc_of_pair,
        )
        self.is_directed, self.resolution, self.is_scaled = layout.is_directed, layout.resolution, layout.is_scaled
        self.first, self.in_first, self.in_arc = view(layout.first), view(layout.in_first), view(layout.in_arc)
        self.tail, self.head, self.reverse_arc = view(layout.tail), view(layout.head), view(layout.reverse_arc)
        self.free_value, self.n_locations, self.degree = view(layout.free_value), len(layout.tail), layout.degree
        self.has_positions, self.units_per_length = layout.position is not None, layout.units_per_length
        self.position = view(np.zeros(1) if layout.position is None else layout.position.reshape(-1))
        self.units_per_step, self.locations_are_states, self.is_built_in = 1, False, type(self) is Graph

    def set_costs(self, costs: np.ndarray[Any, Any]) -> None:
        """Set the costs of all arcs; forget the costs of blocked arcs."""
        self.value = view(costs.astype(np.int64))
        self.last_value = zeros(len(costs), np.int64)  # cost of each blocked arc before it was blocked; 0 if unknown
        self._count_uncommon()
        self.max_value = 0
        self._raise_bounds(self.layout.n, int(costs.max()) if len(costs) else 1)

    def _count_uncommon(self) -> None:
        """Count the open arcs whose cost is not `common_value`: with none, all steps cost the same."""
        value = np.asarray(self.value)
        self.uncommon_count = int(((value != 0) & (value != self.common_value)).sum())
        self.has_unit_costs = self.uncommon_count == 0

    def _raise_bounds(self, n: int, cost: int) -> None:
        """Raise max_path_cost and max_edge_round_trip if this cost is larger than all before."""
        if n * cost > LARGEST_BOUND:
            raise InputError("costs of this size could overflow: use a coarser resolution")
        if cost > self.max_value:
            self.max_value, self.max_path_cost, self.max_edge_round_trip = cost, n * cost, 2 * cost

    def make_neighbours(self, reuse: Neighbours | None = None) -> Neighbours:
        self.check_initialized()
        return reuse_or_make(reuse, self.degree)

    def make_changed_states(self) -> ChangedStates:
        return ChangedStates(2, False)

    # Called by the core.

    def expand(self, neighbours: Neighbours, s: int) -> int:
        k = 0
        for a in range(self.first[s], self.first[s + 1]):
            neighbours.state[k] = self.head[a]
            neighbours.cost[k] = self.value[a]
            k += self.value[a] > 0
        return k

    def expand_reverse(self, neighbours: Neighbours, s: int) -> int:
        k = 0
        for i in range(self.in_first[s], self.in_first[s + 1]):
            a = self.in_arc[i]
            neighbours.state[k] = self.tail[a]
            neighbours.cost[k] = self.value[a]
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
        units = int(length)
        # Rounded up: costs are whole numbers, so the estimate stays consistent and keeps the triangle inequality.
        return units + 1 if units < length else units

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
        self.uncommon_count += k * (
            (value != 0 and value != self.common_value) - (old != 0 and old != self.common_value)
        )
        self.has_unit_costs = self.uncommon_count == 0
        self.value[location] = value
        if value == 0:
            self.last_value[location] = self.last_value[self.reverse_arc[location]] = old
        changed.state[0], changed.entered[0] = self.tail[location], self.head[location]
        if k == 2:
            self.value[self.reverse_arc[location]] = value
            changed.state[1], changed.entered[1] = self.head[location], self.tail[location]
        return k

    # Called by users.

    def state(self, key: Any) -> int:
        """Return the state of a node.

        Parameters
        ----------
        key
            Node.

        Returns
        -------
        int
            State, from 0 to `n - 1`, in the order in which `edges` and `nodes` name the nodes.

        Raises
        ------
        InputError
            If the graph has no such node.
        """
        try:
            s = self._state_of_node[key]
        except (KeyError, TypeError, AttributeError):
            self.check_initialized()
            raise InputError(f"the graph has no node {key!r}") from None
        return s if type(s) is int and 0 <= s < self.n else self.checked_state(s)

    def key(self, state: int) -> Hashable:
        """Return the node of a state.

        Parameters
        ----------
        state
            State, from 0 to `n - 1`.

        Returns
        -------
        hashable
            Node.
        """
        s = self.checked_state(state)
        if s >= len(self.nodes):
            raise InputError(f"node {s} was removed from `nodes`, which must not be changed")
        return self.nodes[s]

    def is_reversible(self) -> bool:
        return not self.is_directed

    def unchecked_key(self, s: int) -> Hashable:
        return self.nodes[s] if self.is_built_in and s < len(self.nodes) else self.key(s)

    def location(self, key: Any) -> int:
        """Return the number of an edge.

        Parameters
        ----------
        key
            Edge `(u, v)`.

        Returns
        -------
        int
            Number of the arc from `u` to `v`.

        Raises
        ------
        InputError
            If the graph has no such edge.
        """
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
        """Return the cost of an edge when the graph was made.

        Parameters
        ----------
        location
            Number of the edge.

        Returns
        -------
        int
            Cost in cost units; the edge cannot become cheaper.
        """
        return self.free_value[self.checked_location(location)]

    def checked_value(self, location: Any, value: Any) -> int:
        """Return a value that an edge can have as an int.

        Parameters
        ----------
        location
            Number of the edge.
        value
            0 (blocked), or a cost from `min_value(location)` to 2**40, in cost units.

        Returns
        -------
        int
            The same value.

        Raises
        ------
        InputError
            If the edge cannot have the value.
        """
        if isinstance(value, (int, np.integer)) and (value == 0 or self.min_value(location) <= value <= MAX_EDGE_COST):
            return int(value)
        low = self.min_value(location)
        raise InputError(f"the value of this edge is 0 (blocked) or its cost, {low} units or more, not {value!r}")

    def value_of_weight(self, weight: Any) -> int:
        """Convert a cost to the value of an edge.

        Parameters
        ----------
        weight
            Cost in the user's units.

        Returns
        -------
        int
            Cost in cost units.

        Raises
        ------
        InputError
            If no edge can have this cost.
        """
        return self._to_cost_units(weight, ("?", "?", weight), self.is_scaled)

    def _last_value(self, location: int) -> int:
        return self.last_value[self.checked_location(location)]

    def _paired_locations(self) -> np.ndarray[Any, Any] | None:
        return None if self.is_directed else np.asarray(self.reverse_arc)

    def block(self, u: Hashable, v: Hashable) -> None:
        """Block an edge.

        Parameters
        ----------
        u
            First node.
        v
            Second node.

        Raises
        ------
        InputError
            If no edge leads from `u` to `v`.
        RuntimeError
            If the graph is being searched.
        """
        self.set_value(self.location((u, v)), 0)

    def cost_of(self, u: Hashable, v: Hashable) -> float:
        """Return the present cost of an edge in the user's units.

        Parameters
        ----------
        u
            First node.
        v
            Second node.

        Returns
        -------
        float
            Cost; infinity if the edge is blocked or does not exist.

        Raises
        ------
        InputError
            If the graph has no such node.
        """
        units = self.edge_cost(self.state(u), self.state(v))
        return float("inf") if units == INF else units * self.resolution

    def copy(self) -> Graph:
        """Copy the graph.

        Returns
        -------
        Graph
            An equal graph that can be changed independently.
        """
        with read_lock(self):
            return copy_graph(self)

    def share_layout(self, other: Graph) -> None:
        """Become a copy of another graph that shares its layout, which never changes."""
        self._init_fields()
        self.attach_layout(other.layout)
        self.common_value = other.common_value
        self.set_costs(np.asarray(other.value))
        np.copyto(np.asarray(self.last_value), np.asarray(other.last_value))
        self._raise_bounds(other.n, other.max_value)
        self.n = other.n
        self.is_initialized = True

    def believed_free(self) -> Graph:
        """Copy the graph under the freespace assumption.

        Returns
        -------
        Graph
            All edges are open and cost what they cost when the graph was made.
        """
        self.check_initialized()
        return copy_graph(self, all_free=True)

    def assign(self, other: Space) -> None:
        """Set all costs to those of another graph.

        Parameters
        ----------
        other
            A copy of this graph, or the graph of which this one is a copy.

        Raises
        ------
        InputError
            If the other graph is not a copy.
        RuntimeError
            If one of the two graphs is being changed, or this graph is being searched.
        """
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
        """Copy all costs from a graph with the same layout."""
        self._log_differences(other)
        np.copyto(np.asarray(self.value), np.asarray(other.value))
        np.copyto(np.asarray(self.last_value), np.asarray(other.last_value))
        self.max_value = 0
        self._raise_bounds(self.n, other.max_value)
        self.common_value, self.uncommon_count = other.common_value, other.uncommon_count
        self.has_unit_costs = other.has_unit_costs

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
        archive = Archive(self, fields)
        self.serialize_change_count(archive)
        self.serialize(archive)
        self.n = self.layout.n
        self.is_initialized = True

    def serialize(self, archive: Archive) -> None:
        self.common_value = archive.integer("common_value", self.common_value, 1, MAX_EDGE_COST)
        value = archive.integers("value", self.value, 0, MAX_EDGE_COST, self.n_locations)
        reverse_arc, free_value = self.layout.reverse_arc, self.layout.free_value
        archive.require(((value == 0) | (value >= free_value)).all(), "an edge is too cheap")
        archive.require((value[reverse_arc] == value).all(), "the two arcs of an edge cost differently")
        if archive.is_loading:
            self.set_costs(value)
        last = np.asarray(self.last_value)
        end = max(1, self.n_locations)
        known = archive.states("last_value.locations", np.flatnonzero(last), end, unique=True)
        costs = archive.integers("last_value", last[known], 1, MAX_EDGE_COST, len(known))
        archive.require((costs >= free_value[known]).all(), "a blocked edge was too cheap")
        if archive.is_loading:
            last[known] = costs
        self._raise_bounds(self.layout.n, archive.integer("max_value", self.max_value, 1, MAX_EDGE_COST))

    def display_cost(self, path: np.ndarray[Any, Any], step_costs: np.ndarray[Any, Any]) -> float:
        """Return the cost of a path in the user's units.

        Parameters
        ----------
        path
            States of the path, in order.
        step_costs
            Cost of each step, in cost units.

        Returns
        -------
        float
            Sum of the costs times `resolution`.
        """
        return float(step_costs.sum()) * self.resolution

    def _to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        if not self.is_built_in:
            return None
        layout = self.layout
        arrays = {"value": np.array(self.value), "free_value": np.array(layout.free_value)}
        arrays |= {"tail": np.array(layout.tail), "head": np.array(layout.head)}
        arrays["reverse_arc"] = np.array(layout.reverse_arc)
        arrays["position"] = np.zeros(0) if layout.position is None else np.array(layout.position).reshape(-1)
        metadata = {name: getattr(self, name) for name in ("is_directed", "is_scaled", "has_positions", "resolution")}
        return {"kind": "graph", "nodes": names_to_json(self.nodes), **metadata}, arrays

    @classmethod
    def _from_arrays(cls, metadata: dict[str, Any], column: Callable[[str], np.ndarray[Any, Any]]) -> Graph:
        """Make a graph from saved metadata and arrays (`column(name)`); raise InputError if they are damaged."""
        nodes = [name_from_json(node) for node in metadata["nodes"]]
        position = column("position").reshape(-1, 2) if metadata["has_positions"] else None
        names = ("tail", "head", "reverse_arc", "free_value", "value")
        tail, head, reverse_arc, free_value, value = (column(name) for name in names)
        is_directed, is_scaled = bool(metadata["is_directed"]), bool(metadata["is_scaled"])
        resolution = float(metadata["resolution"])
        parts: tuple[Any, ...] = (
            *(len(nodes), tail, head, reverse_arc, free_value),
            *(is_directed, resolution, is_scaled, position),
        )
        check_saved_layout(*parts)
        index = {node: s for s, node in enumerate(nodes)}
        in_range = value.shape == free_value.shape and ((value == 0) | (value >= free_value)).all()
        if len(index) != len(nodes) or not in_range:
            raise InputError(DAMAGED_MESSAGE)
        return graph_from_layout(EdgeLayout(*parts), nodes, index, value)

    def __repr__(self) -> str:
        kind = "directed" if self.is_directed else "undirected"
        edges = self.n_locations if self.is_directed else self.n_locations // 2
        return f"<Graph, {self.n:,} nodes, {edges:,} {kind} edges>"


def graph_from_layout(
    layout: EdgeLayout, nodes: list[Any], index: dict[Any, int], value: np.ndarray[Any, Any]
) -> Graph:
    """Make a graph from a layout, its nodes, the state of each node, and the present value of each arc."""
    graph = Graph.__new__(Graph)
    graph._init_fields()
    graph.attach_layout(layout.set_names(nodes, index))
    graph.common_value = int(layout.free_value[0]) if len(value) else 1
    graph.set_costs(value)
    graph.n = len(nodes)
    graph.is_initialized = True
    return graph


def copy_graph(graph: Graph, all_free: bool = False) -> Graph:
    """Copy a graph; with `all_free`, all edges of the copy are open and have their first costs."""
    duplicate = Graph.__new__(Graph)
    duplicate.share_layout(graph)
    if all_free:
        duplicate.set_costs(graph.layout.free_value)
    return duplicate
