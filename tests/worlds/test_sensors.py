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


@examples(150)
@given(problems(largest=9), st.floats(1, 9) | st.integers(1, 9), st.booleans())
def test_what_a_radius_shows_from_a_cell(problem, radius, sight):
    """Of the truth as it is: free cells as well as blocked ones, and the cell itself."""
    case, start, _ = problem
    shown = replan.Radius(radius, line_of_sight=sight).visible(case.grid(), start)
    assert len(set(shown)) == len(shown)
    assert {start, *shown} == {
        start,
        *in_circle(case.blocked, start, radius, sight),
        *adjacent(case.blocked, case.neighbors, start),
    }


@examples(100)
@given(problems(largest=9), st.floats(1, 9) | st.integers(1, 9))
def test_an_octile_radius(problem, radius):
    case, start, _ = problem
    near = {
        (r, c)
        for r, c in np.ndindex(case.blocked.shape)
        if (2**0.5 - 1) * min(abs(r - start[0]), abs(c - start[1])) + max(abs(r - start[0]), abs(c - start[1]))
        <= radius + 1e-9
    }
    seen = seen_at_once(case, replan.Radius(radius, metric="octile"), start)
    if seen:
        assert seen == {*near, *adjacent(case.blocked, case.neighbors, start)}


def test_an_unknown_metric_is_refused():
    with pytest.raises(replan.InputError, match="metric is one of 'euclidean', 'octile', not 'taxi'"):
        replan.Radius(3, metric="taxi")


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


class Own(replan.Sensor):
    """A sensor of the user's, in Python, that sees as another one does, and notes what it was asked."""

    def __init__(self, like: replan.Radius) -> None:
        self.like, self.asked = like, []

    def visible(self, truth, cell, previous_cell):
        self.asked.append((cell, previous_cell))
        return self.like.visible(truth, cell)


@examples(60)
@given(
    problems(largest=7), st.floats(1, 4), st.booleans(), st.sampled_from(["Repeated Forward A*", "RTAA*", "D* Lite"])
)
def test_a_sensor_of_the_users(problem, radius, sight, name):
    case, start, goal = problem
    like = replan.Radius(radius, line_of_sight=sight)
    own, usual = replan.World(case.grid(), sensor=Own(like)), replan.World(case.grid(), sensor=like)
    trip, same = (replan.simulate(world, name, start, goal, max_moves=200) for world in (own, usual))
    assert (trip.path, trip.why, trip.episode_expansions) == (same.path, same.why, same.episode_expansions)
    asked = [pair for pair, before in zip(own.sensor.asked, [None, *own.sensor.asked], strict=False) if pair != before]
    assert asked == list(zip(trip.path, [None, *trip.path], strict=False))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None; what is visible is a list of cells"),
        ([(9, 9)], "outside the map"),
        ([7], r"a cell is \(row, col\)"),
        (np.array([7, 8]), r"an array of cells has two columns"),
        (np.array([[0, 5]]), "outside the map"),
        (np.array([[0, np.nan]]), "outside the map"),
        (np.array(7), r"an array of cells has two columns"),
    ],
)
def test_a_sensor_that_answers_nonsense(answer, words):
    class Odd(replan.Sensor):
        def visible(self, truth, cell, previous_cell):
            return answer

    with pytest.raises(ValueError, match=rf"Odd.visible\(\) returned .*{words}"):
        replan.simulate(replan.World(replan.Grid([[0, 0]]), sensor=Odd()), "RTAA*", (0, 0), (0, 1))


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.float32, ">i4"])
def test_a_sensor_that_answers_by_an_array(kind):
    """Of cells, as np.argwhere has them; where nothing is seen, it is empty."""

    class Window(replan.Sensor):
        def visible(self, truth, cell, previous_cell):
            near = [(r, c) for r, c in replan.Radius(2).visible(truth, cell)]
            return np.array(near if cell != (0, 2) else [], kind)

    grid = replan.Grid(replan.maze(15, 15, openings=9, seed=1), neighbors=4)
    trips = [
        replan.simulate(replan.World(grid, sensor=sensor), "D* Lite", (0, 0), (14, 14))
        for sensor in (replan.Radius(2), Window())
    ]
    assert all(trip.reached for trip in trips)


def test_a_sensor_of_edges_that_answers_by_an_array():
    class Near(replan.Sensor):
        def visible(self, truth, cell, previous_cell):
            return np.array([(cell, other) for other in "abc" if truth.cost_of(cell, other) < 10])

    truth = replan.Graph([("a", "b", 1), ("b", "c", 1), ("a", "c", 5)])
    assert replan.simulate(replan.World(truth, sensor=Near()), "RTAA*", "a", "c").path == ["a", "b", "c"]


def test_a_sensor_without_eyes():
    class Blind(replan.Sensor):
        pass

    with pytest.raises(NotImplementedError, match="Blind is a sensor without visible"):
        replan.simulate(replan.World(replan.Grid([[0, 0]]), sensor=Blind()), "RTAA*", (0, 0), (0, 1))
