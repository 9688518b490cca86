"""A planner that declares what it keeps of each state is saved, shown, watched and shared without another line."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import replan
from replan.crowds import planner_setup
from replan.planners.factories import open_list_from_options
from replan.planners.realtime import RealTime
from replan.planners.registry import find_spec
from replan.search.choosing import BestF
from replan.search.h_repair import HRepair
from replan.search.learning import OnePass
from replan.search.state_table import ONE_SEARCH, Column

WALL = np.zeros((6, 7), bool)
WALL[1:5, 4] = True
START, GOAL = (2, 0), (2, 6)


class Roaming(replan.Planner):
    """Walks to the neighbour that it has left least often; ties go to the first."""

    columns = (Column("left", 1 << 20), Column("came_from", none_value=-1))

    def plan(self, state, budget):
        left, came_from = self.state_table.array("left"), self.state_table.array("came_from")
        left[state] += 1
        to = min((s for s, _ in self.space.successors(state)), key=lambda s: left[s])
        came_from[to] = state
        return [to]


def ride(agent, episodes):
    cells = []
    for _ in range(episodes):
        cells += agent.plan()
        agent.move(cells[-1])
    return cells


def agent_after(episodes):
    agent = replan.Agent(Roaming(), replan.Grid(WALL), START, GOAL)
    ride(agent, episodes)
    return agent


def test_it_is_shown():
    shown = agent_after(7).snapshot()
    assert shown["left"].sum() == 7 and shown["came_from"].reshape(-1)[WALL.reshape(-1)].max() == -1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_it_is_saved_and_goes_on_the_same(copied):
    agent = agent_after(9)
    twin = copied(agent)
    assert ride(agent, 30) == ride(twin, 30)
    assert all(np.array_equal(array, twin.snapshot()[name]) for name, array in agent.snapshot().items())


def test_a_trip_begins_with_nothing():
    planner, grid = Roaming(), replan.Grid(WALL)
    first, second = (replan.simulate(grid, planner, START, GOAL).path for _ in range(2))
    assert first == second == replan.simulate(grid, Roaming(), START, GOAL).path


def test_what_was_altered_is_refused():
    """Only what the column declares is loaded."""
    planner = agent_after(9).planner
    planner.state_table.array("came_from")[3] = 10**6
    with pytest.raises(replan.InputError, match="came_from holds numbers from -1 to 1,000,000"):
        pickle.dumps(planner)


def test_it_is_watched():
    planner, seen = Roaming(), 0
    for moment in replan.watch(replan.World(replan.Grid(WALL)), planner, START, GOAL, record_arrays=True):
        if moment.episode is not None:
            seen += 1
            assert moment.episode.arrays["left"].tolist() == planner.snapshot()["left"].tolist()
            assert np.maximum(moment.episode.arrays["left"], 0).sum() == seen
    assert seen > 5


class Keeping(RealTime):
    """RTAA* with a column of its own, which one search leaves to the next."""

    columns = (Column("seen"),)

    def __init__(self):
        super().__init__(open_list_from_options(dict(find_spec("RTAA*").options)), OnePass(), BestF(), HRepair())
        self.expansion_limit, self.spec = find_spec("RTAA*").options["lookahead"], find_spec("RTAA*")


class Forgetting(Keeping):
    """The next search does not read what this one has left."""

    columns = (Column("seen", lifetime=ONE_SEARCH),)


def crowd_of(kind, monkeypatch):
    monkeypatch.setattr(planner_setup, "make", lambda name, **options: kind())
    crowd = replan.Crowd(replan.Grid(WALL), "RTAA*")
    crowd.add([START, (5, 5), START], GOAL)
    return [moved.cells.tolist() for _ in range(20) if len(moved := crowd.tick())]


def test_a_crowd_refuses_what_it_cannot_keep_for_each_character(monkeypatch):
    with pytest.raises(replan.InputError, match="needs arrays as large as the map for each character"):
        crowd_of(Keeping, monkeypatch)


def test_a_crowd_shares_what_holds_for_one_search(monkeypatch):
    assert crowd_of(Forgetting, monkeypatch) == crowd_of(lambda: replan.planner("RTAA*"), monkeypatch)
