"""What all formats share: which reader a file gets, files that cannot be read, writing, round trips."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from replan import Grid, maps
from replan.errors import InputError
from replan.maps.formats import FORMATS

Save = Callable[[str, bytes | str], Path]

SUFFIXES = [".map", ".txt", ".npy", ".png", ".yaml", ".yml", ".pgm"]
FIELD = maps.Terrain(np.array([[False, True], [True, False]]))


def weighted(*weights: int) -> maps.Terrain:
    row = np.array([weights], dtype=np.int32)
    return maps.Terrain(np.zeros(row.shape, dtype=bool), row)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_that_cannot_be_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with pytest.raises(InputError) as caught:
        maps.read(path)
    assert str(caught.value) == f"{path}: no such file"
    path.mkdir()
    with pytest.raises(InputError, match="is a directory, expected a file"):
        maps.read(path)
    path.rmdir()
    path.touch()
    with pytest.raises(InputError, match="the file is empty"):
        maps.read(str(path))
    with pytest.raises(InputError, match="cannot be read"):
        maps.read(tmp_path / f"a\0{suffix}")
    with pytest.raises(InputError, match="cannot be read"):
        maps.read(path / f"below{suffix}")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="only a plain user can be refused")
def test_a_file_of_others(save: Save) -> None:
    path = save("a.map", "type octile\n")
    path.chmod(0)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        maps.read(path)


@pytest.mark.parametrize("suffix", [".map", ".txt"])
def test_an_error_while_reading(save: Save, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    path = save(f"a{suffix}", "type octile\n")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError) as caught:
        maps.read(path)
    assert str(caught.value) == f"{path}: cannot be read: Permission denied"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.map")
    with pytest.raises(InputError, match="is not a regular file"):
        maps.read(tmp_path / "a.map")


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.map"
    with path.open("wb") as file:
        file.truncate(2**30 + 1)  # takes no room on the disk
    with pytest.raises(InputError, match="the file has 1073741825 bytes, more than the limit"):
        maps.read(path)


def test_unknown_formats(save: Save, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown map format .doc; known: .map \(Moving AI\), .txt .*, .npy"):
        maps.read(save("a.doc", "..."))
    with pytest.raises(InputError, match=r"unknown map format \(no suffix\); known: "):
        maps.read(save("a", "..."))
    with pytest.raises(InputError, match="no such file"):
        maps.read(tmp_path / "none.doc")
    with pytest.raises(InputError, match=r"lists problems on a map and is none; give the map, .*--scenario N"):
        maps.read(save("a.scen", "version 1\n"))


@st.composite
def terrains(draw: st.DrawFn, most: int) -> maps.Terrain:
    shape = draw(npst.array_shapes(min_dims=2, max_dims=2, max_side=12))
    blocked = draw(npst.arrays(bool, shape))
    if most == 1:
        return maps.Terrain(blocked)
    return maps.Terrain(blocked, draw(npst.arrays(np.int32, shape, elements=st.integers(1, most))))


def same(one: maps.Terrain, other: maps.Terrain) -> bool:
    """The same cells are blocked and the free ones cost the same."""
    ones = [np.ones(terrain.shape) if terrain.weights is None else terrain.weights for terrain in (one, other)]
    free = ~one.blocked
    return np.array_equal(one.blocked, other.blocked) and np.array_equal(ones[0][free], ones[1][free])


@pytest.mark.parametrize(("suffix", "most"), [(".map", 1), (".txt", 1), (".txt", 9), (".npy", 65_535), (".png", 1)])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_written_reads_back(suffix: str, most: int, data: st.DataObject) -> None:
    terrain = data.draw(terrains(most))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        maps.write(path, terrain)
        maps.write(str(path), terrain)  # also over an older file
        assert os.listdir(folder) == [path.name]
        assert same(maps.read(path), terrain)


def test_writes_readable_files(tmp_path: Path) -> None:
    maps.write(tmp_path / "a.txt", FIELD)
    assert (tmp_path / "a.txt").read_bytes() == b".#\n#.\n"
    maps.write(tmp_path / "a.map", FIELD)
    assert (tmp_path / "a.map").read_bytes() == b"type octile\nheight 2\nwidth 2\nmap\n.@\n@.\n"
    maps.write(tmp_path / "w.txt", weighted(1, 2, 9))
    assert (tmp_path / "w.txt").read_bytes() == b".29\n"


@pytest.mark.parametrize(
    ("name", "terrain", "reason"),
    [
        ("a.map", weighted(1, 2), "a .map map holds no weights; write .txt or .npy instead"),
        ("a.png", weighted(1, 10), "a .png map holds no weights; write .npy instead"),
        ("a.txt", weighted(1, 10), "a .txt map holds weights up to 9, this one has 10; write .npy instead"),
        (
            "a.npy",
            maps.Terrain(FIELD.blocked, walls=np.ones((2, 2), dtype=np.uint8)),
            "cannot hold walls between cells",
        ),
        ("a.npy", maps.Terrain(FIELD.blocked, unknown=~FIELD.blocked), "no format written here can hold unknown cells"),
        ("a.yaml", FIELD, "cannot write the format .yaml; use one of .map .txt .png .npy"),
        ("a", FIELD, "cannot write the format of no suffix"),
        ("none/a.map", FIELD, "cannot be written: No such file or directory"),
        ("a\0.map", FIELD, "cannot be written: "),
    ],
)
def test_refuses_what_it_cannot_write(tmp_path: Path, name: str, terrain: maps.Terrain, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        maps.write(tmp_path / name, terrain)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".map", ".png"])
def test_plain_weights_and_no_walls_are_no_hindrance(tmp_path: Path, suffix: str) -> None:
    weights = np.array([[1, 5], [5, 1]], dtype=np.int32)  # heavy only where blocked
    terrain = maps.Terrain(FIELD.blocked, weights, np.zeros((2, 2), dtype=np.uint8))
    maps.write(tmp_path / f"a{suffix}", terrain)
    assert same(maps.read(tmp_path / f"a{suffix}"), FIELD)


def test_a_failed_write_leaves_the_old_file(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save("a.txt", "..\n")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InputError, match=r"a.txt: cannot be written: No space left on device"):
        maps.write(path, FIELD)
    assert path.read_bytes() == b"..\n"
    assert os.listdir(path.parent) == ["a.txt"]


@pytest.fixture
def table() -> Iterator[list[maps.Format]]:
    """The table of formats, which is afterwards as it was."""
    before = list(FORMATS)
    yield FORMATS
    FORMATS[:] = before


def test_a_format_of_ones_own(save: Save, tmp_path: Path, table: list[maps.Format]) -> None:
    walls = np.array([[maps.WALL_RIGHT, 0]], dtype=np.uint8)

    def field(path: Path) -> maps.Terrain:
        return maps.Terrain(np.array([[False, False]]), walls=walls, unknown=np.array([[False, True]]))

    maps.register_format(maps.Format("mine", (".mine", ".my"), field, lambda terrain: b"me", has_walls=True))
    assert maps.read(save("a.MINE", "x")).blocked.tolist() == [[False, True]]
    assert Grid.load(save("a.my", "x"), unknown="free").has_walls
    maps.write(tmp_path / "b.my", maps.Terrain(np.array([[False, False]]), walls=walls))
    assert (tmp_path / "b.my").read_bytes() == b"me"
    with pytest.raises(InputError, match=r"a .map map cannot hold walls between cells; write .mine instead"):
        maps.write(tmp_path / "b.map", maps.Terrain(np.array([[False, False]]), walls=walls))
    with pytest.raises(InputError, match=r"none.my: no such file"):
        maps.read(tmp_path / "none.my")
    with pytest.raises(InputError, match=r"known: .*, .mine .my \(mine\)"):
        maps.read(save("a.doc", "x"))


def test_a_reader_that_returns_something_else(save: Save, table: list[maps.Format]) -> None:
    maps.register_format(maps.Format("mine", (".mine",), lambda path: [[0]]))  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match="the reader of the format mine returned a list, not a Terrain"):
        maps.read(save("a.mine", "x"))


@pytest.mark.parametrize(
    ("suffix", "reason"),
    [
        (".map", "belongs to another format"),
        (".scen", "belongs to another format"),
        ("map", "no suffix"),
        (".MAP", "no suffix"),
        (".tar.gz", "no suffix"),
        ("", "no suffix"),
        (".", "no suffix"),
    ],
)
def test_suffixes_that_cannot_be_registered(suffix: str, reason: str) -> None:
    before = list(FORMATS)
    with pytest.raises(InputError, match=reason):
        maps.register_format(maps.Format("mine", (suffix,), lambda path: FIELD))
    assert before == FORMATS


def test_the_example() -> None:
    path = Path(__file__).parents[2] / "examples" / "own_map_format.py"
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert "reached the goal" in done.stdout
    assert "line 2: 'x' is no weight" in done.stdout


def test_every_suffix_has_one_format() -> None:
    listed = [suffix for row in maps.formats.FORMATS for suffix in row.suffixes]
    assert len(listed) == len(set(listed)), "of two rows with the same suffix the second is never found"
