"""Every planner, in the middle of a trip, is copied and pickled: the copy goes on move for move, with equal counts."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import replan
from saving.rides import PLANNERS, Wanderer, agent_on, planner, ride, spaces
from saving.ways import DEEP, WAYS, pickled

STOPS = (0, 1, 4, 13, 30) if replan.compiled else (0, 13)
LENGTH = 45 if replan.compiled else 25


@pytest.mark.parametrize("which", PLANNERS)
def test_a_copy_goes_on_the_same(which: str) -> None:
    """A planner that is not here is a new one of the registry: `constructor_args` and `serialize_trip` make it."""
    tried = 0
    for number, space in enumerate(spaces().values()):
        for stop in STOPS:
            agent = agent_on(pickled(space), planner(which))
            if agent is None:
                continue
            tried += 1
            ride(agent, 0, stop)
            way = DEEP[(stop + number) % len(DEEP)]
            twin = way(agent)
            assert same_arrays(twin.planner.snapshot(), agent.planner.snapshot()), (way, stop, space)
            goes_on, original = ride(twin, stop, LENGTH), ride(agent, stop, LENGTH)
            assert goes_on == original, (way, stop, space)
            assert same_arrays(twin.planner.snapshot(), agent.planner.snapshot())
    assert tried


def same_arrays(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("which", PLANNERS)
@pytest.mark.parametrize("side", [30, 3])
def test_a_planner_that_comes_from_another_map(which: str, side: int) -> None:
    """It is copied before its first search in the new one: nothing of an earlier trip is left in it."""
    made, space = planner(which), pickled(spaces()["4"])
    before = replan.Agent(made, replan.Grid(np.zeros((side, side), bool), 4), (0, 0), (side - 1, side - 1))
    ride(before, 0, 9)
    before.restart((side - 1, 0))  # the number of this state is larger than those of the new map
    before.observe([(side - 2, 0), (side - 1, 1)], True)  # a search that looks around, and does not come to its end
    with suppress(replan.InputError):  # one that searches all the way
        before.plan(replan.Expansions(1))
    agent = agent_on(space, made)
    twin = pickled(agent)
    assert ride(twin, 0, LENGTH) == ride(agent, 0, LENGTH)
    assert same_arrays(twin.planner.snapshot(), agent.planner.snapshot())


@pytest.mark.parametrize("which", PLANNERS)
@pytest.mark.parametrize("way", WAYS)
def test_a_planner_alone(which: str, way: Any) -> None:
    """Before a trip, and between two: a second trip is the same with the copy."""
    grid = spaces()["4"]
    trips = []
    for made in (way(planner(which)), planner(which)):
        twin = made
        for _ in range(2):
            trip = replan.simulate(replan.World(grid), twin, (0, 0), (10, 12), max_moves=60)
            trips.append((trip.path, trip.expansions, trip.percolations, trip.episodes, trip.h_increase))
            twin = way(twin)
    assert trips[0] == trips[2] and trips[1] == trips[3]


@pytest.mark.parametrize("way", WAYS)
def test_settings_are_kept(way: Any) -> None:
    made = replan.planner("RTAA*", lookahead=7, moves=3)
    made.lookahead, made.expansion_limit = 12, 12
    twin = way(made)
    assert (twin.lookahead, twin.move_limit, twin.spec, repr(twin)) == (12, 3, made.spec, repr(made))
    assert way(replan.planner("TBA*", deadline=50)).time_limit_ns == 50_000
    anytime = agent_on(spaces()["4"], replan.planner("AD*", weight=4.0))
    assert anytime is not None
    anytime.plan()
    assert way(anytime).planner.bound == anytime.planner.bound


@pytest.mark.parametrize("way", DEEP)
def test_a_planner_of_the_users(way: Any) -> None:
    agent = agent_on(spaces()["4"], Wanderer(3))
    assert agent is not None
    ride(agent, 0, 10)
    twin = way(agent)
    assert type(twin.planner) is Wanderer and twin.planner.been == agent.planner.been  # type: ignore[attr-defined]
    assert twin.planner.been is not agent.planner.been  # type: ignore[attr-defined]
    assert ride(twin, 10, 40) == ride(agent, 10, 40)


class Knowing(replan.ChoosingRule):
    """A rule that knows its agent."""

    agent: Any = None

    def choose(self, lookahead: Any) -> int:
        return int(lookahead.best)


@pytest.mark.parametrize("way", DEEP)
def test_a_rule_that_knows_its_agent(way: Any) -> None:
    rule = Knowing()
    agent = agent_on(spaces()["4"], replan.planner("RTAA*", choosing=rule))
    assert agent is not None
    rule.agent = agent
    ride(agent, 0, 5)
    for twin in (way(agent), way(rule).agent, way([rule, agent])[1]):
        assert twin is not agent and twin.planner.choosing.agent is twin
        assert ride(twin, 5, 20)[-1][:3] == ride(pickled(agent), 5, 20)[-1][:3]


@pytest.mark.parametrize("way", DEEP)
def test_agents_that_share_a_belief_still_do(way: Any) -> None:
    belief = spaces()["4"]
    agents = [agent_on(belief, replan.planner(name)) for name in ("RTAA*", "D* Lite", "Repeated BFS")]
    twins = way(agents)
    assert len({id(agent.belief) for agent in twins}) == 1 and twins[0].belief is not belief
    for group in (agents, twins):
        told = []
        for number in range(25):
            told += [step for agent in group for step in ride(agent, number, number + 1)]
        group.append(told)
    assert agents[3] == twins[3]


def test_a_shallow_copy_shares_the_belief_and_nothing_else() -> None:
    agent = agent_on(spaces()["4"], replan.planner("D* Lite"))
    assert agent is not None
    ride(agent, 0, 3)
    twin, apart = copy.copy(agent), copy.deepcopy(agent)
    assert twin.belief is agent.belief and apart.belief is not agent.belief
    assert twin.planner is not agent.planner
    cell = agent.plan()[1]  # type: ignore[index]
    agent.observe([cell], [True])
    assert cell not in twin.plan() and cell in apart.plan()  # type: ignore[operator]
    shared = copy.copy(agent.planner)
    assert shared.space is agent.belief and shared.open is not agent.planner.open


def test_a_search_that_goes_on_is_not_saved() -> None:
    heard = []

    class Saves(replan.ChoosingRule):
        def choose(self, lookahead: Any) -> int:
            for thing in (agent, agent.planner):
                for way in WAYS:
                    with pytest.raises(RuntimeError, match="in the middle of a search"):
                        way(thing)
            heard.append(1)
            return int(lookahead.best)

    agent = agent_on(spaces()["4"], replan.planner("RTAA*", choosing=Saves()))
    agent.plan()
    assert heard


@pytest.mark.parametrize("name", ["RTAA*", "D* Lite", "TBA*", "AD*", "FRIT(A*)", "RTD*", "RTD* NoOp"])
def test_what_an_error_has_left_begins_anew_in_both(name: str) -> None:
    """At any moment of a search, of a part of a planner too."""
    failed = 0
    for moment in range(3, 80, 4):
        Fails.left = 10**9
        agent = agent_on(spaces()["4"], replan.planner(name, heuristic=Fails()))
        assert agent is not None
        Fails.left = moment
        try:
            ride(agent, 0, 30)
        except ZeroDivisionError:
            failed += 1
        Fails.left = 10**9
        twin = pickled(agent)
        assert ride(twin, 0, 20) == ride(agent, 0, 20)
    assert failed > 5


@pytest.mark.parametrize("name", ["D* Lite", "AD*"])
def test_a_part_that_an_error_has_left_half_done_begins_anew_alone(name: str) -> None:
    """It could be saved, and used without the planner that it is a part of."""
    for moment in range(3, 60, 4):
        Fails.left = 10**9
        part = replan.planner(name, heuristic=Fails())
        agent = agent_on(spaces()["4"], replan.planner("RTD*", global_=part, lookahead=9))
        assert agent is not None
        Fails.left = moment
        with pytest.raises(ZeroDivisionError):
            ride(agent, 0, 60)
        Fails.left = 10**9
        at = agent.belief.state(agent.cell)
        assert pickled(part).plan(at, None) == part.plan(at, None)


class Fails:
    """An estimate that fails after a while."""

    left = 30

    def __call__(self, a: Any, b: Any) -> float:
        Fails.left -= 1
        if Fails.left < 0:
            raise ZeroDivisionError
        return 0.0


def test_lambdas_and_local_classes_are_pickles_own_matter() -> None:
    made = replan.planner("RTAA*", heuristic=lambda a, b: 0)
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(made)
    assert copy.deepcopy(made).lookahead == 9


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", [{}, {"queue": "buckets"}, {"ties": "random", "prefer": "smaller g"}])
def test_lpa(way: Any, options: dict[str, Any]) -> None:
    grid = spaces()["4"]
    query = replan.LPAStar(grid, (0, 0), (10, 12), **options)
    edits = [((i * 5 % 11, i * 7 % 13), i % 3 > 0) for i in range(1, 30)]

    def go_on(one: replan.LPAStar, some: Any) -> list[Any]:
        told = []
        for cell, blocked in some:
            one.notify([cell], [blocked])
            told.append((one.path(), one.expansions, one.cost))
        return told

    go_on(query, edits[:10])
    query.notify([(5, 5)], [True])  # not taken in yet
    twin = way(query)
    assert same_arrays(twin.snapshot(), query.snapshot())
    if way is copy.copy:
        assert twin.space is query.space
        twin.notify([(6, 6)], [True])
        assert twin.path() == query.path()
    else:
        assert go_on(twin, edits[10:]) == go_on(query, edits[10:])


def test_only_states_that_were_met_are_stored() -> None:
    side = 2000 if replan.compiled else 200
    grid = replan.Grid(np.zeros((side, side), bool), 8)
    for name in ("RTAA*", "LSS-LRTA*", "RTD* NoOp", "TBA*", "LRTA*"):
        agent = replan.Agent(replan.planner(name, lookahead=300), grid, (0, 0), (side - 1, side - 1))
        for _ in range(10):
            path = agent.plan()
            assert path
            agent.move(path[0])
        assert len(pickle.dumps(agent)) < 150_000, name


def test_parts_say_what_they_are_parts_of() -> None:
    agent = agent_on(spaces()["4"], replan.planner("RTAA*"))
    assert agent is not None
    for way in WAYS:
        with pytest.raises(TypeError, match="as part of a planner"):
            way(agent.planner.open)  # type: ignore[attr-defined]
