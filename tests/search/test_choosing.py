"""Choosing rules: those of the package, the same ones in plain Python, and what goes wrong in a user's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from lockstep import GridTerrain, grid_trips, h_values


class Ordered(replan.ChoosingRule):
    """The order of the open list, but for equal f and g: those the oracle knows, a rule cannot see."""

    def ranked(self, look: Any) -> list[int]:
        g, h = look.g, look.h
        return sorted(look.frontier, key=lambda s: (g[s] + h[s], s != look.best, -g[s], s))


class PythonBest(replan.ChoosingRule):
    def choose(self, lookahead: Any) -> int:
        return lookahead.best  # type: ignore[no-any-return]


class PythonAvoid(Ordered):
    """Depression avoidance 2011, Algorithm 4."""

    def choose(self, lookahead: Any) -> int:
        h = lookahead.h
        return next((s for s in self.ranked(lookahead) if h[s] == lookahead.first_h(s)), lookahead.best)


class PythonLeast(Ordered):
    """Depression avoidance 2011, Algorithm 6."""

    def choose(self, lookahead: Any) -> int:
        h, ranked = lookahead.h, self.ranked(lookahead)
        return min(ranked, key=lambda s: (h[s] - lookahead.first_h(s), ranked.index(s)))


def world(size: int = 5) -> replan.World:
    return replan.World(replan.Grid(np.zeros((size, size), bool), neighbors=4))


@pytest.mark.parametrize("name", ["RTAA*", "LSS-LRTA*"])
@examples(40)
@given(trip=grid_trips(largest=6), lookahead=st.sampled_from([1, 4, 9, None]))
def test_the_best_state_in_python_gives_identical_trips(name, trip, lookahead):
    case, start, goals = trip
    found = []
    for rules in ({}, {"choosing": PythonBest()}):
        planner = replan.planner(name, lookahead=lookahead, **rules)
        walked = replan.simulate(GridTerrain(case).world(), planner, start, goals, max_moves=300)
        h = h_values(planner, planner.space, GridTerrain(case).first_h(goals))
        found.append((walked.path, walked.episode_expansions, h))
    assert found[0] == found[1]


@pytest.mark.parametrize(("name", "rule"), [("aRTAA*", PythonAvoid), ("daRTAA*", PythonLeast)])
@pytest.mark.parametrize("learn", ["", "LSS-"])
@examples(40)
@given(trip=grid_trips(largest=6), lookahead=st.sampled_from([2, 4, 9]))
def test_what_the_a_and_da_forms_choose(name, rule, learn, trip, lookahead):
    """As good as the same rule in Python: equal f, and equally raised."""
    case, start, goals = trip
    chosen: list[Any] = []

    class Watched(rule):  # type: ignore[valid-type,misc]
        def choose(self, look: Any) -> int:
            s = super().choose(look)
            chosen.append((look.g[s] + look.h[s], look.h[s] - look.first_h(s)))
            return s

    base = "RTAA*" if not learn else "LSS-LRTA*"
    form = name if not learn else name.replace("RTAA*", "LSS-LRTA*")
    mine = replan.planner(form, lookahead=lookahead)
    own = replan.planner(base, lookahead=lookahead, choosing=Watched())
    grid = GridTerrain(case).space()
    goal = goals if len(goals) > 1 else next(iter(goals))
    agent = replan.Agent(mine, grid, start, goal)
    own.begin(grid, agent.goals)
    if start in goals:
        return
    for _ in range(20):  # from one and the same state of mind, episode after episode
        known = mine.snapshot()["h"]
        for s in np.flatnonzero(known >= 0).tolist():
            own.lookahead_search.h[s] = known[s]
        assert np.array_equal(own.snapshot()["h"], known)
        path = mine.plan(agent.state, None)
        assert (own.plan(agent.state, None) is None) == (path is None)
        if path is None:
            return
        g, h, s = mine.lookahead_search.g, mine.lookahead_search.h, path[-1]  # learning does not touch open states
        assert chosen[-1] == (g[s] + h[s], h[s] - mine.lookahead_search.first_h(s))
        if agent.goals._contains(s):
            return
        agent.move(grid.key(s))


@pytest.mark.parametrize("wrong", ["expanded", "never met"])
def test_a_state_that_is_not_open_is_refused(wrong):
    class Wrong(replan.ChoosingRule):
        def choose(self, lookahead: Any) -> int:
            return {"expanded": lookahead.agent_state, "never met": lookahead.space.n - 1}[wrong]  # type: ignore[no-any-return]

    with pytest.raises(ValueError, match=r"Wrong\.choose\(\) returned \d+, which is not in the open list"):
        replan.simulate(world(), replan.planner("RTAA*", choosing=Wrong()), (0, 0), (4, 4))


@pytest.mark.parametrize("wrong", [-1, 49, 10**6, -(10**9), 1 << 70, None, 8.0, "E5", (4, 4)])
def test_what_is_no_state_is_refused(wrong):
    class Wrong(replan.ChoosingRule):
        def choose(self, lookahead: Any) -> Any:
            return wrong

    said = rf"Wrong\.choose\(\) returned {re.escape(repr(wrong))}; an open state is (from 0 to 48|a whole number)"
    with pytest.raises(ValueError, match=said):
        replan.simulate(world(), replan.planner("RTAA*", choosing=Wrong()), (0, 0), (4, 4))


def test_a_forgotten_method():
    class Empty(replan.ChoosingRule):
        pass

    with pytest.raises(NotImplementedError, match=r"Empty is a choosing rule without choose\(\)"):
        replan.simulate(world(), replan.planner("LSS-LRTA*", choosing=Empty()), (0, 0), (4, 4))


def test_a_rule_need_not_call_the_init_of_its_class():
    class Plain(replan.ChoosingRule):
        def __init__(self) -> None:
            pass

        def choose(self, lookahead: Any) -> int:
            return min(lookahead.frontier, key=lambda s: (lookahead.g[s] + lookahead.h[s], s))

    trip = replan.simulate(world(), replan.planner("RTAA*", choosing=Plain()), (0, 0), (4, 4), max_moves=50)
    assert trip.reached


def test_an_exception_comes_out_and_the_planner_can_be_used_again():
    class Moody(PythonBest):
        calls = 0

        def choose(self, lookahead: Any) -> int:
            Moody.calls += 1
            if Moody.calls == 3:
                raise KeyError("lost")
            return super().choose(lookahead)

    planner = replan.planner("RTAA*", lookahead=1, choosing=Moody())
    with pytest.raises(KeyError, match="lost"):
        replan.simulate(world(), planner, (0, 0), (4, 4))
    again = replan.simulate(world(), planner, (0, 0), (4, 4))
    assert again.path == replan.simulate(world(), replan.planner("RTAA*", lookahead=1), (0, 0), (4, 4)).path


def test_a_class_of_rules_is_no_rule():
    with pytest.raises(replan.InputError, match="PythonBest is a class of ChoosingRules: give an object of it"):
        replan.planner("RTAA*", choosing=PythonBest)


@pytest.mark.parametrize("given", [lambda look: 0, "worst"])
def test_what_is_no_rule_is_refused(given):
    with pytest.raises(replan.InputError, match=r"replan\.ChoosingRule"):
        replan.planner("RTAA*", choosing=given)


def test_our_rules_by_name():
    """'taken' goes where 'best' does; only the heap has more to do."""

    def trip(name, **options):
        planner = replan.planner(name, lookahead=5, queue="plain heap", **options)
        return replan.simulate(world(), planner, (0, 0), (4, 4))

    best, taken = trip("RTAA*"), trip("RTAA*", choosing="taken")
    assert taken.path == best.path and taken.percolations > best.percolations
    assert trip("RTAA*", choosing="least").path == trip("daRTAA*").path
    assert trip("RTAA*", learning="frontier", choosing="avoid").path == trip("aLSS-LRTA*").path
    with pytest.raises(replan.InputError, match="'one pass', 'frontier', 'current'"):
        replan.planner("RTAA*", learning="best")


@pytest.mark.parametrize("name", ["LRTA*", "RTA*", "TLA*", "Adaptive A*"])
def test_planners_with_rules_of_their_own_take_no_others(name):
    with pytest.raises(replan.InputError, match="has no option 'choosing'"):
        replan.planner(name, choosing=PythonBest())


def test_a_rule_and_a_learning_rule_of_the_users_combine():
    class Nothing(replan.LearningRule):
        def learn(self, lookahead: Any) -> int:
            return 0

    planner = replan.planner("RTAA*", lookahead=3, learning=Nothing(), choosing=PythonBest())
    assert replan.simulate(world(), planner, (0, 0), (4, 4)).moves == 8
