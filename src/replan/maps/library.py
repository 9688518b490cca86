"""The maps that come with Replan: small text files in `data/`, all but figure-3 made by the generators."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np

from replan.errors import InputError
from replan.maps.files import PathLike, sibling_names
from replan.maps.formats import read, readable_formats
from replan.maps.generators import cave, maze, random_obstacles, rooms
from replan.maps.terrain import BoolGrid, Terrain, UnknownCells
from replan.maps.text import parse_text
from replan.suggest import did_you_mean


def figure_3() -> BoolGrid:
    """5 x 5 cells, rows A to E, columns 1 to 5; blocked are C3, D3 and E4."""
    blocked = np.zeros((5, 5), dtype=bool)
    for cell in ("C3", "D3", "E4"):
        blocked["ABCDE".index(cell[0]), int(cell[1]) - 1] = True
    return blocked


BUILTIN_MAKERS: dict[str, Callable[[], BoolGrid]] = {
    "cave": lambda: cave(40, 60, seed=1),
    "figure-3": figure_3,
    "maze": lambda: maze(31, 31, openings=20, seed=1),
    "random": lambda: random_obstacles(30, 40, density=0.2, seed=4),
    "rooms": lambda: rooms(33, 45, room_size=6, seed=1),
}
"""Generator of each file in `data/`. A test generates them again and compares."""

SYNONYMS = {"labyrinth": "maze", "cavern": "cave", "house": "rooms", "obstacles": "random", "noise": "random"}
"""Other names for built-in maps, for suggestions."""


def builtin_names() -> tuple[str, ...]:
    """Names of the built-in maps, sorted.

    Returns
    -------
    tuple of str
        The names.

    Examples
    --------
    >>> builtin_names()
    ('cave', 'figure-3', 'maze', 'random', 'rooms')
    """
    return tuple(sorted(BUILTIN_MAKERS))


def builtin(name: str) -> Terrain:
    """Built-in map.

    Parameters
    ----------
    name
        Its name, one of `builtin_names()`.

    Returns
    -------
    Terrain
        The map.

    Raises
    ------
    InputError
        If there is no such map.

    Examples
    --------
    >>> builtin("figure-3").shape
    (5, 5)
    """
    if name not in BUILTIN_MAKERS:
        remark = did_you_mean(name, _known_spellings())
        raise InputError(f"no built-in map {name!r}{remark}; there are {', '.join(builtin_names())}")
    file = f"{name}.txt"
    return parse_text((files(__package__) / "data" / file).read_bytes(), Path(file))


def open_map(spec: PathLike, unknown: UnknownCells = "blocked") -> Terrain:
    """Open a map by the name of a built-in map, or by the path of a file.

    Parameters
    ----------
    spec
        Name of a built-in map, or path of a file. A name of a built-in map always means that map.
    unknown
        Treatment of unknown cells, as for `read`.

    Returns
    -------
    Terrain
        The map.

    Raises
    ------
    InputError
        If there is neither such a map nor such a file, or the file is damaged.
    MissingExtra
        If Pillow or PyYAML is needed and not installed.

    Examples
    --------
    >>> open_map("rooms").shape
    (33, 45)
    """
    if isinstance(spec, str) and spec in BUILTIN_MAKERS:
        return builtin(spec).with_unknown(unknown)
    path = Path(spec)
    if not path.suffix and not os.path.exists(path):
        remark = did_you_mean(path.name, {**{name: name for name in sibling_names(path)}, **_known_spellings()})
        way_out = remark or f"; known formats: {readable_formats()}"
        raise InputError(f"neither a built-in map ({', '.join(builtin_names())}) nor a file{way_out}", path)
    return read(path, unknown)


def _known_spellings() -> dict[str, str]:
    return {**{name: name for name in BUILTIN_MAKERS}, **SYNONYMS}
