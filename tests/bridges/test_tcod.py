"""Arrays and the field of view of tcod, against tcod itself."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import tcod.map
import tcod.path

import replan
from replan.bridges import tcod as bridge


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_there_and_back_again(order):
    cost = np.random.default_rng(1).integers(0, 4, (6, 9)).astype(np.int8)
    assert (bridge.cost_from_grid(bridge.grid_from_cost(cost, order), order) == cost).all()
    shape = bridge.grid_from_cost(cost, order).shape
    assert shape == ((6, 9) if order == "C" else (9, 6))


@pytest.mark.parametrize("seed", range(6))
def test_paths_are_as_cheap_as_those_of_tcod(seed):
    blocked = replan.cave(30, 40, seed=seed)
    grid = bridge.grid_from_cost(~blocked)
    free = np.argwhere(~blocked)
    start, goal = (tuple(free[i].tolist()) for i in (0, -1))
    finder = tcod.path.Pathfinder(
        tcod.path.SimpleGraph(cost=bridge.cost_from_grid(grid), cardinal=408, diagonal=577, greed=1)
    )
    finder.add_root(start)
    path = finder.path_to(goal).tolist()
    trip = replan.simulate(grid, "Repeated Forward A*", start, goal)
    assert trip.reached == (len(path) > 1)
    if trip.reached:
        ticks = sum(577 if a[0] != b[0] and a[1] != b[1] else 408 for a, b in pairwise(path))
        assert trip.cost == pytest.approx(ticks / 408, abs=0.01)


def test_its_field_of_view_is_a_sensor():
    blocked = replan.rooms(30, 40, 9, 1, seed=2)
    grid = bridge.grid_from_cost(~blocked)
    start, goal = (tuple(np.argwhere(~blocked)[i].tolist()) for i in (0, -1))
    shown = bridge.FieldOfView(8).visible(grid, start)
    theirs = set(map(tuple, np.argwhere(tcod.map.compute_fov(~blocked, start, radius=8)).tolist()))
    assert theirs <= set(shown) and len(set(shown) - theirs) <= 8
    trip = replan.simulate(replan.World(grid, sensor=bridge.FieldOfView(8)), "D* Lite", start, goal)
    assert trip.reached
    blind = replan.simulate(replan.World(grid), "D* Lite", start, goal)
    assert trip.cost <= blind.cost


def test_what_is_no_cost_array_is_refused_in_a_sentence():
    with pytest.raises(replan.InputError, match="2-D"):
        bridge.grid_from_cost(np.zeros(4, np.int8))
    with pytest.raises(replan.InputError, match="order is"):
        bridge.grid_from_cost(np.zeros((2, 2), np.int8), order="x")
    with pytest.raises(replan.InputError, match="from 0"):
        bridge.grid_from_cost(np.array([[-1, 2]]))
