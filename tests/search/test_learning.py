"""Learning rules: those of the package, the same ones in plain Python, and what goes wrong in a user's."""

from __future__ import annotations

import heapq
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from lockstep import GridTerrain, episodes, grid_trips, h_values
from oracle.searches import inconsistent
from replan.search.learning import CurrentOnly, FromFrontier, OnePass
from strategies import QUEUES, GridCase

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_rule.py"


class PythonOnePass(replan.LearningRule):
    """RTAA*'s rule, as RTAA* 2006 prints it."""

    def learn(self, lookahead: Any) -> int:
        g, h, increase = lookahead.g, lookahead.h, 0
        for s in lookahead.closed:
            increase += lookahead.f_best - g[s] - h[s]
            h[s] = lookahead.f_best - g[s]
        return increase


class PythonBorder(replan.LearningRule):
    """LSS-LRTA*'s rule with heapq."""

    def learn(self, lookahead: Any) -> int:
        h, closed = lookahead.h, set(lookahead.closed)
        before = sum(h[s] for s in closed)
        value: dict[int, int] = {}
        queue = [(h[s], s) for s in lookahead.frontier]
        heapq.heapify(queue)
        while queue:
            hu, u = heapq.heappop(queue)
            if u in closed and value[u] < hu:
                continue
            for p, cost in lookahead.predecessors(u):
                if p in closed and hu + cost < value.get(p, hu + cost + 1):
                    value[p] = hu + cost
                    heapq.heappush(queue, (value[p], p))
        for s in closed:
            h[s] = value[s]
        return sum(value.values()) - before


class PythonCurrent(replan.LearningRule):
    def learn(self, lookahead: Any) -> int:
        h, old = lookahead.h, lookahead.h[lookahead.agent_state]
        h[lookahead.agent_state] = max(old, lookahead.f_best)
        return h[lookahead.agent_state] - old


TWINS = [("RTAA*", PythonOnePass), ("aRTAA*", PythonOnePass), ("daRTAA*", PythonOnePass)]
TWINS += [("LSS-LRTA*", PythonBorder), ("aLSS-LRTA*", PythonBorder), ("daLSS-LRTA*", PythonBorder)]


def figures(trip: replan.Trip) -> Any:
    return trip.path, trip.why, trip.episode_expansions, trip.h_increase, trip.percolations


@pytest.mark.parametrize(("name", "rule"), TWINS)
@examples(25)
@given(trip=grid_trips(largest=6), order=st.sampled_from(QUEUES), lookahead=st.sampled_from([1, 4, 9, None]))
def test_a_rule_in_python_gives_identical_trips(name, rule, trip, order, lookahead):
    case, start, goals = trip
    found = []
    for rules in ({}, {"learning": rule()}):
        planner = replan.planner(name, lookahead=lookahead, **order, **rules)
        walked = replan.simulate(GridTerrain(case).world(), planner, start, goals, max_moves=300)
        found.append((figures(walked), h_values(planner, planner.space, GridTerrain(case).first_h(goals))))
    assert found[0] == found[1]


def test_a_rule_in_python_drives_an_agent_too():
    case = GridCase(replan.maze(11, 11, openings=4, seed=2), 4, "strict", None, None)
    found = []
    for rules in ({}, {"learning": PythonOnePass()}):
        planner = replan.planner("RTAA*", lookahead=5, **rules)
        found.append([(e.at, e.after, e.path) for e in episodes(GridTerrain(case), planner, (0, 0), {(10, 10)})])
    assert found[0] == found[1]


def open_world(size: int = 5) -> replan.World:
    return replan.World(replan.Grid(np.zeros((size, size), bool), neighbors=4))


def test_a_rule_reads_the_open_list_as_it_was_before_the_choice():
    """The da form takes states out of it while it chooses."""
    seen = []

    class Spy(replan.LearningRule):
        def learn(self, lookahead: Any) -> int:
            around = {v for s in lookahead.closed for v, _ in lookahead.successors(s)} - set(lookahead.closed)
            least = min(lookahead.g[s] + lookahead.h[s] for s in lookahead.frontier)
            seen.append((set(lookahead.frontier) == around, lookahead.f_best == least))
            assert len(lookahead.frontier) == len(around)
            return PythonOnePass.learn(self, lookahead)  # type: ignore[arg-type]

    world = replan.World(replan.Grid(replan.maze(13, 13, openings=9, seed=4), neighbors=4))
    planner = replan.planner("daRTAA*", lookahead=6, learning=Spy())
    assert replan.simulate(world, planner, (0, 0), (12, 12)).reached
    assert len(seen) > 3 and all(a and b for a, b in seen)


