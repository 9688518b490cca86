"""Stories for planners beside their oracles: an agent plans and walks, and costs rise and fall."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from lockstep import GraphTerrain, GridTerrain, Pair, graph_trips, grid_trips
from strategies import masks


@st.composite
def grid_stories(draw: Any) -> Any:
    """A grid that the agent knows wrongly, and what happens: cells change, the agent plans and walks."""
    case, start, goals = draw(grid_trips(largest=6))
    known = np.where(draw(masks(case.shape)), 0, 1).tolist()
    known[start[0]][start[1]] = 1
    cell = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    value = st.sampled_from([0, 0, 1, 1, 2, 5] if case.weights is not None else [0, 1])
    event = st.one_of(st.tuples(cell, value), st.integers(0, 4))
    return (lambda: GridTerrain(case, known)), start, goals, draw(st.lists(event, min_size=3, max_size=25))


@st.composite
def graph_stories(draw: Any) -> Any:
    case, _, start, goals = draw(graph_trips(simple=True))
    assume(case.listed)
    edge = st.integers(0, len(case.listed) - 1)
    event = st.one_of(st.tuples(edge, st.sampled_from([0, 0, 1, 2, 3])), st.integers(0, 4))
    events = draw(st.lists(event, min_size=3, max_size=25))
    dearer = [(e[0], e[1] and case.listed[e[0]][2] * e[1]) if isinstance(e, tuple) else e for e in events]
    return (lambda: GraphTerrain(case)), start, goals, dearer


def tell(pair: Pair, events: list[Any], after_plan: Any = None) -> None:
    """Let it happen: a pair is a place and its new value, a number the most steps to walk after planning."""
    for event in events:
        if isinstance(event, tuple):
            if event[0] != pair.at:
                pair.learn_of(*event)
            continue
        for _ in range(event):
            if pair.at in pair.goals:
                return
            path = pair.plan()
            if after_plan:
                after_plan(pair)
            if path is None:
                break
            pair.move()
