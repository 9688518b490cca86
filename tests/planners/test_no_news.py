"""A search in vain is not made again before something has changed that it came to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import replan
from edits import Scene, graph_stories, grid_stories, stories
from examples import examples

ALL = [spec.slug for spec in replan.planners() if not spec.is_realtime]
GENERAL = [spec.slug for spec in replan.planners() if not spec.is_realtime and not spec.needs_unit_costs]
# these take in every change, wherever it is
REPAIRING = {"d-star-lite", "d-star-extra-lite", "truncated-d-star-lite", "moving-target-d-star-lite", "ad", "non-rtd"}
ANY_FALL = {"compact-a-star"}  # what its search came to it does not remember


def waiting(slug: str) -> replan.Agent:
    """An agent on the left of a wall that the goal is behind; a pillar stands on each side."""
    blocked = np.zeros((20, 21), bool)
    blocked[:, 10] = blocked[5, 5] = blocked[5, 15] = True
    return replan.Agent(slug, replan.Grid(blocked, neighbors=4), (0, 0), (0, 20))


@pytest.mark.parametrize("slug", sorted(set(ALL) - REPAIRING))
def test_waiting_costs_nothing(slug):
    agent = waiting(slug)
    assert agent.plan() is None
    spent = agent.planner.expansions
    assert spent >= 198
    for _ in range(3):
        assert agent.plan() is None
    agent.observe([(1, 1), (1, 18)], [True, True])  # something blocked is no news
    assert agent.plan() is None
    if slug not in ANY_FALL:
        other_side = 5 if slug == "repeated-backward-a-star" else 15
        agent.observe([(5, other_side)], [False])  # nor is something freed where the search did not come
        assert agent.plan() is None
    assert agent.planner.expansions == spent


@pytest.mark.parametrize("slug", ALL)
def test_what_may_be_a_way_is_looked_at(slug):
    agent = waiting(slug)
    assert agent.plan() is None
    agent.move((0, 15))  # put on the other side
    assert agent.plan()
    agent.move((0, 1))
    assert agent.plan() is None
    agent.observe([(7, 10)], [False])
    assert agent.plan()
    agent.observe([(7, 10)], [True])
    assert agent.plan() is None
    agent.retarget((0, 9))
    assert agent.plan()
    agent.retarget((0, 20))
    assert agent.plan() is None


@pytest.mark.parametrize("slug", ALL)
def test_what_happened_meanwhile_is_not_overlooked(slug):
    """The agent searches elsewhere in between: what counts as news then is news for that search."""
    agent = waiting(slug)
    assert agent.plan() is None
    agent.move((0, 15))
    assert agent.plan()
    agent.observe([(7, 10)], [False])
    assert agent.plan()
    agent.move((0, 0))
    assert agent.plan()


def answered(scene: Scene, fresh: bool) -> None:
    """None exactly when there is no way; asked again, it costs nothing."""
    if scene.at not in scene.goals:
        assert (scene.path is None) == (scene.best() is None)
    if scene.path is None:
        spent = scene.planner.expansions
        assert scene.agent.plan() is None and scene.planner.expansions == spent


@pytest.mark.parametrize("slug", GENERAL)
@examples(40)
@given(story=stories(targets=True))
def test_stories(slug, story):
    Scene(story, replan.planner(slug)).play(story.events, answered)


@pytest.mark.parametrize("slug", GENERAL)
@examples(40)
@given(story=graph_stories(targets=True, directed=True))
def test_directed_graphs(slug, story):
    Scene(story, replan.planner(slug)).play(story.events, answered)


@pytest.mark.parametrize("slug", sorted(set(ALL) - set(GENERAL)))
@examples(60)
@given(story=grid_stories(neighbors=(4,), weighted=False, walled=False))
def test_stories_with_equal_steps(slug, story):
    if slug == "compact-a-star":
        story.goals = {min(story.goals)}
    Scene(story, replan.planner(slug)).play(story.events, answered)


@pytest.mark.parametrize("slug", ["generalized-adaptive-a-star", "adaptive-a-star", "rtaa"])
@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair", "reset"])
def test_h_values_are_taken_care_of_while_waiting(slug, on_cost_decrease):
    """What falls out of reach changes h, too: it is taken in, and no list of falls grows for ever."""
    options = {} if slug == "generalized-adaptive-a-star" else {"on_cost_decrease": on_cost_decrease}
    options |= {"lookahead": None} if slug == "rtaa" else {}
    agent = waiting(slug)
    agent = replan.Agent(replan.planner(slug, **options), agent.belief, (0, 0), (0, 20))
    assert agent.plan() is None
    for i in range(6):
        agent.observe([(5, 15)], [i % 2 == 1])
        assert agent.plan() is None
    agent.observe([(19, 10)], [False])
    path = agent.plan()
    assert path[-1] == (0, 20) and (19, 10) in path
