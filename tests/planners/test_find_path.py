"""find_path: a path on a known map, without an agent."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from border.honest import Board
from oracle.searches import dijkstra
from strategies import GridCase, graph_cases, grid_cases, names, problems

ALL_THE_WAY = [s for s in replan.planners() if s.is_optimal and not s.needs_unit_costs]


def open_grid(side: int = 6, **kinds) -> replan.Grid:
    return replan.Grid(np.zeros((side, side), bool), **kinds)


def ticks(edges, cells) -> int:
    return sum(edges[a][b] for a, b in pairwise(cells))


def check_path(case, found, start, goals) -> None:
    edges = case.edges()
    far = dijkstra(edges, start) if start in edges else {start: 0}
    best = min((far[goal] for goal in goals if goal in far), default=None)
    if best is None:
        assert found is None
    else:
        assert found.cells[0] == start and found.cells[-1] in goals
        assert ticks(edges, found.cells) == best


@given(problems(), st.data())
def test_a_cheapest_path_or_none(problem, data):
    case, start, goal = problem
    grid = case.grid()
    check_path(case, replan.find_path(grid, start, goal), start, {goal})
    goals = data.draw(st.sets(st.sampled_from(case.free_cells()), min_size=1))
    check_path(case, replan.find_path(grid, start, goals), start, goals)
    check_path(case, replan.find_path(grid, start, np.array(sorted(goals))), start, goals)


@pytest.mark.parametrize("spec", ALL_THE_WAY, ids=names(ALL_THE_WAY))
@given(problems(largest=5))
def test_every_planner_that_searches_all_the_way(spec, problem):
    case, start, goal = problem
    check_path(case, replan.find_path(case.grid(), start, goal, spec.slug), start, {goal})


@given(graph_cases(), st.data())
def test_on_graphs(case, data):
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    found = replan.find_path(case.graph(), start, goal)
    check_path(case, found, start, {goal})
    if found is not None:
        assert found.cost == ticks(case.edges(), found.cells)


@given(grid_cases(largest=5), st.data())
def test_a_map_that_changes_is_searched_as_it_is(case, data):
    """The arrays of the call before know nothing that could be wrong now."""
    grid, cells = case.grid(), st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    weights = None if case.weights is None else case.weights.copy()
    case = GridCase(case.blocked.copy(), case.neighbors, case.corners, weights, case.walls)
    for _ in range(data.draw(st.integers(2, 5))):
        cell = data.draw(cells)
        value = data.draw(st.integers(0, 1 if weights is None else 9))
        grid.set_value(grid.state(cell), value)
        case.blocked[cell] = value == 0
        if weights is not None and value:
            weights[cell] = value
        start, goal = data.draw(cells), data.draw(cells)
        if start == goal:
            assert replan.find_path(grid, start, goal).cells == [start]
        elif case.blocked[start] or case.blocked[goal]:
            assert replan.find_path(grid, start, goal) is None
        else:
            check_path(case, replan.find_path(grid, start, goal), start, {goal})


def test_costs_are_steps():
    grid = open_grid()
    assert replan.find_path(grid, (0, 0), (5, 5)).cost == pytest.approx(5 * 2**0.5, abs=1e-12)
    assert replan.find_path(grid, (0, 0), (5, 3)).cost == pytest.approx(2 + 3 * 2**0.5, abs=1e-12)
    heavy = open_grid(weights=np.full((6, 6), 3))
    assert replan.find_path(heavy, (0, 0), (5, 5)).cost == pytest.approx(15 * 2**0.5, abs=1e-12)
    assert replan.find_path(open_grid(neighbors=4), (0, 0), (5, 3)).cost == 8.0
    roads = replan.Graph([("a", "b", 1.25), ("b", "c", 0.5)], resolution=0.01)
    assert replan.find_path(roads, "a", "c").cost == pytest.approx(1.75)


@given(problems(weighted=None))
def test_the_cost_is_that_of_the_trip(problem):
    case, start, goal = problem
    found = replan.find_path(case.grid(), start, goal, queue="heap")
    trip = replan.simulate(case.grid(), "A*", start, goal)
    if found is None:
        assert trip.why == "unreachable"
    else:
        assert (found.cells, found.cost, found.expansions) == (trip.path, pytest.approx(trip.cost), trip.expansions)


def test_it_says_what_it_found():
    found = replan.find_path(open_grid(neighbors=4), (0, 0), (0, 3))
    assert repr(found) == f"<path from (0, 0) to (0, 3): 4 cells, cost 3, {found.expansions} expansions>"
    here = replan.find_path(open_grid(), (2, 2), (2, 2))
    assert (here.cells, here.cost, here.expansions) == ([(2, 2)], 0.0, 0)


def test_a_space_and_a_planner_of_ones_own():
    class Eastwards(replan.Planner):
        def plan(self, state, budget):
            self.expansions += 1
            return list(range(state + 1, state + 4))

    assert len(replan.find_path(Board(), (0, 0), (3, 4)).cells) > 1
    found = replan.find_path(open_grid(), (0, 0), (0, 3), Eastwards())
    assert (found.cells, found.cost, found.expansions) == ([(0, 0), (0, 1), (0, 2), (0, 3)], 3.0, 1)
    with pytest.raises(replan.InputError, match="Eastwards has found only the beginning of a path"):
        replan.find_path(open_grid(), (0, 0), (0, 5), Eastwards())


def test_a_space_need_not_say_what_its_steps_cost():
    class Line(replan.Space):
        def __init__(self) -> None:
            replan.Space.__init__(self, n=9, max_path_cost=100, degree=2, units_per_step=10)

        def successors(self, s):
            return [(v, 5) for v in (s - 1, s + 1) if 0 <= v < 9]

        def distance(self, u, v):
            return 0

        def state(self, key):
            return ord(key) - ord("a")

        def key(self, state):
            return chr(state + ord("a"))

    found = replan.find_path(Line(), "b", "f")
    assert ("".join(found.cells), found.cost) == ("bcdef", 2.0)
    assert "".join(replan.find_path(Line(), "b", ["f", "a"]).cells) == "ba"


class Kept(replan.Grid):
    """A grid that weak references can see."""


def test_arrays_are_used_again_and_keep_no_space_alive():
    grid = Kept(np.zeros((50, 50), bool))
    gone = weakref.ref(grid)
    for planner in ("A*", "Backward A*", "Weighted A*"):
        for goal in ((49, 49), {(3, 3), (4, 9)}):
            replan.find_path(grid, (0, 0), goal, planner)
    gc.disable()
    try:
        del grid
        assert gone() is None, "something still refers to the space"
    finally:
        gc.enable()


@pytest.mark.skipif(not replan.compiled, reason="interpreted, every number is an object")
def test_a_second_call_makes_no_arrays():
    grid = open_grid(300)
    replan.find_path(grid, (0, 0), (5, 5))
    tracemalloc.start()
    try:
        replan.find_path(grid, (0, 0), (5, 5))
        peak = tracemalloc.get_traced_memory()[1]
        for seed in range(40):  # options that differ from call to call
            replan.find_path(grid, (0, 0), (2, 2), ties="random", seed=seed)
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert peak < grid.n, "less than a byte a cell"
    assert held < 10 * 40 * grid.n, "not the arrays of forty searches"


@given(st.lists(problems(largest=3), min_size=4, max_size=4))
def test_maps_of_one_size_use_the_same_arrays(maps):
    """Grids and graphs with as many states, one after the other: each path is that of its own space."""
    for case, start, goal in maps:
        check_path(case, replan.find_path(case.grid(), start, goal), start, {goal})
        chain = replan.Graph([(i, i + 1, 1.0) for i in range(case.grid().n - 1)])
        assert chain.n == case.grid().n
        assert replan.find_path(chain, 3, 7).cells == [3, 4, 5, 6, 7]


@pytest.mark.skipif(not replan.compiled, reason="interpreted, every number is an object")
def test_a_new_map_of_a_size_that_was_searched_makes_no_arrays():
    def new_map_bytes() -> int:
        grid = open_grid(150)
        tracemalloc.start()
        try:
            replan.find_path(grid, (0, 0), (149, 149))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    new_map_bytes()
    assert new_map_bytes() < 150 * 150 * 8


def test_threads_share_nothing():
    grid = replan.Grid(replan.cave(40, 40, seed=2))
    free = [tuple(map(int, cell)) for cell in np.argwhere(~grid.blocked)]
    ends = [(free[7 * i % len(free)], free[-1 - 5 * i % len(free)]) for i in range(64)]
    alone = [replan.find_path(grid, a, b) for a, b in ends]
    ready = Barrier(8)

    def some(part: int) -> list:
        ready.wait()
        return [replan.find_path(grid, a, b) for a, b in ends[part::8]]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(some, range(8)))
    assert [together[i % 8][i // 8] for i in range(64)] == alone


def test_a_search_from_inside_another():
    """A heuristic that asks for a path on the same map."""
    grid = open_grid(8, neighbors=4)

    def far(a, b):
        return replan.find_path(grid, a, b).cost

    assert replan.find_path(grid, (0, 0), (7, 7), heuristic=far).cost == 14.0
    with pytest.raises(RuntimeError, match="is being searched"):
        replan.find_path(grid, (0, 0), (7, 7), heuristic=lambda a, b: grid.set_value(grid.state((3, 3)), 0) or 0)
    assert replan.find_path(grid, (0, 0), (7, 7)).cost == 14.0


def test_an_error_leaves_nothing_behind():
    grid = open_grid(8)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            replan.find_path(grid, (0, 0), (7, 7), heuristic=lambda a, b: 1 / 0)
        assert len(replan.find_path(grid, (0, 0), (7, 7)).cells) == 8


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (((9, 9), (0, 0)), r"cell \(9, 9\) is outside the map"),
        (((0, 0), "home"), "a cell is"),
        (((0, 0), []), "there is no goal"),
        (((0, 0), (1, 1), "rtta"), "did you mean rta, rtaa or lrta"),
        (((0, 0), (1, 1), 7), "a planner is the name of one"),
        (((0, 0), (5, 5), "RTAA*"), "RTAA\\* has found only the beginning of a path: find_path needs a planner"),
    ],
)
def test_what_is_refused(given, words):
    with pytest.raises(replan.InputError, match=words):
        replan.find_path(open_grid(), *given, **({"lookahead": 1} if "RTAA*" in given else {}))


def test_refused_spaces_and_options():
    with pytest.raises(replan.InputError, match=r"replan\.Grid\(\.\.\.\)"):
        replan.find_path(np.zeros((3, 3), bool), (0, 0), (2, 2))
    with pytest.raises(replan.InputError, match="has no option 'weight'"):
        replan.find_path(open_grid(), (0, 0), (2, 2), weight=2.0)
    with pytest.raises(replan.InputError, match="give ties when you make the planner"):
        replan.find_path(open_grid(), (0, 0), (2, 2), replan.planner("A*"), ties="random")


def test_waiting_is_no_answer_where_nothing_changes():
    blocked = np.zeros((3, 3), bool)
    blocked[1] = True
    for name in ("A*", "D* Lite", "Non-RTD*", "ARA*"):
        assert replan.find_path(replan.Grid(blocked), (0, 0), (2, 2), name) is None


@pytest.mark.parametrize("name", ["A*", "a*", "a-star", "BFS", "Weighted A*", "Backward A*"])
def test_short_names_are_names_everywhere(name):
    assert replan.planner(name).spec.name.startswith("Repeated")
    assert replan.simulate(open_grid(neighbors=4), name, (0, 0), (5, 5)).reached
    row = replan.compare(open_grid(neighbors=4), [name], [((0, 0), (5, 5))])[0]
    assert row["planner"].startswith("Repeated")
