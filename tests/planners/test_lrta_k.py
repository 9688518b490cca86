"""LRTA*(k) against its oracle, and what its paper says of it."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import replan
from examples import examples
from falls import graph_stories, grid_stories, tell
from lockstep import Episode, GraphTerrain, GridTerrain, Pair, edges_of, episodes, graph_trips, grid_trips
from oracle.lrta_k import LRTAStarK
from oracle.searches import dijkstra, inconsistent, reachable, reversed_edges
from strategies import ORDERS, QUEUES

orders = st.sampled_from([*QUEUES, {"prefer": "smaller g", "ties": "random", "seed": 7}])
numbers = st.sampled_from([1, 2, 3, 6, 20, 200])


@st.composite
def terrains(draw: Any, directed: bool | None = None, largest: int = 6) -> Any:
    """A function that makes a grid or a graph anew, a start and goals."""
    if draw(st.booleans()):
        case, start, goals = draw(grid_trips(largest=largest))
        return (lambda: GridTerrain(case)), start, goals
    graph, blocked, start, goals = draw(graph_trips(directed=directed))
    return (lambda: GraphTerrain(graph, blocked)), start, goals


def one(goals: set[Any]) -> Any:
    return goals if len(goals) > 1 else next(iter(goals))


def true_edges(terrain: Any) -> dict[Any, dict[Any, int]]:
    terrain.belief = terrain.truth
    return edges_of(terrain.steps())


class CountingPair(Pair):
    """Compares the number of updates, too."""

    def run(self, *given: Any) -> Any:
        record, updates, plain = None, [], self.oracle.episode

        def episode(steps: Any, at: Any) -> Any:
            count, step = plain(steps, at)
            updates.append(count)
            return count, step

        self.oracle.episode = episode  # type: ignore[method-assign]
        record = super().run(*given)
        counts = [count for count in record.expansions if count]
        assert counts == updates[: len(counts)]
        return record


@examples(150)
@given(trip=terrains(largest=7), order=orders, k=numbers)
def test_it_takes_the_steps_of_its_oracle(trip, order, k):
    terrain, start, goals = trip
    planner = replan.planner("LRTA*(k)", k=k, detect_unreachable=False, **order)
    CountingPair(terrain(), planner, LRTAStarK(k, **order), start, goals).run()


@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair", "reset"])
@examples(50)
@given(story=st.one_of(grid_stories(), graph_stories()), order=orders, k=numbers)
def test_it_takes_the_steps_of_its_oracle_where_costs_fall(on_cost_decrease, story, order, k):
    terrain, start, goals, events = story
    planner = replan.planner("LRTA*(k)", k=k, on_cost_decrease=on_cost_decrease, **order)
    tell(Pair(terrain(), planner, LRTAStarK(k, on_cost_decrease=on_cost_decrease, **order), start, goals), events)


@examples(100)
@given(trip=terrains(), order=orders)
def test_with_k_1_it_is_lrta(trip, order):
    """Trip for trip, count for count."""
    terrain, start, goals = trip
    told = []
    for name, options in (("LRTA*(k)", {"k": 1}), ("LRTA*", {"depth": 1})):
        trips = replan.simulate(
            terrain().world(), replan.planner(name, **options, **order), start, one(goals), 2000, trials=2
        )
        figures = [t.as_dict() for t in trips]
        told.append([(f["path"], f["why"], f["expansions"], f["percolations"], f["h_increase"]) for f in figures])
    assert told[0] == told[1]


@examples(60)
@given(trip=terrains(), order=orders, k=numbers)
def test_h_never_falls_and_stays_consistent(trip, order, k):
    """So it never overestimates: the updating strategy maintains admissibility."""
    terrain, start, goals = trip
    for e in episodes(terrain(), replan.planner("LRTA*(k)", k=k, **order), start, goals):
        assert all(e.after[s] >= e.before[s] for s in e.before)
        assert inconsistent(e.edges, lambda s, e=e: e.after[s], goals) == []
        assert risen(e) <= k
        for s in goals & set(e.after):
            assert e.after[s] == 0


def risen(e: Episode) -> int:
    return sum(e.after[s] > e.before[s] for s in e.before)


@pytest.mark.parametrize("directed", [False, True])
@examples(60)
@given(data=st.data(), order=orders, k=numbers)
def test_reachable_goals_are_reached(directed, data, order, k):
    """Completeness: where a goal can be reached from every state that can be reached."""
    terrain, start, goals = data.draw(terrains(directed=directed))
    edges = true_edges(terrain())
    if directed:
        back = reversed_edges(edges)
        assume({s for g in goals for s in reachable(back, g)} == set(edges))
    trip = replan.simulate(terrain().world(), replan.planner("LRTA*(k)", k=k, **order), start, one(goals), 20_000)
    assert all(b in edges[a] for a, b in pairwise(trip.path))
    assert trip.why == ("reached" if goals & reachable(edges, start) else "unreachable")


@examples(30)
@given(trip=terrains(directed=False, largest=5), order=st.sampled_from(ORDERS), k=numbers)
def test_repeated_trials_converge_to_cheapest_paths(trip, order, k):
    terrain, start, goals = trip
    edges = true_edges(terrain())
    ways = dijkstra(edges, start)
    assume(goals & set(ways))
    trips = replan.simulate(
        terrain().world(), replan.planner("LRTA*(k)", k=k, **order), start, one(goals), trials=60
    )
    last = next(b for a, b in pairwise(trips) if a.h_increase == b.h_increase == 0)
    assert sum(edges[a][b] for a, b in pairwise(last.path)) == min(ways[g] for g in goals & set(ways))


def test_a_larger_k_leaves_a_dead_end_sooner():
    """The paper: better solutions in the first trial."""
    blocked = np.zeros((15, 15), bool)
    blocked[2:13, 11], blocked[2, 3:11], blocked[12, 3:11] = True, True, True
    grid = replan.Grid(blocked, neighbors=4)
    moves = [
        replan.simulate(replan.World(grid), replan.planner("LRTA*(k)", k=k), (7, 5), (7, 14)).moves for k in (1, 6, 50)
    ]
    assert moves[0] > 2 * moves[1] and moves[1] > moves[2]


@examples(40)
@given(trip=terrains(), order=orders, k=numbers, lookahead=st.integers(1, 7))
def test_a_lookahead_bounds_the_updates(trip, order, k, lookahead):
    terrain, start, goals = trip
    planners = [
        replan.planner("LRTA*(k)", k=k, lookahead=lookahead, **order),
        replan.planner("LRTA*(k)", k=min(k, lookahead), **order),
    ]
    trips = [replan.simulate(terrain().world(), planner, start, one(goals), 500) for planner in planners]
    assert trips[0].path == trips[1].path and max(trips[0].episode_expansions, default=0) <= min(k, lookahead)


@examples(40)
@given(trip=terrains(), order=orders, k=numbers, moves=st.integers(0, 9))
def test_a_copy_has_the_supports(trip, order, k, moves):
    terrain, start, goals = trip
    made = terrain()
    agent = replan.Agent(replan.planner("LRTA*(k)", k=k, **order), made.space(), start, one(goals))
    for _ in range(moves):
        if path := agent.plan():
            agent.move(path[0])
    other = copy.deepcopy(agent)
    for _ in range(20):
        assert agent.plan() == other.plan()
        np.testing.assert_array_equal(agent.snapshot()["h"], other.snapshot()["h"])
        for one_of in (agent, other):
            if path := one_of.plan():
                one_of.move(path[0])


@pytest.mark.parametrize("k", [0, -1, 1.5, "6", None, True, 2_000_000])
def test_what_k_may_be(k):
    with pytest.raises(replan.InputError, match="k is a whole number from 1 to 1,000,000, not"):
        replan.planner("LRTA*(k)", k=k)
