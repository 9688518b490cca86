"""What the papers prove of real-time planners, each theorem for the planners that it is true of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import replan
from examples import examples
from lockstep import Episode, GraphTerrain, GridTerrain, cheapest, edges_of, episodes, graph_trips, grid_trips, h_values
from oracle.searches import dijkstra, inconsistent, reachable, reversed_edges
from strategies import CORNERS, ORDERS, QUEUES, GridCase, masks, weightings

ONE_PASS = ["RTAA*", "aRTAA*", "daRTAA*"]
BORDER = ["LSS-LRTA*", "aLSS-LRTA*", "daLSS-LRTA*"]
KORF = ["LRTA*", "RTA*", "TLA*", "Neighbor LRTA*"]
RANDOM = [{"prefer": p, "ties": "random", "seed": 3} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])
lookaheads = st.sampled_from([1, 2, 3, 5, 9, 17, None])


@st.composite
def terrains(draw: Any, directed: bool | None = None, largest: int = 6) -> Any:
    """A function that makes a grid or a graph anew, a start and goals."""
    if draw(st.booleans()):
        case, start, goals = draw(grid_trips(largest=largest))
        return (lambda: GridTerrain(case)), start, goals
    graph, blocked, start, goals = draw(graph_trips(directed=directed))
    return (lambda: GraphTerrain(graph, blocked)), start, goals


def one(goals: set[Any]) -> Any:
    return goals if len(goals) > 1 else next(iter(goals))


def true_edges(terrain: Any) -> dict[Any, dict[Any, int]]:
    terrain.belief = terrain.truth
    return edges_of(terrain.steps())


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, *KORF])
@examples(40)
@given(case=terrains(), order=orders, lookahead=lookaheads)
def test_h_never_falls(name, case, order, lookahead):
    """RTAA* 2006, Theorem 1; for Korf's planners by their definition."""
    terrain, start, goals = case
    planner = replan.planner(name, lookahead=lookahead and min(lookahead, 9), **order)
    for e in episodes(terrain(), planner, start, goals):
        assert all(e.after[s] >= e.before[s] for s in e.before)


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, "LRTA*"])
@examples(40)
@given(case=terrains(), order=orders, lookahead=lookaheads, moves=st.sampled_from([None, 1, 2]))
def test_h_stays_consistent(name, case, order, lookahead, moves):
    """RTAA* 2006, Theorem 2; LRTA* with depth 1."""
    terrain, start, goals = case
    options = {"depth": 1} if name == "LRTA*" else {"lookahead": lookahead, "moves": moves}
    for e in episodes(terrain(), replan.planner(name, **options, **order), start, goals):
        assert inconsistent(e.edges, lambda s, e=e: e.after[s], goals) == []


@pytest.mark.parametrize("name", ["LRTA*", "TLA*", "Neighbor LRTA*"])
@examples(40)
@given(case=terrains(), order=orders, lookahead=lookaheads, depth=st.integers(1, 4))
def test_h_stays_admissible(name, case, order, lookahead, depth):
    """Consistent it does not stay, with a depth or lookahead above 1."""
    terrain, start, goals = case
    options = {"depth": depth} if name == "LRTA*" else {"lookahead": lookahead}
    for e in episodes(terrain(), replan.planner(name, **options, **order), start, goals):
        back = reversed_edges(e.edges)
        for distances in [dijkstra(back, g) for g in goals]:
            assert all(e.after[s] <= d for s, d in distances.items())


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, *KORF])
@examples(40)
@given(case=terrains(directed=False), order=orders, lookahead=lookaheads)
def test_reachable_goals_are_reached(name, case, order, lookahead):
    """RTAA* 2006, Theorem 3; Depression avoidance 2011, Theorems 2 and 3. All spaces here are undirected."""
    terrain, start, goals = case
    edges = true_edges(terrain())
    depths = [{"depth": 3}] if name in ("LRTA*", "RTA*") else []
    for options in [{"lookahead": lookahead and min(lookahead, 9)}, *depths]:
        trip = replan.simulate(terrain().world(), replan.planner(name, **options, **order), start, one(goals), 20_000)
        assert all(b in edges[a] for a, b in pairwise(trip.path))
        assert trip.path[0] == start
        if goals & reachable(edges, start):
            assert trip.why == "reached" and trip.path[-1] in goals
        else:
            assert trip.why in ("unreachable", "max_moves")


@pytest.mark.parametrize("name", ["RTAA*", "LSS-LRTA*", "LRTA*", "TLA*", "Neighbor LRTA*"])
@examples(40)
@given(case=graph_trips(directed=True), order=orders, lookahead=lookaheads)
def test_goals_are_reached_in_directed_graphs(name, case, order, lookahead):
    """Where a goal can be reached from every state; the a and da forms promise nothing there."""
    graph, blocked, start, goals = case
    edges = true_edges(GraphTerrain(graph, blocked))
    back = reversed_edges(edges)
    assume({s for g in goals for s in reachable(back, g)} == set(edges))
    planner = replan.planner(name, lookahead=lookahead and min(lookahead, 9), **order)
    assert replan.simulate(GraphTerrain(graph, blocked).world(), planner, start, one(goals), 20_000).reached


