"""What an agent sees: the places near it where the truth differs from what it believes."""

from __future__ import annotations

from dataclasses import dataclass

from replan.errors import InputError
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid


@dataclass(frozen=True)
class Radius:
    """Sees all cells whose centres are at most `radius` cells away (Euclidean).

    With `line_of_sight`, only those to which a straight line leads over free cells; the blocked cell at the end of
    it is seen.
    """

    radius: float
    line_of_sight: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.radius <= 1000:
            raise InputError(f"a sensor reaches from 1 to 1,000 cells, not {self.radius!r}")


def look_adjacent(truth: Grid, belief: Grid, at: int, seen: memoryview) -> int:
    """The cells that one step could enter if all were free."""
    if truth.neighbors == 4 and truth.moves[at] == belief.moves[at] and not truth.weighted:
        return 0  # which of the four cells are free is what these bits say
    k = 0
    for d in range(truth.neighbors):
        t = at + truth.offset[d]
        if truth.value[t] != belief.value[t]:
            seen[k] = t
            k += 1
    return k


def look_radius(
    truth: Grid, belief: Grid, at: int, radius: int, line_of_sight: bool, reach: memoryview, seen: memoryview
) -> int:
    """The cells in a circle; reach[d] is how far it extends sideways, d rows from its centre."""
    k = 0
    row, col = at // truth.width, at % truth.width
    for r in range(max(1, row - radius), min(truth.rows, row + radius) + 1):
        down = abs(r - row)
        half = reach[down]
        low, high = max(1, col - half), min(truth.cols, col + half)
        for c in range(low, high + 1):
            t = r * truth.width + c
            if truth.value[t] != belief.value[t] and (not line_of_sight or in_sight(truth, at, t)):
                seen[k] = t
                k += 1
    return k


def in_sight(truth: Grid, at: int, t: int) -> bool:
    """Does a straight line lead from `at` to `t` over free cells? (Bresenham's line; both ends do not count.)"""
    row, col = at // truth.width, at % truth.width
    end_row, end_col = t // truth.width, t % truth.width
    down, right = abs(end_row - row), abs(end_col - col)
    step_row, step_col = (1 if end_row > row else -1), (1 if end_col > col else -1)
    error = right - down
    while True:
        twice = 2 * error
        if twice > -down:
            error -= down
            col += step_col
        if twice < right:
            error += right
            row += step_row
        if row == end_row and col == end_col:
            return True
        if truth.value[row * truth.width + col] == 0:
            return False


def look_edges(truth: Graph, belief: Graph, at: int, seen: memoryview) -> int:
    """The edges that leave a node."""
    k = 0
    for a in range(truth.first[at], truth.first[at + 1]):
        if truth.value[a] != belief.value[a]:
            seen[k] = a
            k += 1
    return k
