"""A crowd takes the steps that its characters would take alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from replan.spaces.regions import label_regions, region_sizes
from strategies import problems

ALONE = [  # every planner that looks ahead, learns and moves
    ("RTAA*", {"lookahead": 1}),
    ("RTAA*", {"lookahead": 7}),
    ("RTAA*", {"lookahead": None}),
    ("RTAA*", {"lookahead": 5, "ties": "random", "seed": 3}),
    ("RTAA*", {"lookahead": 9, "queue": "buckets", "on_cost_decrease": "reset"}),
    ("RTAA*", {"lookahead": 9, "moves": 1, "heuristic": "zero"}),
    ("aRTAA*", {"lookahead": 4}),
    ("daRTAA*", {"lookahead": 6}),
    ("LSS-LRTA*", {"lookahead": 5}),
    ("aLSS-LRTA*", {"lookahead": 5}),
    ("daLSS-LRTA*", {"lookahead": 5}),
    ("wLSS-LRTA*", {"lookahead": 6}),
    ("wdaLSS-LRTA*", {"lookahead": 6}),
    ("LRTA*", {}),
    ("LRTA*", {"depth": 3}),
    ("LRTA*", {"lookahead": 12}),
    ("RTA*", {"depth": 2}),
    ("TLA*", {"lookahead": 5}),
    ("Adaptive A*", {}),
]
NAMES = [f"{name} {options}" for name, options in ALONE]


def walked(crowd: replan.Crowd, ticks: int, **how: Any) -> list[list[tuple[int, int]]]:
    """Where everybody was after each frame, as long as anybody moves."""
    paths = [[tuple(cell)] for cell in crowd.cells.tolist()]
    for _ in range(ticks):
        if not len(crowd.tick(**how)):
            break
        for path, cell in zip(paths, crowd.cells.tolist(), strict=True):
            path.append(tuple(cell))
    return paths


def without_stops(path: list[Any]) -> list[Any]:
    return [cell for i, cell in enumerate(path) if i == 0 or cell != path[i - 1]]


@pytest.mark.parametrize("name, options", ALONE, ids=NAMES)
@examples(25)
@given(problems(largest=8), st.sampled_from(["adjacent", "everything", replan.Radius(2), replan.Radius(3, True)]))
def test_a_crowd_of_one_takes_the_steps_of_simulate(name, options, problem, sensor):
    case, start, goal = problem
    trip = replan.simulate(
        replan.World(case.grid(), sensor=sensor), replan.planner(name, **options), start, goal, max_moves=400
    )
    crowd = replan.Crowd(replan.World(case.grid(), sensor=sensor), name, **options)
    crowd.add(start, goal)
    [path] = walked(crowd, 400)
    alone = trip.path if trip.why == "reached" else trip.path[: len(path)]  # it may know sooner that there is no way
    assert path == alone
    if trip.why == "reached":
        assert crowd.status.tolist() == [replan.Status.ARRIVED]


@pytest.mark.parametrize("shape", [(14, 15), (70, 33)])  # on the larger map no search can come everywhere
@pytest.mark.parametrize("name, options", ALONE, ids=NAMES)
def test_a_crowd_that_knows_everything_takes_the_steps_of_its_agents(name, options, shape):
    """With goals that move now and then."""
    rng = np.random.default_rng(7)
    grid = replan.Grid(rng.random(shape) < 0.22)
    free = largest_region(grid)
    starts, goals = free[rng.integers(0, len(free), 9)], free[rng.integers(0, len(free), 9)]
    crowd = replan.Crowd(grid, name, **options)
    ids = crowd.add(starts, goals)
    agents = [
        replan.Agent(replan.planner(name, **options), grid.copy(), tuple(start), tuple(goal))
        for start, goal in zip(starts.tolist(), goals.tolist(), strict=True)
    ]
    for frame in range(150):
        if frame % 9 == 5:
            moving = rng.random(9) < 0.5
            goals[moving] = free[rng.integers(0, len(free), moving.sum())]
            crowd.retarget(ids[moving], goals[moving])
            for i in np.flatnonzero(moving).tolist():
                if agents[i].goal != tuple(goals[i].tolist()):
                    agents[i].retarget(tuple(goals[i].tolist()))
        crowd.tick()
        for agent in agents:
            if path := agent.plan():
                agent.move(path[0])
        assert crowd.cells.tolist() == [list(agent.cell) for agent in agents]
        assert crowd.status.tolist() == [agent.status for agent in agents]


def largest_region(grid: replan.Grid) -> np.ndarray[Any, Any]:
    """The cells of the largest part of a grid that hangs together."""
    labels = label_regions(grid)
    return np.argwhere(labels == np.argmax(region_sizes(labels)))


class Sum(replan.LearningRule):
    """RTAA*'s, in plain Python."""

    consistent = admissible = True

    def learn(self, lookahead):
        g, h, rise = lookahead.g, lookahead.h, 0
        for s in lookahead.closed:
            new = max(h[s], lookahead.f_best - g[s])
            rise += new - h[s]
            h[s] = new
        return rise


