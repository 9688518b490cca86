"""The course project: its worlds, and its tests of differences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import replan
from oracle.grids import edges_of_grid
from oracle.searches import reachable
from replan.experiments.experiment import Scope
from replan.experiments.report import Report
from replan.maps.generators import maze
from replan.papers.course import worlds
from replan.papers.course.experiment import EXPERIMENT, finished_worlds, variants
from replan.papers.course.paired_tests import evaluate_expectations, expectation_values
from replan.papers.course.questions import QUESTIONS, Expectation, Question, Variant

SAMPLE = 2


# The worlds.


@pytest.mark.parametrize("number", range(5))
def test_there_is_always_a_way_but_to_a_target_that_is_walled_in(number: int) -> None:
    start, goal = worlds.start_and_goal(25, number)
    assert start != goal
    for make in (worlds.course_maze, worlds.open_terrain):
        assert goal in reachable(edges_of_grid(make(25, number), 4, "strict"), start)
    walled = worlds.walled_in(25, number)
    assert not walled[start] and not walled[goal]
    assert goal not in reachable(edges_of_grid(walled, 4, "strict"), start)


def test_a_hundred_blocked_cells_are_freed_in_a_world_of_the_papers_size() -> None:
    assert np.count_nonzero(maze(101, 101, seed=3) & ~worlds.course_maze(101, 3)) == 100


def test_the_target_walks_along_free_cells_and_rests_now_and_then() -> None:
    blocked = worlds.course_maze(25, 1)
    route = worlds.target_route(blocked, worlds.start_and_goal(25, 1)[1], seed=1)
    assert route[0] == worlds.start_and_goal(25, 1)[1] and len(route) == worlds.TARGET_STEPS + 1
    assert not any(blocked[cell] for cell in route)
    lengths = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(route)]
    assert set(lengths) == {0, 1}
    assert 0.05 < lengths.count(0) / len(lengths) < 0.15
    assert route == worlds.target_route(blocked, route[0], seed=1) != worlds.target_route(blocked, route[0], seed=2)


def test_doors_open_and_close_and_never_touch_the_corridors() -> None:
    size, number = 25, 2
    now, corridors = worlds.course_maze(size, number).copy(), ~maze(size, size, seed=number)
    free = np.count_nonzero(~now)
    for _, cell, to in worlds.door_changes(size, number):
        assert now[cell] != (to == "blocked"), "nothing opens or closes twice"
        now[cell] = to == "blocked"
    assert not now[corridors].any()
    assert np.count_nonzero(~now) == free


def test_a_run_is_a_plain_trip() -> None:
    """Counts are those of `simulate`, for each way to run."""
    for variant in (QUESTIONS[0].variants[1], QUESTIONS[3].variants[1], QUESTIONS[4].variants[1]):
        run = variant.make_run(0)
        grid, start, goal = run.problem.map.grid(), run.problem.start, run.problem.goal
        planner = replan.planner(run.planner, seed=0, **dict(run.options))
        if variant.measure is worlds.measure_chase:
            world = replan.World(grid, target=worlds.target_route(grid.blocked, goal, 0))
            trip = replan.simulate(world, planner, start)
        elif variant.measure is worlds.measure_doors:
            world = replan.World(grid, "everything", "everything", worlds.door_changes(worlds.SIZE, 0))
            trip = replan.simulate(world, planner, start, goal)
        else:
            trip = replan.simulate(replan.World(grid), planner, start, goal)
        counts, times = run.measure(run)
        assert trip.reached and counts["reached"] == 1 and times["search_ns"] > 0
        assert (counts["expansions"], counts["moves"]) == (trip.expansions, trip.moves)


# The tests of the differences.


def frame_of(**by_variant: list[float]) -> pl.DataFrame:
    rows = [
        {"variant": name, "seed": seed, "expansions": value}
        for name, values in by_variant.items()
        for seed, value in enumerate(values)
    ]
    return pl.from_dicts(rows)


def one_question(*pairs: tuple[str, str]) -> Question:
    expectations = tuple(Expectation(Variant(a, "RTAA*"), Variant(b, "RTAA*")) for a, b in pairs)
    return Question("q", "", "", (), expectations)


def test_the_verdicts() -> None:
    numbers = list(range(1, 21))
    frame = frame_of(
        small=[float(n) for n in numbers],
        large=[n + 5.0 + n / 10 for n in numbers],
        same=[n + (0.5 if n % 2 else -0.5) for n in numbers],
        outlier=[n + 1.0 + n / 10 for n in numbers[:-1]] + [-1000.0],  # more in 19 of 20, but far less once
    )
    question = one_question(("small", "large"), ("large", "small"), ("small", "same"), ("small", "outlier"))
    tested = evaluate_expectations(frame, [question])["q"]
    verdicts = [t.finding_result.verdict for t in tested]
    assert verdicts == ["✓ holds", "✗ does not hold", "✗ no difference", "mean and ranks disagree"]
    assert tested[3].paired_test.mean_difference > 0 > tested[3].median
    assert tested[0].answer.startswith("small needs less than large, ")
    assert tested[1].answer.startswith("small needs less than large, "), "whatever was expected"
    assert tested[2].answer == "small and same differ by nothing that matters"
    torn = "mean and ranks disagree: in total outlier needs less, but small needs less in 19"
    assert tested[3].answer.startswith(torn)
    assert tested[0].ratio == pytest.approx(sum(n + 5 + n / 10 for n in numbers) / sum(numbers))
    assert tested[0].p_ranks == pytest.approx(4 * tested[0].paired_test.p_ranks), (
        "Holm: the smallest of four p-values times four"
    )


def test_only_worlds_that_are_finished_are_reported() -> None:
    frame = frame_of(first=[1.0, 2.0, 3.0], second=[10.0, 20.0])
    kept = finished_worlds(frame, variants=2)
    first, second = expectation_values(kept, one_question(("first", "second")).expectations[0])
    assert (list(first), list(second)) == ([1, 2], [10, 20])
    report = Report("")
    EXPERIMENT.report(frame, Scope(3), report)
    assert "No world is finished yet" in report.markdown()


# What is run.


def test_each_variant_is_run_once_in_each_world() -> None:
    runs = list(EXPERIMENT.runs(Scope(SAMPLE)))
    keys = [run.key("") for run in runs]
    names = [variant.name for variant in variants(Scope(SAMPLE))]
    assert len(runs) == SAMPLE * len(names) and len(set(names)) == len(names)
    repeated = [run.tags["variant"] for run, key in zip(runs, keys, strict=True) if keys.count(key) > 1]
    assert set(repeated) == {"Repeated Forward A*", "A*, heap, maze 101"}, "one run under two names"
