"""Compact A*: the trips of Repeated Forward A* with buckets, in half a byte a cell."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, cheapest, grid_stories
from examples import examples
from oracle.searches import dijkstra
from replan.experiments.memory import map_footprint, planner_footprint
from strategies import problems

PLAIN = {"neighbors": (4,), "weighted": False, "walled": False}
MEGABYTE = 1 << 20
HANDED = 1024  # the trail that an episode hands out


def same_trip(world: replan.World, start, goal) -> replan.Trip:
    compact = replan.simulate(world, replan.planner("Compact A*"), start, goal)
    plain = replan.simulate(world, replan.planner("Repeated Forward A*", queue="buckets"), start, goal)
    assert (compact.path, compact.why, compact.cost) == (plain.path, plain.why, plain.cost)
    assert compact.episode_expansions == plain.episode_expansions
    return compact


@examples(300)
@given(problem=problems(largest=9, **PLAIN), sensor=st.sampled_from(["adjacent", "everything", replan.Radius(2.5)]))
def test_trips_are_those_of_a_star_with_buckets(problem, sensor):
    case, start, goal = problem
    same_trip(replan.World(case.grid(), sensor=sensor), start, goal)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_in_mazes(seed):
    blocked = replan.maze(61, 61, openings=30, seed=seed)
    trip = same_trip(replan.World(replan.Grid(blocked, neighbors=4)), (0, 0), (60, 60))
    assert trip.reached and trip.episodes > 10


@pytest.mark.parametrize("room", [None, 4, 9])
@examples(100)
@given(story=grid_stories(targets=True, largest=8, **PLAIN))
def test_cheapest_after_every_event(room, story):
    """Also when the open list has no room for most of its cells."""
    if len(story.goals) > 1 or any(event[0] == "target" and len(event[1]) > 1 for event in story.events):
        return
    scene = Scene(story, replan.planner("Compact A*", queue_capacity=room))
    scene.play(story.events, cheapest)
    own, believed = scene.planner.snapshot()["blocked"], scene.space.blocked_states.astype(bool)
    reached = dijkstra(scene.edges(), scene.at)
    for cell in reached if len(reached) > 1 else ():  # of what cannot be reached it need not know
        s, width = scene.space.state(cell), scene.space.width
        near = [s, s - 1, s + 1, s - width, s + width]
        assert own[near].tolist() == believed[near].tolist()


@examples(150)
@given(problem=problems(largest=8, **PLAIN), room=st.integers(4, 12))
def test_nothing_is_left_behind_by_a_search(problem, room):
    """After a search only the path is marked; after it is forgotten nothing is."""
    case, start, goal = problem
    grid, planner = case.grid(), replan.planner("Compact A*", queue_capacity=room)
    agent = replan.Agent(planner, grid, start, goal)
    best = dijkstra(case.edges(), start).get(goal)
    path = agent.plan()
    assert (path is None) == (best is None)
    marked = [start, *path] if path else []
    assert not path or len(path) == best
    assert states_with(planner, "path") == sorted(map(grid.state, marked))
    assert states_with(planner, "blocked") == np.flatnonzero(grid.blocked_states).tolist()
    agent.retarget(start)
    assert states_with(planner, "path") == []
    assert states_with(planner, "blocked") == np.flatnonzero(grid.blocked_states).tolist()
    for cell in case.free_cells():  # whatever were left of one search would be in the way of the next
        agent.move(cell)
        agent.retarget(goal)
        before, fresh = planner.expansions, replan.planner("Compact A*", queue_capacity=room)
        assert agent.plan() == replan.Agent(fresh, grid.copy(), cell, goal).plan()
        assert planner.expansions - before == fresh.expansions


def states_with(planner: replan.Planner, mark: str) -> list[int]:
    return np.flatnonzero(planner.snapshot()[mark]).tolist()


def test_little_room_means_walks_of_the_tree():
    blocked = replan.maze(41, 41, openings=40, seed=5)
    world = replan.World(replan.Grid(blocked, neighbors=4))
    walks = []
    for room in (4, 8, None):
        planner = replan.planner("Compact A*", queue_capacity=room)
        assert replan.simulate(world, planner, (0, 0), (40, 40)).reached
        walks.append(planner.search.tree_walks)
    assert walks[0] > walks[1] > walks[2] == 0


def test_long_paths_are_handed_out_in_pieces():
    """A snake longer than one piece: the pieces after the first expand nothing."""
    blocked = np.zeros((61, 61), bool)
    blocked[1::2] = True
    blocked[1::4, -1] = blocked[3::4, 0] = False
    trip = replan.simulate(replan.Grid(blocked, neighbors=4), "Compact A*", (0, 0), (60, 60))
    assert trip.reached and trip.moves == (61 * 31 - 1) + 30
    assert trip.episodes == -(-trip.moves // (HANDED - 1))
    assert trip.episode_expansions[1:] == [0] * (trip.episodes - 1)


def test_what_it_cannot_do_is_refused():
    free = np.zeros((3, 3), bool)
    for grid in (
        replan.Grid(free),
        replan.Grid(free, neighbors=4, weights=np.ones((3, 3), int)),
        replan.Grid(free, neighbors=4, walls=np.ones((3, 3), int)),
    ):
        with pytest.raises(replan.InputError, match="4 neighbors"):
            replan.simulate(grid, "Compact A*", (0, 0), (2, 2))
    with pytest.raises(replan.InputError, match="4 neighbors"):
        replan.simulate(replan.Graph([("a", "b", 1)]), "Compact A*", "a", "b")
    with pytest.raises(replan.InputError, match="one goal"):
        replan.simulate(replan.Grid(free, neighbors=4), "Compact A*", (0, 0), {(2, 2), (1, 1)})
    for room in (3, 2.5, "all"):
        with pytest.raises(replan.InputError, match="queue_capacity"):
            replan.planner("Compact A*", queue_capacity=room)


def test_its_memory():
    """Extra Credit 1 of the course project: bytes for 1001 x 1001 cells, and the largest grid in 4 MB."""
    said = planner_footprint(lambda: replan.planner("Compact A*"))
    assert said.per_cell == 0.5
    assert 500_000 < said.bytes(1001, 1001) < 620_000
    assert 2750 < said.largest_square(4 * MEGABYTE) < 2896


def test_its_memory_beside_that_of_a_star(compiled):
    said = planner_footprint(lambda: replan.planner("Compact A*"))
    plain = planner_footprint(lambda: replan.planner("Repeated Forward A*", queue="buckets")) + map_footprint()
    assert plain.bytes(1001, 1001) > 100 * said.bytes(1001, 1001)


def test_a_whole_trip_within_four_megabytes(compiled):
    """On the largest grid: all that Python takes is counted, but for the map that the agent believes in."""
    handed_out = MEGABYTE // 4  # the cells of a piece of the path, as Python has them
    side = planner_footprint(lambda: replan.planner("Compact A*")).largest_square(4 * MEGABYTE - handed_out)
    believed = replan.Grid(np.zeros((side, side), bool), neighbors=4)
    walls = {(row, col) for row in range(60, side - 1, 400) for col in range(row % 7, side - 1 - row % 5)}
    tracemalloc.start()
    try:
        agent = replan.Agent("Compact A*", believed, (0, 0), (side - 1, side - 1))
        cuts = 0
        while path := agent.plan():
            for cell in path:
                if cell in walls:  # it sees only the cell before it
                    agent.observe([cell], [True])
                    cuts += 1
                    break
                agent.move(cell)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert agent.cell == (side - 1, side - 1)
    assert cuts > 5 and peak <= 4 * MEGABYTE
