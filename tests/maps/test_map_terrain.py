from __future__ import annotations

import numpy as np
import pytest

from replan import maps
from replan.errors import InputError
from replan.maps.terrain import check_size

FREE = np.zeros((2, 3), dtype=bool)


def test_keeps_its_arrays() -> None:
    weights = np.ones((2, 3), dtype=np.int32)
    walls = np.full((2, 3), maps.WALL_RIGHT | maps.WALL_BELOW, dtype=np.uint8)
    terrain = maps.Terrain(FREE, weights, walls, "field")
    assert terrain.blocked is FREE and terrain.weights is weights and terrain.walls is walls
    assert terrain.shape == (2, 3) and terrain.name == "field"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"blocked": [[True]]}, "blocked is a list, expected a NumPy array"),
        ({"blocked": np.zeros(3, dtype=bool)}, "1-D array of bool, expected a 2-D"),
        ({"blocked": np.zeros((2, 2))}, "2-D array of float64, expected a 2-D array of bool"),
        ({"blocked": np.zeros((0, 2), dtype=bool)}, "has no cell"),
        ({"weights": np.ones((2, 3))}, "weights is a 2-D array of float64"),
        ({"weights": np.ones((3, 2), dtype=np.int32)}, r"weights has shape \(3, 2\), expected \(2, 3\)"),
        ({"weights": np.zeros((2, 3), dtype=np.int32)}, "weights holds 0"),
        ({"weights": np.full((2, 3), 65_536, dtype=np.int32)}, "weights holds 65,536; at most 65,535 is expected"),
        ({"walls": np.full((2, 3), 4, dtype=np.uint8)}, "walls holds 4"),
        ({"unknown": np.zeros((3, 2), dtype=bool)}, r"unknown has shape \(3, 2\), expected \(2, 3\)"),
        ({"blocked": ~FREE, "unknown": ~FREE}, "a cell is unknown and blocked"),
        ({"walls": np.zeros((2, 3), dtype=np.int32)}, "walls is a 2-D array of int32"),
    ],
)
def test_refuses_wrong_arrays(fields: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        maps.Terrain(**{"blocked": FREE, **fields})  # type: ignore[arg-type]


def test_what_becomes_of_unknown_cells() -> None:
    blocked, unknown = np.array([[True, False, False]]), np.array([[False, True, False]])
    terrain = maps.Terrain(blocked, unknown=unknown, name="fog", coordinate_frame=maps.CoordinateFrame(0.5))
    assert terrain.with_unknown("unknown") is terrain
    for how, expected in (("blocked", [[True, True, False]]), ("free", [[True, False, False]])):
        other = terrain.with_unknown(how)  # type: ignore[arg-type]
        assert other.blocked.tolist() == expected and other.unknown is None
        assert (other.name, other.coordinate_frame) == ("fog", maps.CoordinateFrame(0.5))
    with pytest.raises(InputError, match="unknown is 'maybe'; use 'blocked', 'free', 'unknown'"):
        terrain.with_unknown("maybe")  # type: ignore[arg-type]


def test_refuses_a_terrain_over_the_limit_of_cells() -> None:
    # A view that repeats one byte: the size is refused without the memory for it.
    huge = np.broadcast_to(np.zeros(1, dtype=bool), (2**14, 2**14 + 1))
    with pytest.raises(InputError, match="more than the limit of 268435456 cells"):
        maps.Terrain(huge)


def test_size_limit_is_inclusive() -> None:
    check_size(2**14, 2**14)
    with pytest.raises(InputError, match=r"city.map, line 3: .* limit"):
        check_size(2**28 + 1, 1, "city.map", 3)
