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

from replan.simulation.story import Story
from replan.viewer.playback import Playback
from replan.viewer.session import Session

PAGE_FOLDER = files(__package__) / "page"
# of the page, each after those that it imports
PAGE_MODULES = (
    *("frames", "sources", "model", "colors", "paint", "charts", "panes"),
    *("controls", "gif", "hands", "share", "main"),
)
MAX_BYTES = 900_000  # of frames in a page, as text
MAX_BYTES_TEXT = "a megabyte"
OMISSION_LEVELS = (  # what the page says, whether it has the expansions, and the numbers
    ("", True, True),
    (f"g, h and raised states are left out: with them this page would be larger than {MAX_BYTES_TEXT}.", True, False),
    (f"What was expanded is left out: with it this page would be larger than {MAX_BYTES_TEXT}.", False, False),
)
_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def make_page(stories: Sequence[Story], step: Callable[[str], None] = lambda word: None) -> str:
    """The page that plays these stories, of trips on the same map, side by side. step: called every now and then.

    g, h and raised states are in it where the stories were told with `arrays=True`.
    """
    return page_within_limit(Playback(stories), step)


def page_within_limit(played: Session | Playback, step: Callable[[str], None] = lambda word: None) -> str:
    """The page of all that happens there, with as much as fits."""
    played.run_to_end(step)
    text: str | None = None
    for note, shown, numbers in OMISSION_LEVELS:
        most = None if note == OMISSION_LEVELS[-1][0] else MAX_BYTES
        text = _encode_messages(played.messages(shown, numbers, note), most, step)
        if text is not None:
            break
    assert text is not None
    return _assemble_page(text)


def _encode_messages(frames: Iterable[bytes], most: int | None, step: Callable[[str], None]) -> str | None:
    """Frames, deflated, as text; None if that is longer than it may be."""
    packer, parts, size = zlib.compressobj(9), [], 0
    for number, frame in enumerate(frames):
        parts.append(packer.compress(struct.pack("<I", len(frame)) + frame))
        size += len(parts[-1])
        if most is not None and size * 4 / 3 > most:
            return None
        if number % 256 == 0:
            step(f"frame {number:,}")
    text = base64.b64encode(b"".join([*parts, packer.flush()])).decode()
    return text if most is None or len(text) <= most else None


def _assemble_page(frames: str) -> str:
    page = (PAGE_FOLDER / "index.html").read_text(encoding="utf-8")
    style = (PAGE_FOLDER / "style.css").read_text(encoding="utf-8")
    modules = [(PAGE_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in PAGE_MODULES]
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    icon = base64.b64encode((PAGE_FOLDER / "icon.svg").read_bytes()).decode()
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


def page_in_iframe(page: str) -> str:
    """A page as a part of another one, such as a notebook."""
    content = page.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{content}" width="100%" height="640" style="border: 0" title="A trip, played"></iframe>'
