"""Ctrl-C ends a compiled loop at once, with nothing broken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interrupted import CASES

SOON = 0.5  # a tenth of a second is promised; the rest is for machines that are busy


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
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    finally:
        child.kill()
    assert child.returncode == 0, err
    assert float(out) - sent < SOON
