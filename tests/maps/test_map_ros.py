from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replan import maps
from replan.errors import InputError, MissingExtra

Save = Callable[[str, bytes | str], Path]

pytest.importorskip("PIL.Image")
pytest.importorskip("yaml")

YAML = """image: lab.pgm
resolution: 0.05
origin: [-1.0, 2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""
# Occupied, unknown, free over free, unknown (of map_saver), occupied.
PGM = b"P5 3 2 255\n" + bytes([0, 128, 254, 255, 205, 80])


@pytest.fixture
def lab(save: Save) -> Path:
    save("lab.pgm", PGM)
    return save("lab.yaml", YAML)


def test_reads_occupied_free_and_unknown(lab: Path) -> None:
    found = maps.read_ros(lab)
    assert found.unknown.tolist() == [[False, True, False], [False, True, False]]
    assert found.terrain.blocked.tolist() == [[True, True, False], [False, True, True]]
    assert (found.resolution, found.origin, found.terrain.name) == (0.05, (-1.0, 2.0, 0.0), "lab")
    assert maps.read(lab).blocked.tolist() == found.terrain.blocked.tolist()
    free = maps.read_ros(lab, unknown="free")
    assert free.terrain.blocked.tolist() == [[True, False, False], [False, False, True]]
    assert free.unknown.tolist() == found.unknown.tolist()
    with pytest.raises(InputError, match="unknown is 'maybe'; use 'blocked' or 'free'"):
        maps.read_ros(lab, unknown="maybe")  # type: ignore[arg-type]


def test_negate_turns_black_into_free(save: Save, lab: Path) -> None:
    path = save("negative.yml", YAML.replace("negate: 0", "negate: 1"))
    assert maps.read_ros(path, unknown="free").terrain.blocked.tolist() == [[False, False, True], [True, True, False]]


def test_only_image_resolution_and_origin_are_needed(save: Save, lab: Path) -> None:
    path = save("short.yaml", "{image: lab.pgm, resolution: 5e-2, origin: [0, 0, 0], mode: trinary}")
    assert maps.read_ros(path).resolution == 0.05
    assert maps.read(path).blocked.tolist() == maps.read(lab).blocked.tolist()


def test_the_image_lies_beside_the_yaml(save: Save, lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert maps.read("../lab.yaml").shape == (2, 3)
    absolute = save("absolute.yaml", YAML.replace("lab.pgm", str(tmp_path / "lab.pgm")))
    assert maps.read(absolute).shape == (2, 3)


def test_transparent_pixels_are_unknown(save: Save, tmp_path: Path) -> None:
    from PIL import Image

    pixels = np.zeros((1, 2, 4), dtype=np.uint8)
    pixels[0, :, 3] = (255, 0)
    Image.fromarray(pixels).save(tmp_path / "lab.png")
    path = save("lab.yaml", YAML.replace(".pgm", ".png"))
    assert maps.read_ros(path).unknown.tolist() == [[False, True]]


def test_row_0_is_the_top_and_y_goes_up(lab: Path) -> None:
    found = maps.read_ros(lab)
    assert found.cell_at(-1.0, 2.0) == (1, 0)  # the origin: the lower-left cell
    assert found.cell_at(-0.86, 2.09) == (0, 2)
    assert found.position_of(1, 0) == pytest.approx((-0.975, 2.025))
    assert found.position_of(0, 2) == pytest.approx((-0.875, 2.075))


def test_outside_the_map(lab: Path) -> None:
    found = maps.read_ros(lab)
    for x, y in ((-1.01, 2.0), (-1.0, 1.99), (-0.84, 2.0), (-1.0, 2.11), (math.nan, 2.0), (math.inf, 2.0)):
        with pytest.raises(InputError, match=r"is outside the map lab"):
            found.cell_at(x, y)
    for row, col in ((-1, 0), (0, -1), (2, 0), (0, 3)):
        with pytest.raises(InputError, match=r"is outside the map of 2 rows and 3 columns"):
            found.position_of(row, col)


@given(
    row=st.integers(0, 6),
    col=st.integers(0, 4),
    resolution=st.floats(0.001, 10),
    origin=st.tuples(st.floats(-100, 100), st.floats(-100, 100), st.floats(-7, 7)),
)
def test_the_centre_of_a_cell_is_in_it(
    row: int, col: int, resolution: float, origin: tuple[float, float, float]
) -> None:
    blocked = np.zeros((7, 5), dtype=bool)
    found = maps.RosMap(maps.Terrain(blocked), blocked, resolution, origin)
    assert found.cell_at(*found.position_of(row, col)) == (row, col)


def test_yaw_turns_the_map(lab: Path) -> None:
    found = maps.read_ros(lab)
    turned = maps.RosMap(found.terrain, found.unknown, 1.0, (0.0, 0.0, math.pi / 2))
    assert turned.position_of(1, 2) == pytest.approx((-0.5, 2.5))  # along the map's x is the world's y


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("image: [unclosed\nresolution: 1\n", 2, "not YAML: "),
        ("just words", None, "not a ROS map: a map has the keys image, resolution and origin"),
        ("[1, 2]", None, "not a ROS map"),
        ("resolution: 1\n", None, "not a ROS map"),
        ("# nothing\n", None, "not a ROS map"),
        ("!!python/object/apply:os.system ['true']", 1, "not YAML: could not determine a constructor"),
        (YAML.replace("lab.pgm", "[1]"), None, "image must be the path of an image file"),
        (YAML.replace("lab.pgm", "none.pgm"), None, "its image 'none.pgm': no such file"),
        (YAML.replace("lab.pgm", "bad.yaml"), None, "its image 'bad.yaml': not an image"),
        (YAML.replace("lab.pgm", "."), None, "its image '.': is a directory"),
        (YAML.replace("resolution: 0.05\n", ""), None, "resolution must be a number, found nothing"),
        (YAML.replace("0.05", "fine"), None, "resolution must be a number, found 'fine'"),
        (YAML.replace("0.05", "true"), None, "resolution must be a number, found a bool"),
        (YAML.replace("0.05", ".inf"), None, "resolution must be a number, found a float"),
        (YAML.replace("0.05", "0x" + "f" * 9000), None, "resolution must be a number, found a int"),
        (YAML.replace("0.05", "-1"), None, "resolution must be above 0 metres a cell, found -1.0"),
        (YAML.replace("[-1.0, 2.0, 0.0]", "[1, 2]"), None, "origin must be a list of three numbers"),
        (YAML.replace("[-1.0, 2.0, 0.0]", "[1, 2, x]"), None, "each number of origin must be a number, found 'x'"),
        (YAML.replace("negate: 0", "negate: 2"), None, "negate must be 0 or 1"),
        (YAML.replace("0.65", "0.1"), None, "expected 0 <= free_thresh < occupied_thresh <= 1, found 0.196 and 0.1"),
        (YAML + "mode: scale\n", None, "mode 'scale' is not supported; use trinary"),
        (YAML + "a: &x [1]\nb: *x\n", None, "the file has YAML aliases (*name); write the values out"),
        ("[" * 60000, 1, "not a ROS map: it is nested too deeply"),
        ("- " * 30000, 1, "not a ROS map: it is nested too deeply"),
        ("#" * 2**17, None, "more than the limit of 65536"),
    ],
)
def test_names_file_and_reason(save: Save, lab: Path, text: str, line: int | None, reason: str) -> None:
    path = save("bad.yaml", text)
    with pytest.raises(InputError) as caught:
        maps.read(path)
    assert caught.value.path == path
    assert reason in caught.value.reason
    assert line is None or caught.value.line == line
    assert "\n" not in str(caught.value) and len(caught.value.reason) < 200


def test_says_which_extra_is_missing(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    with pytest.raises(MissingExtra, match=r"reading a ROS map needs an extra: pip install 'replan\[ros\]'"):
        maps.read(lab)
