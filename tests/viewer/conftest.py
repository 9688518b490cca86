"""A real browser and a real server, for the page. Without Chromium these tests are skipped, and say so."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

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
    """The viewer on a port of this machine, as long as a test needs it."""

    def __init__(self, settings: Settings) -> None:
        import uvicorn

        from replan.viewer.server import make_app

        super().__init__(daemon=True)
        self.listening = socket.socket()
        self.listening.bind(("127.0.0.1", 0))
        self.listening.listen()  # who comes before the server runs has to wait, and is not refused
        port = self.listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/"
        app = make_app(settings, frozenset({f"127.0.0.1:{port}"}))
        config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", lifespan="off", ws_max_size=10**8)
        self.server = uvicorn.Server(config)

    def run(self) -> None:
        self.server.run(sockets=[self.listening])

    def end(self) -> None:
        self.server.should_exit = True
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
def address() -> Iterator[str]:
    server = Server(Settings(rows=40, cols=50, seed=4, planners=("rtaa:lookahead=9",)))
    server.start()
    yield server.address
    server.end()


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
