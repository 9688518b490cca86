"""A picture for a terminal: print it, or give it to a console of rich, which shows it in colours if it has them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from replan.drawings.codes import (
    BLOCKED,
    FREE,
    GOAL,
    NAMES,
    PATH,
    RGB,
    SIGNS,
    START,
    UNSEEN,
    Picture,
    blocked_when_shrunk,
    shown,
    shrink,
)
from replan.spaces.plane import Plane

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

MOST_LINES = 50
LEGEND = (UNSEEN, FREE, BLOCKED, PATH, START, GOAL)  # what it always explains
_COLORS = tuple("rgb({},{},{})".format(*color) for color in RGB)
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

    def __init__(self, plane: Plane, codes: Picture) -> None:
        self.plane, self.codes = plane, codes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if console.color_system is not None and not console.no_color and not options.ascii_only:
            yield _in_color(self.plane, self.codes, options.max_width)
        else:
            yield _in_signs(self.plane, self.codes, options.max_width)

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(file=io.StringIO(), color_system=None, markup=False, highlight=False, width=80)
        with console.capture() as text:
            console.print(self)
        return text.get().rstrip("\n")

    __repr__ = __str__


def _in_color(plane: Plane, codes: Picture, width: int) -> RenderableType:
    """Two rows a line: the upper one is the sign's colour, the lower one the background's."""
    from rich.console import Group
    from rich.text import Text

    factor = _factor(codes, width, 2 * MOST_LINES)
    small = _shrunk(plane, codes, factor, factor)
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
    for code in shown(small, LEGEND):
        sign = SIGNS[code] if code >= START else " "
        legend.append(f" {sign} ", f"bold black on {_COLORS[code]}").append(f" {NAMES[code]}  ")
    return Group(text, legend, *_scale(factor, factor))


def _in_signs(plane: Plane, codes: Picture, width: int) -> RenderableType:
    """A sign a cell, or two beside each other where there is room: a sign is about twice as high as wide."""
    from rich import box
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    inside = max(width - 2, 1)
    whole = codes.shape[0] <= MOST_LINES and codes.shape[1] <= inside
    factor = 1 if whole else _factor(codes, inside, 2 * MOST_LINES)
    tall = 1 if whole else 2 * factor
    small = _shrunk(plane, codes, tall, factor)
    twice = 2 if whole and 2 * small.shape[1] <= inside else 1
    signs = np.array(list(SIGNS))[np.repeat(small, twice, axis=1)]
    text = Text("\n".join("".join(row) for row in signs.tolist()), no_wrap=True, overflow="crop")
    legend = ", ".join(f"{SIGNS[code].strip() or 'blank'} {NAMES[code]}" for code in shown(small, LEGEND))
    return Group(Panel.fit(text, box=box.SQUARE, padding=0), Text(legend), *_scale(tall, factor))


def _shrunk(plane: Plane, codes: Picture, rows: int, cols: int) -> Picture:
    return codes if rows == cols == 1 else shrink(codes, rows, cols, blocked_when_shrunk(plane, codes, rows, cols))


def _factor(codes: Picture, width: int, height: int) -> int:
    """How many cells beside each other become one, so that the picture fits."""
    rows, cols = codes.shape
    return int(max(math.ceil(rows / height), math.ceil(cols / max(width, 1))))


def _scale(rows: int, cols: int) -> list[Text]:
    from rich.text import Text

    return [] if rows == cols == 1 else [Text(f"one sign stands for {rows} x {cols} cells (rows x columns)")]
