"""A space of the user's, in plain Python."""

from __future__ import annotations

import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replan
from oracle.searches import dijkstra
from strategies import names

ALL = [s for s in replan.planners() if not s.needs_unit_costs]
OWN = [s for s in replan.planners() if not s.needs_plain_grid]
INF = 1 << 62
EXAMPLE = Path(__file__).parents[2] / "examples" / "own_space.py"
Hexagons: Any = runpy.run_path(str(EXAMPLE))["Hexagons"]


def edges_of(space: Hexagons) -> dict:
    return {
        space.key(s): {space.key(v): 1 for v in space.around(s) if space.free[v]} if space.free[s] else {}
        for s in range(space.n)
    }


WALL = [(q, 3) for q in range(5)]


def walked(planner: Any, truth: Hexagons, believed: Hexagons, start: Any, goal: Any) -> list:
    """The path of an agent that sees the cells around it."""
    agent = replan.Agent(planner, believed, start, goal)
    path = [start]
    while True:
        seen = [truth.key(s) for s in truth.around(agent.state)]
        agent.observe(seen, [not truth.free[truth.state(c)] for c in seen])
        ahead = agent.plan()
        assert ahead is not None and len(path) < 500
        if not ahead:
            return path
        if ahead[0] != agent.cell:
            assert truth.edge_cost(agent.state, truth.state(ahead[0])) == 1
            agent.move(ahead[0])
            path.append(ahead[0])


@pytest.mark.parametrize("spec", OWN, ids=lambda s: s.slug)
def test_agents_walk_on_it(spec):
    truth = Hexagons(6, WALL)
    path = walked(spec.slug, truth, Hexagons(6), (0, 0), (0, 5))
    assert path[-1] == (0, 5)
    assert len(path) - 1 >= dijkstra(edges_of(truth), (0, 0))[0, 5]


@pytest.mark.parametrize("spec", [s for s in ALL if s.is_optimal], ids=names([s for s in ALL if s.is_optimal]))
def test_paths_are_shortest(spec):
    rng = np.random.default_rng(3)
    for _ in range(20):
        blocked = [tuple(c) for c in rng.integers(0, 6, (9, 2)).tolist() if tuple(c) not in ((0, 0), (5, 5))]
        space = Hexagons(6, blocked)
        agent, moves = replan.Agent(spec.slug, space, (0, 0), (5, 5)), 0
        while path := agent.plan():
            agent.move(path[0])
            moves += 1
        best = dijkstra(edges_of(space), (0, 0)).get((5, 5))
        assert (None if path is None else moves) == best


# In a World.


@pytest.mark.parametrize("spec", OWN, ids=lambda s: s.slug)
def test_a_trip_in_a_world_is_the_walk_of_an_agent(spec):
    truth = Hexagons(6, WALL)
    trip = replan.simulate(replan.World(truth), spec.slug, (0, 0), (0, 5))
    assert trip.reached and trip.cost == trip.moves
    assert trip.path == walked(spec.slug, truth, Hexagons(6), (0, 0), (0, 5))
    assert truth.free == Hexagons(6, WALL).free, "the truth is not changed"


@pytest.mark.parametrize("known", ["nothing", "everything", Hexagons(6, WALL[:3])])
@pytest.mark.parametrize("sensor", ["adjacent", "everything"])
def test_a_world_whose_terrain_changes(sensor, known):
    """The wall stands at first; later a cell of it opens, and another one is blocked that was free."""
    world = replan.World(
        Hexagons(6, WALL), sensor, known, changes=[(2, (1, 3), "free"), (2, (5, 3), "blocked"), (4, (0, 3), 1)]
    )
    for _ in range(2):  # a world begins anew
        trip = replan.simulate(world, "D* Lite", (0, 0), (0, 5))
        assert trip.reached
        assert not {(5, 3), (2, 3), (3, 3), (4, 3)} & set(trip.path)


def test_a_moving_target_on_it():
    world = replan.World(Hexagons(5), target=[(4, 4), (4, 3), (4, 2), (4, 1)])
    assert replan.simulate(world, "Moving-Target Adaptive A*", (0, 0)).reached


@pytest.mark.parametrize("missing", ["copy", "assign", "believed_free", "adjacent"])
def test_what_a_world_misses_is_named(missing):
    class Lacking(Hexagons):
        def copy(self):
            return Lacking(self.size)

        def believed_free(self):
            return Lacking(self.size)

    setattr(Lacking, missing, getattr(replan.Space, missing, None))
    with pytest.raises(NotImplementedError, match=rf"Lacking is a space without {missing}\(\)"):
        replan.simulate(replan.World(Lacking(4)), "RTAA*", (0, 0), (3, 3))


