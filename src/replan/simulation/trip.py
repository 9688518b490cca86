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

from replan.atomic_write import write_text
from replan.errors import InputError, short_repr
from replan.formatting import format_count
from replan.maps.files import read_json
from replan.planners.base import Planner
from replan.simulation.story_file import Block
from replan.simulation.trip_runner import END_REASONS, TripRunner
from replan.spaces.space import Space

if TYPE_CHECKING:
    from replan.drawings.text import Drawing

END_TEXTS = dict(END_REASONS.values())  # each word for why a trip ended, and how people are told
MAX_BYTES = 2**28


@dataclass(frozen=True)
class Description:
    """What a figure means and in which unit it is.

    read: takes it from the walk and its planner when they are done. counted: the planner counts it under the same name
    (in ticks what is in steps here), and a trip gets what was added meanwhile.
    """

    meaning: str
    unit: str = ""
    read_value: Callable[[TripRunner, Planner], Any] | None = None
    is_counted: bool = False


def _described(meaning: str, unit: str = "", read: Callable[[TripRunner, Planner], Any] | None = None) -> dict[str, Description]:
    return {"told": Description(meaning, unit, read)}


def _counted(meaning: str, unit: str = "") -> dict[str, Description]:
    return {"told": Description(meaning, unit, is_counted=True)}


def _per_episode(meaning: str, count: str) -> dict[str, Description]:
    """What each search had of a count (`EpisodeCounts` of counts.py)."""
    return _described(meaning, read=lambda walk, _: walk.arrays()[count].tolist())


