"""The settings of the dispute: fog on several kinds of maps, and known terrain that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from replan.experiments.map_problems import file_source, generated_source, map_files, random_map_problems
from replan.experiments.planner_names import make_experiment_planner
from replan.experiments.runs import Cell, MapSource, Measurement, Problem, Run, trip_measurement
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
GENERATED_MAPS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {  # used if no directory of maps is given
    "mazes": (maze, {"rows": 101, "cols": 101}),
    "rooms": (rooms, {"rows": 129, "cols": 129, "room_size": 16}),
    "random 10 %": (random_obstacles, {"rows": 129, "cols": 129, "density": 0.1}),
    "random 40 %": (random_obstacles, {"rows": 129, "cols": 129, "density": 0.35}),
    "caves": (cave, {"rows": 129, "cols": 129}),
}
RADIUS = 10.0
UNKNOWN_TERRAIN: list[tuple[str, int, str | float]] = [
    ("adjacent", 8, "adjacent"),
    (f"radius {RADIUS:g}", 8, RADIUS),
    ("4 neighbours", 4, "adjacent"),
]
SIDE, STEPS, BLOCKED_STEPS = 100, 4000, 20  # of worlds that change; a blocked cell is free again after so many steps
BLOCKED_SHARE = 0.001  # of the cells is blocked in each step


@dataclass(frozen=True)
class TerrainSetting:
    """A row of the tables, and what is measured there."""

    group: str
    name: str
    problems: tuple[Problem, ...]
    measure: Callable[[Run], Measurement]


def terrain_settings(maps: Path | None, sample: int) -> Iterator[TerrainSetting]:
    for title, neighbors, sensor in UNKNOWN_TERRAIN:
        for name, sources in map_families(maps, neighbors).items():
            cases = islice(random_map_problems(sources, sample), sample)
            problems = tuple(replace(case, sensor=sensor) for case in cases)
            yield TerrainSetting(f"Unknown terrain, {title}", name, problems, measure_trip_in_world)
    for neighbors in (8, 4):
        end = (SIDE - 1, SIDE - 1)
        group = f"Known terrain that changes, {neighbors} neighbours"
        for name, make, measure in (
            ("doors", door_grid, measure_doors),
            ("cells blocked and freed", obstacle_grid, measure_toggled_cells),
        ):
            sources = [MapSource(make, (seed, neighbors), name=name) for seed in range(sample)]
            drawn = [next(random_map_problems([source], 1)) for source in sources]
            if make is door_grid:
                drawn = [replace(problem, start=(0, 0), goal=end) for problem in drawn]
            problems = tuple(replace(problem, seed=seed) for seed, problem in enumerate(drawn))
            yield TerrainSetting(group, name, problems, measure)


def map_families(maps: Path | None, neighbors: int) -> dict[str, Sequence[MapSource]]:
    if maps is None:
        generated = {
            name: generated_source(name, make, seed=1, **options) for name, (make, options) in GENERATED_MAPS.items()
        }
        return {name: [replace(source, neighbors=neighbors)] for name, source in generated.items()}
    families: dict[str, Sequence[MapSource]] = {}
    for name, description in MAPS.items():
        folder, *names = description.split()
        files = map_files(maps, [(folder, map_name) for map_name in names])
        families[name] = [file_source(file, neighbors) for file in files]
    return families


def door_grid(seed: int, neighbors: int) -> Grid:
    grid = rooms_with_doors(SIDE, SIDE, seed=seed, steps=STEPS).grid
    return grid if neighbors == 8 else Grid(np.asarray(grid.blocked), neighbors)


def obstacle_grid(seed: int, neighbors: int) -> Grid:
    return Grid(random_obstacles(SIDE, SIDE, 0.2, seed=seed), neighbors)


def measure_in_world(run: Run, world: World, **heuristic: Any) -> Measurement:
    problem = run.problem
    planner = make_experiment_planner(run.planner, dict(run.options) | heuristic, problem.seed)
    return trip_measurement(
        simulate(world, planner, problem.start, problem.goal, 10**7, timing="episode", max_seconds=60)
    )


def measure_trip_in_world(run: Run) -> Measurement:
    return measure_in_world(run, run.problem.world())


def euclid(a: Cell, b: Cell) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def measure_euclidean(run: Run) -> Measurement:
    return measure_in_world(run, run.problem.world(), heuristic=euclid)


def measure_doors(run: Run) -> Measurement:
    problem = run.problem
    changes = rooms_with_doors(SIDE, SIDE, seed=problem.seed, steps=STEPS).changes
    return measure_in_world(run, World(problem.map.grid(), "everything", "everything", changes))


def measure_toggled_cells(run: Run) -> Measurement:
    grid, rng = run.problem.map.grid(), np.random.default_rng(run.problem.seed)
    free = [tuple(cell) for cell in np.argwhere(~np.asarray(grid.blocked)).tolist()]
    free = [cell for cell in free if cell not in (run.problem.start, run.problem.goal)]
    count = max(1, round(BLOCKED_SHARE * grid.rows * grid.cols))
    changes: list[Any] = []
    for step in range(1, STEPS):
        for i in rng.integers(len(free), size=count).tolist():
            changes += [(step, free[i], "blocked"), (step + BLOCKED_STEPS, free[i], "free")]
    return measure_in_world(run, World(grid, "everything", "everything", changes))
