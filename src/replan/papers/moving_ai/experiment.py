"""The scenarios of Moving AI maps (Sturtevant: Benchmarks for Grid-Based Pathfinding, 2012) as a benchmark.

Each problem is run twice: with the map known, as the scenarios were published, and with nothing known and the eight
cells around the agent seen. Costs are set beside the length that the scenario file lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from replan.errors import InputError
from replan.experiments.experiment import TIME_ALL_PROBLEMS, Experiment, Scope
from replan.experiments.map_problems import file_source
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.plots import Line, line_plots
from replan.experiments.report import Report
from replan.experiments.runs import MapSource, Problem, Run, make_options
from replan.experiments.tables import (
    Column,
    Columns,
    columns_by_name,
    mean_of,
    row_label,
    row_name,
    show_table,
    timing_note,
    total_ratio,
    trips_by_row,
    trips_on_common_problems,
)
from replan.maps.formats import read
from replan.maps.scenarios import Scenario, read_scenarios

TERRAINS = {  # what an agent sees, and what it knows at first
    "known": ("everything", "everything"),
    "unknown": ("adjacent", "nothing"),
}
DEFAULT_PLANNERS = (
    NamedPlanner("Repeated Forward A*"),
    NamedPlanner("D* Lite"),
    NamedPlanner("Adaptive A*"),
    NamedPlanner("RTAA*", {"lookahead": 32}),
    NamedPlanner("daRTAA*", {"lookahead": 32}),
    NamedPlanner("LSS-LRTA*", {"lookahead": 32}),
    NamedPlanner("TBA*", {"lookahead": 32}),
)
TOLERANCE = 0.01  # in steps; scenario files list lengths with a few digits, ours are sums of integers
COLUMNS: Columns = columns_by_name(
    Column("ratio", "cost / listed", mean_of("ratio")),
    Column("cost", "cost", mean_of("cost")),
    Column("expansions", "expansions", mean_of("expansions")),
    Column("episodes", "searches", mean_of("episodes")),
    Column("us_per_search", "µs a search", total_ratio("search_ns", "episodes", 1e-3), is_time=True),
    Column("ms_per_trip", "ms a trip", mean_of("search_ns", 1e-6), is_time=True),
)


def scenario_files(directory: Path) -> list[Path]:
    """The .scen files below a directory that have their map beside them, in the order of their names."""
    if not directory.is_dir():
        raise InputError("this is no directory; give one with .map files and their .scen files", directory)
    files = [file for file in sorted(directory.rglob("*.scen")) if file.with_suffix("").is_file()]
    if not files:
        raise InputError("no .scen file here or below has its .map beside it", directory)
    return files


def walkable_scenarios(file: Path) -> tuple[list[Scenario], int]:
    """The problems of a file that an agent can walk, and how many it cannot.

    In some published ones agents swim, from water to water: here water is blocked. Others have no way: they list a
    length of 0 between cells far apart.
    """
    map_file = file.with_suffix("")
    blocked = read(map_file).blocked
    moving = [scenario for scenario in read_scenarios(file, map_file) if scenario.start != scenario.goal]
    walkable = [one for one in moving if one.optimal_length > 0 and not blocked[one.start] and not blocked[one.goal]]
    return walkable, len(moving) - len(walkable)


def sample_evenly(scenarios: Sequence[Scenario], count: int) -> list[Scenario]:
    """That many problems, spread evenly over the file, which lists them from short to long."""
    if count >= len(scenarios):
        return list(scenarios)
    return [scenarios[i] for i in np.linspace(0, len(scenarios) - 1, count).round().astype(int).tolist()]


def runs(scope: Scope) -> Iterator[Run]:
    if scope.maps_directory is None:
        raise InputError("give the directory of the maps: replan benchmark DIR")
    planners = [(p, _row(p), make_options(**p.options)) for p in scope.planners or DEFAULT_PLANNERS]
    for file in scenario_files(scope.maps_directory):
        source = file_source(file.with_suffix(""))
        scenarios, _ = walkable_scenarios(file)
        for number, scenario in enumerate(sample_evenly(scenarios, scope.sample)):
            for terrain in TERRAINS:
                problem = _problem(source, scenario, number, terrain)
                for planner, row, options in planners:
                    tags = {
                        "row": row,
                        "terrain": terrain,
                        "bucket": scenario.bucket,
                        "listed": scenario.optimal_length,
                    }
                    yield Run(planner.name, options, problem, tags)


def _problem(source: MapSource, scenario: Scenario, number: int, terrain: str) -> Problem:
    return Problem(source, scenario.start, scenario.goal, number, *TERRAINS[terrain])


def _row(planner: NamedPlanner) -> str:
    return row_name(row_label(planner), planner.options.get("lookahead"), uses_lookahead="lookahead" in planner.options)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    frame = frame.with_columns(ratio=pl.col("cost") / pl.col("listed"))
    names = frame["map"].unique(maintain_order=True).to_list()
    report.heading("What was run")
    report.text(
        f"{frame['problem'].n_unique() // len(TERRAINS):,} published problems on {len(names)} maps, up to "
        f"{scope.sample:,} of each, spread evenly from short to long. Eight neighbours, no cutting of corners, a "
        "diagonal step is the square root of 2 long. *Known*: the map is given. *Unknown*: nothing is given, and the "
        f"eight cells around the agent are seen. {timing_note(frame)}"
    )
    _show_excluded(scope, report)
    _check_lengths(frame, report)
    for terrain in TERRAINS:
        of_terrain = frame.filter(pl.col("terrain") == terrain)
        if not of_terrain.is_empty():
            report.heading(f"{terrain.capitalize()} terrain")
            _table(of_terrain, report)
    report.heading("Cost against time")
    _cost_and_time(frame, report)
    report.heading("Map by map")
    report.text("Cost divided by the listed length, unknown terrain.")
    _by_map(frame.filter(pl.col("terrain") == "unknown"), names, report)


def _show_excluded(scope: Scope, report: Report) -> None:
    directory = scope.maps_directory
    files = scenario_files(directory) if directory is not None and directory.is_dir() else []
    unwalkable = {file.with_suffix("").stem: count for file in files if (count := walkable_scenarios(file)[1])}
    if unwalkable:
        report.text(
            f"{sum(unwalkable.values()):,} published problems are left out: they begin or end on blocked cells (most "
            f"of them in water, where published agents swim), or list a length of 0 ({', '.join(unwalkable)})."
        )


def _cost_and_time(frame: pl.DataFrame, report: Report) -> None:
    panels: dict[str, dict[str, Line]] = {}
    for (terrain,), of_terrain in frame.group_by("terrain", maintain_order=True):
        for row, trips in trips_on_common_problems(trips_by_row(of_terrain)).items():
            us, cost = COLUMNS["us_per_search"].estimate(trips).value, COLUMNS["ratio"].estimate(trips)
            if us > 0:  # else it was not timed, or never arrived
                point = Line([us], [cost.value], [cost.standard_error], trips["planner"][0], points_only=True)
                panels.setdefault(f"cost / listed length, {terrain} terrain", {})[row] = point
    try:
        plot = line_plots(panels, "µs a search", log_axes="xy")
    except InputError as refused:  # nothing was timed, or there are more planners than can be told apart
        report.text(f"There is no plot: {refused.reason}.")
    else:
        report.plot("cost-and-time", plot, "Mean cost, beside the listed length, against the mean time of a search")


def _table(trips: pl.DataFrame, report: Report) -> None:
    show_table(report, "planner", trips_by_row(trips), COLUMNS)


def _by_map(trips: pl.DataFrame, names: Sequence[str], report: Report) -> None:
    rows = trips["row"].unique(maintain_order=True).to_list()
    means = {
        (name, row): float(np.mean(of_both["ratio"].to_numpy()))
        for (name,), of_map in trips.group_by("map", maintain_order=True)
        for row, of_both in trips_on_common_problems(trips_by_row(of_map)).items()
        if len(of_both)
    }
    report.table(["map", *rows], [[name, *(means.get((name, row)) for row in rows)] for name in names])


def _check_lengths(frame: pl.DataFrame, report: Report) -> None:
    """With a map that is known, optimal planners walk as far as the file lists. Where they do not, say so."""
    exact = frame.filter((pl.col("terrain") == "known") & (pl.col("row") == "Repeated Forward A*"))
    if exact.is_empty():
        return
    off = exact.filter((pl.col("cost") - pl.col("listed")).abs() > TOLERANCE)
    if off.is_empty():
        report.text(f"On known maps all {len(exact):,} shortest paths are as long as the scenario files list.")
    else:
        maps = ", ".join(off["map"].unique(maintain_order=True).to_list())
        report.text(
            f"**{len(off):,} of {len(exact):,} shortest paths are not as long as the scenario files list** ({maps}): "
            "some published scenarios were made with other rules for corners or another version of the map."
        )


EXPERIMENT = Experiment(
    "moving-ai",
    "Planners on the scenarios of Moving AI maps",
    default_sample=10,
    full_sample=1_000_000,  # as many as there are
    runs=runs,
    report=report,
    problem_noun="problems a map",
    timed_problems=TIME_ALL_PROBLEMS,
)
