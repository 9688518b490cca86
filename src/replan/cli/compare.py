"""`replan compare`: run several planners on the same problems."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from replan import Grid, InputError
from replan.cli.console import note_if_interpreted, print_json, print_note, progress_bar, stdout_console
from replan.cli.group import EXIT_INTERRUPTED
from replan.cli.options import (
    TripSettings,
    json_option,
    planners_option,
    refuse_unwritable,
    seed_option,
    trip_options,
)
from replan.cli.planner_table import left_out_text, planner_table
from replan.experiments.common_problems import mark_legend
from replan.experiments.compare import WorldComparison, comparison_table, resolve_max_moves
from replan.experiments.planner_names import NamedPlanner, all_planners
from replan.experiments.result_tables import ResultTable
from replan.extras import import_extra
from replan.formatting import format_count
from replan.worlds.problems import StartAndGoal, check_free, random_problems, sample_problems, scenario_problems

PROBLEMS = 10


@click.command("compare")
@click.argument("map_names", metavar="[MAP]...", nargs=-1)
@planners_option("all planners")
@click.option(
    "--problems",
    "count",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help=f"Number of problems on each map, drawn by --seed.  [default: {PROBLEMS}, or all scenarios]",
)
@click.option("--scenarios", is_flag=True, help="Use the problems of the .scen file beside each map.")
@trip_options
@seed_option
@json_option
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write the means, with 95 % intervals: a line per map and planner (extra: experiments).",
)
@click.option("--trips", "trips_file", metavar="FILE", help="Write the metrics of each trip, a line per trip (.csv).")
@click.pass_context
def command(
    context: click.Context,
    map_names: tuple[str, ...],
    planners: list[NamedPlanner],
    count: int | None,
    scenarios: bool,
    setting: TripSettings,
    seed: int,
    as_json: bool,
    csv_file: str | None,
    trips_file: str | None,
) -> None:
    """Run several planners on the same problems and compare the means.

    Each MAP is a file or a built-in map. The default is the built-in maze. Ctrl-C stops and shows the finished trips.
    """
    note_if_interpreted()
    for file in (csv_file, trips_file):
        if file is not None:
            refuse_unwritable(file)
    if csv_file is not None:
        import_extra("scipy", extra="experiments", purpose="an interval")
    named = planners or all_planners()
    comparisons = []
    for name in map_names or ("maze",):
        grid = setting.load(name)
        problems = _problems(name, grid, count, scenarios, seed)
        planners_by_label = {planner.label: planner.make() for planner in named}
        limit = resolve_max_moves(grid, setting.max_moves)
        comparisons.append(
            WorldComparison(name, setting.world(grid), planners_by_label, problems, limit, raises_errors=bool(planners))
        )
    interrupted = not _run(comparisons)
    if csv_file is not None:
        rows = ResultTable(
            {"map": comparison.name, **row}
            for comparison in comparisons
            for row in comparison_table([comparison], intervals=True)
        )
        rows.write_csv(csv_file)
    if trips_file is not None:
        ResultTable(trip for comparison in comparisons for trip in comparison.trip_rows()).write_csv(trips_file)
    if as_json:
        maps = [_as_dict(comparison) for comparison in comparisons]
        print_json({"setting": setting.as_dict(), "interrupted": interrupted, "maps": maps})
    else:
        _show(comparisons, setting)
    if interrupted:
        context.exit(EXIT_INTERRUPTED)


def _problems(name: str, grid: Grid, count: int | None, scenarios: bool, seed: int) -> list[StartAndGoal]:
    if not scenarios:
        return random_problems(grid, count or PROBLEMS, seed)
    path, listed = scenario_problems(name, grid.shape, None)
    return [problem for problem in sample_problems(listed, count, seed) if _is_possible(grid, problem, str(path))]


def _is_possible(grid: Grid, problem: StartAndGoal, source: str) -> bool:
    """Return False, and print a note, if a published scenario does not agree with its map."""
    try:
        check_free(grid, problem.start, "start")
        check_free(grid, problem.goal, "goal")
    except InputError as error:
        print_note(f"{source}: a problem is left out: {error}")
        return False
    return True


def _run(comparisons: list[WorldComparison]) -> bool:
    """Run all trips. Returns False if interrupted."""
    total = sum(len(comparison.problems) * len(comparison.planners) for comparison in comparisons)
    finished = True
    try:
        with progress_bar(total) as step:
            for comparison in comparisons:
                comparison.run(lambda label, name=comparison.name: step(f"{name}: {label}"))  # type: ignore[misc]
    except KeyboardInterrupt:
        finished = False
        print_note("interrupted; the table has the finished trips")
    for comparison in comparisons:
        for problem, optimal in zip(comparison.problems, comparison.optimal_costs, strict=False):
            if optimal is None:
                print_note(
                    f"{comparison.name}: no way leads from {problem.start} to {problem.goal}; the problem is left out"
                )
    return finished


def _as_dict(comparison: WorldComparison) -> dict[str, Any]:
    """Return the results as values for JSON."""
    solved = [
        {"start": problem.start, "goal": problem.goal, "optimal": optimal}
        for problem, optimal in zip(comparison.problems, comparison.optimal_costs, strict=False)
    ]
    planners = comparison_table([comparison])
    return {"map": comparison.name, "problems": solved, "planners": planners, "left_out": comparison.left_out}


def _show(comparisons: list[WorldComparison], setting: TripSettings) -> None:
    console = stdout_console()
    console.print(str(setting))
    for comparison in comparisons:
        rows = comparison_table([comparison])
        if rows:
            trips = format_count(max(row["trips"] for row in rows), "problem")
            _print(f"{comparison.name}: means of {trips}", rows, console)
        else:
            console.print(f"{comparison.name}: no trip was finished")
        for label, reason in comparison.left_out.items():
            console.print(left_out_text(label, reason), style="dim")
    if len(comparisons) > 1:
        _print("all maps", comparison_table(comparisons), console)


def _print(title: str, rows: ResultTable, console: Console) -> None:
    console.print(planner_table(title, rows, console))
    if max(row["trips"] for row in rows) > 1 and (remark := mark_legend(rows)):
        console.print(remark)
