"""What never changes in a graph: its nodes, its edges and where they lead, laid out for searching. Copies share it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import MAX_STATES
from replan.serialization import DAMAGED_MESSAGE, Archive, pack, reduce_object, unpack_args

MAX_EDGE_COST = 1 << 40
MAX_COORDINATE = 1e150  # the largest coordinate of a node: its square is finite

Array = np.ndarray[Any, Any]


class EdgeLayout(Initialized):
    """Arcs sorted by tail, arc a from tail[a] to head[a]; those from node s are first[s] to first[s + 1] - 1.

    in_arc lists the arcs that enter each node, in the same way. twin[a] is the arc back of an undirected edge, a itself
    where edges are directed. free_value: what each arc costs when it is open, in ticks. position: x and y of each node,
    None if there are none; ticks_per_length turns a distance into an estimate that is never too large.
    """

    nodes: list[Hashable]
    state_of_node: dict[Hashable, int]

    def __init__(
        self,
        n: int,
        tail: Array,
        head: Array,
        twin: Array,
        free_value: Array,
        directed: bool,
        resolution: float,
        scaled: bool,
        position: Array | None,
    ) -> None:
        self.check_not_initialized()
        self.is_initialized = True
        self.nodes, self.state_of_node = [], {}
        self.n, self.is_directed, self.resolution, self.is_scaled = n, directed, resolution, scaled
        self.tail, self.head, self.reverse_arc = (arcs.astype(np.int32) for arcs in (tail, head, twin))
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
                farthest = 2.0**53 / float(np.hypot(*np.ptp(position, axis=0)))  # estimates are whole numbers of C
                # a hair below, so that rounding cannot overestimate
                self.units_per_length = min(float(ratio) * (1 - 1e-9), farthest)

    def set_names(self, nodes: list[Hashable], index: dict[Hashable, int]) -> EdgeLayout:
        """The nodes that people know: nodes[s] is state s, and index the way back."""
        self.nodes, self.state_of_node = nodes, index
        return self

    # Saving. The nodes come last: they may be objects of the user's that know the graph.

    def __reduce__(self) -> Any:
        self.check_initialized()
        arrays = (self.tail, self.head, self.reverse_arc, self.free_value)
        position = None if self.position is None else pack(self.position)
        made = (EdgeLayout, self.n, *map(pack, arrays), self.is_directed, self.resolution, self.is_scaled, position)
        return (*reduce_object(self, made, Archive(self))[:2], list(self.nodes))

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        given = unpack_args(args)
        check_saved_layout(*given)
        kind.__init__(self, *given)

    def __setstate__(self, nodes: Any) -> None:
        self.check_initialized()
        if type(nodes) is not list or len(nodes) != self.n or self.nodes:
            raise InputError(f"this graph cannot be loaded: its nodes are not there; {DAMAGED_MESSAGE}")
        self.nodes += nodes
        self.state_of_node.update((node, s) for s, node in enumerate(nodes))
        if len(self.state_of_node) != self.n:
            raise InputError(f"this graph cannot be loaded: two of its nodes are equal; {DAMAGED_MESSAGE}")


def build_edge_layout(
    n: int,
    edges: dict[tuple[int, int], int],
    directed: bool,
    resolution: float,
    scaled: bool,
    position: Array | None,
) -> EdgeLayout:
    """The layout of edges (u, v): cost."""
    ends = np.array(list(edges), np.int32).reshape(-1, 2)
    tails, heads, costs = ends[:, 0], ends[:, 1], np.array(list(edges.values()), np.int64)
    m = len(tails)
    if not directed:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        costs = np.concatenate([costs, costs])
    order = np.argsort(tails, kind="stable")
    twin = np.arange(len(order))
    if not directed:
        where = np.argsort(order, kind="stable")  # where an edge of the user's list went
        twin[where[:m]], twin[where[m:]] = where[m:], where[:m]
    return EdgeLayout(n, tails[order], heads[order], twin, costs[order], directed, resolution, scaled, position)


def positions_of(nodes: list[Hashable], positions: Mapping[Any, tuple[float, float]] | None) -> Array | None:
    """x and y of each node."""
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
    """The arcs sorted by these ends, and where those of each node begin."""
    order = np.argsort(ends, kind="stable").astype(np.int32)
    return order, np.searchsorted(ends[order], np.arange(n + 1)).astype(np.int32)


def check_saved_layout(
    n: Any, tail: Any, head: Any, twin: Any, cost: Any, directed: Any, resolution: Any, scaled: Any, position: Any
) -> None:
    """What was saved is looked at: searches trust these arrays."""
    whole = all(isinstance(x, np.ndarray) and x.dtype == np.int64 for x in (tail, head, twin, cost))
    if type(n) is not int or not 0 < n <= MAX_STATES or not whole or cost.ndim != 1:
        raise InputError(DAMAGED_MESSAGE)
    if not cost.shape == tail.shape == head.shape == twin.shape:
        raise InputError(DAMAGED_MESSAGE)
    arcs = np.arange(len(tail))
    inside = all(((x >= 0) & (x < end)).all() for x, end in ((tail, n), (head, n), (twin, len(tail))))
    fits = inside and (np.diff(tail) >= 0).all() and (tail != head).all() and (cost > 0).all()
    fits = fits and (cost <= MAX_EDGE_COST).all() and len(np.unique(tail * n + head)) == len(tail)
    if fits and directed:
        fits = (twin == arcs).all()
    elif fits:
        fits = (twin[twin] == arcs).all() and (tail[twin] == head).all() and (cost[twin] == cost).all()
    placed = position is None or (position.shape == (n, 2) and (np.abs(position) <= MAX_COORDINATE).all())
    scale = type(directed) is bool and type(scaled) is bool and type(resolution) is float
    if not fits or not placed or not scale or not 0 < resolution < float("inf"):
        raise InputError(DAMAGED_MESSAGE)
