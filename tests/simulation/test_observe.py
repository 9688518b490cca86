"""Seeing in bulk: arrays of cells, and windows of a map."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
import replan.bridges.ros
from examples import examples
from oracle.searches import dijkstra
from strategies import GridCase, kinds_for, masks, names, problems, specs, weightings

SOME = [
    s for s in specs(is_optimal=True) if not s.keeps_own_map and "when_unreachable" not in s.options
]  # all of the way at once


def empty(rows: int = 6, cols: int = 7, **kinds) -> replan.Grid:
    return replan.Grid(np.zeros((rows, cols), bool), **kinds)


def agent_on(grid: replan.Grid, planner: str = "A*") -> replan.Agent:
    return replan.Agent(planner, grid, (0, 0), (grid.rows - 1, grid.cols - 1))


def believed(agent: replan.Agent) -> list:
    grid = agent.belief
    return (~grid.blocked if grid.weights is None else grid.weights).astype(int).tolist()


@st.composite
def windows(draw, case: GridCase):
    """A window of a map of this kind, where it lies, and which of its cells were seen."""
    sizes = []
    for length in case.shape:
        first = draw(st.integers(0, length - 1))
        sizes.append((first, draw(st.integers(0, length - first))))
    (top, height), (left, width) = sizes
    shape = height, width
    blocked = draw(masks(shape)) if height * width else np.zeros(shape, bool)
    weights = draw(weightings(shape)) if case.weights is not None and height * width else None
    seen = draw(masks(shape, (0.5, 1.0))) if draw(st.booleans()) and height * width else None
    return blocked, weights, (top, left), seen


@given(problems(), st.data())
def test_a_window_is_its_cells_one_by_one(problem, data):
    case, start, goal = problem
    ours, theirs = (replan.Agent("A*", case.grid(), start, goal) for _ in range(2))
    before = believed(ours)
    blocked, weights, at, seen = data.draw(windows(case))
    cells = [(at[0] + r, at[1] + c) for r, c in np.ndindex(blocked.shape)]
    shown = range(len(cells)) if seen is None else np.flatnonzero(seen).tolist()
    if weights is None:
        news = ours.observe_map(blocked, top_left=at, seen_mask=seen)
        theirs.observe([cells[i] for i in shown], [bool(blocked.flat[i]) for i in shown])
    else:
        values = np.where(blocked, 0, weights)
        news = ours.observe_map(weights=values, top_left=at, seen_mask=seen)
        theirs.observe([cells[i] for i in shown], weights=[int(values.flat[i]) for i in shown])
    assert believed(ours) == believed(theirs)
    assert news == sum(a != b for x, y in zip(before, believed(ours), strict=True) for a, b in zip(x, y, strict=True))
    assert ours.belief.state_exits.tolist() == theirs.belief.state_exits.tolist()


@pytest.mark.parametrize("spec", SOME, ids=names(SOME))
@examples(30)
@given(data=st.data())
def test_planners_know_what_was_seen_in_bulk(spec, data):
    case, start, goal = data.draw(problems(largest=5, **kinds_for(spec)))
    agent = replan.Agent(spec.slug, case.grid().believed_free(), start, goal)
    for _ in range(data.draw(st.integers(1, 3))):
        blocked, weights, at, seen = data.draw(windows(case))
        blocked = blocked.copy()
        agent.plan()
        if weights is None:
            agent.observe_map(blocked, top_left=at, seen_mask=seen)
        else:
            agent.observe_map(weights=np.where(blocked, 0, weights), top_left=at, seen_mask=seen)
        values = np.array(believed(agent))
        known = GridCase(
            values == 0, case.neighbors, case.corners, None if case.weights is None else values, case.walls
        )
        path, edges = agent.plan(), known.edges()
        best = dijkstra(edges, start).get(goal) if goal in edges else None
        if best is None:
            assert path is None
        else:
            walked = [start, *path]
            assert sum(edges[a][b] for a, b in pairwise(walked)) == best


@given(problems(), st.data())
def test_arrays_are_lists(problem, data):
    case, start, goal = problem
    one, other = (replan.Agent("A*", case.grid(), start, goal) for _ in range(2))
    inside = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    cells = data.draw(st.lists(inside, unique=True))
    kind = data.draw(st.sampled_from([np.int64, np.uint8, np.float64, object]))
    blocked = data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells)))
    rows = np.array(cells, kind).reshape(-1, 2)
    if case.weights is None:
        news = one.observe(rows, np.array(blocked, data.draw(st.sampled_from([bool, int]))))
        assert news == other.observe(cells, blocked)
    else:
        weights = [0 if b else 1 + i % 9 for i, b in enumerate(blocked)]
        assert one.observe(rows, weights=np.array(weights)) == other.observe(cells, weights=np.array(weights))
    assert believed(one) == believed(other)


CELLS = {
    "tuple": lambda row, col: (row, col),
    "list": lambda row, col: [row, col],
    "int64": lambda row, col: (np.int64(row), np.int64(col)),
    "int8": lambda row, col: (np.int8(row), col),
    "float": lambda row, col: (float(row), col),
}


@given(problems(), st.data())
def test_lists_of_any_kind_of_numbers_say_the_same(problem, data):
    """What is plain is taken in by a way of its own; a tuple of cells never is."""
    case, start, goal = problem
    one, other = (replan.Agent("A*", case.grid(), start, goal) for _ in range(2))
    inside = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    for _ in range(3):
        kinds = data.draw(st.lists(st.sampled_from(list(CELLS)), min_size=1))
        cells = [CELLS[kinds[i % len(kinds)]](*cell) for i, cell in enumerate(data.draw(st.lists(inside)))]
        blocked = data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells)))
        kind = data.draw(st.sampled_from([bool, np.bool_, int, np.float64]))
        weights = [kind(0 if b else 1 + i % 5) for i, b in enumerate(blocked)]
        if case.weights is None or data.draw(st.booleans()):
            say = {"blocked": data.draw(st.sampled_from([[kind(b) for b in blocked], True, np.bool_(False)]))}
        else:
            say = {"weights": data.draw(st.sampled_from([weights, 3]))}
        assert one.observe(cells, **say) == other.observe(tuple(cells), **say)
        assert believed(one) == believed(other)


def test_seen_while_something_is_seen():
    """A planner that is told of a change and tells its agent of another one is refused, and spoils nothing."""

    class Tells(replan.Planner):
        def plan(self, state, budget):
            return None

        def notify(self, states, costs_increased):
            with pytest.raises(RuntimeError, match="being changed"):
                self.agent.observe([(5, 5)] * 3, True)

    planner = Tells()
    planner.agent = agent_on(empty(), planner)
    assert planner.agent.observe([(1, 1), (1, 2), (1, 3)], [True, True, True]) == 3
    assert np.argwhere(planner.agent.belief.blocked).tolist() == [[1, 1], [1, 2], [1, 3]]


def test_a_graph_and_a_space_of_ones_own_take_arrays_too():
    agent = replan.Agent("A*", replan.Graph([(1, 2, 1), (2, 3, 1), (1, 3, 5)]), 1, 3)
    assert agent.observe(np.array([(1, 2), (2, 3)]), weights=np.array([4, 3])) == 2
    assert agent.plan() == [3]
    assert agent.observe(np.array([(1, 3)]), blocked=np.array([True])) == 1
    assert agent.plan() == [2, 3]
    query = replan.LPAStar(empty(2, 3), (0, 0), (0, 2))
    query.notify(np.array([(0, 1)]), blocked=np.array([True]))
    assert query.path() == [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]


def test_one_value_for_all_cells():
    cells = [(1, 1), (2, 2)]
    for seen in (cells, np.array(cells)):
        for blocked in (True, np.bool_(True), np.array(True)):
            agent = agent_on(empty())
            assert agent.observe(seen, blocked) == 2 and agent.observe(seen, False) == 2
    agent = agent_on(empty(weights=np.ones((6, 7))))
    assert agent.observe(cells, weights=4) == 2 and believed(agent)[2][2] == 4


def test_a_whole_map_and_its_own_cell():
    agent = agent_on(empty())
    agent.plan()
    assert agent.observe_map(np.ones((6, 7), bool)) == 41, "not the cell that it stands on"
    assert agent.observe_map(np.ones((6, 7), bool)) == 0
    assert agent.plan() is None
    assert agent.observe_map([[False] * 7] * 6) == 41
    assert agent.plan() is not None


def test_what_is_seen_to_be_free_keeps_its_weight():
    agent = agent_on(empty(weights=np.full((6, 7), 5)))
    assert agent.observe_map(np.zeros((6, 7), bool)) == 0
    assert agent.observe(np.array([(1, 1), (2, 2)]), np.array([True, False])) == 1
    assert agent.observe(np.array([(1, 1), (2, 2)]), np.array([False, False])) == 1
    assert believed(agent)[1][1] == 5 and believed(agent)[2][2] == 5


def test_others_that_share_the_belief_hear_of_it():
    shared = empty(neighbors=4)
    one, two = (replan.Agent("A*", shared, (0, 0), (5, 6)) for _ in range(2))
    two.plan()
    wall = np.zeros((6, 7), bool)
    wall[3, :6] = True
    one.observe_map(wall)
    assert (3, 6) in two.plan()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: a.observe_map(), "either blocked .* or weights"),
        (lambda a: a.observe_map(np.zeros((2, 2), bool), weights=np.ones((2, 2))), "either"),
        (
            lambda a: a.observe_map(np.zeros((2, 2), bool), top_left=(5, 0)),
            r"a window of 2 x 2 cells at \(5, 0\) reaches",
        ),
        (lambda a: a.observe_map(np.zeros((2, 2), bool), top_left=(-1, 0)), "outside the map"),
        (lambda a: a.observe_map(np.zeros((2, 2), bool), top_left=3), "a cell is"),
        (
            lambda a: a.observe_map(np.zeros((7, 6), bool)),
            r"a whole map here has 6 x 7 cells, not 7 x 6: .* top_left=\(row",
        ),
        (
            lambda a: a.observe_map(np.zeros((2, 2), bool)),
            r"a whole map here has 6 x 7 cells, not 2 x 2: .* top_left=\(row",
        ),
        (lambda a: a.observe_map([[True, False]]), r"a whole map here has 6 x 7 cells, not 1 x 2"),
        (
            lambda a: a.observe_map(np.zeros((7, 7), bool), top_left=(0, 0)),
            r"a window of 7 x 7 cells at \(0, 0\) reaches",
        ),
        (lambda a: a.observe_map(np.zeros(4, bool)), "has rows and columns"),
        (lambda a: a.observe_map(np.zeros((2, 2, 1), bool)), "has rows and columns"),
        (lambda a: a.observe_map([[0, 7]], top_left=(0, 0)), "blocked takes True and False"),
        (lambda a: a.observe_map([["x", "y"]], top_left=(0, 0)), "blocked takes True and False"),
        (lambda a: a.observe_map(weights=[[1, 3]], top_left=(0, 0)), "without weights"),
        (lambda a: a.observe_map(weights=[[1, -3]], top_left=(0, 0)), "a weight is a whole number"),
        (lambda a: a.observe_map(weights=[[1, 0.5]], top_left=(0, 0)), "a weight is a whole number"),
        (lambda a: a.observe_map(weights=[[1, float("nan")]], top_left=(0, 0)), "a weight is a whole number"),
        (lambda a: a.observe_map(weights=[[1, 1e30]], top_left=(0, 0)), "a weight is a whole number"),
        (lambda a: a.observe_map(weights=[["x", "y"]], top_left=(0, 0)), "weights are numbers"),
        (
            lambda a: a.observe_map(np.zeros((2, 2), bool), top_left=(0, 0), seen_mask=[[True]]),
            "seen_mask is True or False",
        ),
        (
            lambda a: a.observe_map(np.zeros((2, 2), bool), top_left=(0, 0), seen_mask=np.ones((2, 2))),
            "seen_mask is True or False",
        ),
        (lambda a: a.observe(np.array([[0, 1]]), np.array([5])), "blocked takes True and False"),
        (lambda a: a.observe(np.array([[0, 9]]), np.array([True])), r"cell \(0, 9\) is outside the map"),
        (lambda a: a.observe(np.array([[0.5, 1]]), np.array([True])), "two whole numbers"),
        (lambda a: a.observe(np.array([0, 1]), np.array([True, True])), "an array of cells has two columns"),
        (lambda a: a.observe(np.array([[0, 1]]), np.array([True, True])), "1 cell, but values of the shape"),
        (lambda a: a.observe(np.array([[0, 1]]), weights=np.array([3])), "without weights"),
        (lambda a: a.observe([(0, 1)], weights=np.array([3])), "without weights"),
        (lambda a: a.observe([(0, 1)], weights=[3]), "without weights"),
        (lambda a: a.observe([(0, 1)], weights=[-1]), "a weight is a whole number"),
        (lambda a: a.observe([(0, 1)], weights=[1 << 70]), "a weight is a whole number"),
        (lambda a: a.observe([(0, 1), (0, 1 << 70)], True), "outside the map"),
        (lambda a: a.observe([(0, 1), (-1, 0)], True), "outside the map"),
        (lambda a: a.observe([(0, 1), (np.int64(6), 0)], True), "outside the map"),
        (lambda a: a.observe([(0, 1), (1, 2, 3)], True), r"a cell is \(row, col\), not \(1, 2, 3\)"),
        (lambda a: a.observe([(0, 1), None], True), r"a cell is \(row, col\), not None"),
        (lambda a: a.observe([(0, 1), (1, 1)], [True]), "2 cells, but 1 value"),
        (lambda a: a.observe([(0, 1)], [True], weights=[1]), "either blocked .* or weights"),
        (lambda a: a.observe(None, True), "cells are a list, or an array with a row and a column for each, not None"),
        (lambda a: a.observe(np.zeros((0, 3)), True), "an array of cells has two columns"),
        (lambda a: a.observe_map([[0, 1], [0]], top_left=(0, 0)), "rows of the same length"),
        (lambda a: a.observe([(0, 1)]), "either blocked .* or weights"),
    ],
)
def test_what_is_refused_changes_nothing(call, words):
    agent = agent_on(empty())
    with pytest.raises(replan.InputError, match=words):
        call(agent)
    assert not agent.belief.blocked.any()


@pytest.mark.parametrize("nothing", [[], np.array([]), np.zeros((0, 2), int), np.array([], bool)])
def test_nothing_may_be_seen(nothing):
    """An array of no cells has no columns either."""
    agent = agent_on(empty())
    assert agent.observe(nothing, True) == agent.observe(nothing, []) == agent.observe(nothing, np.array([])) == 0
    assert agent.observe(nothing, weights=np.array([])) == 0


def test_a_graph_has_no_windows():
    agent = replan.Agent("A*", replan.Graph([(1, 2)]), 1, 2)
    with pytest.raises(replan.InputError, match="only a grid is observed as a map"):
        agent.observe_map(np.zeros((1, 2), bool))


@pytest.mark.parametrize("odd", [None, [], {}, "", "x", float("nan"), 2])
@pytest.mark.parametrize("who", [replan.Agent, replan.FlowField, replan.LPAStar, replan.Crowd])
def test_what_is_no_flag_and_no_weight_is_refused(who, odd):
    """None would count as free, and as a weight it would be a wall."""
    belief = replan.Grid(np.zeros((3, 3), bool), 4)
    if who is replan.Agent:
        tell = replan.Agent("D* Lite", belief, (0, 0), (2, 2)).observe
    elif who is replan.LPAStar:
        tell = replan.LPAStar(belief, (0, 0), (2, 2)).notify
    else:
        tell = (who(belief, (2, 2)) if who is replan.FlowField else who(belief)).observe
    words = r"blocked takes True and False|a weight is a whole number|without weights"
    for seen in ({"blocked": [odd]}, {"weights": [odd]}):
        with pytest.raises(replan.InputError, match=words):
            tell([(1, 1)], **seen)
    assert belief.get_value(belief.location((1, 1))) == 1


class Misplaced(replan.Grid):
    """A grid of a user's that gives states beyond its end."""

    def states_at(self, rows, cols):
        return np.asarray(rows) * 0 + 10**6

    def states_in_window(self, cells, top, left, cols):
        return cells * 0 - 1


