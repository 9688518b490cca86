"""Stories that have been told, played on the page: like a session, but nothing in them can be changed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from replan.errors import InputError
from replan.simulation.story import Story
from replan.simulation.story_file import StoryFile
from replan.spaces.grid import Grid
from replan.viewer.messages import StoryEncoder, world_message
from replan.viewer.settings import MAX_CELLS, Settings

READ_ONLY_MESSAGE = (
    "this is a story that has been told: Begin starts a trip of your own on its map, which can be changed"
)


def load_story(content: bytes, name: str) -> Story:
    """A story on a grid that a page can show, from what its file holds: checked before its map is unpacked."""
    file = StoryFile.read_from(io.BytesIO(content), name, len(content))
    facts = file.head.metadata.get("space")
    if not isinstance(facts, dict) or facts.get("kind") != "grid":
        raise file.error("is no story that a page can show: those take place on grids")
    if not all(type(facts.get(name)) is int for name in ("rows", "cols")) or facts["rows"] * facts["cols"] > MAX_CELLS:
        raise file.error(f"is on a map that is too large: one that a page shows has at most {MAX_CELLS:,} cells")
    return Story._from_file(file)


class Playback:
    """Stories of trips on the same map, from their first moment on. settings: for a trip of one's own on that map."""

    def __init__(self, stories: Sequence[Story], settings: Settings | None = None) -> None:
        refuse_incompatible(stories)
        self.stories, self.settings = list(stories), settings or settings_of(stories)
        self.tick = -1
        self.encoders = [StoryEncoder(who, story) for who, story in enumerate(self.stories)]
        self.last_tick = max(len(story) for story in self.stories) - 1

    def world_message(self, note: str = "") -> bytes:
        return world_message(self.stories, {**self.settings.page_fields(), "recorded": True}, note)

    def advance(self, ticks: int, seconds: float = 1e9) -> Iterator[bytes]:
        """The messages of the next ticks."""
        for _ in range(min(ticks, self.last_tick - self.tick)):
            self.tick += 1
            yield from _messages_at(self.encoders, self.tick)

    def messages(self, with_expansions: bool = True, with_values: bool = True, note: str = "") -> Iterator[bytes]:
        """All messages. shown: with what was expanded. numbers: with g and h, where the stories keep them."""
        yield self.world_message(note)
        encoders = [StoryEncoder(who, story, with_expansions, with_values) for who, story in enumerate(self.stories)]
        for tick in range(self.last_tick + 1):
            yield from _messages_at(encoders, tick)

    @property
    def has_ended(self) -> bool:
        return self.tick == self.last_tick

    def edit_at(self, tick: int, edit: tuple[Any, ...]) -> list[bytes]:
        raise InputError(READ_ONLY_MESSAGE)

    def run_to_end(self, progress: Callable[[str], None]) -> None:
        """Do nothing: the stories are complete."""

    def close(self) -> None:
        """Free the stories."""
        self.stories, self.encoders = [], []


def _messages_at(encoders: Sequence[StoryEncoder], tick: int) -> Iterator[bytes]:
    return (encoder.encode_next(tick) for encoder in encoders if tick < len(encoder.story))


def refuse_incompatible(stories: Sequence[Story]) -> None:
    """Raise InputError unless these stories can be shown side by side."""
    shapes = {None if story.space.cell_layout is None else story.space.cell_layout.shape for story in stories}
    if not stories or None in shapes:
        raise InputError("a page can show stories that take place on grids")
    if len(shapes) > 1:
        raise InputError("the stories of a page take place on maps of one size")
    if prod(shapes.pop() or ()) > MAX_CELLS:
        raise InputError(f"a map here has at most {MAX_CELLS:,} cells")


def settings_of(stories: Sequence[Story]) -> Settings:
    """Return settings for a new trip on the map of a story."""
    grid, first = stories[0].space, stories[0][0]
    assert isinstance(grid, Grid)
    return Settings(
        map="the story's map",
        rows=grid.rows,
        cols=grid.cols,
        neighbors=grid.neighbors,
        corners=grid.corners,
        sensor="everything" if stories[0].is_fully_known else "adjacent",
        start=stories[0].start,
        goal=grid.key(int(first.goals[0])),
        user_grid=grid,
    )
