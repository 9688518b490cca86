"""Claims of the course project. Its questions have no answers in the text, so they are not among them.

Tests take the finished worlds as a data frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import polars as pl

from replan.papers.common.claims import Claim
from replan.papers.common.verdicts import Finding, less_than, observation
from replan.papers.course import questions as q
from replan.papers.course.paired_tests import METRIC_LABELS, expectation_values
from replan.papers.course.questions import TIME, Expectation, Variant
from replan.papers.course.worlds import SIZE, course_maze, walled_in

PAPER = "The course project"
WORLD_BY_WORLD = "world by world, mean and ranks"
Test = Callable[[pl.DataFrame], Iterable[Finding]]


def needs_less(first: Variant, second: Variant, *measures: str) -> Test:
    def test(frame: pl.DataFrame) -> Iterator[Finding]:
        for measure in measures:
            values = expectation_values(frame, Expectation(first, second, measure))
            if len(values[0]):
                yield less_than(f"{METRIC_LABELS[measure]}: {first.name} < {second.name}", *values)

    return test


def arrives_within_bound(frame: pl.DataFrame) -> Iterator[Finding]:
    """The agent arrives if there is a path, reports that there is none, and in both cases keeps the bound on moves."""
    for variant, make, arrives in ((q.FORWARD, course_maze, 1), (q.WALLED, walled_in, 0)):
        trips = frame.filter(pl.col("variant") == variant.name)
        free = np.array([np.count_nonzero(~make(SIZE, seed)) for seed in trips["seed"].to_list()])
        correct = int(((trips["reached"] == arrives).to_numpy() & (trips["moves"].to_numpy() <= free**2)).sum())
        if len(trips):
            yield observation(variant.name, correct == len(trips), f"in {correct:,} of {len(trips):,} worlds")


def weight_trades_time_for_length(frame: pl.DataFrame) -> Iterator[Finding]:
    yield from needs_less(q.WEIGHTED, q.FORWARD, TIME)(frame)
    yield from needs_less(q.FORWARD, q.WEIGHTED, "moves")(frame)


CLAIMS = (
    Claim(
        PAPER,
        "introduction; question 1",
        "the agent reaches the target, or finds out that it cannot, within n² moves for n free cells",
        "counted, with targets that can be reached and with targets that are walled in",
        arrives_within_bound,
    ),
    Claim(
        PAPER,
        "A*; improving A*; question 4",
        "A* expands no cell twice, and Adaptive A* leaves h consistent and never makes it smaller",
        "",
        untested_reason="proved, under Question 4; tests check it on random worlds",
    ),
    Claim(
        PAPER,
        "Figures 5 to 7",
        "in the example Repeated Forward A* expands 23 cells and Adaptive A* 20",
        "",
        untested_reason="the report `example` draws these searches cell by cell, beside the figures",
    ),
    Claim(
        PAPER,
        "improving A*",
        "Adaptive A* expands fewer cells than Repeated Forward A*",
        f"expansions, {WORLD_BY_WORLD}",
        needs_less(q.ADAPTIVE, q.FORWARD, "expansions"),
    ),
    Claim(
        PAPER,
        "improving A*; question 8",
        "Adaptive A* is faster than Repeated Forward A*",
        f"search times, {WORLD_BY_WORLD}",
        needs_less(q.ADAPTIVE, q.FORWARD, TIME),
    ),
    Claim(
        PAPER,
        "question 8",
        "D* Lite is faster than Adaptive A*",
        f"search times, {WORLD_BY_WORLD}",
        needs_less(q.DSTAR, q.ADAPTIVE, TIME),
    ),
    Claim(
        PAPER,
        "question 9",
        "a larger weight makes Weighted A* faster and its paths longer",
        f"search times and moves, weight 3 against none, {WORLD_BY_WORLD}",
        weight_trades_time_for_length,
    ),
    Claim(
        PAPER,
        "question 9",
        "ARA* is faster than Repeated Weighted A*",
        f"search times at the same weight, {WORLD_BY_WORLD}",
        needs_less(q.ARA_FIRST, q.WEIGHTED, TIME),
    ),
    Claim(
        PAPER,
        "extra credit 2",
        "breadth-first search is much faster than A* with zero h-values",
        "",
        untested_reason="none of the questions has an A* with zero h-values",
    ),
    Claim(
        PAPER,
        "extra credit 1",
        "tree pointers fit two bits a cell",
        "",
        untested_reason="Compact A* has them: see Extra Credit 1, where its bytes are traced",
    ),
)
