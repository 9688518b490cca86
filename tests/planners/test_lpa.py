"""LPA* against Dijkstra after every batch of changes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Story, graph_stories, grid_stories, heavy_stories, limited, road_stories
from examples import examples
from lockstep import GridTerrain, edges_of
from oracle.searches import dijkstra

ORDERS = {
    "smaller-g": {"prefer": "smaller g"},
    "larger-g": {"prefer": "larger g", "ties": "last-in"},
    "random": {"ties": "random", "seed": 3},
    "buckets": {"queue": "buckets"},
}
order = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


def play(story: Story, order: dict[str, Any], every: int, **more: Any) -> None:
    """Ask after each `every`th batch: what happened in between is taken in at once."""
    terrain, goal = story.terrain(), min(story.goals)
    space = terrain.space()
    grid = isinstance(terrain, GridTerrain)
    query = replan.LPAStar(space, story.start, goal, **order, **more)
    edits = [event[1] for event in story.events if event[0] == "edit"]
    with limited():
        for i, changes in enumerate([[], *edits]):
            for place, value in changes:
                terrain.change(None, place, value)
            places = [p if grid else terrain.case.listed[p][:2] for p, _ in changes]
            values = [v for _, v in changes]
            if grid and terrain.case.weights is None:
                query.notify(places, blocked=[v == 0 for v in values])
            else:
                query.notify(places, weights=values)
            if i % every == 0 or i == len(edits):
                check(query, edges_of(terrain.steps()), story.start, goal)


def check(query: replan.LPAStar, edges: dict[Any, dict[Any, int]], start: Any, goal: Any) -> None:
    best = dijkstra(edges, start).get(goal)
    path, before = query.path(), query.expansions
    if best is None:
        assert path is None and query.cost == float("inf")
    else:
        assert path is not None and path[0] == start and path[-1] == goal
        assert sum(edges[a][b] for a, b in pairwise(path)) == best
    assert query.path() == path and query.expansions == before, "asked again it has nothing to do"


@order
@examples(120)
@given(story=st.one_of(grid_stories(), graph_stories()), every=st.integers(1, 3))
def test_cheapest_after_every_batch(order, story, every):
    play(story, order, every)


@order
@examples(60)
@given(story=road_stories())
def test_on_roads(order, story):
    play(story, order, 1)


@order
@examples(60)
@given(data=st.data(), every=st.integers(1, 3))
def test_weights_far_beyond_those_at_first(order, data, every):
    play(data.draw(heavy_stories(order)), order, every)


@order
@examples(30)
@given(story=grid_stories(largest=10))
def test_without_a_heuristic(order, story):
    play(story, order, 1, heuristic="zero")


@order
def test_a_weight_that_no_key_had_room_for(order):
    """All keys were made for weight 1; states beside the goal are then queued with costs far larger."""
    heavy = 1000 if order.get("queue") == "buckets" else 65_535
    grid = replan.Grid(np.zeros((20, 20), bool), weights=np.ones((20, 20), int))
    query = replan.LPAStar(grid, (0, 0), (19, 19), **order)
    query.path()
    query.notify([(18, c) for c in range(20)], weights=[heavy] * 20)
    same = replan.simulate(grid, "Repeated Forward A*", (0, 0), (19, 19))
    assert query.cost == pytest.approx(same.cost) and same.cost > heavy


@order
def test_repairs_are_cheaper_than_searches(order):
    """Blocks beside the goal of an open field, where there are other ways of the same cost."""
    grid = replan.Grid(np.zeros((30, 30), bool), neighbors=4)
    query = replan.LPAStar(grid, (0, 0), (29, 29), heuristic="zero", **order)
    query.path()
    first = query.expansions
    query.notify([(28, 28), (27, 29)], blocked=[True, True])
    assert query.cost == 58
    assert query.expansions - first < first / 20


def test_one_goal_and_the_start_on_it():
    grid = replan.Grid(np.zeros((2, 2), bool))
    assert replan.LPAStar(grid, (0, 0), (0, 0)).path() == [(0, 0)]
    with pytest.raises(replan.InputError, match="one goal"):
        replan.LPAStar(grid, (0, 0), {(0, 1), (1, 1)})
    with pytest.raises(replan.InputError, match="queue is one of"):
        replan.LPAStar(grid, (0, 0), (1, 1), queue="stack")


def test_what_others_change_in_its_space_is_known():
    """An agent observes, somebody puts, another query is notified: all answer for the space as it is."""
    grid = replan.Grid(np.zeros((3, 3), bool), neighbors=4)
    query, other = (replan.LPAStar(grid, (0, 0), (0, 2)) for _ in range(2))
    agent = replan.Agent("D* Lite", grid, (0, 0), (0, 2))
    straight, round_about = [(0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2), (0, 2)]

    def all_go(way: list[Any]) -> None:
        assert agent.plan() == way
        assert query.path() == other.path() == [(0, 0), *way]

    all_go(straight)
    agent.observe([(0, 1)], [True])
    all_go(round_about)
    grid.set_value(grid.location((0, 1)), 1)
    all_go(straight)
    query.notify([(0, 1)], [True])
    all_go(round_about)
    grid.assign(replan.Grid(np.zeros((3, 3), bool), neighbors=4))
    all_go(straight)


def test_directed_edges_that_others_change():
    graph = replan.Graph([("a", "b", 1), ("b", "c", 1), ("a", "c", 5), ("c", "a", 1)], directed=True)
    query, agent = replan.LPAStar(graph, "a", "c"), replan.Agent("D* Lite", graph, "c", "b")
    assert query.path() == ["a", "b", "c"]
    agent.observe([("b", "c")], weights=[9])
    assert query.path() == ["a", "c"]


def test_a_heuristic_that_fails_once_leaves_no_trace():
    calls = 0

    def h(a, b):
        nonlocal calls
        calls += 1
        if calls == 20:
            raise LookupError
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    query = replan.LPAStar(replan.Grid(np.zeros((6, 6), bool), neighbors=4), (0, 0), (5, 5), heuristic=h)
    with pytest.raises(LookupError):
        query.path()
    before = query.expansions
    assert query.cost == 10.0 and query.expansions >= before > 0


def test_who_overhears_in_the_middle_of_a_search_is_still_busy():
    queries = []

    def h(cell, goal):
        if queries:
            assert queries[0]._on_external_change()  # there is nothing new to hear
            with pytest.raises(RuntimeError, match="in the middle of a search"):
                queries[0].path()
        return 0

    query = replan.LPAStar(replan.Grid(np.zeros((3, 3), bool)), (0, 0), (2, 2), heuristic=h)
    queries.append(query)
    assert query.path() is not None
    assert query._on_external_change() and query.path() is not None
