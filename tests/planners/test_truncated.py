"""Truncated D* Lite: after every episode its path keeps the bound, against Dijkstra's algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, bounded, graph_stories, grid_stories, heavy_stories, road_stories, stories
from examples import examples

ORDERS = {
    "smaller-g": {"prefer": "smaller g"},
    "larger-g": {"prefer": "larger g"},
    "larger-g-random": {"ties": "random", "seed": 5},
    "buckets": {"queue": "buckets"},
}
BOUNDS = [1.0, 1.01, 1.1, 1.5, 2.0, 10.0]
order = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))
when = st.sampled_from(["blocked", "changed"])


def play(story: Any, bound: float, **options: Any) -> None:
    def check(scene: Scene, fresh: bool) -> None:
        if fresh:  # the bound is one of the moment of the search: what is left of a path may exceed it
            bounded(scene, fresh, bound)

    Scene(story, replan.planner("Truncated D* Lite", bound=bound, **options)).play(story.events, check)


@order
@examples(80)
@given(story=grid_stories(targets=True), bound=st.sampled_from(BOUNDS), when=when)
def test_the_bound_is_kept_on_grids(order, story, bound, when):
    play(story, bound, replan_when=when, **order)


@order
@examples(80)
@given(story=graph_stories(targets=True), bound=st.sampled_from(BOUNDS), when=when)
def test_the_bound_is_kept_on_graphs_also_directed_ones(order, story, bound, when):
    play(story, bound, replan_when=when, **order)


@order
@examples(60)
@given(story=st.one_of(road_stories(), grid_stories(largest=12)), bound=st.sampled_from(BOUNDS), when=when)
def test_the_bound_is_kept_on_roads_and_larger_grids(order, story, bound, when):
    play(story, bound, replan_when=when, **order)


@order
@examples(30)
@given(data=st.data(), bound=st.sampled_from(BOUNDS))
def test_the_bound_is_kept_with_extreme_weights(order, data, bound):
    play(data.draw(heavy_stories(order)), bound, **order)


@examples(40)
@given(story=stories(), bound=st.sampled_from(BOUNDS))
def test_the_bound_is_kept_without_a_heuristic(story, bound):
    play(story, bound, heuristic="zero")


def toggled(bound: float | None, seed: int) -> tuple[int, list[float]]:
    """An agent that stays where it is, on a map of which a hundredth is blocked and freed: expansions, and costs."""
    rng = np.random.default_rng(seed)
    grid = replan.Grid(replan.rooms(100, 100, 9, seed=seed))
    planner = replan.planner("D* Lite") if bound is None else replan.planner("Truncated D* Lite", bound=bound)
    agent = replan.Agent(planner, grid, (0, 0), (99, 99))
    free = np.argwhere(~grid.blocked)
    free = free[(free.sum(axis=1) > 0) & (free.sum(axis=1) < 198)]
    agent.plan()
    first, costs = planner.expansions, []
    for i in range(20):
        agent.observe(free[rng.integers(0, len(free), 100)], i % 2 == 0)
        agent.plan()
        costs.append(agent.remaining_cost)
    return planner.expansions - first, costs


def test_a_map_that_changes_everywhere_is_repaired_with_fewer_expansions():
    for seed in range(2):
        (exact, best), (loose, found) = toggled(None, seed), toggled(1.05, seed)
        assert loose < 0.7 * exact
        assert all(a <= 1.05 * b + 1e-9 for a, b in zip(found, best, strict=True))


def test_with_a_bound_of_one_it_is_cheapest():
    (_, best), (_, found) = toggled(None, 3), toggled(1.0, 3)
    assert found == best


@pytest.mark.parametrize("bound", [0.99, 10.01, 1.005, "x", None, float("nan")])
def test_bounds_that_are_none(bound):
    with pytest.raises(replan.InputError, match="bound"):
        replan.planner("Truncated D* Lite", bound=bound)


def test_it_says_its_bound_and_is_no_part_of_rtd():
    assert replan.planner("Truncated D* Lite", bound=1.25).bound == 1.25
    with pytest.raises(replan.InputError, match="global_"):
        replan.planner("RTD*", global_="Truncated D* Lite")
