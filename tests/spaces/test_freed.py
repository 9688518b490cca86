"""A place that is freed without a weight gets the one that it had."""

from __future__ import annotations

import copy
import pickle
import tempfile

import numpy as np
import pytest

import replan
from replan.bridges.tcod import grid_from_cost
from replan.spaces.observations import parse_map_observation


def swamp(**options):
    return replan.Grid(np.zeros((4, 5), bool), weights=np.full((4, 5), 7), **options)


def agent_on(grid):
    return replan.Agent("D* Lite", grid, (0, 0), (3, 4))


CELL = (1, 2)
WAYS = {
    "cells": lambda agent, blocked: agent.observe([CELL], blocked),
    "a list of values": lambda agent, blocked: agent.observe([CELL], [blocked]),
    "numbers": lambda agent, blocked: agent.observe([CELL], [int(blocked)]),
    "an array": lambda agent, blocked: agent.observe(np.array([CELL]), blocked),
    "a plain window": lambda agent, blocked: agent.observe_map(np.array([[blocked]]), top_left=CELL),
    "a window": lambda agent, blocked: agent.observe_map(
        np.array([[blocked]]), top_left=CELL, seen_mask=np.array([[True]])
    ),
    "an old window": lambda agent, blocked: agent.observe_map([[int(blocked)]], top_left=CELL),
}


@pytest.mark.parametrize("neighbors", [4, 8])
@pytest.mark.parametrize("way", WAYS)
def test_an_observation_restores_the_weight(way, neighbors):
    agent = agent_on(swamp(neighbors=neighbors))
    for weight in (7, 9):
        agent.observe([CELL], weights=[weight])
        assert WAYS[way](agent, True) == 1 and agent.belief.weights[CELL] == 0
        assert WAYS[way](agent, False) == 1 and agent.belief.weights[CELL] == weight
    assert WAYS[way](agent, False) == 0
    agent.observe([CELL], weights=[3])
    assert WAYS[way](agent, False) == 0 and agent.belief.weights[CELL] == 3


def walled(given=7):
    """A grid on which CELL is blocked at first, and this is its weight in `weights`."""
    walls, weights = np.zeros((4, 5), bool), np.full((4, 5), 7)
    walls[CELL], weights[CELL] = True, given
    return replan.Grid(walls, weights=weights)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("given", "freed"), [(7, 7), (9, 9), (65535, 65535), (1, 1), (0, 1), (65536, 1), (-3, 1)])
def test_a_cell_that_is_blocked_at_first_gets_the_weight_that_it_was_given(way, given, freed):
    agent = agent_on(walled(given))
    assert WAYS[way](agent, False) == 1 and agent.belief.weights[CELL] == freed
    assert agent.belief.max_weight == max(7, freed)
    assert WAYS[way](agent, True) == WAYS[way](agent, False) == 1 and agent.belief.weights[CELL] == freed
    assert len(agent.plan()) > 0


def test_without_weights_a_free_cell_is_worth_one():
    agent = agent_on(replan.Grid(np.zeros((4, 5), bool)))
    for blocked in (True, False):
        assert [way(agent, blocked) for way in WAYS.values()] == [1] + [0] * (len(WAYS) - 1)
    assert agent.belief.get_value(agent.belief.location(CELL)) == 1
    grid = grid_from_cost(np.array([[1, 0, 1]]))
    assert parse_map_observation(grid, [[False, False, False]], None, None, None)[1].tolist() == [1]


COPIES = {
    "copy": lambda grid: grid.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda grid: pickle.loads(pickle.dumps(grid)),
}


def assigned(space):
    other = space.believed_free()
    other.assign(space)
    return other


def recorded(grid):
    with tempfile.TemporaryDirectory() as folder:
        replan.DynamicScenario(grid, [(1, CELL, "free")], start=(0, 0), goal=(3, 4)).save(f"{folder}/it.json")
        return replan.DynamicScenario.load(f"{folder}/it.json").grid


def test_a_recording_keeps_the_weights_of_blocked_cells():
    grid = swamp()
    grid.set_value(grid.location((0, 3)), 0)
    for given, cell, weight in ((walled(9), CELL, 9), (walled(0), CELL, 1), (grid, (0, 3), 7)):
        assert recorded(given).value_if_free(given.location(cell)) == weight


@pytest.mark.parametrize("way", [*COPIES.values(), assigned], ids=[*COPIES, "assign"])
def test_copies_remember_it(way):
    grid, graph = swamp(), replan.Graph([("a", "b", 2), ("b", "c", 2)])
    p, q = grid.location(CELL), graph.location(("b", "a"))
    grid.set_value(p, 0)
    graph.set_value(q, 9)
    graph.set_value(q, 0)
    for space, place, value in ((grid, p, 7), (graph, q, 9), (graph, graph.location(("a", "b")), 9)):
        twin = way(space)
        assert space.get_value(place) == twin.get_value(place) == 0
        assert space.value_if_free(place) == twin.value_if_free(place) == value
    twin = way(walled(9))
    assert twin.get_value(p) == 0 and twin.value_if_free(p) == 9
    assert swamp().believed_free().value_if_free(p) == walled().believed_free().value_if_free(p) == 1


def test_an_edge_costs_what_it_cost_before():
    graph = replan.Graph([("a", "b", 2), ("b", "c", 2)])
    agent = replan.Agent("D* Lite", graph, "a", "c")
    agent.observe([("b", "c")], weights=[5])
    agent.observe([("b", "c")], True)
    agent.observe([("c", "b")], False)
    assert graph.cost_of("b", "c") == 5


def test_put_takes_the_value_itself():
    grid = swamp()
    place = grid.location(CELL)
    grid.set_value(place, 0)
    grid.set_value(place, 1)
    assert grid.weights[CELL] == 1


def test_an_agent_and_a_character_free_their_cells_at_the_weight_that_these_had():
    grid = swamp()
    agent = agent_on(grid)
    agent.observe([(0, 1), (1, 1)], True)
    agent.move((0, 1), even_if_blocked=True)
    crowd = replan.Crowd(grid, "RTAA*", lookahead=5)
    crowd.add([(1, 1)], [(3, 4)])
    assert grid.weights[0, 1] == grid.weights[1, 1] == 7
    crowd.observe([(2, 2)], True)
    crowd.observe([(2, 2)], False)
    assert grid.weights[2, 2] == 7


def test_a_change_of_the_world_frees_a_cell_at_the_weight_that_it_was_given():
    world = replan.World(walled(9), sensor="everything", changes=[(2, CELL, "free")])
    assert replan.watch(world, "D* Lite", (0, 0), (3, 4)).finish().reached
    assert int(world.truth._checked_value_at(world.truth.location(CELL))) == 9


def test_a_change_of_the_world_frees_a_cell_at_the_weight_that_it_had():
    later = [(4, CELL, 2), (5, CELL, "blocked"), (6, CELL, False)]
    places = [(1, CELL, 5), (2, CELL, "blocked"), (3, CELL, "free"), *later]
    listed = replan.World(swamp(), sensor="everything", changes=places)
    told = replan.World(swamp(), sensor="everything", changes=lambda now, _: [p[1:] for p in places if p[0] == now])
    for world in (listed, told):
        story = replan.watch(world, replan.planner("RTD* NoOp", lookahead=1), (0, 0), (3, 4))
        story.step()  # the first moment is before the first step
        seen = []
        for _ in range(6):
            story.step()
            seen.append(int(world.truth._checked_value_at(world.truth.location(CELL))))
        assert seen == [5, 0, 5, 2, 0, 2]
