"""`replan run`."""

from __future__ import annotations

import json
import math
import shutil
import sys

import pytest
from PIL import Image

import replan
from replan import maps


def test_run_without_words(replan_command):
    result = replan_command("run")
    assert result.exit_code == 0
    assert "from (26, 21) to (0, 0), both drawn with seed 0" in result.stdout
    assert "reached the goal after" in result.stdout
    assert "Repeated Forward A*" in result.stdout
    assert "blank not seen" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_help_names_the_built_in_maps(replan_command):
    text = " ".join(replan_command("run", "--help").stdout.split())
    assert f"a built-in map: {', '.join(maps.builtin_names())}." in text


def test_json_has_the_golden_example(as_json):
    trip = as_json("run", "figure-3", "--start", "4,2", "--goal", "4,4", "--neighbors", 4)
    assert trip["map"] == "figure-3"
    assert (trip["reached"], trip["why"]) == (True, "reached")
    assert (trip["cost"], trip["moves"], trip["steps"], trip["episodes"]) == (10.0, 10, 10, 2)
    assert (trip["expansions"], trip["episode_expansions"]) == (23, [10, 13])
    assert len(trip["episode_ns"]) == 2 and sum(trip["episode_ns"]) == trip["search_ns"]
    assert (trip["optimal"], trip["ratio"]) == (10.0, 1.0)
    assert trip["path"] == [[4, 2], [4, 1], [3, 1], [2, 1], [1, 1], [1, 2], [1, 3], [1, 4], [2, 4], [3, 4], [4, 4]]
    assert trip["setting"] == {
        "neighbors": 4,
        "corners": "strict",
        "sensor": "adjacent",
        "known": "nothing",
        "max_moves": None,
        "unknown": "blocked",
    }


def test_planner_and_options(as_json):
    trip = as_json("run", "cave", "--planner", "Repeated Backward A*:ties=random,seed=3")
    assert (trip["planner"], trip["options"]) == ("Repeated Backward A*", {"ties": "random", "seed": 3})


def test_seed_picks_the_problem(as_json):
    ends = [as_json("run", "cave", "--seed", seed) for seed in (1, 1, 2)]
    starts = [(end["start"], end["goal"]) for end in ends]
    assert starts[0] == starts[1] != starts[2]


def test_one_end_can_be_given(replan_command, as_json):
    assert as_json("run", "--start", "0,0")["path"][0] == [0, 0]
    assert as_json("run", "--goal", "(0, 0)")["path"][-1] == [0, 0]
    assert "goal drawn with seed 0" in replan_command("run", "--start", "0,0", "--no-draw").stdout


def test_knowing_and_seeing_everything(as_json):
    assert as_json("run", "--known", "everything")["ratio"] == 1
    assert as_json("run", "--sensor", "everything")["episodes"] == 1
    assert as_json("run", "--sensor", "7.5")["setting"]["sensor"] == 7.5


def test_corners(as_json):
    costs = [
        as_json("run", "figure-3", "--start", "4,2", "--goal", "3,3", "--corners", c)["cost"]
        for c in ("strict", "free")
    ]
    assert costs[0] > costs[1] == pytest.approx(math.sqrt(2))


def test_max_moves(replan_command, as_json):
    trip = as_json("run", "--max-moves", 5, exit_code=1)
    assert (trip["reached"], trip["why"], trip["moves"], trip["ratio"]) == (False, "max_moves", 5, None)
    assert "was stopped by max_moves after 5 moves (--max-moves sets the limit)" in " ".join(
        replan_command("run", "--max-moves", 5).stdout.split()
    )
    assert replan_command("run", "--max-moves", 0).exit_code == 1
    assert replan_command("run", "--max-moves", "9" * 30).exit_code == 0


def test_start_is_goal(replan_command, as_json):
    trip = as_json("run", "--start", "0,0", "--goal", "0,0")
    assert (trip["cost"], trip["optimal"], trip["ratio"], trip["path"]) == (0, 0, None, [[0, 0]])
    assert replan_command("run", "--start", "0,0", "--goal", "0,0").exit_code == 0


def test_no_way(replan_command, walled):
    result = replan_command("run", walled, "--start", "0,0", "--goal", "0,4", "--json")
    assert result.exit_code == 1
    assert result.stderr == "Note: no way leads from (0, 0) to (0, 4)\n"
    trip = json.loads(result.stdout)
    assert (trip["reached"], trip["why"], trip["optimal"], trip["ratio"]) == (False, "unreachable", None, None)
    shown = replan_command("run", walled, "--start", "0,0", "--goal", "0,4").stdout
    assert "found no way to the goal after" in shown


def test_the_exit_code_is_explained(replan_command):
    assert "0 if the goal was reached, 1 if it was not" in " ".join(replan_command("run", "--help").stdout.split())


