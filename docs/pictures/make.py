"""Makes the pictures of the README again: the animation, and screenshots of the page in a browser.

    python docs/pictures/make.py          # needs Chromium and pip install -e '.[test]'
"""

from __future__ import annotations

import shutil
import sys
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))

import replan  # noqa: E402
from replan.viewer.settings import Settings  # noqa: E402
from viewer import serve  # noqa: E402

CAVE = Settings(rows=58, cols=64, seed=6, planners=("rtaa:lookahead=33", "d-star-lite"), sensor="3")
MAZE = Settings(map="new-maze", rows=25, cols=41, seed=4, neighbors=4, planners=("lss-lrta:lookahead=12",))
PICTURES = (  # name, settings, how many moves, how close; each is made light and dark
    ("cave", CAVE, 42, 0),
    ("close-up", MAZE, 45, 3),
)


def make_animation() -> None:
    """A trip on which D* Lite must turn back."""
    fog = replan.World(replan.Grid(replan.cave(30, 64, seed=4)), sensor=replan.Radius(4), known="nothing")
    replan.watch(fog, "D* Lite", (15, 0), (10, 63)).gif(HERE / "trip.gif")


def main() -> None:
    make_animation()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for (name, settings, moves, closer), scheme in product(PICTURES, ("light", "dark")):
            address, server = serve(settings)
            page = browser.new_page(
                viewport={"width": 1360, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
            )
            page.goto(address)
            page.wait_for_timeout(1500)
            for _ in range(moves):
                page.keyboard.press("n")
                page.wait_for_timeout(25)
            page.keyboard.press("e")
            for _ in range(closer):
                page.keyboard.press("+")
            page.wait_for_timeout(500)
            page.screenshot(path=HERE / f"{name}-{scheme}.png")
            page.close()
            server.should_exit = True
        browser.close()


if __name__ == "__main__":
    main()
