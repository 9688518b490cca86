"""Programs as users of five kinds would write them, in `examples/`: they run as they stand."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SESSION = EXAMPLES / "command_line.sh"
MAPS = Path(os.environ.get("REPLAN_MAPS") or Path(__file__).parents[2] / "shared" / "maps")


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run an example in an empty folder; what it has printed."""
    monkeypatch.chdir(tmp_path)

    def call(name: str, *arguments: Any) -> str:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        return capsys.readouterr().out

    return call


def test_a_game_thirty_units_in_fog(run):
    shown = run("thirty_units")
    assert "30 units arrived within" in shown


def test_a_robot_with_a_costmap_of_which_600_cells_change_a_step(run):
    shown = run("changing_costmap")
    assert "arrived after" in shown
    assert int(re.search(r"(\d+) cells changed", shown)[1]) >= 600


@pytest.mark.parametrize(
    "folder", [None, pytest.param(MAPS / "dao", marks=pytest.mark.slow)], ids=["caves", "game maps"]
)
def test_a_study_of_an_own_rule(run, tmp_path, monkeypatch, folder):
    polars = pytest.importorskip("polars")
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("MPLBACKEND", "agg")
    if folder is not None and not folder.exists():
        pytest.skip(f"no maps in {folder}")
    shown = run("own_rule_study", *([folder] if folder else []))
    assert "mine" in shown
    table = polars.read_csv(tmp_path / "own_rule_study.csv")
    assert table["map"].n_unique() == 5 and table["rule"].n_unique() == 3
    assert (tmp_path / "own_rule_study.png").read_bytes().startswith(b"\x89PNG")


def test_a_course_own_astar_beside_replans(run):
    shown = run("own_astar")
    assert "the same costs throughout" in shown and "##" in shown


def said_behind(line: str) -> str:
    return line.partition("#")[2].strip()


def test_a_session_at_the_command_line(tmp_path, monkeypatch):
    """Line by line in this process; what is said behind a slip is in the answer to it."""
    from click.testing import CliRunner

    from replan.cli import main

    monkeypatch.chdir(tmp_path)
    lines = [line for line in SESSION.read_text().splitlines() if line.startswith(("slip ", "does "))]
    assert sum(line.startswith("slip ") for line in lines) > 12
    for line in lines:
        kind, *words = shlex.split(line, comments=True)
        result = CliRunner(env={"COLUMNS": "200"}).invoke(main, words)
        assert result.exception is None or isinstance(result.exception, SystemExit), line
        assert result.exit_code == (2 if kind == "slip" else 0), line
        if kind == "slip":
            assert said_behind(line) and said_behind(line) in result.output, line
    assert (tmp_path / "trip.json").exists() and "cost_low" in (tmp_path / "table.csv").read_text()


@pytest.mark.slow
def test_the_session_in_a_shell(tmp_path):
    bin = Path(sys.executable).parent
    if shutil.which("sh") is None or not (bin / "replan").exists():
        pytest.skip("there is no shell, or replan is not installed")
    done = subprocess.run(
        ["sh", str(SESSION)],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("no slip was left without an answer\n")
    for line in SESSION.read_text().splitlines():
        assert not line.startswith("slip ") or said_behind(line) in done.stdout
