from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from replan import maps
from replan.errors import InputError

Save = Callable[[str, bytes | str], Path]


def test_reads_every_character(save: Save) -> None:
    terrain = maps.read(save("small.txt", "._ #@\n12395\n"))
    assert terrain.blocked.tolist() == [[False] * 3 + [True] * 2, [False] * 5]
    assert terrain.weights is not None
    assert terrain.weights.tolist() == [[1, 1, 1, 1, 1], [1, 2, 3, 9, 5]]
    assert terrain.weights.dtype == np.int32 and terrain.name == "small"


@pytest.mark.parametrize("text", ["..\n##", "..\n##\n", "..\r\n##\r\n", "..\n##\n\n\r\n\n", "\ufeff..\n##\n", "11\n##"])
def test_line_ends_and_plain_weights(save: Save, text: str) -> None:
    terrain = maps.read(save("small.txt", text))
    assert terrain.blocked.tolist() == [[False, False], [True, True]]
    assert terrain.weights is None


def test_blanks_are_cells_everywhere(save: Save) -> None:
    assert maps.read(save("blank.txt", "   \n # \n   ")).shape == (3, 3)
    assert not maps.read(save("one.txt", " ")).blocked.any()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("...\n..\n...\n", 2, "row has 2 characters, expected 3 as in line 1 (a blank at a row's end counts"),
        ("...\n...\n....\n", 3, "row has 4 characters, expected 3"),
        ("...\n\n...\n", 2, "row has 0 characters, expected 3"),
        ("\n...\n", 1, "the first row is empty"),
        ("\n\r\n", None, "the file has no rows"),
        ("...\n.S.\n", 2, "unknown character 'S' in column 2; known: . _ blank (free)"),
        ("..G\n", 1, "start and goal are not marked in a map"),
        ("..0\n", 1, "unknown character '0' in column 3"),
        ("..\t\n", 1, "unknown character '\\t' in column 3"),
        ("..é\n", 1, "unknown character '\\xc3' in column 3"),
    ],
)
def test_names_file_line_and_reason(save: Save, text: str, line: int | None, reason: str) -> None:
    path = save("bad.txt", text)
    with pytest.raises(InputError) as caught:
        maps.read(path)
    assert (caught.value.path, caught.value.line) == (path, line)
    assert reason in caught.value.reason
