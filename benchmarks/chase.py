"""Chases: a target that wanders at half the agent's speed, with and without a limit on each search.

    python benchmarks/chase.py [--maps 10]

Mazes with openings and caves, 4 neighbours, either all known and seen, or unknown and the cells beside the agent seen.
Steps and expansions are means over the maps and do not depend on the machine; times do. A chase is given up
after 20,000 steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

import replan

MOST_STEPS = 20_000
TERRAIN: dict[str, Callable[[int], Any]] = {
    "maze": lambda seed: replan.maze(101, 101, openings=200, seed=seed),
    "cave": lambda seed: replan.cave(100, 100, seed=seed),
}
WHOLE_WAY = ("A*", "Moving-Target Adaptive A*", "MPGAA*", "Moving-Target D* Lite", "D* Lite")
LIMITED = ("RTAA*", "daRTAA*", "LSS-LRTA*", "RTD*", "TBA*", "TBAA*", "FRIT(BFS)")
LOOKAHEAD = 64


def chase(planner: replan.Planner, blocked: Any, known: bool, seed: int) -> replan.Trip:
    free = [tuple(cell) for cell in np.argwhere(~blocked).tolist()]
    world = replan.World(
        replan.Grid(blocked, neighbors=4),
        sensor="everything" if known else "adjacent",
        known="everything" if known else "nothing",
        target=replan.Wander(free[-1], speed=0.5, seed=seed),
    )
    return replan.simulate(world, planner, free[0], max_moves=MOST_STEPS, timing="episode")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=10)
    maps = parser.parse_args().maps
    for known in (True, False):
        for terrain, make in TERRAIN.items():
            print(f"\n{terrain}, {'known' if known else 'unknown'}: {maps} maps")
            print(f"{'planner':<26}{'caught':>7}{'steps':>8}{'expansions':>12}{'a search':>10}{'µs a search':>13}")
            for name in WHOLE_WAY + LIMITED:
                options = {"lookahead": LOOKAHEAD} if name in LIMITED else {}
                trips = [chase(replan.planner(name, **options), make(seed), known, seed) for seed in range(maps)]
                searches = sum(trip.episodes for trip in trips)
                expansions = sum(trip.expansions for trip in trips)
                print(
                    f"{name:<26}{sum(trip.reached for trip in trips):>7}{sum(t.steps for t in trips) / maps:>8,.0f}"
                    f"{expansions / maps:>12,.0f}{expansions / searches:>10,.0f}"
                    f"{sum(trip.search_ns for trip in trips) / searches / 1000:>13,.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
