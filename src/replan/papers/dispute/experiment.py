"""The dispute over MPGAA* and D* Lite, on one core and in one harness.

Hernández, Asín and Baier (AAAI 2015) find MPGAA* generally faster than D* Lite. Przybylski and Putz (D* Extra Lite,
AMCS 2017) find it 1.1 to 9 times slower than theirs, with more search steps than D* Lite. Their settings differ: the
latter have straight-line distances as h on maps with eight neighbours, and keys without a tie rule. Here all planners
have the same h and the same ties, larger g first, and apart from that both are varied.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from replan.experiments import tables
from replan.experiments.experiment import TIME_ALL_PROBLEMS, Experiment, Scope
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import Report, format_with_error
from replan.experiments.runs import Run, make_options
from replan.experiments.statistics import ratio_of_totals
from replan.experiments.tables import NS_TO_MS, NS_TO_US, Column, TripsByRow, columns_by_name, mean_of, total_ratio
from replan.papers.common.claims import FindingTable, show_row_comparisons
from replan.papers.dispute.worlds import UNKNOWN_TERRAIN, measure_euclidean, measure_trip_in_world, terrain_settings

D_STAR_LITE, BUCKETS, D_STAR_EXTRA_LITE = "D* Lite", "D* Lite (queue=buckets)", "D* Extra Lite"
MPGAA, GAA, AA, REPEATED_A_STAR = "MPGAA*", "Generalized Adaptive A*", "Adaptive A*", "Repeated Forward A*"
PLANNERS = [NamedPlanner(D_STAR_LITE), NamedPlanner(D_STAR_LITE, {"queue": "buckets"})]
PLANNERS += [NamedPlanner(name) for name in (D_STAR_EXTRA_LITE, MPGAA, GAA, AA, REPEATED_A_STAR)]
COLUMNS = columns_by_name(
    Column("expansions", "expansions", mean_of("expansions")),
    Column("key_updates", "keys refreshed", mean_of("key_updates")),
    Column("ms", "search ms a trip", mean_of("search_ns", NS_TO_MS), is_time=True),
    Column("us", "µs a search", total_ratio("search_ns", "episodes", NS_TO_US), is_time=True),
    Column("ns", "ns an expansion", total_ratio("search_ns", "expansions"), is_time=True),
    Column("cost", "cost", mean_of("cost")),
)
# What the papers vary without saying so: h, and who comes first among equal f.
VARIATION_GROUP = "Why they disagree"
VARIATIONS = [
    (f"{name}, {shape}, {prefer}", name, prefer, measure)
    for name in (MPGAA, D_STAR_LITE)
    for shape, measure in (("octile", measure_trip_in_world), ("straight line", measure_euclidean))
    for prefer in ("larger g", "smaller g")
]
VARIATION_SETTINGS = ("rooms", "Warcraft III", "random 10 %", "caves")


def runs(scope: Scope) -> Iterator[Run]:
    rows = tables.table_rows(scope.planners or PLANNERS, (9, 89, None))
    for setting in terrain_settings(scope.maps_directory, scope.sample):
        tags = {"group": setting.group, "setting": setting.name}
        for run in tables.row_runs(rows, setting.problems, setting.measure):
            yield Run(run.planner, run.options, run.problem, run.tags | tags, run.measure)
        if setting.group.endswith(UNKNOWN_TERRAIN[1][0]) and setting.name in VARIATION_SETTINGS and not scope.planners:
            for problem in setting.problems:
                for row, name, prefer, measure in VARIATIONS:
                    variation_tags = {"row": row, "lookahead": None, "group": VARIATION_GROUP, "setting": setting.name}
                    yield Run(name, make_options(prefer=prefer), problem, variation_tags, measure, timing_repeats=0)


def report(frame: pl.DataFrame, scope: Scope, report: Report) -> None:
    report.heading("What was run")
    report.text(
        f"{frame['problem'].n_unique():,} problems. Larger g first, then first in first out, or buckets; octile "
        "distances (4 neighbours: Manhattan) as h; corners are not cut. "
        f"{tables.timing_note(frame)} A refreshed key is no expansion here."
    )
    if scope.maps_directory is None:
        report.text("These are built-in maps. For those of games: `--maps DIR`, a directory of Moving AI maps.")
    groups = {str(name): rows for (name,), rows in frame.group_by("group", maintain_order=True)}
    why = groups.pop(VARIATION_GROUP, None)
    if not scope.planners:
        report.heading("Who wins where")
        _winners(groups, report)
    claims = FindingTable()
    for group, of_group in groups.items():
        report.heading(group)
        for name, rows in _by_setting(of_group).items():
            report.heading(name, 3)
            tables.show_table(report, "planner", tables.trips_by_row(rows), COLUMNS)
            if scope.planners:
                show_row_comparisons(tables.trips_by_row(rows), report)
            else:
                _claim(claims, f"{group}, {name}", tables.trips_by_row(rows))
    if why is not None:
        report.heading(VARIATION_GROUP)
        _show_variations(why, report)
    if not scope.planners:
        report.heading("What is claimed")
        claims.show(report)


def _by_setting(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    return {str(name): rows for (name,), rows in frame.group_by("setting", maintain_order=True)}


def _winners(groups: dict[str, pl.DataFrame], report: Report) -> None:
    """One line a setting: the quickest planner, and how MPGAA* and D* Extra Lite do beside D* Lite."""
    report.text(
        "Times and expansions to those of D* Lite with a heap: total over total, with the standard error. Below 1 is "
        "better than D* Lite. An expansion of A* and its kin takes a fraction of the time of one of D* Lite, which has "
        "keys to refresh besides: they may expand more, and still win."
    )
    titles = ["terrain", "quickest", "MPGAA*: time", "expansions", "D* Extra Lite: time", "expansions", "buckets: time"]
    lines = []
    for group, of_group in groups.items():
        for name, rows in _by_setting(of_group).items():
            trips = tables.trips_by_row(rows)
            if not {D_STAR_LITE, BUCKETS, D_STAR_EXTRA_LITE, MPGAA} <= trips.keys():
                continue
            best = min(trips, key=lambda row: float(trips[row]["search_ns"].mean() or 0))  # type: ignore[arg-type]
            ours = [
                _ratio_to_d_star_lite(trips, row, metric)
                for row in (MPGAA, D_STAR_EXTRA_LITE)
                for metric in ("search_ns", "expansions")
            ]
            lines.append([f"{group}: {name}", best, *ours, _ratio_to_d_star_lite(trips, BUCKETS, "search_ns")])
    report.table(titles, lines)


def _ratio_to_d_star_lite(trips: TripsByRow, row: str, metric: str) -> str:
    return format_with_error(ratio_of_totals(*tables.paired_values(trips[row], trips[D_STAR_LITE], metric)))


def _show_variations(frame: pl.DataFrame, report: Report) -> None:
    report.text(
        "Unknown terrain, radius 10. A forward search over terrain that is believed free, with octile h and larger g "
        "first, runs straight to the goal. With straight-line distances, or with ties the other way, it spreads "
        "into a disc, and does so again in every search; D* Lite pays for its disc once. That is what divides the two "
        "papers. Mean expansions of a trip:"
    )
    by_setting = {name: tables.trips_by_row(rows) for name, rows in _by_setting(frame).items()}
    lines = []
    for row, *_ in VARIATIONS:
        means = [
            COLUMNS["expansions"].estimate(trips[row]).value if row in trips else "" for trips in by_setting.values()
        ]
        lines.append([row, *means])
    report.table(["planner, h, ties", *by_setting], lines)


def _claim(claims: FindingTable, setting: str, trips: TripsByRow) -> None:
    pairs = [
        ("search µs", MPGAA, D_STAR_LITE, "search_ns"),
        ("expansions", D_STAR_EXTRA_LITE, D_STAR_LITE, "expansions"),
    ]
    for label, first, second, metric in [*pairs, ("search µs", D_STAR_EXTRA_LITE, D_STAR_LITE, "search_ns")]:
        if first in trips and second in trips:
            values = tables.paired_values(trips[first], trips[second], metric)
            claims.less_than(f"{setting}: {label}, {first} < {second}", *values)


EXPERIMENT = Experiment(
    "dispute",
    "MPGAA*, D* Lite, D* Extra Lite and Adaptive A*: who is faster where",
    default_sample=3,
    full_sample=100,
    runs=runs,
    report=report,
    problem_noun="problems a terrain",
    timed_problems=TIME_ALL_PROBLEMS,
)
