"""Statistics, verdicts, batches and the report, against slow and obvious ones."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from experiments.measures import small_runs
from replan.experiments.engines import BATCH_SECONDS, BatchBuilder
from replan.experiments.plots import line_plot
from replan.experiments.report import AGREES, DIFFERS, TOO_FEW, PaperComparison, Report
from replan.experiments.statistics import Estimate, bootstrap_interval, holm, mean, paired_test, ratio_of_totals
from replan.experiments.tables import mean_ratio, total_ratio

numbers = st.floats(-1e6, 1e6)
chances = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(chances, st.floats(0.001, 0.5))
def test_holm_rejects_what_the_procedure_rejects(ps, level):
    """Step by step: the smallest against level / m, the next against level / (m - 1), until one does not pass."""
    rejected = set()
    for i, k in enumerate(sorted(range(len(ps)), key=lambda k: ps[k])):
        if ps[k] * (len(ps) - i) > level:
            break
        rejected.add(k)
    assert {k for k, p in enumerate(holm(ps)) if p <= level} == rejected


@given(st.lists(numbers, min_size=2, max_size=50))
def test_a_mean_and_its_error(values):
    found = mean(values)
    assert found.value == pytest.approx(sum(values) / len(values), abs=1e-6)
    spread = math.sqrt(sum((v - found.value) ** 2 for v in values) / (len(values) - 1))
    assert found.standard_error == pytest.approx(spread / math.sqrt(len(values)), abs=1e-6)


def test_the_error_of_a_ratio_is_that_of_repeated_samples():
    """Ratios of many samples spread as the error of one of them says."""
    rng = np.random.default_rng(1)
    whole = rng.uniform(1, 3, (2000, 50))
    part = whole * rng.uniform(1, 2, whole.shape)
    found = [ratio_of_totals(p, w) for p, w in zip(part, whole, strict=True)]
    assert np.std([f.value for f in found]) == pytest.approx(np.mean([f.standard_error for f in found]), rel=0.1)


def test_an_interval_covers_the_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(2)
    found = [bootstrap_interval(rng.normal(5, 2, 60)) for _ in range(200)]
    assert 0.88 <= np.mean([low <= 5 <= high for low, high in found]) <= 0.99


@examples(15)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30))
def test_pairs_are_counted(both):
    first, second = zip(*both, strict=True)
    pair = paired_test(first, second)
    assert pair.first_smaller == sum(a < b for a, b in both)
    assert pair.ties == sum(a == b for a, b in both)
    assert pair.first_smaller + pair.ties + pair.second_smaller == len(both)
    assert 0 <= pair.p_ranks <= 1
    assert paired_test(second, first).p_ranks == pytest.approx(pair.p_ranks)


@pytest.mark.parametrize(
    ("ours", "paper_error", "verdict"),
    [
        (Estimate(102.0, 1.0, 10.0, 100), 1.0, AGREES),
        (Estimate(110.0, 1.0, 10.0, 100), 1.0, DIFFERS),
        (Estimate(110.0, 1.0, 2.0, 3), 0.0, TOO_FEW),  # three values tell little
        (Estimate(100.1, 3.0, 6.0, 3), 0.0, TOO_FEW),  # even if they are near
        (Estimate(102.0, 6.0, 60.0, 100), 1.0, TOO_FEW),  # 18 % could have been seen, and a tenth matters
        (Estimate(110.0, float("nan"), float("nan"), 1), 1.0, TOO_FEW),
        (Estimate(100.0, 0.0, 0.0, 5), 0.0, AGREES),  # counts that are always the same
        (Estimate(101.0, 0.0, 0.0, 5), 0.0, DIFFERS),
        (Estimate(150.0, 0.1, 0.2, 4), 1.0, TOO_FEW),  # four that happen to be alike
    ],
)
def test_verdicts(ours, paper_error, verdict):
    assert PaperComparison("row", "column", 100.0, paper_error, ours).verdict == verdict


@given(st.lists(st.floats(0.001, 5), min_size=1, max_size=40), st.integers(1, 8))
def test_batches_hold_every_run_once_and_grow_to_a_second(seconds, problems):
    runs = small_runs(problems)
    batches, found, pace = BatchBuilder(runs), [], iter(seconds * 100)
    for batch in batches:
        found += batch.runs
        batches.record_duration(batch, next(pace))
    assert [id(run) for run in found] == [id(run) for run in runs]


def test_batches_take_about_a_second():
    truth = {1: 0.004, 9: 0.02, 33: 0.1}
    batches, took = BatchBuilder(small_runs(200)), []
    for batch in batches:
        took.append(sum(truth[run.tags["lookahead"]] for run in batch.runs))
        batches.record_duration(batch, took[-1])
    assert BATCH_SECONDS / 2 < np.mean(took[len(took) // 2 : -1]) < 2 * BATCH_SECONDS


def test_the_page_stands_alone_and_shows_text_as_text(tmp_path):
    report = Report("<script>alert(1)</script>")
    report.heading("Some <i>part</i> & more")
    report.text("a <b>planner</b> | with a bar")
    report.table(["planner | x", "cost"], [["<img src=x>", 1.5]])
    report.compare_with_paper([PaperComparison("RTAA*", "cost", 1.0, 0.01, Estimate(1.0, 0.01, 0.1, 100))])
    report.plot("lines", line_plot({"a": ([1.0, 2.0], [1.0, 2.0])}, "x", "y"), "Some lines")
    report.write(tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>" not in page and "<b>planner" not in page and "<img src=x" not in page
    assert re.findall(r'src="([^"]{0,26})', page) == ["data:image/svg+xml;base64,"]
    assert '<td class="yes">✓ agrees' in page
    (link,) = re.findall(r'<a href="#([^"]*)">Some &lt;i&gt;part&lt;/i&gt; &amp; more</a>', page)
    assert f'<h2 id="{link}">' in page and "<i>part" not in page, "a table of contents"
    assert (tmp_path / "lines.svg").read_bytes().startswith(b"<?xml") and (tmp_path / "lines.png").exists()
    assert "1 of 1 figures agree" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_the_same_data_gives_the_same_picture(tmp_path):
    pictures = []
    for name in ("a", "b"):
        report = Report("t")
        report.plot("lines", line_plot({"a": ([1.0, 2.0], [1.0, 2.0])}, "x", "y"), "Some lines")
        (tmp_path / name).mkdir()
        report.write(tmp_path / name)
        pictures.append((tmp_path / name / "lines.svg").read_bytes())
    assert pictures[0] == pictures[1]


def test_a_column_case_by_case_and_in_total():
    import polars as pl

    trips = pl.DataFrame({"percolations": [10, 90], "episodes": [10, 30]})
    assert mean_ratio("percolations", "episodes")(trips).value == 2.0
    assert total_ratio("percolations", "episodes")(trips).value == 2.5
