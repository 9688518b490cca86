"""Random terrain for the property tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import replan
from oracle.grids import Cell, Edges, edges_of_grid

CORNERS = ["strict", "either", "free"]
LIGHT = [1, 1, 1, 2, 3, 5]
HEAVY = [1, 2, 3, 1000, 65_535]


@dataclass
class GridCase:
    """A grid as plain arrays, so that a slow oracle can be made of them as well."""

    blocked: np.ndarray[Any, Any]
    neighbors: int
    corners: str
    weights: np.ndarray[Any, Any] | None
    walls: np.ndarray[Any, Any] | None

    def grid(self) -> replan.Grid:
        return replan.Grid(self.blocked, self.neighbors, self.weights, self.corners, self.walls)

    def edges(self) -> Edges:
        weights = None if self.weights is None else self.weights.tolist()
        walls = None if self.walls is None else self.walls.tolist()
        return edges_of_grid(self.blocked.tolist(), self.neighbors, self.corners, weights, walls)

    def values(self) -> list[list[int]]:
        """0 blocked, else the weight."""
        weights = np.ones(self.blocked.shape, int) if self.weights is None else self.weights
        return np.where(self.blocked, 0, weights).tolist()

    @property
    def shape(self) -> tuple[int, int]:
        return self.blocked.shape  # type: ignore[return-value]

    def free_cells(self) -> list[Cell]:
        return [tuple(cell) for cell in np.argwhere(~self.blocked).tolist()]


@st.composite
def masks(draw: Any, shape: tuple[int, int], shares: tuple[float, ...] = (0.0, 0.15, 0.3, 0.45)) -> Any:
    """2-D bools of which about a drawn share is True; shrinks to False."""
    n = shape[0] * shape[1]
    share = draw(st.sampled_from(shares))
    noise = np.frombuffer(draw(st.binary(min_size=n, max_size=n)), np.uint8)
    return (noise >= 256 * (1 - share)).reshape(shape)


@st.composite
def weightings(draw: Any, shape: tuple[int, int], table: list[int] = LIGHT) -> Any:
    n = shape[0] * shape[1]
    noise = np.frombuffer(draw(st.binary(min_size=n, max_size=n)), np.uint8)
    return np.array(table)[noise % len(table)].reshape(shape)


@st.composite
def grid_cases(
    draw: Any,
    largest: int = 6,
    neighbors: tuple[int, ...] = (4, 8),
    weighted: bool | None = None,
    walled: bool | None = None,
    table: list[int] = LIGHT,
) -> GridCase:
    """Grids of all kinds."""
    shape = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    blocked = draw(masks(shape))
    count = draw(st.sampled_from(neighbors))
    corners = draw(st.sampled_from(CORNERS))
    has_weights = draw(st.booleans()) if weighted is None else weighted
    has_walls = draw(st.sampled_from([False, False, True])) if walled is None else walled
    weights = draw(weightings(shape, table)) if has_weights else None
    walls = None
    if has_walls:
        right, below = draw(masks(shape, (0.1, 0.3))), draw(masks(shape, (0.1, 0.3)))
        walls = right.astype(np.uint8) | below.astype(np.uint8) << 1
    return GridCase(blocked, count, corners, weights, walls)


@st.composite
def problems(draw: Any, **kinds: Any) -> tuple[GridCase, Cell, Cell]:
    """A grid with a start and a goal that are free."""
    case = draw(grid_cases(**kinds))
    free = case.free_cells()
    if not free:
        case.blocked[0, 0] = False
        free = [(0, 0)]
    return case, draw(st.sampled_from(free)), draw(st.sampled_from(free))


@dataclass
class GraphCase:
    """A graph as its list of edges."""

    listed: list[tuple[str, str, int]]
    nodes: list[str]
    directed: bool
    positions: dict[str, tuple[float, float]] | None

    def graph(self) -> replan.Graph:
        return replan.Graph(self.listed, self.directed, positions=self.positions, nodes=self.nodes)

    def edges(self) -> Edges:
        found: Edges = {node: {} for node in self.nodes}
        for u, v, cost in self.listed:
            for a, b in [(u, v)] if self.directed else [(u, v), (v, u)]:
                found[a][b] = min(cost, found[a].get(b, cost))
        return found


@st.composite
def graph_cases(draw: Any, costs: Any = None, directed: bool | None = None) -> GraphCase:
    """Small graphs, lonely nodes included. (What Graph makes of parallel edges and loops is tested with it.)"""
    nodes = [f"n{i}" for i in range(draw(st.integers(1, 8)))]
    pick = st.sampled_from(nodes)
    cost = st.integers(1, 20) if costs is None else costs
    turned = draw(st.booleans()) if directed is None else directed
    ends = st.tuples(pick, pick).filter(lambda pair: pair[0] != pair[1])
    same = (lambda pair: pair) if turned else frozenset
    pairs = draw(st.lists(ends, max_size=20, unique_by=same)) if len(nodes) > 1 else []
    listed = [(u, v, draw(cost)) for u, v in pairs]
    spot = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
    positions = {node: draw(spot) for node in nodes} if draw(st.booleans()) else None
    return GraphCase(listed, nodes, turned, positions)


ORDERS = [
    {"prefer": prefer, "ties": ties} for prefer in ("larger g", "smaller g") for ties in ("first-in", "last-in")
]
QUEUES = [*ORDERS, {"queue": "buckets"}]


def specs(**wanted: bool) -> list[Any]:
    """Entries of the registry whose attributes are as wanted."""
    return [s for s in replan.planners() if all(getattr(s, k) == v for k, v in wanted.items())]


def kinds_for(spec: Any) -> dict[str, Any]:
    """The grids on which a planner runs, as arguments of `grid_cases`."""
    kinds = {"neighbors": (4,), "weighted": False} if spec.needs_unit_costs else {}
    return {**kinds, "walled": False} if spec.needs_plain_grid else kinds


def names(found: list[Any]) -> list[str]:
    return [spec.slug for spec in found]
