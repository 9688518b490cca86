"""Grids, graphs and own spaces are copied and pickled: equal, and by themselves."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from border.honest import Board
from replan.maps import CoordinateFrame
from replan.spaces.goals import Goals
from saving.ways import DEEP, WAYS, Damaging, objects_in, pickled


def grids() -> list[replan.Grid]:
    blocked, rng = replan.random_obstacles(9, 12, 0.3, seed=2), np.random.default_rng(1)
    weights, walls = rng.integers(1, 60_000, blocked.shape), rng.integers(0, 4, blocked.shape)
    return [
        replan.Grid(blocked, 4),
        replan.Grid(blocked, 8, weights),
        replan.Grid(blocked, 8, corners="either", walls=walls),
        replan.Grid(np.zeros((1, 1), bool)),
    ]


def graphs() -> list[replan.Graph]:
    edges = [(i, i * 7 % 30, 1 + i % 9) for i in range(30)] + [("a", i, 4.0) for i in range(0, 30, 5)]
    places = {node: (i % 6, i // 6) for i, node in enumerate([*range(30), "a"])}
    return [
        replan.Graph(edges),
        replan.Graph(edges, directed=True),
        replan.Graph(edges, resolution=0.25, positions=places, nodes=[(1, 2)][:0]),
        replan.Graph([], nodes=["alone"]),
    ]


SPACES = {
    **{f"grid {i}": grid for i, grid in enumerate(grids())},
    **{f"graph {i}": graph for i, graph in enumerate(graphs())},
    "own": Board(),
}
every_space = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)


def same(a: Any, b: Any) -> None:
    sizes = ("n", "n_locations", "units_per_step", "max_path_cost", "max_edge_round_trip", "degree", "row_stride")
    for name in (*sizes, "has_unit_costs", "locations_are_states", "is_built_in"):
        assert getattr(a, name) == getattr(b, name), name
    for s in range(a.n):
        assert a.key(s) == b.key(s)
        assert a.successors(s) == b.successors(s)
        assert a.predecessors(s) == b.predecessors(s)
        assert a.distance(0, s) == b.distance(0, s)
    assert [a.get_value(p) for p in range(a.n_locations)] == [b.get_value(p) for p in range(b.n_locations)]
    assert [a.min_value(p) for p in range(a.n_locations)] == [b.min_value(p) for p in range(b.n_locations)]


@pytest.mark.parametrize("way", WAYS)
@every_space
def test_equal_and_by_itself(space: Any, way: Any) -> None:
    inner = [p for p in range(space.n_locations) if space.get_value(p) > 0]
    twin = way(space)
    same(twin, space)
    if way is copy.copy and isinstance(space, Board):
        return  # as Python has it: the lists of the user's are shared
    for p in inner[:3]:
        twin.set_value(p, 0)
        assert space.get_value(p) > 0


def test_what_changed_since_is_kept() -> None:
    grid, graph = grids()[1], graphs()[0]
    grid.set_value(grid.state((0, 0)), 65_535)
    graph.set_value(3, 900)
    graph.set_value(5, 0)
    for space in (grid, graph):
        same(pickled(space), space)
        assert pickled(space).max_path_cost == space.max_path_cost


@pytest.mark.parametrize("way", DEEP)
def test_copies_of_a_graph_still_share_their_edges(way: Any) -> None:
    graph = graphs()[0]
    other = graph.copy()
    other.set_value(2, 0)
    a, b = way((graph, other))
    same(a, graph)
    same(b, other)
    a.assign(b)
    same(a, other)


@pytest.mark.parametrize("way", WAYS)
def test_place_in_the_world_and_unknown_cells(way: Any) -> None:
    grid = grids()[0]
    grid.coordinate_frame, grid.unknown_mask = CoordinateFrame(0.5, (1.0, 2.0, 0.0)), grid.blocked.copy()
    unknown = grid.unknown_mask
    twin = way(grid)
    assert (
        twin.coordinate_frame == grid.coordinate_frame
        and (twin.unknown_mask == unknown).all()
        and twin.unknown_mask is not unknown
    )
    assert grid.unknown_mask is unknown


class Bumpy(replan.Grid):
    """A grid with something of the user's."""

    def __init__(self, bumps: dict[Any, int], *given: Any) -> None:
        super().__init__(*given)
        self.bumps = bumps


