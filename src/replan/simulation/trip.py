"""Trip: the record of one trip, with its metrics.

Each metric is described once, at its field or property in `Trip`. Everything else follows from that: what `simulate`
reads and counts, what is saved and loaded, the means of `replan.compare`, and the columns of results.
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

END_TEXTS = dict(END_REASONS.values())  # by value of `Trip.why`: the words for users
MAX_BYTES = 2**28


@dataclass(frozen=True)
class Description:
    """Meaning, unit and source of a metric.

    read_value: reads it from the runner and the planner after the trip. is_counted: the planner counts it under the
    same name (in cost units if the unit is steps), and the trip gets the increase.
    """

    meaning: str
    unit: str = ""
    read_value: Callable[[TripRunner, Planner], Any] | None = None
    is_counted: bool = False


def _described(
    meaning: str, unit: str = "", read: Callable[[TripRunner, Planner], Any] | None = None
) -> dict[str, Description]:
    """Return the metadata of a field that `read` reads."""
    return {"description": Description(meaning, unit, read)}


def _counted(meaning: str, unit: str = "") -> dict[str, Description]:
    """Return the metadata of a field that the planner counts."""
    return {"description": Description(meaning, unit, is_counted=True)}


def _per_episode(meaning: str, count: str) -> dict[str, Description]:
    """Return the metadata of a list with a count for each search (`EpisodeCounts` of counts.py)."""
    return _described(meaning, read=lambda runner, _: runner.arrays()[count].tolist())


@dataclass(frozen=True, eq=False)
class Trip:
    """The record of one trip, which `replan.simulate` returns.

    Examples
    --------
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
    ['apply_changes_ns', 'changed_state_count', 'cost', 'episodes']
    >>> trip.as_dict()["path"] == trip.path
    True
    """

    planner: str = field(metadata=_described("name of the planner"))
    why: str = field(
        metadata=_described(
            f"why the trip ended: {', '.join(END_TEXTS)}", read=lambda runner, _: END_REASONS[runner.why][0]
        )
    )
    cost: float = field(metadata=_described("cost of the walked path", "steps"))
    moves: int = field(metadata=_described("moves from cell to cell", read=lambda runner, _: runner.moves))
    steps: int = field(metadata=_described("steps of time: moves and waits", read=lambda runner, _: runner.steps))
    informed_moves: int = field(
        metadata=_described(
            "moves along a path that reached the goal when it was planned", read=lambda runner, _: runner.informed_moves
        )
    )
    episodes: int = field(metadata=_described("searches", read=lambda runner, _: runner.episodes))
    expansions: int = field(metadata=_counted("states expanded"))
    key_updates: int = field(
        metadata=_counted("updates of keys in the open list: no expansions, but they count for the limit of RTD*")
    )
    percolations: int = field(metadata=_counted("levels that entries moved in the binary heap"))
    h_increase: float = field(metadata=_counted("sum of all increases of h-values", "steps"))
    changed_state_count: int = field(metadata=_counted("states whose changed costs an incremental search applied"))
    search_ns: int = field(
        metadata=_described(
            'time of the loop; with timing="episode", of the searches alone', "ns", lambda runner, _: runner.search_ns
        )
    )
    apply_changes_ns: int | None = field(
        metadata=_counted('with timing="episode": time to apply changed costs, not part of the searches', "ns")
    )
    episode_expansions: list[int] = field(repr=False, metadata=_per_episode("expansions of each search", "expansions"))
    episode_ns: list[int] | None = field(
        repr=False,
        metadata=_described(
            'with timing="episode": time of each search',
            "ns",
            lambda runner, _: runner.arrays()["nanoseconds"].tolist() if runner.is_timed else None,
        ),
    )
    # not saved: None after `load`
    states: np.ndarray[Any, Any] | None = field(repr=False)
    space: Space | None = field(repr=False)

    @property
    def reached(self) -> bool:
        """True if the agent arrived at the goal."""
        return self.why == "reached"

    @property
    def waits(self) -> int:
        """Steps of time in which the agent did not move."""
        return self.steps - self.moves

    @property
    def partial_moves(self) -> int:
        """Moves along a path that did not reach the goal."""
        return self.moves - self.informed_moves

    @cached_property
    def path(self) -> list[Any]:
        """Cells (nodes of a graph) of the walked path, with start and end."""
        assert self.space is not None and self.states is not None  # `load` sets the path itself
        return self.space.keys(self.states)

    @property
    def end_text(self) -> str:
        """How the trip ended, as in "reached the goal after 12 moves and 3 waits"."""
        waits = f" and {format_count(self.waits, 'wait')}" if self.waits else ""
        return f"{END_TEXTS[self.why]} after {format_count(self.moves, 'move')}{waits}"

    def draw(self) -> Drawing:
        """Draw the walked path on the grid as it was at first.

        Returns
        -------
        Drawing
            Text with colours: print it, or give it to a console of rich.

        Raises
        ------
        InputError
            If the trip was loaded (it has no map), or its space is no grid.

        Notes
        -----
        A story (`replan.watch`) draws what the agent believed at each step.
        """
        if self.space is None or self.states is None:
            raise InputError("a trip that was loaded has no map: a story (replan.watch) keeps both")
        from replan.simulation.story_pictures import draw_trip  # imported here: trips do not depend on drawings

        return draw_trip(self.space, self.path, self.reached)

    def as_dict(self) -> dict[str, Any]:
        """Return all metrics and the path.

        Returns
        -------
        dict
            The metrics by name, and "path". It can be written as JSON, if the nodes of a graph can.
        """
        return {**{name: getattr(self, name) for name in METRICS}, "path": self.path}

    def numeric_metrics(self) -> dict[str, float | None]:
        """Return the metrics that are numbers.

        Returns
        -------
        dict of str to float
            The metrics by name; None for a time that was not measured.
        """
        return {metric.name: getattr(self, metric.name) for metric in METRICS.values() if metric.is_number}

    def save(self, path: str | Path) -> None:
        """Write the trip to a JSON file, all at once.

        Parameters
        ----------
        path
            The file. An existing one is replaced.

        Raises
        ------
        InputError
            If the file cannot be written, or a node of the graph cannot be written as JSON.

        Examples
        --------
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
        """Read a trip from a file that `save` has written.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Trip
            The trip with all metrics and the path. Its `states` and `space` are None.

        Raises
        ------
        InputError
            If the file cannot be read. The message has its name and what is wrong in it.
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
    """A metric of a Trip: its name, its type and its description."""

    name: str
    value_type: Any
    description: Description

    @property
    def is_number(self) -> bool:
        """True if it is a number, so that it has a mean."""
        return self.value_type in (int, float, int | None)

    def __str__(self) -> str:
        return f"{self.name}: {self.description.meaning}" + (
            f" [{self.description.unit}]" if self.description.unit else ""
        )


def _stored_metrics() -> Iterator[TripMetric]:
    """Yield the metrics that are fields of Trip."""
    value_types = get_type_hints(Trip)
    for stored in fields(Trip):
        if "description" in stored.metadata:
            yield TripMetric(stored.name, value_types[stored.name], stored.metadata["description"])


def _derived_metrics() -> Iterator[TripMetric]:
    """Yield the metrics that are properties of Trip."""
    for name, member in vars(Trip).items():
        if isinstance(member, property) and name != "end_text":
            meaning = (member.__doc__ or "").rstrip(".")
            yield TripMetric(
                name, get_type_hints(member.fget)["return"], Description(meaning[:1].lower() + meaning[1:])
            )


STORED_METRICS = list(_stored_metrics())
LIST_METRICS = [metric.name for metric in STORED_METRICS if metric.value_type in (list[int], list[int] | None)]
#: All metrics of a Trip by name, stored and derived.
METRICS = {metric.name: metric for metric in (*STORED_METRICS, *_derived_metrics())}


def _parameters_section() -> str:
    """Return the section "Parameters" of the docstring of Trip, from the descriptions of its fields."""
    meanings = {metric.name: str(metric).removeprefix(f"{metric.name}: ") for metric in STORED_METRICS}
    meanings |= {"states": "states of the walked path; None after `load`", "space": "the space; None after `load`"}
    items = [f"    {name}\n        {text[:1].upper()}{text[1:]}.\n" for name, text in meanings.items()]
    return "    Parameters\n    ----------\n" + "".join(items)


Trip.__doc__ = str(Trip.__doc__).replace("    Examples\n", f"{_parameters_section()}\n    Examples\n", 1)


def _to_json(value: Any) -> Any:
    """Return a number of NumPy as one of Python. Raise TypeError for anything else."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a node is a {type(value).__name__}")


