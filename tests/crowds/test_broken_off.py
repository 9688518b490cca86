"""What is left of a crowd when an error has ended one of its calls: it is as before, or says that it is broken."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import replan
from crowds.test_crowd import ARRIVED
from crowds.test_steps import largest_region, walked

SECONDS = 1.5


@pytest.mark.skipif(os.name == "nt", reason="there are no alarms on Windows")
@pytest.mark.parametrize("workers, planner", [(1, ""), (2, ""), (4, ""), (1, "FlowField")])
@pytest.mark.parametrize("seed", [1, 2])
def test_ctrl_c_at_any_moment_of_a_tick(workers, planner, seed, compiled):
    """The crowd goes on as one that was never interrupted; all threads end, and so does the process."""
    script = Path(__file__).with_name("interrupted.py")
    call = [sys.executable, str(script), str(workers), str(SECONDS), str(seed), *filter(None, [planner])]
    told = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, f"{told.returncode}: {told.stdout}{told.stderr}"


class Failing:
    """Euclidean distances, with an error at every so many calls."""

    def __init__(self, each: int) -> None:
        self.each, self.calls, self.failed = each, itertools.count(1), 0

    def __call__(self, a, b):
        if next(self.calls) % self.each == 0:
            self.failed += 1
            raise ValueError("this heuristic fails")
        return 0.9 * float(np.hypot(a[0] - b[0], a[1] - b[1]))


def sure(a, b):
    return 0.9 * float(np.hypot(a[0] - b[0], a[1] - b[1]))


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_errors_of_a_heuristic_leave_everybody_where_it_was(workers):
    rng = np.random.default_rng(workers)
    grid = replan.Grid(rng.random((20, 20)) < 0.2)
    free = largest_region(grid)
    starts, goals = free[rng.integers(0, len(free), 200)], free[rng.integers(0, len(free), 200)]
    failing = Failing(700)
    crowds = [
        replan.Crowd(grid.copy(), "RTAA*", workers=count, lookahead=4, heuristic=heuristic)
        for count, heuristic in ((workers, failing), (1, sure))
    ]
    for crowd in crowds:
        crowd.add(starts, goals)
    for _ in range(40):
        before = crowds[0].cells
        while True:
            try:
                crowds[0].tick()
                break
            except ValueError as error:
                assert "this heuristic fails" in str(error)
                assert (crowds[0].cells == before).all()
        crowds[1].tick()
        assert (crowds[0].cells == crowds[1].cells).all()
    assert failing.failed > 3


class Refuses(replan.ChoosingRule):
    """Fails once in a while."""

    calls = 0

    def choose(self, lookahead):
        self.calls += 1
        if self.calls % 3 == 0:
            raise MemoryError("this rule fails")
        return lookahead.best


def test_errors_of_a_rule_leave_everybody_where_it_was():
    crowd = replan.Crowd(replan.Grid(np.zeros((12, 12), bool)), "RTAA*", lookahead=9, choosing=Refuses())
    crowd.add([(0, col) for col in range(3)], (11, 11))
    failures = 0
    for _ in range(100):
        before = crowd.cells
        try:
            crowd.tick()
        except MemoryError:
            failures += 1
            assert (crowd.cells == before).all()
    assert failures > 1 and set(crowd.status) == {ARRIVED}


class Blinks(replan.Sensor):
    """Fails when it is told to."""

    shut = False

    def visible(self, truth, cell, previous_cell=None):
        if self.shut:
            raise OSError("the lens is dirty")
        return [(row, cell[1]) for row in range(max(0, cell[0] - 1), min(9, cell[0] + 2))]


def calls_of(crowd):
    yield crowd.tick
    yield crowd.sync
    yield lambda: crowd.add((0, 0), (1, 1))
    yield lambda: crowd.remove(0)
    yield lambda: crowd.retarget(0, (3, 3))
    yield lambda: crowd.set_positions(0, (3, 3))
    yield lambda: crowd.observe([(3, 3)], True)
    yield lambda: crowd.observe_map(np.ones((1, 1), bool))
    yield crowd.report
    for name in ("ids", "cells", "goals", "status"):
        yield lambda name=name: getattr(crowd, name)


@pytest.mark.parametrize("call", ["tick", "add", "place"])
def test_an_error_while_characters_look_around_breaks_the_crowd(call):
    sensor = Blinks()
    world = replan.World(replan.Grid(np.zeros((9, 9), bool)), sensor)
    crowd = replan.Crowd(world, "RTAA*", lookahead=9)
    crowd.add([(0, 0), (1, 0)], (8, 8))
    crowd.tick()
    before, goals = crowd.cells, crowd.goals
    sensor.shut = True
    with pytest.raises(OSError, match="the lens is dirty"):
        {"tick": crowd.tick, "add": lambda: crowd.add((0, 4), (8, 8)), "place": lambda: crowd.set_positions(0, (4, 4))}[
            call
        ]()
    sensor.shut = False
    for later in calls_of(crowd):
        with pytest.raises(
            RuntimeError, match="make another crowd, with the positions that your characters had before"
        ):
            later()
    assert "Crowd of" in repr(crowd) and crowd._on_external_change()
    other = replan.Crowd(world, "RTAA*", lookahead=9)
    other.add(before, goals)
    walked(other, 40)
    assert set(other.status) == {ARRIVED}


def test_a_thread_that_cannot_be_started(monkeypatch):
    """The tick says so, and nobody has moved."""
    from replan.crowds import pool

    crowd = replan.Crowd(replan.Grid(np.zeros((12, 12), bool)), "RTAA*", workers=3)
    crowd.add([(0, col % 12) for col in range(100)], (11, 11))
    before = crowd.cells

    def full(*_):
        raise RuntimeError("can't start new thread")

    start = pool.start_new_thread
    monkeypatch.setattr(pool, "start_new_thread", full)
    with pytest.raises(RuntimeError, match="can't start"):
        crowd.tick()
    assert (crowd.cells == before).all()
    monkeypatch.setattr(pool, "start_new_thread", start)
    walked(crowd, 40)
    assert set(crowd.status) == {ARRIVED}


def test_catching_up_waits_for_nobody():
    """Another thread that calls in the middle of a tick is told so."""
    inside, go_on = threading.Event(), threading.Event()

    def slow(a, b):
        inside.set()
        go_on.wait(10)
        return 0.0

    crowd = replan.Crowd(replan.Grid(np.zeros((4, 4), bool)), "RTAA*", heuristic=slow)
    crowd.add((0, 0), (3, 3))
    inside.clear()
    thread = threading.Thread(target=crowd.tick)
    thread.start()
    try:
        assert inside.wait(10)
        with pytest.raises(RuntimeError, match="in the middle of a call"):
            crowd.sync()
    finally:
        go_on.set()
        thread.join()
