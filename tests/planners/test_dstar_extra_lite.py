"""D* Extra Lite: Dijkstra's algorithm after every event, and the invariants of its search, also when interrupted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, cheapest, graph_stories, grid_stories, heavy_stories, limited, road_stories, stories
from examples import examples
from oracle.searches import dijkstra, reversed_edges

ORDERS = {
    "smaller-g": {"prefer": "smaller g"},
    "larger-g": {"prefer": "larger g"},
    "larger-g-last-in": {"ties": "last-in"},
    "larger-g-random": {"ties": "random", "seed": 5},
    "buckets": {"queue": "buckets"},
}
WHEN = ["blocked", "changed"]
order = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


def cutter(order: dict[str, Any], when: str = "blocked", **more: Any) -> replan.Planner:
    return replan.planner("D* Extra Lite", replan_when=when, **order, **more)


class Oracle:
    """What the search must hold, in so many words."""

    def __init__(self, scene: Scene) -> None:
        self.edges, shown = scene.edges(), scene.planner.snapshot()
        number = {key: scene.space.state(key) for key in self.edges}
        self.goals = scene.goals
        self.g = {key: int(shown["rhs"][s]) for key, s in number.items() if shown["rhs"][s] >= 0}
        self.open = {key for key, s in number.items() if shown["open"][s]}
        key_of = {s: key for key, s in number.items()}
        self.parent = {key: key_of.get(int(shown["parent"][number[key]])) for key in self.g}
        exact: dict[Any, int] = {}
        for goal in self.goals:
            for key, cost in dijkstra(reversed_edges(self.edges), goal).items():
                exact[key] = min(cost, exact.get(key, cost))
        self.exact = exact

    def check(self) -> None:
        assert self.open <= set(self.g), "open states are visited"
        for key, g in self.g.items():
            assert g >= self.exact.get(key, 1 << 60), "no value is below the truth"
            if key in self.goals:
                continue
            parent = self.parent[key]
            assert parent in self.g, "a visited state's parent is visited"
            assert self.g[parent] + self.edges[key][parent] <= g, "parents lead on at no more than was promised"
            if parent not in self.open:
                assert self.g[parent] + self.edges[key][parent] == g
        for t, steps in self.edges.items():
            for s, cost in steps.items():
                if s in self.g and s not in self.open and t not in self.goals:
                    assert self.g.get(t, 1 << 60) <= self.g[s] + cost, "closed: nobody can gain by it"
        for key in self.g:
            seen = set()
            while key not in self.goals:
                assert key not in seen, "a circle"
                seen.add(key)
                key = self.parent[key]


def inside(scene: Scene, fresh: bool) -> None:
    cheapest(scene, fresh)
    if fresh:
        Oracle(scene).check()


def play(story: Any, planner: replan.Planner) -> None:
    Scene(story, planner).play(story.events, inside)


@order
@pytest.mark.parametrize("when", WHEN)
@examples(120)
@given(story=grid_stories(targets=True))
def test_on_grids(order, when, story):
    play(story, cutter(order, when))


@order
@pytest.mark.parametrize("when", WHEN)
@examples(120)
@given(story=graph_stories(targets=True))
def test_on_graphs_also_directed_ones(order, when, story):
    play(story, cutter(order, when))


@order
@examples(60)
@given(story=road_stories(), when=st.sampled_from(WHEN))
def test_on_roads_whose_h_is_rounded(order, story, when):
    play(story, cutter(order, when))


@order
@examples(30)
@given(data=st.data())
def test_with_extreme_weights(order, data):
    play(data.draw(heavy_stories(order)), cutter(order))


@examples(40)
@given(story=stories(targets=True))
def test_without_a_heuristic(story):
    play(story, cutter({}, heuristic="zero"))


class Interrupted(Scene):
    """A few turns of the search after every event, and the agent goes where it likes; the path at the end."""

    def plan(self, check: Any) -> None:
        self.planner.advance(self.space.state(self.at), replan.Expansions(3))
        Oracle(self).check()

    def walk(self, most: int, check: Any) -> None:
        for _ in range(most):
            steps = sorted(self.edges()[self.at])
            if steps:
                self.agent.move(steps[most % len(steps)])
                self.plan(check)


@order
@examples(100)
@given(story=st.one_of(grid_stories(), graph_stories()))
def test_interrupted_anywhere(order, story):
    scene = Interrupted(story, cutter(order))
    scene.play(story.events, inside)
    with limited():
        Scene.plan(scene, inside)


def test_a_branch_as_large_as_the_map_is_cut_without_recursion():
    blocked = np.zeros((3, 60_000), bool)
    grid = replan.Grid(blocked, neighbors=4)
    agent = replan.Agent(cutter({}), grid, (1, 59_999), (1, 0))
    assert len(agent.plan()) == 59_999
    agent.observe([(0, 1), (1, 1), (2, 1)], [True, True, True])
    assert agent.plan() is None
    agent.observe([(2, 1)], [False])
    assert len(agent.plan()) == 60_001


def test_it_expands_no_more_than_d_star_lite_in_a_maze():
    """In mazes branches are long, and D* Lite raises and lowers every state of them."""
    grid = replan.Grid(replan.maze(101, 101, seed=2), neighbors=4)
    ours, theirs = (replan.simulate(replan.World(grid), n, (0, 0), (100, 100)) for n in ("D* Extra Lite", "D* Lite"))
    assert ours.reached and ours.expansions < 0.9 * theirs.expansions


def test_it_may_be_the_global_part_of_rtd():
    doors = replan.rooms_with_doors(40, 40, seed=1)
    planner = replan.planner("RTD*", lookahead=64, global_="D* Extra Lite")
    assert replan.simulate(doors.make_world(sensor="everything"), planner, doors.start, doors.goal).reached
