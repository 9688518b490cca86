"""What the readings of RTD* NoOp say is what such a planner does."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import replan
from replan.experiments.experiment import AUTHORS_PROGRAM, PAPER_TEXT
from replan.experiments.report import Report
from replan.experiments.runs import MapSource, Problem, execute_batch
from replan.papers.rtd.curves import LIMITS, CurveData, add_walked_columns
from replan.papers.rtd.noop import INTERPRETATIONS, MEASURES, SCRATCH, WORLD, Interpretation, noop_runs, show_noop
from replan.papers.rtd.worlds import CORNERS, RADIUS, measure_unknown, measure_unknown_as_authors
from replan.worlds.sensors import Radius


def terrain(seed: int) -> np.ndarray:
    blocked = np.random.default_rng(seed).random((40, 40)) < 0.3
    blocked[:2, :] = blocked[:, [0, 20, 39]] = blocked[20, :] = False
    blocked[2:, 10] = True
    return blocked


def problem(conventions: str, seed: int = 1) -> Problem:
    source = MapSource(terrain, (seed,), corners=CORNERS[conventions], name="made up")
    return Problem(source, (39, 0), (39, 39), seed, sensor=RADIUS)


def trips_of(conventions: str) -> pl.DataFrame:
    runs = list(noop_runs(problem(conventions), conventions))
    rows = [{**run.tags, **counts} for run, (counts, _) in zip(runs, execute_batch(runs), strict=True)]
    return add_walked_columns(pl.from_dicts(rows, infer_schema_length=None), conventions)


@pytest.mark.parametrize("conventions", [PAPER_TEXT, AUTHORS_PROGRAM])
@pytest.mark.parametrize("reading", [one for one in INTERPRETATIONS if one.planner != SCRATCH and not one.loses_step])
def test_noop_itself_takes_as_long(reading: Interpretation, conventions: str) -> None:
    """With so many expansions a step as the reading leaves it."""
    trips, there = trips_of(conventions), problem(conventions)
    metric = {} if conventions == PAPER_TEXT else {"metric": "octile"}
    world = replan.World(there.map.grid(), Radius(RADIUS, **metric))
    for limit in (8, 64, 512):
        noop = replan.planner("RTD* NoOp", lookahead=limit // reading.limit_divisor, **dict(reading.options))
        trip = replan.simulate(world, noop, there.start, there.goal)
        took = trip.steps if conventions == PAPER_TEXT else trip.cost + trip.waits
        ours = trips.filter(pl.col("row") == reading.row)
        found = reading.ratios(ours, limit)
        assert found is not None and found[0] * ours["best"][0] == pytest.approx(took)
    assert (reading.ratios(ours, 1) is None) == (reading.limit_divisor > 1)


def test_from_scratch_is_more_work_and_a_lost_step_longer() -> None:
    trips = trips_of(PAPER_TEXT)
    found = {}
    for reading in INTERPRETATIONS:
        ratios = reading.ratios(trips.filter(pl.col("row") == reading.row), 8)
        assert ratios is not None
        found[reading.description] = ratios[0]
    first = found.pop("as in the figure")
    assert all(other > first for other in found.values())


def test_the_report_says_where_lrta_is_quicker() -> None:
    """LRTA* made up: as quick as can be at all limits but the first."""
    trips = trips_of(PAPER_TEXT)
    lrta = pl.DataFrame({"row": "LRTA*", "limit": LIMITS, "problem": 0, "ratio": [1e6] + [1.0] * (len(LIMITS) - 1)})
    report = Report("")
    show_noop(trips, PAPER_TEXT, CurveData(lrta), report)
    assert (
        f"at every limit from 8 on under {len(INTERPRETATIONS)} of these {len(INTERPRETATIONS)} readings"
        in report.markdown()
    )
    lrta = lrta.with_columns(ratio=pl.lit(1e6))
    report = Report("")
    show_noop(trips, PAPER_TEXT, CurveData(lrta), report)
    assert "under no reading" in report.markdown() and report.markdown().count("| none |") == len(INTERPRETATIONS)


def test_the_runs_of_the_figures_are_not_touched() -> None:
    """They are others: kept results of the figures stay good."""
    assert {run.tags["world"] for run in noop_runs(problem(PAPER_TEXT), PAPER_TEXT)} == {WORLD}
    assert not {*MEASURES.values()} & {measure_unknown, measure_unknown_as_authors}
