"""Speed of the core in ratios: compiled to interpreted, small maps to large ones, deadlines, the price of a call.

    python benchmarks/speed.py [compiled] [sizes] [deadline] [call] [learning] [loading]

Names choose parts; without any all are run. Everything that is compared is measured in the same run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter_ns

import numpy as np

import replan

Cell = tuple[int, ...]


def trips(seed: int, lookahead: int | None) -> dict[str, float]:
    """One RTAA* trip in a 151 x 151 maze: its time and counts."""
    world = replan.World(replan.Grid(replan.maze(151, 151, seed=seed), neighbors=4))
    planner = replan.planner("RTAA*", lookahead=lookahead)
    trip = replan.simulate(world, planner, (0, 0), (60, 60))
    return {"ns": trip.search_ns, "expansions": trip.expansions, "moves": trip.moves}


def compiled() -> None:
    """The same trips, compiled and interpreted: the same counts, at least a hundred times faster."""
    print("compiled to interpreted, RTAA* in a 151 x 151 maze")
    environment = {**os.environ, "REPLAN_INTERPRETED": "1", "PYTHONPATH": str(Path(__file__).parent)}
    for lookahead in (9, 89):
        ours = [trips(1, lookahead) for _ in range(5)]
        code = (
            "import json, speed, replan; assert not replan.compiled; "
            f"print(json.dumps(speed.trips(1, {lookahead})))"
        )
        out = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
        theirs = json.loads(out)
        same = all(theirs[name] == ours[0][name] for name in ("expansions", "moves"))
        ratio = theirs["ns"] / min(row["ns"] for row in ours)
        print(f"  lookahead {lookahead:3}: {ratio:6.0f} times as fast, same trip: {same}")


def in_rock(size: int) -> tuple[replan.Grid, Cell, Cell]:
    """The same small maze amid ever more rock: an agent that comes back finds its places in the caches on every map."""
    blocked, at = np.ones((size, size), bool), (size - 101) // 2
    blocked[at : at + 101, at : at + 101] = replan.maze(101, 101, openings=100, seed=3)
    return replan.Grid(blocked, neighbors=8), (at, at), (at + 100, at + 100)


def in_the_open(size: int) -> tuple[replan.Grid, Cell, Cell]:
    """Across 20 % random obstacles: on a large map every place is new to the caches."""
    grid = replan.Grid(replan.random_obstacles(size, size, 0.2, seed=3), neighbors=8)
    free = np.argwhere(~grid.blocked)
    return grid, tuple(free[len(free) // 2 + size // 2].tolist()), tuple(free[0].tolist())


def sizes() -> None:
    """Time an episode at lookahead 33 does not grow with the map, first touches of memory apart."""
    for place, title in ((in_rock, "one maze on all maps (allowed: 1.5)"), (in_the_open, "new terrain, cold caches")):
        print(f"time an episode, RTAA* with lookahead 33, 8 neighbors: {title}")
        cases = []
        for size in (128, 256, 512, 1024, 2048, 4096):
            grid, start, goal = place(size)
            cases.append((size, replan.World(grid), replan.planner("RTAA*", lookahead=33), start, goal))
        found: dict[int, list[replan.Trip]] = {size: [] for size, *_ in cases}
        for _ in range(8):  # the sizes take turns
            for size, world, planner, start, goal in cases:
                found[size].append(replan.simulate(world, planner, start, goal, max_moves=3500))
        base = None
        for size, of_size in found.items():
            best = min(trip.search_ns / trip.episodes for trip in of_size)
            base = base or best
            print(
                f"  {size:5} x {size:<5} {best / 1000:8.2f} µs   {best / base:5.2f} times the smallest"
                f"   ({of_size[0].episodes} episodes, {of_size[0].expansions} expansions)"
            )


def waits(count: int) -> list[float]:
    """What the machine itself does to 50 µs: a loop that only reads the clock."""
    found = []
    for _ in range(count):
        begin = perf_counter_ns()
        while (now := perf_counter_ns()) - begin < 50_000:
            pass
        found.append((now - begin) / 1000)
    return found


def quantiles(name: str, times: list[float]) -> str:
    p50, p99, p999 = np.percentile(times, (50, 99, 99.9))
    late = f"above 55: {np.mean(np.array(times) > 55):.2%}"
    return f"  {name:10} p50 {p50:6.1f}  p99 {p99:6.1f}  p99.9 {p999:6.1f}  worst {max(times):7.1f}  {late}"


def deadline() -> None:
    """A deadline is kept, learning and choosing included. (A planner with a deadline touches its memory beforehand.)

    On a machine whose cores are not quiet, what counts is that episodes are late no more often than mere waiting is.
    """
    size = 1024
    grid = replan.Grid(replan.random_obstacles(size, size, 0.35, seed=8), neighbors=8)
    world, free = replan.World(grid), np.argwhere(~grid.blocked)
    start, goal = tuple(free[0].tolist()), tuple(free[-1].tolist())
    print("episode times with Deadline(50) on 1024 x 1024, in µs (allowed on a quiet core: p99 55)")
    for name in ("RTAA*", "daRTAA*", "LSS-LRTA*"):
        planner = replan.planner(name, deadline=50)
        idle, times, expansions = [], [], 0
        for _ in range(10):  # waiting and planning take turns
            idle += waits(1000)
            trip = replan.simulate(world, planner, start, goal, max_moves=8000, timing="episode")
            times += [ns / 1000 for ns in trip.episode_ns or ()]
            expansions += trip.expansions
        print(quantiles("no planner", idle) + f"  ({len(idle)} waits)")
        print(quantiles(name, times) + f"  ({len(times)} episodes, {expansions / len(times):.0f} expansions each)")


def call() -> None:
    """What a call of agent.plan() adds to the search inside it, at lookahead 1."""
    grid = replan.Grid(replan.random_obstacles(200, 200, 0.2, seed=1), neighbors=8)
    free = [tuple(c) for c in np.argwhere(~grid.blocked).tolist()]
    planner = replan.planner("RTAA*", lookahead=1)
    trip = replan.simulate(grid, planner, free[0], free[-1], max_moves=5000, timing="episode")
    inside = float(np.median(np.array(trip.episode_ns)))
    agent = replan.Agent(planner, grid, free[0], free[-1])
    times = []
    for _ in range(5000):
        before = perf_counter_ns()
        path = agent.plan()
        times.append(perf_counter_ns() - before)
        if not path:
            break
        agent.move(path[0])
    whole = float(np.median(times))
    print(f"agent.plan() at lookahead 1: {whole:.0f} ns, the search {inside:.0f} ns, the call {whole - inside:.0f} ns")


def learning() -> None:
    """The share of learning in an episode of RTAA*: the learning pass of an episode, made once more."""
    print("learning's share of an RTAA* episode")
    grid = replan.Grid(replan.maze(151, 151, seed=1), neighbors=4)
    for lookahead in (33, 89, 1000):
        planner = replan.planner("RTAA*", lookahead=lookahead)
        agent = replan.Agent(planner, grid, (0, 0), (150, 150))
        search, learn = [], []
        rule, look = planner.learning, planner.look
        for _ in range(3000):
            before = perf_counter_ns()
            planner.plan(agent.state, None)
            between = perf_counter_ns()
            rule.learn(look)
            learn.append(perf_counter_ns() - between)
            search.append(between - before)
        empty = min(_nothing() for _ in range(3000))
        share = (np.median(learn) - empty) / np.median(search)
        print(f"  lookahead {lookahead:5}: {100 * share:4.1f} % of {np.median(search) / 1000:.2f} µs")


def _nothing() -> int:
    before = perf_counter_ns()
    len("")
    return perf_counter_ns() - before


def loading() -> None:
    """A 1024 x 1024 map loads in under 50 ms."""
    from replan import maps

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "big.map"
        maps.write(file, maps.Terrain(replan.random_obstacles(1024, 1024, 0.3, seed=1)))
        times = []
        for _ in range(5):
            before = perf_counter_ns()
            replan.Grid.load(file)
            times.append(perf_counter_ns() - before)
    print(f"a 1024 x 1024 .map becomes a Grid in {min(times) / 1e6:.1f} ms")


PARTS = {part.__name__: part for part in (compiled, sizes, deadline, call, learning, loading)}


def main() -> None:
    if not replan.compiled:
        sys.exit("the core is not compiled: nothing to measure")
    chosen = sys.argv[1:] or list(PARTS)
    for name in chosen:
        if name not in PARTS:
            sys.exit(f"no part {name!r}; the parts are {', '.join(PARTS)}")
        PARTS[name]()


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    main()
