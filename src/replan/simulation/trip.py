"""The record of a trip, as people read it.

Each figure is described once, where it stands in `Trip`, as a field or as a property. The rest is made from that: what
`simulate` reads and counts, what is saved and loaded, the means of `replan.compare`, the columns of results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import numpy as np

from replan.errors import InputError, short
from replan.maps.files import read_json
from replan.planners.base import Planner
from replan.simulation.blocks import Block
from replan.simulation.walk import ENDINGS, Walk
from replan.spaces.space import Space
from replan.wording import counted
from replan.writing import write_text

if TYPE_CHECKING:
    from replan.drawings.text import Drawing

TOLD = dict(ENDINGS.values())  # each word for why a trip ended, and how people are told
MOST_BYTES = 2**28


@dataclass(frozen=True)
class Told:
    """What a figure means and in which unit it is.

    read: takes it from the walk and its planner when they are done. counted: the planner counts it under the same name
    (in ticks what is in steps here), and a trip gets what was added meanwhile.
    """

    meaning: str
    unit: str = ""
    read: Callable[[Walk, Planner], Any] | None = None
    counted: bool = False


def _told(meaning: str, unit: str = "", read: Callable[[Walk, Planner], Any] | None = None) -> dict[str, Told]:
    return {"told": Told(meaning, unit, read)}


def _counted(meaning: str, unit: str = "") -> dict[str, Told]:
    return {"told": Told(meaning, unit, counted=True)}


def _each_episode(meaning: str, count: str) -> dict[str, Told]:
    """What each search had of a count (`EpisodeCounts` of counts.py)."""
    return _told(meaning, read=lambda walk, _: walk.record()[count].tolist())


@dataclass(frozen=True, eq=False)
class Trip:
    """What happened on one trip; `replan.simulate` returns it.

    >>> import replan
    >>> trip = replan.simulate(replan.World(replan.Grid([[0, 1, 0], [0, 0, 0]], neighbors=4)), "A*", (0, 0), (0, 2))
    >>> print(trip.ending)
    reached the goal after 4 moves
    >>> trip.why, trip.reached, trip.cost, trip.steps, trip.waits, trip.partial_steps
    ('reached', True, 4.0, 4, 0, 0)
    >>> trip.path
    [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]
    >>> print(trip.draw())
    ┌──────┐
    │SS##GG│
    │oooooo│
    └──────┘
    blank not seen, . seen free, # seen blocked, o path, S start, G goal
    >>> sorted(trip.numbers())[:4]
    ['cost', 'episodes', 'expansions', 'h_increase']
    >>> trip.as_dict()["path"] == trip.path
    True
    """

    planner: str = field(metadata=_told("the planner's name"))
    why: str = field(metadata=_told(f"why it ended: {', '.join(TOLD)}", read=lambda walk, _: ENDINGS[walk.why][0]))
    cost: float = field(metadata=_told("what the walked path cost", "steps"))
    moves: int = field(metadata=_told("moves from cell to cell", read=lambda walk, _: walk.moves))
    steps: int = field(metadata=_told("steps of time: moves and waits", read=lambda walk, _: walk.steps))
    informed_steps: int = field(
        metadata=_told("moves along a path that was known to lead to the goal", read=lambda walk, _: walk.informed)
    )
    episodes: int = field(metadata=_told("searches", read=lambda walk, _: walk.episodes))
    expansions: int = field(metadata=_counted("states expanded"))
    refreshes: int = field(
        metadata=_counted("keys brought up to date: no expansions, but they use up the limit of RTD*")
    )
    percolations: int = field(metadata=_counted("levels that entries moved in the binary heap"))
    h_increase: float = field(metadata=_counted("by how much h-values rose, all of them together", "steps"))
    intakes: int = field(metadata=_counted("states whose changed costs an incremental search took in"))
    search_ns: int = field(
        metadata=_told(
            'time of the loop or, with timing="episode", of the searches alone', "ns", lambda walk, _: walk.search_ns
        )
    )
    intake_ns: int | None = field(
        metadata=_counted('with timing="episode": time to take in changed costs, which is no search', "ns")
    )
    episode_expansions: list[int] = field(repr=False, metadata=_each_episode("expansions of each search", "expansions"))
    episode_ns: list[int] | None = field(
        repr=False,
        metadata=_told(
            'with timing="episode": time of each search',
            "ns",
            lambda walk, _: walk.record()["nanoseconds"].tolist() if walk.timed else None,
        ),
    )
    states: np.ndarray[Any, Any] | None = field(repr=False)  # these two are not saved: None after `load`
    space: Space | None = field(repr=False)

    @property
    def reached(self) -> bool:
        """Did the agent arrive?"""
        return self.why == "reached"

    @property
    def waits(self) -> int:
        """Steps of time in which the agent stood still."""
        return self.steps - self.moves

    @property
    def partial_steps(self) -> int:
        """Moves chosen by a search that had not come as far as the goal."""
        return self.moves - self.informed_steps

    @cached_property
    def path(self) -> list[Any]:
        """The cells (nodes of a graph) walked through, start and end included."""
        assert self.space is not None and self.states is not None  # `load` has the path itself
        return self.space.keys(self.states)

    @property
    def ending(self) -> str:
        """How it ended, as in "reached the goal after 12 moves and 3 waits"."""
        waits = f" and {counted(self.waits, 'wait')}" if self.waits else ""
        return f"{TOLD[self.why]} after {counted(self.moves, 'move')}{waits}"

    def draw(self) -> Drawing:
        """The way that was walked, on the grid as it was at first: print it, or give it to a console of rich.

        What an agent believed, and when, is told by a story: `replan.watch(...)`, `story.draw()`. Raises InputError for
        a trip that was loaded, which has no map, and where there is no grid.
        """
        if self.space is None or self.states is None:
            raise InputError("a trip that was loaded has no map: a story (replan.watch) keeps both")
        from replan.simulation.showing import draw_trip  # no trip depends on how it is drawn

        return draw_trip(self.space, self.path, self.reached)

    def as_dict(self) -> dict[str, Any]:
        """All figures and the path, ready for JSON."""
        return {**{name: getattr(self, name) for name in FIGURES}, "path": self.path}

    def numbers(self) -> dict[str, float | None]:
        """The figures that are numbers, by name; None for what was not measured."""
        return {figure.name: getattr(self, figure.name) for figure in FIGURES.values() if figure.number}

    def save(self, path: str | Path) -> None:
        """Write the trip to a JSON file, all at once. Raises InputError where that cannot be.

        >>> import tempfile, replan
        >>> trip = replan.simulate(replan.Grid([[0, 0, 0]]), "A*", (0, 0), (0, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trip.save(f"{folder}/trip.json")
        ...     print(replan.Trip.load(f"{folder}/trip.json").path)
        [(0, 0), (0, 1), (0, 2)]
        """
        try:
            text = json.dumps({"replan": "trip", "version": 1, **self.as_dict()}, default=_plain)
        except TypeError as error:  # nodes of a graph may be anything
            raise InputError(f"the trip cannot be saved as JSON: {error}", path) from None
        write_text(path, text + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Trip:
        """Read what `save` wrote: all figures and the path. Raises InputError naming the file and what is wrong.

        Nodes of a graph that were tuples are tuples again.
        """
        content = read_json(Path(path), MOST_BYTES)
        try:
            return _trip(content)
        except InputError as error:
            raise InputError(error.reason, path) from None

    def __str__(self) -> str:
        return (
            f"{self.planner} {self.ending}: cost {self.cost:,.1f}, {counted(self.episodes, 'episode')}, "
            f"{counted(self.expansions, 'expansion')}"
        )


@dataclass(frozen=True)
class Figure:
    """A figure of a Trip: its name, its type, and what is told of it."""

    name: str
    kind: Any
    told: Told

    @property
    def number(self) -> bool:
        """Is it a number, so that it has a mean?"""
        return self.kind in (int, float, int | None)

    def __str__(self) -> str:
        return f"{self.name}: {self.told.meaning}" + (f" [{self.told.unit}]" if self.told.unit else "")


def _fields() -> Iterator[Figure]:
    kinds = get_type_hints(Trip)
    for found in fields(Trip):
        if "told" in found.metadata:
            yield Figure(found.name, kinds[found.name], found.metadata["told"])


def _properties() -> Iterator[Figure]:
    for name, found in vars(Trip).items():
        if isinstance(found, property) and name != "ending":
            said = (found.__doc__ or "").rstrip(".")
            yield Figure(name, get_type_hints(found.fget)["return"], Told(said[:1].lower() + said[1:]))


STORED = list(_fields())
LISTS = [figure.name for figure in STORED if figure.kind in (list[int], list[int] | None)]
#: All that a Trip says in figures, by name.
FIGURES = {figure.name: figure for figure in (*STORED, *_properties())}
Trip.__doc__ = f"{Trip.__doc__}\n\n" + "\n".join(f"    - {figure}" for figure in FIGURES.values())


def _plain(value: Any) -> Any:
    """Numbers of NumPy, which nodes of a graph may be."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a node is a {type(value).__name__}")


def _trip(content: Any) -> Trip:
    if not isinstance(content, dict) or content.get("replan") != "trip" or content.get("version") != 1:
        raise InputError('is no trip: it should begin with {"replan": "trip", "version": 1, ...')
    path = content.get("path")
    trip = _checked(content, None, None)
    if not isinstance(path, list) or len(path) != trip.moves + 1:
        raise InputError(f"path is a list of {trip.moves + 1:,} cells: one more than there are moves")
    vars(trip)["path"] = [_key(cell) for cell in path]
    return trip


def _checked(content: dict[str, Any], states: np.ndarray[Any, Any] | None, space: Space | None) -> Trip:
    """A trip whose figures come from a file. Raises InputError."""
    for figure in STORED:
        if figure.name not in content:
            raise InputError(f"{figure.name} is missing: the trip was saved by another version of replan, or changed")
        if not _fits(content[figure.name], figure.kind):
            raise InputError(f"{figure.name} ({figure.told.meaning}) cannot be {short(content[figure.name])}")
    trip = Trip(**{figure.name: content[figure.name] for figure in STORED}, states=states, space=space)
    if trip.why not in TOLD:
        raise InputError(f"why is one of {', '.join(TOLD)}, not {short(trip.why)}")
    if not trip.informed_steps <= trip.moves <= trip.steps or len(trip.episode_expansions) != trip.episodes:
        raise InputError("its figures contradict each other")
    return trip


def trip_columns(trips: list[Trip]) -> tuple[dict[str, Any], dict[str, tuple[np.ndarray[Any, Any], bool]]]:
    """Trips as the end of a story's file has them: facts, and the longer lists as columns."""
    facts, columns = [], {}
    for i, trip in enumerate(trips):
        figures = {figure.name: getattr(trip, figure.name) for figure in STORED}
        for name in LISTS:
            if figures[name] is not None:
                columns[f"trip{i}.{name}"] = np.array(figures.pop(name), np.int64), False
        facts.append(figures)
        columns[f"trip{i}.states"] = np.asarray(trip.states), True
    return {"trips": facts}, columns


def trips_limit(moments: int, trips: int) -> int:
    """How many numbers these columns have at most: each moment is one step with one search at most."""
    return (1 + len(LISTS)) * (moments + trips)


def trip_from(done: Block, i: int, space: Space) -> Trip:
    """A trip from the end of a story's file, whose length is within `trips_limit`. Raises InputError."""
    figures = done.facts["trips"][i]
    states = done.column(f"trip{i}.states", None).astype(np.int64)
    lists = {name: done.column(f"trip{i}.{name}", None).tolist() for name in LISTS if f"trip{i}.{name}" in done}
    try:
        if not isinstance(figures, dict) or not ((states >= 0) & (states < space.n)).all():
            raise InputError("its path leads through states that are not there")
        trip = _checked({**figures, **lists}, states.astype(np.int32), space)
        if len(states) != trip.moves + 1:
            raise InputError("its path has another length than it has moves")
        return trip
    except InputError as error:
        raise done.file.wrong(f"is damaged: {error.reason}") from None


def _fits(value: Any, kind: Any) -> bool:
    """Is it of the type that a field has? Numbers are finite, and none is negative."""
    if kind in (int | None, list[int] | None):
        return value is None or _fits(value, int if kind == int | None else list[int])
    if kind == list[int]:
        return isinstance(value, list) and all(_fits(item, int) for item in value)
    if kind is float:
        return type(value) in (int, float) and 0 <= value < float("inf")
    return type(value) is kind and (kind is not int or 0 <= value < 2**63)


def _key(cell: Any) -> Any:
    return tuple(map(_key, cell)) if isinstance(cell, list) else cell
