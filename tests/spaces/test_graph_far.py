"""Nodes may lie very far apart: estimates stay whole numbers, and too small rather than too large."""

from __future__ import annotations

import pytest

import replan


@pytest.mark.parametrize("far", [1e9, 1e100, 1e150])
def test_estimates_of_nodes_that_are_far_apart(far: float) -> None:
    positions = {0: (0.0, 0.0), 1: (1e-150, 0.0), 2: (far, far), 3: (-far, far)}
    graph = replan.Graph([(0, 1, 1), (1, 2, 5), (2, 3, 7)], positions=positions)
    estimates = graph.distances_to(graph.state(3))
    assert (estimates >= 0).all() and (estimates <= [13 * graph.units_per_step / graph.resolution + 1] * 4).all()
    assert replan.Agent("A*", graph, 0, 3).plan() == [1, 2, 3]


def test_positions_that_cannot_be() -> None:
    for wrong in (1e200, float("inf"), float("nan")):
        with pytest.raises(replan.InputError, match="a position is a pair of finite numbers"):
            replan.Graph([(0, 1, 1)], positions={0: (0.0, 0.0), 1: (wrong, 0.0)})