def _from_json(content: Any) -> Trip:
    """Return the trip in the content of a file. Raises InputError."""
    if not isinstance(content, dict) or content.get("replan") != "trip" or content.get("version") != 1:
        raise InputError('is no trip: it should begin with {"replan": "trip", "version": 1, ...')
    path = content.get("path")
    trip = _checked_trip(content, None, None)
    if not isinstance(path, list) or len(path) != trip.moves + 1:
        raise InputError(f"path is a list of {trip.moves + 1:,} cells: one more than there are moves")
    vars(trip)["path"] = [_cell_from_json(cell) for cell in path]
    return trip


def _checked_trip(content: dict[str, Any], states: np.ndarray[Any, Any] | None, space: Space | None) -> Trip:
    """Return a trip with the metrics from a file. Raises InputError."""
    for metric in STORED_METRICS:
        if metric.name not in content:
            raise InputError(f"{metric.name} is missing: the trip was saved by another version of replan, or changed")
        if not _has_type(content[metric.name], metric.value_type):
            raise InputError(
                f"{metric.name} ({metric.description.meaning}) cannot be {short_repr(content[metric.name])}"
            )
    trip = Trip(**{metric.name: content[metric.name] for metric in STORED_METRICS}, states=states, space=space)
    if trip.why not in END_TEXTS:
        raise InputError(f"why is one of {', '.join(END_TEXTS)}, not {short_repr(trip.why)}")
    if not trip.informed_moves <= trip.moves <= trip.steps or len(trip.episode_expansions) != trip.episodes:
        raise InputError("its metrics contradict each other")
    return trip


