"""Targets that move by themselves, and the planners that chase them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.searches import dijkstra, inconsistent, reachable
from strategies import GridCase, graph_cases, kinds_for, names, problems, specs

CHEAPEST = specs(is_optimal=True)
CONSISTENT = ["RTAA*", "aRTAA*", "daRTAA*", "LSS-LRTA*", "aLSS-LRTA*", "daLSS-LRTA*", "Moving-Target Adaptive A*"]
OPEN = replan.Grid(np.zeros((12, 12), bool), neighbors=4)


def targets(start: Any, speeds: list[float], edges: Any, data: Any) -> replan.Target:
    speed, kind = data.draw(st.sampled_from(speeds)), data.draw(st.sampled_from(["flee", "wander", "route"]))
    if kind == "route":
        route = [start]
        for turn in data.draw(st.lists(st.integers(0, 8), max_size=40)):
            around = [route[-1], *edges[route[-1]]]
            route.append(around[turn % len(around)])
        return replan.Route(route, speed=speed)
    return {"flee": replan.Flee, "wander": replan.Wander}[kind](start, speed=speed, seed=data.draw(st.integers(0, 99)))


@pytest.mark.parametrize("spec", CHEAPEST, ids=names(CHEAPEST))
@examples(40)
@given(data=st.data())
def test_a_slower_target_is_always_caught(spec, data):
    kinds = {**kinds_for(spec), "weighted": False}
    case, start, goal = data.draw(problems(largest=7, **kinds))
    edges = case.edges()
    assume(goal in reachable(edges, start))
    target = targets(goal, [0, 0.3, 0.5, 0.9], edges, data)
    sensor = data.draw(st.sampled_from(["adjacent", "everything"]))
    trip = replan.simulate(replan.World(case.grid(), sensor=sensor, target=target), spec.slug, start, max_moves=20_000)
    assert trip.reached and trip.waits == 0


class Chase:
    """A chase step by step: the agent moves, then the target. The agent sees the cells around it."""

    def __init__(self, case: GridCase, planner: replan.Planner, start: Any, target: replan.Target) -> None:
        self.truth, self.planner, self.target = case.grid(), planner, target
        self.case, self.belief = case, self.truth.believed_free()
        self.prey = target.begin(self.truth)
        self.agent = replan.Agent(planner, self.belief, start, self.truth.key(self.prey))
        self.look()

    def look(self) -> None:
        r, c = self.agent.cell
        near = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        near = [(r, c) for r, c in near if 0 <= r < self.truth.rows and 0 <= c < self.truth.cols]
        self.agent.observe(near, [bool(self.truth.blocked[cell]) for cell in near])

    def edges(self) -> Any:
        return GridCase(np.array(self.belief.blocked), self.case.neighbors, self.case.corners, None, None).edges()

    @property
    def goal(self) -> Any:
        return self.truth.key(self.prey)

    def step(self, path: list[Any]) -> bool:
        """False when it is over."""
        self.agent.move(path[0])
        if self.agent.cell != self.goal:
            state = self.truth.state(self.agent.cell)
            self.prey = self.target.step(self.truth, self.prey, state)
            self.agent.retarget(self.goal)
        self.look()
        return bool(self.agent.cell != self.goal)


@pytest.mark.parametrize("spec", CHEAPEST, ids=names(CHEAPEST))
@examples(25)
@given(data=st.data())
def test_every_step_is_on_a_cheapest_presumed_path(spec, data):
    kinds = {**kinds_for(spec), "weighted": False}
    case, start, goal = data.draw(problems(largest=6, **kinds))
    case.walls = None
    chase = Chase(case, replan.planner(spec.slug), start, targets(goal, [1], case.edges(), data))
    for _ in range(40):
        path, best = chase.agent.plan(), dijkstra(chase.edges(), chase.agent.cell).get(chase.goal)
        if best is None or chase.agent.cell == chase.goal:
            assert path == (None if best is None else [])
            return
        edges = chase.edges()
        ahead = dijkstra(edges, path[0]).get(chase.goal)
        assert edges[chase.agent.cell][path[0]] + ahead == best
        if not chase.step(path):
            return


@pytest.mark.parametrize("name", CONSISTENT)
@examples(30)
@given(data=st.data())
def test_h_stays_consistent_while_the_target_moves(name, data):
    """Towards the target where it is now, in terrain that is only ever found to be dearer."""
    case, start, goal = data.draw(problems(largest=6, weighted=False))
    case.walls = None
    options = {} if name.startswith("Moving") else {"lookahead": data.draw(st.sampled_from([1, 3, 10]))}
    chase = Chase(case, replan.planner(name, **options), start, targets(goal, [1], case.edges(), data))
    for _ in range(30):
        path = chase.agent.plan()
        if not path:
            return
        h = chase.planner.snapshot()["h"]
        state, goal_state = chase.truth.state, chase.prey

        def value(s: Any, h: Any = h, state: Any = state, goal_state: int = goal_state) -> int:
            known = int(h[state(s)])
            return known if known >= 0 else chase.truth.distance(state(s), goal_state)

        assert not inconsistent(chase.edges(), value, {chase.goal})
        if not chase.step(path):
            return


REAL_TIME = specs(is_realtime=True)


@pytest.mark.parametrize("spec", REAL_TIME, ids=names(REAL_TIME))
def test_real_time_planners_catch_targets_in_the_open(spec):
    """Not promised, but seen."""
    for target in (replan.Flee((11, 11), speed=0.5), replan.Wander((11, 11), speed=0.5, seed=2)):
        trip = replan.simulate(replan.World(OPEN, target=target), spec.slug, (0, 0), max_moves=3000)
        assert trip.reached


# What targets do.


def track(target: replan.Target, space: replan.Space, agent: Any, steps: int) -> list[Any]:
    at, path = target.begin(space), []
    for _ in range(steps):
        path.append(space.key(at))
        at = target.step(space, at, space.state(agent))
    return path


@examples(60)
@given(case=graph_cases(), data=st.data())
def test_targets_walk_along_edges(case, data):
    """Also on graphs; a flight never leads nearer, as the space estimates it."""
    graph, edges = case.graph(), case.edges()
    start, agent = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    for target in (replan.Flee(start, seed=3), replan.Wander(start, seed=3)):
        path = track(target, graph, agent, 20)
        assert all(b == a or b in edges[a] for a, b in itertools.pairwise(path))
        if isinstance(target, replan.Flee):
            far = [graph.distance(graph.state(agent), graph.state(s)) for s in path]
            assert far == sorted(far)


def test_a_fleeing_target_runs_into_a_corner_and_a_wandering_one_gets_about():
    assert track(replan.Flee((3, 3)), OPEN, (0, 0), 40)[-1] == (11, 11)
    visited = set(track(replan.Wander((5, 5), seed=1), OPEN, (0, 0), 500))
    assert len(visited) > 60
    one, two = (track(replan.Wander((5, 5), seed=1), OPEN, agent, 50) for agent in ((0, 0), (9, 9)))
    assert one == two, "the seed alone decides"


@pytest.mark.parametrize(("speed", "moves"), [(0, 0), (0.5, 5), (1 / 3, 3), (1, 10), (2, 20), (2.5, 25)])
def test_speed_is_moves_a_step(speed, moves):
    """The agent is shut in and waits; after ten steps the target has made so many moves."""
    blocked = np.zeros((2, 40), bool)
    blocked[1, 1:] = True
    blocked[0, :2] = True
    route = [(0, c) for c in range(2, 40)]
    world = replan.World(replan.Grid(blocked), known="everything", target=replan.Route(route, speed=speed))
    replan.simulate(world, "Repeated Forward A*", (1, 0), max_moves=10)
    expected = route[moves] if speed else route[0]
    assert world.space.key(world.target_state) == expected


def corridor(target: Any, length: int = 8) -> replan.World:
    return replan.World(replan.Grid(np.zeros((1, length), bool), neighbors=4), target=target)


@pytest.mark.parametrize("name", ["D* Lite", "AD*", "RTD*"])
def test_what_was_counted_for_the_last_goal_still_counts(name):
    """These searches start again for another goal. The counts of a trip are those of all of them."""
    agent = replan.Agent(replan.planner(name), replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
    agent.plan()
    before = agent.planner.percolations
    agent.retarget((0, 1))
    agent.plan()
    assert agent.planner.percolations >= before > 0


def test_stepping_onto_the_target_catches_it_before_it_moves_on():
    trip = replan.simulate(corridor([(0, 1), (0, 2), (0, 3)]), "Repeated Forward A*", (0, 0))
    assert (trip.path, trip.steps) == ([(0, 0), (0, 1)], 1)


def test_agent_and_target_cannot_swap_cells():
    trip = replan.simulate(corridor([(0, 3), (0, 2), (0, 1), (0, 0)]), "Repeated Forward A*", (0, 0))
    assert (trip.path, trip.steps) == ([(0, 0), (0, 1), (0, 2)], 2)


def test_a_target_that_steps_onto_the_agent_is_caught():
    trip = replan.simulate(corridor([(0, 2), (0, 1)]), "Repeated Forward A*", (0, 0))
    assert (trip.path, trip.steps) == ([(0, 0), (0, 1)], 1)


def test_a_target_as_fast_as_the_agent_may_escape():
    ring = np.zeros((3, 3), bool)
    ring[1, 1] = True
    around = [(0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1)] * 40
    for speed, why in ((1, "max_moves"), (0.9, "reached")):
        world = replan.World(
            replan.Grid(ring, neighbors=4), known="everything", target=replan.Route(around, speed=speed)
        )
        trip = replan.simulate(world, "D* Lite", (0, 0), max_moves=100)
        assert trip.why == why


class Still(replan.Target):
    """A target of a user's, in Python."""

    def step(self, space, state, agent_state):
        return agent_state if space.distance(state, agent_state) <= 2 else state


def test_a_target_of_the_users():
    trip = replan.simulate(corridor(Still((0, 6))), "RTAA*", (0, 0))
    assert (trip.reached, trip.moves) == (True, 4), "it jumps onto the agent when that is near"

    class Nameless(replan.Target):
        pass

    with pytest.raises(NotImplementedError, match="without step"):
        replan.simulate(corridor(Nameless((0, 6))), "RTAA*", (0, 0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: replan.Flee((0, 0), speed=-1), "speed"),
        (lambda: replan.Flee((0, 0), speed=float("nan")), "speed"),
        (lambda: replan.Wander((0, 0), speed=1000), "speed"),
        (lambda: replan.Wander((0, 0), seed=-1), "seed"),
        (lambda: replan.Route([]), "visits no cell"),
        (lambda: corridor(replan.Flee((5, 5))), "outside"),
    ],
)
def test_bad_targets_are_refused(make, words):
    with pytest.raises(replan.InputError, match=words):
        make()
