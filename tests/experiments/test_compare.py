"""`replan.compare`: a table of planners on the same problems."""

from __future__ import annotations

import csv

import numpy as np
import polars as pl
import pytest

import replan
from replan.simulation.trip import FIGURES

MAZE = replan.Grid(replan.maze(21, 21, seed=3), neighbors=4)
ENDS = [((0, 0), (20, 20)), ((20, 0), (0, 20)), ((0, 0), (0, 20))]


class Eastwards(replan.Planner):
    """Walks to the right."""

    def plan(self, state, budget):
        return [state + 1]


def test_a_row_has_the_means_of_the_trips():
    table = replan.compare(replan.World(MAZE), ["rtaa:lookahead=5", "D* Lite"], ENDS)
    assert [row["planner"] for row in table] == ["RTAA* lookahead=5", "D* Lite"]
    for row, planner in zip(table, [replan.planner("RTAA*", lookahead=5), replan.planner("D* Lite")], strict=True):
        trips = [replan.simulate(replan.World(MAZE), planner, *ends) for ends in ENDS]
        known = [replan.simulate(MAZE, "Repeated Forward A*", *ends).cost for ends in ENDS]
        assert (row["trips"], row["reached"]) == (3, 3)
        assert row["ratio"] == pytest.approx(np.mean([t.cost / best for t, best in zip(trips, known, strict=True)]))
        for name, figure in FIGURES.items():
            if figure.number and figure.told.unit != "ns":
                assert row[name] == pytest.approx(np.mean([getattr(trip, name) for trip in trips]))
        assert row["us_per_episode"] == pytest.approx(row["search_ns"] / row["episodes"] / 1000)


def test_every_planner_and_drawn_problems():
    table = replan.compare(replan.World(replan.Grid(np.zeros((9, 9), bool))), problems=2, seed=4)
    assert len(table) + len(table.left_out) == len(replan.planners())
    assert "Repeated BFS" in table.left_out and "equal cost" in table.left_out["Repeated BFS"]
    again = replan.compare(replan.World(replan.Grid(np.zeros((9, 9), bool))), "D* Lite", problems=2, seed=4)
    assert [row["cost"] for row in table if row["planner"] == "D* Lite"] == [again[0]["cost"]]


def test_what_planners_may_be():
    line = replan.World(replan.Grid(np.zeros((1, 6), bool)))
    table = replan.compare(line, ["RTAA*", "RTAA*", replan.planner("RTAA*"), Eastwards()], [((0, 0), (0, 5))])
    names = ["RTAA* lookahead=9", "RTAA* lookahead=9 (2)", "RTAA*", "Eastwards"]
    assert [row["planner"] for row in table] == names
    mine = replan.compare(line, {"mine": Eastwards(), "theirs": "ara"}, [((0, 0), (0, 5))])
    assert [(row["planner"], row["cost"]) for row in mine] == [("mine", 5.0), ("theirs", 5.0)]
    assert [row["planner"] for row in replan.compare(line, "rtaa:lookahead=3,ties=random,ara", 1)] == [
        "RTAA* lookahead=3, ties=random",
        "ARA*",
    ]


def test_graphs_known_maps_and_targets():
    graph = replan.Graph([("a", "b", 2), ("b", "c", 2), ("a", "c", 5)])
    assert replan.compare(graph, "D* Lite", [("a", "c")])[0]["cost"] == 4
    chased = replan.World(replan.Grid(np.zeros((5, 5), bool)), target=replan.Flee((4, 4), speed=0.5))
    row = replan.compare(chased, "D* Lite", [((0, 0), None)])[0]
    assert (row["reached"], row["ratio"]) == (1, None)


def test_problems_without_a_solution_are_left_out():
    wall = replan.World(replan.Grid(np.array([[0, 1, 0, 0]], bool)))
    assert replan.compare(wall, "D* Lite", [((0, 0), (0, 3)), ((0, 2), (0, 3))])[0]["trips"] == 1
    assert replan.compare(wall, "D* Lite", [((0, 0), (0, 3))]) == []


def test_trips_that_did_not_arrive_have_no_cost():
    row = replan.compare(replan.World(MAZE), "RTAA*", ENDS, max_moves=3, intervals=True)[0]
    assert (row["reached"], row["cost"], row["ratio"], row["moves"]) == (0, None, None, 3)
    assert (row["cost_low"], row["cost_high"]) == (None, None)


def test_intervals_hold_the_means_and_go_into_files(tmp_path):
    table = replan.compare(replan.World(MAZE), ["RTAA*", "D* Lite"], 12, intervals=True)
    for row in table:
        for name in ("cost", "ratio", "moves", "expansions", "us_per_episode"):
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
        assert row["cost_low"] < row["cost_high"]
    assert table.to_polars()["cost"].to_list() == [row["cost"] for row in table]
    assert replan.compare(replan.World(MAZE), [], ENDS).to_polars().is_empty()
    table.write_csv(tmp_path / "x.csv")
    with open(tmp_path / "x.csv", newline="") as file:
        read = list(csv.DictReader(file))
    assert [float(row["cost_low"]) for row in read] == [row["cost_low"] for row in table]
    assert pl.read_csv(tmp_path / "x.csv").columns == table.columns


@pytest.mark.parametrize(
    ("planners", "problems", "words"),
    [
        (["rtta"], ENDS, "did you mean"),
        ([3], ENDS, "a planner is a name such as"),
        (["repeated-bfs"], [((0, 0), (1, 1))], "equal cost"),
        (["rtaa"], 0, "problems are pairs"),
        (["rtaa"], True, "problems are pairs"),
        (["rtaa"], [(0, 0)], "is no cell|outside|cell"),
        (["rtaa"], [((0, 0), (1, 1), 7)], "a problem is a pair of start and goal"),
        (["rtaa"], [((0, 0), (99, 1))], "outside"),
    ],
)
def test_what_is_refused(planners, problems, words):
    with pytest.raises(replan.InputError, match=words):
        replan.compare(replan.World(replan.Grid(np.zeros((5, 5), bool))), planners, problems)


def test_a_number_of_problems_needs_a_grid():
    with pytest.raises(replan.InputError, match="on a grid"):
        replan.compare(replan.Graph([("a", "b", 2)]), "D* Lite", 3)
