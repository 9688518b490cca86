"""A tiny sample of each experiment, as a user would run it, and what its report must have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.experiments.course_questions import EXPERIMENTS, QUESTIONS, text_of


def reproduce(name: str, out: Path, sample: int, *more: str) -> str:
    """The report of an experiment. Threads: they start at once."""
    arguments = ["reproduce", name, "--sample", str(sample), "--out", str(out), "--engine", "threads", *more]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert (out / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    return (out / "report.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rtaa(tmp_path_factory: pytest.TempPathFactory) -> str:
    return reproduce("rtaa", tmp_path_factory.mktemp("rtaa"), 2)


def test_rtaa_has_all_rows_and_columns(rtaa: str) -> None:
    for letter in "abcdefghi":
        assert f"({letter})" in rtaa
    for row in ("RTAA* 1 ", "RTAA* ∞", "LSS-LRTA* 89", "D* Lite", "Repeated Forward A*", "Repeated Backward A*"):
        assert f"| {row}" in rtaa
    assert "| RTAA* 9 | (d) cost | 56,708 |" in rtaa


# example: papers 000 and 004.


def test_example_has_all_figures_and_agrees_with_the_papers(tmp_path: Path) -> None:
    report = reproduce("example", tmp_path, 1)
    assert "10 of 10 figures agree with the paper's, 0 differ." in report
    wanted = {"000": [3, 4, 5, 6, 7], "004": [2, 3, 5, 6, 7, 8, 9]}
    for name in (f"paper-{paper}-figure-{i}" for paper, listed in wanted.items() for i in listed):
        assert f"({name}.svg)" in report
        assert (tmp_path / f"{name}.svg").exists() and (tmp_path / f"{name}.png").exists()
    assert "| Paper 000, Figure 7: RTAA*, lookahead 4 | E3, D1, C2, B3, D5 | 4, 4, 4, 4, 1 | 17 | 12 |" in report


# course: paper 004.

COURSE_SAMPLE = 2


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    if not replan.compiled:
        pytest.skip("millions of expansions, for which an interpreted core takes too long")
    out = tmp_path_factory.mktemp("course")
    return out, reproduce("course", out, COURSE_SAMPLE)


def test_every_question_has_its_place_in_the_report(course: tuple[Path, str]) -> None:
    _, report = course
    headings = re.findall(r"^## (?:Question (\d)|Extra Credit (\d))", report, re.M)
    assert [a or f"E{b}" for a, b in headings] == [*"0123456789", "E1", "E2", "E3"]
    for name in ("question-1", "question-4", *(question.name for question in EXPERIMENTS)):
        assert text_of(name).strip() in report
    assert "| E3 | 1 | 2 | 3 |" in report and "the first move is to E3" in report


def test_every_experiment_has_table_plot_and_tests(course: tuple[Path, str]) -> None:
    out, report = course
    for question in EXPERIMENTS:
        section = report.split(f"## {question.title}\n")[1].split("\n## ")[0]
        assert section.count("| --- |") >= 2
        assert f"({question.name}.svg)" in section
        assert section.count("| not shown |") == len(question.comparisons), "two worlds show nothing"
        for comparison in question.comparisons:
            assert f"| {comparison.first.name} | {comparison.second.name} |" in section
        assert (out / f"{question.name}.svg").exists() and (out / f"{question.name}.png").exists()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count('src="data:image/svg+xml;base64,') == len(EXPERIMENTS) + 1
    assert 'src="question' not in page


def test_the_figures_are_those_of_the_trips(course: tuple[Path, str]) -> None:
    _, report = course
    for variant in QUESTIONS[0].variants:
        counts = [variant.measure(run)[0] for run in map(variant.run, range(COURSE_SAMPLE))]
        shown = f"{sum(c['expansions'] for c in counts) / COURSE_SAMPLE:,.0f}"
        assert re.search(rf"^\| {re.escape(variant.name)} \| {shown} \|", report, re.M)


def test_walled_in_targets_are_never_reached_and_within_the_bound(course: tuple[Path, str]) -> None:
    _, report = course
    n = COURSE_SAMPLE
    assert f"\n| Repeated Forward A* | {n} | {n} | {n} |" in report
    assert f"\n| target walled in | {n} | 0 | {n} |" in report


def test_memory_is_told_for_the_papers_size(course: tuple[Path, str]) -> None:
    _, report = course
    section = report.split("## Extra Credit 1")[1].split("\n## ")[0]
    assert "MB at 1001 x 1001" in section and "largest in 4 MB" in section
    assert re.search(r"\| Repeated Forward A\* \| heap \| [\d.]+ \| [\d.]+ \| \d+ x \d+ \|", section)


# Planners that the user names, one of them the user's own.

OWN = """
import replan

class Adaptive(replan.Planner):
    def begin(self, space, goals):
        super().begin(space, goals)
        self.inner = replan.planner("Adaptive A*")
        self.inner.begin(space, goals)

    def plan(self, state, budget):
        return self.inner.plan(state, None)
"""


def test_the_course_takes_planners_that_the_user_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_planner.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    report = reproduce("course", tmp_path / "out", 1, "--planners", "RTAA*:lookahead=9,my_planner:Adaptive")
    for row in ("Repeated Forward A*", "RTAA*, lookahead=9", "my_planner:Adaptive"):
        assert f"\n| {row} |" in report
    assert "Question 2" not in report


def test_the_example_draws_planners_that_the_user_names_if_they_can_be_drawn(tmp_path: Path) -> None:
    report = reproduce("example", tmp_path / "out", 1, "--planners", "daRTAA*:lookahead=3,ARA*")
    assert "| daRTAA*, lookahead=3 | E3, D2, D1," in report and "(named-2.svg)" in report
    done = CliRunner().invoke(main, ["reproduce", "example", "--planners", "D* Lite", "--out", str(tmp_path / "no")])
    assert done.exit_code == 2 and "its searches cannot be drawn" in done.output
