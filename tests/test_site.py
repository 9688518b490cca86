"""The documentation site: it builds without a warning."""

from __future__ import annotations

import importlib
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


def test_every_public_name_is_documented(monkeypatch):
    """With an example, which `test_public.py` runs."""
    monkeypatch.syspath_prepend(str(TOP / "docs"))
    pages = importlib.import_module("building.api_pages")
    assert pages.undocumented() == []
    assert pages.without_example() == []


def test_every_public_name_has_a_page(site):
    texts = {path.name: path.read_text("utf-8") for path in (site / "api").iterdir()}
    for name in replan.__all__:
        pages = [page for page, text in texts.items() if f'<h1 id="replan.{name.strip("_")}"' in text]
        assert len(pages) == 1, f"replan.{name} is on {pages}: see THEMES of docs/building/api_names.py"
