"""On known maps: every planner's way against Dijkstra's."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.searches import dijkstra
from strategies import HEAVY, QUEUES, GraphCase, graph_cases, names, problems, specs

OPTIMAL = [s for s in specs(is_optimal=True) if not s.needs_unit_costs]
BOUNDED = [s for s in replan.planners() if s.bound_option]
UNIT = specs(needs_unit_costs=True, needs_plain_grid=False)
RANDOM = {"ties": "random", "seed": 3}


def ticks_of(path: list, edges: dict) -> int:
    return sum(edges[a][b] for a, b in itertools.pairwise(path))


def check_optimal(trip: replan.Trip, edges: dict, start, goals: set) -> None:
    exact = dijkstra(edges, start)
    best = min((exact[g] for g in goals if g in exact), default=None)
    assert trip.reached == (best is not None)
    if best is None:
        assert trip.why == "unreachable" and trip.path == [start]
    else:
        assert trip.path[0] == start and trip.path[-1] in goals
        assert ticks_of(trip.path, edges) == best
        assert trip.episodes <= 1 or trip.planner == "Non-RTD*"  # whose episodes are steps


@pytest.mark.parametrize("spec", OPTIMAL, ids=names(OPTIMAL))
@given(problem=problems(), options=st.sampled_from([*QUEUES, RANDOM]))
def test_costs_are_dijkstras_on_grids(spec, problem, options):
    case, start, goal = problem
    trip = replan.simulate(case.grid(), replan.planner(spec.slug, **options), start, goal)
    check_optimal(trip, case.edges(), start, {goal})


@pytest.mark.parametrize("spec", OPTIMAL, ids=names(OPTIMAL))
@examples(50)
@given(problem=problems(weighted=True, table=HEAVY))
def test_costs_are_dijkstras_with_extreme_weights(spec, problem):
    case, start, goal = problem
    trip = replan.simulate(case.grid(), replan.planner(spec.slug), start, goal)
    check_optimal(trip, case.edges(), start, {goal})


@pytest.mark.parametrize("spec", OPTIMAL, ids=names(OPTIMAL))
@examples(60)
@given(problem=problems(), data=st.data(), options=st.sampled_from(QUEUES))
def test_goal_sets(spec, problem, data, options):
    """The nearest of several goals, blocked ones among them."""
    case, start, goal = problem
    others = data.draw(st.sets(st.sampled_from(sorted(case.edges())), max_size=4))
    goals = {goal} | others
    trip = replan.simulate(case.grid(), replan.planner(spec.slug, **options), start, goals)
    check_optimal(trip, case.edges(), start, {g for g in goals if not case.blocked[g]})


@pytest.mark.parametrize("spec", OPTIMAL, ids=names(OPTIMAL))
@given(case=graph_cases(), data=st.data(), options=st.sampled_from([*QUEUES, RANDOM]))
def test_costs_are_dijkstras_on_graphs(spec, case: GraphCase, data, options):
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    edges = case.edges()
    trip = replan.simulate(case.graph(), replan.planner(spec.slug, **options), start, goal)
    check_optimal(trip, edges, start, {goal})
    assert trip.cost == ticks_of(trip.path, edges)


@pytest.mark.parametrize("spec", UNIT, ids=names(UNIT))
@given(problem=problems(neighbors=(4,), weighted=False), data=st.data())
def test_planners_for_equal_costs_on_grids(spec, problem, data):
    case, start, goal = problem
    goals = {goal} | data.draw(st.sets(st.sampled_from(case.free_cells()), max_size=3))
    check_optimal(replan.simulate(case.grid(), spec.slug, start, goals), case.edges(), start, goals)


@pytest.mark.parametrize("spec", UNIT, ids=names(UNIT))
@given(case=graph_cases(costs=st.just(7)), data=st.data())
def test_planners_for_equal_costs_on_graphs(spec, case: GraphCase, data):
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    check_optimal(replan.simulate(case.graph(), spec.slug, start, goal), case.edges(), start, {goal})


@given(problems(), st.sampled_from(QUEUES), st.sampled_from([1, 1.1, 1.5, 3, 100]))
def test_weighted_a_star_stays_within_its_weight(problem, options, weight):
    case, start, goal = problem
    edges = case.edges()
    planner = replan.planner("Repeated Weighted A*", weight=weight, **options)
    trip = replan.simulate(case.grid(), planner, start, goal)
    best = dijkstra(edges, start).get(goal)
    assert trip.reached == (best is not None)
    if best is not None:
        assert best <= ticks_of(trip.path, edges) <= weight * best


@given(graph_cases(directed=True), st.data())
def test_weighted_a_star_on_directed_graphs(case: GraphCase, data):
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    edges = case.edges()
    trip = replan.simulate(case.graph(), replan.planner("Repeated Weighted A*", weight=2), start, goal)
    best = dijkstra(edges, start).get(goal)
    assert trip.reached == (best is not None)
    assert best is None or best <= trip.cost <= 2 * best


@pytest.mark.parametrize("spec", replan.planners(), ids=names(replan.planners()))
def test_start_is_goal(spec):
    grid = replan.Grid([[False, False], [False, True]], neighbors=4)
    trip = replan.simulate(grid, spec.slug, (0, 0), (0, 0))
    assert (trip.reached, trip.path, trip.moves, trip.episodes, trip.cost) == (True, [(0, 0)], 0, 0, 0)


@pytest.mark.parametrize("spec", BOUNDED, ids=names(BOUNDED))
@examples(50)
@given(problem=problems(weighted=True), data=st.data())
def test_a_bound_holds_for_the_first_path(spec, problem, data):
    """The map is known and stays as it is, so the trip is the first path or a better one."""
    case, start, goal = problem
    bound = data.draw(st.sampled_from([1.0, 1.5, 3.0]))
    trip = replan.simulate(case.grid(), replan.planner(spec.slug, **{spec.bound_option: bound}), start, goal)
    exact = dijkstra(case.edges(), start)
    assert trip.reached == (goal in exact)
    if trip.reached:
        assert ticks_of(trip.path, case.edges()) <= bound * exact[goal]
