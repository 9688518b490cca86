"""Costs that fall: h-values are kept, repaired or reset, and what each of them promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from falls import graph_stories, grid_stories, tell
from lockstep import Pair, edges_of
from oracle import realtime
from oracle.searches import inconsistent
from strategies import QUEUES

TABLE = ["RTAA*", "aRTAA*", "daRTAA*", "LSS-LRTA*", "aLSS-LRTA*", "daLSS-LRTA*"]
KORF = ["LRTA*", "RTA*", "TLA*", "Neighbor LRTA*"]
RANDOM = [{"prefer": p, "ties": "random", "seed": 5} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])


def make(name: str, story: Any, on_cost_decrease: str, order: dict[str, Any], lookahead: int) -> Pair:
    terrain, start, goals, _ = story
    options = {"depth": 1 + lookahead % 3} if name in ("LRTA*", "RTA*") else {"lookahead": lookahead}
    planner = replan.planner(name, on_cost_decrease=on_cost_decrease, **options, **order)
    kind = realtime.KINDS.get(name, realtime.RealTime)
    return Pair(terrain(), planner, kind(name, on_cost_decrease=on_cost_decrease, **options, **order), start, goals)


@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair", "reset"])
@pytest.mark.parametrize("name", [*TABLE, *KORF])
@examples(20)
@given(story=st.one_of(grid_stories(), graph_stories()), order=orders, lookahead=st.sampled_from([1, 2, 4, 9]))
def test_like_the_oracle(name, on_cost_decrease, story, order, lookahead):
    """After every episode; the oracle repairs by going over all edges until nothing changes."""
    tell(make(name, story, on_cost_decrease, order, lookahead), story[3])


@pytest.mark.parametrize("name", [*TABLE])
@examples(30)
@given(story=st.one_of(grid_stories(), graph_stories()), order=orders, lookahead=st.sampled_from([1, 3, 9]))
def test_repaired_h_is_consistent_and_never_below_the_first(name, story, order, lookahead):
    def check(pair: Pair) -> None:
        h = pair.h()
        assert inconsistent(edges_of(pair.steps), lambda s: h[s], pair.goals) == []
        assert all(h[s] >= pair.oracle.h.first(s) for s in h)

    tell(make(name, story, "repair", order, lookahead), story[3], check)


@pytest.mark.parametrize("name", TABLE)
def test_an_opened_door_is_found_again(name):
    """A wall with a door that is closed while the agent learns, then opens: repaired h leads straight through."""
    blocked = np.zeros((7, 9), bool)
    blocked[:6, 4] = True
    for on_cost_decrease in ("repair", "reset"):
        grid = replan.Grid(blocked, neighbors=4)
        agent = replan.Agent(replan.planner(name, lookahead=5, on_cost_decrease=on_cost_decrease), grid, (0, 3), (0, 5))
        for _ in range(30):
            agent.move(agent.plan()[0])
            if agent.cell[1] > 4:
                break
        agent.move((0, 3))
        agent.observe([(0, 4)], [False])
        walked = []
        while agent.cell != (0, 5):
            agent.move(agent.plan()[0])
            walked.append(agent.cell)
        assert walked == [(0, 4), (0, 5)]


@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair", "reset"])
@pytest.mark.parametrize("name", [*TABLE, *KORF])
def test_a_way_that_opens_late_is_not_called_unreachable(name, on_cost_decrease):
    """While it is closed h grows beyond the cost of any path; that proves nothing any more once costs have fallen."""
    corridor = replan.Grid(np.zeros((1, 5), bool), neighbors=4)
    world = replan.World(corridor, sensor="everything", changes=[(1, (0, 3), "blocked"), (300, (0, 3), "free")])
    options = {} if name in ("LRTA*", "RTA*") else {"lookahead": 1}
    trip = replan.simulate(
        world, replan.planner(name, on_cost_decrease=on_cost_decrease, **options), (0, 0), (0, 4), max_moves=2_000
    )
    assert trip.why == "reached"


def test_a_heuristic_of_the_users_that_a_fall_makes_inconsistent_is_repaired_too():
    """Exact distances around a wall, taken before a door opens: too large afterwards, for states never met as well."""
    blocked = np.zeros((5, 7), bool)
    blocked[:4, 3] = True
    grid = replan.Grid(blocked, neighbors=4)
    exact = distances(grid, (0, 6))
    planner = replan.planner("RTAA*", lookahead=1, on_cost_decrease="repair", heuristic=exact, check_heuristic=True)
    agent = replan.Agent(planner, grid, (0, 0), (0, 6))
    agent.plan()
    agent.observe([(0, 3)], [False])
    agent.plan()
    now = distances(grid, (0, 6))
    h = grid.to_map_shape(planner.snapshot()["h"])
    known = np.where(h >= 0, h, exact)
    free = ~grid.blocked
    assert (known[free] <= now[free]).all()


def distances(grid: replan.Grid, goal: tuple[int, int]) -> Any:
    found = np.full(grid.shape, np.inf)
    found[goal], waiting = 0, [goal]
    for cell in waiting:
        for v, _ in grid.successors(grid.state(cell)):
            other = grid.key(v)
            if found[other] > found[cell] + 1:
                found[other] = found[cell] + 1
                waiting.append(other)
    return found


@pytest.mark.parametrize("name", ["RTAA*", "LRTA*"])
def test_falling_is_one_of_three(name):
    with pytest.raises(replan.InputError, match="on_cost_decrease is one of 'keep', 'repair', 'reset'"):
        replan.planner(name, on_cost_decrease="forget")


@pytest.mark.parametrize("name", TABLE)
def test_an_h_that_falls_with_the_costs_is_not_counted_as_a_rise(name):
    """Kept values may overestimate, and LSS-LRTA*'s learning then lowers them; counts never fall."""
    agent = replan.Agent(name, replan.Grid(np.zeros((5, 5), bool)), (4, 2), (3, 4))
    agent.observe([(3, 3)], [True])
    agent.plan()
    before = agent.planner.h_increase
    agent.observe([(3, 3)], [False])
    agent.plan()
    assert agent.planner.h_increase >= before > 0
