"""Each field of each class that is saved, altered: what is loaded is refused, or can be used, without a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import replan
from saving.rides import PLANNERS
from saving.tamper import OTHERS

TESTS = Path(__file__).parents[1]


def tamper(which: str, log: Path, step: int) -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "saving.tamper", which, str(log), "0", str(step)]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    ran = subprocess.run(command, cwd=TESTS, env=environment, capture_output=True, text=True, timeout=3000, check=False)
    assert ran.returncode == 0, f"{log.read_text().strip()}\n{ran.stderr[-3000:]}"
    refused, used = map(int, ran.stdout.split())
    assert refused > 0 and used > 0


@pytest.mark.parametrize("which", [*OTHERS, "D* Lite"])
def test_some_fields(which: str, tmp_path: Path) -> None:
    tamper(which, tmp_path / "log", 31 if replan.compiled else 601)


@pytest.mark.slow
@pytest.mark.parametrize("which", [*OTHERS, *PLANNERS])
def test_all_fields(which: str, tmp_path: Path) -> None:
    tamper(which, tmp_path / "log", 1 if replan.compiled else 31)
