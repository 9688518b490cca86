"""The worked examples of RTAA* 2006 and of the course project as figures, searched by the real planners.

The drawing of Figure 8 of the course project is not in the text that we have: its agent at E2 and its target at E5 are
known, the blocked cells that the agent does not know of (D4 and E4) are ours, and do not matter for the first move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from replan.errors import InputError
from replan.experiments.planner_names import NamedPlanner, make_experiment_planner
from replan.papers.common import grid_drawing
from replan.papers.common.grid_cells import cell_from_name, cell_name
from replan.papers.common.tracing import Array, TracedSearch, TracedStep, searches_of, trace_trip


@dataclass(frozen=True)
class SmallWorld:
    """A 5 x 5 world: blocked cells, start and goal by their names."""

    blocked: str
    start: str
    goal: str

    @cached_property
    def blocked_array(self) -> Array:
        blocked = np.zeros((5, 5), bool)
        for name in self.blocked.split():
            blocked[cell_from_name(name)] = True
        return blocked


@dataclass(frozen=True)
class Example:
    """A planner in a small world, and what its paper says of it.

    figure: which figure it is, as in "RTAA* 2006, Figure 4"; empty if it is of no paper. tree: draw all tree pointers,
    not the path. drawn: how many searches the figure shows, None for all of them. paper_expansions: of those searches
    together. paper_moves: of the trip.
    """

    figure: str
    description: str
    world: SmallWorld
    planner: str
    options: dict[str, Any] = field(default_factory=dict)
    draws_tree: bool = False
    drawn_searches: int | None = None
    paper_expansions: int | None = None
    paper_moves: int | None = None

    @property
    def title(self) -> str:
        return f"{self.figure}: {self.description}" if self.figure else self.description

    @cached_property
    def steps(self) -> list[TracedStep]:
        planner = make_experiment_planner(self.planner, dict(self.options), seed=0)
        try:
            return trace_trip(
                planner, self.world.blocked_array, cell_from_name(self.world.start), cell_from_name(self.world.goal)
            )
        except KeyError as missing:
            why = f"its snapshot() has no {missing}, so its searches cannot be drawn"
            raise InputError(f"{self.planner}: {why}") from None

    @property
    def shown_searches(self) -> list[TracedSearch]:
        return searches_of(self.steps)[: self.drawn_searches]

    @property
    def expansions(self) -> list[int]:
        return [search.expansions for search in self.shown_searches]

    @property
    def moves(self) -> int:
        return len(self.steps) - 1


RTAA_WORLD = SmallWorld("C3 D3 E4", "E3", "E5")
FIRST_WORLD = SmallWorld("B3 C3 D3 E4", "E3", "E5")
SECOND_WORLD, THIRD_WORLD = SmallWorld("D4 E4", "E2", "E5"), SmallWorld("", "A1", "E5")


def _rtaa_example(figure: int, about: str, planner: str, expansions: int, moves: int, **options: Any) -> Example:
    name = f"RTAA* 2006, Figure {figure}"
    return Example(name, about, RTAA_WORLD, planner, options, paper_expansions=expansions, paper_moves=moves)


def _course_example(
    figure: int, about: str, world: SmallWorld, planner: str, drawn: int, expansions: int | None = None, **options: Any
) -> Example:
    name = f"Course project, Figure {figure}"
    return Example(
        name, about, world, planner, options, draws_tree=True, drawn_searches=drawn, paper_expansions=expansions
    )


FORWARD = "Repeated Forward A*"
EXAMPLES = {
    "rtaa-2006-figure-4": _rtaa_example(4, "Forward A* searches", FORWARD, 23, 10),
    "rtaa-2006-figure-5": _rtaa_example(5, "RTAA*, unlimited lookahead", "RTAA*", 20, 10, lookahead=None),
    "rtaa-2006-figure-6": _rtaa_example(
        6, "LSS-LRTA* (the paper's LRTA*), unlimited lookahead", "LSS-LRTA*", 19, 10, lookahead=None
    ),
    "rtaa-2006-figure-7": _rtaa_example(7, "RTAA*, lookahead 4", "RTAA*", 17, 12, lookahead=4),
    "course-project-figure-5": _course_example(5, FORWARD, FIRST_WORLD, FORWARD, 2, 23),
    "course-project-figure-6": _course_example(6, "Repeated Backward A*", FIRST_WORLD, "Repeated Backward A*", 2),
    "course-project-figure-7": _course_example(7, "Adaptive A*", FIRST_WORLD, "Adaptive A*", 2, 20),
    "course-project-figure-8": _course_example(8, "second example, first search", SECOND_WORLD, FORWARD, 1),
    "course-project-figure-9": _course_example(9, "third example, larger g first", THIRD_WORLD, FORWARD, 1),
    "course-project-figure-9-smaller-g": _course_example(
        9, "third example, smaller g first", THIRD_WORLD, FORWARD, 1, prefer="smaller g"
    ),
}


def panels(down: int, across: int, side: float = 2.9) -> list[Any]:
    """The axes of a new figure, row by row. Their places are plain fractions: no layout has to be computed."""
    figure = Figure(figsize=(side * across, side * down))
    figure.subplots_adjust(left=0.3 / across / side, right=0.99, top=1 - 0.3 / down / side, bottom=0.25 / down / side)
    figure.subplots_adjust(wspace=0.18, hspace=0.3)
    return list(figure.subplots(down, across, squeeze=False).flat)


def draw_example(example: Example) -> Figure:
    """All searches of an example side by side, at most three in a row."""
    across = min(3, len(example.shown_searches))
    down = -(-len(example.shown_searches) // across)
    axes = panels(down, across)
    search_steps = [moment for moment in example.steps if moment.search is not None]
    for i, search in enumerate(example.shown_searches):
        ax = axes[i]
        grid_drawing.draw_search(
            ax, search, search_steps[i].blocked, cell_from_name(example.world.goal), i + 1, example.draws_tree
        )
        plural = "" if search.expansions == 1 else "s"
        label = f"search {i + 1} at {cell_name(search.position)}: {search.expansions} expansion{plural}"
        ax.set_xlabel(label, fontsize=8)
    return _hide_unused(axes, len(example.shown_searches))


def _hide_unused(axes: list[Any], used: int) -> Figure:
    """The figure, without the panels that nothing was drawn into."""
    for ax in axes[used:]:
        ax.set_axis_off()
    figure: Figure = axes[0].figure
    return figure


def draw_world(world: SmallWorld) -> Figure:
    """Figure 3 of RTAA* 2006: the world, and the h-value of each cell."""
    (ax,) = panels(1, 1)
    goal = np.array(cell_from_name(world.goal))
    h = {cell: {"h": int(np.abs(goal - cell).sum())} for cell in np.ndindex(5, 5) if not world.blocked_array[cell]}
    grid_drawing.draw_grid(ax, world.blocked_array)
    grid_drawing.draw_numbers(ax, h)
    grid_drawing.draw_letter(ax, cell_from_name(world.start), "start")
    grid_drawing.draw_letter(ax, cell_from_name(world.goal), "goal")
    return _hide_unused([ax], 1)


def draw_initial_knowledge() -> Figure:
    """Figure 2 of the course project: the world, and what the agent knows of it at first."""
    truth, known = panels(1, 2)
    first = EXAMPLES["course-project-figure-5"].steps[0]
    _draw_truth(truth, FIRST_WORLD, first, title="the world")
    _draw_known(known, FIRST_WORLD, first, title="what is known at first")
    return _hide_unused([truth, known], 2)


def draw_trajectory() -> Figure:
    """Figure 3 of the course project: at each step the world, what is known of it, and the presumed path."""
    moments = EXAMPLES["course-project-figure-5"].steps
    down = -(-len(moments) // 2)
    axes = panels(down, 6, side=2.0)
    for i, moment in enumerate(moments):
        truth, known, presumed = axes[3 * i : 3 * i + 3]
        _draw_truth(truth, FIRST_WORLD, moment, title=f"step {i + 1}")
        _draw_known(known, FIRST_WORLD, moment, title="known")
        grid_drawing.draw_grid(presumed, moment.blocked)
        grid_drawing.draw_path(presumed, [moment.position, *moment.path], bold=moment.search is not None)
        grid_drawing.draw_agent(presumed, moment.position, cell_from_name(FIRST_WORLD.goal))
        presumed.set_xlabel("presumed; a new search" if moment.search else "presumed", fontsize=8)
    return _hide_unused(axes, 3 * len(moments))


def _draw_truth(ax: Any, world: SmallWorld, moment: TracedStep, title: str = "") -> None:
    grid_drawing.draw_grid(ax, world.blocked_array)
    grid_drawing.draw_agent(ax, moment.position, cell_from_name(world.goal))
    ax.set_xlabel(title, fontsize=8)


def _draw_known(ax: Any, world: SmallWorld, moment: TracedStep, title: str = "") -> None:
    grid_drawing.draw_grid(ax, moment.blocked, np.where(moment.seen, "", grid_drawing.UNKNOWN_COLOR))
    grid_drawing.draw_agent(ax, moment.position, cell_from_name(world.goal))
    ax.set_xlabel(title, fontsize=8)


TitledDrawing = tuple[str, Callable[[], Figure]]  # its title, and what draws it


def drawings(examples: dict[str, Example]) -> dict[str, TitledDrawing]:
    """A figure for each example, by the same name."""
    return {name: (example.title, partial(draw_example, example)) for name, example in examples.items()}


def paper_drawings() -> dict[str, TitledDrawing]:
    """All figures of both papers, by name, paper after paper in the papers' order."""
    searches = drawings(EXAMPLES)
    of_rtaa = {name: searches[name] for name in EXAMPLES if name.startswith("rtaa")}
    return {
        "rtaa-2006-figure-3": ("RTAA* 2006, Figure 3: the example", partial(draw_world, RTAA_WORLD)),
        **of_rtaa,
        "course-project-figure-2": (
            "Course project, Figure 2: the first example and what is known of it",
            draw_initial_knowledge,
        ),
        "course-project-figure-3": ("Course project, Figure 3: the trajectory", draw_trajectory),
        **searches,
    }


def user_planner_examples(planners: Sequence[NamedPlanner]) -> dict[str, Example]:
    """Planners that the user named, in the world of RTAA* 2006."""
    return {
        f"named-{i}": Example("", planner.label, RTAA_WORLD, planner.name, planner.options)
        for i, planner in enumerate(planners, start=1)
    }