def test_max_seconds(replan_command, as_json):
    assert as_json("run", "--max-seconds", 100)["reached"]
    trip = as_json("run", "--max-seconds", 1e-9, exit_code=1)
    assert (trip["why"], trip["moves"]) == ("max_seconds", 0)
    shown = " ".join(replan_command("run", "--max-seconds", "1e-9").stdout.split())
    assert "was stopped by max_seconds after 0 moves (--max-seconds sets the limit)" in shown


def test_save(replan_command, as_json, tmp_path):
    path = tmp_path / "trip.json"
    shown = as_json("run", "cave", "--save", path)
    saved = json.loads(path.read_text())
    assert saved["path"] == shown["path"]
    assert saved["cost"] == shown["cost"]
    assert replan.Trip.load(path).moves == shown["moves"]


def test_draw(replan_command):
    assert "│" in replan_command("run", "--draw").stdout
    assert "│" not in replan_command("run", "--no-draw").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "neither a built-in map (cave, figure-3, maze, random, rooms) nor a file"),
        (["nowhere.map"], "nowhere.map: no such file"),
        (["."], "is a directory"),
        (["--planner", "hal"], "there is no planner 'hal'; `replan planners` and replan.planners() list all"),
        (["--planner", "repeated-bfs"], "needs steps of equal cost: 4 neighbors"),
        (["--planner", "repeated-forward-a-star:heuristic=5"], "heuristic"),
        (["--start", "3"], "'3' is no cell; write row,column such as 3,14"),
        (["--start", "a,b"], "is no cell"),
        (["--start", "-1,5"], "cell (-1, 5) is outside the map of 31"),
        (["--start", "9" * 30 + ",5"], "is outside the map"),
        (["--start", "0,3"], "the start (0, 3) is blocked"),
        (["--goal", "0,3"], "the goal (0, 3) is blocked"),
        (["--start", "0,0", "--goal", "0,3"], "the goal (0, 3) is blocked"),
        (["--start", "0,3", "--goal", "0,0"], "the start (0, 3) is blocked"),
        (["--start", "0,0", "--goal", "31,0"], "outside"),
        (["--scenario", "1"], "the built-in map maze has no scenarios"),
        (["--scenario", "0"], "0 is not in the range"),
        (["--scenario", "1", "--start", "0,0"], "a scenario has its own start and goal"),
        (["--sensor", "eyes"], "a sensor is adjacent, everything, or a radius in cells such as 7, not 'eyes'"),
        (["--sensor", "0"], "a sensor reaches from 1 to 1,000 cells"),
        (["--sensor", "nan"], "a sensor reaches from 1 to 1,000 cells"),
        (["--known", "some"], "'some' is not one of"),
        (["--known", "nothin"], "'nothin' is not one of 'nothing', 'everything' (did you mean nothing?)"),
        (["--sensor", "adjacen"], "(did you mean adjacent?)"),
        (["--planner", "rtaa:learning=one_pas"], "(did you mean 'one pass'?)"),
        (["--planner", "rtaa:ties=randm"], "not 'randm' (did you mean 'random'?)"),
        (["--neighbors", "6"], "'6' is not one of '4', '8'"),
        (["--corners", "round"], "'round' is not one of"),
        (["--max-moves", "-1"], "-1 is not in the range"),
        (["--max-seconds", "0"], "0.0 is not in the range"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--gif", "x.png"], "an animation is written as .gif"),
        (["--gif", "nowhere/x.gif"], "its folder does not exist"),
        (["--save", "nowhere/x.json"], "its folder does not exist"),
        (["--save", "."], "it is a folder"),
    ],
)
def test_nonsense_is_refused(refused, words, message):
    assert message in refused("run", *words)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_a_full_disk(refused):
    assert refused("run", "--save", "/dev/full") == "Error: /dev/full: cannot be written: No space left on device"


@pytest.mark.parametrize("text", ["", "####\n", "..\n...\n", "type octile\nheight 2\nwidth 2\nmap\n..\n", "abc\n"])
def test_bad_maps_are_refused(refused, tmp_path, text):
    path = tmp_path / "bad.txt"
    path.write_text(text)
    refused("run", path)


def test_weights_are_kept(as_json, tmp_path):
    path = tmp_path / "slow.txt"
    path.write_text(".9.\n.9.\n...\n")
    trip = as_json("run", path, "--start", "0,0", "--goal", "0,2", "--neighbors", 4, "--known", "everything")
    assert trip["cost"] == 6


def test_gif(replan_command, tmp_path):
    path = tmp_path / "trip.gif"
    result = replan_command("run", "cave", "--gif", path, "--sensor", 3, "--no-draw")
    assert result.exit_code == 0
    with Image.open(path) as image:
        assert image.format == "GIF"
        assert 1 < image.n_frames <= 200
        assert image.width == 480 and image.height > 320  # the legend is below
        first = image.convert("RGB").tobytes()
        image.seek(image.n_frames - 1)
        assert image.convert("RGB").tobytes() != first


