"""Interpretations of RTD* NoOp, which RTD* 2010 calls "very poor", and which is not poor here.

In unknown terrain nothing changes while the agent waits. So NoOp walks the path of Non-RTD*, and a search of n
expansions takes n / limit steps, rounded up; the last of these steps is also the step of the move. One trip of Non-RTD*
therefore gives the waiting time of NoOp under every limit. The cost of a search depends on the interpretation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from replan.experiments.experiment import AUTHORS_PROGRAM, PAPER_TEXT
from replan.experiments.report import Report
from replan.experiments.runs import Measurement, Options, Problem, Run, make_options
from replan.experiments.statistics import Estimate, mean
from replan.papers.rtd.curves import LIMITS, LRTA, CurveData, add_walked_columns
from replan.papers.rtd.worlds import RADIUS, shortest_path
from replan.planners.registry import planner
from replan.simulation.agent import Agent
from replan.simulation.watching import watch
from replan.spaces.grid import Grid
from replan.worlds.sensors import Radius
from replan.worlds.world import World

WORLD = "noop"  # the tag of these runs
WAIT_LIMITS = tuple(1 << i for i in range(10))  # limits; a quarter and an eighth of a limit are limits, too
NON_RTD_PLANNER, SCRATCH = "Non-RTD*", "Repeated Backward A*"
SMALLER_G_FIRST: Options = make_options(prefer="smaller g")


@dataclass(frozen=True)
class Interpretation:
    """An interpretation of NoOp.

    planner, options: the searching planner. limit_divisor: the planner gets the limit divided by it. loses_step: True
    if the step in which a search ends is not the step of the move.
    """

    description: str
    planner: str = NON_RTD_PLANNER
    options: Options = ()
    limit_divisor: int = 1
    loses_step: bool = False

    @property
    def row(self) -> str:
        """Name of the row of runs that it is computed from."""
        return " ".join([self.planner, *(f"{value}" for _, value in self.options)])

    def ratios(self, trips: pl.DataFrame, limit: int) -> pl.Series | None:
        """Return time over shortest path, trip by trip; None if the divided limit is below 1."""
        if limit < self.limit_divisor:
            return None
        waits = trips[f"waits_{limit // self.limit_divisor}"] + (trips["searches"] if self.loses_step else 0)
        return (trips["walked"] + waits) / trips["best"]


INTERPRETATIONS = (
    Interpretation("as in the figure"),
    Interpretation("ties towards smaller g, D* Lite's first order", options=SMALLER_G_FIRST),
    Interpretation("a step passes between a search and the move", loses_step=True),
    Interpretation("three quarters of the limit are kept for a local search that does nothing", limit_divisor=4),
    Interpretation("the same, with ties towards smaller g", options=SMALLER_G_FIRST, limit_divisor=4),
    Interpretation("the limit counts the vertices that are updated, eight an expansion", limit_divisor=8),
    Interpretation("all h-values are zero", options=make_options(heuristic="zero")),
    Interpretation("every search begins from scratch", SCRATCH),
    Interpretation("every search begins from scratch, with ties towards smaller g", SCRATCH, SMALLER_G_FIRST),
)


def noop_runs(problem: Problem, conventions: str) -> Iterator[Run]:
    """Yield the runs from which all interpretations are computed."""
    for row, reading in {reading.row: reading for reading in INTERPRETATIONS}.items():
        tags = {"world": WORLD, "conventions": conventions, "row": row, "limit": None}
        yield Run(reading.planner, reading.options, problem, tags, MEASURES[conventions], timing_repeats=0)


def measure_as_text(run: Run) -> Measurement:
    return _measure_waits(run, run.problem.world())


def measure_as_authors(run: Run) -> Measurement:
    return _measure_waits(run, World(run.problem.map.grid(), Radius(RADIUS, metric="octile")))


MEASURES = {PAPER_TEXT: measure_as_text, AUTHORS_PROGRAM: measure_as_authors}


def _measure_waits(run: Run, world: World) -> Measurement:
    """Measure how many steps NoOp would wait under each limit."""
    problem, options = run.problem, dict(run.options)
    story = watch(world, planner(NON_RTD_PLANNER, **options), problem.start, problem.goal)
    if run.planner == NON_RTD_PLANNER:
        expansions = [m.episode.expansions + m.episode.key_updates for m in story if m.episode is not None]
    else:
        expansions = list(_scratch_expansions(story, problem, options))
    trip = story.finish()
    work = np.array(expansions)
    counts = {f"waits_{limit}": int(np.maximum(-(-work // limit) - 1, 0).sum()) for limit in WAIT_LIMITS}
    moves, cost = shortest_path(problem)
    figures = {"moves": trip.moves, "cost": trip.cost, "shortest": moves, "cheapest": cost}
    return {"reached": int(trip.reached), **figures, "searches": int((work > 0).sum()), **counts}, {}


def _scratch_expansions(story: Any, problem: Problem, options: dict[str, Any]) -> Iterator[int]:
    """Yield for each step the expansions of a search that starts from scratch after each change of belief."""
    truth = problem.map.grid()
    for moment in story:
        has_changes = len(moment.belief_changes[0]) or moment.cause == "start"
        if not has_changes or moment.episode is None:
            yield 0
            continue
        blocked = truth.to_map_shape(story.belief(moment.index) == 0)
        believed = Grid(blocked, truth.neighbors, corners=truth.corners)
        agent = Agent(planner(SCRATCH, **options), believed, truth.key(moment.state), problem.goal)
        agent.plan()
        yield agent.planner.expansions


def show_noop(frame: pl.DataFrame, conventions: str, curves: CurveData, report: Report) -> None:
    """Add NoOp under each interpretation beside LRTA* to a report."""
    chosen = frame.filter((pl.col("world") == WORLD) & (pl.col("conventions") == conventions))
    if chosen.is_empty() or LRTA not in curves.names:
        return
    trips = add_walked_columns(chosen, conventions)
    lrta = {limit: curves.mean(LRTA, limit).value for limit in LIMITS}
    rows: list[list[str]] = [[LRTA, *(f"{value:.2f}" for value in lrta.values()), ""]]
    poor = []
    for reading in INTERPRETATIONS:
        means = _means(reading, trips.filter(pl.col("row") == reading.row))
        slower = [limit for limit, estimate in means.items() if estimate is not None and estimate.value > lrta[limit]]
        rows.append([reading.description, *(_shown(estimate) for estimate in means.values()), _listed(slower)])
        if {*LIMITS[1:]} <= {*slower}:
            poor.append(reading.description)
    report.table(["NoOp, limit", *(f"{limit}" for limit in LIMITS), f"{LRTA} is quicker at"], rows)
    under = (
        f"under {len(poor)} of these {len(INTERPRETATIONS)} readings ({'; '.join(poor)})"
        if poor
        else "under no reading"
    )
    report.text(f"{LRTA} is quicker than NoOp on average at every limit from {LIMITS[1]} on {under}.")


def _means(reading: Interpretation, trips: pl.DataFrame) -> dict[int, Estimate | None]:
    ratios = {limit: reading.ratios(trips, limit) for limit in LIMITS}
    return {limit: None if values is None else mean(values.to_numpy()) for limit, values in ratios.items()}


def _shown(estimate: Estimate | None) -> str:
    return "" if estimate is None else f"{estimate.value:.2f}"


def _listed(limits: Sequence[int]) -> str:
    return "all" if len(limits) == len(LIMITS) else ", ".join(map(str, limits)) or "none"
