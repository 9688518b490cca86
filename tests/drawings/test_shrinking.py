"""Which signs of a small picture are walls."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from examples import examples
from replan import Grid, maps
from replan.drawings.downscaling import blocked_pixels
from replan.spaces.regions import label_regions

factors = st.integers(1, 7)


def signs(blocked: np.ndarray, rows: int, cols: int, path: list[tuple[int, int]] | None = None) -> list[str]:
    walked = np.zeros(blocked.shape, bool)
    walked[tuple(np.array(path or np.empty((0, 2), int)).T)] = True
    return ["".join(".#"[wall] for wall in row) for row in blocked_pixels(blocked, walked, rows, cols).tolist()]


@given(npst.arrays(bool, st.tuples(st.integers(1, 24), st.integers(1, 24))), factors, factors, st.data())
@examples(300)
def test_where_free_signs_lead_steps_lead(blocked, rows, cols, data):
    """Some region of the map has a part in every sign of a connected free part of the picture."""
    path = data.draw(npst.arrays(bool, blocked.shape)) & ~blocked
    walls = blocked_pixels(blocked, path, rows, cols)
    regions, parts = label_regions(Grid(blocked, 4)), label_regions(Grid(walls, 4))
    for part in range(parts.max() + 1):
        shared = None
        for row, col in np.argwhere(parts == part):
            here = set(np.unique(regions[row * rows : (row + 1) * rows, col * cols : (col + 1) * cols]).tolist()) - {-1}
            shared = here if shared is None else shared & here
        assert shared


@given(npst.arrays(bool, st.tuples(st.integers(1, 24), st.integers(1, 24))), factors, factors)
def test_a_wall_has_something_in_it(blocked, rows, cols):
    for row, col in np.argwhere(blocked_pixels(blocked, np.zeros_like(blocked), rows, cols)):
        assert blocked[row * rows : (row + 1) * rows, col * cols : (col + 1) * cols].any()


@given(npst.arrays(bool, st.tuples(st.integers(1, 24), st.integers(1, 24))))
def test_one_cell_a_sign_is_the_map_itself(blocked):
    assert np.array_equal(blocked_pixels(blocked, np.zeros_like(blocked), 1, 1), blocked)


@given(factors, factors, st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.booleans())
def test_a_thin_wall_goes_across_and_its_doors_stay_open(rows, cols, at, door, other_door, turned):
    assume(abs(door // cols - other_door // cols) != 1)  # of doors side by side, one may be lost
    blocked = np.zeros((63, 61), bool)
    at = min(max(at, rows), 62 - rows)  # a sign or more on either side
    blocked[at] = True
    blocked[at, [door, other_door]] = False
    free = np.zeros_like(blocked)
    found = blocked_pixels(blocked.T, free.T, cols, rows).T if turned else blocked_pixels(blocked, free, rows, cols)
    expected = np.zeros_like(found)
    expected[at // rows] = True
    expected[at // rows, [door // cols, other_door // cols]] = False
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("rows", range(1, 8))
@pytest.mark.parametrize("cols", range(1, 8))
@pytest.mark.parametrize("shift", [-20, -1, 0, 3])
def test_a_slanting_wall_has_two_sides(rows, cols, shift):
    r, c = np.indices((60, 60))
    blocked = r == c + shift
    regions = label_regions(Grid(blocked_pixels(blocked, np.zeros_like(blocked), rows, cols), 4))
    assert regions[0, -1] != regions[-1, 0]
    assert min(regions[0, -1], regions[-1, 0]) >= 0


def test_a_corridor_stays_and_a_niche_does_not():
    rock = np.ones((15, 15), bool)
    rock[4] = rock[4:, 7] = False
    assert signs(rock, 3, 3) == ["#####", "#...#", "##.##", "##.##", "#####"]  # without its dead ends
    rock[5:, 7] = True
    rock[5:7, 7] = False
    assert signs(rock, 3, 3) == ["#####", "#...#", "#####", "#####", "#####"]


def test_walls_that_cross_leave_no_hole():
    blocked = np.zeros((15, 15), bool)
    blocked[7] = blocked[:, 7] = True
    assert signs(blocked, 3, 3) == ["..#..", "..#..", "#####", "..#..", "..#.."]


def test_the_ground_is_where_the_path_runs():
    blocked = np.zeros((8, 8), bool)
    blocked[5] = True
    assert signs(blocked, 4, 4) == ["..", "##"]  # the ground of the lower signs is below the wall
    assert signs(blocked, 4, 4, [(4, col) for col in range(4)]) == ["..", ".#"]


def test_walls_between_cells():
    walls = np.zeros((9, 9), np.uint8)
    walls[4] = maps.WALL_BELOW
    free = np.zeros((9, 9), bool)
    assert blocked_pixels(free, free, 3, 3, walls).tolist() == [[False] * 3, [True] * 3, [False] * 3]
    walls[4, 4] = 0
    assert blocked_pixels(free, free, 3, 3, walls).tolist() == [[False] * 3, [True, False, True], [False] * 3]
