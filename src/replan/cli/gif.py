"""A trip as an animation: the believed map as it grows, and the agent on its way (Pillow, extra `images`)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from replan import Grid, InputError, Trip
from replan.cli.drawing import AGENT, BLOCKED, RGB, blocked_when_shrunk, picture, shrink
from replan.cli.options import Setting
from replan.cli.sight import first_seen
from replan.extras import need
from replan.worlds.problems import Problem
from replan.writing import write_bytes

MOST_FRAMES = 200
SIDE = 480  # pixels of the longer side, about
PIXELS_A_CELL = 16  # at most
TRIP_MS, LAST_MS = 12_000, 2_000  # how long the trip lasts, and its end stays
FRAME_MS = (40, 400)  # at least, at most


def need_pillow() -> ModuleType:
    """Raises MissingExtra."""
    return need("PIL.Image", extra="images", what="writing a GIF")


def check_gif_name(path: str) -> None:
    if Path(path).suffix.lower() != ".gif":
        raise InputError("an animation is written as .gif", path)


def frame_count(trip: Trip) -> int:
    return min(trip.moves + 1, MOST_FRAMES)


def write_gif(
    path: str, grid: Grid, trip: Trip, problem: Problem, setting: Setting, step: Callable[[str], None]
) -> None:
    """Write the animation; `step` is called before each frame. Raises InputError and MissingExtra."""
    pillow = need_pillow()
    frames = _frames(pillow, grid, trip, problem, setting, step)
    count = frame_count(trip)
    duration = int(np.clip(TRIP_MS / count, *FRAME_MS)) // 10 * 10
    content = io.BytesIO()
    next(frames).save(
        content,
        format="GIF",
        save_all=True,
        append_images=frames,
        duration=[duration] * (count - 1) + [LAST_MS],
        loop=0,
        optimize=False,
    )
    write_bytes(Path(path), content.getvalue())


def _frames(
    pillow: ModuleType, grid: Grid, trip: Trip, problem: Problem, setting: Setting, step: Callable[[str], None]
) -> Iterator[Any]:
    """Pictures with a palette, spread evenly over the trip, its first and last moment among them."""
    moments = first_seen(grid, trip.path, setting.sensor, setting.known)
    smaller = -(-max(grid.shape) // SIDE)
    larger = int(np.clip(SIDE // max(grid.shape), 1, PIXELS_A_CELL))
    path, count = np.array(trip.path), frame_count(trip)
    last = picture(grid, moments <= trip.moves, path, problem)
    blocked = blocked_when_shrunk(grid, last, smaller, smaller) if smaller > 1 else last == BLOCKED
    for number, move in enumerate(np.linspace(0, trip.moves, count).astype(int).tolist(), 1):
        step(f"frame {number}")
        codes = picture(grid, moments <= move, path[: move + 1], problem)
        codes[tuple(path[move])] = AGENT
        pixels = shrink(codes, smaller, smaller, blocked).repeat(larger, axis=0).repeat(larger, axis=1)
        image = pillow.fromarray(pixels)
        image.putpalette([channel for color in RGB for channel in color])
        yield image
