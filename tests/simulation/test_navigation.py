"""Trips through terrain that is unknown, wrongly known, or changing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle import navigation
from oracle.grids import true_length
from oracle.navigation import Navigator, Rules
from oracle.searches import dijkstra, reachable
from oracle.sight import adjacent, in_circle
from strategies import (
    ORDERS,
    QUEUES,
    GraphCase,
    GridCase,
    graph_cases,
    grid_cases,
    kinds_for,
    masks,
    names,
    problems,
    specs,
)

ALL = replan.planners()
COMPLETE = specs(is_realtime=False, needs_plain_grid=False)
ANYWHERE = specs(needs_plain_grid=False)
REALTIME = specs(is_realtime=True)
WAITING = {s.name for s in specs(may_wait=True)}


def check_trip(trip: replan.Trip, case: GridCase, start, goals: set) -> None:
    """What holds for every trip in a world that does not change."""
    edges = case.edges()
    assert trip.path[0] == start and len(trip.path) == trip.moves + 1
    assert all(b in edges[a] for a, b in zip(trip.path, trip.path[1:], strict=False)), (
        "every move is legal in the truth"
    )
    assert trip.cost == pytest.approx(true_length(trip.path, None if case.weights is None else case.weights))
    assert trip.reached == (trip.why == "reached") == (trip.path[-1] in goals)
    assert trip.steps == trip.moves + trip.waits == trip.informed_moves + trip.partial_moves + trip.waits
    if trip.planner not in WAITING:
        assert trip.waits == 0, "nothing to wait for"
    assert trip.episodes == len(trip.episode_expansions)
    assert trip.expansions == sum(trip.episode_expansions)
    assert trip.search_ns >= 0 and trip.episode_ns is None


def sensor_of(kind, case: GridCase):
    """A sensor as replan takes it, and as the slow navigator does."""
    if kind == "adjacent":
        return kind, lambda blocked, at: [*adjacent(blocked, case.neighbors, at), at]
    if kind == "everything":
        return kind, lambda blocked, at: [(r, c) for r in range(case.shape[0]) for c in range(case.shape[1])]
    radius, sight = kind

    def circle(blocked, at):
        near = in_circle(blocked, at, radius, sight)
        return sorted({*near, *adjacent(blocked, case.neighbors, at)})

    return replan.Radius(radius, line_of_sight=sight), circle


def caught_at(route: list, trip: replan.Trip) -> set:
    """Where the target is after the last step: it may have come to the agent, or been caught before it moved."""
    return {route[min(k, len(route) - 1)] for k in (trip.steps, max(0, trip.steps - 1))}


SENSORS = ["adjacent", "everything", (1, False), (1.5, True), (2, False), (2.9, True), (4, False), (4, True)]


@st.composite
def searchers(draw, case: GridCase):
    """A planner and the slow search that it must equal."""
    rules = Rules(case.neighbors, case.corners, case.weights is not None, case.walls)
    options = draw(st.sampled_from(QUEUES))
    prefer, ties = ("", "last-in") if "queue" in options else (options["prefer"], options["ties"])
    kind = draw(st.sampled_from(["forward", "backward", "weighted", "bfs"]))
    if kind == "bfs" and case.neighbors == 4 and case.weights is None:
        return rules, replan.planner("Repeated BFS"), navigation.flood(rules)
    if kind == "backward":
        return rules, replan.planner("Repeated Backward A*", **options), navigation.backward(rules, prefer, ties)
    if kind == "weighted":
        made = replan.planner("Repeated Weighted A*", weight=2.5, **options)
        return rules, made, navigation.forward(rules, prefer, ties, 25)
    return rules, replan.planner("Repeated Forward A*", **options), navigation.forward(rules, prefer, ties)


def same(trip: replan.Trip, slow: navigation.Journey) -> None:
    assert trip.why == slow.why
    assert trip.path == slow.path
    assert len(trip.episode_expansions) == len(slow.expansions)
    for ours, theirs in zip(trip.episode_expansions, slow.expansions, strict=True):
        assert ours in (theirs, 0)  # 0: nothing had changed since a search that found no way
    assert trip.steps == slow.steps


@examples(250)
@given(problems(), st.data(), st.sampled_from(SENSORS))
def test_unknown_terrain_episode_by_episode(problem, data, kind):
    case, start, goal = problem
    rules, planner, search = data.draw(searchers(case))
    sensor, slow_sensor = sensor_of(kind, case)
    belief = data.draw(st.sampled_from(["nothing", "everything"]))
    known = case.values() if belief == "everything" else [[1] * case.shape[1] for _ in range(case.shape[0])]
    world = replan.World(case.grid(), sensor=sensor, known=belief)
    slow = Navigator(rules, case.values(), known, slow_sensor, search).go(start, {goal})
    trip = replan.simulate(world, planner, start, goal)
    same(trip, slow)
    check_trip(trip, case, start, {goal})
    again = replan.simulate(world, planner, start, goal)
    assert {**again.as_dict(), "search_ns": 0} == {**trip.as_dict(), "search_ns": 0}, "a second trip is the same"


@examples(150)
@given(problems(), st.data(), st.sampled_from(SENSORS))
def test_a_wrong_map_episode_by_episode(problem, data, kind):
    """Cells believed blocked that are free, and the other way round; weights believed too low and too high."""
    case, start, goal = problem
    rules, planner, search = data.draw(searchers(case))
    sensor, slow_sensor = sensor_of(kind, case)
    wrong = GridCase(
        data.draw(masks(case.shape)),
        case.neighbors,
        case.corners,
        None if case.weights is None else np.maximum(1, 4 - case.weights),
        case.walls,
    )
    world = replan.World(case.grid(), sensor=sensor, known=wrong.grid())
    slow = Navigator(rules, case.values(), wrong.values(), slow_sensor, search).go(start, {goal})
    trip = replan.simulate(world, planner, start, goal)
    same(trip, slow)
    check_trip(trip, case, start, {goal})


@examples(200)
@given(problems(), st.data(), st.sampled_from(SENSORS))
def test_changing_terrain_episode_by_episode(problem, data, kind):
    """Doors and slopes on a script, seen or not. The user's grid stays as it was, and a second trip is the same."""
    case, start, goal = problem
    rules, planner, search = data.draw(searchers(case))
    sensor, slow_sensor = sensor_of(kind, case)
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    values = st.sampled_from([0, 1] if case.weights is None else [0, 1, 4])
    steps = st.integers(0, 12)
    script = data.draw(st.lists(st.tuples(steps, cells, values), max_size=10))
    script = [change for change in script if change not in ((0, start, 0), (0, goal, 0))]
    belief = data.draw(st.sampled_from(["nothing", "everything"]))
    known = case.values() if belief == "everything" else [[1] * case.shape[1] for _ in range(case.shape[0])]
    grid = case.grid()
    words = {0: "blocked", 1: "free" if case.weights is None else 1, 4: 4}  # "free" gives back an earlier weight
    changes = [(step, cell, words[value]) for step, cell, value in script]
    world = replan.World(grid, sensor=sensor, known=belief, changes=changes)
    slow = Navigator(rules, case.values(), known, slow_sensor, search, script).go(start, {goal})
    trip = replan.simulate(world, planner, start, goal)
    same(trip, slow)
    assert np.array_equal(grid.blocked, case.blocked), "the user's grid is not changed"
    assert trip.steps >= trip.moves
    again = replan.simulate(world, planner, start, goal)
    assert {**again.as_dict(), "search_ns": 0} == {**trip.as_dict(), "search_ns": 0}


