"""No call of the ROS bridge makes a cell cheaper than its message says: one reading for grids, weights and updates."""

from __future__ import annotations

from types import SimpleNamespace as Message

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from replan.bridges import ros

POSE = Message(position=Message(x=0.0, y=0.0, z=0.0), orientation=Message(x=0.0, y=0.0, z=0.0, w=1.0))
# The table by which Nav2's publisher makes an OccupancyGrid of its costs (costmap_2d_publisher.cpp).
PUBLISHED = np.array([0, *(1 + 97 * (i - 1) // 251 for i in range(1, 253)), 99, 100, -1])


def costmap(costs):
    costs = np.asarray(costs)
    info = Message(size_x=costs.shape[1], size_y=costs.shape[0], resolution=0.5, origin=POSE)
    return Message(metadata=info, data=costs.ravel().tolist())


def occupancy(costs):
    """What Nav2 publishes of the same costs."""
    values = PUBLISHED[np.asarray(costs)]
    info = Message(width=values.shape[1], height=values.shape[0], resolution=0.5, origin=POSE)
    return Message(info=info, data=values.ravel().tolist())


def update(costs, x, y, published):
    height, width = np.asarray(costs).shape
    if published:
        data = PUBLISHED[np.asarray(costs)].ravel().tolist()
        return Message(x=x, y=y, width=width, height=height, data=data)
    data = np.asarray(costs, np.uint8).view(np.int8).ravel().tolist()  # int8[] in nav2_msgs/CostmapUpdate
    return Message(x=x, y=y, size_x=width, size_y=height, data=data)


def strictest(costs, published, unknown):
    """For each cell, the least weight that it may have, row 0 at the top; 0 is blocked."""
    costs = np.asarray(costs)
    blocked = (costs == 253) | (costs == 254) | ((costs == 255) & (unknown == "blocked"))
    weights = 1 + (PUBLISHED[costs] if published else costs)
    return np.where(blocked, 0, np.where(costs == 255, 1, weights))[::-1]


def believed(grid):
    return np.where(grid.blocked, 0, grid.weights)


COSTS = st.sampled_from([0, 1, 98, 99, 100, 101, 127, 128, 200, 251, 252, 253, 254, 255])


@examples(150)
@given(st.data(), st.booleans(), st.sampled_from(["blocked", "free", "unknown"]), st.booleans())
def test_no_sequence_of_calls_makes_a_cell_cheaper(data, published, unknown, say):
    """say: the parameter is given; else the usual reading, the strictest, holds everywhere."""
    options = {"unknown": unknown} if say else {}
    unknown = unknown if say else "blocked"
    rows, cols = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 5))

    def draw(height, width):
        cells = st.lists(COSTS, min_size=height * width, max_size=height * width)
        return np.array(data.draw(cells)).reshape(height, width)

    message, make, weigh = (
        (occupancy, ros.grid_from_occupancy, ros.weights_from_occupancy)
        if published
        else (costmap, ros.grid_from_costmap, ros.weights_from_costmap)
    )
    other = costmap if published else occupancy
    costs = draw(rows, cols)
    grid = make(message(costs), **options)
    due = strictest(costs, published, unknown)
    assert (believed(grid) == due).all()
    agent = replan.Agent("D* Lite", grid, (0, 0), (0, cols - 1))
    due[0, 0] = believed(grid)[0, 0]  # its own cell, that it stands on, is free for it
    for _ in range(data.draw(st.integers(1, 4))):
        kind = data.draw(st.sampled_from(["whole", "same again", "update", "wrong type", "there and back"]))
        if kind == "wrong type":
            with pytest.raises(replan.InputError, match="it is for"):
                weigh(other(costs), **options)
        elif kind == "there and back":
            back = ros.occupancy_from_grid if published else ros.costmap_from_grid
            again = believed(make(back(agent.belief), **options))
            assert ((again == 0) | ((due > 0) & (again >= due))).all()
        else:
            if kind == "update":
                height, width = data.draw(st.integers(1, rows)), data.draw(st.integers(1, cols))
                x, y = data.draw(st.integers(0, cols - width)), data.draw(st.integers(0, rows - height))
                window = draw(height, width)
                costs = costs.copy()
                costs[y : y + height, x : x + width] = window
                news = update(window, x, y, published)
                agent.observe_map(weights=weigh(news, **options), top_left=ros.update_cell(news, grid))
            else:
                costs = draw(rows, cols) if kind == "whole" else costs
                agent.observe_map(weights=weigh(message(costs), **options))
            due = strictest(costs, published, unknown)
            if due[0, 0] == 0:
                due[0, 0] = believed(grid)[0, 0]
        assert (believed(grid) == due).all()


def test_no_path_leads_through_a_gap_of_inscribed_cells():
    costs = np.zeros((9, 9), int)
    costs[4, :] = 254
    costs[4, 3:6] = 253  # a gap that is too narrow for the robot
    for grid in (ros.grid_from_occupancy(occupancy(costs)), ros.grid_from_costmap(costmap(costs))):
        assert replan.Agent("D* Lite", grid, (0, 0), (8, 8)).plan() is None


def test_the_same_message_again_opens_no_way_through_the_unknown():
    costs = np.zeros((5, 5), int)
    costs[2] = 255
    for message, make, weigh in (
        (costmap(costs), ros.grid_from_costmap, ros.weights_from_costmap),
        (occupancy(costs), ros.grid_from_occupancy, ros.weights_from_occupancy),
    ):
        agent = replan.Agent("D* Lite", make(message), (0, 0), (4, 4))
        assert agent.plan() is None
        assert agent.observe_map(weights=weigh(message)) == 0
        assert agent.plan() is None


@pytest.mark.parametrize("make", [ros.grid_from_costmap, ros.weights_from_costmap])
def test_an_occupancy_grid_is_no_costmap(make):
    for values in (occupancy([[0, 254]]), update([[0, 254]], 0, 0, True)):
        with pytest.raises(replan.InputError, match=r"OccupancyGrid.*grid_from_occupancy"):
            make(values)
    with pytest.raises(replan.InputError, match="int8"):
        make(np.array([[0, 100]], np.int8))


@pytest.mark.parametrize("make", [ros.grid_from_occupancy, ros.weights_from_occupancy])
def test_a_costmap_is_no_occupancy_grid(make):
    for values in (costmap([[0, 100]]), update([[0, 100]], 0, 0, False)):
        with pytest.raises(replan.InputError, match=r"Costmap.*grid_from_costmap"):
            make(values)


@pytest.mark.parametrize("make", [ros.grid_from_occupancy, ros.weights_from_occupancy, ros.grid_from_costmap])
def test_true_is_not_a_value_of_1(make):
    with pytest.raises(replan.InputError, match="whole numbers"):
        make(np.array([[False, True]]))


@pytest.mark.parametrize("make", [ros.grid_from_costmap, ros.weights_from_occupancy])
def test_rows_that_differ_in_length_get_a_sentence(make):
    with pytest.raises(replan.InputError, match="have the same length"):
        make([[0, 1], [0]])


def test_limits_block_more_and_never_let_a_lethal_cell_pass():
    values = np.array([[0, 64, 65, 98, 99, 100, -1]])
    assert ros.weights_from_occupancy(values, lethal_threshold=65).tolist() == [[1, 65, 0, 0, 0, 0, 0]]
    assert ros.weights_from_occupancy(values, inscribed_threshold=100).tolist() == [[1, 65, 66, 99, 100, 0, 0]]
    assert ros.grid_from_occupancy(values, lethal_threshold=65).blocked.tolist() == [[False] * 2 + [True] * 5]
    costs = np.array([[0, 252, 253, 254, 255]])
    assert ros.weights_from_costmap(costs, inscribed_threshold=254).tolist() == [[1, 253, 254, 0, 0]]
    assert ros.grid_from_costmap(costs, inscribed_threshold=100).blocked.tolist() == [[False] + [True] * 4]
    for wrong in (
        {"lethal_threshold": 101},
        {"lethal_threshold": 0},
        {"inscribed_threshold": 101},
        {"lethal_threshold": 99.5},
        {"inscribed_threshold": True},
    ):
        with pytest.raises(replan.InputError, match="of an occupancy is a whole number from 1 to 100"):
            ros.weights_from_occupancy(values, **wrong)
    with pytest.raises(replan.InputError, match="lethal_threshold of a costmap"):
        ros.grid_from_costmap(costs, lethal_threshold=255)


def test_an_update_knows_its_place():
    grid = ros.grid_from_costmap(costmap(np.zeros((4, 6), int)))
    news = update([[1, 2], [254, 255]], 4, 1, False)
    assert ros.update_cell(news, grid) == (1, 4)
    assert ros.weights_from_costmap(news).tolist() == [[0, 0], [2, 3]]
    for x, y in ((5, 0), (0, 3), (-1, 0), (0, -1)):
        with pytest.raises(replan.InputError, match="reaches beyond the map of 6 x 4"):
            ros.update_cell(update([[1, 2], [254, 255]], x, y, False), grid)
    with pytest.raises(replan.InputError, match="an update is"):
        ros.update_cell(costmap([[0]]), grid)
    with pytest.raises(replan.InputError, match="a Grid is needed here, not 'a map'"):
        ros.update_cell(update([[1]], 0, 0, False), "a map")


def test_what_was_seen_of_an_unknown_cell_is_not_given_back_as_unknown():
    grid = ros.grid_from_costmap(np.array([[0, 255, 0, 255]]), unknown="unknown")
    agent = replan.Agent("D* Lite", grid, (0, 0), (0, 2))
    agent.observe_map(weights=np.array([[1, 91, 1, 1]]))
    assert ros.costmap_from_grid(grid).tolist() == [[0, 90, 0, 255]]
    assert ros.occupancy_from_grid(grid).tolist() == [[0, 90, 0, -1]]
