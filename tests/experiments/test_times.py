"""How times are taken: the best of three, the planners in turn, on the first problems; and what a run records."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from experiments.measures import small_runs
from replan.cli import main
from replan.errors import InputError
from replan.experiments.code_version import code_version
from replan.experiments.engines import BatchBuilder, threads
from replan.experiments.experiment import Experiment, Scope
from replan.experiments.pipeline import RESULTS_FILE, RUNS_FILE, execute_missing_runs, open_store, results_frame
from replan.experiments.report import Report
from replan.experiments.runs import TIMING_REPEATS, Measurement, Run, execute_batch, make_options, measure_trip
from replan.experiments.tables import mean_of, paired_values, timing_note, total_ratio

CALLS: list[tuple[int, int]] = []  # seed and lookahead of each trip, in the order in which they were made


def in_turn(run: Run) -> Measurement:
    """Says who is measured, and takes less and less time."""
    CALLS.append((run.problem.seed, run.tags["lookahead"]))
    return {"reached": 1, "moves": 7}, {"search_ns": 1000 - len(CALLS)}


def shaky(run: Run) -> Measurement:
    """Never the same twice."""
    CALLS.append((0, 0))
    return {"reached": 1, "moves": len(CALLS)}, {"search_ns": 1}


def an_experiment(timed: int = 2) -> Experiment:
    return Experiment("x", "X", 4, 4, lambda scope: small_runs(scope.sample), _nothing, timed_problems=timed)


def _nothing(found: pl.DataFrame, scope: Scope, into: Report) -> None:
    into.text("nothing")


def test_planners_take_turns_and_the_least_time_counts() -> None:
    CALLS.clear()
    found = execute_batch(small_runs(1, in_turn))
    assert CALLS == [(0, 1), (0, 9), (0, 33)] * TIMING_REPEATS
    assert [times["search_ns"] for _, times in found] == [1000 - 3 * TIMING_REPEATS + 2 - i for i in range(3)]


def test_a_trip_that_differs_the_second_time_is_told() -> None:
    with pytest.raises(InputError, match=r"RTAA\*.*maze 0.*differently the second time"):
        execute_batch(small_runs(1, shaky)[:1])


def test_the_first_problems_are_timed_and_the_others_counted(tmp_path: Path) -> None:
    runs = an_experiment().planned_runs(Scope(4))
    assert [run.timing_repeats for run in runs] == [TIMING_REPEATS] * 6 + [0] * 6
    assert [run.timing_repeats for run in an_experiment().planned_runs(Scope(4, timed_problems=1))] == [
        TIMING_REPEATS
    ] * 3 + [0] * 9
    store = open_store(tmp_path, resume=False)
    execute_missing_runs(runs, store, threads(2), lambda done: None)
    found = results_frame(runs, store)
    assert found["search_ns"].is_null().to_list() == [False] * 6 + [True] * 6
    assert "first 2 of 4 problems" in timing_note(found)
    far, near = (found.filter(pl.col("lookahead") == k) for k in (33, 1))
    assert mean_of("search_ns")(far).count == 2 and mean_of("cost")(far).count == 4
    assert total_ratio("search_ns", "episodes")(far).count == 2
    assert len(paired_values(far, near, "search_ns")[0]) == 2 and len(paired_values(far, near, "cost")[0]) == 4
    (sitting,) = store.sessions(code_version())
    assert sitting.runs == 12 and sitting.workers == 2 and sitting.seconds > 0
    store.close()


def test_without_times_there_are_none(tmp_path: Path) -> None:
    runs = an_experiment(timed=0).planned_runs(Scope(2))
    store = open_store(tmp_path, resume=False)
    execute_missing_runs(runs, store, threads(1), lambda done: None)
    found = results_frame(runs, store)
    assert found["search_ns"].null_count() == 6 and mean_of("search_ns")(found).count == 0
    assert timing_note(found) == "No times were taken."
    store.close()


def test_timing_more_problems_runs_only_those_again(tmp_path: Path) -> None:
    done: list[int] = []
    for timed in (1, 3):
        store = open_store(tmp_path, resume=True)
        execute_missing_runs(an_experiment(timed).planned_runs(Scope(4)), store, threads(1), done.append)
        store.close()
    assert done[0] == 0 and sum(done[: done.index(6)]) == 12, done


def test_those_that_take_turns_stay_in_one_batch() -> None:
    batches = BatchBuilder(an_experiment(2).planned_runs(Scope(4)))
    batches._expected_seconds = {batches._timing_key(run): 100.0 for run in batches._runs}
    batches._runs = iter(an_experiment(2).planned_runs(Scope(4)))
    assert [len(batch.runs) for batch in batches] == [3, 3, 1, 1, 1, 1, 1, 1]


def test_the_same_moves_have_the_same_digest() -> None:
    """With lookahead 1 both learn and move alike; with 9 they do not."""
    runs = small_runs(1)

    def digest(planner: str, lookahead: int) -> float:
        options = make_options(lookahead=lookahead, ties="random")
        return measure_trip(Run(planner, options, runs[0].problem))[0]["path_digest"]

    assert digest("RTAA*", 1) == digest("LSS-LRTA*", 1) != digest("RTAA*", 9)


def test_the_rows_have_map_lookahead_and_tags(tmp_path: Path) -> None:
    words = ["reproduce", "rtd", "--sample", "1", "--engine", "threads", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    rows = pl.read_csv(tmp_path / RUNS_FILE)
    wanted = {"planner", "lookahead", "options", "map", "row", "world", "limit", "path_digest", "rounds"}
    assert wanted <= set(rows.columns)
    assert rows.filter(pl.col("limit") == 8)["lookahead"].unique().to_list() == [8]
    assert {"cave", "doors 0"} <= set(rows["map"]) and set(rows["world"]) == {"unknown", "doors", "noop"}
    assert (tmp_path / RESULTS_FILE).exists()
