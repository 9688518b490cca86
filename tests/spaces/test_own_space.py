"""A space of the user's, in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from oracle.searches import dijkstra
from strategies import names

ALL = [s for s in replan.planners() if not s.unit_costs]
INF = 1 << 62


class Hexagons(replan.Space):
    """A board of hexagons: a cell (q, r) with 0 <= q, r < size has six neighbours. A place is a cell."""

    AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]

    def __init__(self, size: int, blocked=()):
        self.size = size
        self.n = self.places = size * size
        self.unit, self.bound, self.span = 1, size * size, 2
        self.unit_costs = self.cells = True
        arrays = np.zeros(6, np.int32), np.ones(6, np.int64), np.zeros(7, np.int32)
        self.succ, self.cost, self.touched = map(memoryview, arrays)
        self.free = [True] * self.n
        for cell in blocked:
            self.free[self.state(cell)] = False

    def around(self, s):
        q, r = self.key(s)
        for dq, dr in self.AROUND:
            if 0 <= q + dq < self.size and 0 <= r + dr < self.size:
                yield (q + dq) * self.size + r + dr

    def expand(self, s):
        k = 0
        if self.free[s]:
            for v in self.around(s):
                if self.free[v]:
                    self.succ[k], self.cost[k] = v, 1
                    k += 1
        return k

    def reverse(self, s):
        return self.expand(s)

    def edge(self, u, v):
        return 1 if self.free[u] and self.free[v] and v in self.around(u) else INF

    def distance(self, u, v):
        (a, b), (c, d) = self.key(u), self.key(v)
        return (abs(a - c) + abs(b - d) + abs(a + b - c - d)) // 2

    def get(self, place):
        return int(self.free[place])

    def put(self, place, value):
        self.free[place] = bool(value)
        touched = [place, *self.around(place)]
        for i, s in enumerate(touched):
            self.touched[i] = s
        return len(touched)

    def state(self, key):
        return key[0] * self.size + key[1]

    def key(self, state):
        return divmod(int(state), self.size)

    def place(self, key):
        return self.state(key)

    def value_of(self, weight):
        return int(weight)


def edges_of(space: Hexagons) -> dict:
    return {
        space.key(s): {space.key(v): 1 for v in space.around(s) if space.free[v]} if space.free[s] else {}
        for s in range(space.n)
    }


@pytest.mark.parametrize("spec", [s for s in replan.planners() if not s.plain_grid], ids=lambda s: s.slug)
def test_agents_walk_on_it(spec):
    wall = [(q, 3) for q in range(5)]
    truth, believed = Hexagons(6, wall), Hexagons(6)
    agent = replan.Agent(spec.slug, believed, (0, 0), (0, 5))
    moves = 0
    while True:
        seen = [truth.key(s) for s in truth.around(agent.at)]
        agent.observe(seen, [not truth.free[truth.state(c)] for c in seen])
        path = agent.plan()
        assert path is not None and moves < 500
        if not path:
            break
        assert truth.edge(agent.at, truth.state(path[0])) == 1
        agent.move(path[0])
        moves += 1
    assert agent.cell == (0, 5)
    assert moves >= dijkstra(edges_of(truth), (0, 0))[0, 5]


@pytest.mark.parametrize("spec", [s for s in ALL if s.optimal], ids=names([s for s in ALL if s.optimal]))
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


def test_a_method_that_is_missing_is_named():
    class Half(replan.Space):
        def __init__(self):
            self.n = self.places = 4
            self.unit = self.bound = self.span = 4
            self.succ, self.cost, self.touched = np.zeros(4, np.int32), np.ones(4, np.int64), np.zeros(4, np.int32)

        def state(self, key):
            return key

        def key(self, state):
            return state

        def distance(self, u, v):
            return 0

    agent = replan.Agent("Repeated Forward A*", Half(), 0, 3)
    with pytest.raises(NotImplementedError, match=r"Half is a space without expand\(\)"):
        agent.plan()


def test_errors_of_a_method_come_out():
    class Broken(Hexagons):
        def expand(self, s):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        replan.Agent("Repeated Forward A*", Broken(4), (0, 0), (3, 3)).plan()
