"""Drawings of trips and stories: text, GIF and HTML."""

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

PAGE_MODULE = "replan.viewer.saved_page"  # a later package, imported when a page is needed
MAX_NOTEBOOK_STEPS = 20_000  # a notebook shows longer stories as text
MAX_DRAWN_GOALS = 1000


def require_layout(space: Space, what: str) -> CellLayout:
    """Return the layout of a grid. Raises InputError for a space without rows and columns."""
    if space.cell_layout is None:
        raise InputError(f"{what} on a grid can be drawn, not one on {space!r}")
    return space.cell_layout


def draw_trip(space: Any, path: list[Any], reached: bool) -> Drawing:
    """Draw the walked path on the grid as it was at first."""
    layout = require_layout(space, "a trip")
    codes = terrain_picture(layout.blocked, np.ones(layout.shape, bool))
    set_code(codes, path, PATH)
    codes[path[0]] = START
    codes[path[-1]] = GOAL if reached else AGENT
    return Drawing(layout, codes)


def draw_story(story: Story, i: int) -> Drawing:
    """Draw the belief of the agent at a step, and the path so far."""
    layout = require_layout(story.space, "a story")
    codes = belief_picture(story, layout, i, None)
    set_code(codes, layout.cells_of(story.states()[: i + 1]), PATH)
    mark_ends(story, layout, codes, i)
    return Drawing(layout, codes)


def belief_picture(story: Story, layout: CellLayout, i: int, truth: Any) -> Picture:
    """Return the belief about the cells that were seen. truth: blocked cells, shown for the others."""
    return terrain_picture(layout.to_map_shape(story.belief(i) == 0), layout.to_map_shape(story.seen(i)), truth)


def mark_ends(story: Story, layout: CellLayout, codes: Picture, i: int) -> None:
    """Mark start and goal."""
    codes[story.start] = START
    set_code(codes, layout.cells_of(story[i].goals[:MAX_DRAWN_GOALS]), GOAL)


def write_story_gif(story: Story, path: str | Path, progress: Callable[[str], None]) -> None:
    """Write the whole story as an animation. Raises InputError and MissingExtra."""
    check_gif_suffix(path)
    need_pillow()
    layout = require_layout(story.space, "a story")
    story._run_to_end()
    step_indices = frame_indices(len(story))
    cells = layout.cells_of(story.states())
    last_picture = _picture_with_caption(story, layout, len(story) - 1, cells)[0]
    codes = [UNSEEN, UNSEEN_BLOCKED, FREE, BLOCKED, EXPANDED, PATH_AHEAD, PATH, START, GOAL, AGENT]
    if story.is_fully_known:
        codes = codes[2:]
    frames = (_picture_with_caption(story, layout, i, cells) for i in step_indices)
    write_gif(path, layout, frames, last_picture, len(step_indices), codes, progress)


def _picture_with_caption(story: Story, layout: CellLayout, i: int, cells: Any) -> tuple[Picture, str]:
    """Return a picture of a step (belief, last search, path so far, path ahead) and its caption."""
    step, search_step = story[i], story.last_search_step(i)
    codes = belief_picture(story, layout, i, layout.to_map_shape(story.truth(i) == 0))
    if search_step is not None and search_step.episode is not None:
        set_code(codes, layout.cells_of(search_step.episode.expanded_states), EXPANDED)
    set_code(codes, layout.cells_of(step.path), PATH_AHEAD)
    set_code(codes, cells[: i + 1], PATH)
    mark_ends(story, layout, codes, i)
    set_code(codes, layout.cells_of([step.state]), AGENT)
    caption = f"{story.planner_name}: step {step.time:,}, {step.counts.expansions:,} expansions"
    return codes, caption + (f" ({step.why})" if step.why else "")


def story_page(story: Story, progress: Callable[[str], None]) -> str:
    """Return the page that plays a story. Raises InputError."""
    require_layout(story.space, "a story")
    story._run_to_end()
    page: str = import_module(PAGE_MODULE).make_page([story], progress)
    return page


def notebook_html(story: Story) -> str | None:
    """Return a page in a frame; None for a story that is long or on no grid."""
    if story.space.cell_layout is None:
        return None
    story._run_to_end(MAX_NOTEBOOK_STEPS + 1)
    if len(story) > MAX_NOTEBOOK_STEPS:
        return None
    html: str = import_module(PAGE_MODULE).page_in_iframe(story_page(story, lambda word: None))
    return html
