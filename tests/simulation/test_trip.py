"""What simulate reports, and what it refuses."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pytest

import replan
from replan.simulation.trip import METRICS
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


def test_every_figure_is_described_and_saved(tmp_path):
    trip = replan.simulate(world(), FORWARD, (0, 0), (0, 2))
    trip.save(tmp_path / "trip.json")
    saved = json.loads((tmp_path / "trip.json").read_text())
    assert saved["path"] == [list(c) for c in trip.path]
    for name, figure in METRICS.items():
        texts = f"{replan.Trip.__doc__} {getattr(replan.Trip, name, None).__doc__}"  # a parameter, or a property
        assert figure.description.meaning and figure.description.meaning.lower() in texts.lower()
        assert saved[name] == getattr(trip, name)
    assert {"reached", "why", "cost", "waits", "partial_moves", "episode_ns", "changed_state_count"} <= METRICS.keys()


@pytest.mark.parametrize("timing", ["trip", "episode"])
@pytest.mark.parametrize("limit", [None, 3])
def test_a_trip_comes_back_from_its_file(tmp_path, timing, limit):
    trip = replan.simulate(world(), "RTAA*", (0, 0), (0, 2), limit, timing)
    trip.save(tmp_path / "trip.json")
    again = replan.Trip.load(tmp_path / "trip.json")
    assert again.as_dict() == trip.as_dict()
    assert (str(again), repr(again)) == (str(trip), repr(trip))
    assert again.space is None and again.states is None
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "trip.json").read_text()


def test_a_trip_on_a_graph_comes_back(tmp_path):
    nodes = [("a", 1), ("b", (2, 3)), "c", np.int64(4), 5.5]
    graph = replan.Graph([(u, v, 1) for u, v in pairwise(nodes)])
    trip = replan.simulate(graph, FORWARD, nodes[0], nodes[-1])
    trip.save(tmp_path / "trip.json")
    assert replan.Trip.load(tmp_path / "trip.json").path == trip.path == nodes
    odd = replan.Graph([(frozenset("a"), "b", 1)])
    with pytest.raises(replan.InputError, match=r"x.json: the trip cannot be saved as JSON: a node is a frozenset"):
        replan.simulate(odd, FORWARD, frozenset("a"), "b").save(tmp_path / "x.json")
    assert not (tmp_path / "x.json").exists()


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "trip.json"
    replan.simulate(world(), FORWARD, (0, 0), (0, 2)).save(path)
    whole = path.read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(replan.InputError, match=r"trip.json: cannot be written: No space left on device"):
        replan.simulate(world(), "RTAA*", (0, 0), (0, 2)).save(path)
    assert path.read_text() == whole


ODD = [None, True, -1, 1.5, 2**70, float("nan"), float("inf"), "x", "", [], [1], [None], {}, [[1, 2]], "reached"]


def test_a_broken_file_gets_a_sentence(tmp_path):
    """Every figure with every odd value, files cut anywhere, other files: an InputError or a trip, and nothing else."""
    path = tmp_path / "trip.json"
    replan.simulate(world(), "RTAA*", (0, 0), (0, 2), timing="episode").save(path)
    whole = path.read_text()
    content = json.loads(whole)
    broken = [whole[:at] for at in range(0, len(whole) - 2, 7)]
    broken += [json.dumps({**content, name: value}) for name in content for value in ODD]
    broken += [json.dumps({k: v for k, v in content.items() if k != name}) for name in content]
    broken += ["[" * 100_000, "null", "3", '"trip"', "[]", "{}", "\0", "9" * 5000, '{"replan": "dynamic_scenario"}']
    refused = 0
    for text in broken:
        path.write_text(text)
        try:
            str(replan.Trip.load(path))
        except replan.InputError as error:
            refused += 1
            assert str(error).startswith(str(path)) and "\n" not in str(error)
    assert refused > 0.8 * len(broken)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"replan": "trips"}, "is no trip"),
        ({"version": 2}, "is no trip"),
        ({"moves": -1}, "moves (moves from cell to cell) cannot be -1"),
        ({"moves": True}, "cannot be True"),
        ({"why": "bored"}, "why is one of reached, unreachable, max_moves, max_seconds, not 'bored'"),
        ({"path": []}, "path is a list of 7 cells"),
        ({"episodes": 77}, "its metrics contradict each other"),
        ({"informed_moves": 77}, "its metrics contradict each other"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path, change, words):
    path = tmp_path / "trip.json"
    replan.simulate(world(), FORWARD, (0, 0), (0, 2)).save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(replan.InputError, match=re.escape(words)):
        replan.Trip.load(path)


@pytest.mark.parametrize("name", ["none.json", "."])
def test_what_is_no_file_is_refused(tmp_path, name):
    with pytest.raises(replan.InputError):
        replan.Trip.load(tmp_path / name)


def test_max_seconds():
    """A target that runs in circles for ever."""
    block = np.zeros((5, 5), bool)
    block[1:4, 1:4] = True
    ring = [(0, c) for c in range(4)] + [(r, 4) for r in range(4)] + [(4, c) for c in range(4, 0, -1)]
    ring += [(r, 0) for r in range(4, 0, -1)]
    there = replan.World(replan.Grid(block, neighbors=4), target=ring * 100_000)
    trip = replan.simulate(there, "Repeated Forward A*", (2, 0), max_seconds=0.02)
    assert trip.why == "max_seconds" and not trip.reached and trip.steps < 100_000
    assert "was stopped by max_seconds after" in str(trip)
    assert replan.simulate(world(), FORWARD, (0, 0), (0, 2), max_seconds=1000).reached


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
    if spec.is_optimal:
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
        ((0, 0), (0, 2), {"max_seconds": 0}, "max_seconds"),
        ((0, 0), (0, 2), {"max_seconds": "1s"}, "max_seconds"),
        ((0, 0), (0, 2), {"max_seconds": float("nan")}, "max_seconds"),
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


def test_what_python_shows_of_a_trip_fits_a_screen():
    """A search each, or a move each, is for who asks for it."""
    world = replan.World(replan.Grid(replan.maze(61, 61, seed=1), neighbors=4))
    trip = replan.simulate(world, "RTAA*", (0, 0), (60, 60), timing="episode")
    assert trip.episodes > 300 and len(repr(trip)) < 400


def test_one_of_something_is_told_as_one():
    trip = replan.simulate(replan.Grid([[0, 0]]), "A*", (0, 0), (0, 1))
    assert str(trip) == "Repeated Forward A* reached the goal after 1 move: cost 1.0, 1 episode, 1 expansion"


@pytest.mark.parametrize("limit", [np.int64(1), np.uint8(1)])
def test_limits_may_be_numbers_of_numpy(limit):
    grid = replan.Grid([[0, 0, 0]])
    assert replan.simulate(grid, "A*", (0, 0), (0, 2), max_moves=limit).moves == 1
    assert len(replan.simulate(grid, "A*", (0, 0), (0, 2), trials=limit)) == 1


@pytest.mark.parametrize("limit", [True, -1, 1.0, "3", 2**80])
def test_what_is_no_limit_of_moves(limit):
    with pytest.raises(replan.InputError, match="max_moves is a whole number from 0"):
        replan.simulate(replan.Grid([[0, 0, 0]]), "A*", (0, 0), (0, 2), max_moves=limit)
