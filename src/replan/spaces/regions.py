"""Which cells of a grid are connected by steps."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from replan.spaces.grid import Grid

Labels: TypeAlias = npt.NDArray[np.integer[Any]]
Edges: TypeAlias = tuple[Labels, Labels]

RIGHT = 1 << 0


def label_regions(grid: Grid) -> Labels:
    """A number for each cell, the same for cells that steps connect, from 0 on; -1 for blocked cells.

    Obeys the corner rule and the walls of the grid. The regions are numbered in the order of their first cells. Works
    on stretches, the cells of a row that steps to the right connect: there are far fewer of them than cells.
    """
    exits = grid.state_exits
    first = grid.blocked_states == 0
    first[1:] &= exits[:-1] & RIGHT == 0  # a stretch begins where no step comes in from the left
    stretch: Labels = np.cumsum(first, dtype=np.int32) - 1
    root = _connect_stretches(int(np.count_nonzero(first)), _stretch_edges(grid, exits, stretch))
    number = np.cumsum(root == np.arange(root.size), dtype=np.int32) - 1  # a region is known by its first stretch
    labels = number[root][stretch] if root.size else stretch
    return np.where(grid.blocked, -1, grid.to_map_shape(labels))


def region_sizes(labels: Labels) -> Labels:
    """The number of cells of each region."""
    return np.bincount(labels[labels >= 0])


def _stretch_edges(grid: Grid, exits: Labels, stretch: Labels) -> Edges:
    """The steps down between stretches; steps back are the same edges, and of a row of equal ones one is enough."""
    offsets = {1: grid.width}
    if grid.neighbors == 8:
        offsets |= {4: grid.width + 1, 5: grid.width - 1}
    found = []
    for direction, offset in offsets.items():
        cells = np.flatnonzero(exits & (1 << direction))
        above, below = stretch[cells], stretch[cells + offset]
        new = np.ones(cells.size, bool)
        new[1:] = (above[1:] != above[:-1]) | (below[1:] != below[:-1])
        found.append((above[new], below[new]))
    return np.concatenate([above for above, _ in found]), np.concatenate([below for _, below in found])


def _connect_stretches(count: int, edges: Edges) -> Labels:
    """The first stretch that each stretch is connected to, from 0 to count - 1."""
    root: Labels = np.arange(count, dtype=np.int32)
    while edges[0].size:
        low, high = np.minimum(*edges), np.maximum(*edges)
        np.minimum.at(root, high, low)
        root = _compress_paths(root)
        low, high = root[low], root[high]
        apart = low != high
        edges = low[apart], high[apart]
    return root


def _compress_paths(root: Labels) -> Labels:
    """Let every stretch point to the very root of its tree."""
    while True:
        above = root[root]
        if np.array_equal(above, root):
            return root
        root = above
