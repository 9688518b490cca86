"""`replan compare`."""

from __future__ import annotations

import csv
import json
import sys

import pytest

import replan
from replan.experiments import compare

TWO = ("--planner", "repeated-forward-a-star", "--planner", "repeated-backward-a-star")


def test_compare_all_planners(replan_command):
    result = replan_command("compare", "figure-3", "--problems", 3)
    assert result.exit_code == 0
    assert "figure-3: means of 3 problems" in result.stdout
    for spec in replan.planners():
        assert spec.name in result.stdout
    assert "Repeated BFS is left out: needs steps of equal cost" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json(as_json):
    answer = as_json("compare", "cave", "rooms", *TWO, "--problems", 4, "--seed", 2)
    assert answer["interrupted"] is False
    assert [course["map"] for course in answer["maps"]] == ["cave", "rooms"]
    for course in answer["maps"]:
        assert len(course["problems"]) == 4
        assert course["left_out"] == {}
        assert [row["planner"] for row in course["planners"]] == ["Repeated Forward A*", "Repeated Backward A*"]
        for row in course["planners"]:
            assert row["trips"] == row["reached"] == 4
            assert row["ratio"] >= 1
            assert row["us_per_episode"] > 0
    again = as_json("compare", "cave", "rooms", *TWO, "--problems", 4, "--seed", 2)
    assert [course["problems"] for course in again["maps"]] == [course["problems"] for course in answer["maps"]]


def test_means_are_means_of_single_trips(as_json):
    course = as_json("compare", "cave", *TWO, "--problems", 3)["maps"][0]
    trips = [
        as_json("run", "cave", "--start", "{},{}".format(*p["start"]), "--goal", "{},{}".format(*p["goal"]))
        for p in course["problems"]
    ]
    row = course["planners"][0]
    for figure in ("cost", "ratio", "moves", "episodes", "expansions"):
        assert row[figure] == pytest.approx(sum(trip[figure] for trip in trips) / 3)


def test_several_maps_have_a_table_of_all(replan_command):
    result = replan_command("compare", "cave", "rooms", *TWO, "--problems", 2)
    assert "all maps" in result.stdout
    assert result.stdout.count("Repeated Forward A*") == 3
    assert "4/4" in result.stdout


def test_the_same_planner_twice_counts_once(as_json):
    words = ("--planner", "repeated-forward-a-star", "--planner", "Repeated Forward A*", *TWO)
    assert len(as_json("compare", "figure-3", *words)["maps"][0]["planners"]) == 2


def test_several_planners_with_commas(as_json):
    """As `reproduce --planners` takes them; a comma also stands between the options of one."""
    words = ("--planner", "rtaa:lookahead=5,ties=random,D* Lite", "--planner", "A*")
    rows = as_json("compare", "figure-3", *words)["maps"][0]["planners"]
    names = ["RTAA* lookahead=5, ties=random", "D* Lite", "Repeated Forward A*"]
    assert [row["planner"] for row in rows] == names


def test_planners_that_give_up_are_counted(as_json):
    row = as_json("compare", "maze", *TWO, "--max-moves", 3)["maps"][0]["planners"][0]
    assert (row["reached"], row["trips"], row["cost"]) == (0, 10, None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cave", "nowhere.map"], "nowhere.map: no such file"),
        (["cave", "--planner", "repeated-bfs"], "needs steps of equal cost"),
        (["cave", "--planner", "hal"], "there is no planner 'hal'"),
        (["--problems", "0"], "0 is not in the range"),
        (["--scenarios"], "the built-in map maze has no scenarios"),
        (["--sensor", "x"], "a sensor is adjacent, everything, or a radius"),
    ],
)
def test_nonsense_is_refused(refused, words, message):
    assert message in refused("compare", *words)


