"""Planners with a bound notice that no goal can be reached: never where one can, and as soon as was promised."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import replan
from replan.maps.regions import largest_region
from trip_parts import Draw, OnGraph, OnGrid

PLANNERS = ["RTAA*", "LSS-LRTA*", "daRTAA*", "aLSS-LRTA*", "TLA*", "LRTA*", "RTA*"]
PLANNERS += ["RTD*", "RTD* NoOp", "TBA*", "TBAA*"]
QUICK = ["RTAA*", "LRTA*", "RTD* NoOp", "TBA*"]


def spread(steps: Any, sources: Any) -> set[int]:
    """The oracle: everywhere that steps lead."""
    seen, stack = set(sources), list(sources)
    while stack:
        for v, _ in steps(stack.pop()):
            if v not in seen:
                seen.add(v)
                stack.append(v)
    return seen


class Watched:
    """An agent, driven by hand, whose every answer is checked against the oracle."""

    def __init__(self, planner: Any, believed: Any, start: Any, goal: Any) -> None:
        self.planner, self.believed = planner, believed
        self.agent = replan.Agent(planner, believed, start, goal)
        self.forget()

    def forget(self) -> None:
        """Something has changed."""
        self.since, self.known = self.planner.expansions, None

    def sides(self) -> tuple[set[int], set[int]]:
        """Where the agent can go, and from where a goal can be reached."""
        if self.known is None or self.agent.state not in self.known[0]:
            ahead = spread(self.believed.successors, [self.agent.state])
            behind = spread(self.believed.predecessors, self.agent.goals.states)
            self.known = ahead, behind
        return self.known

    def promised(self) -> int:
        """The most expansions after the last change."""
        times = 16 if isinstance(self.believed, replan.Grid) else 256
        return times * min(map(len, self.sides())) + 1000

    def plan(self) -> Any:
        """One answer; the agent then takes a step."""
        path = self.agent.plan()
        there_is_a_way = self.agent.state in self.sides()[1]
        assert path is not None or not there_is_a_way
        if not there_is_a_way and path is not None:
            assert self.planner.expansions - self.since <= self.promised() + (self.planner.expansion_limit & 255)
        if path and path[0] != self.agent.cell:
            self.agent.move(path[0])
        return path

    def wait(self) -> None:
        """Until it has arrived, or said that there is no way."""
        stuck = 0
        for _ in range(100_000):
            before = self.planner.expansions
            path = self.plan()
            stuck = stuck + 1 if self.planner.expansions == before else 0
            if not path or stuck > 1000:
                break
        assert not path or self.agent.state in self.sides()[1]
        if path is None:
            before = self.planner.expansions
            assert self.agent.plan() is None
            assert self.planner.expansions - before <= self.planner.expansion_limit


def with_pocket(size: int, inside: int = 11) -> np.ndarray:
    """A free map with a closed pocket in a corner, from (2, 2) on."""
    blocked = np.zeros((size, size), bool)
    blocked[1 : 3 + inside, 1 : 3 + inside], blocked[2 : 2 + inside, 2 : 2 + inside] = True, False
    return blocked


def halved(size: int) -> np.ndarray:
    blocked = np.zeros((size, size), bool)
    blocked[:, size // 2] = True
    return blocked


# How soon.


@pytest.mark.parametrize("name", PLANNERS)
def test_a_goal_behind_walls(name):
    """Of one cell, a pocket, and half the map; and the agent in the pocket."""
    for blocked, side in ((with_pocket(64, 1), 1), (with_pocket(64), 121), (halved(64), 64 * 31)):
        for start, goal in (((60, 60), (2, 2)), ((2, 2), (60, 60))):
            for options in ({"neighbors": 4}, {"corners": "strict"}, {"corners": "free"}):
                world = replan.World(replan.Grid(blocked, **options), known="everything")
                trip = replan.simulate(world, name, start, goal, max_moves=50_000)
                assert (trip.why, trip.expansions <= 16 * side + 1000) == ("unreachable", True), (start, options)


def test_walls_between_cells():
    walls = np.zeros((64, 64), int)
    walls[2:13, [1, 12]] |= 1
    walls[[1, 12], 2:13] |= 2
    for neighbors in (4, 8):
        world = replan.World(replan.Grid(np.zeros((64, 64), bool), neighbors, walls=walls), known="everything")
        for start, goal in (((60, 60), (7, 7)), ((7, 7), (60, 60))):
            trip = replan.simulate(world, "RTAA*", start, goal, max_moves=50_000)
            assert (trip.why, trip.expansions <= 16 * 121 + 1000) == ("unreachable", True)


def test_it_can_be_switched_off():
    world = replan.World(replan.Grid(with_pocket(64)), known="everything")
    for name in PLANNERS:
        if "TBA" not in name and "RTD" not in name:
            trip = replan.simulate(
                world, replan.planner(name, detect_unreachable=False), (60, 60), (2, 2), max_moves=3_000
            )
            assert trip.why == "max_moves"


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("before", [0, 700, 1500, 6000])
def test_a_pocket_that_is_shut_on_the_way(name, before):
    """What has grown out of it by then is of no use any more."""
    for inside in (1, 11):
        belief = replan.Grid(with_pocket(64, inside))
        belief.set_value(belief.state((2, 1)), 1)
        planner = replan.planner(name, **{} if name == "LRTA*" else {"lookahead": 3})
        watched = Watched(planner, belief, (60, 60), (2, 2))
        to_and_fro(watched, before)
        watched.agent.observe([(2, 1)], [True])
        watched.forget()
        watched.wait()
        assert watched.agent.plan() is None


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("before", [0, 700, 1500, 6000])
def test_an_agent_that_is_put_into_a_pocket(name, before):
    watched = Watched(replan.planner(name), replan.Grid(with_pocket(64)), (60, 60), (60, 0))
    to_and_fro(watched, before)
    watched.agent.move((5, 5))
    watched.forget()
    watched.wait()
    assert watched.agent.plan() is None
    watched.agent.move((60, 60))
    watched.forget()
    assert watched.plan()


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("before", [0, 700, 1500, 6000])
def test_a_goal_that_moves_into_a_pocket(name, before):
    watched = Watched(replan.planner(name), replan.Grid(with_pocket(64)), (60, 60), (60, 0))
    for goal in ((5, 5), {(5, 5), (6, 6)}):
        to_and_fro(watched, before)
        watched.agent.retarget(goal)
        watched.forget()
        watched.wait()
        assert watched.agent.plan() is None
        watched.agent.retarget((0, 60))
        watched.forget()
        assert watched.plan()


def to_and_fro(watched: Watched, expansions: int) -> None:
    """Let the agent walk until it has expanded so many states (or need not); when it arrives it is put back."""
    start, end = watched.agent.cell, watched.planner.expansions + expansions
    for _ in range(expansions):
        if watched.planner.expansions >= end:
            return
        if not watched.plan():
            watched.agent.restart(start)


@pytest.mark.parametrize("name", ["RTAA*", "LRTA*"])
def test_in_a_world_that_never_rests(name):
    """Something is blocked and freed on both sides at every step; the wall between them stays."""
    belief, draw = replan.Grid(halved(16)), Draw(1, 1)
    agent = replan.Agent(name, belief, (3, 3), (12, 12))
    place = 0, 0
    for turn in range(40_000):
        agent.observe([place], [False])
        place = draw.below(16), draw.pick([c for c in range(16) if c != 8])
        agent.observe([place], [turn % 50 != 0])
        path = agent.plan()
        if path is None:
            break
        agent.move(path[0])
    assert path is None and agent.planner.expansions <= 3 * 16 * belief.n + 1000


# What is found.


@pytest.mark.parametrize("seed", range(40))
def test_the_flood_that_runs_dry_holds_its_side(seed):
    """On grids of all sizes and kinds; the last cell of it counts."""
    draw = Draw(seed, 0, "sides")
    shape = draw.pick([(1, 40), (40, 1), (5, 60), (33, 33), (64, 17), (9, 8), (30, 31)])
    walls = draw.mask(shape, 0.2) + 2 * draw.mask(shape, 0.2) if draw.chance(0.4) else None
    options = {"neighbors": draw.pick([4, 8]), "corners": draw.pick(["strict", "either", "free"]), "walls": walls}
    blocked = draw.mask(shape, draw.pick([0.1, 0.3, 0.4]))
    cells = [tuple(c) for c in np.argwhere(~blocked).tolist()]
    grid = replan.Grid(blocked, **options)
    for _ in range(4):
        watched = Watched(replan.planner("RTAA*", lookahead=1), grid.copy(), draw.pick(cells), draw.pick(cells))
        watched.wait()
        reach = watched.planner._reachability
        if reach.is_proved_unreachable:
            ahead, behind = map(len, watched.sides())
            assert reach.forward_flood.size == ahead or reach.backward_flood.size == behind


@pytest.mark.parametrize("make", [replan.maze, replan.cave, replan.rooms], ids=lambda make: make.__name__)
def test_no_way_is_overlooked(make):
    """Long detours through large maps; a trip that does not notice anything is the same."""
    for seed in range(3):
        grid = replan.Grid(make(61, 61, seed=seed), neighbors=4)
        inside = np.argwhere(largest_region(~grid.blocked)).tolist()
        world = replan.World(grid, known="everything" if seed else "nothing")
        ends = tuple(inside[0]), tuple(inside[-1])
        trips = [
            replan.simulate(
                world, replan.planner("RTAA*", lookahead=2, detect_unreachable=notice), *ends, max_moves=60_000
            )
            for notice in (True, False)
        ]
        assert trips[0].why in ("reached", "max_moves") and trips[0].path == trips[1].path
        assert trips[0].expansions == trips[1].expansions and trips[0].h_increase == trips[1].h_increase


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("seed", range(12))
def test_edits_of_all_kinds(name, seed):
    """Blocked and freed, other goals, put elsewhere; then quiet. On grids of all kinds and on graphs."""
    draw = Draw(seed, PLANNERS.index(name), "reach")
    case: Any = OnGraph(draw) if draw.chance(0.35) else OnGrid(draw, plain=draw.chance(0.2))
    cells, bounds = case.cells, [1, 3, 9]
    goal = draw.pick(cells) if draw.chance(0.7) else {draw.pick(cells) for _ in range(3)}
    options = {} if name in ("LRTA*", "RTA*") else {"lookahead": draw.pick(bounds)}
    watched = Watched(replan.planner(name, **options), case.other(draw), draw.pick(cells), goal)
    agent = watched.agent
    for _ in range(3):
        for _ in range(draw.pick([5, 60])):
            for _ in range(draw.pick([0, 1, 1, 5])):
                if case.all:
                    place, value = case.edit(draw)
                    agent.observe([place], weights=[value])
            if draw.chance(0.05):
                agent.retarget(draw.pick(cells) if draw.chance(0.7) else {draw.pick(cells), draw.pick(cells)})
            if draw.chance(0.05):
                put = agent.restart if draw.chance(0.5) else partial(agent.move, even_if_blocked=True)
                put(draw.pick(cells))
            watched.forget()
            for _ in range(draw.pick([1, 10, 100])):
                if not watched.plan():
                    break
        watched.forget()
        watched.wait()