@examples(80)
@given(case=terrains(), order=orders)
def test_a_lookahead_of_one_makes_all_the_same(case, order):
    """RTAA*, LSS-LRTA*, TLA* with lookahead 1 and LRTA* with depth or lookahead 1, with every rule for ties.

    Not where edges are parallel: a heap re-orders a state that a second, cheaper edge generates anew; LRTA* does not.
    And when it has found the goal unreachable, LRTA* does not learn that.
    """
    terrain, start, goals = case
    made = terrain()
    if isinstance(made, GraphTerrain):
        assume(all(len(out) == len(cheapest(out)) for out in made.steps().values()))
    recipes = [("RTAA*", {"lookahead": 1}), ("LSS-LRTA*", {"lookahead": 1}), ("TLA*", {"lookahead": 1})]
    recipes += [("LRTA*", {"depth": 1}), ("LRTA*", {"lookahead": 1}), ("LRTA*", {})]
    found = []
    for name, options in recipes:
        planner = replan.planner(name, **options, **order)
        trip = replan.simulate(terrain().world(), planner, start, one(goals), 2_000)
        h = h_values(planner, planner.space, terrain().first_h(goals)) if trip.why != "unreachable" else None
        found.append((trip.path, trip.why, trip.episode_expansions, h))
    assert all(other == found[0] for other in found[1:])


@examples(60)
@given(case=terrains(), order=st.sampled_from(QUEUES), lookahead=lookaheads)
def test_rtaa_learns_no_more_than_lss_lrta_from_the_same_search(case, order, lookahead):
    """Depression avoidance 2011, Proposition 2: after the same search, and equal on the path to the best state."""
    terrain, start, goals = case
    made, twin = terrain(), replan.planner("LSS-LRTA*", lookahead=lookahead, **order)
    planner = replan.planner("RTAA*", lookahead=lookahead, **order)
    space, first_h = made.space(), made.first_h(goals)
    agent = replan.Agent(planner, space, start, one(goals))
    twin.begin(space, agent.goals)
    for _ in range(200):
        for place, value in made.unseen(agent.cell):
            made.change(agent, place, value)
        if agent.cell in goals:
            return
        at, count = agent.cell, agent.episodes
        known = planner.snapshot()["h"]
        for s in np.flatnonzero(known >= 0).tolist():
            twin.lookahead_search.h[s] = int(known[s])
        path = agent.plan()
        if agent.episodes > count:
            assert twin.plan(space.state(at), None) == (path and [space.state(s) for s in path])
            if path is None:
                return
            one_pass, border = h_values(planner, space, first_h), h_values(twin, space, first_h)
            assert all(one_pass[s] <= border[s] for s in border)
            assert all(one_pass[s] == border[s] for s in [at, *path])
        agent.move(path[0])


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, "LRTA*"])
@examples(40)
@given(case=terrains(directed=False), order=orders, lookahead=lookaheads)
def test_raised_states_lie_in_depressions(name, case, order, lookahead):
    """Depression avoidance 2011, Theorem 1, with the witness: the connected component of the states raised."""
    terrain, start, goals = case
    options = {"depth": 1} if name == "LRTA*" else {"lookahead": lookahead}
    for e in episodes(terrain(), replan.planner(name, **options, **order), start, goals):
        raised = {s for s in e.before if e.after[s] > e.before[s]}
        for component in components(e, raised):
            assert is_depression(e, component)


def components(e: Episode, states: set[Any]) -> list[set[Any]]:
    inside = {s: {v: c for v, c in e.edges[s].items() if v in states} for s in states}
    found: list[set[Any]] = []
    while states:
        part = reachable(inside, next(iter(states)))
        states = states - part
        found.append(part)
    return found


def is_depression(e: Episode, component: set[Any]) -> bool:
    """Depression avoidance 2011, Definition 1, for the h of before the episode."""
    edges = e.edges
    for s in component:
        # k(s, s'): only through the component; a state of the boundary has no steps on
        within = {u: edges[u] if u in component else {} for u in edges}
        for end, k in dijkstra(within, s).items():
            if end not in component and not e.before[s] < k + e.before[end]:
                return False
    return True


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER])
@examples(30)
@given(case=terrains(directed=False), order=orders, bounds=st.lists(lookaheads, min_size=1, max_size=6))
def test_the_lookahead_may_change_between_episodes(name, case, order, bounds):
    terrain, start, goals = case
    planner = replan.planner(name, lookahead=bounds[0], **order)
    spent = 0
    for i, e in enumerate(episodes(terrain(), planner, start, goals)):
        used, spent = planner.expansions - spent, planner.expansions
        assert used <= (bounds[i % len(bounds)] or used)
        assert inconsistent(e.edges, lambda s, e=e: e.after[s], goals) == []
        planner.lookahead = bounds[(i + 1) % len(bounds)]
        assert planner.lookahead == bounds[(i + 1) % len(bounds)]


