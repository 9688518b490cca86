"""A believed map with the walked path: as a picture of few colours, and as text for a terminal."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from replan import Grid, Trip
from replan.cli.options import Setting
from replan.cli.shrinking import blocked_signs
from replan.cli.sight import Moments, first_seen
from replan.worlds.problems import Problem

Picture: TypeAlias = npt.NDArray[np.uint8]

# What a sign or a pixel shows. One that stands for several cells shows the highest of their numbers from PATH on, and
# PAST_BLOCKED where the path runs through a sign that is blocked.
UNSEEN, FREE, BLOCKED, PATH, PAST_BLOCKED, START, GOAL, AGENT = range(8)
RGB = (
    (96, 100, 112),
    (228, 226, 216),
    (150, 62, 44),
    (46, 104, 216),
    (98, 78, 138),
    (30, 150, 60),
    (240, 178, 0),
    (200, 0, 160),
)
SIGNS = " .#o%SG@"
NAMES = ("not seen", "seen free", "seen blocked", "path", "path past a wall", "start", "goal")

MOST_LINES = 50
_COLORS = tuple("rgb({},{},{})".format(*color) for color in RGB)
_UPPER_HALF = "\N{UPPER HALF BLOCK}"


def picture(grid: Grid, seen: npt.NDArray[np.bool_], path: Moments, problem: Problem) -> Picture:
    """One code a cell: what is believed, the path (rows and columns) on it, and both its ends."""
    codes = np.where(grid.blocked, BLOCKED, FREE).astype(np.uint8)
    codes[~seen] = UNSEEN
    codes[path[:, 0], path[:, 1]] = PATH
    codes[problem.start], codes[problem.goal] = START, GOAL
    return codes


def blocked_when_shrunk(grid: Grid, codes: Picture, rows: int, cols: int) -> npt.NDArray[np.bool_]:
    """Which signs of a picture are blocked when one of them stands for rows x cols cells of this grid."""
    return blocked_signs(codes == BLOCKED, codes >= PATH, rows, cols, grid.walls_between)


def shrink(codes: Picture, rows: int, cols: int, blocked: npt.NDArray[np.bool_]) -> Picture:
    """A picture in which one sign stands for rows x cols cells; `blocked` says which signs are."""
    height, width = blocked.shape
    padded = np.zeros((height * rows, width * cols), np.uint8)
    padded[: codes.shape[0], : codes.shape[1]] = codes
    top = padded.reshape(height, rows, width, cols).max(axis=(1, 3))
    terrain = np.where(top == UNSEEN, UNSEEN, np.where(blocked, BLOCKED, FREE))
    path = np.where(blocked, PAST_BLOCKED, PATH)
    return np.where(top > PATH, top, np.where(top == PATH, path, terrain)).astype(np.uint8)


def drawing(grid: Grid, trip: Trip, problem: Problem, setting: Setting, console: Console) -> RenderableType:
    """What the agent believed at the end of its trip, for this console: in colours where it has them."""
    seen = first_seen(grid, trip.path, setting.sensor, setting.known)
    codes = picture(grid, seen <= trip.moves, np.array(trip.path), problem)
    if console.color_system is not None and not console.no_color and not console.options.ascii_only:
        return _in_color(grid, codes, console.width)
    return _in_signs(grid, codes, console.width)


def _in_color(grid: Grid, codes: Picture, width: int) -> RenderableType:
    """Two rows a line: the upper one is the sign's colour, the lower one the background's."""
    factor = _factor(codes, width, 2 * MOST_LINES)
    small = _shrunk(grid, codes, factor, factor)
    if small.shape[0] % 2:
        small = np.vstack([small, small[-1:]])
    text = Text(no_wrap=True, overflow="crop")
    for upper, lower in zip(small[::2].tolist(), small[1::2].tolist(), strict=True):
        for (above, below), equals in groupby(zip(upper, lower, strict=True)):
            end, length = max(above, below), len(list(equals))
            if end >= START:
                text.append(SIGNS[end] * length, f"bold black on {_COLORS[end]}")
            else:
                text.append(_UPPER_HALF * length, f"{_COLORS[above]} on {_COLORS[below]}")
        text.append("\n")
    text.rstrip()
    legend = Text()
    for code in _in_legend(small):
        sign = SIGNS[code] if code >= START else " "
        legend.append(f" {sign} ", f"bold black on {_COLORS[code]}").append(f" {NAMES[code]}  ")
    return Group(text, legend, *_scale(factor, factor))


def _in_signs(grid: Grid, codes: Picture, width: int) -> RenderableType:
    """A sign a cell, or two beside each other where there is room: a sign is about twice as high as wide."""
    inside = max(width - 2, 1)
    whole = codes.shape[0] <= MOST_LINES and codes.shape[1] <= inside
    factor = 1 if whole else _factor(codes, inside, 2 * MOST_LINES)
    tall = 1 if whole else 2 * factor
    small = _shrunk(grid, codes, tall, factor)
    twice = 2 if whole and 2 * small.shape[1] <= inside else 1
    signs = np.array(list(SIGNS))[np.repeat(small, twice, axis=1)]
    text = Text("\n".join("".join(row) for row in signs.tolist()), no_wrap=True, overflow="crop")
    legend = ", ".join(f"{SIGNS[code].strip() or 'blank'} {NAMES[code]}" for code in _in_legend(small))
    return Group(Panel.fit(text, box=box.SQUARE, padding=0), Text(legend), *_scale(tall, factor))


def _shrunk(grid: Grid, codes: Picture, rows: int, cols: int) -> Picture:
    return codes if rows == cols == 1 else shrink(codes, rows, cols, blocked_when_shrunk(grid, codes, rows, cols))


def _in_legend(small: Picture) -> list[int]:
    return [code for code in range(len(NAMES)) if code != PAST_BLOCKED or (small == PAST_BLOCKED).any()]


def _factor(codes: Picture, width: int, height: int) -> int:
    """How many cells beside each other become one, so that the picture fits."""
    rows, cols = codes.shape
    return int(max(math.ceil(rows / height), math.ceil(cols / max(width, 1))))


def _scale(rows: int, cols: int) -> list[Text]:
    return [] if rows == cols == 1 else [Text(f"one sign stands for {rows} x {cols} cells (rows x columns)")]
