"""D* Lite, three ways, against Dijkstra on the believed costs after every single event; Repeated A* as control."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, cheapest, graph_stories, grid_stories, heavy_stories, road_stories, stories
from examples import examples

ORDERS = {
    "smaller-g": {"prefer": "smaller g"},
    "smaller-g-last-in": {"prefer": "smaller g", "ties": "last-in"},
    "larger-g": {"prefer": "larger g"},
    "larger-g-random": {"ties": "random", "seed": 5},
    "buckets": {"queue": "buckets"},
}
WHEN = ["blocked", "changed"]
order = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


def dstar(order: dict, replan_when: str = "blocked", **more: object) -> replan.Planner:
    return replan.planner("D* Lite", replan_when=replan_when, **order, **more)


@order
@pytest.mark.parametrize("when", WHEN)
@examples(120)
@given(story=grid_stories())
def test_cheapest_on_grids_after_every_event(order, when, story):
    Scene(story, dstar(order, when)).play(story.events, cheapest)


@order
@pytest.mark.parametrize("when", WHEN)
@examples(120)
@given(story=graph_stories())
def test_cheapest_on_graphs_after_every_event(order, when, story):
    Scene(story, dstar(order, when)).play(story.events, cheapest)


@order
@examples(100)
@given(story=road_stories(), when=st.sampled_from(WHEN))
def test_cheapest_on_roads_whose_h_is_rounded(order, story, when):
    """h is the straight line in whole ticks: what the agent's moves add to the keys must make up for the rounding."""
    Scene(story, dstar(order, when)).play(story.events, cheapest)


@order
@examples(60)
@given(story=stories(targets=True), when=st.sampled_from(WHEN))
def test_cheapest_towards_moving_targets(order, story, when):
    Scene(story, dstar(order, when)).play(story.events, cheapest)


@order
@examples(40)
@given(data=st.data())
def test_cheapest_with_extreme_weights(order, data):
    story = data.draw(heavy_stories(order))
    Scene(story, dstar(order)).play(story.events, cheapest)


@order
@examples(40)
@given(story=grid_stories(largest=12))
def test_cheapest_on_larger_grids(order, story):
    Scene(story, dstar(order)).play(story.events, cheapest)


@order
@examples(30)
@given(story=stories(targets=True))
def test_cheapest_without_a_heuristic(order, story):
    Scene(story, dstar(order, heuristic="zero")).play(story.events, cheapest)


@order
@examples(30)
@given(story=grid_stories(), share=st.sampled_from([0.37, 0.9, 1.0]))
def test_cheapest_with_a_function_of_the_users(order, story, share):
    """Consistent and with the triangle inequality as the user wrote it; in ticks it is rounded."""

    def h(a, b):
        return share * max(abs(a[0] - b[0]), abs(a[1] - b[1]))

    Scene(story, dstar(order, heuristic=h)).play(story.events, cheapest)


@pytest.mark.parametrize("name", ["Repeated Forward A*", "Repeated Backward A*"])
@examples(60)
@given(story=stories(targets=True))
def test_control(name, story):
    Scene(story, replan.planner(name)).play(story.events, cheapest)


@pytest.mark.parametrize("name", ["D* Lite", "AD*", "Repeated Forward A*", "RTAA*"])
def test_weights_too_large_for_buckets_are_refused_at_the_start(name):
    weights = np.ones((9, 9), int)
    weights[8, 8] = 65_535
    world = replan.World(replan.Grid(np.zeros((9, 9), bool), weights=weights), known="everything")
    with pytest.raises(replan.InputError, match="queue='heap'"):
        replan.Agent(replan.planner(name, queue="buckets"), world.begin(), (0, 0), (4, 4)).plan()
    assert replan.simulate(world, replan.planner(name), (0, 0), (4, 4)).reached


@pytest.mark.parametrize("name", ["D* Lite", "D* Extra Lite", "Truncated D* Lite", "AD*"])
def test_a_way_that_leads_back_through_a_branch_that_was_cut(name):
    """A directed step is lost; the way left begins with a step that no other leads back along."""
    steps = [("n0", "n1", 4), ("n2", "n0", 1), ("n2", "n1", 1), ("n0", "n2", 1)]
    lost = [(1, ("n2", "n1"), "blocked")]
    world = replan.World(replan.Graph(steps, directed=True), sensor="everything", known="everything", changes=lost)
    assert replan.simulate(world, name, "n0", "n1", max_moves=20).path == ["n0", "n2", "n0", "n1"]
