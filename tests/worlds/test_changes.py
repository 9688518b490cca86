"""Scripted changes: doors, slopes, waiting."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from strategies import names, specs

FORWARD = "Repeated Forward A*"
COMPLETE = specs(is_realtime=False)
CORRIDOR = np.zeros((1, 6), bool)
SHUT = np.array([[False, False, True, False, False, False]])


def corridor(changes, blocked=CORRIDOR, **options) -> replan.World:
    return replan.World(replan.Grid(blocked, neighbors=4), changes=changes, **options)


@pytest.mark.parametrize("spec", replan.planners(), ids=names(replan.planners()))
@pytest.mark.parametrize("known", ["nothing", "everything"])
def test_waits_for_a_door(spec, known):
    """The agent stands before it and goes on when it opens."""
    if spec.is_realtime and spec.options["lookahead"] is None:  # it looks one step ahead
        pytest.skip("walks to and fro until it gives up, wherever it is then: it need not see the door open")
    world = corridor([(20, (0, 2), "free")], SHUT, known=known)
    trip = replan.simulate(world, spec.slug, (0, 1), (0, 5), max_moves=500)
    assert trip.reached
    assert trip.steps >= 20 and trip.steps >= trip.moves
    if not spec.is_realtime:
        assert trip.moves == 4


def test_a_door_that_opens_unseen_is_not_noticed():
    """An agent far from the door that believes in no way waits for all changes, and then gives up."""
    blocked = np.array([[False, False, False, False, True, False]])
    world = corridor([(9, (0, 4), "free")], blocked, known="everything")
    trip = replan.simulate(world, FORWARD, (0, 0), (0, 5))
    assert (trip.why, trip.moves, trip.steps) == ("unreachable", 0, 9)
    seeing = corridor([(9, (0, 4), "free")], blocked, known="everything", sensor="everything")
    assert replan.simulate(seeing, FORWARD, (0, 0), (0, 5)).why == "reached"


def test_a_cell_is_not_blocked_while_the_agent_stands_on_it():
    world = corridor([(2, (0, 2), "blocked")])
    trip = replan.simulate(world, FORWARD, (0, 0), (0, 5))
    assert trip.reached and trip.moves == 5
    assert world.truth.blocked[0, 2], "it is once the agent has left"
    trip = replan.simulate(corridor([(1, (0, 2), "blocked")]), FORWARD, (0, 0), (0, 5))
    assert trip.why == "unreachable"


def test_a_block_that_was_put_off_does_not_undo_a_later_change():
    """(0, 0) is blocked at step 1 (put off: the agent is there) and freed at step 2, so free it stays."""
    world = corridor([(1, (0, 0), "blocked"), (2, (0, 0), "free"), (3, (0, 1), "free")], SHUT, known="everything")
    replan.simulate(world, FORWARD, (0, 0), (0, 5), max_moves=6)
    assert not world.truth.blocked[0, 0]


def test_a_block_that_is_put_off_is_no_reason_to_wait_for_ever():
    world = corridor([(1, (0, 1), "blocked")], SHUT)
    trip = replan.simulate(world, FORWARD, (0, 1), (0, 5), max_moves=1000)
    assert trip.why == "unreachable" and trip.steps <= 2


def test_the_script_does_not_touch_the_users_grid():
    grid = replan.Grid(CORRIDOR, neighbors=4)
    world = replan.World(grid, changes=[(1, (0, 3), "blocked"), (9, (0, 3), "free")])
    for _ in range(2):
        assert replan.simulate(world, FORWARD, (0, 0), (0, 5)).reached
        assert not grid.blocked.any()


def test_weights_rise_and_fall():
    weights = np.ones((3, 5), int)
    grid = replan.Grid(np.zeros((3, 5), bool), neighbors=4, weights=weights)
    slow = replan.World(grid, sensor="everything", changes=[(1, (1, 2), 50), (1, (1, 3), 50)])
    trip = replan.simulate(slow, FORWARD, (1, 0), (1, 4))
    assert trip.moves == 6 and trip.cost == 6
    fast = replan.World(
        replan.Grid(np.zeros((3, 5), bool), 4, np.array([[1] * 5, [1, 1, 50, 50, 1], [1] * 5])),
        sensor="everything",
        known="everything",
        changes=[(1, (1, 2), 1), (1, (1, 3), "free")],
    )
    trip = replan.simulate(fast, FORWARD, (1, 1), (1, 4))
    assert trip.reached and trip.steps == trip.moves <= 5


def test_costs_of_edges():
    graph = replan.Graph([("a", "b", 1), ("b", "c", 1), ("b", "d", 2), ("d", "c", 2)])
    world = replan.World(graph, sensor="everything", changes=[(1, ("c", "b"), 30)])
    trip = replan.simulate(world, FORWARD, "a", "c")
    assert trip.path == ["a", "b", "d", "c"] and trip.cost == 5
    closed = replan.World(graph, changes=[(1, ("b", "c"), "blocked"), (1, ("b", "d"), True), (7, ("b", "c"), "free")])
    trip = replan.simulate(closed, FORWARD, "a", "c")
    assert (trip.reached, trip.moves, trip.steps, trip.cost) == (True, 2, 8, 2)


def test_changes_of_a_parallel_edge_close_all_of_them():
    graph = replan.Graph([("a", "b", 1), ("a", "b", 2), ("b", "c", 1)])
    world = replan.World(graph, sensor="everything", changes=[(1, ("b", "a"), "blocked")])
    replan.simulate(world, FORWARD, "c", "b")
    assert world.truth.cost_of("a", "b") == float("inf")


def test_order_of_the_script_does_not_matter_and_the_last_of_a_step_wins():
    one = corridor([(3, (0, 4), "free"), (1, (0, 4), "blocked"), (2, (0, 4), "free"), (2, (0, 4), "blocked")])
    trip = replan.simulate(one, FORWARD, (0, 0), (0, 5))
    assert (trip.reached, trip.moves) == (True, 5)
    assert not one.truth.blocked[0, 4]
    two = corridor([(2, (0, 4), "free"), (2, (0, 4), "blocked")])
    assert replan.simulate(two, FORWARD, (0, 0), (0, 5)).why == "unreachable"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((1, (0, 1)), "a change is"),
        (7, "a change is"),
        ((-1, (0, 1), "free"), "step"),
        ((1.5, (0, 1), "free"), "step"),
        ((1, (0, 9), "free"), "outside"),
        ((1, (0, 1), "open"), "'blocked', 'free'"),
        ((1, (0, 1), 7), "without weights"),
        ((1, (0, 1), 0), "weight"),
        ((1, (0, 1), None), "weight"),
    ],
)
def test_bad_changes_are_refused(change, words):
    with pytest.raises(replan.InputError, match=words):
        corridor([change])


@pytest.mark.parametrize("changes", [5, "free", np.array([[1, 1, 1]]), np.array(3)])
def test_what_is_no_list_of_changes_is_refused(changes):
    with pytest.raises(replan.InputError):
        corridor(changes)


def test_an_edge_that_would_get_cheaper_than_it_was_made_is_refused_at_once():
    with pytest.raises(replan.InputError, match="cheaper"):
        replan.World(replan.Graph([("a", "b", 5), ("b", "c", 5)]), changes=[(1, ("b", "c"), 2)])


@pytest.mark.parametrize(
    "known",
    [
        "all",
        False,
        np.zeros((1, 6), bool),
        replan.Grid(np.zeros((2, 6), bool), neighbors=4),
        replan.Grid(np.zeros((1, 6), bool), neighbors=8),
        replan.Grid(np.zeros((1, 6), bool), neighbors=4, weights=np.ones((1, 6), int)),
        replan.Graph([("a", "b")]),
    ],
)
def test_maps_that_do_not_fit_are_refused(known):
    with pytest.raises(replan.InputError):
        replan.simulate(corridor([], known=known), FORWARD, (0, 0), (0, 5))


def test_a_known_map_without_the_walls_of_the_truth():
    """Walls are part of the terrain's shape: a belief made of a map without them must not lead through them."""
    walls = np.zeros((2, 3), int)
    walls[0, 1] = 1
    truth = replan.Grid(np.zeros((2, 3), bool), neighbors=4, walls=walls)
    world = replan.World(truth, known=replan.Grid(np.zeros((2, 3), bool), neighbors=4))
    try:
        trip = replan.simulate(world, FORWARD, (0, 0), (0, 2))
    except replan.InputError:
        return
    assert trip.reached and trip.moves == 4


