"""A field against Dijkstra's algorithm: every agent's way is a cheapest one, in whatever slices it was found."""

from __future__ import annotations

import copy
import pickle
import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Story, as_goal, graph_stories, grid_stories, heavy_stories, limited, road_stories
from examples import examples
from lockstep import GridTerrain, edges_of
from oracle.searches import dijkstra

Edges = dict[Any, dict[Any, int]]


def ways_to(edges: Edges, goals: set[Any]) -> dict[Any, int]:
    """What a cheapest way to a goal costs from everywhere: Dijkstra's algorithm along the steps turned round."""
    back: Edges = {s: {} for s in {*edges, *goals, *(v for steps in edges.values() for v in steps)}}
    for u, steps in edges.items():
        for v, cost in steps.items():
            back[v][u] = cost
    found: dict[Any, int] = {}
    for goal in goals:
        for u, cost in dijkstra(back, goal).items():
            found[u] = min(cost, found.get(u, cost))
    return found


class Team:
    """A field, and agents that ask it after every event of a story."""

    def __init__(self, story: Story, agents: list[int], budget: int | None) -> None:
        self.terrain, self.goals, self.budget = story.terrain(), set(story.goals), budget
        self.space = self.terrain.space()
        self.grid = isinstance(self.terrain, GridTerrain)
        self.field = replan.FlowField(self.space, as_goal(self.goals))
        self.cells = [self.space.key(self.everywhere()[i % len(self.everywhere())]) for i in agents]

    def everywhere(self) -> list[int]:
        if self.grid:
            rows, cols = self.terrain.case.shape
            return [self.space.state((r, c)) for r in range(rows) for c in range(cols)]
        return list(range(self.space.n))

    def happen(self, event: tuple[Any, ...]) -> None:
        if event[0] == "edit":
            for place, value in event[1]:
                self.terrain.change(None, place, value)
            places = [p if self.grid else self.terrain.case.listed[p][:2] for p, _ in event[1]]
            values = [v for _, v in event[1]]
            if self.grid and self.terrain.case.weights is None:
                self.field.observe(places, blocked=[v == 0 for v in values])
            else:
                self.field.observe(places, weights=values)
        elif event[0] == "target":
            self.goals = set(event[1])
            self.field.retarget(as_goal(self.goals))
        elif event[0] == "jump":
            self.cells[0] = event[1]
        elif event[0] == "walk":
            self.cells = [self.field.step(cell) for cell in self.cells]

    def check(self) -> None:
        edges = edges_of(self.terrain.steps())
        exact = ways_to(edges, self.goals)
        if self.budget is not None:
            known = np.zeros(len(self.cells), bool)
            while not known.all():
                before = self.field.expansions
                known = self.field.advance(self.cells, replan.Expansions(self.budget))
                assert self.field.expansions - before <= self.budget
        else:
            assert self.field.advance(self.cells).all()
        before = self.field.expansions
        for cell in self.cells:
            path = self.field.path(cell)
            if cell not in exact:
                assert path is None and self.field.cost(cell) == float("inf") and self.field.step(cell) == cell
                continue
            assert path is not None and (path[-1] if path else cell) in self.goals
            assert sum(edges[a][b] for a, b in pairwise([cell, *path])) == exact[cell]
            assert self.field.step(cell) == (path[0] if path else cell)
        assert self.field.expansions == before, "what is known already costs nothing"


def play(story: Story, agents: list[int], budget: int | None) -> None:
    with limited():
        team = Team(story, agents, budget)
        team.check()
        for event in story.events:
            team.happen(event)
            team.check()


AGENTS = st.lists(st.integers(0, 10_000), min_size=1, max_size=5)
BUDGETS = st.sampled_from([None, 1, 2, 7])


@examples(200)
@given(story=st.one_of(grid_stories(targets=True), graph_stories(targets=True)), agents=AGENTS, budget=BUDGETS)
def test_every_way_is_a_cheapest_one(story, agents, budget):
    play(story, agents, budget)


@examples(60)
@given(story=st.one_of(road_stories(), heavy_stories({})), agents=AGENTS, budget=BUDGETS)
def test_roads_and_weights_far_beyond_those_at_first(story, agents, budget):
    play(story, agents, budget)


def test_it_goes_no_farther_than_the_farthest_agent():
    field = replan.FlowField(replan.Grid(np.zeros((101, 101), bool), neighbors=4), (50, 50))
    assert field.advance([(50, 53), (50, 52)]).all()
    assert field.expansions < 50
    assert field.advance([(50, 51)]).all() and field.expansions < 50


