"""What is sent to the page: a line of JSON and arrays of numbers in one message, the same live and in a saved page.

A message is the length of its JSON (32 bits, little-endian), the JSON, filled up with blanks to a multiple of four
bytes, and the arrays that the JSON lists under "arrays" as [name, type, length], each filled up likewise. Types: "i32",
"u16", "u8", "b1" (bits, the first in the highest of a byte), and "d32", whose numbers are differences to the one
before, which deflates better. The page unpacks it in `page/frames.js`.

PageCells are numbers, row * columns + column; costs are ticks.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from replan.simulation.moments import Moment
from replan.simulation.showing import plane_of
from replan.simulation.story import Story
from replan.spaces.plane import Plane
from replan.viewer.values import Values

LARGEST = 2**31 - 1
TYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(kind) for name, kind in (("i32", "<i4"), ("d32", "<i4"), ("u16", "<u2"), ("u8", "u1"))
}
Arrays = Mapping[str, tuple[str, Any]]


def pack(fields: Mapping[str, Any], arrays: Arrays) -> bytes:
    """A message. arrays: by name, the type and the numbers."""
    listed, parts = [], []
    for name, (kind, numbers) in arrays.items():
        content = np.asarray(numbers)
        if kind == "d32":
            content = np.diff(content.astype(np.int64), prepend=0)
        listed.append([name, kind, len(content)])
        small = np.packbits(content != 0) if kind == "b1" else np.clip(content, -LARGEST, LARGEST).astype(TYPES[kind])
        parts.append(_filled(small.tobytes(), b"\0"))
    head = _filled(json.dumps({**fields, "arrays": listed}, separators=(",", ":")).encode(), b" ")
    return b"".join([struct.pack("<I", len(head)), head, *parts])


def unpack(message: bytes) -> dict[str, Any]:
    """The fields of a message, and its arrays among them: what the page does, for tests."""
    (size,) = struct.unpack_from("<I", message)
    fields: dict[str, Any] = json.loads(message[4 : 4 + size])
    at = 4 + size
    for name, kind, length in fields.pop("arrays"):
        if kind == "b1":
            size = -(-length // 8)
            content = np.unpackbits(np.frombuffer(message, np.uint8, size, at), count=length)
        else:
            size = length * TYPES[kind].itemsize
            content = np.frombuffer(message, TYPES[kind], length, at)
        fields[name] = np.cumsum(content, dtype=np.int64) if kind == "d32" else content
        at += -(-size // 4) * 4
    return fields


def _filled(content: bytes, with_: bytes) -> bytes:
    return content + with_ * (-len(content) % 4)


class PageCells:
    """From states to the numbers of cells on the page, which count row by row."""

    def __init__(self, plane: Plane) -> None:
        self.plane = plane

    def of(self, states: Any) -> np.ndarray[Any, Any]:
        numbers: np.ndarray[Any, Any] = self.plane.cells_of(states) @ (self.plane.cols, 1)
        return numbers

    def one(self, state: int) -> int:
        return -1 if state < 0 else int(self.of([state])[0])


def world_frame(stories: Sequence[Story], settings: Mapping[str, Any], note: str = "") -> bytes:
    """What all stories of a session have in common: the map, and what the agents believe at first. note: for people."""
    story = stories[0]
    grid = plane_of(story.space, "a story")
    fields = {
        "kind": "world",
        "rows": grid.rows,
        "cols": grid.cols,
        "neighbors": grid.neighbors,
        "unit": grid.unit,
        "start": PageCells(grid).one(grid.state(story.start)),
        "planners": [about(story) for story in stories],
        "sensor": "everything" if story.all_seen else story.sensor,
        "settings": settings,
        "note": note,
    }
    terrain: dict[str, tuple[str, Any]] = {}
    for name, values in (("truth", story.first_truth), ("belief", story.first_belief)):
        terrain[name] = ("b1" if values.max() <= 1 else "u16"), grid.array(values).ravel()
    if grid.walls_between is not None:
        terrain["walls"] = "u8", grid.walls_between.ravel()
    return pack(fields, terrain)


def about(story: Story) -> dict[str, Any]:
    """What the page says of a planner."""
    return {"name": story.planner_name, "recipe": story.recipe, "most": story.most_expansions}


class Teller:
    """Makes the messages of one story, one moment after the other. who: which of the stories on the page.

    shown: with what the searches expanded. numbers: with what the planner has beside its states, if the story keeps it.
    """

    def __init__(self, who: int, story: Story, shown: bool = True, numbers: bool = True) -> None:
        plane = plane_of(story.space, "a story")
        self.who, self.story, self.shown, self.cells = who, story, shown, PageCells(plane)
        self.values = Values(story.space, story.names if shown and numbers else {})
        self.told = 0  # moments

    def next(self, tick: int) -> bytes:
        """The next moment, which is shown at this tick."""
        moment, beside = self.story[self.told], {}
        if moment.episode is not None and self.values.named:
            beside = self.values.after(moment, self.story.array_changes(self.told), self.cells)
        self.told += 1
        return moment_frame(self.who, tick, self.cells, moment, self.shown, beside)


def moment_frame(who: int, tick: int, cells: PageCells, moment: Moment, shown: bool, beside: Arrays) -> bytes:
    """One moment of one story. shown: with what was expanded. beside: what `Values` tells of it."""
    counts, episode = moment.counts, moment.episode
    fields: dict[str, Any] = {
        "kind": "moment",
        "who": who,
        "tick": tick,
        "cause": moment.cause,
        "step": moment.step,
        "at": cells.one(moment.state),
        "target": cells.one(moment.target),
        "goal": cells.of(moment.goals[:16]).tolist(),
        "counts": [counts.moves, counts.episodes, counts.expansions, counts.cost, counts.search_ns],
        "why": moment.why,
    }
    arrays: dict[str, tuple[str, Any]] = {}
    for name, (places, new) in (("believed", moment.believed), ("changed", moment.changed)):
        if len(places):
            arrays[name] = "d32", cells.of(places)
            arrays[f"{name}_to"] = "u16", np.minimum(new, 65_535)
    if len(moment.path):
        arrays["path"] = "d32", cells.of(moment.path)
    if len(moment.seen):
        arrays["seen"] = "d32", cells.of(moment.seen)
    if episode is not None:
        fields["episode"] = [episode.expansions, episode.refreshes, episode.ns, episode.most_expansions, episode.answer]
        if shown:
            arrays["order"] = "d32", cells.of(episode.order)
            if episode.kinds is not None:
                arrays["kinds"] = "u8", episode.kinds
            arrays.update(beside)
    return pack(fields, arrays)


def file_frame(name: str, content: bytes) -> bytes:
    """A file for whoever sits at the page."""
    return pack({"kind": "file", "name": name}, {"content": ("u8", np.frombuffer(content, np.uint8))})
