"""The course project (Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games): its questions.

The project publishes no numbers, so there is nothing to agree with: each experimental question gets a table, a plot, an
explanation, and paired tests of what the explanation says. `questions` has the questions, `worlds` the worlds,
`extra_credits` the extra credits, `data` the explanations and proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from replan.experiments.experiment import TIME_ALL_PROBLEMS, Experiment, Scope
from replan.experiments.report import Report
from replan.experiments.runs import TIMING_REPEATS, Run
from replan.experiments.statistics import mean
from replan.experiments.tables import NS_TO_MS
from replan.papers.common.claims import evaluate_claims, show_claims, show_evidence
from replan.papers.common.grid_cells import cell_from_name, cell_name
from replan.papers.course import extra_credits
from replan.papers.course.claims import CLAIMS
from replan.papers.course.paired_tests import (
    ExpectationResult,
    draw_bars,
    evaluate_expectations,
    show_answers,
    show_tests,
)
from replan.papers.course.questions import (
    CREDIT_1,
    FORWARD,
    QUESTIONS,
    QUESTIONS_WITH_RUNS,
    WALLED,
    Question,
    Variant,
    explanation_text,
    user_planners_question,
)
from replan.papers.course.worlds import SIZE, course_maze, walled_in
from replan.papers.examples.figures import EXAMPLES, draw_example

WORLDS = 50


def variants(scope: Scope) -> list[Variant]:
    """All variants that are run, each once."""
    questions = (user_planners_question(scope.planners),) if scope.planners else QUESTIONS_WITH_RUNS
    listed = [variant for question in questions for variant in question.variants]
    always = [] if scope.planners else [WALLED]
    return list({variant.name: variant for variant in [FORWARD, *always, *listed]}.values())


def runs(scope: Scope) -> Iterator[Run]:
    for number in range(scope.sample):
        for variant in variants(scope):
            yield variant.make_run(number)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    frame = finished_worlds(frame, len(variants(scope)))
    worlds = frame["seed"].n_unique()
    if not worlds:
        report.text("No world is finished yet, so there is nothing to compare.")
        return
    _conventions(worlds, report)
    if scope.planners:
        question = user_planners_question(scope.planners)
        _show_question(question, report)
        _experiment(question, frame, evaluate_expectations(frame, (question,))[question.name], report)
        return
    tests = evaluate_expectations(frame, QUESTIONS_WITH_RUNS)
    results = evaluate_claims(CLAIMS, frame)
    report.heading("What the paper says")
    show_claims(results, report)
    _question_0(report)
    _question_1(frame, report)
    for question in QUESTIONS:
        _show_question(question, report)
        _experiment(question, frame, tests[question.name], report)
        report.text(explanation_text(question.name))
        if question.name == "question-3":
            _proofs(report)
    _show_question(CREDIT_1, report)
    extra_credits.show_memory(report)
    _experiment(CREDIT_1, frame, tests[CREDIT_1.name], report)
    report.text(explanation_text(CREDIT_1.name))
    extra_credits.show_open_lists(frame, tests, report)
    extra_credits.show_one_test(frame, tests, report)
    report.heading("Evidence")
    show_evidence(results, report)


def finished_worlds(frame: pl.DataFrame, variants: int) -> pl.DataFrame:
    """The worlds in which all variants have run: the comparisons are paired."""
    return frame.filter(pl.len().over("seed") == variants)


def _show_question(question: Question, report: Report) -> None:
    report.heading(question.title)
    report.text(question.question_text)


def _conventions(worlds: int, report: Report) -> None:
    report.heading("What was run")
    report.text(f"""
{worlds} worlds of {SIZE} x {SIZE} cells (the paper has {WORLDS}): corridors cut by a depth-first search, 100
blocked cells freed, agent and target on corridor cells drawn at random, four neighbours, the four cells around the
agent seen before the first search. Ties go towards larger g and the remaining ones are broken at random, unless said
otherwise. An expansion is a cell whose successors are generated. Times are those of the searches alone, on this
machine, the least of {TIMING_REPEATS} runs of the same trip, all planners in turn.

