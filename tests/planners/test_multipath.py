"""MPAA* and MPGAA*: against a slow one, and what their authors prove. (Cheapest paths: test_adaptive.py.)"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, stories
from examples import examples
from falls import graph_stories, grid_stories, tell
from lockstep import GraphTerrain, GridTerrain, Pair, graph_trips, grid_trips
from oracle.multipath import MultiPath
from strategies import QUEUES, problems

RANDOM = [{"prefer": p, "ties": "random", "seed": 5} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])
KINDS = [("MPGAA*", "repair"), ("MPAA*", "keep"), ("MPAA*", "repair"), ("MPAA*", "reset")]


def pair_of(name, on_cost_decrease, terrain, start, goals, order):
    options = {} if name == "MPGAA*" else {"on_cost_decrease": on_cost_decrease}
    return Pair(terrain, replan.planner(name, **options, **order), MultiPath(on_cost_decrease, **order), start, goals)


@pytest.mark.parametrize(("name", "on_cost_decrease"), KINDS)
@examples(60)
@given(story=st.one_of(grid_stories(), graph_stories()), order=orders)
def test_like_the_oracle_where_costs_rise_and_fall(name, on_cost_decrease, story, order):
    terrain, start, goals, events = story
    tell(pair_of(name, on_cost_decrease, terrain(), start, goals, order), events)


@examples(80)
@given(trip=grid_trips(largest=7), order=orders)
def test_like_the_oracle_in_unknown_grids(trip, order):
    case, start, goals = trip
    pair_of("MPGAA*", "repair", GridTerrain(case), start, goals, order).run()


@examples(80)
@given(trip=graph_trips(simple=True), order=orders)
def test_like_the_oracle_in_unknown_graphs(trip, order):
    case, blocked, start, goals = trip
    pair_of("MPGAA*", "repair", GraphTerrain(case, blocked), start, goals, order).run()


@examples(80)
@given(story=stories(targets=True), order=orders)
def test_a_second_search_without_news_expands_nothing(story, order):
    def again(scene: Scene, fresh: bool) -> None:
        if scene.path:
            before = scene.planner.expansions
            states = scene.planner.plan(scene.space.state(scene.at), None)
            assert scene.planner.expansions == before
            assert scene.cost([scene.space.key(s) for s in states]) == scene.best()

    Scene(story, replan.planner("MPGAA*", **order)).play(story.events, again)


@examples(60)
@given(problem=problems(largest=9), order=orders)
def test_no_search_expands_more_than_a_star_with_the_same_h(problem, order):
    """Given the h that the planner has before a search, A* in the same order expands at least as many."""
    case, start, goal = problem
    planner, terrain = replan.planner("MPGAA*", **order), GridTerrain(case)
    space = terrain.space()
    agent = replan.Agent(planner, space, start, goal)
    while agent.cell != goal:
        for place, value in terrain.unseen(agent.cell):
            terrain.change(agent, place, value)
        h = space.to_map_shape(planner.snapshot()["h"])
        first = [[terrain.rules.h((r, c), goal) for c in range(case.shape[1])] for r in range(case.shape[0])]
        before, episodes = planner.expansions, agent.episodes
        path = agent.plan()
        if agent.episodes > episodes and order.get("ties") != "random":  # whose stream goes on from search to search
            known = np.where(h >= 0, h, first) / space.units_per_step
            plain = replan.planner("Repeated Forward A*", heuristic=known, **order)
            replan.Agent(plain, space.copy(), agent.cell, goal).plan()
            assert planner.expansions - before <= plain.expansions
        if path is None:
            return
        agent.move(path[0])


@pytest.mark.parametrize("seed", range(3))
def test_old_paths_are_taken_up_again(seed):
    world = replan.World(replan.Grid(replan.maze(51, 51, openings=100, seed=seed), neighbors=4))
    multi, plain = (replan.simulate(world, name, (0, 0), (50, 50)) for name in ("MPGAA*", "Generalized Adaptive A*"))
    assert multi.reached and plain.reached
    assert multi.expansions < 0.7 * plain.expansions


def test_a_trip_depends_on_no_earlier_one():
    world = replan.World(replan.Grid(replan.maze(31, 31, openings=20, seed=1), neighbors=4))
    used = replan.planner("MPGAA*")
    for goal in ((30, 30), (0, 30), (30, 30)):
        trip = replan.simulate(world, used, (0, 0), goal)
        anew = replan.simulate(world, "MPGAA*", (0, 0), goal)
        assert (trip.path, trip.episode_expansions) == (anew.path, anew.episode_expansions)


@pytest.mark.parametrize("name", ["MPGAA*", "MPAA*"])
def test_with_a_budget_it_goes_a_part_of_the_way(name):
    """As RTAA*: which arrives."""
    blocked = replan.maze(21, 21, openings=10, seed=3)
    agent = replan.Agent(name, replan.Grid(np.zeros((21, 21), bool), neighbors=4), (0, 0), (20, 20))
    for _ in range(3000):
        near = [(r, c) for r in range(21) for c in range(21) if abs(r - agent.cell[0]) + abs(c - agent.cell[1]) == 1]
        agent.observe(near, [blocked[cell] for cell in near])
        before = agent.planner.expansions
        path = agent.plan(replan.Expansions(5))
        assert agent.planner.expansions - before <= 5
        if not path:
            break
        agent.move(path[0])
    assert agent.cell == (20, 20)
