"""Planners as people type them."""

from __future__ import annotations

import dataclasses
import sys

import pytest

import replan
from replan import InputError
from replan.experiments.planner_names import LOOKAHEAD, NamedPlanner, every_planner, parse_planner, parse_value
from replan.planners.registry import find


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9", 9),
        ("-9", -9),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("FALSE", False),
        ("None", None),
        ("smaller g", "smaller g"),
        ("", ""),
    ],
)
def test_values(text, value):
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "9" * 30, "9" * 5000, "1e999"])
def test_numbers_out_of_reach(text):
    with pytest.raises(InputError, match="no number that a planner can take"):
        parse_value(text)


def test_names_slugs_and_options():
    assert parse_planner("Repeated Forward A*") == parse_planner("repeated-forward-a-star")
    choice = parse_planner(" Repeated Forward A* : ties = random , seed=3 ")
    assert (choice.name, choice.options) == ("Repeated Forward A*", {"ties": "random", "seed": 3})
    assert choice.label == "Repeated Forward A* ties=random, seed=3"
    assert parse_planner("repeated-weighted-a-star:weight=2").options == {"weight": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no planner ''"),
        ("nonsense", "there is no planner 'nonsense'; the planners are repeated-forward-a-star"),
        ("repeated-bfs:", "no options behind the colon"),
        ("repeated-bfs:ties=random", "has no option 'ties'"),
        ("repeated-forward-a-star:ties", "'ties' in .* is no option=value; write a name and options"),
        ("repeated-forward-a-star:=3", "is no option=value"),
        ("repeated-forward-a-star:ties=", "is no option=value"),
        ("repeated-forward-a-star:seed=1,,", "is no option=value"),
        ("repeated-forward-a-star:seed=1,seed=2", "'seed' is given twice"),
        ("repeated-forward-a-star:ties=sometimes", "ties is one of"),
        ("repeated-forward-a-star:seed=x", "seed is a whole number"),
        ("repeated-weighted-a-star:weight=0.5", "weight is from 1 to 100"),
        ("repeated-weighted-a-star:weight=heavy", "weight"),
        ("repeated-weighted-a-star:weight=none", "weight"),
    ],
)
def test_nonsense_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse_planner(text)


def test_every_planner_is_there_with_a_lookahead_if_it_keeps_one():
    choices = every_planner()
    assert [choice.spec for choice in choices] == replan.planners()
    for choice in choices:
        assert choice.make().spec == choice.spec
        if "lookahead" in choice.spec.options:
            assert "lookahead=" in choice.label and "none" not in choice.label


def test_a_planner_without_a_lookahead_of_its_own_gets_one(monkeypatch):
    spec = dataclasses.replace(find("repeated-bfs"), options={"lookahead": None})
    module = sys.modules[every_planner.__module__]  # `replan.planners` is the function, not the package
    monkeypatch.setattr(module, "planners", lambda: [spec])
    assert every_planner() == [NamedPlanner(spec.name, {"lookahead": LOOKAHEAD})]
