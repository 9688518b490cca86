"""What a story looks like: its moments as pictures of a plane."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from replan.drawings.animation import check_gif_suffix, frame_indices, need_pillow, write_gif
from replan.drawings.cell_codes import (
    AGENT,
    BLOCKED,
    EXPANDED,
    FREE,
    GOAL,
    PATH,
    PATH_AHEAD,
    START,
    UNSEEN,
    UNSEEN_BLOCKED,
    Picture,
    set_code,
    terrain_picture,
)
from replan.drawings.text import Drawing
from replan.errors import InputError
from replan.spaces.cell_layout import CellLayout
from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.simulation.story import Story

PAGE_MODULE = "replan.viewer.saved_page"  # a later room, found by its name when a page is wanted
MAX_NOTEBOOK_STEPS = 20_000  # of longer stories a notebook shows the text alone
MAX_DRAWN_GOALS = 1000  # goals: more are not drawn


def require_layout(space: Space, what: str) -> CellLayout:
    """Raises InputError for a space whose states have no rows and columns."""
    if space.cell_layout is None:
        raise InputError(f"{what} on a grid can be drawn, not one on {space!r}")
    return space.cell_layout


def draw_trip(space: Any, path: list[Any], reached: bool) -> Drawing:
    """The way that was walked, on the grid as it was at first."""
    plane = require_layout(space, "a trip")
    codes = terrain_picture(plane.blocked, np.ones(plane.shape, bool))
    set_code(codes, path, PATH)
    codes[path[0]] = START
    codes[path[-1]] = GOAL if reached else AGENT
    return Drawing(plane, codes)


def draw_story(story: Story, i: int) -> Drawing:
    """What the agent believes at a moment, and the way that it has come."""
    plane = require_layout(story.space, "a story")
    codes = belief_picture(story, plane, i, None)
    set_code(codes, plane.cells_of(story.states()[: i + 1]), PATH)
    mark_ends(story, plane, codes, i)
    return Drawing(plane, codes)


def belief_picture(story: Story, plane: CellLayout, i: int, truth: Any) -> Picture:
    """What is believed of each cell that was seen; truth: to be told of the others."""
    return terrain_picture(plane.to_map_shape(story.belief(i) == 0), plane.to_map_shape(story.seen(i)), truth)


def mark_ends(story: Story, plane: CellLayout, codes: Picture, i: int) -> None:
    """Mark start and goal."""
    codes[story.start] = START
    set_code(codes, plane.cells_of(story[i].goals[:MAX_DRAWN_GOALS]), GOAL)


def write_story_gif(story: Story, path: str | Path, progress: Callable[[str], None]) -> None:
    """The whole story as an animation. Raises InputError and MissingExtra."""
    check_gif_suffix(path)
    need_pillow()
    plane = require_layout(story.space, "a story")
    story._run_to_end()
    numbers = frame_indices(len(story))
    walked = plane.cells_of(story.states())
    last = _picture_with_caption(story, plane, len(story) - 1, walked)[0]
    codes = [UNSEEN, UNSEEN_BLOCKED, FREE, BLOCKED, EXPANDED, PATH_AHEAD, PATH, START, GOAL, AGENT]
    if story.is_fully_known:
        codes = codes[2:]
    frames = (_picture_with_caption(story, plane, i, walked) for i in numbers)
    write_gif(path, plane, frames, last, len(numbers), codes, progress)


def _picture_with_caption(story: Story, plane: CellLayout, i: int, walked: Any) -> tuple[Picture, str]:
    """A moment: what is believed, the last search, the way so far, the path ahead; and a line of words."""
    moment, searched = story[i], story.last_search_step(i)
    codes = belief_picture(story, plane, i, plane.to_map_shape(story.truth(i) == 0))
    if searched is not None and searched.episode is not None:
        set_code(codes, plane.cells_of(searched.episode.expanded_states), EXPANDED)
    set_code(codes, plane.cells_of(moment.path), PATH_AHEAD)
    set_code(codes, walked[: i + 1], PATH)
    mark_ends(story, plane, codes, i)
    set_code(codes, plane.cells_of([moment.state]), AGENT)
    words = f"{story.planner_name}: step {moment.time:,}, {moment.counts.expansions:,} expansions"
    return codes, words + (f" ({moment.why})" if moment.why else "")


def story_page(story: Story, progress: Callable[[str], None]) -> str:
    """The page that plays a story. Raises InputError."""
    require_layout(story.space, "a story")
    story._run_to_end()
    made: str = import_module(PAGE_MODULE).make_page([story], progress)
    return made


def notebook_html(story: Story) -> str | None:
    """A page in a frame, for a story on a grid that is not too long."""
    if story.space.cell_layout is None:
        return None
    story._run_to_end(MAX_NOTEBOOK_STEPS + 1)
    if len(story) > MAX_NOTEBOOK_STEPS:
        return None
    made: str = import_module(PAGE_MODULE).page_in_iframe(story_page(story, lambda word: None))
    return made
