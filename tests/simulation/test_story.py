"""Stories: the same trips as simulate(), moment by moment, for every planner and in every kind of world."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import replan
from replan.limits import KEY_UPDATED
from stories import WORLDS, figures, fits, maze_world, values
from strategies import names

ALL = replan.planners()


@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_a_story_is_the_trip_that_simulate_makes(spec, kind):
    if not fits(spec, kind):
        pytest.skip("needs a grid")
    world, start, goal = WORLDS[kind]()
    options = {"max_moves": 2000}
    trip = replan.simulate(world, spec.slug, start, goal, **options)
    story = replan.watch(world, spec.slug, start, goal, **options)
    moments = list(story)
    assert figures(story.trip) == figures(trip)
    check_moments(story, moments, trip, world)
    assert figures(replan.simulate(world, spec.slug, start, goal, **options)) == figures(trip)  # the world is as before


def check_moments(story, moments, trip, world):
    assert [m.time for m in moments] == list(range(trip.steps + 1))
    assert [m.index for m in moments] == list(range(len(moments)))
    assert [m.cause for m in moments] == ["start"] + ["step"] * trip.steps
    assert [m.why for m in moments] == [""] * trip.steps + [trip.why]
    path = [m.state for i, m in enumerate(moments) if i == 0 or m.counts.moves > moments[i - 1].counts.moves]
    assert story.space.keys(path) == trip.path
    episodes = [m.episode for m in moments if m.episode is not None]
    assert [e.expansions for e in episodes] == trip.episode_expansions
    for episode in episodes:
        refreshed = 0 if episode.kinds is None else int((episode.kinds == KEY_UPDATED).sum())
        assert len(episode.expanded_states) == episode.expansions + refreshed
        assert refreshed == episode.key_updates
    last = moments[-1].counts
    assert (last.moves, last.episodes, last.expansions) == (trip.moves, trip.episodes, trip.expansions)
    assert (last.key_updates, last.h_increase) == (
        trip.key_updates,
        pytest.approx(trip.h_increase * story.space.units_per_step),
    )
    for now, then in pairwise(moments):
        if then.counts.moves > now.counts.moves:  # every move is along the path that was shown
            assert now.path[0] == then.state
    assert (story.belief() == values(world.belief)).all()
    assert (story.truth() == values(world.truth)).all()


def open_field(**options) -> replan.World:
    return replan.World(replan.Grid(np.zeros((5, 9), bool), neighbors=4), **options)


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_a_wall_across_the_path_changes_it(spec):
    story = replan.watch(open_field(sensor=replan.Radius(9)), spec.slug, (2, 0), (2, 8), max_moves=500)
    story.step()
    story.step()
    here = story.space.key(story[-1].state)
    wall = [(row, here[1] + 1) for row in range(5) if row != (0 if here[0] else 4)]
    moment = story.change(wall, "blocked")
    assert moment.cause == "change" and moment.time == 1
    assert sorted(story.space.keys(moment.truth_changes[0])) == sorted(wall) and not moment.truth_changes[1].any()
    assert not set(story.space.keys(moment.path)) & set(wall)
    assert story.finish().reached
    assert not set(story.trip.path) & set(wall)
    story.change(wall, ["free"] * len(wall))
    assert story.truth()[story[3].truth_changes[0]].all()


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_the_goal_can_be_moved(spec):
    story = replan.watch(open_field(), spec.slug, (2, 0), (2, 8), max_moves=500)
    for _ in range(3):
        story.step()
    moment = story.retarget((0, 0))
    assert moment.cause == "retarget" and moment.goals.tolist() == [story.space.state((0, 0))]
    assert story.finish().path[-1] == (0, 0)
    story.retarget((4, 8))  # goes on with a trip that had ended
    assert story.trip is None
    assert story.finish().path[-1] == (4, 8)


def test_what_has_no_way_goes_on_when_one_opens():
    story = replan.watch(open_field(sensor="everything"), "D* Lite", (2, 0), (2, 8))
    story.step()
    assert story.change([(row, 4) for row in range(5)], "blocked").why == "unreachable"
    assert story.step() is None
    assert story.change([(4, 4)], "free").why == ""
    assert story.finish().reached


def test_several_trials_are_one_story():
    world, start, goal = maze_world()
    trips = replan.simulate(world, "LRTA*", start, goal, trials=3)
    story = replan.watch(world, "LRTA*", start, goal, trials=3)
    assert [figures(trip) for trip in trips] == [figures(trip) for trip in (list(story), story.trips)[1]]
    assert [m.trial for m in story] == sorted(m.trial for m in story) and story[-1].trial == 2


def test_a_world_serves_one_trip_at_a_time():
    world, start, goal = maze_world()
    story = replan.watch(world, "RTAA*", start, goal)
    story.step()
    replan.simulate(world, "RTAA*", start, goal)
    with pytest.raises(RuntimeError, match="another trip"):
        story.step()


def test_stories_in_lockstep():
    worlds = [maze_world(seed=2) for _ in range(2)]
    slugs = ("rtaa", "d-star-lite")
    stories = [replan.watch(w, slug, start, goal) for (w, start, goal), slug in zip(worlds, slugs, strict=True)]
    while any(story.step() for story in stories):
        pass
    for story, (world, start, goal), slug in zip(stories, worlds, slugs, strict=True):
        assert figures(story.trip) == figures(replan.simulate(world, slug, start, goal))


def test_a_trial_begins_with_the_world_as_it_was():
    """What somebody changed is undone, in truth and in the belief of an agent that sees everything."""
    truth = replan.Grid([[0, 1, 0], [0, 0, 0]], neighbors=4)
    world = replan.World(truth, sensor="everything")
    story = replan.watch(world, "Repeated Forward A*", (0, 0), (0, 2), trials=2)
    story.step()
    first = story.truth()
    story.change([(0, 1)], "free")
    story.finish()
    assert [trip.moves for trip in story.trips] == [2, 4]
    again = next(moment.index for moment in story if moment.trial == 1)
    assert (story.truth(again) == first).all() and (story.belief(again) == first).all()
    assert not (story.truth(again - 1) == first).all()


def test_the_belief_at_a_start_that_was_seen_blocked():
    """In the first trial the start is shut behind the agent; to stand there again shows that it is free."""
    world = replan.World(replan.Grid(np.zeros((1, 4), bool), neighbors=4), changes=[(1, (0, 0), "blocked")])
    story = replan.watch(world, "Repeated Forward A*", (0, 0), (0, 3), trials=2)
    story.finish()
    again = next(moment.index for moment in story if moment.trial == 1)
    place = world.space.location((0, 0))
    assert story.belief(again - 1)[place] == 0 and story.belief(again)[place] == 1


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_a_goal_that_begins_to_move_and_stops_again(spec):
    grid = replan.Grid(replan.random_obstacles(12, 12, 0.1, seed=2), neighbors=4)
    free = [tuple(cell) for cell in np.argwhere(~grid.blocked).tolist()]
    goal, world = free[len(free) // 2], replan.World(grid)
    story = replan.watch(world, replan.planner(spec.slug), free[0], goal, max_moves=500)
    story.run_steps(3)
    moment = story.retarget(replan.Flee(goal, speed=0.5))
    assert moment.cause == "retarget" and grid.key(moment.target) == goal
    fled = {moment.target for moment in (story.step() for _ in range(6)) if moment is not None}
    assert fled != {grid.state(goal)}
    last = story[len(story) - 1]
    stopped = story.retarget(grid.key(last.target))
    assert stopped.target == -1 and stopped.goals.tolist() == [last.target]
    assert story.finish().reached
    plain = replan.simulate(world, replan.planner(spec.slug), free[0], goal, max_moves=500)  # the world is as it was
    assert plain.path[-1] == goal and world.target is None
