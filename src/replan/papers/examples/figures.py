"""The worked examples of papers 000 and 004 as figures, searched by the real planners.

The drawing of paper 004's Figure 8 is not in the text that we have: its agent at E2 and target at E5 are known, the
blocked cells that the agent does not know of (D4 and E4) are ours, and do not matter for the first move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from replan.errors import InputError
from replan.experiments import grid_drawing
from replan.experiments.planner_names import Entry, make_planner
from replan.experiments.tracing import Array, Cell, Moment, Search, searches, trace


def at(name: str) -> Cell:
    """The cell of a name such as E3.

    >>> at("E3")
    (4, 2)
    """
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


@dataclass(frozen=True)
class Problem:
    """A 5 x 5 world: blocked cells, start and goal by their names."""

    blocked: str
    start: str
    goal: str

    @cached_property
    def solid(self) -> Array:
        solid = np.zeros((5, 5), bool)
        for name in self.blocked.split():
            solid[at(name)] = True
        return solid


PAPER_000 = Problem("C3 D3 E4", "E3", "E5")
FIRST, SECOND, THIRD = Problem("B3 C3 D3 E4", "E3", "E5"), Problem("D4 E4", "E2", "E5"), Problem("", "A1", "E5")


@dataclass(frozen=True)
class Example:
    """A planner on a problem, and what its paper says of it: expansions in all (of the searches drawn), moves."""

    title: str
    problem: Problem
    planner: str
    options: dict[str, Any] = field(default_factory=dict)
    tree: bool = False
    drawn: int | None = None  # how many searches the figure shows; None for all
    paper_expansions: int | None = None
    paper_moves: int | None = None

    @cached_property
    def moments(self) -> list[Moment]:
        made = make_planner(self.planner, dict(self.options), seed=0)
        try:
            return trace(made, self.problem.solid, at(self.problem.start), at(self.problem.goal))
        except KeyError as missing:
            why = f"its snapshot() has no {missing}, so its searches cannot be drawn"
            raise InputError(f"{self.planner}: {why}") from None

    @property
    def shown(self) -> list[Search]:
        return searches(self.moments)[: self.drawn]

    @property
    def expansions(self) -> list[int]:
        return [search.expansions for search in self.shown]

    @property
    def moves(self) -> int:
        return len(self.moments) - 1


NO_LIMIT: dict[str, Any] = {"lookahead": None}
EXAMPLES = {
    "paper-000-figure-4": Example("Forward A* searches", PAPER_000, "Repeated Forward A*", {}, False, None, 23, 10),
    "paper-000-figure-5": Example("RTAA*, unlimited lookahead", PAPER_000, "RTAA*", NO_LIMIT, False, None, 20, 10),
    "paper-000-figure-6": Example(
        "LSS-LRTA* (the paper's LRTA*), unlimited lookahead", PAPER_000, "LSS-LRTA*", NO_LIMIT, False, None, 19, 10
    ),
    "paper-000-figure-7": Example("RTAA*, lookahead 4", PAPER_000, "RTAA*", {"lookahead": 4}, False, None, 17, 12),
    "paper-004-figure-5": Example("Repeated Forward A*", FIRST, "Repeated Forward A*", {}, True, 2, 23),
    "paper-004-figure-6": Example("Repeated Backward A*", FIRST, "Repeated Backward A*", {}, True, 2),
    "paper-004-figure-7": Example("Adaptive A*", FIRST, "Adaptive A*", {}, True, 2, 20),
    "paper-004-figure-8": Example("second example, first search", SECOND, "Repeated Forward A*", {}, True, 1),
    "paper-004-figure-9": Example("third example, larger g first", THIRD, "Repeated Forward A*", {}, True, 1),
    "paper-004-figure-9-smaller-g": Example(
        "third example, smaller g first", THIRD, "Repeated Forward A*", {"prefer": "smaller g"}, True, 1
    ),
}


def panels(down: int, across: int, side: float = 2.9) -> list[Any]:
    """The axes of a new figure, row by row. Their places are plain fractions: no layout has to be computed."""
    figure = Figure(figsize=(side * across, side * down))
    figure.subplots_adjust(left=0.3 / across / side, right=0.99, top=1 - 0.3 / down / side, bottom=0.25 / down / side)
    figure.subplots_adjust(wspace=0.18, hspace=0.3)
    return list(figure.subplots(down, across, squeeze=False).flat)


def draw_example(example: Example) -> Any:
    """All searches of an example side by side, at most three in a row."""
    across = min(3, len(example.shown))
    down = -(-len(example.shown) // across)
    axes = panels(down, across)
    searched = [moment for moment in example.moments if moment.search is not None]
    for i, search in enumerate(example.shown):
        ax = axes[i]
        grid_drawing.draw_search(ax, search, searched[i].blocked, at(example.problem.goal), i + 1, example.tree)
        plural = "" if search.expansions == 1 else "s"
        said = f"search {i + 1} at {grid_drawing.cell_name(search.at)}: {search.expansions} expansion{plural}"
        ax.set_xlabel(said, fontsize=8)
    return _finished(axes, len(example.shown))


def _finished(axes: list[Any], used: int) -> Any:
    """The figure, without the panels that nothing was drawn into."""
    for ax in axes[used:]:
        ax.set_axis_off()
    return axes[0].figure


def draw_problem(problem: Problem) -> Any:
    """Figure 3 of paper 000: the world, and the h-value of each cell."""
    (ax,) = panels(1, 1)
    goal = np.array(at(problem.goal))
    h = {cell: {"h": int(np.abs(goal - cell).sum())} for cell in np.ndindex(5, 5) if not problem.solid[cell]}
    grid_drawing.draw_grid(ax, problem.solid)
    grid_drawing.draw_numbers(ax, h)
    grid_drawing.draw_letter(ax, at(problem.start), "start")
    grid_drawing.draw_letter(ax, at(problem.goal), "goal")
    return ax.figure


def draw_knowledge() -> Any:
    """Figure 2 of paper 004: the world, and what the agent knows of it at first."""
    world, known = panels(1, 2)
    first = EXAMPLES["paper-004-figure-5"].moments[0]
    _world(world, FIRST, first, title="the world")
    _knowledge(known, FIRST, first, title="what is known at first")
    return world.figure


def draw_trajectory() -> Any:
    """Figure 3 of paper 004: at each step the world, what is known of it, and the presumed path."""
    moments = EXAMPLES["paper-004-figure-5"].moments
    down = -(-len(moments) // 2)
    axes = panels(down, 6, side=2.0)
    for i, moment in enumerate(moments):
        world, known, presumed = axes[3 * i : 3 * i + 3]
        _world(world, FIRST, moment, title=f"step {i + 1}")
        _knowledge(known, FIRST, moment, title="known")
        grid_drawing.draw_grid(presumed, moment.blocked)
        grid_drawing.draw_path(presumed, [moment.at, *moment.path], bold=moment.search is not None)
        grid_drawing.draw_agent(presumed, moment.at, at(FIRST.goal))
        presumed.set_xlabel("presumed; a new search" if moment.search else "presumed", fontsize=8)
    return _finished(axes, 3 * len(moments))


def _world(ax: Any, problem: Problem, moment: Moment, title: str = "") -> None:
    grid_drawing.draw_grid(ax, problem.solid)
    grid_drawing.draw_agent(ax, moment.at, at(problem.goal))
    ax.set_xlabel(title, fontsize=8)


def _knowledge(ax: Any, problem: Problem, moment: Moment, title: str = "") -> None:
    grid_drawing.draw_grid(ax, moment.blocked, np.where(moment.seen, "", grid_drawing.UNKNOWN))
    grid_drawing.draw_agent(ax, moment.at, at(problem.goal))
    ax.set_xlabel(title, fontsize=8)


def _of(name: str) -> Callable[[], Any]:
    return lambda: draw_example(EXAMPLES[name])


FIGURES: dict[str, tuple[str, Callable[[], Any]]] = {
    "paper-000-figure-3": ("Paper 000, Figure 3: the example", lambda: draw_problem(PAPER_000)),
    "paper-004-figure-2": ("Paper 004, Figure 2: the first example and what is known of it", draw_knowledge),
    "paper-004-figure-3": ("Paper 004, Figure 3: the trajectory", draw_trajectory),
    **{
        name: (f"{name[:9].capitalize().replace('-', ' ')}, Figure {name[17]}: {example.title}", _of(name))
        for name, example in EXAMPLES.items()
    },
}


def named(entries: Sequence[Entry]) -> dict[str, Example]:
    """Planners that the user named, in the world of paper 000."""
    made = {}
    for i, entry in enumerate(entries, start=1):
        options = ", ".join(f"{name}={value}" for name, value in entry.options.items())
        title = f"{entry.name}, {options}" if options else entry.name
        made[f"named-{i}"] = Example(title, PAPER_000, entry.name, entry.options)
    return made