@dataclass(frozen=True, eq=False)
class Trip:
    """What happened on one trip; `replan.simulate` returns it.

    >>> import replan
    >>> trip = replan.simulate(replan.World(replan.Grid([[0, 1, 0], [0, 0, 0]], neighbors=4)), "A*", (0, 0), (0, 2))
    >>> print(trip.end_text)
    reached the goal after 4 moves
    >>> trip.why, trip.reached, trip.cost, trip.steps, trip.waits, trip.partial_moves
    ('reached', True, 4.0, 4, 0, 0)
    >>> trip.path
    [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]
    >>> print(trip.draw())
    ┌──────┐
    │SS##GG│
    │oooooo│
    └──────┘
    blank not seen, . seen free, # seen blocked, o path, S start, G goal
    >>> sorted(trip.numeric_metrics())[:4]
    ['cost', 'episodes', 'expansions', 'h_increase']
    >>> trip.as_dict()["path"] == trip.path
    True
    """

    planner: str = field(metadata=_described("the planner's name"))
    why: str = field(metadata=_described(f"why it ended: {', '.join(END_TEXTS)}", read=lambda walk, _: END_REASONS[walk.why][0]))
    cost: float = field(metadata=_described("what the walked path cost", "steps"))
    moves: int = field(metadata=_described("moves from cell to cell", read=lambda walk, _: walk.moves))
    steps: int = field(metadata=_described("steps of time: moves and waits", read=lambda walk, _: walk.steps))
    informed_moves: int = field(
        metadata=_described("moves along a path that was known to lead to the goal", read=lambda walk, _: walk.informed_moves)
    )
    episodes: int = field(metadata=_described("searches", read=lambda walk, _: walk.episodes))
    expansions: int = field(metadata=_counted("states expanded"))
    key_updates: int = field(
        metadata=_counted("keys brought up to date: no expansions, but they use up the limit of RTD*")
    )
    percolations: int = field(metadata=_counted("levels that entries moved in the binary heap"))
    h_increase: float = field(metadata=_counted("by how much h-values rose, all of them together", "steps"))
    changed_state_count: int = field(metadata=_counted("states whose changed costs an incremental search took in"))
    search_ns: int = field(
        metadata=_described(
            'time of the loop or, with timing="episode", of the searches alone', "ns", lambda walk, _: walk.search_ns
        )
    )
    apply_changes_ns: int | None = field(
        metadata=_counted('with timing="episode": time to take in changed costs, which is no search', "ns")
    )
    episode_expansions: list[int] = field(repr=False, metadata=_per_episode("expansions of each search", "expansions"))
    episode_ns: list[int] | None = field(
        repr=False,
        metadata=_described(
            'with timing="episode": time of each search',
            "ns",
            lambda walk, _: walk.arrays()["nanoseconds"].tolist() if walk.is_timed else None,
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
    def partial_moves(self) -> int:
        """Moves chosen by a search that had not come as far as the goal."""
        return self.moves - self.informed_moves

    @cached_property
    def path(self) -> list[Any]:
        """The cells (nodes of a graph) walked through, start and end included."""
        assert self.space is not None and self.states is not None  # `load` has the path itself
        return self.space.keys(self.states)

    @property
    def end_text(self) -> str:
        """How it ended, as in "reached the goal after 12 moves and 3 waits"."""
        waits = f" and {format_count(self.waits, 'wait')}" if self.waits else ""
        return f"{END_TEXTS[self.why]} after {format_count(self.moves, 'move')}{waits}"

    def draw(self) -> Drawing:
        """The way that was walked, on the grid as it was at first: print it, or give it to a console of rich.

        What an agent believed, and when, is told by a story: `replan.watch(...)`, `story.draw()`. Raises InputError for
        a trip that was loaded, which has no map, and where there is no grid.
        """
        if self.space is None or self.states is None:
            raise InputError("a trip that was loaded has no map: a story (replan.watch) keeps both")
        from replan.simulation.story_pictures import draw_trip  # no trip depends on how it is drawn

        return draw_trip(self.space, self.path, self.reached)

    def as_dict(self) -> dict[str, Any]:
        """All figures and the path, ready for JSON."""
        return {**{name: getattr(self, name) for name in METRICS}, "path": self.path}

    def numeric_metrics(self) -> dict[str, float | None]:
        """The figures that are numbers, by name; None for what was not measured."""
        return {figure.name: getattr(self, figure.name) for figure in METRICS.values() if figure.is_number}

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
            text = json.dumps({"replan": "trip", "version": 1, **self.as_dict()}, default=_to_json)
        except TypeError as error:  # nodes of a graph may be anything
            raise InputError(f"the trip cannot be saved as JSON: {error}", path) from None
        write_text(path, text + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Trip:
        """Read what `save` wrote: all figures and the path. Raises InputError naming the file and what is wrong.

        Nodes of a graph that were tuples are tuples again.
        """
        content = read_json(Path(path), MAX_BYTES)
        try:
            return _from_json(content)
        except InputError as error:
            raise InputError(error.reason, path) from None

    def __str__(self) -> str:
        return (
            f"{self.planner} {self.end_text}: cost {self.cost:,.1f}, {format_count(self.episodes, 'episode')}, "
            f"{format_count(self.expansions, 'expansion')}"
        )


@dataclass(frozen=True)
class TripMetric:
    """A figure of a Trip: its name, its type, and what is told of it."""

    name: str
    value_type: Any
    description: Description

    @property
    def is_number(self) -> bool:
        """Is it a number, so that it has a mean?"""
        return self.value_type in (int, float, int | None)

    def __str__(self) -> str:
        return f"{self.name}: {self.description.meaning}" + (f" [{self.description.unit}]" if self.description.unit else "")


def _stored_metrics() -> Iterator[TripMetric]:
    kinds = get_type_hints(Trip)
    for found in fields(Trip):
        if "told" in found.metadata:
            yield TripMetric(found.name, kinds[found.name], found.metadata["told"])


def _derived_metrics() -> Iterator[TripMetric]:
    for name, found in vars(Trip).items():
        if isinstance(found, property) and name != "end_text":
            said = (found.__doc__ or "").rstrip(".")
            yield TripMetric(name, get_type_hints(found.fget)["return"], Description(said[:1].lower() + said[1:]))


STORED_METRICS = list(_stored_metrics())
LIST_METRICS = [figure.name for figure in STORED_METRICS if figure.value_type in (list[int], list[int] | None)]
#: All that a Trip says in figures, by name.
METRICS = {figure.name: figure for figure in (*STORED_METRICS, *_derived_metrics())}
Trip.__doc__ = f"{Trip.__doc__}\n\n" + "\n".join(f"    - {figure}" for figure in METRICS.values())


def _to_json(value: Any) -> Any:
    """Numbers of NumPy, which nodes of a graph may be."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a node is a {type(value).__name__}")


def _from_json(content: Any) -> Trip:
    if not isinstance(content, dict) or content.get("replan") != "trip" or content.get("version") != 1:
        raise InputError('is no trip: it should begin with {"replan": "trip", "version": 1, ...')
    path = content.get("path")
    trip = _checked_trip(content, None, None)
    if not isinstance(path, list) or len(path) != trip.moves + 1:
        raise InputError(f"path is a list of {trip.moves + 1:,} cells: one more than there are moves")
    vars(trip)["path"] = [_cell_from_json(cell) for cell in path]
    return trip


def _checked_trip(content: dict[str, Any], states: np.ndarray[Any, Any] | None, space: Space | None) -> Trip:
    """A trip whose figures come from a file. Raises InputError."""
    for figure in STORED_METRICS:
        if figure.name not in content:
            raise InputError(f"{figure.name} is missing: the trip was saved by another version of replan, or changed")
        if not _has_type(content[figure.name], figure.value_type):
            raise InputError(f"{figure.name} ({figure.description.meaning}) cannot be {short_repr(content[figure.name])}")
    trip = Trip(**{figure.name: content[figure.name] for figure in STORED_METRICS}, states=states, space=space)
    if trip.why not in END_TEXTS:
        raise InputError(f"why is one of {', '.join(END_TEXTS)}, not {short_repr(trip.why)}")
    if not trip.informed_moves <= trip.moves <= trip.steps or len(trip.episode_expansions) != trip.episodes:
        raise InputError("its figures contradict each other")
    return trip


def trip_columns(trips: list[Trip]) -> tuple[dict[str, Any], dict[str, tuple[np.ndarray[Any, Any], bool]]]:
    """Trips as the end of a story's file has them: facts, and the longer lists as columns."""
    facts, columns = [], {}
    for i, trip in enumerate(trips):
        figures = {figure.name: getattr(trip, figure.name) for figure in STORED_METRICS}
        for name in LIST_METRICS:
            if figures[name] is not None:
                columns[f"trip{i}.{name}"] = np.array(figures.pop(name), np.int64), False
        facts.append(figures)
        columns[f"trip{i}.states"] = np.asarray(trip.states), True
    return {"trips": facts}, columns


def max_trip_items(moments: int, trips: int) -> int:
    """How many numbers these columns have at most: each moment is one step with one search at most."""
    return (1 + len(LIST_METRICS)) * (moments + trips)


def load_trip(done: Block, i: int, space: Space) -> Trip:
    """A trip from the end of a story's file, whose length is within `trips_limit`. Raises InputError."""
    figures = done.metadata["trips"][i]
    states = done.column(f"trip{i}.states", None).astype(np.int64)
    lists = {name: done.column(f"trip{i}.{name}", None).tolist() for name in LIST_METRICS if f"trip{i}.{name}" in done}
    try:
        if not isinstance(figures, dict) or not ((states >= 0) & (states < space.n)).all():
            raise InputError("its path leads through states that are not there")
        trip = _checked_trip({**figures, **lists}, states.astype(np.int32), space)
        if len(states) != trip.moves + 1:
            raise InputError("its path has another length than it has moves")
        return trip
    except InputError as error:
        raise done.file.error(f"is damaged: {error.reason}") from None


def _has_type(value: Any, kind: Any) -> bool:
    """Is it of the type that a field has? Numbers are finite, and none is negative."""
    if kind in (int | None, list[int] | None):
        return value is None or _has_type(value, int if kind == int | None else list[int])
    if kind == list[int]:
        return isinstance(value, list) and all(_has_type(item, int) for item in value)
    if kind is float:
        return type(value) in (int, float) and 0 <= value < float("inf")
    return type(value) is kind and (kind is not int or 0 <= value < 2**63)


def _cell_from_json(cell: Any) -> Any:
    return tuple(map(_cell_from_json, cell)) if isinstance(cell, list) else cell
