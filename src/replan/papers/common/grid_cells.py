"""Cells of a grid by row and column: their names in the papers, and their neighbours."""

from __future__ import annotations

from replan.experiments.runs import Cell


def cell_name(cell: Cell) -> str:
    """Return the name of a cell in the papers: rows are letters from the top, columns numbers from 1.

    >>> cell_name((4, 2))
    'E3'
    """
    return f"{chr(ord('A') + cell[0])}{cell[1] + 1}"


def cell_from_name(name: str) -> Cell:
    """Return the cell with a name.

    >>> cell_from_name("E3")
    (4, 2)
    """
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def adjacent_cells(cell: Cell, shape: tuple[int, ...]) -> list[Cell]:
    """Return the up to four neighbours of a cell, in the order right, down, left, up.

    >>> adjacent_cells((0, 0), (3, 3))
    [(0, 1), (1, 0)]
    """
    row, col = cell
    neighbours = [(row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)]
    return [(r, c) for r, c in neighbours if 0 <= r < shape[0] and 0 <= c < shape[1]]
