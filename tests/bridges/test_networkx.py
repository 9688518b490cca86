"""Graphs of networkx in and out, against its own shortest paths."""

from __future__ import annotations

import networkx
import pytest

import replan


def drawn(seed: int, directed: bool) -> networkx.Graph:
    graph = networkx.gnp_random_graph(25, 0.12, seed=seed, directed=directed)
    for i, (u, v) in enumerate(graph.edges):
        graph.edges[u, v]["weight"] = 1 + (7 * i + seed) % 9
    return graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_cheapest_paths_are_those_of_networkx(seed, directed):
    theirs = drawn(seed, directed)
    ours = replan.Graph.from_networkx(theirs)
    best = networkx.single_source_dijkstra_path_length(theirs, 0)
    for goal in range(1, 25, 3):
        trip = replan.simulate(ours, "Repeated Forward A*", 0, goal)
        assert trip.reached == (goal in best)
        if trip.reached:
            assert trip.cost == best[goal]


@pytest.mark.parametrize("directed", [False, True])
def test_there_and_back_again(directed):
    theirs = drawn(3, directed)
    theirs.add_node("alone")
    again = replan.Graph.from_networkx(theirs).to_networkx()
    assert networkx.utils.graphs_equal(networkx.create_empty_copy(theirs), networkx.create_empty_copy(again))
    key = (lambda e: (str(e[0]), str(e[1]))) if directed else (lambda e: tuple(sorted(map(str, e[:2]))))
    assert {key(e): e[2] for e in theirs.edges(data="weight")} == {key(e): e[2] for e in again.edges(data="weight")}


def test_positions_go_along_and_make_a_heuristic():
    grid = networkx.grid_2d_graph(20, 20)
    networkx.set_node_attributes(grid, {node: node for node in grid}, "pos")
    with_h = replan.simulate(replan.Graph.from_networkx(grid), "Repeated Forward A*", (0, 0), (0, 19))
    without = replan.simulate(replan.Graph.from_networkx(grid, positions=None), "Repeated Forward A*", (0, 0), (0, 19))
    assert with_h.cost == without.cost == 19 and with_h.expansions < without.expansions / 4
    assert replan.Graph.from_networkx(grid).to_networkx().nodes[3, 4]["pos"] == (3.0, 4.0)


def test_of_parallel_edges_the_cheapest_counts_and_blocked_ones_stay_behind():
    many = networkx.MultiGraph()
    many.add_edge("a", "b", weight=5)
    many.add_edge("a", "b", weight=2)
    many.add_edge("b", "c")
    graph = replan.Graph.from_networkx(many)
    assert graph.cost_of("a", "b") == 2 and graph.cost_of("b", "c") == 1
    graph.block("a", "b")
    assert list(graph.to_networkx().edges) == [("b", "c")]


def test_fractions_need_a_resolution_and_come_back_rounded():
    theirs = networkx.Graph()
    theirs.add_edge("a", "b", weight=0.25)
    with pytest.raises(replan.InputError, match="resolution"):
        replan.Graph.from_networkx(theirs)
    graph = replan.Graph.from_networkx(theirs, resolution=0.1)
    assert graph.to_networkx().edges["a", "b"]["weight"] == pytest.approx(0.2)
