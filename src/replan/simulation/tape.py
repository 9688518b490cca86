"""The moments of a story as columns of numbers: deltas, with a full picture every so often.

A part of a story (`blocks.py`) has so many moments. Its columns:

| one item a moment           | |
|-----------------------------|------------------------------------------------------------------------------------|
| cause, why                  | numbers of CAUSES and WHYS                                                         |
| trial, step, state, target  | as in `Moment`                                                                     |
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

from replan.limits import INF, REFRESHED
from replan.log import Log
from replan.simulation.blocks import Block, StoryFile
from replan.simulation.diary import MOMENT, SEARCH, Diary
from replan.simulation.moments import CAUSES, Array, Counts, Episode, Moment
from replan.simulation.walk import ENDINGS
from replan.spaces.space import Space

Columns: TypeAlias = dict[str, Array]
Kept: TypeAlias = Mapping[str, tuple[Array, Array]]

WHYS = ("", *(word for word, _ in ENDINGS.values()))
ANSWERS = ("", "complete", "partial", "unreachable", "waiting")  # by the numbers of `limits.py`
COUNTS = ("moves", "episodes", "expansions", "refreshes", "h_increase", "cost", "search_ns")
DELTAS = {"believed": "belief", "changed": "truth", "seen": "seen"}  # what changes which picture

ANY = (-(2**63), 2**63 - 1)
COUNT = (0, 2**62)


# Columns whose numbers are near those before them.
BY_DIFFERENCES = frozenset(
    (
        "trial",
        "step",
        "state",
        "target",
        *COUNTS,
        *(f"{name}.places" for name in DELTAS),
        "goals.states",
        "path.states",
        "order.states",
        "learned.states",
    )
)
_NONE = np.empty(0, np.int64)
_NO_DELTA = (_NONE, _NONE)


def by_differences(name: str) -> bool:
    return name in BY_DIFFERENCES or (name.startswith(":") and name.endswith(".states"))


def columns_of(diary: Diary, space: Space, goals: Array, kept: Sequence[Kept], arrays: Sequence[str]) -> Columns:
    """The columns of a part. goals: of an agent that has several. kept: of each search, what is new in the arrays."""
    moments, searches = diary.rows()
    rows = dict(zip(MOMENT, moments.T, strict=True))
    columns = {name: rows[name] for name in ("cause", "why", "trial", "step", "state", "target", *COUNTS)}
    for name, log in (("believed", diary.believed), ("changed", diary.changed)):
        columns |= _delta(name, space, log, _counts(rows[f"{name}.end"]))
    columns |= {"seen.n": _counts(rows["seen.end"]), "seen.places": diary.seen.listed()[0]}
    columns |= {"path.n": _counts(rows["path.end"]), "path.states": diary.paths.listed()[0]}
    columns |= {name: rows[name] for name in ("path.skip", "path.length")}
    columns |= _goals(rows["goal"], goals)
    columns["searched"] = rows["searched"].astype(bool)
    columns |= _searches(dict(zip(SEARCH, searches.T, strict=True)), diary.expanded)
    if arrays:
        columns |= _listed("learned", [k.get("learned", _NO_DELTA) for k in kept])
        for name in arrays:
            columns |= _listed(":" + name, [k.get(name, _NO_DELTA) for k in kept])
    return columns


def _counts(ends: Array) -> Array:
    return np.diff(ends, prepend=0)


def _delta(name: str, space: Space, log: Log, counts: Array) -> Columns:
    """Places and their values; an undirected edge changes in both directions."""
    places, _, values = log.listed()
    twins = space._twins()
    if twins is not None:
        places, values, counts = np.stack([places, twins[places]], 1).reshape(-1), np.repeat(values, 2), 2 * counts
    return {f"{name}.n": counts, f"{name}.places": places, f"{name}.values": values}


def _goals(single: Array, several: Array) -> Columns:
    """The goal where it is another one than before; -1 stands for several."""
    new = np.diff(single, prepend=-2) != 0
    lists = [several if goal < 0 else np.array([goal]) for goal in single[new].tolist()]
    counts = np.zeros(len(single), np.int64)
    counts[new] = [len(states) for states in lists]
    return {"goals.n": counts, "goals.states": np.concatenate([_NONE, *lists])}


def _searches(rows: dict[str, Array], log: Log) -> Columns:
    numbers, kinds, _ = log.listed()
    shown = kinds <= REFRESHED

    def counts(which: Array) -> Array:  # of each search
        return _counts(np.append(0, np.cumsum(which))[rows["order.end"]])

    order, odd = counts(shown), counts(shown & (kinds > 0)) > 0
    of_kinds = np.where(odd, order, 0)
    columns = {"e." + name: rows[name] for name in ("expansions", "ns", "answer")}
    columns["e.refreshes"] = counts(kinds == REFRESHED)
    columns["e.most_expansions"] = np.where(rows["most_expansions"] >= INF, -1, rows["most_expansions"])
    columns["e.most_ns"] = np.where(rows["most_ns"] == 0, -1, rows["most_ns"])
    listed = kinds[shown][np.repeat(odd, order)]
    return columns | {"order.n": order, "order.states": numbers[shown], "kinds.n": of_kinds, "kinds.kinds": listed}


def _listed(name: str, deltas: Sequence[tuple[Array, Array]]) -> Columns:
    states = np.concatenate([_NONE, *(where for where, _ in deltas)])
    values = np.concatenate([_NONE, *(new for _, new in deltas)])
    counts = np.array([len(where) for where, _ in deltas], np.int64)
    return {f"{name}.n": counts, f"{name}.states": states, f"{name}.values": values}


class Unwritten:
    """What a part would be that has not been written yet: the same columns, in memory."""

    def __init__(self, file: StoryFile, first: int, count: int, columns: Columns) -> None:
        self.file, self.facts, self.columns = file, {"first": first, "count": count}, columns

    def column(self, name: str, items: int | None) -> Array:
        return self.columns[name]

    def length(self) -> int:
        return sum(map(len, self.columns.values()))


def items_limit(n: int, places: int, arrays: int) -> int:
    """How many numbers a part may have besides pictures, on a map of so many states and places, with so many arrays.

    A part ends with the moment that makes it longer than `PART_ITEMS` (`diary.py`): it has a few times as many, and
    those of one moment, which tells of each state and place a few times at most.
    """
    return 2**21 + 4 * (n + places) + 2 * n * arrays


def picture_in(block: Block, name: str, items: int) -> Array:
    """A full picture in a block. Raises InputError."""
    return block.column("=" + name, items)


class Part:
    """A part that is read: its columns, checked, and the moments in them."""

    def __init__(self, block: Block | Unwritten, n: int, places: int, arrays: int) -> None:
        """n, places: of the map. arrays: how many are kept. Raises InputError."""
        if isinstance(block, Block):
            block.refuse_longer(items_limit(n, places, arrays))
        self.block, self.file, self.length = block, block.file, block.length()
        self.trusted = isinstance(block, Unwritten)
        self.first, self.count = block.facts["first"], block.facts["count"]
        self.state, self.place = (0, n - 1), (0, places - 1)
        self._read: dict[str, Array] = {}

    def column(self, name: str, within: tuple[int, int], items: int) -> Array:
        """A column whose numbers are in a range, and as many as they should be. Raises InputError."""
        if name not in self._read:
            column = self.block.column(name, items)
            if self.trusted:
                self._read[name] = column
                return column
            low, high = within
            if column.dtype.kind != "i" and name != "searched":
                raise self.file.wrong(f"is damaged: {name} has another type")
            if len(column) and not (low <= int(column.min()) and int(column.max()) <= high):
                raise self.file.wrong(f"is damaged: {name} has numbers that cannot be")
            self._read[name] = column
        return self._read[name]

    def of_moments(self, name: str, within: tuple[int, int] = COUNT) -> Array:
        return self.column(name, within, self.count)

    @cached_property
    def episodes(self) -> Array:
        """By moment: how many episodes there were before it in this part; one item more at the end."""
        return np.concatenate([[0], np.cumsum(self.of_moments("searched", (0, 1)))]).astype(np.int64)

    def of_episodes(self, name: str, within: tuple[int, int] = COUNT) -> Array:
        return self.column(name, within, int(self.episodes[-1]))

    def ends(self, name: str, of: Callable[..., Array]) -> Array:
        """Where the items of each moment or episode begin in a list; one item more at the end."""
        key = f"{name} ends"
        if key not in self._read:
            counts = of(f"{name}.n", (0, 2**31))
            self._read[key] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return self._read[key]

    def items(self, name: str, of: Callable[..., Array], what: str, within: tuple[int, int]) -> Array:
        """All items of a list."""
        return self.column(f"{name}.{what}", within, int(self.ends(name, of)[-1]))

    def piece(self, name: str, i: int, of: Callable[..., Array], what: str, within: tuple[int, int]) -> Array:
        """The items of moment or episode i."""
        ends = self.ends(name, of)
        piece = self.items(name, of, what, within)[ends[i] : ends[i + 1]]
        return piece.astype(np.int32) if what != "values" else piece.copy()

    # Moments.

    def moment(self, number: int, arrays: Callable[[], dict[str, Array] | None]) -> Moment:
        """A moment of the story; `arrays` says what its episode shows if somebody asks. Raises InputError."""
        i = number - self.first
        at = self._at
        return Moment(
            number=number,
            cause=CAUSES[at("cause", i, (0, len(CAUSES) - 1))],
            trial=at("trial", i),
            step=at("step", i),
            state=at("state", i, self.state),
            target=at("target", i, (-1, self.state[1])),
            goals=self._goals(i),
            believed=self._delta("believed", i),
            changed=self._delta("changed", i),
            seen=self.piece("seen", i, self.of_moments, "places", self.place),
            path=self._path(i),
            counts=Counts(**{name: at(name, i, ANY) for name in COUNTS}),
            episode=self._episode(int(self.episodes[i]), arrays) if self.of_moments("searched", (0, 1))[i] else None,
            why=WHYS[at("why", i, (0, len(WHYS) - 1))],
        )

    def _at(self, name: str, i: int, within: tuple[int, int] = COUNT) -> int:
        return int(self.of_moments(name, within)[i])

    def _delta(self, name: str, i: int) -> tuple[Array, Array]:
        places = self.piece(name, i, self.of_moments, "places", self.place)
        return places, self.piece(name, i, self.of_moments, "values", (0, INF))

    def _last_stored(self, name: str, i: int) -> int:
        """The last moment up to i that has items of its own in a list. Raises InputError."""
        stored = np.flatnonzero(self.of_moments(f"{name}.n", (0, 2**31))[: i + 1])
        if not len(stored):
            raise self.file.wrong(f"is damaged: it lacks {name}")
        return int(stored[-1])

    def _goals(self, i: int) -> Array:
        return self.piece("goals", self._last_stored("goals", i), self.of_moments, "states", self.state)

    def _path(self, i: int) -> Array:
        skip, length = self._at("path.skip", i), self._at("path.length", i)
        if length == 0:
            return np.empty(0, np.int32)
        path = self.piece("path", self._last_stored("path", i), self.of_moments, "states", self.state)
        if skip + length > len(path):
            raise self.file.wrong("is damaged: a path is longer than it can be")
        return path[skip : skip + length]

    def _episode(self, j: int, arrays: Callable[[], dict[str, Array] | None]) -> Episode:
        def number(name: str, within: tuple[int, int] = ANY) -> int:
            return int(self.of_episodes("e." + name, within)[j])

        order = self.piece("order", j, self.of_episodes, "states", self.state)
        kinds = self.piece("kinds", j, self.of_episodes, "kinds", (0, 3)).astype(np.uint8)
        if len(kinds) not in (0, len(order)):
            raise self.file.wrong("is damaged: an episode has other kinds than states")
        most, most_ns = number("most_expansions", (-1, INF)), number("most_ns", (-1, INF))
        return Episode(
            expansions=number("expansions"),
            refreshes=number("refreshes"),
            ns=number("ns"),
            most_expansions=None if most < 0 else most,
            most_ns=None if most_ns < 0 else most_ns,
            answer=ANSWERS[number("answer", (0, len(ANSWERS) - 1))],
            order=order,
            kinds=kinds if len(kinds) else None,
            show=arrays,
        )

    # Pictures.

    def picture(self, name: str, items: int) -> Array:
        """A full picture of the time after this part. Raises InputError."""
        assert isinstance(self.block, Block)
        return picture_in(self.block, name, items)

    def let_happen(self, values: Array, delta: str, stop: int) -> None:
        """Bring a picture of places up to date with the moments before `stop`."""
        end = int(self.ends(delta, self.of_moments)[stop - self.first])
        places = self.items(delta, self.of_moments, "places", self.place)[:end]
        new = True if delta == "seen" else self.items(delta, self.of_moments, "values", (0, INF))[:end]
        values[places] = new

    def let_search(self, values: Array, name: str, stop: int) -> None:
        """Bring a picture of states up to date with the episodes before moment `stop`."""
        end = int(self.ends(":" + name, self.of_episodes)[self.episodes[stop - self.first]])
        states = self.items(":" + name, self.of_episodes, "states", self.state)[:end]
        values[states] = self.items(":" + name, self.of_episodes, "values", ANY)[:end]

    def array_changes(self, number: int, names: Iterable[str]) -> dict[str, tuple[Array, Array]]:
        """By name, (states, values) that the search of a moment has changed in the planner's arrays.

        And "h_before": the states whose h it may have changed, with their h before; the first that is told counts.
        """
        j, end = self.episodes[number - self.first : number - self.first + 2].tolist()
        lists = {name: (":" + name, j, self.of_episodes) for name in names if j < end}
        if "h" in lists:
            lists["h_before"] = "learned", j, self.of_episodes
        return {
            name: (self.piece(*where, "states", self.state), self.piece(*where, "values", ANY))
            for name, where in lists.items()
        }

    def learned(self, stop: int) -> tuple[Array, Array] | None:
        """States and h before learning of the last episode before moment `stop`; None if this part has none."""
        j = int(self.episodes[stop - self.first]) - 1
        if j < 0:
            return None
        states = self.piece("learned", j, self.of_episodes, "states", self.state)
        return states, self.piece("learned", j, self.of_episodes, "values", COUNT)
