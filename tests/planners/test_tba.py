"""Time-Bounded A* and its adaptive form: against a slow one in any terrain, and what they promise."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from beside import Beside, further, no_check
from edits import Story, stories
from examples import examples
from lockstep import GraphTerrain, GridTerrain, edges_of, episodes, graph_trips, grid_trips, h_values
from oracle.realtime import steps_of
from oracle.searches import dijkstra, inconsistent, reachable
from oracle.tba import UNREACHABLE, WAIT, TimeBounded, walk
from strategies import QUEUES, GridCase, graph_cases, problems

BOTH = ["TBA*", "TBAA*"]
RANDOM = [{"prefer": p, "ties": "random", "seed": 3} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])
limits = st.sampled_from([1, 2, 3, 5, 9, 30, None])
shares = st.sampled_from([0, 0.1, 0.3, 0.5])


@examples(150)
@given(problem=problems(), limit=st.integers(1, 30), tracing=shares, weight=st.sampled_from([1, 1, 1.5, 3, 7.7]))
def test_step_by_step_on_known_maps(problem, limit, tracing, weight):
    case, start, goal = problem
    grid = case.grid()
    oracle = TimeBounded(False, limit, tracing, tenths=round(10 * weight))
    slow = walk(oracle, steps_of(case.edges()), start, {goal}, lambda s: grid.distance(grid.state(s), grid.state(goal)))
    trip = replan.simulate(grid, replan.planner("TBA*", lookahead=limit, tracing=tracing, weight=weight), start, goal)
    assert (trip.why, trip.path, trip.steps) == slow
    assert all(n <= limit for n in trip.episode_expansions)


class Slices(Beside):
    def compare(self, expansions):
        if self.oracle.bound != self.space.max_path_cost:  # a dearer cell than ever before: keys are laid out anew
            self.oracle.bound, self.oracle.stale = self.space.max_path_cost, True
        done = self.oracle.episode(self.at)
        assert expansions == self.oracle.expanded
        assert self.planner.restarts == self.oracle.starts
        assert self.path == (None if done == UNREACHABLE else [self.at] if done == WAIT else [done])
        h = h_values(self.planner, self.space, self.oracle.h.first)
        assert h == {s: self.oracle.h[s] for s in h}


def play(name, story, limit, tracing, on_cost_decrease, order, check=no_check):
    planner = replan.planner(name, lookahead=limit, tracing=tracing, on_cost_decrease=on_cost_decrease, **order)
    oracle = TimeBounded(name == "TBAA*", inf if limit is None else limit, tracing, on_cost_decrease, **order)
    scene = Slices(story, planner, oracle)
    oracle.both_ways = scene.grid or not scene.space.is_directed
    scene.play(further(story.events), check)
    return scene


@pytest.mark.parametrize(
    ("name", "on_cost_decrease"), [(n, f) for n in BOTH for f in ("keep", "reset")] + [("TBAA*", "repair")]
)
@examples(80)
@given(story=stories(targets=True), limit=limits, tracing=shares, order=orders)
def test_episode_by_episode_where_everything_changes(name, on_cost_decrease, story, limit, tracing, order):
    """Grids and graphs, directed ones among them; the oracle learns at once, from all expanded states."""
    play(name, story, limit, tracing, on_cost_decrease, order)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("column", [3, 12, 18, 19])
def test_a_trace_that_comes_to_a_blocked_step_is_given_up(name, column):
    """A trace of several slices; after the first one a step is blocked that it has still to come by."""
    blocked = np.zeros((3, 30), bool)
    blocked[1, 1:-1] = True
    case = GridCase(blocked, 4, "strict", None, None)
    events = [("edit", [((0, column), 0)]), ("walk", 60)]
    story = Story(lambda: GridTerrain(case), (0, 0), {(0, 29)}, events)
    scene = play(name, story, 30, 0, "keep", {})  # compares with the oracle after each slice
    assert scene.at == (0, 29) and scene.planner.restarts == 2


@pytest.mark.parametrize("on_cost_decrease", ["repair", "reset"])
@examples(80)
@given(story=stories(targets=True), limit=limits, order=orders)
def test_h_is_consistent_after_every_episode(on_cost_decrease, story, limit, order):
    """In any terrain, unless costs fell and the values were kept."""

    def check(scene, fresh):
        h = h_values(scene.planner, scene.space, scene.oracle.h.first)
        assert inconsistent(edges_of(scene.terrain.steps()), lambda s: h[s], scene.goals) == []

    play("TBAA*", story, limit, 0.1, on_cost_decrease, order, check)


def check_learning(terrain, start, goals, limit, order):
    for episode in episodes(terrain, replan.planner("TBAA*", lookahead=limit, **order), start, goals):
        assert inconsistent(episode.edges, lambda s, h=episode.after: h[s], goals) == []
        assert all(episode.after[s] >= episode.before[s] for s in episode.after)


@examples(80)
@given(trip=grid_trips(), limit=limits, order=orders)
def test_h_is_consistent_and_never_falls_in_unknown_grids(trip, limit, order):
    case, start, goals = trip
    check_learning(GridTerrain(case), start, goals, limit, order)


@examples(80)
@given(trip=graph_trips(simple=True), limit=limits, order=orders)
def test_h_is_consistent_and_never_falls_in_unknown_graphs(trip, limit, order):
    case, blocked, start, goals = trip
    check_learning(GraphTerrain(case, blocked), start, goals, limit, order)


@examples(60)
@given(problem=problems(weighted=False), order=orders)
def test_without_a_limit_the_adaptive_form_is_adaptive_a_star(problem, order):
    """Where costs are equal a path that is not blocked is as good as before."""
    case, start, goal = problem
    slices = replan.simulate(replan.World(case.grid()), replan.planner("TBAA*", lookahead=None, **order), start, goal)
    whole = replan.simulate(replan.World(case.grid()), replan.planner("Adaptive A*", **order), start, goal)
    assert (slices.why, slices.path, slices.expansions) == (whole.why, whole.path, whole.expansions)


@pytest.mark.parametrize("name", BOTH)
@examples(60)
@given(problem=problems())
def test_without_a_limit_it_is_a_star(name, problem):
    case, start, goal = problem
    trip = replan.simulate(case.grid(), replan.planner(name, lookahead=None), start, goal)
    best = dijkstra(case.edges(), start).get(goal)
    assert trip.reached == (best is not None) and trip.waits == 0
    if best is not None:
        assert sum(case.edges()[a][b] for a, b in zip(trip.path, trip.path[1:], strict=False)) == best
        assert trip.informed_moves == trip.moves


@pytest.mark.parametrize("name", BOTH)
@examples(100)
@given(problem=problems(), limit=st.sampled_from([1, 2, 5, 30]), data=st.data())
def test_reaches_what_can_be_reached_in_unknown_and_changing_terrain(name, problem, limit, data):
    """Once the script has ended the terrain is static, and each restart needs a new observation."""
    case, start, goal = problem
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    script = data.draw(st.lists(st.tuples(st.integers(1, 12), cells, st.sampled_from(["blocked", "free"])), max_size=8))
    on_cost_decrease = data.draw(st.sampled_from(["keep", "reset", *(["repair"] if name == "TBAA*" else [])]))
    world = replan.World(case.grid(), sensor="everything", changes=script)
    tba = replan.planner(name, lookahead=limit, on_cost_decrease=on_cost_decrease)
    trip = replan.simulate(world, tba, start, goal, max_moves=20_000)
    assert trip.why in ("reached", "unreachable")
    if not trip.reached:
        truth, ends = world.truth, [world.truth.state(cell) for cell in (trip.path[-1], goal)]
        free = all(truth.get_value(s) for s in ends)
        rest = replan.simulate(truth.copy(), "Repeated Forward A*", trip.path[-1], goal) if free else None
        assert rest is None or not rest.reached
    unknown = replan.World(case.grid())
    trip = replan.simulate(unknown, tba, start, goal, max_moves=20_000)
    assert trip.reached == (goal in reachable(case.edges(), start))
    assert tba.restarts <= 1 + int(case.blocked.sum()) + int(case.weights is not None) * case.blocked.size


@pytest.mark.parametrize("name", BOTH)
@examples(100)
@given(case=graph_cases(), limit=st.sampled_from([1, 2, 5]), data=st.data())
def test_steps_that_cannot_be_taken_back(name, case, limit, data):
    """An agent that cannot go back searches anew, and walks only along whole paths from then on."""
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    trip = replan.simulate(case.graph(), replan.planner(name, lookahead=limit), start, goal, max_moves=5000)
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
    keep, reset = (
        replan.simulate(world, replan.planner("TBA*", on_cost_decrease=f), (0, 0), (8, 0)) for f in ("keep", "reset")
    )
    assert keep.reached and reset.reached and reset.steps < keep.steps


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tracing": 2}, "tracing"),
        ({"on_cost_decrease": "repair"}, "on_cost_decrease"),
        ({"when_unreachable": 1}, "when_unreachable"),
    ],
)
def test_what_cannot_be_honoured_is_refused(options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.planner("TBA*", **options)


def test_a_weight_finds_a_way_on_a_known_map_with_fewer_expansions():
    """Before, states were expanded again whenever a cheaper way to them was found: more than without a weight."""
    total = {1: 0, 3: 0}
    for seed in range(6):
        grid = replan.Grid(replan.cave(80, 80, seed=seed))
        ends = [tuple(cell) for cell in np.argwhere(~grid.blocked)[[0, -1]].tolist()]
        for weight in total:
            trip = replan.simulate(grid, replan.planner("TBA*", lookahead=None, weight=weight), *ends)
            total[weight] += trip.expansions
    assert total[3] < 0.9 * total[1]
