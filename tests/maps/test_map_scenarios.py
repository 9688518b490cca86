from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from replan import maps
from replan.errors import InputError

Save = Callable[[str, bytes | str], Path]

LINE = "3\tmaps/dao/small.map\t7\t2\t1\t0\t6\t1\t5.41421"
MAP = "type octile\nheight 2\nwidth 7\nmap\n.......\n.......\n"


@pytest.mark.parametrize("version", ["version 1", "version 1.0", "version 1\r", "version 1.0 "])
@pytest.mark.parametrize("line", [LINE, LINE.replace("\t", " "), LINE.replace("\t", "  ") + " ", LINE + "\r"])
def test_reads_a_problem(save: Save, version: str, line: str) -> None:
    path = save("small.map.scen", f"{version}\n{line}\n\n{line}\n")
    problem = maps.Scenario(3, "maps/dao/small.map", 7, 2, (0, 1), (1, 6), 5.41421)
    assert maps.read_scenarios(path) == [problem, problem]
    assert maps.read_scenarios(path, save("small.map", MAP)) == [problem, problem]
    assert maps.read_scenarios(path, (2, 7)) == [problem, problem]


def test_a_name_with_blanks_between_tabs(save: Save) -> None:
    path = save("x.scen", "version 1\n" + LINE.replace("maps/dao/small", "my maps\\small"))
    assert maps.read_scenarios(path, save("small.map", MAP))[0].map_name == "my maps\\small.map"


def test_a_file_may_have_no_problem(save: Save) -> None:
    assert maps.read_scenarios(save("x.scen", "version 1")) == []


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("version 2\n" + LINE, 1, "expected 'version 1' or 'version 1.0', found 'version 2'"),
        (LINE, 1, "expected 'version 1' or 'version 1.0', found '3\\tmaps"),
        ("version 1\n" + LINE + "\nhello\n", 3, "1 fields, expected 9: bucket, map name"),
        ("version 1\n" + LINE + " 5 6\n", 2, "optimal length must be a number of at least 0, found '5.41421 5 6'"),
        ("version 1\n" + LINE.replace("\t", " ") + " 5\n", 2, "10 fields, expected 9"),
        ("version 1\n" + LINE.replace("3\t", "three\t", 1), 2, "bucket must be a whole number of at least 0"),
        ("version 1\n" + LINE.replace("\t7\t", "\t-7\t"), 2, "map width must be a whole number"),
        ("version 1\n" + LINE.replace("\t7\t", "\t" + "7" * 5000 + "\t"), 2, "map width must be"),
        ("version 1\n" + LINE.replace("\t7\t2", "\t0\t0"), 2, "start x 1, y 0 is outside the map of width 0, height 0"),
        ("version 1\n" + LINE.replace("\t6\t1", "\t7\t1"), 2, "goal x 7, y 1 is outside the map of width 7, height 2"),
        ("version 1\n\n" + LINE.replace("\t1\t0\t", "\t1\t2\t"), 3, "start x 1, y 2 is outside the map"),
        ("version 1\n" + LINE.replace("5.41421", "nan"), 2, "a number of at least 0, found 'nan'"),
        ("version 1\n" + LINE.replace("5.41421", "1e999"), 2, "optimal length must be a number"),
        ("version 1\n" + LINE.replace("5.41421", "-1"), 2, "optimal length must be a number of at least 0, found '-1'"),
    ],
)
def test_names_file_line_and_reason(save: Save, text: str, line: int, reason: str) -> None:
    path = save("bad.scen", text)
    with pytest.raises(InputError) as caught:
        maps.read_scenarios(path)
    assert (caught.value.path, caught.value.line) == (path, line)
    assert reason in caught.value.reason


def test_refuses_problems_of_another_map(save: Save) -> None:
    path = save("small.scen", f"version 1\n{LINE}\n")
    with pytest.raises(InputError, match=r"small.scen, line 2: .* is for the map small.map, the map given is big.map"):
        maps.read_scenarios(path, save("big.map", MAP))
    wider = MAP.replace("width 7", "width 8").replace(".......", "........")
    reason = "line 2: the problem is for a map of width 7, height 2, the map given has width 8, height 2"
    with pytest.raises(InputError, match=reason):
        maps.read_scenarios(path, save("small.map", wider))
    with pytest.raises(InputError, match=r"line 2: .* the map given has width 2, height 7"):
        maps.read_scenarios(path, (7, 2))


def test_refuses_bytes_that_are_no_text(save: Save) -> None:
    with pytest.raises(InputError, match="line 2: not text: "):
        maps.read_scenarios(save("bad.scen", b"version 1\n1 \xff\xfe 1\n"))


def test_missing_and_empty_files(save: Save) -> None:
    path = save("empty.scen", "")
    with pytest.raises(InputError, match="the file is empty"):
        maps.read_scenarios(path)
    with pytest.raises(InputError, match="no such file"):
        maps.read_scenarios(path.with_name("none.scen"))
