from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from replan import maps
from replan.errors import InputError

Save = Callable[[str, bytes | str], Path]

GOOD = "type octile\nheight 2\nwidth 7\nmap\n.GS@OTW\n@......\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "{end}", "{end}{end} {end}"])
def test_reads_every_character(save: Save, end: str, last: str) -> None:
    text = GOOD.rstrip("\n").replace("\n", end) + last.format(end=end)
    terrain = maps.read(save("small.map", text))
    assert terrain.blocked.tolist() == [[False] * 3 + [True] * 4, [True] + [False] * 6]
    assert terrain.name == "small" and terrain.weights is None and terrain.walls is None
    assert terrain.blocked.flags.c_contiguous and terrain.blocked.flags.writeable


def test_reads_past_a_utf8_mark_and_blanks_in_the_header(save: Save) -> None:
    text = "\ufeff" + GOOD.replace("height 2", "height \t2 ")
    assert maps.read(save("small.map", text)).shape == (2, 7)


def test_reads_a_map_named_txt(save: Save) -> None:
    assert maps.read(save("small.txt", GOOD)).shape == (2, 7)


HEADER = "type octile\nheight 2\nwidth 3\nmap\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("....\n....\n", 1, "expected 'type octile' or 'type octile-corner', found '....'"),
        ("type\n", 1, "expected 'type octile' or 'type octile-corner', found 'type'"),
        ("\x89PNG\r\n", 1, "found '\\xc2\\x89PNG'"),
        ("type hex\nheight 1\n", 1, "unknown map type 'hex'; known: octile, octile-corner"),
        ("type octile", 2, "the file ends, expected 'height' and a number"),
        ("type octile\nwidth 3\nheight 2\nmap\n", 2, "expected 'height' and a number, found 'width 3'"),
        ("type octile\nheight two\n", 2, "height must be a whole number from 1 to 268435456, found 'two'"),
        ("type octile\nheight 0\nwidth 3\nmap\n", 2, "found '0'"),
        ("type octile\nheight -2\nwidth 3\nmap\n", 2, "found '-2'"),
        ("type octile\nheight 2.5\nwidth 3\nmap\n", 2, "found '2.5'"),
        ("type octile\nheight 2 3\nwidth 3\nmap\n", 2, "found 'height 2 3'"),
        ("type octile\nheight " + "9" * 5000 + "\nwidth 3\nmap\n", 2, "height must be a whole number"),
        ("type octile\nheight 2\nwidth x\nmap\n", 3, "width must be a whole number from 1 to 268435456, found 'x'"),
        ("type octile\nheight 100000\nwidth 100000\nmap\n", 3, "more than the limit of 268435456 cells"),
        ("type octile\nheight 2\nwidth 3\n...\n...\n", 4, "expected 'map', found '...'"),
        ("type octile\nheight 2\nwidth 3\n", 4, "expected 'map'"),
        ("type octile\nheight 10000\nwidth 10000\nmap\n", 5, "the file ends after 0 of 10000 rows"),
        ("type octile\nheight 2\nwidth 3\nmap", 5, "the file ends after 0 of 2 rows"),
        (HEADER + "...\n", 6, "the file ends after 1 of 2 rows"),
        (HEADER + "...\n..", 6, "row has 2 characters, expected 3"),
        (HEADER + "....\n...\n", 5, "row has 4 characters, expected 3"),
        (HEADER + "...\n\n...\n", 6, "row has 0 characters, expected 3"),
        (HEADER + "...\n...\n\n...\n", 8, "more than the 2 rows expected"),
        (HEADER + "...\n.x.\n", 6, "unknown character 'x' in column 2; known: . G S (free), @ O T W (blocked)"),
        (HEADER + "..g\n...\n", 5, "unknown character 'g' in column 3"),
        (HEADER + "...\n.\x00.\n", 6, "unknown character '\\x00' in column 2"),
    ],
)
def test_names_file_line_and_reason(save: Save, text: str, line: int, reason: str) -> None:
    path = save("bad.map", text)
    with pytest.raises(InputError) as caught:
        maps.read(path)
    assert caught.value.line == line
    assert reason in caught.value.reason
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert "\n" not in str(caught.value)


def test_a_large_map_loads_quickly(tmp_path: Path) -> None:
    path = tmp_path / "large.map"
    blocked = maps.random_obstacles(1024, 1024, seed=1)
    maps.write(path, maps.Terrain(blocked))
    took = []
    for _ in range(5):
        began = time.process_time()  # of the processor: machines may be busy
        terrain = maps.read(path)
        took.append(time.process_time() - began)
    assert np.array_equal(terrain.blocked, blocked)
    assert min(took) < 0.05
