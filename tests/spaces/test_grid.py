"""Grids against their definition: which steps there are, what they cost, and what a change changes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.grids import edges_of_grid, estimate
from oracle.searches import dijkstra
from strategies import CORNERS, HEAVY, GridCase, grid_cases, problems

INF = 1 << 62


def cells_of(grid: replan.Grid, listed: list[tuple[int, int]]) -> dict:
    found = {grid.key(v): c for v, c in listed}
    assert len(found) == len(listed)
    return found


def steps_of(grid: replan.Grid, s: int) -> dict:
    return cells_of(grid, grid.successors(s))


def all_steps(grid: replan.Grid) -> dict:
    rows, cols = grid.shape
    return {(r, c): steps_of(grid, grid.state((r, c))) for r in range(rows) for c in range(cols)}


@given(grid_cases(table=HEAVY))
def test_successors_are_those_of_the_definition_in_their_order(case: GridCase):
    grid, edges = case.grid(), case.edges()
    assert all_steps(grid) == edges
    for cell, out in edges.items():
        s = grid.state(cell)
        assert list(steps_of(grid, s)) == list(out)
        assert cells_of(grid, grid.predecessors(s)) == out


@given(grid_cases(table=HEAVY))
def test_neighbours_in_a_circle(case: GridCase):
    """The same steps at the same cost, from the right by way of down-right; copies and beliefs keep the order."""
    grid = replan.Grid(case.blocked, case.neighbors, case.weights, case.corners, case.walls, order="circular")
    turn = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    for twin in (grid, grid.copy(), pickle.loads(pickle.dumps(grid))):
        assert twin.order == "circular" and grid.believed_free().order == "circular"
        assert all_steps(twin) == case.edges()
        for row, col in case.edges():
            taken = [turn.index((r - row, c - col)) for r, c in steps_of(twin, twin.state((row, col)))]
            assert taken == sorted(taken)


def test_an_unknown_order_is_refused():
    with pytest.raises(replan.InputError, match="order is one of 'straight first', 'circular', not 'spiral'"):
        replan.Grid([[0]], order="spiral")
    with pytest.raises(replan.InputError, match=r"order is one of .*, not \[\]"):
        replan.Grid([[0]], order=[])


@given(problems(table=HEAVY))
def test_onward_leaves_out_only_where_the_search_came_from(problem):
    """Every other neighbour of an expanded cell is generated, at no more than the step there costs."""
    case, start, goal = problem
    if start == goal:
        return
    grid, edges = case.grid(), case.edges()
    planner = replan.planner("Repeated Forward A*", heuristic="zero")
    replan.Agent(planner, grid, start, goal).plan()
    shot = {name: grid.to_map_shape(values) for name, values in planner.snapshot().items()}
    for cell, out in edges.items():
        if shot["closed"][cell]:
            assert all(0 <= shot["g"][v] <= shot["g"][cell] + cost for v, cost in out.items())
    exact = dijkstra(edges, start)
    assert all(shot["g"][cell] == exact[cell] for cell in edges if shot["closed"][cell])


@given(grid_cases(largest=4))
def test_edge_knows_every_pair_of_cells(case: GridCase):
    grid, edges = case.grid(), case.edges()
    for a in edges:
        for b in edges:
            assert grid.edge_cost(grid.state(a), grid.state(b)) == edges[a].get(b, INF)


@given(grid_cases())
def test_nothing_leads_out_of_the_map(case: GridCase):
    grid = case.grid()
    inside = {grid.state(cell) for cell in case.edges()}
    for s in range(grid.n):
        for listed in (grid.successors(s), grid.predecessors(s)):
            assert {v for v, _ in listed} <= inside
            assert s in inside or not listed


@given(grid_cases(table=HEAVY))
def test_bounds_hold(case: GridCase):
    """No shortest path costs more than `bound`; an edge and the way back cost at most `span`."""
    grid, edges = case.grid(), case.edges()
    for cell in case.free_cells()[:4]:
        assert max(dijkstra(edges, cell).values()) <= grid.max_path_cost
    for u in edges:
        assert all(2 * cost <= grid.max_edge_round_trip for cost in edges[u].values())


@given(grid_cases(walled=False), st.data())
def test_distance_is_the_cost_on_an_empty_map(case: GridCase, data):
    grid = case.grid()
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    a, b = data.draw(cells), data.draw(cells)
    weighted = case.weights is not None
    got = grid.distance(grid.state(a), grid.state(b))
    assert got == estimate(case.neighbors, weighted, a, b)
    ones = np.ones(case.shape, int) if weighted else None
    empty = edges_of_grid(np.zeros(case.shape, bool).tolist(), case.neighbors, case.corners, ones)
    assert got == dijkstra(empty, a)[b]


@examples(200)
@given(grid_cases(), st.data())
def test_a_changed_grid_equals_one_made_afresh(case: GridCase, data):
    """Block, unblock, make heavier and lighter; `touched` misses no state whose steps changed."""
    grid = case.grid()
    rows, cols = case.shape
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    values = st.sampled_from([0, 0, 1]) if case.weights is None else st.sampled_from([0, 1, 2, 7, 65_535])
    for cell, value in data.draw(st.lists(st.tuples(cells, values), max_size=12)):
        before = case.edges()
        touched = grid.keys(grid.set_value(grid.state(cell), value))
        case.blocked = case.blocked.copy()
        case.blocked[cell] = value == 0
        if case.weights is not None and value:
            case.weights = case.weights.copy()
            case.weights[cell] = value
        after = case.edges()
        changed = {u for u in after if before[u] != after[u]}
        assert changed <= set(touched)
        assert len(set(touched)) == len(touched)
        assert changed or not touched, "nothing changed, but something was touched"
        assert grid.get_value(grid.state(cell)) == value
        assert all_steps(grid) == after
    fresh = case.grid()
    assert np.array_equal(grid.blocked, fresh.blocked)
    assert np.array_equal(grid.state_exits, fresh.state_exits)
    assert [grid.get_value(s) for s in range(grid.n)] == [fresh.get_value(s) for s in range(grid.n)]
    assert grid.max_path_cost >= fresh.max_path_cost and grid.max_edge_round_trip >= fresh.max_edge_round_trip


@given(grid_cases(), st.data())
def test_copies_are_equal_and_apart(case: GridCase, data):
    grid = case.grid()
    twin = grid.copy()
    assert all_steps(twin) == all_steps(grid)
    cell = data.draw(st.sampled_from(sorted(case.edges())))
    twin.set_value(twin.state(cell), 0 if grid.get_value(grid.state(cell)) else 1)
    assert all_steps(grid) == case.edges()
    twin.assign(grid)
    assert all_steps(twin) == case.edges()
    assert np.array_equal(twin.blocked, grid.blocked)


@given(grid_cases())
def test_what_is_believed_by_those_who_know_nothing(case: GridCase):
    believed = case.grid().believed_free()
    ones = None if case.weights is None else np.ones(case.shape, int)
    assert (
        all_steps(believed)
        == GridCase(np.zeros(case.shape, bool), case.neighbors, case.corners, ones, case.walls).edges()
    )


def test_blocked_is_a_read_only_window():
    given_map = np.zeros((3, 4), bool)
    grid = replan.Grid(given_map)
    window = grid.blocked
    assert window.shape == (3, 4) and window.dtype == bool
    with pytest.raises(ValueError, match="read-only"):
        window[0, 0] = True
    given_map[1, 1] = True  # the caller's array is not the grid's
    assert not window.any()
    grid.set_value(grid.state((1, 2)), 0)
    assert window[1, 2]
    weighted = replan.Grid(given_map, weights=np.full((3, 4), 5))
    with pytest.raises(ValueError, match="read-only"):
        weighted.weights[0, 0] = 1


@pytest.mark.parametrize(
    ("corners", "open_past_none", "open_past_one", "open_past_two"),
    [("strict", True, False, False), ("either", True, True, False), ("free", True, True, True)],
)
def test_corner_rules(corners, open_past_none, open_past_one, open_past_two):
    for solid, expected in [([], open_past_none), ([(0, 1)], open_past_one), ([(0, 1), (1, 0)], open_past_two)]:
        blocked = np.zeros((2, 2), bool)
        for cell in solid:
            blocked[cell] = True
        grid = replan.Grid(blocked, corners=corners)
        assert (grid.edge_cost(grid.state((0, 0)), grid.state((1, 1))) == 577) is expected


@pytest.mark.parametrize("corners", CORNERS)
def test_states_and_cells(corners):
    grid = replan.Grid(np.zeros((3, 5), bool), corners=corners)
    for r in range(3):
        for c in range(5):
            assert grid.key(grid.state((r, c))) == (r, c)
    assert grid.state((np.int64(1), np.int32(2))) == grid.state([1, 2]) == grid.state((1.0, 2.0))
    assert grid.to_map_shape(np.arange(grid.n))[2, 3] == grid.state((2, 3))


@pytest.mark.parametrize("cell", [(3, 0), (0, 5), (-1, 0), (0, -1), (0.5, 0), (1, 2, 3), 7, None, "ab", (None, 1)])
def test_cells_that_are_none(cell):
    with pytest.raises(replan.InputError):
        replan.Grid(np.zeros((3, 5), bool)).state(cell)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: replan.Grid(np.zeros(5, bool)), "2-D"),
        (lambda: replan.Grid(np.zeros((0, 5), bool)), "at least one cell"),
        (lambda: replan.Grid(np.full((2, 2), 3)), "True and False"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), neighbors=6), "4 or 8"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), corners="loose"), "corners"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), weights=np.ones((2, 3))), "shape"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), weights=np.zeros((2, 2))), "from 1 to"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), weights=np.full((2, 2), 65_536)), "from 1 to"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), weights=np.full((2, 2), 1.5)), "whole numbers"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), weights=np.full((2, 2), np.nan)), "whole numbers"),
        (lambda: replan.Grid(np.zeros((2, 2), bool), walls=np.zeros((3, 2), int)), "shape"),
    ],
)
def test_bad_grids_are_refused(make, words):
    with pytest.raises(replan.InputError, match=words):
        make()


def test_weights_of_blocked_cells_do_not_matter():
    blocked = np.array([[False, True]])
    grid = replan.Grid(blocked, weights=np.array([[3, 0]]))
    assert grid.weights.tolist() == [[3, 0]]


@pytest.mark.parametrize("number", [-1, 35, 10**12, 1 << 70, 2.0, "1", None])
def test_numbers_that_are_no_states_are_refused(number):
    grid = replan.Grid(np.zeros((3, 5), bool))
    asked = [grid.successors, grid.predecessors, grid.get_value, grid.key]
    asked += [lambda s: grid.edge_cost(s, 8), lambda s: grid.edge_cost(8, s), lambda s: grid.distance(8, s)]
    asked += [lambda s: grid.distance(s, 8), lambda s: grid.set_value(s, 0)]
    for ask in asked:
        with pytest.raises(replan.InputError, match=r"there is no (state|location)|is a whole number"):
            ask(number)


@pytest.mark.parametrize("value", [-1, 2, 65_536, 1 << 70, 0.5, "1", None])
def test_values_that_no_cell_can_have_are_refused(value):
    grid = replan.Grid(np.zeros((3, 5), bool))
    with pytest.raises(replan.InputError, match="the value of a cell is 0"):
        grid.set_value(grid.state((1, 1)), value)
    assert not grid.blocked.any()


def test_the_ring_around_the_map_stays_blocked():
    grid = replan.Grid(np.zeros((3, 5), bool))
    for s in (0, grid.width - 1, 2 * grid.width - 1, grid.n - 1):
        with pytest.raises(replan.InputError, match="outside the map"):
            grid.set_value(s, 1)
        assert grid.get_value(s) == 0 and grid.successors(s) == []


def test_what_one_has_listed_stays_when_others_are_listed():
    """The lists belong to who asks."""
    grid = replan.Grid(np.zeros((3, 5), bool))
    first = grid.successors(8)
    kept = list(first)
    grid.successors(9)
    grid.predecessors(26)
    assert first == kept


@pytest.mark.parametrize("walled", [False, True])
@pytest.mark.parametrize(("neighbors", "corners"), [(4, "strict"), *((8, corners) for corners in CORNERS)])
def test_a_map_laid_out_at_once_is_the_one_made_cell_by_cell(neighbors, corners, walled):
    """Wide enough for a compiler to take many cells at a time."""
    rng = np.random.default_rng(7)
    blocked = rng.random((23, 75)) < 0.3
    walls = rng.integers(0, 4, blocked.shape) * (rng.random(blocked.shape) < 0.3) if walled else None
    by_cells = replan.Grid(np.zeros_like(blocked), neighbors, corners=corners, walls=walls)
    for cell in np.argwhere(blocked).tolist():
        by_cells.set_value(by_cells.state(cell), 0)
    at_once = replan.Grid(blocked, neighbors, corners=corners, walls=walls)
    assert np.array_equal(at_once.state_exits, by_cells.state_exits)
    assert np.array_equal(at_once.blocked_states, by_cells.blocked_states)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"neighbors": np.ones((3, 3), int)}, "4 or 8 neighbors, not array.*weights="),
        ({"neighbors": [8]}, "4 or 8 neighbors"),
        ({"corners": np.ones(3)}, "corners is one of"),
        ({"corners": ["strict"]}, "corners is one of"),
    ],
)
def test_arrays_where_single_values_are_due_are_refused_in_a_line(given, words):
    with pytest.raises(replan.InputError, match=words) as error:
        replan.Grid(np.zeros((3, 3), bool), **given)
    assert "\n" not in str(error.value)
