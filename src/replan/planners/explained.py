"""What people are told of each planner: `data/*.md`, beside the recipes.

A file is a family. It begins with its title and a sentence; then comes a planner under its name: the idea, and lists of
what it guarantees, what its limits are, and which parts it is made of (names of methods). `data/parts.md` has the
pseudo-code of each part. `replan planners NAME` prints it, and the site makes a page of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FAMILIES = ("real-time", "sliced", "incremental", "adaptive", "repeated")
DATA = files("replan.planners") / "data"


@dataclass(frozen=True)
class Explanation:
    """A planner in words. parts: the methods to read, beginning with what it does in an episode."""

    family: str
    idea: str
    guarantees: tuple[str, ...]
    limits: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """Planners that share an idea, in the order in which they are told."""

    title: str
    idea: str
    planners: tuple[str, ...]


@cache
def families() -> tuple[Family, ...]:
    """All families, the one most people look for first."""
    return tuple(_family(name) for name in FAMILIES)


@cache
def explanations() -> dict[str, Explanation]:
    """What is said of each planner, by its name."""
    return {
        name: _explanation(_family(family).title, text)
        for family in FAMILIES
        for name, text in _sections(_read(family), 2).items()
        if name
    }


@cache
def pseudo_code() -> dict[str, str]:
    """The pseudo-code of each part, by the name of the method."""
    blocks = {name: text for name, text in _sections(_read("parts"), 2).items() if name}
    return {name: re.sub(r"(?m)^    ", "", text) for name, text in blocks.items()}


def _family(name: str) -> Family:
    sections = _sections(_read(name), 2)
    title, _, idea = sections.pop("").removeprefix("# ").partition("\n")
    return Family(title, _one_line(idea), tuple(sections))


def _explanation(family: str, text: str) -> Explanation:
    sections = _sections(text, 3)
    guarantees, limits, parts = (
        tuple(_one_line(item) for item in re.split(r"(?m)^- ", sections[title])[1:])
        for title in ("Guarantees", "Limits", "Parts")
    )
    return Explanation(family, _one_line(sections[""]), guarantees, limits, tuple(part.strip("`") for part in parts))


def _sections(text: str, level: int) -> dict[str, str]:
    """The text below each heading of this level; below no heading, ""."""
    first, *rest = re.split(rf"(?m)^{'#' * level} ", text)
    headed = (part.partition("\n") for part in rest)
    return {"": first.strip("\n"), **{title.strip(): below.strip("\n") for title, _, below in headed}}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _read(name: str) -> str:
    return (DATA / f"{name}.md").read_text(encoding="utf-8")
