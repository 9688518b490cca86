"""RTD* 2010 (Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010): Figures 3 and 4.

What is measured is the steps of time that a trip takes, not its length: they are divided by the moves of a shortest
path on the known map (rooms: with all doors open). Unknown worlds: three Warcraft III maps, on which the agent sees 7
cells far. Rooms with doors: the agent knows the map, and hears of every change at once. Local searches keep their
h-values when costs fall, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from replan.experiments.experiment import Experiment, Scope
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import Report
from replan.experiments.runs import Measured, Options, Problem, Run, make_options
from replan.experiments.tables import row_label, row_name
from replan.papers.rtd.figures import LRTA, LSS, NON_RTD, NOOP, RTD, RTD_AD, RTD_LRTA, show_world
from replan.papers.rtd.worlds import (
    MAPS,
    MOST_STEPS,
    RADIUS,
    ROOM,
    SIDE,
    door_problem,
    unknown_problems,
    walk_rooms,
    walk_unknown,
)

PROBLEMS_A_MAP, SEQUENCES = 173, 100  # as many as the paper has
LIMITS = (1, 8, 16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class Curve:
    """A line of a figure: a planner with its options. unlimited: it has no limit, so its figure is the same at each."""

    name: str
    planner: str
    options: Options = ()
    unlimited: bool = False


LRTA_ALONE, LSS_ALONE = Curve(LRTA, "TLA*"), Curve(LSS, "LSS-LRTA*")
WITH_LRTA = Curve(RTD_LRTA, "RTD*", make_options(local="TLA*", local_ratio=0.25))
WITHOUT_LIMIT = Curve(NON_RTD, "Non-RTD*", unlimited=True)
UNKNOWN = (
    LRTA_ALONE,
    WITH_LRTA,
    LSS_ALONE,
    Curve(RTD, "RTD*", make_options(local_ratio=0.75)),
    Curve(NOOP, "RTD* NoOp"),
    WITHOUT_LIMIT,
)
DOORS = (
    LRTA_ALONE,
    WITH_LRTA,
    LSS_ALONE,
    Curve(RTD, "RTD*", make_options(local_ratio=0.5)),
    Curve(RTD_AD, "RTD*", make_options(local_ratio=0.5, global_="AD*")),
    WITHOUT_LIMIT,
)


def runs(scope: Scope) -> Iterator[Run]:
    named = [_named_curve(planner) for planner in scope.planners]
    for problem in unknown_problems(scope.maps, scope.sample):
        yield from _runs_on(problem, "unknown", named or UNKNOWN, walk_unknown)
    for seed in range(min(scope.sample, SEQUENCES)):
        yield from _runs_on(door_problem(seed), "doors", named or DOORS, walk_rooms)


def _named_curve(planner: NamedPlanner) -> Curve:
    """A planner that the user named: with each limit, or with the lookahead that the user gave."""
    given, name = "lookahead" in planner.options, row_label(planner)
    if given:
        name = row_name(name, planner.options["lookahead"])
    return Curve(name, planner.name, make_options(**planner.options), unlimited=given or not planner.bounded)


def _runs_on(
    problem: Problem, world: str, curves: Sequence[Curve], measure: Callable[[Run], Measured]
) -> Iterator[Run]:
    for curve in curves:
        for limit in (None,) if curve.unlimited else LIMITS:
            options = dict(curve.options) | ({} if limit is None else {"lookahead": limit})
            tags = {"world": world, "row": curve.name, "limit": limit}
            yield Run(curve.planner, make_options(**options), problem, tags, measure)


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
        paper = f"{PROBLEMS_A_MAP * len(MAPS)} on three Warcraft III maps that it does not name"
        where = f"{unknown['problem'].n_unique()} problems on {names} (the paper: {paper})."
        if scope.maps is None:
            where += " **These are built-in maps**: `--maps DIR` takes Warcraft III maps from DIR/wc3_corner."
        into.heading("Figure 3: unknown worlds")
        into.text(where + f" The agent sees {RADIUS:g} cells far.")
        show_world(unknown, LIMITS, "figure-3", into)
    doors = with_ratio.filter(pl.col("world") == "doors")
    if not doors.is_empty():
        into.heading("Figure 4: rooms with doors that open and close")
        into.text(
            f"{doors['problem'].n_unique()} recorded sequences (the paper: {SEQUENCES}) of {SIDE} x {SIDE} cells; the "
            f"size of rooms ({ROOM}) and the pace of the doors are ours, for the paper gives neither. The agent knows "
            "the map and hears of every change."
        )
        show_world(doors, LIMITS, "figure-4", into)
    late = int((frame["reached"] == 0).sum())
    if late:
        into.text(f"{late:,} trips did not arrive within {MOST_STEPS:,} steps; they count with the steps they made.")


EXPERIMENT = Experiment(
    "rtd",
    "RTD* 2010: Real-Time D*",
    usual=8,
    full=PROBLEMS_A_MAP,
    runs=runs,
    report=report,
    counted="problems a map",
    timed=0,
)