class Nameless(Board):
    """Says itself what is kept of it."""

    def __getstate__(self) -> Any:
        return {**{k: v for k, v in vars(self).items() if k in ("rows", "cols", "free")}, "kept": True}


class Careful(Nameless):
    def __setstate__(self, state: Any) -> None:
        assert state.pop("kept")
        vars(self).update(state)
        self.loaded = True


@pytest.mark.parametrize("way", WAYS)
def test_what_users_add_is_kept(way: Any) -> None:
    grid = Bumpy({(1, 2): 3}, np.zeros((3, 4)), 4)
    twin = way(grid)
    assert type(twin) is Bumpy and twin.bumps == grid.bumps and vars(twin).keys() >= {"bumps"} and not twin.is_built_in
    same(twin, grid)
    board = way(Nameless())
    assert board.kept and board.free == Nameless().free
    careful = way(Careful())
    assert careful.loaded and not hasattr(careful, "kept")
    same(careful, Careful())


class Room:
    """A node that knows its graph."""

    graph: replan.Graph


@pytest.mark.parametrize("way", DEEP)
def test_nodes_that_know_their_graph(way: Any) -> None:
    rooms = [Room() for _ in range(4)]
    graph = replan.Graph([(rooms[0], rooms[1]), (rooms[1], rooms[2]), (rooms[2], rooms[3])])
    for room in rooms:
        room.graph = graph
    for copied in (way(graph), way(rooms[2]).graph, way(rooms)[0].graph):
        assert copied is not graph
        assert all(node.graph is copied for node in copied.nodes)
        assert replan.Agent("Repeated Forward A*", copied, copied.nodes[0], copied.nodes[3]).plan() == copied.nodes[1:]


@pytest.mark.parametrize("way", WAYS)
def test_goals(way: Any) -> None:
    for goals in (Goals([3], 10), Goals([9, 1, 4], 10)):
        twin = way(goals)
        assert (twin.states, twin.n, twin.single_state) == (goals.states, goals.n, goals.single_state)
        assert [s in twin for s in range(10)] == [s in goals for s in range(10)]


def test_a_map_takes_few_bytes() -> None:
    assert len(pickle.dumps(replan.Grid(np.zeros((1000, 1000), bool)))) < 2000
    assert len(pickle.dumps(replan.Grid(replan.random_obstacles(1000, 1000, 0.3, seed=1)))) < 130_000


def test_half_made_ones_say_so() -> None:
    for kind in (replan.Grid, replan.Graph, Board, Goals):
        with pytest.raises(replan.InputError, match="not made yet"):
            pickle.dumps(kind.__new__(kind))


def test_a_made_one_cannot_be_loaded_over() -> None:
    grid = grids()[0]
    _, (_, kind, args, fields, _) = grid.__reduce__()
    with pytest.raises(replan.InputError, match="made already"):
        grid._restore(kind, args, fields)


def use(space: Any) -> None:
    """Search it from end to end, whatever it is."""
    for s in range(min(space.n, 50)):
        space.successors(s), space.predecessors(s), space.key(s)
    for p in range(min(space.n_locations, 20)):
        if space.get_value(p):
            space.set_value(p, 0)
    same(space, pickled(space))


@every_space
def test_damaged_ones_are_refused(space: Any) -> None:
    data = pickle.dumps(space)
    random, refused = Random(1), 0
    for i in range(200):
        loader = Damaging(data, i % objects_in(data), random)
        try:
            use(loader.load())
        except replan.InputError:
            refused += 1
        except Exception as error:
            if not isinstance(space, Board):
                raise AssertionError(loader.did) from error
    assert refused > 70


@every_space
def test_any_change_is_noticed(space: Any) -> None:
    call, (cls, kind, args, fields, seal), *_ = space.__reduce__()
    for i in range(len(args)):
        if not hasattr(args[i], "_restore"):
            with pytest.raises(replan.InputError, match="cannot be loaded"):
                call(cls, kind, (*args[:i], "?", *args[i + 1 :]), fields, seal)
    for name in fields:
        with pytest.raises(replan.InputError, match="cannot be loaded"):
            call(cls, kind, args, {**fields, name: "?"}, seal)
    for wrong in ((int, kind, args, fields, seal), (cls, int, args, fields, seal), (cls, kind, [], fields, seal)):
        with pytest.raises(replan.InputError):
            call(*wrong)
