"""daRTAA* against RTAA*, case by case: what the report says of its averages follows from the runs."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from replan.experiments.report import Report
from replan.papers.depression.case_by_case import FAVOURS_DARTAA, PAPER_VALUES, pair_table, show_case_by_case
from replan.papers.depression.tried_averages import AVERAGES, RUN_SELECTIONS, show_tried_averages


def trips(costs: np.ndarray, names: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"problem": range(len(costs)), "map": names, "cost": costs})


def made_up(ratio: float, noise: float = 0.0) -> dict[str, pl.DataFrame]:
    """RTAA* costs `ratio` times as much as daRTAA*, in every case, or nearly so."""
    rng = np.random.default_rng(0)
    names = [f"map {number % 3}" for number in range(600)]
    found = {}
    for k in (1, 97):
        costs, times = rng.uniform(100, 200, 600), ratio * rng.uniform(1 - noise, 1 + noise, 600)
        found[f"daRTAA* {k}"], found[f"RTAA* {k}"] = trips(costs, names), trips(times * costs, names)
    return found


def test_where_all_ratios_are_the_same_so_is_every_average_of_any_runs() -> None:
    report = Report("")
    show_tried_averages(pair_table(made_up(2.79), (1, 97)), 0.1, 2.79, report)
    text = report.markdown()
    assert (
        f"Within 10% of it, of these {len(RUN_SELECTIONS) * len(AVERAGES)} figures: "
        f"{len(RUN_SELECTIONS) * len(AVERAGES)} ("
        in text
    )
    for name in RUN_SELECTIONS:
        assert f"| {name} |{' 2.79 |' * len(AVERAGES)}" in text


def test_where_none_comes_near_the_report_says_so() -> None:
    report = Report("")
    show_tried_averages(pair_table(made_up(5.0), (1, 97)), 0.1, 2.79, report)
    assert f"of these {len(RUN_SELECTIONS) * len(AVERAGES)} figures: none." in report.markdown()


@pytest.mark.parametrize(("ratio", "agree"), [(8.37, 1), (5.57, 1), (1.01, 0)])
def test_how_many_figures_come_out_is_counted(ratio: float, agree: int) -> None:
    report = Report("")
    show_case_by_case(made_up(ratio, 0.001), (1, 97), report, with_paper=True)
    text = report.markdown()
    assert f"of the 4, {agree} agree here, {4 - agree} differ, and for 0 the cases" in text
    assert f"For {PAPER_VALUES[FAVOURS_DARTAA]:g} also other runs" in text


def test_on_other_maps_nothing_is_said_of_the_papers_figures() -> None:
    report = Report("")
    show_case_by_case(made_up(2.0, 0.001), (1, 97), report, with_paper=False)
    assert "chosen because" not in report.markdown() and not report.comparisons
