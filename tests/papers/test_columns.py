"""Columns are addressed by their names: one put in front shifts nothing, and one that a paper lacks has no figure."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import replan
from replan.experiments.engines import threads
from replan.experiments.experiment import Scope, read_paper_table
from replan.experiments.pipeline import execute_missing_runs, open_store, results_frame
from replan.experiments.report import Report
from replan.experiments.tables import Column, Columns, columns_by_name, compare_counts, mean_of, median_of
from replan.papers.buckets import experiment as buckets
from replan.papers.depression import columns as depression
from replan.papers.rtaa import experiment as rtaa
from replan.papers.rtaa.columns import PAPER_TABLE_FILE

SCOPE = Scope(2)


@pytest.fixture(scope="module")
def trips(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    if not replan.compiled:
        pytest.skip("a sample takes minutes interpreted")
    runs = list(rtaa.EXPERIMENT.runs(SCOPE))
    store = open_store(tmp_path_factory.mktemp("rtaa"), resume=False)
    execute_missing_runs(runs, store, threads(2), lambda done: None)
    found = results_frame(runs, store)
    store.close()
    return found


def made(trips: pl.DataFrame) -> Report:
    report = Report("")
    rtaa.EXPERIMENT.report(trips, SCOPE, report)
    return report


def test_a_median_column_in_front_shifts_nothing(trips: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    before = made(trips)
    column = Column("median_cost", "median cost", median_of("cost"))
    monkeypatch.setattr(rtaa, "COLUMNS", columns_by_name(column, *rtaa.COLUMNS.values()))
    after = made(trips)
    assert after.comparisons == before.comparisons
    changed = [new for old, new in zip(before.lines, after.lines, strict=True) if old != new]
    assert changed == [line for line in after.lines if line.count("|") == len(rtaa.COLUMNS) + 2], "Table 1 alone"
    assert changed[0].startswith("| planner, lookahead (a) | median cost | (b) expansions |")
    costs = trips.filter(pl.col("row") == "RTAA* 9")["cost"]
    assert any(line.startswith(f"| RTAA* 9 | {costs.median():,.0f} |") for line in changed)


@pytest.mark.parametrize(
    ("columns", "file"),
    [
        (rtaa.COLUMNS, PAPER_TABLE_FILE),
        (depression.COLUMNS, depression.PAPER_TABLE_FILE),
        (buckets.COLUMNS, buckets.PAPER_TABLE_FILE),
    ],
    ids=["rtaa", "depression", "buckets"],
)
def test_every_figure_that_a_paper_prints_has_its_column(columns: Columns, file: Path) -> None:
    printed = {name for name in read_paper_table(file)[0] if not name.endswith(("_sem", "_ci95"))}
    assert printed - {"planner", "lookahead"} <= columns.keys()


def test_a_column_that_the_paper_lacks_is_not_compared() -> None:
    columns = columns_by_name(Column("moves", "moves", mean_of("moves")), Column("cost", "cost", mean_of("cost")))
    found = compare_counts("a row", pl.DataFrame({"moves": [1, 2], "cost": [3.0, 5.0]}), {"cost": "4"}, columns, 100)
    assert [(one.column, one.paper_value, one.ours.value) for one in found] == [("cost", 4.0, 4.0)]


def test_errors_that_a_paper_gives_are_used() -> None:
    column, row = Column("cost", "cost", mean_of("cost")), {"cost": "4"}
    assert column.paper_standard_error(row) is None
    assert column.paper_standard_error(row | {"cost_sem": "0.5"}) == 0.5
    assert column.paper_standard_error(row | {"cost_ci95": "1.96"}) == 1.0


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="the same name"):
        columns_by_name(Column("cost", "a", mean_of("cost")), Column("cost", "b", mean_of("cost")))
