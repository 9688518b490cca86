"""One full search on a known map, side by side with what people use today, in one run, as ratios.

    pip install pyastar2d tcod scikit-image rustworkx networkx pathfinding
    python benchmarks/libraries.py [--queries 6] [--rounds 5] [--quick]

Each library answers the same queries on a map that it has already taken in, through the calls its users make, and
returns the path. The libraries take turns with all queries, ask each one three times in a row (what is measured is a
repeated query), and of each query the best time counts. On 8-connected maps all of them cut corners, so Replan does too
(corners="free"). A library that is not installed is left out. Slow ones get three rounds, and ask once.

Beside that, cold: the first answer, from a boolean array that is new, with all that a library makes of
it. Replan takes Grid and find_path. Each round makes a new copy of the map, and everything of the last one is gone.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter_ns

import numpy as np

import replan

Cell = tuple[int, int]
Query = Callable[[Cell, Cell], object]
Make = Callable[[np.ndarray, int], Query]
MAPS = Path(os.environ.get("REPLAN_MAPS", Path(__file__).parents[2] / "shared" / "maps"))
SLOW = {"networkx", "pathfinding", "rustworkx"}
REPEATS = 3


def replan_queries(blocked: np.ndarray, neighbors: int) -> Query:
    grid = replan.Grid(blocked, neighbors, corners="free")
    return lambda start, goal: replan.find_path(grid, start, goal).cells


def pyastar2d_queries(blocked: np.ndarray, neighbors: int) -> Query:
    import pyastar2d

    weights = np.where(blocked, np.inf, 1.0).astype(np.float32)
    return lambda start, goal: pyastar2d.astar_path(weights, start, goal, allow_diagonal=neighbors == 8)


def tcod_queries(blocked: np.ndarray, neighbors: int) -> Query:
    import tcod

    graph = tcod.path.SimpleGraph(cost=(~blocked).astype(np.int32), cardinal=408, diagonal=577 if neighbors == 8 else 0)

    def query(start: Cell, goal: Cell) -> object:
        finder = tcod.path.Pathfinder(graph)
        finder.add_root(start)
        return finder.path_to(goal)

    return query


def skimage_queries(blocked: np.ndarray, neighbors: int) -> Query:
    from skimage.graph import MCP, MCP_Geometric

    costs = np.where(blocked, -1.0, 1.0)
    finder = MCP_Geometric(costs) if neighbors == 8 else MCP(costs, fully_connected=False)

    def query(start: Cell, goal: Cell) -> object:
        finder.find_costs([start], [goal])
        return finder.traceback(goal)

    return query


def _edges(blocked: np.ndarray, neighbors: int) -> list[tuple[int, int, float]]:
    rows, cols = blocked.shape
    number = np.arange(rows * cols).reshape(rows, cols)
    edges = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))[: 2 if neighbors == 4 else 4]:
        a = number[: rows - down, max(0, -right) : cols - max(0, right)]
        b = number[down:, max(0, right) : cols + min(0, right)]
        open_ = ~blocked.reshape(-1)[a] & ~blocked.reshape(-1)[b]
        length = 2**0.5 if down and right else 1.0
        edges += [(int(u), int(v), length) for u, v in zip(a[open_], b[open_], strict=True)]
    return edges


def _octile(cols: int, neighbors: int) -> Callable[[int, int], float]:
    def estimate(a: int, b: int) -> float:
        down, right = abs(a // cols - b // cols), abs(a % cols - b % cols)
        return down + right if neighbors == 4 else max(down, right) + (2**0.5 - 1) * min(down, right)

    return estimate


def rustworkx_queries(blocked: np.ndarray, neighbors: int) -> Query:
    import rustworkx

    cols = blocked.shape[1]
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(blocked.size))
    graph.add_edges_from(_edges(blocked, neighbors))
    estimate = _octile(cols, neighbors)

    def query(start: Cell, goal: Cell) -> object:
        end = goal[0] * cols + goal[1]
        return rustworkx.astar_shortest_path(
            graph, start[0] * cols + start[1], lambda n: n == end, lambda e: e, lambda n: estimate(n, end)
        )

    return query


def networkx_queries(blocked: np.ndarray, neighbors: int) -> Query:
    import networkx

    cols = blocked.shape[1]
    graph = networkx.Graph()
    graph.add_weighted_edges_from(_edges(blocked, neighbors))
    estimate = _octile(cols, neighbors)

    def query(start: Cell, goal: Cell) -> object:
        return networkx.astar_path(graph, start[0] * cols + start[1], goal[0] * cols + goal[1], estimate)

    return query


def pathfinding_queries(blocked: np.ndarray, neighbors: int) -> Query:
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    grid = Grid(matrix=(~blocked).astype(int).tolist())
    finder = AStarFinder(diagonal_movement=DiagonalMovement.always if neighbors == 8 else DiagonalMovement.never)

    def query(start: Cell, goal: Cell) -> object:
        grid.cleanup()
        return finder.find_path(grid.node(start[1], start[0]), grid.node(goal[1], goal[0]), grid)[0]

    return query


LIBRARIES = {
    "replan": ("replan", replan_queries),
    "pyastar2d": ("pyastar2d", pyastar2d_queries),
    "tcod": ("tcod", tcod_queries),
    "scikit-image": ("skimage", skimage_queries),
    "rustworkx": ("rustworkx", rustworkx_queries),
    "networkx": ("networkx", networkx_queries),
    "pathfinding": ("pathfinding", pathfinding_queries),
}


def maps(quick: bool) -> dict[str, tuple[np.ndarray, int]]:
    found = {
        "maze 151 x 151": (replan.maze(151, 151, seed=1), 4),
        "maze 201 x 201": (replan.maze(201, 201, openings=750, seed=2), 4),
    }
    for name in ("bg/AR0700SR.map", "wc3/darkforest.map", "sc1/Ramparts.map")[: 1 if quick else 3]:
        if (MAPS / name).exists():
            found[name] = (replan.Grid.load(MAPS / name).blocked.copy(), 8)
    return found


def pairs(blocked: np.ndarray, neighbors: int, count: int) -> list[tuple[Cell, Cell]]:
    """Far-apart cells that are connected."""
    grid = replan.Grid(blocked, neighbors, corners="strict")
    free, rng, found = np.argwhere(~blocked), np.random.default_rng(5), []
    while len(found) < count:
        a, b = (tuple(map(int, free[i])) for i in rng.choice(len(free), 2, replace=False))
        path = replan.find_path(grid, a, b)
        if path is not None and len(path.cells) > sum(blocked.shape) / 4:
            found.append((a, b))
    return found


def best_times(queries: dict[str, Query], cells: list[tuple[Cell, Cell]], rounds: int) -> dict[str, float]:
    best: dict[str, list[float]] = {name: [float("inf")] * len(cells) for name in queries}
    gc.collect()
    gc.freeze()  # what one library has set up is no burden to the garbage collection of the others
    rng = np.random.default_rng(0)
    for turn in range(rounds):
        for name, query in queries.items():
            if name in SLOW and turn >= REPEATS:
                continue
            for i in rng.permutation(len(cells)):
                start, goal = cells[i]
                for _ in range(1 if name in SLOW else REPEATS):
                    before = perf_counter_ns()
                    query(start, goal)
                    best[name][i] = min(best[name][i], perf_counter_ns() - before)
    return {name: sum(times) / len(times) / 1000 for name, times in best.items()}


def cold_times(
    makes: dict[str, Make], blocked: np.ndarray, neighbors: int, cells: list[tuple[Cell, Cell]], rounds: int
) -> dict[str, float]:
    """From an array to a path, µs: the best of the rounds for each query, and their mean."""
    best = {name: [float("inf")] * len(cells) for name in makes}
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for i, (start, goal) in enumerate(cells):
            for name, make in makes.items():
                fresh = blocked.copy()
                before = perf_counter_ns()
                query = make(fresh, neighbors)
                query(start, goal)
                best[name][i] = min(best[name][i], perf_counter_ns() - before)
                del query
    return {name: sum(times) / len(times) / 1000 for name, times in best.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--queries", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    for title, (blocked, neighbors) in maps(options.quick).items():
        makes = {name: make for name, (module, make) in LIBRARIES.items() if find_spec(module)}
        queries = {name: make(blocked, neighbors) for name, make in makes.items()}
        cells = pairs(blocked, neighbors, options.queries)
        times = best_times(queries, cells, options.rounds)
        quick = {name: make for name, make in makes.items() if name not in SLOW}
        cold = cold_times(quick, blocked, neighbors, cells, options.rounds)
        print(f"{title}, {neighbors} neighbors, {len(cells)} queries: µs a query, times Replan's; and cold")
        for name, time in times.items():
            first = f"{cold[name]:10.1f} {cold[name] / cold['replan']:8.2f}" if name in cold else ""
            print(f"  {name:18} {time:10.1f} {time / times['replan']:8.2f} {first}", flush=True)


if __name__ == "__main__":
    main()
