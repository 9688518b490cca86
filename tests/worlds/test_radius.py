"""A radius sensor looks at what is new, and sees all that is in range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from replan.worlds.observers import newly_visible_cells


@pytest.mark.parametrize("reach", [[1, 0], [1, 1], [2, 1, 0], [6, 5, 5, 5, 4, 3, 0]])
def test_what_comes_into_view_with_a_step(reach):
    far = len(reach) - 1
    circle = {(r, c) for r in range(-far, far + 1) for c in range(-reach[abs(r)], reach[abs(r)] + 1)}
    first, rows, cols = newly_visible_cells(reach)
    for d, (down, right) in enumerate([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]):
        new = list(zip(rows[first[d] : first[d + 1]].tolist(), cols[first[d] : first[d + 1]].tolist(), strict=True))
        assert len(set(new)) == len(new)
        assert set(new) == circle - {(r - down, c - right) for r, c in circle}


class Slow(replan.Sensor):
    """The same circle, looked at in full each time."""

    def __init__(self, radius: float) -> None:
        self.radius = replan.Radius(radius)

    def visible(self, truth: Any, cell: Any, previous_cell: Any = None) -> Any:
        return self.radius.visible(truth, cell)


@examples(60)
@given(st.data())
def test_it_sees_what_a_full_look_shows(data):
    """In still worlds and in those that change, with a target that moves, and in trials."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**31)))
    blocked = rng.random((12, 13)) < 0.25
    free = np.argwhere(~blocked)
    grid = replan.Grid(blocked, data.draw(st.sampled_from([4, 8])))
    start, goal = (tuple(free[i]) for i in rng.integers(0, len(free), 2))
    changes: list[Any] = []
    if data.draw(st.booleans()):
        cells = [tuple(map(int, cell)) for cell in rng.integers(0, 12, (30, 2))]
        changes = sorted(
            (int(rng.integers(0, 40)), cell, ["blocked", "free"][int(rng.integers(0, 2))]) for cell in cells
        )
        changes = [change for change in changes if change[1] not in (start, goal)]
    radius = data.draw(st.sampled_from([1, 1.5, 3, 6]))
    trips = [
        replan.simulate(
            replan.World(grid, sensor=sensor, changes=changes), replan.planner(name, lookahead=5), start, goal,
            max_moves=200, trials=2,
        )
        for sensor in (replan.Radius(radius), Slow(radius))
        for name in ("RTAA*",)
    ]  # fmt: skip
    for quick, slow in zip(*trips, strict=True):
        assert quick.path == slow.path and quick.episodes == slow.episodes


@pytest.mark.parametrize("changing", [False, True])
def test_a_crowd_knows_what_its_characters_see(changing):
    rng = np.random.default_rng(2)
    truth = rng.random((30, 30)) < 0.2
    changes = [(int(step), (int(r), int(c)), "free" if truth[r, c] else "blocked")
               for step, (r, c) in zip(rng.integers(1, 40, 60), rng.integers(0, 30, (60, 2)), strict=True)]  # fmt: skip
    free = np.argwhere(~truth)
    world = replan.World(replan.Grid(truth), sensor=replan.Radius(4), changes=sorted(changes) if changing else ())
    crowd = replan.Crowd(world, "RTAA*", lookahead=5)
    crowd.add(free[rng.integers(0, len(free), 12)], free[rng.integers(0, len(free), 12)])
    seen = np.zeros_like(truth)
    rows, cols = np.indices(truth.shape)
    for _ in range(60):
        in_view = np.zeros_like(truth)
        for row, col in crowd.cells.tolist():
            in_view |= (rows - row) ** 2 + (cols - col) ** 2 <= 16
        seen |= in_view
        assert (crowd.belief.blocked[in_view] == world.truth.blocked[in_view]).all()
        assert not crowd.belief.blocked[~seen].any()
        crowd.tick()
        lie = tuple(rng.integers(0, 30, 2).tolist())
        if in_view[lie]:
            crowd.observe([lie], not crowd.belief.blocked[lie])  # who sees it does not believe it
