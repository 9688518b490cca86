"""Which cells of a grid are connected by steps."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from replan import Grid

Labels: TypeAlias = npt.NDArray[np.integer[Any]]
Edges: TypeAlias = tuple[Labels, Labels]


def label_regions(grid: Grid) -> Labels:
    """A number for each cell, the same for cells that steps connect, from 0 on; -1 for blocked cells.

    Obeys the corner rule and the cliffs of the grid. The regions are numbered in the order of their first cells.
    """
    root: Labels = np.arange(grid.n, dtype=np.int32)
    edges = _edges(grid)
    while edges[0].size:
        ends = root[edges[0]], root[edges[1]]
        low, high = np.minimum(*ends), np.maximum(*ends)
        np.minimum.at(root, high, low)
        root = _shortcut(root)
        apart = root[low] != root[high]
        edges = low[apart], high[apart]
    first = (root == np.arange(grid.n)) & (np.asarray(grid.solid) == 0)  # a region is known by its first cell
    labels = (np.cumsum(first, dtype=np.int32) - 1)[root]
    return np.where(grid.blocked, -1, grid.array(labels))


def region_sizes(labels: Labels) -> Labels:
    """The number of cells of each region."""
    return np.bincount(labels[labels >= 0])


def _edges(grid: Grid) -> Edges:
    """Every step once: from states, to states."""
    moves = np.asarray(grid.moves)
    offsets = {0: 1, 1: grid.width}  # right and down; the steps back are the same edges
    if grid.neighbors == 8:
        offsets |= {4: grid.width + 1, 5: grid.width - 1}
    starts = {d: np.flatnonzero(moves & (1 << d)).astype(np.int32) for d in offsets}
    return np.concatenate(list(starts.values())), np.concatenate([starts[d] + offsets[d] for d in offsets])


def _shortcut(root: Labels) -> Labels:
    """Let every state point to the very root of its tree."""
    while True:
        above = root[root]
        if np.array_equal(above, root):
            return root
        root = above
