"""The steps of a grid, by their definitions."""

from __future__ import annotations

import itertools
from typing import Any

Cell = tuple[int, int]
Edges = dict[Any, dict[Any, int]]

RIGHT, DOWN, LEFT, UP = (0, 1), (1, 0), (0, -1), (-1, 0)
STRAIGHT = [RIGHT, DOWN, LEFT, UP]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]


def edges_of_grid(blocked: Any, neighbors: int, corners: str, weights: Any = None, walls: Any = None) -> Edges:
    """{cell: {neighbouring cell: ticks}}, neighbours in the order right, down, left, up, then the diagonals."""
    rows, cols = len(blocked), len(blocked[0])
    edges: Edges = {}
    for r in range(rows):
        for c in range(cols):
            edges[r, c] = {}
            for down, right in STRAIGHT + (DIAGONAL if neighbors == 8 else []):
                end = (r + down, c + right)
                if leads(blocked, corners, walls, (r, c), end):
                    edges[r, c][end] = ticks(neighbors, weights, (r, c), end)
    return edges


def leads(blocked: Any, corners: str, walls: Any, a: Cell, b: Cell) -> bool:
    """May one step from a to b, a neighbour?"""
    if not is_free(blocked, a) or not is_free(blocked, b):
        return False
    if a[0] == b[0] or a[1] == b[1]:
        return not is_wall(walls, a, b)
    beside = [(a[0], b[1]), (b[0], a[1])]  # the two cells that the diagonal passes
    fenced = [is_wall(walls, a, x) or is_wall(walls, x, b) for x in beside]
    ways = [is_free(blocked, x) and not fence for x, fence in zip(beside, fenced, strict=True)]
    if corners == "strict":
        return all(ways)
    if corners == "either":
        return any(ways)
    return not all(fenced)


def is_free(blocked: Any, cell: Cell) -> bool:
    return 0 <= cell[0] < len(blocked) and 0 <= cell[1] < len(blocked[0]) and not blocked[cell[0]][cell[1]]


def is_wall(walls: Any, a: Cell, b: Cell) -> bool:
    """Is there a wall between two cells? Bit 1: to the right of a cell, bit 2: below it."""
    if walls is None:
        return False
    first = min(a, b)
    return bool(walls[first[0]][first[1]] & (1 if a[0] == b[0] else 2))


def ticks(neighbors: int, weights: Any, a: Cell, b: Cell) -> int:
    length = 1 if neighbors == 4 else 408 if a[0] == b[0] or a[1] == b[1] else 577
    return length if weights is None else length * int(weights[a[0]][a[1]] + weights[b[0]][b[1]])


def estimate(neighbors: int, weighted: bool, a: Cell, b: Cell) -> int:
    """The cost from a to b if nothing were in the way."""
    down, right = abs(a[0] - b[0]), abs(a[1] - b[1])
    diagonal = min(down, right) if neighbors == 8 else 0
    straight = down + right - 2 * diagonal
    return (2 if weighted else 1) * (diagonal * 577 + straight * (408 if neighbors == 8 else 1))


def true_length(path: list[Cell], weights: Any = None) -> float:
    """The length of a path in steps, with the true square root."""
    total = 0.0
    for a, b in itertools.pairwise(path):
        weight = 1.0 if weights is None else (int(weights[a[0]][a[1]]) + int(weights[b[0]][b[1]])) / 2
        total += weight * (1.0 if a[0] == b[0] or a[1] == b[1] else 2**0.5)
    return total
