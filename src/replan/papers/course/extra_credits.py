"""The extra credits of the course project: memory, other open lists, and one statistical test in full."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl

from replan.experiments.memory import map_footprint, planner_footprint
from replan.experiments.plots import Line, line_plots
from replan.experiments.report import Report, format_number
from replan.experiments.statistics import SIGNIFICANCE_LEVEL, mean, paired_test
from replan.papers.course.paired_tests import (
    ExpectationResult,
    expectation_values,
    format_p,
    show_answers,
    show_tests,
    variant_values,
)
from replan.papers.course.questions import (
    CREDIT_2,
    OPEN_LISTS,
    SIZED_VARIANTS,
    SIZES,
    TERRAINS,
    TIME,
    Variant,
    explanation_text,
)
from replan.planners.registry import planner, planners

SIDE, MEMORY_LIMIT = 1001, 4 << 20  # cells along a side, and bytes, that the question asks for
LISTED_PLANNERS = ("Repeated Forward A*", "Repeated Backward A*", "Repeated BFS", "Adaptive A*", "D* Lite", "ARA*")
TEST_SIZES = (5, 10, 20, 50)  # worlds: what the test would have said with fewer


def show_memory(report: Report) -> None:
    """The table of Extra Credit 1: the smallest first."""
    grid_footprint = map_footprint()
    rows: list[tuple[int, list[Any]]] = []  # with the bytes that they are sorted by
    for spec in planners():
        if spec.name not in LISTED_PLANNERS and not spec.keeps_own_map:
            continue
        for queue in ("heap", "buckets") if "queue" in spec.options else ("",):
            footprint = planner_footprint(partial(planner, spec.slug, **({"queue": queue} if queue else {})))
            total = footprint if spec.keeps_own_map else footprint + grid_footprint
            side = total.largest_square(MEMORY_LIMIT)
            byte_count = total.bytes(SIDE, SIDE)
            figures = [f"{byte_count / SIDE**2:.2f}", f"{byte_count / (1 << 20):.2f}", f"{side:,} x {side:,}"]
            rows.append((byte_count, [spec.name, queue, *figures]))
    titles = ["planner with its map", "open list", "bytes a cell", f"MB at {SIDE} x {SIDE}", "largest in 4 MB"]
    report.table(titles, [row for _, row in sorted(rows, key=lambda row: row[0])])


def show_open_lists(frame: pl.DataFrame, tests: dict[str, list[ExpectationResult]], report: Report) -> None:
    """Extra Credit 2."""
    report.heading(CREDIT_2.title)
    report.text(CREDIT_2.question_text)
    for terrain in TERRAINS:
        report.text(f"**{terrain.capitalize()}**")
        rows = []
        for size in SIZES:
            for how in OPEN_LISTS:
                variant = SIZED_VARIANTS[terrain, size, how]
                expansions = mean(variant_values(frame, variant, "expansions"))
                ms = mean(variant_values(frame, variant, TIME))
                each = 1e6 * ms.value / expansions.value
                values = [expansions.value, expansions.standard_error, ms.value, ms.standard_error, each]
                rows.append([f"{size} x {size}", how, *values])
        report.table(["cells", "", "expansions", "±", "search ms", "±", "ns an expansion"], rows)
    panels = {
        f"search ms a trip, {terrain}": {
            how: _times(frame, [SIZED_VARIANTS[terrain, size, how] for size in SIZES]) for how in OPEN_LISTS
        }
        for terrain in TERRAINS
    }
    figure = line_plots(panels, "cells along a side", log_axes="xy", ticks=SIZES)
    report.plot(CREDIT_2.name, figure, "Extra Credit 2: search time by the size of the world")
    show_tests(tests[CREDIT_2.name], report)
    show_answers(tests[CREDIT_2.name], report)
    report.text(explanation_text(CREDIT_2.name))


def _times(frame: pl.DataFrame, variants: Sequence[Variant]) -> Line:
    """The means of variants that grow with the size of their worlds, with errors."""
    means = [mean(variant_values(frame, variant, TIME)) for variant in variants]
    return Line(SIZES, [estimate.value for estimate in means], [estimate.standard_error for estimate in means])


def show_one_test(frame: pl.DataFrame, tests: dict[str, list[ExpectationResult]], report: Report) -> None:
    """Extra Credit 3: the test of question 5, step by step."""
    report.heading("Extra Credit 3: one test in full")
    (test,) = (result for result in tests["question-5"] if result.expectation.metric == "expansions")
    first, second = expectation_values(frame, test.expectation)
    pair = test.paired_test
    report.text(
        explanation_text("extra-credit-3").format(
            first=test.expectation.first.name,
            second=test.expectation.second.name,
            level=SIGNIFICANCE_LEVEL,
            worlds=len(first),
            less=pair.first_smaller,
            ties=pair.ties,
            more=pair.second_smaller,
            difference=format_number(pair.mean_difference),
            low=format_number(pair.interval_low),
            high=format_number(pair.interval_high),
            p=format_p(pair.p_ranks),
            tests=sum(map(len, tests.values())),
            corrected=format_p(test.p_ranks),
            outcome="rejected" if test.p_ranks < SIGNIFICANCE_LEVEL else "not rejected",
        )
    )
    counts = sorted({min(count, len(first)) for count in TEST_SIZES})
    rows = []
    for count in counts:
        part = paired_test(first[:count], second[:count])
        interval = f"{format_number(part.interval_low)} to {format_number(part.interval_high)}"
        rows.append([count, part.mean_difference, interval, format_p(part.p_ranks)])
    report.table(["worlds", "mean difference", "95 % interval", "p, this test alone"], rows)
