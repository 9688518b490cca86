"""A target that moves along a recorded path."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import replan
from strategies import names

ALL = replan.planners()


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_catches_a_target_that_stops(spec):
    route = [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (5, 4)]
    world = replan.World(replan.Grid(np.zeros((6, 6), bool), neighbors=4), target=route)
    trip = replan.simulate(world, spec.slug, (0, 0), max_moves=1000)
    assert trip.reached
    assert trip.path[-1] in {route[min(k, len(route) - 1)] for k in (trip.steps - 1, trip.steps)}


def test_waits_for_a_target_that_comes_out():
    blocked = np.array([[False, False, True, False, False]])
    world = replan.World(replan.Grid(blocked), known="everything", target=[(0, 3), (0, 4), (0, 4), (0, 1)])
    trip = replan.simulate(world, "Repeated Forward A*", (0, 0))
    assert (trip.reached, trip.moves, trip.path[-1]) == (True, 1, (0, 1))


def test_gives_up_when_the_target_stays_out_of_reach():
    blocked = np.array([[False, False, True, False, False]])
    world = replan.World(replan.Grid(blocked), target=[(0, 3), (0, 4)])
    trip = replan.simulate(world, "Repeated Forward A*", (0, 0), max_moves=100)
    assert trip.why == "unreachable"


def test_two_trips_in_one_world_are_the_same():
    route = [(0, 9), (1, 9), (2, 9), (3, 9), (4, 9)]
    world = replan.World(replan.Grid(np.zeros((6, 10), bool)), target=route)
    planner = replan.planner("Repeated Backward A*")
    first, second = (replan.simulate(world, planner, (0, 0)) for _ in range(2))
    assert first.path == second.path and first.episode_expansions == second.episode_expansions


def test_bad_targets_are_refused():
    grid = replan.Grid(np.array([[False, True]]))
    with pytest.raises(replan.InputError, match="outside"):
        replan.World(grid, target=[(5, 5)])
    with pytest.raises(replan.InputError, match="blocked"):
        replan.simulate(replan.World(grid, target=[(0, 1)]), "Repeated Forward A*", (0, 0))
    with pytest.raises(replan.InputError):
        replan.simulate(replan.World(grid, target=[]), "Repeated Forward A*", (0, 0))


def open_world(side, target):
    return replan.World(replan.Grid(np.zeros((side, side), bool)), target=target)


def chase_in(world, start=(0, 0)):
    return replan.watch(world, "Moving-Target Adaptive A*", start)


ROUTE = [(9, col) for col in range(4, 9)] * 3


@pytest.mark.parametrize(
    "make",
    [lambda: replan.Wander((9, 5), seed=1), lambda: replan.Flee((9, 5), seed=1), lambda: replan.Route(ROUTE)],
)
def test_a_target_moves_in_one_world_at_a_time(make):
    """It would go on from where it stands in the other one: the first trip says so at the next move."""
    target = make()
    alone = [moment.state for moment in finished(chase_in(open_world(10, make())))]
    world = open_world(10, target)
    assert [moment.state for moment in finished(chase_in(world))] == alone
    story = chase_in(world)
    story.step()
    other = chase_in(open_world(30, target), (29, 29))
    other.step()
    with pytest.raises(RuntimeError, match="make one for each"):
        story.step()
    other.step()
    assert [moment.state for moment in finished(chase_in(world))] == alone  # a new trip begins with it


def finished(story):
    story.finish()
    return list(story)


def test_a_copied_world_has_a_target_of_its_own():
    world = open_world(10, replan.Wander((9, 5), seed=1))
    story = chase_in(world)
    story.step()
    copied = copy.copy(world)
    finished(chase_in(copied))
    story.step()


def test_a_target_that_is_asked_about_another_space_goes_on_in_its_world():
    """Memory for neighbours belongs to the world: a target may be asked about a space where states have fewer."""
    target = replan.Flee(0, seed=1)
    star = replan.Graph([(a, b, 1) for a in range(60) for b in range(a)], directed=False)
    pair = replan.Graph([(0, 1, 1)], directed=False)
    story = chase_in(replan.World(star, target=target), 5)
    for _ in range(10):
        target.step(pair, 0, 1)
        if story.step() is None:
            break


def test_a_target_does_not_begin_elsewhere_while_an_agent_walks():
    """Another thread, or a heuristic, that begins a trip with it."""
    target, told = replan.Wander((9, 5), seed=1), []

    def begins(a, b):
        if len(told) == 0:
            try:
                open_world(30, target)
                told.append("done")
            except RuntimeError as error:
                told.append(str(error))
        return 0

    planner = replan.planner("Moving-Target Adaptive A*", heuristic=begins)
    assert replan.simulate(open_world(10, target), planner, (0, 0), max_moves=50).moves
    assert "make one for each" in told[0]