def test_a_map_without_problems(refused, tmp_path):
    path = tmp_path / "lonely.txt"
    path.write_text(".#.\n")
    assert "no two free cells of the map are connected" in refused("compare", path)
    path.write_text("###\n")
    assert "no two free cells of the map are connected" in refused("compare", path)


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C in the middle of the sixth trip."""
    real, count = compare.simulate, 0

    def simulate(*words, **settings):
        nonlocal count
        count += "timing" in settings  # the others are cheapest paths
        if count == 6:
            raise KeyboardInterrupt
        return real(*words, **settings)

    monkeypatch.setattr(compare, "simulate", simulate)


def test_ctrl_c_shows_what_is_finished(replan_command, interrupted):
    result = replan_command("compare", "cave", "maze", *TWO)
    assert result.exit_code == 130
    assert "Note: interrupted; the table has the finished trips" in result.stderr
    assert "3/3" in result.stdout and "2/2" in result.stdout
    assert "maze: no trip was finished" in result.stdout


def test_ctrl_c_with_json(replan_command, interrupted):
    result = replan_command("compare", "cave", *TWO, "--json")
    assert result.exit_code == 130
    answer = json.loads(result.stdout)
    assert answer["interrupted"] is True
    assert [row["trips"] for row in answer["maps"][0]["planners"]] == [3, 2]


def test_scenarios(as_json, real_map):
    answer = as_json("compare", real_map, "--scenarios", "--problems", 6, *TWO)
    assert len(answer["maps"][0]["problems"]) == 6
    everything = as_json("compare", real_map, "--scenarios", "--planner", "repeated-forward-a-star")
    assert len(everything["maps"][0]["problems"]) == 160


def test_scenarios_that_cannot_be_solved_are_left_out(replan_command, tmp_path):
    path = tmp_path / "tiny.map"
    path.write_text("type octile\nheight 1\nwidth 4\nmap\n..@.\n")
    problem = "0\ttiny.map\t4\t1\t{}\t0\t{}\t0\t1\n"
    ends = [(0, 1), (2, 1), (0, 2), (0, 3)]  # good, blocked, blocked, not connected
    (tmp_path / "tiny.map.scen").write_text("version 1\n" + "".join(problem.format(*pair) for pair in ends))
    result = replan_command("compare", path, "--scenarios", "--json", *TWO)
    assert result.exit_code == 0
    assert "the start (0, 2) is blocked" in result.stderr
    assert "the goal (0, 2) is blocked" in result.stderr
    assert "no way leads from (0, 0) to (0, 3)" in result.stderr
    assert [row["trips"] for row in json.loads(result.stdout)["maps"][0]["planners"]] == [1, 1]


def test_a_planner_of_ones_own(as_json, mine):
    rows = as_json("compare", "maze", "--planner", f"{mine.name}:MyPlanner", "--planner", "rtaa")["maps"][0]["planners"]
    assert [row["planner"] for row in rows] == [f"{mine.stem}:MyPlanner", "RTAA* lookahead=9"]
    assert rows[0]["cost"] == rows[1]["cost"]


def test_csv_has_a_line_for_each_map_and_planner_with_intervals(replan_command, tmp_path):
    path = tmp_path / "x.csv"
    assert replan_command("compare", "maze", "cave", *TWO, "--problems", 4, "--csv", path).exit_code == 0
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["map"], row["planner"]) for row in rows] == [
        (name, planner) for name in ("maze", "cave") for planner in ("Repeated Forward A*", "Repeated Backward A*")
    ]
    for row in rows:
        assert float(row["cost_low"]) <= float(row["cost"]) <= float(row["cost_high"])
        assert {"ratio_low", "us_per_episode_high", "expansions_low", "percolations"} <= row.keys()


def test_every_trip_in_a_file(replan_command, tmp_path):
    path = tmp_path / "trips.csv"
    assert replan_command("compare", "maze", "cave", *TWO, "--problems", 2, "--trips", path).exit_code == 0
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["world"], row["problem"]) for row in rows[::2]] == [(m, p) for m in ("maze", "cave") for p in "01"]
    assert [row["planner"] for row in rows[:2]] == ["Repeated Forward A*", "Repeated Backward A*"]
    assert rows[0]["start"] == rows[1]["start"] and rows[0]["goal"] == rows[1]["goal"]


def test_csv_is_refused_before_the_work(refused, tmp_path, monkeypatch):
    assert "its folder does not exist" in refused("compare", *TWO, "--csv", tmp_path / "none" / "x.csv")
    assert "its folder does not exist" in refused("compare", *TWO, "--trips", tmp_path / "none" / "x.csv")
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert "pip install 'replan[experiments]'" in refused("compare", *TWO, "--csv", tmp_path / "x.csv")
