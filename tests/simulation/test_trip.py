"""What simulate reports, and what it refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest

import replan
from strategies import names

ALL = replan.planners()
FORWARD = "Repeated Forward A*"
MAZE = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)


def world(**options) -> replan.World:
    return replan.World(replan.Grid(MAZE, neighbors=4), **options)


def test_all_fields():
    trip = replan.simulate(world(), FORWARD, (0, 0), (0, 2))
    assert trip.planner == FORWARD
    assert trip.path == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]
    assert (trip.reached, trip.why, trip.cost, trip.moves, trip.steps) == (True, "reached", 6.0, 6, 6)
    assert trip.episodes == len(trip.episode_expansions) == 2
    assert trip.h_increase == 0 and trip.percolations > 0 and trip.search_ns > 0 and trip.episode_ns is None
    assert "reached the goal" in str(trip)


def test_timing_of_episodes():
    trip = replan.simulate(world(), FORWARD, (0, 0), (0, 2), timing="episode")
    assert len(trip.episode_ns) == trip.episodes
    assert all(ns > 0 for ns in trip.episode_ns)
    assert trip.search_ns == sum(trip.episode_ns)


def test_json(tmp_path):
    trip = replan.simulate(world(), FORWARD, (0, 0), (0, 2))
    trip.save(tmp_path / "trip.json")
    loaded = json.loads((tmp_path / "trip.json").read_text())
    assert loaded["path"] == [list(c) for c in trip.path]
    for name in [
        "reached",
        "why",
        "cost",
        "moves",
        "steps",
        "episodes",
        "expansions",
        "percolations",
        "h_increase",
        "search_ns",
        "episode_ns",
        "episode_expansions",
    ]:
        assert loaded[name] == getattr(trip, name)


@pytest.mark.parametrize("limit", range(8))
def test_max_moves(limit):
    trip = replan.simulate(world(), FORWARD, (0, 0), (0, 2), max_moves=limit)
    assert trip.moves == trip.steps == min(limit, 6)
    assert trip.why == ("reached" if limit >= 6 else "max_moves")
    assert trip.path == replan.simulate(world(), FORWARD, (0, 0), (0, 2)).path[: limit + 1]


def test_max_moves_counts_waits():
    there = world(known="everything", changes=[(50, (2, 1), "blocked"), (1, (2, 1), "blocked"), (90, (2, 1), "free")])
    trip = replan.simulate(there, FORWARD, (0, 0), (0, 2), max_moves=20)
    assert trip.why == "max_moves" and trip.steps == 20 and trip.moves < 20


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_the_same_planner_twice_gives_the_same_trip(spec):
    planner = replan.planner(spec.slug)
    first, second = ({**replan.simulate(world(), planner, (0, 0), (0, 2)).as_dict(), "search_ns": 0} for _ in range(2))
    assert first == second
    fresh = {**replan.simulate(world(), replan.planner(spec.slug), (0, 0), (0, 2)).as_dict(), "search_ns": 0}
    assert first == fresh


LASTING = [s for s in ALL if s.slug != "rta"]  # what RTA* learns holds for one trip only


@pytest.mark.parametrize("spec", LASTING, ids=names(LASTING))
def test_trials_begin_where_the_last_one_did(spec):
    trips = replan.simulate(world(), spec.slug, (0, 0), (0, 2), trials=4)
    assert len(trips) == 4
    for trip in trips:
        assert trip.reached and trip.path[0] == (0, 0)
        assert trip.expansions == sum(trip.episode_expansions)
    assert trips[-1].moves <= trips[0].moves
    if spec.optimal:
        episodes = 6 if spec.slug == "non-rtd" else 1  # whose episodes are steps
        assert trips[1].moves == 6 and trips[1].episodes == episodes, "the map is known by now"


def test_trials_with_a_target_and_changes_begin_anew():
    there = world(target=[(0, 2), (1, 2), (2, 2)], changes=[(3, (1, 0), "blocked")])
    first, second, third = replan.simulate(there, FORWARD, (0, 0), trials=3)
    assert first.path[-1] == second.path[-1] == third.path[-1]
    assert second.path == third.path
    assert second.episode_expansions == third.episode_expansions


def test_a_trial_does_not_end_where_the_target_was_last_time():
    """The target begins at (0, 2) again, so an agent that starts where it ended last time has not arrived."""
    blocked = np.array([[False, False, False, False, True, False]])
    jump = replan.World(replan.Grid(blocked), known="everything", target=[(0, 2), (0, 3), (0, 5)])
    for trip in replan.simulate(jump, FORWARD, (0, 5), trials=2):
        assert (trip.reached, trip.path, trip.steps) == (True, [(0, 5)], 2)


@pytest.mark.parametrize(
    ("start", "goal", "options", "words"),
    [
        ((0, 1), (0, 2), {}, r"start \(0, 1\) is blocked"),
        ((0, 0), (0, 1), {}, r"goal \(0, 1\) is blocked"),
        ((0, 0), {(0, 1), (1, 1)}, {}, "blocked"),
        ((7, 0), (0, 2), {}, "outside"),
        ((0, 0), (0, 7), {}, "outside"),
        ((0, 0), None, {}, "no goal"),
        ((0, 0), (0, 2), {"timing": "always"}, "timing"),
        ((0, 0), (0, 2), {"max_moves": -1}, "max_moves"),
        ((0, 0), (0, 2), {"max_moves": 1.5}, "max_moves"),
        ((0, 0), (0, 2), {"trials": 0}, "trials"),
    ],
)
def test_what_is_refused(start, goal, options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.simulate(world(), FORWARD, start, goal, **options)


def test_a_goal_besides_a_target_is_refused():
    with pytest.raises(replan.InputError, match="target"):
        replan.simulate(world(target=[(0, 2)]), FORWARD, (0, 0), (0, 2))


def test_a_path_longer_than_any_record_is_kept_whole():
    rows = 151 if replan.compiled else 55
    corridor = np.ones((rows, 41), bool)
    corridor[::2] = False
    corridor[1::4, -1] = False
    corridor[3::4, 0] = False
    trip = replan.simulate(replan.World(replan.Grid(corridor, neighbors=4)), FORWARD, (0, 0), (rows - 1, 0))
    assert trip.reached and len(trip.path) == trip.moves + 1 > 20 * rows > 1024
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in zip(trip.path, trip.path[1:], strict=False))
    assert not any(corridor[c] for c in trip.path)
