"""The papers' tables come out: every count that a paper prints, on as many problems as an hour allows.

    pytest -m slow -s tests/slow/test_reproductions.py

REPLAN_MAZES (200) and REPLAN_CASES (5 for each of the twelve maps) say how many. The same with a report to read:
`replan reproduce NAME`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from replan.experiments.engines import processes
from replan.experiments.experiment import Scope
from replan.experiments.pipeline import execute_missing_runs, open_store, write_report
from replan.experiments.report import DIFFERS, Report
from replan.papers.depression.maps import PAPER_MAPS
from replan.papers.registry import find_experiment
from slow.reproduce import MAPS

pytestmark = pytest.mark.slow

MAZES = int(os.environ.get("REPLAN_MAZES", "200"))
CASES = int(os.environ.get("REPLAN_CASES", "5"))


def reproduce(name: str, sample: int, out: Path, maps: Path | None = None) -> Report:
    found, scope = find_experiment(name), Scope(sample, maps)
    runs = found.planned_runs(scope)
    store = open_store(out, resume=False)
    execute_missing_runs(runs, store, processes(os.cpu_count() or 1), lambda done: None)
    report = write_report(found, runs, store, scope, out)
    store.close()
    print(f"\n{report.verdict_summary()}")
    return report


def refuse_far(report: Report, *columns: str) -> None:
    """No figure differs; of these columns, if any are named. (For many, so few problems are too few to tell.)"""
    wanted = [one for one in report.comparisons if not columns or one.column in columns]
    assert wanted
    far = [
        f"{c.row}, {c.column}: {c.ours.value:,.2f}, paper {c.paper_value:,.2f}" for c in wanted if c.verdict == DIFFERS
    ]
    assert not far, "\n".join(far)


def test_table_1_of_rtaa_2006(tmp_path: Path) -> None:
    refuse_far(reproduce("rtaa", MAZES, tmp_path))


def test_table_1_of_buckets_2006(tmp_path: Path) -> None:
    refuse_far(reproduce("buckets", MAZES, tmp_path))


@pytest.mark.skipif(
    not all((MAPS / folder / f"{name}.map").exists() for folder, name in PAPER_MAPS),
    reason=f"the maps of depression avoidance 2011 are not in {MAPS}",
)
def test_figure_2_of_depression_avoidance_2011(tmp_path: Path) -> None:
    """Percolations are left out: the paper does not say how it counts them.

    So is its "daRTAA* 25 is cheaper than RTAA* 97": 1,008 cases do not decide that.
    """
    report = reproduce("depression", CASES, tmp_path, MAPS)
    refuse_far(report, "cost", "episodes")
    text = report.markdown()
    for k in (1, 25, 97):
        for claim in (f"daRTAA* {k} < aRTAA* {k}", f"aRTAA* {k} < RTAA* {k}"):
            assert not re.search(rf"\| {re.escape(claim)} \| ✗", text), claim
