"""The table of map formats, and what follows from it: which reader and writer a file gets, and what it can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from replan.atomic_write import write_bytes
from replan.errors import InputError
from replan.limits import MAX_WEIGHT
from replan.maps import images, moving_ai, npy, ros, text
from replan.maps.files import PathLike, check_file
from replan.maps.limits import MAX_CELLS, MAX_FILE_BYTES
from replan.maps.terrain import Terrain, UnknownCells, check_size


@dataclass(frozen=True)
class Format:
    """A kind of map file: a row of the table of formats.

    name: for messages.
    suffixes: what such a file's name ends with, in lower case and with the dot.
    read: takes the path of a file and returns its Terrain. Raises InputError for a file that is not of this format.
    write: takes a Terrain and returns what the file holds; None: files of this format are only read.
    parse: takes what a file holds, and its name for messages, as `read` does with the file; None: only files are read.
    heaviest: the largest weight that a file can hold; 1: no weights.
    walls: can a file hold walls between cells?
    size: takes the same as parse and returns rows and columns without unpacking, where files are smaller than maps.

    >>> from replan import maps
    >>> stars = Format("stars", (".stars",), read=lambda path: maps.builtin("cave"))
    >>> stars.max_weight, stars.write is None
    (1, True)
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Path], Terrain]
    write: Callable[[Terrain], bytes] | None = None
    max_weight: int = 1
    has_walls: bool = False
    parse: Callable[[bytes, Path], Terrain] | None = None
    read_size: Callable[[bytes, Path], tuple[int, int]] | None = None


FORMATS = [
    Format("Moving AI", (".map",), moving_ai.read_moving_ai, moving_ai.octile_bytes, parse=moving_ai.parse_moving_ai),
    Format("plain text", (".txt",), text.read_text, text.text_bytes, max_weight=text.MAX_DIGIT_WEIGHT, parse=text.parse_text),
    Format(
        "image", (".png",), images.read_image, images.png_bytes, parse=images.parse_image, read_size=images.image_size
    ),
    Format("image", images.READ_ONLY_SUFFIXES, images.read_image, parse=images.parse_image, read_size=images.image_size),
    Format("NumPy", (".npy",), npy.read_npy, npy.npy_bytes, max_weight=MAX_WEIGHT),
    Format("ROS map_server", (".yaml", ".yml"), ros.read_ros),
]


def register_format(map_format: Format) -> None:
    """Add a format of your own: from now on `Grid.load`, `read` and `write` take files of its suffixes.

    Raises InputError for a suffix that another format has. `examples/own_map_format.py` shows a whole one.

    >>> from replan import maps
    >>> register_format(Format("mine", (".map",), read=lambda path: maps.builtin("cave")))
    Traceback (most recent call last):
    ...
    replan.errors.InputError: the suffix .map belongs to another format already
    """
    for suffix in map_format.suffixes:
        if not suffix.startswith(".") or suffix != Path(f"a{suffix}").suffix.lower():
            raise InputError(
                f"{suffix!r} is no suffix of a map format; write it in lower case, with one dot, as '.map'"
            )
        if suffix == ".scen" or _find_format(suffix) is not None:
            raise InputError(f"the suffix {suffix} belongs to another format already")
    FORMATS.append(map_format)


def read(path: PathLike, unknown: UnknownCells = "blocked") -> Terrain:
    """Read a map of any format in the table; the suffix decides, in either case of letters.

    unknown: what becomes of cells that the map calls neither free nor blocked ("blocked", "free"); "unknown" keeps them
    apart in `Terrain.unknown`. Only ROS maps have such cells (and formats of your own, if they like).

    Raises InputError with the file, the line where there is one, and the reason; MissingExtra if
    Pillow or PyYAML is needed and absent.

    >>> import tempfile
    >>> from replan import maps
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(f"{folder}/cave.map", maps.builtin("cave"))
    ...     terrain = read(f"{folder}/cave.map")
    >>> terrain.shape, terrain.name, terrain.weights is None
    ((40, 60), 'cave', True)
    """
    path = Path(path)
    found = _find_format(path.suffix)
    if found is None:
        raise _unknown_suffix(path)
    check_file(path, limit=None)  # so that no reader meets a missing file, a folder or a pipe
    terrain = found.read(path)
    if not isinstance(terrain, Terrain):
        raise TypeError(f"the reader of the format {found.name} returned a {type(terrain).__name__}, not a Terrain")
    return terrain.with_unknown(unknown)


