"""A tiny sample of each experiment, as a user would run it, and what its report must have."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.papers.claims import CLAIMS
from replan.papers.common.verdicts import VERDICTS
from replan.papers.course.questions import QUESTIONS, QUESTIONS_WITH_RUNS, explanation_text


def reproduce(name: str, out: Path, sample: int, *more: str) -> str:
    """The report of an experiment. Threads: they start at once."""
    arguments = ["reproduce", name, "--sample", str(sample), "--out", str(out), "--engine", "threads", *more]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert (out / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    report = (out / "report.md").read_text(encoding="utf-8")
    refuse_disorder(name, report)
    if name in CLAIMS and "--planners" not in more:
        refuse_silence(name, out)
    return report


def refuse_disorder(name: str, report: str) -> None:
    """The parts of all reports are in the same order."""
    parts = re.findall(r"^## (.*)$", report, re.M)
    assert parts[-1] == "How it was made"
    assert parts[0] == "What was run" or name == "user-planners"
    if "What the paper says" in parts:
        assert parts[:2] == ["What was run", "What the paper says"] and parts[-2] == "Evidence"


def refuse_silence(name: str, out: Path) -> None:
    """Every claim of the paper has a verdict or, where it was not tested, a reason."""
    with open(out / "claims.csv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["says"] for row in rows] == [claim.statement for claim in CLAIMS[name]]
    for row in rows:
        assert row["verdict"] in VERDICTS and row["found"], row


@pytest.fixture(scope="module")
def rtaa(tmp_path_factory: pytest.TempPathFactory) -> str:
    return reproduce("rtaa", tmp_path_factory.mktemp("rtaa"), 2)


def test_rtaa_without_times(tmp_path: Path) -> None:
    """What is said about times is then not tested; the rest is."""
    report = reproduce("rtaa", tmp_path, 1, "--timed-problems", "0")
    assert "No times were taken." in report and "--timed-problems 0`" in report
    assert "RTAA* searches shorter than LRTA* | maze by maze, mean and ranks | not tested |" in report
    assert "| the same moves | ✓ holds | in 1 of 1 mazes |" in report


def test_rtaa_has_all_rows_and_columns(rtaa: str) -> None:
    for letter in "abcdefghi":
        assert f"({letter})" in rtaa
    for row in ("RTAA* 1 ", "RTAA* ∞", "LSS-LRTA* 89", "D* Lite", "Repeated Forward A*", "Repeated Backward A*"):
        assert f"| {row}" in rtaa
    assert "| RTAA* 9 | (d) cost | 56,708 |" in rtaa


def test_rtaa_decides_as_the_paper(rtaa: str) -> None:
    for limit, planner, lookahead in (("20 µs per episode", "RTAA*", 67), ("20 µs per episode", "LSS-LRTA*", 43)):
        assert f"| {limit} | {planner} | {lookahead} | {lookahead} | ✓ agrees |" in rtaa
    for planner, lookahead in (("RTAA*", 79), ("LSS-LRTA*", 53)):
        assert f"| 4 µs per move | {planner} | {lookahead} | {lookahead} | ✓ agrees |" in rtaa
    assert "| the same moves | ✓ holds | in 2 of 2 mazes |" in rtaa
    assert "(figure-9.svg)" in rtaa


def test_a_planner_of_the_users_own_stands_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_planners.py").write_text(MINE, encoding="utf-8")
    named = "RTAA*:lookahead=9,own_planners:MyPlanner,own_planners:bounded"
    report = reproduce("rtaa", tmp_path / "out", 1, "--planners", named)
    assert "| RTAA* 9 | (d) cost | 56,708 |" in report
    for row in ("own_planners:MyPlanner", "own_planners:bounded 1", "own_planners:bounded 89"):
        assert len(re.findall(rf"^\| {re.escape(row)} \|", report, re.MULTILINE)) == 1
    assert "LSS-LRTA* 9" not in report


MINE = """
import replan

