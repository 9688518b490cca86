"""A target that moves along a recorded path."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from strategies import names

ALL = replan.planners()


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_catches_a_target_that_stops(spec):
    route = [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (5, 4)]
    world = replan.World(replan.Grid(np.zeros((6, 6), bool), neighbors=4), target=route)
    trip = replan.simulate(world, spec.slug, (0, 0), max_moves=1000)
    assert trip.reached
    assert trip.path[-1] in {route[min(k, len(route) - 1)] for k in (trip.steps - 1, trip.steps)}


def test_waits_for_a_target_that_comes_out():
    blocked = np.array([[False, False, True, False, False]])
    world = replan.World(replan.Grid(blocked), known="everything", target=[(0, 3), (0, 4), (0, 4), (0, 1)])
    trip = replan.simulate(world, "Repeated Forward A*", (0, 0))
    assert (trip.reached, trip.moves, trip.path[-1]) == (True, 1, (0, 1))


def test_gives_up_when_the_target_stays_out_of_reach():
    blocked = np.array([[False, False, True, False, False]])
    world = replan.World(replan.Grid(blocked), target=[(0, 3), (0, 4)])
    trip = replan.simulate(world, "Repeated Forward A*", (0, 0), max_moves=100)
    assert trip.why == "unreachable"


def test_two_trips_in_one_world_are_the_same():
    route = [(0, 9), (1, 9), (2, 9), (3, 9), (4, 9)]
    world = replan.World(replan.Grid(np.zeros((6, 10), bool)), target=route)
    planner = replan.planner("Repeated Backward A*")
    first, second = (replan.simulate(world, planner, (0, 0)) for _ in range(2))
    assert first.path == second.path and first.episode_expansions == second.episode_expansions


def test_bad_targets_are_refused():
    grid = replan.Grid(np.array([[False, True]]))
    with pytest.raises(replan.InputError, match="outside"):
        replan.World(grid, target=[(5, 5)])
    with pytest.raises(replan.InputError, match="blocked"):
        replan.simulate(replan.World(grid, target=[(0, 1)]), "Repeated Forward A*", (0, 0))
    with pytest.raises(replan.InputError):
        replan.simulate(replan.World(grid, target=[]), "Repeated Forward A*", (0, 0))
