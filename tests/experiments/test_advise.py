"""Which planner and lookahead: the paper's worked example, and the command."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from replan.cli import main
from replan.experiments.experiment import paper_table
from replan.experiments.lookaheads import Point, cost_at, odd_lookahead
from replan.papers.rtaa.experiment import PAPER_FIGURES
from replan.papers.rtaa.time_limits import WORKED


def paper_points(planner: str, column: str) -> list[Point]:
    rows = [r for r in paper_table(PAPER_FIGURES) if r["planner"] == planner and r["lookahead"] not in ("", "inf")]
    return [Point(int(r["lookahead"]), float(r[column]), float(r["cost"])) for r in rows]


@pytest.mark.parametrize("worked", WORKED, ids=lambda worked: f"{worked.planner} per {worked.per}")
def test_the_worked_example_of_rtaa_2006(worked):
    points = paper_points(worked.planner, f"us_per_{worked.per}")
    assert odd_lookahead(points, worked.limit) == worked.lookahead
    assert cost_at(points, worked.lookahead) == pytest.approx(worked.cost, rel=0.03)  # the paper measured it


def test_d_star_lite_is_the_choice_above_its_own_time():
    (row,) = [r for r in paper_table(PAPER_FIGURES) if r["planner"] == "D* Lite"]
    for planner in ("RTAA*", "LRTA*"):
        points = paper_points(planner, "us_per_episode")
        assert cost_at(points, odd_lookahead(points, float(row["us_per_episode"]))) > float(row["cost"])


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=8), st.floats(0.001, 200))
def test_the_lookahead_is_odd_and_within(times, limit):
    points = [Point(1 + 8 * i, us, 0.0) for i, us in enumerate(times)]
    chosen = odd_lookahead(points, limit)
    assert (chosen is None) == (times[0] > limit)
    if chosen is not None:
        assert chosen % 2 == 1
        assert 1 <= chosen <= points[-1].lookahead
        assert all(point.us <= limit for point in points if point.lookahead <= chosen)


def test_advise_answers_for_a_map():
    done = CliRunner().invoke(main, ["advise", "--episode", "1s", "--problems", "2", "figure-3", "--json"])
    assert done.exit_code == 0, done.output
    answers = json.loads(done.stdout)["answers"]
    assert {answer["planner"] for answer in answers} >= {"RTAA*", "LSS-LRTA*", "D* Lite"}
    assert all(answer["ok"] and answer["reached"] == 2 for answer in answers)
    assert answers[0]["cost"] == min(answer["cost"] for answer in answers)


def test_advise_says_that_nothing_is_quick_enough():
    done = CliRunner().invoke(main, ["advise", "--move", "0.001ns", "figure-3"])
    assert done.exit_code == 0, done.output
    assert "No planner keeps this limit" in done.output


@pytest.mark.parametrize("words", ["", "--episode 20", "--episode 0us", "--episode 1us --move 1us", "--episode 1us x"])
def test_advise_refuses_nonsense(words):
    done = CliRunner().invoke(main, ["advise", *words.split()])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
