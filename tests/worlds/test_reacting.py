"""Terrain that answers the agent's steps, changes of step 0, and goals that are shut at first."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path

import numpy as np
import pytest

import replan
from strategies import names

EXAMPLE = Path(__file__).parents[2] / "examples" / "adversarial_doors.py"
FORWARD = "Repeated Forward A*"
CORRIDOR = replan.Grid(np.zeros((1, 6), bool), neighbors=4)


def adversarial():
    spec = importlib.util.spec_from_file_location("adversarial_doors", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["RTD*", "Non-RTD*", "D* Lite", FORWARD])
def test_adversarial_doors_are_never_passed(name):
    """The northern door stands open all the time; the agent turns to the southern ones again and again."""
    room = adversarial()
    trip = replan.simulate(room.world(), name, room.START, room.GOAL, max_moves=1000)
    assert (trip.why, trip.steps, trip.reached) == ("max_moves", 1000, False)
    assert "max_moves" in str(trip)
    sides = [c < 11 for r, c in trip.path if c != 11]
    assert sum(a != b for a, b in itertools.pairwise(sides)) > 50, "it toggles"
    assert replan.simulate(room.world(doors_react=False), name, room.START, room.GOAL).reached


def test_a_reaction_is_recorded_and_replayed():
    room = adversarial()
    world = room.world()
    first = replan.simulate(world, "RTD*", room.START, room.GOAL, max_moves=200)
    assert world.applied_changes and all(len(change) == 3 for change in world.applied_changes)
    record = replan.DynamicScenario(room.world(False).space, world.applied_changes)
    again = replan.simulate(record.make_world(), "RTD*", room.START, room.GOAL, max_moves=200)
    assert again.path == first.path


def test_a_reaction_does_not_shut_the_agent_in_and_may_fail():
    everywhere = replan.World(CORRIDOR, changes=lambda step, cell: [(cell, "blocked")])
    assert replan.simulate(everywhere, FORWARD, (0, 0), (0, 5)).reached
    assert everywhere.applied_changes == []

    def broken(step, cell):
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        replan.simulate(replan.World(CORRIDOR, changes=broken), FORWARD, (0, 0), (0, 5))
    with pytest.raises(replan.InputError, match="outside"):
        replan.simulate(replan.World(CORRIDOR, changes=lambda *_: [((9, 9), "free")]), FORWARD, (0, 0), (0, 5))


def test_a_reaction_tells_step_and_cell():
    seen = []
    world = replan.World(CORRIDOR, changes=lambda step, cell: seen.append((step, cell)) or ())
    replan.simulate(world, FORWARD, (0, 0), (0, 3))
    assert seen == [(1, (0, 1)), (2, (0, 2)), (3, (0, 3))]


def test_trials_in_a_world_that_reacts_begin_anew():
    world = replan.World(CORRIDOR, sensor="everything", changes=lambda step, cell: [((0, 0), "blocked")])
    for trip in replan.simulate(world, FORWARD, (0, 0), (0, 5), trials=3):
        assert trip.reached and trip.moves == 5


@pytest.mark.parametrize("sensor", ["adjacent", "everything"])
def test_a_change_of_step_0_has_happened_when_the_trip_begins(sensor):
    world = replan.World(CORRIDOR, sensor=sensor, known="everything", changes=[(0, (0, 1), "blocked")])
    trip = replan.simulate(world, FORWARD, (0, 0), (0, 5))
    assert (trip.why, trip.moves, trip.steps) == ("unreachable", 0, 0)
    with pytest.raises(replan.InputError, match="start"):
        replan.simulate(replan.World(CORRIDOR, changes=[(0, (0, 0), "blocked")]), FORWARD, (0, 0), (0, 5))


@pytest.mark.parametrize("spec", replan.planners(), ids=names(replan.planners()))
def test_a_goal_that_is_shut_at_first_is_waited_for(spec):
    shut = replan.Grid(np.array([[False, False, False, True]]), neighbors=4)
    opens = replan.World(shut, sensor="everything", known="everything", changes=[(6, (0, 3), "free")])
    trip = replan.simulate(opens, spec.slug, (0, 0), (0, 3), max_moves=100)
    assert trip.reached and trip.steps >= 6
    with pytest.raises(replan.InputError, match="no change frees it"):
        replan.simulate(replan.World(shut, changes=[(6, (0, 2), "free")]), spec.slug, (0, 0), (0, 3))


def test_a_place_may_change_more_than_once_in_a_step():
    """A list is as long as it is: only what has no end is refused, and told so."""
    graph = replan.Graph([("a", "b", 1)])
    flicker = [(("a", "b"), "blocked"), (("a", "b"), "free")] * 3
    world = replan.World(graph, changes=lambda step, cell: flicker)
    assert replan.simulate(world, "Repeated Forward A*", "a", "b").reached


def test_changes_without_an_end_are_refused():
    def endless(step, cell):
        while True:
            yield (0, 0), "free"

    world = replan.World(replan.Grid([[0, 0, 0]]), changes=endless)
    with pytest.raises(replan.InputError, match=r"endless\(\).*more than 1,000,000 changes"):
        replan.simulate(world, "Repeated Forward A*", (0, 0), (0, 2))
