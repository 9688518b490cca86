"""A* step by step: the order of expansions, each cell once, f never falls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.grids import estimate
from oracle.searches import Found, astar, breadth_first, dijkstra
from strategies import QUEUES, GridCase, problems


class Nothing(replan.LearningRule):
    def learn(self, lookahead: Any) -> int:
        return 0


def expansions(case: GridCase, start, goal, **options) -> tuple[list, list]:
    """The cells in the order in which a search expands them, and their f-values (ticks).

    A search that may expand k states is run for every k, each by a planner of its own, so that random ties are the
    same: the state that is new among the closed ones is the k-th.
    """
    grid = case.grid()
    order, f_values, closed = [], [], set()
    for k in range(1, grid.n + 2):
        planner = replan.planner("RTAA*", lookahead=k, learning=Nothing(), **options)
        replan.Agent(planner, grid, start, goal).plan()
        seen = planner.snapshot()
        now = set(np.flatnonzero(seen["closed"]).tolist())
        if len(now) < k:
            assert now == closed, "the search ended, so nothing is new"
            return order, f_values
        (new,) = now - closed
        order.append(grid.key(new))
        f_values.append(int(seen["g"][new] + seen["h"][new]))
        closed = now
    raise AssertionError("more expansions than states")


def slow(case: GridCase, source, goal, options, tenths: int = 10) -> Found:
    def h(s):
        return estimate(case.neighbors, case.weights is not None, s, goal) * tenths // 10

    buckets = options.get("queue") == "buckets"
    prefer, ties = ("", "last-in") if buckets else (options["prefer"], options["ties"])
    return astar(case.edges(), source, {goal}, h, prefer, ties)


@examples(150)
@given(problems(largest=5), st.sampled_from(QUEUES))
def test_forward_a_star_expands_as_the_sorted_list_does(problem, options):
    case, start, goal = problem
    if start == goal:
        return
    order, f_values = expansions(case, start, goal, **options)
    expected = slow(case, start, goal, options)
    assert order == expected.expanded
    assert f_values == expected.f_values
    assert f_values == sorted(f_values), "f never falls"
    assert len(set(order)) == len(order), "no cell twice"
    planner = replan.planner("Repeated Forward A*", **options)
    path = replan.Agent(planner, case.grid(), start, goal).plan()
    assert planner.expansions == len(order)
    assert (None if path is None else [start, *path]) == expected.path


@pytest.mark.parametrize("options", QUEUES, ids=lambda options: " ".join(options.values()))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_along_corridors_it_expands_as_the_sorted_list_does(options, weighted, seed):
    """Where a state has one new neighbour, the search may expand that without asking the open list."""
    blocked = replan.maze(17, 17, openings=6 * seed, seed=seed)
    weights = np.random.default_rng(seed).integers(1, 4, blocked.shape) if weighted else None
    case = GridCase(blocked, 4, "strict", weights, None)
    order, f_values = expansions(case, (0, 0), (16, 16), **options)
    expected = slow(case, (0, 0), (16, 16), options)
    assert (order, f_values) == (expected.expanded, expected.f_values)


@given(problems(), st.sampled_from(QUEUES))
def test_backward_a_star_expands_what_the_sorted_list_does(problem, options):
    case, start, goal = problem
    if start == goal:
        return
    grid = case.grid()
    planner = replan.planner("Repeated Backward A*", **options)
    path = replan.Agent(planner, grid, start, goal).plan()
    expected = slow(case, goal, start, options)
    closed = np.flatnonzero(planner.snapshot()["closed"]).tolist()
    assert sorted(grid.keys(closed)) == sorted(expected.expanded)
    assert planner.expansions == len(closed), "no cell twice"
    assert (path is None) == (expected.path is None)
    if path is not None:
        assert [start, *path] == expected.path[::-1]


@given(problems(largest=5), st.integers(0, 1000))
def test_random_ties_keep_the_promises_too(problem, seed):
    case, start, goal = problem
    if start == goal:
        return
    order, f_values = expansions(case, start, goal, ties="random", seed=seed)
    assert f_values == sorted(f_values)
    assert len(set(order)) == len(order)
    again, _ = expansions(case, start, goal, ties="random", seed=seed)
    assert again == order


@given(problems(), st.sampled_from(QUEUES), st.sampled_from([10, 11, 15, 30, 1000]))
def test_weighted_a_star_counts_as_the_sorted_list_does(problem, options, tenths):
    """States may be opened again; the cost is at most the weight times the best."""
    case, start, goal = problem
    planner = replan.planner("Repeated Weighted A*", weight=tenths / 10, **options)
    agent = replan.Agent(planner, case.grid(), start, goal)
    path = agent.plan()
    if start == goal:
        assert path == [] and agent.episodes == 0
        return
    expected = slow(case, start, goal, options, tenths)
    assert (path is None) == (expected.path is None)
    assert planner.expansions == len(expected.expanded)
    if path is not None:
        assert [start, *path] == expected.path
        edges = case.edges()
        cost = sum(edges[a][b] for a, b in zip([start, *path], path, strict=False))
        best = dijkstra(edges, start)[goal]
        assert best * 10 <= cost * 10 <= best * tenths


@given(problems(neighbors=(4,), weighted=False))
def test_breadth_first_search_is_first_in_first_out(problem):
    case, start, goal = problem
    planner = replan.planner("Repeated BFS")
    agent = replan.Agent(planner, case.grid(), start, goal)
    path = agent.plan()
    if start == goal:
        return
    expected = breadth_first(case.edges(), start, {goal})
    assert planner.expansions == len(expected.expanded)
    assert (path is None) == (expected.path is None)
    if path is not None:
        assert [start, *path] == expected.path


@given(problems())
def test_a_snapshot_tells_what_the_search_knows(problem):
    case, start, goal = problem
    if start == goal:
        return
    grid, edges = case.grid(), case.edges()
    planner = replan.planner("Repeated Forward A*")
    agent = replan.Agent(planner, grid, start, goal)
    agent.plan()
    seen = {name: grid.to_map_shape(values) for name, values in planner.snapshot().items()}
    exact = dijkstra(edges, start)
    assert not (seen["open"] & seen["closed"]).any()
    assert planner.expansions == seen["closed"].sum()
    for cell in edges:
        generated = bool(seen["open"][cell] or seen["closed"][cell])
        assert (seen["g"][cell] >= 0) == generated
        if seen["closed"][cell]:
            assert seen["g"][cell] == exact[cell]
            assert all(seen["g"][v] >= 0 for v in edges[cell])
        if generated and cell != start:
            parent = grid.key(int(seen["parent"][cell]))
            assert seen["g"][parent] + edges[parent][cell] == seen["g"][cell]


@pytest.mark.parametrize("name", ["repeated-forward-a-star", "repeated-backward-a-star", "rtaa", "lss-lrta"])
@pytest.mark.parametrize("queue", ["heap", "buckets"])
def test_a_small_search_on_a_large_map_touches_little(name, queue, compiled):
    """Only creation is linear in the map: the second search writes no more than what it generates."""
    grid = replan.Grid(np.zeros((2000, 2000), bool))
    planner = replan.planner(name, queue=queue)
    agent = replan.Agent(planner, grid, (1000, 1000), (1000, 1004))
    agent.plan()
    search = planner.lookahead_search.search if hasattr(planner, "lookahead_search") else planner.search
    arrays = ["stamp", "g", "h", "parent"]
    before = {x: np.array(getattr(search, x)) for x in arrays}
    agent.retarget((1003, 1001))
    agent.plan()
    touched = {x: int(np.count_nonzero(np.asarray(getattr(search, x)) != before[x])) for x in arrays}
    assert 0 < touched["stamp"] < 200
    assert max(touched.values()) < 200
    again = replan.simulate(grid, planner, (5, 5), (5, 9))
    assert again.moves == 4


def test_stamps_of_many_searches_do_not_mix():
    """The same planner for thousands of trips on one map."""
    rng = np.random.default_rng(5)
    blocked = rng.random((9, 9)) < 0.25
    blocked[0, 0] = blocked[8, 8] = False
    grid = replan.Grid(blocked)
    case = GridCase(blocked, 8, "strict", None, None)
    exact = dijkstra(case.edges(), (0, 0))
    planner = replan.planner("Repeated Forward A*")
    cells = [c for c in case.free_cells() if c != (0, 0)]
    first = {c: replan.simulate(grid, planner, (0, 0), c) for c in cells}
    for _ in range(5):
        for c in cells:
            again = replan.simulate(grid, planner, (0, 0), c)
            assert again.reached == (c in exact)
            assert (again.path, again.expansions, again.percolations) == (
                first[c].path,
                first[c].expansions,
                first[c].percolations,
            )
