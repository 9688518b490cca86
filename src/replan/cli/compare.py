"""`replan compare`: several planners on the same problems."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from replan import Grid, InputError
from replan.cli.console import note, note_interpreted, output, print_json, progress
from replan.cli.figures import figures_table, left_out
from replan.cli.group import INTERRUPTED
from replan.cli.options import (
    Setting,
    json_option,
    planners_option,
    refuse_unwritable,
    seed_option,
    setting_options,
)
from replan.experiments.compare import Contest, patience, table_of
from replan.experiments.planner_names import NamedPlanner, every_planner
from replan.experiments.rows import Rows
from replan.experiments.solved import about_marks
from replan.extras import need
from replan.wording import counted
from replan.worlds.problems import StartAndGoal, random_problems, refuse_blocked, scenario_problems, some_of

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
@setting_options
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
    setting: Setting,
    seed: int,
    as_json: bool,
    csv_file: str | None,
    trips_file: str | None,
) -> None:
    """Give several planners the same problems and compare the means.

    Each MAP is a file or a built-in map; without any, the built-in maze. Ctrl-C shows what is finished so far.
    """
    note_interpreted()
    for file in (csv_file, trips_file):
        if file is not None:
            refuse_unwritable(file)
    if csv_file is not None:
        need("scipy", extra="experiments", what="an interval")
    named = planners or every_planner()
    contests = []
    for name in map_names or ("maze",):
        grid = setting.load(name)
        problems = _problems(name, grid, count, scenarios, seed)
        made = {planner.label: planner.make() for planner in named}
        limit = patience(grid, setting.max_moves)
        contests.append(Contest(name, setting.world(grid), made, problems, limit, strict=bool(planners)))
    interrupted = not _run(contests)
    if csv_file is not None:
        rows = Rows({"map": one.name, **row} for one in contests for row in table_of([one], intervals=True))
        rows.write_csv(csv_file)
    if trips_file is not None:
        Rows(trip for contest in contests for trip in contest.trips()).write_csv(trips_file)
    if as_json:
        maps = [_as_dict(contest) for contest in contests]
        print_json({"setting": setting.as_dict(), "interrupted": interrupted, "maps": maps})
    else:
        _show(contests, setting)
    if interrupted:
        context.exit(INTERRUPTED)


def _problems(name: str, grid: Grid, count: int | None, scenarios: bool, seed: int) -> list[StartAndGoal]:
    if not scenarios:
        return random_problems(grid, count or PROBLEMS, seed)
    path, listed = scenario_problems(name, grid.shape, None)
    return [problem for problem in some_of(listed, count, seed) if _possible(grid, problem, str(path))]


def _possible(grid: Grid, problem: StartAndGoal, source: str) -> bool:
    """Some published scenarios do not agree with their maps."""
    try:
        refuse_blocked(grid, problem.start, "start")
        refuse_blocked(grid, problem.goal, "goal")
    except InputError as error:
        note(f"{source}: a problem is left out: {error}")
        return False
    return True


def _run(contests: list[Contest]) -> bool:
    """Let all planners walk; False when interrupted."""
    total = sum(len(contest.problems) * len(contest.planners) for contest in contests)
    finished = True
    try:
        with progress(total) as step:
            for contest in contests:
                contest.play(lambda label, name=contest.name: step(f"{name}: {label}"))  # type: ignore[misc]
    except KeyboardInterrupt:
        finished = False
        note("interrupted; these are the trips that were finished")
    for contest in contests:
        for problem, optimal in zip(contest.problems, contest.optimal, strict=False):
            if optimal is None:
                note(f"{contest.name}: no way leads from {problem.start} to {problem.goal}; the problem is left out")
    return finished


def _as_dict(contest: Contest) -> dict[str, Any]:
    """Ready for JSON."""
    solved = [
        {"start": problem.start, "goal": problem.goal, "optimal": optimal}
        for problem, optimal in zip(contest.problems, contest.optimal, strict=False)
    ]
    planners = table_of([contest])
    return {"map": contest.name, "problems": solved, "planners": planners, "left_out": contest.left_out}


def _show(contests: list[Contest], setting: Setting) -> None:
    console = output()
    console.print(str(setting))
    for contest in contests:
        rows = table_of([contest])
        if rows:
            trips = counted(max(row["trips"] for row in rows), "problem")
            _print(f"{contest.name}: means of {trips}", rows, console)
        else:
            console.print(f"{contest.name}: no trip was finished")
        for label, reason in contest.left_out.items():
            console.print(left_out(label, reason), style="dim")
    if len(contests) > 1:
        _print("all maps", table_of(contests), console)


def _print(title: str, rows: Rows, console: Console) -> None:
    console.print(figures_table(title, rows, console))
    if max(row["trips"] for row in rows) > 1 and (remark := about_marks(rows)):
        console.print(remark)
