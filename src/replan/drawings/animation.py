"""Pictures as an animation with a legend: a GIF file (Pillow, extra `images`)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from replan.atomic_write import write_bytes
from replan.drawings.cell_codes import CODE_COLORS, CODE_NAMES, Picture, blocked_when_downscaled, downscale
from replan.errors import InputError
from replan.extras import import_extra
from replan.spaces.cell_layout import CellLayout

MAX_FRAMES = 200
TARGET_SIDE = 480  # pixels of the longer side, about
MAX_PIXELS_PER_CELL = 16  # at most
TRIP_MS, LAST_MS = 12_000, 2_000  # how long the trip lasts, and its end stays
FRAME_MS_RANGE = (40, 400)  # at least, at most
LEGEND_LINE, LEGEND_SQUARE, LEGEND_MARGIN, MIN_WIDTH = (
    14,
    9,
    4,
    220,
)  # pixels of the legend: a line, a square, around it; the least width
BACKGROUND, TEXT_COLOR = len(CODE_COLORS), len(CODE_COLORS) + 1  # two more colours
PALETTE = [channel for color in (*CODE_COLORS, (250, 250, 248), (32, 32, 36)) for channel in color]


def need_pillow() -> ModuleType:
    """Raises MissingExtra."""
    return import_extra("PIL.Image", extra="images", purpose="writing a GIF")


def check_gif_suffix(path: str | Path) -> None:
    if Path(path).suffix.lower() != ".gif":
        raise InputError("an animation is written as .gif", path)


def frame_indices(count: int) -> list[int]:
    """Which moments are shown: as many as there may be, spread evenly, the first and the last among them."""
    spread = np.linspace(0, count - 1, min(count, MAX_FRAMES)).astype(int)
    return sorted(set(map(int, spread)))


def write_gif(
    path: str | Path,
    plane: CellLayout,
    pictures: Iterator[tuple[Picture, str]],
    last_picture: Picture,
    count: int,
    codes: Sequence[int],
    progress: Callable[[str], None],
) -> None:
    """Write an animation of `count` pictures, each with a line of text. Raises InputError and MissingExtra.

    last: what is blocked in the last picture is so in the small ones of all. codes: those that the legend explains.
    step: called before each frame.
    """
    check_gif_suffix(path)
    pillow = need_pillow()
    frames = _frames(pillow, plane, pictures, last_picture, codes, progress)
    duration = int(np.clip(TRIP_MS / count, *FRAME_MS_RANGE)) // 10 * 10
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
    plane: CellLayout,
    pictures: Iterator[tuple[Picture, str]],
    last: Picture,
    codes: Sequence[int],
    step: Callable[[str], None],
) -> Iterator[Any]:
    smaller = -(-max(plane.shape) // TARGET_SIDE)
    larger = int(np.clip(TARGET_SIDE // max(plane.shape), 1, MAX_PIXELS_PER_CELL))
    blocked = blocked_when_downscaled(plane, last, smaller, smaller) if smaller > 1 else None
    legend: Any = None
    for number, (picture, words) in enumerate(pictures, 1):
        step(f"frame {number}")
        small = picture if blocked is None else downscale(picture, smaller, smaller, blocked)
        pixels = small.repeat(larger, axis=0).repeat(larger, axis=1)
        width = max(MIN_WIDTH, pixels.shape[1])
        if legend is None:
            legend = _legend(codes, width)
        sheet = np.full((pixels.shape[0] + LEGEND_LINE + LEGEND_MARGIN + len(legend), width), BACKGROUND, np.uint8)
        sheet[: pixels.shape[0], : pixels.shape[1]] = pixels
        sheet[-len(legend) :] = legend
        image = pillow.fromarray(sheet)
        image.putpalette(PALETTE)
        _draw_text(image, (LEGEND_MARGIN, pixels.shape[0] + 2), words)
        yield image


def _legend(codes: Sequence[int], width: int) -> Picture:
    """Squares in the colours of these codes with their names beside them, in as many lines as they need."""
    image_module = need_pillow()
    places, x, y = [], LEGEND_MARGIN, 0
    for code in codes:
        needed = LEGEND_SQUARE + 4 + _text_width(CODE_NAMES[code]) + 10
        if x > LEGEND_MARGIN and x + needed > width:
            x, y = LEGEND_MARGIN, y + LEGEND_LINE
        places.append((code, x, y))
        x += needed
    sheet = np.full((y + LEGEND_LINE + LEGEND_MARGIN, width), BACKGROUND, np.uint8)
    for code, x, y in places:
        sheet[y + 2 : y + 2 + LEGEND_SQUARE, x : x + LEGEND_SQUARE] = code
    image = image_module.fromarray(sheet)
    image.putpalette(PALETTE)
    for code, x, y in places:
        _draw_text(image, (x + LEGEND_SQUARE + 4, y), CODE_NAMES[code])
    return np.array(image)


def _draw_text(image: Any, at: tuple[int, int], words: str) -> None:
    draw = import_extra("PIL.ImageDraw", extra="images", purpose="writing a GIF").Draw(image)
    draw.fontmode = "1"  # no shades of grey: the palette has none
    draw.text(at, words, fill=TEXT_COLOR, font=_font())


def _text_width(words: str) -> int:
    return int(np.ceil(_font().getlength(words)))


def _font() -> Any:
    return import_extra("PIL.ImageFont", extra="images", purpose="writing a GIF").load_default()
