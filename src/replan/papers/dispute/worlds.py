"""The settings of the dispute: fog on several kinds of maps, and known terrain that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from replan.experiments.cases import file_source, generated_source, map_files, random_cases
from replan.experiments.planner_names import make_planner
from replan.experiments.runs import Cell, MapSource, Measured, Problem, Run, trip_figures
from replan.maps.generators import cave, maze, random_obstacles, rooms
from replan.simulation.simulate import simulate
from replan.spaces.grid import Grid
from replan.worlds.doors import rooms_with_doors
from replan.worlds.world import World

MAPS = {
    "mazes": "maze maze512-16-0 maze512-8-0",
    "rooms": "room 16room_000 32room_000",
    "random 10 %": "random random512-10-0",
    "random 40 %": "random random512-40-0",
    "Warcraft III": "wc3 gnollwood darkforest riverrun",
    "Dragon Age": "dao brc202d orz702d hrt201d",
    "StarCraft": "sc1 Enigma WheelofWar",
}
OWN: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {  # for those who have no maps
    "mazes": (maze, {"rows": 101, "cols": 101}),
    "rooms": (rooms, {"rows": 129, "cols": 129, "room": 16}),
    "random 10 %": (random_obstacles, {"rows": 129, "cols": 129, "density": 0.1}),
    "random 40 %": (random_obstacles, {"rows": 129, "cols": 129, "density": 0.35}),
    "caves": (cave, {"rows": 129, "cols": 129}),
}
RADIUS = 10.0
FOG: list[tuple[str, int, str | float]] = [
    ("adjacent", 8, "adjacent"),
    (f"radius {RADIUS:g}", 8, RADIUS),
    ("4 neighbours", 4, "adjacent"),
]
SIDE, STEPS, STAYS = 100, 4000, 20  # of worlds that change; a blocked cell is free again after so many steps
SHARE = 0.001  # of the cells is blocked in each step


@dataclass(frozen=True)
class Setting:
    """A row of the tables, and what is measured there."""

    group: str
    name: str
    problems: tuple[Problem, ...]
    measure: Callable[[Run], Measured]


def settings(maps: Path | None, sample: int) -> Iterator[Setting]:
    for how, neighbors, sensor in FOG:
        for name, sources in families(maps, neighbors).items():
            cases = islice(random_cases(sources, sample), sample)
            found = tuple(replace(case, sensor=sensor) for case in cases)
            yield Setting(f"Unknown terrain, {how}", name, found, walk)
    for neighbors in (8, 4):
        end = (SIDE - 1, SIDE - 1)
        group = f"Known terrain that changes, {neighbors} neighbours"
        for name, make, measure in (("doors", doors, walk_doors), ("cells blocked and freed", field, walk_toggled)):
            sources = [MapSource(make, (seed, neighbors), name=name) for seed in range(sample)]
            drawn = [next(random_cases([source], 1)) for source in sources]
            if make is doors:
                drawn = [replace(problem, start=(0, 0), goal=end) for problem in drawn]
            found = tuple(replace(problem, seed=seed) for seed, problem in enumerate(drawn))
            yield Setting(group, name, found, measure)


def families(maps: Path | None, neighbors: int) -> dict[str, Sequence[MapSource]]:
    if maps is None:
        made = {name: generated_source(name, make, seed=1, **given) for name, (make, given) in OWN.items()}
        return {name: [replace(source, neighbors=neighbors)] for name, source in made.items()}
    found: dict[str, Sequence[MapSource]] = {}
    for name, listed in MAPS.items():
        folder, *names = listed.split()
        files = map_files(maps, [(folder, one) for one in names])
        found[name] = [file_source(file, neighbors) for file in files]
    return found


def doors(seed: int, neighbors: int) -> Grid:
    grid = rooms_with_doors(SIDE, SIDE, seed=seed, steps=STEPS).grid
    return grid if neighbors == 8 else Grid(np.asarray(grid.blocked), neighbors)


def field(seed: int, neighbors: int) -> Grid:
    return Grid(random_obstacles(SIDE, SIDE, 0.2, seed=seed), neighbors)


def measured(run: Run, world: World, **heuristic: Any) -> Measured:
    problem = run.problem
    planner = make_planner(run.planner, dict(run.options) | heuristic, problem.seed)
    return trip_figures(simulate(world, planner, problem.start, problem.goal, 10**7, timing="episode", max_seconds=60))


def walk(run: Run) -> Measured:
    return measured(run, run.problem.world())


def euclid(a: Cell, b: Cell) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def walk_euclid(run: Run) -> Measured:
    return measured(run, run.problem.world(), heuristic=euclid)


def walk_doors(run: Run) -> Measured:
    problem = run.problem
    changes = rooms_with_doors(SIDE, SIDE, seed=problem.seed, steps=STEPS).changes
    return measured(run, World(problem.map.grid(), "everything", "everything", changes))


def walk_toggled(run: Run) -> Measured:
    grid, rng = run.problem.map.grid(), np.random.default_rng(run.problem.seed)
    free = [tuple(cell) for cell in np.argwhere(~np.asarray(grid.blocked)).tolist()]
    free = [cell for cell in free if cell not in (run.problem.start, run.problem.goal)]
    each = max(1, round(SHARE * grid.rows * grid.cols))
    changes: list[Any] = []
    for step in range(1, STEPS):
        for i in rng.integers(len(free), size=each).tolist():
            changes += [(step, free[i], "blocked"), (step + STAYS, free[i], "free")]
    return measured(run, World(grid, "everything", "everything", changes))
