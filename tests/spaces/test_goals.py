"""Goals: one state or a set of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from replan.spaces.goals import Goals

N = 35


@given(st.lists(st.integers(0, N - 1), min_size=1, max_size=6))
def test_goals_contain_what_they_were_made_of(states):
    goals = Goals(states, N)
    assert goals.states == tuple(sorted(set(states)))
    assert goals.count == len(set(states))
    assert goals.single_state == (states[0] if goals.count == 1 else -1)
    for s in range(N):
        assert goals._contains(s) == (s in goals) == goals._contains(np.int32(s)) == (s in states)


@pytest.mark.parametrize("states", [[3], [3, 4]])
@pytest.mark.parametrize("number", [-1, N, 10**12, 1 << 70, 3.5, "3", None, (3,)])
def test_what_is_no_state_is_no_goal(states, number):
    assert not Goals(states, N)._contains(number) and number not in Goals(states, N)


@pytest.mark.parametrize("states", [[], [-1], [N], [3, 10**12]])
def test_goals_that_cannot_be_are_refused(states):
    with pytest.raises(replan.InputError, match=r"there is no goal|a goal is a state from 0 to 34"):
        Goals(states, N)


def test_goals_as_people_give_them():
    grid = replan.Grid(np.zeros((3, 5), bool))
    one, two = grid.state((1, 2)), grid.state((2, 4))
    for given_as in ((1, 2), [1, 2], [(1, 2)], {(1, 2)}, np.array([[1, 2]])):
        assert Goals.from_keys(grid, given_as).states == (one,)
    for given_as in ([(1, 2), (2, 4)], {(1, 2), (2, 4)}, frozenset([(1, 2), (2, 4)]), np.array([[1, 2], [2, 4]])):
        assert Goals.from_keys(grid, given_as).states == (one, two)


def test_goals_do_not_change_once_made():
    goals = Goals([3, 4], N)
    with pytest.raises(replan.InputError, match="made already"):
        goals.__init__([5], N)  # type: ignore[misc]
    assert goals.states == (3, 4)
