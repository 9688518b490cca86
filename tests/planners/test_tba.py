"""Time-Bounded A*: against a slow one on known maps, and its restarts where the map is not known or changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.searches import dijkstra, reachable
from oracle.tba import walk
from strategies import graph_cases, problems


@examples(150)
@given(problem=problems(), limit=st.integers(1, 30), tracing=st.sampled_from([0, 0.1, 0.3, 0.5]))
def test_step_by_step_on_known_maps(problem, limit, tracing):
    """Both take the oldest of equal entries; an entry that is improved is new again."""
    case, start, goal = problem
    grid = case.grid()
    share = int(limit * tracing + 1e-9)
    state = grid.state
    slow = walk(
        case.edges(),
        start,
        {goal},
        lambda s: grid.distance(state(s), state(goal)),
        max(1, limit - share),
        max(10, 10 * share),
    )
    trip = replan.simulate(grid, replan.planner("TBA*", lookahead=limit, tracing=tracing), start, goal)
    assert (trip.why, trip.path, trip.steps) == slow
    assert all(n <= limit for n in trip.episode_expansions)


@examples(60)
@given(problem=problems())
def test_without_a_limit_it_is_a_star(problem):
    case, start, goal = problem
    trip = replan.simulate(case.grid(), replan.planner("TBA*", lookahead=None), start, goal)
    best = dijkstra(case.edges(), start).get(goal)
    assert trip.reached == (best is not None) and trip.waits == 0
    if best is not None:
        assert sum(case.edges()[a][b] for a, b in zip(trip.path, trip.path[1:], strict=False)) == best
        assert trip.informed_steps == trip.moves


@examples(100)
@given(problem=problems(), limit=st.sampled_from([1, 2, 5, 30]), data=st.data())
def test_reaches_what_can_be_reached_in_unknown_and_changing_terrain(problem, limit, data):
    """Once the script has ended the terrain is static, and each restart needs a new observation."""
    case, start, goal = problem
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    script = data.draw(st.lists(st.tuples(st.integers(1, 12), cells, st.sampled_from(["blocked", "free"])), max_size=8))
    falling = data.draw(st.sampled_from(["keep", "reset"]))
    world = replan.World(case.grid(), sensor="everything", changes=script)
    tba = replan.planner("TBA*", lookahead=limit, falling=falling)
    trip = replan.simulate(world, tba, start, goal, max_moves=20_000)
    assert trip.why in ("reached", "unreachable")
    if not trip.reached:
        truth, at = world.truth, world.truth.state(trip.path[-1])
        rest = replan.simulate(truth.copy(), "Repeated Forward A*", truth.key(at), goal) if truth.get(at) else None
        assert rest is None or not rest.reached
    unknown = replan.World(case.grid())
    trip = replan.simulate(unknown, tba, start, goal, max_moves=20_000)
    assert trip.reached == (goal in reachable(case.edges(), start))
    assert tba.restarts <= 1 + int(case.blocked.sum()) + int(case.weights is not None) * case.blocked.size


@examples(100)
@given(case=graph_cases(), limit=st.sampled_from([1, 2, 5]), data=st.data())
def test_steps_that_cannot_be_taken_back(case, limit, data):
    """An agent that cannot go back searches anew, and walks only along whole paths from then on."""
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    trip = replan.simulate(case.graph(), replan.planner("TBA*", lookahead=limit), start, goal, max_moves=5000)
    assert trip.why != "max_moves"
    if goal not in reachable(case.edges(), start):
        assert trip.why == "unreachable"
    elif not case.directed:
        assert trip.reached


def test_a_shortcut_is_taken_only_with_reset():
    blocked = np.zeros((9, 9), bool)
    blocked[4, :8] = True
    changes = [(3, (4, 0), "free")]
    world = replan.World(replan.Grid(blocked), sensor="everything", known="everything", changes=changes)
    keep, reset = (replan.simulate(world, replan.planner("TBA*", falling=f), (0, 0), (8, 0)) for f in ("keep", "reset"))
    assert keep.reached and reset.reached and reset.steps < keep.steps


@pytest.mark.parametrize(
    ("options", "words"),
    [({"tracing": 2}, "tracing"), ({"falling": "repair"}, "falling"), ({"no_path": 1}, "no_path")],
)
def test_what_cannot_be_honoured_is_refused(options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.planner("TBA*", **options)
