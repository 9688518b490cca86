"""`replan planners`."""

from __future__ import annotations

import pytest

import replan
from replan.planners.registry import OPTIONS


def test_every_planner_with_its_recipe(replan_command):
    result = replan_command("planners")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for spec in replan.planners():
        assert f"{spec.name} {spec.slug} " in text
        assert f" recipe {spec.recipe} paper {spec.paper} options" in text
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json(as_json):
    listed = as_json("planners")["planners"]
    assert [planner["slug"] for planner in listed] == [spec.slug for spec in replan.planners()]
    for planner, spec in zip(listed, replan.planners(), strict=True):
        assert planner["name"] == spec.name and planner["paper"] == spec.paper
        assert list(planner["options"]) == list(spec.options)


@pytest.mark.parametrize("spec", replan.planners(), ids=lambda spec: spec.slug)
def test_one_planner_explained(replan_command, spec):
    result = replan_command("planners", spec.slug)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert spec.recipe in text
    for name in spec.options:
        assert OPTIONS[name].meaning in text and f"{name} is {OPTIONS[name].allowed}" in text
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_one_planner_as_json(as_json):
    (rtaa,) = as_json("planners", "RTAA*")["planners"]
    assert rtaa["slug"] == "rtaa" and list(rtaa["meanings"]) == list(rtaa["options"])


def test_a_planner_that_there_is_not(refused):
    assert "there is no planner 'dstar lite' (did you mean d-star-lite?)" in refused("planners", "dstar lite")


def test_a_planner_of_ones_own(replan_command, as_json, mine):
    result = replan_command("planners", f"{mine.name}:MyPlanner")
    text = " ".join(result.stdout.split())
    assert f"{mine.stem}:MyPlanner" in text and "RTAA* by another name." in text and "lookahead=9" in text
    (told,) = as_json("planners", f"{mine.name}:MyPlanner")["planners"]
    assert told["options"] == {"lookahead": "9"} and told["file"].endswith(mine.name)


def test_a_planner_of_ones_own_without_a_word(replan_command, tmp_path, monkeypatch):
    """What its base class says of itself is not its idea."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "silent_one.py").write_text("import replan\nclass Silent(replan.Planner):\n    pass\n")
    text = replan_command("planners", "silent_one.py:Silent").output
    assert "silent_one:Silent" in text and "idea" not in text


def test_a_planner_of_ones_own_that_there_is_not(refused, mine):
    assert "(did you mean MyPlanner?)" in refused("planners", f"{mine.name}:MyPlaner")


def test_memory_of_every_planner(replan_command):
    result = replan_command("planners", "--memory", "--size", "300x200")
    assert result.exit_code == 0
    for spec in replan.planners():
        assert f" {spec.name} " in result.stdout
    assert "300 x 200 cells" in result.stdout and "at most 4 MB" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_memory_as_json(as_json):
    found = as_json("planners", "--memory", "--size", "64", "--neighbors", "8", "--memory-limit", "0.5")
    assert (found["rows"], found["cols"], found["neighbors"], found["within_bytes"]) == (64, 64, 8, 1 << 19)
    assert found["map_bytes"] > 4 * 64 * 64
    bfs = "Repeated BFS"
    assert bfs in found["left_out"] and bfs not in [row["name"] for row in found["planners"]]
    listed = {row["name"] for row in found["planners"]} | set(found["left_out"])
    assert listed == {spec.name for spec in replan.planners()}
    for row in found["planners"]:
        assert row["bytes_per_cell"] == row["bytes"] / 64**2
    assert found["planners"][0]["largest_square"] > 60


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--memory", "--size", "0"], "no size"),
        (["--memory", "--size", "3x"], "no size"),
        (["--memory", "--size", "99999x99999"], "no size"),
        (["--memory", "--memory-limit", "nan"], "megabytes"),
        (["--memory", "--memory-limit", "-1"], "megabytes"),
        (["--memory", "--neighbors", "6"], "6"),
        (["--size", "10"], "--size is for --memory"),
        (["rtaa", "--memory"], "leave NAME out"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(replan_command, given, words):
    result = replan_command("planners", *given)
    assert result.exit_code == 2
    assert words in result.output + result.stderr
