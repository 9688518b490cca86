"""Story: a trip step by step, in memory or in a file.

`watching.py` creates stories while a trip runs. `story_file.py` and `record_columns.py` define the file.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from replan.atomic_write import write_stream
from replan.errors import InputError
from replan.limits import INF
from replan.locking import CallLock, read_locked
from replan.simulation.array_tracker import empty_array
from replan.simulation.record_columns import KEYFRAME_OF_DELTA, Part, read_keyframe
from replan.simulation.space_files import check_writable, load_space
from replan.simulation.steps import Array, StoryStep
from replan.simulation.story_file import StoryFile
from replan.simulation.trip import Trip, load_trip, max_trip_items, trip_columns
from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.drawings.text import Drawing

CACHED_PARTS, CACHED_ITEMS = 8, 2**22  # limits of the parts that are kept after they were read


class Story:
    """A trip, step by step: `replan.watch` creates stories, `Story.load` reads them.

    `story[i]` is step i, a `replan.simulation.steps.StoryStep`; `len(story)` is the number of steps.

    Parameters
    ----------
    file
        The blocks of the story.
    space
        The space, as it was at first.

    Notes
    -----
    Attributes to read: `space`; `planner_name`, `recipe` and `max_expansions` (limit of a search, None for no limit) of
    the planner; `sensor`, in words; `start`, the cell; `trials`, the number of trials; `trips`, those that have ended;
    `array_names`, the recorded arrays of the planner; `is_fully_known`, True if the agent knows all from the start.

    `belief(i)`, `truth(i)`, `seen(i)` and `arrays(i)` take about the same time for every step. A file may be as long as
    the disk allows: only what is asked for is read. A story serves one thread at a time.

    Examples
    --------
    >>> import numpy as np, replan
    >>> maze = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> story = replan.watch(replan.World(replan.Grid(maze, neighbors=4)), "Repeated Forward A*", (0, 0), (0, 2))
    >>> for step in story:
    ...     cell, path = story.space.key(step.state), story.space.keys(step.path)
    ...     print(step.time, cell, len(path), step.episode.expansions if step.episode else "-")
    0 (0, 0) 4 4
    1 (1, 0) 5 6
    2 (2, 0) 4 -
    3 (2, 1) 3 -
    4 (2, 2) 2 -
    5 (1, 2) 1 -
    6 (0, 2) 0 -
    >>> story.trip.why, story.trip.moves
    ('reached', 6)
    >>> (story.space.to_map_shape(story.belief(0)) == 0).astype(int).tolist()  # believed blocked at first
    [[0, 1, 0], [0, 0, 0], [0, 0, 0]]

    More of it, and a story in a file:

    >>> import tempfile
    >>> story.index_of(-1), story.has_ended, story.space.keys(story.states())[:3]
    (6, True, [(0, 0), (1, 0), (2, 0)])
    >>> bool(story.seen(0).any()), bool((story.truth() == story.initial_truth).all())
    (True, True)
    >>> bool((story.belief() == story.initial_belief).all())
    False
    >>> story.last_search_step().time, story.arrays() is None, story.array_changes()
    (1, True, {})
    >>> print(story.draw(0))
    ┌──────┐
    │SS##GG│
    │..    │
    │      │
    └──────┘
    blank not seen, . seen free, # seen blocked, o path, S start, G goal
    >>> len(story.to_html()) > 10_000
    True
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     story.save(f"{folder}/trip.replan")
    ...     story.gif(f"{folder}/trip.gif")
    ...     again = replan.Story.load(f"{folder}/trip.replan")
    ...     print(again.trip.moves, len(again))
    ...     again.close()
    6 7
    >>> replan.Story.from_bytes(story.to_bytes()).trip.moves
    6
    """

    def __init__(self, file: StoryFile, space: Space) -> None:
        metadata = file.head.metadata
        self._file, self.space = file, space
        self.planner_name: str = metadata["planner"]
        self.recipe: str = metadata["recipe"]
        self.sensor: str = metadata["sensor"]
        self.max_expansions: int | None = metadata["lookahead"] or None
        self.start: Any = space.key(metadata["start"])
        self.trials: int = metadata["trials"]
        self.array_names: dict[str, str] = metadata["arrays"]  # "bool" or "int"
        self.is_fully_known: bool = metadata["all_seen"]
        self.trips: list[Trip] = []
        self._calls = CallLock("another thread reads or continues this story: a story serves one thread at a time")
        self._pending: Part | None = None
        self._parts: dict[int, Part] = {}
        self._latest_values: dict[str, tuple[int, Array]] = {}

    @classmethod
    def load(cls, path: str | Path) -> Story:
        """Read a story from its file.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Story
            The story. If the trip was interrupted, it has the steps that were written, and its `trip` is None.

        Raises
        ------
        InputError
            If the file cannot be read. The message has its name and what is wrong in it.
        """
        return cls._from_file(StoryFile.open(Path(path)))

    @classmethod
    def from_bytes(cls, content: bytes, name: str = "the story") -> Story:
        """Read a story from the content of a file.

        Parameters
        ----------
        content
            The content, as from `to_bytes`.
        name
            Name of the content in error messages.

        Returns
        -------
        Story
            The story.

        Raises
        ------
        InputError
            If the content is damaged.
        """
        return cls._from_file(StoryFile.read_from(io.BytesIO(content), name, len(content)))

    @classmethod
    def _from_file(cls, file: StoryFile) -> Story:
        """Return the story in an open file, checked."""
        space = load_space(file.head)
        _check_head(file, space)
        if not file.parts:
            raise file.error("has no step: the trip was interrupted before it began")
        story = Story(file, space)
        if file.end_block is not None:
            count = _trip_count(file)
            file.end_block.check_length(max_trip_items(file.step_count, count) + 4 * len(file.parts))
            story.trips = [load_trip(file.end_block, i, story.space) for i in range(count)]
        return story

    # Steps.

    def __len__(self) -> int:
        unwritten = self._unwritten_part()
        return self._file.step_count + (0 if unwritten is None else unwritten.count)

    def __getitem__(self, i: int) -> StoryStep:
        step_index = self.index_of(i)
        return self._part(self._part_index(step_index)).step(step_index, lambda: self.arrays(step_index))

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """Hold the story for one thread; see `replan/locking.py`."""
        return self._calls.hold(self)

    def _unwritten_part(self) -> Part | None:
        """Return the steps that are in no part of the file yet, None if there are none."""
        return None

    def __iter__(self) -> Iterator[StoryStep]:
        return (self[i] for i in range(len(self)))

    def index_of(self, i: int) -> int:
        """Return the index of a step, counted from the first one.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        int
            The index, from 0.

        Raises
        ------
        IndexError
            If there is no such step.
        InputError
            If `i` is no whole number.
        """
        try:
            return range(len(self))[index(i)]
        except TypeError:
            raise InputError(f"steps are numbered from 0 to {len(self) - 1}; {i!r} is no whole number") from None
        except IndexError:
            range_text = f"they go from 0 to {len(self) - 1}" if len(self) else "none yet; finish() makes all of them"
            raise IndexError(f"there is no step {i}: {range_text}") from None

    @property
    def has_ended(self) -> bool:
        """True if the trip, with all its trials, has ended."""
        return len(self.trips) == self.trials

    @property
    def trip(self) -> Trip | None:
        """The Trip, of several trials the last one; None if it has not ended."""
        return self.trips[-1] if self.has_ended else None

    # Belief, truth and arrays at a step.

    @property
    def initial_belief(self) -> Array:
        """Value of each location in the belief of the agent, before it sensed anything."""
        return read_keyframe(self._file.head, "belief", self.space.n_locations)

    @property
    def initial_truth(self) -> Array:
        """True value of each location when the agent started."""
        return read_keyframe(self._file.head, "truth", self.space.n_locations)

    def belief(self, i: int = -1) -> Array:
        """Return what the agent believes at a step.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        ndarray
            Value of each location.
        """
        return self._location_values("believed", self.index_of(i) + 1)

    def truth(self, i: int = -1) -> Array:
        """Return the true terrain at a step.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        ndarray
            Value of each location.
        """
        return self._location_values("changed", self.index_of(i) + 1)

    def seen(self, i: int = -1) -> Array:
        """Return what the agent has seen up to a step.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        ndarray
            For each location, True if it has been in view at this step or before.
        """
        return self._location_values("seen", self.index_of(i) + 1)

    def arrays(self, i: int = -1) -> dict[str, Array] | None:
        """Return the planner's values at a step, those of its last search.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        dict of str to ndarray, or None
            The values by name and state, as in `Episode.arrays`; None if they are not recorded.
        """
        end = self.index_of(i) + 1
        if not self.array_names:
            return None
        arrays = {name: self._state_values(name, end) for name in self.array_names}
        if "h" in arrays:
            arrays["h_before"] = arrays["h"].copy()
            states, old_h = self._learned(end)
            arrays["h_before"][states[::-1]] = old_h[::-1]  # of several values of a state the first one counts
        if "rhs" in arrays:
            arrays["inconsistent"] = arrays["g"] != arrays["rhs"]
        return arrays

    def array_changes(self, i: int = -1) -> dict[str, tuple[Array, Array]]:
        """Return what the search of a step has changed in the planner's values.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        dict of str to (ndarray, ndarray)
            (states, values) that have changed, by name of the array; empty without a search. "h_before" has the states
            whose h may have been learned, with their h before. If it has a state twice, the first one counts.
        """
        step_index = self.index_of(i)
        return self._part(self._part_index(step_index)).array_changes(step_index, self.array_names)

    def _location_values(self, delta: str, end: int) -> Array:
        """Return the values of all locations after the steps before `end`."""
        name, k = KEYFRAME_OF_DELTA[delta], self.space.n_locations
        if delta == "seen" and self.is_fully_known:
            return np.ones(k, bool)
        values, first = self._nearest_keyframe(name, 1, end, k)
        for part in self._parts_between(first, end):
            part.apply_steps(values, delta, min(end, part.first + part.count))
        self._latest_values[name] = end, values.copy()
        return values

    def _state_values(self, name: str, end: int) -> Array:
        """Return an array of all states after the searches before step `end`."""
        values, first = self._nearest_keyframe(name, 2, end, self.space.n)
        for part in self._parts_between(first, end):
            part.apply_episodes(values, name, min(end, part.first + part.count))
        self._latest_values[name] = end, values.copy()
        return values

    def _nearest_keyframe(self, name: str, bit: int, end: int, items: int) -> tuple[Array, int]:
        """Return the latest keyframe up to `end`, and the index of the first part that is not in it."""
        parts = self._file.parts
        keyframe_end, cached = 0, self._latest_values.get(name)
        last = next((k for k in reversed(range(self._part_index(end))) if parts[k].keyframes & bit), -1)
        if last >= 0:
            keyframe_end = parts[last].first + parts[last].count
        if cached is not None and keyframe_end <= cached[0] <= end:  # the array of the last call is nearer
            return cached[1].copy(), self._part_index(cached[0])
        if last >= 0:
            return self._part(last).keyframe(name, items), last + 1
        if name in ("belief", "truth"):
            return read_keyframe(self._file.head, name, items), 0
        return empty_array(self.array_names.get(name, "bool"), items), 0

    def _learned(self, end: int) -> tuple[Array, Array]:
        """Return states and their h before learning, of the last search before step `end`."""
        for part in self._parts_before(end):
            learned = part.learned_h(min(end, part.first + part.count))
            if learned is not None:
                return learned
        return np.empty(0, np.int32), np.empty(0, np.int64)

    def _part_index(self, end: int) -> int:
        """Return the number of parts that have all their steps before `end`."""
        ends = [part.first + part.count for part in self._file.parts]
        return int(np.searchsorted(ends, end, side="right"))

    def _parts_between(self, first: int, end: int) -> Iterator[Part]:
        """Yield the parts from index `first` on that have steps before `end`."""
        for k in range(first, self._part_index(end - 1) + 1):
            yield self._part(k)

    def _parts_before(self, end: int) -> Iterator[Part]:
        """Yield the parts that have steps before `end`, the last one first."""
        for k in range(self._part_index(end - 1), -1, -1):
            yield self._part(k)

    @read_locked
    def _part(self, k: int) -> Part:
        """Return part k, from the cache or the file; after the last one, the steps not written yet."""
        if k == len(self._file.parts):
            unwritten = self._unwritten_part()
            assert unwritten is not None
            return unwritten
        if k not in self._parts:
            self._parts[k] = Part(self._file.part(k), self.space.n, self.space.n_locations, len(self.array_names))
            while len(self._parts) > 1 and self._cache_is_full():
                del self._parts[next(iter(self._parts))]
        return self._parts[k]

    def _cache_is_full(self) -> bool:
        return len(self._parts) > CACHED_PARTS or sum(part.item_count for part in self._parts.values()) > CACHED_ITEMS

    def states(self) -> Array:
        """Return the state of the agent at each step.

        Returns
        -------
        ndarray
            The states, from the first step to the last one.
        """
        parts = [part.step_column("state", part.state_range) for part in self._parts_between(0, len(self))]
        return np.concatenate([np.empty(0, np.int32), *parts]).astype(np.int32)

    def last_search_step(self, i: int = -1) -> StoryStep | None:
        """Return the last step with a search, up to a step.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        StoryStep or None
            The step, None if there is none.
        """
        end = self.index_of(i) + 1
        for part in self._parts_before(end):
            search_offsets = np.flatnonzero(part.step_column("searched", (0, 1))[: end - part.first])
            if len(search_offsets):
                return self[part.first + int(search_offsets[-1])]
        return None

    # Drawings.

    def _run_to_end(self, max_steps: int = INF) -> None:
        """Run the trip until it ends, or there are `max_steps` steps. A story from a file has all its steps."""

    def draw(self, i: int = -1) -> Drawing:
        """Draw what the agent believes at a step, on a grid.

        Parameters
        ----------
        i
            Index of a step; -1 is the last one.

        Returns
        -------
        Drawing
            Text with colours: print it, or give it to a console of rich.

        Raises
        ------
        InputError
            If the space is no grid.
        """
        drawing: Drawing = _pictures_module().draw_story(self, self.index_of(i))
        return drawing

    def gif(self, path: str | Path, progress: Callable[[str], None] | None = None) -> None:
        """Write an animated GIF of belief, searches and the path ahead.

        A live story runs to its end first.

        Parameters
        ----------
        path
            The file; its name ends in .gif.
        progress
            Function that is called with a word before each frame.

        Raises
        ------
        InputError
            If the space is no grid, or the file cannot be written.
        MissingExtra
            If Pillow is not installed.
        """
        _pictures_module().write_story_gif(self, path, progress or (lambda word: None))

    def to_html(self, progress: Callable[[str], None] | None = None) -> str:
        """Return a page that plays the story in a browser, without server or network.

        A live story runs to its end first. With recorded arrays, the page shows g, h and rhs of the cells. The page has
        about a megabyte at most: it leaves out the rest, and says so.

        Parameters
        ----------
        progress
            Function that is called with a word before each part of the work.

        Returns
        -------
        str
            The page, as HTML.

        Raises
        ------
        InputError
            If the space is no grid.
        """
        page: str = _pictures_module().story_page(self, progress or (lambda word: None))
        return page

    def _repr_html_(self) -> str | None:
        """Return the page of `to_html` in a frame, for a notebook; None if the notebook is to show text."""
        html: str | None = _pictures_module().notebook_html(self)
        return html

    # Files.

    def save(self, path: str | Path) -> None:
        """Write the story so far into a file, all at once.

        Parameters
        ----------
        path
            The file. An existing one is replaced.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        check_writable(self.space)
        write_stream(path, self._write_to)

    @property
    def bytes_recorded(self) -> int:
        """Length of the story file so far, in bytes. Without a file, the size of the story in memory."""
        return self._file.size

    def to_bytes(self) -> bytes:
        """Return the content of the file that `save` would write.

        Returns
        -------
        bytes
            The content. `from_bytes` reads it.

        Raises
        ------
        InputError
            If a node of the graph cannot be written.
        """
        check_writable(self.space)
        content = io.BytesIO()
        self._write_to(content)
        return content.getvalue()

    @read_locked
    def _write_to(self, handle: Any) -> None:
        """Write the story so far into an open file."""
        source = self._file
        size = source.end_offset or source.size
        for offset in range(0, size, 1 << 20):
            handle.write(source.read(offset, min(1 << 20, size - offset)))
        copy = StoryFile(handle, source.name)  # continues at the same offset
        copy.size, copy.parts = size, list(source.parts)
        copy.finish(*trip_columns(self.trips))

    def close(self) -> None:
        """Close the file. What was read from it stays available."""
        self._file.handle.close()

    def __enter__(self) -> Story:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not len(self):
            return "<Story that has not begun: finish() makes all its steps>"
        end = str(self.trip) if self.trip is not None else "not at its end"
        return f"<Story of {len(self):,} steps: {end}>"


