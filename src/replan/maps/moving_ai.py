"""Moving AI benchmark maps (`.map`).

After the header (see `header.py`) a map of `type octile` has H rows of W characters, ended by LF or CR LF. For a unit
on the ground they mean:

    . G S      free (ground, ground, swamp)
    @ O T W    blocked (out of bounds twice, trees, water)

`type octile-corner` is read by `corner.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from replan.maps.files import read_text_bytes
from replan.maps.header import HEADER_LINES, OCTILE_CORNER_TYPE, OCTILE_TYPE, Header, parse_header
from replan.maps.octile_corner import parse_octile_corner
from replan.maps.rows import cell_codes, code_table, join_rows, read_block, refuse_trailing_rows
from replan.maps.terrain import Terrain

_FREE, _BLOCKED = 0, 1
_CODES = code_table({".GS": _FREE, "@OTW": _BLOCKED})
_KNOWN = ". G S (free), @ O T W (blocked)"


def read_moving_ai(path: Path) -> Terrain:
    """Read a `.map` file of either type. Raises InputError with the file, the line and the reason."""
    return parse_moving_ai(read_text_bytes(path), path)


def parse_moving_ai(content: bytes, path: Path) -> Terrain:
    """The map in `content`; `path` is for messages and for its name."""
    header = parse_header(content, path)
    return parse_octile_corner(header, path) if header.map_type == OCTILE_CORNER_TYPE else _parse_octile(header, path)


def octile_bytes(terrain: Terrain) -> bytes:
    """A `type octile` file: `.` for free cells, `@` for blocked ones."""
    rows, cols = terrain.shape
    characters = np.where(terrain.blocked, np.uint8(ord("@")), np.uint8(ord(".")))
    return f"type {OCTILE_TYPE}\nheight {rows}\nwidth {cols}\nmap\n".encode("ascii") + join_rows(characters)


def _parse_octile(header: Header, path: Path) -> Terrain:
    first_line = HEADER_LINES + 1
    block, rest = read_block(header.body, header.height, header.width, path, first_line)
    refuse_trailing_rows(rest, header.height, path, first_line + header.height)
    codes = cell_codes(block, _CODES, _KNOWN, path, first_line)
    return Terrain(codes == _BLOCKED, name=path.stem)