def test_a_deadline_that_comes_later_disturbs_no_queue():
    """Touching memory laid the keys of a learning queue out for bounds of 1, and nobody laid them out again."""
    weights = np.random.default_rng(1).integers(60_000, 65_536, (60, 60))
    blocked = np.zeros((60, 60), bool)
    blocked[1:58, 58] = blocked[58, 1:59] = True  # the goal's corner: f-values beyond 31 bits before it is found
    world = replan.World(replan.Grid(blocked, weights=weights), known="everything")
    used, fresh = replan.planner("LSS-LRTA*", lookahead=2500), replan.planner("LSS-LRTA*", lookahead=2500)
    replan.simulate(world, used, (0, 0), (59, 59))
    used.deadline = fresh.deadline = 1e9
    trips = [replan.simulate(world, planner, (0, 0), (59, 59), max_moves=2000) for planner in (used, fresh)]
    assert trips[0].path == trips[1].path and trips[0].h_increase == trips[1].h_increase


WAYS = {
    "the planner's": lambda name, options, *trip: replan.Agent(replan.planner(name, deadline=10, **options), *trip),
    "the agent's": lambda name, options, *trip: replan.Agent(replan.planner(name, **options), *trip, deadline=10),
    "made ready": lambda name, options, *trip: replan.Agent(replan.planner(name, **options), *trip),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("queue", ["heap", "buckets"])
@pytest.mark.parametrize("spec", [spec for spec in replan.planners() if spec.is_realtime], ids=lambda spec: spec.slug)
def test_with_a_deadline_no_episode_waits_for_memory(spec, queue, way):
    """A first episode that made room for all states took milliseconds on a large map."""
    grid, start, goal = replan.Grid(np.zeros((300, 300), bool)), (0, 0), (299, 299)
    for _ in range(2):  # some return a path as long as this: its cells are made, the second time for good
        replan.find_path(grid, start, goal)
    agent = WAYS[way](spec.slug, {"queue": queue} if "queue" in spec.options else {}, grid, start, goal)
    if way == "made ready":
        agent.warm_up()
    tracemalloc.start()
    agent.plan(replan.Deadline(10) if way == "made ready" else None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 400_000  # bytes, with 91,204 states: less than one number for each


@pytest.mark.parametrize("learning", [20, 60])
def test_a_search_leaves_time_for_learning_and_an_eighth_more(learning):
    """By a clock that is made up. The first episode cannot know yet how long learning takes."""
    script = Path(__file__).parents[1] / "made_up_clock.py"
    command = [sys.executable, str(script), "5000", str(learning)]
    interpreted = {**os.environ, "REPLAN_INTERPRETED": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=interpreted)
    assert done.returncode == 0, done.stderr
    _, *took = json.loads(done.stdout)
    assert len(took) == 11
    assert all(0.85 < ns / 5_000_000 < 0.9 for ns in took), took


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, *KORF])
def test_the_deadline_may_change_between_episodes(name):
    """However short, an episode makes a step towards the goal."""
    terrain = GridTerrain(GridCase(replan.maze(15, 15, seed=3), 4, "strict", None, None))
    planner = replan.planner(name, deadline=1)
    assert planner.lookahead is None and planner.deadline == 1
    world = terrain.world()
    agent = replan.Agent(planner, world.begin(), (0, 0), (14, 14))
    for i in range(5_000):
        for place, value in terrain.unseen(agent.cell):
            terrain.change(agent, place, value)
        if agent.cell == (14, 14):
            break
        planner.deadline = [1, 1, 20, None][i % 4]
        if planner.deadline is None:
            planner.lookahead = 3
        agent.move(agent.plan(None if i % 4 else replan.Budget(nanoseconds=1))[0])
        planner.lookahead = None
    assert agent.cell == (14, 14)


