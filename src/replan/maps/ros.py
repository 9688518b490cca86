"""Maps of the ROS map_server: a YAML file beside an image (extra `ros`: PyYAML and Pillow).

Keys: `image` (a path, relative to the YAML file), `resolution` (metres a cell), `origin` ([x, y,
yaw] of the lower-left corner of the lower-left cell, metres and radians), and optionally `negate`
(default 0), `occupied_thresh` (0.65), `free_thresh` (0.196) and `mode` (only `trinary`).

A pixel of luminance v (0 black to 255 white) is occupied with p = (255 - v) / 255, or v / 255 if
negate is set: blocked if p > occupied_thresh, free if p < free_thresh, else unknown. A pixel more
transparent than not is unknown.

ROS counts cells from the lower left and y upwards; a Terrain has row 0 at the top of the image, as
everywhere in Replan. `RosMap.cell_at` and `RosMap.position_of` go from one to the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np

from replan.errors import InputError, reason_of
from replan.extras import need
from replan.maps.files import PathLike, read_bytes
from replan.maps.images import read_pixels
from replan.maps.terrain import BoolGrid, Terrain

MAX_YAML_BYTES = 2**16
MAX_YAML_DEPTH = 20


@dataclass(frozen=True, eq=False)
class RosMap:
    """A terrain with its place in the world.

    unknown: 2-D bool, True where the image says neither free nor occupied.
    resolution: the side of a cell in metres, > 0.
    origin: (x, y, yaw): the lower-left corner of the map in metres, its turn in radians.
    """

    terrain: Terrain
    unknown: BoolGrid
    resolution: float
    origin: tuple[float, float, float]

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """The (row, col) of the cell that holds the point (x, y), in metres. InputError outside the map."""
        left, bottom, yaw = self.origin
        along = (x - left) * math.cos(yaw) + (y - bottom) * math.sin(yaw)
        up = (y - bottom) * math.cos(yaw) - (x - left) * math.sin(yaw)
        rows, cols = self.terrain.shape
        # Compared before rounding, so that NaN and infinity are refused too.
        if not (0 <= along / self.resolution < cols and 0 <= up / self.resolution < rows):
            raise InputError(f"the point x {x}, y {y} (metres) is outside the map {self.terrain.name}")
        return rows - 1 - int(up / self.resolution), int(along / self.resolution)

    def position_of(self, row: int, col: int) -> tuple[float, float]:
        """The (x, y) of the centre of a cell, in metres. InputError outside the map."""
        rows, cols = self.terrain.shape
        if not (0 <= row < rows and 0 <= col < cols):
            raise InputError(f"the cell ({row}, {col}) is outside the map of {rows} rows and {cols} columns")
        left, bottom, yaw = self.origin
        along, up = (col + 0.5) * self.resolution, (rows - row - 0.5) * self.resolution
        return left + along * math.cos(yaw) - up * math.sin(yaw), bottom + along * math.sin(yaw) + up * math.cos(yaw)


def read_ros(path: PathLike, unknown: Literal["blocked", "free"] = "blocked") -> RosMap:
    """Read a map_server YAML file and its image; `unknown` says how unknown cells enter the terrain.

    Raises InputError with the file and the key that is wrong, MissingExtra without PyYAML or Pillow.
    """
    if unknown not in ("blocked", "free"):
        raise InputError(f"unknown is {unknown!r}; use 'blocked' or 'free'")
    path = Path(path)
    fields = _load_yaml(path)
    resolution = _number(fields, "resolution", path)
    if resolution <= 0:
        raise InputError(f"resolution must be above 0 metres a cell, found {resolution}", path)
    origin = _origin(fields, path)
    occupied_by_grey, free_by_grey = _thresholds(fields, path)
    grey, opaque = _read_named_image(fields, path)
    occupied, free = occupied_by_grey[grey], free_by_grey[grey]
    if opaque is not None:
        occupied &= opaque
        free &= opaque
    not_known = ~(occupied | free)
    blocked = occupied | not_known if unknown == "blocked" else occupied
    return RosMap(Terrain(blocked, name=path.stem), not_known, resolution, origin)


def _load_yaml(path: Path) -> dict[Any, Any]:
    yaml = need("yaml", extra="ros", what="reading a ROS map")
    content = read_bytes(path, MAX_YAML_BYTES)
    try:
        _check_events(yaml, content, path)
        fields = yaml.safe_load(content)
    except InputError:
        raise
    except Exception as error:  # PyYAML lets ValueError, KeyError, RecursionError and more through
        mark = getattr(error, "problem_mark", None)
        reason = str(getattr(error, "problem", None) or reason_of(error)).splitlines()[0]
        raise InputError(f"not YAML: {reason}", path, mark.line + 1 if mark else None) from None
    if not isinstance(fields, dict) or "image" not in fields:
        raise InputError("not a ROS map: a map has the keys image, resolution and origin", path)
    return fields


def _check_events(yaml: ModuleType, content: bytes, path: Path) -> None:
    """Refuse what makes a small YAML file take much time or memory, and what no map has a use for."""
    depth = 0
    for event in yaml.parse(content, yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise InputError("the file has YAML aliases (*name); write the values out", path)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_YAML_DEPTH:
            raise InputError("not a ROS map: it is nested too deeply", path, event.start_mark.line + 1)


def _read_named_image(fields: dict[Any, Any], path: Path) -> Any:
    image = fields["image"]
    if not isinstance(image, str) or not image:
        raise InputError("image must be the path of an image file", path)
    try:
        return read_pixels(path.parent / image)
    except InputError as error:
        raise InputError(f"its image {image[:200]!a}: {error.reason}", path) from None


def _thresholds(fields: dict[Any, Any], path: Path) -> tuple[BoolGrid, BoolGrid]:
    """For each luminance 0 to 255: is it occupied, is it free."""
    mode = fields.get("mode", "trinary")
    if mode != "trinary":
        raise InputError(f"mode {_show(mode)} is not supported; use trinary", path)
    negate = fields.get("negate", 0)
    if negate not in (0, 1):
        raise InputError("negate must be 0 or 1", path)
    occupied_thresh = _number(fields, "occupied_thresh", path, 0.65)
    free_thresh = _number(fields, "free_thresh", path, 0.196)
    if not 0 <= free_thresh < occupied_thresh <= 1:
        reason = f"expected 0 <= free_thresh < occupied_thresh <= 1, found {free_thresh} and {occupied_thresh}"
        raise InputError(reason, path)
    luminance = np.arange(256)
    p = (luminance if negate else 255 - luminance) / 255
    return p > occupied_thresh, p < free_thresh


def _origin(fields: dict[Any, Any], path: Path) -> tuple[float, float, float]:
    origin = fields.get("origin")
    if not isinstance(origin, list) or len(origin) != 3:
        raise InputError("origin must be a list of three numbers: x, y (metres) and yaw (radians)", path)
    x, y, yaw = (_as_number(value, "each number of origin", path) for value in origin)
    return x, y, yaw


def _number(fields: dict[Any, Any], key: str, path: Path, default: float | None = None) -> float:
    if key not in fields and default is not None:
        return default
    return _as_number(fields.get(key), key, path)


def _as_number(value: object, what: str, path: Path) -> float:
    # A string too: PyYAML takes 5e-2 for one.
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = math.nan
        if math.isfinite(number):
            return number
    raise InputError(f"{what} must be a number, found {_show(value)}", path)


def _show(value: object) -> str:
    """A value in a message: strings cut, anything else by its kind, as it may be of any length."""
    if value is None:
        return "nothing"
    return ascii(value[:40]) if isinstance(value, str) else f"a {type(value).__name__}"
