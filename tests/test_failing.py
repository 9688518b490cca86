"""Allocations that fail, and Ctrl-C at any moment: nothing crashes, and every later answer is right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import replan
from replan import faults

TESTS = Path(__file__).parent
EVERY = 60 if replan.compiled else 900  # one of so many allocations fails
PARTS = 2 if replan.compiled else 1


def fail(*given: object) -> None:
    """Run the cases in a process of their own."""
    call = [sys.executable, "-m", "fuzz.failing", *map(str, given)]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(call, cwd=TESTS, env=environment, capture_output=True, text=True, check=False, timeout=6000)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@pytest.mark.parametrize("part", range(PARTS))
def test_allocations_fail(part):
    fail("memory", "--every", EVERY, "--share", part, PARTS)


@pytest.mark.skipif(not replan.compiled, reason="what takes a flag is interrupted between its lines, interpreted")
def test_lines_are_interrupted():
    """The whole sweep, `python -m fuzz.failing lines`, takes long; a story holds itself in every call."""
    fail("lines", "--every", 97, "--only", "a story of RTA*")


@pytest.mark.slow  # at random moments: a test that fails may pass the next time
@pytest.mark.skipif(os.name == "nt", reason="there are no alarms on Windows")
def test_interrupts():
    fail("interrupts", "--times", 1)


def test_a_failure_is_counted():
    faults.fail_at(2)
    replan.arrays.zeros(1, "i8")
    assert faults.allocations_left() == 1
    with pytest.raises(MemoryError, match="was to fail"):
        replan.arrays.zeros(1, "i8")
    assert faults.allocations_left() == 0
    replan.arrays.zeros(1, "i8")
