"""Maps that change: `maps make doors`, and `--changes` of run and compare."""

from __future__ import annotations

from pathlib import Path

import pytest

import replan


@pytest.fixture
def doors(replan_command, tmp_path: Path) -> tuple[Path, Path]:
    """A map of rooms, and what happens to its doors."""
    files = tmp_path / "doors.map", tmp_path / "doors.json"
    words = ["--rows", 30, "--cols", 30, "--room-size", 5, "--draws-per-step", 1, "--steps", 300, "--seed", 2]
    made = replan_command("maps", "make", "doors", *words, "-o", files[0], "--changes", files[1])
    assert made.exit_code == 0 and "30 x 30 cells" in made.stdout and "changes" in made.stderr
    return files


KNOWN = ["--known", "everything", "--sensor", "everything", "--start", "0,0", "--goal", "29,29"]


def test_run_meets_the_recorded_changes(as_json, doors):
    recording = replan.DynamicScenario.load(doors[1])
    trip = as_json("run", doors[0], "--changes", doors[1], *KNOWN, "--planner", "rtd:lookahead=16")
    same = replan.simulate(recording.make_world(), replan.planner("RTD*", lookahead=16), (0, 0), (29, 29))
    assert trip["path"] == [list(cell) for cell in same.path] and trip["reached"]
    assert trip["setting"]["changes"] == len(recording.changes)
    for name in ("steps", "waits", "informed_moves", "partial_moves", "key_updates", "changed_state_count"):
        assert trip[name] == getattr(same, name)


def test_waits_are_shown_where_there_are_any(replan_command, doors):
    words = ["run", doors[0], "--changes", doors[1], *KNOWN, "--no-draw", "--planner"]
    waiting = replan_command(*words, "rtd-noop:lookahead=4").stdout
    assert "moves and" in waiting and "waits" in waiting and "steps" in waiting
    moving = " ".join(replan_command(*words, "non-rtd").stdout.split())
    assert "changes to come" in moving and "moves and" not in moving


def test_compare_gives_all_planners_the_same_changes(as_json, doors):
    planners = ["--planner", "rtd:lookahead=16", "--planner", "lss-lrta:lookahead=16", "--planner", "tba"]
    found = as_json("compare", doors[0], "--changes", doors[1], *KNOWN[:4], "--problems", 2, *planners)
    rows = found["maps"][0]["planners"]
    assert [row["reached"] for row in rows] == [2, 2, 2]
    assert all(row["steps"] >= row["moves"] > 0 for row in rows)


@pytest.mark.parametrize("command", ["run", "compare"])
def test_nonsense_is_refused(refused, doors, tmp_path, command):
    assert "no such file" in refused(command, doors[0], "--changes", tmp_path / "none.json")
    assert "this map has" in refused(command, "maze", "--changes", doors[1])
    (tmp_path / "bad.json").write_text('{"replan": "dynamic_scenario",\n')
    assert "bad.json, line 2: is no JSON" in refused(command, doors[0], "--changes", tmp_path / "bad.json")
    assert "closed_share is a number" in refused("maps", "make", "doors", "--closed-share", 1)
    assert "cannot be written" in refused("maps", "make", "doors", "--changes", tmp_path / "none" / "x.json")
