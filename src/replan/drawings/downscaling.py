"""Which signs of a small picture are blocked, where a sign stands for several cells of the map.

Two free signs beside each other say that one can go from one to the other. So that they do not say it where something
blocked, however thin, is in between, and so that doors stay open:

- The ground of a sign is the largest part of its free cells that steps within the sign connect; or, if the path runs
  through the sign, the part with most of the path.
- Two neighbouring signs agree if a step leads from the ground of one to the ground of the other. Of two that do not
  agree, one becomes blocked: one that holds blocked cells (or walls between cells); if both do, the one that agrees
  with fewer of its neighbours, then the one that holds more.
- A sign without ground is blocked. So is one with little ground if that is a niche, which leads on to at most one
  neighbour, or if in the end all around it are blocked, as where two lines of blocked cells cross. A corridor stays.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from replan.maps import WALL_BELOW, WALL_RIGHT
from replan.spaces.grid import Grid
from replan.spaces.regions import label_regions

Mask: TypeAlias = npt.NDArray[np.bool_]
Counts: TypeAlias = npt.NDArray[np.integer[Any]]


def blocked_pixels(blocked: Mask, path: Mask, rows: int, cols: int, walls: npt.NDArray[np.uint8] | None = None) -> Mask:
    """True for each sign of rows x cols cells that is blocked; the last signs may stand for fewer cells.

    blocked, path: which cells are. walls: those between cells, as a Grid takes them.
    """
    fences = np.zeros(blocked.shape, np.uint8) if walls is None else walls
    ground = _main_parts(blocked, path, rows, cols, fences)
    height, width = blocked.shape
    right, below = np.arange(cols, width, cols), np.arange(rows, height, rows)  # where a next sign begins
    step_right = ground[:, right - 1] & ground[:, right] & (fences[:, right - 1] & WALL_RIGHT == 0)
    step_below = ground[below - 1] & ground[below] & (fences[below - 1] & WALL_BELOW == 0)
    agree = (
        np.concatenate([_count_per_pixel(step_right, rows, 1).ravel(), _count_per_pixel(step_below, 1, cols).ravel()])
        > 0
    )
    one, other = _neighbor_pairs(-(-height // rows), -(-width // cols))
    held, walked, blocked_count, size = (
        _count_per_pixel(cells, rows, cols) for cells in (blocked | (fences != 0), path, ~ground, np.ones_like(blocked))
    )
    narrow = (2 * blocked_count >= size).ravel() & (walked == 0).ravel()

    def leads_on(shut: Mask) -> Counts:
        """To how many free neighbours the ground of each sign leads."""
        free = agree & ~shut[one] & ~shut[other]
        return np.bincount(one[free], minlength=shut.size) + np.bincount(other[free], minlength=shut.size)

    shut: Mask = (blocked_count == size).ravel()
    shut |= narrow & (leads_on(shut) < 2)
    _separate(shut, one[~agree], other[~agree], held.ravel())
    shut |= narrow & (leads_on(shut) == 0)
    return shut.reshape(held.shape)


def _neighbor_pairs(height: int, width: int) -> tuple[Counts, Counts]:
    """The numbers of any two signs beside each other, then of any two below each other, in a picture of this size."""
    number = np.arange(height * width).reshape(height, width)
    one, other = (number[:, :-1], number[:-1]), (number[:, 1:], number[1:])
    return np.concatenate([pairs.ravel() for pairs in one]), np.concatenate([pairs.ravel() for pairs in other])


def _main_parts(blocked: Mask, path: Mask, rows: int, cols: int, fences: npt.NDArray[np.uint8]) -> Mask:
    """The cells that are the ground of their sign."""
    apart = fences.copy()
    apart[:, cols - 1 :: cols] |= WALL_RIGHT
    apart[rows - 1 :: rows] |= WALL_BELOW
    part = label_regions(Grid(blocked, 4, walls=apart))
    free, across = ~blocked, -(-blocked.shape[1] // cols)
    sign = np.add.outer(np.arange(blocked.shape[0]) // rows * across, np.arange(blocked.shape[1]) // cols)
    parts = int(part.max()) + 1
    sign_of = np.zeros(parts, np.int64)
    sign_of[part[free]] = sign[free]
    size, walked = (np.bincount(part[cells], minlength=parts) for cells in (free, free & path))
    order = np.lexsort((size, walked, sign_of))  # of each sign's parts, the ground comes last
    ground = np.full(int(sign[-1, -1]) + 1, -1)
    ground[sign_of[order]] = order
    found: Mask = free & (ground[sign] == part)
    return found


def _separate(shut: Mask, one: Counts, other: Counts, held: Counts) -> None:
    """Block signs until no two free ones are a pair of these. Of each pair at least one holds something."""
    while True:
        open_still = ~shut[one] & ~shut[other]
        one, other = one[open_still], other[open_still]
        if not one.size:
            return
        pairs = np.bincount(one, minlength=shut.size) + np.bincount(other, minlength=shut.size)
        # Ranks are all different, so that each round blocks some sign and never both of a pair.
        rank = (pairs * (held.max() + 1) + held) * shut.size + np.arange(shut.size)[::-1]
        rank[(held == 0) | (pairs == 0)] = -1
        rival = np.full(shut.size, -1)
        np.maximum.at(rival, one, rank[other])
        np.maximum.at(rival, other, rank[one])
        shut |= rank > rival


def _count_per_pixel(mask: Mask, rows: int, cols: int) -> Counts:
    """The number of cells that are True in each sign of rows x cols cells."""
    height, width = mask.shape
    by_row = np.add.reduceat(mask, np.arange(0, height, rows), axis=0, dtype=np.int64)
    counts: Counts = np.add.reduceat(by_row, np.arange(0, width, cols), axis=1)
    return counts
