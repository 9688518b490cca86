"""Crowds beside agents that are alone: ratios, in one run.

    python benchmarks/crowd.py [steps] [large] [growth] [workers] [memory] [tcod] [headline] [sensor] [--maps DIR]

Names choose parts; without any all are run. The map is that of a game, 512 x 512, which is unknown at first; RTAA*,
8 neighbours. A line says what is compared, the ratio, and what was asked for. Rounds alternate, the best counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np

import replan
from replan.crowds.capacity import STEPS_PER_SECOND, TICKS_PER_SECOND, WanderingCrowd, measure_capacity

MAPS = Path(os.environ.get("REPLAN_MAPS", Path(__file__).parents[2] / "shared" / "maps"))
LOOKAHEADS = (1, 5, 9, 17)
PEOPLE, TRIPS = 10_000, 40


def game_map(maps: Path) -> replan.Grid:
    path = maps / "bg" / "AR0700SR.map"
    return replan.Grid.load(path) if path.exists() else replan.Grid(replan.cave(512, 512, seed=1))


def large_map(maps: Path) -> replan.Grid:
    """64 times the same map, with a street between them."""
    blocked = np.tile(game_map(maps).blocked, (8, 8))
    blocked[::512] = blocked[1::512] = blocked[:, ::512] = blocked[:, 1::512] = False
    return replan.Grid(blocked)


def say(what: str, ratio: float, asked: str, more: str = "") -> None:
    print(f"{what:58} {ratio:8.2f}   ({asked}){more}", flush=True)


class Alone:
    """Trips of `simulate`, one after the other."""

    def __init__(self, grid: replan.Grid, lookahead: int, sensor: Any = "adjacent") -> None:
        self.world, self.planner = replan.World(grid, sensor), replan.planner("RTAA*", lookahead=lookahead)
        walkers = WanderingCrowd(grid, 1, 7, sensor, "RTAA*", lookahead=lookahead)
        self.ways = [tuple(map(tuple, walkers.random_cells(2).tolist())) for _ in range(TRIPS)]

    def step_ns(self) -> float:
        spent = steps = 0
        for start, goal in self.ways:
            trip = replan.simulate(self.world, self.planner, start, goal, max_moves=1000)
            spent, steps = spent + trip.search_ns, steps + trip.moves
        return spent / max(1, steps)


def beside(grid: replan.Grid, lookahead: int, people: int = PEOPLE, sensor: Any = "adjacent") -> tuple[float, float]:
    """What a step takes in a crowd, and alone: nanoseconds."""
    alone, crowd = Alone(grid, lookahead, sensor), WanderingCrowd(grid, people, 1, sensor, "RTAA*", lookahead=lookahead)
    crowd.measure_step_ns(60)  # a sixth of them steps in each frame: ten steps each
    rounds = [(crowd.measure_step_ns(12), alone.step_ns()) for _ in range(5)]
    return min(one for one, _ in rounds), min(other for _, other in rounds)


def steps(maps: Path, grid: replan.Grid | None = None, asked: float = 1.5) -> None:
    grid = grid or game_map(maps)
    size = f"{grid.rows} x {grid.cols}"
    for lookahead in LOOKAHEADS:
        crowd, alone = beside(grid, lookahead)
        what = f"a step, {PEOPLE:,} on {size}, lookahead {lookahead}, to simulate's"
        say(what, crowd / alone, f"at most {asked}", f" {crowd:.0f} and {alone:.0f} ns")


def large(maps: Path) -> None:
    steps(maps, large_map(maps), 2.0)


def growth(maps: Path) -> None:
    grid = game_map(maps)
    crowds = [WanderingCrowd(grid, count, 1, "adjacent", "RTAA*", lookahead=9) for count in (100, 100_000)]
    for crowd in crowds:
        crowd.measure_step_ns(12)
    rounds = [
        [crowd.measure_step_ns(frames) for crowd, frames in zip(crowds, (200, 12), strict=True)] for _ in range(5)
    ]
    few, many = (min(column) for column in zip(*rounds, strict=True))
    say("a step of 100,000 to one of 100 characters, lookahead 9", many / few, "at most 1.6")


def workers(maps: Path) -> None:
    grid = game_map(maps)
    crowds = [WanderingCrowd(grid, 60_000, 1, "adjacent", "RTAA*", lookahead=17, workers=n) for n in (1, 2)]
    for crowd in crowds:
        crowd.measure_step_ns(12)
    rounds = [[crowd.measure_step_ns(12) for crowd in crowds] for _ in range(6)]
    one, two = (min(column) for column in zip(*rounds, strict=True))
    say("steps of two workers to steps of one, lookahead 17", one / two, "at least 1.6, on two free cores")
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        alone = pool.submit(lone_worker, maps).result()
        beside = max(pool.map(lone_worker, [maps, maps]))
    say("what this machine gives two that share nothing", 2 * alone / beside, "2 on two free cores")


def lone_worker(maps: Path) -> float:
    """What a step takes in a process of its own."""
    crowd = WanderingCrowd(game_map(maps), 60_000, 1, "adjacent", "RTAA*", lookahead=17)
    crowd.measure_step_ns(12)
    return min(crowd.measure_step_ns(12) for _ in range(12))


def memory(maps: Path) -> None:
    walkers = WanderingCrowd(game_map(maps), 2_000, 1, "adjacent", "RTAA*", lookahead=9)
    for _ in range(3_000):
        walkers.run_tick()
    told = walkers.crowd.report()
    say("bytes of a character, without its path", told.row_bytes / told.characters, "at most 200")
    say("bytes for each state that it has learned", told.learned_bytes / told.learned_h_values, "at most 24 on average")
    code = f"import crowd; crowd.fill(crowd.Path({str(maps)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True)
    print(done.stdout or done.stderr, end="")


def fill(maps: Path) -> None:
    """10,000 characters walk 1,000 steps each on 4096 x 4096."""
    grid = large_map(maps)
    crowd = WanderingCrowd(grid, PEOPLE, 1, "adjacent", "RTAA*", lookahead=9)
    moved = 0
    while moved < 1000 * PEOPLE:
        moved += crowd.run_tick()[0]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    say("GB, 10,000 that have walked 1,000 steps on 4096 x 4096", most, "at most 2", f" {crowd.crowd.report()}")


def tcod(maps: Path) -> None:
    """One path a character of tcod's, whenever its path is blocked."""
    import tcod.path

    grid = game_map(maps)
    walkers = WanderingCrowd(grid, 1, 1, "adjacent", "RTAA*", lookahead=17)
    spent = steps = 0
    truth, belief = ~grid.blocked, np.ones(grid.shape, np.int8)
    for _ in range(4):
        at, goal = (tuple(cell) for cell in walkers.random_cells(2).tolist())
        path: list[Any] = []
        while at != goal and steps < 3_000:
            row, col = at
            around = slice(max(0, row - 1), row + 2), slice(max(0, col - 1), col + 2)
            belief[around] = truth[around]
            if not path or not belief[tuple(path[0])]:
                start = perf_counter_ns()
                finder = tcod.path.Pathfinder(tcod.path.SimpleGraph(cost=belief, cardinal=408, diagonal=577))
                finder.add_root(at)
                path = finder.path_to(goal)[1:].tolist()
                spent += perf_counter_ns() - start
            at, path, steps = tuple(path[0]), path[1:], steps + 1
    crowd = WanderingCrowd(grid, 4_000, 1, "adjacent", "RTAA*", lookahead=17)
    crowd.measure_step_ns(12)
    ours = min(crowd.measure_step_ns(12) for _ in range(4))
    say("characters, to those that tcod's paths allow", spent / steps / ours, "at least 20")


