"""How fast the page draws, in a real browser without a graphics card, and how soon it shows something.

    python benchmarks/viewer.py

Needs Chromium and the extra `viewer` with Playwright (pip install -e '.[test]').
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from statistics import median
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright

from replan.viewer.server import make_app
from replan.viewer.session import Session
from replan.viewer.settings import Settings

FOUR = ("rtaa:lookahead=17", "d-star-lite", "lss-lrta:lookahead=17", "tba")
CASES = (  # what is shown, the settings, frames a second that are wanted, milliseconds that drawing may take
    ("512 x 512, four planners", Settings(rows=512, cols=512, planners=FOUR), 60, 8.0),
    ("2048 x 2048, one planner", Settings(rows=2048, cols=2048, planners=FOUR[:1]), 30, 33.0),
)
PLAY = 6000  # milliseconds


def serve(settings: Settings) -> tuple[str, uvicorn.Server]:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    app = make_app(settings, frozenset({host}))
    config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", lifespan="off")
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return f"http://{host}/", server


def measure(browser: Any, settings: Settings) -> tuple[float, float, float]:
    """Seconds to the first picture, median milliseconds of drawing, frames a second while playing."""
    # as `replan view` does: the map is made before it says its address
    address, server = serve(Session(settings).settings)
    page = browser.new_page(viewport={"width": 1600, "height": 1000})
    start = time.perf_counter()
    page.goto(address)
    while not page.evaluate("window.replan && replan.times.length > 0"):
        time.sleep(0.01)
    first = time.perf_counter() - start
    page.evaluate("document.getElementById('speed-of-play').value = 6")
    page.evaluate("replan.play(true)")
    page.wait_for_timeout(1000)
    page.evaluate("replan.times.length = 0")
    page.wait_for_timeout(PLAY)
    times = page.evaluate("replan.times")
    page.close()
    server.should_exit = True
    return first, median(times), len(times) / (PLAY / 1000)


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    print(f"{'':<28}{'first picture':>15}{'draw, median':>15}{'wanted':>10}{'frames a s':>12}")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, settings, _, allowed in CASES:
            first, draw, rate = measure(browser, settings)
            print(f"{name:<28}{first:>13.2f} s{draw:>12.1f} ms{allowed:>7.0f} ms{rate:>12.0f}")
        browser.close()


if __name__ == "__main__":
    main()
