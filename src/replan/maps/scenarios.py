"""Moving AI scenario files (`.scen`): problems on a map, with the optimal length of each.

First line `version 1` or `version 1.0`, then one problem a line with nine fields separated by
tabs or blanks: bucket, map name, map width, map height, start x, start y, goal x, goal y,
optimal length (8 directions, diagonal sqrt(2), no cutting of corners). Blank lines are ignored.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from replan.errors import InputError
from replan.maps.files import PathLike, read_text_bytes
from replan.maps.formats import read
from replan.maps.limits import MAX_SCENARIO_BYTES
from replan.maps.rows import quote_bytes

VERSIONS = (b"1", b"1.0")
FIELDS = ("bucket", "map name", "map width", "map height", "start x", "start y", "goal x", "goal y", "optimal length")

_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,300}(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True)
class Scenario:
    """Problem of a scenario file.

    Parameters
    ----------
    bucket
        Group of problems of similar length.
    map_name
        Name of the map, as the file has it.
    width
        Number of columns of the map.
    height
        Number of rows of the map.
    start
        Start cell (row, col).
    goal
        Goal cell (row, col).
    optimal_length
        Optimal length in straight steps, as precise as in the file.

    Notes
    -----
    The map decides whether start and goal are free and connected: some published scenarios do not agree with their
    maps.

    Examples
    --------
    >>> Scenario(0, "cave.map", width=60, height=40, start=(2, 3), goal=(2, 9), optimal_length=6.0).goal
    (2, 9)
    """

    bucket: int
    map_name: str
    width: int
    height: int
    start: tuple[int, int]
    goal: tuple[int, int]
    optimal_length: float


def read_scenarios(path: PathLike, map_path_or_shape: PathLike | tuple[int, int] | None = None) -> list[Scenario]:
    r"""Read all problems of a `.scen` file, in its order.

    Parameters
    ----------
    path
        The file.
    map_path_or_shape
        Path of a map: each problem must be for a map with this name and size. Or (rows, cols): each problem must be
        for a map of this size. None: not checked.

    Returns
    -------
    list of Scenario
        The problems.

    Raises
    ------
    InputError
        If a line is malformed, a cell is outside the map, or a problem is for another map. The message names the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "cave.map.scen")
    ...     _ = file.write_text("version 1\n0 cave.map 60 40 3 2 9 2 6.0\n")
    ...     problems = read_scenarios(file, (40, 60))
    >>> problems[0].start, problems[0].goal, problems[0].optimal_length
    ((2, 3), (2, 9), 6.0)
    """
    path = Path(path)
    lines = read_text_bytes(path, MAX_SCENARIO_BYTES).split(b"\n")
    version = lines[0].split()
    if len(version) != 2 or version[0] != b"version" or version[1] not in VERSIONS:
        found = quote_bytes(lines[0].rstrip(b"\r"))
        raise InputError(f"expected 'version 1' or 'version 1.0', found {found}", path, 1)
    name, shape = _expected_map(map_path_or_shape)
    scenarios = []
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            scenario = _parse(line, path, number)
            _check_map(scenario, name, shape, path, number)
            scenarios.append(scenario)
    return scenarios


def _expected_map(
    map_path_or_shape: PathLike | tuple[int, int] | None,
) -> tuple[str | None, tuple[int, int] | None]:
    if map_path_or_shape is None:
        return None, None
    if isinstance(map_path_or_shape, (str, os.PathLike)):
        return Path(map_path_or_shape).name, read(map_path_or_shape).shape
    rows, cols = map_path_or_shape
    return None, (int(rows), int(cols))


def _parse(line: bytes, path: Path, number: int) -> Scenario:
    try:
        text = line.decode("utf-8").strip("\r ")
    except UnicodeDecodeError:
        raise InputError(f"not text: {quote_bytes(line)}", path, number) from None
    # Eight tabs: then a blank belongs to the map's name.
    fields = text.split("\t") if text.count("\t") == len(FIELDS) - 1 else text.split()
    if len(fields) != len(FIELDS):
        reason = f"{len(fields)} fields, expected {len(FIELDS)}: {', '.join(FIELDS)}"
        raise InputError(reason, path, number)
    whole = {at: _whole(fields, at, path, number) for at in (0, 2, 3, 4, 5, 6, 7)}
    width, height = whole[2], whole[3]
    start, goal = (whole[5], whole[4]), (whole[7], whole[6])
    for what, (row, col) in (("start", start), ("goal", goal)):
        if row >= height or col >= width:
            reason = f"{what} x {col}, y {row} is outside the map of width {width}, height {height}"
            raise InputError(reason, path, number)
    return Scenario(whole[0], fields[1], width, height, start, goal, _length(fields[8], path, number))


def _whole(fields: list[str], at: int, path: Path, number: int) -> int:
    if not _WHOLE.fullmatch(fields[at].strip()):
        reason = f"{FIELDS[at]} must be a whole number of at least 0, found {quote_bytes(fields[at].encode())}"
        raise InputError(reason, path, number)
    return int(fields[at])


def _length(field: str, path: Path, number: int) -> float:
    value = float(field) if _DECIMAL.fullmatch(field.strip()) else math.inf
    if not math.isfinite(value):
        raise InputError(
            f"{FIELDS[8]} must be a number of at least 0, found {quote_bytes(field.encode())}", path, number
        )
    return value


def _check_map(scenario: Scenario, name: str | None, shape: tuple[int, int] | None, path: Path, number: int) -> None:
    # A Windows path splits at both kinds of slash, and scenarios come from both kinds of machine.
    named = PureWindowsPath(scenario.map_name)
    if name is not None and named.stem != PureWindowsPath(name).stem:
        raise InputError(f"the problem is for the map {named.name}, the map given is {name}", path, number)
    if shape is not None and (scenario.height, scenario.width) != shape:
        reason = (
            f"the problem is for a map of width {scenario.width}, height {scenario.height}, "
            f"the map given has width {shape[1]}, height {shape[0]}"
        )
        raise InputError(reason, path, number)
