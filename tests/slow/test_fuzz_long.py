"""The cases of tests/fuzz, a hundred times as many.

    pytest -m slow tests/slow/test_fuzz_long.py

REPLAN_SEED=1, 2... draws other cases.
"""

from __future__ import annotations

import os

import pytest

from fuzz.run import hunt, report

pytestmark = pytest.mark.slow

CASES = int(os.environ.get("REPLAN_CASES", "200000"))
SEED = int(os.environ.get("REPLAN_SEED", "0"))


def test_every_answer_is_right():
    found = hunt(CASES, SEED, jobs=os.cpu_count() or 1)
    assert not found, report(found, SEED, 60)
