"""Story: a trip, moment by moment, in memory or in a file.

How a trip is watched and driven: `watching.py`. What the file looks like: `blocks.py`, `tape.py`.
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

CACHED_PARTS, CACHED_ITEMS = 8, 2**22  # of what has been read, for the next moment


class Story:
    """A trip, moment by moment: `replan.watch` makes one, `Story.load` reads one.

    space: where it takes place, as it was at first. planner_name, recipe, max_expansions (of an episode, None for no
    limit): of the planner. sensor: in words. start: the cell. trials: how many are to be made. trips: those that have
    ended. array_names: the planner's arrays that are kept. is_fully_known: does the agent know all locations from the start?

    >>> import numpy as np, replan
    >>> maze = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> story = replan.watch(replan.World(replan.Grid(maze, neighbors=4)), "Repeated Forward A*", (0, 0), (0, 2))
    >>> for moment in story:
    ...     cell, path = story.space.key(moment.state), story.space.keys(moment.path)
    ...     print(moment.time, cell, len(path), moment.episode.expansions if moment.episode else "-")
    0 (0, 0) 4 4
    1 (1, 0) 5 6
    2 (2, 0) 4 -
    3 (2, 1) 3 -
    4 (2, 2) 2 -
    5 (1, 2) 1 -
    6 (0, 2) 0 -
    >>> story.trip.why, story.trip.moves
    ('reached', 6)
    >>> (story.space.to_map_shape(story.belief(0)) == 0).astype(int).tolist()      # what was believed blocked at first
    [[0, 1, 0], [0, 0, 0], [0, 0, 0]]

    `story[i]` is a moment (`replan.simulation.steps` says what it has), `len(story)` says how many there are.
    `belief(i)`, `truth(i)`, `seen(i)` and `arrays(i)` are put together for any moment in a time that hardly depends on
    it. `save(path)` and `Story.load(path)` keep a story in a file, which may be as long as the disk: only what is asked
    for is read. A story serves one thread at a time.

    And more of it:

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
        facts = file.head.metadata
        self._file, self.space = file, space
        self.planner_name: str = facts["planner"]
        self.recipe: str = facts["recipe"]
        self.sensor: str = facts["sensor"]
        self.max_expansions: int | None = facts["lookahead"] or None
        self.start: Any = space.key(facts["start"])
        self.trials: int = facts["trials"]
        self.array_names: dict[str, str] = facts["arrays"]  # "bool" or "int"
        self.is_fully_known: bool = facts["all_seen"]
        self.trips: list[Trip] = []
        self._calls = CallLock("another thread reads this story, or goes on with it: a story serves one at a time")
        self._pending: Part | None = None
        self._parts: dict[int, Part] = {}
        self._latest_values: dict[str, tuple[int, Array]] = {}

    @classmethod
    def load(cls, path: str | Path) -> Story:
        """Read a story from its file. Raises InputError that names the file and what is wrong.

        Of one that was interrupted come all moments that are there; its `trip` is None.
        """
        return cls._from_file(StoryFile.open(Path(path)))

    @classmethod
    def from_bytes(cls, content: bytes, name: str = "the story") -> Story:
        """A story from what its file would hold. name: for messages. Raises InputError."""
        return cls._from_file(StoryFile.read_from(io.BytesIO(content), name, len(content)))

    @classmethod
    def _from_file(cls, file: StoryFile) -> Story:
        space = load_space(file.head)
        _check_head(file, space)
        if not file.parts:
            raise file.error("has no moment: the trip was interrupted before it began")
        story = Story(file, space)
        if file.end_block is not None:
            count = _trip_count(file)
            file.end_block.check_length(max_trip_items(file.step_count, count) + 4 * len(file.parts))
            story.trips = [load_trip(file.end_block, i, story.space) for i in range(count)]
        return story

    # Moments.

    def __len__(self) -> int:
        unwritten = self._unwritten_part()
        return self._file.step_count + (0 if unwritten is None else unwritten.count)

    def __getitem__(self, i: int) -> StoryStep:
        number = self.index_of(i)
        return self._part(self._part_index(number)).step(number, lambda: self.arrays(number))

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """See `replan/locking.py`: a story serves one thread at a time."""
        return self._calls.hold(self)

    def _unwritten_part(self) -> Part | None:
        """The moments that are in no part of the file yet."""
        return None

    def __iter__(self) -> Iterator[StoryStep]:
        return (self[i] for i in range(len(self)))

    def index_of(self, i: int) -> int:
        """The number of a moment; -1 is the last. Raises IndexError."""
        try:
            return range(len(self))[index(i)]
        except TypeError:
            raise InputError(f"moments are numbered from 0 to {len(self) - 1}; {i!r} is no number") from None
        except IndexError:
            there = f"they go from 0 to {len(self) - 1}" if len(self) else "none yet; finish() makes all of them"
            raise IndexError(f"there is no moment {i}: {there}") from None

    @property
    def has_ended(self) -> bool:
        """Has the trip, and each of its trials, come to its end?"""
        return len(self.trips) == self.trials

    @property
    def trip(self) -> Trip | None:
        """The Trip, if it has ended; the last one of several trials."""
        return self.trips[-1] if self.has_ended else None

    # Pictures.

    @property
    def initial_belief(self) -> Array:
        """What the agent believed before it looked around: the value of each place."""
        return read_keyframe(self._file.head, "belief", self.space.n_locations)

    @property
    def initial_truth(self) -> Array:
        """The true terrain when the agent started: the value of each place."""
        return read_keyframe(self._file.head, "truth", self.space.n_locations)

    def belief(self, i: int = -1) -> Array:
        """What the agent believes at a moment: the value of each place."""
        return self._location_values("believed", self.index_of(i) + 1)

    def truth(self, i: int = -1) -> Array:
        """The true terrain at a moment: the value of each place."""
        return self._location_values("changed", self.index_of(i) + 1)

    def seen(self, i: int = -1) -> Array:
        """By place: has it been in view at this moment or before?"""
        return self._location_values("seen", self.index_of(i) + 1)

    def arrays(self, i: int = -1) -> dict[str, Array] | None:
        """The planner's values at a moment (`Episode.arrays`), those of the last episode; None if they are not kept."""
        stop = self.index_of(i) + 1
        if not self.array_names:
            return None
        shown = {name: self._state_values(name, stop) for name in self.array_names}
        if "h" in shown:
            shown["h_before"] = shown["h"].copy()
            states, before = self._learned(stop)
            shown["h_before"][states[::-1]] = before[::-1]  # the first that is told of a state counts
        if "rhs" in shown:
            shown["inconsistent"] = shown["g"] != shown["rhs"]
        return shown

    def array_changes(self, i: int = -1) -> dict[str, tuple[Array, Array]]:
        """By name of an array, (states, values) that the search of a moment has changed; empty without a search.

        And "h_before": the states whose h it may have learned, with their h before. If a state is there twice, the
        first one counts.
        """
        number = self.index_of(i)
        return self._part(self._part_index(number)).array_changes(number, self.array_names)

    def _location_values(self, delta: str, stop: int) -> Array:
        """A picture of all places after the moments before `stop`."""
        name, k = KEYFRAME_OF_DELTA[delta], self.space.n_locations
        if delta == "seen" and self.is_fully_known:
            return np.ones(k, bool)
        values, first = self._nearest_keyframe(name, 1, stop, k)
        for part in self._parts_between(first, stop):
            part.apply_steps(values, delta, min(stop, part.first + part.count))
        self._latest_values[name] = stop, values.copy()
        return values

    def _state_values(self, name: str, stop: int) -> Array:
        """A picture of all states after the episodes before moment `stop`."""
        values, first = self._nearest_keyframe(name, 2, stop, self.space.n)
        for part in self._parts_between(first, stop):
            part.apply_episodes(values, name, min(stop, part.first + part.count))
        self._latest_values[name] = stop, values.copy()
        return values

    def _nearest_keyframe(self, name: str, bit: int, stop: int, items: int) -> tuple[Array, int]:
        """The latest full picture up to then, and the number of the first part that is not in it."""
        parts = self._file.parts
        stops, known = 0, self._latest_values.get(name)
        last = next((k for k in reversed(range(self._part_index(stop))) if parts[k].keyframes & bit), -1)
        if last >= 0:
            stops = parts[last].first + parts[last].count
        if known is not None and stops <= known[0] <= stop:  # what was asked for before is nearer
            return known[1].copy(), self._part_index(known[0])
        if last >= 0:
            return self._part(last).keyframe(name, items), last + 1
        if name in ("belief", "truth"):
            return read_keyframe(self._file.head, name, items), 0
        return empty_array(self.array_names.get(name, "bool"), items), 0

    def _learned(self, stop: int) -> tuple[Array, Array]:
        """States and their h before learning, of the last episode before moment `stop`."""
        for part in self._parts_before(stop):
            learned = part.learned_h(min(stop, part.first + part.count))
            if learned is not None:
                return learned
        return np.empty(0, np.int32), np.empty(0, np.int64)

    def _part_index(self, stop: int) -> int:
        """How many parts have all their moments before `stop`."""
        ends = [part.first + part.count for part in self._file.parts]
        return int(np.searchsorted(ends, stop, side="right"))

    def _parts_between(self, first: int, stop: int) -> Iterator[Part]:
        """From part number `first` on, those with moments before `stop`."""
        for k in range(first, self._part_index(stop - 1) + 1):
            yield self._part(k)

    def _parts_before(self, stop: int) -> Iterator[Part]:
        """Those with moments before `stop`, the last one first."""
        for k in range(self._part_index(stop - 1), -1, -1):
            yield self._part(k)

    @read_locked
    def _part(self, k: int) -> Part:
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
        """Where the agent is at each moment, from the first to the last."""
        parts = [part.step_column("state", part.state_range) for part in self._parts_between(0, len(self))]
        return np.concatenate([np.empty(0, np.int32), *parts]).astype(np.int32)

    def last_search_step(self, i: int = -1) -> StoryStep | None:
        """The last moment up to this one that has an episode; None if there is none."""
        stop = self.index_of(i) + 1
        for part in self._parts_before(stop):
            searched = np.flatnonzero(part.step_column("searched", (0, 1))[: stop - part.first])
            if len(searched):
                return self[part.first + int(searched[-1])]
        return None

    # Pictures for people.

    def _run_to_end(self, most: int = INF) -> None:
        """Before all of it is shown: make the moments that are missing, up to so many. A story from a file has all."""

    def draw(self, i: int = -1) -> Drawing:
        """What the agent believes at a moment, on a grid: print it, or give it to a console of rich.

        Raises InputError where there is no grid.
        """
        drawing: Drawing = _pictures_module().draw_story(self, self.index_of(i))
        return drawing

    def gif(self, path: str | Path, progress: Callable[[str], None] | None = None) -> None:
        """Write an animation: belief, searches, the path ahead. progress: called with a word before each frame.

        A trip that is being watched runs to its end first. Raises InputError, and MissingExtra where Pillow is missing.
        """
        _pictures_module().write_story_gif(self, path, progress or (lambda word: None))

    def to_html(self, progress: Callable[[str], None] | None = None) -> str:
        """One page that plays the story in any browser, without server or network. progress: as for `gif`.

        A trip that is being watched runs to its end first. A story told with `arrays=True` has g, h and rhs of the
        cells in it. What would make the page larger than a megabyte is left out, and the page says so. Raises
        InputError where there is no grid.
        """
        page: str = _pictures_module().story_page(self, progress or (lambda word: None))
        return page

    def _repr_html_(self) -> str | None:
        """What a notebook shows: what `to_html` makes, in a frame. None for what cannot be drawn: it shows the text."""
        shown: str | None = _pictures_module().notebook_html(self)
        return shown

    # Files.

    def save(self, path: str | Path) -> None:
        """Write all that has been so far into a file, at once. Raises InputError."""
        check_writable(self.space)
        write_stream(path, self._write_to)

    @property
    def bytes_recorded(self) -> int:
        """How long its file is so far, in bytes; of a story without one, how much memory it takes instead."""
        return self._file.size

    def to_bytes(self) -> bytes:
        """What `save` would write."""
        check_writable(self.space)
        content = io.BytesIO()
        self._write_to(content)
        return content.getvalue()

    @read_locked
    def _write_to(self, handle: Any) -> None:
        source = self._file
        size = source.end_offset or source.size
        for offset in range(0, size, 1 << 20):
            handle.write(source.read(offset, min(1 << 20, size - offset)))
        copy = StoryFile(handle, source.name)  # goes on where this one is
        copy.size, copy.parts = size, list(source.parts)
        copy.finish(*trip_columns(self.trips))

    def close(self) -> None:
        """Let go of the file. What was read from it stays."""
        self._file.handle.close()

    def __enter__(self) -> Story:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not len(self):
            return "<Story that has not begun: finish() makes all its moments>"
        end = str(self.trip) if self.trip is not None else "not at its end"
        return f"<Story of {len(self):,} moments: {end}>"


def _pictures_module() -> Any:
    """How stories are drawn: found when somebody looks, for no trip depends on it."""
    from replan.simulation import story_pictures

    return story_pictures


def _check_head(file: StoryFile, space: Space) -> None:
    facts, words, numbers = file.head.metadata, ("planner", "recipe", "sensor"), ("start", "trials", "lookahead")
    kinds = {**dict.fromkeys(words, str), **dict.fromkeys(numbers, int), "arrays": dict, "all_seen": bool}
    if any(type(facts.get(name)) is not kind for name, kind in kinds.items()) or not 1 <= facts["trials"] < 2**31:
        raise file.error("is damaged: its head cannot be read")
    if not 0 <= facts["start"] < space.n:
        raise file.error("is damaged: its start is nowhere")
    if len(facts["arrays"]) > 100 or not set(facts["arrays"].values()) <= {"bool", "int"}:
        raise file.error("is damaged: its arrays cannot be read")


def _trip_count(file: StoryFile) -> int:
    trips = file.end_block.metadata.get("trips") if file.end_block is not None else []
    if not isinstance(trips, list) or len(trips) > file.head.metadata["trials"]:
        raise file.error("is damaged: its trips cannot be read")
    return len(trips)
