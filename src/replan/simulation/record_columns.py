"""The moments of a story as columns of numbers: deltas, with a full picture every so often.

A part of a story (`blocks.py`) has so many moments. Its columns:

| one item a moment           | |
|-----------------------------|------------------------------------------------------------------------------------|
| cause, why                  | numbers of CAUSES and WHYS                                                         |
| trial, step, state, target  | as in `StoryStep`                                                                  |
| moves ... search_ns         | its counts                                                                         |
| believed.n, changed.n, seen.n | how many places it has in believed.places, believed.values and so on             |
| goals.n                     | how many states in goals.states; 0: as the moment before (never so of the first)   |
| path.n                      | how many states in path.states; 0: the path is a piece of the last one that is there |
| path.skip, path.length      | which piece: of the last one there, or of its own                                  |
| searched                    | 1 if it has an episode                                                             |

| one item an episode         | |
|-----------------------------|------------------------------------------------------------------------------------|
| e.expansions ... e.answer   | as in `Episode`; -1 for None; the number of ANSWERS                                |
| order.n, kinds.n            | how many states in order.states, how many kinds in order.kinds: as many, or none   |
| learned.n                   | how many states in learned.states, with h before learning in learned.values        |
| :NAME.n                     | of each array that is kept: how many values in :NAME.states, :NAME.values are new  |

Pictures are of the time after the part's last moment: =belief, =truth, =seen have an item a place, =NAME one a state. A
part has the first three, or the arrays, or both, or none. =belief and =truth in the head are of the time before the
first moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from replan.limits import INF, KEY_UPDATED
from replan.log import EventLog
from replan.simulation.recorder import SEARCH_COLUMNS, STEP_COLUMNS, Recorder
from replan.simulation.steps import CAUSES, Array, Episode, StoryStep, TripCounts
from replan.simulation.story_file import Block, StoryFile
from replan.simulation.trip_runner import END_REASONS
from replan.spaces.space import Space

Columns: TypeAlias = dict[str, Array]
ArrayChanges: TypeAlias = Mapping[str, tuple[Array, Array]]

END_REASON_WORDS = ("", *(word for word, _ in END_REASONS.values()))
EPISODE_STATUSES = ("", "complete", "partial", "unreachable", "waiting")  # by the numbers of `limits.py`
COUNT_COLUMNS = ("moves", "episodes", "expansions", "key_updates", "h_increase", "cost", "search_ns")
KEYFRAME_OF_DELTA = {"believed": "belief", "changed": "truth", "seen": "seen"}  # what changes which picture

ANY_INT = (-(2**63), 2**63 - 1)
ANY_COUNT = (0, 2**62)


# Columns whose numbers are near those before them.
DIFFERENCE_COLUMNS = frozenset(
    (
        "trial",
        "step",
        "state",
        "target",
        *COUNT_COLUMNS,
        *(f"{name}.places" for name in KEYFRAME_OF_DELTA),
        "goals.states",
        "path.states",
        "order.states",
        "learned.states",
    )
)
_NONE = np.empty(0, np.int64)
_NO_DELTA = (_NONE, _NONE)


def is_stored_by_differences(name: str) -> bool:
    return name in DIFFERENCE_COLUMNS or (name.startswith(":") and name.endswith(".states"))


def part_columns(
    diary: Recorder, space: Space, goals: Array, kept: Sequence[ArrayChanges], arrays: Sequence[str]
) -> Columns:
    """The columns of a part. goals: of an agent that has several. kept: of each search, what is new in the arrays."""
    moments, searches = diary.rows()
    rows = dict(zip(STEP_COLUMNS, moments.T, strict=True))
    columns = {name: rows[name] for name in ("cause", "why", "trial", "step", "state", "target", *COUNT_COLUMNS)}
    for name, log in (("believed", diary.belief_log), ("changed", diary.truth_log)):
        columns |= _location_columns(name, space, log, _counts_from_ends(rows[f"{name}.end"]))
    columns |= {"seen.n": _counts_from_ends(rows["seen.end"]), "seen.places": diary.seen_log.entries()[0]}
    columns |= {"path.n": _counts_from_ends(rows["path.end"]), "path.states": diary.path_log.entries()[0]}
    columns |= {name: rows[name] for name in ("path.skip", "path.length")}
    columns |= _goal_columns(rows["goal"], goals)
    columns["searched"] = rows["searched"].astype(bool)
    columns |= _search_columns(dict(zip(SEARCH_COLUMNS, searches.T, strict=True)), diary.expansion_log)
    if arrays:
        columns |= _list_columns("learned", [k.get("learned", _NO_DELTA) for k in kept])
        for name in arrays:
            columns |= _list_columns(":" + name, [k.get(name, _NO_DELTA) for k in kept])
    return columns


def _counts_from_ends(ends: Array) -> Array:
    return np.diff(ends, prepend=0)


def _location_columns(name: str, space: Space, log: EventLog, counts: Array) -> Columns:
    """Places and their values; an undirected edge changes in both directions."""
    places, _, values = log.entries()
    twins = space._paired_locations()
    if twins is not None:
        places, values, counts = np.stack([places, twins[places]], 1).reshape(-1), np.repeat(values, 2), 2 * counts
    return {f"{name}.n": counts, f"{name}.places": places, f"{name}.values": values}


def _goal_columns(single: Array, several: Array) -> Columns:
    """The goal where it is another one than before; -1 stands for several."""
    new = np.diff(single, prepend=-2) != 0
    lists = [several if goal < 0 else np.array([goal]) for goal in single[new].tolist()]
    counts = np.zeros(len(single), np.int64)
    counts[new] = [len(states) for states in lists]
    return {"goals.n": counts, "goals.states": np.concatenate([_NONE, *lists])}


def _search_columns(rows: dict[str, Array], log: EventLog) -> Columns:
    numbers, kinds, _ = log.entries()
    shown = kinds <= KEY_UPDATED

    def counts(which: Array) -> Array:  # of each search
        return _counts_from_ends(np.append(0, np.cumsum(which))[rows["order.end"]])

    order, odd = counts(shown), counts(shown & (kinds > 0)) > 0
    of_kinds = np.where(odd, order, 0)
    columns = {"e." + name: rows[name] for name in ("expansions", "ns", "answer")}
    columns["e.key_updates"] = counts(kinds == KEY_UPDATED)
    columns["e.most_expansions"] = np.where(rows["most_expansions"] >= INF, -1, rows["most_expansions"])
    columns["e.most_ns"] = np.where(rows["most_ns"] == 0, -1, rows["most_ns"])
    listed = kinds[shown][np.repeat(odd, order)]
    return columns | {"order.n": order, "order.states": numbers[shown], "kinds.n": of_kinds, "kinds.kinds": listed}


def _list_columns(name: str, deltas: Sequence[tuple[Array, Array]]) -> Columns:
    states = np.concatenate([_NONE, *(where for where, _ in deltas)])
    values = np.concatenate([_NONE, *(new for _, new in deltas)])
    counts = np.array([len(where) for where, _ in deltas], np.int64)
    return {f"{name}.n": counts, f"{name}.states": states, f"{name}.values": values}


class UnwrittenPart:
    """What a part would be that has not been written yet: the same columns, in memory."""

    def __init__(self, file: StoryFile, first: int, count: int, columns: Columns) -> None:
        self.file, self.metadata, self.columns = file, {"first": first, "count": count}, columns

    def column(self, name: str, items: int | None) -> Array:
        return self.columns[name]

    def item_count(self) -> int:
        return sum(map(len, self.columns.values()))


def max_part_items(n: int, places: int, arrays: int) -> int:
    """How many numbers a part may have besides pictures, on a map of so many states and places, with so many arrays.

    A part ends with the moment that makes it longer than `MAX_PART_ITEMS` (`recorder.py`): it has a few times as many, and
    those of one moment, which tells of each state and place a few times at most.
    """
    return 2**21 + 4 * (n + places) + 2 * n * arrays


def read_keyframe(block: Block, name: str, items: int) -> Array:
    """A full picture in a block. Raises InputError."""
    return block.column("=" + name, items)


class Part:
    """A part that is read: its columns, checked, and the moments in them."""

    def __init__(self, block: Block | UnwrittenPart, n: int, places: int, arrays: int) -> None:
        """n, places: of the map. arrays: how many are kept. Raises InputError."""
        if isinstance(block, Block):
            block.check_length(max_part_items(n, places, arrays))
        self.block, self.file, self.item_count = block, block.file, block.item_count()
        self.is_trusted = isinstance(block, UnwrittenPart)
        self.first, self.count = block.metadata["first"], block.metadata["count"]
        self.state_range, self.location_range = (0, n - 1), (0, places - 1)
        self._columns_read: dict[str, Array] = {}

    def column(self, name: str, within: tuple[int, int], items: int) -> Array:
        """A column whose numbers are in a range, and as many as they should be. Raises InputError."""
        if name not in self._columns_read:
            column = self.block.column(name, items)
            if self.is_trusted:
                self._columns_read[name] = column
                return column
            low, high = within
            if column.dtype.kind != "i" and name != "searched":
                raise self.file.error(f"is damaged: {name} has another type")
            if len(column) and not (low <= int(column.min()) and int(column.max()) <= high):
                raise self.file.error(f"is damaged: {name} has numbers that cannot be")
            self._columns_read[name] = column
        return self._columns_read[name]

    def step_column(self, name: str, within: tuple[int, int] = ANY_COUNT) -> Array:
        return self.column(name, within, self.count)

    @cached_property
    def episodes_before(self) -> Array:
        """By moment: how many episodes there were before it in this part; one item more at the end."""
        return np.concatenate([[0], np.cumsum(self.step_column("searched", (0, 1)))]).astype(np.int64)

    def episode_column(self, name: str, within: tuple[int, int] = ANY_COUNT) -> Array:
        return self.column(name, within, int(self.episodes_before[-1]))

    def ends(self, name: str, of: Callable[..., Array]) -> Array:
        """Where the items of each moment or episode begin in a list; one item more at the end."""
        key = f"{name} ends"
        if key not in self._columns_read:
            counts = of(f"{name}.n", (0, 2**31))
            self._columns_read[key] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return self._columns_read[key]

    def items(self, name: str, of: Callable[..., Array], what: str, within: tuple[int, int]) -> Array:
        """All items of a list."""
        return self.column(f"{name}.{what}", within, int(self.ends(name, of)[-1]))

    def items_of(self, name: str, i: int, of: Callable[..., Array], what: str, within: tuple[int, int]) -> Array:
        """The items of moment or episode i."""
        ends = self.ends(name, of)
        piece = self.items(name, of, what, within)[ends[i] : ends[i + 1]]
        return piece.astype(np.int32) if what != "values" else piece.copy()

    # Moments.

    def step(self, number: int, arrays: Callable[[], dict[str, Array] | None]) -> StoryStep:
        """A moment of the story; `arrays` says what its episode shows if somebody asks. Raises InputError."""
        i = number - self.first
        at = self._step_value
        return StoryStep(
            index=number,
            cause=CAUSES[at("cause", i, (0, len(CAUSES) - 1))],
            trial=at("trial", i),
            time=at("step", i),
            state=at("state", i, self.state_range),
            target=at("target", i, (-1, self.state_range[1])),
            goals=self._goals(i),
            belief_changes=self._delta("believed", i),
            truth_changes=self._delta("changed", i),
            newly_seen=self.items_of("seen", i, self.step_column, "places", self.location_range),
            path=self._path(i),
            counts=TripCounts(**{name: at(name, i, ANY_INT) for name in COUNT_COLUMNS}),
            episode=self._episode(int(self.episodes_before[i]), arrays)
            if self.step_column("searched", (0, 1))[i]
            else None,
            why=END_REASON_WORDS[at("why", i, (0, len(END_REASON_WORDS) - 1))],
        )

    def _step_value(self, name: str, i: int, within: tuple[int, int] = ANY_COUNT) -> int:
        return int(self.step_column(name, within)[i])

    def _delta(self, name: str, i: int) -> tuple[Array, Array]:
        places = self.items_of(name, i, self.step_column, "places", self.location_range)
        return places, self.items_of(name, i, self.step_column, "values", (0, INF))

    def _last_with_items(self, name: str, i: int) -> int:
        """The last moment up to i that has items of its own in a list. Raises InputError."""
        stored = np.flatnonzero(self.step_column(f"{name}.n", (0, 2**31))[: i + 1])
        if not len(stored):
            raise self.file.error(f"is damaged: it lacks {name}")
        return int(stored[-1])

    def _goals(self, i: int) -> Array:
        return self.items_of("goals", self._last_with_items("goals", i), self.step_column, "states", self.state_range)

    def _path(self, i: int) -> Array:
        skip, length = self._step_value("path.skip", i), self._step_value("path.length", i)
        if length == 0:
            return np.empty(0, np.int32)
        path = self.items_of("path", self._last_with_items("path", i), self.step_column, "states", self.state_range)
        if skip + length > len(path):
            raise self.file.error("is damaged: a path is longer than it can be")
        return path[skip : skip + length]

    def _episode(self, j: int, arrays: Callable[[], dict[str, Array] | None]) -> Episode:
        def number(name: str, within: tuple[int, int] = ANY_INT) -> int:
            return int(self.episode_column("e." + name, within)[j])

        order = self.items_of("order", j, self.episode_column, "states", self.state_range)
        kinds = self.items_of("kinds", j, self.episode_column, "kinds", (0, 3)).astype(np.uint8)
        if len(kinds) not in (0, len(order)):
            raise self.file.error("is damaged: an episode has other kinds than states")
        most, most_ns = number("most_expansions", (-1, INF)), number("most_ns", (-1, INF))
        return Episode(
            expansions=number("expansions"),
            key_updates=number("key_updates"),
            ns=number("ns"),
            max_expansions=None if most < 0 else most,
            max_ns=None if most_ns < 0 else most_ns,
            status=EPISODE_STATUSES[number("answer", (0, len(EPISODE_STATUSES) - 1))],
            expanded_states=order,
            kinds=kinds if len(kinds) else None,
            load_arrays=arrays,
        )

    # Pictures.

    def keyframe(self, name: str, items: int) -> Array:
        """A full picture of the time after this part. Raises InputError."""
        assert isinstance(self.block, Block)
        return read_keyframe(self.block, name, items)

    def apply_steps(self, values: Array, delta: str, stop: int) -> None:
        """Bring a picture of places up to date with the moments before `stop`."""
        end = int(self.ends(delta, self.step_column)[stop - self.first])
        places = self.items(delta, self.step_column, "places", self.location_range)[:end]
        new = True if delta == "seen" else self.items(delta, self.step_column, "values", (0, INF))[:end]
        values[places] = new

    def apply_episodes(self, values: Array, name: str, stop: int) -> None:
        """Bring a picture of states up to date with the episodes before moment `stop`."""
        end = int(self.ends(":" + name, self.episode_column)[self.episodes_before[stop - self.first]])
        states = self.items(":" + name, self.episode_column, "states", self.state_range)[:end]
        values[states] = self.items(":" + name, self.episode_column, "values", ANY_INT)[:end]

    def array_changes(self, number: int, names: Iterable[str]) -> dict[str, tuple[Array, Array]]:
        """By name, (states, values) that the search of a moment has changed in the planner's arrays.

        And "h_before": the states whose h it may have changed, with their h before; the first that is told counts.
        """
        j, end = self.episodes_before[number - self.first : number - self.first + 2].tolist()
        lists = {name: (":" + name, j, self.episode_column) for name in names if j < end}
        if "h" in lists:
            lists["h_before"] = "learned", j, self.episode_column
        return {
            name: (self.items_of(*where, "states", self.state_range), self.items_of(*where, "values", ANY_INT))
            for name, where in lists.items()
        }

    def learned_h(self, stop: int) -> tuple[Array, Array] | None:
        """States and h before learning of the last episode before moment `stop`; None if this part has none."""
        j = int(self.episodes_before[stop - self.first]) - 1
        if j < 0:
            return None
        states = self.items_of("learned", j, self.episode_column, "states", self.state_range)
        return states, self.items_of("learned", j, self.episode_column, "values", ANY_COUNT)
