"""A believed map with the walked path, as a picture of few colours and as text for a terminal."""

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
from replan.cli.sight import Moments, first_seen
from replan.worlds.problems import Problem

Picture: TypeAlias = npt.NDArray[np.uint8]

# What a cell shows. Where a picture is smaller than the map, the higher number wins from PATH on.
UNSEEN, FREE, BLOCKED, PATH, START, GOAL, AGENT = range(7)
RGB = ((96, 100, 112), (228, 226, 216), (150, 62, 44), (46, 104, 216), (30, 150, 60), (240, 178, 0), (200, 0, 160))
SIGNS = " .#oSG@"
NAMES = ("not seen", "seen free", "seen blocked", "path", "start", "goal")

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


def shrink(codes: Picture, rows: int, cols: int) -> Picture:
    """A picture in which one cell stands for rows x cols cells."""
    if rows == cols == 1:
        return codes
    height, width = -(-codes.shape[0] // rows), -(-codes.shape[1] // cols)
    padded = np.zeros((height * rows, width * cols), np.uint8)
    padded[: codes.shape[0], : codes.shape[1]] = codes
    blocks = padded.reshape(height, rows, width, cols)
    blocked, free = (np.count_nonzero(blocks == code, axis=(1, 3)) for code in (BLOCKED, FREE))
    terrain = np.where(blocked + free == 0, UNSEEN, np.where(blocked >= free, BLOCKED, FREE))
    top = blocks.max(axis=(1, 3))
    return np.where(top >= PATH, top, terrain).astype(np.uint8)


def drawing(grid: Grid, trip: Trip, problem: Problem, setting: Setting, console: Console) -> RenderableType:
    """What the agent believed at the end of its trip, for this console: in colours where it has them."""
    seen = first_seen(grid, trip.path, setting.sensor, setting.known)
    codes = picture(grid, seen <= trip.moves, np.array(trip.path), problem)
    if console.color_system is not None and not console.no_color and not console.options.ascii_only:
        return _in_color(codes, console.width)
    return _in_signs(codes, console.width)


def _in_color(codes: Picture, width: int) -> RenderableType:
    """Two rows a line: the upper one is the sign's colour, the lower one the background's."""
    factor = _factor(codes, width, 2 * MOST_LINES)
    small = shrink(codes, factor, factor)
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
    for code, name in enumerate(NAMES):
        sign = SIGNS[code] if code >= START else " "
        legend.append(f" {sign} ", f"bold black on {_COLORS[code]}").append(f" {name}  ")
    return Group(text, legend, *_scale(factor, factor))


def _in_signs(codes: Picture, width: int) -> RenderableType:
    """A sign a cell, or two beside each other where there is room, for cells are as high as two signs."""
    inside = max(width - 2, 1)
    whole = codes.shape[0] <= MOST_LINES and codes.shape[1] <= inside
    factor = 1 if whole else _factor(codes, inside, 2 * MOST_LINES)
    tall = 1 if whole else 2 * factor
    small = shrink(codes, tall, factor)
    twice = 2 if whole and 2 * small.shape[1] <= inside else 1
    signs = np.array(list(SIGNS))[np.repeat(small, twice, axis=1)]
    text = Text("\n".join("".join(row) for row in signs.tolist()), no_wrap=True, overflow="crop")
    legend = ", ".join(f"{SIGNS[code].strip() or 'blank'} {name}" for code, name in enumerate(NAMES))
    return Group(Panel.fit(text, box=box.SQUARE, padding=0), Text(legend), *_scale(tall, factor))


def _factor(codes: Picture, width: int, height: int) -> int:
    """How many cells beside each other become one."""
    rows, cols = codes.shape
    return int(max(math.ceil(rows / height), math.ceil(cols / max(width, 1))))


def _scale(rows: int, cols: int) -> list[Text]:
    return [] if rows == cols == 1 else [Text(f"one sign stands for {rows} x {cols} cells (rows x columns)")]
