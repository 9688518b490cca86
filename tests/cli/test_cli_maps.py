"""`replan maps info|make|convert`."""

from __future__ import annotations

import numpy as np
import pytest

from replan import maps


def test_info_without_words_lists_the_built_in_maps(as_json, replan_command):
    assert [info["map"] for info in as_json("maps", "info")["maps"]] == list(maps.builtin_names())
    shown = replan_command("maps", "info").stdout
    assert "31 x 31 cells (rows x columns)" in shown


def test_info(as_json, replan_command, tmp_path):
    path = tmp_path / "small.txt"
    path.write_text(".#3\n#..\n")
    (info,) = as_json("maps", "info", path)["maps"]
    assert (info["rows"], info["cols"], info["free"], info["weights"], info["walls"]) == (2, 3, 4, [1, 3], 0)
    assert info["regions"] == {
        "4 neighbors": {"count": 2, "largest": 3},
        "8 neighbors": {"count": 2, "largest": 3},
        "8 neighbors, corners free": {"count": 1, "largest": 4},
    }
    shown = replan_command("maps", "info", path).stdout
    assert "2 regions, the largest has 3 cells, 75.0 %" in shown
    assert "from 1 to 3" in shown


def test_info_of_a_solid_map(as_json, replan_command, tmp_path):
    path = tmp_path / "rock.txt"
    path.write_text("##\n")
    (info,) = as_json("maps", "info", path)["maps"]
    assert (info["free"], info["regions"]["4 neighbors"]) == (0, {"count": 0, "largest": 0})
    assert replan_command("maps", "info", path).exit_code == 0


def test_info_of_walls(as_json, real_map):
    path = sorted((real_map.parents[1] / "wc3_corner").glob("*.map"))[0]
    (info,) = as_json("maps", "info", path)["maps"]
    assert info["walls"] > 0


def test_info_of_a_ros_map(as_json, replan_command, tmp_path):
    pytest.importorskip("PIL.Image")
    pytest.importorskip("yaml")
    (tmp_path / "lab.pgm").write_bytes(b"P5 4 1 255\n" + bytes([0, 254, 254, 205]))
    path = tmp_path / "lab.yaml"
    path.write_text("{image: lab.pgm, resolution: 0.05, origin: [-1, 2, 0.5]}")
    (info,) = as_json("maps", "info", path)["maps"]
    assert (info["free"], info["unknown"]) == (2, 1)
    assert info["coordinate_frame"] == {"resolution": 0.05, "origin": [-1.0, 2.0, 0.5]}
    shown = replan_command("maps", "info", path).stdout
    assert "1 cells, 25.0 %" in shown
    shown = " ".join(shown.split())
    assert "cells of 0.05 m, the lower-left corner at x -1 m, y 2 m, turned by 0.5 rad" in shown


def test_what_a_ros_map_does_not_know(as_json, replan_command, refused, tmp_path):
    pytest.importorskip("PIL.Image")
    pytest.importorskip("yaml")
    (tmp_path / "lab.pgm").write_bytes(b"P5 3 1 255\n" + bytes([254, 205, 254]))
    lab, there = tmp_path / "lab.yaml", ("--start", "0,0", "--goal", "0,2")
    lab.write_text("{image: lab.pgm, resolution: 0.05, origin: [0, 0, 0]}")
    for unknown, exit_code in {"blocked": 1, "free": 0, "unknown": 0}.items():
        trip = as_json("run", lab, *there, "--unknown", unknown, exit_code=exit_code)
        assert trip["setting"]["unknown"] == unknown and trip["reached"] == (exit_code == 0)
    for unknown, row in {"blocked": ".#.\n", "free": "...\n"}.items():
        out = tmp_path / f"{unknown}.txt"
        assert replan_command("maps", "convert", lab, out, "--unknown", unknown).exit_code == 0
        assert out.read_text() == row
    assert "can hold unknown cells" in refused("maps", "convert", lab, tmp_path / "x.txt", "--unknown", "unknown")
    assert as_json("compare", lab, "--unknown", "free", "--planner", "A*", "--problems", 1)
    assert "'maybe' is not one of" in refused("run", lab, *there, "--unknown", "maybe")


