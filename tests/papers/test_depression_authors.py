"""Percolations as the authors' program counts them: what is run, what that changes, and how it is told."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.experiments.experiment import AUTHORS_PROGRAM, PAPER_TEXT
from replan.experiments.report import AGREES, DIFFERS, PaperComparison, Report
from replan.experiments.runs import MapSource, execute_batch
from replan.experiments.statistics import mean
from replan.papers.depression.authors_program import (
    authors_runs,
    show_percolations,
    split_by_conventions,
    with_circular_order,
)
from replan.papers.depression.columns import COLUMNS, SELECTED_LOOKAHEADS
from replan.papers.depression.experiment import with_reason
from replan.papers.depression.maps import CORNERS

PERCOLATIONS = COLUMNS["percolations_per_episode"].title


def small() -> np.ndarray:
    return np.random.default_rng(3).random((24, 24)) < 0.25


MAP = MapSource(small, corners=CORNERS, name="small")


def test_what_is_run_as_in_the_program() -> None:
    runs = list(authors_runs([MAP], 2))
    assert len(runs) == 3 * len(SELECTED_LOOKAHEADS) * 2
    for run in runs:
        options = dict(run.options)
        assert options["queue"] == "plain heap" and options["ties"] == "none"
        assert options.get("choosing") == ("taken" if run.planner == "RTAA*" else None)
        assert run.tags["conventions"] == AUTHORS_PROGRAM and run.timing_repeats == 0
        assert run.problem.map.grid().order == "circular"
    assert (with_circular_order(MAP).blocked == MAP.grid().blocked).all() and with_circular_order(
        MAP
    ).corners == CORNERS


def test_to_take_the_best_state_out_is_more_work() -> None:
    """A heap of eight neighbours: whoever takes the best one out moves others up."""
    run = next(run for run in authors_runs([MAP], 1) if run.planner == "RTAA*")
    options = {name: value for name, value in run.options if name != "choosing"}
    problem = run.problem
    looked = replan.simulate(problem.world(), replan.planner("RTAA*", **options), problem.start, problem.goal)
    ((taken, _),) = execute_batch([run])
    assert taken["moves"] == looked.moves, "the same walk"
    assert taken["percolations"] >= looked.percolations + looked.episodes / 2


def made_up(conventions: str, each: list[int]) -> pl.DataFrame:
    """Trips of RTAA* 1 with so many percolations in ten episodes."""
    return pl.DataFrame({"percolations": each}).with_columns(
        row=pl.lit("RTAA* 1"), conventions=pl.lit(conventions), episodes=pl.lit(10), reached=pl.lit(1)
    )


def test_the_two_conventions_are_kept_apart_and_only_theirs_is_shown_here() -> None:
    rng = np.random.default_rng(0)
    ours, program = (rng.normal(middle, 3, 400).round().astype(int).tolist() for middle in (32, 57))
    frame, theirs = split_by_conventions(pl.concat([made_up(PAPER_TEXT, ours), made_up(AUTHORS_PROGRAM, program)]))
    assert frame["percolations"].to_list() == ours and list(theirs) == ["RTAA* 1"]
    report = Report("")
    show_percolations(theirs, {"RTAA* 1": {"percolations_per_episode": "5.7"}}, report)
    (compared,) = report.comparisons
    assert compared.verdict == AGREES and abs(compared.ours.value - 5.7) < 0.1
    assert "### Percolations as in a program of the authors" in report.markdown()
    by_text = PaperComparison("RTAA* 1", PERCOLATIONS, 5.7, 0.01, mean(np.array(ours) / 10))
    assert by_text.verdict == DIFFERS
    assert with_reason(by_text, theirs).reason.startswith("5.69 as the authors' program counts")
    assert "authors' program" in with_reason(by_text, {}).reason


def test_without_them_nothing_is_shown() -> None:
    frame, theirs = split_by_conventions(made_up(PAPER_TEXT, [30, 31]).drop("conventions"))
    report = Report("")
    show_percolations(theirs, {}, report)
    assert len(frame) == 2 and not theirs and not report.lines


@pytest.mark.skipif(not replan.compiled, reason="a sample takes many minutes interpreted")
def test_the_report_has_both(tmp_path) -> None:  # type: ignore[no-untyped-def]
    words = ["reproduce", "depression", "--sample", "1", "--conventions", "authors", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, [*words, "--engine", "threads", "--timed-problems", "0"])
    assert done.exit_code == 0, done.output
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    part = report.split("### Percolations as in a program of the authors")[1].split("\n## ")[0]
    for row in ("RTAA* 1", "aRTAA* 49", "daRTAA* 97"):
        assert part.count(f"| {row} |") == 1
    assert "--conventions authors" in report
