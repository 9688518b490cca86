"""`replan compare`: several planners on the same problems."""

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
@planners_option("every planner there is")
@click.option(
    "--problems",
    "count",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help=f"Problems on each map, drawn by --seed.  [default: {PROBLEMS}, or all scenarios]",
)
@click.option("--scenarios", is_flag=True, help="Take the problems from the .scen file beside each map.")
@trip_options
@seed_option
@json_option
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write all means, with intervals of 95 %, a line for each map and planner (extra: experiments).",
)
@click.option("--trips", "trips_file", metavar="FILE", help="Write a line for each trip, with its figures (.csv).")
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
    """Give several planners the same problems and compare the means.

    Each MAP is a file or a built-in map; without any, the built-in maze. Ctrl-C shows what is finished so far.
    """
    note_if_interpreted()
    for file in (csv_file, trips_file):
        if file is not None:
            refuse_unwritable(file)
    if csv_file is not None:
        import_extra("scipy", extra="experiments", purpose="an interval")
    named = planners or all_planners()
    contests = []
    for name in map_names or ("maze",):
        grid = setting.load(name)
        problems = _problems(name, grid, count, scenarios, seed)
        made = {planner.label: planner.make() for planner in named}
        limit = resolve_max_moves(grid, setting.max_moves)
        contests.append(WorldComparison(name, setting.world(grid), made, problems, limit, raises_errors=bool(planners)))
    interrupted = not _run(contests)
    if csv_file is not None:
        rows = ResultTable({"map": one.name, **row} for one in contests for row in comparison_table([one], intervals=True))
        rows.write_csv(csv_file)
    if trips_file is not None:
        ResultTable(trip for contest in contests for trip in contest.trip_rows()).write_csv(trips_file)
    if as_json:
        maps = [_as_dict(contest) for contest in contests]
        print_json({"setting": setting.as_dict(), "interrupted": interrupted, "maps": maps})
    else:
        _show(contests, setting)
    if interrupted:
        context.exit(EXIT_INTERRUPTED)


def _problems(name: str, grid: Grid, count: int | None, scenarios: bool, seed: int) -> list[StartAndGoal]:
    if not scenarios:
        return random_problems(grid, count or PROBLEMS, seed)
    path, listed = scenario_problems(name, grid.shape, None)
    return [problem for problem in sample_problems(listed, count, seed) if _is_possible(grid, problem, str(path))]


def _is_possible(grid: Grid, problem: StartAndGoal, source: str) -> bool:
    """Some published scenarios do not agree with their maps."""
    try:
        check_free(grid, problem.start, "start")
        check_free(grid, problem.goal, "goal")
    except InputError as error:
        print_note(f"{source}: a problem is left out: {error}")
        return False
    return True


def _run(contests: list[WorldComparison]) -> bool:
    """Let all planners walk; False when interrupted."""
    total = sum(len(contest.problems) * len(contest.planners) for contest in contests)
    finished = True
    try:
        with progress_bar(total) as step:
            for contest in contests:
                contest.run(lambda label, name=contest.name: step(f"{name}: {label}"))  # type: ignore[misc]
    except KeyboardInterrupt:
        finished = False
        print_note("interrupted; these are the trips that were finished")
    for contest in contests:
        for problem, optimal in zip(contest.problems, contest.optimal_costs, strict=False):
            if optimal is None:
                print_note(f"{contest.name}: no way leads from {problem.start} to {problem.goal}; the problem is left out")
    return finished


def _as_dict(contest: WorldComparison) -> dict[str, Any]:
    """Ready for JSON."""
    solved = [
        {"start": problem.start, "goal": problem.goal, "optimal": optimal}
        for problem, optimal in zip(contest.problems, contest.optimal_costs, strict=False)
    ]
    planners = comparison_table([contest])
    return {"map": contest.name, "problems": solved, "planners": planners, "left_out": contest.left_out}


def _show(contests: list[WorldComparison], setting: TripSettings) -> None:
    console = stdout_console()
    console.print(str(setting))
    for contest in contests:
        rows = comparison_table([contest])
        if rows:
            trips = format_count(max(row["trips"] for row in rows), "problem")
            _print(f"{contest.name}: means of {trips}", rows, console)
        else:
            console.print(f"{contest.name}: no trip was finished")
        for label, reason in contest.left_out.items():
            console.print(left_out_text(label, reason), style="dim")
    if len(contests) > 1:
        _print("all maps", comparison_table(contests), console)


def _print(title: str, rows: ResultTable, console: Console) -> None:
    console.print(planner_table(title, rows, console))
    if max(row["trips"] for row in rows) > 1 and (remark := mark_legend(rows)):
        console.print(remark)
