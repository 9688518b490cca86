"""Cells of a grid are blocked, freed and given weights by lists and by arrays."""

from __future__ import annotations

import numpy as np
import pytest

import replan

CELLS = [(0, 1), (2, 3), (1, 0)]
FORMS = {"list": list, "array": np.array, "generator": iter, "lists": lambda cells: np.array(cells).tolist()}


def weighted() -> replan.Grid:
    return replan.Grid(np.zeros((3, 4), bool), weights=np.arange(1, 13).reshape(3, 4))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_cells_are_blocked_and_freed(form):
    grid, before = weighted(), weighted().values
    grid.block(form(CELLS))
    assert [tuple(cell) for cell in np.argwhere(grid.blocked).tolist()] == sorted(CELLS)
    grid.free(form(CELLS))
    assert not grid.blocked.any()
    assert np.array_equal(grid.values, before)  # each cell has the weight that it had
    assert np.array_equal(grid.state_exits, weighted().state_exits)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_weights_are_set(form):
    grid = weighted()
    grid.set_weights(form(CELLS), [7, 8, 9])
    assert [grid.values[cell] for cell in CELLS] == [7, 8, 9]
    grid.set_weights(form(CELLS), np.array([3, 0, 5]))
    assert [grid.values[cell] for cell in CELLS] == [3, 0, 5]
    grid.free(CELLS)
    assert [grid.values[cell] for cell in CELLS] == [3, 8, 5]
    grid.set_weights(form(CELLS), 6)
    assert [grid.values[cell] for cell in CELLS] == [6, 6, 6]


def test_a_blocked_cell_with_a_new_weight_is_free():
    grid = weighted()
    grid.block([(0, 1)])
    grid.set_weights([(0, 1)], [4])
    assert not grid.blocked.any() and grid.values[0, 1] == 4


def test_a_grid_without_weights():
    grid = replan.Grid([[0, 1, 0]])
    grid.free([(0, 0), (0, 1)])
    grid.block([(0, 2)])
    assert grid.values.tolist() == [[1, 1, 0]]
    grid.set_weights([(0, 2)], 1)
    assert grid.values.tolist() == [[1, 1, 1]]
    for change in (grid.block, grid.free, lambda cells: grid.set_weights(cells, 5)):
        change([])
        change(np.array([]))
    assert grid.values.tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("cells", [[(0, 0), (3, 0)], (0, 0), [(0, 0), (0.5, 1)], np.array([[0, 0], [0, 9]]), 3, [None]])
def test_a_wrong_cell_changes_nothing(cells):
    grid = weighted()
    for change in (grid.block, grid.free, lambda cells: grid.set_weights(cells, 5)):
        with pytest.raises(replan.InputError, match="cell"):
            change(cells)
    assert np.array_equal(grid.values, weighted().values)


@pytest.mark.parametrize("weights", [[5, 0.5, 5], [5, 5, -1], [5, 5, 70_000], [5], "heavy", None, [5, 5, None]])
@pytest.mark.parametrize("form", [list, np.array], ids=["list", "array"])
def test_a_wrong_weight_changes_nothing(form, weights):
    grid = weighted()
    with pytest.raises(replan.InputError):
        grid.set_weights(form(CELLS), weights)
    assert np.array_equal(grid.values, weighted().values)


def test_weights_need_a_grid_with_weights():
    grid = replan.Grid(np.zeros((3, 4), bool))
    with pytest.raises(replan.InputError, match="without weights"):
        grid.set_weights(CELLS, [1, 1, 2])
    assert (grid.values == 1).all()


def test_agents_that_share_the_grid_apply_the_changes():
    grid = replan.Grid([[0, 0, 0], [0, 0, 0]], neighbors=4)
    agents = [replan.Agent("D* Lite", grid, (0, 0), (0, 2)) for _ in range(2)]
    assert [len(agent.plan()) for agent in agents] == [2, 2]
    grid.block([(0, 1)])
    assert [len(agent.plan()) for agent in agents] == [4, 4]
    grid.free([(0, 1)])
    assert [len(agent.plan()) for agent in agents] == [2, 2]
