"""Trace a trip on a small grid: belief, search and learned h-values of the agent in each step, as arrays of cells.

>>> import numpy as np, replan
>>> blocked = np.array([[0, 0, 0], [0, 1, 0]], bool)
>>> steps = trace_trip(replan.planner("RTAA*", lookahead=1), blocked, (1, 0), (1, 2))
>>> [step.position for step in steps]
[(1, 0), (0, 0), (0, 1), (0, 2), (1, 2)]
>>> search = searches_of(steps)[0]
>>> int(search.h[1, 0]), int(search.h_after[1, 0]), search.expansions
(2, 4, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from replan.experiments.runs import Cell
from replan.planners.base import Planner
from replan.simulation import steps as story_steps
from replan.simulation.watching import LiveStory, watch
from replan.spaces.grid import Grid
from replan.worlds.world import World

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class TracedSearch:
    """One search. Its arrays have the grid's shape; costs are in steps, and -1 where the search has no value.

    position: cell of the agent. root: cell where the search began, the goal for a backward search. h, h_after: h-values
    before and after learning. parent: number (row * columns + column) of the cell that the tree pointer leads to,
    towards the root. path: the cells to walk, without `position`. learns: True if the planner changes h-values.
    """

    position: Cell
    root: Cell
    g: Array
    h: Array
    h_after: Array
    closed: Array
    parent: Array
    path: list[Cell]
    expansions: int
    learns: bool

    @property
    def f(self) -> Array:
        return np.where(self.g >= 0, self.g + self.h, -1)

    def tree_parent(self, cell: Cell) -> Cell | None:
        """Return the cell that a cell's tree pointer leads to; None for the root and cells that were not generated."""
        number = int(self.parent[cell])
        if number < 0 or cell == self.root:
            return None
        row, col = divmod(number, self.parent.shape[1])
        return row, col


@dataclass(frozen=True, eq=False)
class TracedStep:
    """A step of time: position, believed blocked cells, seen cells, path, and search (None if there was none)."""

    position: Cell
    blocked: Array
    seen: Array
    path: list[Cell]
    search: TracedSearch | None


def trace_trip(planner: Planner, blocked: Array, start: Cell, goal: Cell, max_moves: int = 1000) -> list[TracedStep]:
    """Trace a trip on a 4-connected grid that is unknown at first. The agent sees the four cells around it."""
    story = watch(World(Grid(blocked, neighbors=4)), planner, start, goal, max_moves, record_arrays=True)
    return [_traced_step(story, step, goal) for step in story]


def searches_of(steps: list[TracedStep]) -> list[TracedSearch]:
    """Return the searches of a trip."""
    return [step.search for step in steps if step.search is not None]


def _traced_step(story: LiveStory, step: story_steps.StoryStep, goal: Cell) -> TracedStep:
    grid = story.space
    assert isinstance(grid, Grid)
    arrays = story.seen(step.index), story.belief(step.index) == 0
    seen, blocked = (grid.to_map_shape(values).copy() for values in arrays)
    seen[goal] = True  # it is known to be free
    position, path = grid.key(step.state), grid.keys(step.path)
    search = None if step.episode is None else _search(story, grid, step.episode, position, path, goal)
    return TracedStep(position, blocked, seen, path, search)


def _search(
    story: LiveStory, grid: Grid, episode: story_steps.Episode, position: Cell, path: list[Cell], goal: Cell
) -> TracedSearch:
    arrays = {name: grid.to_map_shape(values) for name, values in (episode.arrays or {}).items()}
    g = arrays["g"]
    backward = bool(g[goal] == 0)  # the search has begun at the goal
    root, target = (goal, position) if backward else (position, goal)
    initial_h = _distances(grid, target)
    h = np.where(arrays["h_before"] >= 0, arrays["h_before"], initial_h)
    return TracedSearch(
        position=position,
        root=root,
        g=g,
        h=h,
        h_after=np.where(arrays["h"] >= 0, arrays["h"], h),
        closed=arrays["closed"],
        parent=_as_numbers(grid, arrays["parent"]),
        path=path,
        expansions=episode.expansions,
        learns=hasattr(story.planner, "learning"),
    )


def _as_numbers(grid: Grid, states: Array) -> Array:
    """Return states as the numbers of their cells (row * columns + column); -1 stays."""
    rows, cols = np.divmod(states, grid.cols + 2)
    return np.where(states >= 0, (rows - 1) * grid.cols + cols - 1, -1)


def _distances(grid: Grid, target: Cell) -> Array:
    """Return the Manhattan distances of all cells to a cell."""
    rows, cols = np.indices(grid.shape)
    return np.abs(rows - target[0]) + np.abs(cols - target[1])
