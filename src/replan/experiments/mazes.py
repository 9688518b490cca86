"""Mazes of the kind that RTAA* 2006 and buckets 2006 use: cut by depth-first search, some blocked cells freed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replan.experiments.runs import MapSource, Problem, make_options
from replan.maps.generators import maze


def maze_problems(count: int, size: int = 151, openings: int = 0, even: bool = False) -> Iterator[Problem]:
    """Draw problems in mazes without a border, with four neighbours.

    Parameters
    ----------
    count
        Number of problems, each in a maze of its own.
    size
        Rows and columns of the mazes, odd.
    openings
        Blocked cells that are freed, as of `maze`.
    even
        True: start and goal are where corridors cross. False: any free cell.

    Yields
    ------
    Problem
        The next problem.

    Examples
    --------
    >>> [(problem.map.name, problem.start, problem.goal) for problem in maze_problems(2, size=21, even=True)]
    [('maze 0', (18, 6), (14, 0)), ('maze 1', (10, 2), (10, 12))]
    """
    for seed in range(count):
        options = make_options(openings=openings, seed=seed)
        source = MapSource(maze, (size, size), options, neighbors=4, name=f"maze {seed}")
        free = np.argwhere(~source.grid().blocked)
        if even:
            free = free[(free % 2 == 0).all(axis=1)]
        start, goal = free[np.random.default_rng(seed).choice(len(free), 2, replace=False)].tolist()
        yield Problem(source, (start[0], start[1]), (goal[0], goal[1]), seed)
