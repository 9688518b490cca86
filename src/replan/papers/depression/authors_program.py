"""Percolations as a program by an author of depression avoidance 2011 counts them, beside those of the paper's text.

It does three things that the paper does not say: RTAA* takes the best state out of the heap before it learns,
neighbours are generated in circular order, and entries of the heap with equal keys do not move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from replan.experiments import tables
from replan.experiments.experiment import AUTHORS_PROGRAM, PAPER_TEXT
from replan.experiments.map_problems import random_map_problems
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import Report
from replan.experiments.runs import MapSource, Run
from replan.experiments.tables import PaperRow, TripsByRow
from replan.papers.depression.columns import ARTAA, COLUMNS, DARTAA, RTAA, SELECTED_LOOKAHEADS
from replan.papers.depression.maps import PAPER_CASES
from replan.spaces.grid import Grid

PERCOLATIONS = {"percolations_per_episode": COLUMNS["percolations_per_episode"]}


def with_circular_order(source: MapSource) -> Grid:
    """The same map, its neighbours in circular order."""
    grid = source.grid()
    return Grid(grid.blocked, grid.neighbors, grid.weights, grid.corners, grid.walls_between, order="circular")


def authors_runs(maps: Sequence[MapSource], sample: int) -> Iterator[Run]:
    circular = [MapSource(with_circular_order, (source,), name=source.name) for source in maps]
    for name in (RTAA, ARTAA, DARTAA):
        options: dict[str, Any] = {"choosing": "taken"} if name == RTAA else {}
        rows = tables.table_rows([NamedPlanner(name, {})], SELECTED_LOOKAHEADS)
        for run in tables.row_runs(
            rows, random_map_problems(circular, sample), queue="plain heap", ties="none", **options
        ):
            yield replace(run, tags={**run.tags, "conventions": AUTHORS_PROGRAM}, timing_repeats=0)


def split_by_conventions(frame: pl.DataFrame) -> tuple[pl.DataFrame, TripsByRow]:
    """The runs by the text, and those by the program, by row."""
    if "conventions" not in frame.columns:
        return frame, {}
    ours = frame.filter(pl.col("conventions").fill_null(PAPER_TEXT) == PAPER_TEXT)
    return ours, tables.trips_by_row(frame.filter(pl.col("conventions") == AUTHORS_PROGRAM))


def show_percolations(theirs: TripsByRow, paper: Mapping[str, PaperRow], report: Report) -> None:
    """Percolations of the program beside the paper's."""
    if not theirs:
        return
    report.heading("Percolations as in a program of the authors", 3)
    report.text(
        "RTAA* takes the best state out of the heap before it learns, neighbours are generated in circular order, and "
        "entries with equal keys do not move: a program by one of the authors does so, and the paper says none of it."
    )
    tables.show_table(report, "planner, lookahead", theirs, PERCOLATIONS)
    in_paper = [name for name in theirs if name in paper]
    if in_paper:
        report.compare_with_paper(
            [c for n in in_paper for c in tables.compare_counts(n, theirs[n], paper[n], PERCOLATIONS, PAPER_CASES)]
        )