def test_gif_of_many_moves_has_few_frames(replan_command, tmp_path):
    path = tmp_path / "trip.gif"
    assert replan_command("run", "maze", "--gif", path, "--json").exit_code == 0  # 317 moves
    with Image.open(path) as image:
        assert 100 < image.n_frames <= 200


def test_gif_of_no_moves(replan_command, tmp_path):
    path = tmp_path / "trip.gif"
    assert replan_command("run", "--start", "0,0", "--goal", "0,0", "--gif", path).exit_code == 0
    with Image.open(path) as image:
        assert image.n_frames == 1


def test_gif_without_pillow(refused, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    path = tmp_path / "trip.gif"
    assert refused("run", "--gif", path) == "Error: writing a GIF needs an extra: pip install 'replan[images]'"
    assert not path.exists()


def test_scenarios(replan_command, as_json, real_map):
    for number in (1, 100, 160):
        trip = as_json("run", real_map, "--scenario", number, "--known", "everything")
        assert trip["optimal"] == pytest.approx(trip["listed"], rel=1e-4)
        assert trip["ratio"] in (None, 1.0)
    shown = " ".join(replan_command("run", real_map, "--scenario", 100, "--no-draw").stdout.split())
    assert "scenario 100 of arena.map.scen" in shown
    assert "the scenario lists 36.1" in shown


def test_wrong_scenarios(refused, real_map, tmp_path):
    other = tmp_path / "other.map"
    shutil.copy(real_map, other)
    scen = f"{real_map}.scen"
    assert "the problem is for the map arena.map, the map given is other.map" in refused(
        "run", other, "--scenario-file", scen, "--scenario", 1
    )
    assert "other.map.scen: no such file" in refused("run", other, "--scenario", 1)
    assert "the file has 1 to 160" in refused("run", real_map, "--scenario", 161)
    assert "--scenario N with N from 1 to 160" in refused("run", real_map, "--scenario-file", scen)
    assert "width 31, height 31" in refused("run", "maze", "--scenario-file", scen, "--scenario", 1)
    assert "expected 'version 1'" in refused("run", real_map, "--scenario-file", real_map, "--scenario", 1)


def test_a_scenario_that_the_map_blocks(refused, tmp_path):
    path = tmp_path / "tiny.map"
    path.write_text("type octile\nheight 1\nwidth 3\nmap\n.@.\n")
    (tmp_path / "tiny.map.scen").write_text("version 1\n0\ttiny.map\t3\t1\t1\t0\t2\t0\t1\n")
    assert refused("run", path, "--scenario", 1) == "Error: the start (0, 1) is blocked"
    (tmp_path / "tiny.map.scen").write_text("version 1\n")
    assert "no problems" in refused("run", path, "--scenario", 1)


MAP, SCEN = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n", "version 1\n0\tsmall.map\t3\t2\t0\t1\t2\t1\t4\n"


def test_a_scenario_file_stands_for_its_map(replan_command, refused, tmp_path):
    scen = tmp_path / "small.map.scen"
    scen.write_text(SCEN, encoding="utf-8")
    message = "its map small.map is not beside it; give the map, and this file with --scenario-file"
    assert message in refused("run", scen)
    (tmp_path / "small.map").write_text(MAP, encoding="utf-8")
    assert "--scenario N with N from 1 to 1" in refused("run", scen)
    shown = replan_command("run", scen, "--scenario", 1, "--no-draw").stdout
    assert "from (1, 0) to (1, 2), scenario 1 of small.map.scen" in " ".join(shown.split())
    other = tmp_path / "small.scen"
    scen.rename(other)
    assert replan_command("run", other, "--scenario", 1, "--no-draw").exit_code == 0


def test_a_planner_of_ones_own(as_json, mine):
    theirs = as_json("run", "cave", "--planner", "rtaa:lookahead=5")
    for name in (f"{mine.name}:MyPlanner:lookahead=5", f"{mine.stem}:MyPlanner:lookahead=5"):
        trip = as_json("run", "cave", "--planner", name)
        assert trip["path"] == theirs["path"] and trip["planner"] == "MyPlanner"


def test_a_planner_of_ones_own_that_is_not_there(refused, mine):
    assert "has no class 'MyPlaner' (did you mean MyPlanner?)" in refused("run", "--planner", f"{mine.name}:MyPlaner")
    assert "no_file.py: there is no such file" in refused("run", "--planner", "no_file.py:MyPlanner")
    del sys.modules[mine.stem]
    mine.write_text("import replan\n1 / 0\n")
    assert f"{mine}, line 2: the module {mine.stem} does not import: ZeroDivisionError" in refused(
        "run", "--planner", f"{mine.name}:MyPlanner"
    )
