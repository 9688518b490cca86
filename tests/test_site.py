"""The documentation site: it builds without a warning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
pytest.importorskip("zensical")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("documentation") / "site"
    done = subprocess.run([sys.executable, TOP / "docs/build.py", out], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_it_builds_without_warnings(site):
    assert (site / "index.html").exists()
