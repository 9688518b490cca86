"""Small grids drawn as the papers draw them: g, f, h and the learned h in the corners of each cell.

Upper left g, upper right f, lower left h, lower right h after learning. Black cells are blocked as far as is known,
grey ones expanded; the disc is the agent, G the goal. Each number has an id such as `2-E3-g` (panel 2, cell E3, g), by
which it can be found in an SVG file.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from replan.experiments.runs import Cell
from replan.papers.common.grid_cells import cell_name
from replan.papers.common.tracing import Array, TracedSearch

NUMBER_POSITIONS = {"g": (0.07, 0.07, "left", "top"), "f": (0.93, 0.07, "right", "top")}
NUMBER_POSITIONS |= {"h": (0.07, 0.93, "left", "bottom"), "h-after": (0.93, 0.93, "right", "bottom")}
BLOCKED_COLOR, EXPANDED_COLOR, UNKNOWN_COLOR, FREE_COLOR = "#000000", "#c8c8c8", "#8f8f8f", "#ffffff"
LINE_COLOR, RAISED_COLOR, PATH_COLOR = "#000000", "#b00020", "#1f5fa8"


def cell_numbers(search: TracedSearch, blocked: Array) -> dict[Cell, dict[str, int]]:
    """Return the numbers of each cell: h, g and f if it was generated, and the learned h if it was expanded."""
    numbers: dict[Cell, dict[str, int]] = {}
    for row, col in np.argwhere(~blocked).tolist():
        cell = (row, col)
        values = {"h": search.h[cell]}
        if search.g[cell] >= 0:
            values |= {"g": search.g[cell], "f": search.f[cell]}
        if search.learns and search.closed[cell]:
            values["h-after"] = search.h_after[cell]
        numbers[cell] = {corner: int(value) for corner, value in values.items()}
    return numbers


def draw_grid(ax: Any, blocked: Array, shades: Array | None = None) -> None:
    """Draw the cells, with letters and numbers along the edges. shades: colours of free cells; "" is white."""
    rows, cols = blocked.shape
    colors = np.where(
        blocked, BLOCKED_COLOR, FREE_COLOR if shades is None else np.where(shades == "", FREE_COLOR, shades)
    )
    faces = colors[:, :, None] == np.array([BLOCKED_COLOR, EXPANDED_COLOR, UNKNOWN_COLOR, FREE_COLOR])
    shade = faces.argmax(axis=2)
    ax.pcolormesh(shade, cmap=_colors(), vmin=-0.5, vmax=3.5, edgecolors=LINE_COLOR, linewidth=0.8)
    ax.set(xlim=(-0.02, cols + 0.02), ylim=(rows + 0.02, -0.02), aspect="equal")
    ax.set_xticks(np.arange(cols) + 0.5, [str(col + 1) for col in range(cols)])
    ax.set_yticks(np.arange(rows) + 0.5, [cell_name((row, 0))[0] for row in range(rows)])
    ax.tick_params(length=0, labelsize=8, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.grid(visible=False)


def _colors() -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap([BLOCKED_COLOR, EXPANDED_COLOR, UNKNOWN_COLOR, FREE_COLOR])


def draw_numbers(ax: Any, numbers: dict[Cell, dict[str, int]], panel: int = 1) -> None:
    """Draw numbers in the corners of their cells; a learned h that has increased is red."""
    for (row, col), corners in numbers.items():
        for corner, value in corners.items():
            x, y, across, up = NUMBER_POSITIONS[corner]
            raised = corner == "h-after" and value > corners["h"]
            style = {"color": RAISED_COLOR, "fontweight": "bold"} if raised else {"color": LINE_COLOR}
            text = ax.text(col + x, row + y, str(value), ha=across, va=up, fontsize=7, **style)
            text.set_gid(f"{panel}-{cell_name((row, col))}-{corner}")


def draw_agent(ax: Any, position: Cell, goal: Cell) -> None:
    ax.plot([position[1] + 0.5], [position[0] + 0.5], "o", color=LINE_COLOR, markersize=6, zorder=4)
    if position != goal:
        draw_letter(ax, goal, "G")


def draw_letter(ax: Any, cell: Cell, letter: str) -> None:
    ax.text(cell[1] + 0.5, cell[0] + 0.5, letter, ha="center", va="center", fontsize=9, fontweight="bold", zorder=5)


def draw_path(ax: Any, path: list[Cell], bold: bool = True) -> None:
    """Draw arrows along a path."""
    draw_arrows(ax, pairwise(path), color=PATH_COLOR, width=1.8 if bold else 0.8)


def draw_tree(ax: Any, search: TracedSearch) -> None:
    """Draw the tree pointers, from each generated cell to its parent."""
    ends = ((cell, search.tree_parent(cell)) for cell in np.ndindex(*search.g.shape))
    draw_arrows(ax, ((a, b) for a, b in ends if b is not None), color=PATH_COLOR, width=0.8)


def draw_arrows(ax: Any, pairs: Iterable[tuple[Any, Any]], color: str, width: float) -> None:
    """Draw arrows from cell to cell, as a single Matplotlib object, which is much faster than one for each arrow."""
    ends = np.array(list(pairs), float).reshape(-1, 2, 2)[:, :, ::-1] + 0.5  # columns are x
    step = ends[:, 1] - ends[:, 0]
    tail = ends[:, 0] + 0.2 * step
    shape = {"width": 0.022 * width, "headwidth": 2 + 3 / width, "headlength": 2 + 3 / width, "headaxislength": 4}
    in_cells = {"angles": "xy", "scale_units": "xy", "scale": 1, "units": "x"}
    ax.quiver(*tail.T, *(0.6 * step).T, color=color, zorder=3, **in_cells, **shape)


def draw_search(ax: Any, search: TracedSearch, blocked: Array, goal: Cell, panel: int = 1, tree: bool = False) -> None:
    """Draw a search: its cells, its numbers, and the path. tree: draw all tree pointers instead of the path."""
    draw_grid(ax, blocked, np.where(search.closed, EXPANDED_COLOR, ""))
    draw_numbers(ax, cell_numbers(search, blocked), panel)
    if tree:
        draw_tree(ax, search)
    else:
        draw_path(ax, [search.position, *search.path])
    draw_agent(ax, search.position, goal)
