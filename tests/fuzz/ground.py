"""The terrain of a case as plain data, and what follows from it by definition: steps, costs, what is seen.

A place (a cell of a grid, an edge of a graph) has a value: 0 where it is blocked, else its weight or its cost in ticks.
`Ground` says all that does not change, `Values` what each place is like at a moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot
from typing import Any

import numpy as np

import replan
from fuzz.own_space import OwnGraph
from oracle.grids import estimate, leads, ticks
from oracle.sight import adjacent, in_circle

Place = Any
Cell = Any
Steps = dict[Cell, int]


class GridValues:
    """What each cell is like: as two tables, for the definitions in `oracle.grids`."""

    def __init__(self, rows: Any) -> None:
        self.weights = [list(row) for row in rows]
        self.blocked = [[value == 0 for value in row] for row in rows]

    def get(self, place: Place) -> int:
        return int(self.weights[place[0]][place[1]])

    def put(self, place: Place, value: int) -> None:
        self.weights[place[0]][place[1]], self.blocked[place[0]][place[1]] = value, value == 0

    def copy(self) -> GridValues:
        return GridValues(self.weights)


class GraphValues(dict[Place, int]):
    """What each edge costs."""

    def get(self, place: Place) -> int:  # type: ignore[override]
        return self[place]

    def put(self, place: Place, value: int) -> None:
        self[place] = value

    def copy(self) -> GraphValues:
        return GraphValues(self)


@dataclass(frozen=True)
class GridGround:
    """A grid. walls: 1 to the right of a cell, 2 below it."""

    truth: tuple[tuple[int, ...], ...]
    neighbors: int = 8
    corners: str = "strict"
    weighted: bool = False
    walls: tuple[tuple[int, ...], ...] | None = None

    both_ways = True  # each step can be taken back at the same cost
    resolution = 1.0

    @cached_property
    def cells(self) -> list[Cell]:
        return [(r, c) for r in range(len(self.truth)) for c in range(len(self.truth[0]))]

    @property
    def numbered(self) -> list[Cell]:
        """The cells in the order in which arrays list them."""
        return self.cells

    @property
    def places(self) -> list[Place]:
        return self.cells

    @property
    def unit(self) -> int:
        """Ticks of a step as people count them."""
        return (1 if self.neighbors == 4 else 408) * (2 if self.weighted else 1)

    @property
    def plain(self) -> bool:
        """Do all steps cost the same?"""
        return self.neighbors == 4 and not self.weighted

    @property
    def dearest(self) -> int:
        return max(map(max, self.truth))

    def true_values(self) -> GridValues:
        return GridValues(self.truth)

    def free_values(self) -> GridValues:
        return GridValues([[1] * len(row) for row in self.truth])

    def least(self, place: Place) -> int:
        return 1

    def named(self, place: Place) -> Place:
        """A place by the name that it has here; None if it is not here."""
        return place if place in self.around else None

    def fits(self, place: Place, value: int) -> bool:
        return self.named(place) is not None and 0 <= value <= (65_535 if self.weighted else 1)

    def shown(self, value: int) -> float:
        """A value as people say it."""
        return value

    def touching(self, place: Place) -> list[Cell]:
        """The cells whose steps, out or in, may change with a place."""
        return self.around[place]

    @cached_property
    def around(self) -> dict[Cell, list[Cell]]:
        return {cell: [cell, *adjacent(self.truth, 8, cell)] for cell in self.cells}

    def steps(self, values: GridValues, cell: Cell) -> Steps:
        weights = values.weights if self.weighted else None
        ends = adjacent(self.truth, self.neighbors, cell)
        ends = [end for end in ends if leads(values.blocked, self.corners, self.walls, cell, end)]
        return {end: ticks(self.neighbors, weights, cell, end) for end in ends}

    def steps_to(self, values: GridValues, cell: Cell) -> Steps:
        return self.steps(values, cell)

    def visible(self, values: GridValues, cell: Cell, sensor: Any) -> list[Place]:
        if sensor == "everything":
            return self.cells
        near = [*adjacent(self.truth, self.neighbors, cell), cell]
        if sensor == "adjacent":
            return near
        radius, in_line = sensor
        return sorted({*near, *in_circle(values.blocked, cell, radius, in_line)})  # as a circle is looked at

    def estimate(self, a: Cell, b: Cell) -> int:
        return estimate(self.neighbors, self.weighted, a, b)

    def paid(self, a: Cell, b: Cell, toll: int) -> float:
        """What a step of so many ticks costs, as people count."""
        straight = a[0] == b[0] or a[1] == b[1]
        length = 1 if self.neighbors == 4 else 408 if straight else 577
        return toll / length / (2 if self.weighted else 1) * (1 if straight else 2**0.5)

    def space(self, values: GridValues) -> replan.Grid:
        weights = np.maximum(values.weights, 1) if self.weighted else None
        return replan.Grid(np.array(values.blocked), self.neighbors, weights, self.corners, self.walls)

    def lines(self, name: str, values: GridValues) -> list[str]:
        """Python that makes the space, under this name."""
        parts = [f"{[[int(b) for b in row] for row in values.blocked]}", str(self.neighbors)]
        if self.weighted:
            parts.append(f"weights={[[max(1, v) for v in row] for row in values.weights]}")
        if self.neighbors == 8:
            parts.append(f"corners={self.corners!r}")
        if self.walls is not None:
            parts.append(f"walls={[list(row) for row in self.walls]}")
        return [f"{name} = replan.Grid({', '.join(parts)})"]


@dataclass(frozen=True)
class GraphGround:
    """A graph from edges (u, v, cost in ticks), no two of them between the same nodes. blocked: in truth."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str, int], ...]
    blocked: tuple[Place, ...] = ()
    directed: bool = False
    resolution: float = 1.0
    positions: tuple[tuple[float, float], ...] | None = None
    more: tuple[tuple[str, str, int], ...] = ()  # edges that do not count: loops, and dearer ones beside others
    own: bool = False  # a space of the user's, without a heuristic

    unit = 1
    weighted = True

    @property
    def both_ways(self) -> bool:
        return not self.directed

    @property
    def cells(self) -> tuple[str, ...]:
        return self.nodes

    @property
    def numbered(self) -> list[Cell]:
        return list(dict.fromkeys([*(node for u, v, _ in self.edges for node in (u, v)), *self.nodes]))

    @cached_property
    def places(self) -> list[Place]:
        return [(u, v) for u, v, _ in self.edges]

    @property
    def plain(self) -> bool:
        return not self.own and len({cost for *_, cost in self.edges}) < 2

    @property
    def dearest(self) -> int:
        return max((cost for *_, cost in self.edges), default=1)

    def true_values(self) -> GraphValues:
        return GraphValues({(u, v): 0 if (u, v) in self.blocked else cost for u, v, cost in self.edges})

    def free_values(self) -> GraphValues:
        return GraphValues(self.costs)

    @cached_property
    def costs(self) -> dict[Place, int]:
        return {(u, v): cost for u, v, cost in self.edges}

    def least(self, place: Place) -> int:
        return self.costs[place]

    def named(self, place: Place) -> Place:
        u, v = place
        if (u, v) in self.costs:
            return place
        return (v, u) if not self.directed and (v, u) in self.costs else None

    def fits(self, place: Place, value: int) -> bool:
        name = self.named(place)
        return name is not None and (value == 0 or self.costs[name] <= value <= 1 << 40)

    def shown(self, value: int) -> float:
        return value if self.resolution == 1 else value * self.resolution

    def touching(self, place: Place) -> tuple[Cell, ...]:
        return place

    @cached_property
    def out(self) -> dict[Cell, list[tuple[Cell, Place]]]:
        listed: dict[Cell, list[tuple[Cell, Place]]] = {node: [] for node in self.nodes}
        for u, v in self.places:
            listed[u].append((v, (u, v)))
            if not self.directed:
                listed[v].append((u, (u, v)))
        return listed

    @cached_property
    def back(self) -> dict[Cell, list[tuple[Cell, Place]]]:
        listed: dict[Cell, list[tuple[Cell, Place]]] = {node: [] for node in self.nodes}
        for u, out in self.out.items():
            for v, place in out:
                listed[v].append((u, place))
        return listed

    def steps(self, values: GraphValues, cell: Cell) -> Steps:
        return {v: values[place] for v, place in self.out[cell] if values[place] > 0}

    def steps_to(self, values: GraphValues, cell: Cell) -> Steps:
        return {u: values[place] for u, place in self.back[cell] if values[place] > 0}

    def visible(self, values: GraphValues, cell: Cell, sensor: Any) -> list[Place]:
        return self.places if sensor == "everything" else [place for _, place in self.out[cell]]

    @cached_property
    def scale(self) -> float:
        """The straight line times this never costs more than a way."""
        lengths = [(cost, self.line(u, v)) for u, v, cost in self.edges]
        return min((cost / length for cost, length in lengths if length > 0), default=0.0) * (1 - 1e-9)

    def line(self, a: Cell, b: Cell) -> float:
        assert self.positions is not None
        (x, y), (z, w) = (self.positions[self.nodes.index(node)] for node in (a, b))
        return hypot(x - z, y - w)

    def estimate(self, a: Cell, b: Cell) -> int:
        return 0 if self.positions is None or self.own else ceil(self.line(a, b) * self.scale)

    def paid(self, a: Cell, b: Cell, toll: int) -> float:
        return toll * self.resolution

    def space(self, values: GraphValues) -> Any:
        if self.own:
            made: Any = OwnGraph(list(self.nodes), list(self.edges), self.directed)
        else:
            made = replan.Graph(**self.arguments())
        for place in self.places:
            if values[place] != self.costs[place]:
                made.set_value(made.location(place), values[place])
        return made

    def spare(self, u: Cell, v: Cell, cost: int) -> bool:
        """Is this an edge that does not count?"""
        if u == v:
            return u in self.nodes
        name = self.named((u, v))
        return name is not None and self.costs[name] <= cost

    def arguments(self) -> dict[str, Any]:
        counted = [(u, v, c) for u, v, c in self.more if self.spare(u, v, c)]
        told: dict[str, Any] = {"edges": [(u, v, self.shown(cost)) for u, v, cost in (*self.edges, *counted)]}
        told["directed"], told["nodes"] = self.directed, list(self.nodes)
        if self.resolution != 1:
            told["resolution"] = self.resolution
        if self.positions is not None:
            told["positions"] = dict(zip(self.nodes, self.positions, strict=True))
        return told

    def lines(self, name: str, values: GraphValues) -> list[str]:
        told = ", ".join(f"{option}={value!r}" for option, value in self.arguments().items())
        making = f"replan.Graph({told})"
        if self.own:
            making = f"OwnGraph({list(self.nodes)}, {list(self.edges)}, {self.directed})"
        other = [(place, value) for place, value in values.items() if value != self.costs[place]]
        edits = [f"{name}.set_value({name}.location({place!r}), {value})" for place, value in other]
        return [*["from fuzz.own_space import OwnGraph"] * self.own, f"{name} = {making}", *edits]


Ground = GridGround | GraphGround
Values = GridValues | GraphValues


def believed(ground: Ground, known: tuple[tuple[Place, int], ...]) -> Values:
    """All free but what is known."""
    values = ground.free_values()
    for place, value in known:
        if ground.fits(place, value):
            values.put(ground.named(place), value)
    return values
