"""The cases of tests/fuzz/failing.py: every allocation of each fails in turn, and each is interrupted many times.

    pytest -m slow tests/slow/test_failing_long.py
"""

from __future__ import annotations

import os

import pytest

from test_failing import fail

pytestmark = pytest.mark.slow

JOBS = os.cpu_count() or 1


@pytest.mark.parametrize("part", range(JOBS))
def test_every_allocation_fails(part):
    fail("memory", "--share", part, JOBS)


@pytest.mark.skipif(os.name == "nt", reason="there are no alarms on Windows")
@pytest.mark.parametrize("part", range(JOBS))
def test_interrupts(part):
    fail("interrupts", "--times", 100, "--share", part, JOBS)
