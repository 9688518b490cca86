"""Random cases on maps."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from replan.errors import InputError
from replan.experiments.map_problems import generated_source, random_map_problems
from replan.experiments.runs import MapSource
from replan.maps.generators import maze
from replan.spaces.grid import Grid


def two_rooms() -> np.ndarray:
    """They touch at a corner alone, which may not be cut."""
    return np.kron(np.array([[0, 1], [1, 0]], bool), np.ones((3, 3), bool))


def checkers() -> np.ndarray:
    return np.indices((4, 4)).sum(axis=0) % 2 == 0


def test_a_way_leads_from_every_start_to_its_goal_by_the_rules_of_the_map():
    drawn = list(islice(random_map_problems([MapSource(two_rooms, name="rooms")], 40), 40))
    assert len(drawn) == 40
    assert {(p.start[0] < 3, p.goal[0] < 3) for p in drawn} == {(True, True), (False, False)}


def test_a_map_without_two_connected_cells_is_refused(monkeypatch):
    monkeypatch.setattr("replan.experiments.map_problems.MAX_ATTEMPTS", 100)
    with pytest.raises(InputError, match="checkers"):
        list(random_map_problems([MapSource(checkers, name="checkers")], 1))


def cliff() -> Grid:
    """Free cells all over, and a wall between the left half and the right half."""
    walls = np.zeros((4, 4), np.uint8)
    walls[:, 1] = 1
    return Grid(np.zeros((4, 4), bool), corners="free", walls=walls)


def test_cliffs_part_cells_also_where_corners_are_cut_freely():
    drawn = list(random_map_problems([MapSource(cliff, name="cliff")], 40))
    assert {(p.start[1] < 2, p.goal[1] < 2) for p in drawn} == {(True, True), (False, False)}


def test_a_generated_map_has_as_many_neighbours_as_asked():
    made = [generated_source("maze", maze, rows=9, cols=9, seed=1, **more).grid() for more in ({}, {"neighbors": 4})]
    assert [grid.neighbors for grid in made] == [8, 4]
