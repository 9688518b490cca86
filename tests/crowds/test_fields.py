"""Crowds that a field leads: cheapest presumed ways for many who have one goal."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import replan
from crowds.test_crowd import ARRIVED, NO_WAY
from crowds.test_steps import largest_region, walked


@pytest.mark.parametrize("sensor", ["adjacent", replan.Radius(3)])
def test_everybody_walks_cheapest_presumed_ways(sensor):
    """Alone, a character moves as one that D* Lite leads: to the goal, and at no greater cost than anybody could."""
    rng = np.random.default_rng(4)
    grid = replan.Grid(rng.random((25, 25)) < 0.3)
    free = largest_region(grid)
    crowd = replan.Crowd(replan.World(grid, sensor=sensor), "FlowField")
    goal = free[len(free) // 2]
    crowd.add(free[rng.integers(0, len(free), 60)], goal)
    paths = walked(crowd, 400)
    assert set(crowd.status) == {ARRIVED}
    for path in paths:
        steps = itertools.pairwise(path)
        assert all(a == b or grid.edge_cost(grid.state(a), grid.state(b)) < replan.limits.INF for a, b in steps)


def test_who_knows_everything_walks_the_shortest_way():
    rng = np.random.default_rng(5)
    grid = replan.Grid(rng.random((25, 25)) < 0.3)
    free = largest_region(grid)
    starts, goals = free[rng.integers(0, len(free), 40)], free[rng.integers(0, 3, 40)]
    crowd = replan.Crowd(grid, "flowfield")
    crowd.add(starts, goals)
    for path, start, goal in zip(walked(crowd, 400), starts.tolist(), goals.tolist(), strict=True):
        stops = [cell for i, cell in enumerate(path) if i == 0 or cell != path[i - 1]]
        cost = grid.display_cost(np.array([grid.state(cell) for cell in stops]), np.array(
            [grid.edge_cost(grid.state(a), grid.state(b)) for a, b in itertools.pairwise(stops)], np.int64
        ))  # fmt: skip
        assert cost == pytest.approx(replan.find_path(grid, tuple(start), tuple(goal)).cost)


def test_budgets_goals_that_move_and_walls_that_come_and_go():
    grid = replan.Grid(np.zeros((20, 40), bool))
    crowd = replan.Crowd(grid, "FlowField")
    ids = crowd.add([(row, 0) for row in range(20)], (10, 39))
    for _ in range(200):
        crowd.tick(replan.Expansions(50))
        assert crowd.report().expansions <= 50
    assert set(crowd.status) == {ARRIVED}
    crowd.retarget(ids, (0, 0))
    crowd.observe([(row, 20) for row in range(20)], True)
    for _ in range(5):
        crowd.tick()
    assert set(crowd.status) == {NO_WAY}
    crowd.observe([(19, 20)], False)
    walked(crowd, 300)
    assert set(crowd.status) == {ARRIVED}


def test_solid():
    crowd = replan.Crowd(replan.Grid(np.zeros((12, 12), bool)), "FlowField", collisions="wait")
    crowd.add([(0, col) for col in range(12)], [(11, 11 - col) for col in range(12)])
    for _ in range(600):
        crowd.tick()
        assert len({tuple(cell) for cell in crowd.cells.tolist()}) == 12
    assert set(crowd.status) == {ARRIVED}


def test_memory_is_given_up_with_a_reason():
    grid = replan.Grid(np.zeros((20, 20), bool))
    crowd = replan.Crowd(grid, "FlowField", memory_limit=3 * 48 * grid.n)
    ids = crowd.add((0, 0), [(1, 1), (2, 2), (3, 3)])
    with pytest.raises(replan.InputError, match="memory_limit="):
        crowd.add((0, 0), (4, 4))
    crowd.add((0, 0), (3, 3))
    with pytest.raises(replan.InputError, match="RTAA"):
        crowd.retarget(ids, [(5, 5), (6, 6), (7, 7)])  # somebody else still goes to (3, 3)
    crowd.retarget(ids, (5, 5))
    walked(crowd, 40)
    assert (crowd.status == ARRIVED)[:3].all()
    assert repr(crowd) == "<Crowd of 4 by FlowField, 1 worker>"
    for wrong in ({"workers": 2}, {"lookahead": 3}, {"memory_limit": 0}, {"memory_limit": "a lot"}):
        with pytest.raises(replan.InputError):
            replan.Crowd(grid, "FlowField", **wrong)


def test_terrain_that_turns_out_to_be_heavy():
    grid = replan.Grid(np.zeros((9, 9), bool), weights=np.ones((9, 9), int))
    crowd = replan.Crowd(grid, "FlowField")
    crowd.add([(0, 0), (4, 0)], (0, 8))
    crowd.tick()
    crowd.observe([(row, 4) for row in range(8)], weights=[5000] * 8)
    paths = walked(crowd, 60)
    assert set(crowd.status) == {ARRIVED}
    assert all((8, 4) in path for path in paths)
