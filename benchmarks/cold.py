"""Cold starts, memory and shared beliefs of two checkouts, side by side in one run.

    python benchmarks/cold.py OLD_CHECKOUT [NEW_CHECKOUT] [--rounds 5] [--only WORD]

NEW_CHECKOUT is this one unless given. Everything here happens once in the life of a process, so each measurement is a
process of its own, with the Python of the checkout's .venv. The two sides take turns, and the least of each figure
counts. Needs psutil.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time_ns
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parents[1]
Figures = dict[str, float]
MEASURED: dict[str, Callable[[], Figures]] = {}


def measured(function: Callable[[], Figures]) -> Callable[[], Figures]:
    MEASURED[function.__name__] = function
    return function


class Clock:
    """Microseconds of processor time since the last look: what else the machine does disturbs that least."""

    def __init__(self) -> None:
        self.start = process_time_ns()

    def look(self) -> float:
        now = process_time_ns()
        passed, self.start = (now - self.start) / 1000, now
        return passed


def resident() -> int:
    """Bytes of memory that this process has taken."""
    import psutil

    gc.collect()
    return int(psutil.Process().memory_info().rss)


def open_land(size: int, share: float = 0.2) -> Any:
    import replan

    return replan.random_obstacles(size, size, share, seed=3)


def ends(blocked: Any, seed: int = 1) -> list[Any]:
    free = np.argwhere(~blocked)
    chosen = np.random.default_rng(seed).choice(len(free), 2, replace=False)
    return [tuple(free[i].tolist()) for i in chosen]


def spend_and_free(belief: Any, cells: list[Any]) -> None:
    """Agents that come and go, as in any game that has run for a while."""
    import replan

    agents = [replan.Agent("D* Lite", belief, cells[i], cells[-1 - i]) for i in range(20)]
    for agent in agents:
        agent.plan()
    del agents, agent
    gc.collect()


@measured
def first_trip() -> Figures:
    """RTAA* with lookahead 33 on 4096 x 4096: ns an expansion, the first time and later."""
    import replan

    blocked = open_land(4096)
    world, planner = replan.World(replan.Grid(blocked)), replan.planner("RTAA*", lookahead=33)
    start, goal = ends(blocked)
    found: Figures = {}
    for name in ("first", "second", "third"):
        trip = replan.simulate(world, planner, start, goal, max_moves=500, timing="episode")
        found[f"{name}, ns an expansion"] = trip.search_ns / trip.expansions
    return found


def crowd(after_free: bool, **options: Any) -> Figures:
    """Agents on one belief of 512 x 512, each with one plan()."""
    import replan

    blocked, count = open_land(512), 200
    belief = replan.Grid(blocked)
    cells = [tuple(cell) for cell in np.argwhere(~blocked)[:: blocked.size // 800].tolist()]
    first = replan.Agent(replan.planner("RTAA*", lookahead=33, **options), belief, cells[0], cells[-1])
    first.plan()
    if after_free:
        spend_and_free(belief, cells)
    before, clock = resident(), Clock()
    agents = []
    for i in range(count):
        planner = replan.planner("RTAA*", lookahead=33, **options)
        agents.append(replan.Agent(planner, belief, cells[i], cells[-1 - i]))
    making = clock.look() / count
    for agent in agents:
        agent.plan()
    return {
        "making an agent, µs": making,
        "its first plan(), µs": clock.look() / count,
        "its share of the memory, MB": (resident() - before) / count / 1e6,
    }


@measured
def agents() -> Figures:
    """200 agents of RTAA*, lookahead 33, on one belief of 512 x 512."""
    return crowd(False)


@measured
def agents_after_a_free() -> Figures:
    """The same after 20 agents of D* Lite have come and gone."""
    return crowd(True)


@measured
def agents_with_a_deadline() -> Figures:
    """The same with deadline=50."""
    return crowd(False, deadline=50)


@measured
def making_a_grid() -> Figures:
    """Grid() of a boolean array, 8 neighbours: the first, and the best of ten."""
    import replan

    found: Figures = {}
    for size in (512, 2048):
        blocked, clock = open_land(size), Clock()
        kept = replan.Grid(blocked)
        found[f"{size} x {size}, the first, µs"] = clock.look()
        times = []
        for _ in range(10):
            kept, clock = None, Clock()  # type: ignore[assignment]
            kept = replan.Grid(blocked)
            times.append(clock.look())
        del kept
        found[f"{size} x {size}, µs"] = min(times)
    return found


@measured
def array_to_path() -> Figures:
    """From a boolean array to a path, 8 neighbours: everything is made anew."""
    import replan

    found: Figures = {}
    for size in (512, 2048):
        blocked = open_land(size)
        start, goal = ends(blocked)
        times = []
        for _ in range(10):
            clock = Clock()
            replan.Agent("Repeated Forward A*", replan.Grid(blocked), start, goal).plan()
            times.append(clock.look())
        found[f"{size} x {size}, the first, µs"] = times[0]
        found[f"{size} x {size}, µs"] = min(times)
    return found


def watched(living: int, dead: int) -> float:
    """µs of an observe() that is news, where others share the belief or have shared it."""
    import replan

    belief = replan.Grid(np.zeros((512, 512), bool))

    def one(i: int) -> Any:
        return replan.Agent(replan.planner("RTAA*", lookahead=9), belief, (i % 512, 0), (0, 511))

    for i in range(dead):
        one(i)
    agents = [one(i) for i in range(living)]
    gc.collect()
    seen, best = [(100 + i, 100 + 3 * i) for i in range(100)], float("inf")
    for turn in range(6):
        clock = Clock()
        for cell in seen:
            agents[0].observe([cell], [turn % 2 == 0])
        best = min(best, clock.look() / len(seen))
        for agent in agents:
            agent.plan()
    return best


@measured
def sharing_a_belief() -> Figures:
    """observe() of one agent, where others believe in the same grid."""
    cases = {"alone": (1, 0), "with 100": (100, 0), "with 1,000": (1000, 0), "after 1,000 that are gone": (2, 1000)}
    return {f"{name}, µs": watched(*case) for name, case in cases.items()}


@measured
def fog() -> Figures:
    """1,000 agents of RTAA* in the fog, on one belief of 512 x 512: 30 steps each, in turn."""
    import replan

    blocked = open_land(512)
    truth, belief = np.pad(blocked, 1, constant_values=True), replan.Grid(np.zeros((512, 512), bool))
    cells = [tuple(cell) for cell in np.argwhere(~blocked)[:: blocked.size // 4000].tolist()]
    agents = [
        replan.Agent(replan.planner("RTAA*", lookahead=33), belief, cells[i], cells[-1 - i]) for i in range(1000)
    ]
    clock, steps = Clock(), 0
    for _ in range(30):
        for agent in agents:
            row, col = agent.cell
            near = [(r, c) for r in (row - 1, row, row + 1) for c in (col - 1, col, col + 1)]
            near = [(r, c) for r, c in near if 0 <= r < 512 and 0 <= c < 512]
            agent.observe(near, [truth[r + 1, c + 1] for r, c in near])
            path = agent.plan()
            if path:
                agent.move(path[0])
                steps += 1
    return {"µs a step": clock.look() / steps}


@measured
def d_star_lite() -> Figures:
    """D* Lite in the fog, 1,000 moves: ns an expansion, the first time and later, and refreshes an expansion.

    Why refreshes grow with the map: what is queued is the border of the whole search, and its keys lie close together,
    at the agent's key. Each detour raises that past some of them; the agent has moved since, so their own keys are
    larger by now. On 128 and 256 cells square six in ten are put back beyond the agent's key, and looked at in vain.
    With the heap each takes as many levels as the border is deep, in memory that no cache holds; with buckets a link.

    Could k_m start from 0 again, with all keys refreshed at once? On 1024 cells square 3,110 states are queued in the
    mean and 112 are refreshed an episode, so that would touch 28 times as many; in one episode of eight more than a
    tenth of the queue is refreshed, and there it might gain something. Buckets gain more, everywhere.
    """
    import replan

    found: Figures = {}
    for size in (128, 1024):
        blocked = open_land(size)
        world, (start, goal) = replan.World(replan.Grid(blocked)), ends(blocked, seed=2)
        for queue in ("heap", "buckets"):
            planner = replan.planner("D* Lite", queue=queue)
            trips = [replan.simulate(world, planner, start, goal, max_moves=1000, timing="episode") for _ in range(3)]
            times = [trip.search_ns / trip.expansions for trip in trips]
            found[f"{size} x {size}, {queue}, the first trip"] = times[0]
            found[f"{size} x {size}, {queue}, later"] = min(times[1:])
            found[f"{size} x {size}, {queue}, refreshes"] = trips[0].key_updates / trips[0].expansions
    return found


def run_in(checkout: Path, name: str) -> Figures:
    python = checkout / ".venv" / "bin" / "python"
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "REPLAN_INTERPRETED": "0"}
    call = [str(python if python.exists() else sys.executable), str(Path(__file__).resolve()), str(checkout)]
    out = subprocess.run([*call, "--work", name], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(out.stdout)  # type: ignore[no-any-return]


def work(checkout: Path, name: str) -> None:
    import replan

    if Path(replan.__file__).resolve().parent != checkout / "src" / "replan" or not replan.compiled:
        sys.exit(f"{checkout}: imports {replan.__file__}, or is not compiled")
    print(json.dumps(MEASURED[name]()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=HERE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", help="measurements whose name contains this")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.old.resolve(), options.work)
        return
    sides = (options.old.resolve(), options.new.resolve())
    print(f"{'':52} {'old':>10} {'new':>10} {'new/old':>8}")
    for name, function in MEASURED.items():
        if options.only and not any(word in name for word in options.only):
            continue
        best: list[Figures] = [{}, {}]
        for turn in range(options.rounds):
            for i in (0, 1) if turn % 2 else (1, 0):
                for figure, value in run_in(sides[i], name).items():
                    best[i][figure] = min(value, best[i].get(figure, value))
        print(f"{name}: {(function.__doc__ or '').strip().splitlines()[0]}")
        for figure, old in best[0].items():
            new = best[1][figure]
            print(f"  {figure:<50} {old:10,.2f} {new:10,.2f} {new / old if old else float('nan'):8.2f}", flush=True)


if __name__ == "__main__":
    main()
