"""Reading and writing maps of every format: which reader and writer a file gets."""

from __future__ import annotations

from pathlib import Path

from replan.errors import InputError
from replan.maps import arrays, images, moving_ai, text
from replan.maps.corner import parse_corner
from replan.maps.files import PathLike, check_file, read_text_bytes
from replan.maps.ros import read_ros
from replan.maps.terrain import Terrain
from replan.writing import write_bytes

FORMATS = (
    ".map (Moving AI), .txt (plain text), .npy (NumPy), "
    f".yaml or .yml (ROS map_server), {' '.join(images.SUFFIXES)} (images)"
)
WRITABLE = (".map", ".txt", ".png", ".npy")


def read(path: PathLike) -> Terrain:
    """Read a map of any format; the suffix decides, in either case of letters.

    `.map`: Moving AI, `type octile` and `type octile-corner`; a `.txt` that begins like one is read
    as one. `.txt`: plain text. `.npy`: NumPy. `.yaml`, `.yml`: ROS map_server with unknown cells
    blocked (see read_ros for the choice). Images: dark pixels blocked.

    Raises InputError with the file, the line where there is one, and the reason; MissingExtra if
    Pillow or PyYAML is needed and absent.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in (".map", ".txt"):
        content = read_text_bytes(path)
        if suffix == ".map" or content.startswith(b"type octile"):
            return _parse_moving_ai(content, path)
        return text.parse_text(content, path)
    if suffix == ".npy":
        return arrays.read_array(path)
    if suffix in (".yaml", ".yml"):
        return read_ros(path).terrain
    if suffix in images.SUFFIXES:
        return images.read_image(path)
    raise _unknown_suffix(path)


def write(path: PathLike, terrain: Terrain) -> None:
    """Write a map as `.map` (`type octile`), `.txt`, `.png` or `.npy`, replacing the file at once.

    What reads back is the same terrain: weights that the format cannot hold (`.map` and `.png`: any
    above 1, `.txt`: any above 9) and walls (none of them) raise InputError, and nothing is written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in WRITABLE:
        raise InputError(f"cannot write the format {suffix or 'of no suffix'}; use one of {' '.join(WRITABLE)}", path)
    if terrain.walls is not None and terrain.walls.any():
        raise InputError(f"a {suffix} map cannot hold walls (cliffs); no format written here can", path)
    if suffix == ".npy":
        content = arrays.array_bytes(terrain)
    elif suffix == ".txt":
        content = text.text_bytes(terrain, path)
    else:
        _refuse_weights(terrain, suffix, path)
        content = moving_ai.octile_bytes(terrain) if suffix == ".map" else images.png_bytes(terrain)
    write_bytes(path, content)


def _refuse_weights(terrain: Terrain, suffix: str, path: Path) -> None:
    if terrain.weights is not None and bool((terrain.weights[~terrain.blocked] > 1).any()):
        raise InputError(f"a {suffix} map cannot hold weights; write .txt (up to 9) or .npy instead", path)


def _parse_moving_ai(content: bytes, path: Path) -> Terrain:
    header = moving_ai.parse_header(content, path)
    if header.kind == moving_ai.CORNER:
        return parse_corner(header, path)
    return moving_ai.parse_octile(header, path)


def _unknown_suffix(path: Path) -> InputError:
    if path.suffix.lower() == ".scen":
        return InputError(
            "lists problems on a map and is none; give the map, and take its problems with --scenario N (or "
            "--scenarios), in Python with read_scenarios",
            path,
        )
    check_file(path, limit=None)  # a missing file or a directory is the better news
    return InputError(f"unknown map format {path.suffix or '(no suffix)'}; known: {FORMATS}", path)
