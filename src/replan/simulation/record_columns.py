"""The steps of a story as columns of numbers: changes, with a keyframe (the whole array) from time to time.

A part of a story (`story_file.py`) has the columns of some steps:

| one item for each step      | |
|-----------------------------|------------------------------------------------------------------------------------|
| cause, why                  | indices of CAUSES and END_REASON_WORDS                                             |
| trial, step, state, target  | as in `StoryStep`; step is its `time`                                              |
| moves ... search_ns         | as in `TripCounts`                                                                 |
| believed.n, changed.n, seen.n | number of items in believed.places, believed.values and so on                    |
| goals.n                     | number of items in goals.states; 0: as in the step before (not in the first one)   |
| path.n                      | number of items in path.states; 0: the path is a piece of the last one stored      |
| path.skip, path.length      | start and length of the path in the last one stored, or in its own                 |
| searched                    | 1 if the step has a search                                                         |

| one item for each search    | |
|-----------------------------|------------------------------------------------------------------------------------|
| e.expansions ... e.answer   | as in `Episode`; -1 for None; e.answer is an index of EPISODE_STATUSES             |
| order.n, kinds.n            | number of items in order.states and in order.kinds (the same number, or 0)         |
| learned.n                   | number of states in learned.states, with h before learning in learned.values       |
| :NAME.n                     | for each recorded array: number of new values in :NAME.states, :NAME.values        |

Keyframes have the values after the last step of the part: =belief, =truth and =seen by location, =NAME by state. A part
has the first three, or the arrays, or both, or none. =belief and =truth in the head have the values before the first
step.
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
EPISODE_STATUSES = ("", "complete", "partial", "unreachable", "waiting")  # by the numbers in `limits.py`
COUNT_COLUMNS = ("moves", "episodes", "expansions", "key_updates", "h_increase", "cost", "search_ns")
KEYFRAME_OF_DELTA = {"believed": "belief", "changed": "truth", "seen": "seen"}  # keyframe that the changes apply to

ANY_INT = (-(2**63), 2**63 - 1)
ANY_COUNT = (0, 2**62)


# columns in which each number is close to the one before
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
    """True if a column is stored as differences of its items."""
    return name in DIFFERENCE_COLUMNS or (name.startswith(":") and name.endswith(".states"))


def part_columns(
    recorder: Recorder, space: Space, goals: Array, array_changes: Sequence[ArrayChanges], array_names: Sequence[str]
) -> Columns:
    """Return the columns of a part. goals: of an agent with several goals. array_changes: new values, by search."""
    steps, searches = recorder.rows()
    rows = dict(zip(STEP_COLUMNS, steps.T, strict=True))
    columns = {name: rows[name] for name in ("cause", "why", "trial", "step", "state", "target", *COUNT_COLUMNS)}
    for name, log in (("believed", recorder.belief_log), ("changed", recorder.truth_log)):
        columns |= _location_columns(name, space, log, _counts_from_ends(rows[f"{name}.end"]))
    columns |= {"seen.n": _counts_from_ends(rows["seen.end"]), "seen.places": recorder.seen_log.entries()[0]}
    columns |= {"path.n": _counts_from_ends(rows["path.end"]), "path.states": recorder.path_log.entries()[0]}
    columns |= {name: rows[name] for name in ("path.skip", "path.length")}
    columns |= _goal_columns(rows["goal"], goals)
    columns["searched"] = rows["searched"].astype(bool)
    columns |= _search_columns(dict(zip(SEARCH_COLUMNS, searches.T, strict=True)), recorder.expansion_log)
    if array_names:
        columns |= _list_columns("learned", [changes.get("learned", _NO_DELTA) for changes in array_changes])
        for name in array_names:
            columns |= _list_columns(":" + name, [changes.get(name, _NO_DELTA) for changes in array_changes])
    return columns


def _counts_from_ends(ends: Array) -> Array:
    """Return the number of items of each row, from the ends of the rows."""
    return np.diff(ends, prepend=0)


def _location_columns(name: str, space: Space, log: EventLog, counts: Array) -> Columns:
    """Return columns of locations and values. An undirected edge changes in both directions."""
    locations, _, values = log.entries()
    paired_locations = space._paired_locations()
    if paired_locations is not None:
        locations = np.stack([locations, paired_locations[locations]], 1).reshape(-1)
        values, counts = np.repeat(values, 2), 2 * counts
    return {f"{name}.n": counts, f"{name}.places": locations, f"{name}.values": values}


def _goal_columns(goals: Array, goal_states: Array) -> Columns:
    """Return columns of the goals at the steps where they change; -1 in `goals` stands for `goal_states`."""
    is_new = np.diff(goals, prepend=-2) != 0
    lists = [goal_states if goal < 0 else np.array([goal]) for goal in goals[is_new].tolist()]
    counts = np.zeros(len(goals), np.int64)
    counts[is_new] = [len(states) for states in lists]
    return {"goals.n": counts, "goals.states": np.concatenate([_NONE, *lists])}


def _search_columns(rows: dict[str, Array], log: EventLog) -> Columns:
    """Return the columns with one item for each search, and those of the states that it has expanded."""
    numbers, kinds, _ = log.entries()
    is_listed = kinds <= KEY_UPDATED

    def counts(is_counted: Array) -> Array:  # for each search
        return _counts_from_ends(np.append(0, np.cumsum(is_counted))[rows["order.end"]])

    state_counts, has_kinds = counts(is_listed), counts(is_listed & (kinds > 0)) > 0
    kind_counts = np.where(has_kinds, state_counts, 0)
    columns = {"e." + name: rows[name] for name in ("expansions", "ns", "answer")}
    columns["e.key_updates"] = counts(kinds == KEY_UPDATED)
    columns["e.most_expansions"] = np.where(rows["most_expansions"] >= INF, -1, rows["most_expansions"])
    columns["e.most_ns"] = np.where(rows["most_ns"] == 0, -1, rows["most_ns"])
    listed_kinds = kinds[is_listed][np.repeat(has_kinds, state_counts)]
    return columns | {
        "order.n": state_counts,
        "order.states": numbers[is_listed],
        "kinds.n": kind_counts,
        "kinds.kinds": listed_kinds,
    }


def _list_columns(name: str, deltas: Sequence[tuple[Array, Array]]) -> Columns:
    """Return columns of (states, values), with one pair of lists for each search."""
    states = np.concatenate([_NONE, *(changed_states for changed_states, _ in deltas)])
    values = np.concatenate([_NONE, *(new_values for _, new_values in deltas)])
    counts = np.array([len(changed_states) for changed_states, _ in deltas], np.int64)
    return {f"{name}.n": counts, f"{name}.states": states, f"{name}.values": values}


class UnwrittenPart:
    """A part that has not been written yet: the same columns, in memory."""

    def __init__(self, file: StoryFile, first: int, count: int, columns: Columns) -> None:
        self.file, self.metadata, self.columns = file, {"first": first, "count": count}, columns

    def column(self, name: str, items: int | None) -> Array:
        return self.columns[name]

    def item_count(self) -> int:
        return sum(map(len, self.columns.values()))


def max_part_items(n: int, n_locations: int, array_count: int) -> int:
    """Return the limit of items in a part, without keyframes.

    A part ends with the step in which its logs exceed `MAX_PART_ITEMS` (`recorder.py`). It has a few times as many
    items, and those of one step, which has each state and location a few times at most.
    """
    return 2**21 + 4 * (n + n_locations) + 2 * n * array_count


def read_keyframe(block: Block, name: str, items: int) -> Array:
    """Return a keyframe in a block. Raises InputError."""
    return block.column("=" + name, items)


class Part:
    """A part that is read: its columns, checked, and the steps in them."""

    def __init__(self, block: Block | UnwrittenPart, n: int, n_locations: int, array_count: int) -> None:
        """Check the length of a part of a map with n states. Raises InputError."""
        if isinstance(block, Block):
            block.check_length(max_part_items(n, n_locations, array_count))
        self.block, self.file, self.item_count = block, block.file, block.item_count()
        self.is_trusted = isinstance(block, UnwrittenPart)
        self.first, self.count = block.metadata["first"], block.metadata["count"]
        self.state_range, self.location_range = (0, n - 1), (0, n_locations - 1)
        self._columns_read: dict[str, Array] = {}

    def column(self, name: str, limits: tuple[int, int], items: int) -> Array:
        """Return a column with a given number of items within limits. Raises InputError."""
        if name not in self._columns_read:
            column = self.block.column(name, items)
            if self.is_trusted:
                self._columns_read[name] = column
                return column
            low, high = limits
            if column.dtype.kind != "i" and name != "searched":
                raise self.file.error(f"is damaged: {name} has another type")
            if len(column) and not (low <= int(column.min()) and int(column.max()) <= high):
                raise self.file.error(f"is damaged: {name} has numbers out of range")
            self._columns_read[name] = column
        return self._columns_read[name]

    def step_column(self, name: str, limits: tuple[int, int] = ANY_COUNT) -> Array:
        """Return a column with one item for each step."""
        return self.column(name, limits, self.count)

    @cached_property
    def episodes_before(self) -> Array:
        """Number of searches in this part before each step, and before its end."""
        return np.concatenate([[0], np.cumsum(self.step_column("searched", (0, 1)))]).astype(np.int64)

    def episode_column(self, name: str, limits: tuple[int, int] = ANY_COUNT) -> Array:
        """Return a column with one item for each search."""
        return self.column(name, limits, int(self.episodes_before[-1]))

    def ends(self, name: str, read_column: Callable[..., Array]) -> Array:
        """Return where the items of each step or search begin in a list, and the end of the list."""
        key = f"{name} ends"
        if key not in self._columns_read:
            counts = read_column(f"{name}.n", (0, 2**31))
            self._columns_read[key] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return self._columns_read[key]

    def items(self, name: str, read_column: Callable[..., Array], column_name: str, limits: tuple[int, int]) -> Array:
        """Return all items of a list."""
        return self.column(f"{name}.{column_name}", limits, int(self.ends(name, read_column)[-1]))

    def items_of(
        self, name: str, i: int, read_column: Callable[..., Array], column_name: str, limits: tuple[int, int]
    ) -> Array:
        """Return the items of step or search i."""
        ends = self.ends(name, read_column)
        items = self.items(name, read_column, column_name, limits)[ends[i] : ends[i + 1]]
        return items.astype(np.int32) if column_name != "values" else items.copy()

    # Steps.

    def step(self, step_index: int, load_arrays: Callable[[], dict[str, Array] | None]) -> StoryStep:
        """Return a step of the story. load_arrays: see `Episode`. Raises InputError."""
        i = step_index - self.first
        value = self._step_value
        return StoryStep(
            index=step_index,
            cause=CAUSES[value("cause", i, (0, len(CAUSES) - 1))],
            trial=value("trial", i),
            time=value("step", i),
            state=value("state", i, self.state_range),
            target=value("target", i, (-1, self.state_range[1])),
            goals=self._goals(i),
            belief_changes=self._delta("believed", i),
            truth_changes=self._delta("changed", i),
            newly_seen=self.items_of("seen", i, self.step_column, "places", self.location_range),
            path=self._path(i),
            counts=TripCounts(**{name: value(name, i, ANY_INT) for name in COUNT_COLUMNS}),
            episode=self._episode_of_step(i, load_arrays),
            why=END_REASON_WORDS[value("why", i, (0, len(END_REASON_WORDS) - 1))],
        )

    def _step_value(self, name: str, i: int, limits: tuple[int, int] = ANY_COUNT) -> int:
        return int(self.step_column(name, limits)[i])

    def _delta(self, name: str, i: int) -> tuple[Array, Array]:
        """Return (locations, values) that step i has changed."""
        locations = self.items_of(name, i, self.step_column, "places", self.location_range)
        return locations, self.items_of(name, i, self.step_column, "values", (0, INF))

    def _last_with_items(self, name: str, i: int) -> int:
        """Return the last step up to i that has items of its own in a list. Raises InputError."""
        steps = np.flatnonzero(self.step_column(f"{name}.n", (0, 2**31))[: i + 1])
        if not len(steps):
            raise self.file.error(f"is damaged: it lacks {name}")
        return int(steps[-1])

    def _goals(self, i: int) -> Array:
        return self.items_of("goals", self._last_with_items("goals", i), self.step_column, "states", self.state_range)

    def _path(self, i: int) -> Array:
        """Return the states ahead at step i. Raises InputError."""
        skip, length = self._step_value("path.skip", i), self._step_value("path.length", i)
        if length == 0:
            return np.empty(0, np.int32)
        path = self.items_of("path", self._last_with_items("path", i), self.step_column, "states", self.state_range)
        if skip + length > len(path):
            raise self.file.error("is damaged: a path is longer than it can be")
        return path[skip : skip + length]

    def _episode_of_step(self, i: int, load_arrays: Callable[[], dict[str, Array] | None]) -> Episode | None:
        """Return the search of step i, None if it has none. Raises InputError."""
        has_search = self.step_column("searched", (0, 1))[i]
        return self._episode(int(self.episodes_before[i]), load_arrays) if has_search else None

    def _episode(self, j: int, load_arrays: Callable[[], dict[str, Array] | None]) -> Episode:
        """Return search j. Raises InputError."""

        def number(name: str, limits: tuple[int, int] = ANY_INT) -> int:
            return int(self.episode_column("e." + name, limits)[j])

        order = self.items_of("order", j, self.episode_column, "states", self.state_range)
        kinds = self.items_of("kinds", j, self.episode_column, "kinds", (0, 3)).astype(np.uint8)
        if len(kinds) not in (0, len(order)):
            raise self.file.error("is damaged: an episode has another number of kinds than of states")
        max_expansions, max_ns = number("most_expansions", (-1, INF)), number("most_ns", (-1, INF))
        return Episode(
            expansions=number("expansions"),
            key_updates=number("key_updates"),
            ns=number("ns"),
            max_expansions=None if max_expansions < 0 else max_expansions,
            max_ns=None if max_ns < 0 else max_ns,
            status=EPISODE_STATUSES[number("answer", (0, len(EPISODE_STATUSES) - 1))],
            expanded_states=order,
            kinds=kinds if len(kinds) else None,
            load_arrays=load_arrays,
        )

    # Keyframes.

    def keyframe(self, name: str, items: int) -> Array:
        """Return a keyframe after this part. Raises InputError."""
        assert isinstance(self.block, Block)
        return read_keyframe(self.block, name, items)

    def apply_steps(self, values: Array, delta: str, end_step: int) -> None:
        """Apply the changes of locations before `end_step` to an array."""
        end = int(self.ends(delta, self.step_column)[end_step - self.first])
        locations = self.items(delta, self.step_column, "places", self.location_range)[:end]
        new_values = True if delta == "seen" else self.items(delta, self.step_column, "values", (0, INF))[:end]
        values[locations] = new_values

    def apply_episodes(self, values: Array, name: str, end_step: int) -> None:
        """Apply the changes of the searches before `end_step` to an array of states."""
        end = int(self.ends(":" + name, self.episode_column)[self.episodes_before[end_step - self.first]])
        states = self.items(":" + name, self.episode_column, "states", self.state_range)[:end]
        values[states] = self.items(":" + name, self.episode_column, "values", ANY_INT)[:end]

    def array_changes(self, step_index: int, names: Iterable[str]) -> dict[str, tuple[Array, Array]]:
        """Return (states, values) that the search of a step has changed in the planner's arrays, by name.

        "h_before" has the states whose h may have changed, with their h before; of several values the first one counts.
        """
        j, end = self.episodes_before[step_index - self.first : step_index - self.first + 2].tolist()
        lists = {name: (":" + name, j, self.episode_column) for name in names if j < end}
        if "h" in lists:
            lists["h_before"] = "learned", j, self.episode_column
        return {
            name: (
                self.items_of(*list_of_episode, "states", self.state_range),
                self.items_of(*list_of_episode, "values", ANY_INT),
            )
            for name, list_of_episode in lists.items()
        }

    def learned_h(self, end_step: int) -> tuple[Array, Array] | None:
        """Return states and h before learning of the last search before `end_step`; None if the part has none."""
        j = int(self.episodes_before[end_step - self.first]) - 1
        if j < 0:
            return None
        states = self.items_of("learned", j, self.episode_column, "states", self.state_range)
        return states, self.items_of("learned", j, self.episode_column, "values", ANY_COUNT)
