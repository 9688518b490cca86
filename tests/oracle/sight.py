"""What sensors show, by their definitions."""

from __future__ import annotations

from typing import Any

from oracle.grids import DIAGONAL, STRAIGHT, Cell, is_free


def adjacent(blocked: Any, neighbors: int, at: Cell) -> list[Cell]:
    """The cells that one step could enter if all were free."""
    around = [(at[0] + d, at[1] + r) for d, r in STRAIGHT + (DIAGONAL if neighbors == 8 else [])]
    return [(r, c) for r, c in around if 0 <= r < len(blocked) and 0 <= c < len(blocked[0])]


def in_circle(blocked: Any, at: Cell, radius: float, line_of_sight: bool = False) -> list[Cell]:
    """The cells whose centres are at most radius away, by rows, and with line_of_sight only those that can be seen."""
    cells = [(r, c) for r in range(len(blocked)) for c in range(len(blocked[0]))]
    near = [(r, c) for r, c in cells if (r - at[0]) ** 2 + (c - at[1]) ** 2 <= radius**2 + 1e-9]
    return [cell for cell in near if not line_of_sight or all(is_free(blocked, x) for x in line(at, cell)[1:-1])]


def line(a: Cell, b: Cell) -> list[Cell]:
    """Bresenham's line from a to b: along the longer side one cell at a time, each the nearest to the straight line.

    Where two are equally near it takes the one that is less far from a: the step to the side comes late.
    """
    down, right = b[0] - a[0], b[1] - a[1]
    n = max(abs(down), abs(right))
    cells = [a]
    for i in range(1, n + 1):
        cells.append((a[0] + nearest(down * i, n), a[1] + nearest(right * i, n)))
    return cells


def nearest(x: int, n: int) -> int:
    """x / n rounded to the nearest, halves towards zero."""
    sign = 1 if x >= 0 else -1
    return sign * ((2 * abs(x) + n - 1) // (2 * n))
