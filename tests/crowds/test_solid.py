"""Characters that do not stand on each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from crowds.test_steps import largest_region
from examples import examples

ARRIVED, WAITING = replan.Status.ARRIVED, replan.Status.WAITING


def alone(crowd: replan.Crowd) -> None:
    """Nobody stands on somebody else, or in a wall."""
    cells = [tuple(cell) for cell in crowd.cells.tolist()]
    assert len(set(cells)) == len(cells)
    assert not any(crowd.belief.blocked[cell] for cell in cells)


def scattered(count: int, share: float, seed: int, **options: Any) -> replan.Crowd:
    rng = np.random.default_rng(seed)
    grid = replan.Grid(rng.random((20, 20)) < share)
    free = rng.permutation(largest_region(grid))
    crowd = replan.Crowd(grid, "RTAA*", collisions="wait", **options)
    crowd.add(free[:count], rng.permutation(free)[:count])
    return crowd


@pytest.mark.parametrize("lookahead", [1, 4, 9])
@pytest.mark.parametrize("count", [2, 40, 120])
def test_in_open_terrain_everybody_arrives(count, lookahead):
    crowd = scattered(count, 0.0, seed=count, lookahead=lookahead)
    for _ in range(4000):
        crowd.tick()
        alone(crowd)
        if (crowd.status == ARRIVED).all():
            return
    raise AssertionError(f"{(crowd.status != ARRIVED).sum()} are stuck")


@pytest.mark.parametrize("lookahead", [1, 4, 9, 30])
def test_a_group_of_those_who_have_arrived_is_walked_around(lookahead):
    crowd = replan.Crowd(replan.Grid(np.zeros((15, 31), bool)), "RTAA*", lookahead=lookahead, collisions="wait")
    row = [(7, col) for col in range(5, 26)] + [(row, col) for row in range(8, 12) for col in (5, 25)]
    crowd.add(row, row)
    walker = crowd.add((10, 15), (2, 15))
    for _ in range(20_000):
        crowd.tick()
        if crowd.status[walker[0]] is ARRIVED:
            return
    raise AssertionError("the walker is stuck")


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_do_not_matter(workers):
    crowds = [scattered(120, 0.15, seed=5, lookahead=6, workers=n) for n in (1, workers)]
    for frame in range(200):
        budget = None if frame % 2 else replan.Expansions(500)
        moved = [crowd.tick(budget) for crowd in crowds]
        assert moved[0].ids.tolist() == moved[1].ids.tolist()
        assert (crowds[0].cells == crowds[1].cells).all()
        alone(crowds[0])


def test_a_goal_that_somebody_holds():
    crowd = replan.Crowd(replan.Grid(np.zeros((9, 9), bool)), "LSS-LRTA*", lookahead=9, collisions="wait")
    crowd.add([(4, 4), (0, 0), (8, 8)], (4, 4))
    for _ in range(30):
        crowd.tick()
    assert crowd.status.tolist() == [ARRIVED, WAITING, WAITING]
    assert np.abs(crowd.cells - (4, 4)).max() == 1
    crowd.retarget(0, (0, 4))
    for _ in range(30):
        crowd.tick()
    assert sorted(crowd.status.tolist(), key=str) == [ARRIVED, ARRIVED, WAITING]
    alone(crowd)


def test_a_corridor_is_a_reason_to_wait():
    """They meet; one of them has to be sent elsewhere."""
    grid = replan.Grid(np.array([[0] * 9, [1] * 9], bool))
    crowd = replan.Crowd(grid, "RTAA*", lookahead=9, collisions="wait")
    crowd.add([(0, 0), (0, 8)], [(0, 8), (0, 0)])
    for _ in range(40):
        crowd.tick()
        alone(crowd)
    assert crowd.status.tolist() == [WAITING, WAITING]
    assert not grid.blocked[0].any(), "where others stand is no part of the belief"
    crowd.remove(1)
    for _ in range(40):
        crowd.tick()
    assert crowd.status.tolist() == [ARRIVED]


def test_nothing_is_learned_from_others():
    """Somebody who had to walk around a group takes the same steps as before once it has gone."""
    crowd = replan.Crowd(replan.Grid(np.zeros((9, 30), bool)), "RTAA*", lookahead=30, collisions="wait")
    group = crowd.add([(row, 6) for row in range(2, 7)], [(row, 6) for row in range(2, 7)])
    crowd.add((4, 2), (4, 20))
    for _ in range(9):
        crowd.tick()
    assert crowd.cells[-1].tolist() != [4, 11]
    learned = crowd.report().learned_h_values
    assert learned == 0
    crowd.remove(group)


def test_who_comes_needs_room():
    crowd = replan.Crowd(replan.Grid(np.zeros((5, 5), bool)), "RTAA*", collisions="wait")
    ids = crowd.add([(0, 0), (1, 1)], [(4, 4), (0, 4)])
    for starts in ((1, 1), [(2, 2), (2, 2)]):
        with pytest.raises(replan.InputError, match="is occupied"):
            crowd.add(starts, (3, 3))
    with pytest.raises(replan.InputError, match="is occupied"):
        crowd.set_positions(ids[:1], [(1, 1)])
    with pytest.raises(replan.InputError, match="an id occurs twice"):
        crowd.set_positions([0, 0], [(3, 3), (4, 4)])
    crowd.set_positions(ids, [(1, 1), (0, 0)])  # they swap
    assert crowd.cells.tolist() == [[1, 1], [0, 0]]


@examples(40)
@given(st.data())
def test_nobody_ever_stands_on_anybody(data):
    crowd = (
        scattered(
            data.draw(st.integers(1, 150)),
            data.draw(st.sampled_from([0.0, 0.2, 0.35])),
            data.draw(st.integers(0, 99)),
            lookahead=data.draw(st.sampled_from([1, 3, 12])),
        )
        if data.draw(st.booleans())
        else scattered(30, 0.3, data.draw(st.integers(0, 99)), lookahead=5)
    )
    rng = np.random.default_rng(1)
    for _ in range(30):
        crowd.tick(ids=rng.random(len(crowd)) < 0.7)
        alone(crowd)


def test_a_budget_for_a_planner_without_a_limit_comes_to_an_end():
    """Twice "no limit" is no number: the frame went on for ever."""
    crowd = replan.Crowd(replan.Grid(np.zeros((1, 4), bool), 4), "Adaptive A*", collisions="wait")
    crowd.add([(0, 2), (0, 0), (0, 3)], [(0, 2), (0, 0), (0, 0)])
    assert len(crowd.tick(replan.Expansions(5))) == 0


def test_a_worker_that_cannot_begin_leaves_the_others_free():
    """After an error each planner begins anew, which may raise as well: the crowd is not in the middle of a call."""

    class Moody:
        fails = False

        def __call__(self, a, b):
            if self.fails:
                raise ZeroDivisionError("mine")
            return 0.0

    moody = Moody()
    crowd = replan.Crowd(replan.Grid(np.zeros((4, 4), bool)), "RTAA*", workers=2, heuristic=moody, check_heuristic=True)
    crowd.add([(0, 0)], [(3, 3)])
    moody.fails = True
    for _ in range(3):
        with pytest.raises(ZeroDivisionError, match="mine"):
            crowd.tick()
    moody.fails = False
    assert len(crowd.tick()) == 1
