"""One self-contained page that plays stories without server or network.

The modules of the page are put one after the other into one script, and the frames into the page as deflated text. What
a page would need more than `MOST_BYTES` for is left out, the largest things first: the numbers beside the states, then
the expansions; the page says so.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from typing import Any

from replan.errors import InputError
from replan.simulation.story import Story
from replan.simulation.watching import Watched
from replan.spaces.grid import Grid
from replan.viewer.frames import moment_frame, world_frame
from replan.viewer.values import Values

PAGE = files(__package__) / "page"
# of the page, each after those that it imports
MODULES = ("frames", "sources", "model", "colors", "paint", "charts", "panes", "controls", "main")
MOST_BYTES = 900_000  # of frames in a page, as text
LEFT_OUT = (  # what the page says, whether it has the expansions, and the numbers
    ("", True, True),
    ("To keep this page small, g, h and raised states are left out.", True, False),
    ("To keep this page small, what the searches expanded is left out.", False, False),
)
_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def page_of(stories: Sequence[Story]) -> str:
    """The page that plays these stories, of trips on the same map, side by side.

    g, h and raised states are in it where the stories were told with `arrays=True`.
    """
    if not stories or not all(isinstance(story.space, Grid) for story in stories):
        raise InputError("a page can show stories that take place on grids")
    if len({story.space.shape for story in stories if isinstance(story.space, Grid)}) > 1:
        raise InputError("the stories of a page take place on maps of one size")
    for story in stories:
        if isinstance(story, Watched):
            story.finish()
    return smallest_page(lambda shown, numbers, note: frames_of(stories, shown, numbers, note))


def smallest_page(told: Callable[[bool, bool, str], Iterable[bytes]]) -> str:
    """The page with as much as fits. told: makes the frames, with expansions or not, with numbers or not."""
    text = ""
    for note, shown, numbers in LEFT_OUT:
        text = _as_text(told(shown, numbers, note))
        if len(text) <= MOST_BYTES:
            break
    return _page(text)


def frames_of(stories: Sequence[Story], shown: bool, numbers: bool, note: str = "") -> Iterable[bytes]:
    """The frames of stories that have been told. shown: with their expansions. numbers: with g and h."""
    yield world_frame(stories, {"map": "", "planners": [], "edits": []}, note)
    for who, story in enumerate(stories):
        grid = story.space
        assert isinstance(grid, Grid)
        values = Values(grid, shown, numbers)
        for moment in story:
            shot = moment.episode.arrays if moment.episode is not None and numbers else None
            yield moment_frame(who, moment.number, grid, moment, values, shot)


def _as_text(frames: Iterable[bytes]) -> str:
    packer = zlib.compressobj(9)
    parts = [packer.compress(struct.pack("<I", len(frame)) + frame) for frame in frames]
    return base64.b64encode(b"".join([*parts, packer.flush()])).decode()


def _page(frames: str) -> str:
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    style = (PAGE / "style.css").read_text(encoding="utf-8")
    modules = [(PAGE / f"{name}.js").read_text(encoding="utf-8") for name in MODULES]
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    icon = base64.b64encode((PAGE / "icon.svg").read_bytes()).decode()
    for old, new in (
        ('<link rel="icon" href="page/icon.svg">', f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">'),
        ('<link rel="stylesheet" href="page/style.css">', f"<style>\n{style}</style>"),
        (
            '<script type="module" src="page/main.js"></script>',
            f'<script id="frames" type="text/plain">{frames}</script>\n<script type="module">\n{script}</script>',
        ),
    ):
        assert old in page
        page = page.replace(old, new)
    return page


def show_in_notebook(story: Any) -> str:
    """A story as a notebook shows it: its page in a frame."""
    content = page_of([story]).replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{content}" width="100%" height="640" style="border: 0" title="A trip, played"></iframe>'
