"""The table of options: complete, and kept."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from replan.planners.registry import OPTIONS
from strategies import names

ALL = replan.planners()
ODD = ["x", "50us", "", -1, 1.5, 2**70, float("nan"), float("inf"), [], {}, object(), b"x", (1, 2), None, True]
ODD.append(replan.Deadline(5))
OPEN = replan.Grid(np.zeros((4, 4), bool), neighbors=4)


def test_every_option_of_every_planner_is_explained():
    assert {name for spec in ALL for name in spec.options} == set(OPTIONS)
    for option in OPTIONS.values():
        assert option.meaning.endswith((".", ".)")) and not option.allowed.endswith(".")
        assert f"    - {option.name}: {option.meaning.split()[0]}" in (replan.planner.__doc__ or "")


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_what_is_usual_is_allowed(spec):
    for name, usual in spec.options.items():
        assert OPTIONS[name].parse(usual) == usual


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_odd_values_are_refused_in_a_sentence(spec):
    for name in spec.options:
        for odd in ODD:
            try:
                replan.simulate(OPEN, replan.planner(spec.name, **{name: odd}), (0, 0), (3, 3), max_moves=20)
            except replan.InputError as error:
                assert "\n" not in str(error) and "supported" not in str(error)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("RTAA*", {"deadline": "50us"}, "deadline is a number of microseconds from 1, such as 50, or None"),
        ("RTAA*", {"lookahead": "9"}, "lookahead is a whole number of expansions from 1, or None .*, not .9."),
        ("RTAA*", {"lookahead": 0}, "lookahead is a whole number of expansions from 1"),
        ("RTAA*", {"lokahead": 9}, r"no option 'lokahead' \(did you mean lookahead\?\)"),
        ("RTAA*", {"moves": 0}, "moves is a whole number from 1"),
        ("AD*", {"weight_decrease": 0.25}, "weight_decrease is from 0.1 to 100 in tenths"),
        ("TBA*", {"on_cost_decrease": "repair"}, "on_cost_decrease is 'keep' or 'reset' for TBA"),
        ("D* Lite", {"replan_when": "never"}, "replan_when is one of 'blocked', 'changed', not 'never'"),
    ],
)
def test_the_sentence(name, options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.planner(name, **options)


@pytest.mark.parametrize("name", ["rtta", "dstar lite", "rta a*", "dijkstra"])
def test_a_planner_may_have_been_meant(name):
    with pytest.raises(replan.InputError, match=r"there is no planner '.*' \(did you mean .*\?\); `replan planners`"):
        replan.planner(name)


def test_numbers_of_numpy_will_do():
    planner = replan.planner("RTAA*", lookahead=np.int64(5), deadline=np.float32(50))
    assert (planner.lookahead, planner.deadline) == (5, 50.0)


@pytest.mark.parametrize("name", ["RTAA*", "D* Lite", "ARA*"])
@pytest.mark.parametrize("budget", [50, "50us", 0.5, (1, 2)])
def test_a_budget_is_a_budget(name, budget):
    agent = replan.Agent(name, OPEN, (0, 0), (3, 3))
    with pytest.raises(replan.InputError, match=r"a budget is replan.Expansions\(k\) or replan.Deadline\(micros"):
        agent.plan(budget=budget)
    with pytest.raises(replan.InputError, match="a budget is"):
        agent.planner.plan(agent.state, budget)


@pytest.mark.parametrize("name", ["D* Lite", "A*", "BFS"])
def test_who_searches_all_the_way_names_who_does_not(name):
    agent = replan.Agent(name, OPEN, (0, 0), (3, 3))
    for budget in (replan.Expansions(5), replan.Deadline(50)):
        with pytest.raises(replan.InputError, match=r"cannot keep a budget: take RTD\*, or a real-time planner"):
            agent.plan(budget=budget)


def test_words_are_found_however_they_are_spelt():
    """On a command line blanks are a nuisance."""
    made = replan.planner("RTAA*", learning="one_pass", choosing="Best", queue="plain-heap", prefer="larger-g")
    assert repr(made) == repr(
        replan.planner("RTAA*", learning="one pass", choosing="best", queue="plain heap", prefer="larger g")
    )
