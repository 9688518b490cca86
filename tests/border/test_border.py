"""Whatever is said to the package, it answers: no crash, no hang, no wrong answer without a word."""

from __future__ import annotations

import pytest

import replan
from border.run import THE_END, cases, verdicts

CHOSEN = list(cases())[:: 1 if replan.compiled else 9]  # interpreted, the same checks answer, and slowly
GROUPS: dict[str, list[str]] = {}
for _name in CHOSEN:
    GROUPS.setdefault(_name.split("/")[0], []).append(_name)


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What was wrong, by case. All are run once, in processes of their own."""
    return verdicts(CHOSEN)


@pytest.mark.parametrize("group", GROUPS)
def test_is_answered(group, said):
    wrong = [f"{name}: {said[name]}" for name in GROUPS[group] if said[name]]
    assert not wrong, f"{len(wrong)} of {len(GROUPS[group])}:\n" + "\n".join(wrong[:20])


def test_nothing_is_left_broken(said):
    assert said.get(THE_END, "") == ""


def test_there_are_enough():
    assert len(cases()) > 200
