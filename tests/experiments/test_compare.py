"""`replan.compare`: a table of planners on the same problems."""

from __future__ import annotations

import copy
import csv
import json
import pickle

import numpy as np
import polars as pl
import pytest

import replan
from replan.simulation.trip import METRICS

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
        for name, figure in METRICS.items():
            if figure.is_number and figure.description.unit != "ns":
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


MAZES = [replan.World(replan.Grid(replan.maze(9, 9, seed=n), neighbors=4)) for n in range(4)]
CORNERS = [((0, 0), (8, 8)), ((8, 0), (0, 8))]


def test_several_worlds():
    """Means over all of them; each trip as if it had been walked alone."""
    table = replan.compare(MAZES, ["rtaa:lookahead=3", "D* Lite"], iter(CORNERS))
    assert [(row["planner"], row["trips"]) for row in table] == [("RTAA* lookahead=3", 8), ("D* Lite", 8)]
    alone = {"RTAA* lookahead=3": replan.planner("RTAA*", lookahead=3), "D* Lite": replan.planner("D* Lite")}
    wanted = [
        (number, i, *ends, label, replan.simulate(world, planner, *ends).cost)
        for number, world in enumerate(MAZES)
        for i, ends in enumerate(CORNERS)
        for label, planner in alone.items()
    ]
    columns = ("world", "problem", "start", "goal", "planner", "cost")
    assert [tuple(trip[name] for name in columns) for trip in table.trips] == wanted
    assert table[0]["cost"] == pytest.approx(np.mean([row[-1] for row in wanted[::2]]))
    frame = table.trips.to_polars()
    assert frame.group_by("world", "planner").len()["len"].to_list() == [2] * 8


def test_worlds_with_names_and_problems_of_their_own():
    walled = replan.World(replan.Grid(np.array([[0, 1, 0, 0]], bool)))
    worlds = {"maze": MAZES[0], "walled": walled}
    problems = {"walled": [((0, 0), (0, 3)), ((0, 2), (0, 3))], "maze": 2}
    table = replan.compare(worlds, "D* Lite", problems, seed=5)
    drawn = replan.compare(MAZES[0], "D* Lite", 2, seed=5)
    assert [(trip["world"], trip["problem"]) for trip in table.trips] == [("maze", 0), ("maze", 1), ("walled", 1)]
    assert [trip["cost"] for trip in table.trips[:2]] == [trip["cost"] for trip in drawn.trips]


def test_who_cannot_do_one_world_is_left_out_of_all():
    """Means of other trips could not be compared."""
    table = replan.compare([MAZES[0], replan.World(replan.Grid(np.zeros((5, 5), bool)))], problems=1)
    assert "equal cost" in table.left_out["Repeated BFS"]
    assert {"Repeated BFS"} & ({row["planner"] for row in table} | {trip["planner"] for trip in table.trips}) == set()
    assert {row["trips"] for row in table} == {2}


@pytest.mark.parametrize(
    ("worlds", "problems", "words"),
    [
        ([], 1, "the list of worlds is empty"),
        ({1: MAZES[0], "1": MAZES[1]}, 1, "two worlds have the same name"),
        (np.zeros((5, 5), bool), 1, "a space is a Grid"),
        ([np.zeros((5, 5), bool)], 1, "a space is a Grid"),
        ("cave", 1, "a space is a Grid"),
        (MAZES, [((0, 0), (1, 1))], "in world 0: .*blocked"),
        (MAZES, 0, "in world 0: problems are pairs"),
        ({"a": MAZES[0], "b": MAZES[1]}, {"a": 1}, "'b' is not in both"),
        ({"a": MAZES[0]}, {"a": 1, "c": 1}, "'c' is not in both"),
        (MAZES[0], None, "problems are pairs of start and goal"),
        (MAZES[0], "all", "problems are pairs of start and goal"),
    ],
)
def test_worlds_and_problems_that_are_refused(worlds, problems, words):
    with pytest.raises(replan.InputError, match=words):
        replan.compare(worlds, "D* Lite", problems)


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


def test_a_table_is_printed_for_people():
    """And is the same list of dicts as ever, copied and pickled, too."""
    table = replan.compare(replan.World(MAZE), ["rtaa:lookahead=5", "D* Lite"], ENDS)
    lines = str(table).splitlines()
    about = ["planner", "trips", "reached"]
    assert lines[0].split() == [*about, "cost", "ratio", "episodes", "expansions", "us_per_episode"]
    assert [line.split("  ")[0] for line in lines] == ["planner", "RTAA* lookahead=5", "D* Lite"]
    assert len({len(line) for line in lines}) == 1
    assert f"{table[1]['cost']:.1f}" in lines[2]
    again = pickle.loads(pickle.dumps(table))
    assert again == table == copy.deepcopy(table) == list(table) == json.loads(json.dumps(table))
    assert (repr(again), again.trips, again.left_out) == (str(table), table.trips, table.left_out)
    assert str(table[:1]).splitlines()[0].split() == lines[0].split()
    assert table[1:].columns == table.columns
    many = str(replan.compare(replan.World(MAZE), "D* Lite", ENDS * 20).trips).splitlines()
    assert (len(many), many[-1]) == (42, "... and 20 more rows")


def test_intervals_stand_behind_their_means():
    row = replan.compare(replan.World(MAZE), "D* Lite", ENDS, intervals=True)
    assert f"{row[0]['ratio']:.2f} ({row[0]['ratio_low']:.2f} to {row[0]['ratio_high']:.2f})" in str(row)


def test_planners_that_are_left_out_are_named_below():
    weighted = replan.Grid(np.zeros((5, 5), bool), weights=np.full((5, 5), 3))
    table = replan.compare(weighted, problems=[((0, 0), (4, 4))])
    assert table.left_out and str(table).splitlines()[-1].startswith("left out: ")


def test_problems_may_be_numbers_and_arrays_of_numpy():
    world = replan.World(MAZE)
    table = replan.compare(world, "D* Lite", np.array(ENDS))
    assert [(trip["start"], trip["goal"]) for trip in table.trips] == ENDS
    assert len(replan.compare(world, "D* Lite", np.int64(2)).trips) == 2


@pytest.mark.parametrize("none", [[], np.array([]), np.zeros((0, 2, 2), int), iter(())])
def test_no_problems_are_an_error(none):
    with pytest.raises(replan.InputError, match="there are no problems"):
        replan.compare(replan.World(MAZE), "D* Lite", none)


def test_an_array_of_another_shape():
    with pytest.raises(replan.InputError, match=r"an array of problems has the shape \(n, 2, 2\)"):
        replan.compare(replan.World(MAZE), "D* Lite", np.zeros((3, 4), int))
