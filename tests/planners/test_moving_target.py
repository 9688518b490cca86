"""Moving-Target D* Lite: Dijkstra's algorithm after every event, and the values of its search after every episode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, cheapest, graph_stories, grid_stories, heavy_stories, road_stories, stories
from examples import examples
from oracle.searches import dijkstra

ORDERS = {
    "smaller-g": {"prefer": "smaller g"},
    "larger-g": {"prefer": "larger g"},
    "larger-g-random": {"ties": "random", "seed": 5},
    "buckets": {"queue": "buckets"},
}
WHEN = ["blocked", "changed"]
order = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


def chaser(order: dict[str, Any], when: str = "blocked", **more: Any) -> replan.Planner:
    return replan.planner("Moving-Target D* Lite", replan_when=when, **order, **more)


class Oracle:
    """What the search must hold, in so many words: LPA* from the agent, whose own g is what it has walked so far."""

    def check(self, scene: Scene) -> None:
        edges, shown = scene.edges(), scene.planner.snapshot()
        number = {key: scene.space.state(key) for key in edges}
        g = {key: self.finite(shown["g"][s]) for key, s in number.items()}
        rhs = {key: self.finite(shown["rhs"][s]) for key, s in number.items()}
        offset = rhs[scene.at]
        assert offset < float("inf")
        through = {key: [g[p] + edges[p][key] for p in edges if key in edges[p]] for key in edges}
        best = {key: min(offers, default=float("inf")) for key, offers in through.items()}
        for key, s in number.items():
            if key != scene.at:
                assert rhs[key] == best[key], "the least over the predecessors"
            assert shown["open"][s] == (g[key] != rhs[key]), "queued exactly if inconsistent"
        exact = dijkstra(edges, scene.at)
        for goal in scene.goals:
            if scene.path and goal == scene.path[-1]:
                assert rhs[goal] - offset == exact[goal]
        for a in scene.path or []:
            if a not in scene.goals:
                assert g[a] == rhs[a] == offset + exact[a]

    @staticmethod
    def finite(value: int) -> float:
        return float("inf") if value < 0 else int(value)


def inside(scene: Scene, fresh: bool) -> None:
    cheapest(scene, fresh)
    if fresh:
        Oracle().check(scene)


def play(story: Any, planner: replan.Planner) -> None:
    Scene(story, planner).play(story.events, inside)


@order
@pytest.mark.parametrize("when", WHEN)
@examples(60)
@given(story=grid_stories(targets=True))
def test_on_grids_towards_moving_targets(order, when, story):
    play(story, chaser(order, when))


@order
@pytest.mark.parametrize("when", WHEN)
@examples(60)
@given(story=graph_stories(targets=True))
def test_on_graphs_also_directed_ones(order, when, story):
    play(story, chaser(order, when))


@order
@examples(80)
@given(story=road_stories(targets=True), when=st.sampled_from(WHEN))
def test_on_roads_whose_h_is_rounded(order, story, when):
    play(story, chaser(order, when))


@order
@examples(40)
@given(data=st.data())
def test_with_extreme_weights(order, data):
    play(data.draw(heavy_stories(order, targets=True)), chaser(order))


@order
@examples(40)
@given(story=stories(targets=True))
def test_without_a_heuristic(order, story):
    play(story, chaser(order, heuristic="zero"))


@examples(60)
@given(story=stories(targets=True), share=st.sampled_from([0.37, 1.0]))
def test_with_a_function_of_the_users(story, share):
    space = story.terrain().space()

    def h(a: Any, b: Any) -> float:
        return share * space.distance(space.state(a), space.state(b)) / space.units_per_step

    play(story, chaser({}, heuristic=h))


@pytest.mark.parametrize("target", [replan.Flee, replan.Wander])
@pytest.mark.parametrize("known", ["nothing", "everything"])
def test_a_slower_target_is_caught(target, known):
    for seed in range(4):
        grid = replan.Grid(replan.maze(21, 21, openings=30, seed=seed), neighbors=4)
        world = replan.World(grid, known=known, target=target((20, 20), speed=0.5, seed=seed))
        trips = [replan.simulate(world, name, (0, 0)) for name in ("Moving-Target D* Lite", "A*")]
        assert all(trip.reached for trip in trips)


def test_it_keeps_its_search_where_d_star_lite_starts_again():
    grid = replan.Grid(replan.maze(101, 101, openings=300, seed=1), neighbors=4)
    world = replan.World(grid, known="everything", target=replan.Wander((100, 100), speed=0.5, seed=3))
    ours, anew = (replan.simulate(world, name, (0, 0)) for name in ("Moving-Target D* Lite", "D* Lite"))
    assert ours.reached and anew.reached
    assert ours.expansions < 0.7 * anew.expansions


def test_a_walk_longer_than_any_way_starts_again():
    """The agent is led to and fro on a small map until its g would not fit."""
    grid = replan.Grid(np.zeros((1, 12), bool), neighbors=4)
    planner = chaser({"prefer": "smaller g"})
    agent = replan.Agent(planner, grid, (0, 0), (0, 11))
    for i in range(60):
        agent.retarget((0, 11) if i % 2 == 0 else (0, 0))
        while path := agent.plan():
            agent.move(path[0])
        assert agent.cell == ((0, 11) if i % 2 == 0 else (0, 0))
    assert planner.snapshot()["rhs"].max() <= 2 * grid.max_path_cost


def test_told_by_hand_in_a_space_of_one_way_steps():
    graph = replan.Graph([("a", "b", 1), ("b", "c", 1), ("a", "d", 2), ("d", "c", 2)], directed=True)
    planner = chaser({})
    agent = replan.Agent(planner, graph, "a", "c")
    assert agent.plan() == ["b", "c"]
    graph.set_value(graph.location(("a", "b")), 0)
    planner.notify([graph.state("a")], True)
    assert agent.plan() == ["d", "c"]


def test_it_is_no_part_of_rtd():
    with pytest.raises(replan.InputError, match="global_ is 'D\\* Lite'"):
        replan.planner("RTD*", global_="Moving-Target D* Lite")


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("goals", [(2, 4), {(2, 3), (5, 4)}])
def test_a_cost_beyond_all_that_keys_were_made_for(goals, moved):
    """The queue is laid out anew before the first key that would not fit."""
    belief = replan.Grid(np.zeros((6, 5), bool), weights=np.ones((6, 5), int), corners="free")
    agent, fresh = (replan.Agent(name, belief, (2, 2), goals) for name in ("Moving-Target D* Lite", "A*"))
    for each in (agent, fresh):
        each.plan()
        if moved:
            each.move((2, 1))
    agent.observe([(2, 3)], weights=[65535])
    agent.plan()
    fresh.plan()
    assert agent.remaining_cost == pytest.approx(fresh.remaining_cost)
