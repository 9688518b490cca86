"""Planners as people type them."""

from __future__ import annotations

import dataclasses
import sys

import pytest

import replan
from replan import InputError
from replan.experiments.planner_names import (
    DEFAULT_LOOKAHEAD,
    NamedPlanner,
    all_planners,
    parse_option_value,
    parse_planner,
    parse_planners,
)
from replan.planners.registry import find_spec


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
    assert parse_option_value(text) == value
    assert type(parse_option_value(text)) is type(value)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "9" * 30, "9" * 5000, "1e999"])
def test_numbers_out_of_reach(text):
    with pytest.raises(InputError, match="no number that a planner can take"):
        parse_option_value(text)


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
        ("nonsense", "there is no planner 'nonsense'; `replan planners`"),
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
    choices = all_planners()
    assert [choice.spec for choice in choices] == replan.planners()
    for choice in choices:
        assert choice.make().spec == choice.spec
        if "lookahead" in choice.spec.options:
            assert "lookahead=" in choice.label and "none" not in choice.label


def test_a_planner_without_a_lookahead_of_its_own_gets_one(monkeypatch):
    spec = dataclasses.replace(find_spec("repeated-bfs"), options={"lookahead": None})
    module = sys.modules[all_planners.__module__]  # `replan.planners` is the function, not the package
    monkeypatch.setattr(module, "planners", lambda: [spec])
    assert all_planners() == [NamedPlanner(spec.name, {"lookahead": DEFAULT_LOOKAHEAD})]


MINE = '''
import replan

class Greedy(replan.Planner):
    """A* under another name, as a composition."""

    def __init__(self, lookahead=None, speed=1):
        super().__init__()
        self.inner = replan.planner("RTAA*", lookahead=lookahead)
        if speed < 0:
            raise ValueError("too slow")

    def begin(self, space, goals):
        super().begin(space, goals)
        self.inner.begin(space, goals)

    def plan(self, state, budget):
        return self.inner.plan(state, None)

def number():
    return 3
'''


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A file with a planner in the working directory; its module's name is new each time."""
    name = f"mine_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield name
    sys.modules.pop(name, None)


def test_own_planners(mine):
    for text in (f"{mine}:Greedy", f"{mine}.py:Greedy", f"./{mine}.py:Greedy", f" {mine}.py : Greedy "):
        named = parse_planner(text)
        assert (named.name, named.options, named.is_user_defined) == (f"{mine}:Greedy", {}, True)
    named = parse_planner(f"{mine}.py:Greedy:speed=2,lookahead=5")
    assert named.label == f"{mine}:Greedy speed=2, lookahead=5"
    assert named.accepts_option("speed") and not named.accepts_option("ties")
    assert named.make().inner.lookahead == 5
    both = parse_planners(f"{mine}.py:Greedy:speed=2,lookahead=5,rtaa,{mine}:Greedy")
    assert [one.name for one in both] == [f"{mine}:Greedy", "RTAA*", f"{mine}:Greedy"]


def test_an_own_planner_is_named_by_its_file_in_programs_too(mine):
    assert NamedPlanner(f"{mine}.py:Greedy").name == f"{mine}:Greedy"
    assert NamedPlanner(f"{mine}.py:Greedy", {"speed": 2, "lookahead": 5}).make().inner.lookahead == 5


def test_an_own_planner_from_another_folder(mine, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert parse_planner(f"../{mine}.py:Greedy").name == f"{mine}:Greedy"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}:Gredy", r"has no class 'Gredy' \(did you mean Greedy\?\)"),
        ("{}.py:__doc__", "has no class '__doc__'"),
        ("{}:number", "makes a int, not a planner"),
        ("{}:Greedy:speed=-1", "cannot be made with speed=-1: ValueError: too slow"),
        ("{}:Greedy:sped=1", "cannot be made with sped=1: TypeError"),
        ("{}:Greedy:", "no options behind the colon"),
        ("nowhere_{}:Greedy", "there is no planner and no module"),
        ("nowhere_{}.py:Greedy", "there is no such file"),
    ],
)
def test_own_planners_that_cannot_be_had(mine, text, message):
    with pytest.raises(InputError, match=message):
        parse_planner(text.format(mine))
