"""`replan benchmark`: maps and scenarios of our own, written as Moving AI writes them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.maps.scenarios import Scenario
from replan.papers.moving_ai.experiment import sample_evenly


def write_map(folder: Path, name: str, seed: int, wrong: float = 0.0) -> None:
    """A cave with five scenarios; wrong: how far off the lengths in the file are."""
    blocked = replan.cave(24, 30, seed=seed)
    rows = "\n".join("".join("@" if cell else "." for cell in row) for row in blocked)
    (folder / f"{name}.map").write_text(f"type octile\nheight 24\nwidth 30\nmap\n{rows}\n")
    grid = replan.Grid(blocked)
    cells = [(r, c) for r in range(24) for c in range(30) if not blocked[r, c]]
    lines = ["version 1"]
    for i in range(5):
        start, goal = cells[7 * i], cells[-1 - 11 * i]
        trip = replan.simulate(grid, "Repeated Forward A*", start, goal)
        if trip.reached:
            ends = "\t".join(str(x) for x in (start[1], start[0], goal[1], goal[0]))
            lines.append(f"{i}\t{name}.map\t30\t24\t{ends}\t{trip.cost + wrong:.8f}")
    (folder / f"{name}.map.scen").write_text("\n".join(lines) + "\n")


def benchmark(folder: Path, *more: str) -> str:
    out = folder / "out"
    arguments = ["benchmark", str(folder), "--out", str(out), "--engine", "threads", *more]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return (out / "report.md").read_text(encoding="utf-8")


def test_one_table_for_each_terrain_and_all_rows_in_a_file(tmp_path):
    write_map(tmp_path, "one", 1)
    (tmp_path / "below").mkdir()
    write_map(tmp_path / "below", "two", 2)
    wanted = ("--full", "--planner", "Repeated Forward A*", "--planner", "rtaa:lookahead=5")
    report = benchmark(tmp_path, *wanted)
    assert "shortest paths are as long as the scenario files list" in report and "**" not in report
    assert "## Known terrain" in report and "## Unknown terrain" in report
    assert "| RTAA* 5 |" in report and "| one |" in report and "| two |" in report
    rows = pl.read_csv(tmp_path / "out" / "runs.csv")
    assert {"map", "terrain", "listed", "cost", "search_ns", "version", "machine"} <= set(rows.columns)
    assert rows["reached"].min() == 1 and set(rows["terrain"]) == {"known", "unknown"}
    assert benchmark(tmp_path, *wanted, "--resume") == report


def test_problems_that_cannot_be_walked_are_left_out_and_told(tmp_path):
    write_map(tmp_path, "one", 1)
    file = tmp_path / "one.map"
    rows = file.read_text().split("\n")
    rows[4] = "WW" + rows[4][2:]
    file.write_text("\n".join(rows))
    with (tmp_path / "one.map.scen").open("a") as more:
        more.write("9\tone.map\t30\t24\t0\t0\t1\t0\t1.0\n")  # from water to water
        more.write("0\tone.map\t30\t24\t5\t5\t9\t9\t0.0\n")
    report = benchmark(tmp_path, "--full", "--planner", "Repeated Forward A*")
    assert "2 published problems are left out" in report and "(one)." in report


def test_lengths_that_do_not_agree_are_told(tmp_path):
    write_map(tmp_path, "one", 1, wrong=0.5)
    report = benchmark(tmp_path, "--planner", "Repeated Forward A*")
    assert "are not as long as the scenario files list** (one)" in report


def test_a_sample_is_spread_from_short_to_long():
    listed = [Scenario(i // 10, "m", 9, 9, (0, 0), (0, 1), float(i)) for i in range(1, 101)]
    chosen = [scenario.optimal_length for scenario in sample_evenly(listed, 5)]
    assert chosen[0] == 1.0 and chosen[-1] == 100.0 and len(chosen) == 5
    assert sample_evenly(listed, 1000) == listed


@pytest.mark.parametrize("make", [lambda p: p / "none", lambda p: p])
def test_a_folder_without_scenarios_is_refused_in_a_sentence(tmp_path, make):
    done = CliRunner().invoke(main, ["benchmark", str(make(tmp_path)), "--out", str(tmp_path / "out")])
    assert done.exit_code != 0 and "map" in done.output and "Traceback" not in done.output
