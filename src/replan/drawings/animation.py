"""Pictures as an animation with a legend: a GIF file (Pillow, extra `images`)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from replan.drawings.codes import NAMES, RGB, Picture, blocked_when_shrunk, shrink
from replan.errors import InputError
from replan.extras import need
from replan.spaces.plane import Plane
from replan.writing import write_bytes

MOST_FRAMES = 200
SIDE = 480  # pixels of the longer side, about
PIXELS_A_CELL = 16  # at most
TRIP_MS, LAST_MS = 12_000, 2_000  # how long the trip lasts, and its end stays
FRAME_MS = (40, 400)  # at least, at most
LINE, SQUARE, MARGIN, NARROW = 14, 9, 4, 220  # pixels of the legend: a line, a square, around it; the least width
PAPER, INK = len(RGB), len(RGB) + 1  # two more colours
PALETTE = [channel for color in (*RGB, (250, 250, 248), (32, 32, 36)) for channel in color]


def need_pillow() -> ModuleType:
    """Raises MissingExtra."""
    return need("PIL.Image", extra="images", what="writing a GIF")


def check_gif_name(path: str | Path) -> None:
    if Path(path).suffix.lower() != ".gif":
        raise InputError("an animation is written as .gif", path)


def frame_numbers(moments: int) -> list[int]:
    """Which moments are shown: as many as there may be, spread evenly, the first and the last among them."""
    spread = np.linspace(0, moments - 1, min(moments, MOST_FRAMES)).astype(int)
    return sorted(set(map(int, spread)))


def write_gif(
    path: str | Path,
    plane: Plane,
    pictures: Iterator[tuple[Picture, str]],
    last: Picture,
    count: int,
    codes: Sequence[int],
    step: Callable[[str], None],
) -> None:
    """Write an animation of `count` pictures, each with a line of text. Raises InputError and MissingExtra.

    last: what is blocked in the last picture is so in the small ones of all. codes: those that the legend explains.
    step: called before each frame.
    """
    check_gif_name(path)
    pillow = need_pillow()
    frames = _frames(pillow, plane, pictures, last, codes, step)
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
    pillow: ModuleType,
    plane: Plane,
    pictures: Iterator[tuple[Picture, str]],
    last: Picture,
    codes: Sequence[int],
    step: Callable[[str], None],
) -> Iterator[Any]:
    smaller = -(-max(plane.shape) // SIDE)
    larger = int(np.clip(SIDE // max(plane.shape), 1, PIXELS_A_CELL))
    blocked = blocked_when_shrunk(plane, last, smaller, smaller) if smaller > 1 else None
    legend: Any = None
    for number, (picture, words) in enumerate(pictures, 1):
        step(f"frame {number}")
        small = picture if blocked is None else shrink(picture, smaller, smaller, blocked)
        pixels = small.repeat(larger, axis=0).repeat(larger, axis=1)
        width = max(NARROW, pixels.shape[1])
        if legend is None:
            legend = _legend(codes, width)
        sheet = np.full((pixels.shape[0] + LINE + MARGIN + len(legend), width), PAPER, np.uint8)
        sheet[: pixels.shape[0], : pixels.shape[1]] = pixels
        sheet[-len(legend) :] = legend
        image = pillow.fromarray(sheet)
        image.putpalette(PALETTE)
        _write(image, (MARGIN, pixels.shape[0] + 2), words)
        yield image


def _legend(codes: Sequence[int], width: int) -> Picture:
    """Squares in the colours of these codes with their names beside them, in as many lines as they need."""
    image_module = need_pillow()
    places, x, y = [], MARGIN, 0
    for code in codes:
        needed = SQUARE + 4 + _length(NAMES[code]) + 10
        if x > MARGIN and x + needed > width:
            x, y = MARGIN, y + LINE
        places.append((code, x, y))
        x += needed
    sheet = np.full((y + LINE + MARGIN, width), PAPER, np.uint8)
    for code, x, y in places:
        sheet[y + 2 : y + 2 + SQUARE, x : x + SQUARE] = code
    image = image_module.fromarray(sheet)
    image.putpalette(PALETTE)
    for code, x, y in places:
        _write(image, (x + SQUARE + 4, y), NAMES[code])
    return np.array(image)


def _write(image: Any, at: tuple[int, int], words: str) -> None:
    draw = need("PIL.ImageDraw", extra="images", what="writing a GIF").Draw(image)
    draw.fontmode = "1"  # no shades of grey: the palette has none
    draw.text(at, words, fill=INK, font=_font())


def _length(words: str) -> int:
    return int(np.ceil(_font().getlength(words)))


def _font() -> Any:
    return need("PIL.ImageFont", extra="images", what="writing a GIF").load_default()
