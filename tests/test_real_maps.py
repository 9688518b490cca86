"""Real maps with known optimal lengths: ../shared/maps, or where REPLAN_MAPS points. Skipped where there are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import replan


def folder() -> Path | None:
    named = os.environ.get("REPLAN_MAPS")
    if named:
        return Path(named)
    above = [parent / "shared" / "maps" for parent in Path(__file__).resolve().parents]
    return next((p for p in above if p.is_dir()), None)


MAPS = folder()
needs_maps = pytest.mark.skipif(MAPS is None, reason="no ../shared/maps and no REPLAN_MAPS")

QUICK = [
    "dao/arena",
    "dao/den312d",
    "dao/lak303d",
    "street/Berlin_0_256",
    "room/16room_000",
    "random/random512-20-0",
    "maze/maze512-32-0",
    "sc1/Ramparts",
    "bg/AR0012SR",
]
WHOLE = [
    "dao/arena",
    "dao/den312d",
    "dao/brc202d",
    "dao/ost000a",
    "sc1/Ramparts",
    "street/Berlin_0_256",
    "street/Paris_1_256",
    "room/16room_000",
    "random/random512-20-0",
    "maze/maze512-32-0",
    "bg/AR0012SR",
]
PLANNERS = [
    ("Repeated Forward A*", {}),
    ("Repeated Forward A*", {"queue": "buckets"}),
    ("Repeated Backward A*", {}),
    ("Adaptive A*", {}),
    ("Repeated Forward A*", {"prefer": "smaller g", "ties": "random", "seed": 1}),
]


def scenarios(path: Path) -> list[tuple[tuple[int, int], tuple[int, int], float]]:
    """Start and goal as (row, col), and the listed length."""
    found = []
    for line in path.read_text().splitlines()[1:]:
        fields = line.split()
        if fields:
            start_x, start_y, goal_x, goal_y = map(int, fields[4:8])
            found.append(((start_y, start_x), (goal_y, goal_x), float(fields[8])))
    return found


def check(name: str, chosen: list) -> None:
    grid = replan.Grid.load(MAPS / f"{name}.map")
    made = [replan.planner(planner, **options) for planner, options in PLANNERS]
    for i, (start, goal, length) in enumerate(chosen):
        trip = replan.simulate(grid, made[i % len(made)], start, goal)
        assert trip.reached, (name, start, goal)
        # listed lengths have about six digits; those of bg only two decimals
        assert trip.cost == pytest.approx(length, rel=3e-6, abs=0.006), (name, start, goal, trip.planner)


@needs_maps
@pytest.mark.parametrize("name", QUICK)
def test_a_sample_has_the_listed_lengths(name):
    listed = scenarios(MAPS / f"{name}.map.scen")
    if not replan.compiled:
        listed = [s for s in listed if s[2] < 25]
    check(name, listed[:: max(1, len(listed) // 10)])


@pytest.mark.slow
@needs_maps
@pytest.mark.parametrize("name", WHOLE)
def test_every_scenario_has_the_listed_length(name):
    check(name, scenarios(MAPS / f"{name}.map.scen"))


@pytest.mark.slow
def test_4096_by_4096():
    """Costs do not overflow, and the second search is not slower for the size of the map."""
    import numpy as np

    blocked = np.zeros((4096, 4096), bool)
    blocked[1::2] = True  # a snake through all rows
    blocked[1::4, -1] = False
    blocked[3::4, 0] = False
    grid = replan.Grid(blocked)
    goal = (4094, 4095) if (4094 // 2) % 2 == 0 else (4094, 0)
    planner = replan.planner("Repeated Forward A*")
    trip = replan.simulate(grid, planner, (0, 0), goal)
    assert trip.reached and trip.moves == 2048 * 4095 + 2047 * 2
    near = replan.simulate(grid, planner, (0, 0), (0, 9))
    assert near.moves == 9 and near.search_ns < 50_000_000