@examples(120)
@given(problems(), st.data(), st.sampled_from(SENSORS))
def test_a_moving_target_episode_by_episode(problem, data, kind):
    case, start, goal = problem
    rules, planner, search = data.draw(searchers(case))
    sensor, slow_sensor = sensor_of(kind, case)
    edges, route = case.edges(), [goal]
    for turn in data.draw(st.lists(st.integers(0, 8), max_size=12)):
        options = [route[-1], *edges[route[-1]]]
        route.append(options[turn % len(options)])
    known = [[1] * case.shape[1] for _ in range(case.shape[0])]
    world = replan.World(case.grid(), sensor=sensor, target=route)
    cheapest = planner.spec.is_optimal
    slow = Navigator(rules, case.values(), known, slow_sensor, search, target=route, cheapest=cheapest).go(
        start, {goal}
    )
    trip = replan.simulate(world, planner, start)
    same(trip, slow)
    assert trip.reached == (route[-1] in reachable(edges, start) or trip.path[-1] in route)
    if trip.reached:
        assert trip.path[-1] in caught_at(route, trip)


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
@examples(60)
@given(data=st.data())
def test_every_reachable_goal_is_reached(spec, data):
    case, start, goal = data.draw(problems(largest=5, **kinds_for(spec)))
    sensor, _ = sensor_of(data.draw(st.sampled_from(SENSORS)), case)
    planner = replan.planner(spec.slug)
    limit = 100_000 if spec.is_realtime else None
    trip = replan.simulate(replan.World(case.grid(), sensor=sensor), planner, start, goal, max_moves=limit)
    check_trip(trip, case, start, {goal})
    if goal in reachable(case.edges(), start):
        assert trip.why == "reached"
    else:
        assert trip.why == "unreachable"
    if not spec.is_realtime:
        assert trip.moves <= (~case.blocked).sum() ** 2