# Edges in one direction.


class OneWay(replan.Space):
    """A directed graph with costs; a place is an edge."""

    def __init__(self, n: int, edges: dict[tuple[int, int], int]):
        super().__init__(n, max_path_cost=10_000, degree=n, n_locations=len(edges), locations_are_states=False)
        self.ends, self.costs, self.first = list(edges), list(edges.values()), list(edges.values())

    def successors(self, s):
        return [(v, c) for (u, v), c in zip(self.ends, self.costs, strict=True) if u == s and c]

    def predecessors(self, s):
        return [(u, c) for (u, v), c in zip(self.ends, self.costs, strict=True) if v == s and c]

    def edge_cost(self, u, v):
        return dict(self.successors(u)).get(v, INF)

    def distance(self, u, v):
        return 0

    def get_value(self, location):
        return self.costs[location]

    def set_value(self, location, value):
        self.costs[location] = value
        return [self.ends[location][0]], [self.ends[location][1]]

    def state(self, key):
        return key

    def key(self, state):
        return state

    def location(self, key):
        return self.ends.index(key)

    def value_of_weight(self, weight):
        return int(weight)

    def min_value(self, location):
        return self.first[location]

    def display_cost(self, path, step_costs):
        return float(step_costs.sum())


@pytest.mark.parametrize("name", ["D* Lite", "Repeated Forward A*", "Repeated Backward A*", "Generalized Adaptive A*"])
def test_changed_costs_of_directed_edges(name):
    """Agents and LPA* after every change, against Dijkstra's algorithm."""
    rng = np.random.default_rng(8)
    n = 9
    ends = {(int(u), int(v)) for u, v in rng.integers(0, n, (30, 2)) if u != v}
    made = {pair: int(rng.integers(1, 9)) for pair in sorted(ends)}
    space, query = OneWay(n, made), replan.LPAStar(OneWay(n, made), 0, n - 1)
    agent = replan.Agent(replan.planner(name), space, 0, n - 1)
    for _ in range(60):
        edges = {u: dict(space.successors(u)) for u in range(n)}
        best = dijkstra(edges, 0).get(n - 1)
        for path in (agent.plan(), query.path()):
            assert (path is None) == (best is None)
            if path is not None:
                walk = [0, *path] if path[0] != 0 else path
                assert sum(edges[a][b] for a, b in pairwise(walk)) == best
        assert query.cost == (float("inf") if best is None else best)
        pair = list(made)[int(rng.integers(len(made)))]
        value = int(rng.choice([0, made[pair], made[pair] + 5, 90]))
        agent.observe([pair], weights=[value])
        query.notify([pair], weights=[value])


# What is wrong is named.


def test_a_method_that_is_missing_is_named():
    class Half(replan.Space):
        def __init__(self):
            super().__init__(n=4, max_path_cost=4, degree=4)

        def state(self, key):
            return key

        def key(self, state):
            return state

        def distance(self, u, v):
            return 0

        def get_value(self, location):
            return 1

    agent = replan.Agent("Repeated Forward A*", Half(), 0, 3)
    with pytest.raises(NotImplementedError, match=r"Half is a space without successors\(\)"):
        agent.plan()
    for name, method in [("predecessors", "Repeated Backward A*"), ("predecessors", "D* Lite")]:
        with pytest.raises(NotImplementedError, match=rf"Half is a space without {name}\(\)"):
            replan.Agent(method, Half(), 0, 3).plan()


def test_errors_of_a_method_come_out():
    class Broken(Hexagons):
        def successors(self, s):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        replan.Agent("Repeated Forward A*", Broken(4), (0, 0), (3, 3)).plan()


def test_a_space_that_does_not_call_init_is_refused():
    class Unmade(Hexagons):
        def __init__(self):
            self.size = 4

    with pytest.raises(replan.InputError, match=r"this Unmade is not made yet: its __init__ has not called"):
        replan.Agent("Repeated Forward A*", Unmade(), (0, 0), (3, 3))


