"""Traces for Posthoc: what the format asks for, and that they tell the trip."""

from __future__ import annotations

import copy
import json

import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.viewer.posthoc_trace import make_trace, validate_trace


@pytest.fixture(scope="module")
def story():
    world = replan.World(replan.Grid(replan.cave(20, 30, seed=3)))
    cells = [(r, c) for r in range(20) for c in range(30) if not world.space.blocked[r, c]]
    return replan.watch(world, "RTAA*", cells[0], cells[-1], max_moves=200)


def test_a_trace_tells_the_trip(story):
    trace = make_trace(story)
    validate_trace(trace)
    walked = [(event["y"], event["x"]) for event in trace["events"] if event["type"] == "agent"]
    assert walked == [tuple(cell) for cell in story.trip.path]
    assert sum(event["type"] == "expanding" for event in trace["events"]) == story.trip.expansions
    assert trace["events"][-1]["why"] == story.trip.why


@pytest.mark.parametrize("gone", ["version", "views", "events", "id", "x", "parent"])
def test_what_is_no_trace_is_refused(story, gone):
    trace = copy.deepcopy(make_trace(story))
    if gone in trace:
        del trace[gone]
    elif gone == "parent":
        trace["events"][5]["pId"] = 10**9
    else:
        del trace["events"][3][gone]
    with pytest.raises(replan.InputError):
        validate_trace(trace)


def test_on_the_command_line(tmp_path):
    file = tmp_path / "trip.trace.json"
    done = CliRunner().invoke(main, ["view", "figure-3", "--trace", str(file), "--planner", "rtaa:lookahead=3"])
    assert done.exit_code == 0, done.output
    validate_trace(json.loads(file.read_text()))


def test_graphs_are_refused_in_a_sentence():
    story = replan.watch(replan.Graph([("a", "b", 1)]), "D* Lite", "a", "b")
    with pytest.raises(replan.InputError, match="grid"):
        make_trace(story)
