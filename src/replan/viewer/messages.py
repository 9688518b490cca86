"""Messages to the page: JSON and arrays of numbers in one message, the same for a live and a saved page.

A message is the length of its JSON (32 bits, little-endian), the JSON, padded with blanks to a multiple of four
bytes, and the arrays that the JSON lists under "arrays" as [name, type, length], each padded likewise. Types: "i32",
"u16", "u8", "b1" (bits, the first in the highest of a byte), and "d32", whose numbers are differences to the
preceding one, which compresses better. The page unpacks it in `page/frames.js`.

A cell is a number, row * columns + column. Costs are integers in cost units.
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
    """Return a message. arrays: type and numbers by name."""
    array_list, parts = [], []
    for name, (kind, numbers) in arrays.items():
        content = np.asarray(numbers)
        if kind == "d32":
            content = np.diff(content.astype(np.int64), prepend=0)
        array_list.append([name, kind, len(content)])
        encoded = (
            np.packbits(content != 0) if kind == "b1" else np.clip(content, -MAX_I32, MAX_I32).astype(ARRAY_TYPES[kind])
        )
        parts.append(_padded(encoded.tobytes(), b"\0"))
    header = _padded(json.dumps({**fields, "arrays": array_list}, separators=(",", ":")).encode(), b" ")
    return b"".join([struct.pack("<I", len(header)), header, *parts])


def unpack(message: bytes) -> dict[str, Any]:
    """Return the fields and arrays of a message, as the page does. For tests."""
    (size,) = struct.unpack_from("<I", message)
    fields: dict[str, Any] = json.loads(message[4 : 4 + size])
    offset = 4 + size
    for name, kind, length in fields.pop("arrays"):
        if kind == "b1":
            size = -(-length // 8)
            content = np.unpackbits(np.frombuffer(message, np.uint8, size, offset), count=length)
        else:
            size = length * ARRAY_TYPES[kind].itemsize
            content = np.frombuffer(message, ARRAY_TYPES[kind], length, offset)
        fields[name] = np.cumsum(content, dtype=np.int64) if kind == "d32" else content
        offset += -(-size // 4) * 4
    return fields


def _padded(content: bytes, with_: bytes) -> bytes:
    return content + with_ * (-len(content) % 4)


class PageCells:
    """Conversion of states to the numbers of cells on the page, which count row by row."""

    def __init__(self, plane: CellLayout) -> None:
        self.plane = plane

    def cells_of(self, states: Any) -> np.ndarray[Any, Any]:
        numbers: np.ndarray[Any, Any] = self.plane.cells_of(states) @ (self.plane.cols, 1)
        return numbers

    def cell_of(self, state: int) -> int:
        return -1 if state < 0 else int(self.cells_of([state])[0])


def world_message(stories: Sequence[Story], settings: Mapping[str, Any], note: str = "") -> bytes:
    """Return the first message: the map and the initial belief of all stories. note: text for the user."""
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
    """Return what the page shows about a planner."""
    return {"name": story.planner_name, "recipe": story.recipe, "most": story.max_expansions}


class StoryEncoder:
    """Encodes the steps of one story as messages, in order. story_index: number of the story on the page.

    with_expansions: include the expanded states. with_values: include g, h and rhs, if the story records them.
    """

    def __init__(self, story_index: int, story: Story, with_expansions: bool = True, with_values: bool = True) -> None:
        plane = require_layout(story.space, "a story")
        self.story_index, self.story, self.with_expansions, self.cells = (
            story_index,
            story,
            with_expansions,
            PageCells(plane),
        )
        self.search_values = SearchValues(story.space, story.array_names if with_expansions and with_values else {})
        self.encoded_count = 0  # steps

    def encode_next(self, tick: int) -> bytes:
        """Return the message of the next step, which the page shows at this tick."""
        step, value_arrays = self.story[self.encoded_count], {}
        if step.episode is not None and self.search_values.has_g:
            value_arrays = self.search_values.encode_episode(
                step, self.story.array_changes(self.encoded_count), self.cells
            )
        self.encoded_count += 1
        return step_message(self.story_index, tick, self.cells, step, self.with_expansions, value_arrays)


def step_message(
    story_index: int, tick: int, cells: PageCells, step: StoryStep, with_expansions: bool, value_arrays: Arrays
) -> bytes:
    """Return the message of one step of one story. value_arrays: from `SearchValues.encode_episode`."""
    counts, episode = step.counts, step.episode
    fields: dict[str, Any] = {
        "kind": "moment",
        "who": story_index,
        "tick": tick,
        "cause": step.cause,
        "step": step.time,
        "at": cells.cell_of(step.state),
        "target": cells.cell_of(step.target),
        "goal": cells.cells_of(step.goals[:16]).tolist(),
        "counts": [counts.moves, counts.episodes, counts.expansions, counts.cost, counts.search_ns],
        "why": step.why,
    }
    arrays: dict[str, tuple[str, Any]] = {}
    for name, (locations, new_values) in (("believed", step.belief_changes), ("changed", step.truth_changes)):
        if len(locations):
            arrays[name] = "d32", cells.cells_of(locations)
            arrays[f"{name}_to"] = "u16", np.minimum(new_values, 65_535)
    if len(step.path):
        arrays["path"] = "d32", cells.cells_of(step.path)
    if len(step.newly_seen):
        arrays["seen"] = "d32", cells.cells_of(step.newly_seen)
    if episode is not None:
        fields["episode"] = [
            episode.expansions,
            episode.key_updates,
            episode.ns,
            episode.max_expansions,
            episode.status,
        ]
        if with_expansions:
            arrays["order"] = "d32", cells.cells_of(episode.expanded_states)
            if episode.kinds is not None:
                arrays["kinds"] = "u8", episode.kinds
            arrays.update(value_arrays)
    return pack(fields, arrays)


def file_message(name: str, content: bytes) -> bytes:
    """Message with a file that the page offers for download."""
    return pack({"kind": "file", "name": name}, {"content": ("u8", np.frombuffer(content, np.uint8))})