class MyPlanner(replan.Planner):
    '''Looks one step ahead and remembers.'''

    def __init__(self):
        super().__init__()
        self.h = {}

    def plan(self, state, budget):
        near = [v for v, _ in self.space.successors(state)]
        best = min(near, key=lambda v: self.h.get(v, 0))
        self.h[state] = max(self.h.get(state, 0), 1 + self.h.get(best, 0))
        return [best]

def bounded(lookahead=9):
    return replan.planner("RTAA*", lookahead=lookahead)
"""


# depression avoidance 2011.


def test_depression_on_built_in_maps(tmp_path: Path) -> None:
    report = reproduce("depression", tmp_path, 1)
    assert "These are built-in maps, not the paper's" in report
    for row in ("RTAA* 1", "aRTAA* 49", "daRTAA* 97", "Repeated Forward A*", "LSS-LRTA* 25", "aLSS-LRTA* 25"):
        assert f"| {row} |" in report
    for said in ("both cost the same, %", "| daRTAA* 1 < aRTAA* 19 |", "| daRTAA* 25 < RTAA* 97 |"):
        assert said in report
    assert "(figure-1.svg)" in report
    assert "arbitrarily better" in report and "arbitrarily worse" in report


def test_missing_maps_are_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["reproduce", "depression", "--maps", str(tmp_path), "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert "dao/brc202d.map" in done.output and "Traceback" not in done.output


# Buckets 2006.


def test_buckets_has_its_table_and_figures(tmp_path: Path) -> None:
    report = reproduce("buckets", tmp_path, 3)
    assert "| D* Lite (queue=buckets) | expansions | 11,632 |" in report
    assert "buckets halve the run time of D* Lite" in report and "too few to tell" in report
    assert "| expanded by D* Lite | 15 |" in report and "also expands 10 of them" in report
    assert (tmp_path / "figure-1.svg").is_file() and (tmp_path / "figure-2.png").is_file()


# RTD* 2010.


def test_rtd_has_both_figures_all_planners_and_both_conventions(tmp_path: Path) -> None:
    report = reproduce("rtd", tmp_path, 1, "--conventions", "authors")
    for ends in ("as the text has it", "as the authors' program has it"):
        for figure in ("Figure 3: unknown worlds", "Figure 4: rooms with doors that open and close"):
            part = report.split(f"## {figure}, {ends}")[1].split("\n## ")[0]
            for planner in ("LRTA*", "LSS-LRTA*", "RTD* (D* Lite, LRTA*)", "RTD* (D* Lite, LSS-LRTA*)", "Non-RTD*"):
                assert f"\n| {planner} |" in part
            assert "RTD* (D* Lite, LRTA*), 50% local" in part and "| RTD* NoOp |" in part
    assert "| text | authors |" in report
    assert report.count("| as in the figure |") == 2 and report.count("every search begins from scratch |") == 2
    assert "--conventions authors" in report, "how it was made"
    for name in ("figure-3-top", "figure-4-bottom", "authors-figure-3-bottom"):
        assert (tmp_path / f"{name}.svg").is_file()


def test_experiments_whose_authors_program_is_not_known_say_so(tmp_path: Path) -> None:
    words = ["reproduce", "buckets", "--conventions", "authors", "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2 and "no conventions other than" in done.output


def test_rtd_keeps_two_settings_of_one_planner_apart(tmp_path: Path) -> None:
    report = reproduce("rtd", tmp_path, 1, "--planners", "RTAA*:lookahead=9,RTAA*:lookahead=64,D* Lite:ties=random")
    for row in ("RTAA* 9", "RTAA* 64", "D* Lite (ties=random)"):
        assert report.count(f"\n| {row} | ") == 2, "a row for each world"


# new: all tables.


def test_new_has_the_tables_of_all_papers(tmp_path: Path) -> None:
    report = reproduce("user-planners", tmp_path, 1, "--planners", "daRTAA*:lookahead=9,D* Lite")
    for paper in ("RTAA* 2006", "Depression avoidance 2011", "RTD* 2010", "Buckets 2006"):
        assert f"## {paper}: " in report
    assert report.count("| cost: daRTAA* 9 < D* Lite |") == 3  # the fourth measures steps
    assert (tmp_path / "rtd-figure-3-top.svg").exists()


def test_new_asks_for_planners(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["reproduce", "user-planners", "--out", str(tmp_path / "x")])
    assert done.exit_code == 2 and "--planners" in done.output


# The worked examples of RTAA* 2006 and of the course project.


def test_example_has_all_figures_and_agrees_with_the_papers(tmp_path: Path) -> None:
    report = reproduce("example", tmp_path, 1)
    assert "10 of 10 figures agree with the paper's, 0 differ." in report
    wanted = {"rtaa-2006": [3, 4, 5, 6, 7], "course-project": [2, 3, 5, 6, 7, 8, 9]}
    for name in (f"{paper}-figure-{i}" for paper, listed in wanted.items() for i in listed):
        assert f"({name}.svg)" in report
        assert (tmp_path / f"{name}.svg").exists() and (tmp_path / f"{name}.png").exists()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<em>RTAA* 2006, Figure 5: RTAA*, unlimited lookahead</em>" in page, "a star in a name ends no emphasis"
    assert "| RTAA* 2006, Figure 7: RTAA*, lookahead 4 | E3, D1, C2, B3, D5 | 4, 4, 4, 4, 1 | 17 | 12 |" in report


# The course project.

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
    for name in ("question-1", "question-4", *(question.name for question in QUESTIONS_WITH_RUNS)):
        assert explanation_text(name).strip() in report
    assert "| E3 | 1 | 2 | 3 |" in report and "the first move is to E3" in report


def test_every_experiment_has_table_plot_and_tests(course: tuple[Path, str]) -> None:
    out, report = course
    for question in QUESTIONS_WITH_RUNS:
        section = report.split(f"## {question.title}\n")[1].split("\n## ")[0]
        assert section.count("| --- |") >= 2
        assert f"({question.name}.svg)" in section
        assert section.count("| too few to tell |") == len(question.expectations), "two worlds show nothing"
        assert section.count("2 worlds are too few to tell") == len(question.expectations)
        for expectation in question.expectations:
            assert f"| {expectation.first.name} | {expectation.second.name} |" in section
        assert (out / f"{question.name}.svg").exists() and (out / f"{question.name}.png").exists()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count('src="data:image/svg+xml;base64,') == len(QUESTIONS_WITH_RUNS) + 1
    assert 'src="question' not in page


def test_the_figures_are_those_of_the_trips(course: tuple[Path, str]) -> None:
    _, report = course
    for variant in QUESTIONS[0].variants:
        counts = [variant.measure(run)[0] for run in map(variant.make_run, range(COURSE_SAMPLE))]
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
    for row in ("Repeated Forward A*", "RTAA* lookahead=9", "my_planner:Adaptive"):
        assert f"\n| {row} |" in report
    assert "Question 2" not in report


def test_the_example_draws_planners_that_the_user_names_if_they_can_be_drawn(tmp_path: Path) -> None:
    report = reproduce("example", tmp_path / "out", 1, "--planners", "daRTAA*:lookahead=3,ARA*")
    assert "| daRTAA* lookahead=3 | E3, D2, D1," in report and "(named-2.svg)" in report
    done = CliRunner().invoke(main, ["reproduce", "example", "--planners", "D* Lite", "--out", str(tmp_path / "no")])
    assert done.exit_code == 2 and "its searches cannot be drawn" in done.output


def test_dispute_says_who_wins_where(tmp_path: Path) -> None:
    report = reproduce("dispute", tmp_path, 1, "--planners", "D* Lite,MPGAA*,D* Extra Lite")
    for terrain in ("mazes", "rooms", "random 10 %", "random 40 %", "caves", "doors", "cells blocked and freed"):
        assert f"### {terrain}\n" in report
    assert "did not arrive" not in report


def test_frame_sets_cost_against_time(tmp_path: Path) -> None:
    report = reproduce("time-budget", tmp_path, 1, "--planners", "TBAA*,FRIT")
    assert "(frame.svg)" in report
    for row in ("TBAA* 4", "TBAA* 256", "FRIT(BFS) 32"):
        assert f"| {row} |" in report
