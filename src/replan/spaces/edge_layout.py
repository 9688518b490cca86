"""The immutable part of a graph, which copies share: its nodes and its arcs in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import MAX_STATES
from replan.serialization import DAMAGED_MESSAGE, Archive, pack, reduce_object, unpack_args

MAX_EDGE_COST = 1 << 40
MAX_COORDINATE = 1e150  # largest coordinate of a node: its square is finite

Array = np.ndarray[Any, Any]


class EdgeLayout(Initialized):
    """The arcs of a graph, sorted by tail.

    Arc `a` leads from tail[a] to head[a]. The arcs that leave state `s` are first[s] to first[s + 1] - 1. The arcs that
    enter `s` are in_arc[in_first[s]] to in_arc[in_first[s + 1] - 1]. reverse_arc[a] is the arc back of an undirected
    edge, and `a` itself of a directed edge. free_value[a] is the cost of the open arc when the graph was made, in cost
    units. position has x and y of each state, or is None; units_per_length converts a distance to a consistent h-value.
    """

    nodes: list[Hashable]
    state_of_node: dict[Hashable, int]

    def __init__(
        self,
        n: int,
        tail: Array,
        head: Array,
        reverse_arc: Array,
        free_value: Array,
        is_directed: bool,
        resolution: float,
        is_scaled: bool,
        position: Array | None,
    ) -> None:
        self.check_not_initialized()
        self.is_initialized = True
        self.nodes, self.state_of_node = [], {}
        self.n, self.is_directed, self.resolution, self.is_scaled = n, is_directed, resolution, is_scaled
        self.tail, self.head, self.reverse_arc = (arcs.astype(np.int32) for arcs in (tail, head, reverse_arc))
        self.free_value = free_value.astype(np.int64)
        self.first = _group_arcs(self.tail, n)[1]
        self.in_arc, self.in_first = _group_arcs(self.head, n)
        self.degree = int(max(np.diff(self.first).max(), np.diff(self.in_first).max()))
        self.arc_of_pair = {ends: a for a, ends in enumerate(zip(self.tail.tolist(), self.head.tolist(), strict=True))}
        self.position, self.units_per_length = position, 0.0
        if position is not None:
            length = np.hypot(*(position[self.tail] - position[self.head]).T)
            if (length > 0).any():
                ratio = (self.free_value[length > 0] / length[length > 0]).min()
                limit = 2.0**53 / float(np.hypot(*np.ptp(position, axis=0)))  # the largest h-value fits an integer of C
                # slightly smaller than the ratio, so that rounding cannot overestimate
                self.units_per_length = min(float(ratio) * (1 - 1e-9), limit)

    def set_names(self, nodes: list[Hashable], index: dict[Hashable, int]) -> EdgeLayout:
        """Set the user's nodes: nodes[s] is the node of state s, and index[node] its state. Return the layout."""
        self.nodes, self.state_of_node = nodes, index
        return self

    # Saving. The nodes are saved last: they may be the user's objects that refer to the graph.

    def __reduce__(self) -> Any:
        self.check_initialized()
        arrays = (self.tail, self.head, self.reverse_arc, self.free_value)
        position = None if self.position is None else pack(self.position)
        constants = (self.is_directed, self.resolution, self.is_scaled, position)
        constructor_args = (EdgeLayout, self.n, *map(pack, arrays), *constants)
        return (*reduce_object(self, constructor_args, Archive(self))[:2], list(self.nodes))

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        arguments = unpack_args(args)
        check_saved_layout(*arguments)
        kind.__init__(self, *arguments)

    def __setstate__(self, nodes: Any) -> None:
        self.check_initialized()
        if type(nodes) is not list or len(nodes) != self.n or self.nodes:
            raise InputError(f"this graph cannot be loaded: its nodes are missing; {DAMAGED_MESSAGE}")
        self.nodes += nodes
        self.state_of_node.update((node, s) for s, node in enumerate(nodes))
        if len(self.state_of_node) != self.n:
            raise InputError(f"this graph cannot be loaded: two of its nodes are equal; {DAMAGED_MESSAGE}")


