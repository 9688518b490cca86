"""What an agent knew, searched and learned, step by step: a trip on a small grid, taken apart for drawing.

The agent is the same as in every trip; after each of its searches the planner's `snapshot` is kept.

>>> import numpy as np, replan
>>> blocked = np.array([[0, 0, 0], [0, 1, 0]], bool)
>>> moments = trace(replan.planner("RTAA*", lookahead=1), blocked, (1, 0), (1, 2))
>>> [moment.at for moment in moments]
[(1, 0), (0, 0), (0, 1), (0, 2), (1, 2)]
>>> search = searches(moments)[0]
>>> int(search.h[1, 0]), int(search.h_after[1, 0]), search.expansions
(2, 4, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from replan.experiments.grid_cells import Cell, cells_beside
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.spaces.grid import Grid

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class TracedSearch:
    """One search. Its arrays have the grid's shape; costs are in steps, and -1 where the search has no value.

    at: where the agent is. root: where the search began, the goal if it goes backward. h, h_after: before and after
    learning. parent: the number (row * columns + column) of the cell that the tree pointer leads to, towards the root.
    path: the cells to walk, without `at`. learns: does the planner change h at all?
    """

    at: Cell
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
        """The cell that a generated cell's tree pointer leads to; None for the root and cells not generated."""
        number = int(self.parent[cell])
        if number < 0 or cell == self.root:
            return None
        row, col = divmod(number, self.parent.shape[1])
        return row, col


@dataclass(frozen=True, eq=False)
class Moment:
    """A step of time: where the agent is, what it believes blocked and has seen, its path, and its search, if any."""

    at: Cell
    blocked: Array
    seen: Array
    path: list[Cell]
    search: TracedSearch | None


def trace(planner: Planner, blocked: Array, start: Cell, goal: Cell, max_moves: int = 1000) -> list[Moment]:
    """Walk from start to goal on a 4-connected grid that is unknown at first, seeing the four cells around."""
    belief = Grid(np.zeros(blocked.shape, bool), neighbors=4)
    agent = Agent(planner, belief, start, goal)
    seen = np.zeros(blocked.shape, bool)
    seen[goal] = True  # known to be free
    moments: list[Moment] = []
    while len(moments) <= max_moves:
        seen[tuple(np.transpose([agent.cell, *look_around(agent, blocked)]))] = True
        episodes, expansions, h = agent.episodes, planner.expansions, _learned(planner, belief)
        path = agent.plan()
        search = None
        if agent.episodes > episodes:
            search = _record(agent, belief, h, path or [], goal, planner.expansions - expansions)
        moments.append(Moment(agent.cell, belief.blocked.copy(), seen.copy(), path or [], search))
        if not path:  # arrived, or there is no way
            break
        agent.move(path[0])
    return moments


def searches(moments: list[Moment]) -> list[TracedSearch]:
    """The searches of a trip."""
    return [moment.search for moment in moments if moment.search is not None]


def look_around(agent: Agent, blocked: Array) -> list[Cell]:
    """Show the agent the cells beside it, and return them."""
    beside = cells_beside(agent.cell, blocked.shape)
    agent.observe(beside, [bool(blocked[cell]) for cell in beside])
    return beside


def _learned(planner: Planner, belief: Grid) -> Array:
    """The h-values that a planner has, -1 for cells that it has not met yet."""
    return np.array(belief.array(planner.snapshot()["h"]), np.int64)


def _record(agent: Agent, belief: Grid, known: Array, path: list[Cell], goal: Cell, expansions: int) -> TracedSearch:
    planner, shot = agent.planner, agent.planner.snapshot()
    g = np.array(belief.array(shot["g"]), np.int64)
    backward = bool(g[goal] == 0)  # the search has begun at the goal
    root, towards = (goal, agent.cell) if backward else (agent.cell, goal)
    first = _distances(belief, towards)
    # a backward search heads for the agent, which has moved: the h-values of the search before are of no use to it
    h = first if backward else np.where(known >= 0, known, first)
    after = _learned(planner, belief)
    return TracedSearch(
        at=agent.cell,
        root=root,
        g=g,
        h=h,
        h_after=np.where(after >= 0, after, h),
        closed=np.array(belief.array(shot["closed"]), bool),
        parent=_as_numbers(belief, np.array(belief.array(shot["parent"]))),
        path=path,
        expansions=expansions,
        learns=hasattr(planner, "learning"),
    )


def _as_numbers(grid: Grid, states: Array) -> Array:
    """States as the numbers of their cells (row * columns + column); -1 stays."""
    rows, cols = np.transpose([grid.key(max(0, int(s))) for s in states.ravel()])
    return np.where(states >= 0, (rows * grid.cols + cols).reshape(states.shape), -1)


def _distances(grid: Grid, to: Cell) -> Array:
    """The Manhattan distances of all cells to one."""
    rows, cols = np.indices(grid.shape)
    return np.abs(rows - to[0]) + np.abs(cols - to[1])
