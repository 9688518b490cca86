"""What is searched, changed or copied by one thread is not copied, shown, searched or changed by another one."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replan
from saving import busy
from saving.ways import WAYS

Call = Callable[[], Any]


class Probe:
    """A part of the user's: when it is copied, or asked, another thread makes these calls. What have they raised?"""

    def __init__(self) -> None:
        self.calls: dict[str, Call] = {}
        self.told: dict[str, str] = {}

    def ask(self) -> None:
        with ThreadPoolExecutor(1) as pool:
            for name, call in self.calls.items():
                self.told[name] = pool.submit(outcome, call).result()

    def __deepcopy__(self, memo: dict[int, Any]) -> Probe:
        self.ask()
        return Probe()

    def __reduce__(self) -> Any:
        self.ask()
        return Probe, ()

    def __call__(self, a: Any, b: Any) -> float:
        """As a heuristic."""
        if self.calls:
            self.ask()
        return 0


def outcome(call: Call) -> str:
    try:
        call()
    except RuntimeError as error:
        return "busy" if any(said in str(error) for said in busy.SAID) else repr(error)
    except Exception as error:
        return repr(error)
    return "done"


def readings(thing: Any) -> dict[str, Call]:
    calls = {way.__name__: lambda way=way: way(thing) for way in WAYS}
    if hasattr(thing, "snapshot"):
        calls["snapshot"] = thing.snapshot
    return calls


class Line(replan.Queue):
    """A queue that is copied together with its planner."""

    probe = Probe()

    def __init__(self, order: Any) -> None:
        self.states: dict[int, tuple[int, int]] = {}

    def push(self, state: int, f: int, g: int) -> None:
        self.states[state] = (f, -g)

    def remove(self, state: int) -> None:
        del self.states[state]

    def first(self) -> int | None:
        return min(self.states, key=lambda s: (self.states[s], s)) if self.states else None

    def clear(self) -> None:
        self.states = {}

    def __getstate__(self) -> dict[str, Any]:
        Line.probe.ask()
        return vars(self)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy], ids=["copy", "deepcopy"])
def test_while_an_agent_is_copied(how: Any) -> None:
    belief = replan.Grid(np.zeros((9, 9), bool))
    agent = replan.Agent("D* Lite", belief, (0, 0), (8, 8), queue=Line)
    other = replan.Agent("RTAA*", belief, (8, 0), (0, 8))
    agent.plan()
    Line.probe.calls = {
        **readings(agent),
        "plan": agent.plan,
        "observe": lambda: agent.observe([(4, 4)], True),
        "move": lambda: agent.move((1, 1)),
        "catch up": agent.sync,
        "planner": lambda: pickle.dumps(agent.planner),
        "belief": lambda: belief.set_value(belief.location((4, 4)), 0),
        "other observes": lambda: other.observe([(4, 4)], True),
        "assign": lambda: belief.assign(belief.copy()),
    }
    try:
        copied = how(agent)
        assert set(Line.probe.told.values()) == {"busy"}, Line.probe.told
        Line.probe.calls = {"repr": lambda: repr(agent), "belief": belief.copy, "other plans": other.plan}
        how(agent)
        assert set(Line.probe.told.values()) == {"busy", "done"}
        assert all(Line.probe.told[name] == "done" for name in Line.probe.calls)
    finally:
        Line.probe.calls, Line.probe.told = {}, {}
    assert agent.plan() == copied.plan()
    assert agent.observe([(4, 4)], True) == other.observe([(5, 5)], True) == 1


@pytest.mark.parametrize("name", ["A*", "D* Lite", "RTAA*"])
def test_while_an_agent_plans(name: str) -> None:
    probe = Probe()
    belief = replan.Grid(np.zeros((5, 5), bool))
    agent = replan.Agent(name, belief, (0, 0), (4, 4), heuristic=probe)
    probe.calls = {**readings(agent), **{f"planner {n}": call for n, call in readings(agent.planner).items()}}
    shown = []
    probe.calls["repr"] = lambda: shown.append(repr(agent))
    agent.plan()
    probe.calls = {}
    assert probe.told.pop("repr") == "done" and set(shown) == {"<Agent at (0, 0), busy>"}
    assert set(probe.told.values()) == {"busy"}, probe.told
    assert pickle.loads(pickle.dumps(agent.belief)).n == belief.n


def test_while_a_query_or_a_field_is_copied() -> None:
    probe = Probe()
    belief = replan.Grid(np.zeros((5, 5), bool))
    query = replan.LPAStar(belief, (0, 0), (4, 4), heuristic=probe)
    probe.calls = {**readings(query), "path": query.path, "catch up": query.sync, "put": lambda: belief.set_value(9, 0)}
    copy.deepcopy(query)
    probe.calls = {}
    assert set(probe.told.values()) == {"busy"}, probe.told


def test_while_a_story_goes_on() -> None:
    probe = Probe()
    world = replan.World(replan.Grid(np.zeros((5, 5), bool)))
    story = replan.watch(world, replan.planner("D* Lite", heuristic=probe), (0, 0), (4, 4))
    calls = {"moment": lambda: story[0], "step": story.step, "bytes": story.to_bytes, "belief": story.belief}
    story.step()
    probe.calls = {**calls, "world": lambda: copy.copy(world), "begin": world.begin}
    story.change([(1, 1), (2, 2), (3, 3)], "blocked")
    probe.calls = {}
    assert set(probe.told.values()) == {"busy"}, probe.told
    assert story.finish().reached


def test_while_a_crowd_moves() -> None:
    probe = Probe()
    crowd = replan.Crowd(replan.Grid(np.zeros((5, 5), bool)), "RTAA*", heuristic=probe)
    crowd.add([(0, 0)], [(4, 4)])
    probe.calls = {
        "cells": lambda: crowd.cells,
        "goals": lambda: crowd.goals,
        "status": lambda: crowd.status,
        "report": crowd.report,
        "tick": crowd.tick,
        "catch up": crowd.sync,
    }
    crowd.tick()
    probe.calls = {}
    assert set(probe.told.values()) == {"busy"}, probe.told


def test_what_is_saved_is_of_one_moment() -> None:
    """A change between a planner and its belief, in a pickle, is found out when they are loaded."""
    belief = replan.Grid(np.zeros((5, 5), bool))
    agent, other = (replan.Agent("D* Lite", belief, (0, 0), (4, 4)) for _ in range(2))
    agent.plan()
    change: list[Any] = [belief, lambda: other.observe([(2, 2)], True)]

    class Between(pickle.Pickler):
        def reducer_override(self, thing: Any) -> Any:
            if change and thing is change[0]:
                change.pop()()
                change.clear()
            return NotImplemented

    def saved() -> bytes:
        file = io.BytesIO()
        Between(file, protocol=5).dump(agent)
        return file.getvalue()

    with pytest.raises(replan.InputError, match="its space was changed while it was saved"):
        pickle.loads(saved())
    change += [belief, agent.plan]  # between the agent and its planner there is nothing to search
    assert pickle.loads(saved()).plan() == agent.plan()
    change += [agent.planner, lambda: (agent.retarget((0, 4)), agent.plan())]
    with pytest.raises(replan.InputError, match="its planner was used while it was saved"):
        pickle.loads(saved())


def test_threads_in_passing() -> None:
    told = busy.main(0.5)
    assert told["done"] > 0 and told.keys() <= {"done", "busy"}, told


@pytest.mark.slow
def test_threads_for_some_seconds() -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "saving.busy", "20"]
    ran = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and len(ran.stdout.splitlines()) == 1, ran.stdout + ran.stderr
