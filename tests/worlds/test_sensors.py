"""What an agent sees, against the definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.sight import adjacent, in_circle, line
from strategies import GridCase, problems


def seen_at_once(case: GridCase, sensor, start) -> set:
    """The cells of which an agent that believed the opposite learns the truth by looking once."""
    flipped = GridCase(~case.blocked, case.neighbors, case.corners, case.weights, case.walls)
    world = replan.World(case.grid(), sensor=sensor, known=flipped.grid())
    goal = next((c for c in case.free_cells() if c != start), None)
    if goal is None:
        return set()
    replan.simulate(world, "Repeated Forward A*", start, goal, max_moves=0)
    return {tuple(c) for c in np.argwhere(world.belief.blocked == case.blocked).tolist()}


@examples(150)
@given(problems(largest=9), st.floats(1, 9) | st.integers(1, 9), st.booleans())
def test_radius(problem, radius, sight):
    case, start, _ = problem
    seen = seen_at_once(case, replan.Radius(radius, line_of_sight=sight), start)
    if seen:
        assert seen == {*in_circle(case.blocked, start, radius, sight), *adjacent(case.blocked, case.neighbors, start)}


@given(problems())
def test_adjacent(problem):
    case, start, _ = problem
    seen = seen_at_once(case, "adjacent", start)
    if seen:
        assert seen == {start, *adjacent(case.blocked, case.neighbors, start)}


@given(problems())
def test_everything(problem):
    case, start, _ = problem
    seen = seen_at_once(case, "everything", start)
    if seen:
        assert seen == set(case.edges())


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_the_oracles_line_is_a_line(down, right):
    cells = line((0, 0), (down, right))
    assert cells[0] == (0, 0) and cells[-1] == (down, right)
    assert len(cells) == max(abs(down), abs(right)) + 1
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in itertools.pairwise(cells))


def test_a_blocked_cell_at_the_end_of_the_line_is_seen_and_what_is_behind_it_is_not():
    blocked = np.zeros((1, 7), bool)
    blocked[0, [3, 5]] = True
    world = replan.World(replan.Grid(blocked), sensor=replan.Radius(6, line_of_sight=True))
    replan.simulate(world, "Repeated Forward A*", (0, 0), (0, 6), max_moves=0)
    assert world.belief.blocked.tolist() == [[False] * 3 + [True] + [False] * 3]


@pytest.mark.parametrize("radius", [0, 0.5, -1, 1001, float("nan"), float("inf")])
def test_bad_radius(radius):
    with pytest.raises(replan.InputError, match="1 to 1,000"):
        replan.Radius(radius)


def test_bad_sensors():
    with pytest.raises(replan.InputError, match="sensor"):
        replan.World(replan.Grid(np.zeros((2, 2), bool)), sensor="sonar")
    with pytest.raises(replan.InputError, match="grid"):
        replan.World(replan.Graph([("a", "b")]), sensor=replan.Radius(3))


def test_graphs_show_the_edges_that_leave_a_node():
    truth = replan.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("a", "d", 9)])
    truth.block("a", "b")
    truth.block("c", "d")
    world = replan.World(truth)
    replan.simulate(world, "Repeated Forward A*", "a", "c", max_moves=0)
    assert world.belief.cost_of("a", "b") == float("inf")
    assert world.belief.cost_of("c", "d") == 1
