"""An agent knows nothing of what it has not seen: not even how heavy it is."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from strategies import names

ALL = [s for s in replan.planners() if not s.needs_plain_grid and not s.needs_unit_costs]


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_worlds_that_differ_out_of_sight_give_equal_trips(spec):
    blocked = np.zeros((7, 9), bool)
    blocked[2, 1:8] = True
    blocked[4, :7] = True

    def trip(weight):
        weights = np.ones((7, 9), int)
        weights[6, 0] = weight  # far from every way
        world = replan.World(replan.Grid(blocked, 8, weights))
        first = replan.simulate(world, spec.slug, (0, 0), (3, 8), max_moves=3000)
        again = replan.simulate(world, spec.slug, (0, 0), (3, 8), max_moves=3000)
        assert (first.path, first.expansions, first.h_increase) == (again.path, again.expansions, again.h_increase)
        return first

    light, heavy = trip(2), trip(60_000)
    assert light.path == heavy.path
    for count in ("why", "episodes", "expansions", "percolations", "key_updates", "h_increase"):
        assert getattr(light, count) == getattr(heavy, count), count


def test_real_time_planners_give_up_after_equal_trips():
    """The goal is walled in: how long h takes to grow beyond all paths depends on weights that were seen alone."""
    blocked = np.zeros((5, 6), bool)
    blocked[1:4, 3:6] = True
    blocked[2, 4] = False

    def moves(weight):
        weights = np.ones((5, 6), int)
        weights[2, 4] = weight
        world = replan.World(replan.Grid(blocked, 4, weights))
        return replan.simulate(world, replan.planner("RTAA*", lookahead=1), (0, 0), (2, 4), max_moves=50_000).moves

    assert moves(2) == moves(60_000)


def test_tba_finds_the_way_from_where_it_was_put():
    edges = [("S", "B", 1), ("B", "G", 1), ("S", "A", 5), ("A", "G", 5)]
    graph = replan.Graph(edges, directed=True)
    graph.block("B", "G")
    trips = replan.simulate(replan.World(graph), "TBA*", "S", "G", trials=2)
    assert trips[1].why == "reached"
    agent = replan.Agent("TBA*", replan.Grid(np.zeros((4, 4), bool)), (0, 0), (3, 3))
    agent.plan()
    agent.move((0, 3))
    for _ in range(12):
        path = agent.plan()
        if not path:
            break
        agent.move(path[0])
    assert agent.status is replan.Status.ARRIVED


@pytest.mark.parametrize("name", ["Non-RTD*", "RTD*", "RTD* NoOp"])
def test_a_step_is_planned_again_after_something_was_seen(name):
    """Two ways round: the one that was shorter is made long beyond its first step."""
    graph = replan.Graph([("S", "A", 1), ("A", "G", 4), ("S", "B", 2), ("B", "G", 5)])
    agent = replan.Agent(replan.planner(name), graph, "S", "G")
    while (path := agent.plan()) == ["S"]:
        pass
    assert path == ["A"]
    agent.observe([("A", "G")], weights=[90])
    while (path := agent.plan()) == ["S"]:
        pass
    assert path == ["B"]
