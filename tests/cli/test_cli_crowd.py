"""`replan crowd`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from replan.cli import main

FEW = ["crowd", "cave", "--ticks", "6", "--tick-us", "20", "--lookahead", "3"]


def test_a_table():
    done = CliRunner().invoke(main, [*FEW, "--planner", "rtaa", "--planner", "LRTA*"])
    assert done.exit_code == 0, done.output
    assert "RTAA*" in done.output and "LRTA*" in done.output and "longest wait" in done.output


def test_json():
    done = CliRunner().invoke(main, [*FEW, "--planner", "rtaa", "--json", "--sensor", "3", "--neighbors", "4"])
    told = json.loads(done.stdout)
    assert told["sensor"] == 3 and told["neighbors"] == 4 and told["tick_us"] == 20
    [one] = told["capacities"]
    assert one["planner"] == "RTAA*" and one["lookahead"] == 3
    assert one["characters"] >= 1 and one["bytes_per_character"] > 180 and one["step_us"] > 0


@pytest.mark.parametrize(
    "wrong, said",
    [
        (["--planner", "tba"], "arrays as large as the map"),
        (["--planner", "rtaaa"], "did you mean"),
        (["--lookahead", "0"], "0"),
    ],
)
def test_what_cannot_be(wrong, said):
    done = CliRunner().invoke(main, [*FEW, *wrong])
    assert done.exit_code == 2 and said in done.output
