"""Costs of planners that did not always arrive: compared on what all solved, and marked."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.experiments.report import Report
from replan.experiments.tables import Column, columns_by_name, mean_of, show_table

LINE = replan.World(replan.Grid(np.zeros((1, 40), bool)), known="everything", sensor="everything")
ENDS = [((0, 0), (0, far)) for far in (2, 10, 20, 30)]


class GivesUp(replan.Planner):
    """Walks to the right as far as column `most`."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def plan(self, state, budget):
        return [state + 1] if self.space.key(state)[1] < self.most else None


PLANNERS = {"A": "Repeated Forward A*", "near": GivesUp(2), "half": GivesUp(12), "never": GivesUp(0)}


def test_costs_are_means_of_the_problems_that_all_solved():
    table = replan.compare(LINE, {name: PLANNERS[name] for name in ("A", "half")}, ENDS)
    rows = {row["planner"]: row for row in table}
    assert [(row["reached"], row["compared"], row["cost"], row["ratio"]) for row in table] == [
        (4, 2, 6.0, 1.0),
        (2, 2, 6.0, 1.0),
    ]
    assert rows["A"]["moves"] == np.mean([2, 10, 20, 30])  # other means are of all trips
    lines = str(table).splitlines()
    assert lines[1].startswith("A  ") and lines[2].startswith("half !")
    assert lines[3] == "! did not arrive on every problem. Costs are means of the 2 problems solved by all."
    assert "half !" in str(table[1:])


def test_a_planner_that_never_arrived_has_no_cost_and_takes_none_from_others():
    table = replan.compare(LINE, PLANNERS, ENDS)
    assert [(row["planner"], row["reached"], row["compared"], row["cost"]) for row in table] == [
        ("A", 4, 1, 2.0),
        ("near", 1, 1, 2.0),
        ("half", 2, 1, 2.0),
        ("never", 0, 0, None),
    ]
    assert "the 1 problem solved by all that solved any" in str(table)


def test_where_all_arrive_nothing_is_marked():
    table = replan.compare(LINE, ["A*", "D* Lite"], ENDS)
    assert "!" not in str(table) and [row["compared"] for row in table] == [4, 4]


def test_problems_count_world_by_world():
    """The same number of a problem in another world is another problem."""
    wall = replan.World(replan.Grid(np.zeros((1, 40), bool)), known="everything", sensor="everything")
    table = replan.compare(
        {"one": LINE, "two": wall}, {"A": "A*", "half": GivesUp(12)}, {"one": ENDS[1:], "two": ENDS[:1]}
    )
    assert [(row["trips"], row["reached"], row["compared"], row["cost"]) for row in table] == [
        (4, 4, 2, 6),
        (4, 2, 2, 6),
    ]


@pytest.mark.parametrize("words", ["", "--json"])
def test_the_command_marks_them_too(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "means.csv"
    given = ["compare", "maze", *("--planner", "lrta:lookahead=1", "--planner", "A*"), "--problems", "6"]
    given += ["--max-moves", "150"]
    done = CliRunner().invoke(main, [*given, "--csv", str(file), *words.split()])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(file.read_text().splitlines()))
    reached = [int(row["reached"]) for row in rows]
    assert 0 < min(reached) < 6  # else this test says nothing
    assert len({row["compared"] for row in rows}) == 1 and int(rows[0]["compared"]) <= min(reached)
    if words:
        found = json.loads(done.stdout)["maps"][0]["planners"]
        assert [row["compared"] for row in found] == [int(row["compared"]) for row in rows]
    else:
        assert "!" in done.stdout and "did not arrive on every problem" in done.stdout


def test_advise_compares_costs_on_what_all_solved():
    table = replan.advise(LINE, ENDS, episode_us=1e6, planners=["A*", "lrta:lookahead=1"], seconds=2, max_moves=15)
    assert all(row["reached"] == 2 and row["compared"] == 2 and row["cost"] == 6.0 for row in table)
    assert str(table).count("!") == 3


def test_tables_of_reports_compare_what_all_solved():
    pl = pytest.importorskip("polars")
    every = pl.DataFrame({"problem": [0, 1, 2], "cost": [10, 20, 300], "reached": [1, 1, 1]})
    some = pl.DataFrame({"problem": [0, 1, 2], "cost": [30, 40, 5], "reached": [1, 1, 0]})
    none = pl.DataFrame({"problem": [0, 1, 2], "cost": [1, 1, 1], "reached": [0, 0, 0]})
    into = Report("Mazes")
    columns = columns_by_name(Column("cost", "mean cost", mean_of("cost")))
    show_table(into, "planner", {"every": every, "some": some, "none": none}, columns)
    text = "\n".join(into.lines)
    assert "| every | 15.0 |  |" in text and "| some ! | 35.0 | 1 |" in text and "| none ! |  | 3 |" in text
    assert "Figures are means of the 2 problems solved by all that solved any." in text
