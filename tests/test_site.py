"""The documentation site: it builds without a warning, has all pages, no dead link, and needs no network."""

from __future__ import annotations

import html
import importlib
import os
import re
import shutil
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

import replan

TOP = Path(__file__).parents[1]
pytest.importorskip("zensical")
pytest.importorskip("griffe")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built once, also where tests run in several processes."""
    base = tmp_path_factory.getbasetemp()
    out = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "documentation"
    try:
        out.mkdir()
    except FileExistsError:
        while not (out / "told").exists():
            time.sleep(0.2)
    else:
        done = subprocess.run([sys.executable, TOP / "docs/build.py", out / "site"], capture_output=True, text=True)
        said = "" if done.returncode == 0 else done.stdout + done.stderr
        (out / "saying").write_text(said, encoding="utf-8")
        (out / "saying").rename(out / "told")
    assert (out / "told").read_text(encoding="utf-8") == ""
    return out / "site"


class Page(HTMLParser):
    """What a page links to, what it loads, and what can be linked to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if "src" in given:
            self.loads.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preconnect"):
            self.loads.append(given["href"])


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def test_no_link_is_dead(pages, site):
    dead = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            address, _, anchor = link.partition("#")
            if address.split(":")[0] in ("http", "https", "mailto", "data", "javascript"):
                continue
            to = (path.parent / address).resolve() if address else path
            if not to.is_file() or (anchor and to in pages and anchor not in pages[to].ids):
                dead.append(f"{path.relative_to(site)} links to {link}")
    assert dead == []


def test_nothing_is_fetched_from_elsewhere(pages, site):
    fetched = [
        (path.name, load) for path, page in pages.items() for load in page.loads if load.startswith(("http", "//"))
    ]
    assert fetched == []


def test_search_works_in_files(site):
    play = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium")
    with play.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto((site / "guides/games.html").as_uri())
        page.keyboard.press("Control+k")
        page.keyboard.type("snapshot")
        page.wait_for_selector("text=Agent.snapshot", timeout=60_000)
        browser.close()


@pytest.mark.parametrize("spec", replan.planners(), ids=lambda spec: spec.slug)
def test_every_planner_has_a_page_and_a_replay(site, spec):
    page = (site / f"planners/{spec.slug}.html").read_text(encoding="utf-8")
    assert f'src="replays/{spec.slug}.html"' in page
    assert '<script id="frames"' in (site / f"planners/replays/{spec.slug}.html").read_text(encoding="utf-8")
    assert all(f">{name}=" in page for name in spec.options)
    for example in re.findall(r"<code>(replan\.planner\(.*?\))</code>", page):
        assert eval(html.unescape(example), {"replan": replan}).spec is spec


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


def test_every_written_document_is_a_page(site, monkeypatch):
    """No guide, report or page of the course is forgotten."""
    monkeypatch.syspath_prepend(str(TOP / "docs"))
    tree = importlib.import_module("building.tree")
    shown = {source for section in tree.written().values() for source, _ in section.values()}
    there = {path.relative_to(TOP).as_posix() for path in (TOP / "docs").rglob("*.md")} - {
        "docs/course/teacher/answers.md"
    }
    assert there - shown == set()
