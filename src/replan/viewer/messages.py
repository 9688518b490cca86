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

from replan.simulation.steps import StoryStep
from replan.simulation.story import Story
from replan.simulation.story_pictures import require_layout
from replan.spaces.cell_layout import CellLayout
from replan.viewer.search_values import SearchValues

MAX_I32 = 2**31 - 1
ARRAY_TYPES: dict[str, np.dtype[Any]] = {
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
        small = np.packbits(content != 0) if kind == "b1" else np.clip(content, -MAX_I32, MAX_I32).astype(ARRAY_TYPES[kind])
        parts.append(_padded(small.tobytes(), b"\0"))
    head = _padded(json.dumps({**fields, "arrays": listed}, separators=(",", ":")).encode(), b" ")
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
            size = length * ARRAY_TYPES[kind].itemsize
            content = np.frombuffer(message, ARRAY_TYPES[kind], length, at)
        fields[name] = np.cumsum(content, dtype=np.int64) if kind == "d32" else content
        at += -(-size // 4) * 4
    return fields


def _padded(content: bytes, with_: bytes) -> bytes:
    return content + with_ * (-len(content) % 4)


class PageCells:
    """From states to the numbers of cells on the page, which count row by row."""

    def __init__(self, plane: CellLayout) -> None:
        self.plane = plane

    def cells_of(self, states: Any) -> np.ndarray[Any, Any]:
        numbers: np.ndarray[Any, Any] = self.plane.cells_of(states) @ (self.plane.cols, 1)
        return numbers

    def cell_of(self, state: int) -> int:
        return -1 if state < 0 else int(self.cells_of([state])[0])


def world_message(stories: Sequence[Story], settings: Mapping[str, Any], note: str = "") -> bytes:
    """What all stories of a session have in common: the map, and what the agents believe at first. note: for people."""
    story = stories[0]
    grid = require_layout(story.space, "a story")
    fields = {
        "kind": "world",
        "rows": grid.rows,
        "cols": grid.cols,
        "neighbors": grid.neighbors,
        "unit": grid.units_per_step,
        "start": PageCells(grid).cell_of(grid.state(story.start)),
        "planners": [planner_fields(story) for story in stories],
        "sensor": "everything" if story.is_fully_known else story.sensor,
        "settings": settings,
        "note": note,
    }
    terrain: dict[str, tuple[str, Any]] = {}
    for name, values in (("truth", story.initial_truth), ("belief", story.initial_belief)):
        terrain[name] = ("b1" if values.max() <= 1 else "u16"), grid.to_map_shape(values).ravel()
    if grid.walls_between is not None:
        terrain["walls"] = "u8", grid.walls_between.ravel()
    return pack(fields, terrain)


def planner_fields(story: Story) -> dict[str, Any]:
    """What the page says of a planner."""
    return {"name": story.planner_name, "recipe": story.recipe, "most": story.max_expansions}


class StoryEncoder:
    """Makes the messages of one story, one moment after the other. who: which of the stories on the page.

    shown: with what the searches expanded. numbers: with what the planner has beside its states, if the story keeps it.
    """

    def __init__(self, story_index: int, story: Story, with_expansions: bool = True, with_values: bool = True) -> None:
        plane = require_layout(story.space, "a story")
        self.story_index, self.story, self.with_expansions, self.cells = story_index, story, with_expansions, PageCells(plane)
        self.search_values = SearchValues(story.space, story.array_names if with_expansions and with_values else {})
        self.encoded_count = 0  # moments

    def encode_next(self, tick: int) -> bytes:
        """The next moment, which is shown at this tick."""
        moment, beside = self.story[self.encoded_count], {}
        if moment.episode is not None and self.search_values.has_g:
            beside = self.search_values.encode_episode(moment, self.story.array_changes(self.encoded_count), self.cells)
        self.encoded_count += 1
        return step_message(self.story_index, tick, self.cells, moment, self.with_expansions, beside)


def step_message(story_index: int, tick: int, cells: PageCells, moment: StoryStep, with_expansions: bool, value_arrays: Arrays) -> bytes:
    """One moment of one story. shown: with what was expanded. beside: what `Values` tells of it."""
    counts, episode = moment.counts, moment.episode
    fields: dict[str, Any] = {
        "kind": "moment",
        "who": story_index,
        "tick": tick,
        "cause": moment.cause,
        "step": moment.time,
        "at": cells.cell_of(moment.state),
        "target": cells.cell_of(moment.target),
        "goal": cells.cells_of(moment.goals[:16]).tolist(),
        "counts": [counts.moves, counts.episodes, counts.expansions, counts.cost, counts.search_ns],
        "why": moment.why,
    }
    arrays: dict[str, tuple[str, Any]] = {}
    for name, (places, new) in (("believed", moment.belief_changes), ("changed", moment.truth_changes)):
        if len(places):
            arrays[name] = "d32", cells.cells_of(places)
            arrays[f"{name}_to"] = "u16", np.minimum(new, 65_535)
    if len(moment.path):
        arrays["path"] = "d32", cells.cells_of(moment.path)
    if len(moment.newly_seen):
        arrays["seen"] = "d32", cells.cells_of(moment.newly_seen)
    if episode is not None:
        fields["episode"] = [episode.expansions, episode.key_updates, episode.ns, episode.max_expansions, episode.status]
        if with_expansions:
            arrays["order"] = "d32", cells.cells_of(episode.expanded_states)
            if episode.kinds is not None:
                arrays["kinds"] = "u8", episode.kinds
            arrays.update(value_arrays)
    return pack(fields, arrays)


def file_message(name: str, content: bytes) -> bytes:
    """A file for whoever sits at the page."""
    return pack({"kind": "file", "name": name}, {"content": ("u8", np.frombuffer(content, np.uint8))})
