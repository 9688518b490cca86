"""RTD* NoOp is "very poor" in RTD* 2010 and is not so here: under which other reading would it be?

In unknown terrain nothing changes while the agent waits, so the way of NoOp is that of Non-RTD*, and a search of n
expansions takes n / limit steps, rounded up, of which the last one is also the step of the move. So one walk of
Non-RTD* tells how long NoOp waits under every limit. What each search costs depends on the reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from replan.experiments.experiment import AUTHORS, TEXT
from replan.experiments.report import Report
from replan.experiments.runs import Measured, Options, Problem, Run, make_options
from replan.experiments.statistics import Estimate, mean
from replan.papers.rtd.curves import LIMITS, LRTA, Curves, walked
from replan.papers.rtd.worlds import RADIUS, shortest
from replan.planners.registry import planner
from replan.simulation.agent import Agent
from replan.simulation.watching import watch
from replan.spaces.grid import Grid
from replan.worlds.sensors import Radius
from replan.worlds.world import World

WORLD = "noop"  # the tag of these runs
HALVED = tuple(1 << i for i in range(10))  # limits, of which a quarter and an eighth are others of them
REPAIRED, SCRATCH = "Non-RTD*", "Repeated Backward A*"
SMALLER: Options = make_options(prefer="smaller g")


@dataclass(frozen=True)
class Reading:
    """What NoOp might be.

    planner, options: what searches. part: it gets one in so many of the expansions. lost: the step in which a search
    ends is not that of the move.
    """

    says: str
    planner: str = REPAIRED
    options: Options = ()
    part: int = 1
    lost: bool = False

    @property
    def row(self) -> str:
        """Of the runs that it is taken from."""
        return " ".join([self.planner, *(f"{value}" for _, value in self.options)])

    def ratios(self, trips: pl.DataFrame, limit: int) -> pl.Series | None:
        """Time over shortest path, trip by trip; None where nothing is left of the limit."""
        if limit < self.part:
            return None
        waits = trips[f"waits_{limit // self.part}"] + (trips["searches"] if self.lost else 0)
        return (trips["walked"] + waits) / trips["best"]


READINGS = (
    Reading("as in the figure"),
    Reading("ties towards smaller g, D* Lite's first order", options=SMALLER),
    Reading("a step passes between a search and the move", lost=True),
    Reading("three quarters of the limit are kept for a local search that does nothing", part=4),
    Reading("the same, with ties towards smaller g", options=SMALLER, part=4),
    Reading("the limit counts the vertices that are updated, eight an expansion", part=8),
    Reading("all h-values are zero", options=make_options(heuristic="zero")),
    Reading("every search begins from scratch", SCRATCH),
    Reading("every search begins from scratch, with ties towards smaller g", SCRATCH, SMALLER),
)


def noop_runs(problem: Problem, conventions: str) -> Iterator[Run]:
    """The walks from which all readings follow."""
    for row, reading in {reading.row: reading for reading in READINGS}.items():
        tags = {"world": WORLD, "conventions": conventions, "row": row, "limit": None}
        yield Run(reading.planner, reading.options, problem, tags, WALKS[conventions], rounds=0)


def walk_as_text(run: Run) -> Measured:
    return _waits(run, run.problem.world())


def walk_as_authors(run: Run) -> Measured:
    return _waits(run, World(run.problem.map.grid(), Radius(RADIUS, metric="octile")))


WALKS = {TEXT: walk_as_text, AUTHORS: walk_as_authors}


def _waits(run: Run, world: World) -> Measured:
    """How long NoOp would stand still under each limit."""
    problem, options = run.problem, dict(run.options)
    story = watch(world, planner(REPAIRED, **options), problem.start, problem.goal)
    if run.planner == REPAIRED:
        found = [m.episode.expansions + m.episode.refreshes for m in story if m.episode is not None]
    else:
        found = list(_from_scratch(story, problem, options))
    trip = story.finish()
    work = np.array(found)
    counts = {f"waits_{limit}": int(np.maximum(-(-work // limit) - 1, 0).sum()) for limit in HALVED}
    moves, cost = shortest(problem)
    figures = {"moves": trip.moves, "cost": trip.cost, "shortest": moves, "cheapest": cost}
    return {"reached": int(trip.reached), **figures, "searches": int((work > 0).sum()), **counts}, {}


def _from_scratch(story: Any, problem: Problem, options: dict[str, Any]) -> Iterator[int]:
    """What a search costs that begins anew whenever something was seen, by the moment."""
    truth = problem.map.grid()
    for moment in story:
        news = len(moment.believed[0]) or moment.cause == "start"
        if not news or moment.episode is None:
            yield 0
            continue
        blocked = truth.array(story.belief(moment.number) == 0)
        believed = Grid(blocked, truth.neighbors, corners=truth.corners)
        agent = Agent(planner(SCRATCH, **options), believed, truth.key(moment.state), problem.goal)
        agent.plan()
        yield agent.planner.expansions


def show_noop(frame: pl.DataFrame, conventions: str, curves: Curves, into: Report) -> None:
    """NoOp under each reading beside LRTA*, and where LRTA* is quicker."""
    chosen = frame.filter((pl.col("world") == WORLD) & (pl.col("conventions") == conventions))
    if chosen.is_empty() or LRTA not in curves.names:
        return
    trips = walked(chosen, conventions)
    lrta = {limit: curves.mean(LRTA, limit).value for limit in LIMITS}
    rows: list[list[str]] = [[LRTA, *(f"{value:.2f}" for value in lrta.values()), ""]]
    poor = []
    for reading in READINGS:
        found = _means(reading, trips.filter(pl.col("row") == reading.row))
        slower = [limit for limit, one in found.items() if one is not None and one.value > lrta[limit]]
        rows.append([reading.says, *(_shown(one) for one in found.values()), _listed(slower)])
        if {*LIMITS[1:]} <= {*slower}:
            poor.append(reading.says)
    into.table(["NoOp, limit", *(f"{limit}" for limit in LIMITS), f"{LRTA} is quicker at"], rows)
    under = f"under {len(poor)} of these {len(READINGS)} readings ({'; '.join(poor)})" if poor else "under no reading"
    into.text(f"{LRTA} is quicker than NoOp on average at every limit from {LIMITS[1]} on {under}.")


def _means(reading: Reading, trips: pl.DataFrame) -> dict[int, Estimate | None]:
    ratios = {limit: reading.ratios(trips, limit) for limit in LIMITS}
    return {limit: None if one is None else mean(one.to_numpy()) for limit, one in ratios.items()}


def _shown(found: Estimate | None) -> str:
    return "" if found is None else f"{found.value:.2f}"


def _listed(limits: Sequence[int]) -> str:
    return "all" if len(limits) == len(LIMITS) else ", ".join(map(str, limits)) or "none"
