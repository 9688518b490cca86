"""How long saving takes, and how many bytes: an agent in the middle of its way, on a small map and a large one.

    .venv/bin/python benchmarks/saving.py [--sides 512 4096] [--times 5]

The agent has searched once, so far that it has met about so many states as the table says. "the search" is what that
search took, best of as many; "a map" what it takes to save and load the belief alone.
"""

from __future__ import annotations

import argparse
import copy
import pickle
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import replan

PLANNERS = {
    "RTAA*": ("RTAA*", {"lookahead": 10_000}),
    "LSS-LRTA*": ("LSS-LRTA*", {"lookahead": 10_000}),
    "D* Lite": ("RTD* NoOp", {"lookahead": 10_000}),  # as far as it comes within the limit
    "AD*": ("RTD* NoOp", {"lookahead": 10_000, "global_": "AD*"}),
    "TBA*": ("TBA*", {"lookahead": 10_000}),
}


def best(times: int, what: Callable[[], Any]) -> tuple[float, Any]:
    """The shortest time in milliseconds, and what came out."""
    shortest, made = float("inf"), None
    for _ in range(times):
        begun = perf_counter()
        made = what()
        shortest = min(shortest, 1000 * (perf_counter() - begun))
    return shortest, made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sides", type=int, nargs="+", default=[512, 4096])
    parser.add_argument("--times", type=int, default=5)
    asked = parser.parse_args()
    print(
        f"{'map':>12}  {'planner':<10} {'met':>8} {'bytes':>10} {'a state':>8}   ms: "
        f"{'dumps':>7} {'loads':>7} {'copy':>7} {'deepcopy':>9}   {'the search':>10}"
    )
    for side in asked.sides:
        blocked = replan.random_obstacles(side, side, 0.1, seed=1)
        blocked[0, 0] = blocked[-1, -1] = False
        belief = replan.Grid(blocked)
        dumps, data = best(asked.times, lambda belief=belief: pickle.dumps(belief))
        loads, _ = best(asked.times, lambda data=data: pickle.loads(data))
        print(
            f"{side:>5} x {side:<4}  {'a map':<10} {'':>8} {len(data):>10,} {'':>8}       {dumps:>7.1f} {loads:>7.1f}"
        )
        for label, (name, options) in PLANNERS.items():
            row(side, belief, label, replan.planner(name, **options), len(data), asked.times)


def row(side: int, belief: replan.Grid, label: str, planner: replan.Planner, map_bytes: int, times: int) -> None:
    agent = replan.Agent(planner, belief, (0, 0), (side - 1, side - 1))
    search, _ = best(1, agent.plan)
    met = sum(int(np.count_nonzero(array >= 0)) for key, array in planner.snapshot().items() if key == "g")
    dumps, data = best(times, lambda: pickle.dumps(agent))
    loads, _ = best(times, lambda: pickle.loads(data))
    shallow, _ = best(times, lambda: copy.copy(agent))
    deep, _ = best(times, lambda: copy.deepcopy(agent))
    each = (len(data) - map_bytes) / max(1, met)
    print(
        f"{side:>5} x {side:<4}  {label:<10} {met:>8,} {len(data):>10,} {each:>8.1f}       "
        f"{dumps:>7.1f} {loads:>7.1f} {shallow:>7.1f} {deep:>9.1f}   {search:>10.1f}"
    )


if __name__ == "__main__":
    main()
