"""The planners that came after the papers on directed graphs, where a way back may cost something else, or be none.

(Beside their oracles they run on directed graphs in test_tba.py, test_weighted_learning.py, test_multipath.py,
test_frit.py, test_dstar_turns.py and test_field.py.)
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import replan
from examples import examples
from lockstep import GraphTerrain, edges_of, graph_trips, h_values
from oracle.realtime import times
from oracle.searches import dijkstra, inconsistent, reachable

SLICED = ["TBAA*", "wLSS-LRTA*", "wdaLSS-LRTA*", "FRIT(BFS)", "FRIT(UCS)", "FRIT(A*)"]
CHEAPEST = ["MPAA*", "MPGAA*", "Moving-Target D* Lite", "D* Extra Lite"]
WEIGHTED = ["wLSS-LRTA*", "wdaLSS-LRTA*"]
lookaheads = st.sampled_from([1, 2, 5, 30, None])


@st.composite
def one_way_trips(draw: Any) -> Any:
    """A directed graph, its edges that are blocked unknown to the agent, a start and a goal."""
    case, blocked, start, goals = draw(graph_trips(simple=True, directed=True))
    assume(case.listed)
    return case, blocked, start, min(goals)


def planner_of(name: str, lookahead: int | None) -> replan.Planner:
    return replan.planner(name, **({"lookahead": lookahead} if name in SLICED else {}))


@pytest.mark.parametrize("name", [*SLICED, *CHEAPEST, "Truncated D* Lite"])
@examples(40)
@given(trip=one_way_trips(), lookahead=lookaheads, data=st.data())
def test_a_trip_ends_at_the_goal_or_where_no_way_leads_on(name, trip, lookahead, data):
    """Edges are blocked and freed while the agent walks, and it sees all of that."""
    case, blocked, start, goal = trip
    when, edge = st.integers(1, 12), st.sampled_from([(u, v) for u, v, _ in case.listed])
    script = data.draw(st.lists(st.tuples(when, edge, st.sampled_from(["blocked", "free"])), max_size=8))
    world = replan.World(GraphTerrain(case, blocked).world().truth, sensor="everything", changes=script)
    trip = replan.simulate(world, planner_of(name, lookahead), start, goal, max_moves=5000)
    assert trip.why in ("reached", "unreachable")
    assert trip.reached or goal not in reachable(edges_now(world.truth), trip.path[-1])


@pytest.mark.parametrize("name", CHEAPEST)
@examples(40)
@given(trip=one_way_trips(), data=st.data())
def test_costs_rise_and_fall_and_the_target_moves(name, trip, data):
    """Each path costs what Dijkstra's algorithm says, whichever way round the edges have changed."""
    case, _, at, goal = trip
    graph = case.graph()
    agent = replan.Agent(name, graph, at, goal)
    for _ in range(data.draw(st.integers(1, 8))):
        u, v, cost = data.draw(st.sampled_from(case.listed))
        agent.observe([(u, v)], weights=[data.draw(st.sampled_from([0, 1, 3])) * cost])
        if data.draw(st.booleans()):
            goal = data.draw(st.sampled_from(case.nodes))
            agent.retarget(goal)
        path, edges = agent.plan(), edges_now(graph)
        best = dijkstra(edges, at).get(goal)
        assert (path is None) == (best is None)
        if path:
            assert sum(edges[a][b] for a, b in zip([at, *path], path, strict=False)) == best
            at = path[0]
            agent.move(at)


@pytest.mark.parametrize("name", WEIGHTED)
@examples(40)
@given(trip=one_way_trips(), lookahead=lookaheads, weight=st.sampled_from([1, 2, 4, 16]), data=st.data())
def test_h_stays_w_consistent_as_the_target_moves(name, trip, lookahead, weight, data):
    case, blocked, start, goal = trip
    terrain = GraphTerrain(case, blocked)
    graph, planner = terrain.space(), replan.planner(name, lookahead=lookahead, update_weight=weight)
    agent = replan.Agent(planner, graph, start, goal)
    for _ in range(12):
        path = agent.plan()
        if not path:
            break
        agent.move(path[0])
        goal = data.draw(st.sampled_from([goal, *case.edges()[goal]]))
        agent.retarget(goal)
        h = h_values(planner, graph, terrain.first_h({goal}))
        steps = edges_of(times(weight, terrain.steps()))
        assert inconsistent(steps, lambda s, h=h: h[s], {goal}) == []


def edges_now(graph: replan.Graph) -> dict[Any, dict[Any, int]]:
    return {graph.key(s): {graph.key(v): cost for v, cost in graph.successors(s)} for s in range(graph.n)}
