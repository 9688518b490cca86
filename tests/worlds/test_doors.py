"""Rooms with doors, and recordings on disk."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.grids import edges_of_grid
from oracle.searches import reachable

SMALL = {"room_size": 3, "steps": 60, "draws_per_step": 1.0}


@examples(40)
@given(
    rows=st.integers(2, 14),
    cols=st.integers(2, 14),
    room=st.integers(1, 5),
    shut=st.sampled_from([0, 0.2, 0.5, 0.9]),
    seed=st.integers(0, 99),
)
def test_a_way_from_everywhere_to_the_goal_is_always_left(rows, cols, room, shut, seed):
    doors = replan.rooms_with_doors(rows, cols, room_size=room, closed_share=shut, steps=40, seed=seed)
    blocked = np.array(doors.grid.blocked)
    script = [*doors.changes, (None, None, None)]
    for step, cell, to in script:
        free = {(r, c) for r, c in np.argwhere(~blocked).tolist()}
        assert reachable(edges_of_grid(blocked.tolist(), 8, "strict"), doors.goal) == free
        if cell is not None:
            assert blocked[cell] != (to == "blocked"), f"step {step}: the door {cell} was {to} already"
            blocked[cell] = to == "blocked"


def test_it_is_paper_002s_benchmark():
    doors = replan.rooms_with_doors(100, 100, seed=7)
    assert doors.grid.shape == (100, 100) and doors.grid.neighbors == 8
    assert (doors.start, doors.goal) == ((0, 0), (99, 99))
    assert {to for _, _, to in doors.changes} == {"free", "blocked"}
    steps = [step for step, _, _ in doors.changes]
    assert steps == sorted(steps) and steps[0] >= 1
    cells = {cell for _, cell, _ in doors.changes}
    assert len(cells) <= 180, "10 x 10 rooms have 180 walls between them, with a door in each"
    moments = doors.grid.blocked[[c[0] for c in cells], [c[1] for c in cells]]
    assert 0.3 < moments.mean() < 0.6


def test_the_same_seed_gives_the_same_sequence_and_another_another():
    one, two, other = (replan.rooms_with_doors(40, 40, seed=seed, steps=100) for seed in (1, 1, 2))
    assert one.changes == two.changes != other.changes


def test_every_planner_meets_the_same_changes():
    doors = replan.rooms_with_doors(30, 30, seed=1, **SMALL)
    world = doors.make_world()
    for name in ("RTD*", "LSS-LRTA*", "Repeated Forward A*"):
        trips = [replan.simulate(w, name, doors.start, doors.goal, max_moves=5000) for w in (world, doors.make_world())]
        assert trips[0].reached and trips[0].path == trips[1].path
    assert doors.make_world(sensor="adjacent").sensor == "adjacent"


@pytest.mark.parametrize(
    "options",
    [
        {"rows": 0},
        {"room_size": 0},
        {"draws_per_step": -1},
        {"draws_per_step": "x"},
        {"closed_share": 1},
        {"steps": -1},
        {"seed": -1},
        {"steps": 10**9},
    ],
)
def test_bad_arguments_are_refused(options):
    with pytest.raises(replan.InputError):
        replan.rooms_with_doors(**{"rows": 20, "cols": 20, **options})


@pytest.mark.parametrize("weighted", [False, True])
def test_saved_loaded_and_replayed(tmp_path, weighted):
    doors = replan.rooms_with_doors(30, 30, seed=5, **SMALL)
    if weighted:
        grid = replan.Grid(doors.grid.blocked, weights=np.random.default_rng(1).integers(1, 9, (30, 30)))
        doors = replan.DynamicScenario(
            grid, [*doors.changes, (9, (1, 1), 70), (12, (1, 1), 2)], doors.start, doors.goal
        )
    file = tmp_path / "doors.json"
    doors.save(file)
    loaded = replan.DynamicScenario.load(file)
    assert loaded.changes == doors.changes and (loaded.start, loaded.goal) == (doors.start, doors.goal)
    assert np.array_equal(loaded.grid.blocked, doors.grid.blocked)
    assert loaded.grid.corners == "strict" and loaded.grid.neighbors == 8
    if weighted:
        assert np.array_equal(loaded.grid.weights, doors.grid.weights)
    trips = [replan.simulate(d.make_world(), "RTD*", d.start, d.goal) for d in (doors, loaded)]
    assert trips[0].path == trips[1].path


GOOD = {
    "replan": "dynamic_scenario",
    "version": 1,
    "neighbors": 4,
    "map": ["..#", "..."],
    "start": [0, 0],
    "goal": [1, 2],
    "changes": [[3, 0, 2, "free"]],
}


def test_a_file_written_by_hand(tmp_path):
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(GOOD))
    loaded = replan.DynamicScenario.load(file)
    assert loaded.changes == [(3, (0, 2), "free")] and loaded.grid.neighbors == 4 and loaded.goal == (1, 2)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"replan": "map"}, "no dynamic scenario"),
        ({"version": 2}, "no dynamic scenario"),
        ({"neighbors": 6}, "neighbors"),
        ({"neighbors": [4]}, "neighbors"),
        ({"corners": "round"}, "corners"),
        ({"corners": ["strict"]}, "corners"),
        ({"map": []}, "map is a list"),
        ({"map": [1]}, "map is a list"),
        ({"map": ["..", "..."]}, "row 1 of the map has 3"),
        ({"map": ["..x", "..."]}, "'x'"),
        ({"map": ["", ""]}, "at least one cell"),
        ({"weights": [[1, 2]]}, "weights is"),
        ({"weights": [[1, 1, 1], [1, 1, 0]]}, "weight"),
        ({"weights": [[1, 1, 1], [1, 1, 1e9]]}, "weights is"),
        ({"start": [0]}, "start is"),
        ({"goal": [9, 9]}, "outside"),
        ({"changes": {}}, "changes is"),
        ({"changes": [[1, 2, 3]]}, "change 0 is"),
        ({"changes": [[1, 0, 0, "free"], [1, 0, "0", "free"]]}, "change 1 is"),
        ({"changes": [[1, 0, 0, "open"]]}, "change 0: a cell becomes"),
        ({"changes": [[1, 0, 9, "free"]]}, "change 0: .*outside"),
        ({"changes": [[-1, 0, 0, "free"]]}, "change 0: a step"),
        ({"changes": [[2**70, 0, 0, "free"]]}, "change 0: a step"),
        ({"changes": [[1, 0, 0, 5]]}, "change 0: .*without weights"),
    ],
)
def test_files_that_are_wrong_are_refused_with_what_is_wrong(tmp_path, edit, words):
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({**GOOD, **edit}))
    with pytest.raises(replan.InputError, match=words) as error:
        replan.DynamicScenario.load(file)
    assert "bad.json" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, "[]", "7", '{"replan": NaN}', "\x00", '"x"'])
def test_files_that_are_none_at_all(tmp_path, content):
    file = tmp_path / "bad.json"
    file.write_text(content)
    with pytest.raises(replan.InputError, match=r"bad\.json"):
        replan.DynamicScenario.load(file)


def test_no_file_and_no_folder(tmp_path):
    with pytest.raises(replan.InputError, match="no such file"):
        replan.DynamicScenario.load(tmp_path / "none.json")
    with pytest.raises(replan.InputError, match="cannot be written"):
        replan.rooms_with_doors(9, 9, room_size=3, steps=5).save(tmp_path / "none" / "doors.json")


def test_a_recording_has_a_grid_without_walls():
    walls = np.ones((2, 2), int)
    with pytest.raises(replan.InputError, match="without walls"):
        replan.DynamicScenario(replan.Grid(np.zeros((2, 2), bool), walls=walls), [])
    with pytest.raises(replan.InputError, match="outside"):
        replan.DynamicScenario(replan.Grid(np.zeros((2, 2), bool)), [(1, (5, 5), "free")])
