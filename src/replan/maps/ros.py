"""Maps of the ROS map_server: a YAML file beside an image (extra `ros`: PyYAML and Pillow).

Keys: `image` (a path, relative to the YAML file), `resolution` (metres a cell), `origin` ([x, y, yaw], see `Frame`),
and optionally `negate` (default 0), `occupied_thresh` (0.65), `free_thresh` (0.196) and `mode` (`trinary`).

What a pixel says is the occupancy of a cell in percent, from 0 (free) to 100 (blocked), or that nothing is known. With
v = 0 (black) to 255 (white), the average of a colour's channels, and p = (255 - v) / 255, or v / 255 if negate is set:

    trinary    100 if p > occupied_thresh, 0 if p < free_thresh, else unknown
    scale      the same, but in between p is scaled to 0 to 100: 0 at free_thresh, 100 at occupied_thresh
    raw        v itself if it is at most 100, else unknown

These are the rules of the map_server of ROS 2. That of ROS 1 differs by a percent in the mode scale, and in raw maps
with negate, which are refused here. In the mode scale a pixel that is at all transparent is unknown; raw disregards
transparency. In the mode trinary a pixel that is more transparent than not is unknown (ROS counts transparency as one
more channel of the colour, so that grey becomes free).

As a Terrain: 99 and 100 percent are blocked, 0 percent is free. A cell of 1 to 98 percent is free and has the weight
1 + that percentage, so that a planner goes round it unless the way round is long (`cell_values`; a costmap that Nav2
published, and that was saved in the mode raw, has 99 where the robot's centre may not be).

ROS counts cells from the lower left; a Terrain has row 0 at the top of the image, as everywhere in Replan.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from replan.errors import InputError, system_reason
from replan.extras import import_extra
from replan.maps.cell_encoding import OCCUPANCY
from replan.maps.coordinate_frame import CoordinateFrame
from replan.maps.files import read_bytes
from replan.maps.images import MID_VALUE, read_pixels
from replan.maps.limits import MAX_YAML_BYTES, MAX_YAML_DEPTH
from replan.maps.terrain import ByteGrid, Terrain, drop_unit_weights

Percent: TypeAlias = npt.NDArray[np.int8]

UNKNOWN_PERCENT = OCCUPANCY.unknown
MIN_ALPHA = {"trinary": MID_VALUE, "scale": 255, "raw": 0}  # the least alpha that counts, in each mode


def read_ros(path: Path) -> Terrain:
    """Read a map_server YAML file and its image; the Terrain has a frame, and unknown cells if the map has any.

    Raises InputError with the file and the key that is wrong, MissingExtra without PyYAML or Pillow.
    """
    fields = _load_yaml(path)
    frame = _frame(fields, path)
    mode = fields.get("mode", "trinary")
    if not isinstance(mode, str) or mode not in MIN_ALPHA:
        raise InputError(f"mode must be {', '.join(MIN_ALPHA)}, found {_quote_value(mode)}", path)
    percent_of_grey = _percent_of_grey(fields, mode, path)
    grey, alpha = _read_named_image(fields, path)
    percent = percent_of_grey[grey]
    if alpha is not None:
        percent[alpha < MIN_ALPHA[mode]] = UNKNOWN_PERCENT
    terrain = OCCUPANCY.to_terrain(percent, frame, path.stem)
    assert terrain.weights is not None
    return replace(terrain, weights=drop_unit_weights(terrain.weights))


def _percent_of_grey(fields: dict[Any, Any], mode: str, path: Path) -> Percent:
    """For each brightness from 0 to 255, the occupancy in percent."""
    negate = fields.get("negate", 0)
    if negate not in (0, 1):
        raise InputError("negate must be 0 or 1", path)
    occupied_thresh = _number(fields, "occupied_thresh", path, 0.65)
    free_thresh = _number(fields, "free_thresh", path, 0.196)
    if not 0 <= free_thresh < occupied_thresh <= 1:
        reason = f"expected 0 <= free_thresh < occupied_thresh <= 1, found {free_thresh} and {occupied_thresh}"
        raise InputError(reason, path)
    grey = np.arange(256)
    if mode == "raw":
        if negate:
            raise InputError("negate is 1 in mode raw, which ROS 1 and ROS 2 read in different ways; set it to 0", path)
        return np.where(grey <= 100, grey, UNKNOWN_PERCENT).astype(np.int8)
    p = (grey if negate else 255 - grey) / 255
    between = np.full(256, UNKNOWN_PERCENT)
    if mode == "scale":
        between = np.rint((p - free_thresh) / (occupied_thresh - free_thresh) * 100).astype(np.int64)
    return np.where(p > occupied_thresh, 100, np.where(p < free_thresh, 0, between)).astype(np.int8)


def _load_yaml(path: Path) -> dict[Any, Any]:
    yaml = import_extra("yaml", extra="ros", purpose="reading a ROS map")
    content = read_bytes(path, MAX_YAML_BYTES)
    try:
        _check_events(yaml, content, path)
        fields = yaml.safe_load(content)
    except InputError:
        raise
    except Exception as error:  # PyYAML lets ValueError, KeyError, RecursionError and more through
        mark = getattr(error, "problem_mark", None)
        reason = str(getattr(error, "problem", None) or system_reason(error)).splitlines()[0]
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


def _read_named_image(fields: dict[Any, Any], path: Path) -> tuple[ByteGrid, ByteGrid | None]:
    image = fields["image"]
    if not isinstance(image, str) or not image:
        raise InputError("image must be the path of an image file", path)
    try:
        return read_pixels(path.parent / image, average=True)
    except InputError as error:
        raise InputError(f"its image {image[:200]!a}: {error.reason}", path) from None


def _frame(fields: dict[Any, Any], path: Path) -> CoordinateFrame:
    resolution = _number(fields, "resolution", path)
    origin = fields.get("origin")
    if not isinstance(origin, list) or len(origin) != 3:
        raise InputError("origin must be a list of three numbers: x, y (metres) and yaw (radians)", path)
    x, y, yaw = (_as_number(value, "each number of origin", path) for value in origin)
    try:
        return CoordinateFrame(resolution, (x, y, yaw))
    except InputError as error:
        raise InputError(error.reason, path) from None


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
    raise InputError(f"{what} must be a number, found {_quote_value(value)}", path)


def _quote_value(value: object) -> str:
    """A value in a message: strings cut, anything else by its kind, as it may be of any length."""
    if value is None:
        return "nothing"
    return ascii(value[:40]) if isinstance(value, str) else f"a {type(value).__name__}"
