"""Every real-time planner against its slow oracle: expansions, paths and all h-values, after every episode."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from lockstep import GraphTerrain, GridTerrain, Pair, graph_trips, grid_trips
from oracle import realtime
from strategies import QUEUES, GridCase

TABLE = ["RTAA*", "aRTAA*", "daRTAA*", "LSS-LRTA*", "aLSS-LRTA*", "daLSS-LRTA*"]
RANDOM = [{"prefer": p, "ties": "random", "seed": 7} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])
lookaheads = st.sampled_from([1, 2, 3, 5, 9, 17, None])


def pair_of(terrain: Any, name: str, start: Any, goals: set[Any], order: dict[str, Any], **options: Any) -> Pair:
    """Options as replan takes them; None means no limit."""
    # the oracle gives up by its h alone; what else notices that there is no way has an oracle of its own
    planner = replan.planner(name, detect_unreachable=False, **options, **order)
    slow = {k: inf if v is None else v for k, v in options.items()}
    oracle = realtime.KINDS.get(name, realtime.RealTime)(name, **slow, **order)
    return Pair(terrain, planner, oracle, start, goals)


def compare(terrain_of: Any, name: str, start: Any, goals: set[Any], order: dict[str, Any], **options: Any) -> Pair:
    """The trip in lockstep, and the same trip by `simulate`."""
    pair = pair_of(terrain_of(), name, start, goals, order, **options)
    record = pair.run()
    # the oracle gives up by its h alone; what else notices that there is no way has an oracle of its own
    planner = replan.planner(name, detect_unreachable=False, **options, **order)
    goal = set(goals) if len(goals) > 1 else next(iter(goals))
    trip = replan.simulate(terrain_of().world(), planner, start, goal, max_moves=len(record.path) - 1)
    assert trip.path == record.path
    assert trip.episode_expansions == record.expansions[: trip.episodes]
    if record.why != "unreachable":
        assert trip.why == record.why
    return pair


@pytest.mark.parametrize("name", [*TABLE, "TLA*"])
@examples(60)
@given(trip=grid_trips(largest=7), order=orders, lookahead=lookaheads)
def test_grids(name, trip, order, lookahead):
    case, start, goals = trip
    compare(lambda: GridTerrain(case), name, start, goals, order, lookahead=lookahead)


@pytest.mark.parametrize("name", [*TABLE, "TLA*"])
@examples(60)
@given(trip=graph_trips(), order=orders, lookahead=lookaheads)
def test_graphs(name, trip, order, lookahead):
    case, blocked, start, goals = trip
    compare(lambda: GraphTerrain(case, blocked), name, start, goals, order, lookahead=lookahead)


@pytest.mark.parametrize("pathmax", [True, False])
@examples(80)
@given(
    trip=st.one_of(grid_trips(largest=7), graph_trips()), order=orders, lookahead=st.sampled_from([1, 9, 20, 50, None])
)
def test_a_search_from_each_neighbour(pathmax, trip, order, lookahead):
    *case, start, goals = trip
    terrain = GridTerrain if len(case) == 1 else GraphTerrain
    compare(lambda: terrain(*case), "Neighbor LRTA*", start, goals, order, lookahead=lookahead, pathmax=pathmax)


@pytest.mark.parametrize("name", ["LRTA*", "RTA*"])
@pytest.mark.parametrize("pathmax", [True, False])
@examples(40)
@given(trip=grid_trips(largest=6), order=orders, depth=st.integers(1, 3))
def test_grids_to_a_depth(name, pathmax, trip, order, depth):
    case, start, goals = trip
    compare(lambda: GridTerrain(case), name, start, goals, order, depth=depth, pathmax=pathmax)


@pytest.mark.parametrize("name", ["LRTA*", "RTA*"])
@pytest.mark.parametrize("pathmax", [True, False])
@examples(40)
@given(trip=graph_trips(), order=orders, depth=st.integers(1, 3))
def test_graphs_to_a_depth(name, pathmax, trip, order, depth):
    case, blocked, start, goals = trip
    compare(lambda: GraphTerrain(case, blocked), name, start, goals, order, depth=depth, pathmax=pathmax)


@pytest.mark.parametrize("name", TABLE)
@examples(30)
@given(trip=grid_trips(largest=7), order=orders, lookahead=lookaheads, moves=st.integers(1, 4))
def test_moves_an_episode(name, trip, order, lookahead, moves):
    case, start, goals = trip
    pair = compare(lambda: GridTerrain(case), name, start, goals, order, lookahead=lookahead, moves=moves)
    assert len(pair.record.path) - 1 <= moves * len(pair.record.expansions)


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("seed", [1, 2])
def test_mazes(name, seed):
    blocked = replan.maze(13, 13, openings=seed * 5, seed=seed)
    case = GridCase(blocked, 4, "strict", None, None)
    order = {"ties": "random", "seed": seed}
    for lookahead in (3, 20, None):
        pair = compare(lambda: GridTerrain(case), name, (0, 0), {(12, 12)}, order, lookahead=lookahead)
        assert pair.record.why in ("reached", "max_moves")
