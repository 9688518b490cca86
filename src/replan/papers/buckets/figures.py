"""Figures 1 and 2 of buckets 2006, drawn on a small world of our own, since the paper does not give its data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.sparse import csgraph, lil_array

from replan.experiments.plots import new_figure
from replan.experiments.runs import Cell
from replan.limits import KEY_UPDATED
from replan.maps.generators import maze
from replan.papers.common.grid_drawing import EXPANDED_COLOR, PATH_COLOR, draw_agent, draw_grid
from replan.papers.common.tracing import Array, TracedStep, trace_trip
from replan.planners.registry import planner
from replan.simulation.agent import Agent
from replan.simulation.watching import watch
from replan.spaces.grid import Grid
from replan.worlds.world import World

SIZE = 11
START, GOAL = (SIZE - 1, 2), (0, SIZE - 1)
MAX_PANELS = 8  # Figure 1 shows so many searches, the first ones
SEARCH_NUMBER = 6  # Figure 2 shows this search (counted from 1) and the next


def world() -> Array:
    """Return the terrain of both figures."""
    return maze(SIZE, SIZE, openings=8, seed=13)


def figure_1() -> Figure:
    """Draw the terrain, and the belief and path of the agent at each of its searches."""
    steps = trace_trip(planner("Repeated Backward A*"), world(), START, GOAL)
    search_steps = [i for i, moment in enumerate(steps) if moment.search is not None]
    ends = [*search_steps[1:], len(steps) - 1][:MAX_PANELS]
    search_steps, across = search_steps[:MAX_PANELS], 3
    down = -(-(len(search_steps) + 1) // across)
    figure = new_figure(2.6 * across, 2.7 * down)
    axes = figure.add_subplot(down, across, 1)
    draw_grid(axes, world())
    draw_agent(axes, START, GOAL)
    for panel, (first, last) in enumerate(zip(search_steps, ends, strict=True), start=2):
        axes = figure.add_subplot(down, across, panel)
        _draw_plan(axes, steps[first], [moment.position for moment in steps[first : last + 1]])
    return figure


def _draw_plan(axes: Any, moment: TracedStep, walked: list[Cell]) -> None:
    draw_grid(axes, moment.blocked)
    _line(axes, [moment.position, *moment.path], 0.9)
    _line(axes, walked, 3)
    draw_agent(axes, moment.position, GOAL)


def _line(axes: Any, path: list[Cell], width: float) -> None:
    axes.plot([c + 0.5 for _, c in path], [r + 0.5 for r, _ in path], color=PATH_COLOR, linewidth=width)


@dataclass(frozen=True)
class ExpansionCounts:
    """Numbers of free cells in the second of two searches.

    changed: cells whose goal distance has changed. backward, d_star_lite: cells that each search expands. in_both:
    cells that have changed and that Backward A* expands. outside_both: cells that D* Lite expands, and that are not in
    both. blocked: blocked cells that D* Lite expands, since their goal distance has become infinite.
    """

    changed: int
    backward: int
    in_both: int
    d_star_lite: int
    outside_both: int
    blocked: int


def figure_2() -> tuple[Figure, ExpansionCounts]:
    """Draw two consecutive searches. Return the figure, and the expansions of each planner in the second search."""
    both = two_searches(SEARCH_NUMBER)
    after = both.second_blocked
    backward = _backward_expansions(after, both.second_position)
    first, second = (goal_distances(blocked) for blocked in (both.first_blocked, after))
    changed, lite = (first != second) & ~after, both.expanded & ~after
    figure = new_figure(10.4, 2.9)
    panels = [(both.first_blocked, first, None), (after, second, changed), (after, None, backward)]
    panels.append((after, None, lite))
    titles = ["goal distances", "next search: changed in grey", "Backward A*", "D* Lite"]
    for i, ((blocked, numbers, grey), title) in enumerate(zip(panels, titles, strict=True)):
        axes = figure.add_subplot(1, 4, i + 1)
        draw_grid(axes, blocked, None if grey is None else np.where(grey, EXPANDED_COLOR, ""))
        axes.set_title(title, fontsize=9)
        if numbers is not None:
            _draw_distances(axes, numbers, blocked)
        draw_agent(axes, both.first_position if i == 0 else both.second_position, GOAL)
    found = (changed, backward, changed & backward, lite, lite & ~(changed & backward), both.expanded & after)
    return figure, ExpansionCounts(*(int(cells.sum()) for cells in found))


def _draw_distances(axes: Any, numbers: Array, blocked: Array) -> None:
    for row, col in np.argwhere(~blocked & np.isfinite(numbers)).tolist():
        if (row, col) != GOAL:
            axes.text(col + 0.5, row + 0.5, f"{numbers[row, col]:.0f}", ha="center", va="center", fontsize=5.5)


def goal_distances(blocked: Array) -> Array:
    """Return the number of steps to the goal of each cell."""
    rows, cols = blocked.shape
    edges = lil_array((rows * cols, rows * cols))
    for row, col in np.argwhere(~blocked).tolist():
        for r, c in ((row, col + 1), (row + 1, col)):
            if r < rows and c < cols and not blocked[r, c]:
                edges[row * cols + col, r * cols + c] = edges[r * cols + c, row * cols + col] = 1
    found = csgraph.dijkstra(edges.tocsr(), indices=GOAL[0] * cols + GOAL[1], unweighted=True)
    return np.asarray(found).reshape(blocked.shape)


@dataclass(frozen=True, eq=False)
class TwoSearches:
    """Two consecutive searches of D* Lite: positions, believed blocked cells, and the expansions of the second."""

    first_position: Cell
    first_blocked: Array
    second_position: Cell
    second_blocked: Array
    expanded: Array


def two_searches(number: int) -> TwoSearches:
    """Return search `number`, counted from 1, and the next one, which must exist."""
    grid = Grid(world(), neighbors=4)
    story = watch(World(grid), "D* Lite", START, GOAL)
    first, second = [moment for moment in story if moment.episode is not None][number - 1 : number + 1]
    positions, blocked = zip(
        *((grid.key(m.state), grid.to_map_shape(story.belief(m.index) == 0)) for m in (first, second)), strict=True
    )
    expanded = np.zeros(grid.n, bool)
    assert second.episode is not None and second.episode.kinds is not None
    expanded[second.episode.expanded_states[second.episode.kinds != KEY_UPDATED]] = True
    return TwoSearches(positions[0], blocked[0], positions[1], blocked[1], grid.to_map_shape(expanded))


def _backward_expansions(blocked: Array, at: Cell) -> Array:
    """Return the cells that Backward A* expands from the goal to the agent."""
    belief = Grid(blocked, neighbors=4)
    search = planner("Repeated Backward A*")
    Agent(search, belief, at, GOAL).plan()
    return np.array(belief.to_map_shape(search.snapshot()["closed"]), bool)