@st.composite
def walled_off(draw: Any) -> Any:
    """A tiny grid with a wall from top to bottom between the start and the goals."""
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(3, 4))
    blocked = draw(masks((rows, cols)))
    wall = draw(st.integers(1, cols - 2))
    start, goal = (draw(st.integers(0, rows - 1)), 0), (draw(st.integers(0, rows - 1)), cols - 1)
    blocked[:, wall] = True
    blocked[start] = blocked[goal] = False
    weights = draw(weightings((rows, cols))) if draw(st.booleans()) else None
    case = GridCase(blocked, draw(st.sampled_from([4, 8])), draw(st.sampled_from(CORNERS)), weights, None)
    return case, start, goal


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, "LRTA*", "TLA*"])
@examples(15)
@given(problem=walled_off(), order=orders, lookahead=lookaheads)
def test_unreachable_goals_are_found_out_on_tiny_maps(name, problem, order, lookahead):
    """The open list runs empty, or h grows beyond the cost of any path. Nothing else ends these trips."""
    case, start, goal = problem
    assert goal not in reachable(true_edges(GridTerrain(case)), start)
    bound = lookahead and min(lookahead, 9)
    trip = replan.simulate(GridTerrain(case).world(), replan.planner(name, lookahead=bound, **order), start, goal)
    assert trip.why == "unreachable"


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, "TLA*"])
def test_an_empty_open_list_means_unreachable(name):
    """At the first search whose lookahead holds all that can be reached."""
    blocked = np.zeros((4, 4), bool)
    blocked[2] = True
    world = replan.World(replan.Grid(blocked, neighbors=4), known="everything")
    trip = replan.simulate(world, replan.planner(name, lookahead=9), (0, 0), (3, 3))
    assert (trip.why, trip.moves, trip.episode_expansions) == ("unreachable", 0, [8])


@pytest.mark.parametrize("name", [*ONE_PASS, *BORDER, *KORF])
@examples(20)
@given(case=terrains(), order=orders, lookahead=lookaheads, most=st.integers(0, 12))
def test_max_moves_ends_a_trip(name, case, order, lookahead, most):
    terrain, start, goals = case
    planner = replan.planner(name, lookahead=lookahead and min(lookahead, 9), **order)
    trip = replan.simulate(terrain().world(), planner, start, one(goals), max_moves=most)
    assert trip.moves == len(trip.path) - 1 <= trip.steps <= most
    assert (trip.steps == most) if trip.why == "max_moves" else trip.why in ("reached", "unreachable")


@pytest.mark.parametrize("start", range(3))
def test_rta_finds_its_way_along_a_line_in_every_trial(start):
    """Its values shut both ends of the line in: it said in the second trial that there is no way."""
    world = replan.World(replan.Grid(np.zeros((1, 4), bool), neighbors=4))
    assert all(trip.reached for trip in replan.simulate(world, "RTA*", (0, start), (0, 3), trials=5))


@pytest.mark.parametrize("name", ["LRTA*", "RTA*"])
@examples(40)
@given(case=graph_trips(directed=True), order=orders, depth=st.integers(1, 3))
def test_no_trial_is_given_up_where_there_is_a_way(name, case, order, depth):
    """Where a goal can be reached from every state. (RTA* said, in a second trial or the first, that there is none.)"""
    graph, blocked, start, goals = case
    edges = true_edges(GraphTerrain(graph, blocked))
    back = reversed_edges(edges)
    assume({s for g in goals for s in reachable(back, g)} == set(edges))
    planner = replan.planner(name, depth=depth, **order)
    trips = replan.simulate(GraphTerrain(graph, blocked).world(), planner, start, one(goals), 20_000, trials=3)
    assert all(trip.reached for trip in trips)


CONVERGENT = [("RTAA*", 1), ("RTAA*", 5), ("LSS-LRTA*", 1), ("LSS-LRTA*", 5), ("LRTA*", 1)]


@pytest.mark.parametrize("recipe", CONVERGENT, ids=str)
@examples(25)
@given(case=terrains(directed=False, largest=5), order=st.sampled_from([*ORDERS, *RANDOM]))
def test_repeated_trials_converge_to_cheapest_paths(recipe, case, order):
    """RTAA* 2006, Theorem 4. (The a and da forms need not.) h grows in a trial until the path is a cheapest one."""
    name, lookahead = recipe
    terrain, start, goals = case
    edges = true_edges(terrain())
    ways = dijkstra(edges, start)
    assume(goals & set(ways))
    planner = replan.planner(name, lookahead=lookahead, **order)
    trips = replan.simulate(terrain().world(), planner, start, one(goals), trials=60)
    assert all(trip.reached for trip in trips)
    for earlier, trip in pairwise(trips):
        if earlier.h_increase == 0 and trip.h_increase == 0:
            cost = sum(edges[a][b] for a, b in pairwise(trip.path))
            assert cost == min(ways[g] for g in goals & set(ways))
            return
    raise AssertionError("h still grows after 60 trials")


def test_trials_of_an_a_form_are_offered_too():
    world = replan.World(replan.Grid(replan.maze(9, 9, openings=3, seed=1), neighbors=4))
    trips = replan.simulate(world, "aRTAA*", (0, 0), (8, 8), trials=5)
    assert len(trips) == 5 and all(trip.reached for trip in trips)
