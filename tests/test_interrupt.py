"""Ctrl-C ends a compiled loop at once, with nothing broken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import replan
from interrupted import CASES

SOON = 0.5  # a tenth of a second is promised; the rest is for machines that are busy


def clock_of(pid: int) -> tuple[int, float]:
    """Which of a process's clocks is read, and what it says: 0, the processor time it has used; 1, any clock.

    Only Linux tells the processor time of another process. A machine that is busy does not make that longer.
    """
    if sys.platform == "linux":
        return 0, time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3)
    return 1, time.monotonic()


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
@pytest.mark.parametrize("case", CASES)
def test_ctrl_c(case, compiled):
    script = Path(__file__).with_name("interrupted.py")
    child = subprocess.Popen(
        [sys.executable, str(script), case], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.6)
        assert child.poll() is None
        clock, sent = clock_of(child.pid)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    finally:
        child.kill()
    assert child.returncode == 0, err
    assert float(out.split()[clock]) - sent < SOON


SHORTLY = 0.005  # seconds, of the tenths that learning and repair take on a million states
SIDE = 1000
no_alarms = pytest.mark.skipif(os.name == "nt", reason="there are no alarms on Windows")


def ring() -> None:
    """Ctrl-C, a moment from now."""
    signal.setitimer(signal.ITIMER_REAL, SHORTLY)


def interrupted_plan(agent: replan.Agent, at_once: bool) -> None:
    """The alarm ends plan() itself (an episode that was finished would count), and the agent goes on."""
    before, handler = agent.episodes, signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            if at_once:
                ring()
            agent.plan()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert agent.episodes == before
    assert agent.plan()


class Alarmed(replan.ChoosingRule):
    """Has the alarm ring, once, in the learning that comes next."""

    rung = False

    def choose(self, lookahead):
        if not self.rung:
            self.rung = True
            ring()
        return lookahead.frontier[0]


@no_alarms
def test_ctrl_c_in_learning(compiled):
    planner = replan.planner("LSS-LRTA*", lookahead=SIDE * SIDE // 2, heuristic="zero", choosing=Alarmed())
    agent = replan.Agent(planner, replan.Grid(np.zeros((SIDE, SIDE), bool)), (0, 0), (SIDE - 1, SIDE - 1))
    interrupted_plan(agent, at_once=False)


@no_alarms
def test_ctrl_c_in_the_repair_of_h(compiled):
    middle = SIDE // 2
    blocked = np.zeros((SIDE, SIDE), bool)
    blocked[1:, middle] = True  # a wall with a gap far away: much is learned
    planner = replan.planner("Generalized Adaptive A*", heuristic="zero")
    agent = replan.Agent(planner, replan.Grid(blocked), (SIDE - 1, 0), (SIDE - 1, SIDE - 1))
    agent.plan()
    agent.observe([(row, middle) for row in range(1, SIDE)], [False] * (SIDE - 1))
    interrupted_plan(agent, at_once=True)
