"""ARA* and AD*: whatever the budget, a path costs at most `bound` times the cheapest; unlimited, the bound is 1."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, bounded, road_stories, stories
from examples import examples

NAMES = ["ARA*", "AD*"]
ORDERS = [{}, {"ties": "last-in"}, {"ties": "random", "seed": 2}, {"queue": "buckets"}]
options = st.fixed_dictionaries(
    {
        "weight": st.sampled_from([1.0, 1.1, 1.5, 3.0, 3.0, 10.0]),
        "weight_decrease": st.sampled_from([0.1, 0.5, 0.5, 2.0]),
        "lookahead": st.sampled_from([1, 5, 50, None]),
    }
)
orders = st.sampled_from(ORDERS)
name = pytest.mark.parametrize("name", NAMES)


def within(scene: Scene, fresh: bool) -> None:
    """At the time of an episode. Later the terrain may have changed off the path."""
    planner = scene.planner
    if not fresh or not scene.path:
        bounded(scene, fresh, float("inf"))
        return
    assert planner.bound >= 1
    bounded(scene, fresh, planner.bound)
    if planner.expansion_limit >= 1 << 62:
        assert planner.bound == 1


def extra(name: str, when: str, up: float) -> dict:
    return {"replan_when": when, "weight_increase": up} if name == "AD*" else {}


@name
@examples(250)
@given(
    story=stories(targets=True),
    options=options,
    order=orders,
    when=st.sampled_from(["blocked", "changed"]),
    up=st.sampled_from([0.0, 0.1, 1.0]),
)
def test_within_the_bound_after_every_episode(name, story, options, order, when, up):
    Scene(story, replan.planner(name, **options, **order, **extra(name, when, up))).play(story.events, within)


@name
@examples(80)
@given(story=road_stories(), options=options, order=orders)
def test_within_the_bound_on_roads(name, story, options, order):
    Scene(story, replan.planner(name, **options, **order)).play(story.events, within)


@name
@examples(80)
@given(story=stories(largest=11, levels=(0, 0, 1, 1, 3, 40)), options=options, order=orders)
def test_within_the_bound_on_larger_grids(name, story, options, order):
    Scene(story, replan.planner(name, **options, **order)).play(story.events, within)


@name
@examples(60)
@given(story=stories(), order=orders, budget=st.lists(st.sampled_from([1, 2, 5, 30]), min_size=1, max_size=5))
def test_budgets_that_change_from_plan_to_plan(name, story, order, budget):
    planner = replan.planner(name, **order)
    scene, asked = Scene(story, planner), [0]
    plan = scene.agent.plan

    def with_budget():
        asked[0] += 1
        return plan(replan.Expansions(budget[asked[0] % len(budget)]))

    def check(scene: Scene, fresh: bool) -> None:
        bounded(scene, fresh, planner.bound if fresh and scene.path else float("inf"))

    class Asking:
        plan = staticmethod(with_budget)

        def __getattr__(self, name):
            return getattr(agent, name)

    agent = scene.agent
    scene.agent = Asking()
    scene.play(story.events, check)


@name
def test_the_bound_falls_with_the_budget(name):
    """On a map with a wall in the way a large weight pays for a detour; more time buys it back."""
    blocked = np.zeros((30, 30), bool)
    blocked[5:25, 15] = True
    blocked[5, 5:15] = True
    costs, bounds = [], []
    for lookahead in (1, 30, 200, None):
        planner = replan.planner(name, lookahead=lookahead, weight=5)
        trip = replan.simulate(replan.Grid(blocked, neighbors=4), planner, (15, 3), (15, 28))
        costs.append(trip.cost)
        bounds.append(planner.bound)
        assert trip.reached and trip.cost <= planner.bound * costs[-1]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds, reverse=True) and bounds[-1] == 1
    same = replan.simulate(replan.Grid(blocked, neighbors=4), "Repeated Forward A*", (15, 3), (15, 28))
    assert costs[-1] == same.cost


@name
def test_the_bound_is_no_whole_number(name):
    """Two ways of equal h, the first to be found dearer: the reported bound is between 1 and 1.5."""
    planner = replan.planner(name, weight=1.5, lookahead=1)
    weights = np.ones((3, 9), int)
    weights[1, 3:6] = 2
    agent = replan.Agent(planner, replan.Grid(np.zeros((3, 9), bool), 4, weights), (1, 0), (1, 8))
    agent.plan()
    assert 1 < planner.bound <= 1.5


@name
@pytest.mark.parametrize(
    "option", [{"weight": 0.9}, {"weight": 1.25}, {"weight_decrease": 0}, {"lookahead": 0}, {"deadline": -1}]
)
def test_what_cannot_be_honoured_is_refused(name, option):
    with pytest.raises(replan.InputError):
        replan.planner(name, **option)


@name
def test_the_bound_before_the_first_episode_is_the_first_weight(name):
    planner = replan.planner(name, weight=2.5)
    assert planner.bound == 2.5
    grid = replan.Grid(np.zeros((4, 4), bool))
    assert replan.Agent(planner, grid, (0, 0), (3, 3)).plan() and planner.bound == 1
    replan.Agent(planner, grid, (0, 0), (3, 3))
    assert planner.bound == 2.5


def test_the_weight_of_ad_rises_when_its_path_becomes_dearer_far_ahead():
    """And not when something else does."""
    free = np.zeros((5, 12), bool)
    for seen, rises in (((2, 8), True), ((0, 11), False)):
        planner = replan.planner("AD*", replan_when="changed", lookahead=1, weight=3, weight_increase=0.1)
        planner.expansion_limit = 1 << 62
        agent = replan.Agent(planner, replan.Grid(free, neighbors=4), (2, 0), (2, 11))
        assert all(row == 2 for row, _ in agent.plan()) and planner.bound == 1
        planner.expansion_limit = 1
        agent.observe([seen], [True])
        assert agent.plan() and planner.bound == (1.1 if rises else 1)
