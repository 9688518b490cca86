"""wLSS-LRTA* and its kin: against the oracle with weights, and what their authors prove."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import replan
from examples import examples
from falls import graph_stories, grid_stories, tell
from lockstep import GraphTerrain, GridTerrain, Pair, edges_of, episodes, graph_trips, grid_trips
from oracle import realtime
from oracle.realtime import steps_of, times
from oracle.searches import dijkstra, inconsistent, reachable
from strategies import QUEUES, graph_cases, problems

NAMES = ["wLSS-LRTA*", "wdaLSS-LRTA*", "aLSS-LRTA*"]
RANDOM = [{"prefer": p, "ties": "random", "seed": 7} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])
lookaheads = st.sampled_from([1, 2, 3, 5, 9, 17, None])
weights = st.sampled_from([1, 2, 3, 4, 16, 32, 100])


def pair_of(terrain: Any, name: str, start: Any, goals: set[Any], order: dict[str, Any], **options: Any) -> Pair:
    slow = {k: inf if v is None else v for k, v in options.items()}
    return Pair(
        terrain, replan.planner(name, **options, **order), realtime.RealTime(name, **slow, **order), start, goals
    )


@pytest.mark.parametrize("name", NAMES)
@examples(60)
@given(trip=grid_trips(largest=7), order=orders, lookahead=lookaheads, weight=weights)
def test_like_the_oracle_on_grids(name, trip, order, lookahead, weight):
    case, start, goals = trip
    pair_of(GridTerrain(case), name, start, goals, order, lookahead=lookahead, update_weight=weight).run()


@pytest.mark.parametrize("name", NAMES)
@examples(60)
@given(trip=graph_trips(), order=orders, lookahead=lookaheads, weight=weights)
def test_like_the_oracle_on_graphs(name, trip, order, lookahead, weight):
    case, blocked, start, goals = trip
    pair_of(GraphTerrain(case, blocked), name, start, goals, order, lookahead=lookahead, update_weight=weight).run()


@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair", "reset"])
@pytest.mark.parametrize("name", NAMES)
@examples(30)
@given(story=st.one_of(grid_stories(), graph_stories()), order=orders, lookahead=lookaheads, weight=weights)
def test_like_the_oracle_where_costs_fall(name, on_cost_decrease, story, order, lookahead, weight):
    terrain, start, goals, events = story
    options = {"lookahead": lookahead, "update_weight": weight, "on_cost_decrease": on_cost_decrease}
    pair = pair_of(terrain(), name, start, goals, order, **options)

    def check(pair: Pair) -> None:
        h = pair.h()
        if on_cost_decrease != "keep":
            assert inconsistent(edges_of(times(weight, pair.steps)), lambda s: h[s], pair.goals) == []

    tell(pair, events, check)


def check_theorems(terrain: Any, name: str, start: Any, goals: set[Any], lookahead: Any, weight: int) -> None:
    """h is w-consistent, so at most w times what the rest of the way costs; and no value falls."""
    planner = replan.planner(name, lookahead=lookahead, update_weight=weight)
    for episode in episodes(terrain, planner, start, goals):
        assert inconsistent(edges_of(times(weight, episode.steps)), lambda s, h=episode.after: h[s], goals) == []
        assert all(episode.after[s] >= episode.before[s] for s in episode.after)
        exact = dijkstra(episode.edges, episode.at)
        left = min((exact[g] for g in goals if g in exact), default=inf)
        assert episode.after[episode.at] <= weight * left


@pytest.mark.parametrize("name", NAMES)
@examples(50)
@given(trip=grid_trips(), lookahead=lookaheads, weight=weights)
def test_w_consistent_in_unknown_grids(name, trip, lookahead, weight):
    case, start, goals = trip
    check_theorems(GridTerrain(case), name, start, goals, lookahead, weight)


@pytest.mark.parametrize("name", NAMES)
@examples(50)
@given(trip=graph_trips(simple=True), lookahead=lookaheads, weight=weights)
def test_w_consistent_in_unknown_graphs(name, trip, lookahead, weight):
    case, blocked, start, goals = trip
    check_theorems(GraphTerrain(case, blocked), name, start, goals, lookahead, weight)


@pytest.mark.parametrize("name", NAMES)
@examples(60)
@given(problem=problems(), lookahead=st.sampled_from([1, 3, 9]), weight=weights)
def test_reached_exactly_when_there_is_a_way(name, problem, lookahead, weight):
    """An h of w times what the way costs is no reason to give up."""
    case, start, goal = problem
    planner = replan.planner(name, lookahead=lookahead, update_weight=weight)
    for world in (replan.World(case.grid()), case.grid()):
        trip = replan.simulate(world, planner, start, goal)
        assert trip.reached == (goal in reachable(case.edges(), start)) and trip.why != "max_moves"


@pytest.mark.parametrize("name", NAMES)
@examples(60)
@given(case=graph_cases(directed=True), data=st.data(), lookahead=st.sampled_from([1, 3, 9]), weight=weights)
def test_directed_graphs(name, case, data, lookahead, weight):
    """Where no step can be taken back an agent may walk into a place that it cannot leave: not before."""
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    planner = replan.planner(name, lookahead=lookahead, update_weight=weight)
    trip = replan.simulate(case.graph(), planner, start, goal, max_moves=5000)
    edges = case.edges()
    assert trip.why in ("reached", "unreachable")
    assert trip.reached or goal not in reachable(edges, trip.path[-1])


@pytest.mark.parametrize(("weighted", "plain"), [("wLSS-LRTA*", "LSS-LRTA*"), ("wdaLSS-LRTA*", "daLSS-LRTA*")])
@examples(40)
@given(problem=problems(), lookahead=lookaheads, order=orders)
def test_with_weight_one_nothing_is_weighted(weighted, plain, problem, lookahead, order):
    case, start, goal = problem
    one = replan.planner(weighted, lookahead=lookahead, update_weight=1, **order)
    other = replan.planner(plain, lookahead=lookahead, **order)
    trips = [replan.simulate(replan.World(case.grid()), planner, start, goal) for planner in (one, other)]
    assert trips[0].path == trips[1].path and trips[0].h_increase == trips[1].h_increase


@examples(25)
@given(problem=problems(largest=5), lookahead=st.sampled_from([1, 2, 5]), weight=st.sampled_from([2, 4, 16]))
def test_over_trials_it_converges(problem, lookahead, weight):
    """With equal costs to a cheapest path whatever the weight, in general to one of at most w times its cost."""
    case, start, goal = problem
    exact = dijkstra(case.edges(), start)
    assume(goal in exact and goal != start)
    planner = replan.planner("wLSS-LRTA*", lookahead=lookahead, update_weight=weight)
    trips = replan.simulate(replan.World(case.grid()), planner, start, goal, trials=150)
    last = trips[-1]
    assert last.path == trips[-2].path and last.h_increase == 0
    cost = sum(case.edges()[a][b] for a, b in zip(last.path, last.path[1:], strict=False))
    bound = 1 if case.neighbors == 4 and case.weights is None else weight
    assert exact[goal] <= cost <= bound * exact[goal]


@examples(60)
@given(problem=problems(), lookahead=st.sampled_from([1, 5, 20]), weight=weights, data=st.data())
def test_moving_targets(problem, lookahead, weight, data):
    """h is corrected as the target moves, and stays w-consistent."""
    case, start, goal = problem
    grid = case.grid()
    planner = replan.planner("wLSS-LRTA*", lookahead=lookahead, update_weight=weight)
    agent = replan.Agent(planner, grid, start, goal)
    steps = times(weight, steps_of(case.edges()))
    for _ in range(12):
        path = agent.plan()
        if not path:
            break
        agent.move(path[0])
        goal = data.draw(st.sampled_from([goal, *case.edges()[goal]]))
        agent.retarget(goal)
        h = grid.to_map_shape(planner.snapshot()["h"])
        known = {c: h[c] if h[c] >= 0 else grid.distance(grid.state(c), grid.state(goal)) for c in steps}
        assert inconsistent(edges_of(steps), lambda s, known=known: known[s], {goal}) == []


def test_a_dead_end_is_left_in_fewer_moves():
    """The larger the weight, the sooner."""
    blocked = np.zeros((15, 30), bool)
    blocked[[2, 12], 3:25] = True
    blocked[2:13, 24] = True
    grid = replan.Grid(blocked, neighbors=4)
    cost = {}
    for weight in (1, 2, 8):
        planner = replan.planner("LSS-LRTA*", lookahead=3, update_weight=weight)
        cost[weight] = replan.simulate(replan.World(grid), planner, (7, 22), (7, 28)).cost
    assert cost[1] > cost[2] > cost[8]


@pytest.mark.parametrize("weight", [0, 1.5, 101, None, True])
def test_the_weight_is_a_whole_number(weight):
    with pytest.raises(replan.InputError, match="update_weight is a whole number from 1 to 100"):
        replan.planner("wLSS-LRTA*", update_weight=weight)


def test_only_planners_that_learn_from_the_frontier_have_it():
    with pytest.raises(replan.InputError, match="no option 'update_weight'"):
        replan.planner("RTAA*", update_weight=2)
