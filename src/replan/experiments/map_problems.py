"""Random cases on given maps: start and goal drawn so that a way leads from one to the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import ndimage

from replan.errors import InputError
from replan.experiments.runs import Cell, MapSource, Problem, make_options
from replan.simulation.agent import Agent
from replan.spaces.grid import Grid

MAX_ATTEMPTS = 100_000  # to draw one case


def read_map(path: str, neighbors: int, corners: str) -> Grid:
    """Read the map of a file as a Grid.

    Parameters
    ----------
    path
        The file, or the name of a built-in map.
    neighbors
        4 or 8.
    corners
        Corner rule, as for a Grid.

    Returns
    -------
    Grid
        The map.

    Raises
    ------
    InputError
        If the file is no map.

    Examples
    --------
    >>> read_map("cave", neighbors=8, corners="strict").shape
    (40, 60)
    """
    return Grid.load(path, neighbors, corners)


def file_source(path: Path, neighbors: int = 8, corners: str = "strict") -> MapSource:
    """Source of a map file.

    Parameters
    ----------
    path
        The file.
    neighbors
        4 or 8.
    corners
        Corner rule, as for a Grid.

    Returns
    -------
    MapSource
        The source.

    Examples
    --------
    >>> file_source(Path("arena.map")).name
    'arena'
    """
    return MapSource(read_map, (os.fspath(path.absolute()), neighbors, corners), name=path.stem)


def generated_source(
    name: str, make: Callable[..., Any], corners: str = "strict", neighbors: int = 8, **options: Any
) -> MapSource:
    """Source of a map that a function generates.

    Parameters
    ----------
    name
        Name of the map in tables.
    make
        Function that returns an array of blocked cells.
    corners
        Corner rule, as for a Grid.
    neighbors
        4 or 8.
    **options
        Arguments of the function.

    Returns
    -------
    MapSource
        The source.

    Examples
    --------
    >>> from replan.maps import cave
    >>> generated_source("cave 3", cave, rows=30, cols=40, seed=3).grid()
    <Grid 30 x 40, 8 neighbors, corners='strict'>
    """
    return MapSource(make, (), make_options(**options), neighbors, corners, name)


def map_files(directory: Path, map_names: Sequence[tuple[str, str]]) -> list[Path]:
    """Files of a collection of Moving AI maps.

    Parameters
    ----------
    directory
        Directory of the collection.
    map_names
        Folder and name of each map.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    InputError
        If a file is missing. The message names it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(folder, "dao").mkdir()
    ...     Path(folder, "dao", "arena.map").touch()
    ...     print([file.name for file in map_files(Path(folder), [("dao", "arena")])])
    ['arena.map']
    """
    files = [directory / folder / f"{name}.map" for folder, name in map_names]
    missing = [f"{file.parent.name}/{file.name}" for file in files if not file.is_file()]
    if missing:
        raise InputError(
            f"these maps are missing: {', '.join(missing)}; leave --maps out to run on built-in maps instead", directory
        )
    return files


def random_map_problems(maps: Sequence[MapSource], count: int) -> Iterator[Problem]:
    """Draw problems on maps: the first one of every map, then the second one of every map, and so on.

    Parameters
    ----------
    maps
        The maps.
    count
        Number of problems on each map. A smaller count gives the beginning of a larger one.

    Yields
    ------
    Problem
        The next problem. Start and goal are drawn uniformly from the free cells until they are connected.

    Raises
    ------
    InputError
        If no two cells of a map are connected.

    Examples
    --------
    >>> from replan.maps import cave
    >>> maps = [generated_source(f"cave {seed}", cave, rows=30, cols=40, seed=seed) for seed in range(2)]
    >>> [(case.map.name, case.start, case.seed) for case in random_map_problems(maps, 2)]
    [('cave 0', (22, 29), 0), ('cave 1', (12, 16), 0), ('cave 0', (13, 2), 1), ('cave 1', (20, 22), 1)]
    """
    drawn = [_draw(source, number) for number, source in enumerate(maps)]
    for _ in range(count):
        for of_map in drawn:
            yield next(of_map)


def _draw(source: MapSource, number: int) -> Iterator[Problem]:
    grid = source.grid()
    parts, _ = ndimage.label(~grid.blocked, structure=np.ones((3, 3)))
    free = np.argwhere(~grid.blocked)
    rng = np.random.default_rng(number)
    seed = tries = 0
    while tries < MAX_ATTEMPTS and len(free) > 0:
        start, goal = (tuple(free[k].tolist()) for k in rng.integers(len(free), size=2))
        tries += 1
        if start != goal and parts[start] == parts[goal] and _are_connected(grid, start, goal):
            yield Problem(source, start, goal, seed)
            seed, tries = seed + 1, 0
    raise InputError(f"no two cells of {source.name} seem to be connected ({MAX_ATTEMPTS:,} pairs tried)")


def _are_connected(grid: Grid, start: Cell, goal: Cell) -> bool:
    """Does a way lead from a cell to another that it hangs together with, if only by a corner?

    Always, where corners are cut freely and no walls (cliffs) stand between cells.
    """
    sure = grid.corners == "free" and grid.walls_between is None
    return sure or Agent("Repeated Forward A*", grid, start, goal).plan() is not None
