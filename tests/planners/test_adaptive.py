"""Adaptive A* and its generalised forms: cheapest paths after every event, and h as an eager oracle has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, Story, cheapest, road_stories, stories
from examples import examples
from lockstep import h_values
from oracle.incremental import EagerAdaptive
from oracle.searches import inconsistent
from strategies import QUEUES

RANDOM = {"ties": "random", "seed": 9}
orders = st.sampled_from([*QUEUES, RANDOM])
REPAIRING = ["Generalized Adaptive A*", "Moving-Target Adaptive A*", "MPGAA*"]


@pytest.mark.parametrize("name", REPAIRING)
@examples(150)
@given(story=stories(), options=orders)
def test_cheapest_after_every_event(name, story, options):
    Scene(story, replan.planner(name, **options)).play(story.events, cheapest)


@pytest.mark.parametrize("name", REPAIRING)
@examples(150)
@given(story=stories(targets=True), options=orders)
def test_cheapest_towards_moving_targets(name, story, options):
    """Steps and jumps, goal sets among them."""
    Scene(story, replan.planner(name, **options)).play(story.events, cheapest)


@pytest.mark.parametrize("name", REPAIRING)
@examples(100)
@given(story=road_stories(targets=True), options=orders)
def test_cheapest_on_roads_whose_h_is_rounded(name, story, options):
    Scene(story, replan.planner(name, **options)).play(story.events, cheapest)


def only_rises(event):
    """The event without falls; None where nothing is left."""
    if event[0] == "edit":
        blocks = [(place, 0) for place, value in event[1] if value == 0]
        return ("edit", blocks) if blocks else None
    return event if event[0] in ("walk", "target", "cut_off") or (event[0] == "ahead" and event[2] == 0) else None


@pytest.mark.parametrize("name", ["Adaptive A*", "MPAA*"])
@examples(80)
@given(story=stories(targets=True), options=orders)
def test_cheapest_while_costs_only_rise(name, story, options):
    rises = [kept for event in story.events if (kept := only_rises(event))]
    Scene(story, replan.planner(name, **options)).play(rises, cheapest)


class Eager:
    """The oracle beside the planner: h of all states after every episode."""

    def __init__(self, story: Story, planner: replan.Planner) -> None:
        self.scene = Scene(story, planner)
        self.oracle = EagerAdaptive(self.scene.edges(), self.first_h(), self.scene.goals)

    def first_h(self):
        return self.scene.terrain.first_h(set(self.scene.goals))

    def play(self, events) -> None:
        scene, oracle = self.scene, self.oracle
        happen = scene.happen

        def tell(event) -> None:
            happen(event)
            if event[0] == "target":
                oracle.target(scene.goals, self.first_h())
            else:
                oracle.costs(scene.edges())

        scene.happen = tell
        scene.play(events, self.check)

    def check(self, scene: Scene, fresh: bool) -> None:
        cheapest(scene, fresh)
        if fresh:
            self.oracle.costs(scene.edges())
            self.oracle.repair()
            closed = scene.planner.snapshot()["closed"]
            expanded = [s for s in self.oracle.h if closed[scene.space.state(s)]]
            self.oracle.learn(scene.at, expanded, scene.cost(scene.path) if scene.path else None)
        h = h_values(scene.planner, scene.space, self.first_h())
        if fresh:
            assert h == self.oracle.h
            assert inconsistent(scene.edges(), lambda s: h[s], scene.goals) == []


@pytest.mark.parametrize("name", REPAIRING)
@examples(150)
@given(story=stories(targets=True), options=orders)
def test_lazy_is_eager(name, story, options):
    Eager(story, replan.planner(name, **options)).play(story.events)


@examples(100)
@given(story=road_stories(targets=True), options=orders)
def test_lazy_is_eager_on_roads(story, options):
    Eager(story, replan.planner("Moving-Target Adaptive A*", **options)).play(story.events)