Every comparison is tested twice over the worlds, two-sided: by the mean (paired t-test) and by the ranks (paired
Wilcoxon signed-rank test). All p-values of this page are corrected together, by Holm's method. An expectation holds, or
does not, where both tests are sure and agree. Where neither is sure there is no difference if one of a tenth could have
been seen; else the worlds are too few to tell. Intervals are bootstrap intervals of the mean difference (95 %), medians
those of the differences that are not zero; ratio: the second's total to the first's. Answers follow from these tests;
the texts below them give reasons, which the runs do not test.
""")


def _question_0(report: Report) -> None:
    """The first move in Figure 8."""
    report.heading("Question 0: why the first move is to the east")
    example = EXAMPLES["course-project-figure-8"]
    search, first = example.shown_searches[0], example.steps[1].position
    rows = []
    for name in ("E3", "D2", "E1"):
        cell = cell_from_name(name)
        rows.append([name, int(search.g[cell]), int(search.h[cell]), int(search.f[cell])])
    report.table(["cell beside the agent at E2", "g", "h", "f"], rows)
    report.plot("question-0", draw_example(example), "The first search of the second example (Figure 8)")
    report.text(f"""
The agent does not know of the blocked cells ahead and presumes them free. A step to the east brings it nearer to the
target, so f stays as small as the distance itself; a step to the north or west leads away and makes f larger by two. A*
expands E3 next, its path goes straight, and the first move is to {cell_name(first)}. (The blocked cells of the figure
are ours; they do not matter for this.)
""")


def _question_1(frame: pl.DataFrame, report: Report) -> None:
    report.heading("Question 1: the agent arrives or gives up, within n² moves")
    rows = []
    for variant, make in ((FORWARD, course_maze), (WALLED, walled_in)):
        trips = frame.filter(pl.col("variant") == variant.name)
        seeds, moves = trips["seed"].to_list(), trips["moves"].to_numpy()
        free = np.array([np.count_nonzero(~make(SIZE, seed)) for seed in seeds])
        within = int((moves <= free**2).sum())
        share = float((moves / free**2).max())
        rows.append([variant.name, len(trips), int(trips["reached"].sum()), within, int(moves.max()), f"{share:.1e}"])
    report.table(["worlds", "trips", "arrived", "within n² moves", "most moves", "most moves / n²"], rows)
    report.text(
        "In the second row the target is walled in: every trip has to end with the answer that there is no way."
    )
    report.text(explanation_text("question-1"))


def _proofs(report: Report) -> None:
    report.heading("Question 4: consistency, proved")
    report.text(explanation_text("question-4"))


def _experiment(question: Question, frame: pl.DataFrame, tests: list[ExpectationResult], report: Report) -> None:
    report.table(*_figures(question, frame))
    report.plot(question.name, draw_bars(question, frame), f"{question.title}: means, and 95 % bootstrap intervals")
    show_tests(tests, report)
    show_answers(tests, report)


def _figures(question: Question, frame: pl.DataFrame) -> tuple[list[str], list[list[Any]]]:
    rows = []
    for variant in question.variants:
        trips = frame.filter(pl.col("variant") == variant.name)
        expansions, milliseconds = mean(trips["expansions"].to_numpy()), mean(trips["search_ns"].to_numpy() * NS_TO_MS)
        searches, moves = mean(trips["episodes"].to_numpy()), mean(trips["moves"].to_numpy())
        figures = [
            expansions.value,
            expansions.standard_error,
            milliseconds.value,
            milliseconds.standard_error,
            searches.value,
        ]
        rows.append([variant.name, *figures, moves.value, moves.standard_error, int(trips["reached"].sum())])
    columns = ["expansions", "± (standard error)", "search ms", "±", "searches", "moves", "±", "arrived"]
    return ["", *columns], rows


EXPERIMENT = Experiment(
    "course",
    "The course project",
    default_sample=WORLDS,
    full_sample=10 * WORLDS,
    runs=runs,
    report=report,
    problem_noun="worlds",
    timed_problems=TIME_ALL_PROBLEMS,
)