def trip_columns(trips: list[Trip]) -> tuple[dict[str, Any], dict[str, tuple[np.ndarray[Any, Any], bool]]]:
    """Return the metadata and columns of trips for the end of a story file. Long lists are columns."""
    metadata, columns = [], {}
    for i, trip in enumerate(trips):
        values = {metric.name: getattr(trip, metric.name) for metric in STORED_METRICS}
        for name in LIST_METRICS:
            if values[name] is not None:
                columns[f"trip{i}.{name}"] = np.array(values.pop(name), np.int64), False
        metadata.append(values)
        columns[f"trip{i}.states"] = np.asarray(trip.states), True
    return {"trips": metadata}, columns


def max_trip_items(steps: int, trips: int) -> int:
    """Return the limit of items in these columns: each step of the story has one search at most."""
    return (1 + len(LIST_METRICS)) * (steps + trips)


def load_trip(end_block: Block, i: int, space: Space) -> Trip:
    """Return trip i from the end of a story file, whose length is within `max_trip_items`. Raises InputError."""
    values = end_block.metadata["trips"][i]
    states = end_block.column(f"trip{i}.states", None).astype(np.int64)
    lists = {
        name: end_block.column(f"trip{i}.{name}", None).tolist()
        for name in LIST_METRICS
        if f"trip{i}.{name}" in end_block
    }
    try:
        if not isinstance(values, dict) or not ((states >= 0) & (states < space.n)).all():
            raise InputError("its path has states that do not exist")
        trip = _checked_trip({**values, **lists}, states.astype(np.int32), space)
        if len(states) != trip.moves + 1:
            raise InputError("the length of its path does not agree with its moves")
        return trip
    except InputError as error:
        raise end_block.file.error(f"is damaged: {error.reason}") from None


def _has_type(value: Any, value_type: Any) -> bool:
    """True if a value has the type of a field. Numbers must be finite and not negative."""
    if value_type in (int | None, list[int] | None):
        return value is None or _has_type(value, int if value_type == int | None else list[int])
    if value_type == list[int]:
        return isinstance(value, list) and all(_has_type(item, int) for item in value)
    if value_type is float:
        return type(value) in (int, float) and 0 <= value < float("inf")
    return type(value) is value_type and (value_type is not int or 0 <= value < 2**63)


def _cell_from_json(cell: Any) -> Any:
    """Return a cell or node with tuples in place of lists."""
    return tuple(map(_cell_from_json, cell)) if isinstance(cell, list) else cell