def test_rules_of_ones_own():
    grid = replan.Grid(replan.maze(21, 21, seed=4), neighbors=4)
    trip = replan.simulate(replan.World(grid), replan.planner("RTAA*", lookahead=7), (0, 0), (20, 20))
    crowd = replan.Crowd(replan.World(grid), "RTAA*", lookahead=7, learning=Sum())
    crowd.add((0, 0), (20, 20))
    assert walked(crowd, 5000) == [trip.path]


def test_a_rule_that_writes_elsewhere_is_refused():
    class Elsewhere(Sum):
        def learn(self, lookahead):
            lookahead.h[lookahead.best] = lookahead.h[lookahead.best] + 1
            return 1

    crowd = replan.Crowd(replan.Grid(np.zeros((9, 9), bool)), "RTAA*", learning=Elsewhere())
    crowd.add((0, 0), (8, 8))
    with pytest.raises(replan.InputError, match=r"lookahead\.closed"):
        crowd.tick()
    assert crowd.cells.tolist() == [[0, 0]]


def test_a_rule_may_change_a_state_that_was_expanded_and_is_open_again():
    """An h that is not consistent opens states anew."""

    class Spiky(replan.LearningRule):
        def learn(self, lookahead):
            for s in lookahead.closed:
                lookahead.h[s] += 4000 * (s % 3 == 0)
            return 0

    for seed in (0, 11):
        rng = np.random.default_rng(seed)
        grid = replan.Grid(rng.random((9, 8)) < 0.2, weights=rng.choice([1, 1, 1, 5], (9, 8)))
        start, goal = (tuple(cell.tolist()) for cell in np.argwhere(~grid.blocked)[[0, -1]])
        spiky = replan.planner("RTAA*", learning=Spiky(), lookahead=15)
        alone = replan.simulate(replan.World(grid), spiky, start, goal, max_moves=40)
        crowd = replan.Crowd(replan.World(grid), "RTAA*", learning=Spiky(), lookahead=15)
        crowd.add(start, goal)
        assert walked(crowd, alone.moves) == [alone.path]


def test_a_heuristic_of_ones_own():
    grid = replan.Grid(replan.maze(15, 15, seed=2), neighbors=4)

    def manhattan(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    crowds = [
        replan.Crowd(replan.World(grid), "LSS-LRTA*", lookahead=5, **given) for given in ({}, {"heuristic": manhattan})
    ]
    for crowd in crowds:
        crowd.add([(0, 0), (14, 0)], [(14, 14), (0, 14)])
    assert walked(crowds[0], 2000) == walked(crowds[1], 2000)
    with pytest.raises(replan.InputError, match="triangle"):
        crowds[1].retarget(0, (3, 3))


@pytest.mark.parametrize("directed", [False, True])
def test_graphs(directed):
    edges = [(i, (i + 1) % 12, 1 + i % 3) for i in range(12)] + [(i, (i + 5) % 12, 7) for i in range(12)]
    graph = replan.Graph(edges, directed=directed)
    crowd = replan.Crowd(graph, "RTAA*", lookahead=3)
    crowd.add([0, 3, 7], [6, 1, 7])
    agents = [replan.Agent(replan.planner("RTAA*", lookahead=3), graph, s, g) for s, g in [(0, 6), (3, 1), (7, 7)]]
    for _ in range(40):
        crowd.tick()
        for agent in agents:
            if path := agent.plan():
                agent.move(path[0])
        assert crowd.cells == [agent.cell for agent in agents]
    assert set(crowd.status) == {replan.Status.ARRIVED}


def test_changing_worlds():
    """Doors that open and close, as for one agent."""
    doors = replan.rooms_with_doors(30, 30, seed=5)
    for sensor in ("adjacent", "everything", replan.Radius(4)):
        trip = replan.simulate(
            doors.make_world(sensor=sensor),
            replan.planner("RTAA*", lookahead=17),
            doors.start,
            doors.goal,
            max_moves=500,
        )
        crowd = replan.Crowd(doors.make_world(sensor=sensor), "RTAA*", lookahead=17)
        crowd.add(doors.start, doors.goal)
        path = [tuple(doors.start)]
        for _ in range(trip.steps):
            crowd.tick()
            path.append(tuple(crowd.cells[0].tolist()))
        assert without_stops(path) == trip.path


@pytest.mark.parametrize(
    "name, options, reason",
    [
        ("TBA*", {}, "arrays as large as the map"),
        ("TBAA*", {}, "arrays as large as the map"),
        ("RTD*", {}, "arrays as large as the map"),
        ("A*", {}, "arrays as large as the map"),
        ("D* Lite", {}, "arrays as large as the map"),
        ("MPGAA*", {}, "arrays as large as the map"),
        ("RTAA*", {"on_cost_decrease": "repair"}, "'keep' or 'reset'"),
        ("RTAA*", {"heuristic": np.zeros((5, 5))}, "for one goal"),
        ("RTAA*", {"workers": 0}, "workers"),
        ("RTAA*", {"workers": 2, "learning": Sum()}, "workers=1"),
        ("RTAA*", {"nonsense": 2}, "nonsense"),
        (3, {}, "give a name"),
    ],
)
def test_what_cannot_serve_a_crowd_is_refused(name, options, reason):
    with pytest.raises(replan.InputError, match=reason):
        replan.Crowd(replan.Grid(np.zeros((5, 5), bool)), name, **options)
