"""How fast the page draws, in a real browser without a graphics card, and how soon it shows something.

    python benchmarks/viewer.py
    python benchmarks/viewer.py --memory     # what trips take, and 40 tabs with maps of 4096 x 4096

Needs Chromium and the extra `viewer` with Playwright (pip install -e '.[test]').
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import sys
import threading
import time
from contextlib import ExitStack
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright
from websockets.sync.client import connect

from replan.viewer.page_server import PageServer
from replan.viewer.session import Session
from replan.viewer.settings import Settings
from replan.viewer.tab_memory import bytes_needed

FOUR = ("rtaa:lookahead=17", "d-star-lite", "lss-lrta:lookahead=17", "tba")
CASES = (  # what is shown, the settings, frames a second that are wanted, milliseconds that drawing may take
    ("512 x 512, four planners", Settings(rows=512, cols=512, planners=FOUR), 60, 8.0),
    ("2048 x 2048, one planner", Settings(rows=2048, cols=2048, planners=FOUR[:1]), 30, 33.0),
)
PLAY = 6000  # milliseconds


def serve(settings: Settings) -> tuple[str, PageServer]:
    """Its address, and the server, which has made the map already."""
    server = PageServer(Session(settings), "127.0.0.1", 0)
    threading.Thread(target=server.run, daemon=True).start()
    return server.url, server


def measure(browser: Any, settings: Settings) -> tuple[float, float, float]:
    """Seconds to the first picture, median milliseconds of drawing, frames a second while playing."""
    address, server = serve(settings)
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
    server.stop()
    return first, median(times), len(times) / (PLAY / 1000)


def memory_of_trips() -> None:
    """What a trip on a large map takes, each in a process of its own, beside the estimate of the server."""
    whole = "repeated-forward-a-star", "rtaa:lookahead=100000000", "d-star-lite"
    print(f"{'':<46}{'at most':>10}{'a state':>10}{'estimate':>10}")
    for side in (1400, 4096):
        for planners in (*((one,) for one in whole), FOUR):
            settings = Settings("new-maze", side, side, known="everything", planners=planners)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                taken, states = pool.apply(memory_of, (settings,))
            name = f"{side} x {side}, {planners[0] if len(planners) == 1 else 'four planners'}"
            estimate = bytes_needed(states, len(planners), side < 1448)
            print(f"{name:<46}{taken / 1e9:>7.2f} GB{taken / states:>8.0f} B{estimate / 1e9:>7.2f} GB")


def memory_of(settings: Settings) -> tuple[int, int]:
    """Bytes that a session takes at most in its first steps, and the states of its map."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    session = Session(settings)
    session.world_message()
    for _ in session.advance(3):
        pass
    return 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before), session.grid.n


def memory_of_tabs(count: int = 40) -> None:
    """Many tabs, each with a map of the largest size, one after the other."""
    with multiprocessing.get_context("spawn").Pool(1) as pool, ExitStack() as sockets:
        address, refusals = pool.apply(serve_there), []
        for _ in range(count):
            url = address.replace("http:", "ws:").replace("/?", "/watch?")
            socket = sockets.enter_context(connect(url, origin=address.partition("/?")[0], max_size=None))
            socket.send(json.dumps({"do": "begin", "settings": {"map": "new-open", "rows": 4096, "cols": 4096}}))
            while "done" not in (said := _next_words(socket)) and "error" not in said:
                pass
            refusals += [said["error"]] if "error" in said else []
        taken = pool.apply(now_taken) / 1e9
        print(f"{count} tabs: {count - len(refusals)} have a trip, the server takes {taken:.1f} GB")
        print(f"the others are told: {refusals[-1]}")
        sockets.close()
        time.sleep(1)
        print(f"all tabs closed: {pool.apply(now_taken) / 1e9:.1f} GB")


def _next_words(socket: Any) -> dict[str, Any]:
    while isinstance(message := socket.recv(), bytes):
        pass
    words: dict[str, Any] = json.loads(message)
    return words


def serve_there() -> str:
    return serve(Settings(rows=20, cols=20))[0]


def now_taken() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    if "--memory" in sys.argv:
        memory_of_tabs()
        memory_of_trips()
        return
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
