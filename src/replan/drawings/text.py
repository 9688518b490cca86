"""A picture for a terminal: print it, or give it to a console of rich, which shows it in colours if it has them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from replan.drawings.cell_codes import (
    BLOCKED,
    CODE_COLORS,
    CODE_NAMES,
    FREE,
    GOAL,
    PATH,
    START,
    SYMBOLS,
    UNSEEN,
    Picture,
    blocked_when_downscaled,
    downscale,
    legend_codes,
)
from replan.spaces.cell_layout import CellLayout

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

MAX_LINES = 50
ALWAYS_IN_LEGEND = (UNSEEN, FREE, BLOCKED, PATH, START, GOAL)  # what it always explains
_COLORS = tuple("rgb({},{},{})".format(*color) for color in CODE_COLORS)
_UPPER_HALF = "\N{UPPER HALF BLOCK}"


class Drawing:
    """A picture of a map, made to fit wherever it is shown.

    >>> import numpy as np, replan
    >>> trip = replan.simulate(replan.Grid(np.zeros((2, 3), bool), neighbors=4), "RTAA*", (0, 0), (0, 2))
    >>> print(trip.draw())
    ┌──────┐
    │SSooGG│
    │......│
    └──────┘
    blank not seen, . seen free, # seen blocked, o path, S start, G goal
    """

    def __init__(self, plane: CellLayout, codes: Picture) -> None:
        self._plane, self._codes = plane, codes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if console.color_system is not None and not console.no_color and not options.ascii_only:
            yield _in_color(self._plane, self._codes, options.max_width)
        else:
            yield _in_symbols(self._plane, self._codes, options.max_width)

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(file=io.StringIO(), color_system=None, markup=False, highlight=False, width=80)
        with console.capture() as text:
            console.print(self)
        return text.get().rstrip("\n")

    __repr__ = __str__


def _in_color(plane: CellLayout, codes: Picture, width: int) -> RenderableType:
    """Two rows a line: the upper one is the sign's colour, the lower one the background's."""
    from rich.console import Group
    from rich.text import Text

    factor = _factor(codes, width, 2 * MAX_LINES)
    small = _downscaled(plane, codes, factor, factor)
    if small.shape[0] % 2:
        small = np.vstack([small, small[-1:]])
    text = Text(no_wrap=True, overflow="crop")
    for upper, lower in zip(small[::2].tolist(), small[1::2].tolist(), strict=True):
        for (above, below), equals in groupby(zip(upper, lower, strict=True)):
            end, length = max(above, below), len(list(equals))
            if end >= START:
                text.append(SYMBOLS[end] * length, f"bold black on {_COLORS[end]}")
            else:
                text.append(_UPPER_HALF * length, f"{_COLORS[above]} on {_COLORS[below]}")
        text.append("\n")
    text.rstrip()
    legend = Text()
    for code in legend_codes(small, ALWAYS_IN_LEGEND):
        sign = SYMBOLS[code] if code >= START else " "
        legend.append(f" {sign} ", f"bold black on {_COLORS[code]}").append(f" {CODE_NAMES[code]}  ")
    return Group(text, legend, *_scale_note(factor, factor))


def _in_symbols(plane: CellLayout, codes: Picture, width: int) -> RenderableType:
    """A sign a cell, or two beside each other where there is room: a sign is about twice as high as wide."""
    from rich import box
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    inside = max(width - 2, 1)
    whole = codes.shape[0] <= MAX_LINES and codes.shape[1] <= inside
    factor = 1 if whole else _factor(codes, inside, 2 * MAX_LINES)
    tall = 1 if whole else 2 * factor
    small = _downscaled(plane, codes, tall, factor)
    twice = 2 if whole and 2 * small.shape[1] <= inside else 1
    signs = np.array(list(SYMBOLS))[np.repeat(small, twice, axis=1)]
    text = Text("\n".join("".join(row) for row in signs.tolist()), no_wrap=True, overflow="crop")
    legend = ", ".join(
        f"{SYMBOLS[code].strip() or 'blank'} {CODE_NAMES[code]}" for code in legend_codes(small, ALWAYS_IN_LEGEND)
    )
    return Group(Panel.fit(text, box=box.SQUARE, padding=0), Text(legend), *_scale_note(tall, factor))


def _downscaled(plane: CellLayout, codes: Picture, rows: int, cols: int) -> Picture:
    return (
        codes if rows == cols == 1 else downscale(codes, rows, cols, blocked_when_downscaled(plane, codes, rows, cols))
    )


def _factor(codes: Picture, width: int, height: int) -> int:
    """How many cells beside each other become one, so that the picture fits."""
    rows, cols = codes.shape
    return int(max(math.ceil(rows / height), math.ceil(cols / max(width, 1))))


def _scale_note(rows: int, cols: int) -> list[Text]:
    from rich.text import Text

    return [] if rows == cols == 1 else [Text(f"one sign stands for {rows} x {cols} cells (rows x columns)")]
