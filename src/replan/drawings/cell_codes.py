"""What a sign or a pixel of a picture shows, and pictures in which one of them stands for several cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from replan.drawings.downscaling import blocked_pixels
from replan.spaces.cell_layout import CellLayout

Picture: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]

# One that stands for several cells shows the highest of their numbers from EXPANDED on, PAST_BLOCKED where the path
# runs through a sign that is blocked. HIDDEN: blocked in truth, and not seen.
UNSEEN, UNSEEN_BLOCKED, FREE, BLOCKED, EXPANDED, PATH_AHEAD, PATH, PATH_PAST_BLOCKED, START, GOAL, AGENT = range(11)
CODE_COLORS = (
    (96, 100, 112),
    (76, 78, 90),
    (228, 226, 216),
    (150, 62, 44),
    (250, 214, 128),
    (126, 196, 240),
    (46, 104, 216),
    (98, 78, 138),
    (30, 150, 60),
    (240, 178, 0),
    (200, 0, 160),
)
SYMBOLS = "  .#+:o%SG@"
CODE_NAMES = (
    "not seen",
    "not seen, blocked",
    "seen free",
    "seen blocked",
    "expanded",
    "path ahead",
    "path",
    "path past a wall",
    "start",
    "goal",
    "agent",
)


def terrain_picture(blocked: Mask, seen: Mask, truth: Mask | None = None) -> Picture:
    """One code a cell: what is believed where something was seen. truth: what is blocked, told where nothing was."""
    codes = np.where(blocked, BLOCKED, FREE).astype(np.uint8)
    codes[~seen] = UNSEEN
    if truth is not None:
        codes[~seen & truth] = UNSEEN_BLOCKED
    return codes


def set_code(codes: Picture, cells: Any, code: int) -> None:
    """Give cells, an array of rows and columns, another code."""
    rows, cols = np.asarray(cells, np.int64).reshape(-1, 2).T
    codes[rows, cols] = code


def blocked_when_downscaled(plane: CellLayout, codes: Picture, rows: int, cols: int) -> Mask:
    """Which signs of a picture are blocked when one of them stands for rows x cols cells of this map."""
    return blocked_pixels(codes == BLOCKED, codes >= PATH, rows, cols, plane.walls_between)


def downscale(codes: Picture, rows: int, cols: int, blocked: Mask) -> Picture:
    """A picture in which one sign stands for rows x cols cells; `blocked` says which signs are."""
    height, width = blocked.shape
    padded = np.zeros((height * rows, width * cols), np.uint8)
    padded[: codes.shape[0], : codes.shape[1]] = codes
    top = padded.reshape(height, rows, width, cols).max(axis=(1, 3))
    ground = np.where(top <= UNSEEN_BLOCKED, top, np.where(blocked, BLOCKED, FREE))
    ground = np.where((top == PATH_AHEAD) | ((top == EXPANDED) & ~blocked), top, ground)
    path = np.where(blocked, PATH_PAST_BLOCKED, PATH)
    return np.where(top > PATH, top, np.where(top == PATH, path, ground)).astype(np.uint8)


def legend_codes(codes: Picture, always: Sequence[int]) -> list[int]:
    """The codes that a legend explains: those that are in the picture, and these."""
    return sorted({*np.unique(codes).tolist(), *always})
