"""Stories that have been told, played on the page: like a session, but nothing in them can be changed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from replan.errors import InputError
from replan.simulation.blocks import StoryFile
from replan.simulation.story import Story
from replan.spaces.grid import Grid
from replan.viewer.frames import Teller, world_frame
from replan.viewer.settings import MOST_CELLS, Settings

CANNOT = "this is a story that has been told: Begin starts a trip of your own on its map, which can be changed"


def story_from(content: bytes, name: str) -> Story:
    """A story on a grid that a page can show, from what its file holds: checked before its map is unpacked."""
    file = StoryFile.read_from(io.BytesIO(content), name, len(content))
    facts = file.head.facts.get("space")
    if not isinstance(facts, dict) or facts.get("kind") != "grid":
        raise file.wrong("is no story that a page can show: those take place on grids")
    if not all(type(facts.get(name)) is int for name in ("rows", "cols")) or facts["rows"] * facts["cols"] > MOST_CELLS:
        raise file.wrong(f"is on a map that is too large: one that a page shows has at most {MOST_CELLS:,} cells")
    return Story._of(file)


class Playback:
    """Stories of trips on the same map, from their first moment on. settings: for a trip of one's own on that map."""

    def __init__(self, stories: Sequence[Story], settings: Settings | None = None) -> None:
        refuse_unlike(stories)
        self.stories, self.settings = list(stories), settings or settings_of(stories)
        self.tick = -1
        self.tellers = [Teller(who, story) for who, story in enumerate(self.stories)]
        self.last = max(len(story) for story in self.stories) - 1

    def opening(self, note: str = "") -> bytes:
        return world_frame(self.stories, {**self.settings.shared(), "recorded": True}, note)

    def advance(self, ticks: int, seconds: float = 1e9) -> Iterator[bytes]:
        """The messages of the next ticks."""
        for _ in range(min(ticks, self.last - self.tick)):
            self.tick += 1
            yield from _at(self.tellers, self.tick)

    def told(self, shown: bool = True, numbers: bool = True, note: str = "") -> Iterator[bytes]:
        """All messages. shown: with what was expanded. numbers: with g and h, where the stories keep them."""
        yield self.opening(note)
        tellers = [Teller(who, story, shown, numbers) for who, story in enumerate(self.stories)]
        for tick in range(self.last + 1):
            yield from _at(tellers, tick)

    @property
    def ended(self) -> bool:
        return self.tick == self.last

    def edit_at(self, tick: int, edit: tuple[Any, ...]) -> list[bytes]:
        raise InputError(CANNOT)

    def finish(self, step: Callable[[str], None]) -> None:
        """It has been told already."""

    def free(self) -> None:
        """Forget everything."""
        self.stories, self.tellers = [], []


def _at(tellers: Sequence[Teller], tick: int) -> Iterator[bytes]:
    return (teller.next(tick) for teller in tellers if tick < len(teller.story))


def refuse_unlike(stories: Sequence[Story]) -> None:
    """Raise InputError unless these stories can be shown side by side."""
    shapes = {None if story.space.plane is None else story.space.plane.shape for story in stories}
    if not stories or None in shapes:
        raise InputError("a page can show stories that take place on grids")
    if len(shapes) > 1:
        raise InputError("the stories of a page take place on maps of one size")
    if prod(shapes.pop() or ()) > MOST_CELLS:
        raise InputError(f"a map here has at most {MOST_CELLS:,} cells")


def settings_of(stories: Sequence[Story]) -> Settings:
    """Settings for a trip of one's own on the map of a story."""
    grid, first = stories[0].space, stories[0][0]
    assert isinstance(grid, Grid)
    return Settings(
        map="the story's map",
        rows=grid.rows,
        cols=grid.cols,
        neighbors=grid.neighbors,
        corners=grid.corners,
        sensor="everything" if stories[0].all_seen else "adjacent",
        start=stories[0].start,
        goal=grid.key(int(first.goals[0])),
        given=grid,
    )