class WithoutInit(replan.LearningRule):
    """Forgets to call __init__ of its class."""

    def __init__(self, share: float) -> None:
        self.share = share

    def learn(self, lookahead: Any) -> int:
        assert lookahead.frontier
        return PythonOnePass.learn(self, lookahead)  # type: ignore[arg-type]


def test_a_rule_need_not_call_the_init_of_its_class():
    trip = replan.simulate(open_world(), replan.planner("RTAA*", learning=WithoutInit(0.5)), (0, 0), (4, 4))
    assert trip.reached


def test_a_rule_that_forgets_to_return_is_told_so():
    """Counted as 0 it would have the Trip say that h never rose."""

    class Lazy(replan.LearningRule):
        def learn(self, lookahead: Any) -> None:
            pass

    with pytest.raises(ValueError, match=r"Lazy\.learn\(\) returned None; the sum by which h rose \(0 if nothing"):
        replan.simulate(open_world(), replan.planner("RTAA*", learning=Lazy()), (0, 0), (4, 4))


def test_a_forgotten_method():
    class Empty(replan.LearningRule):
        pass

    with pytest.raises(NotImplementedError, match=r"Empty is a learning rule without learn\(\)"):
        replan.simulate(open_world(), replan.planner("RTAA*", learning=Empty()), (0, 0), (4, 4))


def test_an_exception_comes_out_and_the_planner_can_be_used_again():
    class Moody(replan.LearningRule):
        calls = 0

        def learn(self, lookahead: Any) -> int:
            Moody.calls += 1
            if Moody.calls == 2:
                raise ZeroDivisionError("on a bad day")
            return PythonOnePass.learn(self, lookahead)  # type: ignore[arg-type]

    planner = replan.planner("RTAA*", lookahead=2, learning=Moody())
    with pytest.raises(ZeroDivisionError, match="on a bad day"):
        replan.simulate(open_world(), planner, (0, 0), (4, 4))
    again = replan.simulate(open_world(), planner, (0, 0), (4, 4))
    fresh = replan.simulate(open_world(), replan.planner("RTAA*", lookahead=2), (0, 0), (4, 4))
    assert figures(again)[:4] == figures(fresh)[:4]


def test_an_increase_of_minus_one_is_no_error():
    """-1 is also how C says that an exception was raised."""

    class Odd(replan.LearningRule):
        def learn(self, lookahead: Any) -> int:
            return -1

    trip = replan.simulate(open_world(), replan.planner("RTAA*", learning=Odd()), (0, 0), (4, 4))
    assert trip.reached and trip.h_increase == -trip.episodes


@pytest.mark.parametrize("given", [lambda look: 0, "two passes", 3])
def test_what_is_no_rule_is_refused(given):
    with pytest.raises(replan.InputError, match=r"replan\.LearningRule"):
        replan.planner("RTAA*", learning=given)


def test_a_planner_says_that_its_rule_is_yours():
    assert "; but with PythonOnePass" in repr(replan.planner("RTAA*", learning=PythonOnePass()))
    assert "but with" not in repr(replan.planner("RTAA*", learning="frontier"))


def test_a_class_of_rules_is_no_rule():
    with pytest.raises(replan.InputError, match=r"PythonOnePass is a class of LearningRules: give an object of it"):
        replan.planner("RTAA*", learning=PythonOnePass)


def test_the_example_runs(capsys):
    trips = runpy.run_path(str(EXAMPLE))["main"](size=41)
    assert len(capsys.readouterr().out.splitlines()) == len(trips) == 4
    assert all(trip.reached for trip in trips)
    assert len({tuple(trip.path) for trip in trips}) > 1  # the rules make a difference


@examples(25)
@given(trip=grid_trips(largest=6), lookahead=st.sampled_from([1, 4, 9]))
def test_the_example_keeps_h_consistent(trip, lookahead):
    case, start, goals = trip
    planner = replan.planner("RTAA*", lookahead=lookahead, learning=runpy.run_path(str(EXAMPLE))["OneSweep"]())
    for e in episodes(GridTerrain(case), planner, start, goals, max_moves=100):
        assert inconsistent(e.edges, lambda s, e=e: e.after[s], goals) == []
        assert all(e.after[s] >= e.before[s] for s in e.before)


def test_tla_learns_the_agents_state_alone():
    """CurrentOnly, and the same in Python; on a map where h does not stay consistent."""
    case = GridCase(replan.maze(11, 11, openings=10, seed=5), 4, "strict", None, None)
    raised = 0
    for e in episodes(GridTerrain(case), replan.planner("TLA*", lookahead=6), (0, 0), {(10, 10)}):
        assert {s for s in e.before if e.after[s] != e.before[s]} <= {e.at}
        raised += e.after[e.at] > e.before[e.at]
    assert raised > 3


