"""Heuristics of the user's: zero, arrays, functions, and the refusal of inconsistent ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import replan
from oracle.grids import estimate
from oracle.searches import dijkstra, inconsistent, reversed_edges
from replan.spaces.goals import Goals
from replan.spaces.heuristics import checked_estimate_at, make_heuristic
from strategies import GraphCase, GridCase, graph_cases, grid_cases, problems

FORWARD, BACKWARD = "Repeated Forward A*", "Repeated Backward A*"


def true_steps(case: GridCase, goal) -> np.ndarray:
    """The exact cost to the goal in steps, as a user would compute it; infinite where there is no way."""
    ticks = dijkstra(case.edges(), goal)
    unit = case.grid().units_per_step
    return np.array([[ticks.get((r, c), np.inf) / unit for c in range(case.shape[1])] for r in range(case.shape[0])])


@given(problems())
def test_zero_finds_the_same_costs(problem):
    case, start, goal = problem
    costs = []
    for name in (FORWARD, BACKWARD):
        for heuristic in (None, "zero"):
            trip = replan.simulate(case.grid(), replan.planner(name, heuristic=heuristic), start, goal)
            costs.append(round(trip.cost, 4) if trip.reached else None)
    assert len(set(costs)) == 1


@given(problems())
def test_the_exact_costs_are_a_consistent_heuristic(problem):
    """As an array and as a function. Only the way itself is expanded, and cells with no way never."""
    case, start, goal = problem
    exact = true_steps(case, goal)
    finite = np.isfinite(exact[start])
    for heuristic in (exact, lambda a, b: exact[a]):
        planner = replan.planner(FORWARD, heuristic=heuristic, check_heuristic=True)
        trip = replan.simulate(case.grid(), planner, start, goal)
        assert trip.reached == finite
        if finite:
            assert trip.cost == pytest.approx(exact[start], rel=1e-5)
            assert trip.expansions == trip.moves


@given(graph_cases(), st.data())
def test_exact_costs_on_graphs_there_and_back(case: GraphCase, data):
    edges = case.edges()
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    exact = {u: dijkstra(edges, u) for u in case.nodes}
    for name in (FORWARD, BACKWARD):
        planner = replan.planner(name, heuristic=lambda a, b: exact[a].get(b, float("inf")), check_heuristic=True)
        trip = replan.simulate(case.graph(), planner, start, goal)
        assert trip.reached == (goal in exact[start])
        if trip.reached:
            assert trip.cost == exact[start][goal]
            assert trip.expansions == trip.moves


@given(problems(neighbors=(4,), weighted=False), st.data())
def test_check_refuses_what_is_not_consistent_and_nothing_else(problem, data):
    case, start, goal = problem
    noise = data.draw(st.binary(min_size=case.blocked.size, max_size=case.blocked.size))
    values = (np.frombuffer(noise, np.uint8) % 3).reshape(case.shape).astype(float)
    values[goal] = data.draw(st.sampled_from([0, 0, 1]))
    bad = inconsistent(case.edges(), lambda s: values[s], [goal])
    planner = replan.planner(FORWARD, heuristic=values, check_heuristic=True)
    if not bad:
        replan.simulate(case.grid(), planner, start, goal)
        return
    with pytest.raises(replan.InputError, match="not consistent") as refused:
        replan.simulate(case.grid(), planner, start, goal)
    named = str(refused.value)
    assert any(all(str(cell) in named for cell in edge) for edge in bad), "the offending edge is named"


@given(graph_cases(), st.data())
def test_check_of_a_function_on_graphs_in_the_direction_of_the_search(case: GraphCase, data):
    edges = case.edges()
    values = {(a, b): data.draw(st.integers(0, 12)) if a != b else 0 for a in case.nodes for b in case.nodes}
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    assume(start != goal)
    towards = inconsistent(edges, lambda s: values[s, goal], [goal])
    away = inconsistent(reversed_edges(edges), lambda s: values[start, s], [start])
    for name, bad in ((FORWARD, towards), (BACKWARD, away)):
        planner = replan.planner(name, heuristic=lambda a, b: values[a, b], check_heuristic=True)
        if bad:
            with pytest.raises(replan.InputError, match="not consistent"):
                replan.simulate(case.graph(), planner, start, goal)
        else:
            replan.simulate(case.graph(), planner, start, goal)


def test_check_asks_only_for_cells_of_the_map():
    blocked = np.zeros((3, 4), bool)
    blocked[1, 1] = True
    asked = set()

    def h(cell, goal):
        asked.add(cell)
        return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])

    for name in (FORWARD, BACKWARD):
        planner = replan.planner(name, heuristic=h, check_heuristic=True)
        assert replan.simulate(replan.Grid(blocked, neighbors=4), planner, (0, 0), (2, 3)).moves == 5
    assert all(0 <= r < 3 and 0 <= c < 4 for r, c in asked)


def test_functions_get_the_cell_and_the_goal_and_the_nearest_goal_counts():
    def h(cell, goal):
        return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])

    grid = replan.Grid(np.zeros((5, 9), bool), neighbors=4)
    goals = {(4, 0), (0, 8), (2, 2)}
    trip = replan.simulate(grid, replan.planner(FORWARD, heuristic=h, check_heuristic=True), (0, 0), goals)
    assert trip.path[-1] == (2, 2) and trip.expansions == 4
    trip = replan.simulate(grid, replan.planner(BACKWARD, heuristic=h, check_heuristic=True), (0, 0), goals)
    assert trip.path[-1] == (2, 2) and trip.moves == 4


@given(problems(), st.integers(0, 3))
def test_an_estimate_that_is_too_large_breaks_nothing_but_optimality(problem, kind):
    """Whatever h says, a way is found where there is one, with all planners that take an h."""
    case, start, goal = problem
    large = [1.0, 200.0, 1e6, np.inf][kind]
    values = np.full(case.shape, large)
    values[0, :] /= 3
    reachable = goal in dijkstra(case.edges(), start)
    for name, options in (
        (FORWARD, {}),
        (FORWARD, {"queue": "buckets"}),
        ("repeated-weighted-a-star", {"weight": 100}),
    ):
        if options.get("queue") == "buckets" and large >= 1e6:
            continue
        planner = replan.planner(name, heuristic=values, **options)
        assert replan.simulate(case.grid(), planner, start, goal).reached == reachable


def test_errors_in_a_function_come_out_and_the_planner_works_again():
    broken = [True]

    def h(cell, goal):
        if broken[0] and cell == (1, 1):
            raise ZeroDivisionError("mine")
        return 0

    planner = replan.planner(FORWARD, heuristic=h)
    grid = replan.Grid(np.zeros((4, 4), bool))
    with pytest.raises(ZeroDivisionError, match="mine"):
        replan.simulate(grid, planner, (0, 0), (3, 3))
    broken[0] = False
    assert replan.simulate(grid, planner, (0, 0), (3, 3)).moves == 3


@pytest.mark.parametrize(
    ("name", "heuristic", "words"),
    [
        (FORWARD, "manhattan", "'zero', an array or a function"),
        (FORWARD, np.zeros((2, 2)), "shape"),
        (FORWARD, np.full((4, 4), -1.0), "negative"),
        (FORWARD, np.full((4, 4), np.nan), "NaN"),
        (FORWARD, lambda a, b: -1, r"\(0, 0\), \(3, 3\)\) is -1; an estimate is a number from 0 on"),
        (FORWARD, lambda a, b: float("nan"), "is nan; an estimate is a number from 0 on"),
        (FORWARD, lambda a, b: None, "is None; an estimate is a number from 0 on"),
        (BACKWARD, lambda a, b: "far", "is 'far'; an estimate is a number from 0 on"),
        ("D* Lite", lambda a, b: -1, "is -1; an estimate is a number from 0 on"),
        ("D* Lite", lambda a, b: [1], r"is \[1\]; an estimate is a number from 0 on"),
        (BACKWARD, np.zeros((4, 4)), "function"),
        (FORWARD, 3, "an array"),
    ],
)
def test_bad_heuristics_are_refused(name, heuristic, words):
    with pytest.raises(replan.InputError, match=words):
        replan.simulate(replan.Grid(np.zeros((4, 4), bool)), replan.planner(name, heuristic=heuristic), (0, 0), (3, 3))


@given(grid_cases(neighbors=(8,), weighted=False))
def test_a_users_octile_distance_with_the_true_root_is_consistent(case: GridCase):
    def octile(a, b):
        down, right = sorted((abs(a[0] - b[0]), abs(a[1] - b[1])))
        return (right - down) + 2**0.5 * down

    free = case.free_cells()
    if len(free) > 1:
        for name in (FORWARD, BACKWARD):
            replan.simulate(
                case.grid(), replan.planner(name, heuristic=octile, check_heuristic=True), free[0], free[-1]
            )


@given(grid_cases(walled=False), st.data())
def test_estimates_of_all_kinds_by_state(case: GridCase, data):
    grid = case.grid()
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    ends, weighted = data.draw(st.sets(cells, min_size=1, max_size=3)), case.weights is not None
    goals, origin = Goals.from_keys(grid, ends), grid.state(min(ends))

    def apart(a, b):
        return estimate(case.neighbors, weighted, a, b) / grid.units_per_step

    for cell in ((r, c) for r in range(case.shape[0]) for c in range(case.shape[1])):
        s = grid.state(cell)
        towards = min(estimate(case.neighbors, weighted, cell, end) for end in ends)
        away = estimate(case.neighbors, weighted, min(ends), cell)
        for given_as in (None, apart):
            assert checked_estimate_at(make_heuristic(given_as, grid, goals), grid, s) == towards
            assert checked_estimate_at(make_heuristic(given_as, grid, goals, origin), grid, s) == away
        assert checked_estimate_at(make_heuristic("zero", grid, goals), grid, s) == 0
    steps = np.arange(case.blocked.size, dtype=float).reshape(case.shape)
    listed = make_heuristic(steps, grid, goals)
    for cell, number in np.ndenumerate(steps):
        assert checked_estimate_at(listed, grid, grid.state(cell)) == number * grid.units_per_step


@pytest.mark.parametrize("number", [-1, 35, 10**12])
def test_estimates_are_for_states(number):
    grid = replan.Grid(np.zeros((3, 5), bool))
    goals = Goals.from_keys(grid, (1, 1))
    for heuristic in (None, "zero", np.zeros((3, 5)), lambda a, b: 0):
        with pytest.raises(replan.InputError, match="there is no state"):
            checked_estimate_at(make_heuristic(heuristic, grid, goals), grid, number)
