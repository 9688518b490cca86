from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replan import Grid, World, maps, simulate
from replan.errors import InputError, MissingExtra

Save = Callable[[str, bytes | str], Path]

Image = pytest.importorskip("PIL.Image")
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


def percentages(path: Path) -> list[list[int]]:
    """What ROS calls the occupancy of each cell: 0 to 100, -1 unknown."""
    terrain = maps.read(path, unknown="unknown")
    unknown = np.zeros(terrain.shape, dtype=bool) if terrain.unknown is None else terrain.unknown
    weights = np.ones(terrain.shape, dtype=np.int32) if terrain.weights is None else terrain.weights
    return np.where(unknown, -1, np.where(terrain.blocked, 100, weights - 1)).tolist()  # type: ignore[no-any-return]


def test_unknown_cells_are_blocked_free_or_left_unknown(lab: Path) -> None:
    assert maps.read(lab).blocked.tolist() == [[True, True, False], [False, True, True]]
    occupied = [[True, False, False], [False, False, True]]
    assert maps.read(lab, unknown="free").blocked.tolist() == occupied
    found = maps.read(lab, unknown="unknown")
    assert found.unknown is not None and found.unknown.tolist() == [[False, True, False], [False, True, False]]
    assert found.blocked.tolist() == occupied and found.weights is None
    assert (found.coordinate_frame, found.name) == (maps.CoordinateFrame(0.05, (-1.0, 2.0, 0.0)), "lab")
    with pytest.raises(InputError, match="unknown is 'maybe'; use 'blocked', 'free', 'unknown'"):
        maps.read(lab, unknown="maybe")  # type: ignore[arg-type]


def test_negate_turns_black_into_free(save: Save, lab: Path) -> None:
    path = save("negative.yml", YAML.replace("negate: 0", "negate: 1"))
    assert maps.read(path, unknown="free").blocked.tolist() == [[False, False, True], [True, True, False]]


def test_only_image_resolution_and_origin_are_needed(save: Save, lab: Path) -> None:
    path = save("short.yaml", "{image: lab.pgm, resolution: 5e-2, origin: [0, 0, 0], mode: trinary}")
    found = maps.read(path)
    assert found.coordinate_frame == maps.CoordinateFrame(0.05)
    assert found.blocked.tolist() == maps.read(lab).blocked.tolist()


