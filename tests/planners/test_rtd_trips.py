"""Trips of RTD*: what it is in its extremes, its theorems, doors, and what it refuses (RTD* 2010)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.searches import reachable
from planners.test_rtd import LOCALS, ORDERS
from strategies import GridCase, problems


def changing(case: GridCase, data: Any, start: Any, goal: Any, sensor: str = "everything") -> replan.World:
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    change = st.tuples(st.integers(0, 15), cells, st.sampled_from(["blocked", "free"]))
    script = data.draw(st.lists(change, max_size=12))
    script = [change for change in script if change[0] > 0 or change[1] not in (start, goal)]
    return replan.World(case.grid(), sensor=sensor, changes=script)


@examples(150)
@given(problem=problems(), data=st.data(), sensor=st.sampled_from(["adjacent", "everything"]))
def test_unlimited_takes_the_steps_of_non_rtd(problem, data, sensor):
    case, start, goal = problem
    world, order = changing(case, data, start, goal, sensor), data.draw(st.sampled_from(ORDERS))
    local = data.draw(st.sampled_from(LOCALS))
    ours = replan.simulate(world, replan.planner("RTD*", lookahead=None, local=local, **order), start, goal)
    non = replan.simulate(world, replan.planner("Non-RTD*", **order), start, goal)
    assert (ours.path, ours.steps, ours.why) == (non.path, non.steps, non.why)
    assert ours.partial_moves == non.partial_moves == 0
    assert ours.expansions == non.expansions and ours.key_updates == non.key_updates


@examples(60)
@given(problem=problems(), lookahead=st.just(1), local=st.sampled_from(["LSS-LRTA*", "RTAA*", "TLA*"]))
def test_with_a_limit_of_one_it_is_its_local_search(problem, lookahead, local):
    case, start, goal = problem
    world = replan.World(case.grid())
    ours = replan.simulate(world, replan.planner("RTD*", lookahead=1, local=local), start, goal, max_moves=300)
    alone = replan.simulate(world, replan.planner(local, lookahead=1, moves=1), start, goal, max_moves=300)
    if alone.why != "unreachable":  # the global search may know it sooner: a goal that is shut in ends it at once
        assert ours.path == alone.path[: len(ours.path)] and ours.informed_moves <= 1


class Drunk(replan.Planner):
    """Walks to a random neighbour, wherever the goal is."""

    def begin(self, space, goals):
        super().begin(space, goals)
        self.rng = np.random.default_rng(1)

    def plan(self, state, budget):
        around = [v for v, _ in self.space.successors(state)]
        return [int(self.rng.choice(around))] if around else None


@examples(60)
@given(problem=problems(largest=6))
def test_theorem_2_the_global_search_arrives_whatever_the_local_one_does(problem):
    """In a static world, with a limit large enough. The goal is reachable from everywhere that the agent can go."""
    case, start, goal = problem
    if goal not in reachable(case.edges(), start) or start == goal:
        return
    rtd = replan.planner("RTD*", local=Drunk(), lookahead=40)
    trip = replan.simulate(replan.World(case.grid()), rtd, start, goal, max_moves=5000)
    assert trip.reached
    assert trip.informed_moves > 0 or trip.partial_moves > 0


@pytest.mark.parametrize("limit", [8, 64, 256])
def test_theorem_2_on_rooms(limit):
    """From some step on every step is fully informed: nothing changes, so the search stays complete."""
    grid = replan.Grid(replan.rooms(40, 40, room_size=6, seed=2))
    rtd = replan.planner("RTD*", lookahead=limit)
    agent = replan.Agent(rtd, grid, (0, 0), (39, 39))
    informed, before = [], 0
    while path := agent.plan():
        informed.append(rtd.local_planner.expansions == before)  # a step of the local search takes one at least
        before = rtd.local_planner.expansions
        agent.move(path[0])
    assert agent.cell == (39, 39)
    assert informed == sorted(informed) and informed[-1]
    trip = replan.simulate(grid, replan.planner("RTD*", lookahead=limit), (0, 0), (39, 39))
    assert (trip.informed_moves, trip.partial_moves) == (sum(informed), len(informed) - sum(informed))


DOOR = np.array([[False, False, True, False, False]])


def test_waits_for_a_door_or_reports():
    world = replan.World(replan.Grid(DOOR), sensor="everything", known="everything", changes=[(7, (0, 2), "free")])
    for name in ("RTD*", "RTD* NoOp", "Non-RTD*", "TBA*"):
        trip = replan.simulate(world, name, (0, 0), (0, 4))
        assert (trip.why, trip.moves) == ("reached", 4), name
        assert trip.steps == trip.moves + trip.waits and trip.waits >= 7 - 4
        told = replan.simulate(world, replan.planner(name, when_unreachable="report"), (0, 0), (0, 4))
        assert (told.why, told.path[-1]) == ("unreachable", told.path[-1]) and told.steps < 7, name


def test_standing_still_while_no_path_exists():
    """Fully informed that there is none, RTD* does not walk about."""
    world = replan.World(replan.Grid(DOOR), sensor="everything", known="everything", changes=[(50, (0, 2), "free")])
    trip = replan.simulate(world, replan.planner("RTD*", lookahead=64), (0, 0), (0, 4))
    assert (trip.moves, trip.waits, trip.steps) == (4, 50, 54)
    assert "50 waits" in str(trip)


def test_the_trip_tells_the_kinds_of_steps_apart():
    doors = replan.rooms_with_doors(60, 60, seed=4, steps=800)
    trip = replan.simulate(doors.make_world(), replan.planner("RTD*", lookahead=64), doors.start, doors.goal)
    assert trip.reached and trip.episodes == trip.steps == trip.moves + trip.waits
    assert trip.moves == trip.informed_moves + trip.partial_moves
    assert min(trip.informed_moves, trip.partial_moves, trip.key_updates, trip.changed_state_count) > 0
    assert trip.expansions + trip.key_updates <= 64 * trip.steps
    timed = replan.simulate(
        doors.make_world(), replan.planner("RTD*", lookahead=64), doors.start, doors.goal, timing="episode"
    )
    assert timed.path == trip.path and timed.apply_changes_ns > 0 and trip.apply_changes_ns is None


@pytest.mark.parametrize("global_", ["D* Lite", "AD*"])
@pytest.mark.parametrize("local", LOCALS)
def test_every_composition_gets_through_the_rooms(local, global_):
    doors = replan.rooms_with_doors(40, 40, room_size=7, seed=9, steps=500)
    rtd = replan.planner("RTD*", lookahead=32, local=local, global_=global_)
    trip = replan.simulate(doors.make_world(), rtd, doors.start, doors.goal, max_moves=20_000)
    assert trip.reached
    assert all(n <= 32 for n in trip.episode_expansions)


def test_a_deadline_is_shared_too(compiled):
    doors = replan.rooms_with_doors(60, 60, seed=4, steps=800)
    rtd = replan.planner("RTD*", deadline=200)
    trip = replan.simulate(doors.make_world(), rtd, doors.start, doors.goal, timing="episode", max_moves=20_000)
    assert trip.reached
    assert np.median(trip.episode_ns) < 400_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"local": "D* Lite"}, "real-time planner"),
        ({"local": "RTD*"}, "real-time planner"),
        ({"local": "TBA*"}, "real-time planner"),
        ({"local": 3}, "local is a planner"),
        ({"local": "nobody"}, "no planner 'nobody'"),
        ({"global_": "RTAA*"}, "global_ is"),
        ({"global_": None}, "global_ is a planner"),
        ({"local_ratio": 1.5}, "local_ratio"),
        ({"local_ratio": "half"}, "local_ratio"),
        ({"local_moves": 0}, "local_moves"),
        ({"when_unreachable": "cry"}, "when_unreachable"),
        ({"on_cost_decrease": "down"}, "on_cost_decrease"),
        ({"lookahead": 0}, "expansions from 1"),
        ({"queue": "stack"}, "queue is one of"),
    ],
)
def test_what_cannot_be_honoured_is_refused(options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.planner("RTD*", **options)


def test_non_rtd_searches_all_the_way_and_refuses_a_budget():
    agent = replan.Agent("Non-RTD*", replan.Grid(np.zeros((6, 3), bool), neighbors=4), (5, 0), (0, 2))
    with pytest.raises(replan.InputError, match="searches all the way"):
        agent.plan(replan.Expansions(1))
    assert len(agent.plan()) == 1


def test_parts_that_were_made_already():
    local = replan.planner("daRTAA*", on_cost_decrease="repair")
    rtd = replan.planner("RTD*", local=local, global_=replan.planner("AD*", weight=2.0))
    assert rtd.local_planner is local and rtd.global_planner.first_weight == 20
    shot = rtd.snapshot() if replan.simulate(replan.Grid(DOOR * False), rtd, (0, 0), (0, 4)) else {}
    assert {"g", "rhs", "h", "local_closed"} <= set(shot)
