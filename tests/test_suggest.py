"""Suggestions for names that there are not."""

from __future__ import annotations

import pytest

import replan
from replan.suggest import did_you_mean

PLANNERS = [spec.name for spec in replan.planners()]


@pytest.mark.parametrize(
    ("word", "choices", "remark"),
    [
        ("mzae", ["cave", "maze"], " (did you mean maze?)"),
        ("MAZE", ["cave", "maze"], " (did you mean maze?)"),
        ("fig", ["cave", "figure-3"], " (did you mean figure-3?)"),
        ("rnu", ["demo", "run", "compare"], " (did you mean run?)"),
        ("ab", ["abc", "abd"], " (did you mean abd or abc?)"),
        ("abc", ["abcd", "abce", "abcf", "abcg"], " (did you mean abcg, abcf or abce?)"),
        ("labyrinth", {"maze": "maze", "labyrinth": "maze"}, " (did you mean maze?)"),
        ("mazes", {"maze": "maze", "mazed": "maze"}, " (did you mean maze?)"),
        ("moon", ["cave", "maze"], ""),
        ("m", ["cave", "maze"], ""),
        ("", ["cave", ""], ""),
        ("?!", ["cave", "!?"], ""),
        ("cave", [], ""),
    ],
)
def test_remarks(word, choices, remark):
    assert did_you_mean(word, choices) == remark


@pytest.mark.parametrize(
    ("word", "name"),
    [("rtta", "RTAA*"), ("dstar lite", "D* Lite"), ("LSS", "LSS-LRTA*"), ("adaptiv a*", "Adaptive A*")],
)
def test_planners(word, name):
    assert name in did_you_mean(word, PLANNERS)


def test_a_long_word_takes_no_time():
    assert did_you_mean("x" * 100_000, PLANNERS) == ""
