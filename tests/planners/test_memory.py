"""The figures of `replan planners --memory` against the arrays that planners really have."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from replan.experiments.memory import (
    array_bytes,
    exercise_planner,
    footprint,
    free_grid,
    map_footprint,
    planner_footprint,
)
from strategies import names

ALL = replan.planners()
SIZES = [(2, 2100), (65, 66), (57, 201), (260, 131)]


def runs_on(spec: replan.planners, neighbors: int) -> bool:
    return neighbors == 4 or not spec.needs_unit_costs


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
@pytest.mark.parametrize("neighbors", [4, 8])
def test_planners_take_what_is_said_on_any_size(spec, neighbors, compiled):
    if not runs_on(spec, neighbors):
        with pytest.raises(replan.InputError):
            planner_footprint(lambda: replan.planner(spec.slug), neighbors)
        return
    for options in [{}, {"queue": "buckets"}] if "queue" in spec.options else [{}]:
        said = planner_footprint(lambda options=options: replan.planner(spec.slug, **options), neighbors)
        for rows, cols in SIZES:
            grid = free_grid(rows, cols, neighbors)
            taken = array_bytes(
                lambda grid=grid, options=options: exercise_planner(replan.planner(spec.slug, **options), grid)
            )
            # lists that grow begin with few entries; the ring of buckets is as wide as the costs spread; what notices
            # that there is no way has tiles of 8 x 8 cells, which the edges of a map do not fill
            tiles = 4 * (rows + cols) if "detect_unreachable" in spec.options else 0
            assert abs(said.bytes(rows, cols) - taken) <= (taken // 50 if "queue" in options else 64) + tiles
        assert said.per_cell > 0


@pytest.mark.parametrize("neighbors", [4, 8])
def test_maps_take_what_is_said(neighbors):
    said = map_footprint(neighbors)
    for rows, cols in SIZES:
        grid = free_grid(rows, cols, neighbors)
        states = [grid.blocked_states, grid.state_exits]
        assert all(array.shape == (grid.n,) and array.itemsize == 1 for array in states)
        known = sum(array.nbytes for array in states) + 2 * grid.n  # and the weights, of 16 bits
        known += 8 * neighbors  # the order of the neighbours
        assert known <= said.bytes(rows, cols) <= known + 80  # and the lengths of the steps
        assert said.bytes(rows, cols) == array_bytes(lambda rows=rows, cols=cols: free_grid(rows, cols, neighbors))


def test_every_array_of_a_known_planner_is_counted(compiled):
    """Breadth-first search, whose arrays can be listed: states, step_costs, index, queue, parent, stamp."""
    said = planner_footprint(lambda: replan.planner("Repeated BFS"))
    assert said.per_cell == 4 + 8 + 4 + 4 + 4 + 4
    search = planner_footprint(lambda: replan.planner("Repeated Forward A*")).per_cell
    shown = replan.planner("Repeated Forward A*")
    exercise_planner(shown, free_grid(99, 99, 4))
    values = shown.search
    kept = [values.g, values.h, values.stamp, values.parent]
    sizes = sum(np.asarray(array).nbytes for array in kept) / values.n
    assert search == sizes + 4 + 16 + (8 + 8 + 4)  # the expanded states, the path, and the heap: two words and a place


def test_arrays_that_are_let_go_are_not_counted():
    assert array_bytes(lambda: np.zeros(1000).sum()) < 100
    assert 8000 <= array_bytes(lambda: [np.zeros(1000)]) < 8100


def test_largest_square():
    said = footprint(lambda side: 3 * side * side + 10 * side + 7)
    assert (said.per_cell, said.per_side, said.fixed) == (3, 5, 7)
    assert said.largest_square(3 * 100**2 + 10 * 100 + 7) == 100
    assert said.largest_square(3 * 100**2 + 10 * 100 + 6) == 99
    assert said.largest_square(7) == 0
    assert (said + said).bytes(4, 6) == 2 * (3 * 24 + 5 * 10 + 7)
