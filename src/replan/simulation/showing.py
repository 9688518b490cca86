"""What a story looks like: its moments as pictures of a plane."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from replan.drawings.animation import check_gif_name, frame_numbers, need_pillow, write_gif
from replan.drawings.codes import (
    AGENT,
    AHEAD,
    BLOCKED,
    EXPANDED,
    FREE,
    GOAL,
    HIDDEN,
    PATH,
    START,
    UNSEEN,
    Picture,
    mark,
    terrain,
)
from replan.drawings.text import Drawing
from replan.errors import InputError
from replan.spaces.plane import Plane
from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.simulation.story import Story

PAGES = "replan.viewer.saved"  # a later room, found by its name when a page is wanted
NOTEBOOK_MOMENTS = 20_000  # of longer stories a notebook shows the text alone
MANY = 1000  # goals: more are not drawn


def plane_of(space: Space, what: str) -> Plane:
    """Raises InputError for a space whose states have no rows and columns."""
    if space.plane is None:
        raise InputError(f"{what} on a grid can be drawn, not one on {space!r}")
    return space.plane


def draw_trip(space: Any, path: list[Any], reached: bool) -> Drawing:
    """The way that was walked, on the grid as it was at first."""
    plane = plane_of(space, "a trip")
    codes = terrain(plane.blocked, np.ones(plane.shape, bool))
    mark(codes, path, PATH)
    codes[path[0]] = START
    codes[path[-1]] = GOAL if reached else AGENT
    return Drawing(plane, codes)


def draw_story(story: Story, i: int) -> Drawing:
    """What the agent believes at a moment, and the way that it has come."""
    plane = plane_of(story.space, "a story")
    codes = believed(story, plane, i, None)
    mark(codes, plane.cells_of(story.states()[: i + 1]), PATH)
    ends(story, plane, codes, i)
    return Drawing(plane, codes)


def believed(story: Story, plane: Plane, i: int, truth: Any) -> Picture:
    """What is believed of each cell that was seen; truth: to be told of the others."""
    return terrain(plane.array(story.belief(i) == 0), plane.array(story.seen(i)), truth)


def ends(story: Story, plane: Plane, codes: Picture, i: int) -> None:
    """Mark start and goal."""
    codes[story.start] = START
    mark(codes, plane.cells_of(story[i].goals[:MANY]), GOAL)


def gif_of(story: Story, path: str | Path, step: Callable[[str], None]) -> None:
    """The whole story as an animation. Raises InputError and MissingExtra."""
    check_gif_name(path)
    need_pillow()
    plane = plane_of(story.space, "a story")
    story._run_to_end()
    numbers = frame_numbers(len(story))
    walked = plane.cells_of(story.states())
    last = _frame(story, plane, len(story) - 1, walked)[0]
    codes = [UNSEEN, HIDDEN, FREE, BLOCKED, EXPANDED, AHEAD, PATH, START, GOAL, AGENT]
    if story.all_seen:
        codes = codes[2:]
    frames = (_frame(story, plane, i, walked) for i in numbers)
    write_gif(path, plane, frames, last, len(numbers), codes, step)


def _frame(story: Story, plane: Plane, i: int, walked: Any) -> tuple[Picture, str]:
    """A moment: what is believed, the last search, the way so far, the path ahead; and a line of words."""
    moment, searched = story[i], story.last_search(i)
    codes = believed(story, plane, i, plane.array(story.truth(i) == 0))
    if searched is not None and searched.episode is not None:
        mark(codes, plane.cells_of(searched.episode.order), EXPANDED)
    mark(codes, plane.cells_of(moment.path), AHEAD)
    mark(codes, walked[: i + 1], PATH)
    ends(story, plane, codes, i)
    mark(codes, plane.cells_of([moment.state]), AGENT)
    words = f"{story.planner_name}: step {moment.step:,}, {moment.counts.expansions:,} expansions"
    return codes, words + (f" ({moment.why})" if moment.why else "")


def page_of(story: Story, step: Callable[[str], None]) -> str:
    """The page that plays a story. Raises InputError."""
    plane_of(story.space, "a story")
    story._run_to_end()
    made: str = import_module(PAGES).page_of([story], step)
    return made


def shown_in_notebook(story: Story) -> str | None:
    """A page in a frame, for a story on a grid that is not too long."""
    if story.space.plane is None:
        return None
    story._run_to_end(NOTEBOOK_MOMENTS + 1)
    if len(story) > NOTEBOOK_MOMENTS:
        return None
    made: str = import_module(PAGES).in_frame(page_of(story, lambda word: None))
    return made
