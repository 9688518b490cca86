"""Plain text maps (`.txt`): one character a cell, one line a row, no header.

    . _ and blank    free
    # @              blocked
    1 to 9           free, with that weight

A blank is a free cell wherever it stands, also at the end of a row; no row is trimmed or padded,
so all rows have the same length. Empty lines after the last row are ignored. Rows end with LF or
CR LF. Start and goal are no part of a map: the letters S and G are refused like any other. A file that
begins with `type octile` is a Moving AI map and read as one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from replan.errors import InputError
from replan.maps.files import read_text_bytes
from replan.maps.moving_ai import parse_moving_ai
from replan.maps.rows import cell_codes, code_table, join_rows, read_block
from replan.maps.terrain import Terrain, check_size, drop_unit_weights

MAX_DIGIT_WEIGHT = 9  # a weight is one digit
_BLOCKED = 0
_WEIGHTS = code_table({"#@": _BLOCKED, "._ ": 1, **{str(weight): weight for weight in range(1, MAX_DIGIT_WEIGHT + 1)}})
_KNOWN = ". _ blank (free), # @ (blocked), 1 to 9 (weight); start and goal are not marked in a map"


def read_text(path: Path) -> Terrain:
    """Read a `.txt` map. Raises InputError with the file, the line and the reason."""
    content = read_text_bytes(path)
    return parse_moving_ai(content, path) if content.startswith(b"type octile") else parse_text(content, path)


def parse_text(content: bytes, path: Path) -> Terrain:
    """The map in `content`; `path` is for messages and for its name."""
    body = content.rstrip(b"\r\n")
    if not body:
        raise InputError("the file has no rows", path)
    width = len(body.split(b"\n", 1)[0].removesuffix(b"\r"))
    height = body.count(b"\n") + 1
    if width == 0:
        raise InputError("the first row is empty", path, 1)
    check_size(height, width, path)
    try:
        block, _ = read_block(body, height, width, path, first_line=1)
    except InputError as error:
        hint = f"{error.reason} as in line 1 (a blank at a row's end counts; write '.' to see it)"
        raise InputError(hint, path, error.line) from None
    codes = cell_codes(block, _WEIGHTS, _KNOWN, path, first_line=1)
    blocked = codes == _BLOCKED
    weights = np.where(blocked, 1, codes).astype(np.int32)
    return Terrain(blocked, weights=drop_unit_weights(weights), name=path.stem)


def text_bytes(terrain: Terrain) -> bytes:
    """A text file: `.` free, `#` blocked, 2 to 9 for weights."""
    characters = np.where(terrain.blocked, np.uint8(ord("#")), np.uint8(ord(".")))
    if terrain.weights is not None:
        heavy = ~terrain.blocked & (terrain.weights > 1)
        characters[heavy] = (terrain.weights[heavy] + ord("0")).astype(np.uint8)
    return join_rows(characters)
