"""The colours of the page: terrain can be told apart, and numbers can be read, light and dark."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

import replan

PAGE = Path(replan.__file__).parent / "viewer" / "page"
TERRAIN = ("free", "fog", "wall", "ghost")
UNDER_NUMBERS = ("free", "fog", "slow", "closed", "closedLate", "open", "raised", "raisedMost", "trail")
UNDER_NUMBERS += ("lowered", "raisedKind", "refreshed", "inconsistent")


def colors(theme: str) -> dict[str, str]:
    text = (PAGE / "colors.js").read_text(encoding="utf-8")
    return dict(re.findall(r'(\w+): "(#[0-9a-f]{6})"', re.search(rf"const {theme} = {{(.*?)}};", text, re.DOTALL)[1]))


def rgb(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def luminance(color: str) -> float:
    """As WCAG 2 defines it."""
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb(color)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["LIGHT", "DARK"])
def test_terrain_can_be_told_apart(theme):
    shown = colors(theme)
    near = {pair: contrast(*(shown[name] for name in pair)) for pair in combinations(TERRAIN, 2)}
    assert {pair: found for pair, found in near.items() if found < 1.5} == {}


@pytest.mark.parametrize("theme", ["LIGHT", "DARK"])
def test_numbers_can_be_read(theme):
    """In ink or paper, whichever the page takes for a cell of this colour."""
    text = (PAGE / "paint.js").read_text(encoding="utf-8")
    ink, paper = re.search(r'INK = "(#\w{6})", PAPER = "(#\w{6})"', text).groups()
    limit = int(re.search(r"> (\d+);", (PAGE / "colors.js").read_text(encoding="utf-8"))[1])
    for name in UNDER_NUMBERS:
        color = colors(theme)[name]
        light = sum(c * share for c, share in zip(rgb(color), (0.299, 0.587, 0.114), strict=True)) > limit
        assert contrast(color, ink if light else paper) >= 4, name
