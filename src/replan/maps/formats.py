"""Table of map formats: the reader and the writer of each, and what its files can hold."""

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
    """Map format: a row of the table of formats.

    Parameters
    ----------
    name
        Name for messages.
    suffixes
        Suffixes of its files, in lower case, with the dot.
    read
        Function from the path of a file to its Terrain. It raises InputError for a file that is not of this format.
    write
        Function from a Terrain to the content of a file. None: the format is only read.
    max_weight
        Largest weight that a file can hold; 1: no weights.
    has_walls
        True if a file can hold walls between cells.
    parse
        Function from the content of a file, and a name for messages, to its Terrain. None: only files are read.
    read_size
        Like `parse`, but returns rows and columns without unpacking the content. None: files are not smaller than
        maps.

    Examples
    --------
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
    Format(
        "plain text",
        (".txt",),
        text.read_text,
        text.text_bytes,
        max_weight=text.MAX_DIGIT_WEIGHT,
        parse=text.parse_text,
    ),
    Format(
        "image", (".png",), images.read_image, images.png_bytes, parse=images.parse_image, read_size=images.image_size
    ),
    Format(
        "image", images.READ_ONLY_SUFFIXES, images.read_image, parse=images.parse_image, read_size=images.image_size
    ),
    Format("NumPy", (".npy",), npy.read_npy, npy.npy_bytes, max_weight=MAX_WEIGHT),
    Format("ROS map_server", (".yaml", ".yml"), ros.read_ros),
]


def register_format(map_format: Format) -> None:
    """Add a map format: `Grid.load`, `read` and `write` then accept files with its suffixes.

    Parameters
    ----------
    map_format
        The format. `examples/own_map_format.py` shows a complete one.

    Raises
    ------
    InputError
        If another format has one of its suffixes.

    Examples
    --------
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
    """Read a map file. Its suffix decides the format.

    Parameters
    ----------
    path
        The file.
    unknown
        Treatment of cells that the map calls neither free nor blocked: "blocked", "free", or "unknown", which keeps
        them in `Terrain.unknown`. Only ROS maps, and formats of your own, have such cells.

    Returns
    -------
    Terrain
        The map.

    Raises
    ------
    InputError
        If the file cannot be read. The message has the file, the line if there is one, and the reason.
    MissingExtra
        If Pillow or PyYAML is needed and not installed.

    Examples
    --------
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
    check_file(path, limit=None)  # readers need not check for a missing file, a folder or a pipe
    terrain = found.read(path)
    if not isinstance(terrain, Terrain):
        raise TypeError(f"the reader of the format {found.name} returned a {type(terrain).__name__}, not a Terrain")
    return terrain.with_unknown(unknown)


def parse(content: bytes, name: Path, max_cells: int = MAX_CELLS) -> Terrain:
    """Read a map from memory. The suffix of its name decides the format. Unknown cells are blocked.

    Parameters
    ----------
    content
        Content of a file.
    name
        Name for messages.
    max_cells
        Largest map that is accepted. Images are checked before they are unpacked.

    Returns
    -------
    Terrain
        The map.

    Raises
    ------
    InputError
        If the format has more than one file, or the content cannot be read.
    """
    found = _find_format(name.suffix)
    if found is None or found.parse is None:
        able = " ".join(suffix for row in FORMATS if row.parse is not None for suffix in row.suffixes)
        raise InputError(f"a map from memory has one of the suffixes {able}", name)
    if not content or len(content) > MAX_FILE_BYTES:
        raise InputError("the file is empty, or larger than the limit", name)
    if found.read_size is not None:
        check_size(*found.read_size(content, name), name, max_cells=max_cells)
    terrain = found.parse(content, name).with_unknown("blocked")
    check_size(*terrain.shape, name, max_cells=max_cells)
    return terrain


def write(path: PathLike, terrain: Terrain) -> None:
    """Write a map in the format of the path's suffix. An existing file is replaced at once.

    Parameters
    ----------
    path
        The file.
    terrain
        The map.

    Raises
    ------
    InputError
        If the format cannot hold the weights, walls or unknown cells of the map. Nothing is written then.

    Notes
    -----
    What is read again is the same terrain, without its position in the world (`Terrain.coordinate_frame`).

    Examples
    --------
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
    """Return the formats that can be read, as text for messages."""
    return ", ".join(f"{' '.join(row.suffixes)} ({row.name})" for row in FORMATS)


def writable_formats() -> str:
    """Return the formats that can be written, as text for messages."""
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
    check_file(path, limit=None)  # a missing file or a directory is the more useful message
    return InputError(f"unknown map format {path.suffix or '(no suffix)'}; known: {readable_formats()}", path)
