"""Agent.snapshot: what a search knows, in the shape of the map and in steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import replan
from oracle.searches import dijkstra
from strategies import names, problems, specs

ALL = specs()
KINDS = {"g": "f", "h": "f", "rhs": "f", "parent": "i", "next": "i", "open": "b", "closed": "b"}


def empty(rows: int = 3, cols: int = 4, **kinds) -> replan.Grid:
    return replan.Grid(np.zeros((rows, cols), bool), **kinds)


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_every_planner_in_the_shape_of_the_map(spec):
    agent = replan.Agent(spec.slug, empty(neighbors=4), (0, 0), (2, 3))
    for _ in range(3):
        for name, array in agent.snapshot().items():
            plain = name.removeprefix("local_")
            assert array.shape == ((3, 4, 2) if plain in ("parent", "next") else (3, 4)), name
            assert array.dtype.kind == KINDS.get(plain, "b"), name
            assert plain not in ("g", "h", "rhs") or (array[~np.isnan(array)] >= 0).all()
        agent.observe([(1, 1)], True)
        path = agent.plan()
        agent.move(path[0])


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_nothing_is_known_before_the_first_search(spec):
    planner = replan.planner(spec.slug)
    for grid in (empty(neighbors=4), empty(neighbors=4), empty(4, 5, neighbors=4)):
        agent = replan.Agent(planner, grid, (0, 0), (2, 3))
        for array in agent.snapshot().values():
            known = {"f": ~np.isnan(array), "i": array >= 0, "b": array}[array.dtype.kind]
            assert array.shape[:2] == grid.shape and not known.any()
        agent.plan()


@given(problems())
def test_what_a_star_knows(problem):
    case, start, goal = problem
    agent = replan.Agent("A*", case.grid(), start, goal)
    if not agent.plan():
        return
    shot, unit, edges = agent.snapshot(), agent.belief.units_per_step, case.edges()
    far = dijkstra(edges, start)
    for cell in map(tuple, np.argwhere(shot["closed"]).tolist()):
        assert shot["g"][cell] == pytest.approx(far[cell] / unit), "what is expanded has its cheapest cost"
        if cell != start:
            before = tuple(shot["parent"][cell].tolist())
            assert shot["g"][before] + edges[before][cell] / unit == pytest.approx(shot["g"][cell])
    met = shot["open"] | shot["closed"]
    for name in ("g", "h"):
        assert (np.isnan(shot[name]) == ~met).all()
    assert ((shot["parent"] == -1).all(axis=-1) == ~met).all()
    assert not (shot["open"] & shot["closed"]).any()
    assert shot["h"][goal] == 0


@pytest.mark.parametrize("name", ["D* Lite", "AD*", "RTD* NoOp"])
def test_incremental_search_has_an_h(name):
    agent = replan.Agent(replan.planner(name, lookahead=None) if name != "D* Lite" else name, empty(), (0, 0), (2, 3))
    assert np.isnan(agent.snapshot()["g"]).all()
    agent.plan()
    shot = agent.snapshot()
    assert shot["g"][2, 3] == 0 and shot["h"][0, 0] == 0 and shot["h"][2, 3] == pytest.approx(1 + 2 * 2**0.5, rel=1e-5)
    step = agent.plan()[0]
    assert tuple(shot["parent"][0, 0].tolist()) == step
    agent.move(step)
    agent.observe([agent.plan()[0]], True)
    agent.plan()
    assert agent.snapshot()["h"][step] == 0, "h tells the way from where the agent stood when it searched"


def test_in_steps_whatever_a_tick_is():
    for kinds in ({"neighbors": 4}, {"neighbors": 8}, {"weights": np.full((3, 4), 2)}):
        agent = replan.Agent("A*", empty(**kinds), (0, 0), (0, 3))
        agent.plan()
        weight = 2 if "weights" in kinds else 1
        assert agent.snapshot()["g"][0].tolist() == [0, weight, 2 * weight, 3 * weight]
    roads = replan.Graph([("a", "b", 1.5), ("b", "c", 2)], resolution=0.5)
    agent = replan.Agent("A*", roads, "a", "c")
    agent.plan()
    assert agent.snapshot()["g"].tolist() == [0, 1.5, 3.5] and agent.snapshot()["parent"].tolist() == [0, 0, 1]


def test_where_there_is_no_way_h_is_infinite():
    agent = replan.Agent(replan.planner("RTAA*", lookahead=1, detect_unreachable=False), empty(1, 4), (0, 0), (0, 3))
    agent.observe([(0, 2)], True)
    while path := agent.plan():
        agent.move(path[0])
    assert path is None and np.isinf(agent.snapshot()["h"]).any()


def test_it_is_ones_own():
    agent = replan.Agent("A*", empty(), (0, 0), (2, 3))
    agent.plan()
    for array in agent.snapshot().values():
        array[...] = 7 if array.dtype.kind == "f" else 0
    assert len(agent.plan()) == 3 and agent.snapshot()["g"][0, 0] == 0


def test_planners_of_ones_own_show_what_they_like():
    class Mine(replan.Planner):
        def plan(self, state, budget):
            return [state + 1]

        def snapshot(self):
            return {"h": np.arange(self.space.n), "seen": [1, 2, 3]}

    agent = replan.Agent(Mine(), empty(neighbors=4), (0, 0), (0, 3))
    shot = agent.snapshot()
    assert shot["h"].shape == (3, 4) and shot["h"][0, 0] == agent.state and shot["seen"].tolist() == [1, 2, 3]
