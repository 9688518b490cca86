"""`examples/nav2_planner.py`, as a robot uses it: other goals, maps that grow and move, poses off the map."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace as Message

import numpy as np
import pytest

from replan.bridges import ros

EXAMPLE = Path(__file__).parents[2] / "examples" / "nav2_planner.py"


@pytest.fixture
def planner():
    return runpy.run_path(str(EXAMPLE))["Planner"]()


def walled(rows=20, cols=20):
    """A wall at column 10, from the lowest row on, with a gap at the top."""
    costs = np.zeros((rows, cols), np.uint8)
    costs[: rows - 2, 10] = 254
    return costs


def test_every_goal_is_planned_to(planner):
    planner.on_costmap(walled(), 0.5)
    for goal in ((8.25, 0.25), (0.25, 8.25), (0.25, 0.25), (9.25, 9.25)):
        path = planner.path_to(2.25, 2.25, *goal)
        assert path[-1] == pytest.approx(goal)


def test_a_map_that_grew_is_planned_on(planner):
    planner.on_costmap(walled(), 0.5)
    assert planner.path_to(0.25, 0.25, 8.25, 0.25)
    planner.on_costmap(walled(30, 40), 0.5)
    path = planner.path_to(0.25, 0.25, 18.25, 0.25)
    assert path[-1] == pytest.approx((18.25, 0.25)) and max(y for _, y in path) > 14


def test_a_map_whose_origin_moved_has_its_cells_in_the_right_place(planner):
    planner.on_costmap(walled(), 0.5)
    assert planner.path_to(0.25, 0.25, 8.25, 0.25)
    planner.on_costmap(walled(), 0.5, origin=(100.0, 50.0, 0.0))
    assert planner.path_to(0.25, 0.25, 8.25, 0.25) is None and "outside the map" in planner.reason
    path = planner.path_to(100.25, 50.25, 108.25, 50.25)
    assert path[-1] == pytest.approx((108.25, 50.25))
    assert max(y for _, y in path) > 59  # through the gap
    planner.on_costmap(walled(), 0.25, origin=(100.0, 50.0, 0.0))
    assert planner.path_to(100.1, 50.1, 104.1, 50.1)[-1] == pytest.approx((104.125, 50.125))


def test_a_pose_off_the_map_gives_a_reason_and_the_planner_goes_on(planner):
    assert planner.path_to(0.25, 0.25, 8.25, 0.25) is None and "no costmap" in planner.reason
    planner.on_costmap(walled(), 0.5)
    for pose in ((-3.0, 0.25, 8.25, 0.25), (0.25, 0.25, 8.25, 99.0), (float("nan"), 0.25, 8.25, 0.25)):
        assert planner.path_to(*pose) is None and "outside the map" in planner.reason
    assert planner.path_to(0.25, 0.25, 8.25, 0.25) and not planner.reason


@pytest.mark.parametrize("planned_before", [True, False])
def test_an_update_is_heeded_whether_or_not_there_was_a_plan(planner, planned_before):
    planner.on_costmap(walled(), 0.5)
    if planned_before:
        assert planner.path_to(0.25, 0.25, 8.25, 0.25)
    shut = Message(x=10, y=18, size_x=1, size_y=2, data=[-2, -2])  # 254, as int8
    planner.on_update(shut)
    assert planner.path_to(0.25, 0.25, 8.25, 0.25) is None and "no way" in planner.reason
    planner.on_update(Message(x=10, y=18, size_x=1, size_y=2, data=[0, 0]))
    assert planner.path_to(0.25, 0.25, 8.25, 0.25)
    planner.on_update(Message(x=10, y=19, size_x=1, size_y=2, data=[0, 0]))  # of a larger map
    assert planner.path_to(0.25, 0.25, 8.25, 0.25) is None and "no costmap" in planner.reason


def test_a_cell_that_the_robot_has_left_is_blocked_again(planner):
    costs = walled()
    costs[0, 0] = 254  # its own cell: the robot is too near to a wall
    planner.on_costmap(costs, 0.5)
    assert planner.path_to(0.25, 0.25, 2.25, 2.25)
    assert planner.path_to(1.25, 1.25, 0.25, 0.25) is None and planner.reason == "the goal is blocked"


def test_it_drives_with_the_costs_that_it_is_told(planner):
    costs = ros.inflate(walled() == 254, 0.5, inscribed_radius=0.6, inflation_radius=2.0)
    planner.on_costmap(costs, 0.5)
    path = planner.path_to(0.25, 0.25, 8.25, 0.25)
    assert path and all(costs[int(y / 0.5), int(x / 0.5)] < 253 for x, y in path)