@pytest.mark.parametrize(
    ("announced", "words"),
    [
        ({"n": 0}, "n is from 1"),
        ({"n": 1 << 31}, "n is from 1"),
        ({"n": 2.0}, "n is a whole number, not 2.0"),
        ({"max_path_cost": 0}, "max_path_cost is from 1"),
        ({"max_path_cost": 1 << 62}, "max_path_cost is from 1"),
        ({"degree": -1}, "degree is from 0"),
        ({"units_per_step": 5}, "units_per_step is from 1 to 4, not 5"),
        ({"max_edge_round_trip": 9}, "max_edge_round_trip is from 1 to 8, not 9"),
        ({"n_locations": -1}, "n_locations is from 0"),
    ],
)
def test_what_cannot_be_announced_is_refused(announced, words):
    with pytest.raises(replan.InputError, match=f"Space: {words}"):
        replan.Space(**{"n": 4, "max_path_cost": 4, "degree": 4, **announced})


LIES: list[tuple[str, Any, str]] = [
    ("successors", lambda self, s: [(16, 1)], r"Liar.successors\(\) returned the state 16; states go from 0 to 15"),
    ("successors", lambda self, s: [(-1, 1)], r"Liar.successors\(\) returned the state -1"),
    ("successors", lambda self, s: [(0, 0)], r"Liar.successors\(\) returned the cost 0; costs go from 1"),
    ("successors", lambda self, s: [(0, 17)], r"Liar.successors\(\) returned the cost 17; costs go from 1 to .*16"),
    ("successors", lambda self, s: [(0, 1)] * 7, r"Liar.successors\(\) returned 7 neighbours, but announced at most 6"),
    ("successors", lambda self, s: [0], r"Liar.successors\(\) returned 0; a neighbour is \(state, cost\)"),
    ("successors", lambda self, s: [(0, 1.5)], r"returned \(0, 1.5\); a neighbour is \(state, cost\)"),
    ("successors", lambda self, s: None, r"Liar.successors\(\) returned None, which is no list"),
    ("distance", lambda self, u, v: -1, r"Liar.distance\(\) returned -1; an estimate is from 0"),
    ("distance", lambda self, u, v: 0.5, r"Liar.distance\(\) returned 0.5; an estimate is a whole number"),
    ("edge_cost", lambda self, u, v: 0, r"Liar.edge_cost\(\) returned 0; the cost of a step is from 1"),
    (
        "get_value",
        lambda self, location: None,
        r"Liar.get_value\(\) returned None; the value of a location is a whole number",
    ),
    ("set_value", lambda self, location, value: 3, r"Liar.set_value\(\) returned 3, which is no list"),
    ("min_value", lambda self, location: 0, r"Liar.min_value\(\) returned 0; .*value.* is from 1"),
    ("set_value", lambda self, location, value: [16], r"Liar.set_value\(\) returned 16; a state is from 0 to 15"),
    (
        "set_value",
        lambda self, location, value: ([1], [2, 3]),
        r"Liar.set_value\(\) returned 1 states and 2 that their steps enter",
    ),
    ("state", lambda self, key: 16, r"Liar.state\(\) returned 16; a state is from 0 to 15"),
    ("location", lambda self, key: "A1", r"Liar.location\(\) returned 'A1'; a location is a whole number"),
    ("adjacent", lambda self, s: [99], r"Liar.adjacent\(\) returned 99; a location is from 0 to 15"),
    ("copy", lambda self: self, r"Liar.copy\(\) returned .*; it returns another Liar of the same size"),
    ("believed_free", lambda self: Hexagons(4), r"Liar.believed_free\(\) returned .*; it returns another Liar"),
]


@pytest.mark.parametrize(
    ("method", "lie", "words"), LIES, ids=[f"{method}-{i}" for i, (method, _, _) in enumerate(LIES)]
)
def test_lies_are_named(method, lie, words):
    """A first word of each kind."""

    class Liar(Hexagons):
        def copy(self):
            twin = Liar(self.size)
            twin.free = list(self.free)
            return twin

        def believed_free(self):
            return Liar(self.size)

    setattr(Liar, method, lie)
    with pytest.raises(ValueError, match=words):
        space = Liar(4)
        world = replan.World(Liar(4), changes=[(1, (1, 1), "blocked")])
        replan.simulate(world, "Repeated Forward A*", (0, 0), (3, 3))
        agent = replan.Agent("Repeated Forward A*", space, (0, 0), (3, 3))
        agent.observe([(1, 1)], [True])
        agent.plan()
        agent.move((1, 1), even_if_blocked=True)
