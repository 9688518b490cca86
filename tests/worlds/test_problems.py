"""Regions of a map, and problems picked from them."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from replan import Grid, InputError, maze, random_obstacles, simulate
from replan.spaces.regions import label_regions, region_sizes
from replan.worlds.problems import StartAndGoal, distant_problem, random_problems, sample_problems, scenario_problems

terrains = arrays(bool, st.tuples(st.integers(1, 7), st.integers(1, 7)))


def flooded(grid):
    """The slow and obvious way."""
    labels, count = np.full(grid.shape, -1), 0
    for row, col in np.argwhere(~grid.blocked).tolist():
        if labels[row, col] < 0:
            waiting = [(row, col)]
            while waiting:
                cell = waiting.pop()
                if labels[cell] < 0:
                    labels[cell] = count
                    state = grid.state(cell)
                    waiting += [c for c in np.ndindex(grid.shape) if grid.edge_cost(state, grid.state(c)) < 1 << 60]
            count += 1
    return labels


@settings(max_examples=60, deadline=None)
@given(terrains, st.sampled_from([(4, "strict"), (8, "strict"), (8, "either"), (8, "free")]), st.data())
def test_regions_are_what_steps_connect(blocked, way, data):
    walls = data.draw(st.none() | arrays(np.uint8, blocked.shape, elements=st.integers(0, 3)))
    grid = Grid(blocked, way[0], corners=way[1], walls=walls)
    labels = label_regions(grid)
    assert np.array_equal(labels, flooded(grid))
    assert region_sizes(labels).sum() == (~blocked).sum()
    if way[1] != "free":  # `maps info` says so
        assert np.array_equal(labels, label_regions(Grid(blocked, 4, walls=walls)))


def test_a_long_corridor_is_one_region():
    blocked = np.zeros((41, 41), bool)
    for row in range(1, 41, 2):
        blocked[row] = True
        blocked[row, 0 if row % 4 == 1 else -1] = False
    assert region_sizes(label_regions(Grid(blocked, 4))).tolist() == [(~blocked).sum()]


@pytest.mark.parametrize("make", [lambda n: maze(n, n, seed=1), lambda n: random_obstacles(n, n, 0.45, seed=1)])
def test_regions_of_a_large_map_take_little_time(make):
    """A million cells in about a tenth of a second: 16 million do not take half a minute."""
    grid = Grid(make(1001), 8, corners="free")
    label_regions(grid)
    began = process_time()
    label_regions(grid)
    assert process_time() - began < 0.6


@settings(max_examples=40, deadline=None)
@given(terrains, st.integers(0, 5))
def test_random_problems_can_be_solved(blocked, seed):
    grid = Grid(blocked, 8)
    try:
        problems = random_problems(grid, 5, seed)
    except InputError:
        assert (region_sizes(label_regions(grid)) < 2).all()
        return
    assert len(problems) == 5 and problems == random_problems(grid, 5, seed)
    for problem in problems:
        assert problem.start != problem.goal
        assert simulate(grid, "Repeated Forward A*", problem.start, problem.goal).reached


@settings(max_examples=40, deadline=None)
@given(terrains, st.integers(0, 5))
def test_far_apart_can_be_solved(blocked, seed):
    grid = Grid(blocked, 8)
    if blocked.all():
        with pytest.raises(InputError, match="no free cell"):
            distant_problem(grid, seed)
        return
    problem = distant_problem(grid, seed)
    assert problem == distant_problem(grid, seed)
    assert simulate(grid, "Repeated Forward A*", problem.start, problem.goal).reached
    assert distant_problem(grid, 9, start=problem.start).goal == problem.goal
    assert distant_problem(grid, 9, goal=problem.start).start == problem.goal


def test_far_apart_takes_the_largest_region_and_the_farthest_cell():
    grid = Grid(np.array([[0, 1, 0, 0, 0]], bool), 4)
    assert {distant_problem(grid, seed).start[1] for seed in range(20)} <= {2, 3, 4}
    assert distant_problem(grid, 0, start=(0, 2)) == StartAndGoal((0, 2), (0, 4))
    with pytest.raises(InputError, match=r"the start \(0, 1\) is blocked"):
        distant_problem(grid, 0, start=(0, 1))
    with pytest.raises(InputError, match="outside"):
        distant_problem(grid, 0, goal=(1, 0))


def test_some_of():
    problems = [StartAndGoal((0, 0), (0, n)) for n in range(9)]
    assert sample_problems(problems, None, 0) == sample_problems(problems, 99, 0) == problems
    few = sample_problems(problems, 4, 1)
    assert len(set(few)) == 4 and few == sorted(few, key=problems.index) == sample_problems(problems, 4, 1)


def test_scenarios_of_a_built_in_map():
    with pytest.raises(InputError, match="built-in map maze has no scenarios"):
        scenario_problems("maze", (31, 31), None)
