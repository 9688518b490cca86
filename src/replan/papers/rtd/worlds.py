"""The worlds of RTD* 2010 and the trips through them: maps that are unknown at first, and rooms whose doors move.

By the text corners are not cut, and the agent sees 7 cells far. In the program of its first author corners are cut
freely and the 7 cells are an octile distance; every door changes with a chance of its own in each step (unless that
would part the rooms), and all are open at first. With which flags the program was run for the paper is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from replan.experiments.experiment import AUTHORS_PROGRAM, PAPER_TEXT
from replan.experiments.map_problems import file_source, generated_source, map_files, random_map_problems
from replan.experiments.planner_names import make_experiment_planner
from replan.experiments.runs import MapSource, Measurement, Problem, Run, trip_measurement
from replan.maps.generators import cave, random_obstacles, rooms
from replan.planners.registry import planner
from replan.simulation.simulate import simulate
from replan.spaces.grid import Grid
from replan.worlds.changes import Change
from replan.worlds.doors import DoorLayout, rooms_with_doors
from replan.worlds.dynamic_scenario import DynamicScenario
from replan.worlds.sensors import Radius
from replan.worlds.world import World

MAPS = ("blastedlands", "dragonfire", "losttemple")  # the paper does not name its three
RADIUS = 7.0
SIDE, ROOM = 100, 9  # cells along a side of the world of rooms, and of a room
DOOR_STEPS = 20_000  # how long doors move
DOOR_CHANGE_PROBABILITY = 0.01  # with which a door of the program changes in a step
MAX_STEPS = 500_000  # a trip that needs more is given up
CORNERS = {PAPER_TEXT: "strict", AUTHORS_PROGRAM: "free"}


def unknown_problems(maps: Path | None, count: int, conventions: str) -> Iterator[Problem]:
    """Yield `count` cases on each map: Warcraft III maps of the user, or generated maps."""
    for case in random_map_problems(_maps(maps, CORNERS[conventions]), count):
        yield Problem(case.map, case.start, case.goal, case.seed, sensor=RADIUS)


def _maps(maps: Path | None, corners: str) -> list[MapSource]:
    if maps is not None:
        files = map_files(maps, [("wc3_corner", name) for name in MAPS])
        return [file_source(file, corners=corners) for file in files]
    return [
        generated_source("cave", cave, corners, rows=120, cols=120, seed=1),
        generated_source("rooms", rooms, corners, rows=120, cols=120, room_size=14, seed=1),
        generated_source("obstacles", random_obstacles, corners, rows=120, cols=120, density=0.25, seed=1),
    ]


def door_problem(seed: int, conventions: str) -> Problem:
    """From corner to corner of the rooms. The map is that with all doors open; the seed is also that of the doors."""
    source = MapSource(open_rooms, (seed, CORNERS[conventions]), name=f"doors {seed}")
    return Problem(source, (0, 0), (SIDE - 1, SIDE - 1), seed, sensor="everything")


def open_rooms(seed: int, corners: str) -> Grid:
    """Return the rooms with all doors open."""
    return Grid(rooms(SIDE, SIDE, ROOM, 1, seed), corners=corners)


@lru_cache(4)
def moving_doors(seed: int) -> DynamicScenario:
    """Return the same rooms with doors that open and close."""
    return rooms_with_doors(SIDE, SIDE, ROOM, steps=DOOR_STEPS, seed=seed)


@lru_cache(4)
def independent_doors(seed: int) -> DynamicScenario:
    """Return the same rooms with doors that open and close as in the authors' program."""
    grid = open_rooms(seed, CORNERS[AUTHORS_PROGRAM])
    layout, rng = DoorLayout(grid.blocked, ROOM), np.random.default_rng(seed)
    changes: list[Change] = []
    for step in range(1, DOOR_STEPS + 1):
        for i in np.flatnonzero(rng.random(len(layout.doors)) < DOOR_CHANGE_PROBABILITY).tolist():
            was_closed = layout.is_closed[i]
            layout.toggle(i)
            if layout.is_closed[i] != was_closed:
                changes.append((step, layout.doors[i], "free" if was_closed else "blocked"))
    return DynamicScenario(grid, changes, start=(0, 0), goal=(SIDE - 1, SIDE - 1))


def measure_unknown(run: Run) -> Measurement:
    """Measure a trip through unknown terrain."""
    return _measure(run, run.problem.world())


def measure_rooms(run: Run) -> Measurement:
    """Measure a trip through rooms whose doors open and close."""
    return _measure(run, moving_doors(run.problem.seed).make_world())


def measure_unknown_as_authors(run: Run) -> Measurement:
    return _measure(run, World(run.problem.map.grid(), Radius(RADIUS, metric="octile")))


def measure_rooms_as_authors(run: Run) -> Measurement:
    return _measure(run, independent_doors(run.problem.seed).make_world())


MEASURES = {
    ("unknown", PAPER_TEXT): measure_unknown,
    ("doors", PAPER_TEXT): measure_rooms,
    ("unknown", AUTHORS_PROGRAM): measure_unknown_as_authors,
    ("doors", AUTHORS_PROGRAM): measure_rooms_as_authors,
}


def _measure(run: Run, world: World) -> Measurement:
    problem, options = run.problem, dict(run.options)
    if options.get("local") == "Neighbor LRTA*":
        options["local"] = planner("Neighbor LRTA*", pathmax=False)  # as it is alone
    tested_planner = make_experiment_planner(run.planner, options, problem.seed)
    trip = simulate(world, tested_planner, problem.start, problem.goal, MAX_STEPS)
    counts, times = trip_measurement(trip)
    moves, cost = shortest_path(problem)
    return counts | {"waits": trip.waits, "shortest": moves, "cheapest": cost}, times


@lru_cache(64)
def shortest_path(problem: Problem) -> tuple[int, float]:
    """Return the moves and the cost of a cheapest path on the known map."""
    trip = simulate(problem.map.grid(), "Repeated Forward A*", problem.start, problem.goal)
    return trip.moves, trip.cost
