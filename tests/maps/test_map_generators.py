from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replan import maps
from replan.errors import InputError

Grid = npt.NDArray[np.bool_]


def reached(blocked: Grid) -> int:
    """How many free cells steps from the first free cell reach: a plain flood, to check against."""
    free = {(int(row), int(col)) for row, col in np.argwhere(~blocked)}
    todo = [min(free)]
    seen = set(todo)
    while todo:
        row, col = todo.pop()
        for there in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if there in free and there not in seen:
                seen.add(there)
                todo.append(there)
    return len(seen)


odd = st.integers(0, 12).map(lambda half: 2 * half + 1)


@settings(max_examples=60, deadline=None)
@given(rows=odd, cols=odd, seed=st.integers(0, 1000))
def test_a_maze_is_a_tree_over_all_corridor_cells(rows: int, cols: int, seed: int) -> None:
    blocked = maps.maze(rows, cols, seed=seed)
    assert blocked.shape == (rows, cols) and blocked.dtype == np.bool_
    assert not blocked[::2, ::2].any() and blocked[1::2, 1::2].all()
    corridor_cells = blocked[::2, ::2].size
    assert (~blocked).sum() == 2 * corridor_cells - 1 == reached(blocked)


@settings(max_examples=30, deadline=None)
@given(rows=odd, cols=odd, seed=st.integers(0, 1000))
def test_a_border_is_a_ring_around_the_same_kind_of_maze(rows: int, cols: int, seed: int) -> None:
    blocked = maps.maze(rows + 2, cols + 2, border=True, seed=seed)
    assert np.array_equal(blocked, np.pad(maps.maze(rows, cols, seed=seed), 1, constant_values=True))


def test_openings_free_that_many_cells_anywhere() -> None:
    closed = maps.maze(21, 31, seed=4)
    opened = maps.maze(21, 31, openings=50, seed=4)
    assert (closed & ~opened).sum() == 50 and not (opened & ~closed).any()
    all_open = maps.maze(21, 31, openings=int(closed.sum()), seed=4)
    assert not all_open.any()
    ringed = maps.maze(23, 33, openings=int(closed.sum()), border=True, seed=4)
    assert not ringed[1:-1, 1:-1].any() and ringed.sum() == 2 * 33 + 2 * 21


def test_openings_are_drawn_from_pillars_too() -> None:
    hits = sum(maps.maze(11, 11, openings=20, seed=seed) for seed in range(300))
    assert (300 - np.asarray(hits)[1::2, 1::2] > 0).all()


def test_mazes_turn_every_way() -> None:
    # Each wall cell between two corridor cells opens in some mazes and stays in others.
    total = np.asarray(sum(maps.maze(9, 9, seed=seed).astype(int) for seed in range(300)))
    between = np.concatenate([total[::2, 1::2].ravel(), total[1::2, ::2].ravel()])
    assert between.min() > 20 and between.max() < 280


@pytest.mark.parametrize(("side", "seconds"), [(151, 0.05), (1001, 2.0)])
def test_mazes_are_quick(side: int, seconds: float) -> None:
    took = []
    for seed in range(2):
        began = time.process_time()  # of the processor: machines may be busy
        maps.maze(side, side, seed=seed)
        took.append(time.process_time() - began)
    assert min(took) < seconds