@pytest.mark.parametrize("spec", REALTIME, ids=names(REALTIME))
@examples(40)
@given(problem=problems(largest=5), lookahead=st.sampled_from([1, 2, 5, None]))
def test_real_time_planners_with_any_lookahead(spec, problem, lookahead):
    case, start, goal = problem
    planner = replan.planner(spec.slug, lookahead=lookahead)
    trip = replan.simulate(replan.World(case.grid()), planner, start, goal, max_moves=100_000)
    check_trip(trip, case, start, {goal})
    assert trip.why == ("reached" if goal in reachable(case.edges(), start) else "unreachable")
    if lookahead is not None and spec.slug not in ("lrta", "rta"):
        assert all(n <= lookahead for n in trip.episode_expansions)


@pytest.mark.parametrize("spec", COMPLETE, ids=names(COMPLETE))
@examples(40)
@given(problem=problems(), share=st.floats(0, 1))
def test_goal_sets_in_unknown_terrain(spec, problem, share):
    case, start, goal = problem
    if spec.needs_unit_costs:
        case.neighbors, case.weights = 4, None
    free = case.free_cells()
    goals = {goal, *free[: int(share * 4)]}
    trip = replan.simulate(replan.World(case.grid()), replan.planner(spec.slug), start, goals)
    check_trip(trip, case, start, goals)
    assert trip.reached == bool(goals & reachable(case.edges(), start))


@pytest.mark.parametrize("spec", ANYWHERE, ids=names(ANYWHERE))
@examples(40)
@given(data=st.data())
def test_graphs_with_closed_edges_that_nobody_told_of(spec, data):
    costs = st.just(3) if spec.needs_unit_costs else None
    case: GraphCase = data.draw(graph_cases(costs=costs))
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    truth = case.graph()
    for u, v, _ in data.draw(st.lists(st.sampled_from(case.listed), max_size=6)) if case.listed else []:
        truth.block(u, v)
    edges = {u: {} for u in case.nodes}
    for u in case.nodes:
        for v in case.nodes:
            if truth.cost_of(u, v) < float("inf"):
                edges[u][v] = int(truth.cost_of(u, v))
    trip = replan.simulate(replan.World(truth), replan.planner(spec.slug), start, goal, max_moves=100_000)
    assert all(b in edges[a] for a, b in zip(trip.path, trip.path[1:], strict=False))
    assert trip.cost == sum(edges[a][b] for a, b in zip(trip.path, trip.path[1:], strict=False))
    if not case.directed:  # in directed graphs one can walk into a trap
        assert trip.reached == (goal in reachable(edges, start))
        assert trip.why == ("reached" if trip.reached else "unreachable")
    if goal not in reachable(edges, start):
        assert trip.why == "unreachable"
    elif start == goal:
        assert trip.moves == 0


@given(grid_cases(), st.data())
def test_the_cost_is_the_best_there_is_when_everything_is_known(case: GridCase, data):
    free = case.free_cells()
    if not free:
        return
    start, goal = data.draw(st.sampled_from(free)), data.draw(st.sampled_from(free))
    best = dijkstra(case.edges(), start).get(goal)
    for world in (
        case.grid(),
        replan.World(case.grid(), known="everything"),
        replan.World(case.grid(), sensor="everything"),
        replan.World(case.grid(), known=case.grid()),
    ):
        trip = replan.simulate(world, "Repeated Forward A*", start, goal)
        assert trip.reached == (best is not None)
        if best is not None:
            ticks = sum(case.edges()[a][b] for a, b in zip(trip.path, trip.path[1:], strict=False))
            assert ticks == best


@pytest.mark.parametrize("options", [*ORDERS, {"queue": "buckets"}, {"ties": "random", "seed": 5}])
def test_all_orders_walk_a_large_unknown_map(options):
    """More than 1,024 moves and 256 episodes, so that the records of a trip must grow."""
    grid = replan.Grid(replan.random_obstacles(40, 40, density=0.42, seed=4), neighbors=8, corners="free")
    free = [tuple(c) for c in np.argwhere(~grid.blocked).tolist()]
    trip = replan.simulate(replan.World(grid), replan.planner("Repeated Forward A*", **options), free[0], free[-1])
    assert trip.why in ("reached", "unreachable")
    for a, b in zip(trip.path, trip.path[1:], strict=False):
        assert grid.edge_cost(grid.state(a), grid.state(b)) < 1 << 62
