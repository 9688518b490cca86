"""Connected regions of a grid: cells that steps connect."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from replan.spaces.grid import Grid

Labels: TypeAlias = npt.NDArray[np.integer[Any]]
Edges: TypeAlias = tuple[Labels, Labels]

RIGHT = 1 << 0


def label_regions(grid: Grid) -> Labels:
    """Number the connected regions from 0 on, in the order of their first cells.

    The corner rule and the walls of the grid count. The search works on runs (cells of a row that steps to the right
    connect): there are far fewer runs than cells.

    Parameters
    ----------
    grid
        Any grid.

    Returns
    -------
    numpy.ndarray
        2-D array with the number of the region of each cell; -1 for blocked cells.
    """
    exits = grid.state_exits
    first = grid.blocked_states == 0
    first[1:] &= exits[:-1] & RIGHT == 0  # a run begins where no step enters from the left
    run: Labels = np.cumsum(first, dtype=np.int32) - 1
    root = _connect_runs(int(np.count_nonzero(first)), _run_edges(grid, exits, run))
    number = np.cumsum(root == np.arange(root.size), dtype=np.int32) - 1  # the root is the first run of its region
    labels = number[root][run] if root.size else run
    return np.where(grid.blocked, -1, grid.to_map_shape(labels))


def region_sizes(labels: Labels) -> Labels:
    """Count the cells of each region.

    Parameters
    ----------
    labels
        Region of each cell, as `label_regions` returns it.

    Returns
    -------
    numpy.ndarray
        Number of cells by number of the region.
    """
    return np.bincount(labels[labels >= 0])


def _run_edges(grid: Grid, exits: Labels, run: Labels) -> Edges:
    """Return the pairs of runs that a step downwards connects; of consecutive equal pairs only the first."""
    offsets = {1: grid.width}
    if grid.neighbors == 8:
        offsets |= {4: grid.width + 1, 5: grid.width - 1}
    pairs = []
    for direction, offset in offsets.items():
        cells = np.flatnonzero(exits & (1 << direction))
        above, below = run[cells], run[cells + offset]
        is_new = np.ones(cells.size, bool)
        is_new[1:] = (above[1:] != above[:-1]) | (below[1:] != below[:-1])
        pairs.append((above[is_new], below[is_new]))
    return np.concatenate([above for above, _ in pairs]), np.concatenate([below for _, below in pairs])


def _connect_runs(count: int, edges: Edges) -> Labels:
    """Return, for each of `count` runs, the first run to which edges connect it."""
    root: Labels = np.arange(count, dtype=np.int32)
    while edges[0].size:
        low, high = np.minimum(*edges), np.maximum(*edges)
        np.minimum.at(root, high, low)
        root = _compress_paths(root)
        low, high = root[low], root[high]
        is_open = low != high
        edges = low[is_open], high[is_open]
    return root


def _compress_paths(root: Labels) -> Labels:
    """Let every run point to the root of its tree."""
    while True:
        grandparent = root[root]
        if np.array_equal(grandparent, root):
            return root
        root = grandparent
