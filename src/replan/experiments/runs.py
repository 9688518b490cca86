"""What is done once: a planner on a problem, and what is measured of it.

Counts come from one trip. A time is the least of `ROUNDS` trips, and the planners that are compared take turns: all on
a problem once, then all again (`perform`). Whatever else the machine does then disturbs all of them alike.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.planner_names import make_experiment_planner
from replan.experiments.user_code import refuse_unimportable
from replan.experiments.user_sources import SourceFiles, find_sources
from replan.simulation.simulate import simulate
from replan.simulation.trip import METRICS, Trip
from replan.spaces.grid import Grid
from replan.worlds.sensors import Radius
from replan.worlds.world import World

Cell = tuple[int, int]
Options = tuple[tuple[str, Any], ...]
Counts = dict[str, float]
Times = dict[str, int | None]  # None: not timed
Measurement = tuple[Counts, Times]
RunKey = tuple[str, str, str, str, str, str, int, str]  # what `store.KEY` names

GRIDS_KEPT = 16  # the maps of the largest experiment and some to spare
MAX_MOVES_PER_CELL = 1000  # that many moves for each free cell, and a trip is given up
TIMING_REPEATS = (
    3  # trips of a run whose time counts: the least of them is the least disturbed by other work on the machine
)

_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+")  # in the repr of an object that has none of its own

_world_cache = threading.local()


def make_options(**options: Any) -> Options:
    """Make options that can be compared and hashed.

    Parameters
    ----------
    **options
        Options of a planner.

    Returns
    -------
    tuple
        Pairs of name and value, sorted.

    Examples
    --------
    >>> make_options(ties="random", lookahead=9)
    (('lookahead', 9), ('ties', 'random'))
    """
    return tuple(sorted(options.items()))


@dataclass(frozen=True)
class MapSource:
    """A map, as a function and its arguments. Workers get these instead of the map.

    Parameters
    ----------
    make
        Function of a module. It returns a Grid, or an array of blocked cells.
    arguments
        Its positional arguments.
    options
        Its keyword arguments, as of `make_options`.
    neighbors
        4 or 8, for an array.
    corners
        Corner rule, for an array.
    name
        Name of the map in tables.

    Examples
    --------
    >>> from replan.maps import maze
    >>> source = MapSource(maze, (21, 21), make_options(seed=3), neighbors=4, name="maze 3")
    >>> source.grid().shape, source.digest() == MapSource(maze, (21, 21), make_options(seed=3), neighbors=4).digest()
    ((21, 21), True)
    """

    make: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    options: Options = ()
    neighbors: int = 8
    corners: str = "strict"
    name: str = ""

    def __post_init__(self) -> None:
        refuse_unimportable(self.make, f"what makes the map {self.name!r}")

    def grid(self) -> Grid:
        """Return the map. Recent maps are cached.

        Returns
        -------
        Grid
            The map.
        """
        return _grid(self)

    def digest(self) -> str:
        """Return a digest of the map and its rules of movement, equal for equal maps.

        Returns
        -------
        str
            The digest.
        """
        return _digest(self)


@lru_cache(GRIDS_KEPT)
def _grid(source: MapSource) -> Grid:
    made = source.make(*source.arguments, **dict(source.options))
    return made if isinstance(made, Grid) else Grid(made, source.neighbors, corners=source.corners)


@cache
def _digest(source: MapSource) -> str:
    described = source.grid()._to_arrays()
    if described is None:
        raise InputError(f"the map {source.name!r} cannot tell what is on it: experiments take a Grid or a Graph")
    facts, arrays = described
    digest = hashlib.sha256(repr(facts).encode())
    for name, array in arrays.items():
        digest.update(f"{name} {array.dtype.kind} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array, dtype="<f8" if array.dtype.kind == "f" else "<i8").tobytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Problem:
    """A map, a start and a goal.

    Parameters
    ----------
    map
        The map.
    start
        Cell (row, col).
    goal
        Cell (row, col).
    seed
        Seed of all random numbers of the trip.
    sensor
        Sensor of the agent; a number is a radius in cells.
    known
        What the agent knows at first: "nothing" or "everything".

    Notes
    -----
    The trip raises InputError if start or goal is blocked or outside the map.

    Examples
    --------
    >>> from replan.maps import maze
    >>> problem = Problem(MapSource(maze, (21, 21), make_options(seed=3)), (0, 0), (20, 20), sensor=5)
    >>> problem.world().sensor
    Radius(radius=5, line_of_sight=False, metric='euclidean')
    """

    map: MapSource
    start: Cell
    goal: Cell
    seed: int = 0
    sensor: str | float = "adjacent"
    known: str = "nothing"

    def world(self) -> World:
        """Return the world of the problem. The last one is cached, because making one may take longer than the trip.

        Returns
        -------
        World
            The world.
        """
        setting = (self.map, self.sensor, self.known)
        if getattr(_world_cache, "setting", None) != setting:
            sensor = self.sensor if isinstance(self.sensor, str) else Radius(self.sensor)
            _world_cache.world, _world_cache.setting = World(self.map.grid(), sensor, self.known), setting
        world: World = _world_cache.world
        return world


def max_trip_moves(grid: Grid) -> int:
    """Largest number of moves of a trip; a trip that needs more is ended.

    Parameters
    ----------
    grid
        The map.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> import numpy as np
    >>> max_trip_moves(Grid(np.zeros((3, 4), bool)))
    12000
    """
    return MAX_MOVES_PER_CELL * int((~grid.blocked).sum())


def measure_trip(run: Run) -> Measurement:
    """Run one trip, and time each search.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    tuple
        Counts, and times in nanoseconds, by name.

    Raises
    ------
    InputError
        If the problem is not possible.

    Examples
    --------
    >>> from replan.maps import maze
    >>> problem = Problem(MapSource(maze, (21, 21), make_options(seed=3), neighbors=4), (0, 0), (20, 20))
    >>> counts, times = measure_trip(Run("RTAA*", make_options(lookahead=9), problem))
    >>> counts["reached"], counts["cost"], sorted(times)
    (1, 174.0, ['apply_changes_ns', 'search_ns'])
    """
    problem = run.problem
    planner = make_experiment_planner(run.planner, dict(run.options), problem.seed)
    limit = max_trip_moves(problem.map.grid())
    return trip_measurement(simulate(problem.world(), planner, problem.start, problem.goal, limit, timing="episode"))


def trip_measurement(trip: Trip) -> Measurement:
    """Return the counts and times of a trip.

    Parameters
    ----------
    trip
        The trip.

    Returns
    -------
    tuple
        Counts, and times in nanoseconds, by name. The counts have a `path_digest`, equal for trips through the same
        cells.

    Examples
    --------
    >>> import numpy as np
    >>> counts, times = trip_measurement(simulate(Grid(np.zeros((3, 4), bool)), "D* Lite", (0, 0), (2, 3)))
    >>> counts["moves"], "search_ns" in times
    (3, True)
    """
    numbers = {name: value for name, value in trip.numeric_metrics().items() if value is not None}
    times = {name: int(value) for name, value in numbers.items() if METRICS[name].description.unit == "ns"}
    counts = {name: value for name, value in numbers.items() if name not in times}
    return {"reached": int(trip.reached), **counts, **_path_digest(trip)}, dict(times)


def _path_digest(trip: Trip) -> Counts:
    if trip.states is None:
        return {}
    digest = hashlib.blake2b(np.ascontiguousarray(trip.states, dtype="<i8").tobytes(), digest_size=8).digest()
    return {"path_digest": int.from_bytes(digest, "little") >> 11}  # 53 bits: no program rounds such a number


@dataclass(frozen=True)
class Run:
    """A planner on a problem.

    Parameters
    ----------
    planner
        Name in the registry, or `module:Class` for a planner of the user.
    options
        Its options, as of `make_options`.
    problem
        The problem.
    tags
        Columns for the experiment, such as the row of a table.
    measure
        Function of a module that performs the run. It returns counts and times.
    timing_repeats
        Number of trips; the least of their times counts. 0: one trip without times.

    Examples
    --------
    >>> from replan.experiments.mazes import maze_problems
    >>> run = Run("RTAA*", make_options(lookahead=9), next(maze_problems(1, 21)), tags={"row": "RTAA* 9"})
    >>> print(run)
    RTAA* lookahead=9 on maze 0 from (18, 5) to (13, 18), seed 0
    >>> run.key("1")[:2], run.measure is measure_trip
    (('RTAA*', '{"lookahead":9}'), True)
    """

    planner: str
    options: Options
    problem: Problem
    tags: dict[str, Any] = field(default_factory=dict, compare=False)
    measure: Callable[[Run], Measurement] = measure_trip
    timing_repeats: int = TIMING_REPEATS

    def __post_init__(self) -> None:
        refuse_unimportable(self.measure, f"what measures {self.planner}")

    def key(self, code_version: str) -> RunKey:
        """Key that tells this run from all others.

        Parameters
        ----------
        code_version
            Version of the code.

        Returns
        -------
        tuple
            The key.
        """
        problem = self.problem
        setup = {"sensor": problem.sensor, "known": problem.known, "measure": _measure_version(self.measure)}
        setup |= {"rounds": self.timing_repeats}
        return (
            self.planner,
            _json_text(dict(self.options)),
            _json_text(setup),
            problem.map.digest(),
            _json_text(problem.start),
            _json_text(problem.goal),
            problem.seed,
            code_version,
        )

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options)
        problem = self.problem
        where = f"{problem.map.name or problem.map.make.__name__} from {problem.start} to {problem.goal}"
        return f"{self.planner} {options}".rstrip() + f" on {where}, seed {problem.seed}"


@cache
def _measure_version(measure: Callable[[Run], Measurement]) -> str:
    """Return the name of a measuring function, and a digest of what it does."""
    sources: dict[str, str] = {}
    _add_sources(measure, sources)
    imports = measure_imports(measure)
    if imports.files:
        sources["imports"] = imports.digest()
    return f"{measure.__name__}-{hashlib.sha256(_json_text(sources).encode()).hexdigest()[:8]}"


def measure_imports(measure: Callable[[Run], Measurement]) -> SourceFiles:
    """Source files that the module of a user's measuring function imports, without that module itself.

    Parameters
    ----------
    measure
        The function.

    Returns
    -------
    SourceFiles
        The files, and their digests.

    Examples
    --------
    >>> measure_imports(measure_trip).files  # a function of the package: the code version covers it
    {}
    """
    module = sys.modules[inspect.unwrap(measure).__module__]
    if module.__name__.partition(".")[0] == "replan":
        return SourceFiles()
    found = find_sources(module)
    own = Path(module.__file__ or "")
    return SourceFiles({name: path for name, path in found.files.items() if path != own}, found.unresolved)


def _add_sources(function: Any, found: dict[str, str]) -> None:
    """Add the source of a function, and of what it uses of its module."""
    function = inspect.unwrap(function)
    found[function.__name__] = inspect.getsource(function)
    _add_names(_referenced_names(function.__code__), function.__globals__, found)


def _add_names(names: set[str], module: dict[str, Any], found: dict[str, str]) -> None:
    for name in names - found.keys():
        given: Any = module.get(name)
        value = inspect.unwrap(given)
        if isinstance(value, (int, float, str, bytes, tuple, list, dict)):
            found[name] = _ADDRESS.sub("", repr(value))
        elif inspect.isfunction(value) and value.__globals__ is module:
            _add_sources(value, found)
        elif inspect.isclass(value) and value.__module__ == module["__name__"]:
            found[name] = inspect.getsource(value)
            methods = (method for method in vars(value).values() if inspect.isfunction(method))
            used = {base.__name__ for base in value.__bases__}.union(
                *(_referenced_names(method.__code__) for method in methods)
            )
            _add_names(used, module, found)


def _referenced_names(code: CodeType) -> set[str]:
    """Return the names that a function uses, including those in nested functions."""
    inner = (_referenced_names(const) for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*inner)


def _json_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


class ExecutionCancelled(Exception):
    """The results of a batch are no longer needed.

    Examples
    --------
    >>> from replan.experiments.mazes import maze_problems
    >>> execute_batch([Run("RTAA*", (), next(maze_problems(1, 21)))], is_cancelled=lambda: True)
    Traceback (most recent call last):
    ...
    replan.experiments.runs.ExecutionCancelled
    """


def execute_batch(batch: Sequence[Run], is_cancelled: Callable[[], bool] = lambda: False) -> list[Measurement]:
    """Perform some runs, as a worker does.

    Parameters
    ----------
    batch
        The runs. All of them run once; then those that are timed run again, in the same order.
    is_cancelled
        Function that returns True if the results are no longer needed.

    Returns
    -------
    list
        Counts and times of each run.

    Raises
    ------
    InputError
        If a run fails. The message names it.
    ExecutionCancelled
        If `is_cancelled` returns True.

    Examples
    --------
    >>> from replan.experiments.mazes import maze_problems
    >>> batch = [Run(name, (), next(maze_problems(1, 21)), timing_repeats=0) for name in ("RTAA*", "D* Lite")]
    >>> [(counts["reached"], times["search_ns"]) for counts, times in execute_batch(batch)]
    [(1, None), (1, None)]
    """
    found: list[Measurement] = []
    for run in batch:
        counts, times = _measure_once(run, is_cancelled)
        found.append((counts, times if run.timing_repeats else dict.fromkeys(times)))
    for done in range(1, max((run.timing_repeats for run in batch), default=0)):
        for number, run in enumerate(batch):
            if run.timing_repeats > done:
                found[number] = _merge_fastest(run, found[number], _measure_once(run, is_cancelled))
    return found


def _measure_once(run: Run, stopped: Callable[[], bool]) -> Measurement:
    if stopped():
        raise ExecutionCancelled
    try:
        return run.measure(run)
    except Exception as error:
        raise InputError(f"{run}: {type(error).__name__}: {error}") from error


def _merge_fastest(run: Run, before: Measurement, again: Measurement) -> Measurement:
    """Return the counts, which must be equal, and the least of each time."""
    arrived = before[0].get("reached") and again[0].get("reached")  # else the clock may have ended it
    if before[0] != again[0] and arrived and ":" not in run.planner:  # a user's planner may do as it likes
        raise InputError(f"{run}: the same trip came out differently the second time")
    least: Times = {}
    for name, time in before[1].items():
        least[name] = min((one for one in (time, again[1].get(name)) if one is not None), default=None)
    return before[0], least