@pytest.mark.parametrize("given", [None, "map", np.zeros((2, 2), bool), replan.Space])
def test_worlds_are_made_of_spaces(given):
    with pytest.raises(replan.InputError, match="a space is a Grid, a Graph or your own Space"):
        replan.World(given)


def test_a_space_that_was_never_made_is_no_world():
    class Forgetful(replan.Space):
        def __init__(self):
            pass

    for space in (Forgetful(), replan.Grid.__new__(replan.Grid)):
        with pytest.raises(replan.InputError, match=f"this {type(space).__name__} is not made yet"):
            replan.World(space)


WALL = [(1, (4, col), "blocked") for col in range(8)]


@pytest.mark.parametrize("changes", [WALL, lambda time, at: [(cell, to) for when, cell, to in WALL if when == time]])
@pytest.mark.parametrize("name", ["A*", "D* Lite", "RTAA*", "AD*", "Moving-Target D* Lite", "FRIT(A*)"])
def test_who_believes_in_the_truth_of_a_world_is_told_of_its_changes(name, changes):
    """Agents that know everything, as a baseline; fields and queries, too."""
    world = replan.World(replan.Grid(np.zeros((9, 9), bool)), changes=changes)
    agent = replan.Agent(name, world.truth, (0, 0), (8, 0))
    field, query = replan.FlowField(world.truth, (8, 0)), replan.LPAStar(world.truth, (0, 0), (8, 0))
    agent.plan(), field.path((0, 0)), query.path()
    for trip in range(2):
        story = replan.watch(world, "A*", (0, 8), (8, 8))
        for _ in range(3):
            story.step()
        if trip == 1:
            story.change([(4, 8)], "blocked")
        found, path = replan.find_path(world.truth, (0, 0), (8, 0)), agent.plan()
        assert not any(world.truth.blocked[cell] for cell in path or [])
        if trip == 0:
            assert path and query.path() and field.cost((0, 0)) == query.cost == found.cost > 20
        else:
            assert found is field.path((0, 0)) is query.path() is None
        world.begin()  # the wall is gone
        assert field.cost((0, 0)) == 8 and query.path() and query.cost == 8
        assert agent.plan()