@settings(max_examples=60, deadline=None)
@given(
    rows=st.integers(1, 30),
    cols=st.integers(1, 30),
    room=st.integers(1, 12),
    doors=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
def test_all_rooms_are_connected(rows: int, cols: int, room: int, doors: int, seed: int) -> None:
    blocked = maps.rooms(rows, cols, room_size=room, doors=doors, seed=seed)
    assert blocked.shape == (rows, cols)
    assert reached(blocked) == (~blocked).sum()
    inside = np.ones((rows, cols), dtype=bool)
    inside[range(room, rows - 1, room + 1), :] = False
    inside[:, range(room, cols - 1, room + 1)] = False
    assert not blocked[inside].any()


def test_each_wall_between_rooms_has_its_doors() -> None:
    blocked = maps.rooms(17, 17, room_size=8, doors=3, seed=2)
    assert blocked[8, 8]
    for wall in (blocked[:8, 8], blocked[9:, 8], blocked[8, :8], blocked[8, 9:]):
        assert (~wall).sum() == 3


def test_obstacles_have_their_density() -> None:
    assert maps.random_obstacles(300, 300, density=0.3, seed=1).mean() == pytest.approx(0.3, abs=0.01)
    assert not maps.random_obstacles(9, 9, density=0).any()
    assert maps.random_obstacles(9, 9, density=1).all()


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(10, 40), cols=st.integers(10, 40), seed=st.integers(0, 1000))
def test_a_cave_is_one_connected_part(rows: int, cols: int, seed: int) -> None:
    blocked = maps.cave(rows, cols, seed=seed)
    assert blocked.shape == (rows, cols) and blocked.flags.c_contiguous
    assert reached(blocked) == (~blocked).sum() > 0


def test_a_cave_keeps_its_largest_part() -> None:
    assert (~maps.cave(100, 100, seed=3)).mean() > 0.2


def test_a_cave_too_small() -> None:
    with pytest.raises(InputError, match="no free cell is left in a cave of 1 x 2; use at least 10 x 10"):
        maps.cave(1, 2)


@pytest.mark.parametrize("make", [maps.maze, maps.rooms, maps.random_obstacles, maps.cave])
def test_the_seed_decides(make: Callable[..., Grid]) -> None:
    assert np.array_equal(make(31, 41, seed=7), make(31, 41, seed=7))
    assert np.array_equal(make(31, 41), make(31, 41, seed=0))
    assert not np.array_equal(make(31, 41, seed=7), make(31, 41, seed=8))


@pytest.mark.parametrize("make", [maps.maze, maps.rooms, maps.random_obstacles, maps.cave])
@pytest.mark.parametrize(
    ("rows", "cols", "seed", "reason"),
    [
        (0, 9, 0, "0 rows x 9 columns has no cell"),
        (9, -1, 0, "has no cell"),
        (100001, 100001, 0, "100001 rows x 100001 columns is more than the limit of 268435456 cells"),
        (9.5, 9, 0, "rows must be a whole number, got 9.5"),
        (9, "9", 0, "cols must be a whole number, got '9'"),
        (9, 9, -1, "seed must be at least 0, got -1"),
        (9, 9, None, "seed must be a whole number, got None"),
    ],
)
def test_sizes_and_seeds_are_checked(
    make: Callable[..., Grid], rows: object, cols: object, seed: object, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        make(rows, cols, seed=seed)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: maps.maze(10, 11), "rows of a maze must be odd and at least 1, got 10"),
        (lambda: maps.maze(11, 10), "cols of a maze must be odd and at least 1, got 10"),
        (lambda: maps.maze(1, 5, border=True), "rows of a maze must be odd and at least 3, got 1"),
        (lambda: maps.maze(5, 5, openings=9), "openings must be from 0 to the 8 blocked cells of the maze, got 9"),
        (lambda: maps.maze(5, 5, openings=-1), "openings must be from 0 to the 8 blocked cells of the maze, got -1"),
        (lambda: maps.maze(7, 7, openings=9, border=True), "openings must be from 0 to the 8 blocked cells"),
        (lambda: maps.rooms(9, 9, room_size=0), "room_size must be at least 1, got 0"),
        (lambda: maps.rooms(9, 9, doors=0), "doors must be at least 1, got 0"),
        (lambda: maps.random_obstacles(9, 9, density=1.5), "density must be from 0 to 1, got 1.5"),
        (lambda: maps.random_obstacles(9, 9, density=float("nan")), "density must be from 0 to 1, got nan"),
    ],
)
def test_other_arguments_are_checked(make: Callable[[], Grid], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()