def parse(content: bytes, name: Path, max_cells: int = MAX_CELLS) -> Terrain:
    """Read a map from memory; the suffix of its name decides, as for `read`. Unknown cells are blocked.

    most_cells: larger maps are refused, images before they are unpacked.

    Raises InputError for a format whose maps are more than one file, and otherwise as `read` does.
    """
    found = _find_format(name.suffix)
    if found is None or found.parse is None:
        able = " ".join(suffix for row in FORMATS if row.parse is not None for suffix in row.suffixes)
        raise InputError(f"a map handed in this way is one of {able}", name)
    if not content or len(content) > MAX_FILE_BYTES:
        raise InputError("the file is empty, or larger than the limit", name)
    if found.read_size is not None:
        check_size(*found.read_size(content, name), name, max_cells=max_cells)
    terrain = found.parse(content, name).with_unknown("blocked")
    check_size(*terrain.shape, name, max_cells=max_cells)
    return terrain


def write(path: PathLike, terrain: Terrain) -> None:
    """Write a map in the format of the path's suffix, replacing the file at once.

    What reads back is the same terrain, except for its place in the world (`Terrain.coordinate_frame`): weights, walls or unknown
    cells that the format cannot hold raise InputError, and nothing is written.

    >>> import numpy as np, tempfile
    >>> from replan import maps
    >>> swamp = maps.Terrain(np.zeros((2, 3), bool), weights=np.full((2, 3), 4, np.int32))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(f"{folder}/swamp.npy", swamp)
    ...     print(read(f"{folder}/swamp.npy").weights.tolist())
    [[4, 4, 4], [4, 4, 4]]
    """
    path = Path(path)
    suffix = path.suffix.lower()
    found = _find_format(suffix)
    if found is None or found.write is None:
        endings = " ".join(row.suffixes[0] for row in _writable_formats())
        raise InputError(f"cannot write the format {suffix or 'of no suffix'}; use one of {endings}", path)
    _refuse_loss(terrain, found, path)
    write_bytes(path, found.write(terrain))


def readable_formats() -> str:
    """The formats that can be read, for people."""
    return ", ".join(f"{' '.join(row.suffixes)} ({row.name})" for row in FORMATS)


def writable_formats() -> str:
    """The formats that can be written, for people."""
    return ", ".join(f"{row.suffixes[0]} ({row.name})" for row in _writable_formats())


def _find_format(suffix: str) -> Format | None:
    return next((row for row in FORMATS if suffix.lower() in row.suffixes), None)


def _writable_formats() -> list[Format]:
    return [row for row in FORMATS if row.write is not None]


def _refuse_loss(terrain: Terrain, wanted: Format, path: Path) -> None:
    """Raise InputError if a file of this format could not hold all of the terrain."""
    suffix = path.suffix.lower()
    if terrain.unknown is not None and terrain.unknown.any():
        raise InputError(
            "no format written here can hold unknown cells; read the map with unknown='free' or 'blocked'", path
        )
    if terrain.walls is not None and terrain.walls.any() and not wanted.has_walls:
        instead = [row for row in _writable_formats() if row.has_walls]
        raise InputError(f"a {suffix} map cannot hold walls between cells; {_format_advice(instead)}", path)
    free = ~terrain.blocked
    heaviest = 1 if terrain.weights is None or not free.any() else int(terrain.weights[free].max())
    if heaviest > wanted.max_weight:
        limit = f"weights up to {wanted.max_weight}, this one has {heaviest}" if wanted.max_weight > 1 else "no weights"
        instead = [row for row in _writable_formats() if row.max_weight >= heaviest]
        raise InputError(f"a {suffix} map holds {limit}; {_format_advice(instead)}", path)


def _format_advice(instead: list[Format]) -> str:
    return (
        f"write {' or '.join(row.suffixes[0] for row in instead)} instead" if instead else "no format written here can"
    )


def _unknown_suffix(path: Path) -> InputError:
    if path.suffix.lower() == ".scen":
        return InputError(
            "lists problems on a map and is none; give the map, and take its problems with --scenario N (or "
            "--scenarios), in Python with read_scenarios",
            path,
        )
    check_file(path, limit=None)  # a missing file or a directory is the better news
    return InputError(f"unknown map format {path.suffix or '(no suffix)'}; known: {readable_formats()}", path)
