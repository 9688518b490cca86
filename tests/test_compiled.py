"""Compiled and interpreted, the core takes the same steps."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import battery
from replan import interpreted, limits
from replan.queues import base


def test_compiled_and_interpreted_trips_are_identical(compiled):
    script = Path(__file__).with_name("battery.py")
    environment = {**os.environ, "REPLAN_INTERPRETED": "1"}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    slow, fast = json.loads(done.stdout), battery.run()
    assert (slow["compiled"], fast["compiled"]) == (False, True)
    assert len(fast["trips"]) > 200
    assert list(slow["trips"]) == list(fast["trips"])
    for name, trip in fast["trips"].items():
        assert slow["trips"][name] == trip, name
    assert slow["queries"] == fast["queries"] and len(fast["queries"]) == 20
    whys = {trip["why"] for trip in fast["trips"].values()}
    assert "reached" in whys and sum(trip["reached"] for trip in fast["trips"].values()) > 200


def test_constants_that_c_knows_are_those_of_python():
    text = (Path(base.__file__).parents[1] / "core.pxd").read_text(encoding="utf-8")
    found = dict(re.findall(r'^    i64 ([A-Z_]+) "(-?\w+)LL"(?:  #.*)?$', text, re.M))
    assert {name: int(value, 0) for name, value in found.items()} == {
        "INF": limits.INF,
        "QUEUED": limits.QUEUED,
        "ON_PATH": limits.ON_PATH,
        "BATCH": base.BATCH,
        "EMPTY": base.EMPTY,
        "GOAL": base.GOAL,
        "SLOTS_PER_LINE": interpreted.SLOTS_PER_LINE,
        "NARROW_LINE_WORDS": interpreted.NARROW_LINE_WORDS,
        "WIDE_LINE_WORDS": interpreted.WIDE_LINE_WORDS,
    }