def build_edge_layout(
    n: int,
    edges: dict[tuple[int, int], int],
    is_directed: bool,
    resolution: float,
    is_scaled: bool,
    position: Array | None,
) -> EdgeLayout:
    """Make the layout of edges {(u, v): cost}."""
    ends = np.array(list(edges), np.int32).reshape(-1, 2)
    tails, heads, costs = ends[:, 0], ends[:, 1], np.array(list(edges.values()), np.int64)
    m = len(tails)
    if not is_directed:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        costs = np.concatenate([costs, costs])
    order = np.argsort(tails, kind="stable")
    reverse_arc = np.arange(len(order))
    if not is_directed:
        arc = np.argsort(order, kind="stable")  # number of the arc of each edge, forward and then reverse
        reverse_arc[arc[:m]], reverse_arc[arc[m:]] = arc[m:], arc[:m]
    arrays = (tails[order], heads[order], reverse_arc, costs[order])
    return EdgeLayout(n, *arrays, is_directed, resolution, is_scaled, position)


def positions_of(nodes: list[Hashable], positions: Mapping[Any, tuple[float, float]] | None) -> Array | None:
    """Return x and y of each node; raise InputError if a position is missing or invalid."""
    if positions is None:
        return None
    missing = [node for node in nodes if node not in positions]
    if missing:
        raise InputError(f"node {missing[0]!r} has no position")
    xy = np.array([positions[node] for node in nodes], float)
    if xy.shape != (len(nodes), 2) or not (np.abs(xy) <= MAX_COORDINATE).all():
        raise InputError(f"a position is a pair of finite numbers from {-MAX_COORDINATE:g} to {MAX_COORDINATE:g}")
    return xy


def _group_arcs(ends: Array, n: int) -> tuple[Array, Array]:
    """Return the arcs sorted by these ends, and the index of the first arc of each state."""
    order = np.argsort(ends, kind="stable").astype(np.int32)
    return order, np.searchsorted(ends[order], np.arange(n + 1)).astype(np.int32)


def check_saved_layout(
    n: Any,
    tail: Any,
    head: Any,
    reverse_arc: Any,
    cost: Any,
    is_directed: Any,
    resolution: Any,
    is_scaled: Any,
    position: Any,
) -> None:
    """Raise InputError if saved arguments of EdgeLayout are damaged: searches trust these arrays."""
    are_arrays = all(isinstance(x, np.ndarray) and x.dtype == np.int64 for x in (tail, head, reverse_arc, cost))
    if type(n) is not int or not 0 < n <= MAX_STATES or not are_arrays or cost.ndim != 1:
        raise InputError(DAMAGED_MESSAGE)
    if not cost.shape == tail.shape == head.shape == reverse_arc.shape:
        raise InputError(DAMAGED_MESSAGE)
    arcs = np.arange(len(tail))
    in_range = all(((x >= 0) & (x < end)).all() for x, end in ((tail, n), (head, n), (reverse_arc, len(tail))))
    arcs_ok = in_range and (np.diff(tail) >= 0).all() and (tail != head).all() and (cost > 0).all()
    arcs_ok = arcs_ok and (cost <= MAX_EDGE_COST).all() and len(np.unique(tail * n + head)) == len(tail)
    if arcs_ok and is_directed:
        arcs_ok = (reverse_arc == arcs).all()
    elif arcs_ok:
        arcs_ok = (reverse_arc[reverse_arc] == arcs).all() and (tail[reverse_arc] == head).all()
        arcs_ok = arcs_ok and (cost[reverse_arc] == cost).all()
    positions_ok = position is None or (position.shape == (n, 2) and (np.abs(position) <= MAX_COORDINATE).all())
    types_ok = type(is_directed) is bool and type(is_scaled) is bool and type(resolution) is float
    if not arcs_ok or not positions_ok or not types_ok or not 0 < resolution < float("inf"):
        raise InputError(DAMAGED_MESSAGE)
