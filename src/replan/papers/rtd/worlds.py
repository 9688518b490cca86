"""The worlds of RTD* 2010 and the trips through them: maps that are unknown at first, and rooms whose doors move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from replan.experiments.cases import file_source, generated_source, map_files, random_cases
from replan.experiments.planner_names import make_planner
from replan.experiments.runs import MapSource, Measured, Problem, Run, trip_figures
from replan.maps.generators import cave, random_obstacles, rooms
from replan.simulation.simulate import simulate
from replan.spaces.grid import Grid
from replan.worlds.doors import rooms_with_doors
from replan.worlds.recording import Recording
from replan.worlds.world import World

MAPS = ("blastedlands", "dragonfire", "losttemple")  # the paper does not name its three
RADIUS = 7.0
SIDE, ROOM = 100, 9  # cells along a side of the world of rooms, and of a room
DOOR_STEPS = 20_000  # how long doors move
MOST_STEPS = 500_000  # a trip that needs more is given up


def unknown_problems(maps: Path | None, count: int) -> Iterator[Problem]:
    """`count` cases on each map: Warcraft III maps from the user's collection, or maps of our own."""
    for case in random_cases(_maps(maps), count):
        yield Problem(case.map, case.start, case.goal, case.seed, sensor=RADIUS)


def _maps(maps: Path | None) -> list[MapSource]:
    if maps is not None:
        return [file_source(file) for file in map_files(maps, [("wc3_corner", name) for name in MAPS])]
    return [
        generated_source("cave", cave, rows=120, cols=120, seed=1),
        generated_source("rooms", rooms, rows=120, cols=120, room=14, seed=1),
        generated_source("obstacles", random_obstacles, rows=120, cols=120, density=0.25, seed=1),
    ]


def door_problem(seed: int) -> Problem:
    """From corner to corner of the rooms. The map is that with all doors open; the seed is also that of the doors."""
    source = MapSource(open_rooms, (seed,), name=f"doors {seed}")
    return Problem(source, (0, 0), (SIDE - 1, SIDE - 1), seed, sensor="everything")


def open_rooms(seed: int) -> Grid:
    """The rooms with all doors open."""
    return Grid(rooms(SIDE, SIDE, ROOM, 1, seed))


@lru_cache(4)
def moving_doors(seed: int) -> Recording:
    """The same rooms, with doors that open and close."""
    return rooms_with_doors(SIDE, SIDE, ROOM, steps=DOOR_STEPS, seed=seed)


def walk_unknown(run: Run) -> Measured:
    """A trip through unknown terrain."""
    return _measure(run, run.problem.world())


def walk_rooms(run: Run) -> Measured:
    """A trip through rooms whose doors open and close."""
    return _measure(run, moving_doors(run.problem.seed).world())


def _measure(run: Run, world: World) -> Measured:
    problem = run.problem
    planner = make_planner(run.planner, dict(run.options), problem.seed)
    trip = simulate(world, planner, problem.start, problem.goal, MOST_STEPS)
    counts, times = trip_figures(trip)
    return counts | {"waits": trip.waits, "shortest": shortest(problem)}, times


@lru_cache(64)
def shortest(problem: Problem) -> int:
    """The moves of a shortest path on the known map."""
    return simulate(problem.map.grid(), "Repeated Forward A*", problem.start, problem.goal).moves
