"""Worlds, targets, recordings and trips are copied and pickled: every trip is the same in the copy."""

from __future__ import annotations

import copy
import pickle
import threading
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from border.honest import GOAL, START, Board
from saving.ways import DEEP, WAYS, Damaging, objects_in, pickled

DOORS = replan.rooms_with_doors(20, 20, room_size=4, draws_per_step=1, steps=60, seed=3)


def shut_behind(step: int, cell: Any) -> Any:
    """A world that answers the agent's steps."""
    return [((step % 20, step % 17), "blocked" if step % 3 else "free")]


class Sees(replan.Sensor):
    """A sensor of the user's."""

    def __init__(self, far: int) -> None:
        self.far = far

    def visible(self, truth: Any, cell: Any, previous_cell: Any = None) -> Any:
        return replan.Radius(self.far).visible(truth, cell)


class Hops(replan.Target):
    """A target of the user's, with a memory."""

    def __init__(self, start: Any, wait: int) -> None:
        super().__init__(start, 0.5)
        self.wait, self.left = wait, wait

    def step(self, space: Any, state: int, agent_state: int) -> int:
        self.left -= 1
        if self.left > 0:
            return state
        self.left = self.wait
        return int(space.successors(state)[0][0])


def worlds() -> dict[str, replan.World]:
    grid = DOORS.grid
    graph = replan.Graph([(i, (i * 7 + 1) % 50, 1 + i % 5) for i in range(50)] + [(i, i + 1, 3) for i in range(49)])
    return {
        "still": replan.World(grid),
        "known": replan.World(grid, known="everything"),
        "partly known": replan.World(grid, known=replan.Grid(np.zeros((20, 20), bool))),
        "doors": DOORS.make_world(),
        "doors seen near": DOORS.make_world(sensor=replan.Radius(3, line_of_sight=True)),
        "reacting": replan.World(grid, changes=shut_behind),
        "own sensor": replan.World(grid, sensor=Sees(2)),
        "fleeing": replan.World(grid, target=replan.Flee((17, 17), 0.5, seed=2)),
        "wandering": replan.World(grid, target=replan.Wander((17, 17), 0.7, seed=5), changes=DOORS.changes),
        "on a route": replan.World(grid, target=[(17, 17), (17, 16), (17, 15)]),
        "hopping": replan.World(grid, target=Hops((17, 17), 3)),
        "graph": replan.World(graph, changes=[(2, (3, 4), "blocked"), (4, (3, 4), "free")]),
        "board": replan.World(Board(), sensor="everything", changes=[(2, (2, 2), "blocked")]),
    }


def trip(world: replan.World, name: str = "RTAA*") -> tuple[Any, ...]:
    start, goal = DOORS.start, DOORS.goal
    if isinstance(world.space, replan.Graph):
        start, goal = 0, 40
    if isinstance(world.space, Board):
        start, goal = START, GOAL
    planner = replan.planner(name)
    made = replan.simulate(world, planner, start, None if world.target is not None else goal, max_moves=100)
    return made.path, made.why, made.expansions, made.episodes, made.h_increase, world.applied_changes


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", worlds())
def test_trips_in_a_copy_are_the_same(which: str, way: Any) -> None:
    world = worlds()[which]
    new = way(world)
    first = trip(world)
    assert trip(new) == first
    used = way(world)
    assert (used.time, used.target_state, used.applied_changes) == (
        world.time,
        world.target_state,
        world.applied_changes,
    )
    places = range(world.space.n_locations)
    assert [used.truth.get_value(p) for p in places] == [world.truth.get_value(p) for p in places]
    assert [used.belief.get_value(p) for p in places] == [world.belief.get_value(p) for p in places]
    assert trip(used) == trip(world)
    assert trip(used, "Repeated Forward A*") == trip(world, "Repeated Forward A*")


def test_what_a_copy_shares() -> None:
    world = DOORS.make_world()
    near, far = copy.copy(world), copy.deepcopy(world)
    assert near.space is world.space and near.truth is not world.truth and near.belief is not world.belief
    assert far.space is not world.space


@pytest.mark.parametrize("way", DEEP)
def test_a_target_moves_on(way: Any) -> None:
    grid = replan.Grid(np.zeros((9, 9)))
    agent = grid.state((0, 0))
    route = replan.Route([(5, 5), (5, 6), (5, 7)])
    for target in (replan.Flee((5, 5), seed=3), replan.Wander((5, 5)), route, Hops((5, 5), 3)):
        at = target.begin(grid)
        for _ in range(5):
            at = target.step(grid, at, agent)
        walks = []
        for one in (way(target), target):
            walk = [at]
            for _ in range(20):
                walk.append(one.step(grid, walk[-1], agent))
            walks.append(walk)
        assert walks[0] == walks[1]


@pytest.mark.parametrize("way", WAYS)
def test_recordings_trips_and_sensors(way: Any) -> None:
    twin = way(DOORS)
    assert (twin.changes, twin.start, twin.goal) == (DOORS.changes, DOORS.start, DOORS.goal)
    made = replan.simulate(DOORS.make_world(), "RTAA*", DOORS.start, DOORS.goal)
    assert way(made).path == made.path and way(made).as_dict() == made.as_dict()
    assert way(replan.Radius(3)) == replan.Radius(3) and way(Sees(4)).far == 4


def test_a_world_in_use_says_so() -> None:
    heard: list[str] = []

    def save(step: int, cell: Any) -> Any:
        for way in WAYS:
            with pytest.raises(RuntimeError, match="walking in this world"):
                way(world)
        heard.append("refused")

    world = replan.World(DOORS.grid, changes=save)
    replan.simulate(world, "RTAA*", DOORS.start, DOORS.goal, max_moves=3)
    assert heard


def test_a_space_being_changed_says_so() -> None:
    class Saves(Board):
        def set_value(self, location: int, value: int) -> Any:
            with pytest.raises(RuntimeError, match="being changed"):
                copy.copy(self)
            return super().set_value(location, value)

    replan.Agent("RTAA*", Saves(), START, GOAL).observe([(2, 2)], [True])


def test_threads_may_save_a_map_that_is_searched() -> None:
    grid = replan.Grid(replan.maze(151, 151, seed=1), 4)
    data, seen = pickle.dumps(grid), []

    def save() -> None:
        for _ in range(20):
            seen.append(pickle.dumps(grid) == data)

    threads = [threading.Thread(target=save) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        replan.simulate(replan.World(grid, known="everything"), "RTAA*", (0, 0), (150, 150))
    for thread in threads:
        thread.join()
    assert len(seen) == 60 and all(seen)


@pytest.mark.parametrize("which", worlds())
def test_damaged_ones_are_refused(which: str) -> None:
    world = worlds()[which]
    trip(world)
    data = pickle.dumps(world)
    count, random, refused = objects_in(data), Random(1), 0
    for i in range(60):
        loader = Damaging(data, i % count, random)
        try:
            loaded = loader.load()
        except replan.InputError:
            refused += 1
            continue
        try:
            trip(loaded)
            trip(pickled(loaded))
        except (replan.InputError, ValueError, RuntimeError, TypeError, AttributeError, KeyError, AssertionError):
            pass  # what is the user's may be anything: a sensor, a cell
    assert refused > 10
