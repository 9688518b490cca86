"""The published benchmark maps. They are not in the repository: REPLAN_MAPS or ../shared/maps has them, or we skip."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from replan import maps

FOLDER = Path(os.environ.get("REPLAN_MAPS") or Path(__file__).parents[3] / "shared" / "maps")
MAPS = sorted(FOLDER.glob("*/*.map"))
ROW = re.compile(r"\| (\w+) \| (\S+) \| (\d+) x (\d+) \| (\d+)")

pytestmark = pytest.mark.skipif(not MAPS, reason=f"no maps in {FOLDER}")


def listed() -> dict[tuple[str, str], tuple[int, int, int]]:
    """(set, map) -> (rows, cols, free cells), as the README of the collection says."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    found = {}
    for folder, name, width, height, free in ROW.findall(text):
        found[folder, name] = (int(height), int(width), int(free))
    return found


@pytest.mark.parametrize("folder", sorted({path.parent.name for path in MAPS}))
def test_maps_have_the_listed_size_and_free_cells(folder: str) -> None:
    table = listed()
    for path in sorted((FOLDER / folder).glob("*.map")):
        terrain = maps.read(path)
        if folder == "wc3_corner":
            assert terrain.shape == (160, 160)
            assert terrain.walls is not None
        else:
            assert terrain.walls is None
            assert (*terrain.shape, int((~terrain.blocked).sum())) == table[folder, path.stem]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.scen")), ids=lambda path: str(path.name))
def test_scenarios_belong_to_their_maps(path: Path) -> None:
    scenarios = maps.read_scenarios(path, path.with_suffix(""))
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(scenarios) == len(lines) - 1


def test_corner_maps_agree_with_their_scaled_copies() -> None:
    """Some maps are in both sets, here at 160 x 160 with walls, there at 512 x 512 with blocked cells instead."""
    stretch = np.arange(512) * 160 // 512
    for scaled_path in sorted((FOLDER / "wc3").glob("*.map")):
        path = FOLDER / "wc3_corner" / scaled_path.name
        if not path.exists():
            continue
        native, scaled = maps.read(path), maps.read(scaled_path).blocked
        assert native.walls is not None
        wall = native.walls != 0
        wall[:, 1:] |= (native.walls[:, :-1] & maps.WALL_RIGHT) != 0
        wall[1:] |= (native.walls[:-1] & maps.WALL_BELOW) != 0
        blocked, wall = native.blocked[np.ix_(stretch, stretch)], wall[np.ix_(stretch, stretch)]
        assert (blocked & ~scaled).mean() < 0.001, path.name
        extra = scaled & ~blocked
        assert extra.mean() < 0.1, path.name
        assert wall[extra].mean() > 2.5 * wall[~blocked].mean(), path.name
