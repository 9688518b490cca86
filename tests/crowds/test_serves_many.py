"""Which planners serve a crowd is what their specs say: those walk there as they walk alone, the others are refused."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from strategies import names

ALL = replan.planners()


@pytest.mark.parametrize("spec", [s for s in ALL if s.can_be_shared], ids=names([s for s in ALL if s.can_be_shared]))
def test_characters_take_the_steps_of_agents_that_have_a_planner_each(spec):
    """Two start together in each dead end: what one of them has learned must not reach the other."""
    blocked = np.zeros((12, 14), bool)
    blocked[2:10, 9], blocked[2, 4:10], blocked[9, 4:10] = True, True, True
    starts, goals = [(5, 5), (5, 5), (6, 7), (0, 0)], [(5, 12), (11, 0), (5, 12), (11, 13)]
    crowd = replan.Crowd(replan.Grid(blocked), spec.name)
    crowd.add(starts, goals)
    walked = [[cell] for cell in starts]
    while len(moved := crowd.tick()):
        for i, cell in zip(moved.ids.tolist(), moved.cells.tolist(), strict=True):
            walked[i].append(tuple(cell))
    for path, start, goal in zip(walked, starts, goals, strict=True):
        world = replan.World(replan.Grid(blocked), known="everything")
        assert path == replan.simulate(world, replan.planner(spec.name), start, goal).path


@pytest.mark.parametrize(
    "spec", [s for s in ALL if not s.can_be_shared], ids=names([s for s in ALL if not s.can_be_shared])
)
def test_all_others_are_refused(spec):
    with pytest.raises(replan.InputError, match="needs arrays as large as the map for each character"):
        replan.Crowd(replan.Grid(np.zeros((4, 4), bool)), spec.name)
