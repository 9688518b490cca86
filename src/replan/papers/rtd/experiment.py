"""Paper 002 (Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010): Figures 3 and 4.

Time steps, not distance, are the measure: over the moves of a shortest path on the known map (rooms: with all doors
open). Unknown worlds: three Warcraft III maps, the agent sees 7 cells far. Rooms with doors: all of it is known, and
every change heard of at once. Local searches keep their h when costs fall, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import polars as pl

from replan.experiments.cases import cases, file_source, map_files
from replan.experiments.experiment import Experiment, Scope
from replan.experiments.planner_names import Entry, make_planner
from replan.experiments.report import Report
from replan.experiments.runs import MapSource, Measured, Problem, Run, of_trip, pairs
from replan.experiments.tables import rows
from replan.maps.generators import cave, random_obstacles, rooms
from replan.papers.rtd.figures import show_world
from replan.simulation.simulate import simulate
from replan.spaces.grid import Grid
from replan.worlds.doors import rooms_with_doors
from replan.worlds.recording import Recording

PROBLEMS_A_MAP = 173  # 519 on three maps
SEQUENCES = 100
LIMITS = (1, 8, 16, 32, 64, 128, 256, 512)
RADIUS = 7.0
MAPS = ("blastedlands", "dragonfire", "losttemple")  # the paper does not name its three
PATIENCE = 500_000  # steps
ROOM, STEPS = 9, 20_000  # the side of a room, and how long doors move


@dataclass(frozen=True)
class Curve:
    """A line of a figure: a planner with its options. unlimited: it has no limit, so it is one figure."""

    name: str
    planner: str
    options: tuple[tuple[str, Any], ...] = ()
    unlimited: bool = False


LRTA = Curve("LRTA* (TLA*)", "TLA*")
LSS = Curve("LSS-LRTA*", "LSS-LRTA*")
NOOP = Curve("RTD* NoOp", "RTD* NoOp")
NON_RTD = Curve("Non-RTD*", "Non-RTD*", unlimited=True)
RTD_LRTA = Curve("RTD* (D* Lite, LRTA*)", "RTD*", pairs(local="TLA*", local_ratio=0.25))
UNKNOWN = (LRTA, RTD_LRTA, LSS, Curve("RTD* (D* Lite, LSS-LRTA*)", "RTD*", pairs(local_ratio=0.75)), NOOP, NON_RTD)
DOORS = (
    LRTA,
    RTD_LRTA,
    LSS,
    Curve("RTD* (D* Lite, LSS-LRTA*)", "RTD*", pairs(local_ratio=0.5)),
    Curve("RTD* (AD*, LSS-LRTA*)", "RTD*", pairs(local_ratio=0.5, global_="AD*")),
    NON_RTD,
)


def walk_unknown(run: Run) -> Measured:
    """A trip through unknown terrain."""
    problem = run.problem
    planner = make_planner(run.planner, dict(run.options), problem.seed)
    trip = simulate(problem.world(), planner, problem.start, problem.goal, PATIENCE)
    counts, times = of_trip(trip)
    return counts | {"waits": trip.waits, "shortest": shortest(problem)}, times


@lru_cache(64)
def shortest(problem: Problem) -> int:
    """The moves of a shortest path on the known map."""
    return simulate(problem.map.grid(), "Repeated Forward A*", problem.start, problem.goal).moves


def walk_rooms(run: Run) -> Measured:
    """A trip through rooms whose doors open and close; the seed of the problem is that of the doors."""
    problem = run.problem
    planner = make_planner(run.planner, dict(run.options), problem.seed)
    trip = simulate(recorded(problem.seed).world(), planner, problem.start, problem.goal, PATIENCE)
    counts, times = of_trip(trip)
    return counts | {"waits": trip.waits, "shortest": shortest(problem)}, times


@lru_cache(4)
def recorded(seed: int) -> Recording:
    return rooms_with_doors(100, 100, ROOM, steps=STEPS, seed=seed)


def open_rooms(seed: int) -> Grid:
    """The rooms with all doors open."""
    return Grid(rooms(100, 100, ROOM, 1, seed))


def runs(scope: Scope) -> Iterator[Run]:
    problems = cases(_maps(scope), scope.sample)
    for problem in problems:
        seeing = Problem(problem.map, problem.start, problem.goal, problem.seed, sensor=RADIUS)
        yield from _runs_on(seeing, "unknown", _curves(scope, UNKNOWN), walk_unknown)
    for seed in range(min(scope.sample, SEQUENCES)):
        source = MapSource(open_rooms, (seed,), name=f"doors {seed}")
        inside = Problem(source, (0, 0), (99, 99), seed, sensor="everything")
        yield from _runs_on(inside, "doors", _curves(scope, DOORS), walk_rooms)


def _curves(scope: Scope, usual: Sequence[Curve]) -> Sequence[Curve]:
    if not scope.planners:
        return usual
    return [_own_curve(entry) for entry in scope.planners]


def _own_curve(entry: Entry) -> Curve:
    return Curve(entry.name, entry.name, pairs(**entry.options), unlimited=len(rows([entry], LIMITS)) == 1)


def _runs_on(problem: Problem, world: str, curves: Sequence[Curve], measure: Any) -> Iterator[Run]:
    for curve in curves:
        for limit in (None,) if curve.unlimited else LIMITS:
            options = dict(curve.options) | ({} if limit is None else {"lookahead": limit})
            tags = {"world": world, "row": curve.name, "limit": limit}
            yield Run(curve.planner, pairs(**options), problem, tags, measure)


def _maps(scope: Scope) -> list[MapSource]:
    if scope.maps is None:
        made: list[tuple[str, Any, dict[str, Any]]] = [
            ("cave", cave, {"rows": 120, "cols": 120, "seed": 1}),
            ("rooms", rooms, {"rows": 120, "cols": 120, "room": 14, "seed": 1}),
            ("obstacles", random_obstacles, {"rows": 120, "cols": 120, "density": 0.25, "seed": 1}),
        ]
        return [MapSource(make, (), pairs(**options), name=name) for name, make, options in made]
    return [file_source(file, corners="strict") for file in map_files(scope.maps, [("wc3_corner", m) for m in MAPS])]


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    into.text(
        "The agent may expand so many states in each step of time; RTD* NoOp waits until its global search has "
        "arrived, the others move in every step. The measure is time steps over the moves of a shortest path: 1 is "
        "perfect. The paper's figures are plots without numbers, so what is compared is what it says about them. LRTA* "
        "looks ahead by A* (TLA*); RTD* shares its limit between a global search and a local one."
    )
    with_ratio = frame.with_columns(ratio=pl.col("steps") / pl.col("shortest"))
    unknown = with_ratio.filter(pl.col("world") == "unknown")
    if not unknown.is_empty():
        names = ", ".join(unknown["map"].unique(maintain_order=True).to_list())
        where = f"{unknown['problem'].n_unique()} problems on {names} (the paper: 519 on three Warcraft III maps that "
        where += "it does not name)."
        if scope.maps is None:
            where += " **These are built-in maps**: `--maps DIR` takes Warcraft III maps from DIR/wc3_corner."
        into.heading("Figure 3: unknown worlds")
        into.text(where + f" The agent sees {RADIUS:g} cells far.")
        show_world(unknown, LIMITS, "figure-3", into)
    doors = with_ratio.filter(pl.col("world") == "doors")
    if not doors.is_empty():
        into.heading("Figure 4: rooms with doors that open and close")
        into.text(
            f"{doors['problem'].n_unique()} recorded sequences (the paper: {SEQUENCES}) of 100 x 100 cells; the size "
            f"of rooms ({ROOM}) and the pace of the doors are ours, for the paper gives neither. The agent knows the "
            "map and hears of every change."
        )
        show_world(doors, LIMITS, "figure-4", into)
    late = int((frame["reached"] == 0).sum())
    if late:
        into.text(f"{late:,} trips did not arrive within {PATIENCE:,} steps; they count with the steps they made.")


EXPERIMENT = Experiment("rtd", "Real-Time D* (paper 002)", 8, PROBLEMS_A_MAP, runs, report, counted="problems a map")