def test_what_others_change_is_known_to_the_field_and_the_other_way_round():
    grid = replan.Grid(np.zeros((5, 5), bool), neighbors=4)
    field, agent = replan.FlowField(grid, (0, 4)), replan.Agent("D* Lite", grid, (0, 0), (0, 4))
    assert field.cost((0, 0)) == 4 and len(agent.plan()) == 4
    agent.observe([(0, 2)], [True])
    assert field.cost((0, 0)) == 6
    assert field.observe([(1, 2), (0, 2)], [True, True]) == 1
    assert len(agent.plan()) == 8
    assert field.observe_map(np.zeros((2, 5), bool), top_left=(0, 0)) == 2
    assert field.cost((0, 0)) == 4


def test_many_changes_while_it_does_not_look():
    grid = replan.Grid(np.zeros((40, 40), bool))
    field = replan.FlowField(grid, (0, 0))
    field.path((39, 39))
    for i in range(6000):
        field.observe([(20, i % 39)], [i % 2 == 0])
    blocked = np.asarray(grid.blocked)
    assert field.cost((39, 39)) == replan.FlowField(replan.Grid(blocked), (0, 0)).cost((39, 39))


def test_arrays_in_and_out():
    field = replan.FlowField(replan.Grid(np.zeros((9, 9), bool)), (8, 8))
    cells = np.array([[0, 0], [8, 8], [3, 4]])
    known = field.advance(cells, replan.Deadline(10_000_000))
    assert known.dtype == bool and known.tolist() == [True, True, True]
    assert field.advance([]).tolist() == [] == field.advance(np.zeros((0, 2), int)).tolist()
    assert {"g", "rhs", "parent", "open"} == set(field.snapshot())
    assert repr(field).startswith("<FlowField to (8, 8): ")
    for wrong in (np.array([[9, 0]]), [(0, 9)], np.array([1, 2]), np.array([[0.5, 1.0]]), (0, 1), 7):
        with pytest.raises((replan.InputError, TypeError)):
            field.advance(wrong)
    with pytest.raises(replan.InputError):
        field.advance([(0, 0)], 5)


def test_several_goals_and_goals_that_are_nothing():
    grid = replan.Grid(np.zeros((3, 9), bool), neighbors=4)
    field = replan.FlowField(grid, {(0, 0), (0, 8)})
    assert field.goals == {(0, 0), (0, 8)} and field.cost((0, 6)) == 2
    for wrong in (set(), (3, 0), None):
        with pytest.raises(replan.InputError):
            replan.FlowField(grid, wrong)
    with pytest.raises(replan.InputError, match="made already"):
        field.__init__(grid, (0, 0))
    with pytest.raises(replan.InputError, match="not made"):
        replan.FlowField.__new__(replan.FlowField).path((0, 0))


def test_blocked_cells_have_no_way():
    field = replan.FlowField(replan.Grid(np.array([[0, 1, 0, 0]], bool)), (0, 3))
    assert field.path((0, 0)) is None and field.path((0, 1)) is None and field.path((0, 2)) == [(0, 3)]


def test_one_thread_at_a_time():
    field = replan.FlowField(replan.Grid(np.zeros((300, 300), bool)), (0, 0))
    errors: list[Exception] = []

    def ask(k: int) -> None:
        for i in range(40):
            try:
                field.advance([(299 - i, k * 50)], replan.Expansions(500))
                field.observe([(5 * k + 1, i)], [i % 2 == 0])
            except RuntimeError as error:  # says that somebody else is at it
                errors.append(error)

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert field.cost((299, 299)) == replan.FlowField(copy.deepcopy(field.space), (0, 0)).cost((299, 299))


@pytest.mark.parametrize("later", ["search", "copy", "retarget", "another thread's word"])
def test_a_weight_that_is_too_large_for_the_first_queue(later):
    """The queue is chosen anew when costs have grown: ways are the cheapest ones before and after."""
    weights = np.ones((9, 9), int)
    space = replan.Grid(np.zeros((9, 9), bool), weights=weights)
    field = replan.FlowField(space, (0, 8))
    assert field.cost((0, 0)) == 8
    before = field.expansions
    assert field.observe([(row, 4) for row in range(8)], weights=[5000] * 8) == 8
    if later == "copy":
        field = copy.deepcopy(field)
    elif later == "retarget":
        field.retarget((1, 8))
        field.retarget((0, 8))
    elif later == "another thread's word":
        assert field._on_external_change()
    assert field.advance([(0, 0)], replan.Expansions(3)).tolist() == [False]
    weights[:8, 4] = 5000
    heavy = replan.Grid(np.zeros((9, 9), bool), weights=weights)
    found = replan.find_path(heavy, (0, 0), (0, 8))
    assert field.cost((0, 0)) == pytest.approx(found.cost)
    assert field.expansions > before
    field.observe([(8, 4)], weights=[0])
    assert field.cost((0, 0)) > 5000
    assert pickle.loads(pickle.dumps(field)).path((0, 0)) == field.path((0, 0))
