"""What is done once: a planner on a problem, and what is measured of it."""

from __future__ import annotations

import hashlib
import inspect
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.named import make_planner
from replan.simulation.simulate import simulate
from replan.simulation.trip import FIGURES, Trip
from replan.spaces.grid import Grid
from replan.worlds.sensors import Radius
from replan.worlds.world import World

Cell = tuple[int, int]
Pairs = tuple[tuple[str, Any], ...]
Counts = dict[str, float]
Times = dict[str, int]
Measured = tuple[Counts, Times]
Key = tuple[str, str, str, str, str, str, int, str]

GRIDS_KEPT = 16  # the maps of paper 001 and some to spare; runs come ordered by map
PATIENCE = 1000  # moves for each free cell, after which a trip is given up

_last = threading.local()


def pairs(**options: Any) -> Pairs:
    """Options as a value that can be compared and hashed."""
    return tuple(sorted(options.items()))


@dataclass(frozen=True)
class MapSource:
    """Where a map comes from: a function of a module, with its arguments. Small, so that it travels instead of the map.

    make: returns a Grid, or an array of blocked cells.
    """

    make: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    options: Pairs = ()
    neighbors: int = 8
    corners: str = "strict"
    name: str = ""

    def grid(self) -> Grid:
        return _grid(self)

    def digest(self) -> str:
        """What is on the map and how one moves there, in short: equal for equal maps."""
        return _digest(self)


@lru_cache(GRIDS_KEPT)
def _grid(source: MapSource) -> Grid:
    made = source.make(*source.arguments, **dict(source.options))
    return made if isinstance(made, Grid) else Grid(made, source.neighbors, corners=source.corners)


@cache
def _digest(source: MapSource) -> str:
    grid = source.grid()
    said = hashlib.sha256(repr((grid.shape, grid.neighbors, grid.corners)).encode())
    said.update(np.packbits(grid.blocked).tobytes())
    if grid.weights is not None:
        said.update(np.ascontiguousarray(grid.weights, dtype="<i8").tobytes())
    return said.hexdigest()[:16]


@dataclass(frozen=True)
class Problem:
    """A map, a start and a goal; the seed is of whatever is drawn on the trip. sensor: a number is a radius."""

    map: MapSource
    start: Cell
    goal: Cell
    seed: int = 0
    sensor: str | float = "adjacent"
    known: str = "nothing"

    def world(self) -> World:
        """The world to walk in: the last one again if it is the same, for a new one may take longer than the trip."""
        setting = (self.map, self.sensor, self.known)
        if getattr(_last, "setting", None) != setting:
            sensor = self.sensor if isinstance(self.sensor, str) else Radius(self.sensor)
            _last.world, _last.setting = World(self.map.grid(), sensor, self.known), setting
        world: World = _last.world
        return world


def walk(run: Run) -> Measured:
    """One trip, each search timed by itself."""
    problem = run.problem
    planner = make_planner(run.planner, dict(run.options), problem.seed)
    limit = PATIENCE * int((~problem.map.grid().blocked).sum())
    return of_trip(simulate(problem.world(), planner, problem.start, problem.goal, limit, timing="episode"))


def of_trip(trip: Trip) -> Measured:
    """The figures of a trip that are numbers: counts, and times apart from them."""
    numbers = {f.name: getattr(trip, f.name) for f in FIGURES.values() if f.number}
    times = {name: value for name, value in numbers.items() if FIGURES[name].told.unit == "ns" and value is not None}
    counts = {name: value for name, value in numbers.items() if FIGURES[name].told.unit != "ns"}
    return {"reached": int(trip.reached), **counts}, times


@dataclass(frozen=True)
class Run:
    """A planner on a problem.

    planner: a name of the registry, or `module:Class` for one of the user's. tags: columns for the experiment's own
    use, such as the row of a table. measure: a function of a module that does it.
    """

    planner: str
    options: Pairs
    problem: Problem
    tags: dict[str, Any] = field(default_factory=dict, compare=False)
    measure: Callable[[Run], Measured] = walk

    def key(self, code: str) -> Key:
        """What tells this run from all others; `code` is the version of the code."""
        problem = self.problem
        setup = {"sensor": problem.sensor, "known": problem.known, "measure": _version(self.measure)}
        return (
            self.planner,
            _text(dict(self.options)),
            _text(setup),
            problem.map.digest(),
            _text(problem.start),
            _text(problem.goal),
            problem.seed,
            code,
        )

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options)
        problem = self.problem
        where = f"{problem.map.name or problem.map.make.__name__} from {problem.start} to {problem.goal}"
        return f"{self.planner} {options}".rstrip() + f" on {where}, seed {problem.seed}"


@cache
def _version(measure: Callable[[Run], Measured]) -> str:
    """The name of a way to measure, and a digest of what it does."""
    return f"{measure.__name__}-{hashlib.sha256(inspect.getsource(measure).encode()).hexdigest()[:8]}"


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def perform(batch: list[Run]) -> list[Measured]:
    """What a worker does. Raises InputError naming the run that failed."""
    done = []
    for run in batch:
        try:
            done.append(run.measure(run))
        except Exception as error:
            raise InputError(f"{run}: {type(error).__name__}: {error}") from error
    return done
