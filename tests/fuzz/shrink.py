"""From a case that fails to a smaller one that fails in the same way.

Calls that make no sense any more are passed over when a case is run, so anything may be taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from time import monotonic
from typing import Any

from fuzz.drive import Drive, Unit
from fuzz.ground import GraphGround, GridGround, Ground
from fuzz.planning import Plan
from fuzz.worlds import Walk

SECONDS = 60.0


def shrink(case: Any, fails: Callable[[Any], bool], seconds: float = SECONDS) -> Any:
    """The smallest case that still fails, or as far as the time lasts."""
    until = monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for smaller in candidates(case):
            if monotonic() > until:
                return case
            if fails(smaller):
                case, progress = smaller, True
                break
    return case


def candidates(case: Any) -> Iterator[Any]:
    """Cases that are a little smaller, the boldest first."""
    for field in fields(case):
        value = getattr(case, field.name)
        for less in smaller(value):
            yield replace(case, **{field.name: less})
    if isinstance(case, Drive) and len(case.units) > 1:
        for i in range(len(case.units)):
            yield without_unit(case, i)


def smaller(value: Any) -> Iterator[Any]:
    if isinstance(value, GridGround):
        yield from smaller_grids(value)
    elif isinstance(value, GraphGround):
        yield from smaller_graphs(value)
    elif isinstance(value, Walk):
        yield from candidates(value)
    elif isinstance(value, Plan):
        for name in value.options:
            yield Plan(value.name, {k: v for k, v in value.options.items() if k != name})
    elif isinstance(value, Unit):
        for plan in smaller(value.plan):
            yield replace(value, plan=plan)
        for i in range(len(value.goal) if len(value.goal) > 1 else 0):
            yield replace(value, goal=value.goal[:i] + value.goal[i + 1 :])
        if value.before:
            yield replace(value, before=0)
    elif isinstance(value, tuple):
        yield from shorter(value)
        for i, item in enumerate(value):
            if isinstance(item, (Unit, tuple, list)):
                for less in smaller(item):
                    yield (*value[:i], less, *value[i + 1 :])
    elif isinstance(value, list) and len(value) > 1:
        for i in range(len(value)):
            yield value[:i] + value[i + 1 :]


def shorter(value: tuple[Any, ...], least: int = 0) -> Iterator[tuple[Any, ...]]:
    """Without a half, a quarter... down to single items. Only of tuples of tuples: others are one thing."""
    if not all(isinstance(item, tuple) for item in value):
        return
    size = len(value) // 2
    while size > 0:
        for i in range(0, len(value), size):
            if len(value) - len(value[i : i + size]) >= least:
                yield value[:i] + value[i + size :]
        size //= 2
    if len(value) == 1 and least == 0:
        yield ()


def without_unit(case: Drive, i: int) -> Drive:
    """Without an agent and its calls."""
    calls = []
    for name, *given in case.calls:
        if name not in ("put", "change", "ask", "notify", "find"):
            if given[0] == i:
                continue
            given[0] -= given[0] > i
            if name == "body":
                if given[1] == i:
                    continue
                given[1] -= given[1] > i
        calls.append((name, *given))
    return replace(case, units=case.units[:i] + case.units[i + 1 :], calls=tuple(calls))


def smaller_grids(grid: GridGround) -> Iterator[Ground]:
    rows, cols = len(grid.truth), len(grid.truth[0])
    for r, c in ((rows // 2, cols), (rows, cols // 2), (rows - 1, cols), (rows, cols - 1)):
        if r > 0 and c > 0 and (r, c) != (rows, cols):
            walls = None if grid.walls is None else tuple(row[:c] for row in grid.walls[:r])
            yield replace(grid, truth=tuple(row[:c] for row in grid.truth[:r]), walls=walls)
    if grid.walls is not None:
        yield replace(grid, walls=None)
    if grid.weighted:
        yield replace(grid, weighted=False, truth=tuple(tuple(min(1, v) for v in row) for row in grid.truth))
    if grid.neighbors == 8:
        yield replace(grid, neighbors=4)
    for least in (0, 1):  # all free, then all light
        for r in range(rows):
            for c in range(cols):
                if grid.truth[r][c] != 1 and (least or grid.truth[r][c] == 0):
                    row = (*grid.truth[r][:c], 1, *grid.truth[r][c + 1 :])
                    yield replace(grid, truth=(*grid.truth[:r], row, *grid.truth[r + 1 :]))


def smaller_graphs(graph: GraphGround) -> Iterator[Ground]:
    for edges in shorter(graph.edges):
        yield replace(graph, edges=edges)
    used = {node for u, v, _ in graph.edges for node in (u, v)}
    for node in graph.nodes:
        if node not in used and len(graph.nodes) > 1:
            kept = [i for i, other in enumerate(graph.nodes) if other != node]
            positions = None if graph.positions is None else tuple(graph.positions[i] for i in kept)
            yield replace(graph, nodes=tuple(graph.nodes[i] for i in kept), positions=positions)
    for blocked in shorter(graph.blocked):
        yield replace(graph, blocked=blocked)
    if graph.positions is not None:
        yield replace(graph, positions=None)
    if graph.resolution != 1:
        yield replace(graph, resolution=1.0)
    for i, (u, v, cost) in enumerate(graph.edges):
        for less in {1, cost // 2} - {0, cost}:
            yield replace(graph, edges=(*graph.edges[:i], (u, v, less), *graph.edges[i + 1 :]))
