"""A real browser and a real server, for the page. Without Chromium these tests are skipped, and say so."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from replan.viewer.session import Session
from replan.viewer.settings import Settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


class Server(threading.Thread):
    """The viewer on a port of this machine, as `replan view` serves it, as long as a test needs it."""

    def __init__(self, settings: Settings) -> None:
        from replan.viewer.page_server import PageServer

        super().__init__(daemon=True)
        self.page_server = PageServer(Session(settings), "127.0.0.1", 0)
        self.address = self.page_server.url

    def run(self) -> None:
        self.page_server.run()

    def end(self) -> None:
        self.page_server.stop()
        self.join(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Settings], Server]]:
    """Starts servers, which end with the tests."""
    started: list[Server] = []

    def start(settings: Settings) -> Server:
        started.append(Server(settings))
        started[-1].start()
        return started[-1]

    yield start
    for server in started:
        server.end()


@pytest.fixture(scope="session")
def address(serve) -> str:
    return serve(Settings(rows=40, cols=50, seed=4, planners=("rtaa:lookahead=9",))).address


@pytest.fixture
def page(browser, address) -> Iterator[Any]:
    """A page that has been opened; at the end nothing may have been said on its console."""
    # the page forbids to evaluate text, which is how Playwright waits; test_page has one test with that in force
    context = browser.new_context(
        viewport={"width": 1300, "height": 850}, reduced_motion="reduce", accept_downloads=True, bypass_csp=True
    )
    opened = context.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.goto(address)
    opened.wait_for_function("window.replan && replan.model && replan.model.tracks[0].frame")
    yield opened
    context.close()
    assert said == []
