"""The gridworlds of the course project, and what happens in them: targets that walk, doors that open and close.

A world is a maze of corridors cut by a depth-first search. Of its 101 x 101 cells 100 blocked ones are freed, and the
same share at other sizes. The text does not say where agent and target stand: here on corridor cells drawn at random,
so that there always is a way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.experiments.planner_names import make_experiment_planner
from replan.experiments.runs import Cell, MapSource, Measurement, Problem, Run, max_trip_moves, trip_measurement
from replan.maps.generators import maze, random_obstacles
from replan.maps.terrain import BoolGrid
from replan.papers.common.grid_cells import adjacent_cells
from replan.simulation.simulate import simulate
from replan.spaces.grid import Grid
from replan.worlds.changes import Change
from replan.worlds.world import World

SIZE = 101
OPEN_DENSITY = 0.1
TARGET_REST_PROBABILITY = 0.1  # the target stands still in one step of ten, so it is slower than the agent
TARGET_STEPS = 5000  # then it stands still for good
DOOR_INTERVAL, DOORS_PER_CHANGE, DOOR_STEPS = (
    10,
    5,
    5000,
)  # every ten steps five blocked cells open and five open ones close


def course_maze(size: int, number: int) -> BoolGrid:
    """World number `number`."""
    return maze(size, size, openings=round(100 * (size / SIZE) ** 2), seed=number)


def open_terrain(size: int, number: int) -> BoolGrid:
    """Scattered obstacles, in every second row alone: agent and target stand in the rows between, not walled in."""
    blocked = random_obstacles(size, size, OPEN_DENSITY, seed=number)
    blocked[::2, :] = False
    return blocked


def walled_in(size: int, number: int) -> BoolGrid:
    """The same maze with the target walled in, so that it cannot be reached."""
    blocked = course_maze(size, number).copy()
    _, goal = start_and_goal(size, number)
    for cell in adjacent_cells(goal, blocked.shape):  # the start is none of them: its coordinates are even
        blocked[cell] = True
    return blocked


def start_and_goal(size: int, number: int) -> tuple[Cell, Cell]:
    """Start and goal of a world: two different corridor cells."""
    rng = np.random.default_rng([number, size])
    while True:
        start, goal = (tuple(2 * int(x) for x in rng.integers((size + 1) // 2, size=2)) for _ in range(2))
        if start != goal:
            return (start[0], start[1]), (goal[0], goal[1])


def make_problem(make: Any, number: int, size: int = SIZE) -> Problem:
    start, goal = start_and_goal(size, number)
    source = MapSource(make, (size, number), neighbors=4, name=f"{make.__name__} {size}")
    return Problem(source, start, goal, seed=number)


def target_route(blocked: BoolGrid, start: Cell, seed: int) -> list[Cell]:
    """A walk at random along corridors, turning back only where they end, with rests."""
    rng = np.random.default_rng([seed, 6])
    route, previous = [start], start
    for rest, draw in zip(rng.random(TARGET_STEPS), rng.integers(1 << 30, size=TARGET_STEPS), strict=True):
        cell_now = route[-1]
        exits = [cell for cell in adjacent_cells(cell_now, blocked.shape) if not blocked[cell]]
        exits = [cell for cell in exits if cell != previous] or exits
        if rest < TARGET_REST_PROBABILITY or not exits:
            route.append(cell_now)
        else:
            route.append(exits[int(draw) % len(exits)])
            previous = cell_now
    return route


def door_changes(size: int, number: int) -> list[Change]:
    """Every few steps some blocked cells open and some openings close. Corridors stay, so there always is a way."""
    rng = np.random.default_rng([number, 7])
    uncut, blocked = maze(size, size, seed=number), course_maze(size, number)
    opened = [(int(r), int(c)) for r, c in np.argwhere(uncut & ~blocked)]
    closed = [(int(r), int(c)) for r, c in np.argwhere(blocked)]
    changes: list[Change] = []
    for step in range(DOOR_INTERVAL, DOOR_STEPS, DOOR_INTERVAL):
        newly_closed = [opened.pop(int(rng.integers(len(opened)))) for _ in range(min(DOORS_PER_CHANGE, len(opened)))]
        newly_opened = [closed.pop(int(rng.integers(len(closed)))) for _ in range(min(DOORS_PER_CHANGE, len(closed)))]
        changes += [(step, cell, "blocked") for cell in newly_closed] + [(step, cell, "free") for cell in newly_opened]
        opened += newly_opened
        closed += newly_closed
    return changes


def measure_exploration(run: Run) -> Measurement:
    """A trip in terrain that is unknown at first."""
    return _measure(run, run.problem.world(), run.problem.goal)


def measure_chase(run: Run) -> Measurement:
    """A trip after a target that walks, in terrain that is unknown at first."""
    grid = run.problem.map.grid()
    return _measure(run, World(grid, target=target_route(grid.blocked, run.problem.goal, run.problem.seed)), None)


def measure_doors(run: Run) -> Measurement:
    """A trip in terrain that is known and changes; the agent hears of every change at once."""
    size, number = run.problem.map.arguments
    changes = door_changes(size, number)
    return _measure(run, World(run.problem.map.grid(), "everything", "everything", changes), run.problem.goal)


def _measure(run: Run, world: World, goal: Cell | None) -> Measurement:
    assert isinstance(world.space, Grid)
    tested_planner = make_experiment_planner(run.planner, dict(run.options), run.problem.seed)
    limit = max_trip_moves(world.space)
    return trip_measurement(simulate(world, tested_planner, run.problem.start, goal, limit, timing="episode"))
