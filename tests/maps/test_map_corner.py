from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from replan import maps
from replan.errors import InputError

Save = Callable[[str, bytes | str], Path]

RIGHT, BELOW = maps.WALL_RIGHT, maps.WALL_BELOW


def corner(digits: list[str], letters: list[str]) -> str:
    header = f"type octile-corner\nheight {len(digits)}\nwidth {len(digits[0])}\nmap\n"
    return header + "\n".join(digits + letters) + "\n"


def test_a_flat_map_has_no_walls(save: Save) -> None:
    terrain = maps.read(save("flat.map", corner(["222", "222", "222"], ["GSX"[:2] + "G", "TWO", "OOO"])))
    assert terrain.blocked.tolist() == [[False, False], [True, True]]
    assert terrain.walls is None


def test_flat_cells_of_other_height_are_apart(save: Save) -> None:
    # The left cell is flat at 2, the right one flat at 3: a wall, though they share both corners.
    terrain = maps.read(save("step.map", corner(["233", "233"], ["GGG", "GGG"])))
    assert terrain.walls is not None and terrain.walls.tolist() == [[RIGHT, 0]]


def test_a_slope_joins_two_heights(save: Save) -> None:
    # From the flat cell at 2 over the slope from 2 up to 3 to the flat cell at 3.
    terrain = maps.read(save("ramp.map", corner(["2233", "2233"], ["GgGG", "GGGG"])))
    assert terrain.walls is None
    steep = maps.read(save("steep.map", corner(["2233", "2233"], ["GGGG", "GGGG"])))
    assert steep.walls is not None and steep.walls.tolist() == [[0, RIGHT, 0]]


def test_a_slope_may_be_closed_at_its_side(save: Save) -> None:
    terrain = maps.read(save("side.map", corner(["23", "23", "23"], ["gG", "GG", "GG"])))
    assert terrain.walls is not None and terrain.walls.tolist() == [[BELOW], [0]]


def test_every_step_between_unlike_edges_is_a_wall(save: Save) -> None:
    """Against the format's rule written cell by cell."""
    rng = np.random.default_rng(5)
    heights = rng.integers(0, 3, (12, 9))
    letters = rng.choice(list("GSTWOgst"), (12, 9))
    text = corner(["".join(map(str, row)) for row in heights.tolist()], ["".join(row) for row in letters.tolist()])
    terrain = maps.read(save("many.map", text))

    def height(row: int, col: int, down: int, right: int) -> int:
        flat = letters[row, col].isupper()
        return int(heights[row, col] if flat else heights[row + down, col + right])

    assert terrain.shape == (11, 8) and terrain.walls is not None
    for row in range(11):
        for col in range(8):
            assert terrain.blocked[row, col] == (letters[row, col].upper() in "TWO")
            beside = col < 7 and any(height(row, col, d, 1) != height(row, col + 1, d, 0) for d in (0, 1))
            below = row < 10 and any(height(row, col, 1, r) != height(row + 1, col, 0, r) for r in (0, 1))
            assert terrain.walls[row, col] == RIGHT * beside + BELOW * below


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("type octile-corner\nheight 1\nwidth 5\nmap\n00000\nGGGGG\n", 3, "1 x 5 corners enclose no cell"),
        (corner(["00", "0x"], ["GG", "GG"]), 6, "unknown character 'x' in column 2; known: the heights 0 to 9"),
        (corner(["00", "00"], ["GG", ".G"]), 8, "unknown character '.' in column 1; known: G S (free)"),
        (corner(["00", "00"], ["GG"]), 8, "the file ends after 1 of 2 rows"),
        (corner(["00", "00"], []), 7, "the file ends after 0 of 2 rows"),
        (corner(["00", "000"], ["GG", "GG"]), 6, "row has 3 characters, expected 2"),
        (corner(["00", "00"], ["GG", "GG", "GG"]), 9, "more than the 4 rows expected"),
    ],
)
def test_names_file_line_and_reason(save: Save, text: str, line: int, reason: str) -> None:
    path = save("bad.map", text)
    with pytest.raises(InputError) as caught:
        maps.read(path)
    assert (caught.value.path, caught.value.line) == (path, line)
    assert reason in caught.value.reason


def test_cannot_be_written(save: Save) -> None:
    path = save("step.map", corner(["233", "233"], ["GGG", "GGG"]))
    with pytest.raises(InputError, match="cannot hold walls"):
        maps.write(path, maps.read(path))
