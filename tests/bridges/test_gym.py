"""The Gymnasium environment: its own checker, and the same worlds as ours."""

from __future__ import annotations

import warnings
from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import replan
from replan.bridges import gym

KINDS = [
    {},
    {"map": "cave", "neighbors": 8, "sensor": replan.Radius(4)},
    {"map": "doors", "size": (20, 24), "sensor": "everything"},
    {"map": "rooms", "target": "flees", "sensor": replan.Radius(3)},
    {"map": replan.Grid(replan.cave(15, 18, seed=3), neighbors=8)},
]


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_it_passes_gymnasiums_own_checker(kind):
    env = gym.FogNavigation(**KINDS[kind])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of spaces that could be normalized
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_a_planner_as_a_policy_walks_as_its_baseline(kind):
    """Repeated Forward A* through the actions of the environment costs what simulate says."""
    env = gym.FogNavigation(**KINDS[kind])
    for seed in range(3):
        env.reset(seed=seed)
        trip = gym.run_baseline(env, "Repeated Forward A*")
        width = env.grid.cols + 2
        moves = [1, width, -1, -width, width + 1, width - 1, -width - 1, 1 - width]
        states = [env.grid.state(cell) for cell in trip.path]
        total, steps, ended = 0.0, 0, False
        if trip.waits:
            continue  # where it waited is not in its path
        for here, there in pairwise(states):
            observation, reward, ended, late, told = env.step(moves.index(there - here))
            assert not told["was_blocked"] and not late
            total, steps = total - reward, steps + 1
        assert ended and total == pytest.approx(trip.cost, rel=1e-3) and steps == trip.steps
        assert env.observation_space.contains(observation)


def test_what_is_not_seen_is_not_told():
    env = gymnasium.make(gym.ENV_ID, map="maze", size=(15, 15)).unwrapped
    observation, _ = env.reset(seed=5)
    seen = observation["map"] != gym.UNSEEN
    row, col = observation["agent"]
    far = np.abs(np.arange(15)[:, None] - row) + np.abs(np.arange(15)[None, :] - col) > 1
    assert not seen[far].any() and seen[row, col]


def test_walls_are_bumped_into_and_waits_cost():
    grid = replan.Grid([[0, 1], [0, 0]], neighbors=4)
    env = gym.FogNavigation(map=grid)
    env.reset(seed=1)
    for action in (0, 1, 2, 3, 4):
        if env._story.has_ended:
            break
        _, reward, _, _, told = env.step(action)
        assert reward == -1.0
        assert told["was_blocked"] in (False, True)


def test_pictures_and_text():
    env = gymnasium.make(gym.ENV_ID, render_mode="ansi", size=(9, 9)).unwrapped
    env.reset(seed=2)
    assert {"A", "G", "?"} <= set(env.render())
    env = gymnasium.make(gym.ENV_ID, render_mode="rgb_array", size=(9, 9)).unwrapped
    env.reset(seed=2)
    assert env.render().shape == (72, 72, 3)


def test_planners_and_a_policy_in_one_call():
    env = gymnasium.make(gym.ENV_ID, size=(9, 9), max_steps=60)
    rng = np.random.default_rng(1)
    rows = gym.compare_policy(env, lambda observation: int(rng.integers(4)), ["RTAA*", "D* Lite"], episodes=4)
    assert [row["planner"] for row in rows] == ["RTAA*", "D* Lite", "policy"]
    assert rows[0]["success_rate"] == 1.0 and rows[0]["cost_ratio"] >= 1 and rows[2]["success_rate"] <= 1.0


def test_wrong_calls_get_a_sentence():
    env = gym.FogNavigation()
    with pytest.raises(replan.InputError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(replan.InputError, match="an action is"):
        env.step(99)
    with pytest.raises(replan.InputError, match="map is one of"):
        gym.FogNavigation(map="labyrinth")
    with pytest.raises(replan.InputError, match="FogNavigation"):
        gym.run_baseline(gymnasium.make("CartPole-v1"), "RTAA*")