def _pictures_module() -> Any:
    """Import the module that draws stories, when it is needed: trips do not depend on it."""
    from replan.simulation import story_pictures

    return story_pictures


def _check_head(file: StoryFile, space: Space) -> None:
    """Raise InputError if the metadata in the head of a file is damaged."""
    metadata, texts, numbers = file.head.metadata, ("planner", "recipe", "sensor"), ("start", "trials", "lookahead")
    types = {**dict.fromkeys(texts, str), **dict.fromkeys(numbers, int), "arrays": dict, "all_seen": bool}
    if (
        any(type(metadata.get(name)) is not expected_type for name, expected_type in types.items())
        or not 1 <= metadata["trials"] < 2**31
    ):
        raise file.error("is damaged: its head cannot be read")
    if not 0 <= metadata["start"] < space.n:
        raise file.error("is damaged: its start is no state of its map")
    if len(metadata["arrays"]) > 100 or not set(metadata["arrays"].values()) <= {"bool", "int"}:
        raise file.error("is damaged: its arrays cannot be read")


def _trip_count(file: StoryFile) -> int:
    """Return the number of trips in the end block of a file. Raises InputError."""
    trips = file.end_block.metadata.get("trips") if file.end_block is not None else []
    if not isinstance(trips, list) or len(trips) > file.head.metadata["trials"]:
        raise file.error("is damaged: its trips cannot be read")
    return len(trips)
