from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from replan import maps
from replan.errors import InputError
from replan.maps.library import BUILTIN_MAKERS

Save = Callable[[str, bytes | str], Path]


def test_names_are_the_files_that_come_along() -> None:
    data = Path(maps.__file__).parent / "data"
    assert maps.builtin_names() == tuple(sorted(file.stem for file in data.iterdir()))
    assert {"maze", "cave", "rooms", "random", "figure-3"} <= set(maps.builtin_names())


@pytest.mark.parametrize("name", maps.builtin_names())
def test_a_file_is_what_its_recipe_makes(name: str) -> None:
    terrain = maps.builtin(name)
    assert np.array_equal(terrain.blocked, BUILTIN_MAKERS[name]())
    assert terrain.name == name and terrain.weights is None and terrain.walls is None


def test_figure_3() -> None:
    blocked = maps.builtin("figure-3").blocked
    assert blocked.shape == (5, 5)
    assert np.argwhere(blocked).tolist() == [[2, 2], [3, 2], [4, 3]]


def test_open_map_takes_names_and_paths(save: Save) -> None:
    assert np.array_equal(maps.open_map("maze").blocked, maps.builtin("maze").blocked)
    path = save("maze.txt", "..\n")
    assert maps.open_map(path).shape == maps.open_map(str(path)).shape == (1, 2)


def test_unknown_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no built-in map 'moon'; there are cave, figure-3, maze, random, rooms"):
        maps.builtin("moon")
    with pytest.raises(InputError, match=r"moon: neither a built-in map \(cave, .*\) nor a file; known formats: .map"):
        maps.open_map("moon")
    with pytest.raises(InputError, match=r"is a directory|unknown map format"):
        maps.open_map(tmp_path)
    with pytest.raises(InputError, match=r"moon.map: no such file$"):
        maps.open_map("moon.map")


def test_what_may_have_been_meant(save: Save, tmp_path: Path) -> None:
    save("arena.map", "type octile\n")
    for word, remark in (
        ("labyrinth", r"nor a file \(did you mean maze\?\)$"),
        ("MAZE", r"\(did you mean maze\?\)$"),
        ("figure", r"\(did you mean figure-3\?\)$"),
        (tmp_path / "arena", r"\(did you mean arena.map\?\)$"),
        (tmp_path / "arean.map", r"no such file \(did you mean arena.map\?\)$"),
        (tmp_path / "nowhere" / "arena.map", r"no such file$"),
    ):
        with pytest.raises(InputError, match=remark):
            maps.open_map(word)
    with pytest.raises(InputError, match=r"no built-in map 'mzae' \(did you mean maze\?\); there are"):
        maps.builtin("mzae")