def test_states_that_a_users_class_gives_are_checked():
    believed = Misplaced(np.zeros((3, 3), bool))
    agent = replan.Agent("RTAA*", believed, (0, 0), (2, 2))
    with pytest.raises(replan.InputError, match="gives states from -1 to -1, of 25"):
        agent.observe_map(np.ones((2, 2), bool), top_left=(0, 1))
    with pytest.raises(replan.InputError, match="gives states from 1000000 to 1000000, of 25"):
        replan.Crowd(believed, "RTAA*", lookahead=9).add(np.array([[0, 0]]), np.array([[2, 2]]))


@pytest.mark.parametrize(
    "use",
    [
        lambda masked: replan.Grid(masked),
        lambda masked: replan.Grid(np.zeros((3, 3), bool), weights=masked + 1),
        lambda masked: replan.Grid(np.zeros((3, 3), bool), walls=masked),
        lambda masked: agent_in_a_square().observe_map(masked),
        lambda masked: agent_in_a_square().observe_map(np.zeros((3, 3), bool), seen_mask=masked.astype(bool)),
        lambda masked: agent_in_a_square().observe(np.array([(1, 1), (2, 1), (1, 2)]), masked[0]),
        lambda masked: replan.bridges.ros.grid_from_costmap(masked),
        lambda masked: replan.bridges.ros.inflate(masked, 0.1, 0.1, 0.2),
    ],
)
def test_masked_values_are_refused(use):
    """What lies under the mask is no value: a masked obstacle would be free."""
    values = np.zeros((3, 3), int)
    with pytest.raises(replan.InputError, match="masked"):
        use(np.ma.masked_array(values, mask=np.eye(3, dtype=bool)))
    use(np.ma.masked_array(values, mask=False))


def agent_in_a_square() -> replan.Agent:
    return replan.Agent("A*", replan.Grid(np.zeros((3, 3), bool)), (0, 0), (2, 2))
