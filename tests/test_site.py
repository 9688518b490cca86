"""The documentation site: it builds without a warning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import replan

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


@pytest.mark.parametrize("spec", replan.planners(), ids=lambda spec: spec.slug)
def test_every_planner_has_a_page_and_a_replay(site, spec):
    page = (site / f"planners/{spec.slug}.html").read_text(encoding="utf-8")
    assert f'src="replays/{spec.slug}.html"' in page
    assert '<script id="frames"' in (site / f"planners/replays/{spec.slug}.html").read_text(encoding="utf-8")
    assert all(f">{name}=" in page for name in spec.options)
