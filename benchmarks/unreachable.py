"""What it costs to notice that no goal can be reached, and how soon it is noticed.

    python benchmarks/unreachable.py [price] [soon] [--maps 4] [--rounds 7]

Names choose parts; without any both are run. The price is measured on trips that reach their goals, with and without
`detect_unreachable`, alternating in one run; of each trip the best time counts. Their paths are the same. A
walled-in goal, a pocket and a halved map show after how many expansions it is known that there is no path, beside the
promise: sixteen for
each cell of the smaller side, and a thousand.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

import replan
from replan.maps.regions import largest_region

Cell = tuple[int, int]
LOOKAHEADS = (1, 9, 33, 100)
PROMISED = {1: 1.05}  # the most that a trip may take, by lookahead; others 1.02
PLANNERS = ("RTAA*", "LSS-LRTA*", "daRTAA*")
MOST_MOVES = 100_000

TERRAIN: dict[str, Callable[[int], replan.Grid]] = {
    "maze": lambda seed: replan.Grid(replan.maze(101, 101, seed=seed), neighbors=4),
    "maze with openings": lambda seed: replan.Grid(replan.maze(151, 151, openings=300, seed=seed), neighbors=4),
    "cave": lambda seed: replan.Grid(replan.cave(200, 200, seed=seed)),
    "rooms": lambda seed: replan.Grid(replan.rooms(100, 100, seed=seed)),
    "scattered": lambda seed: replan.Grid(replan.random_obstacles(200, 200, density=0.3, seed=seed)),
}


def far_ends(grid: replan.Grid) -> tuple[Cell, Cell]:
    """The cells of the largest region that are nearest to two corners of the map."""
    inside = np.argwhere(largest_region(~grid.blocked))
    order = inside.sum(axis=1)
    first, last = inside[order.argmin()].tolist(), inside[order.argmax()].tolist()
    return (first[0], first[1]), (last[0], last[1])


def ratio(world: replan.World, name: str, lookahead: int, ends: tuple[Cell, Cell], rounds: int) -> float:
    """The time of a trip with `detect_unreachable` to that without."""
    planners = [replan.planner(name, lookahead=lookahead, detect_unreachable=notice) for notice in (True, False)]
    best = [float("inf"), float("inf")]
    paths = []
    for _ in range(rounds):
        for i, planner in enumerate(planners):
            trip = replan.simulate(world, planner, *ends, max_moves=MOST_MOVES)
            best[i] = min(best[i], trip.search_ns)
            paths.append(trip.path)
    assert all(path == paths[0] for path in paths), "the path is another one"
    return best[0] / best[1]


def price(maps: int, rounds: int) -> None:
    """Trips that reach their goals."""
    everything: dict[int, list[float]] = {lookahead: [] for lookahead in LOOKAHEADS}
    for known in ("nothing", "everything"):
        print(f"time of a trip with `detect_unreachable` to that without, {known} known: geometric means")
        print(f"  {'':20}" + "".join(f"{f'lookahead {k}':>15}" for k in LOOKAHEADS))
        for terrain, make in TERRAIN.items():
            row = []
            for lookahead in LOOKAHEADS:
                found = []
                for seed in range(maps):
                    grid = make(seed)
                    world, ends = replan.World(grid, known=known), far_ends(grid)
                    found += [ratio(world, name, lookahead, ends, rounds) for name in PLANNERS]
                everything[lookahead] += found
                row.append(f"{geometric_mean(found):15.3f}")
            print(f"  {terrain:20}" + "".join(row), flush=True)
    for lookahead, found in everything.items():
        promised, mean = PROMISED.get(lookahead, 1.02), geometric_mean(found)
        verdict = "met" if mean <= promised else "missed"
        print(f"  lookahead {lookahead}: {mean:.3f} (worst {max(found):.3f}); at most {promised}: {verdict}")


def geometric_mean(ratios: list[float]) -> float:
    return float(np.exp(np.mean(np.log(ratios))))


def walled_in(size: int) -> dict[str, tuple[np.ndarray, Cell, int]]:
    """Maps, goals behind walls, and how many cells the smaller side has."""
    free = np.zeros((size, size), bool)
    cell, pocket, half = free.copy(), free.copy(), free.copy()
    cell[9:12, 9:12], cell[10, 10] = True, False
    pocket[9:22, 9:22], pocket[10:21, 10:21] = True, False
    half[:, size // 2] = True
    sides = {"one cell": (cell, (10, 10), 1), "pocket 11 x 11": (pocket, (15, 15), 121)}
    return {**sides, "halved map": (half, (15, 15), size * (size - size // 2 - 1))}


def soon() -> None:
    print("expansions until it is known that there is no way; everything known")
    names = ("RTAA*", "LSS-LRTA*", "daRTAA*", "TLA*", "LRTA*", "RTA*", "RTD*", "RTD* NoOp", "TBA*")
    print(f"  {'':24}{'promised':>10}" + "".join(f"{name:>11}" for name in names))
    for size in (128, 512):
        for what, (blocked, goal, side) in walled_in(size).items():
            world = replan.World(replan.Grid(blocked), known="everything")
            promised, row = 16 * side + 1000, []
            for name in names:
                trip = replan.simulate(world, replan.planner(name), (size - 2, size - 2), goal, max_moves=10**8)
                assert trip.why == "unreachable"
                row.append(f"{trip.expansions:>10,}{' ' if trip.expansions <= promised else '!'}")
            print(f"  {size:3} x {size}: {what:14}{promised:>10,}" + "".join(row), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=["price", "soon", []])
    parser.add_argument("--maps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    parts = options.parts or ["price", "soon"]
    if "price" in parts:
        price(options.maps, options.rounds)
    if "soon" in parts:
        soon()


if __name__ == "__main__":
    main()
