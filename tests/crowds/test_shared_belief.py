"""What a crowd believes and keeps, beside agents that are alone: costs that change, lies, numbers that are large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from crowds.test_steps import largest_region, walked, without_stops
from examples import examples

LONG = [("RTAA*", {"lookahead": 3}), ("LSS-LRTA*", {"lookahead": 4}), ("daRTAA*", {"lookahead": 2}), ("LRTA*", {})]


@pytest.mark.parametrize("on_cost_decrease", ["keep", "reset"])
@pytest.mark.parametrize("name, options", LONG)
def test_costs_rise_and_fall_as_for_agents_that_are_alone(name, options, on_cost_decrease):
    """Everybody hears of every change; some are sent elsewhere; what one of them gives up the others keep."""
    rng = np.random.default_rng(11)
    grid = replan.Grid(rng.random((12, 13)) < 0.25)
    free = largest_region(grid)
    starts, goals = free[rng.integers(0, len(free), 7)], free[rng.integers(0, len(free), 7)]
    crowd = replan.Crowd(grid.copy(), name, on_cost_decrease=on_cost_decrease, **options)
    crowd.add(starts, goals)
    agents = [
        replan.Agent(
            replan.planner(name, on_cost_decrease=on_cost_decrease, **options), grid.copy(), tuple(a), tuple(b)
        )
        for a, b in zip(starts.tolist(), goals.tolist(), strict=True)
    ]
    for frame in range(200):
        if frame % 10 == 9:
            cells = free[rng.integers(0, len(free), 4)]
            taken = {tuple(cell) for cell in [*crowd.cells.tolist(), *crowd.goals.tolist()]}
            cells = np.array([cell for cell in cells.tolist() if tuple(cell) not in taken]).reshape(-1, 2)
            if len(cells):
                blocked = not crowd.belief.blocked[tuple(cells[0])]
                crowd.observe(cells, blocked)
                for agent in agents:
                    agent.observe(cells, blocked)
        crowd.tick()
        for agent in agents:
            if path := agent.plan():
                agent.move(path[0])
        assert [agent.cell for agent in agents] == [tuple(cell) for cell in crowd.cells.tolist()]
    assert sum(agent.cell == agent.goal for agent in agents) >= 5


def test_h_values_that_do_not_fit_32_bits():
    """A graph whose steps cost billions: what is learned of them takes twice the room."""
    rng = np.random.default_rng(3)
    edges = [(i, i + 1, int(rng.integers(1, 9) * 10**10)) for i in range(39)]
    edges += [(int(u), int(v), int(c) * 10**10) for u, v, c in rng.integers(1, 40, (40, 3)) if u != v]
    graph = replan.Graph(edges)
    trip = replan.simulate(replan.World(graph), replan.planner("RTAA*", lookahead=2), 0, 39)
    crowd = replan.Crowd(replan.World(graph), "RTAA*", lookahead=2)
    crowd.add([0], [39])
    path = [0]
    for _ in range(trip.moves + 5):
        crowd.tick()
        path.append(crowd.cells[0])
    assert without_stops(path) == list(trip.path)
    told = crowd.report()
    assert told.learned_h_values > 5 and told.learned_bytes % 96 == 0


def test_a_goal_that_moves_far_and_often_makes_numbers_large():
    """What is kept grows with every move of the goal, beyond 32 bits: the steps are those of an agent all the same."""
    rng = np.random.default_rng(5)
    weights = rng.integers(1, 200, (9, 9))
    grid = replan.Grid(np.zeros((9, 9), bool), weights=weights * 300)
    crowd = replan.Crowd(grid, "RTAA*", lookahead=4)
    crowd.add((0, 0), (8, 8))
    agent = replan.Agent(replan.planner("RTAA*", lookahead=4), grid.copy(), (0, 0), (8, 8))
    for _ in range(300):
        goal = tuple(rng.integers(0, 9, 2).tolist())
        if goal not in (agent.goal, agent.cell):
            crowd.retarget([0], goal)
            agent.retarget(goal)
        crowd.tick()
        if path := agent.plan():
            agent.move(path[0])
        assert tuple(crowd.cells[0].tolist()) == agent.cell


@pytest.mark.parametrize("sensor", ["adjacent", replan.Radius(2), replan.Radius(3, line_of_sight=True)])
def test_what_somebody_says_is_seen_again(sensor):
    """Cells are looked at once; but a wall that was told of where there is none is seen not to be there."""
    grid = replan.Grid(np.zeros((5, 12), bool))
    crowd = replan.Crowd(replan.World(grid, sensor=sensor), "RTAA*", lookahead=40)
    crowd.add((2, 0), (2, 11))
    for i in range(300):  # more often than eras have numbers
        walked(crowd, 40)
        assert crowd.cells.tolist() == [[2, 0 if i % 2 else 11]]
        crowd.observe([(row, 6) for row in range(1, 5)], True)
        assert crowd.belief.blocked.sum() == 4
        crowd.retarget([0], (2, 11 if i % 2 else 0))
        crowd.tick()
    walked(crowd, 40)
    assert not crowd.belief.blocked[1:3].any()  # it has passed there


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3]), st.booleans(), st.sampled_from([70, 200]))
def test_every_part_of_a_frame_is_shared(seed, workers, known, count):
    """Enough people that threads help: with who is ready, with budgets, told of changes, put elsewhere."""
    rng = np.random.default_rng(seed)
    grid = replan.Grid(rng.random((16, 17)) < 0.3)
    free = largest_region(grid)
    starts, goals = free[rng.integers(0, len(free), count)], free[rng.integers(0, len(free), count)]
    seen: list[Any] = []
    for n in (1, workers):
        draw = np.random.default_rng(seed + 1)
        crowd = replan.Crowd(grid.copy() if known else replan.World(grid), "RTAA*", lookahead=3, workers=n)
        ids = crowd.add(starts, goals)
        told = []
        for frame in range(12):
            moved = crowd.tick([None, replan.Expansions(100)][frame % 2], ids=ids[draw.random(count) < 0.9])
            told.append((moved.ids.tolist(), moved.cells.tolist(), [one.value for one in crowd.status]))
            crowd.observe(free[draw.integers(0, len(free), 3)], bool(frame % 2))
            crowd.set_positions([int(draw.integers(count))], free[draw.integers(0, len(free), 1)])
        seen.append((told, crowd.report()))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("neighbors", [4, 8])
@pytest.mark.parametrize("sensor", ["adjacent", replan.Radius(2), replan.Radius(3, line_of_sight=True)])
def test_who_sees_something_new_does_not_depend_on_workers(sensor, neighbors):
    """In a frame some come to where somebody has looked, some see nothing new, some do: the team learns the same."""
    rng = np.random.default_rng(5)
    grid = replan.Grid(rng.random((40, 41)) < 0.25, neighbors=neighbors)
    free = largest_region(grid)
    starts, goals = free[rng.integers(0, len(free), 300)], free[rng.integers(0, len(free), 300)]
    crowds = [replan.Crowd(replan.World(grid, sensor), "RTAA*", lookahead=4, workers=n) for n in (1, 2, 3)]
    for crowd in crowds:
        ids = crowd.add(starts, goals)
    kinds = set()
    for frame in range(30):
        before, at = crowds[0].belief.blocked.copy(), crowds[0].cells
        moved = [crowd.tick(ids=ids[frame % 2 :: 2]) for crowd in crowds]
        for other, crowd in zip(moved[1:], crowds[1:], strict=True):
            assert other.ids.tolist() == moved[0].ids.tolist() and other.cells.tolist() == moved[0].cells.tolist()
            assert (crowd.belief.blocked == crowds[0].belief.blocked).all()
            assert (crowd.cells == crowds[0].cells).all()
        learned = crowds[0].belief.blocked != before
        assert (grid.blocked[learned] == crowds[0].belief.blocked[learned]).all()
        assert (moved[0].cells == crowds[0].cells[moved[0].ids]).all() and len(moved[0]) > 0
        assert (np.abs(moved[0].cells - at[moved[0].ids]).max(axis=1) == 1).all()
        kinds.add(bool(learned.any()))
        if frame % 10 == 9:  # told something that is not so, they see it again
            told = free[rng.integers(0, len(free), 5)]
            assert len({crowd.observe(told, True) for crowd in crowds}) == 1
            for crowd in crowds:
                crowd.retarget(ids, goals[(ids + frame) % 300])
    assert kinds == {True, False} or sensor == "adjacent"


def test_a_goal_that_cannot_be_reached_is_known_from_one_labelling():
    """Not from a flood, nor from any other search, for each character."""
    blocked = np.zeros((30, 30), bool)
    blocked[10:15, 10:15] = True
    blocked[11:14, 11:14] = False  # a room without a door
    rng = np.random.default_rng(2)
    starts = np.stack([rng.integers(16, 30, 100), rng.integers(0, 30, 100)], 1)
    crowd = replan.Crowd(replan.Grid(blocked), "RTAA*", lookahead=9)
    ids = crowd.add(starts, (12, 12))
    assert len(crowd.tick()) == 0 and set(crowd.status) == {replan.Status.UNREACHABLE}
    assert crowd.report().expansions == 0

    crowd.observe([(10, 12)], [False])  # there is a door: known at once
    assert crowd.tick().ids.tolist() == ids.tolist()
    crowd.report()
    crowd.observe([(10, 12)], [True])  # and is shut again: known when the belief has been labelled anew
    frames = 0
    while set(crowd.status) != {replan.Status.UNREACHABLE}:
        crowd.tick()
        frames += 1
        assert frames < 20
    # two expansions of all together pay for labelling a state, and one more frame may have begun
    assert crowd.report().expansions <= 2 * crowd.belief.n + 2 * 9 * len(ids)
    assert len(crowd.tick()) == 0 and crowd.report().expansions == 0


def test_giving_up_clears_its_table_alone():
    class Despairs(replan.LearningRule):
        """Learns one tick a search, and at one place that there is no way at all, which is not true."""

        def learn(self, lookahead):
            h = lookahead.h
            h[lookahead.agent_state] = (
                replan.limits.INF if lookahead.agent_state == grid.state((0, 3)) else h[lookahead.agent_state] + 1
            )
            return 1

    grid = replan.Grid(np.zeros((9, 9), bool))
    crowd = replan.Crowd(grid, "RTAA*", lookahead=1, learning=Despairs())
    other = replan.Crowd(grid.copy(), "RTAA*", lookahead=1, learning=Despairs())
    crowd.add([(0, 0), (8, 0)], [(0, 8), (8, 8)])
    other.add((8, 0), (8, 8))
    learned = []
    while len(crowd.tick()):
        other.tick()
        learned.append((crowd.report().learned_h_values, other.report().learned_h_values))
        assert crowd.cells[1:].tolist() == other.cells.tolist()
    assert learned == [(2, 1), (4, 2), (6, 3), (4, 4), (6, 5), (8, 6), (10, 7), (12, 8)]
    assert set(crowd.status) == {replan.Status.ARRIVED}


def test_a_goal_that_is_walled_off_while_nobody_plans():
    """A tick without expansions labels nothing, and forgets nothing."""
    crowd = replan.Crowd(replan.Grid(np.zeros((24, 24), bool)), "RTAA*", lookahead=9)
    crowd.add((0, 0), (12, 12))
    crowd.tick()  # a path of several steps
    around = [(row, col) for row in (11, 12, 13) for col in (11, 12, 13) if (row, col) != (12, 12)]
    crowd.observe(around, [True] * len(around))
    crowd.report()
    crowd.tick()
    assert crowd.report().expansions == 0
    for _ in range(600):
        crowd.tick()
    assert crowd.status.tolist() == [replan.Status.UNREACHABLE]
