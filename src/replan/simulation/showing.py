"""What a story looks like: its moments as pictures of a grid."""

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
from replan.spaces.grid import Grid

if TYPE_CHECKING:
    from replan.simulation.story import Story

PAGES = "replan.viewer.saved"  # a later room, found by its name when a page is wanted
NOTEBOOK_MOMENTS = 20_000  # of longer stories a notebook shows the text alone
MANY = 1000  # goals: more are not drawn


def grid_of(space: Any, what: str) -> Grid:
    """Raises InputError for what is no grid."""
    if not isinstance(space, Grid):
        raise InputError(f"{what} on a grid can be drawn, not one on {space!r}")
    return space


def draw_trip(space: Any, path: list[Any], reached: bool) -> Drawing:
    """The way that was walked, on the grid as it was at first."""
    grid = grid_of(space, "a trip")
    codes = terrain(grid.blocked, np.ones(grid.shape, bool))
    mark(codes, path, PATH)
    codes[path[0]] = START
    codes[path[-1]] = GOAL if reached else AGENT
    return Drawing(grid, codes)


def cells_of(grid: Grid, states: Any) -> np.ndarray[Any, Any]:
    """States as rows and columns."""
    return np.stack(np.divmod(np.asarray(states, np.int64), grid.cols + 2), 1) - 1


def draw_story(story: Story, i: int) -> Drawing:
    """What the agent believes at a moment, and the way that it has come."""
    grid = grid_of(story.space, "a story")
    codes = believed(story, grid, i, None)
    mark(codes, cells_of(grid, story.states()[: i + 1]), PATH)
    ends(story, grid, codes, i)
    return Drawing(grid, codes)


def believed(story: Story, grid: Grid, i: int, truth: Any) -> Picture:
    """What is believed of each cell that was seen; truth: to be told of the others."""
    return terrain(grid.array(story.belief(i) == 0), grid.array(story.seen(i)), truth)


def ends(story: Story, grid: Grid, codes: Picture, i: int) -> None:
    """Mark start and goal."""
    codes[story.start] = START
    mark(codes, cells_of(grid, story[i].goals[:MANY]), GOAL)


def gif_of(story: Story, path: str | Path, step: Callable[[str], None]) -> None:
    """The whole story as an animation. Raises InputError and MissingExtra."""
    check_gif_name(path)
    need_pillow()
    grid = grid_of(story.space, "a story")
    numbers = frame_numbers(len(story))
    walked = cells_of(grid, story.states())
    last = _frame(story, grid, len(story) - 1, walked)[0]
    codes = [UNSEEN, HIDDEN, FREE, BLOCKED, EXPANDED, AHEAD, PATH, START, GOAL, AGENT]
    if story.all_seen:
        codes = codes[2:]
    frames = (_frame(story, grid, i, walked) for i in numbers)
    write_gif(path, grid, frames, last, len(numbers), codes, step)


def _frame(story: Story, grid: Grid, i: int, walked: Any) -> tuple[Picture, str]:
    """A moment: what is believed, the last search, the way so far, the path ahead; and a line of words."""
    moment, searched = story[i], story.last_search(i)
    codes = believed(story, grid, i, grid.array(story.truth(i) == 0))
    if searched is not None and searched.episode is not None:
        mark(codes, cells_of(grid, searched.episode.order), EXPANDED)
    mark(codes, cells_of(grid, moment.path), AHEAD)
    mark(codes, walked[: i + 1], PATH)
    ends(story, grid, codes, i)
    mark(codes, cells_of(grid, [moment.state]), AGENT)
    words = f"{story.planner_name}: step {moment.step:,}, {moment.counts.expansions:,} expansions"
    return codes, words + (f" ({moment.why})" if moment.why else "")


def page_of(story: Story, step: Callable[[str], None]) -> str:
    """The page that plays a story. Raises InputError."""
    grid_of(story.space, "a story")
    made: str = import_module(PAGES).page_of([story], step)
    return made


def shown_in_notebook(story: Story) -> str | None:
    """A page in a frame, for a story on a grid that has been told, and is not too long."""
    if not isinstance(story.space, Grid) or not 0 < len(story) <= NOTEBOOK_MOMENTS:
        return None
    made: str = import_module(PAGES).in_frame(page_of(story, lambda word: None))
    return made
