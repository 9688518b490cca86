"""What it costs an agent to be told what was seen: a window of the map, an array of cells, a list of cells.

    python benchmarks/observing.py [--side 128] [--map 512] [--rounds 60]

Of a window in which nothing has changed the time for all of it is printed; otherwise nanoseconds for each changed cell,
beyond what the unchanged window takes, the best of all rounds (cells become blocked and free in turn). "asks nothing"
is a planner of the user's own that does nothing with it: what is left are the map, which opens and shuts steps around
the cell, and one call of the planner for each changed cell, with the states whose steps have changed (up to 5 on
4 neighbours, 9 on 8).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter_ns

import numpy as np

import replan

CHANGED = (60, 600, 4000)


class AsksNothing(replan.Planner):
    def plan(self, state, budget):
        return None


PLANNERS: dict[str, Callable[[], replan.Planner]] = {
    "asks nothing": AsksNothing,
    "A*": lambda: replan.planner("A*"),
    "RTAA*": lambda: replan.planner("RTAA*"),
    "D* Lite": lambda: replan.planner("D* Lite"),
}


def best(calls: list[Callable[[], object]], rounds: int) -> float:
    """The shortest time of these calls, which are made in turn."""
    shortest = float("inf")
    for _ in range(rounds):
        for call in calls:
            before = perf_counter_ns()
            call()
            shortest = min(shortest, perf_counter_ns() - before)
    return shortest


def agent_on(map_side: int, neighbors: int, name: str) -> replan.Agent:
    grid = replan.Grid(np.zeros((map_side, map_side), bool), neighbors)
    agent = replan.Agent(PLANNERS[name](), grid, (0, 0), (map_side - 1, map_side - 1))
    agent.plan()
    return agent


def windows(side: int, map_side: int, rounds: int) -> None:
    empty, at = np.zeros((side, side), bool), (map_side // 4, map_side // 4)
    rng = np.random.default_rng(0)
    counts = [count for count in CHANGED if count < side * side]
    print(f"a window of {side} x {side} of a map of {map_side} x {map_side}; changed cells: {counts}")
    for neighbors in (4, 8):
        for name in PLANNERS:
            agent = agent_on(map_side, neighbors, name)
            still = best([lambda agent=agent: agent.observe_map(empty, top_left=at)], 5 * rounds)
            each = []
            for count in counts:
                other = empty.copy()
                other.reshape(-1)[rng.choice(side * side, count, replace=False)] = True
                both = [lambda a=agent, w=window: a.observe_map(w, top_left=at) for window in (other, empty)]
                each.append((best(both, rounds) - still) / count)
            told = "".join(f"{one:8.1f}" for one in each)
            print(f"  {neighbors} neighbors, {name:13} unchanged {still / 1000:6.1f} µs; ns a changed cell{told}")


def ways(side: int, map_side: int, rounds: int) -> None:
    """The same window, in which nothing has changed, in three ways."""
    agent, at = agent_on(map_side, 8, "A*"), map_side // 4
    window = np.zeros((side, side), bool)
    cells = np.argwhere(~window) + at
    listed, values = [tuple(cell) for cell in cells.tolist()], [False] * len(cells)
    told = {
        "observe_map": lambda: agent.observe_map(window, top_left=(at, at)),
        "observe, arrays": lambda: agent.observe(cells, window.reshape(-1)),
        "observe, lists": lambda: agent.observe(listed, values),
    }
    print("the same window, unchanged, µs:", "; ".join(f"{k} {best([f], rounds) / 1000:.0f}" for k, f in told.items()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", type=int, default=128)
    parser.add_argument("--map", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    windows(options.side, options.map, options.rounds)
    ways(options.side, options.map, options.rounds)


if __name__ == "__main__":
    main()
