"""What students are asked to write, and the worlds that it is tried on.

A program defines one or more of these; cells are (row, column), `blocked` is a list of rows of True and False, what the
agent believes at that moment:

    forward(blocked, start, goal)   -> (path, expanded)     A* from the agent; path: cells from start to goal, or None
    backward(blocked, start, goal)  -> (path, expanded)     A* from the goal; path: also from start to goal
    class Adaptive:                                          one object walks through one world
        search(self, blocked, start, goal) -> (path, expanded)
        h(self, cell) -> int                                 the h-value that the next search will use
    TIES = "larger g" or "smaller g"                         which cell of those with the smallest f goes first

`expanded` lists the cells in the order in which they were expanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

Cell = tuple[int, int]
BlockedRows = tuple[tuple[bool, ...], ...]

TASKS = {"forward": "Repeated Forward A*", "backward": "Repeated Backward A*", "Adaptive": "Adaptive A*"}
TIE_RULES = ("larger g", "smaller g")
MAX_SIDE = 9
DEFAULT_WORLD_COUNT = 150


@dataclass(frozen=True)
class CourseWorld:
    """A world: where it is blocked in truth, and where the agent starts and wants to go. It knows nothing at first."""

    truth: BlockedRows
    start: Cell
    goal: Cell

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.truth), len(self.truth[0])


def neighbor_cells(cell: Cell, shape: tuple[int, int]) -> list[Cell]:
    """The neighbours of a cell: right, below, left, above."""
    row, col = cell
    near = ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col))
    return [(r, c) for r, c in near if 0 <= r < shape[0] and 0 <= c < shape[1]]


def manhattan_distance(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def example_world() -> CourseWorld:
    """The example of the project's text: 5 x 5 cells, from E2 to E5; C3, D3 and E4 are blocked."""
    rows = [[False] * 5 for _ in range(5)]
    for row, col in ((2, 2), (3, 2), (4, 3)):
        rows[row][col] = True
    return CourseWorld(as_tuples(rows), (4, 1), (4, 4))


def course_worlds(number: int = DEFAULT_WORLD_COUNT) -> Iterator[CourseWorld]:
    """The golden example, then worlds at random from small to large, some without a way."""
    yield example_world()
    for i in range(number):
        yield random_world(i, 2 + i * (MAX_SIDE - 1) // number)


def random_world(seed: int, side: int) -> CourseWorld:
    rng = np.random.default_rng([seed, side])
    for _ in count():
        blocked = rng.random((side, side)) < rng.choice([0.1, 0.3, 0.45])
        free = np.argwhere(~blocked)
        if len(free) >= 2:
            start, goal = (tuple(free[i].tolist()) for i in rng.choice(len(free), 2, replace=False))
            return CourseWorld(as_tuples(blocked.tolist()), start, goal)
    raise AssertionError


def as_tuples(rows: list[list[bool]]) -> BlockedRows:
    return tuple(tuple(bool(cell) for cell in row) for row in rows)