def test_help_names_the_formats_that_can_be_written(replan_command):
    for words in (("maps", "make"), ("maps", "convert")):
        shown = " ".join(replan_command(*words, "--help").stdout.split())
        assert ".map (Moving AI), .txt (plain text), .png (image), .npy (NumPy)" in shown


def test_names_that_are_nearly_right(refused):
    assert refused("maps", "info", "labyrinth").endswith("(did you mean maze?)")
    assert refused("maps", "convert", "cvae", "x.txt").endswith("(did you mean cave?)")


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["maze", "--rows", 9, "--cols", 11, "--openings", 3, "--seed", 5], maps.maze(9, 11, 3, seed=5)),
        (["maze", "--rows", 9, "--cols", 11, "--border"], maps.maze(9, 11, border=True)),
        (["rooms", "--rows", 9, "--cols", 11, "--room-size", 3, "--doors", 2], maps.rooms(9, 11, 3, 2)),
        (["random", "--rows", 9, "--cols", 11, "--density", 0.4], maps.random_obstacles(9, 11, 0.4)),
        (["cave", "--rows", 20, "--cols", 30, "--seed", 2], maps.cave(20, 30, seed=2)),
    ],
)
@pytest.mark.parametrize("suffix", [".map", ".txt", ".png", ".npy"])
def test_make(replan_command, tmp_path, words, made, suffix):
    path = tmp_path / f"made{suffix}"
    result = replan_command("maps", "make", *words, "-o", path)
    assert result.exit_code == 0
    assert f"{made.shape[0]} x {made.shape[1]} cells" in result.stdout
    assert np.array_equal(maps.read(path).blocked, made)


@pytest.mark.parametrize("kind", ["maze", "rooms", "random", "cave"])
def test_make_prints_a_map_that_reads_back(replan_command, as_json, tmp_path, kind):
    path = tmp_path / "printed.txt"
    path.write_text(replan_command("maps", "make", kind).stdout)
    assert as_json("maps", "info", path)["maps"][0]["free"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "nowhere.map"], "nowhere.map: no such file"),
        (["make", "maze", "--rows", 8], "rows of a maze must be odd"),
        (["make", "maze", "--openings", -1], "openings must be from 0"),
        (["make", "rooms", "--doors", 0], "doors must be at least 1"),
        (["make", "random", "--density", "nan"], "density must be from 0 to 1"),
        (["make", "random", "--rows", 10**30], "more than the limit"),
        (["make", "cave", "--rows", 0], "has no cell"),
        (["make", "cave", "--rows", "x"], "'x' is not a valid integer"),
        (["make", "cave", "-o", "x.xyz"], "x.xyz: cannot write the format .xyz"),
        (["make", "cave", "-o", "nowhere/x.map"], "cannot be written"),
        (["make", "labyrinth"], "No such command 'labyrinth'"),
        (["convert", "nowhere.map", "x.txt"], "no such file"),
        (["convert", "maze", "x"], "cannot write the format of no suffix"),
    ],
)
def test_nonsense_is_refused(refused, words, message):
    assert message in refused("maps", *words)


def test_convert(replan_command, refused, tmp_path):
    names = ["a.map", "b.png", "c.npy", "d.txt"]
    source = "cave"
    for name in names:
        assert replan_command("maps", "convert", source, tmp_path / name).exit_code == 0
        source = str(tmp_path / name)
    assert np.array_equal(maps.read(source).blocked, maps.builtin("cave").blocked)
    heavy = tmp_path / "heavy.txt"
    heavy.write_text(".5\n")
    assert "a .map map holds no weights" in refused("maps", "convert", heavy, tmp_path / "heavy.map")
