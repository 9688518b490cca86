"""Which planner and lookahead: the paper's worked example, and the command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import replan
from replan.cli import main
from replan.experiments.advise import CalibrationResult, rank_results
from replan.experiments.experiment import read_paper_table
from replan.experiments.lookahead_choice import LookaheadMeasurement, cost_at_lookahead, largest_odd_lookahead
from replan.papers.rtaa.columns import PAPER_TABLE_FILE
from replan.papers.rtaa.time_limits import WORKED_EXAMPLES


def paper_points(planner: str, column: str) -> list[LookaheadMeasurement]:
    rows = [
        r for r in read_paper_table(PAPER_TABLE_FILE) if r["planner"] == planner and r["lookahead"] not in ("", "inf")
    ]
    return [LookaheadMeasurement(int(r["lookahead"]), float(r[column]), float(r["cost"])) for r in rows]


@pytest.mark.parametrize("worked", WORKED_EXAMPLES, ids=lambda worked: f"{worked.planner} per {worked.limit_unit}")
def test_the_worked_example_of_rtaa_2006(worked):
    points = paper_points(worked.planner, f"us_per_{worked.limit_unit}")
    assert largest_odd_lookahead(points, worked.limit) == worked.lookahead
    assert cost_at_lookahead(points, worked.lookahead) == pytest.approx(worked.cost, rel=0.03)  # the paper measured it


def test_d_star_lite_is_the_choice_above_its_own_time():
    (row,) = [r for r in read_paper_table(PAPER_TABLE_FILE) if r["planner"] == "D* Lite"]
    for planner in ("RTAA*", "LRTA*"):
        points = paper_points(planner, "us_per_episode")
        assert cost_at_lookahead(points, largest_odd_lookahead(points, float(row["us_per_episode"]))) > float(
            row["cost"]
        )


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=8), st.floats(0.001, 200))
def test_the_lookahead_is_odd_and_within(times, limit):
    points = [LookaheadMeasurement(1 + 8 * i, us, 0.0) for i, us in enumerate(times)]
    chosen = largest_odd_lookahead(points, limit)
    assert (chosen is None) == (times[0] > limit)
    if chosen is not None:
        assert chosen % 2 == 1
        assert 1 <= chosen <= points[-1].lookahead
        assert all(point.mean_us <= limit for point in points if point.lookahead <= chosen)


def test_advise_answers_for_a_map():
    done = CliRunner().invoke(main, ["advise", "--episode", "1s", "--problems", "2", "figure-3", "--json"])
    assert done.exit_code == 0, done.output
    answers = json.loads(done.stdout)["answers"]
    assert {answer["planner"] for answer in answers} >= {"RTAA*", "LSS-LRTA*", "D* Lite"}
    assert all(answer["ok"] and answer["reached"] == 2 for answer in answers)
    assert {answer["planner"] for answer in answers} >= {"FRIT(BFS)", "MPGAA*", "D* Extra Lite", "TBAA*"}
    assert answers[0]["cost"] <= 1.1 * min(answer["cost"] for answer in answers)


def test_advise_says_that_nothing_is_quick_enough():
    done = CliRunner().invoke(main, ["advise", "--move", "0.001ns", "figure-3"])
    assert done.exit_code == 0, done.output
    assert "No planner keeps this limit" in done.output


@pytest.mark.parametrize(
    "words", ["", "--episode 20", "--episode 0us", "--episode 1us --move 1us", "--episode 1us x", "--time 3"]
)
def test_advise_refuses_nonsense(words):
    done = CliRunner().invoke(main, ["advise", *words.split()])
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_advise_as_a_function():
    world = replan.World(replan.Grid(replan.maze(15, 15, seed=2), neighbors=4))
    told = []
    table = replan.advise(world, 2, move_us=1e6, planners=["rtaa", "rtaa:lookahead=3", "D* Lite"], progress=told.append)
    assert {(row["planner"], row["lookahead"], row["options"]) for row in table} == {
        ("RTAA*", 1025, ""),
        ("RTAA*", None, "lookahead=3"),
        ("D* Lite", None, ""),
    }
    assert told[0] == "RTAA* 1" and told[-1] == "D* Lite"
    assert all(row["ok"] and row["reached"] == 2 and row["broken_off"] == 0 for row in table)
    assert table.to_polars()["planner"].to_list() == [row["planner"] for row in table]
    assert table[0]["cost"] <= 1.1 * min(row["cost"] for row in table)
    assert str(table).splitlines()[0].split()[:4] == ["planner", "options", "lookahead", "us"]
    assert "waits" not in str(table)  # nobody had to


def answer(planner: str, **figures) -> CalibrationResult:
    """With the same cost and waits on each of the problems that it solves."""
    trip = figures.pop("cost", 100.0), figures.pop("waits", 0)
    solved = figures.pop("cost_and_waits", dict.fromkeys(range(figures.pop("reached", 5)), trip))
    usual = {"options": "", "lookahead": None, "mean_us": 1.0, "p99_us": 2.0, "cost_and_waits": solved}
    return CalibrationResult(
        planner, **{**usual, "trip_count": 5, "timed_out_trips": 0, "keeps_limit": True, **figures}
    )


def test_the_best_comes_first():
    """Of those about as good, the quickest; a wait is a step; who does not keep the limit comes last."""
    answers = [
        answer("too slow", keeps_limit=False, mean_us=9.0, cost=50.0),
        answer("slower still", keeps_limit=False, mean_us=10.0, cost=50.0),
        answer("arrives seldom", reached=4, mean_us=0.1, cost=10.0),
        answer("waits", mean_us=0.1, waits=200.0),
        answer("long trips", mean_us=0.1, cost=111.0),
        answer("as good", mean_us=2.0, cost=109.0),
        answer("shortest", mean_us=3.0, cost=100.0),
    ]
    order = ["as good", "shortest", "long trips", "waits", "arrives seldom", "too slow", "slower still"]
    assert (
        [one.planner for one in rank_results(answers)] == order == [one.planner for one in rank_results(answers[::-1])]
    )


def test_costs_of_other_problems_are_not_compared():
    """Both solve four of five. On what both solved, the first is better; its fourth problem is a long one."""
    good = answer("good", mean_us=2.0, cost_and_waits={0: (10.0, 0), 1: (10.0, 0), 2: (10.0, 0), 3: (900.0, 0)})
    bad = answer("bad", mean_us=1.0, cost_and_waits={0: (20.0, 0), 1: (20.0, 0), 2: (20.0, 0), 4: (1.0, 0)})
    assert [one.planner for one in rank_results([bad, good])] == ["good", "bad"]
    assert [one.as_row({0, 1, 2})["cost"] for one in (good, bad)] == [10.0, 20.0]


def test_usual_planners_that_cannot_do_it_are_left_out(monkeypatch):
    """Named, they are an error."""
    monkeypatch.setattr("replan.experiments.advise.DEFAULT_PLANNERS", ("D* Lite", "Compact A*"))
    world = replan.World(replan.Grid(replan.maze(9, 9, seed=1)))
    table = replan.advise(world, 1, episode_us=1e6, seconds=1)
    assert [row["planner"] for row in table] == ["D* Lite"] and list(table.left_out) == ["Compact A*"]
    assert str(table).splitlines()[-1].startswith("left out: Compact A*: ")
    with pytest.raises(replan.InputError, match="Compact"):
        replan.advise(world, 1, episode_us=1e6, seconds=1, planners=["Compact A*"])


def test_a_problem_that_cannot_be_is_an_error():
    """Not a reason to leave all planners out."""
    with pytest.raises(replan.InputError, match="outside the map"):
        replan.advise(replan.Grid(np.zeros((4, 4), bool)), [((0, 0), (9, 9))], episode_us=1, seconds=1)


def test_advise_breaks_trips_off_rather_than_to_take_long():
    """Two microseconds for everything: each trip gets a thousandth of a second, and most do not arrive."""
    world = replan.World(replan.Grid(replan.maze(151, 151, seed=2), neighbors=4))
    table = replan.advise(world, [((0, 0), (150, 150))], episode_us=1e9, planners="rtaa:lookahead=1", seconds=2e-6)
    assert [(row["reached"], row["broken_off"], row["cost"]) for row in table] == [(0, 1, None)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "give one limit"),
        ({"episode_us": 1, "move_us": 1}, "give one limit"),
        ({"episode_us": "20us"}, "episode_us is a number of microseconds above 0, not '20us'"),
        ({"move_us": 0}, "move_us is a number"),
        ({"move_us": 1, "seconds": 0}, "seconds is a number above 0"),
        ({"move_us": 1, "planners": ["rtta"]}, "did you mean"),
    ],
)
def test_what_advise_refuses(options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.advise(replan.Grid(np.zeros((4, 4), bool)), 1, **options)


def test_advise_with_a_planner_of_ones_own(tmp_path, monkeypatch):
    name = f"mine_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(
        "import replan\n"
        "class Mine(replan.Planner):\n"
        "    def __init__(self, lookahead=9):\n"
        "        super().__init__()\n"
        "        self.inner = replan.planner('RTAA*', lookahead=lookahead)\n"
        "    def begin(self, space, goals):\n"
        "        super().begin(space, goals)\n"
        "        self.inner.begin(space, goals)\n"
        "    def plan(self, state, budget):\n"
        "        return self.inner.plan(state, None)\n"
    )
    monkeypatch.chdir(tmp_path)
    world = replan.World(replan.Grid(replan.maze(15, 15, seed=1), neighbors=4))
    rows = replan.advise(world, 2, episode_us=500, planners=[f"{name}:Mine", "RTAA*"], seconds=2)
    assert {row["planner"] for row in rows} == {f"{name}:Mine", "RTAA*"}
    assert all(row["reached"] == 2 and row["lookahead"] for row in rows)


def test_advise_announces_its_time():
    done = CliRunner().invoke(main, ["advise", "--episode", "1s", "--time", "2.5s", "figure-3", "--planner", "D* Lite"])
    assert done.exit_code == 0, done.output
    assert "measuring for at most 2.5 s (--time)" in done.output
    assert 'Use replan.planner("D* Lite").' in done.output


def test_advise_warns_of_planners_without_a_limit():
    done = CliRunner().invoke(main, ["advise", "--episode", "1s", "figure-3", "--planner", "D* Lite"])
    assert "It always searches a whole path" in " ".join(done.output.split())
    done = CliRunner().invoke(main, ["advise", "--episode", "1s", "figure-3", "--planner", "RTAA*"])
    assert done.exit_code == 0 and "It always searches a whole path" not in " ".join(done.output.split())
