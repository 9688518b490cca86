"""Occupancy grids and costmaps in and out, without ROS."""

from __future__ import annotations

import math
from types import SimpleNamespace as Message

import numpy as np
import pytest

import replan
from replan.bridges import ros


def message(values, resolution=0.5, at=(10.0, 20.0), yaw=0.0):
    half = yaw / 2
    pose = Message(
        position=Message(x=at[0], y=at[1], z=0.0), orientation=Message(x=0.0, y=0.0, z=math.sin(half), w=math.cos(half))
    )
    values = np.asarray(values)
    info = Message(width=values.shape[1], height=values.shape[0], resolution=resolution, origin=pose)
    return Message(info=info, data=values.ravel().tolist())


def test_a_message_keeps_metres_and_is_turned_over():
    grid = ros.grid_from_occupancy(message([[0, 100], [0, 0], [37, -1]]))
    assert grid.shape == (3, 2)
    assert grid.blocked.tolist() == [[False, True], [False, False], [False, True]]
    assert grid.cell_at(10.2, 20.2) == (2, 0)  # the lower left
    assert grid.position_of((0, 0)) == (10.25, 21.25)
    assert grid.weights[0, 0] == 38


def test_the_turn_of_a_map_is_read_from_its_quaternion():
    grid = ros.grid_from_occupancy(message([[0, 0, 0]], yaw=math.pi / 2))
    assert grid.coordinate_frame.origin[2] == pytest.approx(math.pi / 2)
    assert grid.position_of((0, 2)) == pytest.approx((9.75, 21.25))


@pytest.mark.parametrize("how", ["blocked", "free", "unknown"])
def test_unknown_cells_are_what_is_asked_for(how):
    grid = ros.grid_from_occupancy(np.array([[-1, 0]], np.int8), unknown=how)
    assert bool(grid.blocked[0, 0]) == (how == "blocked")
    assert (grid.unknown_mask is not None) == (how == "unknown")
    back = {"blocked": 100, "free": 0, "unknown": -1}[how]
    assert ros.occupancy_from_grid(grid).tolist() == [[back, 0]]


@pytest.mark.parametrize("seed", range(5))
def test_there_and_back_again(seed):
    rng = np.random.default_rng(seed)
    occupancy = rng.integers(-1, 101, (7, 9)).astype(np.int8)
    occupancy[occupancy == 99] = 100  # both are blocked
    assert (ros.occupancy_from_grid(ros.grid_from_occupancy(occupancy, unknown="unknown")) == occupancy).all()
    costs = rng.integers(0, 256, (7, 9)).astype(np.uint8)
    costs[costs == 253] = 254
    assert (ros.costmap_from_grid(ros.grid_from_costmap(costs, unknown="unknown")) == costs).all()


def test_a_window_of_a_costmap_is_weights_from_the_top():
    costs = np.array([[0, 252, 253], [254, 255, 7]], np.uint8)
    assert ros.weights_from_costmap(costs).tolist() == [[0, 0, 8], [1, 253, 0]]
    assert ros.weights_from_costmap(costs, unknown="free").tolist() == [[0, 1, 8], [1, 253, 0]]


def test_inflation_is_that_of_nav2():
    blocked = np.zeros((21, 21), bool)
    blocked[10, 10] = True
    costs = ros.inflate(blocked, resolution=0.05, inscribed_radius=0.12, inflation_radius=0.4, cost_scaling_factor=4.0)
    for row in range(21):
        for col in range(21):
            d = math.hypot(row - 10, col - 10) * 0.05
            if d == 0:
                expected = 254
            elif d <= 0.12:
                expected = 253
            elif d <= 0.4 + 1e-9:
                expected = int(252 * math.exp(-4.0 * (d - 0.12)))
            else:
                expected = 0
            assert costs[row, col] == expected
    assert not ros.inflate(np.zeros((3, 3), bool), 0.05, 0.1, 0.3).any()


def test_a_robot_keeps_its_distance_from_walls():
    blocked = np.zeros((20, 40), bool)
    blocked[9:11, 5:35] = True
    grid = ros.grid_from_costmap(ros.inflate(blocked, 0.1, inscribed_radius=0.15, inflation_radius=0.6), resolution=0.1)
    trip = replan.simulate(grid, "Repeated Forward A*", grid.cell_at(0.05, 1.0), grid.cell_at(3.95, 1.0))
    assert trip.reached and all(not grid.blocked[cell] for cell in trip.path)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.array([[0, 101]]), r"from -1 to 100, not 101 \(row 0, column 1\)"),
        (np.array([0, 1]), "2-D array of whole numbers"),
        (np.array([[0.5]]), "2-D array of whole numbers"),
        (Message(info=Message(width=3, height=1), data=[0, 0]), "3 x 1 cells and has 2 values"),
    ],
)
def test_what_is_no_map_is_refused_in_a_sentence(given, said):
    if isinstance(given, Message):
        given.info.resolution, given.info.origin = 1.0, message([[0]]).info.origin
    with pytest.raises(replan.InputError, match=said):
        ros.grid_from_occupancy(given)


def test_odd_radii_are_refused():
    with pytest.raises(replan.InputError, match="inscribed_radius <= inflation_radius"):
        ros.inflate([[0]], 0.1, inscribed_radius=0.5, inflation_radius=0.2)
    with pytest.raises(replan.InputError, match="resolution"):
        ros.inflate([[0]], 0.0, inscribed_radius=0.1, inflation_radius=0.2)


def test_a_costmap_that_is_empty_at_first_takes_costs_later():
    grid = ros.grid_from_costmap(np.zeros((6, 6), np.uint8), resolution=0.05)
    agent = replan.Agent("D* Lite", grid, (0, 0), (5, 5))
    assert len(agent.plan()) == 5
    costs = np.zeros((6, 6), np.uint8)
    costs[2:4, 2:4] = 200
    assert agent.observe_map(weights=ros.weights_from_costmap(costs)) == 4
    assert len(agent.plan()) > 5
