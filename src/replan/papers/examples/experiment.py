"""The worked examples of papers 000 and 004: the real planners' searches, drawn as the papers draw them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from replan.experiments.experiment import Experiment, Scope
from replan.experiments.grid_drawing import cell_name
from replan.experiments.report import Cell, Report
from replan.experiments.runs import Run
from replan.experiments.statistics import Mean
from replan.papers.examples.figures import EXAMPLES, FIGURES, draw_example, named

KEY = """
In each cell: g upper left, f upper right (cells that were generated), h lower left, and lower right, for planners that
learn, the h-value after learning (cells that were expanded; red where it has grown). Black: blocked, as far as is
known. Grey: expanded, and in Figures 2 and 3 of paper 004 not seen yet. The disc is the agent, G the goal. Arrows: the
planned path (paper 000), or the tree pointers from each generated cell towards the root of the search (paper 004).
"""


REMARKS = """
Paper 004's Figure 8: agent and target are the paper's, the blocked cells are ours. Figure 9 with ties towards smaller
g: 24 expansions, and 23 by the stop rule of the paper's Figure 4, which compares with g of the target.
"""


def runs(scope: Scope) -> Iterator[Run]:
    """Nothing to repeat: the examples are drawn from a trip each, which is always the same."""
    return iter(())


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    into.text(
        "Five by five cells, four neighbours, unknown at first. Ties: smaller f, then larger g, then first generated "
        "first, in the order right, down, left, up."
    )
    examples, figures = EXAMPLES, FIGURES
    if scope.planners:
        examples = named(scope.planners)
        figures = {name: (one.title, partial(draw_example, one)) for name, one in examples.items()}
    else:
        into.heading("Beside the papers")
        into.compare([cell for name in EXAMPLES for cell in _cells(name)])
    into.heading("All examples")
    rows = []
    for name, example in examples.items():
        where = ", ".join(cell_name(search.at) for search in example.shown)
        counts = ", ".join(map(str, example.expansions))
        rows.append([figures[name][0], where, counts, sum(example.expansions), example.moves])
    into.table(["", "searches at", "expansions", "in all", "moves of the trip"], rows)
    into.heading("Figures")
    into.text(KEY)
    for name in sorted(figures):
        title, draw = figures[name]
        into.plot(name, draw(), title)
    if not scope.planners:
        into.text(REMARKS)


def _cells(name: str) -> list[Cell]:
    """What a paper says of an example, beside ours: both exact."""
    example, title = EXAMPLES[name], FIGURES[name][0]
    said = [
        ("expansions", example.paper_expansions, sum(example.expansions)),
        ("moves", example.paper_moves, example.moves),
    ]
    return [
        Cell(title, measure, paper, 0.0, Mean(float(ours), 0.0, 0.0, 1))
        for measure, paper, ours in said
        if paper is not None
    ]


EXPERIMENT = Experiment("example", "The worked examples (papers 000 and 004)", 1, 1, runs, report)
