"""The older Warcraft III maps of HOG (`.map`, `type octile-corner`): ground of different heights.

The header is that of `type octile`, but H and W count the corners of cells, so the map has (H - 1) x (W - 1) cells.
Then come H rows of W digits, the heights of the corners, and H rows of W letters, the ground of the cell to the lower
right of that corner; the last letter of a row and the last row belong to no cell. The letters, in either case:

    G S        free (ground, swamp)
    O T W      blocked (out of bounds, trees, water)

A lower-case letter is a slope: its four corners have the heights of the digits. An upper-case letter is flat: all four
have the height of its upper-left digit. Two neighbouring cells share an edge of two corners; if the cells differ in the
height of either, there is a wall between them (see `Terrain.walls`). Only differences count, so the format's offset
(digit - 2) is left out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from replan.errors import InputError
from replan.maps.header import HEADER_LINES, Header
from replan.maps.rows import cell_codes, code_table, read_block, refuse_trailing_rows
from replan.maps.terrain import WALL_BELOW, WALL_RIGHT, BoolGrid, ByteGrid, Terrain

_FREE, _BLOCKED, _SLOPE = 0, 1, 2  # a slope is added to one of the others
_HEIGHTS = code_table({str(digit): digit for digit in range(10)})
_GROUND = code_table({"GS": _FREE, "OTW": _BLOCKED, "gs": _FREE | _SLOPE, "otw": _BLOCKED | _SLOPE})
_KNOWN_GROUND = "G S (free), O T W (blocked), lower case for a slope"


def parse_octile_corner(header: Header, path: Path) -> Terrain:
    """The map below a `type octile-corner` header. Raises InputError with the file, the line and the reason."""
    height, width = header.height, header.width
    if height < 2 or width < 2:
        raise InputError(f"{height} x {width} corners enclose no cell; there must be 2 x 2", path, 3)
    digits_line = HEADER_LINES + 1
    letters_line = digits_line + height
    digits, rest = read_block(header.body, height, width, path, digits_line)
    heights = cell_codes(digits, _HEIGHTS, "the heights 0 to 9", path, digits_line)
    letters, rest = read_block(rest, height, width, path, letters_line)
    refuse_trailing_rows(rest, 2 * height, path, letters_line + height)
    ground = cell_codes(letters, _GROUND, _KNOWN_GROUND, path, letters_line)[:-1, :-1]
    walls = walls_between(heights, (ground & _SLOPE) != 0)
    return Terrain((ground & _BLOCKED) != 0, walls=walls if walls.any() else None, name=path.stem)


def walls_between(heights: ByteGrid, slope: BoolGrid) -> ByteGrid:
    """The walls of a map with these corner heights: one row and one column more than there are cells in `slope`."""
    top_left = heights[:-1, :-1]
    top_right = np.where(slope, heights[:-1, 1:], top_left)
    bottom_left = np.where(slope, heights[1:, :-1], top_left)
    bottom_right = np.where(slope, heights[1:, 1:], top_left)
    walls = np.zeros(slope.shape, dtype=np.uint8)
    right = (top_right[:, :-1] != top_left[:, 1:]) | (bottom_right[:, :-1] != bottom_left[:, 1:])
    below = (bottom_left[:-1] != top_left[1:]) | (bottom_right[:-1] != top_right[1:])
    walls[:, :-1][right] |= WALL_RIGHT
    walls[:-1][below] |= WALL_BELOW
    return walls
