"""Graphs against their list of edges."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from oracle.searches import dijkstra, inconsistent, reversed_edges
from strategies import GraphCase, graph_cases

INF = 1 << 62


def steps_of(graph: replan.Graph, s: int, way: str = "successors") -> dict:
    found: dict = {}
    for v, cost in getattr(graph, way)(s):
        key = graph.key(v)
        found[key] = min(cost, found.get(key, INF))
    return found


def all_steps(graph: replan.Graph, way: str = "successors") -> dict:
    return {node: steps_of(graph, graph.state(node), way) for node in graph.nodes}


@given(graph_cases())
def test_edges_there_and_back(case: GraphCase):
    graph, edges = case.graph(), case.edges()
    assert all_steps(graph) == edges
    assert all_steps(graph, "predecessors") == reversed_edges(edges)
    for u in case.nodes:
        for v in case.nodes:
            assert graph.edge_cost(graph.state(u), graph.state(v)) == edges[u].get(v, INF)


@given(graph_cases())
def test_distance_is_consistent_towards_every_node(case: GraphCase):
    graph, edges = case.graph(), case.edges()
    for goal in case.nodes:
        end = graph.state(goal)
        assert not inconsistent(edges, lambda s, end=end: graph.distance(graph.state(s), end), [goal])
        for node, cost in dijkstra(reversed_edges(edges), goal).items():
            assert graph.distance(graph.state(node), end) <= cost <= graph.max_path_cost


@given(graph_cases(), st.data())
def test_changes_and_what_they_touch(case: GraphCase, data):
    graph = case.graph()
    if not case.listed:
        return
    for _ in range(data.draw(st.integers(0, 8))):
        u, v, _ = data.draw(st.sampled_from(case.listed))
        place = graph.location((u, v))
        value = data.draw(st.sampled_from([0, graph.min_value(place), graph.min_value(place) + 3]))
        before = all_steps(graph)
        touched = set(graph.keys(graph.set_value(place, value)))
        after = all_steps(graph)
        assert {n for n in case.nodes if before[n] != after[n]} <= touched
        assert graph.get_value(place) == value
        assert all_steps(graph, "predecessors") == reversed_edges(after)
    assert all_steps(case.graph()) == case.edges()


@given(graph_cases())
def test_copies_and_what_is_believed_free(case: GraphCase):
    graph = case.graph()
    twin = graph.copy()
    for u, v, _ in case.listed:
        twin.block(u, v)
    assert all(not out for out in all_steps(twin).values())
    assert all_steps(graph) == case.edges()
    assert all_steps(twin.believed_free()) == case.edges()
    twin.assign(graph)
    assert all_steps(twin) == case.edges()


def test_an_edge_cannot_get_cheaper_than_it_was_made():
    graph = replan.Graph([("a", "b", 5)])
    with pytest.raises(replan.InputError, match="5 units or more, not 4"):
        graph.set_value(graph.location(("a", "b")), 4)
    with pytest.raises(replan.InputError, match="cheaper than it was made"):
        replan.Agent("Repeated Forward A*", graph, "a", "b").observe([("a", "b")], weights=[4])
    assert graph.cost_of("b", "a") == 5


def test_of_parallel_edges_the_cheapest_counts_and_loops_do_not():
    graph = replan.Graph([("a", "b", 5), ("b", "a", 3), ("a", "a", 1), ("a", "b", 4)])
    assert all_steps(graph) == {"a": {"b": 3}, "b": {"a": 3}}
    graph = replan.Graph([("a", "b", 5), ("b", "a", 3), ("a", "b", 4)], directed=True)
    assert all_steps(graph) == {"a": {"b": 4}, "b": {"a": 3}}


def test_block_closes_parallel_edges_both_ways():
    graph = replan.Graph([("a", "b", 5), ("b", "a", 3), ("a", "b", 4)])
    assert graph.cost_of("a", "b") == graph.cost_of("b", "a") == 3
    graph.block("a", "b")
    assert graph.cost_of("a", "b") == graph.cost_of("b", "a") == float("inf")


def test_resolution_is_the_length_of_a_tick():
    graph = replan.Graph([("a", "b", 0.25), ("b", "c", 1.5)], resolution=0.01)
    assert graph.edge_cost(0, 1) == 25 and graph.cost_of("b", "c") == pytest.approx(1.5)
    trip = replan.simulate(graph, "Repeated Forward A*", "a", "c")
    assert trip.cost == pytest.approx(1.75)


@given(graph_cases())
def test_from_networkx(case: GraphCase):
    given_graph = nx.MultiDiGraph() if case.directed else nx.MultiGraph()
    given_graph.add_nodes_from(case.nodes)
    given_graph.add_weighted_edges_from(case.listed)
    assert all_steps(replan.Graph.from_networkx(given_graph)) == case.edges()


def test_nodes_may_be_anything_hashable():
    graph = replan.Graph([((0, 1), "x"), ("x", frozenset([3])), (frozenset([3]), 7)])
    trip = replan.simulate(graph, "Repeated BFS", (0, 1), 7)
    assert trip.path == [(0, 1), "x", frozenset([3]), 7]


@pytest.mark.parametrize(
    ("edges", "options", "words"),
    [
        ([], {}, "from 1 to"),
        ([("a",)], {}, "an edge is"),
        ([("a", "b", 0)], {}, "from 1 to"),
        ([("a", "b", -1)], {}, "from 1 to"),
        ([("a", "b", 1.5)], {}, "resolution"),
        ([("a", "b", "far")], {}, "not a number"),
        ([("a", "b", float("nan"))], {}, "not a number"),
        ([("a", "b", float("inf"))], {"resolution": 0.1}, "not a number"),
        ([("a", "b", 0.001)], {"resolution": 0.1}, "from 1 to"),
        ([("a", "b", 1)], {"resolution": 0}, "resolution"),
        ([("a", "b", 1 << 50)], {}, "from 1 to"),
        ([("a", "b", 1)], {"positions": {"a": (0, 0)}}, "no position"),
        ([("a", "b", 1)], {"positions": {"a": (0, 0), "b": (0, float("nan"))}}, "finite"),
    ],
)
def test_bad_graphs_are_refused(edges, options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.Graph(edges, **options)


def test_unknown_nodes_and_edges_are_named():
    graph = replan.Graph([("a", "b", 5)], directed=True)
    with pytest.raises(replan.InputError, match="'z'"):
        graph.state("z")
    with pytest.raises(replan.InputError, match="from 'b' to 'a'"):
        graph.location(("b", "a"))
    with pytest.raises(replan.InputError, match="an edge is"):
        graph.location("abc")


def test_costs_that_could_overflow_are_refused():
    many = [(i, i + 1, 1 << 40) for i in range(1 << 15)]
    with pytest.raises(replan.InputError, match="overflow"):
        replan.Graph(many)


def test_an_edge_that_rose_and_fell_back_leaves_equal_costs():
    graph = replan.Graph([("a", "b"), ("b", "c")])
    place = graph.location(("a", "b"))
    graph.set_value(place, 5)
    assert not graph.has_unit_costs
    graph.set_value(place, 1)
    assert [graph.get_value(arc) for arc in range(graph.n_locations)] == [1, 1, 1, 1]
    assert replan.simulate(graph, "Repeated BFS", "a", "c").moves == 2


@pytest.mark.parametrize("number", [-1, 3, 10**12, 1 << 70, 1.0, "a", None])
def test_numbers_that_are_no_states_or_places_are_refused(number):
    graph = replan.Graph([("a", "b"), ("b", "c")], directed=True)
    asked = [graph.successors, graph.predecessors, graph.key, graph.get_value, graph.min_value]
    asked += [lambda s: graph.edge_cost(s, 0), lambda s: graph.edge_cost(0, s), lambda s: graph.distance(0, s)]
    asked += [lambda s: graph.distance(s, 0), lambda s: graph.set_value(s, 0)]
    for ask in asked:
        with pytest.raises(replan.InputError, match=r"there is no (state|location)|is a whole number"):
            ask(number)


@pytest.mark.parametrize("value", [-1, 1 << 41, 1 << 70, 1.5, "1", None])
def test_values_that_no_edge_can_have_are_refused(value):
    graph = replan.Graph([("a", "b"), ("b", "c")])
    with pytest.raises(replan.InputError, match="the value of this edge is 0"):
        graph.set_value(0, value)
    assert graph.get_value(0) == 1


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        (None, r"an edge is \(u, v\) or \(u, v, cost\), not None"),
        (5, r"an edge is \(u, v\) or \(u, v, cost\), not 5"),
        ([1, 2], r"an edge is \(u, v\) or \(u, v, cost\), not 1"),
        ([([1], 2)], r"a node is a hashable object, not \[1\]"),
        ([((1, [2]), 2)], "a node is a hashable object"),
    ],
)
def test_what_are_no_edges(edges, words):
    with pytest.raises(replan.InputError, match=words):
        replan.Graph(edges)
