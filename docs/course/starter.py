"""Starter code: write the parts that are marked, then run

    replan course check starter.py

Cells are (row, column) from 0, row 0 at the top. `blocked[row][column]` is True where the agent knows a cell to be
blocked; a cell that it has not seen counts as free. The agent moves right, down, left and up; each step costs 1.
"""


TIES = "larger g"  # of several cells with the smallest f: the one with the larger g first, or "smaller g"


def neighbours(blocked, cell):
    """The free cells beside a cell."""
    row, col = cell
    for r, c in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)):
        if 0 <= r < len(blocked) and 0 <= c < len(blocked[0]) and not blocked[r][c]:
            yield r, c


def manhattan(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def forward(blocked, start, goal):
    """One search of Repeated Forward A*: from the agent (start) to the goal.

    Returns the path, a list of cells from start to goal (None if there is none), and the list of the cells that were
    expanded, in that order.
    """
    raise NotImplementedError("write A* here")


# def backward(blocked, start, goal):
#     """The same, but the search begins at the goal. The path still leads from start to goal."""


# class Adaptive:
#     """Adaptive A*: one object walks through one world, and its h-values get better with every search."""
#
#     def h(self, cell):
#         """The h-value that the next search will use."""
#
#     def search(self, blocked, start, goal):
#         """As forward(), with the h-values of this object; afterwards they have been improved."""