def test_h_increase_is_the_sum_of_what_h_rose():
    for name in ("RTAA*", "LSS-LRTA*", "TLA*", "LRTA*"):
        case = GridCase(replan.maze(11, 11, openings=6, seed=6), 8, "either", None, None)
        planner = replan.planner(name, lookahead=5)
        found = list(episodes(GridTerrain(case), planner, (0, 0), {(10, 10)}))
        assert planner.h_increase == sum(sum(e.after.values()) - sum(e.before.values()) for e in found) > 0
        for a, b in pairwise(found):
            assert a.after == b.before


# What a rule may read and write.


def learn_with(rule: Any) -> replan.Trip:
    class Rule(replan.LearningRule):
        def learn(self, lookahead: Any) -> Any:
            return rule(lookahead)

    return replan.simulate(open_world(), replan.planner("RTAA*", lookahead=3, learning=Rule()), (0, 0), (4, 4))


def write(s: Any, h: Any) -> Any:
    def rule(look: Any) -> int:
        look.h[s] = h
        return 0

    return rule


@pytest.mark.parametrize(
    ("s", "h"), [(-1, 5), (49, 5), (10**12, 5), (1 << 70, 5), ("8", 5), (None, 5), (8, -1), (8, None)]
)
def test_what_cannot_be_written_is_refused(s, h):
    with pytest.raises(replan.InputError, match=r"h of state .* cannot become|a state and its h are whole numbers"):
        learn_with(write(s, h))


def test_an_h_above_all_costs_is_no_proof_where_a_rule_may_overestimate():
    def rule(look: Any) -> int:
        h = look.h
        h[look.agent_state] = (1 << 62) - 1
        assert look.space.max_path_cost < h[look.agent_state] <= 2 * look.space.max_path_cost
        return 0

    assert learn_with(rule).why == "reached"


@pytest.mark.parametrize("s", [-1, 49, 10**12])
def test_what_cannot_be_read_is_refused(s):
    for read in (lambda look: look.h[s], lambda look: look.first_h(s), lambda look: look.successors(s)):
        with pytest.raises((IndexError, replan.InputError), match=f"there is no state {s}"):
            learn_with(read)


def test_the_search_itself_is_only_to_be_read():
    def rule(look: Any) -> int:
        for numbers in (look.g, look.search.g, look.search.h, look.search.stamp, look.search.parent):
            with pytest.raises(TypeError):
                numbers[look.agent_state] = 3
        if replan.compiled:
            assert not np.asarray(look.search.h).flags.writeable
        all_h = np.asarray(look.h)
        all_h[:] = 0  # a copy
        assert look.h[look.agent_state] > 0 and len(look.h) == len(all_h) == look.space.n
        return 0

    assert learn_with(rule).reached


@pytest.mark.parametrize("answer", ["much", 1.5, (1,), 1 << 70])
def test_an_increase_that_is_no_number_is_refused(answer):
    with pytest.raises(ValueError, match=r"Rule\.learn\(\) returned .*; the sum by which h rose .* is"):
        learn_with(lambda look: answer)


@pytest.mark.parametrize("rule", [OnePass, FromFrontier, CurrentOnly])
@pytest.mark.parametrize("given_as", [None, 3, "look"])
def test_the_rules_of_the_package_work_on_a_lookahead_alone(rule, given_as):
    with pytest.raises(replan.InputError, match="works on the Lookahead that a planner passes to it"):
        rule().learn(given_as)


@pytest.mark.parametrize(("rule", "name"), [(OnePass, "RTAA*"), (FromFrontier, "LSS-LRTA*"), (CurrentOnly, "TLA*")])
def test_a_rule_of_the_users_may_call_those_of_the_package(rule, name):
    world = replan.World(replan.Grid(replan.maze(11, 11, openings=8, seed=3), neighbors=4))
    theirs = rule()

    class Wrapped(replan.LearningRule):
        def learn(self, lookahead: Any) -> int:
            return theirs.learn(lookahead)  # type: ignore[no-any-return]

    own = replan.planner("RTAA*", lookahead=5, learning=Wrapped())
    trip = replan.simulate(world, own, (0, 0), (10, 10))
    assert trip.h_increase > 0
    if name != "TLA*":
        other = replan.simulate(world, replan.planner(name, lookahead=5), (0, 0), (10, 10))
        assert figures(trip) == figures(other)


@pytest.mark.parametrize("skips", [True, False])
def test_a_rule_says_in_its_class_what_it_does_without(skips):
    shown = []

    class Looks(replan.LearningRule):
        skips_frontier = skips

        def __init__(self):
            super().__init__()

        def learn(self, lookahead):
            shown.append(lookahead.frontier)
            return 0

    planner = replan.planner("RTAA*", lookahead=3, learning=Looks())
    replan.Agent(planner, replan.Grid(np.zeros((4, 4), bool)), (0, 0), (3, 3)).plan()
    assert bool(shown[0]) is not skips
