"""A graph as arrays of numbers, and made from them again: for files."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError
from replan.saving import DAMAGED
from replan.spaces.edge_layout import EdgeLayout, refuse_odd_layout
from replan.spaces.graph import Graph
from replan.spaces.space import refuse_unmade


def graph_arrays(graph: Graph) -> dict[str, np.ndarray[Any, Any]]:
    """A graph without its nodes and its facts, as numbers: `graph_from` makes it again."""
    refuse_unmade(graph)
    layout, arrays = graph.layout, {"value": np.array(graph.value), "least": np.array(graph.layout.free_value)}
    arrays |= {"tail": np.array(layout.tail), "head": np.array(layout.head), "twin": np.array(layout.twin)}
    return arrays | {"position": np.zeros(0) if layout.position is None else np.array(layout.position).reshape(-1)}


def graph_from(nodes: list[Any], arrays: dict[str, np.ndarray[Any, Any]], facts: dict[str, Any]) -> Graph:
    """The graph of which `graph_arrays` has told; all comes from a file. Raises InputError."""
    position = arrays["position"].reshape(-1, 2) if facts["placed"] else None
    ends = (arrays["tail"], arrays["head"], arrays["twin"], arrays["least"])
    given = (len(nodes), *ends, facts["directed"], facts["resolution"], facts["scaled"], position)
    refuse_odd_layout(*given)
    value, index = arrays["value"], {node: s for s, node in enumerate(nodes)}
    if len(index) != len(nodes) or value.shape != ends[3].shape or not ((value == 0) | (value >= ends[3])).all():
        raise InputError(DAMAGED)
    graph = Graph.__new__(Graph)
    graph._be_new()
    graph.use(EdgeLayout(*given).name(nodes, index))
    graph.common = int(ends[3][0]) if len(value) else 1
    graph.open(value)
    graph.n = len(nodes)
    return graph