def headline(maps: Path) -> None:
    grid = game_map(maps)
    for lookahead in LOOKAHEADS:
        alone = Alone(grid, lookahead)
        rounds = [(measure_capacity(grid, "RTAA*", lookahead).characters, alone.step_ns()) for _ in range(3)]
        found = max(count for count, _ in rounds)
        allowed = TICKS_PER_SECOND / STEPS_PER_SECOND * 1e6 / min(step for _, step in rounds)
        what = f"characters in 1 ms, lookahead {lookahead}, to what simulate allows"
        say(what, found / allowed, "at least 0.8", f" {found:,} of {allowed:,.0f}")


def sensor(maps: Path) -> None:
    """What seeing takes: trips with a radius beside those with the cells next to the agent."""
    grid = game_map(maps)
    for radius in (6, 12):
        kinds = [Alone(grid, 9, kind) for kind in ("adjacent", replan.Radius(radius))]
        rounds = [[kind.step_ns() for kind in kinds] for _ in range(5)]
        near, far = (min(column) for column in zip(*rounds, strict=True))
        say(f"a step with Radius({radius}) to one with 'adjacent'", far / near, "seeing less than searching: below 2")


PARTS = (steps, large, growth, workers, memory, tcod, headline, sensor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*(part.__name__ for part in PARTS), []], metavar="PART")
    parser.add_argument("--maps", type=Path, default=MAPS)
    chosen = parser.parse_args()
    for part in PARTS:
        if not chosen.parts or part.__name__ in chosen.parts:
            part(chosen.maps)


if __name__ == "__main__":
    main()
