"""The worked examples of RTAA* 2006 and of the course project: the real planners' searches, drawn as in the papers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from replan.experiments.experiment import Experiment, Scope
from replan.experiments.report import PaperComparison, Report
from replan.experiments.runs import Run
from replan.experiments.statistics import Estimate
from replan.papers.common.grid_cells import cell_name
from replan.papers.examples.figures import EXAMPLES, Example, drawings, paper_drawings, user_planner_examples

LEGEND = """
In each cell: g upper left, f upper right (cells that were generated), h lower left, and lower right, for planners that
learn, the h-value after learning (cells that were expanded; red where it has grown). Black: blocked, as far as is
known. Grey: expanded, and in Figures 2 and 3 of the course project not seen yet. The disc is the agent, G the goal.
Arrows: the planned path (RTAA* 2006), or the tree pointers from each generated cell towards the root of the search
(course project).
"""

REMARKS = """
Figure 8 of the course project: agent and target are the paper's, the blocked cells are ours. Figure 9 with ties towards
smaller g: 24 expansions, and 23 by the stop rule of its Figure 4, which compares with g of the target.
"""


def runs(scope: Scope) -> Iterator[Run]:
    """Nothing to repeat: the examples are drawn from a trip each, which is always the same."""
    return iter(())


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    report.heading("What was run")
    report.text(
        "Five by five cells, four neighbours, unknown at first. Ties: smaller f, then larger g, then first generated "
        "first, in the order right, down, left, up."
    )
    if scope.planners:
        examples = user_planner_examples(scope.planners)
        figures = drawings(examples)
    else:
        examples, figures = EXAMPLES, paper_drawings()
        report.heading("Beside the papers")
        report.compare_with_paper(
            [comparison for example in EXAMPLES.values() for comparison in _beside_paper(example)]
        )
    report.heading("All examples")
    rows = []
    for example in examples.values():
        where = ", ".join(cell_name(search.position) for search in example.shown_searches)
        counts = ", ".join(map(str, example.expansions))
        rows.append([example.title, where, counts, sum(example.expansions), example.moves])
    report.table(["", "searches at", "expansions", "in all", "moves of the trip"], rows)
    report.heading("Figures")
    report.text(LEGEND)
    for name, (title, draw) in figures.items():
        report.plot(name, draw(), title)
    if not scope.planners:
        report.text(REMARKS)


def _beside_paper(example: Example) -> list[PaperComparison]:
    """What a paper says of an example, beside ours: both exact."""
    figures = [
        ("expansions", example.paper_expansions, sum(example.expansions)),
        ("moves", example.paper_moves, example.moves),
    ]
    return [
        PaperComparison(example.title, measure, paper, 0.0, Estimate(float(ours), 0.0, 0.0, 1))
        for measure, paper, ours in figures
        if paper is not None
    ]


TITLE = "The worked examples of RTAA* 2006 and of the course project"
EXPERIMENT = Experiment("example", TITLE, default_sample=1, full_sample=1, runs=runs, report=report)
