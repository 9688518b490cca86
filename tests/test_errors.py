"""Errors are one line, whatever was handed in."""

from __future__ import annotations

import numpy as np
import pytest

import replan

MAP = np.zeros((20, 30), bool)


@pytest.mark.parametrize(
    "call",
    [
        lambda: replan.Radius(6).visible(MAP, (1, 0)),
        lambda: replan.Agent("RTAA*", replan.Grid(MAP), MAP, (0, 1)),
        lambda: replan.Agent("RTAA*", replan.Grid(MAP), (0, 0), (0, 1), lookahead=MAP),
        lambda: replan.World(replan.Grid(MAP), sensor=MAP),
        lambda: replan.World(replan.Grid(MAP), known=dict.fromkeys(np.ndindex(20, 30), "free")),
        lambda: replan.compare(replan.Grid(MAP), [MAP], problems=1),
        lambda: replan.Deadline(MAP),
        lambda: replan.Grid([[0, 1], [0]]),
        lambda: replan.Grid("\n".join(["....", "..#."] * 400)),
    ],
)
def test_a_map_where_something_else_was_expected(call):
    with pytest.raises(replan.InputError) as raised:
        call()
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 1000


def test_an_answer_of_the_users_class_is_named_in_one_line():
    class Odd(replan.Sensor):
        def visible(self, truth, cell, previous_cell):
            return {"seen": MAP}

    with pytest.raises(ValueError, match=r"Odd.visible\(\) returned \{'seen': array") as raised:
        replan.simulate(replan.World(replan.Grid(MAP), sensor=Odd()), "RTAA*", (0, 0), (1, 1))
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 1000
