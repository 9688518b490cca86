"""Random legal calls: none is answered wrongly. (200,000 of them: tests/slow/test_fuzz_long.py.)"""

from __future__ import annotations

from typing import Any

import pytest

import replan
from fuzz import planning
from fuzz.draw import draw_case
from fuzz.drive import Drive
from fuzz.judging import told, verdict
from fuzz.run import hunt, report
from fuzz.worlds import Walk
from replan.planners.registry import OPTIONS

CASES = 2000 if replan.compiled else 100


def test_every_answer_is_right():
    found = hunt(CASES, seed=2024)
    assert not found, report(found, 2024, 20)


def test_all_planners_and_options_are_drawn():
    drawn = {}
    for i in range(1500):
        case = draw_case(0, i)
        for plan in [unit.plan for unit in getattr(case, "units", ())] or [getattr(case, "plan", None)]:
            if plan is not None:
                drawn.setdefault(plan.name, set()).update(plan.options)
    assert set(drawn) == {spec.name for spec in replan.planners()}
    wanted = {name for spec in replan.planners() for name in spec.options}
    assert set().union(*drawn.values()) == wanted


@pytest.mark.parametrize("name", OPTIONS)
def test_there_is_something_to_try_for_each_option(name):
    assert planning.candidates(name)


class Forgetful:
    """An agent that does not listen to the first thing that it is told."""

    def __init__(self, *given: Any) -> None:
        self.__dict__["agent"], self.__dict__["told"] = AGENT(*given), 0

    def observe(self, *given: Any, **more: Any) -> None:
        self.__dict__["told"] += 1
        if self.told > 1:
            self.agent.observe(*given, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.agent, name)


def hasty(world: Any, planner: Any, *given: Any) -> Any:
    """A trip with a planner that does not care what a path costs."""
    return SIMULATE(world, replan.planner("Repeated Weighted A*", weight=100), *given)


AGENT, SIMULATE = replan.Agent, replan.simulate
FAULTS = {"Agent": (Forgetful, Drive, "agent0.observe("), "simulate": (hasty, Walk, "replan.simulate(")}


@pytest.mark.parametrize("name", FAULTS)
def test_wrong_answers_are_noticed_shrunk_and_told(name, monkeypatch):
    fault, kind, words = FAULTS[name]
    monkeypatch.setattr(replan, name, fault)
    for i in range(400):
        case = draw_case(7, i)
        rule = verdict(case)[0] if isinstance(case, kind) else ""
        if rule:
            break
    assert rule
    script = told(case, rule, 5)
    assert words in script and len(script) < 3000
    assert verdict(case)[0] == rule