def test_the_image_lies_beside_the_yaml(save: Save, lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert maps.read("../lab.yaml").shape == (2, 3)
    absolute = save("absolute.yaml", YAML.replace("lab.pgm", str(tmp_path / "lab.pgm")))
    assert maps.read(absolute).shape == (2, 3)


# p is 1, 0.8, 0.6, 0.4, 0.2, 0.
GREYS = bytes([0, 51, 102, 153, 204, 255])
WIDE = YAML.replace("0.65", "0.9").replace("0.196", "0.1")


@pytest.mark.parametrize(
    ("mode", "negate", "expected"),
    [
        ("trinary", 0, [[100, -1, -1, -1, -1, 0]]),
        ("trinary", 1, [[0, -1, -1, -1, -1, 100]]),
        # In between, (p - 0.1) / 0.8.
        ("scale", 0, [[100, 88, 62, 38, 12, 0]]),
        ("scale", 1, [[0, 12, 38, 62, 88, 100]]),
        ("raw", 0, [[0, 51, -1, -1, -1, -1]]),
    ],
)
def test_modes(save: Save, mode: str, negate: int, expected: list[list[int]]) -> None:
    save("lab.pgm", b"P5 6 1 255\n" + GREYS)
    path = save("lab.yaml", WIDE.replace("negate: 0", f"negate: {negate}") + f"mode: {mode}\n")
    assert percentages(path) == expected


def test_raw_is_blocked_from_99_and_unknown_above_100(save: Save) -> None:
    save("lab.pgm", b"P5 5 1 255\n" + bytes([0, 98, 99, 100, 101]))
    path = save("lab.yaml", YAML + "mode: raw\n")
    assert percentages(path) == [[0, 98, 100, 100, -1]]
    assert Grid.load(path, unknown="free").weights.tolist() == [[1, 99, 0, 0, 1]]


def test_scaled_occupancy_is_a_reason_to_go_round(save: Save) -> None:
    pixels = np.full((3, 5), 255, dtype=np.uint8)
    pixels[0, 2] = pixels[1, 2] = 128  # half occupied
    save("lab.pgm", b"P5 5 3 255\n" + pixels.tobytes())
    grid = Grid.load(save("lab.yaml", YAML + "mode: scale\n"), neighbors=4)
    trip = simulate(World(grid, known="everything"), "Repeated Forward A*", (0, 0), (0, 4))
    assert trip.moves == 8 and (2, 2) in trip.path


@pytest.mark.parametrize(
    ("mode", "expected"), [("trinary", [100, 100, -1]), ("scale", [100, -1, -1]), ("raw", [0, 0, 0])]
)
def test_transparent_pixels(save: Save, tmp_path: Path, mode: str, expected: list[int]) -> None:
    pixels = np.zeros((1, 3, 4), dtype=np.uint8)
    pixels[0, :, 3] = (255, 200, 0)
    Image.fromarray(pixels).save(tmp_path / "lab.png")
    path = save("lab.yaml", YAML.replace(".pgm", ".png") + f"mode: {mode}\n")
    assert percentages(path) == [expected]


def test_the_channels_of_a_colour_are_averaged(save: Save, tmp_path: Path) -> None:
    # By luminance, pure green would be rather bright and pure blue very dark; the average of each is 85, p = 0.667.
    colors = np.array([[(0, 255, 0), (0, 0, 255), (255, 0, 0)]], dtype=np.uint8)
    Image.fromarray(colors).save(tmp_path / "lab.png")
    assert percentages(save("lab.yaml", YAML.replace(".pgm", ".png"))) == [[100, 100, 100]]


def test_a_grid_knows_its_place_in_the_world(lab: Path) -> None:
    grid = Grid.load(lab)
    for same in (grid, grid.copy(), grid.believed_free()):
        assert same.position_of((1, 0)) == pytest.approx((-0.975, 2.025))  # row 1 is the lower one
        assert same.position_of((0, 2)) == pytest.approx((-0.875, 2.075))
        assert same.cell_at(-1.0, 2.0) == (1, 0)  # the origin: the corner of the lower-left cell
        assert same.cell_at(-0.86, 2.09) == (0, 2)
        assert same.extent == pytest.approx((-1.0, -0.85, 2.0, 2.1))


def test_a_grid_keeps_what_is_unknown(lab: Path) -> None:
    grid = Grid.load(lab, unknown="unknown")
    for same in (grid, grid.copy()):
        assert same.unknown_mask is not None and same.unknown_mask.tolist() == [
            [False, True, False],
            [False, True, False],
        ]
        assert not (same.unknown_mask & same.blocked).any()
    assert Grid.load(lab).unknown_mask is None
    assert Grid.load(lab, unknown="free").unknown_mask is None
    assert World(grid, known="everything").belief.coordinate_frame == grid.coordinate_frame


def test_a_grid_without_a_place(lab: Path) -> None:
    grid = Grid.load("figure-3")
    for asked in (lambda: grid.position_of((0, 0)), lambda: grid.cell_at(0, 0), lambda: grid.extent):
        with pytest.raises(
            InputError, match=r"no coordinate frame.* grid.coordinate_frame = replan.maps.CoordinateFrame\("
        ):
            asked()
    grid.coordinate_frame = maps.CoordinateFrame(2.0)
    assert grid.extent == (0, 10, 0, 10) and grid.position_of((4, 0)) == (1.0, 1.0)


def test_outside_the_map(lab: Path) -> None:
    grid = Grid.load(lab)
    for x, y in ((-1.01, 2.0), (-1.0, 1.99), (-0.84, 2.0), (-1.0, 2.11), (math.nan, 2.0), (math.inf, 2.0)):
        with pytest.raises(
            InputError, match=r"is outside the map, which is 0.15 m wide and 0.1 m high and has its lower"
        ):
            grid.cell_at(x, y)
    for cell in ((-1, 0), (0, -1), (2, 0), (0, 3)):
        with pytest.raises(InputError, match=r"is outside the map of 2 rows and 3 columns"):
            grid.position_of(cell)


def test_a_map_that_is_turned(save: Save, lab: Path) -> None:
    path = save("turned.yaml", YAML.replace("0.05", "1.0").replace("[-1.0, 2.0, 0.0]", f"[0, 0, {math.pi / 2}]"))
    grid = Grid.load(path)
    assert grid.position_of((1, 2)) == pytest.approx((-0.5, 2.5))  # along the map's x is the world's y
    assert grid.cell_at(-1.5, 0.5) == (0, 0)
    with pytest.raises(InputError, match=r"turned by 1.5708 rad, so its edges do not run along x and y"):
        grid.extent  # noqa: B018
    with pytest.raises(InputError, match=r"lower-left corner at x 0, y 0, turned by 1.5708 rad"):
        grid.cell_at(5, 5)


@given(
    row=st.integers(0, 6),
    col=st.integers(0, 4),
    resolution=st.floats(0.001, 10),
    origin=st.tuples(st.floats(-100, 100), st.floats(-100, 100), st.floats(-7, 7)),
)
def test_the_centre_of_a_cell_is_in_it(
    row: int, col: int, resolution: float, origin: tuple[float, float, float]
) -> None:
    frame = maps.CoordinateFrame(resolution, origin)
    assert frame.cell_at(*frame.position_of((row, col), (7, 5)), (7, 5)) == (row, col)


@pytest.mark.parametrize(
    ("resolution", "origin"), [(0.0, (0, 0, 0)), (math.nan, (0, 0, 0)), (1.0, (0, 0)), (1.0, (0, math.inf, 0))]
)
def test_a_frame_that_makes_no_sense(resolution: float, origin: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="must be"):
        maps.CoordinateFrame(resolution, origin)


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
        (YAML + "mode: grey\n", None, "mode must be trinary, scale, raw, found 'grey'"),
        (YAML + "mode: [raw]\n", None, "mode must be trinary, scale, raw, found a list"),
        (YAML.replace("negate: 0", "negate: 1") + "mode: raw\n", None, "negate is 1 in mode raw, which ROS 1 and"),
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
