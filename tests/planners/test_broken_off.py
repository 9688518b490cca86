"""Code of the user's that raises in the middle of something: what was half done is not built upon."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import replan
from oracle.searches import dijkstra, reversed_edges
from replan.arrays import empty
from replan.spaces import change_log

SIDE = 6
INFORMED = [spec for spec in replan.planners() if "heuristic" in spec.options]
CONSISTENT = {"adaptive-a-star", "generalized-adaptive-a-star", "moving-target-adaptive-a-star", "rtaa", "lss-lrta"}


class Whoops(Exception):
    pass


class FailsOnce:
    """An estimate that raises the n-th time that it is asked."""

    def __init__(self, n: int) -> None:
        self.left = n

    def __call__(self, a: tuple[int, int], b: tuple[int, int]) -> float:
        self.left -= 1
        if self.left == 0:
            raise Whoops
        return abs(a[0] - b[0]) + abs(a[1] - b[1])


def make(spec: Any, heuristic: Any) -> replan.Planner:
    repairs = "on_cost_decrease" in spec.options and "tracing" not in spec.options and not spec.slug.startswith("frit")
    return replan.planner(spec.slug, heuristic=heuristic, **({"on_cost_decrease": "repair"} if repairs else {}))


def distances(belief: replan.Grid, goal: Any) -> dict[int, int]:
    edges = {s: dict(belief.successors(s)) for s in map(belief.state, np.ndindex(SIDE, SIDE))}
    return dijkstra(reversed_edges(edges), belief.state(goal))


def check(agent: replan.Agent, belief: replan.Grid, spec: Any, path: Any) -> None:
    far, at = distances(belief, agent.goal), belief.state(agent.cell)
    if path is None:
        assert at not in far
        return
    states = [at, *map(belief.state, path)]
    cost = sum(dict(belief.successors(a))[b] for a, b in pairwise(states))
    if spec.is_optimal:
        assert cost + far[states[-1]] == far[at]
    if spec.slug in CONSISTENT:
        h = agent.planner.snapshot()["h"]
        assert [(s, h[s], far[s]) for s in far if h[s] > far[s]] == []


def walk(spec: Any, fails: int, seed: int) -> int:
    """Calls in a random order, going on as if nothing had happened when one of them raises. How many did?"""
    rng = np.random.default_rng(seed)
    plain = spec.needs_unit_costs or spec.needs_plain_grid
    belief = replan.Grid(np.zeros((SIDE, SIDE), bool), 4, weights=None if plain else np.ones((SIDE, SIDE), int))
    agent, raised, path = replan.Agent(make(spec, FailsOnce(fails)), belief, (0, 0), (5, 5)), 0, None
    for _ in range(60):
        what, cell = rng.integers(5), tuple(rng.integers(SIDE, size=2).tolist())
        try:
            if what == 0 and cell != agent.cell:
                agent.observe([cell], weights=[int(rng.choice([0, 1] if plain else [0, 1, 7, 50]))])
            elif what == 1 and cell != agent.cell and belief.get_value(belief.state(cell)) > 0:
                agent.retarget(cell)
            elif path := agent.plan():
                check(agent, belief, spec, path)
                agent.move(path[0])
            else:
                check(agent, belief, spec, path)
                agent.restart(cell)
        except Whoops:
            raised += 1
    return raised


@pytest.mark.parametrize("spec", INFORMED, ids=lambda spec: spec.slug)
def test_an_estimate_that_raises_anywhere(spec):
    raised = [walk(spec, fails, seed) for seed in range(2) for fails in range(2, 160, 13)]
    assert sum(raised) > 3


def test_costs_that_fell_before_a_goal_moved_are_not_forgotten_with_an_error():
    """The repair of h asks for estimates, too: the falls that it was at are not lost when one of them raises."""
    raised = 0
    for fails in range(1, 60):
        weights = np.tile([1, 1, 50, 1, 3, 1], (SIDE, 1))
        belief = replan.Grid(np.zeros((SIDE, SIDE), bool), 4, weights=weights)
        planner = replan.planner("Generalized Adaptive A*", heuristic=FailsOnce(fails))
        agent = replan.Agent(planner, belief, (2, 1), (2, 4))
        try:
            agent.plan()
        except Whoops:
            continue
        agent.observe([(2, 4), (2, 2)], weights=[1, 1])
        try:
            agent.retarget((2, 3))
        except Whoops:
            raised += 1
            assert agent.goal == (2, 4)
            agent.retarget((2, 3))
            check(agent, belief, agent.planner.spec, agent.plan())
    assert raised > 3


def test_a_goal_that_is_refused_costs_nothing():
    """What was learned is kept: nothing was begun."""
    belief = replan.Grid(np.zeros((SIDE, SIDE), bool), 4)
    agent = replan.Agent(replan.planner("RTAA*", heuristic=np.zeros((SIDE, SIDE)), lookahead=5), belief, (0, 0), (5, 5))
    for _ in range(5):
        agent.move(agent.plan()[0])
    learned = agent.planner.snapshot()["h"]
    with pytest.raises(replan.InputError, match="is for one goal"):
        agent.retarget((5, 0))
    with pytest.raises(replan.InputError):
        agent.planner.plan(-1, None)
    agent.planner.plan(belief.state(agent.cell), None)
    assert (agent.planner.snapshot()["h"] >= learned).all()


def test_a_trip_that_could_not_begin_again_is_still_the_same_trip():
    """After an error the planner begins anew, and with check=True asks for all estimates: which may raise again."""

    class Moody:
        fails = False

        def __call__(self, a: Any, b: Any) -> float:
            if self.fails:
                raise Whoops
            return 0.0

    moody, belief = Moody(), replan.Grid(np.zeros((SIDE, SIDE), bool), 4)
    agent = replan.Agent(replan.planner("RTAA*", heuristic=moody, check_heuristic=True), belief, (0, 0), (5, 5))
    moody.fails = True
    for _ in range(3):
        with pytest.raises(Whoops):
            agent.plan()
    moody.fails = False
    assert agent.plan()


class Touchy(replan.Planner):
    """Raises when it hears of changes."""

    def notify(self, states: list[int], costs_increased: bool) -> None:
        raise Whoops

    def plan(self, state: int, budget: Any) -> list[int]:
        return []


@pytest.mark.parametrize("kept", [change_log.MAX_KEPT_CHANGES, 5])
@pytest.mark.parametrize("who", ["agent", "space", "query", "field"])
def test_others_hear_of_a_change_although_somebody_raises(who, kept, monkeypatch):
    """One belief, three that share it: an error of one of them, on the way, takes nothing from the others."""
    monkeypatch.setattr(change_log, "MAX_KEPT_CHANGES", kept)
    belief = replan.Grid(np.zeros((SIDE, SIDE), bool), 4)
    touchy = replan.Agent(Touchy(), belief, (0, 5), (5, 5))
    agent = replan.Agent("D* Lite", belief, (0, 0), (5, 5))
    query, field = replan.LPAStar(belief, (0, 0), (5, 5)), replan.FlowField(belief, (5, 5))
    tell = {
        "agent": lambda cell: touchy.observe([cell], [True]),
        "space": lambda cell: belief.set_value(belief.state(cell), 0),
        "query": lambda cell: query.notify([cell], [True]),
        "field": lambda cell: field.observe([cell], [True]),
    }[who]
    agent.plan(), query.path(), field.path((0, 0))
    for cell in [(1, 1), (2, 2), (1, 3), (3, 1), (4, 3), (1, 0), (5, 2)]:
        with suppress(Whoops):
            tell(cell)
        fresh = replan.LPAStar(belief.copy(), (0, 0), (5, 5)).cost
        assert agent.remaining_cost >= 0 and len(agent.plan()) == fresh
        assert query.cost == field.cost((0, 0)) == fresh


@pytest.mark.parametrize("name", ["A*", "D* Lite", "RTAA*", "RTD*"])
def test_nobody_searches_with_a_planner_that_makes_room(name, monkeypatch):
    """To make arrays runs Python, and with it other threads: one of them has an agent with this planner."""
    planner = replan.planner(name)
    agent = replan.Agent(planner, replan.Grid(np.zeros((4, 4), bool)), (0, 0), (3, 3))
    told = []

    def making_room(n, dtype):
        with pytest.raises(RuntimeError, match=r"in the middle of a search|given to another agent"):
            agent.plan()
        told.append(n)
        return empty(n, dtype)

    monkeypatch.setattr(import_module("replan.search.path"), "empty", making_room)
    replan.Agent(planner, replan.Grid(np.zeros((40, 40), bool)), (0, 0), (39, 39))
    assert told
